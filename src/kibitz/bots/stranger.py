"""A bot of somebody else's in a process of its own: whatever it does there, the games here go on.

It may raise, leave, hang inside a call to C or crash: it is named with its file and line, killed where it must be, and
started afresh for the next move. What it prints goes to stderr. Decision 0010 has the measurements.
"""

from __future__ import annotations

import json
import os
import pickle
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.bots.conduct import LONGEST_REASON, illegal
from kibitz.bots.worker import ALL, FAILED, HEAD, NUMBERS, ONE, READY, REFUSED, SIZE
from kibitz.core.errors import BadInput, BotFailed
from kibitz.core.game import Game
from kibitz.core.plain_text import one_line
from kibitz.core.policy import Actions, OneByOne, Speaking
from kibitz.core.view import View, Views

LOADING = 600.0
"""Seconds in which a bot must be ready to play."""
PATIENCE = 600.0
"""Seconds for a move, or for the moves of a batch that are decided together, where no time is set."""
GRACE = 1.0
"""Seconds beyond the time for a move after which a bot that does not heed the alarm is killed."""
MOST_DEATHS = 16
"""A bot that has to be started afresh more often is given up."""
LONGEST_ANSWER = 1 << 26
GIBBERISH = "answered with what cannot be understood"

SMALL = {"OPENBLAS_NUM_THREADS": "1"}
"""For a bot that searches: threads would take longer to find each other than its small networks take to compute."""

START = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); from kibitz.bots.worker import serve; serve(*map(int, "
    "sys.argv[2:]))"
)


class _Gone(Exception):
    """The process has ended, was killed, or said what cannot be understood."""


class Stranger(Speaking):
    """Plays as the bot in the other process does; an answer that is no legal action never gets past `ask`."""

    def __init__(self, name: str, process: _Process) -> None:
        self.name, self.deaths = name, 0
        self._lock = threading.Lock()
        self._adopt(process)
        about = process.about
        self.where = str(about["where"])
        """Where in its file the bot begins to think."""
        if about["probabilities"]:
            self.probabilities = self._probabilities
        if about["values"]:
            self.values = self._values
        if about["imagined"]:
            self.imagined = self._imagined

    def __reduce__(self) -> tuple[Any, ...]:
        return meet, self._process.made_of

    def act(self, view: View) -> int:
        """The action chosen at one view."""
        return int(self.act_batch(_alone(view))[0])

    def act_batch(self, views: Views) -> Actions:
        """The actions chosen at many views; BotFailed at the first that is none."""
        actions, reasons = self.ask(views)
        if reasons:
            raise BotFailed(f"{self.name} in seat {views.seats[min(reasons)]} {reasons[min(reasons)]}")
        return actions

    def ask(self, views: Views, seconds: float | None = None) -> tuple[Actions, dict[int, str]]:
        """The actions at many views, and for each view at which the bot failed the reason."""
        with self._lock:
            actions = self._together(views) if seconds is None else None
            reasons: dict[int, str] = {}
            if actions is None:
                actions, reasons = self._one_by_one(views, seconds)
        illegal(views, views.masks, actions, reasons, self.where)
        return actions, reasons

    def _together(self, views: Views) -> Actions | None:
        """What the bot decides for all views at once; None if it does not, or fails: it is then asked one by one."""
        try:
            process = self._running()
            if process.about["one_by_one"]:
                return None
            process.send("all", None, views)
            kind, text = process.answer(PATIENCE)
        except _Gone as how:
            self._mourn((str(how) or f"took longer than {PATIENCE:g} s for its moves") + self.where)
            return None
        return _numbers(text, np.int64, (len(views),)) if kind == ALL else None

    def _one_by_one(self, views: Views, seconds: float | None) -> tuple[Actions, dict[int, str]]:
        """Ask for each view by itself; once the process has ended, with every answer sent at once,
        to see where it does."""
        actions = np.full(len(views), -1, np.int64)
        reasons: dict[int, str] = {}
        limit = PATIENCE if seconds is None else seconds
        at, is_wary = 0, seconds is not None
        while at < len(views):
            process = self._running()
            try:
                process.send("wary" if is_wary else "each", seconds, views.pick(np.arange(at, len(views))))
                while at < len(views):
                    kind, text = process.answer(limit + GRACE)
                    if kind == FAILED:
                        reasons[at] = one_line(text.decode("utf-8", "replace"))[:LONGEST_REASON]
                    elif kind == ONE and len(text) == 8:
                        actions[at] = int.from_bytes(text, "little", signed=True)
                    else:
                        process.end()
                        raise _Gone(GIBBERISH)
                    at += 1
            except _Gone as how:
                reason = str(how) or f"took longer than the {limit:g} s allowed for a move and had to be killed"
                if is_wary:
                    reasons[at] = reason + self.where
                    at += 1
                is_wary = True
                self._mourn(reason + self.where)
        return actions, reasons

    def _mourn(self, reason: str) -> None:
        self.deaths += 1
        if self.deaths > MOST_DEATHS:
            raise BotFailed(f"{self.name} {reason}; it was started afresh {MOST_DEATHS} times and is given up")

    def _probabilities(self, views: Views) -> NDArray[np.float64]:
        return self._told("probabilities", views, views.masks.shape)

    def _values(self, view: View) -> NDArray[np.float64]:
        return self._told("values", _alone(view), view.mask.shape)

    def _imagined(self, view: View) -> NDArray[np.float64]:
        return self._told("imagined", _alone(view), (1 + len(view.mask),))

    def _told(self, kind: str, views: Views, shape: tuple[int, ...]) -> NDArray[np.float64]:
        with self._lock:
            try:
                process = self._running()
                process.send(kind, None, views)
                said, text = process.answer(PATIENCE)
            except _Gone as how:
                raise BotFailed(f"{self.name} {how}{self.where}") from None
        found = _numbers(text, np.float64, shape) if said == NUMBERS else None
        if found is None:
            reason = one_line(text.decode("utf-8", "replace")) if said == FAILED else f"gave no {kind} of shape {shape}"
            raise BotFailed(f"{self.name} {reason}")
        return found

    def _running(self) -> _Process:
        """The process, started afresh if it has ended."""
        if self._process.has_ended:
            self._adopt(_Process(*self._process.made_of))
        return self._process

    def _adopt(self, process: _Process) -> None:
        self._process = process
        weakref.finalize(self, process.end, 1.0)


class OneByOneStranger(Stranger, OneByOne):
    """One that thinks about a view at a time."""


def meet(
    game: Game, spec: str, argument: str, knobs: Mapping[str, str], practice: Sequence[View] | None = None
) -> Stranger:
    """The bot of a spec in a process of its own, ready to play; one of kibitz's is compiled at views, if they are given
    for that."""
    process = _Process(game, spec, argument, dict(knobs), practice)
    return (OneByOneStranger if process.about["one_by_one"] else Stranger)(spec, process)


class _Process:
    """One process with a bot in it, and the line to it."""

    def __init__(
        self,
        game: Game,
        name: str,
        argument: str,
        knobs: Mapping[str, str],
        practice: Sequence[View] | None = None,
    ) -> None:
        self.made_of = (game, name, argument, knobs)
        self.has_ended = False
        self.held = bytearray()
        self.line, theirs = socket.socketpair()
        life, self.life = os.pipe()
        paths = json.dumps([path for path in sys.path if isinstance(path, str)])
        try:
            with theirs:
                self.process = subprocess.Popen(
                    [sys.executable, "-P", "-c", START, paths, str(theirs.fileno()), str(life)],
                    stdin=subprocess.DEVNULL, stdout=_stderr(), pass_fds=(theirs.fileno(), life),
                    start_new_session=True, env=os.environ if practice is None else {**os.environ, **SMALL},
                )  # fmt: skip
        except BaseException:
            os.close(self.life)
            self.line.close()
            raise
        finally:
            os.close(life)
        try:
            self._send((*self.made_of, practice))
            kind, text = self.answer(LOADING)
        except _Gone as how:
            slow = f"was not ready to play within {LOADING:g} s"
            raise BotFailed(f"{name} {str(how) or slow} while it was loaded") from None
        if kind == REFUSED:
            self.end(1.0)
            raise BadInput(one_line(text.decode("utf-8", "replace")))
        try:
            self.about: dict[str, Any] = dict(json.loads(text)) if kind == READY else {}
        except ValueError:
            self.about = {}
        if not {"where", "one_by_one", "probabilities", "values", "imagined"} <= set(self.about):
            self.end()
            raise BotFailed(f"{name} {GIBBERISH} while it was loaded")

    def send(self, kind: str, seconds: float | None, views: Views) -> None:
        """Ask about views."""
        self._send((kind, seconds, views.seats, views.states, views.masks, views.rngs))

    def _send(self, request: Any) -> None:
        text = pickle.dumps(request, 5)
        with self._or_end():
            self.line.settimeout(PATIENCE)
            self.line.sendall(SIZE.pack(len(text)) + text)

    def answer(self, limit: float) -> tuple[bytes, bytes]:
        """The next answer, and its kind; _Gone without a word if none comes in time."""
        held = self.held
        if len(held) < HEAD.size:
            self._fill(HEAD.size, limit)
        kind, size = HEAD.unpack_from(held)
        if len(held) < HEAD.size + size:
            self._fill(HEAD.size + size, limit)
        text = bytes(held[HEAD.size : HEAD.size + size])
        del held[: HEAD.size + size]
        return kind, text

    def _fill(self, count: int, limit: float) -> None:
        """Read until so many bytes are there."""
        with self._or_end():
            end = time.monotonic() + limit
            if count > LONGEST_ANSWER:
                raise struct.error
            while len(self.held) < count:
                self.line.settimeout(max(0.001, end - time.monotonic()))
                more = self.line.recv(1 << 16)
                if not more:
                    raise EOFError
                self.held += more

    @contextmanager
    def _or_end(self) -> Iterator[None]:
        """Let nothing that goes wrong on the line leave the process behind:
        the next answer would be to the last question."""
        try:
            yield
        except TimeoutError:
            self.end()
            raise _Gone from None
        except (EOFError, OSError):
            raise _Gone(self.end(GRACE)) from None
        except struct.error:
            self.end()
            raise _Gone(GIBBERISH) from None
        except BaseException:
            self.end()
            raise

    def end(self, patience: float = 0.0) -> str:
        """Close the line, kill what does not leave by itself, and say how it ended."""
        if self.has_ended:
            return ""
        self.has_ended = True
        self.line.close()
        code: int | None = None
        try:
            with suppress(subprocess.TimeoutExpired):
                code = self.process.wait(patience)
        finally:
            with suppress(OSError):  # what the bot has started goes with it
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            os.close(self.life)
        if code is None:
            return "closed the line to its process"
        return f"ended its process with exit code {code}" if code >= 0 else f"died of {_signal(-code)}"


def _numbers(text: bytes, kind: type, shape: tuple[int, ...]) -> Any:
    """An array from its bytes, or None if they are not as many as it takes."""
    if len(text) != int(np.prod(shape)) * np.dtype(kind).itemsize:
        return None
    return np.frombuffer(text, kind).reshape(shape).copy()


def _alone(view: View) -> Views:
    return Views(view.game, np.array([view.seat]), view.state[None], view.mask[None], view.rng[None])


def _stderr() -> int:
    """Where a bot's stdout goes: to our stderr, if we have one."""
    try:
        os.fstat(2)
    except OSError:
        return subprocess.DEVNULL
    return 2


def _signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
