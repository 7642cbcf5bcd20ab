"""Skat: actions, deals and states as text, in English and German."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from kibitz.core.errors import BadRecord
from kibitz.core.game import State, Value
from kibitz.core.languages import catalogue
from kibitz.games.skat import cards as skat
from kibitz.games.skat import state as at
from kibitz.games.skat.contracts import set_up, start
from kibitz.games.skat.iss import record_line
from kibitz.games.skat.knowledge import dealt_hand, dealt_skat
from kibitz.games.skat.tallies import SERIES, entry, report
from kibitz.games.tricks.words import Words

FAMILIES = ("auction", "suit", "grand", "null", "null-ouvert", "any")
SEAT_WORDS = ("forehand", "middlehand", "rearhand")

SYNONYMS = {
    "yes": "hold", "y": "hold", "ja": "hold", "halten": "hold", "p": "pass", "passe": "pass", "weg": "pass",
    "passen": "pass", "skat": "pickup", "pick-up": "pickup", "aufnehmen": "pickup", "aus der hand": "hand",
    "handspiel": "hand", "clubs": "C", "spades": "S", "hearts": "H", "diamonds": "D", "grand": "G", "null": "N",
    "null ouvert": "NO", "kreuz": "C", "pik": "S", "herz": "H", "karo": "D", "kreuz hand": "CH", "pik hand": "SH",
    "herz hand": "HH", "karo hand": "DH", "grand hand": "GH", "null hand": "NH", "null ouvert hand": "NOH",
    "grand ouvert": "GO",
}  # fmt: skip
LANGUAGES = {"de": catalogue("de", "terminal", "tricks", "skat")}
DUE = {
    at.BIDDING: "it is to bid or pass", at.OPENING: "it may take the game at 18 or pass",
    at.ANSWERING: "it is to hold or pass", at.CHOOSING: "it is to pickup the skat or play hand",
    at.DISCARDING: "it is to lay away a card", at.PUSHING: "it is to pass on a card",
    at.DECLARING: "it is to declare a game", at.PLAYING: "it is to play a card",
}  # fmt: skip


def said(word: str, lang: str) -> str:
    """A word of the table in a language."""
    return LANGUAGES.get(lang, {}).get(word, word)


def contract_text(declaration: int, lang: str = "en") -> str:
    """A declaration in full: `clubs hand schneider announced`."""
    announced, word = int(skat.ANNOUNCED[declaration]), skat.DECLARATIONS[declaration]
    parts = [skat.KIND_WORDS[skat.DECLARED_KIND[declaration]]]
    if announced & skat.OUVERT:
        parts.append("ouvert")
    if announced & skat.HAND and not (announced & skat.OUVERT and skat.DECLARED_KIND[declaration] != skat.NULL):
        parts.append("hand")
    if word.endswith(("HS", "HZ")):
        parts += ["schneider" if word.endswith("S") else "schwarz", "announced"]
    return " ".join(said(part, lang) for part in parts)


class SkatWords(Words):
    """What the kit's words do not know: contracts, two languages, and what the skat hides."""

    RECORD_FORMATS = {".sgf": record_line}
    """Endings of files that records are written to in another format than JSON."""
    LANGUAGES = LANGUAGES
    SHEET = "series"
    report = staticmethod(report)

    def spell(self, text: str) -> str:
        """The house word for what a person typed: a word of either language, a card in either order, 10 for T."""
        word = " ".join(text.split())
        if word.lower() in SYNONYMS:
            return SYNONYMS[word.lower()]
        if word.lower() in skat.ACTION_WORDS:
            return word.lower()
        if word.upper() in skat.DECLARATIONS:
            return word.upper()
        for spelling in (word, word[1:] + word[:1]):
            try:
                return skat.DECK.names[skat.DECK.card(spelling)]
            except BadRecord:
                continue
        return word

    def told(self, before: State, after: State, seat: int, mover: int, lang: str) -> str:
        """What a seat hears and sees of a move: cards laid away or passed on only if it receives them."""
        heard, phase = int(after[at.LOG + before[at.MOVES]]), before[at.PHASE]
        if phase in (at.DISCARDING, at.PUSHING) and seat != mover:
            verb = said("lays away" if phase == at.DISCARDING else "passes on", lang)
            is_received = phase == at.PUSHING and mover < 2 and after[at.TURN] == seat  # rearhand passes on to nobody
            return f"{verb} {skat.DECK.text(int(after[at.GIVEN + mover])) if is_received else said('a card', lang)}"
        if heard >= at.DECLARE:
            return contract_text(heard - at.DECLARE, lang)
        return said(skat.ACTION_WORDS[heard], lang)

    def deal_text(self, s: State) -> str:
        """The deal, forehand first, skat last: `7c .. | .. | .. | Kd 8s`; a contract follows as `| 1 D Ts Th 18`."""
        parts = [*(skat.DECK.text(dealt_hand(s, seat)) for seat in range(at.PLAYERS)), skat.DECK.text(dealt_skat(s))]
        if s[at.FAMILY] != at.AUCTION:
            laid = [] if s[at.IS_HAND] else skat.DECK.text(int(s[at.ASIDE])).split()
            parts.append(
                " ".join([str(s[at.DECLARER]), skat.DECLARATIONS[s[at.DECLARED]], *laid, skat.BID_WORDS[s[at.HIGH]]])
            )
        return " | ".join(parts)

    def read_deal(self, text: str, s: State) -> None:
        """Write the deal, and its contract where the game begins with one, into a blank state."""
        parts = [part.strip() for part in text.split("|")]
        wanted = 4 if s[at.FAMILY] == at.AUCTION else 5
        if len(parts) != wanted:
            contract = "" if wanted == 4 else ", and a contract like 1 D Ts Th 18"
            raise BadRecord(
                f"a deal has three hands and the skat, set apart by |{contract}: this has {len(parts)} parts"
            )
        piles = [skat.DECK.cards(part) for part in parts[:4]]
        for name, pile, size in zip((*SEAT_WORDS, "the skat"), piles, (10, 10, 10, 2), strict=True):
            if len(pile) != size:
                raise BadRecord(f"{name} has {len(pile)} cards in the deal: {size} are right")
        skat.DECK.cards([skat.DECK.names[card] for pile in piles for card in pile])
        start(s)
        for seat in range(at.PLAYERS):
            s[at.HAND + seat] = sum(1 << card for card in piles[seat])
        s[at.ASIDE] = sum(1 << card for card in piles[3])
        if wanted == 5:
            read_contract(parts[4], s)

    def why_not(self, s: State, action: int) -> str:
        """Why an action is illegal here."""
        phase = int(s[at.PHASE])
        if phase in (at.PLAYING, at.DISCARDING, at.PUSHING) and action < skat.CARDS:
            return self._why_not_card(s, int(s[at.HAND + s[at.TURN]]), action)
        if phase in (at.BIDDING, at.OPENING) and at.BID <= action < at.BID + skat.N_BIDS:
            return _why_not_bid(s, action - at.BID)
        if phase == at.DECLARING and action >= at.DECLARE:
            return _why_not_declared(s, action - at.DECLARE)
        return DUE.get(phase, "the deal is over")

    def _why_not_card(self, s: State, hand: int, card: int) -> str:
        if not hand >> card & 1:
            return f"it does not hold it, but {skat.DECK.text(hand)}"
        if s[at.PHASE] == at.PLAYING:
            led = int(skat.CLASS[s[at.CONTRACT], s[at.TABLE]])
            name = "trumps" if led == 4 else skat.KIND_WORDS[led]
            return f"{name} were led and it holds {skat.DECK.text(hand & int(skat.MASKS[s[at.CONTRACT], led]))}"
        if s[at.PHASE] == at.PUSHING and skat.JACKS >> card & 1:
            return "jacks are not passed on"
        legal = skat.DECK.text(int(self.rules.moves(s)))
        if s[at.LAYING_NOW]:
            return f"the second card must have the higher number; lay away one of {legal}"
        return f"it has the highest number of all, so it can only be the second; begin with one of {legal}"

    def unseen(self, s: State, seat: int) -> list[str]:
        """The cards the seat has not held, picked up, or seen played or laid open."""
        seen = self.seen(s, seat)
        piles = [at.ASIDE, at.TAKEN, *(slot + k for slot in (at.HAND, at.PLAYED, at.GIVEN) for k in range(at.PLAYERS))]
        return self.cards_text(s, skat.ALL & ~int(np.bitwise_or.reduce(seen[piles]))).split()

    def seat_names(self, lang: str) -> list[str]:
        """Forehand, middlehand and rearhand."""
        return [said(word, lang) for word in SEAT_WORDS]

    def beside(self, s: State, seat: int | None, lang: str) -> list[dict[str, Any]]:
        """The skat, or what was laid away, as far as the seat knows it."""
        pile = _skat_text(self.seen(s, seat), seat).split()
        cards = [word for word in pile if word in skat.DECK.names]
        return [{"name": "Skat", "cards": cards, "count": len(pile)}] if pile else []

    def move_text(self, s: State, action: int, lang: str) -> str:
        """A declaration in full."""
        return contract_text(action - at.DECLARE, lang) if action >= at.DECLARE else ""

    def score_lines(self, s: State, lang: str) -> list[str]:
        """How the deal ended, what that counts by Seeger and Fabian, and what everybody writes down (8.1)."""
        written, declarer, score = self.entries(s), int(s[at.WHO]), int(s[at.SCORE])
        table = ", ".join(f"{name} {x:+g}" for name, x in zip(self.seat_names(lang), written, strict=True))
        if declarer < 0 or s[at.IS_RAMSCH] or written[declarer] == score:
            return [_last_line(s, lang), table]
        extra, has_won = int(written[declarer]) - score, bool(s[at.SUCCESS])
        if lang == "de":
            game, others = ("gewonnene", "") if has_won else ("verlorene", ", +40 für jeden der anderen")
            told = f"{score:+d} für das {game} Spiel, {extra:+d} nach Seeger-Fabian{others}"
        else:
            game, others = ("won", "") if has_won else ("lost", ", +40 for each of the others")
            told = f"{score:+d} for the {game} game, {extra:+d} by Seeger-Fabian{others}"
        return [_last_line(s, lang), told, table]

    def entries(self, s: State) -> list[float]:
        """Rule 8.1."""
        return [float(entry(s, seat)) for seat in range(at.PLAYERS)]

    def seat_of(self, player: int, deal: int) -> int:
        """Rule 8.3: where player 0, 1 or 2 sits in deal 0, 1, 2, ..."""
        return (player - deal) % at.PLAYERS

    def aim(self, options: Mapping[str, Value]) -> tuple[str, int]:
        """As many deals as a list has."""
        return "a series of {} deals", SERIES

    def is_over(self, options: Mapping[str, Value], deals: int, totals: Sequence[float]) -> bool:
        """Rule 8.2."""
        return deals >= SERIES

    def contract(self, s: State) -> str:
        """The declared game with its declarer, or the bid that stands."""
        if s[at.IS_RAMSCH]:
            return "Ramsch"
        if s[at.DECLARED] != at.NOBODY:
            return f"{contract_text(int(s[at.DECLARED]))} by {SEAT_WORDS[s[at.DECLARER]]}"
        return skat.BID_WORDS[s[at.HIGH]] if s[at.HIGH] != at.NOBODY else ""

    def show(self, s: State, seat: int | None = None, lang: str = "en") -> str:
        """The table as a person sees it from a seat (or with all cards open)."""
        s = self.seen(s, seat)
        lines = [_calls_line(s, lang)] if s[at.FAMILY] == at.AUCTION else []
        if s[at.DECLARED] != at.NOBODY:
            contract = f"{said('contract', lang)}: {contract_text(int(s[at.DECLARED]), lang)}"
            declarer = f"{said('declarer', lang)}: {said(SEAT_WORDS[s[at.DECLARER]], lang)}"
            lines.append(f"{contract}   {declarer}   {said('bid', lang)}: {skat.BIDS[s[at.HIGH]]}")
        elif s[at.IS_RAMSCH]:
            lines.append(f"{said('contract', lang)}: {said('Ramsch', lang)}")
        for k in range(at.PLAYERS):
            name = said(SEAT_WORDS[k], lang) + (f" ({said('you', lang)})" if k == seat else "")
            tally = f"{said('tricks', lang)} {s[at.TRICKS + k]} {said('points', lang)} {s[at.POINTS + k]}"
            is_played = s[at.PHASE] in (at.PLAYING, at.ENDED)
            cards = int(s[at.HAND + k])
            is_shown = cards or seat in (None, k) or s[at.PHASE] == at.ENDED
            hand = self.cards_text(s, cards) if is_shown else "??"
            lines.append(f"{name}: {hand}" + (f"   {tally}" if is_played else ""))
        lines.append(f"{said('skat', lang)}: {_skat_text(s, seat)}")
        if s[at.PHASE] == at.PLAYING:
            trick = " ".join(skat.DECK.names[s[at.TABLE + k]] for k in range(s[at.COUNT]))
            lines.append(f"{said('trick', lang)} {s[at.DONE] + 1}: {trick}".rstrip())
        return "\n".join([*lines, _last_line(s, lang)])


def read_contract(text: str, s: State) -> None:
    """`1 D Ts Th 18`: declarer, declaration, discards unless from the hand, bid."""
    words = text.split()
    if len(words) < 3 or words[0] not in ("0", "1", "2"):
        raise BadRecord(f"contract {text!r} should name seat, declaration, two discards and bid, like 1 D Ts Th 18")
    declarer, word, bid = int(words[0]), words[1], words[-1]
    if word not in skat.DECLARATIONS:
        raise BadRecord(f"{word!r} is no declaration: there are {' '.join(skat.DECLARATIONS)}")
    if bid not in skat.BID_WORDS:
        raise BadRecord(f"{bid!r} is no bid: there are {' '.join(skat.BID_WORDS)}")
    declaration = skat.DECLARATIONS.index(word)
    if skat.DECLARED_VALUE[declaration] < int(bid):
        raise BadRecord(f"{word} cannot be declared at {bid}: it is worth {skat.DECLARED_VALUE[declaration]}")
    if not _fits(FAMILIES[s[at.FAMILY]], declaration):
        raise BadRecord(f"{word} does not belong to contract={FAMILIES[s[at.FAMILY]]}")
    laid = skat.DECK.cards(words[2:-1])
    is_hand = bool(skat.ANNOUNCED[declaration] & skat.HAND)
    if len(laid) != (0 if is_hand else 2):
        raise BadRecord(f"{word} goes with {'no' if is_hand else 'two'} discards, not {len(laid)}")
    twelve = int(s[at.HAND + declarer] | s[at.ASIDE])
    for card in laid:
        if not twelve >> card & 1:
            raise BadRecord(
                f"{skat.DECK.names[card]} cannot be laid away: seat {declarer} has {skat.DECK.text(twelve)}"
            )
    set_up(s, declarer, declaration, sum(1 << card for card in laid), skat.BID_WORDS.index(bid))


def _fits(family: str, declaration: int) -> bool:
    """Whether a given contract belongs to the game: hand and announcements are free, the kind is not."""
    kind, is_open = skat.DECLARED_KIND[declaration], bool(skat.ANNOUNCED[declaration] & skat.OUVERT)
    fits = {"suit": kind < skat.GRAND, "grand": kind == skat.GRAND, "null": kind == skat.NULL and not is_open}
    fits["null-ouvert"] = kind == skat.NULL and is_open
    return bool(fits.get(family, True))


def _why_not_bid(s: State, bid: int) -> str:
    if bid <= s[at.HIGH]:
        following = skat.BID_WORDS[min(s[at.HIGH] + 1, skat.N_BIDS - 1)]
        return f"{skat.BID_WORDS[s[at.HIGH]]} was already named; the next number is {following}"
    return f"numbers must not be left out; the next is {skat.BID_WORDS[s[at.HIGH] + 1]} (jumps=on would allow it)"


def _why_not_declared(s: State, declaration: int) -> str:
    if (declaration >= len(skat.PICKUP_DECLARATIONS)) != bool(s[at.IS_HAND]):
        games = skat.HAND_DECLARATIONS if s[at.IS_HAND] else skat.PICKUP_DECLARATIONS
        return f"the skat was {'not ' if s[at.IS_HAND] else ''}picked up; it may declare {' '.join(games)}"
    return f"it is worth {skat.DECLARED_VALUE[declaration]} and the bid was {skat.BID_WORDS[s[at.HIGH]]}"


def _calls_line(s: State, lang: str) -> str:
    moves = [int(action) for action in s[at.LOG : at.LOG + s[at.MOVES]]]
    calls = [
        "??" if move == at.HIDDEN else said(skat.ACTION_WORDS[move], lang)
        for move in moves
        if not 0 <= move < skat.CARDS
    ]
    return f"{said('auction', lang)}: {' '.join(calls)}".rstrip()


def _skat_text(s: State, seat: int | None) -> str:
    if s[at.ASIDE]:
        return skat.DECK.text(int(s[at.ASIDE]))
    is_taken_up = s[at.PHASE] in (at.DISCARDING, at.PUSHING) and seat in (None, s[at.TURN])
    return "" if is_taken_up else "?? ??"


def _last_line(s: State, lang: str) -> str:
    if s[at.PHASE] != at.ENDED:
        return f"{said(SEAT_WORDS[s[at.TURN]], lang)} {said('to move', lang)}"
    if s[at.WHO] == at.NOBODY:
        return said("passed in", lang)
    who = said(SEAT_WORDS[s[at.WHO]], lang)
    if s[at.IS_RAMSCH]:
        return f"{said('Ramsch', lang)}: {who} {said('counts', lang)} {s[at.SCORE]:+d}"
    parts = [
        said("won" if s[at.SUCCESS] else "lost", lang),
        f"{s[at.SCORE]:+d}",
        f"{s[at.TOTAL]} {said('points', lang)}",
    ]
    if s[at.MATADORS]:
        parts.append(f"{said('with' if s[at.MATADORS] > 0 else 'without', lang)} {abs(s[at.MATADORS])}")
    if s[at.OVERBID]:
        parts.append(said("overbid", lang))
    return f"{who} {', '.join(parts)}"
