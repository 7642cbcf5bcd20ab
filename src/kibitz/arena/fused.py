"""Game and bots in one compiled loop: what `play` uses when every bot is compiled."""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.arena.chunk import NO_ROLE, Chunk, empty
from kibitz.bots import CompiledBot
from kibitz.core import rng, uniform
from kibitz.core.game import CHANCE, OVER, Game, package_of
from kibitz.core.jit import UNBOUND, specialise
from kibitz.core.policy import Bot
from kibitz.core.shapes import Bools, Floats, Ints
from kibitz.core.turns import turns

MOST_FUSED = 4
Smalls = NDArray[np.int8]

# Bound by specialise in the templates below.
game = bot0 = bot1 = bot2 = bot3 = settle = finish = _choose = _role = _soloist = _finish = UNBOUND


def can_fuse(bots: Sequence[Bot]) -> bool:
    """Whether these bots can be compiled into one loop."""
    kernels = {bot.kernel for bot in bots if isinstance(bot, CompiledBot)}
    return all(isinstance(bot, CompiledBot) for bot in bots) and len(kernels) <= MOST_FUSED


def play_fused(
    game: Game, bots: Sequence[Any], first: int, count: int, seed: int, keep_log: bool, by_soloist: bool
) -> Chunk:
    """Play games `first` .. `first` + `count` - 1."""
    chunk = empty(game, first, count, keep_log)
    distinct = _compiled_together({bot.kernel for bot in bots})
    out = (
        chunk.returns, chunk.won, chunk.length, chunk.moves, chunk.log, chunk.tallies, chunk.roles, chunk.soloist,
    )  # fmt: skip
    if distinct == [uniform.choose]:
        loop = _random_loop(game)
        start = time.perf_counter()
        loop(first, count, rng.root(seed), game.blank(), by_soloist, *out)
    else:
        who = np.array([distinct.index(bot.kernel) for bot in bots])
        knobs = np.zeros((len(bots), max(1, *(len(bot.knobs) for bot in bots))))
        for place, bot in enumerate(bots):
            knobs[place, : len(bot.knobs)] = bot.knobs
        loop = _bots_loop(game, tuple(distinct))
        start = time.perf_counter()
        loop(first, count, rng.root(seed), game.blank(), by_soloist, who, knobs, *out)
    return replace(chunk, seconds=time.perf_counter() - start)


def _compiled_together(kernels: set[Any]) -> list[Any]:
    """The bots of the loop in a fixed order: one compilation for all seatings of a match,
    and for matches with `random`."""
    if len(kernels) < MOST_FUSED:
        kernels = {*kernels, uniform.choose}
    return sorted(kernels, key=_kernel_name)


@cache
def role_kernel(game: Game) -> Any:
    """What a seat turned out to be: the game's own `role`; soloist or defender where it names ROLES; else its side."""
    rules = game.parts["rules"]
    if hasattr(rules, "role"):
        return rules.role
    return specialise(_one_against_all, game.tag, game=game.kernels) if own_roles(game) else rules.side


def own_roles(game: Game) -> tuple[str, ...]:
    """The roles a game names in its package, if it does."""
    return tuple(getattr(importlib.import_module(package_of(game.name)), "ROLES", ()))


def _kernel_name(kernel: Any) -> str:
    return f"{kernel.__module__}.{kernel.__name__}"


@cache
def soloist_of(game: Game) -> Callable[..., Any]:
    """The kernel that finds the soloist of a state."""
    return specialise(_find_soloist, game.tag, game=game.kernels)


@cache
def _random_loop(game: Game) -> Callable[..., None]:
    return specialise(
        _random_games,
        game.tag,
        game=game.kernels,
        **vars(turns(game)),
        _soloist=soloist_of(game),
        _finish=_finisher(game),
    )


@cache
def _bots_loop(game: Game, kernels: tuple[Any, ...]) -> Callable[..., None]:
    tag = "|".join([game.tag, *map(_kernel_name, kernels)])
    bound = {f"bot{k}": kernels[min(k, len(kernels) - 1)] for k in range(MOST_FUSED)}
    choose = specialise(_choose_bot, tag, **bound)
    return specialise(
        _bot_games, tag, game=game.kernels, **vars(turns(game)), _soloist=soloist_of(game), _finish=_finisher(game),
        _choose=choose, **bound,
    )  # fmt: skip


@cache
def _finisher(game: Game) -> Callable[..., None]:
    return specialise(_finish_game, game.tag, game=game.kernels, **vars(turns(game)), _role=role_kernel(game))


def _find_soloist(s: Ints) -> int:
    """The first seat of side 0, or -1 while there is none."""
    for seat in range(game.PLAYERS):
        if game.side(s, seat) == 0:
            return seat
    return -1


def _one_against_all(s: Ints, seat: int) -> int:
    """0 for the only seat of side 0 if all others are of side 1, 1 for these, NO_ROLE where it turned out otherwise."""
    soloists = 0
    others = 0
    for one in range(game.PLAYERS):
        side = game.side(s, one)
        soloists += side == 0
        others += side == 1
    if soloists != 1 or others != game.PLAYERS - 1:
        return NO_ROLE
    return int(game.side(s, seat))


def _choose_bot(which: int, view: Ints, mask: Bools, r: Ints, knobs: Floats) -> int:
    if which == 0:
        return int(bot0(view, mask, r, knobs))
    if which == 1:
        return int(bot1(view, mask, r, knobs))
    if which == 2:
        return int(bot2(view, mask, r, knobs))
    return int(bot3(view, mask, r, knobs))


def _finish_game(s: Ints, returns: Floats, won: Bools, roles: Smalls, tallies: Floats) -> None:
    finish(s, returns, won)
    for seat in range(game.PLAYERS):
        roles[seat] = _role(s, seat)
    if game.TALLIES > 0:
        game.tally(s, tallies)


def _random_games(
    first: int, count: int, root: Ints, blank: Ints, by_soloist: bool, returns: Floats, won: Bools, length: Ints,
    moves: Ints, log: NDArray[np.int32], tallies: Floats, roles: Smalls, soloist: Smalls,
) -> None:  # fmt: skip
    s = np.empty(game.SIZE, np.int64)
    keys = np.empty(rng.keys_for(game.PLAYERS), np.int64)
    r = np.empty(rng.SLOTS, np.int64)
    mask = np.empty(game.ACTIONS, np.bool_)
    p = np.empty(max(1, game.CHANCES))
    for g in range(count):
        s[:] = blank
        rng.begin(keys, root, first + g)
        rng.turn(r, keys, rng.DEALER, rng.PLAY, 0)
        game.deal(s, r)
        m = settle(s, keys, r, 0, p, log[g]) if game.HAS_CHANCES and game.turn(s) == CHANCE else 0
        if by_soloist:
            soloist[g] = _soloist(s)
        n = 0
        while True:
            seat = game.turn(s)
            if seat == OVER:
                break
            rng.turn(r, keys, seat, rng.PLAY, m)
            if game.HAS_MOVES:
                action = game.block(s) + uniform.choose_bit(game.moves(s), r)
            else:
                action = uniform.nth_legal(mask, rng.below(r, game.legal(s, mask)))
            game.step(s, action)  # written out, see core/turns
            if log.shape[1] > 0:
                log[g, m] = action
            m += 1
            if game.HAS_CHANCES and game.turn(s) == CHANCE:
                m += settle(s, keys, r, m, p, log[g])
            n += 1
        _finish(s, returns[g], won[g], roles[g], tallies)
        length[g] = n
        moves[g] = m


def _bot_games(
    first: int, count: int, root: Ints, blank: Ints, by_soloist: bool, who: Ints, knobs: Floats, returns: Floats,
    won: Bools, length: Ints, moves: Ints, log: NDArray[np.int32], tallies: Floats, roles: Smalls, soloist: Smalls,
) -> None:  # fmt: skip
    s = np.empty(game.SIZE, np.int64)
    view = np.zeros(game.SIZE, np.int64)
    keys = np.empty(rng.keys_for(game.PLAYERS), np.int64)
    r = np.empty(rng.SLOTS, np.int64)
    mask = np.empty(game.ACTIONS, np.bool_)
    p = np.empty(max(1, game.CHANCES))
    for g in range(count):
        s[:] = blank
        rng.begin(keys, root, first + g)
        rng.turn(r, keys, rng.DEALER, rng.PLAY, 0)
        game.deal(s, r)
        m = settle(s, keys, r, 0, p, log[g]) if game.HAS_CHANCES and game.turn(s) == CHANCE else 0
        if by_soloist:
            soloist[g] = _soloist(s)
        n = 0
        while True:
            seat = game.turn(s)
            if seat == OVER:
                break
            rng.turn(r, keys, seat, rng.PLAY, m)
            game.legal(s, mask)
            game.peek(s, seat, view)
            place = (seat - soloist[g]) % game.PLAYERS
            action = _choose(who[place], view, mask, r, knobs[place])
            if action < 0 or action >= game.ACTIONS or not mask[action]:
                raise ValueError("a compiled bot chose an illegal action")
            game.step(s, action)  # written out, see core/turns
            if log.shape[1] > 0:
                log[g, m] = action
            m += 1
            if game.HAS_CHANCES and game.turn(s) == CHANCE:
                m += settle(s, keys, r, m, p, log[g])
            n += 1
        _finish(s, returns[g], won[g], roles[g], tallies)
        length[g] = n
        moves[g] = m
