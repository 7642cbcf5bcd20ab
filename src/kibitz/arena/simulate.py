"""Play N games between bots and say what came of it: the first question one asks of a game."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.arena.cutting import games_of
from kibitz.arena.games import Games, Played, in_chunks, play_games, record_lines
from kibitz.arena.parts import Shelf, answers
from kibitz.arena.play import chunk_games, play, warm
from kibitz.arena.statistics import Score
from kibitz.core.files import whole_file
from kibitz.core.game import Game
from kibitz.core.policy import Bot
from kibitz.core.work import Executor

Progress = Callable[[int], None]


@dataclass(frozen=True, repr=False)
class Outcome:
    """What a simulation gave, per seat."""

    game: Game
    bots: list[str]
    seed: int
    games: int
    seconds: float
    moves: int
    scores: list[Score]
    win_rate: list[float]
    mean_length: float
    report: dict[str, Any]
    """What the game itself counts."""

    def __repr__(self) -> str:
        lines = [f"{self.games:,} games of {self.game.name}, {self.mean_length:.1f} moves each"]
        for seat, (who, score, won) in enumerate(zip(self.bots, self.scores, self.win_rate, strict=True)):
            lines.append(f"seat {seat} ({who}): {score}, won {100 * won:.1f} %")
        return "\n".join(lines)

    def as_json(self) -> dict[str, Any]:
        """One JSON object; lists are per seat."""
        rate = self.games / self.seconds if self.seconds else 0.0
        return {
            "game": self.game.name,
            "options": dict(self.game.options),
            "bots": self.bots,
            "seed": self.seed,
            "games": self.games,
            "seconds": round(self.seconds, 6),
            "games_per_second": round(rate, 1),
            "moves_per_second": round(self.moves / self.seconds if self.seconds else 0.0, 1),
            "mean_returns": [score.mean for score in self.scores],
            "se_returns": [score.se for score in self.scores],
            "win_rate": self.win_rate,
            "mean_length": self.mean_length,
            **self.report,
        }


def simulate(
    game: Game,
    bots: Sequence[Bot],
    games: int,
    seed: int = 0,
    *,
    threads: int = 1,
    batch: int = 1024,
    records: str | Path | None = None,
    progress: Progress = lambda done: None,
) -> Outcome:
    """Play games 0 .. games - 1 of a seed; compilation is not counted in the seconds."""
    if games:
        warm(game, bots)
    names = [bot.name for bot in bots]
    ending = Path(records).suffix if records else None

    def played() -> Iterator[Played]:
        for chunk in play(game, bots, games, seed, threads=threads, batch=batch, keep_log=records is not None):
            lines = record_lines(game, ending, seed, names, chunk) if ending is not None else ()
            yield Played(chunk.returns, chunk.won, chunk.length, chunk.tallies[None], tuple(lines))

    return _outcome(game, names, seed, games, played(), records, progress)


def simulate_pieces(
    whole: Games,
    records: str | Path | None = None,
    *,
    executor: Executor | None = None,
    shelf: Shelf[Games, Played] | None = None,
    size: int | None = None,
    join: bool = False,
    progress: Progress = lambda done: None,
) -> Outcome:
    """The same, played piece by piece by whoever does it; the records and all sums are the same."""
    pieces = games_of(whole, size, executor, shelf)
    parts = answers(play_games, pieces, executor, shelf, join)
    chunks = in_chunks(parts, chunk_games(whole.game, whole.records is not None))
    return _outcome(whole.game, list(whole.bots), whole.seed, whole.count, chunks, records, progress)


def _outcome(
    game: Game, names: list[str], seed: int, games: int, chunks: Iterable[Played], records: str | Path | None,
    progress: Progress,
) -> Outcome:  # fmt: skip
    sums, squares = np.zeros(game.PLAYERS), np.zeros(game.PLAYERS)
    wins = np.zeros(game.PLAYERS, np.int64)
    tallies = np.zeros(game.TALLIES)
    length = 0
    with ExitStack() as stack:
        file = stack.enter_context(whole_file(records)) if records else None
        start = time.perf_counter()
        for chunk in chunks:
            sums += chunk.returns.sum(axis=0)
            squares += (chunk.returns * chunk.returns).sum(axis=0)
            wins += chunk.won.sum(axis=0)
            tallies += chunk.tallies.sum(axis=0)
            length += int(chunk.length.sum())
            if file is not None:
                file.writelines(f"{line}\n".encode() for line in chunk.lines)
            progress(len(chunk.length))
        seconds = time.perf_counter() - start
    report = game.words.report(game, tallies, games) if game.TALLIES and games else {}
    scores = [_score(games, total, square) for total, square in zip(sums, squares, strict=True)]
    return Outcome(
        game, names, seed, games, seconds, length, scores,
        [float(w) / games if games else 0.0 for w in wins], length / games if games else 0.0, report,
    )  # fmt: skip


def _score(games: int, total: float, square: float) -> Score:
    if games < 2:
        return Score(float(total), float("nan"), games)
    mean = total / games
    variance = max(0.0, square - total * mean) / (games - 1)
    return Score(float(mean), math.sqrt(variance / games), games)


def cores() -> int:
    """How many threads make sense here."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
