"""How good inference is: how likely the true world is held, compared with chance and with the other worlds.

TSSR, the true state sampling ratio, is how many times likelier than uniformly a module draws the true world. It is
exact where all worlds can be listed; otherwise it is estimated as in the Skat paper from N sampled worlds among which
the true one lies j times.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import exp, lgamma, log, log1p

import numpy as np

from kibitz.core import rng
from kibitz.core.bits import WORD
from kibitz.core.game import State
from kibitz.core.shapes import Bools, Floats
from kibitz.core.view import View
from kibitz.games.skat.cards import CARDS
from kibitz.games.skat.knowledge import has_picked_up
from kibitz.games.skat.state import DECLARER, PLAYED
from kibitz.search import worlds as deals
from kibitz.search.skat.inference.configurations import Configurations, configurations, joined, listed, sampled
from kibitz.search.skat.inference.module import LEAST, Inference
from kibitz.search.skat.inference.pi import PolicyInference, weighed_together

SMALLEST = 1e-7
"""Terms of the paper's sum with a binomial probability below this are dropped."""
LISTED = 200_000
PIECE = 100_000


@dataclass(frozen=True)
class Judgement:
    """What a module thought of the true world at one view."""

    worlds: int
    """How many configurations there are."""
    tssr: float
    log_score: float
    """The logarithm of the true world's probability, as if all worlds were weighed."""
    rank: float
    """The share of worlds held likelier than the true one, ties counted half."""
    is_exact: bool


def judge(module: Inference, view: View, truth: State, *, samples: int | None = None) -> Judgement:
    """Judge a module at one view; `samples` replaces its own number.

    A module that weighs states gives a configuration the mean weight of the ways its skat can have been picked up.
    """
    return judge_together([module], view, truth, [module.samples if samples is None else samples])[0]


def judge_together(modules: Sequence[Inference], view: View, truth: State, samples: Sequence[int]) -> list[Judgement]:
    """Judge several modules at one view. They are given the same worlds, each the first `samples` of them, so what one
    draws and what networks say of it serves the others."""
    count = deals.count(view)
    found: dict[int, Judgement] = {}
    for is_listed in (True, False):
        own = [k for k, wanted in enumerate(samples) if (count <= min(wanted, LISTED)) == is_listed]
        if not own:
            continue
        has_history = any(getattr(modules[k], "has_history", False) for k in own)
        true = configurations(truth)
        ways = every_pickup(view, true) if has_history else true
        worlds = listed(view) if is_listed else sampled(view, max(samples[k] for k in own))
        worlds = with_drawn_pickups(view, worlds) if has_history and is_listed else worlds
        counts = [len(ways) + (len(worlds) if is_listed else samples[k]) for k in own]
        logs = _logs([modules[k] for k in own], view, joined([ways, worlds]), counts)
        for k, one in zip(own, logs, strict=True):
            first = one[: len(ways)] if getattr(modules[k], "has_history", False) else one[:1]
            others = one[len(ways) :]
            if is_listed:
                where = int(np.flatnonzero(_same(worlds, true))[0])
                others[where] = _log_mean(first)
                found[k] = exact(others, where)
            else:
                found[k] = estimated(first, others, count)
    return [found[k] for k in range(len(modules))]


def exact(logs: Floats, true: int) -> Judgement:
    """From the log weights of all worlds."""
    weights = np.exp(logs - logs.max())
    share = float(weights[true] / weights.sum())
    return Judgement(
        len(logs), share * len(logs), log(max(share, 1e-300)), _rank(logs[true], np.delete(logs, true)), True
    )


def estimated(true: Floats, others: Floats, count: int) -> Judgement:
    """From the log weights of the true world (one, or one for each way to it) and of worlds drawn uniformly."""
    top = max(float(true.max()), float(others.max()))
    weights, mean = np.exp(np.maximum(true - top, LEAST)), float(np.exp(others - top).mean())
    weight = float(weights.mean())
    limit = weight / ((weight + (count - 1) * mean) / count)
    ratio = float(np.mean([tssr(float(one), mean, count, len(others)) for one in weights]))
    return Judgement(count, ratio, log(limit / count), _rank(_log_mean(true), others), False)


def tssr(weight: float, mean: float, count: int, samples: int) -> float:
    """Equation (3): the mean over how often the true world is among the samples, times the number of worlds.

    Terms too unlikely to matter are dropped, and the sum is scaled by what they leave, so equal weights give exactly 1.
    """
    chance = 1.0 / count
    total = kept = 0.0
    for j in range(1, samples + 1):
        logarithm = lgamma(samples + 1) - lgamma(j + 1) - lgamma(samples - j + 1) + j * log(chance)
        share = exp(logarithm + (samples - j) * log1p(-chance)) * j
        total += share * samples * weight / (j * weight + (samples - j) * mean)
        kept += share
        if share < SMALLEST * j and j > samples * chance:
            break
    return total / kept


def _log_mean(logs: Floats) -> float:
    return float(logs.max() + log(np.exp(logs - logs.max()).mean()))


def _rank(true: float, others: Floats) -> float:
    if not len(others):
        return 0.0
    return float((others > true).mean() + 0.5 * (others == true).mean())


def _same(worlds: Configurations, true: Configurations) -> Bools:
    return (worlds.hands == true.hands).all(axis=1) & (worlds.skat == true.skat)


def every_pickup(view: View, world: Configurations) -> Configurations:
    """One configuration with each pair of the declarer's twelve cards as what he picked up, where that is hidden."""
    s = view.state
    if not has_picked_up(s) or view.seat == s[DECLARER]:
        return world
    twelve = int(world.hands[0, s[DECLARER]] | s[PLAYED + s[DECLARER]] | world.skat[0])
    cards = [1 << card for card in range(CARDS) if twelve >> card & 1]
    pairs = np.array([one | other for one, other in combinations(cards, 2)], np.int64)
    return Configurations(world.hands.repeat(len(pairs), axis=0), world.skat.repeat(len(pairs)), pairs)


def with_drawn_pickups(view: View, worlds: Configurations) -> Configurations:
    """Two of the declarer's twelve cards for every configuration, as the engine draws them."""
    s = view.state
    if not has_picked_up(s) or view.seat == s[DECLARER]:
        return worlds
    twelve = worlds.hands[:, s[DECLARER]] | s[PLAYED + s[DECLARER]] | worlds.skat
    luck = rng.generator(int(rng.draw(rng.forked(view.rng, rng.WORLDS, 2))) & WORD, "configurations")
    held = (twelve[:, None] >> np.arange(CARDS)[None, :]) & 1
    picked = np.argsort(np.where(held > 0, luck.random(held.shape), 2.0), axis=1)[:, :2]
    return Configurations(worlds.hands, worlds.skat, (1 << picked).sum(axis=1).astype(np.int64))


def _logs(modules: Sequence[Inference], view: View, worlds: Configurations, counts: Sequence[int]) -> list[Floats]:
    """The log weights of the first so many worlds, for each module."""
    policies = {k: one for k, one in enumerate(modules) if isinstance(one, PolicyInference)}
    found: dict[int, list[Floats]] = {k: [] for k in range(len(modules))}
    for start in range(0, len(worlds), PIECE):
        part = worlds.pick(slice(start, start + PIECE))
        left = [min(max(0, count - start), len(part)) for count in counts]
        for k in range(len(modules)):
            if k not in policies and left[k]:
                found[k].append(modules[k].log_weights(view, part.pick(slice(0, left[k]))))
        own = [k for k in policies if left[k]]
        if own:
            weighed = weighed_together([policies[k] for k in own], view, part, [left[k] for k in own])
            for k, logs in zip(own, weighed, strict=True):
                found[k].append(logs)
    return [np.concatenate(found[k]) for k in range(len(modules))]
