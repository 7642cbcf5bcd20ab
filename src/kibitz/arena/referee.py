"""Asks bots for their actions and notes who raised, chose what is not legal, or took too long."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from kibitz.bots import CompiledBot
from kibitz.core.policy import Actions, Bot
from kibitz.core.view import View, Views

LONGEST_REASON = 300


class TooSlow(Exception):
    """A bot's time for one move is up."""


def ask(bot: Bot, look: Callable[[], Views], move_time: float | None) -> tuple[Actions, dict[int, str]]:
    """The actions of a bot at many views, and for each view at which it failed the reason.

    `look` gives fresh views: a bot that raises for the whole batch is asked again, one view at a time, to find out where.
    """
    views = look()
    if move_time is None or isinstance(bot, CompiledBot):
        try:
            actions = _numbers(bot.act_batch(views), len(views))
        except Exception:
            return _one_by_one(bot, look(), None)
        return _check(actions, views, {})
    return _one_by_one(bot, views, move_time)


def _one_by_one(bot: Bot, views: Views, move_time: float | None) -> tuple[Actions, dict[int, str]]:
    actions = np.full(len(views), -1, np.int64)
    reasons: dict[int, str] = {}
    for i, view in enumerate(views):
        try:
            actions[i] = _timed(bot, view, move_time)
        except TooSlow as slow:
            reasons[i] = str(slow)
        except Exception as problem:
            reasons[i] = f"raised {type(problem).__name__}: {problem}"[:LONGEST_REASON]
    return _check(actions, views, reasons)


def _timed(bot: Bot, view: View, move_time: float | None) -> int:
    if move_time is None:
        return int(bot.act(view))
    start = time.perf_counter()
    with _alarm(move_time):
        action = int(bot.act(view))
    taken = time.perf_counter() - start
    if taken > move_time:
        raise TooSlow(f"took {taken:.2f} s for a move; {move_time:g} s are allowed")
    return action


@contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    """Break off what is still running after so many seconds, where signals can (main thread, not Windows)."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def ring(*_: Any) -> None:
        raise TooSlow(f"took longer than the {seconds:g} s allowed for a move")

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _numbers(actions: Any, count: int) -> Actions:
    numbers = np.asarray(actions)
    if numbers.shape != (count,) or numbers.dtype.kind not in "iu":
        raise TypeError(f"{count} whole numbers were wanted, not {numbers.dtype} of shape {numbers.shape}")
    return numbers.astype(np.int64)


def _check(actions: Actions, views: Views, reasons: dict[int, str]) -> tuple[Actions, dict[int, str]]:
    in_range = (actions >= 0) & (actions < views.masks.shape[1])
    legal = in_range & views.masks[np.arange(len(actions)), np.where(in_range, actions, 0)]
    for i in np.flatnonzero(~legal):
        if int(i) not in reasons:
            reasons[int(i)] = _illegal(views[int(i)], int(actions[i]))
    return actions, reasons


def _illegal(view: View, action: int) -> str:
    words = view.game.words.ACTION_WORDS
    word = words[action] if 0 <= action < len(words) else f"action {action}"
    return f"chose {word}, which is illegal: legal are {' '.join(words[legal] for legal in view.legal())}"[
        :LONGEST_REASON
    ]
