"""Bots think in processes of their own, never in the event loop:
a few workers, a queue with a limit, and a time limit each."""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import queue
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any

from kibitz.core.errors import BotFailed
from kibitz.web.worker import DONE, READY, SO_FAR

MOST_WAITING = 5000
"""Jobs; beyond that the server says that it is busy."""
SOON, LATER = 0, 1
"""A move is due before a hint, a review or a comparison."""
PATIENCE = 60.0
"""Seconds for a move."""
STARTING = 120.0
"""Seconds for a process to be there; these do not count against whoever is to think."""
LONG_PATIENCE = 600.0
"""Seconds for a hint, a row of a review or a deal played again: the first may have to compile a search."""
START = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from kibitz.web.worker import serve; serve(int(sys.argv[2]))"
)

Progress = Callable[[Any], None]


class Workers:
    """Some processes, each with a thread here that gives it one job after the other."""

    def __init__(self, count: int) -> None:
        self._jobs: queue.PriorityQueue[Any] = queue.PriorityQueue()
        self._order = itertools.count()
        self._closed = False
        self._processes: list[_Process | None] = [None] * count
        self._threads = [threading.Thread(target=self._serve, args=(k,), daemon=True) for k in range(count)]
        for thread in self._threads:
            thread.start()

    async def ask(
        self, kind: str, *given: Any, when: int = SOON, seconds: float = 0.0, progress: Progress | None = None
    ) -> Any:
        """The answer to a job; BotFailed if it fails or takes too long."""
        if self._jobs.qsize() > MOST_WAITING:
            raise BotFailed("too many are thinking at once: try again in a while")
        loop = asyncio.get_running_loop()
        seconds = seconds or (PATIENCE if when == SOON else LONG_PATIENCE)
        answer: asyncio.Future[Any] = loop.create_future()
        self._jobs.put((when, next(self._order), _Job(loop, answer, kind, given, seconds, progress)))
        return await answer

    def close(self) -> None:
        """End all processes."""
        self._closed = True
        for _ in self._threads:
            self._jobs.put((-1, next(self._order), None))
        for process in self._processes:
            if process is not None:
                process.end()

    def _serve(self, k: int) -> None:
        """The life of one worker."""
        with suppress(OSError):
            self._processes[k] = _Process()
        while not self._closed:
            job = self._jobs.get()[2]
            if job is None:
                return
            if job.answer.cancelled():
                continue
            process = self._processes[k]
            try:
                if process is None or process.has_ended:
                    self._processes[k] = process = _Process()
                job.settle(process.do(job))
            except Exception as problem:
                job.settle(problem if isinstance(problem, BotFailed) else BotFailed(f"nobody could think: {problem}"))


class _Job:
    def __init__(
        self, loop: asyncio.AbstractEventLoop, answer: asyncio.Future[Any], kind: str, given: Any, seconds: float,
        progress: Progress | None,
    ) -> None:  # fmt: skip
        self.loop, self.answer, self.kind, self.given = loop, answer, kind, given
        self.seconds, self.progress = seconds, progress

    def settle(self, result: Any) -> None:
        """Hand the result to whoever waits."""
        with suppress(RuntimeError):  # the loop has ended
            self.loop.call_soon_threadsafe(self._settle, result)

    def _settle(self, result: Any) -> None:
        if self.answer.done():
            return
        if isinstance(result, BaseException):
            self.answer.set_exception(result)
        else:
            self.answer.set_result(result)

    def tell(self, said: Any) -> None:
        """How far it is."""
        if self.progress is not None:
            with suppress(RuntimeError):
                self.loop.call_soon_threadsafe(self.progress, said)


class _Process:
    """One worker and the line to it."""

    def __init__(self) -> None:
        self.has_ended = self.is_ready = False
        ours, theirs = socket.socketpair()
        paths = json.dumps([path for path in sys.path if isinstance(path, str)])
        with theirs:
            self.process = subprocess.Popen(
                [sys.executable, "-P", "-c", START, paths, str(theirs.fileno())],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, pass_fds=(theirs.fileno(),),
                start_new_session=True, env={**os.environ, "NUMBA_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
            )  # fmt: skip
        self.line = Connection(ours.detach())

    def do(self, job: _Job) -> Any:
        """Send a job and wait for its answer."""
        try:
            if not self.is_ready and not (self.line.poll(STARTING) and self.line.recv()[0] == READY):
                self.end()
                return BotFailed("no process can be started to think")
            self.is_ready = True
            self.line.send((job.kind, job.given))
            while self.line.poll(job.seconds):
                kind, said = self.line.recv()
                if kind != SO_FAR:
                    return said if kind == DONE else BotFailed(said)
                job.tell(said)
        except (EOFError, OSError):
            self.end()
            return BotFailed("the process that was thinking has ended")
        self.end()
        return BotFailed(f"took longer than {job.seconds:g} s and was stopped")

    def end(self) -> None:
        """Close the line and end the process, with whatever it has started."""
        if self.has_ended:
            return
        self.has_ended = True
        with suppress(OSError):
            self.line.close()
        with suppress(OSError):
            os.killpg(self.process.pid, 9)
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(5)
