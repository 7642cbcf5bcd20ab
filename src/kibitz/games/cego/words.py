"""Cego as text: what the sub-games and the whole game share, and the words of the auction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from kibitz.core.game import Game, State, Value
from kibitz.core.shapes import Floats
from kibitz.games.cego import rules
from kibitz.games.cego import table as cego
from kibitz.games.cego.rules import NO_CARD, keepable
from kibitz.games.tricks import layout as at
from kibitz.games.tricks.words import Words

NICKNAMES = {"gstiess": "Gt", "mond": "21t", "mund": "21t", "geiss": "1t"}
SYNONYMS = {"fort": "pass", "räuber": "raeuber", "halten": "hold", "verschiedene": "zwei-verschiedene"}
PHASES = ("announcements", "bidding against the Solo", "raising", "forehand settles", "exchange", "exchange")


def points_text(halves: int) -> str:
    """Half points as points."""
    return f"{halves / 2:g} point" + ("" if halves == 2 else "s")


def count_text(s: State) -> str:
    """Who has how many points at the end of a game for points, if what lies aside is seen; else nothing."""
    if not cego.counts_points(s) or int(s[at.ASIDE]).bit_count() < cego.BLIND_CARDS:
        return ""
    halves = int(cego.single_halves(s))
    return f"{points_text(halves)} against {points_text(158 - halves)}"


class TarockWords(Words):
    """The text of both games."""

    CATALOGUES = ("tricks", "cego")

    def spell(self, text: str) -> str:
        """The card or word for what a person typed: `10C`, `gstiess`, `Tc`, `fort`."""
        low = text.strip().lower().replace(" ", "-")
        return NICKNAMES.get(low) or super().spell(SYNONYMS.get(low, low))

    def told(self, before: State, after: State, seat: int, mover: int, lang: str) -> str:
        """Rule 6.5: what a seat hears and sees of a move; of cards kept and laid away in secret only that they were."""
        heard = after[self.rules.LOG + before[at.MOVES]]
        what = "a card" if heard == rules.BLANK else self.ACTION_WORDS[heard]
        return {cego.KEEP: f"keeps {what}", cego.DISCARD: f"lays {what} away"}.get(int(before[at.PHASE]), what)

    def why_not(self, s: State, action: int) -> str:
        """Why a card may not be played."""
        hand = int(s[at.HAND + s[at.TURN]])
        if not hand >> action & 1:
            return f"it does not hold {cego.TAROCK.names[action]}"
        if s[at.COUNT] == 0:
            may = self.cards_text(s, hand & int(cego.leads(s) if s[cego.EXPOSED] else at.ANY))
            return f"the first leads are bound by the exposed cards: it may lead {may}"
        led = int(cego.CLASS[s[at.TABLE]])
        name = self.class_names[led]
        if hand & int(cego.SUITS[led]):
            return f"{name} were led and it holds {self.cards_text(s, hand & int(cego.SUITS[led]))}"
        return f"it has no {name} and must trump with {self.cards_text(s, hand & cego.TRUMPS)}"


class CegoWords(TarockWords):
    """The text of the whole game, and its session of 48 deals, as at the Schwarzwaldmeisterschaft."""

    SHEET = "session"
    SESSION = 48

    def marks(self, s: State, lang: str) -> list[list[str]]:
        """Who deals."""
        return [["dealer"] if seat == s[at.DEALER] else [] for seat in range(cego.SEATS)]

    def deal_options(self, options: Mapping[str, Value], deal: int, totals: Sequence[float]) -> dict[str, Value]:
        """Rule 6.2: the deal goes round, deals counted from 0."""
        return {"dealer": (3 + deal) % cego.SEATS}

    def aim(self, options: Mapping[str, Value]) -> tuple[str, int]:
        """Rule 6.2."""
        return "a session of {} deals", self.SESSION

    def is_over(self, options: Mapping[str, Value], deals: int, totals: Sequence[float]) -> bool:
        """Rule 6.2."""
        return deals >= self.SESSION

    def piles(self, s: State) -> list[int | list[int]]:
        """The four hands and the blind."""
        return [*(int(s[rules.DEALT + seat]) for seat in range(cego.SEATS)), int(s[cego.BLIND])]

    def contract(self, s: State) -> str:
        """The game with its single player, or the word that stands in the auction."""
        if s[at.CONTRACT] == cego.UNDECIDED and s[rules.BID]:
            return f"{rules.SPOKEN[s[rules.BID] - cego.CARDS]} by seat {s[at.DECLARER]}"
        return super().contract(s)

    def why_not(self, s: State, action: int) -> str:
        """Why a word or a card is not allowed here."""
        phase, hand = int(s[at.PHASE]), int(s[at.HAND + s[at.TURN]])
        if action >= cego.CARDS:
            return _why_not_say(s, phase, hand, action)
        if phase == at.PLAYING:
            return super().why_not(s, action)
        if phase < cego.KEEP:
            return f"now are the {PHASES[phase - cego.ANNOUNCE]}, no card is played yet"
        if not hand >> action & 1:
            return f"it does not hold {cego.TAROCK.names[action]}"
        if phase == cego.DISCARD:
            which = "lowest" if s[at.CONTRACT] == cego.ZWEI_LEERE else "highest"
            return f"the {which} trump of the blind must be discarded"
        first = int(s[rules.KEPT]).bit_length() - 1 if s[rules.KEPT] else NO_CARD
        may = self.cards_text(s, int(keepable(hand, s[at.CONTRACT], first)))
        title = cego.TITLES[s[at.CONTRACT]]
        return f"{title} keeps as many empties as it can, two cards in rising order: it may say {may}"

    def report(self, game: Game, tallies: Floats, games: int) -> dict[str, Any]:
        """How often each game was played, and how often its single player won it."""
        played, made = tallies[: rules.GAMES], tallies[rules.GAMES :]
        names = {k: cego.TITLES[k] for k in range(1, rules.GAMES) if played[k]}
        return {
            "games_played": {name: int(played[k]) for k, name in names.items()},
            "single_player_won": {name: round(float(made[k] / played[k]), 6) for k, name in names.items()},
        }


def _why_not_say(s: State, phase: int, hand: int, action: int) -> str:
    word = rules.SPOKEN[action - cego.CARDS]
    if phase >= cego.KEEP or phase == at.PLAYING:
        return f"{word} is a word of the auction, which is over"
    if phase == cego.ANNOUNCE and action == rules.SAY_ULTIMO and not hand >> cego.GEISS & 1:
        return "only the holder of 1t may announce Ultimo"
    if phase == cego.ANNOUNCE and s[rules.COMPULSORY] and s[rules.BID] < rules.SAY_SOLO and cego.fits_solo(hand):
        return "its hand is a compulsory Solo"
    if phase == cego.ANNOUNCE and rules.SAY_SOLO - 2 <= action <= s[rules.BID]:
        return f"{rules.SPOKEN[s[rules.BID] - cego.CARDS]} has been announced, only a higher game may follow"
    exposing = (
        phase in (cego.RAISE, cego.CONTRA)
        and rules.SAY_EINE_LEERE <= action <= rules.SAY_ZWEI_VERSCHIEDENE
        and action > s[rules.BID]
    )
    if exposing and not keepable(hand, rules.GAME_OF[action - cego.CARDS], NO_CARD):
        return f"its hand has not the plain cards that {word} exposes"
    if phase in (cego.RAISE, cego.CONTRA) and cego.CARDS + 1 < action <= s[rules.BID]:
        return f"{rules.SPOKEN[s[rules.BID] - cego.CARDS]} stands, only a higher level may follow"
    return ""


def headline(s: State) -> str:
    """What is played, and every word said before the play, `??` for those that were not heard."""
    forehand = (int(s[at.DEALER]) + 1) % cego.SEATS
    words = [
        "??" if word == rules.BLANK else (*cego.TAROCK.names, *rules.SPOKEN)[word]
        for word in s[rules.LOG : rules.LOG + rules.spoken(s)]
    ]
    said = f"said from seat {forehand} on: {' '.join(words)}" if words else f"seat {forehand} speaks first"
    if s[at.CONTRACT] == cego.UNDECIDED:
        standing = f": {rules.SPOKEN[s[rules.BID] - cego.CARDS]} by seat {s[at.DECLARER]}" if s[rules.BID] else ""
        return f"{said}\nCego, {PHASES[s[at.PHASE] - cego.ANNOUNCE]}{standing}"
    against = (
        f" against the Solo of seat {s[rules.SOLOIST]}" if s[rules.SOLOIST] >= 0 and s[at.CONTRACT] != cego.SOLO else ""
    )
    stage = f", {PHASES[s[at.PHASE] - cego.ANNOUNCE]}" if s[at.PHASE] >= cego.ANNOUNCE else ""
    return f"{said}\n{cego.TITLES[s[at.CONTRACT]]} of seat {s[at.DECLARER]}{against}{stage}"


def result_text(s: State) -> str:
    """What was paid, once everything is turned up."""
    if cego.counts_points(s) and not count_text(s):
        return "what lies aside is counted now"
    out = np.zeros(cego.SEATS)
    rules.score(s, out)
    paid = "paid " + ", ".join(f"seat {seat} {out[seat]:+g}" for seat in range(cego.SEATS))
    return f"{count_text(s)}; {paid}" if cego.counts_points(s) else paid
