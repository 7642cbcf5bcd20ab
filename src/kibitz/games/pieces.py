"""Observations in named pieces, one behind the other."""

from __future__ import annotations


def slices(**lengths: int) -> dict[str, slice]:
    """Where each piece lies, from their lengths in order."""
    found, start = {}, 0
    for name, length in lengths.items():
        found[name] = slice(start, start + length)
        start += length
    return found
