"""Regret matching along whole self-play games: a heuristic for long games with wide, cyclic,
forgetful information sets.

One game a traverser: he explores with probability EXPLORE, the others play their current strategies. At every decision
of his all actions are tried, each by one play-out with the current strategies, and the regrets updated. Unlike in
external sampling a set's regrets are weighted by the traverser's own exploring reach, and no guarantee is known.
Regrets of iteration t count t times, strategies (taken at the others' decisions) t squared.

Against others who do not learn (a frozen table, or a rule-based player) it is a search for a best response.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kibitz.core import rng
from kibitz.core.game import CHANCE, OVER
from kibitz.core.jit import UNBOUND
from kibitz.core.shapes import Bools, Floats, Ints
from kibitz.tabular.regret_store import (
    COUNTS_TOUCHED,
    EMPTY,
    MOST_NEW,
    ROWS,
    Store,
    draw,
    find,
    listed,
    match,
    may_skip,
    row_for,
    surely_negative,
)

EXPLORE = 0.1

# Bound by specialise.
game = abstraction = others = opponent = UNBOUND


def trajectory(
    before: int, count: int, root: Ints, blank: Ints, store: Store, is_linear: bool,
    spread: float, odds: float, limit: int, frozen: Store, knobs: Floats, is_alone: bool,
) -> int:  # fmt: skip
    """Some iterations; the template that `mccfr` binds to a game.

    With `is_alone` only the traverser learns: the others play as `others` says, by the policy in frozen's regrets or by
    a rule with these knobs, and the average is kept at the traverser's decisions.
    """
    slots, keys, whos, start, choices, regret, total, skip, counts = store
    actions = abstraction.ACTIONS
    s, after = np.empty(game.SIZE, np.int64), np.empty(game.SIZE, np.int64)
    choice, later = np.empty(actions, np.int32), np.empty(actions, np.int32)
    sigma, value, there = np.empty(actions), np.empty(actions), np.empty(actions)
    is_tried = np.empty(actions, np.bool_)
    mask, p = np.empty(actions, np.bool_), np.empty(max(1, game.CHANCES))
    view, legal = np.zeros(game.SIZE, np.int64), np.empty(game.ACTIONS, np.bool_)
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
            while True:
                seat = game.turn(s)
                counts[COUNTS_TOUCHED] += 1
                if seat == OVER:
                    break
                if seat == CHANCE:
                    game.step(s, rng.sample(r, p, game.chances(s, p)))
                    continue
                if is_alone and seat != traverser:
                    game.step(s, others(s, seat, r, frozen, mask, choice, sigma, view, legal, knobs))
                    continue
                abstraction.legal(s, mask)
                n = listed(mask, choice, 0)
                who = -1 if abstraction.IS_SHARED else seat
                key = abstraction.key(s, seat)
                row = row_for(slots, keys, whos, start, choices, counts, key, who, choice, 0, n)
                has_best = match(start, regret, row, n, sigma, 0)
                if seat != traverser:
                    if row != EMPTY:
                        for k in range(n):
                            total[start[row] + k] += weight * weight * sigma[k]
                    game.step(s, abstraction.concrete(s, choice[draw(r, sigma, 0, n)]))
                    continue
                if row == EMPTY:
                    game.step(s, abstraction.concrete(s, choice[rng.below(r, n)]))
                    continue
                first = start[row]
                worth = 0.0
                if is_alone:
                    for k in range(n):
                        total[first + k] += weight * weight * sigma[k]
                for k in range(n):
                    is_tried[k] = True
                    can_wait = spread > 0.0 and has_best and sigma[k] == 0.0
                    if can_wait and may_skip(r, skip, regret, first + k, spread * weight, odds):
                        is_tried[k] = False
                        continue
                    after[:] = s
                    game.step(after, abstraction.concrete(after, choice[k]))
                    while True:
                        other = game.turn(after)
                        counts[COUNTS_TOUCHED] += 1
                        if other == OVER:
                            break
                        if other == CHANCE:
                            game.step(after, rng.sample(r, p, game.chances(after, p)))
                            continue
                        if is_alone and other != traverser:
                            game.step(after, others(after, other, r, frozen, mask, later, there, view, legal, knobs))
                            continue
                        abstraction.legal(after, mask)
                        m = listed(mask, later, 0)
                        who = -1 if abstraction.IS_SHARED else other
                        key = abstraction.key(after, other)
                        match(start, regret, find(slots, keys, whos, key, who), m, there, 0)
                        game.step(after, abstraction.concrete(after, later[draw(r, there, 0, m)]))
                    game.returns(after, pay)
                    value[k] = pay[traverser]
                    worth += sigma[k] * value[k]
                for k in range(n):
                    if is_tried[k]:
                        regret[first + k] += weight * (value[k] - worth)
                        if spread > 0.0 and regret[first + k] < 0.0:
                            skip[first + k] = surely_negative(regret[first + k], spread * weight, is_linear)
                k = rng.below(r, n) if rng.uniform(r) < EXPLORE else draw(r, sigma, 0, n)
                game.step(s, abstraction.concrete(s, choice[k]))
        counts[MOST_NEW] = max(counts[MOST_NEW], counts[ROWS] - new)
    return count


def table_move(
    s: Ints, seat: int, r: Ints, frozen: Store, mask: Bools, choice: NDArray[np.int32], sigma: Floats, view: Ints,
    legal: Bools, knobs: Floats,
) -> int:  # fmt: skip
    """What the policy in a store's regrets does; a template."""
    abstraction.legal(s, mask)
    n = listed(mask, choice, 0)
    who = -1 if abstraction.IS_SHARED else seat
    row = find(frozen.slots, frozen.key, frozen.who, abstraction.key(s, seat), who)
    match(frozen.start, frozen.regret, row, n, sigma, 0)
    return int(abstraction.concrete(s, choice[draw(r, sigma, 0, n)]))


def rule_move(
    s: Ints, seat: int, r: Ints, frozen: Store, mask: Bools, choice: NDArray[np.int32], sigma: Floats, view: Ints,
    legal: Bools, knobs: Floats,
) -> int:  # fmt: skip
    """What a rule-based player does, who is shown what his seat may know; a template."""
    game.legal(s, legal)
    game.peek(s, seat, view)
    return int(opponent(view, legal, r, knobs))
