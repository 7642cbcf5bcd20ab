"""How long each inference module of Skat takes for a card."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from kibitz.arena.statistics import Score
from kibitz.core import rng
from kibitz.core.view import View, view_of
from kibitz.games.skat.state import TURN
from kibitz.papers import skat_claims
from kibitz.papers.experiment import Cell, Result, Scale, Table, experiment
from kibitz.papers.skat_table import PAPER, TYPES, Setup, house, learned, player, pool, setup
from kibitz.search.pimc import Pimc
from kibitz.search.skat.inference.history import cards_played, moments

SAMPLES = PAPER | {"CLI500": 500_000}
"""As in the paper, where CLI weighs half a million worlds; beside it ours, which weighs fewer."""


@experiment("skat.time", takes=("inference", "records"))
def time_per_move(scale: Scale) -> Result:
    """Time every module and a whole move of its player at the same views."""
    share = scale.pick(quick=10, full=1)
    samples = {name: worlds // share for name, worlds in SAMPLES.items()}
    how = replace(setup(scale), worlds=scale.pick(quick=6, full=32), samples=samples)
    games = scale.pick(quick=1, full=3)
    rows: list[list[Cell]] = []
    spent: dict[str, float] = {}
    for name in scale.track(list(how.samples), "modules"):
        compute = partial(_timed, name, how, games, scale)
        inference, whole = scale.piece(name, [house(), how, games], compute, learned(how))
        spent[name], moves = float(np.mean(whole)), len(whole)
        rows.append([
            name, how.samples[name], Score(1000 * float(np.mean(inference)), 1000 * _error(inference), moves, "move"),
            Score(1000 * spent[name], 1000 * _error(whole), moves, "move"),
        ])  # fmt: skip
    return Result(
        "Time for a card",
        tables=[
            Table(f"Milliseconds of processor time, {how.worlds} worlds solved",
                ["module", "worlds weighed", "drawing and weighing", "whole move"], rows),
        ],
        claims=[skat_claims.time_of_a_move(spent["PI"] / spent["CLI500"], spent["PI"] / spent["CLI"])],
        notes=[
            "Processor time of one thread; moves are those of whole games, forced ones left out.",
            "Like with like: PI weighs 20,000 worlds and CLI 500,000, as in the paper (CLI500); a tenth of all in a "
            "quick edition. In the tables and in Figure 1 CLI weighs fewer, as the check of sizes there allows.",
        ],
    )  # fmt: skip


def _timed(name: str, how: Setup, games: int, scale: Scale) -> tuple[list[float], list[float]]:
    """Seconds of drawing and weighing, and of a whole move, at every view."""
    views = _views(games, how, scale)
    bot = player(name, how)
    assert isinstance(bot, Pimc)
    bot.think(views[0])  # compiles, and reads the networks
    inference, whole = [], []
    for view in views:
        start = time.process_time()
        bot.imagine(view)
        inference.append(time.process_time() - start)
        start = time.process_time()
        bot.think(view)
        whole.append(time.process_time() - start)
    return inference, whole


def _views(games: int, how: Setup, scale: Scale) -> list[View]:
    """Views with a choice, from games of the pool."""
    game = house()
    found = []
    for kind in TYPES:
        for number, final in pool((kind,), games, scale.seed, how.records):
            for state, _ in moments(game, final):
                view = view_of(game, state, int(state[TURN]), rng.fresh(scale.seed, number, 0, cards_played(state)))
                if len(view.legal()) > 1 and (scale.name == "full" or cards_played(state) % 8 == 4):
                    found.append(view)
    return found


def _error(values: Sequence[float]) -> float:
    return float(np.std(values, ddof=1) / np.sqrt(len(values)))
