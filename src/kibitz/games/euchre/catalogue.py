"""Euchre in German and French."""

from __future__ import annotations

from kibitz.games.tricks.catalogue import with_own

SENTENCES = with_own(
    {"Euchre, {} turned up": "Euchre, {} aufgedeckt", "alone": "allein", "together": "gemeinsam"},
    {"Euchre, {} turned up": "Euchre, {} retournée", "alone": "seul", "together": "ensemble"},
)
