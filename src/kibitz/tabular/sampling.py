"""The sampling schemes of Monte Carlo CFR: templates that `mccfr` binds to a game and an abstraction.

All take: iterations done before, how many to do, the seed, a blank state, the store, whether iteration t counts t
times, the spread of the returns if actions may be skipped (0 otherwise), how likely a bad action is skipped (0: counted
in visits), and after how many own decisions a walk stops branching. They
give the number of iterations done, which is smaller when the store wants more room. A walk is a loop over an explicit
stack: one frame per decision that branches.

Those that branch, external and chance, also take where they stopped
and after how many nodes to stop again (see `paused`).
"""

from __future__ import annotations

import numpy as np

from kibitz.core import rng
from kibitz.core.game import CHANCE, OVER
from kibitz.core.jit import UNBOUND
from kibitz.core.shapes import Ints
from kibitz.tabular.paused import ASTRAY, FRAMES, NOWHERE, STEPS, TRAVERSER, Walk
from kibitz.tabular.regret_store import (
    COUNTS_TOUCHED,
    EMPTY,
    ENTRIES,
    MOST_NEW,
    ROWS,
    Store,
    draw,
    listed,
    match,
    may_skip,
    row_for,
    surely_negative,
)

EXPLORE = 0.6
"""How often outcome sampling's traverser tries an action at random."""

# Bound by specialise.
game = abstraction = retrace = UNBOUND


def external(
    before: int, count: int, root: Ints, blank: Ints, store: Store, is_linear: bool, spread: float, odds: float,
    limit: int, walk: Walk, nodes: int,
) -> int:  # fmt: skip
    """One action of the others, all of the traverser's."""
    slots, keys, whos, start, choices, regret, total, skip, counts = store
    where, luck, path, mark, at, sigma, value, is_looked_at = walk
    actions, depth = abstraction.ACTIONS, game.LONGEST + 1
    s = np.empty(game.SIZE, np.int64)
    frames = np.empty((depth, game.SIZE), np.int64)
    rows, width, mover = np.empty(depth, np.int64), np.empty(depth, np.int64), np.empty(depth, np.int64)
    choice = np.empty(depth * actions, np.int32)
    mask, p = np.empty(actions, np.bool_), np.empty(max(1, game.CHANCES))
    r, pay = np.empty(rng.SLOTS, np.int64), np.empty(game.PLAYERS)
    left = nodes
    for i in range(count):
        t = before + i + 1
        weight = float(t) if is_linear else 1.0
        for traverser in range(max(0, where[TRAVERSER]), game.PLAYERS):
            rng.enter(r, root, t, traverser, rng.TRAVERSAL, 0)
            s[:] = blank
            game.deal(s, r)
            d, steps = -1, 0
            is_down = True
            worth = 0.0
            if where[TRAVERSER] != NOWHERE:
                if not retrace(s, store, walk, frames, rows, width, choice, mover):
                    return ASTRAY
                d, steps = where[FRAMES] - 1, where[STEPS]
                r[:] = luck
                where[TRAVERSER] = NOWHERE
            while True:
                if is_down:
                    if left == 0 or counts[ROWS] + 1 >= len(keys) or counts[ENTRIES] + actions > len(choices):
                        where[TRAVERSER], where[STEPS], where[FRAMES] = traverser, steps, d + 1
                        luck[:] = r
                        return i
                    left -= 1
                    seat = game.turn(s)
                    counts[COUNTS_TOUCHED] += 1
                    if seat == OVER:
                        game.returns(s, pay)
                        worth = pay[traverser]
                        is_down = False
                        continue
                    if seat == CHANCE:
                        path[steps] = rng.sample(r, p, game.chances(s, p))
                        game.step(s, path[steps])
                        steps += 1
                        continue
                    d += 1
                    abstraction.legal(s, mask)
                    n = listed(mask, choice, d * actions)
                    key, who = abstraction.key(s, seat), -1 if abstraction.IS_SHARED else seat
                    row = row_for(slots, keys, whos, start, choices, counts, key, who, choice, d * actions, n)
                    has_best = match(start, regret, row, n, sigma, d * actions)
                    if seat != traverser or d >= limit:
                        if seat == (traverser + 1) % game.PLAYERS and row != EMPTY:
                            for k in range(n):
                                total[start[row] + k] += weight * sigma[d * actions + k]
                        path[steps] = abstraction.concrete(s, choice[d * actions + draw(r, sigma, d * actions, n)])
                        game.step(s, path[steps])
                        steps += 1
                        d -= 1
                        continue
                    rows[d], width[d], at[d] = row, n, 0
                    for k in range(n):
                        is_looked_at[d * actions + k] = True
                        if spread > 0.0 and has_best and row != EMPTY and sigma[d * actions + k] == 0.0:
                            is_looked_at[d * actions + k] = not may_skip(
                                r, skip, regret, start[row] + k, spread * weight, odds
                            )
                    while not is_looked_at[d * actions + at[d]]:
                        at[d] += 1
                    frames[d] = s
                    mark[d] = steps
                    path[steps] = abstraction.concrete(s, choice[d * actions + at[d]])
                    game.step(s, path[steps])
                    steps += 1
                    continue
                if d < 0:
                    break
                value[d * actions + at[d]] = worth
                at[d] += 1
                while at[d] < width[d] and not is_looked_at[d * actions + at[d]]:
                    at[d] += 1
                if at[d] < width[d]:
                    s[:] = frames[d]
                    steps = mark[d]
                    path[steps] = abstraction.concrete(s, choice[d * actions + at[d]])
                    game.step(s, path[steps])
                    steps += 1
                    is_down = True
                    continue
                worth = 0.0
                for k in range(width[d]):
                    if sigma[d * actions + k] > 0.0:
                        worth += sigma[d * actions + k] * value[d * actions + k]
                if rows[d] != EMPTY:
                    first = start[rows[d]]
                    for k in range(width[d]):
                        if is_looked_at[d * actions + k]:
                            regret[first + k] += weight * (value[d * actions + k] - worth)
                            if spread > 0.0 and regret[first + k] < 0.0:
                                skip[first + k] = surely_negative(regret[first + k], spread * weight, is_linear)
                d -= 1
    return count


def outcome(
    before: int, count: int, root: Ints, blank: Ints, store: Store, is_linear: bool, spread: float, odds: float,
    limit: int
) -> int:  # fmt: skip
    """One action of everybody; the traverser explores, and what is rare counts for more."""
    slots, keys, whos, start, choices, regret, total, _, counts = store
    actions, depth = abstraction.ACTIONS, game.LONGEST + 1
    s = np.empty(game.SIZE, np.int64)
    rows, picked, width = np.empty(depth, np.int64), np.empty(depth, np.int64), np.empty(depth, np.int64)
    chosen = np.empty(depth)
    choice, sigma = np.empty(actions, np.int32), np.empty(actions)
    mask, p = np.empty(actions, np.bool_), np.empty(max(1, game.CHANCES))
    r, pay = np.empty(rng.SLOTS, np.int64), np.empty(game.PLAYERS)
    for i in range(count):
        t = before + i + 1
        weight = float(t) if is_linear else 1.0
        new = counts[ROWS]
        if new + counts[MOST_NEW] * 2 + len(keys) // 8 > len(keys):
            return i
        for traverser in range(game.PLAYERS):
            rng.enter(r, root, t, traverser, rng.TRAVERSAL, 0)
            s[:] = blank
            game.deal(s, r)
            d = 0
            sampled = 1.0  # the traverser's own sampling probability so far
            third = 1.0  # the reach of seats that are neither traverser nor the one averaged
            while True:
                seat = game.turn(s)
                counts[COUNTS_TOUCHED] += 1
                if seat == OVER:
                    break
                if seat == CHANCE:
                    game.step(s, rng.sample(r, p, game.chances(s, p)))
                    continue
                abstraction.legal(s, mask)
                n = listed(mask, choice, 0)
                key, who = abstraction.key(s, seat), -1 if abstraction.IS_SHARED else seat
                row = row_for(slots, keys, whos, start, choices, counts, key, who, choice, 0, n)
                match(start, regret, row, n, sigma, 0)
                if seat == traverser:
                    k = rng.below(r, n) if rng.uniform(r) < EXPLORE else draw(r, sigma, 0, n)
                    sampled *= EXPLORE / n + (1.0 - EXPLORE) * sigma[k]
                    rows[d], picked[d], width[d], chosen[d] = row, k, n, sigma[k]
                    d += 1
                else:
                    k = draw(r, sigma, 0, n)
                    if seat == (traverser + 1) % game.PLAYERS:
                        if row != EMPTY:
                            for j in range(n):
                                total[start[row] + j] += weight * sigma[j] / (sampled * third)
                    else:
                        third *= sigma[k]
                game.step(s, abstraction.concrete(s, choice[k]))
            game.returns(s, pay)
            # What is left of the traverser's own reach from the end back to each of his decisions.
            tail = weight * pay[traverser] / sampled
            while d > 0:
                d -= 1
                if rows[d] != EMPTY:
                    first = start[rows[d]]
                    for k in range(width[d]):
                        gain = 1.0 - chosen[d] if k == picked[d] else -chosen[d]
                        regret[first + k] += tail * gain
                tail *= chosen[d]
        counts[MOST_NEW] = max(counts[MOST_NEW], counts[ROWS] - new)
    return count


def chance(
    before: int, count: int, root: Ints, blank: Ints, store: Store, is_linear: bool, spread: float, odds: float,
    limit: int, walk: Walk, nodes: int,
) -> int:  # fmt: skip
    """All actions of everybody, after one draw of chance."""
    slots, keys, whos, start, choices, regret, total, _, counts = store
    where, luck, path, mark, at, sigma, value, _ = walk
    actions, depth = abstraction.ACTIONS, game.LONGEST + 1
    s = np.empty(game.SIZE, np.int64)
    frames = np.empty((depth, game.SIZE), np.int64)
    rows, width, mover = np.empty(depth, np.int64), np.empty(depth, np.int64), np.empty(depth, np.int64)
    choice = np.empty(depth * actions, np.int32)
    own, others = np.ones(depth + 1), np.ones(depth + 1)
    mask, p = np.empty(actions, np.bool_), np.empty(max(1, game.CHANCES))
    r, pay = np.empty(rng.SLOTS, np.int64), np.empty(game.PLAYERS)
    left = nodes
    for i in range(count):
        t = before + i + 1
        weight = float(t) if is_linear else 1.0
        for traverser in range(max(0, where[TRAVERSER]), game.PLAYERS):
            rng.enter(r, root, t, traverser, rng.TRAVERSAL, 0)
            s[:] = blank
            game.deal(s, r)
            d, steps = -1, 0
            is_down = True
            worth = 0.0
            if where[TRAVERSER] != NOWHERE:
                if not retrace(s, store, walk, frames, rows, width, choice, mover):
                    return ASTRAY
                d, steps = where[FRAMES] - 1, where[STEPS]
                for f in range(d + 1):
                    is_own, chosen = mover[f] == traverser, sigma[f * actions + at[f]]
                    own[f + 1] = own[f] * (chosen if is_own else 1.0)
                    others[f + 1] = others[f] * (1.0 if is_own else chosen)
                r[:] = luck
                where[TRAVERSER] = NOWHERE
            while True:
                if is_down:
                    if left == 0 or counts[ROWS] + 1 >= len(keys) or counts[ENTRIES] + actions > len(choices):
                        where[TRAVERSER], where[STEPS], where[FRAMES] = traverser, steps, d + 1
                        luck[:] = r
                        return i
                    left -= 1
                    seat = game.turn(s)
                    counts[COUNTS_TOUCHED] += 1
                    if seat == OVER:
                        game.returns(s, pay)
                        worth = pay[traverser]
                        is_down = False
                        continue
                    if seat == CHANCE:
                        path[steps] = rng.sample(r, p, game.chances(s, p))
                        game.step(s, path[steps])
                        steps += 1
                        continue
                    d += 1
                    abstraction.legal(s, mask)
                    n = listed(mask, choice, d * actions)
                    key, who = abstraction.key(s, seat), -1 if abstraction.IS_SHARED else seat
                    row = row_for(slots, keys, whos, start, choices, counts, key, who, choice, d * actions, n)
                    match(start, regret, row, n, sigma, d * actions)
                    rows[d], width[d], at[d], mover[d] = row, n, 0, seat
                    frames[d] = s
                    mark[d] = steps
                else:
                    if d < 0:
                        break
                    value[d * actions + at[d]] = worth
                    at[d] += 1
                    is_down = True
                if at[d] < width[d]:
                    k = at[d]
                    is_own = mover[d] == traverser
                    own[d + 1] = own[d] * (sigma[d * actions + k] if is_own else 1.0)
                    others[d + 1] = others[d] * (1.0 if is_own else sigma[d * actions + k])
                    s[:] = frames[d]
                    steps = mark[d]
                    path[steps] = abstraction.concrete(s, choice[d * actions + k])
                    game.step(s, path[steps])
                    steps += 1
                    continue
                worth = 0.0
                for k in range(width[d]):
                    worth += sigma[d * actions + k] * value[d * actions + k]
                if mover[d] == traverser and rows[d] != EMPTY:
                    first = start[rows[d]]
                    for k in range(width[d]):
                        regret[first + k] += weight * others[d] * (value[d * actions + k] - worth)
                        total[first + k] += weight * own[d] * sigma[d * actions + k]
                is_down = False
                d -= 1
    return count
