"""Peek: one card each, and a look at the other's card for a price."""

from collections.abc import Mapping

from kibitz.core.game import Option, Payoffs, Value

VERSION = 1
OPTIONS = (Option("price", 1, range(1, 4), "chips that a peek costs"),)
PRESETS: dict[str, dict[str, int | str]] = {"peek": {}}


def payoffs(values: Mapping[str, Value]) -> Payoffs:
    """Seat 0 can lose ante, price and raise; seat 1 then wins them (rule 5)."""
    most = 3.0 + int(values["price"])
    return Payoffs(-most, most, 0.0)
