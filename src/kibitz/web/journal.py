"""The journal of a table: one line of JSON for everything that happened, written before anybody is told of it.

A file is only ever added to. Each line goes to the system in one write, so that it survives the end of the process
whatever its kind; the disk is asked to keep it once a deal is over (decision 0014 has the measurements).
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from kibitz.core.errors import BadRecord
from kibitz.core.rng import MOST_SEED
from kibitz.core.schema import OPTIONS, Either, Fields, Flag, Listed, Number, Part, Text, Whole, line, read_json

Event = dict[str, Any]

TOKEN = Text(64, pattern="[0-9a-f]{32}", right="a token of 32 hexadecimal digits")
PLAYER = Fields({"kind": Text(10, among=("person", "bot")), "name": Text(60), "spec": Text(300), "token": TOKEN})
EVENTS: dict[str, Part] = {
    "table": Fields({
        "e": Text(10), "id": Text(40), "game": line(100), "options": OPTIONS, "watch": TOKEN,
        "players": Listed(PLAYER, 1, 64), "pace": Number(0, 5), "open": Flag(),
    }),
    "deal": Fields({
        "e": Text(10), "seed": Either((Whole(0, MOST_SEED),), "a seed"), "salt": Text(64), "options": OPTIONS,
        "seats": Listed(Whole(0, 63), 1, 64), "counts": Flag(),
    }),
    "move": Fields({"e": Text(10), "n": Whole(), "a": Whole(0, 2**31), "who": Whole(-1, 63)}),
    "back": Fields({"e": Text(10), "n": Whole()}),
    "player": Fields({"e": Text(10), "k": Whole(0, 63), "player": PLAYER}),
    "end": Fields({"e": Text(10), "line": Listed(Number(), 1, 64), "other": Listed(Number(), 0, 64)}),
    "same": Fields({"e": Text(10), "deal": Whole(), "bot": Text(300), "value": Number()}),
    "set": Fields({"e": Text(10), "pace": Number(0, 5), "open": Flag()}),
    "closed": Fields({"e": Text(10)}),
}  # fmt: skip
"""What a line may hold, by its kind."""


class Journal:
    """The file of one table, to be added to."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)

    def write(self, **event: Any) -> None:
        """Add an event; once this returns it survives the process."""
        text = json.dumps(event, separators=(",", ":"), ensure_ascii=True) + "\n"
        fd = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(fd, text.encode())
            if event["e"] in ("table", "deal", "end"):
                os.fsync(fd)
        finally:
            os.close(fd)

    def remove(self) -> None:
        """Forget the table."""
        with suppress(FileNotFoundError):
            self.path.unlink()


def read_events(path: Path, report: Callable[[str], None]) -> Iterator[Event]:
    """What a journal holds; a line that is damaged is named and left out."""
    with open(path, encoding="utf-8", errors="replace") as lines:
        for number, text in enumerate(lines, 1):
            try:
                data = read_json(text)
                kind = data.get("e") if isinstance(data, dict) else None
                if kind not in EVENTS:
                    raise BadRecord(f"it is no event: {', '.join(EVENTS)} are")
                EVENTS[kind].check(data, "")
                yield data
            except BadRecord as problem:
                report(f"{path.name} line {number} skipped: {problem}")
