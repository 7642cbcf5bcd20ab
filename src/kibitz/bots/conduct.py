"""What a bot may answer, how long it may take, and what is said of one that does otherwise."""

from __future__ import annotations

import signal
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.core.plain_text import one_line
from kibitz.core.policy import Actions
from kibitz.core.view import View, Views

LONGEST_REASON = 300
LONGEST_WORDS = 200
AGAIN = 0.05
"""Seconds after which a bot that did not heed the alarm hears it once more."""


class TooSlow(BaseException):
    """A bot's time for one move is up; no Exception, so that `except Exception` in the bot does not swallow it."""


class NoMove(TypeError):
    """A bot's answer is not a whole number."""


def whole(choice: Any) -> int:
    """The action a bot chose; only Python's and NumPy's whole numbers are one."""
    if isinstance(choice, bool) or not isinstance(choice, int | np.integer):
        raise NoMove(f"chose {_words(repr, choice)}, which is no whole number")
    number = int(choice)
    if not -(2**63) <= number < 2**63:
        raise NoMove("chose a whole number beyond all actions")
    return number


def numbers(choices: Any, count: int) -> Actions:
    """The actions a bot chose for so many views."""
    if not isinstance(choices, np.ndarray):
        choices = np.array([whole(choice) for choice in choices], np.int64)
    if choices.shape != (count,) or choices.dtype.kind not in "iu":
        raise NoMove(f"chose {choices.dtype} of shape {choices.shape} where {count} whole numbers were wanted")
    return choices.astype(np.int64)


def timed(act: Callable[[View], Any], view: View, seconds: float | None) -> int:
    """The action chosen at one view within the time for it; TooSlow otherwise."""
    if seconds is None:
        return whole(act(view))
    start = time.perf_counter()
    with _alarm(seconds):
        action = whole(act(view))
    taken = time.perf_counter() - start
    if taken > seconds:
        raise TooSlow(f"took {taken:.2f} s for a move; {seconds:g} s are allowed")
    return action


@contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    """Break off what is still running after so many seconds, where signals can (main thread, not Windows)."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    live = [True]

    def ring(*_: Any) -> None:
        if live:  # a late ring must not fall upon whoever comes after the bot
            raise TooSlow(f"took longer than the {seconds:g} s allowed for a move")

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds, AGAIN)
    try:
        try:
            yield
        finally:
            live.clear()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def illegal(views: Views, masks: NDArray[np.bool_], actions: Actions, reasons: dict[int, str], where: str = "") -> None:
    """Add a reason for each action that the masks forbid; they are copies no bot has had in hand."""
    in_range = (actions >= 0) & (actions < masks.shape[1])
    legal = in_range & masks[np.arange(len(actions)), np.where(in_range, actions, 0)]
    words = views.game.words.ACTION_WORDS
    for i in map(int, np.flatnonzero(~legal)):
        if i not in reasons:
            action = int(actions[i])
            word = words[action] if 0 <= action < len(words) else f"action {action}"
            allowed = " ".join(words[k] for k in np.flatnonzero(masks[i]))
            reasons[i] = f"chose {word}, which is illegal: legal are {allowed}"[:LONGEST_REASON] + where


def raised(problem: BaseException, bot: Any) -> str:
    """What a bot did instead of moving, with the file and line where it did."""
    said = _words(str, problem) if isinstance(problem, TooSlow | NoMove) else f"raised {described(problem)}"
    return said[:LONGEST_REASON] + _line_of(problem, bot)


def described(problem: BaseException) -> str:
    """An exception as one line: its name and what it says."""
    said = _words(str, problem)
    return _words(lambda kind: kind.__name__, type(problem)) + (f": {said}" if said else "")


def innermost(problem: BaseException) -> str:
    """The file and line in which something was raised, or that could not be read."""
    if isinstance(problem, SyntaxError) and problem.filename:
        return _place(problem.filename, problem.lineno or 0)
    frames = [
        frame for frame in traceback.extract_tb(problem.__traceback__) if not frame.filename.startswith("<frozen")
    ]
    return _place(frames[-1].filename, frames[-1].lineno or 0) if frames else ""


def home(bot: Any) -> tuple[str, int]:
    """The file of a bot's class and the line at which it begins to think, or nothing and 0."""
    act = getattr(type(bot), "act", None)
    code = getattr(getattr(act, "__wrapped__", act), "__code__", None)
    return (code.co_filename, code.co_firstlineno) if code else ("", 0)


def at_home(bot: Any) -> str:
    """Where a bot begins to think, for reasons that have no other place."""
    return _place(*home(bot))


def _line_of(problem: BaseException, bot: Any) -> str:
    """The innermost line in the bot's own file; for an answer that is no move, where it began to think."""
    file, line = home(bot)
    frames = [(frame.f_code.co_filename, at) for frame, at in traceback.walk_tb(problem.__traceback__)]
    inside = [at for name, at in frames if name == file]
    return _place(file, inside[-1] if inside else line)


def _place(file: str, line: int) -> str:
    return f" ({one_line(Path(file).name)}, line {line})" if file else ""


def _words(tell: Callable[[Any], str], thing: Any) -> str:
    """What str or repr has to say, if it says anything at all."""
    try:
        text = tell(thing)
        return one_line(text[: 4 * LONGEST_WORDS])[:LONGEST_WORDS]
    except KeyboardInterrupt:
        raise
    except BaseException:
        return f"a {one_line(type(thing).__name__)} that cannot be put into words"
