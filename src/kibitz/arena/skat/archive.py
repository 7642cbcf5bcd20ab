"""Archives of the Internet Skat Server: every record is replayed, compared with its result line and sorted (12.8)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from kibitz.arena.skat import replay
from kibitz.core.errors import BadRecord
from kibitz.core.game import make
from kibitz.core.record import Record
from kibitz.core.schema import shown
from kibitz.core.shapes import Ints
from kibitz.games.skat import state as at
from kibitz.games.skat.cards import ACTION_WORDS, ALL, BID_WORDS, DECK, DECLARATIONS, NULL
from kibitz.games.skat.iss import CARD_NUMBERS, CONTRACT, HIDDEN, IssGame, read_text, result_text, split_records
from kibitz.games.skat.rules import returns

CLASSES = ("PLAYED", "SHORTENED", "PASSED", "PENALTY", "CORRUPT")
BATCH = 2048
PLAIN_WORDS = {
    **CARD_NUMBERS, "p": at.PASS, "y": at.HOLD, "s": at.PICKUP, "RE": replay.RESIGN,
    **{word: at.BID + k for k, word in enumerate(BID_WORDS)},
}  # fmt: skip
MARKS = {"TI": replay.TIME_OUT, "LE": replay.LEAVE}
SEATS = {"0": 0, "1": 1, "2": 2}
OTHER_GAME = "it is of another game"
"""What is counted of a record that is not of Skat."""


@dataclass(frozen=True)
class Entry:
    """One record of an archive: what kind it is, why if it is corrupt, and what was replayed."""

    status: str
    reason: str
    text: str
    game: IssGame | None = None
    """None where the text could not be read at all."""
    deal: tuple[int, ...] = ()
    """Three hands and the skat as masks."""
    state: Ints | None = None
    """Where the replay ended, scored."""

    @property
    def ids(self) -> list[int]:
        """The moves as actions of the engine, as far as they are moves of the game."""
        return [] if self.state is None else [int(a) for a in self.state[at.LOG : at.LOG + self.state[at.MOVES]]]

    def record(self, number: int) -> Record:
        """The game as a record of ours; without returns if it was not played to its end."""
        assert self.game is not None and self.state is not None
        reading = "iss" if self.state[at.ANNOUNCED_LOSS] == at.ISS else "isko"
        options, version = _house(reading)
        ids = self.ids
        earned: list[float] = []
        if self.status in ("PLAYED", "PASSED"):
            out = np.zeros(at.PLAYERS)
            returns(self.state, out)
            earned = out.tolist()
        deal = " | ".join(DECK.text(pile) for pile in self.deal)
        words = [ACTION_WORDS[action] for action in ids]
        return Record("skat", dict(options), version, 0, number, deal, list(self.game.names), words, ids, earned)


@cache
def _house(reading: str) -> tuple[dict[str, Any], int]:
    game = make("skat", jumps="on", announced_loss=reading)
    return dict(game.options), game.version


def read_archive(lines: Iterable[str]) -> Iterator[Entry]:
    """Every record of a file, sorted; nothing in the file can stop it."""
    batch: list[str] = []
    for text in split_records(lines):
        batch.append(text)
        if len(batch) == BATCH:
            yield from sort_records(batch)
            batch = []
    yield from sort_records(batch)


def read_records(lines: Iterable[str]) -> Iterator[Record]:
    """The games of a file that can be replayed, as records of ours."""
    for number, found in enumerate(read_archive(lines)):
        if found.status != "CORRUPT":
            yield found.record(number)


def sort_records(texts: list[str]) -> list[Entry]:
    """Read, replay and sort some records at once: by the isko reading of 7.3, by the other what misfits it (12.7)."""
    entries: list[Entry | None] = [None] * len(texts)
    games: list[_Read] = []
    for place, text in enumerate(texts):
        game = None
        try:
            game = read_text(text)
            games.append(_Read(place, game, *encode(game)))
        except BadRecord as problem:
            entries[place] = Entry("CORRUPT", str(problem), text, game)
    doubtful = []
    for one, entry in _replayed(games, texts, at.ISKO):
        entries[one.place] = entry
        if entry.status == "CORRUPT":
            doubtful.append(one)
    for one, entry in _replayed(doubtful, texts, at.ISS):
        if entry.status != "CORRUPT":
            entries[one.place] = entry
    return [entry for entry in entries if entry is not None]


class _Read(NamedTuple):
    """A record that could be read: where it stands, its deal as masks and its moves as codes."""

    place: int
    game: IssGame
    deal: tuple[int, ...]
    codes: list[int]


def _replayed(games: Sequence[_Read], texts: Sequence[str], reading: int) -> Iterator[tuple[_Read, Entry]]:
    states = np.zeros((len(games), at.SIZE), np.int64)
    verdicts = np.zeros((len(games), replay.VERDICT), np.int64)
    deals = np.array([one.deal for one in games], np.int64).reshape(-1, at.PLAYERS + 1)
    first = np.cumsum([0, *(len(one.codes) for one in games)])
    codes = np.array([code for one in games for code in one.codes], np.int64)
    replay.replay_games(deals, codes, first.astype(np.int64), reading, states, verdicts)
    for k, one in enumerate(games):
        reason = _fault(one.game, states[k], verdicts[k])
        status = "CORRUPT" if reason else CLASSES[verdicts[k, replay.STATUS]]
        yield one, Entry(status, reason, texts[one.place], one.game, one.deal, states[k])


def encode(game: IssGame) -> tuple[tuple[int, ...], list[int]]:
    """A record's deal as masks and its moves as codes for the replay; raises BadRecord at a word that means nothing."""
    if not game.moves or game.moves[0][0] != "w":
        raise BadRecord("the record does not begin with the deal")
    deal = _read_deal(game.moves[0][1])
    codes: list[int] = []
    has_picked_up = is_declared = False
    for k in range(1, len(game.moves)):
        who, word = game.moves[k]
        if who == "w":
            codes += _world(word, deal, game.moves[k - 1][1] == "s")
            continue
        if who not in SEATS:
            raise BadRecord(f"{shown(who)} is no seat: 0, 1 and 2 are, and w for the world")
        shift = SEATS[who] << replay.SEAT_SHIFT
        if not is_declared and CONTRACT.match(word):
            is_declared = True
            codes += [code | shift for code in _declaration(word, deal, SEATS[who], has_picked_up)]
            continue
        if word == HIDDEN and _is_last_but_a_mark(game.moves, k):
            codes.append(replay.UNSEEN | shift)
            continue
        codes.append((PLAIN_WORDS[word] if word in PLAIN_WORDS else _code(word)) | shift)
        if word == "s":
            has_picked_up = True
            if k + 1 == len(game.moves) or game.moves[k + 1][0] != "w":
                raise BadRecord("the skat was picked up and not shown")
    return deal, codes


def _is_last_but_a_mark(moves: Sequence[tuple[str, str]], k: int) -> bool:
    """Whether only one word follows, that somebody is out of time or has left."""
    return k + 2 == len(moves) and moves[k + 1][0] == "w" and moves[k + 1][1].partition(".")[0] in MARKS


def _card(word: str) -> int:
    if word not in CARD_NUMBERS:
        raise BadRecord(
            "it has hidden cards: the view of one player" if word == HIDDEN else f"{shown(word)} is no card"
        )
    return CARD_NUMBERS[word]


def _read_deal(word: str) -> tuple[int, ...]:
    cards = [_card(card) for card in word.replace("|", ".").split(".")]
    if len(cards) != 32:
        raise BadRecord(f"{len(cards)} cards are dealt: 32 are right")
    piles = [0, 0, 0, 0]
    for place, card in enumerate(cards):
        piles[place // 10] |= 1 << card
    if piles[0] | piles[1] | piles[2] | piles[3] != ALL:
        raise BadRecord("a card is dealt twice")
    return tuple(piles)


def _world(word: str, deal: tuple[int, ...], is_skat: bool) -> list[int]:
    """What the world says after the deal: the skat that is picked up, or who is out of time or has left."""
    mark, _, seat = word.partition(".")
    if mark in MARKS and seat in SEATS:
        return [MARKS[mark] | SEATS[seat] << replay.SEAT_SHIFT]
    if is_skat and len(cards := [_card(card) for card in word.split(".")]) == 2:
        if 1 << cards[0] | 1 << cards[1] != deal[at.PLAYERS]:
            raise BadRecord(f"{shown(word)[1:-1]} was picked up but not dealt")
        return []
    raise BadRecord(f"the world cannot say {shown(word)} here")


def _declaration(word: str, deal: tuple[int, ...], seat: int, has_picked_up: bool) -> list[int]:
    """Discards come first in the engine, lower number first; in a hand game there is only the choice of it."""
    contract, *listed = word.split(".")
    if contract not in DECLARATIONS:
        raise BadRecord(f"{shown(contract)[1:-1]} is no game that can be declared")
    declaration = DECLARATIONS.index(contract)
    cards = [_card(card) for card in listed]
    laid = cards[:2] if has_picked_up and len(cards) in (2, 12) else []
    opened = cards[len(laid) :]
    if len(opened) not in (0, 10) or (laid and laid[0] == laid[1]):
        raise BadRecord(f"{shown(word)[1:-1]} does not list two discards, an open hand, or both")
    if opened:
        hand = deal[seat] | (deal[at.PLAYERS] if has_picked_up else 0)
        if sum({1 << card for card in laid} | {1 << card for card in opened}) != hand:
            raise BadRecord(f"{shown(word)[1:-1]} shows another hand than was dealt")
    if not has_picked_up:
        return [at.HAND_GAME, at.DECLARE + declaration]
    if not laid:
        return [replay.PENDING + declaration]
    return [*sorted(laid), at.DECLARE + declaration]


def _code(word: str) -> int:
    """The less usual words."""
    if word == "SC" or word.startswith("SC."):
        for card in word.split(".")[1:]:
            _card(card)
        return replay.SHOW
    if word.isdecimal():
        raise BadRecord(f"{shown(word)[1:-1]} is no bid")
    return _card(word)


def _fault(game: IssGame, s: Ints, verdict: Ints) -> str:
    """What is wrong with a replayed record, nothing if it is right."""
    if verdict[replay.STATUS] == replay.CORRUPT:
        if verdict[replay.PROBLEM] == replay.UNFINISHED:
            return replay.PROBLEMS[replay.UNFINISHED]
        return f"move {verdict[replay.PLACE] + 1} {replay.PROBLEMS[verdict[replay.PROBLEM]]}"
    ours = _fields(
        result_text(s, int(verdict[replay.LEFT]), int(verdict[replay.OUT_OF_TIME]), int(verdict[replay.HAS_RESIGNED]))
    )
    theirs = _fields(game.result)
    if verdict[replay.STATUS] in (replay.PLAYED, replay.SHORTENED) and theirs.get("v") == str(
        verdict[replay.VALUE_ISKO]
    ):
        ours["v"] = theirs["v"]  # 12.7: it may have ended as at.ISS does and be charged as ISkO does
    wanted = [key for key in ours if key not in ("s", "z", "l", "to", "r")]
    if verdict[replay.STATUS] != replay.PENALTY:
        wanted = [key for key in wanted if key not in ("p0", "p1", "p2")]
    if s[at.CONTRACT] == NULL and not s[at.SUCCESS] and "p" in wanted:
        wanted.remove("p")  # at.ISS is unreliable there
    for key in wanted:
        if theirs.get(key) != ours[key]:
            return f"the result says {key}:{shown(theirs.get(key, 'nothing'))[1:-1]}, the replay {ours[key]}"
    return ""


def _fields(result: str) -> dict[str, str]:
    """A result line as a dictionary; win or loss, bidok or overbid under names of their own, contradictions as both."""
    fields: dict[str, str] = {}
    for word in result.split():
        key, colon, value = word.partition(":")
        if not colon:
            key, value = "bid" if word in ("bidok", "overbid") else "outcome", word
        fields[key] = value if fields.get(key, value) == value else f"{fields[key]} and {value}"
    return fields


def kind_of_reason(reason: str) -> str:
    """A reason without the particulars, to count it."""
    words = reason.split()
    if reason.endswith(", not of Skat"):
        return OTHER_GAME
    if words[:1] == ["move"] and len(words) > 2 and words[1].isdecimal():
        return " ".join(words[2:])
    if reason.startswith("the result says"):
        return f"the result says another {words[3].split(':')[0]}"
    return reason if "'" not in reason else reason.rsplit("'", 1)[-1].strip()
