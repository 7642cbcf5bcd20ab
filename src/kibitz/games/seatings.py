"""How a match of two bots is seated where partners sit opposite each other."""

from __future__ import annotations

from collections.abc import Mapping

from kibitz.core.game import Value


def seatings(values: Mapping[str, Value]) -> str:
    """Partners are of one kind."""
    return "teams"
