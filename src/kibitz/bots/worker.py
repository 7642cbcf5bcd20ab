"""The process in which a bot of somebody else's lives, or one that searches:
it is sent views and answers with actions until the line closes.

Requests are pickled, for this side trusts the other;
answers are plain bytes, for the other side does not trust this one.
"""

from __future__ import annotations

import importlib
import json
import os
import pickle
import signal
import socket
import struct
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from kibitz.bots import GENERAL, conduct
from kibitz.bots.own import made
from kibitz.bots.preparing import expected, preparing
from kibitz.core.errors import KibitzError
from kibitz.core.game import Game
from kibitz.core.policy import Bot, OneByOne, Policy
from kibitz.core.view import View, Views

HEAD = struct.Struct("<cI")
"""Before every answer: what kind it is and how many bytes follow."""
READY, REFUSED, ONE, ALL, NUMBERS, FAILED = b"h", b"n", b"1", b"a", b"f", b"!"
SIZE = struct.Struct("<Q")
"""Before every request: how many bytes follow."""
OWN = GENERAL["python"][0]
PARCEL = 0.01
"""Seconds for which answers may be held back to be sent together."""


def serve(line: int, life: int) -> None:
    """Make the bot that the first request names, say that it is ready, and answer."""
    with suppress(ValueError):
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that plays the games
    _end_with_parent(life)
    with socket.socket(fileno=line) as channel:
        game, spec, argument, knobs, practice = _request(channel)
        try:
            bot = _made(game, spec, argument, knobs, practice)
        except BaseException as problem:
            words = str(problem) if isinstance(problem, KibitzError) else f"{spec}: {conduct.described(problem)}"
            _say(channel, REFUSED, words.encode("utf-8", "backslashreplace"))
            return
        _say(channel, READY, json.dumps(_about(bot)).encode())
        with suppress(EOFError, OSError):
            while True:
                kind, seconds, *arrays = _request(channel)
                _answer(channel, bot, kind, seconds, Views(game, *arrays))


def _made(
    game: Game, spec: str, argument: str, knobs: Mapping[str, str], practice: Sequence[View] | None = None
) -> Bot:
    """A bot of somebody's own, or one of kibitz's that is to be quick:
    that one is compiled before it says that it is ready."""
    home, _ = GENERAL[spec.split(":")[0]]
    if home == OWN:
        return made(game, spec, argument, knobs)
    module = importlib.import_module(home)
    if module.needs_loops_only(argument):
        from kibitz.core.dispatching import compile_loops_only

        compile_loops_only()
    bot: Bot = module.seat(game, spec, argument, knobs)
    with preparing(f"{spec} for {game.name}", expected(game)):
        bot.prepare(practice)  # type: ignore[attr-defined]  # what is seated here can
    return bot


def _about(bot: Any) -> dict[str, Any]:
    inner = getattr(bot, "inner", bot)
    return {
        "where": conduct.at_home(inner),
        "one_by_one": isinstance(bot, OneByOne),
        "probabilities": isinstance(inner, Policy),
        "values": callable(getattr(inner, "values", None)),
        "imagined": callable(getattr(inner, "imagined", None)),
    }


def _answer(channel: socket.socket, bot: Any, kind: str, seconds: float | None, views: Views) -> None:
    inner = getattr(bot, "inner", bot)
    if kind in ("each", "wary"):
        _answer_each(channel, inner, views, seconds, kind == "wary")
        return
    try:
        if kind == "all":
            _say(channel, ALL, conduct.numbers(inner.act_batch(views), len(views)).tobytes())
        else:
            given = inner.probabilities(views) if kind == "probabilities" else getattr(inner, kind)(views[0])
            _say(channel, NUMBERS, np.asarray(given, np.float64).tobytes())
    except BaseException as problem:
        _say(channel, FAILED, _reason(problem, inner))


def _answer_each(channel: socket.socket, bot: Any, views: Views, seconds: float | None, is_wary: bool) -> None:
    """One answer per view: at once if the other side is wary, otherwise several in a parcel."""
    parcel = bytearray()
    sent = time.monotonic()
    for view in views:
        try:
            action = conduct.timed(bot.act, view, seconds)
            parcel += HEAD.pack(ONE, 8) + action.to_bytes(8, "little", signed=True)
        except BaseException as problem:
            reason = _reason(problem, bot)
            parcel += HEAD.pack(FAILED, len(reason)) + reason
        if is_wary or time.monotonic() > sent + PARCEL:
            channel.sendall(parcel)
            parcel.clear()
            sent = time.monotonic()
    channel.sendall(parcel)


def _reason(problem: BaseException, bot: Any) -> bytes:
    return conduct.raised(problem, bot).encode()


def _say(channel: socket.socket, kind: bytes, text: bytes) -> None:
    channel.sendall(HEAD.pack(kind, len(text)) + text)


def _request(channel: socket.socket) -> Any:
    (size,) = SIZE.unpack(_exactly(channel, SIZE.size))
    return pickle.loads(_exactly(channel, size))


def _exactly(channel: socket.socket, count: int) -> bytearray:
    got = bytearray(count)
    at = 0
    while at < count:
        more = channel.recv_into(memoryview(got)[at:])
        if not more:
            raise EOFError
        at += more
    return got


def _end_with_parent(life: int) -> None:
    """End this process and all it started when the parent's end of a pipe closes, even in the middle of a call to C.

    Nothing is ever written to that pipe, so the first signal about it means that the parent has gone;
    by default it kills.
    """
    with suppress(ImportError, OSError, AttributeError):
        import fcntl

        signal.signal(signal.SIGIO, signal.SIG_DFL)
        fcntl.fcntl(life, fcntl.F_SETOWN, -os.getpgrp())
        fcntl.fcntl(life, fcntl.F_SETFL, fcntl.fcntl(life, fcntl.F_GETFL) | os.O_ASYNC)
