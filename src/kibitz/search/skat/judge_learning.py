"""How the networks that judge contracts are learned: contracts are drawn, and the rule-based player plays them out.

At first nothing is known and contracts come by lot. Then, round by round, those are drawn that the networks of the
round before find good, now and then others, so that the networks know best what they are asked about: the best of
many plans is often one that was judged too well.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from kibitz.core import rng
from kibitz.core.batch import Batch
from kibitz.core.game import Game
from kibitz.core.jit import UNBOUND, loop, specialise
from kibitz.core.shapes import Floats, Ints, Singles
from kibitz.games.skat import cards as skat
from kibitz.games.skat import state as at
from kibitz.games.skat.bots import KNOBS
from kibitz.games.skat.cardplay import best_card
from kibitz.games.skat.contracts import set_up
from kibitz.search.network import Adam, Network, random_network
from kibitz.search.skat.caller import Plans, best_of, every_plan
from kibitz.search.skat.judge import FAMILIES, FAMILY, INPUTS, OUTPUTS, Judge, look_rows

LAYERS = (INPUTS, 96, 32, OUTPUTS)
PIECE = 256
"""Hands planned for at once: each has hundreds of plans."""
FROM_HAND = 0.15
"""The share of hands that are played without the skat."""
EACH = 3
"""Contracts played with a hand."""
LEAST = 0.2
"""Contracts with a smaller chance are not tried once something is known."""
PAIR_SPREAD, CONTRACT_SPREAD = 8.0, 60.0
"""How much less a discard, or a contract, may gain than the best and still be drawn often."""
LOWEST = 18
game = UNBOUND


@dataclass(frozen=True)
class Played:
    """Contracts and how they went."""

    kept: Ints
    laid: Ints
    declared: Ints
    seats: Ints
    won: Ints
    schneider: Ints

    @staticmethod
    def joined(parts: list[Played]) -> Played:
        """All of them together."""
        return Played(*(np.concatenate(part) for part in zip(*(vars(one).values() for one in parts))))


def play(game: Game, judge: Judge, deals: int, seed: int, *, by_lot: bool = False) -> Played:
    """Draw contracts for a seat of each deal and have the rule-based player play them out."""
    luck = rng.generator(seed, "distillation", 4)
    found = []
    for first in range(0, deals, PIECE):
        states = Batch(game, PIECE, seed=seed, first=first, games=PIECE).state.copy()
        seats = luck.integers(0, at.PLAYERS, PIECE)
        plans = draw(judge, states, seats, luck, by_lot)
        table = states[plans.where]
        set_up_rows(table, seats[plans.where], plans.declared, plans.laid)
        play_out(game, table)
        won = table[:, at.SUCCESS]
        schneider = won & (table[:, at.TOTAL] >= 90)
        found.append(Played(plans.kept, plans.laid, plans.declared, seats[plans.where], won, schneider))
    return Played.joined(found)


def draw(judge: Judge, states: Ints, seats: Ints, luck: np.random.Generator, by_lot: bool = False) -> Plans:
    """Some contracts for a seat of every dealt state: good ones more often."""
    ten = states[np.arange(len(states)), at.HAND + seats]
    is_hand = luck.random(len(states)) < FROM_HAND
    cards, laid = np.where(is_hand, ten, ten | states[:, at.ASIDE]), np.where(is_hand, -1, 0)
    plans = every_plan(judge, cards, laid, seats, np.full(len(states), LOWEST))
    count = len(skat.DECLARATIONS)
    best = np.full(len(states) * count, -1)
    best_of(_drawn(plans.gains, PAIR_SPREAD, by_lot, luck), plans.where * count + plans.declared, best)
    ones = plans.some(best[best >= 0])
    if not by_lot:
        ones = ones.some(np.flatnonzero(ones.chances[:, 0] >= LEAST))
    order = np.lexsort((-_drawn(ones.gains, CONTRACT_SPREAD, by_lot, luck), ones.where))
    place = np.arange(len(order)) - np.searchsorted(ones.where[order], ones.where[order])
    return ones.some(order[place < EACH])


def _drawn(gains: Floats, spread: float, by_lot: bool, luck: np.random.Generator) -> Floats:
    """Gains with noise: the highest is a draw by the exponential of gain / spread."""
    return luck.gumbel(size=len(gains)) + (0.0 if by_lot else gains / spread)


def fit(played: Played, epochs: int, seed: int, batch: int = 2048, rate: float = 0.002) -> Judge:
    """Networks that tell the chances of contracts."""
    family = FAMILY[skat.DECLARED_KIND[played.declared]]
    networks = []
    for k in range(len(FAMILIES)):
        rows = np.flatnonzero(family == k)
        seen = np.empty((len(rows), INPUTS), np.float32)
        look_rows(played.kept[rows], played.laid[rows], played.declared[rows], played.seats[rows], seen)
        truth = np.stack([played.won[rows], played.schneider[rows]], axis=1).astype(np.float32)
        networks.append(_fit_one(seen, truth, epochs, seed + k, batch, rate))
    return Judge(networks)


def _fit_one(seen: Singles, truth: Singles, epochs: int, seed: int, batch: int, rate: float) -> Network:
    """Logistic regression by a network, the rate falling to nothing."""
    net = random_network(LAYERS, seed, float(np.sqrt(2.0)))
    adam, luck = Adam(net), rng.generator(seed, "distillation", 5)
    pieces = max(1, len(seen) // batch)
    for number in range(epochs * pieces):
        if number % pieces == 0:
            order = luck.permutation(len(seen))
        pick = order[number % pieces :: pieces]
        layers = net.layers(seen[pick])
        error = (1.0 / (1.0 + np.exp(-layers[-1])) - truth[pick]) / len(pick)
        adam.step(layers, error.astype(np.float32), rate * (1.0 - number / (epochs * pieces)))
    return net


def play_out(game: Game, states: Ints) -> None:
    """Have the rule-based player play the cards of every state to the end."""
    bound(game, _play_rows)(states, np.array(list(KNOBS.values())))


@cache
def bound(game: Game, template: Callable[..., None]) -> Any:
    """A loop over states, compiled for a game."""
    return specialise(template, game.tag, is_loop=True, game=game.kernels)


def _play_rows(states: Ints, knobs: Floats) -> None:
    mask = np.zeros(game.ACTIONS, np.bool_)
    for row in range(len(states)):
        s = states[row]
        while game.turn(s) >= 0:
            mask[:] = False
            game.legal(s, mask)
            game.step(s, best_card(s, mask, knobs))


@loop
def set_up_rows(states: Ints, seats: Ints, declared: Ints, laid: Ints) -> None:
    """Begin the play of dealt states with these contracts."""
    for row in range(len(states)):
        set_up(states[row], seats[row], declared[row], laid[row], 0)
