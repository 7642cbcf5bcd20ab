"""How matches are cut into shards: by what their bots are, or by time where shards travel to other machines."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from kibitz.arena.cost import lasting, seconds_a_deal, seconds_a_game
from kibitz.arena.games import Games, Played, cut_games, usual_games
from kibitz.arena.parts import Shelf
from kibitz.arena.scoresheet import ScoreSheet
from kibitz.arena.shards import Shard, cut, seated, shard_deals
from kibitz.core.work import Executor

TWOFOLD = 24
"""So often may the usual size of a shard have been doubled or halved."""
MOST_KEPT = 20_000
"""Shards of a match; of a size that makes more, none are looked for."""


def shards_of(
    wholes: Sequence[Shard], size: int | None = None, executor: Executor | None = None,
    shelf: Shelf[Shard, ScoreSheet] | None = None,
) -> list[list[Shard]]:  # fmt: skip
    """The shards of each match: of so many deals, of the size that was kept, or of one that suits who plays them."""
    if size:
        return [cut(whole, size) for whole in wholes]
    usual = [usual_size(whole) for whole in wholes]
    if executor is None or not getattr(executor, "is_far", False):
        return [cut(whole, size) for whole, size in zip(wholes, usual, strict=True)]
    sizes = suited(wholes, usual, executor, shelf, cut, seconds_a_deal)
    return [cut(whole, size) for whole, size in zip(wholes, sizes, strict=True)]


def games_of(
    whole: Games, size: int | None = None, executor: Executor | None = None, shelf: Shelf[Games, Played] | None = None
) -> list[Games]:
    """The pieces of a simulation, by the same rules."""
    if not size and executor is not None and getattr(executor, "is_far", False):
        (size,) = suited([whole], [usual_games(whole)], executor, shelf, cut_games, seconds_a_game)
    return cut_games(whole, size)


def suited(
    wholes: Sequence[Any], usual: Sequence[int], executor: Executor, shelf: Shelf[Any, Any] | None,
    cut_up: Callable[[Any, int], list[Any]], timed: Callable[[Any], float],
) -> list[int]:  # fmt: skip
    """Sizes of pieces that travel: those that are on the shelf already, else ones that last a second or more."""
    sizes = [_kept_size(whole, size, shelf, cut_up) for whole, size in zip(wholes, usual, strict=True)]
    new = [k for k, size in enumerate(sizes) if not size]
    for k, seconds in zip(new, executor.run(timed, [wholes[k] for k in new]), strict=True):
        sizes[k] = lasting(usual[k], seconds, wholes[k].count)
    return sizes


def usual_size(whole: Shard) -> int:
    """Deals in a shard of a match, by what the bots are."""
    bots = [bot for side in whole.sides for bot in seated(whole.game, side)]
    return shard_deals(bots, whole.records is not None)


def _kept_size(whole: Any, usual: int, shelf: Shelf[Any, Any] | None, cut_up: Callable[[Any, int], list[Any]]) -> int:
    """The size whose pieces are on the shelf already, in case several are the one with the most deals there;
    0 if none is."""
    if shelf is None or not shelf.folder.is_dir():
        return 0
    sizes = {max(1, usual >> k) for k in range(TWOFOLD)} | {min(usual << k, whole.count) for k in range(TWOFOLD)}
    sizes = {size for size in sizes if whole.count <= size * MOST_KEPT} or {usual}
    found = {size: sum(one.count for one in cut_up(whole, size) if shelf.path(one).exists()) for size in sizes}
    best = max(found, key=lambda size: (found[size], size))
    return best if found[best] else 0
