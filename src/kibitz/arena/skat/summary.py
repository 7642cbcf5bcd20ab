"""What is in an archive of the Internet Skat Server: games by type and result, players, days, and what was refused."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from kibitz.arena.skat.archive import CLASSES, kind_of_reason
from kibitz.arena.skat.reading import read_stretch
from kibitz.arena.skat.replay import PLAYED, SHORTENED
from kibitz.games.skat import state as at
from kibitz.games.skat.cards import ANNOUNCED, BIDS, HAND, KIND_WORDS, NULL, OUVERT

TYPES = (*KIND_WORDS, "null ouvert")
SHOWN = 20
"""Players and reasons that are named."""
COLUMNS = ("games", "won", "shortened", "hand", "value", "bid", "points")
"""What is summed of every type: games, those won and broken off, from the hand, game values, bids, card points."""


@dataclass
class Summary:
    """Counts that can be added up."""

    classes: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    players: Counter[str] = field(default_factory=Counter)
    years: Counter[int] = field(default_factory=Counter)
    types: Any = field(default_factory=lambda: np.zeros((len(TYPES), len(COLUMNS)), np.int64))
    """[types, COLUMNS]"""
    rated: int = 0
    """Records with a rating of some player."""

    def add(self, other: Summary) -> None:
        """Count another part of the archive too."""
        for name in ("classes", "refused", "players", "years"):
            getattr(self, name).update(getattr(other, name))
        self.types += other.types
        self.rated += other.rated

    def facts(self) -> dict[str, Any]:
        """As plain data."""
        rows = []
        for name, row in zip(TYPES, self.types.tolist(), strict=True):
            games = max(1, row[0])
            rows.append({
                "type": name, "games": row[0], "won": row[1] / games, "shortened": row[2], "hand": row[3],
                "mean_value": row[4] / games, "mean_bid": row[5] / games, "mean_points": row[6] / games,
            })  # fmt: skip
        games = int(self.types[:, 0].sum())
        return {
            "records": self.classes.total(), "classes": {name: self.classes[name] for name in CLASSES},
            "declared": games, "won": int(self.types[:, 1].sum()) / max(1, games), "types": rows,
            "players": len(self.players), "most_games": dict(self.players.most_common(SHOWN)),
            "years": {str(year): count for year, count in sorted(self.years.items()) if year},
            "without_date": self.years[0], "rated": self.rated, "refused": dict(self.refused.most_common(SHOWN)),
        }  # fmt: skip


def summarise(text: bytes) -> Summary:
    """What is in a stretch of an archive."""
    found = read_stretch(text)
    made = Summary()
    counts = np.bincount(found.status, minlength=len(CLASSES)).tolist()
    made.classes.update({name: count for name, count in zip(CLASSES, counts, strict=True) if count})
    made.refused.update(kind_of_reason(reason) for reason in found.reasons.values())
    seats = found.seats[found.seats[:, 0] >= 0]
    games = np.bincount(seats.ravel(), minlength=len(found.names)).tolist()
    made.players.update({name: count for name, count in zip(found.names, games, strict=True) if count})
    read = found.seats[:, 0] >= 0
    made.years.update((found.dates[read] // 10_000).tolist())
    made.rated = int((~np.isnan(found.ratings)).any(axis=1).sum())
    s = found.states
    declared = np.flatnonzero(np.isin(found.status, (PLAYED, SHORTENED)) & (s[:, at.DECLARED] != at.NOBODY))
    s = s[declared]
    announced = ANNOUNCED[s[:, at.DECLARED]]
    types = s[:, at.CONTRACT] + ((s[:, at.CONTRACT] == NULL) & (announced & OUVERT > 0))
    columns = (
        np.ones(len(s), np.int64), s[:, at.SUCCESS], found.status[declared] == SHORTENED, announced & HAND > 0,
        s[:, at.SCORE], BIDS[np.maximum(s[:, at.HIGH], 0)], s[:, at.TOTAL],
    )  # fmt: skip
    for place, values in enumerate(columns):
        made.types[:, place] = np.bincount(types, values, len(TYPES)).astype(np.int64)
    return made
