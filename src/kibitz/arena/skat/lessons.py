"""What is learned from shards of games: whose decisions count, which part of the data they belong to, and the examples
of each lesson as a stream of batches."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np

from kibitz.arena.skat.rows import OUT, Examples, Lesson, joined
from kibitz.arena.skat.shards import Shard, read_shard
from kibitz.core import rng
from kibitz.core.errors import BadInput
from kibitz.core.shapes import Floats, Ints
from kibitz.games.skat.state import CONTRACT
from kibitz.search.skat.inference import ki
from kibitz.search.skat.inference.policies import KINDS

TRAINING, CHOOSING, NEW_DEALS, NEW_PLAYERS = range(4)
"""Which part of the data a decision belongs to: learned from, asked when to stop, and two that are only measured."""
PARTS = ("training", "choosing", "new deals", "new players")
TESTED = 20
"""One deal in so many is kept for choosing, another one for measuring, and one player in half as many."""
MANY_PLAYERS = 30
TOGETHER = 8
"""Shards whose games are mixed with each other."""
ROWS = 1 << 14
"""Examples that are made and shuffled at once, about."""
LOOKED_AT = 4
"""Shards from which the number of examples is guessed."""
MEASURED = 20_000
"""Examples of each other part that are kept in memory."""


@dataclass(frozen=True)
class Filter:
    """Whose decisions are learned from, and in which games."""

    players: frozenset[str] = frozenset()
    """Only these, all if none is named."""
    min_games: int = 0
    """Players with fewer games in the data are left out."""
    min_rating: float = -np.inf
    """Players whose rating in a record is lower, or not given, are left out there."""
    since: int = 0
    """The first day, 20081231; games without a date are left out if this or the last is given."""
    until: int = 99_999_999
    types: tuple[str, ...] = ()
    """Of suit, grand and null; all if none is named."""


@dataclass
class Source:
    """Games in shards, and what is learned from them."""

    files: Sequence[Path]
    wanted: Filter = field(default_factory=Filter)
    held_out: frozenset[str] = frozenset()
    """Players to measure on only; where none are named one in ten, if there are many."""
    games: int = 0
    names: Counter[str] = field(default_factory=Counter)
    """How many games each player has."""
    classes: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        for path in self.files:
            shard = read_shard(path)
            self.games += len(shard)
            counts = np.bincount(shard.seats.ravel(), minlength=len(shard.names)).tolist()
            self.names.update({name: count for name, count in zip(shard.names, counts, strict=True) if count})
            self.classes.update(shard.classes)
            self.refused.update(shard.refused)
        for name in sorted(self.wanted.players | self.held_out):
            if name not in self.names:
                some = ", ".join(name for name, _ in self.names.most_common(10))
                raise BadInput(
                    f"{name}: nobody of that name plays; there are {len(self.names)} players, such as {some}"
                )
        if not self.held_out:
            self.held_out = held_out_players(self.names)

    @cached_property
    def _learned(self) -> frozenset[str]:
        """The players whose decisions count."""
        wanted = self.wanted
        return frozenset(
            name for name, games in self.names.items()
            if games >= wanted.min_games and (not wanted.players or name in wanted.players)
        )  # fmt: skip

    def parts(self, shard: Shard) -> Ints:
        """[n, PLAYERS]: the part that the decisions of each seat belong to, OUT for those that are left out."""
        deal = shard.deals % TESTED
        by_deal = np.where(deal == 0, NEW_DEALS, np.where(deal == 1, CHOOSING, TRAINING))
        out = np.repeat(by_deal[:, None], shard.seats.shape[1], axis=1)
        is_new = np.array([name in self.held_out for name in shard.names], np.bool_)
        is_learned = np.array([name in self._learned for name in shard.names], np.bool_)
        out[is_new[shard.seats]] = NEW_PLAYERS
        wanted = self.wanted
        out[~is_learned[shard.seats]] = OUT
        if wanted.min_rating > -np.inf:
            out[~(shard.ratings >= wanted.min_rating)] = OUT
        if wanted.since or wanted.until < Filter.until:
            out[(shard.dates < max(1, wanted.since)) | (shard.dates > wanted.until)] = OUT
        if wanted.types:
            kinds = np.array([name in wanted.types for name in KINDS], np.bool_)
            out[~kinds[shard.states[:, CONTRACT]]] = OUT
        return out

    def left(self) -> tuple[int, bool, bool]:
        """In how many games somebody's decisions count, and whether any game has a date, anybody a rating."""
        games, dated, rated = 0, False, False
        for path in self.files:
            shard = read_shard(path)
            games += int((self.parts(shard) != OUT).any(axis=1).sum())
            dated |= bool(shard.dates.any())
            rated |= not np.isnan(shard.ratings).all()
        return games, dated, rated

    def _mixed(self, luck: np.random.Generator) -> Iterator[tuple[Ints, Ints]]:
        """All games once, those of some shards mixed: states and parts."""
        order = luck.permutation(len(self.files))
        for k in range(0, len(order), TOGETHER):
            shards = [read_shard(self.files[place]) for place in order[k : k + TOGETHER]]
            states = np.concatenate([shard.states for shard in shards])
            parts = np.concatenate([self.parts(shard) for shard in shards])
            rows = luck.permutation(np.flatnonzero((parts != OUT).any(axis=1)))
            yield states[rows], parts[rows]

    def examples(self, lesson: Lesson, luck: np.random.Generator, part: int) -> Iterator[Examples]:
        """The examples of one part once, in random order, some thousands at a time."""
        for states, parts in self._mixed(luck):
            for found in in_turn(lesson, states, np.where(parts == part, parts, OUT)):
                yield found.pick(luck.permutation(len(found)))

    def about(self, lesson: Lesson, part: int = TRAINING) -> int:
        """How many examples there are, from a few of the shards."""
        found = games = 0
        for path in self.files[:: max(1, len(self.files) // LOOKED_AT)]:
            shard = read_shard(path)
            games += len(shard)
            only = self.parts(shard)
            only[only != part] = OUT
            found += sum(len(one) for one in in_turn(lesson, shard.states, only))
        return -(-found * self.games // max(1, games))

    def measured(self, lesson: Lesson, part: int, seed: int) -> Examples | None:
        """Some examples of one part to measure on."""
        held: list[Examples] = []
        count = 0
        for found in self.examples(lesson, rng.generator(seed, "imitation_order", part), part):
            held.append(found.pick(slice(0, MEASURED - count)))
            count += len(held[-1])
            if count >= MEASURED:
                break
        return joined(held) if held else None

    def tables(self, seed: int) -> dict[str, Floats]:
        """KI's tables, counted from the games that are learned from."""
        counting = ki.Counting()
        first = 0
        for path in self.files:
            shard = read_shard(path)
            counting.add_games(shard.states, self.parts(shard) == TRAINING, seed, first)
            first += len(shard)
        return counting.tables()


def in_turn(lesson: Lesson, states: Ints, parts: Ints) -> Iterator[Examples]:
    """The examples of some games, a number of games at a time."""
    size = max(1, ROWS // lesson.most)
    rows = lesson.fits(states)
    rows = rows[(parts[rows] != OUT).any(axis=1)]
    for k in range(0, len(rows), size):
        found = lesson.examples(states[rows[k : k + size]], parts[rows[k : k + size]])
        if len(found):
            yield found


def held_out_players(names: Sequence[str] | Counter[str]) -> frozenset[str]:
    """One player in ten where there are many, by a number made from the name."""
    distinct = set(names)
    if len(distinct) < MANY_PLAYERS:
        return frozenset()
    return frozenset(name for name in distinct if zlib.crc32(name.encode()) % (TESTED // 2) == 0)
