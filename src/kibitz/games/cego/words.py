"""The whole game of Cego: words, deals and states as text, and sessions of many deals."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.core.game import OVER, Game, State
from kibitz.games.cego.exchange import NO_CARD, keepable
from kibitz.games.cego.rules import (
    ANNOUNCE,
    BID,
    BLANK,
    COMPULSORY,
    CONTRA,
    DEALER,
    DEALT,
    DISCARD,
    GAME_OF,
    GAMES,
    KEEP,
    KEPT,
    LAID_AWAY,
    LOG,
    MOVES,
    PHASE,
    PLAYING,
    RAISE,
    SAID,
    SAY_EINE_LEERE,
    SAY_SOLO,
    SAY_ULTIMO,
    SAY_ZWEI_VERSCHIEDENE,
    SOLOIST,
    START,
    hides_words,
    knows_blind,
    leads,
    returns,
    start,
    turn,
)
from kibitz.games.tarock import (
    ASIDE,
    BLIND,
    CARDS,
    CEGO,
    EINE_LEERE,
    EXPOSED,
    GAME,
    GEISS,
    HAND,
    RAEUBER,
    SEATS,
    SINGLE,
    SOLO,
    TAROCK,
    UNDECIDED,
    VOIDS,
    ZWEI_LEERE,
    fits_solo,
    single_halves,
)
from kibitz.games.tarock_words import (
    aside_text,
    cards_text,
    hand,
    piles_text,
    points,
    points_text,
    read_piles,
    seats_text,
    spell_card,
    trick,
    trick_before,
    trick_number,
    trick_text,
    unseen_text,
    void_text,
    why_not_play,
)

__all__ = [
    "ACTION_WORDS", "contract", "deal_text", "hand", "last_trick", "points", "read_deal", "report", "session_dealer",
    "show", "spell", "told", "trick", "unseen", "why_not",
]  # fmt: skip

SPOKEN = (
    "pass",
    "hold",
    "cego",
    "eine",
    "eine-leere",
    "zwei-leere",
    "zwei-verschiedene",
    "raeuber",
    "bettel",
    "piccolo",
    "solo",
    "ultimo",
)
ACTION_WORDS = (*TAROCK.names, *SPOKEN)
PHASES = ("announcements", "bidding against the Solo", "raising", "forehand settles", "exchange", "exchange", "play")
TITLES = (
    "",
    "Solo",
    "Ultimo",
    "Bettel",
    "Piccolo",
    "Räuber",
    "Cego",
    "Eine",
    "Eine Leere",
    "Zwei Leere",
    "Zwei Verschiedene",
)
SYNONYMS = {"fort": "pass", "räuber": "raeuber", "halten": "hold", "verschiedene": "zwei-verschiedene"}


def spell(text: str) -> str:
    """The house word for what a person typed."""
    low = text.strip().lower().replace(" ", "-")
    return SYNONYMS.get(low, low if low in SPOKEN else spell_card(text))


def deal_text(s: State) -> str:
    """The four hands and the blind."""
    return piles_text([*(int(s[DEALT + seat]) for seat in range(SEATS)), int(s[BLIND])])


def read_deal(text: str, s: State) -> None:
    """Write a deal into a blank state."""
    piles = read_piles(text)
    start(s)
    s[HAND : HAND + SEATS] = s[DEALT : DEALT + SEATS] = piles[:SEATS]
    s[BLIND] = s[ASIDE] = piles[SEATS]


def session_dealer(deal: int) -> int:
    """Rule 6.2: who deals a deal of a session, deals counted from 0."""
    return (3 + deal) % SEATS


def why_not(s: State, action: int) -> str:
    """Why a word or a card is not allowed here."""
    phase, hand = int(s[PHASE]), int(s[HAND + turn(s)])
    if action >= CARDS:
        return _why_not_say(s, phase, hand, action)
    if phase < KEEP:
        return f"now are the {PHASES[phase]}, no card is played yet"
    if phase == PLAYING:
        return why_not_play(s, action, int(leads(s, hand)))
    if not hand >> action & 1:
        return f"it does not hold {TAROCK.names[action]}"
    if phase == DISCARD:
        return f"the {'lowest' if s[GAME] == ZWEI_LEERE else 'highest'} trump of the blind must be discarded"
    first = int(s[KEPT]).bit_length() - 1 if s[KEPT] else NO_CARD
    may = cards_text(int(keepable(hand, s[GAME], first)))
    return f"{TITLES[s[GAME]]} keeps as many empties as it can, two cards in rising order: it may say {may}"


def _why_not_say(s: State, phase: int, hand: int, action: int) -> str:
    word = SPOKEN[action - CARDS]
    if phase >= KEEP:
        return f"{word} is a word of the auction, which is over"
    if phase == ANNOUNCE and action == SAY_ULTIMO and not hand >> GEISS & 1:
        return "only the holder of 1t may announce Ultimo"
    if phase == ANNOUNCE and s[COMPULSORY] and s[BID] < SAY_SOLO and fits_solo(hand):
        return "its hand is a compulsory Solo"
    if phase == ANNOUNCE and SAY_SOLO - 2 <= action <= s[BID]:
        return f"{SPOKEN[s[BID] - CARDS]} has been announced, only a higher game may follow"
    exposing = phase in (RAISE, CONTRA) and SAY_EINE_LEERE <= action <= SAY_ZWEI_VERSCHIEDENE and action > s[BID]
    if exposing and not keepable(hand, GAME_OF[action - CARDS], NO_CARD):
        return f"its hand has not the plain cards that {word} exposes"
    if phase in (RAISE, CONTRA) and CARDS + 1 < action <= s[BID]:
        return f"{SPOKEN[s[BID] - CARDS]} stands, only a higher level may follow"
    return ""


def told(before: State, after: State, seat: int, mover: int, lang: str) -> str:
    """What a seat hears and sees of a move; of cards kept and laid away in secret only that they were (rule 6.5)."""
    heard, phase = after[LOG + before[MOVES]], before[PHASE]
    what = "a card" if heard == BLANK else ACTION_WORDS[heard]
    return {KEEP: f"keeps {what}", DISCARD: f"lays {what} away"}.get(int(phase), what)


def unseen(s: State, seat: int) -> list[str]:
    """The cards the seat has neither held nor seen played, exposed or laid away openly (rule 6.5)."""
    seen = int(s[DEALT + seat] | s[EXPOSED]) | (int(s[ASIDE] | s[BLIND]) if knows_blind(s, seat) else 0)
    if not hides_words(s, seat):
        seen |= int(s[KEPT]) | (1 << int(s[LAID_AWAY]) if s[LAID_AWAY] >= 0 else 0)
    return unseen_text(s, seat, seen)


def last_trick(s: State) -> dict[int, str]:
    """The last complete trick, in the order played."""
    return trick_before(s, LOG + int(s[START])) if s[PHASE] == PLAYING else {}


def contract(s: State) -> str:
    """The game with its single player, or the word that stands in the auction."""
    if s[GAME] != UNDECIDED:
        return f"{TITLES[s[GAME]]} by seat {s[SINGLE]}"
    return f"{SPOKEN[s[BID] - CARDS]} by seat {s[SINGLE]}" if s[BID] else ""


def show(s: State, seat: int | None = None) -> str:
    """The table as a person sees it from a seat (or with all cards open)."""
    forehand = (int(s[DEALER]) + 1) % SEATS
    lines = [_headline(s), _said(s, seat, forehand)]
    marks = [_mark(s, holder, forehand) for holder in range(SEATS)]
    lines += seats_text(s, seat, marks)
    known = seat is None or bool(knows_blind(s, seat))
    if s[GAME] >= CEGO and s[PHASE] > KEEP:
        lines.append(_exchange(s, seat, known))
    else:
        lines.append(f"{'blind':<23} {aside_text(int(s[BLIND]), seat is None)}")
    if s[VOIDS]:
        lines.append(f"{'have none of':<23} {void_text(int(s[VOIDS]))}")
    player = int(turn(s))
    if player == OVER:
        return "\n".join([*lines, _result(s, known)])
    if s[PHASE] == PLAYING:
        lines.append(f"{'trick':<23} {trick_text(s)}")
    return "\n".join([*lines, f"seat {player} to {_verb(int(s[PHASE]))}"])


def _headline(s: State) -> str:
    if s[GAME] == UNDECIDED:
        standing = f": {SPOKEN[s[BID] - CARDS]} by seat {s[SINGLE]}" if s[BID] else ""
        return f"Cego, {PHASES[s[PHASE]]}{standing}"
    against = f" against the Solo of seat {s[SOLOIST]}" if s[SOLOIST] >= 0 and s[GAME] != SOLO else ""
    stage = trick_number(s) if s[PHASE] == PLAYING else PHASES[s[PHASE]]
    return f"{TITLES[s[GAME]]} of seat {s[SINGLE]}{against}   {stage}"


def _said(s: State, seat: int | None, forehand: int) -> str:
    """Every word before the play, `??` for those hidden from the seat."""
    last = int(s[START]) if s[PHASE] == PLAYING else int(s[MOVES])
    hidden = seat is not None and bool(hides_words(s, seat))
    words = []
    for k in range(last):
        unheard = (hidden and k >= s[SAID]) or s[LOG + k] == BLANK
        words.append("??" if unheard else ACTION_WORDS[s[LOG + k]])
    return f"said from seat {forehand} on: {' '.join(words)}".rstrip(": ") if words else f"seat {forehand} speaks first"


def _mark(s: State, holder: int, forehand: int) -> str:
    if s[GAME] != UNDECIDED and s[GAME] != RAEUBER:
        return "single" if holder == s[SINGLE] else "opponent"
    return "forehand" if holder == forehand else ""


def _exchange(s: State, seat: int | None, known: bool) -> str:
    """The Legage, and what was kept and laid away openly."""
    text = f"{'Legage':<23} " + (aside_text(int(s[ASIDE]), True) if known else f"?? x {10 - (s[PHASE] == DISCARD)}")
    if seat is None or not hides_words(s, seat):
        away = f", laid away {TAROCK.names[s[LAID_AWAY]]}" if s[LAID_AWAY] >= 0 else ""
        exposed = " (exposed)" if s[GAME] >= EINE_LEERE else ""
        text += f"\n{'kept':<23} {cards_text(int(s[KEPT]))}{exposed}{away}"
    return text


def _verb(phase: int) -> str:
    return {KEEP: "name a card to keep", DISCARD: "lay a card away", PLAYING: "play"}.get(phase, "speak")


def _result(s: State, known: bool) -> str:
    """What was paid, once everything is turned up."""
    if (s[GAME] >= CEGO or s[GAME] == SOLO) and not known:
        return "over: what lies aside is counted now"
    out = np.zeros(SEATS)
    returns(s, out)
    points = ""
    if s[GAME] >= CEGO or s[GAME] == SOLO:
        halves = int(single_halves(s))
        points = f" {points_text(halves)} against {points_text(158 - halves)};"
    return f"over:{points} paid " + ", ".join(f"seat {seat} {out[seat]:+g}" for seat in range(SEATS))


def report(game: Game, tallies: NDArray[np.float64], games: int) -> dict[str, Any]:
    """How often each game was played, and how often its single player won it."""
    played, made = tallies[:GAMES], tallies[GAMES:]
    names = {k: TITLES[k] for k in range(1, GAMES) if played[k]}
    return {
        "games_played": {name: int(played[k]) for k, name in names.items()},
        "single_player_won": {name: round(float(made[k] / played[k]), 6) for k, name in names.items()},
    }
