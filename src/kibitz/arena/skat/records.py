"""Recorded games as final states."""

from __future__ import annotations

from kibitz.core.errors import BadRecord
from kibitz.core.game import State
from kibitz.core.record import Record, last_position
from kibitz.games.skat.state import CONTRACT, DECLARED, IS_RAMSCH, NOBODY
from kibitz.search.skat.inference.history import cards_played


def final_state(record: Record) -> State:
    """The state at the end of a record of Skat."""
    if record.game.split("-")[0] != "skat":
        raise BadRecord(f"it is a game of {record.game}, not of Skat")
    return last_position(record).state


def is_usable(s: State) -> bool:
    """Whether cards were played in a game with a declarer."""
    is_declared = s[CONTRACT] != NOBODY and s[DECLARED] != NOBODY
    return bool(is_declared and not s[IS_RAMSCH] and cards_played(s) > 0)
