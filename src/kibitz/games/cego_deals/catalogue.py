"""The sub-games of Cego in German and French: as the whole game."""

from __future__ import annotations

from kibitz.games.cego.catalogue import SENTENCES

__all__ = ["SENTENCES"]
