"""Multi-Agent Counterfactual Regret Minimization for Partial-Information Collaborative Games (Hartley, Zheng, Yue)."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from threading import Lock

import numpy as np

from kibitz.arena.statistics import Score
from kibitz.core.game import make
from kibitz.core.shapes import Floats
from kibitz.papers import charts, claims
from kibitz.papers.experiment import Cell, Claim, Figure, Published, Result, Scale, Table, experiment
from kibitz.tabular.forgetful_oracle import Signals, SignalSolver, fold

ONE_PAIR = (
    "the paper has one run of each model, and where a run ends depends on its start; ours is the mean over random "
    "starts"
)
NOISY = "not found with exact expectations over what the oracle says, nor with sampled messages from the uniform start"
SEATS = ("N", "E", "S", "W")
RANDOM = "a random player"
BATCHES = 1000

# Table 1: expected rewards of N, E, S, W, then inter-team and intra-team transfer.
TABLE1 = {
    "CFR": (-0.071, -0.200, 0.063, 0.208, 0.008, 0.270),
    "CFR-tied-r": (-0.02, -0.161, 0.125, 0.056, 0.105, 0.181),
    "CFR+oracle": (-0.111, 0.008, 0.026, 0.077, 0.086, 0.102),
    "CFR+oracle-p": (-0.05, -0.04, 0.21, 0.00, 0.10, 0.15),
}
# Table 2: the column model's gain over the row model.
TABLE2 = {
    ("CFR", "CFR-tied-r"): 0.788,
    ("CFR", "CFR+oracle"): 0.335,
    ("CFR", "CFR+oracle-p"): -1.1,
    ("CFR-tied-r", "CFR+oracle"): 0.498,
    ("CFR-tied-r", "CFR+oracle-p"): -1.8,
}


@dataclass(frozen=True)
class Model:
    """One of the paper's algorithms: what the seats are told and whether they share their winnings."""

    oracle: str = "none"
    is_tied: bool = False
    blur: str = "erase"
    sampled: bool = False


MODELS = {
    "CFR": Model(),
    "CFR-tied-r": Model(is_tied=True),
    "CFR+oracle": Model("perfect"),
    "CFR+oracle-p": Model("noisy"),
    "CFR+oracle, tied": Model("perfect", is_tied=True),
    "CFR+oracle-p, tied": Model("noisy", is_tied=True),
    "CFR+oracle-p, noise": Model("noisy", blur="noise"),
    "CFR+oracle-p, noise, tied": Model("noisy", is_tied=True, blur="noise"),
    "CFR+oracle-p, sampled": Model("noisy", sampled=True),
}


_folding = Lock()


def folded(reading: str = "all", topup: int = 1, oracle: str = "none", blur: str = "erase") -> Signals:
    """The game of one reading with one oracle, equal deals once."""
    with _folding:  # starts are trained side by side
        return _folded(reading, topup, oracle, blur)


@cache
def _folded(reading: str, topup: int, oracle: str, blur: str) -> Signals:
    return fold(make("collaborative-kuhn", reading=reading, topup=topup, oracle=oracle, blur=blur))


@dataclass(frozen=True)
class Trained:
    """A trained model: how it plays at every node, and what the four seats then get."""

    behaviour: Floats
    rewards: Floats


def train(model: Model, iterations: int, seed: int | None = None, reading: str = "all", topup: int = 1) -> Trained:
    """Vanilla CFR with simultaneous updates over all deals; `seed` is that of a random start, None starts uniform."""
    game = folded(reading, topup, model.oracle, model.blur)
    solver = SignalSolver(game, model.is_tied)
    if seed is not None:
        solver.start_at_random(seed)
    solver.run(iterations, sampled=(seed or 0) if model.sampled else None)
    behaviour = game.behaviour(solver.average())
    return Trained(behaviour, game.value(behaviour))


def trained(
    scale: Scale, model: Model, iterations: int, seed: int | None = None, reading: str = "all", topup: int = 1
) -> Trained:
    """`train` as a piece: one start of one model."""
    start = "uniform" if seed is None else f"random {seed}"
    who = [make("collaborative-kuhn", reading=reading, topup=topup), model, iterations]

    def compute() -> dict[str, Floats]:
        found = train(model, iterations, seed, reading, topup)
        return {"behaviour": found.behaviour, "rewards": found.rewards}

    kept = scale.piece(f"{_word(model)} {start}", who, compute, of="ckp.starts")
    return Trained(np.array(kept["behaviour"]), np.array(kept["rewards"]))


def _word(model: Model) -> str:
    words = [model.oracle, model.blur, *(["tied"] if model.is_tied else []), *(["sampled"] if model.sampled else [])]
    return " ".join(words)


def advantage(row: Trained, column: Trained, reading: str = "all", topup: int = 1) -> float:
    """The column model's team reward as N-S less the row model's as N-S, each against the other."""
    game = folded(reading, topup)
    column_first = game.by_seat([column.behaviour, row.behaviour] * 2)
    row_first = game.by_seat([row.behaviour, column.behaviour] * 2)
    return float(game.value(column_first)[[0, 2]].sum() - game.value(row_first)[[0, 2]].sum())


def inter(rewards: Floats) -> float:
    """Chips that go from one team to the other: |N + S|."""
    return float(abs(rewards[0] + rewards[2]))


def intra(rewards: Floats) -> float:
    """Chips that go from a player to his partner: the mean of |N - S| and |E - W|."""
    return float((abs(rewards[0] - rewards[2]) + abs(rewards[1] - rewards[3])) / 2)


def random_player() -> Trained:
    """Whoever takes every legal action alike: the row to see other losses by."""
    game = folded()
    behaviour = game.behaviour(np.repeat(1.0 / np.diff(game.offset), np.diff(game.offset)))
    return Trained(behaviour, game.value(behaviour))


def starts(scale: Scale, model: Model, seeds: range, iterations: int) -> list[Trained]:
    """The model from many random starts."""
    with ThreadPoolExecutor(scale.threads) as pool:
        return list(pool.map(lambda seed: trained(scale, model, iterations, seed), seeds))


@experiment("ckp.table2")
def table2(scale: Scale) -> Result:
    """Column against row, from the uniform start and over pairs of random starts."""
    count = scale.pick(quick=20, full=40)
    iterations = scale.pick(quick=150, full=BATCHES)
    seeds = range(scale.seed * 1000, scale.seed * 1000 + count)
    uniform = {name: trained(scale, model, BATCHES) for name, model in MODELS.items()}
    many = {
        name: starts(scale, MODELS[name], seeds, iterations)
        for name in scale.track([m for m in MODELS if not MODELS[m].sampled], "random starts")
    }
    uniform[RANDOM], many[RANDOM] = random_player(), [random_player()]
    gains = {
        (row, column): np.array([[advantage(a, b) for b in many[column]] for a in many[row]])
        for row in ("CFR", "CFR-tied-r")
        for column in many
        if column != row
    }
    rows: list[list[Cell]] = []
    for row in ("CFR", "CFR-tied-r"):
        for column in (*MODELS, RANDOM):
            if column == row or (row, column) == ("CFR-tied-r", "CFR"):
                continue
            known = TABLE2.get((row, column))
            line: list[Cell] = [row, column, Published(known) if known is not None else None]
            line.append(round(advantage(uniform[row], uniform[column]), 3))
            if (pairs := gains.get((row, column))) is not None:
                line += [
                    f"{pairs.mean():+.3f}",
                    f"{pairs.std():.3f}",
                    f"{pairs.min():+.2f} to {pairs.max():+.2f}",
                    f"{(pairs > 0).mean():.0%}",
                ]
            else:
                line += [None] * 4
            rows.append(line)
    own = np.array([[advantage(a, b) for b in many["CFR"]] for a in many["CFR"]])
    notes = (
        "A published gain is that of a single pair of runs; the error beside it is the spread of such pairs here.",
        f"CFR against CFR over the same pairs of starts: sd {own.std():.3f}, so a single pair says little.",
        "The paper's losses of -1.1 and -1.8 with the noisy oracle are not found with exact expectations over what the "
        "oracle says.",
        "An oracle player keeps its oracle when it meets a model without one.",
        f"{RANDOM}: every legal action alike, all that the paper's losses of -1.1 and -1.8 leave below them.",
    )
    made: list[Claim] = []
    for (row, column), value in TABLE2.items():
        pairs = gains[row, column]
        spread = round(float(pairs.std()), 3)
        key = f"{column} over {row}"
        reason = f"{NOISY}; single pairs of starts go from {pairs.min():+.2f}" if column == "CFR+oracle-p" else ONE_PAIR
        made.append(
            claims.difference(
                key, f"Gain of {key}", Published(value, spread), gain(pairs), reason=reason, is_alike=False
            )
        )
    found = [claim.ours for claim in made if isinstance(claim.ours, Score)]
    drawn = charts.pairs(
        [claim.key for claim in made], list(TABLE2.values()), [one.mean for one in found], [one.se for one in found],
        "chips a hand"
    )  # fmt: skip
    columns = ["row", "column", "paper", "uniform start", f"mean of {count}x{count}", "sd", "range", "> 0"]
    return Result(
        "Pairwise advantage in Collaborative Kuhn poker", [Table("Gain of the column model", columns, rows)],
        [Figure("Pairwise advantage, mean over pairs of random starts", chart=drawn)], notes, made,
    )  # fmt: skip


def standard_error(values: Floats) -> float:
    """Of the mean of some values."""
    return float(values.std(ddof=1) / np.sqrt(len(values)))


def pair_error(pairs: Floats) -> float:
    """The standard error of a mean over all pairs of some rows' and some columns' starts: both were drawn."""
    rows, columns = pairs.mean(axis=1), pairs.mean(axis=0)
    return float(np.sqrt(rows.var(ddof=1) / len(rows) + columns.var(ddof=1) / len(columns)))


def gain(pairs: Floats) -> Score:
    """The mean of the advantages of all pairs of starts."""
    return Score(float(pairs.mean()), pair_error(pairs), len(pairs), "pair")
