"""Self-play of a round on other machines: pieces of games, played with the weights of that round,
put together as if played here.

The learner stays here. A round is cut into pieces of PIECE games, and the networks are asked piece by piece wherever it
is played, so that one machine and a cluster give the same bits. With a staleness of K, round r is played with the
weights after round r - K, so that nobody waits for the learner:
another course of training, and after a kill not the same to the bit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Any

import numpy as np
import torch

from kibitz.core.errors import BadInput
from kibitz.core.game import Game
from kibitz.core.policy import Bot
from kibitz.core.shapes import Bools, Floats, Ints
from kibitz.core.work import Countable, Executor
from kibitz.learn.selfplay import PIECE, Actor, Frames, Round, SelfPlay
from kibitz.learn.senses import sense

MOST_STALE = 16


@dataclass(frozen=True)
class Games(Countable):
    """Games `first` .. `first` + `count` - 1 of a round."""

    first: int
    count: int
    kin: str
    """What must be compiled for them."""


@dataclass(frozen=True)
class Played:
    """What a piece gave: frames per slot, with the step of the round each was decided in."""

    frames: dict[int, Frames]
    steps: dict[int, Ints]
    returns: Floats
    won: Bools


@dataclass(frozen=True)
class Rules:
    """What all pieces of a round share, the weights within its seats."""

    game: Game
    kind: str
    seats: Sequence[Actor | Bot]
    seed: int
    first: int
    threads: int


class SpreadPlay(SelfPlay):
    """Tables at which rounds are played by somebody else."""

    def __init__(self, seen: Any, games: int, executor: Executor, staleness: int = 0) -> None:
        super().__init__(seen, games)
        self.executor, self.staleness = executor, staleness
        self._ahead: dict[int, tuple[Iterator[Played], Sequence[Actor | Bot]]] = {}

    def play(self, seats: Sequence[Actor | Bot], seed: int, first: int = 0) -> Round:
        """Play games `first` .. `first` + games - 1 to their end, with one player per seat."""
        if first not in self._ahead:
            self._ahead[first] = self._begin(seats, seed, first), seats
        parts, players = self._ahead.pop(first)
        if self.staleness:
            later = first + self.staleness * self.games
            for number in range(first + self.games, later + 1, self.games):
                if number not in self._ahead:
                    self._ahead[number] = self._begin(seats, seed, number), seats
        return joined(list(parts), players)

    def _begin(self, seats: Sequence[Actor | Bot], seed: int, first: int) -> Iterator[Played]:
        rules = Rules(self.game, self.sense.kind, seats, seed, first, torch.get_num_threads())
        who = [one.name for one in seats if not isinstance(one, Actor)]
        kin = f"round {self.game.tag} {self.sense.kind} {who}"
        pieces = [Games(at, min(PIECE, self.games - at), kin) for at in range(0, self.games, PIECE)]
        return self.executor.run(partial(play_piece, rules), pieces)


def play_piece(rules: Rules, piece: Games) -> Played:
    """Play some games of a round."""
    torch.set_num_threads(rules.threads)
    tables = _tables(rules.game, rules.kind, piece.count)
    tables.offset = piece.first
    played = tables.play(rules.seats, rules.seed, rules.first + piece.first)
    # The next piece is written to the same place.
    frames = {slot: replace(one, observation=one.observation.copy()) for slot, one in played.frames.items()}
    return Played(frames, {slot: tables.steps(slot) for slot in frames}, played.returns, played.won)


@lru_cache(maxsize=4)
def _tables(game: Game, kind: str, count: int) -> SelfPlay:
    return SelfPlay(sense(game, kind), count)


def joined(parts: Sequence[Played], seats: Sequence[Actor | Bot]) -> Round:
    """The pieces of a round as the round that one machine would have played: decisions by step, then by table."""
    starts = np.cumsum([0, *(len(part.returns) for part in parts)])
    frames: dict[int, Frames] = {}
    for slot in sorted({slot for part in parts for slot in part.frames}):
        own = [
            (part.steps[slot], replace(one, row=one.row + start))
            for part, start in zip(parts, starts, strict=False)
            if (one := part.frames.get(slot)) is not None
        ]
        order = np.argsort(np.concatenate([steps for steps, _ in own]), kind="stable")
        columns = {name: np.concatenate([getattr(one, name) for _, one in own])[order] for name in vars(own[0][1])}
        frames[slot] = Frames(**columns)
    returns, won = (np.concatenate([getattr(part, name) for part in parts]) for name in ("returns", "won"))
    return Round(frames, returns, won, seats)


def spread(learner: Any, executor: Callable[[], Executor], staleness: int = 0) -> None:
    """Let a learner's rounds be played by an executor, which is not made before it is known that they can."""
    if not 0 <= staleness <= MOST_STALE:
        raise BadInput(f"--staleness {staleness} is not possible: a number of rounds from 0 to {MOST_STALE} is")
    if getattr(learner.config, "lag", 0):
        raise BadInput("lag=1 is for one machine: rounds on a cluster lag behind with --staleness 1")
    tables = getattr(learner, "selfplay", None)
    if type(tables) is SelfPlay:
        learner.selfplay = SpreadPlay(tables.sense, tables.games, executor(), staleness)
    elif hasattr(learner, "executor") and not staleness:
        learner.executor = executor()
    elif hasattr(learner, "executor"):
        raise BadInput(
            f"{learner.method} has no stale rounds, its traversals wait for each other: leave out --staleness"
        )
    else:
        raise BadInput(f"{learner.method} cannot be spread over a cluster: dmc, dqn, nfsp and deep-cfr can")
