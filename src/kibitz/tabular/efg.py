"""Export of an unrolled game in Gambit's .efg format, so that other programs can check values and equilibria."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import numpy as np

from kibitz.core.files import whole_file
from kibitz.core.game import CHANCE, OVER
from kibitz.core.tree import Tree
from kibitz.tabular.infoset_words import infoset_words

MOST_PARTS = 1_000_000
"""Chance probabilities are written as fractions with a denominator up to this one."""


def save_efg(tree: Tree, path: str | Path) -> None:
    """Write the game as an .efg file."""
    with whole_file(path) as file:
        for line in efg_lines(tree):
            file.write((line + "\n").encode())


def efg_lines(tree: Tree) -> Iterator[str]:
    """The lines of the file: a head, then all nodes in prefix order, the deal as the first chance node."""
    players = " ".join(f'"seat {seat}"' for seat in range(tree.players))
    yield f'EFG 2 R "{tree.game.name}" {{ {players} }}'
    deals = np.flatnonzero(tree.parent < 0)
    yield _chance_line(1, tree.chance[deals])
    number, labels = _numbers(tree), [word.replace('"', "'") for word in infoset_words(tree)]
    words = tree.game.words.ACTION_WORDS
    chances = outcomes = 1
    stack = [int(node) for node in deals[::-1]]
    while stack:
        node = stack.pop()
        seat, first, count = int(tree.seat[node]), int(tree.first_child[node]), int(tree.children[node])
        if seat == OVER:
            outcomes += 1
            yield f't "" {outcomes} "" {{ {" ".join(repr(float(u)) for u in tree.utility[node])} }}'
        elif seat == CHANCE:
            chances += 1
            yield _chance_line(chances, tree.chance[first : first + count] / tree.chance[node])
        else:
            names = " ".join(f'"{words[action]}"' for action in tree.action[first : first + count])
            i = tree.infoset[node]
            yield f'p "" {seat + 1} {number[i]} "{labels[i]}" {{ {names} }} 0'
        stack.extend(range(first + count - 1, first - 1, -1))


def _chance_line(number: int, odds: np.ndarray[tuple[int], np.dtype[np.float64]]) -> str:
    parts = [Fraction(float(p)).limit_denominator(MOST_PARTS) for p in odds]
    if sum(parts) != 1:  # Gambit wants exactly one
        parts[-1] = 1 - sum(parts[:-1], Fraction(0))
    outcomes = " ".join(f'"{k}" {p}' for k, p in enumerate(parts))
    return f'c "" {number} "" {{ {outcomes} }} 0'


def _numbers(tree: Tree) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """[infosets]: 1, 2, ... for every seat, in the order of the tree's own numbers."""
    number = np.zeros(tree.infosets, np.int64)
    for seat in range(tree.players):
        own = np.flatnonzero(tree.owner == seat)
        number[own] = np.arange(1, len(own) + 1)
    return number
