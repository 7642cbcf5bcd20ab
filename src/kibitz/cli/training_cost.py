"""What a training run would take: a few rounds of a learner that is thrown away, playing and learning timed apart."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from kibitz.arena.cost import Cost, peak_memory
from kibitz.core.errors import BadInput
from kibitz.core.game import Game
from kibitz.core.policy import Bot
from kibitz.learn.run import TINY_ROUNDS, Plan, make_learner, tiny_plan
from kibitz.learn.seats import SNAPSHOT
from kibitz.learn.selfplay import PIECE

SAMPLE = 5.0
"""Seconds of rounds behind an estimate, at least two rounds."""


def training_cost(plan: Plan, make_bot: Callable[[Game, str], Bot]) -> Cost:
    """The rounds of a plan as pieces of self-play, and the learning between them as what one process does."""
    if plan.frames is None:
        raise BadInput("--dry-run needs --frames: a run that is bounded by --time takes that time")
    names = dict.fromkeys([*plan.seating.rivals, *plan.baselines, "random"])
    bots = {name: make_bot(plan.game, name) for name in names if name != SNAPSHOT}
    _, spare = make_learner(tiny_plan(plan), bots)
    for number in range(TINY_ROUNDS):
        spare.round(number / TINY_ROUNDS)
    _, learner = make_learner(plan, bots)
    clock = _Clock(learner)
    rounds, begun = 0, time.perf_counter()
    while rounds < 2 or time.perf_counter() - begun < SAMPLE:
        learner.round(0.0)
        rounds += 1
    spent = time.perf_counter() - begun
    wanted = max(1, round(plan.frames / max(1, learner.frames / rounds)))
    games = getattr(getattr(learner, "selfplay", None), "games", 0)
    parts = max(1, -(-games // PIECE))
    if not clock.playing:
        return Cost(
            [], wanted * spent / rounds, 0, peak_memory(), f"pieces: {plan.method} plays and learns in one process"
        )
    a_piece = clock.playing / rounds / parts
    return Cost(
        [a_piece] * parts, (spent - clock.playing) / rounds, peak_memory(), peak_memory(),
        f"pieces of {min(games, PIECE)} games in a round", wanted,
    )  # fmt: skip


class _Clock:
    """Counts the seconds of a learner's self-play."""

    def __init__(self, learner: Any) -> None:
        self.playing = 0.0
        tables = getattr(learner, "selfplay", None)
        if tables is not None:
            self._play = tables.play
            tables.play = self._timed

    def _timed(self, *given: Any) -> Any:
        begun = time.perf_counter()
        played = self._play(*given)
        self.playing += time.perf_counter() - begun
        return played
