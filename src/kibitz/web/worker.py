"""A process that thinks for tables: it is sent jobs, one at a time, and answers;
views alone tell it what a seat knows."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any

from kibitz.bots.conduct import described
from kibitz.core.errors import KibitzError

READY, DONE, FAILED, SO_FAR = "ready", "done", "failed", "so far"
NICENESS = 2


def serve(line: int) -> None:
    """Answer until the line closes."""
    with suppress(ValueError):
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which closes the line
    with suppress(OSError):
        os.nice(NICENESS)
    from kibitz.web import jobs

    with suppress(EOFError, OSError), Connection(line) as channel:
        channel.send((READY, None))
        while True:
            kind, given = channel.recv()
            try:
                answer = (DONE, getattr(jobs, kind)(lambda said: channel.send((SO_FAR, said)), *given))
            except KibitzError as problem:
                answer = (FAILED, str(problem))
            except Exception as problem:
                answer = (FAILED, described(problem))
            channel.send(answer)


Progress = Any
"""A function that is told how far a job is."""
