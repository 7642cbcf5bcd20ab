"""Hearts in German and French."""

from __future__ import annotations

from kibitz.games.tricks.catalogue import with_own

SENTENCES = with_own(
    {
        "Hearts, {}": "Hearts, {}",
        "left": "nach links",
        "right": "nach rechts",
        "across": "gegenüber",
        "keep": "behalten",
    },
    {"Hearts, {}": "Hearts, {}", "left": "à gauche", "right": "à droite", "across": "en face", "keep": "garder"},
)
