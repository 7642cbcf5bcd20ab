"""Cards that open later: the next decisions are made by seats that do not see the other hands.

Plain search opens the cards right after the card it tries, so it believes that it will know later what it cannot know
(strategy fusion). Here the cards stay closed for some more decisions, after Arjonilla, Saffidine and Cazenave, "Perfect
Information Monte Carlo with Postponing Reasoning": whoever is to play must play the same card in all worlds he cannot
tell apart, the one that is best for his side on average over them; then the cards open. Worlds count for a decision as
long as the cards played before it were legal in them, not only where they were also wise.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from kibitz.core.game import Game
from kibitz.core.shapes import Floats, Ints


@dataclass(frozen=True)
class Postponed:
    """A payoff's question about worlds of one view, asked `depth` decisions later."""

    payoff: Any
    weights: Floats
    """[worlds]"""
    depth: int

    def quick(self, game: Game, states: Ints, seat: int, threads: int) -> Floats:
        """[n, ACTIONS]: what each card of the seat to play is worth to `seat` in each world; nan if illegal."""
        return self._after(game, states, self.weights, seat, self.depth + 1, threads)

    def _after(self, game: Game, states: Ints, weights: Floats, seat: int, depth: int, threads: int) -> Floats:
        if depth == 0:
            return self.payoff.quick(game, states, seat, threads)
        masks = np.zeros((len(states), game.ACTIONS), np.bool_)
        for s, mask in zip(states, masks, strict=True):
            game.legal(s, mask)
        out = np.full(masks.shape, np.nan)
        for action in np.flatnonzero(masks.any(axis=0)):
            rows = np.flatnonzero(masks[:, action])
            after = states[rows].copy()
            for s in after:
                game.step(s, int(action))
            out[rows, action] = self._worth(game, after, weights[rows], seat, depth - 1, threads)
        return out

    def _worth(self, game: Game, states: Ints, weights: Floats, seat: int, depth: int, threads: int) -> Floats:
        """[n]: what worlds with the same cards on the table are worth when the seat to play does its best."""
        mover = int(game.turn(states[0]))
        if mover < 0:
            return self.payoff.ended(game, states, seat)
        values = self._after(game, states, weights, seat, depth, threads)
        is_ours = game.side(states[0], mover) == game.side(states[0], seat)
        if depth == 0:
            return np.nanmax(values, axis=1) if is_ours else np.nanmin(values, axis=1)
        worth = np.zeros(len(states))
        known = np.array([game.infoset(s, mover) for s in states])
        for key in np.unique(known):
            rows = np.flatnonzero(known == key)
            means = weights[rows] @ values[rows]
            choice = np.nanargmax(means) if is_ours else np.nanargmin(means)
            worth[rows] = values[rows, choice]
        return worth
