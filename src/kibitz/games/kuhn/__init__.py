"""Kuhn poker for two to four players."""

from collections.abc import Mapping

from kibitz.core.game import Option, Payoffs, Value

VERSION = 1
OPTIONS = (Option("players", 2, range(2, 5), "seats at the table; the deck has one card more", size=True),)
PRESETS: dict[str, dict[str, int | str]] = {"kuhn": {}}


def payoffs(values: Mapping[str, Value]) -> Payoffs:
    """Ante and bet are lost, or won from everybody else (rules 5 and 6)."""
    return Payoffs(-2.0, 2.0 * (int(values["players"]) - 1), 0.0)
