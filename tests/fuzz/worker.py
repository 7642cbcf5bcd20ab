"""Tries variants of one format one after the other: `python -m tests.fuzz.worker FORMAT FIRST COUNT`.

Every variant is announced before it is tried, so that whoever reads along knows which one was the end of the process.
"""

from __future__ import annotations

import json
import random
import signal
import sys
import tempfile
import traceback
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from kibitz.core.errors import KibitzError
from tests.fuzz.formats import FORMATS
from tests.fuzz.hostile import Still

SECONDS = 20
"""A variant that takes longer hangs."""


class Hangs(BaseException):
    """Raised in a variant that takes too long."""


def _hangs(number: int, frame: Any) -> None:
    raise Hangs


def tried(name: str, variants: range) -> Iterator[tuple[int, str]]:
    """Each variant and what went wrong with it: nothing, if it was read or refused in one sentence."""
    form = FORMATS[name]
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as folder:
        for number in range(8):  # good files first: what is compiled is compiled before the clock runs
            form.write(Path(folder), Still(number))
            form.use(Path(folder))
        for variant in variants:
            form.write(Path(folder), random.Random(f"{name} {variant}"))
            print(f"try {variant}", flush=True) if __name__ == "__main__" else None
            yield variant, _outcome(form, Path(folder))


def _outcome(form: Any, folder: Path) -> str:
    before = signal.signal(signal.SIGALRM, _hangs)
    signal.alarm(SECONDS)
    try:
        form.use(folder)
        return ""
    except KibitzError as problem:
        text = str(problem)
        return "" if text and "\n" not in text.strip() and len(text) < 20_000 else f"not one sentence: {text[:300]!r}"
    except Hangs:
        return "hangs"
    except BaseException as problem:
        return (
            f"{type(problem).__name__}: {problem}"[:300]
            + "\n"
            + "".join(traceback.format_tb(problem.__traceback__)[-4:])
        )
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


if __name__ == "__main__":
    for found in tried(sys.argv[1], range(int(sys.argv[2]), int(sys.argv[2]) + int(sys.argv[3]))):
        if found[1]:
            print("bad " + json.dumps(found), flush=True)
    print("done", flush=True)
