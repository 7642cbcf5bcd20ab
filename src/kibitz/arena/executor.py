"""Who plays the shards of a match: this process, or several; a cluster is one more class with the same method.

A shard is a pure seeded piece of work: its result depends on nothing but itself, so it does not matter who plays it, when, or
beside what.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from typing import Protocol, TypeVar

from kibitz.core.errors import BadInput

Piece = TypeVar("Piece")
Answer = TypeVar("Answer")

WAITING = 4
"""Shards handed out per process at a time."""


class Executor(Protocol):
    """Does pieces of work."""

    def run(self, work: Callable[[Piece], Answer], pieces: Sequence[Piece]) -> Iterator[Answer]:
        """The answers, in the order of the pieces; work and pieces must be picklable."""
        ...


class Serial:
    """One piece after the other, here."""

    def run(self, work: Callable[[Piece], Answer], pieces: Sequence[Piece]) -> Iterator[Answer]:
        """The answers, in the order of the pieces."""
        return map(work, pieces)


class Processes:
    """Several pieces at a time, each in one of some fresh Python processes (started by spawn on every system).

    A script that uses this must keep its own work under `if __name__ == "__main__":`, as always with spawn.
    """

    def __init__(self, processes: int) -> None:
        if processes < 1:
            raise BadInput(f"{processes} processes cannot play: at least 1 can")
        self.processes = processes

    def run(self, work: Callable[[Piece], Answer], pieces: Sequence[Piece]) -> Iterator[Answer]:
        """The answers, in the order of the pieces."""
        context = multiprocessing.get_context("spawn")
        workers = min(self.processes, len(pieces)) or 1
        pool = ProcessPoolExecutor(workers, mp_context=context, initializer=_leave_with_parent)
        following = iter(pieces)
        try:
            waiting = [pool.submit(work, piece) for piece in islice(following, WAITING * workers)]
            while waiting:
                yield _answer(waiting.pop(0))
                waiting += [pool.submit(work, piece) for piece in islice(following, 1)]
        finally:
            pool.shutdown(cancel_futures=True)


def executor(processes: int = 1) -> Executor:
    """The executor for so many processes."""
    return Serial() if processes == 1 else Processes(processes)


def _answer(future: Future[Answer]) -> Answer:
    try:
        return future.result()
    except BrokenProcessPool:
        raise BadInput(
            "a process that played games died (killed, or out of memory): start again, with fewer processes if memory is short"
        ) from None


def _leave_with_parent() -> None:
    """End this process when the one that started it has gone, even if that was killed; on Ctrl-C without a word."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    threading.Thread(target=_wait_for_parent, daemon=True).start()


def _wait_for_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
