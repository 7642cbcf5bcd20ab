"""A line that says what is being compiled, for as long as it takes."""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from kibitz.core.catalogue import package_of
from kibitz.core.game import Game
from kibitz.core.jit import compiled_so_far

PATIENCE = 0.5
"""Seconds before anything is said: with a warm cache there is nothing to say."""
STEP = 0.25
COUNTED = Path(__file__).with_name("kernels.json")
"""How many kernels a searching bot was seen to compile, by the game's package."""


def expected(game: Game) -> int:
    """How many kernels a searching bot has compiled for a game elsewhere; 0 if nobody has counted them."""
    counted: dict[str, int] = json.loads(COUNTED.read_text(encoding="utf-8"))
    return counted.get(package_of(game.name).rpartition(".")[2], 0)


@contextmanager
def preparing(what: str, kernels: int = 0) -> Iterator[None]:
    """Say on stderr that something is prepared, and how much of it is done; `kernels` are expected to be compiled."""
    over = threading.Event()
    watch = threading.Thread(target=_watch, args=(what, kernels, over), daemon=True)
    watch.start()
    try:
        yield
    finally:
        over.set()
        watch.join()


def progress(what: str, kernels: int, done: int, seconds: float) -> str:
    """The line at one moment: until something is compiled, it is only loaded."""
    if not done:
        return f"loading {what}, {seconds:.0f} s"
    if done > kernels:
        return f"preparing {what}: {done} kernels, once per machine, {seconds:.0f} s"
    return f"preparing {what}: {done} of {kernels}, once per machine, {seconds:.0f} s"


def _watch(what: str, kernels: int, over: threading.Event) -> None:
    begun, before = time.monotonic(), compiled_so_far()
    if over.wait(PATIENCE):
        return
    if not sys.stderr.isatty():
        print(f"preparing {what}, once per machine ...", file=sys.stderr, flush=True)
        return
    shown = 0
    while True:
        line = progress(what, kernels, compiled_so_far() - before, time.monotonic() - begun)
        print(f"\r{line:<{shown}} ", end="", file=sys.stderr, flush=True)
        shown = max(shown, len(line))
        if over.wait(STEP):
            break
    print(f"\r{' ' * (shown + 1)}\r", end="", file=sys.stderr, flush=True)
