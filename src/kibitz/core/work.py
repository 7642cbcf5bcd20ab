"""Pieces of work and who does them: each piece is pure, so it does not matter who does it, when, or beside what.

A piece may say more about itself, for executors that do it on another machine: `reads`, the files and folders it opens
by the names they have here; `kin`, a text that pieces share which need the same compiled code; and `tiny`, a piece of
the same kin that takes no time, to compile with.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Protocol, Self, TypeVar

Piece = TypeVar("Piece")
MANY = 1 << 30


class Countable:
    """A piece of so many games (`count`): one of them is enough to compile with."""

    @property
    def tiny(self) -> Self:
        """Enough to compile with."""
        return replace(self, count=1)  # type: ignore[type-var]


class Flow(Sequence[Any]):
    """Pieces that are made as they are handed out, each once, so that only a window of them is in memory."""

    def __init__(self, pieces: Iterator[Any]) -> None:
        self._pieces = pieces

    def __iter__(self) -> Iterator[Any]:
        return self._pieces

    def __len__(self) -> int:
        """Nobody knows how many there are: enough for all hands."""
        return MANY

    def __getitem__(self, place: Any) -> Any:
        raise TypeError("pieces of a flow are taken in order")


Answer = TypeVar("Answer")
Keep = Callable[[Any, Any], None]
"""Given a piece and its answer."""


class Executor(Protocol):
    """Does pieces of work."""

    def run(
        self, work: Callable[[Piece], Answer], pieces: Sequence[Piece], keep: Keep | None = None
    ) -> Iterator[Answer]:
        """The answers, in the order of the pieces; work and pieces must be picklable.

        `keep` is called in this process as soon as a piece is done, whichever that is.
        """
        ...


class Serial:
    """One piece after the other, here."""

    def run(
        self, work: Callable[[Piece], Answer], pieces: Sequence[Piece], keep: Keep | None = None
    ) -> Iterator[Answer]:
        """The answers, in the order of the pieces."""
        for piece in pieces:
            answer = work(piece)
            if keep:
                keep(piece, answer)
            yield answer
