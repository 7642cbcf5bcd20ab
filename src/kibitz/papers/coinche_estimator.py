"""Playing Coinche with Deep Counterfactual Regret Minimization:
what its estimator makes of values, on deals that can be counted out."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.arena.statistics import Score
from kibitz.core import rng
from kibitz.core.game import Game, make
from kibitz.papers import claims
from kibitz.papers.experiment import Cell, Claim, Result, Scale, Table, Verdict, experiment

COUNTED = (2, 3, 4)
"""Tricks of the deals whose values are counted out."""
PLAYED = (5, 8)
"""Tricks of those whose values are means of many ends."""
WAYS: dict[str, tuple[tuple[int, ...], str, float]] = {
    "paper, 4 samples everywhere": ((4,), "paper", 0.0),
    "paper, samples 4, 4, 1": ((4, 4, 1), "paper", 0.0),
    "unbiased, samples 4, 4, 1, half of it uniform": ((4, 4, 1), "unbiased", 0.5),
    "unbiased, samples 4, 4, 1, a tenth uniform": ((4, 4, 1), "unbiased", 0.1),
    "probes": ((1,), "probes", 0.0),
}
"""How values are estimated: samples, estimator, share of uniform picking."""
MOST_SAMPLED = 5
"""Tricks up to which four samples everywhere can be followed."""
KEEN = 4.0
"""What the strategy's logits are multiplied by, so that it likes some actions well and others hardly."""
ROUNDING = 0.02
"""By how much a ratio may be off besides its error: the exact values of long deals are means too."""
DEALER = 3
"""Fixed, so that the same seat leads in every deal."""


@experiment("coinche.estimator")
def estimator(scale: Scale) -> Result:
    """A fixed strategy's value to the seat that leads, estimated in five ways."""
    deals, times = scale.pick(quick=(12, 20), full=(48, 200))
    rows: list[list[Cell]] = []
    made: list[Claim] = []
    for tricks in scale.track([*COUNTED, *PLAYED], "tricks"):
        for way in WAYS:
            if tricks > longest(way):
                continue
            found = scale.piece(
                f"{way}, {tricks} tricks", [tricks, WAYS[way], deals, times], _asked(tricks, way, deals, times, scale)
            )
            slope, se, noise = found
            ours, is_right = Score(slope, se, deals, "deal"), abs(slope - 1.0) <= 3 * se + ROUNDING
            told = "right on average" if is_right else f"{100 * slope:.0f} % of it"
            exact = "counted out" if tricks in COUNTED else "many ends"
            rows.append([tricks, exact, way, ours, round(noise, 2), Verdict("agrees" if is_right else "differs", told)])
            if tricks == longest(way):
                made.append(_claim(tricks, way, ours, is_right, told))
    columns = [
        "tricks", "exact value", "estimator", "estimate / exact", "noise of one estimate / spread of values", "verdict",
    ]  # fmt: skip
    notes = [
        f"{deals} deals of each size, contract 80, nobody coinched, {times} estimates each; the strategy is a network "
        "that has learned nothing, a little keener. The ratio is the slope of the mean estimates over the exact "
        "values: 1 is right, less shrinks.",
        "Where one action is drawn and the others count as nothing, a value is multiplied by the probability of what "
        "was drawn, at every such decision once more: 4, 4, 1 shrinks from the third decision on, four samples "
        "everywhere at each decision a little. So the values of calls, which come first, shrink most.",
        "An unbiased estimate is a mean of up to sixteen lines of play; a probe is one line, costs as much less, and "
        "its noise is that of the deal's end itself. The paper's has little noise because it is nearly nothing.",
    ]
    return Result(
        "What the paper's estimator does to values",
        [Table("Estimated values against exact ones", columns, rows)],
        notes=notes,
        claims=made,
    )


def longest(way: str) -> int:
    """Tricks of the longest deals on which an estimator is tried."""
    return MOST_SAMPLED if way.endswith("everywhere") else max(PLAYED)


def _claim(tricks: int, way: str, ours: Score, is_right: bool, told: str) -> Claim:
    """The paper calls its samples unbiased (Appendix A); other ways it did not try."""
    key, says = f"{way} {tricks}", f"Samples are right on average: {way}, {tricks} tricks, estimate by exact value"
    if WAYS[way][1] != "paper":
        return claims.form(key, says, "not tried", ours, told, is_alike=False)
    reason = "actions that were not drawn count as nothing"
    return claims.sentence(key, says, "unbiased", ours, is_right, told, reason=reason, is_alike=False)


def _asked(tricks: int, way: str, deals: int, times: int, scale: Scale) -> Any:
    def compute() -> list[float]:
        return list(slope_of(tricks, way, deals, times, scale.seed))

    return compute


def reduced(tricks: int) -> Game:
    """The last tricks of a deal, as a game of their own, with a contract that is given."""
    options: dict[str, Any] = {"tricks": tricks, "short_pack": 1} if tricks < 8 else {}
    return make("coinche-paper", reward="mirror", auction="none", contract="80s", taker=0, dealer=DEALER, **options)


def slope_of(tricks: int, way: str, deals: int, times: int, seed: int) -> tuple[float, float, float]:
    """How estimates follow exact values: the slope with its error over deals, and the noise of one of them."""
    from kibitz.learn.senses.branches import dealt
    from kibitz.learn.traversal import Sampling, Traversal

    game = reduced(tricks)
    company = _company(game, seed)
    samples, kind, explore = WAYS[way]
    start = dealt(game, seed, np.arange(deals))
    hero = int(start.turn[0])
    exact = _exact(tricks, deals, times, seed)
    if kind == "probes":
        found = _estimated(company, game, seed, start, hero, times, None)
    else:
        found = _estimated(
            company, game, seed, start, hero, times, Traversal(company, Sampling(samples, kind, explore))
        )
    mean = found.mean(axis=1)
    weight = float((exact * exact).sum())
    slope = float((mean * exact).sum()) / weight
    # Over deals: how much the slope would differ with others.
    rest = (mean - slope * exact) * exact
    se = float(np.sqrt((rest * rest).sum())) / weight
    return slope, se, float(found.std(axis=1).mean() / exact.std())


@cache
def _exact(tricks: int, deals: int, times: int, seed: int) -> NDArray[np.float64]:
    """[deals]: the values themselves, the same for all ways to estimate them."""
    from kibitz.learn.senses.branches import dealt

    game = reduced(tricks)
    company, start = _company(game, seed), dealt(game, seed, np.arange(deals))
    hero = int(start.turn[0])
    if tricks in COUNTED:
        return np.concatenate([exact_values(company, start.pick(np.array([k])), hero) for k in range(deals)])
    return _estimated(company, game, seed + 1, start, hero, 4 * times, None).mean(axis=1)


def _company(game: Game, seed: int) -> Any:
    """Four seats that follow one strategy: an untrained network's, a little keener."""
    import torch

    from kibitz.learn.model import softmax
    from kibitz.learn.network import Network
    from kibitz.learn.selfplay import Actor
    from kibitz.learn.senses import sense
    from kibitz.learn.traversal import Company

    seen = sense(game, "default")
    network = Network(seen.size, game.ACTIONS, (32,), seed=rng.derived(seed, "network"))

    def strategy(observed: Any) -> NDArray[np.float64]:
        with torch.inference_mode():
            logits = (
                network.values(torch.from_numpy(observed.observation), torch.from_numpy(observed.allowed))
                .double()
                .numpy()
            )
        return softmax(KEEN * logits)

    return Company(seen, [Actor(lambda observed: np.zeros(0, np.int64), 0)] * game.PLAYERS, [strategy])


def exact_values(company: Any, lines: Any, hero: int) -> NDArray[np.float64]:
    """[n]: what some positions are worth to a seat if everybody follows the strategy,
    counted over all that can happen."""
    values, roots, weights = np.zeros(len(lines)), np.arange(len(lines)), np.ones(len(lines))
    while len(lines):
        over = lines.turn < 0
        np.add.at(values, roots[over], weights[over] * lines.returns[over, hero])
        live = np.flatnonzero(~over)
        if not len(live):
            break
        observed = company.look(lines, live)
        strategy = company.strategy(0, lines, live, observed)
        parents, numbers = np.nonzero(strategy)
        actions = observed.real[parents, numbers].astype(np.int64)
        weights = weights[live[parents]] * strategy[parents, numbers]
        roots, lines = roots[live[parents]], lines.branch(live[parents], actions)
    return values


def _estimated(
    company: Any, game: Game, seed: int, start: Any, hero: int, times: int, table: Any
) -> NDArray[np.float64]:
    """[deals, times]: estimates of the values of some deals, each with fresh luck for whoever plays."""
    from kibitz.learn.ledger import Ledgers
    from kibitz.learn.probes import Probing
    from kibitz.learn.senses.branches import dealt

    luck = rng.generator(seed, "trials")
    found = []
    for k in range(times):
        others = dealt(game, seed, np.arange(len(start)) + (k + 1) * len(start))
        lines = replace(others, state=start.state.copy(), turn=start.turn, mask=start.mask)
        heroes = np.full(len(start), hero)
        if table is None:
            nothing = Ledgers((), 1, company.sense.size, game.ACTIONS)
            harvest = Probing(company, nothing, (0,), 0, 0.0).run(lines, heroes, luck)
        else:
            harvest = table.run(lines, heroes, 0.0, luck)
        found.append(harvest.values)
    return np.array(found).T
