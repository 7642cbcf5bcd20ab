"""Cheat beyond the paper: games with n cards begun from those with n - 1, and the whole deck."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from kibitz.arena.simulate import simulate
from kibitz.arena.statistics import WinRate
from kibitz.bots import make_bot
from kibitz.core.game import Game, make
from kibitz.papers import claims
from kibitz.papers.cheat_figures import is_above, over_seeds
from kibitz.papers.cheat_training import OPPONENTS, TRAINING_TURNS, player, trained, trainer, win_rate
from kibitz.papers.experiment import Bookmark, Cell, Result, Scale, Table, experiment
from kibitz.tabular.mccfr import Sampler
from kibitz.tabular.regret_store import ROWS

FEWEST = 4
"""Cards of the first game that grows."""
CARDS = 6
PATIENCE = 1_000
"""Turns after which a game with the whole deck is a draw when players are measured."""


@experiment("cheat.growing")
def growing(scale: Scale) -> Result:
    """Train with four cards, go on with five, then six; beside it six from the start, at equal nodes."""
    steps, games = scale.pick(quick=500, full=8_000), scale.pick(quick=200, full=1_000)
    seeds = range(scale.seed, scale.seed + scale.pick(quick=2, full=3))
    rows: list[list[Cell]] = []
    gaps: dict[str, list[float]] = {name: [] for name in (*OPPONENTS, "each other")}
    for seed in scale.track(seeds, "seeds"):

        def compute(mark: Bookmark, seed: int = seed) -> dict[str, Any]:
            return _grown(steps, games, seed)

        found = scale.long_piece(f"grown seed {seed}", [steps, games, seed, FEWEST], compute)
        for name, (grown, cold) in found["wins"].items():
            one, other = WinRate(*grown), WinRate(*cold)
            rows.append([seed, name, one, other])
            gaps[name].append(100 * (one.rate - other.rate))
        rows.append([seed, "each other", WinRate(*found["duel"]), None])
        gaps["each other"].append(200 * (WinRate(*found["duel"]).rate - 0.5))
        rows.append([seed, "nodes", f"{found['nodes'][0]:,}", f"{found['nodes'][1]:,}"])
    notes = (
        f"Trajectory sampling, keys hands (no pile), actions tf: {steps:,} iterations with each number of cards from "
        f"{FEWEST} to {CARDS}, regrets and averages carried over; from nothing: {CARDS} cards until as many nodes were "
        "visited.",
        "An information set of the smaller game is that of the larger one with two cards fewer in the pile.",
    )
    made = []
    for name, each in gaps.items():
        gap = over_seeds(each, 100 / np.sqrt(2 * games))
        back = replace(gap, mean=-gap.mean)
        verdict = "it helps" if is_above(gap) else "it hurts" if is_above(back) else "not told from nothing"
        made.append(
            claims.form(f"grown {name}", f"Points won more against {name} when begun from fewer cards", "further work",
                gap, verdict, is_alike=False)
        )  # fmt: skip
    columns = ["seed", "against", "begun from fewer cards", "from nothing"]
    return Result("Cheat with n cards begun from n - 1", [Table("Games won", columns, rows)], notes=notes, claims=made)


def _grown(steps: int, games: int, seed: int) -> dict[str, Any]:
    """Wins of the table that grew and of one of the same nodes from nothing, and of the first against the second."""
    grown: Sampler | None = None
    nodes = 0
    for cards in range(FEWEST, CARDS + 1):
        one = trainer("hands", True, seed, game=make("cheat-paper", cards_each=cards, max_turns=TRAINING_TURNS))
        if grown is not None:
            one.restore(grown.state())
        before = one.touched
        one.run(steps)
        nodes += one.touched - before
        grown = one
    assert grown is not None
    cold = trainer("hands", True, seed)
    while cold.touched < nodes:
        cold.run(max(1, steps // 20))
    game = make("cheat-paper")
    bots = player(grown), player(cold)
    wins = {}
    for name in OPPONENTS:
        found = [win_rate(bot, make_bot(game, name), games, seed) for bot in bots]
        wins[name] = [[rate.wins, rate.games] for rate in found]
    duel = win_rate(*bots, games, seed)
    return {"wins": wins, "duel": [duel.wins, duel.games], "nodes": [nodes, cold.touched]}


@experiment("cheat.whole")
def whole(scale: Scale) -> Result:
    """Train with 13 ranks, six and ten cards each and the whole deck dealt out, and measure against the rules."""
    games = scale.pick(quick=20, full=200)
    sizes = scale.pick(quick={6: 100}, full={6: 10_000, 10: 4_000, 0: 500})
    rows: list[list[Cell]] = []
    made = []
    for cards, iterations in scale.track(list(sizes.items()), "sizes"):

        def compute(mark: Bookmark, cards: int = cards, iterations: int = iterations) -> dict[str, Any]:
            return _whole(scale, cards, iterations, games, mark)

        found = scale.long_piece(f"whole {cards} cards", [cards, iterations, games, PATIENCE], compute)
        word = f"{cards} each" if cards else "all 52"
        for name, (wins, draws, turns) in found["met"].items():
            rate = WinRate(wins, games)
            rows.append(
                [word, iterations, round(found["spent"], 1), found["infosets"], name, rate, draws, round(turns)]
            )
        naive = WinRate(found["met"][OPPONENTS[0]][0], games)
        made.append(
            claims.form(f"whole {word}", f"Games won against Naive with 13 ranks, {word}", "further work", naive,
                "the paper has none", is_alike=False)
        )  # fmt: skip
    notes = (
        "13 ranks of four cards; trajectory sampling, keys features, actions tf, one seed. Draws are games that were "
        f"not over after {PATIENCE:,} turns and count as not won.",
    )
    columns = ["cards", "iterations", "CPU seconds", "information sets", "against", "won", "draws", "mean turns"]
    table = Table("Games won by the trained player, seats alternated", columns, rows)
    return Result("Cheat with the whole deck", [table], notes=notes, claims=made)


def _game(cards: int, turns: int) -> Game:
    return make("cheat-paper", ranks=13, cards_each=cards, max_turns=turns)


def _whole(scale: Scale, cards: int, iterations: int, games: int, mark: Bookmark) -> dict[str, Any]:
    """Wins, draws and mean turns against each of the rule-based players."""
    dealt = cards or 26
    sampler = trainer("features", True, scale.seed, game=_game(cards, 5 * dealt))
    kept = mark.take_up(sampler.restore) or {"spent": 0.0}
    spent = trained(sampler, iterations, mark, (), kept["spent"], scale.progress)
    game = _game(cards, PATIENCE)
    bot = player(sampler, game=game)
    met = {}
    for name in OPPONENTS:
        rule = make_bot(game, name)
        runs = [simulate(game, bots, games // 2, scale.seed + k) for k, bots in enumerate(([bot, rule], [rule, bot]))]
        wins = sum(round(run.win_rate[k] * run.games) for k, run in enumerate(runs))
        lost = sum(round(run.win_rate[1 - k] * run.games) for k, run in enumerate(runs))
        turns = float(np.mean([run.mean_length for run in runs])) / 2
        met[name] = [wins, games - wins - lost, turns]
    return {"met": met, "spent": spent, "infosets": int(sampler.store.counts[ROWS])}
