"""Play many games between bots: fused into one compiled loop when every bot is compiled, through Batch otherwise.

Both ways give the same games to the last byte, for every batch size and number of threads.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import islice

from kibitz.arena.batched import MOST_LOGGED, play_batched, play_refereed
from kibitz.arena.chunk import Chunk
from kibitz.arena.fused import can_fuse, play_fused
from kibitz.core.errors import BadInput
from kibitz.core.game import Game
from kibitz.core.policy import Bot

CHUNK = 4096
"""Games a worker plays at a time; results are added up chunk by chunk, in order."""
MOST_GAMES = 10**12


def play(
    game: Game, bots: Sequence[Bot], games: int, seed: int = 0, *, first: int = 0, threads: int = 1, batch: int = 1024,
    keep_log: bool = False, fused: bool | None = None, by_soloist: bool = False, catch: bool = False,
    move_time: float | None = None,
) -> Iterator[Chunk]:  # fmt: skip
    """Play games `first`, `first` + 1, ... with one bot per seat; chunks come in order.

    `by_soloist` seats bot 0 where the deal puts the soloist and the others after him in turn. `catch` breaks off a game
    in which a bot fails and goes on with the others; without it the error is raised. `move_time` is in seconds and
    holds for bots that are not compiled.
    """
    if len(bots) != game.PLAYERS:
        raise BadInput(
            f"{game.name} has {game.PLAYERS} seats, not {len(bots)}: name one bot for all seats or one per seat"
        )
    if not 0 <= games <= MOST_GAMES:
        raise BadInput(f"{games} games cannot be played: a number from 0 to {MOST_GAMES} can")
    is_fused = can_fuse(bots) if fused is None else fused
    chunk = chunk_games(game, keep_log)
    starts = range(first, first + games, chunk)

    def work(start: int) -> Chunk:
        count = min(chunk, first + games - start)
        if is_fused:
            try:
                return play_fused(game, bots, start, count, seed, keep_log, by_soloist)
            except Exception:
                if not catch:
                    raise
        if catch:
            return play_refereed(game, bots, start, count, seed, batch, keep_log, by_soloist, move_time)
        return play_batched(game, bots, start, count, seed, batch, keep_log, by_soloist)

    if threads == 1 or len(starts) < 2:
        yield from map(work, starts)
        return
    with ThreadPoolExecutor(threads) as pool:
        waiting = [pool.submit(work, start) for start in starts[: 4 * threads]]
        following = iter(starts[4 * threads :])
        try:
            while waiting:
                yield waiting.pop(0).result()
                waiting.extend(pool.submit(work, start) for start in islice(following, 1))
        finally:
            pool.shutdown(cancel_futures=True)


def chunk_games(game: Game, keep_log: bool) -> int:
    """Games that are added up together."""
    return max(1, min(CHUNK, MOST_LOGGED // game.LONGEST)) if keep_log else CHUNK


def warm(game: Game, bots: Sequence[Bot]) -> None:
    """Compile whatever `play` will need, by playing one game."""
    for _ in play(game, bots, 1):
        pass
