"""Records that somebody opens in the browser: ours and those of other programs, and any moment of them as a scene."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from kibitz.core.errors import BadInput, BadRecord
from kibitz.core.offers import offered_by, packages
from kibitz.core.position import Position
from kibitz.core.record import Record, play, read_record
from kibitz.core.scene import open_scene, scene, score_lines, spoken
from kibitz.core.telling import told

MOST_RECORDS = 10_000
Reader = Callable[[Iterator[str]], Iterator[Record]]


def read_text(text: str, skipped: Callable[[str], None] = lambda problem: None) -> list[Record]:
    """The records of a text: lines of our own, or of another program that one of the games can read."""
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines:
        raise BadRecord("there is nothing in it: a file of records has a game on each line")
    foreign = _foreign(lines[0])
    if foreign is not None:
        found = list(foreign(iter(lines[:MOST_RECORDS])))
        if not found:
            raise BadRecord("none of its games can be replayed")
        return found
    found = []
    for number, line in enumerate(lines[:MOST_RECORDS], 1):
        try:
            found.append(read_record(line))
        except BadRecord as problem:
            if not found and number == len(lines[:MOST_RECORDS]):
                raise
            skipped(f"line {number}: {problem}")
    if not found:
        raise BadRecord("there is no record in it: a file of records has a game on each line")
    return found


def read_file(path: Path) -> list[Record]:
    """The records of a file."""
    try:
        raw = path.read_bytes()
    except OSError as problem:
        raise BadInput(f"{path} cannot be read: {problem.strerror}") from None
    try:
        return read_text(raw.decode())
    except UnicodeDecodeError:
        return read_text(raw.decode("latin-1"))


def _foreign(line: str) -> Reader | None:
    """The reader of a game that knows lines like this one: its part of the arena has RECORD_READERS, by how lines
    begin."""
    for package in packages():
        readers: dict[str, str] = offered_by(package, "ARENA", "RECORD_READERS", {})
        for start, home in readers.items():
            if line.lstrip().startswith(start):
                read: Reader = importlib.import_module(home).read_records
                return read
    return None


def about(record: Record) -> dict[str, Any]:
    """What a list of records says about one."""
    return {"game": record.game, "seats": record.seats, "moves": len(record.ids), "returns": record.returns}


def frame(record: Record, ply: int, seat: int | None, lang: str) -> dict[str, Any]:
    """One moment of a record as a seat saw it, or with all cards open."""
    if not 0 <= ply <= len(record.ids):
        raise BadInput(f"there is no move {ply}: the game has {len(record.ids)}")
    log: list[dict[str, Any]] = []
    position: Position | None = None
    for place, now in play(record):
        position = now
        if place == ply:
            break
        before, mover, game = now.state.copy(), now.turn, now.game
        tongue = spoken(game, lang)
        after = before.copy()
        game.step(after, record.ids[place])
        text = record.actions[place] if seat is None or mover < 0 else told(game, before, after, seat, mover, tongue)
        log.append({"seat": mover, "text": text})
    assert position is not None
    tongue = spoken(position.game, lang)
    if seat is None or (position.is_over and ply == len(record.ids)):
        shown = open_scene(position, tongue) | {"seat": seat}
    else:
        shown = scene(position.view(seat), tongue)
    found = {
        "type": "frame", "tongue": tongue, "ply": ply, "of": len(record.ids), "scene": shown, "log": log[-400:],
        "players": record.seats, "game": record.game, "title": position.game.title,
        "next": record.actions[ply] if ply < len(record.ids) else None,
    }  # fmt: skip
    if position.is_over:
        found["end"] = {"returns": position.returns(), "lines": score_lines(position, tongue)}
    return found
