"""A small game's information sets as views, so that a network's policy can be judged exactly on the game's tree."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kibitz.core import rng
from kibitz.core.tree import Tree
from kibitz.core.view import Views
from kibitz.learn.model import Model


def views_of(tree: Tree) -> Views:
    """One view per information set, in the tree's order; their luck is all the same."""
    game = tree.game
    states = np.zeros((len(tree.parent), game.SIZE), np.int64)
    for node, (parent, action) in enumerate(zip(tree.parent.tolist(), tree.action.tolist(), strict=True)):
        if parent < 0:
            states[node] = game.blank()
            game.deal_at(states[node], node)
        else:
            states[node] = states[parent]
            game.step(states[node], action)
    sets, nodes = np.unique(tree.infoset, return_index=True)
    nodes = nodes[sets >= 0]
    blanked = np.zeros((len(nodes), game.SIZE), np.int64)
    masks = np.zeros((len(nodes), game.ACTIONS), np.bool_)
    for k, node in enumerate(nodes):
        game.view(states[node], tree.seat[node], blanked[k])
        game.legal(states[node], masks[k])
    return Views(game, tree.owner.astype(np.int64), blanked, masks, np.zeros((len(nodes), rng.SLOTS), np.int64))


def entries(tree: Tree, model: Model, views: Views | None = None) -> NDArray[np.float64]:
    """[entries]: a model's policy as the tree's solvers and best responses want it."""
    chances = model.probabilities(views or views_of(tree))
    rows = np.repeat(np.arange(tree.infosets), np.diff(tree.offset))
    policy: NDArray[np.float64] = chances[rows, tree.choice]
    return policy
