"""The journal of a search for settings, checked before optuna reads it: it takes every line for true.

A journal is one JSON object a line, each an operation on the one study of its folder. What finished trials say is compared with
the cards in their folders, so that a number changed in the journal is not believed.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.core.errors import BadInput, BadRecord
from kibitz.core.schema import (
    Anything,
    Either,
    Fields,
    Listed,
    Mapped,
    Nothing,
    Number,
    Part,
    Text,
    Whole,
    misfit,
    read_json,
    shown,
)  # fmt: skip
from kibitz.learn.model import CARD, read_card
from kibitz.learn.run import configured

STUDY = "kibitz"
FOLDER = "folder"
MOST_BYTES = 1 << 28
CREATE_STUDY, STUDY_ATTR, STUDY_SYSTEM, CREATE_TRIAL, PARAM, STATE, TRIAL_ATTR, TRIAL_SYSTEM = 0, 2, 3, 4, 5, 6, 8, 9
"""optuna's numbers of the operations that a search writes."""
MAXIMIZE = 2
RUNNING, WAITING = 0, 4
"""optuna's numbers of states; the others are ends."""
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


ATTRIBUTES = Fields(
    {},
    {
        FOLDER: Text(20, pattern=r"trial\d{3,9}", right="trial000 or another number"),
        "se": Number(0.0),
        "frames": Whole(),
    },
    Either((Number(), Text(), Nothing()), "a number or a text"),
)
"""What a search notes of a trial."""


def check_journal(path: Path, label: str, space: Space) -> None:
    """Refuse a journal that a search of this label in this space has not written."""
    if not path.exists():
        return
    if path.stat().st_size > MOST_BYTES:
        raise BadInput(f"{path} is too long: {MOST_BYTES:,} bytes at most are right")
    studies = trials = 0
    known = operations(space, trials)
    for number, line in enumerate(path.read_bytes().splitlines(keepends=True), 1):
        if not line.endswith(b"\n"):
            break  # cut off by a kill: optuna leaves it out
        try:
            data = read_json(line)
            code = data.get("op_code") if isinstance(data, dict) else None
            known[code if isinstance(code, int) else -1].check(data)
            if code == CREATE_STUDY:
                studies += 1
            elif not studies:
                raise BadRecord("there is no study yet")
            if code == STUDY_ATTR and data["user_attr"].get("plan", label) != label:
                raise BadInput(
                    f"{path.parent} holds the search of another game, method or length: choose another folder"
                )
            if code == CREATE_TRIAL:
                trials += 1
                known = operations(space, trials)
        except KeyError:
            raise BadInput(f"{path} line {number} is no line of a search: op_code is {shown(code)}") from None
        except BadRecord as problem:
            raise BadInput(f"{path} line {number} is no line of a search: {problem}") from None


def operations(space: Space, trials: int) -> Mapping[int, Fields]:
    """The lines that may follow when there are so many trials."""
    begun: dict[str, Part] = {"op_code": Whole(), "worker_id": Text(200)}
    study: dict[str, Part] = {**begun, "study_id": Whole(0, 0)}
    trial: dict[str, Part] = {**begun, "trial_id": Whole(0, max(0, trials - 1))}
    values = Either((Listed(Number(), 1, 1), Nothing()), "a list of one number, or null")
    moment, anything = _Moment(), _One(Mapped(Anything(), 1))
    waiting = Fields({}, {"fixed_params": _Settings(space)}, Anything())
    found: dict[int, Fields] = {
        CREATE_STUDY: Fields({
            **begun, "study_name": Text(among=(STUDY,)), "directions": Listed(Whole(MAXIMIZE, MAXIMIZE), 1, 1),
        }),
        STUDY_ATTR: Fields({**study, "user_attr": anything}),
        STUDY_SYSTEM: Fields({**study, "system_attr": anything}),
        CREATE_TRIAL: Fields(
            {**study, "datetime_start": Either((moment, Nothing()), "a date and time, or null")},
            {
                "state": Whole(WAITING, WAITING), "user_attrs": ATTRIBUTES, "system_attrs": waiting, "params": Mapped(Anything(), 0),
                "distributions": Mapped(Anything(), 0), "intermediate_values": Mapped(Anything(), 0), "value": Nothing(),
                "values": Nothing(), "datetime_complete": moment,
            },
        ),
    }  # fmt: skip
    if trials:
        found |= {
            PARAM: _Param({
                **trial, "param_name": Text(among=tuple(space)), "param_value_internal": Number(0.0, 1e6),
                "distribution": Text(),
            }, space=space),
            STATE: _State(
                {**trial, "state": Whole(0, 4), "values": values}, {"datetime_start": moment, "datetime_complete": moment}
            ),
            TRIAL_ATTR: Fields({**trial, "user_attr": _One(ATTRIBUTES)}),
            TRIAL_SYSTEM: Fields({**trial, "system_attr": anything}),
        }  # fmt: skip
    return found


class _One:
    """An object with one entry."""

    def __init__(self, part: Part) -> None:
        self.part = part

    def check(self, value: Any, place: str) -> None:
        self.part.check(value, place)
        if len(value) != 1:
            raise BadRecord(f"{place} has {len(value)} entries: 1 is right")


class _Settings:
    """Settings out of a space."""

    def __init__(self, space: Space) -> None:
        self.space = space

    def check(self, value: Any, place: str) -> None:
        Mapped(Text()).check(value, place)
        for name, one in value.items():
            Text(among=tuple(self.space)).check(name, f"a setting of {place}")
            Text(among=tuple(self.space[name])).check(one, f"{place}.{name}")


class _State(Fields):
    """A trial begins or ends, and says when."""

    def check(self, value: Any, place: str = "") -> None:
        super().check(value, place)
        when = {RUNNING: "datetime_start", WAITING: "state"}.get(value["state"], "datetime_complete")
        if when not in value:
            raise BadRecord(f"{when} is missing")


class _Param(Fields):
    """A setting that was drawn: its place in the list of values that the space has."""

    space: Space

    def __init__(self, parts: Mapping[str, Part], space: Space) -> None:
        super().__init__(parts)
        object.__setattr__(self, "space", space)

    def check(self, value: Any, place: str = "") -> None:
        super().check(value, place)
        choices = list(self.space[value["param_name"]])
        drawn = value["param_value_internal"]
        if drawn != int(drawn) or drawn >= len(choices):
            raise misfit("param_value_internal", drawn, f"a whole number from 0 to {len(choices) - 1}")
        wanted = {"name": "CategoricalDistribution", "attributes": {"choices": choices}}
        if read_json(value["distribution"]) != wanted:
            raise misfit("distribution", value["distribution"], f"the choice of {', '.join(choices)}")


def check_trials(
    trials: Sequence[Any], method: str, preset: str, fixed: Mapping[str, str], space: Space, out: Path
) -> None:
    """Refuse finished trials whose settings or scores are not those on the cards of their folders."""
    for trial in trials:
        place = f"trial {trial.number} in {out}"
        about = trial.user_attrs
        try:
            Fields(dict.fromkeys(space, Text()), {}, None).check(dict(trial.params), "params")
            Fields({FOLDER: Anything(), "se": Anything(), "frames": Anything()}, {}, Anything()).check(about)
            Number().check(trial.value, "value")
        except BadRecord as problem:
            raise BadInput(f"{place} is not finished, or damaged: {problem}") from None
        if not (out / about[FOLDER] / CARD).exists():
            continue  # somebody needed the room
        card = read_card(out / about[FOLDER])
        means = [score["mean"] for score in card.scores.values()]
        config = asdict(configured(method, preset, {**trial.params, **fixed}))
        plain = {key: list(value) if isinstance(value, tuple) else value for key, value in config.items()}
        right: dict[str, tuple[Any, Any]] = {"frames": (about["frames"], card.frames)}
        right |= {key: (plain[key], card.config.get(key)) for key in trial.params}
        wrong = [key for key, (said, found) in right.items() if said != found]
        if not means or not math.isclose(float(np.mean(means)), trial.value, rel_tol=1e-9, abs_tol=1e-12):
            wrong.append("score")
        if wrong:
            raise BadInput(
                f"{place} has another {wrong[0]} than the card in {about[FOLDER]} says: the journal was altered"
            )
