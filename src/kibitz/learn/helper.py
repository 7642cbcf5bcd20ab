"""A second core: a thread that does something while the first one learns.

What is computed does not depend on whether it is there, as every network computes with one thread either way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import torch

Task = Callable[[], Any]


@contextmanager
def helper() -> Iterator[Callable[[Task], Future[Any]]]:
    """Somebody to begin a task with, in a thread if networks may take two; without one it is done at once."""
    cores = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        if cores == 1:
            yield _done
        else:
            # A new thread must be told itself: without that its sums are those of two.
            with ThreadPoolExecutor(1, initializer=torch.set_num_threads, initargs=(1,)) as thread:
                yield thread.submit
    finally:
        torch.set_num_threads(cores)


def _done(task: Task) -> Future[Any]:
    found: Future[Any] = Future()
    found.set_result(task())
    return found
