"""Cego, the whole game: announcements, auction, exchange by choice, play and payment; its rules are in games/cego/RULES.md."""

from __future__ import annotations

from kibitz.core.game import Option

VERSION = 1
ROLES = ("soloist", "defender")
OPTIONS = (
    Option("raeuber_tie", "first", ("first", "all"), "who loses a tied Räuber: the first in turn, or all who are tied"),
    Option("dealer", 3, range(4), "the seat that deals; the next one speaks first"),
    Option("contra_solo", "off", ("off", "on"), "whether the blind may be bid for against a Solo"),
    Option("compulsory_solo", "off", ("off", "on"), "whether a strong hand must announce its Solo"),
)
PRESETS: dict[str, dict[str, int | str]] = {"cego": {}}
ABOUT = {"cego": "Cego, the whole game: announcements, auction, exchange by choice, play and payment"}
