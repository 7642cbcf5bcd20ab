"""Random search for a method's settings with optuna: every trial is a short training run of its own.

A study lies in one folder: optuna's journal, and a folder per trial. A trial's settings are a function of the seed and
of its number, and it enters the journal when it is finished: a search that was interrupted goes on with the trial it
was at, which resumes its run, and ends as one that was not. One process at a time searches in a folder.
"""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Callable, Mapping
from itertools import count, islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from kibitz.core import rng
from kibitz.core.errors import BadInput, BadOption, MissingExtra
from kibitz.core.files import sole_writer
from kibitz.core.game import Game
from kibitz.core.policy import Bot
from kibitz.core.schema import read_json
from kibitz.core.work import Executor
from kibitz.learn.journal import FOLDER, NUMBER, STUDY, check_journal, check_trials, mean_and_error, trial_folder
from kibitz.learn.run import METRICS, Plan, configured
from kibitz.learn.trials import trained

JOURNAL = "study.log"
FORMAT = 2
SPACES: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "dqn": {
        "replay": ("50000", "100000", "200000"), "target_every": ("1000", "2000", "10000"),
        "discount": ("0.75", "0.8", "0.95", "0.99"), "last_epsilon": ("0.1", "0.05", "0.01"), "batch": ("32", "64"),
        "layers": ("512,512,512", "512,256,128", "512,512"), "rate": ("1e-4", "5e-5", "1e-5", "5e-6"),
    },
    "nfsp": {
        "policy_layers": ("128,128", "256,256", "512,512", "512,512,512"),
        "reservoir": ("20000", "50000", "100000", "200000"), "eta": ("0.1", "0.2", "0.25", "0.35", "0.5"),
        "policy_batch": ("128", "64", "32"), "policy_rate": ("1e-3", "1e-4", "5e-5", "1e-5", "5e-6"),
    },
    "dmc": {
        "layers": ("128,128", "256,128", "512", "512,256"), "rate": ("5e-4", "1e-3", "1.5e-3", "3e-3"),
        "batch": ("256", "512", "1024"), "games": ("1024", "2048"), "epsilon": ("0.01", "0.05", "0.1", "0.2"),
        "target": ("togo", "final"),
    },
    "deep-cfr": {
        "layers": ("64,64", "128,128", "64,64,64"), "rate": ("1e-3", "3e-3", "1e-2"),
        "steps": ("25", "50", "100", "200"), "traversals": ("256", "512", "1024"), "afresh": ("on", "off"),
        "uniform_fallback": ("on", "off"),
    },
    "ppo": {
        "layers": ("64,64", "128,128", "256,128"), "rate": ("1e-4", "3e-4", "1e-3"), "batch": ("512", "1024", "2048"),
        "epochs": ("3", "5", "10"), "discount": ("0.99", "1.0"), "entropy": ("0.0", "0.01", "0.03"),
        "unit": ("1", "50", "250"),
    },
    "coached": {
        "coached": ("0.02", "0.05", "0.1", "0.2"), "stray": ("0.05", "0.15", "0.3"),
        "rival_rounds": ("0.25", "0.5", "1.0"), "layers": ("256,128", "384,192", "512,256"),
        "rate": ("5e-4", "1e-3", "1.5e-3"),
    },
}  # fmt: skip
"""Method -> setting -> values. Those of dqn and nfsp are the Cego paper's, the others ours;
the Coinche paper searched none."""


class Trial(NamedTuple):
    """One set of settings and what it came to."""

    number: int
    settings: Mapping[str, str]
    score: float
    """The mean return against the baselines."""
    se: float
    frames: int
    folder: str


def search(
    plan: Plan, preset: str, fixed: Mapping[str, str], trials: int, out: Path, make_bot: Callable[[Game, str], Bot],
    watch: Callable[[Trial], None] = lambda trial: None, executor: Executor | None = None,
) -> list[Trial]:  # fmt: skip
    """Train until the study in the folder has so many finished trials; gives all of them, the best one first.

    With an executor others train them, several at a time; they enter the journal in their order.
    """
    if plan.method not in SPACES:
        raise BadOption(f"there is no search space for {plan.method}: there are some for {', '.join(SPACES)}")
    space = {key: values for key, values in SPACES[plan.method].items() if key not in fixed}
    with sole_writer(out, "searched"):
        check_journal(out / JOURNAL, _label(plan, preset, fixed), space)
        study, optuna = _study(plan, preset, fixed, out)
        check_trials(
            finished(study), lambda number: drawn_settings(space, plan.seed, number), plan.method, preset, fixed, out
        )
        choices = {key: optuna.distributions.CategoricalDistribution(values) for key, values in space.items()}
        done = {trial.number for trial in finished(study)}
        wanted = list(islice((number for number in count() if number not in done), max(0, trials - len(done))))
        drawn = [drawn_settings(space, plan.seed, number) for number in wanted]
        plans = [
            dataclasses.replace(plan, config=configured(plan.method, preset, {**settings, **fixed}))
            for settings in drawn
        ]
        folders = [out / trial_folder(number) for number in wanted]
        for number, settings, card in zip(wanted, drawn, trained(plans, folders, make_bot, executor), strict=True):
            mean, error = mean_and_error(card.scores)
            about = {NUMBER: number, FOLDER: trial_folder(number), "se": error, "frames": card.frames}
            study.add_trial(
                optuna.trial.create_trial(params=settings, distributions=choices, value=mean, user_attrs=about)
            )
            watch(_told(study.trials[-1]))
        return sorted(finished(study), key=lambda trial: (-trial.score, trial.number))


def drawn_settings(space: Mapping[str, tuple[str, ...]], seed: int, number: int) -> dict[str, str]:
    """The settings of one trial, whatever was drawn before."""
    luck = rng.generator(seed, "trials", number)
    return {key: values[luck.integers(len(values))] for key, values in space.items()}


def finished(study: Any) -> list[Trial]:
    """The trials that came to an end."""
    return [_told(trial) for trial in study.get_trials(deepcopy=False) if trial.state.name == "COMPLETE"]


def slope(folder: Path) -> float:
    """How fast the score rose over the evaluations of a run, per 100,000 frames; nan with fewer than two of them."""
    path = folder / METRICS
    try:
        lines = [read_json(line, halves=True) for line in path.read_text(encoding="utf-8").splitlines()]
        judged = [line for line in lines if line.get("scores")]
        if len({line["frames"] for line in judged}) < 2:
            return float("nan")
        means = [float(np.mean([score["mean"] for score in line["scores"].values()])) for line in judged]
        return float(np.polyfit([line["frames"] for line in judged], means, 1)[0]) * 1e5
    except (ValueError, KeyError, TypeError, AttributeError) as problem:
        raise BadInput(f"{path} is damaged: {problem}") from None


def _label(plan: Plan, preset: str, fixed: Mapping[str, str]) -> str:
    """What must be the same for a search to go on."""
    label = {**plan.label(), "format": FORMAT, "config": None, "preset": preset, "fixed": dict(fixed)}
    return json.dumps(label, sort_keys=True)


class _NoLock:
    """What optuna asks for before it writes its journal: nothing, as the whole folder is held.

    Its own lock is a link that outlives a kill, and one that leads nowhere was waited for without end.
    """

    def acquire(self) -> bool:
        """At once."""
        return True

    def release(self) -> None:
        """There is nothing to release."""


def _study(plan: Plan, preset: str, fixed: Mapping[str, str], out: Path) -> tuple[Any, Any]:
    """The study of a folder that this process holds, and optuna."""
    try:
        import optuna
        from optuna.storages import JournalStorage
        from optuna.storages.journal import JournalFileBackend
    except ImportError as problem:
        raise MissingExtra(problem.name, "hpo") from None
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    label = _label(plan, preset, fixed)
    journal = (out / JOURNAL).resolve()
    (journal.parent / f"{JOURNAL}.lock").unlink(missing_ok=True)  # a link that a killed search once left
    _drop_half_a_line(journal)
    storage = JournalStorage(JournalFileBackend(str(journal), _NoLock()))  # type: ignore[arg-type]
    study = optuna.create_study(
        storage=storage, study_name=STUDY, direction="maximize", load_if_exists=True,
    )  # fmt: skip
    if study.user_attrs.get("plan", label) != label:
        raise BadInput(f"{out} holds the search of another game, method or length: choose another folder")
    study.set_user_attr("plan", label)
    return study, optuna


def _drop_half_a_line(journal: Path) -> None:
    """Cut off what a full disk or a lost machine left of the journal's last line: the next would be added to it."""
    text = journal.read_bytes() if journal.exists() else b""
    if 0 < (whole := text.rfind(b"\n") + 1) < len(text):
        os.truncate(journal, whole)


def _told(trial: Any) -> Trial:
    about = trial.user_attrs
    return Trial(about[NUMBER], dict(trial.params), float(trial.value), about["se"], about["frames"], about[FOLDER])
