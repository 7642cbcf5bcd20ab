"""Information sets in words: the cards of the seat, and the moves as it was told of them."""

from __future__ import annotations

from collections import Counter

import numpy as np

from kibitz.core.game import CHANCE, State
from kibitz.core.telling import told
from kibitz.core.tree import Tree


def infoset_words(tree: Tree) -> list[str]:
    """[infosets]: what a seat knows at each of its sets, such as `Q: check, bet`; no two of a seat read alike."""
    _, first = np.unique(tree.infoset, return_index=True)
    nodes = first[-tree.infosets :]  # without the nodes at which no seat is to move
    words = [_known(tree, int(node), int(tree.owner[i])) for i, node in enumerate(nodes)]
    seen: Counter[tuple[int, str]] = Counter()
    for i, word in enumerate(words):
        key = (int(tree.owner[i]), word)
        seen[key] += 1
        words[i] = word if seen[key] == 1 else f"{word} #{seen[key]}"
    return words


def _known(tree: Tree, node: int, seat: int) -> str:
    """What a seat knows at a node."""
    path = []
    while tree.parent[node] >= 0:
        path.append(node)
        node = int(tree.parent[node])
    game = tree.game
    s = game.blank()
    game.deal_at(s, node)
    moves = []
    for step in reversed(path):
        before, mover = s.copy(), int(tree.seat[tree.parent[step]])
        game.step(s, int(tree.action[step]))
        word = _told(tree, before, s, seat, mover, int(tree.action[step]))
        moves += [word] if word else []
    cards = getattr(game.words, "hand", None)
    hand = " ".join(cards(s, seat)) if cards else ""
    return f"{hand}: {', '.join(moves)}" if moves and hand else hand or ", ".join(moves) or "start"


def _told(tree: Tree, before: State, after: State, seat: int, mover: int, action: int) -> str:
    """The own move as it was made, another's as it was told."""
    if mover == seat and mover != CHANCE:
        return str(tree.game.words.ACTION_WORDS[action])
    return told(tree.game, before, after, seat, mover)
