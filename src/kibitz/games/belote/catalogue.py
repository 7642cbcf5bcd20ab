"""Belote in German and French."""

from __future__ import annotations

from kibitz.games.tricks.catalogue import with_own

SENTENCES = with_own(
    {"Belote, {} turned up": "Belote, {} aufgedeckt"}, {"Belote, {} turned up": "Belote, {} retournée"}
)
