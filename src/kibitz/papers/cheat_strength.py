"""Cheat: a strong player by self-play, and what learning against rule-based players teaches."""

from __future__ import annotations

from functools import cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.arena.cheat.behaviour import Behaviour, measure
from kibitz.arena.statistics import WinRate
from kibitz.bots import make_bot
from kibitz.core.game import make
from kibitz.core.policy import Bot
from kibitz.papers import claims
from kibitz.papers.cheat_training import OPPONENTS, OWN_PLAYERS, PUBLISHED_RATES, player, trained, trainer, win_rate
from kibitz.papers.experiment import Bookmark, Cell, Claim, Result, Scale, Table, experiment
from kibitz.tabular.mccfr import Sampler
from kibitz.tabular.regret_store import ROWS, memory

SELF = "self-play"
TEACHERS = (SELF, *OPPONENTS)
RATES = {
    "lies": ("lies", "discards"),
    "lies though it need not": ("able_lies", "able"),
    "challenges": ("challenges", "asked"),
    "right when challenging": ("right", "challenges"),
}


@experiment("cheat.strength")
def strength(scale: Scale) -> Result:
    """Self-play with the keys `features`, several seeds, then responders against the frozen average."""
    iterations = scale.pick(quick=5_000, full=100_000)
    games = scale.pick(quick=400, full=2_000)
    rows: list[list[Cell]] = []
    total: dict[str, list[int]] = {}

    @cache
    def taught(seed: int, opponent: int | None = None) -> tuple[Sampler, float]:
        """A trained sampler, against the frozen average of another one if its seed is given, and its CPU seconds."""
        sampler = trainer("features", True, seed, None if opponent is None else taught(opponent)[0])

        def compute(mark: Bookmark) -> dict[str, Any]:
            kept = mark.take_up(sampler.restore) or {"spent": 0.0}
            spent = trained(sampler, iterations, mark, (), kept["spent"], scale.progress)
            return {**sampler.state(), "spent": np.array(spent)}

        state = scale.arrays(f"trained from seed {seed}", [iterations, seed, opponent], compute)
        sampler.restore(state)
        return sampler, float(state["spent"])

    def measured(seed: int) -> list[Any]:
        sampler, spent = taught(seed)
        rates = [win_rate(player(sampler), make_bot(make("cheat-paper"), name), games, seed) for name in OPPONENTS]
        wins = [[rate.wins, rate.games] for rate in rates]
        return [spent, int(sampler.store.counts[ROWS]), memory(sampler.store), wins]

    def answered() -> list[list[float]]:
        responder, first = taught(scale.seed + 100, scale.seed)[0], taught(scale.seed)[0]
        rates = [
            win_rate(player(responder, "responder", is_current), player(first), games, scale.seed)
            for is_current in (False, True)
        ]
        return [[rate.wins, rate.games] for rate in rates]

    for seed in scale.track(range(scale.seed, scale.seed + scale.pick(quick=1, full=3)), "seeds"):
        spent, infosets, size, wins = scale.piece(
            f"measured from seed {seed}", [iterations, games, seed], partial(measured, seed)
        )
        for name, won in zip(OPPONENTS, wins, strict=True):
            rate = WinRate(*won)
            total[name] = [a + b for a, b in zip(total.get(name, [0, 0]), won, strict=True)]
            known = PUBLISHED_RATES.get(name)
            rows.append([seed, round(spent, 1), infosets, f"{size / 1e6:.0f} MB", name, known, rate])
    found = [WinRate(*won) for won in scale.piece("responder", [iterations, games], answered)]
    notes = (
        f"A responder trained for {iterations:,} iterations against the frozen average wins {found[0]} with its "
        f"average policy and {found[1]} with its last one: lower bounds on what a best response wins, 50 % being "
        "nothing gained, and less meaning that it was trained too short to tell. Real exploitability may be much "
        "larger.",
    )
    columns = ["seed", "CPU seconds", "information sets", "memory", "opponent", "published", "win rate"]
    made = [
        claims.number(
            name,
            f"Games won against {name}, all seeds",
            known,
            WinRate(*total[name]),
            better="higher",
            caveat=f"ours learned for {iterations:,} iterations, the paper's for 1,000 of another kind; {OWN_PLAYERS}",
            is_alike=False,
        )
        for name, known in PUBLISHED_RATES.items()
    ]
    for name in OPPONENTS[2:]:
        says = f"Games won against {name}, all seeds"
        made.append(claims.form(name, says, None, WinRate(*total[name]), "not in the paper", is_alike=False))
    return Result(
        "A strong Cheat player",
        [Table(f"{iterations:,} iterations of self-play, seats alternated", columns, rows)],
        notes=notes,
        claims=made,
    )


@experiment("cheat.opponents")
def opponents(scale: Scale) -> Result:
    """Train against each rule-based player and by self-play; win rates against all of them, and lies and challenges."""
    iterations, games = scale.pick(quick=2_000, full=30_000), scale.pick(quick=200, full=1_000)
    seeds = range(scale.seed, scale.seed + scale.pick(quick=1, full=2))
    wins: dict[str, list[list[int]]] = {}
    counted: dict[tuple[str, str], NDArray[np.float64]] = {}
    for teacher in scale.track(TEACHERS, "teachers"):
        for seed in seeds:
            settings = [teacher, iterations, games, seed]

            def compute(mark: Bookmark, teacher: str = teacher, seed: int = seed) -> dict[str, Any]:
                return _taught(scale, teacher, iterations, games, seed, mark)

            found = scale.long_piece(f"taught by {teacher} seed {seed}", settings, compute)
            for name, won in found["wins"].items():
                total = wins.setdefault(f"{teacher} {name}", [])
                total.append(won)
            for name, counts in found["counts"].items():
                counted[teacher, name] = counted.get((teacher, name), 0.0) + np.array(counts)
    matrix: list[list[Cell]] = []
    made: list[Claim] = []
    for teacher in TEACHERS:
        line: list[Cell] = [teacher]
        for name in OPPONENTS:
            each = np.array(wins[f"{teacher} {name}"])
            line.append(WinRate(*(int(total) for total in each.sum(axis=0))))
        matrix.append(line)
    for name in OPPONENTS:
        own, others = _rate(wins, name, name), _rate(wins, SELF, name)
        made.append(
            claims.form(f"taught {name}", f"Games won against {name} by whoever learned against it", "further work",
                own, f"{others.short} by self-play of as many iterations", is_alike=False)
        )  # fmt: skip
    notes = (
        f"{iterations:,} iterations of trajectory sampling, keys features, actions tf, {len(seeds)} seeds, "
        f"{games:,} games a pairing and seed, seats alternated.",
        "Whoever learns against one player alone searches for a best response to it: a row says nothing of how the "
        "table would fare against somebody else, its other columns do.",
    )
    columns = ["learned by", *(f"wins against {name}" for name in OPPONENTS)]
    return Result(
        "Learning Cheat against rule-based players",
        [Table("Games won", columns, matrix), _behaviour(counted, games * len(seeds))], notes=notes, claims=made,
    )  # fmt: skip


def _rate(wins: dict[str, list[list[int]]], teacher: str, name: str) -> WinRate:
    return WinRate(*(int(total) for total in np.array(wins[f"{teacher} {name}"]).sum(axis=0)))


def _taught(scale: Scale, teacher: str, iterations: int, games: int, seed: int, mark: Bookmark) -> dict[str, Any]:
    """Wins against every rule-based player, and counts of behaviour against the teacher and against Naive."""
    sampler: Sampler = trainer("features", True, seed, against="" if teacher == SELF else teacher)
    kept = mark.take_up(sampler.restore) or {"spent": 0.0}
    trained(sampler, iterations, mark, (), kept["spent"], scale.progress)
    game, bot = make("cheat-paper"), player(sampler)
    bots: dict[str, Bot] = {SELF: bot} | {name: make_bot(game, name) for name in OPPONENTS}
    wins = {name: win_rate(bot, bots[name], games, seed) for name in OPPONENTS}
    met = dict.fromkeys((teacher, OPPONENTS[0]))
    return {
        "wins": {name: [rate.wins, rate.games] for name, rate in wins.items()},
        "counts": {name: measure(game, [bot, bots[name]], games, seed).counts.sum(axis=(2, 3)) for name in met},
    }


def _behaviour(counted: dict[tuple[str, str], NDArray[np.float64]], games: int) -> Table:
    """Lying rate, challenging rate and how often a challenge is right, of the learner in seat 0."""
    rows: list[list[Cell]] = []
    for (teacher, name), counts in counted.items():
        seen = Behaviour(counts[:, :, None, None], games)
        rates = [float(seen.rate(part, whole, 0)) for part, whole in RATES.values()]
        rows.append([teacher, name, *("–" if np.isnan(rate) else f"{100 * rate:.1f} %" for rate in rates)])
    return Table(f"How the learner behaves, {games:,} games", ["learned by", "playing", *RATES], rows)
