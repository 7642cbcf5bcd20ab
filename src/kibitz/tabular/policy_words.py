"""A tabular policy in words: what a seat knows, and how likely it takes each action."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from kibitz.core import rng
from kibitz.core.errors import BadInput
from kibitz.core.game import Game
from kibitz.core.position import Position
from kibitz.core.telling import told
from kibitz.core.tree import unroll
from kibitz.core.view import Views
from kibitz.tabular.abstraction import FULL
from kibitz.tabular.infoset_words import infoset_words
from kibitz.tabular.table import Table, on_tree

SAMPLED_GAMES = 1000
"""So many games are played where a game cannot be unrolled."""


class Row(NamedTuple):
    """One information set."""

    seat: int
    knows: str
    policy: dict[str, float]
    """Action word -> probability."""
    visits: int | None = None
    """In how many of the games played it was met; None where all sets are listed."""


def rows(game: Game, table: Table, seed: int = 1, games: int = SAMPLED_GAMES) -> Iterator[Row]:
    """Every information set of a game that can be unrolled;
    of a larger one those met in games by this policy, common ones first."""
    try:
        tree = unroll(game) if table.about.get("keys", FULL) == FULL else None
    except BadInput:
        tree = None
    if tree is None:
        yield from _met(game, table, seed, games)
        return
    policy, words, names = on_tree(table, tree), infoset_words(tree), game.words.ACTION_WORDS
    for i in np.lexsort((np.arange(tree.infosets), tree.owner)):
        first, last = tree.offset[i], tree.offset[i + 1]
        chosen = {str(names[tree.choice[e]]): float(policy[e]) for e in range(first, last)}
        yield Row(int(tree.owner[i]), words[i], chosen)


def _met(game: Game, table: Table, seed: int, games: int) -> Iterator[Row]:
    """The sets that are met when all seats play the policy."""
    found: dict[tuple[int, str], Row] = {}
    visits: Counter[tuple[int, str]] = Counter()
    for number in range(games):
        position = Position(game, seed, number)
        heard: list[list[str]] = [[] for _ in range(game.PLAYERS)]
        luck = rng.generator(seed, "policy_in_words", number)
        while not position.is_over:
            seat = position.turn
            view = position.view(seat)
            one = Views(game, np.array([seat]), view.state[None], view.mask[None], view.rng[None])
            odds = table.probabilities(one)[0]
            knows = f"{' '.join(position.hand(seat))}: {', '.join(heard[seat])}".rstrip(": ")
            if (seat, knows) not in found:
                policy = {position.word(a): float(odds[a]) for a in view.legal()}
                found[seat, knows] = Row(seat, knows, policy)
            visits[seat, knows] += 1
            before, action = position.state.copy(), int(luck.choice(game.ACTIONS, p=odds / odds.sum()))
            word = position.word(action)
            position.push(action)
            for other in range(game.PLAYERS):
                said = word if other == seat else told(game, before, position.state, other, seat)
                heard[other] += [said] if said else []
    yield from (found[place]._replace(visits=times) for place, times in visits.most_common())
