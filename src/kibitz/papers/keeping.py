"""Results that the project owns: full editions as they were run, in `papers/kept`, shipped with the package."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from kibitz.core.errors import BadInput, BadRecord
from kibitz.core.schema import Fields, Mapped, Number, Text, Whole, read_json_file
from kibitz.papers.experiment import Experiment
from kibitz.papers.origin import KEPT, commit, machine, today
from kibitz.papers.result import Result, from_json, save, write_whole

QUICK = "quick.json"
"""How long the quick editions took; no experiment has a name without a dot."""
FORMAT = 1
TIMES = Fields({
    "format": Whole(FORMAT, FORMAT), "date": Text(30), "commit": Text(60), "machine": Text(200),
    "seconds": Mapped(Number(0.0, 1e9)),
})  # fmt: skip


@dataclass(frozen=True)
class Kept:
    """A kept result, or why there is none that can be used."""

    result: Result | None = None
    problem: str = ""
    """Empty if none was ever kept."""


def kept_result(one: Experiment, folder: Path = KEPT) -> Kept:
    """The full edition that was kept of an experiment; one of another edition is named and not used."""
    path = folder / f"{one.name}.json"
    again = f"kibitz reproduce {one.name} --keep makes a new one"
    try:
        found = from_json(path.read_text(encoding="utf-8"))
        if found.name != one.name or found.scale != "full":
            raise BadRecord(f"it is the {found.scale} edition of {found.name!r}, not the full one of {one.name}")
    except FileNotFoundError:
        return Kept()
    except (OSError, UnicodeDecodeError, BadRecord) as problem:
        return Kept(problem=f"the kept result {path.name} is not used: {problem}; {again}")
    if found.edition != one.edition:
        said = f"it is of edition {found.edition}, and {one.name} is at edition {one.edition}"
        return Kept(problem=f"the kept result {path.name} is not used: {said}; {again}")
    return Kept(found)


def check_keeping(one: Experiment, scale: str, folder: Path = KEPT) -> None:
    """Refuse to keep what cannot be kept, before it is computed."""
    from kibitz.core.files import check_writable

    if scale != "full":
        raise BadInput(f"{one.name} cannot be kept from a quick edition: leave --quick out")
    check_writable(folder / f"{one.name}.json")


def keep(result: Result, one: Experiment, folder: Path = KEPT) -> Path:
    """Write a full edition where the project keeps its results."""
    check_keeping(one, result.scale, folder)
    if (result.name, result.edition) != (one.name, one.edition):
        raise BadInput(f"edition {result.edition} of {result.name} is not edition {one.edition} of {one.name}")
    return save(result, folder)


def keep_times(results: Iterable[Result], folder: Path = KEPT) -> Path:
    """Write down how long quick editions took in processor time, beside what is known of others."""
    try:
        known = quick_times(folder)
    except BadRecord:  # written again from what was measured now
        known = {}
    seconds = known | {result.name: round(result.cpu_seconds, 1) for result in results}
    facts = {"format": FORMAT, "date": today(), "commit": commit(), "machine": machine()}
    path = folder / QUICK
    write_whole(path, json.dumps(facts | {"seconds": dict(sorted(seconds.items()))}, indent=1) + "\n")
    return path


def quick_times(folder: Path = KEPT) -> dict[str, float]:
    """Seconds of processor time of the quick editions, by experiment."""
    path = folder / QUICK
    try:
        data = read_json_file(path)
        TIMES.check(data)
    except FileNotFoundError:
        return {}
    except (OSError, BadRecord) as problem:
        raise BadRecord(f"{path} cannot be read: {problem}; kibitz reproduce --quick --keep writes it again") from None
    return {name: float(seconds) for name, seconds in data["seconds"].items()}
