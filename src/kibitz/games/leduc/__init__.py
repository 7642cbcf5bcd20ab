"""Leduc poker for two: six cards, one of them on the board."""

from collections.abc import Mapping

from kibitz.core.game import Payoffs, Value

VERSION = 1
OPTIONS = ()
LADDER = {
    "leduc": (
        "python:examples/rlcard_leduc.py:Rule",
        "python:examples/openspiel_ismcts_cego.py:Searcher:simulations=50",
    )
}
PRESETS: dict[str, dict[str, int | str]] = {"leduc": {}}


def payoffs(values: Mapping[str, Value]) -> Payoffs:
    """The ante, two raises of 2 and two of 4 (rule 3)."""
    return Payoffs(-13.0, 13.0, 0.0)
