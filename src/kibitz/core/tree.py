"""A small game unrolled into flat arrays: the tabular door. Solvers are loops over these arrays and know no game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.core.bits import mix
from kibitz.core.errors import BadInput
from kibitz.core.game import CHANCE, OVER, Game
from kibitz.core.jit import specialise
from kibitz.core.shapes import Floats, Ints

MOST_NODES = 5_000_000

game: Any = None  # bound by specialise


@dataclass(frozen=True)
class Tree:
    """All histories of a game, breadth first: children of a node lie side by side, after their parent.

    Nodes 0 .. number of deals - 1 are the deals; `chance` is the product
    of all chance probabilities on the way to a node.
    """

    game: Game
    parent: NDArray[np.int32]
    """[nodes], -1 for deals."""
    action: NDArray[np.int32]
    """[nodes]: the action (or chance outcome) that led here, -1 for deals."""
    slot: NDArray[np.int32]
    """[nodes]: which of the parent's children this is."""
    seat: NDArray[np.int32]
    """[nodes]: who is to move; OVER, CHANCE."""
    infoset: NDArray[np.int32]
    """[nodes]: index of the information set, -1 where no seat is to move."""
    chance: Floats
    """[nodes]"""
    first_child: NDArray[np.int32]
    children: NDArray[np.int32]
    utility: Floats
    """[nodes, PLAYERS], zero except at the ends."""
    key: Ints
    """[infosets]: the game's own key."""
    owner: NDArray[np.int32]
    """[infosets]: the seat it belongs to."""
    offset: NDArray[np.int32]
    """[infosets + 1]: where its actions start in arrays with one entry per (information set, action)."""
    choice: NDArray[np.int32]
    """[entries]: the action ids, ascending."""

    @property
    def players(self) -> int:
        """Number of seats."""
        return self.utility.shape[1]

    @property
    def decisions(self) -> int:
        """Number of nodes at which a seat is to move."""
        return int((self.seat >= 0).sum())

    @property
    def terminals(self) -> int:
        """Number of ends."""
        return int((self.seat == OVER).sum())

    @property
    def infosets(self) -> int:
        """Number of information sets."""
        return len(self.key)

    def entry(self) -> NDArray[np.int32]:
        """[nodes]: the (information set, action) entry that led to a node, -1 after chance and for deals."""
        entries = np.full(len(self.parent), -1, np.int32)
        after = np.flatnonzero((self.parent >= 0) & (self.seat[self.parent] >= 0))
        entries[after] = self.offset[self.infoset[self.parent[after]]] + self.slot[after]
        return entries

    def uniform(self) -> Floats:
        """[entries]: the policy that plays every action with the same probability."""
        sizes = np.diff(self.offset)
        return np.repeat(1.0 / sizes, sizes)


def unroll(game: Game, most: int = MOST_NODES) -> Tree:
    """Unroll a game whose deals can be listed; refuses a game with more than `most` histories."""
    if not game.has("deals"):
        raise BadInput(
            f"{game.name} has too many deals to list: sample them (solve --method external) or train a network"
        )
    expand = _expander(game)
    count = int(game.deals())
    states = np.zeros((count, game.SIZE), np.int64)
    blank = game.blank()
    for k in range(count):
        states[k] = blank
        game.deal_at(states[k], k)
    levels: list[dict[str, Any]] = []
    chance = np.full(count, 1.0 / count)
    parent, action, slot = (np.full(count, -1, np.int64) for _ in range(3))
    slot[:] = np.arange(count)
    nodes = 0
    while len(states):
        n = len(states)
        if nodes + n > most:
            raise BadInput(f"{game.name} has more than {most:,} histories: solve it by sampling or make it smaller")
        seat, width, key, seen = (np.zeros(n, np.int64) for _ in range(4))
        utility = np.zeros((n, game.PLAYERS))
        total = expand.measure(states, seat, width, key, seen, utility)
        links = {"parent": parent, "action": action, "slot": slot, "chance": chance}
        levels.append(links | {"seat": seat, "key": key, "seen": seen, "width": width, "utility": utility})
        following = np.zeros((total, game.SIZE), np.int64)
        parent, action, slot = (np.zeros(total, np.int64) for _ in range(3))
        chance = np.zeros(total)
        expand.children(states, seat, levels[-1]["chance"], following, parent, action, slot, chance)
        parent += nodes
        nodes += n
        states = following
    whole = {name: np.concatenate([level[name] for level in levels]) for name in levels[0]}
    return _index(game, whole)


def _index(game: Game, whole: dict[str, Any]) -> Tree:
    seat, width, nodes = whole["seat"], whole["width"], len(whole["seat"])
    deciding = np.flatnonzero(seat >= 0)
    labels = np.stack([seat[deciding], whole["key"][deciding]], axis=1)
    sets, first, inverse = np.unique(labels, axis=0, return_index=True, return_inverse=True)
    inverse = inverse.reshape(-1)
    if (whole["seen"][deciding] != whole["seen"][deciding][first][inverse]).any():
        raise BadInput(f"{game.name}: two histories that a seat can tell apart have one information set key")
    infoset = np.full(nodes, -1, np.int32)
    infoset[deciding] = inverse
    first_child = np.concatenate([[0], np.cumsum(width)[:-1]]) + int((whole["parent"] < 0).sum())
    sizes = width[deciding][first]
    offset = np.concatenate([[0], np.cumsum(sizes)])
    places = [np.arange(first_child[node], first_child[node] + width[node]) for node in deciding[first]]
    choice = whole["action"][np.concatenate(places)] if places else np.zeros(0)
    small = {name: whole[name].astype(np.int32) for name in ("parent", "action", "slot", "seat")}
    return Tree(
        game, **small, infoset=infoset, chance=whole["chance"], first_child=first_child.astype(np.int32),
        children=width.astype(np.int32), utility=whole["utility"], key=sets[:, 1], owner=sets[:, 0].astype(np.int32),
        offset=offset.astype(np.int32), choice=choice.astype(np.int32),
    )  # fmt: skip


@dataclass(frozen=True)
class _Expander:
    measure: Callable[..., int]
    children: Callable[..., None]


@cache
def _expander(game: Game) -> _Expander:
    return _Expander(
        specialise(_measure, game.tag, game=game.kernels), specialise(_children, game.tag, game=game.kernels)
    )


def _measure(states: Ints, seat: Ints, width: Ints, key: Ints, seen: Ints, utility: Floats) -> int:
    """Who is to move at each state, how many children it has, its information set and a hash of what the seat sees."""
    mask = np.zeros(game.ACTIONS, np.bool_)
    p = np.zeros(max(1, game.CHANCES))
    view = np.zeros(game.SIZE, np.int64)
    total = 0
    for i in range(len(states)):
        s = states[i]
        seat[i] = game.turn(s)
        if seat[i] == OVER:
            game.returns(s, utility[i])
        elif seat[i] == CHANCE:
            for k in range(game.chances(s, p)):
                width[i] += p[k] > 0.0
        else:
            width[i] = game.legal(s, mask)
            key[i] = game.infoset(s, seat[i])
            game.peek(s, seat[i], view)
            code = 0
            for k in range(game.SIZE):
                code = mix(code ^ view[k])
            seen[i] = code
        total += width[i]
    return total


def _children(
    states: Ints, seat: Ints, before: Floats, following: Ints, parent: Ints, action: Ints, slot: Ints, chance: Floats
) -> None:
    mask = np.zeros(game.ACTIONS, np.bool_)
    p = np.zeros(max(1, game.CHANCES))
    child = 0
    for i in range(len(states)):
        if seat[i] == OVER:
            continue
        n = game.chances(states[i], p) if seat[i] == CHANCE else game.ACTIONS
        if seat[i] != CHANCE:
            game.legal(states[i], mask)
        place = 0
        for a in range(n):
            if (seat[i] == CHANCE and p[a] > 0.0) or (seat[i] != CHANCE and mask[a]):
                following[child] = states[i]
                game.step(following[child], a)
                parent[child] = i
                action[child] = a
                slot[child] = place
                chance[child] = before[i] * (p[a] if seat[i] == CHANCE else 1.0)
                place += 1
                child += 1
