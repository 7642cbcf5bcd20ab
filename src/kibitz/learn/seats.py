"""Who sits where while something is learned: which network plays which seat, and whom the others are played by."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kibitz.core import rng
from kibitz.core.errors import BadInput, BadRecord
from kibitz.core.game import Game
from kibitz.core.policy import Bot
from kibitz.learn.model import NOBODY
from kibitz.learn.network import Network
from kibitz.learn.selfplay import Actor, greedy

SNAPSHOT = "snapshot"
"""The rival that is an earlier self."""
SHARINGS = ("seat", "side", "all")
TAKEN = ("seat", "side")
_DEALS_LOOKED_AT = 32


@dataclass(frozen=True)
class Seating:
    """Which seats learn, which of them share a network, and who the rivals are."""

    learners: tuple[int, ...] = (0,)
    share: str = "seat"
    """A network for every learning seat, for every side (soloist, defenders), or one for all."""
    rivals: tuple[str, ...] = ("random",)
    """Bots by name, or `snapshot`; every round each seat that does not learn draws one."""
    rival_share: float = 0.0
    """How likely a rival takes a learning seat for a round, so that learners do not know only each other."""
    rivals_take: str = "seat"
    """Whether each seat draws for itself, or one side is drawn, all of whose seats the same rival takes."""
    snapshots: int = 4
    """How many earlier selves are kept."""
    snapshot_rounds: int = 50
    """Rounds between two of them."""


class Seats:
    """The seats of a run, filled anew for every round."""

    def __init__(self, game: Game, seating: Seating, bots: Mapping[str, Bot], seed: int) -> None:
        self.game, self.seating, self.bots, self.seed = game, seating, bots, seed
        self.slots = slots(game, seating)
        self.networks = max(self.slots) + 1
        self.snapshots: list[list[Network]] = []

    def fill(self, number: int, actors: Sequence[Actor]) -> list[Actor | Bot]:
        """The players of round `number`, given each slot's actor."""
        luck = rng.generator(self.seed, "rivals", number)
        frozen = {id(nets): [Actor(greedy(net)) for net in nets] for nets in self.snapshots}
        players: list[Actor | Bot] = []
        for slot, (stray, which, age) in zip(self.slots, self._drawn(luck), strict=True):
            if slot != NOBODY and stray >= self.seating.rival_share:
                players.append(actors[slot])
                continue
            rivals = [r for r in self.seating.rivals if r != SNAPSHOT or (self.snapshots and slot != NOBODY)]
            name = (rivals or ["random"])[int(which * len(rivals or [0]))]
            if name == SNAPSHOT:
                players.append(frozen[id(self.snapshots[int(age * len(self.snapshots))])][slot])
            else:
                players.append(self.bots[name])
        return players

    def _drawn(self, luck: np.random.Generator) -> NDArray[np.float64]:
        """[seats, 3]: whether a rival takes the seat, which one, and of which age."""
        if self.seating.rivals_take == "seat":
            return luck.random((len(self.slots), 3))
        sides = np.array(constant_sides(self.game))
        chosen, stray, which, age = luck.random(4)
        is_chosen = sides == np.unique(sides)[int(chosen * len(np.unique(sides)))]
        return np.array([(stray if taken else 1.0, which, age) for taken in is_chosen])

    def remember(self, number: int, networks: Sequence[Network]) -> None:
        """Keep a copy of the networks from time to time, if somebody plays against them."""
        if SNAPSHOT in self.seating.rivals and number % self.seating.snapshot_rounds == 0:
            self.snapshots.append([copy.deepcopy(network) for network in networks])
            del self.snapshots[: -self.seating.snapshots]

    def state(self) -> dict[str, NDArray[np.float32]]:
        """The snapshots' weights."""
        return {
            f"{age}.{slot}.{name}": tensor.numpy()
            for age, nets in enumerate(self.snapshots)
            for slot, net in enumerate(nets)
            for name, tensor in net.state_dict().items()
        }

    def restore(self, state: Mapping[str, NDArray[np.float32]], networks: Sequence[Network]) -> None:
        """Take the snapshots up again; `networks` show their shape."""
        import torch

        ages = len({name.split(".", 1)[0] for name in state})
        if ages > self.seating.snapshots:
            raise BadRecord(f"there are {ages} snapshots: {self.seating.snapshots} at most are right")
        self.snapshots = [[copy.deepcopy(network) for network in networks] for _ in range(ages)]
        for age, nets in enumerate(self.snapshots):
            for slot, net in enumerate(nets):
                head = f"{age}.{slot}."
                part = {
                    name.removeprefix(head): torch.from_numpy(a)
                    for name, a in state.items()
                    if name[: len(head)] == head
                }
                net.load_state_dict(part)


def slots(game: Game, seating: Seating) -> tuple[int, ...]:
    """Which network each seat's player has, NOBODY where a seat does not learn."""
    wrong = [seat for seat in seating.learners if not 0 <= seat < game.PLAYERS]
    if wrong or not seating.learners:
        raise BadInput(
            f"seat {wrong[0] if wrong else 'none'} cannot learn: {game.name} has seats 0 to {game.PLAYERS - 1}"
        )
    if seating.share not in SHARINGS:
        raise BadInput(f"networks cannot be shared by {seating.share}: by seat, side or all they can")
    if seating.rivals_take not in TAKEN:
        raise BadInput(f"rivals cannot take a {seating.rivals_take}: a seat or a side they can")
    sides = constant_sides(game) if "side" in (seating.share, seating.rivals_take) else list(range(game.PLAYERS))
    owner = [{"all": 0, "side": sides[seat], "seat": seat}[seating.share] for seat in range(game.PLAYERS)]
    used = sorted({owner[seat] for seat in seating.learners})
    return tuple(used.index(owner[seat]) if seat in seating.learners else NOBODY for seat in range(game.PLAYERS))


def opposed(game: Game, owners: Sequence[int]) -> list[tuple[int, list[int]]]:
    """(network, seats) to be measured against others: a network that plays on both sides has one side at a time."""
    found = []
    for slot in sorted(set(owners) - {NOBODY}):
        seats = [seat for seat, owner in enumerate(owners) if owner == slot]
        try:
            sides = constant_sides(game)
        except BadInput:  # partners are found in the deal: everybody alone
            sides = list(range(game.PLAYERS))
        for side in sorted({sides[seat] for seat in seats}):
            found.append((slot, [seat for seat in seats if sides[seat] == side]))
    return found


def constant_sides(game: Game) -> list[int]:
    """Each seat's side, in a game in which it does not depend on the deal."""
    s = game.blank()
    found = set()
    for number in range(_DEALS_LOOKED_AT):
        s[:] = game.blank()
        game.deal(s, rng.fresh(0, number))
        found.add(tuple(int(game.side(s, seat)) for seat in range(game.PLAYERS)))
    if len(found) > 1:
        raise BadInput(f"sides of {game.name} depend on the deal or the auction: share networks by seat or all")
    return list(found.pop())
