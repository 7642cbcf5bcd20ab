"""Play many games between bots: fused into one compiled loop when every bot is compiled, through Batch otherwise.

Both ways give the same games to the last byte, for every batch size and number of threads.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.bots import CompiledBot
from kibitz.core import rng, uniform
from kibitz.core.batch import Batch, settler
from kibitz.core.errors import BadInput
from kibitz.core.game import CHANCE, OVER, Game
from kibitz.core.jit import specialise
from kibitz.core.policy import Bot

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

CHUNK = 4096
"""Games a worker plays at a time; results are added up chunk by chunk, in order."""
MOST_FUSED = 4
MOST_GAMES = 10**12
MOST_LOGGED = 1 << 24

# Bound by specialise in the templates below.
game: Any = None
bot0: Any = None
bot1: Any = None
bot2: Any = None
bot3: Any = None
_settle: Any = None
_choose: Any = None


@dataclass(frozen=True)
class Chunk:
    """What a run of consecutive games gave; rows are games."""

    first: int
    returns: Floats
    """[n, PLAYERS]"""
    won: NDArray[np.bool_]
    length: Ints
    """Actions, chance not counted."""
    moves: Ints
    """Moves, chance included: how much of `log` is used."""
    log: NDArray[np.int32]
    """[n, LONGEST], or [n, 0] if no log was asked for."""
    tallies: Floats
    """The game's own counters, summed over the chunk."""
    seconds: float


def play(
    game: Game,
    bots: Sequence[Bot],
    games: int,
    seed: int = 0,
    *,
    first: int = 0,
    threads: int = 1,
    batch: int = 1024,
    keep_log: bool = False,
    fused: bool | None = None,
) -> Iterator[Chunk]:
    """Play games `first`, `first` + 1, ... with one bot per seat; chunks come in order."""
    if len(bots) != game.PLAYERS:
        raise BadInput(
            f"{game.name} has {game.PLAYERS} seats, not {len(bots)}: name one bot for all seats or one per seat"
        )
    if not 0 <= games <= MOST_GAMES:
        raise BadInput(f"{games} games cannot be played: a number from 0 to {MOST_GAMES} can")
    can_fuse = all(isinstance(bot, CompiledBot) for bot in bots) and len({bot.name for bot in bots}) <= MOST_FUSED
    chunk = max(1, min(CHUNK, MOST_LOGGED // game.LONGEST)) if keep_log else CHUNK
    starts = range(first, first + games, chunk)

    def work(start: int) -> Chunk:
        count = min(chunk, first + games - start)
        if can_fuse if fused is None else fused:
            return _play_fused(game, bots, start, count, seed, keep_log)
        return _play_batch(game, bots, start, count, seed, batch, keep_log)

    if threads == 1 or len(starts) < 2:
        yield from map(work, starts)
        return
    with ThreadPoolExecutor(threads) as pool:
        waiting = [pool.submit(work, start) for start in starts[: 4 * threads]]
        following = iter(starts[4 * threads :])
        try:
            while waiting:
                yield waiting.pop(0).result()
                waiting.extend(pool.submit(work, start) for start in _take(following, 1))
        finally:
            pool.shutdown(cancel_futures=True)


def _take(numbers: Iterator[int], n: int) -> list[int]:
    return [number for number, _ in zip(numbers, range(n), strict=False)]


def warm(game: Game, bots: Sequence[Bot]) -> None:
    """Compile whatever `play` will need, by playing one game."""
    for _ in play(game, bots, 1):
        pass


def _empty(game: Game, first: int, count: int, keep_log: bool) -> Chunk:
    return Chunk(
        first,
        np.zeros((count, game.PLAYERS)),
        np.zeros((count, game.PLAYERS), np.bool_),
        np.zeros(count, np.int64),
        np.zeros(count, np.int64),
        np.zeros((count, game.LONGEST if keep_log else 0), np.int32),
        np.zeros(game.TALLIES),
        0.0,
    )


def _play_fused(game: Game, bots: Sequence[Any], first: int, count: int, seed: int, keep_log: bool) -> Chunk:
    chunk = _empty(game, first, count, keep_log)
    distinct = list(dict.fromkeys(bot.kernel for bot in bots))
    out = (chunk.returns, chunk.won, chunk.length, chunk.moves, chunk.log, chunk.tallies)
    if distinct == [uniform.choose]:
        loop = _random_loop(game)
        start = time.perf_counter()
        loop(first, count, seed, game.blank(), *out)
    else:
        who = np.array([distinct.index(bot.kernel) for bot in bots])
        knobs = np.zeros((len(bots), max(1, *(len(bot.knobs) for bot in bots))))
        for seat, bot in enumerate(bots):
            knobs[seat, : len(bot.knobs)] = bot.knobs
        loop = _bots_loop(game, tuple(distinct))
        start = time.perf_counter()
        loop(first, count, seed, game.blank(), who, knobs, *out)
    return Chunk(**{**vars(chunk), "seconds": time.perf_counter() - start})


def _play_batch(
    game: Game, bots: Sequence[Bot], first: int, count: int, seed: int, batch: int, keep_log: bool
) -> Chunk:
    chunk = _empty(game, first, count, keep_log)
    start = time.perf_counter()
    tables = Batch(game, min(batch, count), seed, first, count, keep_log=keep_log)
    distinct = list({id(bot): bot for bot in bots}.values())
    who = np.array([next(k for k, other in enumerate(distinct) if other is bot) for bot in bots])
    while (tables.turn >= 0).any():
        actions = np.zeros(tables.n, np.int64)
        for k, bot in enumerate(distinct):
            rows = np.flatnonzero((tables.turn >= 0) & (who[tables.turn] == k))
            if len(rows):
                actions[rows] = bot.act_batch(tables.views(rows))
        tables.step(actions)
        ended = np.flatnonzero(tables.ended)
        places = tables.last_number[ended] - first
        chunk.returns[places] = tables.returns[ended]
        chunk.won[places] = tables.won[ended]
        chunk.length[places] = tables.last_length[ended]
        chunk.moves[places] = tables.last_moves[ended]
        chunk.log[places] = tables.last_log[ended]
        if game.TALLIES:
            for row in ended:
                game.tally(tables.last_state[row], chunk.tallies)
    return Chunk(**{**vars(chunk), "seconds": time.perf_counter() - start})


@cache
def _random_loop(game: Game) -> Callable[..., None]:
    return specialise(_random_games, game.tag, game=game.kernels, _settle=settler(game))


@cache
def _bots_loop(game: Game, kernels: tuple[Any, ...]) -> Callable[..., None]:
    names = [f"{kernel.__module__}.{kernel.__name__}" for kernel in kernels]
    tag = "|".join([game.tag, *names])
    bound = {f"bot{k}": kernels[min(k, len(kernels) - 1)] for k in range(MOST_FUSED)}
    choose = specialise(_choose_bot, tag, **bound)
    return specialise(_bot_games, tag, game=game.kernels, _settle=settler(game), _choose=choose, **bound)


def _choose_bot(which: int, view: Ints, mask: NDArray[np.bool_], r: Ints, knobs: Floats) -> int:
    if which == 0:
        return int(bot0(view, mask, r, knobs))
    if which == 1:
        return int(bot1(view, mask, r, knobs))
    if which == 2:
        return int(bot2(view, mask, r, knobs))
    return int(bot3(view, mask, r, knobs))


def _random_games(
    first: int, count: int, seed: int, blank: Ints, returns: Floats, won: NDArray[np.bool_], length: Ints,
    moves: Ints, log: NDArray[np.int32], tallies: Floats,
) -> None:  # fmt: skip
    s = np.empty(game.SIZE, np.int64)
    r = np.empty(rng.WORDS, np.int64)
    mask = np.empty(game.ACTIONS, np.bool_)
    p = np.empty(max(1, game.CHANCES))
    no_knobs = np.empty(0)
    for g in range(count):
        s[:] = blank
        rng.begin(r, seed, first + g)
        rng.turn(r, rng.DEALER, 0)
        game.deal(s, r)
        m = 0
        n = 0
        while True:
            seat = game.turn(s)
            if seat == CHANCE:
                m += _settle(s, r, m, p, log[g])
                seat = game.turn(s)
            if seat == OVER:
                break
            rng.turn(r, seat, m)
            if game.HAS_MOVES:
                action = game.block(s) + uniform.choose_bit(game.moves(s), r)
            else:
                game.legal(s, mask)
                action = uniform.choose(s, mask, r, no_knobs)
            game.step(s, action)
            if log.shape[1] > 0:
                log[g, m] = action
            m += 1
            n += 1
        game.returns(s, returns[g])
        for seat in range(game.PLAYERS):
            won[g, seat] = game.won(s, seat) if game.HAS_WON else returns[g, seat] > 0
        length[g] = n
        moves[g] = m
        if game.TALLIES > 0:
            game.tally(s, tallies)


def _bot_games(
    first: int, count: int, seed: int, blank: Ints, who: Ints, knobs: Floats, returns: Floats,
    won: NDArray[np.bool_], length: Ints, moves: Ints, log: NDArray[np.int32], tallies: Floats,
) -> None:  # fmt: skip
    s = np.empty(game.SIZE, np.int64)
    view = np.zeros(game.SIZE, np.int64)
    r = np.empty(rng.WORDS, np.int64)
    mask = np.empty(game.ACTIONS, np.bool_)
    p = np.empty(max(1, game.CHANCES))
    for g in range(count):
        s[:] = blank
        rng.begin(r, seed, first + g)
        rng.turn(r, rng.DEALER, 0)
        game.deal(s, r)
        m = 0
        n = 0
        while True:
            seat = game.turn(s)
            if seat == CHANCE:
                m += _settle(s, r, m, p, log[g])
                seat = game.turn(s)
            if seat == OVER:
                break
            rng.turn(r, seat, m)
            game.legal(s, mask)
            game.peek(s, seat, view)
            action = _choose(who[seat], view, mask, r, knobs[seat])
            if not mask[action]:
                raise ValueError("a compiled bot chose an illegal action")
            game.step(s, action)
            if log.shape[1] > 0:
                log[g, m] = action
            m += 1
            n += 1
        game.returns(s, returns[g])
        for seat in range(game.PLAYERS):
            won[g, seat] = game.won(s, seat) if game.HAS_WON else returns[g, seat] > 0
        length[g] = n
        moves[g] = m
        if game.TALLIES > 0:
            game.tally(s, tallies)
