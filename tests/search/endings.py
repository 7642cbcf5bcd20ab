"""Positions for the tests: games played at random until so many cards are left."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kibitz.core.batch import Batch
from kibitz.core.game import Game
from kibitz.games.cego.table import GEISS


def endings(game: Game, n: int, played: int, seed: int = 1, spared: int = 1) -> NDArray[np.int64]:
    """[up to n, SIZE]: states after `played` cards of random play, out of `spared` times as many, as some end early."""
    batch = Batch(game, n * spared, seed=seed, games=n * spared)
    luck = np.random.default_rng(seed)
    keeps_geiss = game.name == "cego-ultimo"
    for _ in range(played):
        actions = np.zeros(batch.n, np.int64)
        for row in np.flatnonzero(batch.turn >= 0):
            legal = np.flatnonzero(batch.mask[row])
            if keeps_geiss and len(legal) > 1:
                legal = legal[legal != GEISS]
            actions[row] = luck.choice(legal)
        batch.step(actions)
    return batch.state[batch.turn >= 0][:n].copy()
