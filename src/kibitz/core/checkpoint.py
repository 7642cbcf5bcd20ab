"""Checkpoints: all a run needs to go on, one npz file of plain arrays with a label that says whose they are.
No pickle."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.core.arrays import TEXT, Arrays, Column, read_arrays, read_label
from kibitz.core.errors import BadInput, BadRecord
from kibitz.core.files import whole_file
from kibitz.core.schema import shown

LABEL = "label"


def write_checkpoint(path: Path, version: int, label: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write a label and arrays; the file is whole or the old one."""
    header = np.frombuffer(json.dumps({"format": version, **label}, sort_keys=True).encode(), np.uint8)
    with whole_file(path) as file:
        np.savez(file, **{LABEL: header}, **arrays)  # type: ignore[arg-type]


def read_checkpoint(
    path: Path, version: int, label: Mapping[str, Any], columns: Mapping[str, Column],
    optional: Mapping[str, Column] | None = None, rest: Column | None = None,
) -> Arrays:  # fmt: skip
    """The arrays of a run put aside, if the file belongs to it; `columns` and the others as in `read_arrays`."""
    with told_of(path):
        found = read_label(path, LABEL)
        if not isinstance(found, dict):
            raise BadRecord("its label is no object")
        wanted = json.loads(json.dumps({"format": version, **label}))
        if found != wanted and not _ends_earlier(found, wanted):
            told = _difference(found, wanted)
            raise BadInput(f"{path} is the checkpoint of another run ({told}): choose another place or remove it")
        arrays = read_arrays(path, {LABEL: TEXT, **columns}, optional, rest)
    del arrays[LABEL]
    return arrays


def _ends_earlier(found: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    """Whether a run bounded by time is the wanted one but for its end: such a run can be lengthened."""
    before, now = found.get("seconds"), wanted.get("seconds")
    if not isinstance(before, int | float) or not isinstance(now, int | float) or not before < now:
        return False
    return {**found, "seconds": now} == wanted


@contextmanager
def told_of(path: Path) -> Iterator[None]:
    """Say of which file it is that something is wrong in it."""
    try:
        yield
    except (OSError, BadRecord) as problem:
        said = "kibitz wrote no such file; name one that it did, or a new one" if _has_no_label(problem) else problem
        raise BadInput(f"{path} is not a checkpoint of kibitz, or is damaged: {said}") from None


def _has_no_label(problem: Exception) -> bool:
    return isinstance(problem, BadRecord) and str(problem) == f"{LABEL} is missing"


def _difference(found: Mapping[str, Any], wanted: Mapping[str, Any]) -> str:
    """The first thing in which two labels differ: the game before the method, that before its settings."""
    missing = "nothing"
    keys = dict.fromkeys([*wanted, *found])
    key = next(key for key in keys if found.get(key, missing) != wanted.get(key, missing))
    had, asked = found.get(key, missing), wanted.get(key, missing)
    if isinstance(had, Mapping) and isinstance(asked, Mapping):
        return _difference(had, asked)
    return f"{_said(key)} {_said(had)}, asked for {_said(asked)}"


def _said(value: Any) -> str:
    return shown(value)[1:-1] if isinstance(value, str) else shown(value)
