"""Settings proposed one after the other by a sampler of optuna, and when a trial is given up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from kibitz.core.errors import BadOption, MissingExtra

SAMPLERS = ("random", "tpe")
BEFORE_PRUNING = 5
"""Trials that are trained to their end before any is given up."""
AT_RANDOM = 5
"""Draws of the sampler that learns before it has learned anything."""


class Advice:
    """A sampler that is asked for settings and told what they came to; the same answers give the same questions."""

    def __init__(self, space: Mapping[str, tuple[str, ...]], sampler: str, seed: int) -> None:
        try:
            import optuna
        except ImportError as problem:
            raise MissingExtra(problem.name, "hpo") from None
        if sampler not in SAMPLERS:
            raise BadOption(f"there is no sampler {sampler}: there are {', '.join(SAMPLERS)}")
        optuna.logging.set_verbosity(optuna.logging.ERROR)
        own: Any = (
            optuna.samplers.RandomSampler(seed=seed)
            if sampler == "random"
            else optuna.samplers.TPESampler(seed=seed, n_startup_trials=AT_RANDOM)
        )
        self.study = optuna.create_study(direction="maximize", sampler=own)
        self.choices = {key: optuna.distributions.CategoricalDistribution(values) for key, values in space.items()}

    def ask(self) -> dict[str, str]:
        """The next settings."""
        self._asked = self.study.ask(self.choices)  # type: ignore[arg-type]
        return dict(self._asked.params)

    def tell(self, score: float) -> None:
        """What they came to."""
        self.study.tell(self._asked, score)


def floors(curves: Sequence[Sequence[float]], points: int) -> list[float]:
    """[points]: what a trial must reach at each measurement not to be given up, the median of those before it."""
    if len(curves) < BEFORE_PRUNING:
        return [-np.inf] * points
    reached = [[curve[k] for curve in curves if len(curve) > k] for k in range(points)]
    return [float(np.median(one)) if one else -np.inf for one in reached]


def importance(settings: Sequence[Mapping[str, str]], scores: Sequence[float]) -> dict[str, float]:
    """The share of the scores' variance that lies between the values of each setting."""
    all_scores = np.array(scores)
    total = float(((all_scores - all_scores.mean()) ** 2).sum()) or 1.0
    found = {}
    for key in settings[0]:
        values = np.array([one[key] for one in settings])
        groups = [all_scores[values == value] for value in np.unique(values)]
        found[key] = sum(len(own) * float(own.mean() - all_scores.mean()) ** 2 for own in groups) / total
    return found
