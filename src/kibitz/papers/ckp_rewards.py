"""Collaborative Kuhn poker, Table 1: what the seats get, what goes between and within teams, and what a check tells."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kibitz.arena.statistics import Score
from kibitz.core.shapes import Floats
from kibitz.papers import charts, claims
from kibitz.papers.ckp import (
    BATCHES,
    MODELS,
    ONE_PAIR,
    SEATS,
    TABLE1,
    Trained,
    folded,
    inter,
    intra,
    standard_error,
    starts,
    trained,
)
from kibitz.papers.experiment import Cell, Claim, Figure, Published, Result, Scale, Table, experiment

NEAR = 0.01
"""Chips: a start that ends so near to a published row in every seat is taken for the same solution."""
FAR = {
    "CFR-tied-r": "with four players CFR ends where its start leads it; no start tried ended at this row",
    "CFR+oracle": "with four players CFR ends where its start leads it; no start tried ended at this row",
    "CFR+oracle-p": "the published row does not sum to zero, so no play of this game gives it",
}
RANKS = "QKA"
CHECK, BET = 0, 1
"""Children of a node without a bet; with one they are fold, call and raise."""
RAISE = 2
SIGNAL = ("N checks", "S bets after two checks", "S raises after N's check and E's bet")


@experiment("ckp.table1")
def table1(scale: Scale) -> Result:
    """Every model from a uniform start and from many random ones."""
    count = scale.pick(quick=40, full=60)
    seeds = range(scale.seed * 1000, scale.seed * 1000 + count)
    iterations = scale.pick(quick=150, full=BATCHES)
    uniform_rows: list[list[Cell]] = []
    spread_rows: list[list[Cell]] = []
    near_rows: list[list[Cell]] = []
    between: dict[str, Floats] = {}
    within: dict[str, Floats] = {}
    made: list[Claim] = []
    for name in scale.track(list(MODELS), "models"):
        model = MODELS[name]
        known = TABLE1.get(name)
        ours = trained(scale, model, BATCHES).rewards
        if known:
            uniform_rows.append([name, "paper", *(Published(v) for v in known)])
        uniform_rows.append(
            [name, "ours", *(round(float(v), 4) for v in ours), round(inter(ours), 4), round(intra(ours), 4)]
        )
        if model.sampled:
            continue
        many = np.array([one.rewards for one in starts(scale, model, seeds, iterations)])
        inters, intras = np.array([inter(r) for r in many]), np.array([intra(r) for r in many])
        if name in TABLE1:
            between[name], within[name] = inters, intras
        spread_rows.append([
            name, *(f"{many[:, k].mean():+.3f} (sd {many[:, k].std(ddof=1):.3f})" for k in range(4)),
            f"{inters.mean():.3f} ({inters.min():.3f} to {inters.max():.3f})",
            f"{intras.mean():.3f} ({intras.min():.3f} to {intras.max():.3f})",
        ])  # fmt: skip
        if known:
            distance = np.abs(many - np.array(known[:4])).max(axis=1)
            best = int(distance.argmin())
            settled = trained(scale, model, BATCHES, seeds[best]).rewards
            final = float(np.abs(settled - np.array(known[:4])).max())
            near_rows.append([name, seeds[best], *(round(float(v), 3) for v in settled), round(final, 3)])
            says = f"{name}: the rewards of N, E, S, W are among the solutions"
            told = f"largest gap {final:.3f}, {NEAR:g} allowed, best of {count} starts"
            made.append(
                claims.sentence(
                    name,
                    says,
                    _four(known),
                    _four(settled),
                    final <= NEAR,
                    told,
                    reason=FAR.get(name, ""),
                    is_alike=False,
                )
            )
    signals, spoken = _signals(scale, seeds, iterations)
    made += [*spoken, *_transfers(between, within)]
    notes = (
        "Inter-team transfer = |N + S|, intra-team transfer = mean of |N - S| and |E - W|: the definitions that give "
        "the paper's columns from its rows.",
        "Four players: that CFR approaches an equilibrium is proven for two, and where it ends depends on where it "
        "starts, so one row of one run is no target.",
        f"The nearest of {count} random starts shows whether the paper's row is among the solutions; it is a search, "
        "not a prediction.",
    )
    columns = [*SEATS, "inter-team", "intra-team"]
    return Result(
        "Expected rewards in Collaborative Kuhn poker",
        tables=[
            Table(f"Uniform start, {BATCHES} iterations over all 360 deals", ["model", "", *columns], uniform_rows),
            Table(f"{count} random starts, {iterations} iterations: mean, sd, range", ["model", *columns], spread_rows),
            Table("The random start nearest to the paper, at 1,000 iterations",
                ["model", "seed", *SEATS, "largest gap"], near_rows),
            signals,
        ],
        figures=[
            Figure(f"Transfers within a team over {count} random starts",
                chart=charts.histograms(within, "chips a hand", "starts"))
        ],
        notes=notes,
        claims=made,
    )  # fmt: skip


def _four(rewards: Sequence[float] | Floats) -> str:
    return " ".join(f"{float(reward):+.3f}" for reward in rewards[:4])


def _signals(scale: Scale, seeds: range, iterations: int) -> tuple[Table, list[Claim]]:
    """What a check of N tells S under tied rewards, by the card of whoever acts."""
    tied = MODELS["CFR-tied-r"]
    uniform = said(trained(scale, tied, BATCHES))
    many = np.array([said(one) for one in starts(scale, tied, seeds, iterations)])
    rows: list[list[Cell]] = []
    for k, what in enumerate(SIGNAL):
        for rank, letter in enumerate(RANKS):
            over = many[:, k, rank]
            rows.append([what, letter, round(float(uniform[k, rank]), 3), f"{over.mean():.2f} (sd {over.std():.2f})"])
    only_queen = (many[:, 0, 0] > 0.9) & (many[:, 0, 1:].max(axis=1) < 0.1)
    bold = (many[:, 1, 0] > 0.9) & (many[:, 1, 0] > many[:, 1, 1])
    known = "only with a queen"
    told = ", ".join(f"{letter} {uniform[0, rank]:.2f}" for rank, letter in enumerate(RANKS))
    bets = ", ".join(f"{letter} {uniform[1, rank]:.2f}" for rank, letter in enumerate(RANKS))
    shares = f"so in {only_queen.sum()} of {len(seeds)} random starts"
    aggressive = f"more than .9 and more than with a king in {bold.sum()} of {len(seeds)} random starts"
    made = [
        claims.sentence("signal", "With tied rewards N checks only with a queen", known, f"probability {told}",
            bool(uniform[0, 0] > 0.9 and uniform[0, 1:].max() < 0.1), shares),
        claims.sentence("aggression", "S plays very aggressively after it with a queen of his own",
            "very aggressively", f"bets after two checks: {bets}", bool(uniform[1, 0] > 0.9), aggressive),
    ]  # fmt: skip
    columns = ["", "card", "uniform start", f"{len(seeds)} random starts"]
    return Table("What a check tells under tied rewards: probabilities", columns, rows), made


def said(model: Trained) -> Floats:
    """[SIGNAL, RANKS]: how a model checks, bets and raises, by the card of whoever acts."""
    game = folded()
    found = np.zeros((len(SIGNAL), len(RANKS)))
    for root in np.flatnonzero(game.parent < 0):
        checked = game.first_child[root] + CHECK
        after = [game.first_child[checked] + answer for answer in (CHECK, BET)]
        found[0, _rank(root)] = model.behaviour[checked]
        found[1, _rank(after[0])] = model.behaviour[game.first_child[after[0]] + BET]
        found[2, _rank(after[1])] = model.behaviour[game.first_child[after[1]] + RAISE]
    return found


def _rank(node: np.int64) -> int:
    """The card of whoever acts at a node, out of the key of his information set."""
    game = folded()
    return int(game.key[game.member[game.first_message[node]]]) // 4 % len(RANKS)


def _transfers(between: dict[str, Floats], within: dict[str, Floats]) -> list[Claim]:
    """What the paper says of chips that go between teams and within them, over all random starts."""
    selfish, tied = "CFR", "CFR-tied-r"
    count = len(between[selfish])
    made = []
    for key, says, column, moved in (
        ("together", "Chips that go from a player to his partner, with tied rewards less without", 5, within),
        ("apart", "Chips that go from one team to the other, with tied rewards less without", 4, between),
    ):
        error = float(np.hypot(standard_error(moved[tied]), standard_error(moved[selfish])))
        spread = round(float(np.hypot(moved[tied].std(), moved[selfish].std())), 3)
        change = Score(float(moved[tied].mean() - moved[selfish].mean()), error, count, "start")
        known = Published(round(TABLE1[tied][column] - TABLE1[selfish][column], 3), spread)
        made.append(claims.difference(key, says, known, change, reason=ONE_PAIR, is_alike=False))
    more = within[selfish] - between[selfish]
    few = int((between[selfish] < NEAR).sum())
    least = {name: float(values.mean()) for name, values in within.items()}
    most = {name: float(values.mean()) for name, values in between.items()}
    made += [
        claims.number("antagonists", "CFR: chips that go to partners less chips that go to the other team",
            Published(round(TABLE1[selfish][5] - TABLE1[selfish][4], 3), round(float(more.std()), 3)),
            Score(float(more.mean()), standard_error(more), count, "start"), reason=ONE_PAIR, is_alike=False),
        claims.sentence("no gain", f"CFR: less than {NEAR:g} chip goes from one team to the other", "+0.008",
            f"in {few} of {count} starts", 2 * few > count, reason=ONE_PAIR, is_alike=False),
        claims.sentence("least within", "CFR+oracle has the least transfer within teams", "CFR+oracle",
            _ordered(least, 1), min(least, key=lambda name: least[name]) == "CFR+oracle",
            reason="little with either oracle", is_alike=False),
        claims.sentence("most between", "CFR+oracle has the most transfer between teams",
            "CFR+oracle in words, CFR-tied-r in its own table", _ordered(most, -1),
            max(most, key=lambda name: most[name]) == "CFR+oracle", reason=ONE_PAIR, is_alike=False),
    ]  # fmt: skip
    return made


def _ordered(means: dict[str, float], sign: int) -> str:
    return ", ".join(f"{name} {means[name]:.3f}" for name in sorted(means, key=lambda name: sign * means[name]))
