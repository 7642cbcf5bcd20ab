"""Self-play on batches: thousands of games side by side, one network call per step for all who are to move.

A seat holds an Actor (a network, learning or frozen) or any bot. One compiled opponent, random for instance, is fused
into the loop that moves the games on, so that the tables wait only for networks. A round's games depend on (seed, their
numbers, the networks) alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import count, pairwise
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from kibitz.core.batch import Batch
from kibitz.core.policy import Bot
from kibitz.core.shapes import Bools, Floats, Ints
from kibitz.learn.network import STATE_ACTION, Network
from kibitz.learn.senses import Sense
from kibitz.learn.senses.moves import mover
from kibitz.learn.senses.rows import ObservationBatch, bank, best_allowed, look

PIECE = 512
"""Games of a round that a network is asked about together; they are also what another machine plays of it."""
UNSEEN = -1
"""The slot of an actor whose decisions nobody learns from."""


@dataclass(frozen=True, eq=False)
class Actor:
    """Who decides by looking: chooses numbers of actions at a batch of observations,
    and keeps its frames in a slot for learning."""

    choose: Callable[[ObservationBatch], Ints]
    slot: int = UNSEEN
    sense: Sense | None = None
    """What it looks with, if not with what the tables are made for; such an actor keeps no frames."""
    note: Any = None
    """What its learner wants to be told again with the frames."""


@dataclass(frozen=True)
class Frames:
    """The decisions of one slot in one round, in the order of play; the arrays belong to the next round as well."""

    observation: NDArray[np.float32]
    """[n, senses]"""
    allowed: Bools
    """[n, ACTIONS]"""
    action: Ints
    """[n]: as the observation numbers them."""
    row: Ints
    """[n]: which of the round's games."""
    seat: Ints
    banked: NDArray[np.float32]
    """[n]: what of the final return was sure at this decision."""
    returns: NDArray[np.float32]
    """[n]: what the seat got in the end."""
    won: Bools
    luck: Floats
    """[n, 2]: what the actor was given to explore with."""

    def __len__(self) -> int:
        return len(self.action)

    def history(self) -> Ints:
        """[n]: an order in which each seat's decisions of each game follow one another."""
        order: Ints = np.lexsort((np.arange(len(self)), self.seat, self.row))
        return order


@dataclass(frozen=True)
class Round:
    """What a round of games gave."""

    frames: dict[int, Frames]
    """Per slot."""
    returns: Floats
    """[games, PLAYERS]"""
    won: Bools
    seats: Sequence[Actor | Bot] = ()
    """Who played."""

    @property
    def decisions(self) -> int:
        """How many there are to learn from."""
        return sum(len(frames) for frames in self.frames.values())

    def note(self, slot: int) -> Any:
        """The note of the actor that played for a slot."""
        return next(one.note for one in self.seats if isinstance(one, Actor) and one.slot == slot)


class _Shelf:
    """Room for a slot's observations, kept from round to round because fresh memory is slow."""

    def __init__(self, senses: int) -> None:
        self.observation = np.empty((0, senses), np.float32)
        self.used = 0
        self.observed: list[ObservationBatch] = []
        self.chosen: list[Ints] = []
        self.banked: list[NDArray[np.float32]] = []
        self.steps: list[int] = []

    def clear(self) -> None:
        self.used = 0
        self.observed, self.chosen, self.banked, self.steps = [], [], [], []

    def space(self, n: int) -> NDArray[np.float32]:
        """Room for n more observations."""
        if self.used + n > len(self.observation):
            larger = np.empty((max(self.used + n, 2 * len(self.observation)), self.observation.shape[1]), np.float32)
            larger[: self.used] = self.observation[: self.used]
            self.observation = larger
        self.used += n
        return self.observation[self.used - n : self.used]

    def frames(self, returns: Floats, won: Bools) -> Frames:
        rows = np.concatenate([observed.rows for observed in self.observed])
        seats = np.concatenate([observed.seats for observed in self.observed])
        return Frames(
            self.observation[: self.used],
            np.concatenate([observed.allowed for observed in self.observed]),
            np.concatenate(self.chosen),
            rows,
            seats,
            np.concatenate(self.banked),
            returns[rows, seats].astype(np.float32),
            won[rows, seats],
            np.concatenate([observed.luck for observed in self.observed]),
        )


class SelfPlay:
    """Tables at which rounds of games are played."""

    def __init__(self, sense: Sense, games: int) -> None:
        self.sense, self.games, self.game = sense, games, sense.game
        self._shelves: dict[int, _Shelf] = {}
        self.tables: Batch
        """Those of the round that is being played, or was played last."""
        self.offset = 0
        """The place of the first table in its round, where others play the rest."""
        self._step = 0

    def open(self, seed: int, first: int) -> Batch:
        """Deal the games of a round."""
        return Batch(self.game, self.games, seed, first, self.games)

    def play(self, seats: Sequence[Actor | Bot], seed: int, first: int = 0) -> Round:
        """Play games `first` .. `first` + games - 1 to their end, with one player per seat."""
        tables = self.tables = self.open(seed, first)
        players = list({id(player): player for player in seats}.values())
        who = np.array([next(k for k, player in enumerate(players) if player is seat) for seat in seats])
        fused = next((k for k, player in enumerate(players) if hasattr(player, "kernel")), UNSEEN)
        move_on = mover(self.game, getattr(players[fused], "kernel", None) if fused != UNSEEN else None)
        knobs = getattr(players[fused], "knobs", np.zeros(0)) if fused != UNSEEN else np.zeros(0)
        for shelf in self._shelves.values():
            shelf.clear()
        actions = np.full(self.games, -1, np.int64)
        for self._step in count():
            move_on(
                tables.state, tables.turn, tables.mask, tables.moves, tables.keys, tables.rng, actions, who == fused,
                knobs, tables.returns, tables.won,
            )  # fmt: skip
            live = np.flatnonzero(tables.turn >= 0)
            if not len(live):
                break
            asked = who[tables.turn[live]]
            for k, player in enumerate(players):
                rows = live[asked == k]
                if len(rows):
                    actions[rows] = self._decide(player, tables, rows)
        frames = {slot: shelf.frames(tables.returns, tables.won) for slot, shelf in self._shelves.items() if shelf.used}
        return Round(frames, tables.returns, tables.won, seats)

    def steps(self, slot: int) -> Ints:
        """[n]: the step in which each of a slot's frames was decided."""
        shelf = self._shelves[slot]
        return np.repeat(np.array(shelf.steps), [len(observed) for observed in shelf.observed])

    def _decide(self, player: Actor | Bot, tables: Batch, rows: Ints) -> Ints:
        parts = self._parts(rows)
        if not isinstance(player, Actor):
            return _together([player.act_batch(tables.views(rows[part])) for part in parts])
        seats = tables.turn[rows]
        shelf = self._shelves.setdefault(player.slot, _Shelf(self.sense.size)) if player.slot != UNSEEN else None
        out = shelf.space(len(rows)) if shelf else None
        observed = look(player.sense or self.sense, tables.state, tables.mask, tables.rng, rows, seats, out)
        # A network's numbers depend in their last bits on how many are asked for.
        chosen = _together([player.choose(self._placed(observed.pick(part))) for part in parts])
        if shelf:
            shelf.steps.append(self._step)
            shelf.observed.append(observed)
            shelf.chosen.append(chosen)
            shelf.banked.append(bank(self.sense, tables.state, rows, seats))
        return observed.played(chosen)

    def _parts(self, rows: Ints) -> list[slice]:
        """Tables of one piece together."""
        if self.games <= PIECE:
            return [slice(None)]
        ends = np.searchsorted(rows, np.arange(PIECE, self.games + PIECE, PIECE)).tolist()
        return [slice(start, end) for start, end in pairwise([0, *ends]) if start < end]

    def _placed(self, observed: ObservationBatch) -> ObservationBatch:
        return replace(observed, rows=observed.rows + self.offset) if self.offset else observed


def _together(parts: list[Ints]) -> Ints:
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


def greedy(network: Network) -> Callable[[ObservationBatch], Ints]:
    """Choose the action with the highest number."""

    def choose(observed: ObservationBatch) -> Ints:
        with torch.inference_mode():
            seen = torch.from_numpy(observed.observation)
            if network.form != STATE_ACTION:
                return best_allowed(network(seen).numpy(), observed.allowed)
            best: Ints = network.values(seen, torch.from_numpy(observed.allowed)).argmax(dim=1).numpy()
        return best

    return choose


def exploring(network: Network, epsilon: float) -> Callable[[ObservationBatch], Ints]:
    """Choose the best action, or with probability epsilon any allowed one."""
    best = greedy(network)

    def choose(observed: ObservationBatch) -> Ints:
        chosen = best(observed)
        strays = np.flatnonzero(observed.luck[:, 0] < epsilon)
        if len(strays):
            chosen = chosen.copy()
            chosen[strays] = any_allowed(observed.allowed[strays], observed.luck[strays, 1])
        return chosen

    return choose


def any_allowed(allowed: Bools, luck: Floats) -> Ints:
    """[n]: one allowed action each, all equally likely."""
    counts = np.cumsum(allowed, axis=1)
    chosen: Ints = (counts > np.floor(luck * counts[:, -1])[:, None]).argmax(axis=1)
    return chosen
