"""Leduc poker for two players: six cards, two betting rounds, one card on the board."""

VERSION = 1
OPTIONS = ()
PRESETS: dict[str, dict[str, int | str]] = {"leduc": {}}
