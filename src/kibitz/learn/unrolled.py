"""A network's policy over an unrolled game, so that small games tell exactly how good it is."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray

from kibitz.core import rng
from kibitz.core.tree import Tree
from kibitz.learn.model import POLICY, softmax
from kibitz.learn.network import Network
from kibitz.learn.senses import Sense
from kibitz.learn.senses.rows import Sights, look


def sights_on_tree(sense: Sense, tree: Tree) -> Sights:
    """What the seat to move sees at every information set, in the tree's order."""
    game = tree.game
    states = np.zeros((len(tree.owner), game.SIZE), np.int64)
    masks = np.zeros((len(tree.owner), game.ACTIONS), np.bool_)
    own, node = np.unique(tree.infoset, return_index=True)
    for infoset, first in zip(own, node, strict=True):
        if infoset >= 0:
            _replay(tree, int(first), states[infoset])
            game.legal(states[infoset], masks[infoset])
    rows = np.arange(len(states))
    luck = np.zeros((len(states), rng.WORDS), np.int64)
    return look(sense, states, masks, luck, rows, tree.owner.astype(np.int64))


def policy_on_tree(
    sense: Sense, networks: Sequence[Network], slots: Sequence[int], kind: str, tree: Tree
) -> NDArray[np.float64]:
    """[entries]: the networks' probabilities, or 1 for the best of their values; `slots` says who plays which seat."""
    sights = sights_on_tree(sense, tree)
    chances = np.zeros(sights.allowed.shape)
    with torch.inference_mode():
        for seat, slot in enumerate(slots):
            asked = np.flatnonzero(tree.owner == seat)
            part = sights.pick(asked)
            allowed = torch.from_numpy(part.allowed)
            values = networks[slot].values(torch.from_numpy(part.observation), allowed).double().numpy()
            best = values >= values.max(axis=1, keepdims=True)
            chances[asked] = softmax(values) if kind == POLICY else best / best.sum(axis=1, keepdims=True)
    real = np.zeros_like(chances)
    rows, numbers = np.nonzero(sights.allowed)
    real[rows, sights.real[rows, numbers]] = chances[rows, numbers]
    owner_of_entry = np.repeat(np.arange(len(tree.owner)), np.diff(tree.offset))
    policy: NDArray[np.float64] = real[owner_of_entry, tree.choice]
    return policy


def _replay(tree: Tree, node: int, s: NDArray[np.int64]) -> None:
    """Bring a state to a node of the tree."""
    path = []
    while tree.parent[node] >= 0:
        path.append(int(tree.action[node]))
        node = int(tree.parent[node])
    s[:] = tree.game.blank()
    tree.game.deal_at(s, node)
    for action in reversed(path):
        tree.game.step(s, action)
