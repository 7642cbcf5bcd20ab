"""The journal of a search for settings, checked before optuna reads it: it takes every line for true.

A journal is one JSON object a line, each an operation on the one study of its folder: it begins, it says what is
searched, a trial is finished. What trials say is compared with the settings of their numbers and with the cards in
their folders, so that a number changed in the journal is not believed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from kibitz.core.errors import BadInput, BadRecord
from kibitz.core.schema import Fields, Listed, Nothing, Number, Part, Text, Whole, misfit, read_json, shown
from kibitz.learn.model import CARD, read_card
from kibitz.learn.run import configured

if TYPE_CHECKING:
    from kibitz.learn.tune import Trial

STUDY = "kibitz"
NUMBER, FOLDER = "number", "folder"
MOST_BYTES = 1 << 28
CREATE_STUDY, STUDY_ATTR, CREATE_TRIAL = 0, 2, 4
"""optuna's numbers of the operations that a search writes."""
MAXIMIZE, COMPLETE = 2, 1
"""optuna's numbers of a direction and of a state."""
Space = Mapping[str, Sequence[str]]


class _Moment:
    """A date and time that every time zone can hold."""

    def check(self, value: Any, place: str) -> None:
        try:
            if isinstance(value, str) and len(value) < 40 and 1971 <= datetime.fromisoformat(value).year <= 9990:
                return
        except ValueError:
            pass
        raise misfit(place, value, "a date and time")


ATTRIBUTES = Fields({
    NUMBER: Whole(0, 10**9 - 1), FOLDER: Text(20, pattern=r"trial\d{3,9}", right="trial000 or another number"),
    "se": Number(0.0), "frames": Whole(),
})  # fmt: skip
"""What a search notes of a trial."""


def check_journal(path: Path, label: str, space: Space) -> None:
    """Refuse a journal that a search of this label in this space has not written;
    half a line at its end may be there."""
    if not path.exists():
        return
    try:
        if path.stat().st_size > MOST_BYTES:
            raise BadInput(f"{path} is too long: {MOST_BYTES:,} bytes at most are right")
        *lines, half = path.read_bytes().split(b"\n")
    except OSError as problem:
        raise BadInput(f"{path} cannot be read: {problem.strerror or problem}") from None
    if half and not lines:
        raise BadInput(f"{path} is no journal of a search, or only the beginning of one: remove it")
    known, before = operations(space), {CREATE_STUDY}
    for number, line in enumerate(lines, 1):
        try:
            data = read_json(line)
            code = data.get("op_code") if isinstance(data, dict) else None
            if type(code) is not int or code not in known:
                raise BadRecord(f"op_code is {shown(code)}")
            known[code].check(data)
            if code not in before:
                raise BadRecord("what is searched is not said yet")
            if code == STUDY_ATTR and data["user_attr"]["plan"] != label:
                raise BadInput(
                    f"{path.parent} holds the search of another game, method or length: choose another folder"
                )
            before |= {CREATE_STUDY: {STUDY_ATTR}, STUDY_ATTR: {CREATE_TRIAL}, CREATE_TRIAL: set()}[code]
        except BadRecord as problem:
            raise BadInput(f"{path} line {number} is no line of a search: {problem}") from None


def operations(space: Space) -> Mapping[int, Fields]:
    """The lines of a search in a space, by the number of their operation."""
    begun: dict[str, Part] = {"op_code": Whole(), "worker_id": Text(200)}
    study: dict[str, Part] = {**begun, "study_id": Whole(0, 0)}
    return {
        CREATE_STUDY: Fields({
            **begun, "study_name": Text(among=(STUDY,)), "directions": Listed(Whole(MAXIMIZE, MAXIMIZE), 1, 1),
        }),
        STUDY_ATTR: Fields({**study, "user_attr": Fields({"plan": Text()})}),
        CREATE_TRIAL: Fields({
            **study, "datetime_start": _Moment(), "datetime_complete": _Moment(), "state": Whole(COMPLETE, COMPLETE),
            "value": Number(), "values": Nothing(), "user_attrs": ATTRIBUTES, "system_attrs": Fields({}),
            "intermediate_values": Fields({}),
            "params": Fields({name: Whole(0, len(choices) - 1) for name, choices in space.items()}),
            "distributions": Fields({name: _Choice(choices) for name, choices in space.items()}),
        }),
    }  # fmt: skip


class _Choice:
    """How optuna writes down the values of a setting: JSON within JSON."""

    def __init__(self, choices: Sequence[str]) -> None:
        self.choices = list(choices)

    def check(self, value: Any, place: str) -> None:
        Text().check(value, place)
        if read_json(value) != {"name": "CategoricalDistribution", "attributes": {"choices": self.choices}}:
            raise misfit(place, value, f"the choice of {', '.join(self.choices)}")


def check_trials(
    trials: Sequence[Trial], drawn: Callable[[int], Mapping[str, str]], method: str, preset: str,
    fixed: Mapping[str, str], out: Path
) -> None:  # fmt: skip
    """Refuse finished trials that do not say what was drawn for their numbers
    and what the cards in their folders say."""
    seen: set[int] = set()
    for trial in trials:
        place = f"trial {trial.number} in {out}"
        if trial.number in seen:
            raise BadInput(f"{place} is there twice: the journal was altered")
        seen.add(trial.number)
        folder = trial_folder(trial.number)
        right: dict[str, tuple[Any, Any]] = {FOLDER: (trial.folder, folder)}
        right |= {key: (trial.settings.get(key), value) for key, value in drawn(trial.number).items()}
        if wrong := [key for key, (said, found) in right.items() if said != found]:
            said, found = right[wrong[0]]
            raise BadInput(f"{place} has {wrong[0]} {said}, and {found} is right: the journal was altered")
        if not (out / folder / CARD).exists():
            continue  # somebody needed the room
        card = read_card(out / folder)
        config = asdict(configured(method, preset, {**trial.settings, **fixed}))
        plain = {key: list(value) if isinstance(value, tuple) else value for key, value in config.items()}
        wrong = [key for key in trial.settings if plain[key] != card.config.get(key)]
        wrong += [] if trial.frames == card.frames else ["frames"]
        mean, error = mean_and_error(card.scores) if card.scores else (math.nan, math.nan)
        for word, said, found in (("score", trial.score, mean), ("se", trial.se, error)):
            if not math.isclose(said, found, rel_tol=1e-9, abs_tol=1e-12):
                wrong.append(word)
        if wrong:
            raise BadInput(f"{place} has another {wrong[0]} than the card in {folder} says: the journal was altered")


def trial_folder(number: int) -> str:
    """Where in the folder of a search a trial is trained."""
    return f"trial{number:03d}"


def mean_and_error(scores: Mapping[str, Mapping[str, float]]) -> tuple[float, float]:
    """The mean return against all baselines and its standard error."""
    errors = [score["se"] for score in scores.values()]
    return float(np.mean([score["mean"] for score in scores.values()])), float(np.hypot.reduce(errors)) / len(errors)
