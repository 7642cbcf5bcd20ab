"""Kuhn poker for two to four players."""

from kibitz.core.game import Option

VERSION = 1
OPTIONS = (Option("players", 2, range(2, 5), "seats at the table; the deck has one card more", size=True),)
PRESETS: dict[str, dict[str, int | str]] = {"kuhn": {}}
