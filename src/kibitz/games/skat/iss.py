"""The record format of the Internet Skat Server: text to game and back, whole (RULES.md, 12)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from kibitz.core.errors import BadRecord
from kibitz.core.game import Game, State
from kibitz.core.position import Position
from kibitz.core.record import Record
from kibitz.core.schema import shown
from kibitz.games.skat import state as at
from kibitz.games.skat.cards import BID_WORDS, DECK, DECLARATIONS
from kibitz.games.skat.knowledge import dealt_hand, dealt_skat

CARD_WORDS = tuple(name[1].upper() + name[0] for name in DECK.names)
"""ISS writes the suit first: `CJ`."""
CARD_NUMBERS = {word: card for card, word in enumerate(CARD_WORDS)}
HIDDEN = "??"

PROPERTY = re.compile(r"#|([A-Z][A-Z0-9]?)\[")
CONTRACT = re.compile(r"([CSHDGN])([OHSZ]*)((?:\.[^.]+)*)\Z")
MARK = re.compile(r"\(;|;\)")
UNWRITABLE = re.compile(r"[\[\]\x00-\x1f#\ud800-\udfff]|\(;|;\)")
"""What a name in brackets cannot hold."""
KIND_LETTERS = frozenset("CSHDGN")
PROPERTIES = {"place": "PC", "comment": "CO", "series": "SE", "number": "ID", "date": "DT", "owner": "OW"}
"""Fields of IssGame and the keys under which a record has them."""
MOST_TEXT = 1 << 16
"""No record is longer; what is has lost its end."""


@dataclass(frozen=True)
class IssGame:
    """One record: its properties, who did what in the words of ISS, and the result line.

    Properties that a record lacks are None. Moves are in canonical form: declarations with their discards and without
    letters that others imply; the deal keeps the order of its cards.
    """

    moves: tuple[tuple[str, str], ...]
    result: str
    names: tuple[str, ...] = ("", "", "")
    ratings: tuple[str | None, ...] = ("", "", "")
    place: str | None = None
    comment: str | None = None
    series: str | None = None
    number: str | None = None
    date: str | None = None
    owner: str | None = None
    """Whose view it is; None is the world's."""

    def line(self) -> str:
        """The record as ISS writes it."""
        head = [("GM", "Skat"), *((key, getattr(self, name)) for name, key in PROPERTIES.items())]
        head += [(f"P{k}", name) for k, name in enumerate(self.names)]
        head += [(f"R{k}", rating) for k, rating in enumerate(self.ratings)]
        properties = "".join(f"{key}[{value}]" for key, value in head if value is not None)
        moves = "".join(f"{who} {self._seen(action)} " for who, action in self.moves)
        return f"(;{properties}MV[{moves}]R[{self.result}] ;)"

    def _seen(self, action: str) -> str:
        """An open hand is listed only in a player's view: the world has seen the deal."""
        if self.owner is None and action.count(".") in (10, 12) and action[:2] != "SC":
            return ".".join(action.split(".")[:-10])
        return action


def read_text(text: str) -> IssGame:
    """The record in a text; raises BadRecord if it is none."""
    start, end = text.find("(;"), text.rfind(";)")
    if start < 0 or end < start:
        raise BadRecord("a record stands between (; and ;)")
    if len(text) > MOST_TEXT:
        raise BadRecord(f"it is too long: no record has more than {MOST_TEXT:,} characters")
    found = _properties(text, start + 2, end)
    if found.get("GM", "Skat") != "Skat":
        raise BadRecord(f"a record of {shown(found['GM'])}, not of Skat")
    for key in ("MV", "R"):
        if key not in found:
            raise BadRecord(f"the property {key} is missing")
    words = _uncommented(found["MV"]).split()
    if len(words) % 2:
        raise BadRecord("a move without its seat, or a seat without its move")
    moves = tuple(canonical_moves(list(zip(words[::2], words[1::2], strict=True))))
    return IssGame(
        moves,
        " ".join(found["R"].split()),
        tuple(found.get(f"P{k}", "") for k in range(at.PLAYERS)),
        tuple(found.get(f"R{k}") for k in range(at.PLAYERS)),
        **{name: found.get(key) for name, key in PROPERTIES.items()},
    )


def _properties(text: str, at: int, end: int) -> dict[str, str]:
    """What stands in brackets behind each name; the last one counts, and remarks between them do not."""
    found: dict[str, str] = {}
    while match := PROPERTY.search(text, at, end):
        mark = text.find("]" if match[1] else "\n", match.end(), end)
        if mark < 0:
            break
        if match[1]:
            found[match[1]] = text[match.end() : mark]
        at = mark + 1
    return found


def _uncommented(text: str) -> str:
    return re.sub(r"#[^\n]*", "", text) if "#" in text else text


def canonical_contract(word: str) -> str:
    """`GHO` is `GO`, `CHSZ` is `CHZ`, `NHO` is `NOH`: implied letters are left out, the others put in order."""
    kind, letters = word[0], set(word[1:])
    if kind == "N":
        return kind + "".join(letter for letter in "OHSZ" if letter in letters)
    if "O" in letters:
        return kind + "O"
    if "Z" in letters:
        letters.discard("S")
    return kind + "".join(letter for letter in "HSZ" if letter in letters)


def canonical_moves(moves: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Moves with a split declaration joined and its letters put in order; there is at most one declaration."""
    has_picked_up = False
    for k, (who, action) in enumerate(moves):
        contract = CONTRACT.match(action) if who != "w" and action[0] in KIND_LETTERS else None
        if contract:
            cards, rest = contract[3], k + 1
            is_split = has_picked_up and not cards and rest < len(moves) and moves[rest][0] == who
            if is_split and "." in moves[rest][1][:3]:
                cards = "." + moves[rest][1]
                rest += 1
            yield who, canonical_contract(contract[1] + contract[2]) + cards
            yield from moves[rest:]
            return
        has_picked_up |= action == "s"
        yield who, action


def split_records(lines: Iterable[str]) -> Iterator[str]:
    """The texts between (; and ;) of a file that may hold anything else besides, each with its marks."""
    parts: list[str] = []
    size = 0
    for line in lines:
        at = 0
        while at < len(line):
            if not parts:
                at = line.find("(;", at)
                if at < 0:
                    break
            begun = at + (0 if parts else 2)
            mark = MARK.search(line, begun)
            if mark is None:
                parts.append(line[at:])
                size += len(line) - at
                break
            # A second beginning: the record before has lost its end.
            stop = mark.start() if mark[0] == "(;" else mark.end()
            yield "".join([*parts, line[at:stop]])
            parts, size, at = [], 0, stop
        if size > MOST_TEXT:
            yield "".join(parts)
            parts, size = [], 0
    if parts:
        yield "".join(parts)


def result_text(s: State, left: int = -1, out_of_time: int = -1, resigned: int = 0) -> str:
    """What ISS writes between R[ and ] for a deal that is over (12.2, 12.6)."""
    tail = f"l:{left} to:{out_of_time} r:{resigned}"
    culprit = max(left, out_of_time)
    if s[at.DECLARED] == at.NOBODY and culprit >= 0:
        marked = [int(seat == culprit) for seat in range(at.PLAYERS)]
        if s[at.DECLARER] != at.NOBODY and culprit != s[at.DECLARER]:
            marked = [int(seat != s[at.DECLARER]) for seat in range(at.PLAYERS)]
        marks = " ".join(f"p{seat}:{mark}" for seat, mark in enumerate(marked))
        return f"d:{s[at.DECLARER]} penalty v:0 m:0 bidok p:0 t:0 s:0 z:0 {marks} {tail}"
    if s[at.WHO] == at.NOBODY:
        return "passed"
    return (
        f"d:{s[at.DECLARER]} {'win' if s[at.SUCCESS] else 'loss'} v:{s[at.SCORE]} m:{s[at.MATADORS]} "
        f"{'overbid' if s[at.OVERBID] else 'bidok'} p:{s[at.TOTAL]} t:{s[at.TOTAL_TRICKS]} "
        f"s:{s[at.IS_SCHNEIDER]} z:{s[at.IS_SCHWARZ]} p0:0 p1:0 p2:0 {tail}"
    )


def cards_text(cards: int) -> str:
    """Cards in the words of ISS, joined by dots, lowest number first."""
    return ".".join(CARD_WORDS[card] for card in range(len(CARD_WORDS)) if cards >> card & 1)


def moves_of(position: Position, ids: Sequence[int]) -> Iterator[tuple[str, str]]:
    """The moves of a game as ISS writes them; `position` is the deal and is played to its end."""
    s = position.state
    if s[at.FAMILY] != at.AUCTION:
        raise BadRecord("a game without an auction cannot be written as an ISS record: use contract=auction")
    piles = (*(dealt_hand(s, seat) for seat in range(at.PLAYERS)), dealt_skat(s))
    yield "w", ".".join(cards_text(int(cards)) for cards in piles)
    for action in ids:
        seat = str(position.turn)
        position.push(action)
        if s[at.IS_RAMSCH]:
            raise BadRecord("a Ramsch cannot be written as an ISS record: use passed=void")
        if action == at.PICKUP:
            yield seat, "s"
            yield "w", cards_text(int(s[at.TAKEN]))
        elif action >= at.DECLARE:
            word = DECLARATIONS[action - at.DECLARE]
            yield seat, word + (f".{cards_text(int(s[at.ASIDE]))}" if s[at.TAKEN] else "")
        elif action >= at.HOLD and action != at.HAND_GAME:
            yield seat, "y" if action == at.HOLD else "p" if action == at.PASS else BID_WORDS[action - at.BID]
        elif action < at.HOLD and s[at.PHASE] in (at.PLAYING, at.ENDED):
            yield seat, CARD_WORDS[action]


def write_line(game: Game, deal_text: str, ids: Sequence[int], seats: Sequence[str], **properties: Any) -> str:
    """A game as one ISS line; `properties` are fields of IssGame. A game broken off has the result `unknown`."""
    position = Position(game, deal=deal_text)
    moves = tuple(moves_of(position, ids))
    result = result_text(position.state) if position.is_over else "unknown"
    names = tuple(UNWRITABLE.sub("", name) for name in seats)
    return replace(IssGame(moves, result, names), **{"place": "kibitz", "comment": "", **properties}).line()


def record_line(game: Game, record: Record) -> str:
    """A record of ours as one ISS line."""
    return write_line(game, record.deal, record.ids, record.seats, number=str(record.number))
