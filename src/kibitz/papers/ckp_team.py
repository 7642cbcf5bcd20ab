"""Collaborative Kuhn poker: readings of the rules compared with Table 1, and what a team could reach."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from typing import Any

import numpy as np

from kibitz.core import rng
from kibitz.core.game import make
from kibitz.core.tree import unroll
from kibitz.papers import claims
from kibitz.papers.ckp import BATCHES, MODELS, SEATS, TABLE1, Model, folded, intra, train
from kibitz.papers.experiment import Asked, Cell, Result, Scale, Table, experiment
from kibitz.tabular.best_response import best_response, expected_value, nash_conv
from kibitz.tabular.cfr import Solver
from kibitz.tabular.forgetful_oracle import SignalSolver
from kibitz.tabular.teams import TeamGame, TeamValue, merge_sides, tmecor


@experiment("ckp.readings")
def readings(scale: Scale) -> Result:
    """How near each reading's random starts come to the paper's rows."""
    count = scale.pick(quick=40, full=200)
    iterations = scale.pick(quick=120, full=400)
    seeds = range(scale.seed * 1000, scale.seed * 1000 + count)
    rows: list[list[Cell]] = []
    ways = [
        (reading, topup, name)
        for reading in ("all", "first", "once")
        for topup in (1, 0)
        for name in ("CFR", "CFR-tied-r")
    ]
    asked = []
    for reading, topup, name in ways:
        compute = partial(_read, MODELS[name], seeds, iterations, reading, topup)
        settings = [make("collaborative-kuhn", reading=reading, topup=topup), MODELS[name], seeds, iterations]
        asked.append(Asked(f"{reading} {topup} {name}", settings, compute))
    for (reading, topup, name), found in zip(ways, scale.each(asked, "readings"), strict=True):
        uniform, many, nodes = np.array(found["uniform"]), np.array(found["many"]), found["nodes"]
        target = np.array(TABLE1[name][:4])
        nearest = np.abs(many - target).max(axis=1).min()
        turned = np.abs(many - target[[0, 3, 2, 1]]).max(axis=1).min()
        rows.append([
            reading, "yes" if topup else "no", nodes, name, *(round(float(v), 3) for v in uniform),
            round(float(uniform[0] + uniform[2]), 3), round(intra(uniform), 3), round(float(nearest), 3),
            round(float(turned), 3),
        ])  # fmt: skip
    columns = ["reading", "top-up", "decisions", "model", *SEATS, "N+S", "intra-team", "nearest", "nearest, N W S E"]
    notes = (
        f"Nearest: the smallest largest gap to the paper's row among {count} random starts of {iterations} iterations.",
        "`all` has more information sets and so more solutions than the others: it also has more chances to come near.",
    )
    gaps = {(row[0], row[1], row[3]): float(str(row[-2])) for row in rows}
    nearest = {
        name: min((case for case in gaps if case[2] == name), key=lambda case: gaps[case])
        for name in ("CFR", "CFR-tied-r")
    }
    made = [
        claims.form(
            f"reading {name}", f"The reading of the rules that comes nearest to the row {name}", "left open",
            f"{case[0]}, top-up {case[1]}: {gaps[case]:.3f}", "the paper does not say who must answer a bet",
            is_alike=False,
        )
        for name, case in nearest.items()
    ]  # fmt: skip
    return Result(
        "Readings of Collaborative Kuhn poker",
        [Table("Uniform start, and the nearest random start", columns, rows)],
        notes=notes,
        claims=made,
    )


def _read(model: Model, seeds: range, iterations: int, reading: str, topup: int) -> dict[str, Any]:
    """The rewards of one model under one reading from the uniform and from random starts,
    and the decisions of a deal."""
    game = folded(reading, topup)
    return {
        "uniform": train(model, BATCHES, None, reading, topup).rewards,
        "many": [train(model, iterations, seed, reading, topup).rewards for seed in seeds],
        "nodes": int((game.seat >= 0).sum()) // int((game.parent < 0).sum()),
    }


@experiment("ckp.team")
def team(scale: Scale) -> Result:
    """Values of N-S for every reading: the profile of CFR with tied rewards, TMECor, and shared cards."""
    rows: list[list[Cell]] = []
    for reading in scale.track(["first", "once", "all"], "readings"):
        iterations = scale.pick(quick=500, full=5000)
        game = make("collaborative-kuhn", reading=reading)
        shared, gap = scale.piece(f"{reading}, both share", [game, iterations], partial(_shared, reading, iterations))
        low, high = scale.piece(f"{reading}, one side shares", game, partial(one_sided, reading))
        guaranteed = scale.piece(f"{reading}, guaranteed", game, partial(product_guarantee, reading))
        seconds = scale.pick(quick=20.0, full=60.0 if reading != "all" else 1200.0)
        found = TeamValue(**scale.piece(f"{reading}, plans", [game, seconds], partial(_planned, reading, seconds)))
        text = f"{found.estimate:+.5f}" + (
            "" if found.is_exact else f", proven within {max(found.low, low):+.3f} to {min(found.high, high):+.3f}"
        )
        rows.append(
            [
                reading,
                f"{guaranteed:+.4f}",
                text,
                str(sum(found.plans)),
                f"{low:+.4f} to {high:+.4f}",
                f"{shared:+.5f} (gap {gap:.0e})",
            ]
        )
    columns = [
        "reading",
        "N-S by tied CFR, at worst as far as was found",
        "TMECor",
        "pairs of plans",
        "N-S against sharing E-W, N-S sharing",
        "both share cards",
    ]
    notes = (
        "TMECor: both teams agree beforehand on mixtures of pairs of plans; found by column generation, proven by "
        "integer programs.",
        "Sharing helps both teams: the value in which both share is no bound for N-S. What bounds it is one team "
        "sharing while the other plays its tied CFR profile: the fifth column.",
    )
    return Result(
        "Team values of Collaborative Kuhn poker",
        [Table("Expected chips of N and S together", columns, rows)],
        notes=notes,
        claims=[
            claims.form(f"team {row[0]}", f"What N-S can reach by plans agreed beforehand, reading {row[0]}", None,
                row[2], "not in the paper", is_alike=False)
            for row in rows
        ],
    )  # fmt: skip


def _shared(reading: str, iterations: int) -> tuple[float, float]:
    """N-S's value where both sides share their cards, and how far it may be off."""
    tree = merge_sides(unroll(make("collaborative-kuhn", reading=reading, oracle="perfect")))
    solver = Solver(tree, "pcfr+")
    solver.run(iterations)
    return float(expected_value(tree, solver.average())[0]), float(nash_conv(tree, solver.average()))


def _planned(reading: str, seconds: float) -> dict[str, Any]:
    return asdict(tmecor(folded(reading), seconds))


def product_guarantee(reading: str, iterations: int = BATCHES) -> float:
    """What N-S get with their tied CFR profile when E and W answer it as a climbing pair (no proof of the worst)."""
    game = folded(reading)
    teams = TeamGame(game)
    behaviour = train(Model(is_tied=True), iterations, None, reading).behaviour
    reach = np.ones(len(game.parent))
    ours = game.by_seat([behaviour, reach, behaviour, reach])
    for node in range(len(reach)):
        if game.parent[node] >= 0:
            reach[node] = reach[game.parent[node]] * ours[node]
    worth = -(game.chance * teams.pay * reach)[teams.ends]
    luck = rng.generator(1, "team_plans", 1)
    sizes = np.diff(game.offset)
    starts = []
    for _ in range(10):
        plan = np.zeros(int(game.offset[-1]))
        plan[game.offset[:-1] + luck.integers(sizes)] = 1.0
        starts.append(plan)
    return -max(teams.climb(worth, 1, plan)[0] for plan in starts)


def one_sided(reading: str, iterations: int = BATCHES) -> tuple[float, float]:
    """Bounds of N-S's value: E-W sharing cards against N-S's tied profile, and N-S sharing against E-W's."""
    game = folded(reading)
    solver = SignalSolver(game, is_tied=True)
    solver.run(iterations)
    average = solver.average()
    bounds = []
    for side, who in ((1, "ew"), (0, "ns")):
        tree = unroll(make("collaborative-kuhn", reading=reading, oracle="perfect", oracle_for=who))
        policy = game.on_tree(average, tree)
        value, _ = best_response(merge_sides(tree), policy, side)
        bounds.append(value if side == 0 else -value)
    return bounds[0], bounds[1]
