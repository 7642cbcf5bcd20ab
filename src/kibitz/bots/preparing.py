"""A line that says what is being compiled, for as long as it takes."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from kibitz.core import kernel_cache

PATIENCE = 0.5
"""Seconds before anything is said: with a warm cache there is nothing to say."""
STEP = 0.25


@contextmanager
def preparing(what: str) -> Iterator[None]:
    """Say on stderr that something is prepared, and how much was compiled so far."""
    over = threading.Event()
    watch = threading.Thread(target=_watch, args=(what, over), daemon=True)
    watch.start()
    try:
        yield
    finally:
        over.set()
        watch.join()


def _watch(what: str, over: threading.Event) -> None:
    begun, before = time.monotonic(), kernel_cache.compiled
    if over.wait(PATIENCE):
        return
    is_terminal = sys.stderr.isatty()
    while True:
        count, seconds = kernel_cache.compiled - before, time.monotonic() - begun
        line = f"loading {what}, {seconds:.0f} s"
        if count:
            line = f"preparing {what}, once per machine: {count} kernels compiled, {seconds:.0f} s"
        if is_terminal:
            print(f"\r{line} ", end="", file=sys.stderr, flush=True)
        else:
            print(f"preparing {what}, once per machine ...", file=sys.stderr, flush=True)
        if over.wait(STEP if is_terminal else None):
            break
    if is_terminal:
        print(f"\r{' ' * (len(line) + 1)}\r", end="", file=sys.stderr, flush=True)
