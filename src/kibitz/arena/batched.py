"""Bots that decide for many games at once, or one by one: what `play` uses when not every bot is compiled."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache

import numpy as np

from kibitz.arena.chunk import Chunk, Failure, empty
from kibitz.arena.fused import Smalls, role_kernel, soloist_of
from kibitz.arena.referee import ask, demand
from kibitz.core.batch import Batch
from kibitz.core.game import Game
from kibitz.core.jit import UNBOUND, specialise
from kibitz.core.policy import Bot
from kibitz.core.record import write_record
from kibitz.core.shapes import Ints

MOST_LOGGED = 1 << 24
"""Moves that may be remembered at a time."""

# Bound by specialise in the templates below.
game = _role = _soloist = UNBOUND


def play_batched(
    game: Game, bots: Sequence[Bot], first: int, count: int, seed: int, batch: int, keep_log: bool, by_soloist: bool
) -> Chunk:
    """Play games `first` .. `first` + `count` - 1; the first bot that fails ends everything with an error."""
    tables = Batch(game, min(batch, count), seed, first, count, keep_log=keep_log)
    return _Hall(tables, bots, empty(game, first, count, keep_log), by_soloist).play(None)


def play_refereed(
    game: Game, bots: Sequence[Bot], first: int, count: int, seed: int, batch: int, keep_log: bool, by_soloist: bool,
    move_time: float | None,
) -> Chunk:  # fmt: skip
    """The same games, but one in which a bot fails is broken off and noted, and the others go on."""
    side_by_side = max(1, min(batch, count, MOST_LOGGED // game.LONGEST))
    tables = Batch(game, side_by_side, seed, first, count, keep_log=True)  # a failure is reported with its moves
    return _Hall(tables, bots, empty(game, first, count, keep_log), by_soloist).play(_Referee(move_time))


class _Referee:
    """Notes every failure."""

    def __init__(self, move_time: float | None) -> None:
        self.move_time = move_time
        self.failures: list[Failure] = []


class _Hall:
    """Tables side by side, the bots that go round them, and the score sheet."""

    def __init__(self, tables: Batch, bots: Sequence[Bot], chunk: Chunk, by_soloist: bool) -> None:
        self.tables, self.bots, self.chunk, self.game = tables, bots, chunk, tables.game
        self.start = time.perf_counter()
        self.distinct = list({id(bot): bot for bot in bots}.values())
        self.who = np.array([next(k for k, other in enumerate(self.distinct) if other is bot) for bot in bots])
        self.by_soloist = by_soloist
        self.soloist = np.zeros(self.tables.n, np.int64)
        self._seat_from_soloist(np.arange(self.tables.n))

    def play(self, referee: _Referee | None) -> Chunk:
        """Play until no game is left to deal."""
        tables = self.tables
        while (tables.turn >= 0).any():
            actions = np.zeros(tables.n, np.int64)
            rows = np.flatnonzero(tables.turn >= 0)
            while len(rows):
                rows = self._decide(rows, actions, referee)
            tables.step(actions)
            if tables.ended.any():
                self._write_down(np.flatnonzero(tables.ended))
        failures = tuple(sorted(referee.failures, key=lambda failure: failure.number)) if referee else ()
        return replace(self.chunk, seconds=time.perf_counter() - self.start, failures=failures)

    def _decide(self, rows: Ints, actions: Ints, referee: _Referee | None) -> Ints:
        """Fill in the actions of some rows; gives the rows where a game was broken off and another one dealt."""
        tables = self.tables
        mover = self.who[self._places(rows)]
        broken: list[int] = []
        for k, bot in enumerate(self.distinct):
            asked = rows[mover == k]
            if not len(asked):
                continue
            if referee is None:
                actions[asked] = demand(bot, tables.views(asked))
                continue
            chosen, reasons = ask(bot, lambda asked=asked: tables.views(asked), referee.move_time)  # type: ignore[misc]
            actions[asked] = np.maximum(chosen, 0)
            for i, reason in reasons.items():
                referee.failures.append(self._failure(int(asked[i]), bot, reason))
                broken.append(int(asked[i]))
        if not broken:
            return rows[:0]
        again = np.array(sorted(broken))
        tables.abandon(again)
        self._seat_from_soloist(again)
        still: Ints = again[tables.turn[again] >= 0]
        return still

    def _places(self, rows: Ints) -> Ints:
        places: Ints = (self.tables.turn[rows] - self.soloist[rows]) % self.game.PLAYERS
        return places

    def _seat_from_soloist(self, rows: Ints) -> None:
        if self.by_soloist:
            _soloist_rows(self.game)(self.tables.state, rows, self.soloist)

    def _failure(self, row: int, bot: Bot, reason: str) -> Failure:
        """Mark the game in a row as broken off."""
        tables = self.tables
        number, moves = int(tables.number[row]), int(tables.moves[row])
        self.chunk.returns[number - self.chunk.first] = np.nan
        self.chunk.soloist[number - self.chunk.first] = self.soloist[row]
        seats = [
            self.bots[(seat - int(self.soloist[row])) % self.game.PLAYERS].name for seat in range(self.game.PLAYERS)
        ]
        record = write_record(self.game, self.tables.seed, number, seats, tables.log[row, :moves].tolist())
        return Failure(bot.name, number, int(tables.turn[row]), moves, reason, record)

    def _write_down(self, ended: Ints) -> None:
        tables, chunk = self.tables, self.chunk
        places = tables.last_number[ended] - self.chunk.first
        chunk.returns[places] = tables.returns[ended]
        chunk.won[places] = tables.won[ended]
        chunk.length[places] = tables.last_length[ended]
        chunk.moves[places] = tables.last_moves[ended]
        if chunk.log.shape[1]:
            chunk.log[places] = tables.last_log[ended]
        chunk.soloist[places] = self.soloist[ended]
        roles = np.zeros((len(ended), self.game.PLAYERS), np.int8)
        _role_rows(self.game)(tables.last_state, ended, roles)
        chunk.roles[places] = roles
        self._seat_from_soloist(ended)
        if self.game.TALLIES:
            for row in ended:
                self.game.tally(tables.last_state[row], chunk.tallies)


@cache
def _role_rows(game: Game) -> Callable[..., None]:
    return specialise(_roles_of_rows, game.tag, game=game.kernels, _role=role_kernel(game))


@cache
def _soloist_rows(game: Game) -> Callable[..., None]:
    return specialise(_soloists_of_rows, game.tag, _soloist=soloist_of(game))


def _roles_of_rows(states: Ints, rows: Ints, roles: Smalls) -> None:
    for i in range(len(rows)):
        for seat in range(game.PLAYERS):
            roles[i, seat] = _role(states[rows[i]], seat)


def _soloists_of_rows(states: Ints, rows: Ints, soloists: Ints) -> None:
    for row in rows:
        soloists[row] = _soloist(states[row])
