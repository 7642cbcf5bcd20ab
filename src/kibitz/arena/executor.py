"""Who plays the shards of a match: this process, several of them, or a cluster (`executor_ray`)."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from typing import Any

from kibitz.core.errors import BadInput
from kibitz.core.work import Answer, Executor, Keep, Piece, Serial

__all__ = ["Executor", "Processes", "Serial", "executor", "in_order"]

LOCAL, AUTO = "local", "auto"
"""Clusters that need no address: a new one here, and the one that this machine is in."""
WAITING = 4
"""Pieces handed out per process or core at a time."""


class Processes:
    """Several pieces at a time, each in one of some fresh Python processes (started by spawn on every system).

    A script that uses this must keep its own work under `if __name__ == "__main__":`, as always with spawn.
    """

    def __init__(self, processes: int) -> None:
        if processes < 1:
            raise BadInput(f"{processes} processes cannot play: at least 1 can")
        self.processes = processes

    def run(
        self, work: Callable[[Piece], Answer], pieces: Sequence[Piece], keep: Keep | None = None
    ) -> Iterator[Answer]:
        """The answers, in the order of the pieces."""
        context = multiprocessing.get_context("spawn")
        workers = min(self.processes, len(pieces)) or 1
        pool = ProcessPoolExecutor(workers, mp_context=context, initializer=_leave_with_parent)

        def ready(futures: list[Future[Answer]]) -> list[Future[Answer]]:
            done = wait(futures, return_when=FIRST_COMPLETED).done
            return [future for future in futures if future in done]

        try:
            yield from in_order(
                pieces, lambda piece: pool.submit(work, piece), ready, _answer, lambda: WAITING * workers, keep
            )
        finally:
            pool.shutdown(cancel_futures=True)


def in_order(
    pieces: Sequence[Piece],
    submit: Callable[[Piece], Any],
    ready: Callable[[list[Any]], list[Any]],
    answer: Callable[[Any], Answer],
    window: Callable[[], int],
    keep: Keep | None = None,
) -> Iterator[Answer]:
    """Hand out pieces and give the answers in order; a window of them is handed out at once,
    before the first is asked for."""
    following = iter(pieces)
    queue: deque[Any] = deque()
    running: dict[Any, Piece] = {}
    answers: dict[Any, Answer] = {}

    def hand_out() -> None:
        for piece in islice(following, max(0, window() - len(running))):
            handle = submit(piece)
            queue.append(handle)
            running[handle] = piece

    def give() -> Iterator[Answer]:
        while queue:
            while queue and queue[0] in answers:
                yield answers.pop(queue.popleft())
            if running:
                for handle in ready(list(running)):
                    piece = running.pop(handle)
                    answers[handle] = answer(handle)
                    if keep:
                        keep(piece, answers[handle])
                hand_out()

    hand_out()
    return give()


def executor(processes: int = 1, cluster: str | None = None) -> Executor:
    """The executor for so many processes, or for a cluster: an address, `auto` or `local`."""
    if cluster is None:
        return Serial() if processes == 1 else Processes(processes)
    if processes != 1:
        raise BadInput("--processes and --cluster exclude each other: a cluster has its own cores")
    from kibitz.arena.executor_ray import Cluster

    return Cluster(cluster)


def _answer(future: Future[Answer]) -> Answer:
    try:
        return future.result()
    except BrokenProcessPool:
        raise BadInput(
            "a process that played games died (killed, or out of memory): start again, with fewer processes if memory "
            "is short"
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
