"""Well-formed but hostile files: nothing escapes but a KibitzError of one sentence, nobody dies, nothing hangs."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from kibitz.core.jit import PLAIN
from tests.fuzz.formats import FORMATS
from tests.fuzz.worker import SECONDS, tried

pytestmark = pytest.mark.skipif(PLAIN, reason="too slow without compilation")

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("name", FORMATS)
def test_fifty_hostile_variants_are_read_or_refused(name: str) -> None:
    bad = [found for found in tried(name, range(50)) if found[1]]
    assert not bad, f"{len(bad)} of 50: variant {bad[0][0]}: {bad[0][1]}"


@pytest.mark.slow
@pytest.mark.parametrize("name", FORMATS)
def test_ten_thousand_hostile_variants_neither_escape_nor_kill_nor_hang(name: str) -> None:
    bad: list[str] = []
    first, last = 0, 10_000
    while first < last and len(bad) < 20:
        first = _run(name, first, last - first, bad)
    assert not bad, f"{len(bad)} variants of {name}: " + "\n".join(bad)


def _run(name: str, first: int, count: int, bad: list[str]) -> int:
    """Try variants in a process of their own; gives the first one that was not tried."""
    words = [sys.executable, "-m", "tests.fuzz.worker", name, str(first), str(count)]
    at = first
    with subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, text=True) as worker:
        assert worker.stdout is not None
        for line in worker.stdout:
            word, _, rest = line.partition(" ")
            if word == "try":
                at = int(rest)
            elif word == "bad":
                bad.append(str(json.loads(rest)))
            elif line.strip() == "done":
                return first + count
    bad.append(f"variant {at}: the process ended with {worker.returncode} (a variant may take {SECONDS} s)")
    return at + 1
