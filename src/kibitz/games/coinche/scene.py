"""Coinche at a table: who deals, the score of a deal line by line, and the match."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kibitz.core.game import State, Value
from kibitz.games.coinche import SCORINGS
from kibitz.games.coinche.scoring import usual_target

SHEET = "match"
NAMES = "NESW"


def seat_names(words: Any, lang: str) -> list[str]:
    """North, East, South and West."""
    return list("NESO" if lang == "fr" else NAMES)


def marks(words: Any, s: State, lang: str) -> list[list[str]]:
    """Who deals."""
    dealer = NAMES.index(words.deal_text(s)[0])
    return [["donneur" if lang == "fr" else "dealer"] * (seat == dealer) for seat in range(4)]


def score_lines(words: Any, s: State, lang: str) -> list[str]:
    """Contract, tricks, belote and score."""
    lines = words.show(s, None, lang).splitlines()
    return lines[-1:] if words.breakdown(s)["void"] else lines[-5:]


def target(options: Mapping[str, Value]) -> int:
    """Rule 9.3."""
    return int(options["target"]) or int(usual_target(SCORINGS.index(str(options["scoring"]))))


def deal_options(words: Any, options: Mapping[str, Value], deal: int, totals: Sequence[float]) -> dict[str, Value]:
    """Rule 9.1: the deal goes round; players may look at the score of the match."""
    score: dict[str, Value] = {
        "target": target(options),
        "total_ns": max(0, int(totals[0])),
        "total_ew": max(0, int(totals[1])),
    }
    return score if int(options["dealer"]) >= 0 else {"dealer": (3 + deal) % 4, **score}


def entries(words: Any, s: State) -> list[float]:
    """What each side writes down."""
    return [float(words.breakdown(s)["score"][seat % 2]) for seat in range(4)]


def is_over(words: Any, options: Mapping[str, Value], deals: int, totals: Sequence[float]) -> bool:
    """Rule 9.2."""
    return max(totals) >= target(options) and totals[0] != totals[1]
