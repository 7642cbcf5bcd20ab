"""Worlds weighed by what the others did: would they have said those words, laid away and played those cards with the
hands they have there?

The player that goes on in imagined worlds stands for everybody. Every world is gone through again from its deal; where
another seat did something else than that player would have done, the world is held to be less likely, and some are
always left (policy inference, with the choices of one player instead of learned probabilities).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np

from kibitz.core.game import Game
from kibitz.core.jit import UNBOUND, specialise
from kibitz.core.policy import Bot
from kibitz.core.shapes import Bools, Floats, Ints
from kibitz.core.view import View, Views
from kibitz.games.cego import rules
from kibitz.games.cego import table as cego
from kibitz.games.tricks import layout as at

game = UNBOUND  # bound by specialise

SAMPLES = 1000
STRANGE_WORD, STRANGE_CARD = 0.05, 0.3
"""How much less likely a world is by each word, and by each card, that the player would not have chosen in it."""
BEHIND, LEAST = 6.0, 60
"""Worlds that are so much less likely than the best, in logarithms, are given up, as long as enough others are left."""
EFFECTIVE = 25.0
"""Weights are drawn nearer to each other until they count for so many equal ones: players are not that predictable."""


@dataclass(frozen=True)
class Policies:
    """Weighs worlds by what a bot would have done in them."""

    bot: Bot
    samples: int = SAMPLES

    def weigh(self, view: View, worlds: Ints) -> Floats:
        """[n]: how well the hands of each world go with what their holders did; 0 where it was given up."""
        tables, left, logs = dealt_again(view.game, worlds), np.arange(len(worlds)), np.zeros(len(worlds))
        words = int(rules.spoken(view.state))
        for number in range(int(view.state[at.MOVES])):
            done, seat = worlds[left, rules.LOG + number], int(tables[0, at.TURN])
            if seat != view.seat:
                strange = np.log(STRANGE_WORD if number < words else STRANGE_CARD)
                logs += strange * self._differs(view, tables, seat, done)
            _stepper(view.game)(tables, done)
            if len(left) > LEAST:
                stay = logs >= min(logs.max() - BEHIND, np.partition(logs, -LEAST)[-LEAST])
                tables, left, logs = tables[stay], left[stay], logs[stay]
        weights = np.zeros(len(worlds))
        weights[left] = tempered(logs)
        return weights

    def _differs(self, view: View, tables: Ints, seat: int, done: Ints) -> Bools:
        """[n]: whether the bot would have done something else than a seat did."""
        views, masks = np.zeros_like(tables), np.zeros((len(tables), view.game.ACTIONS), np.bool_)
        _looker(view.game)(tables, seat, views, masks)
        found, rows = np.zeros(len(tables), np.bool_), np.flatnonzero(masks.sum(axis=1) > 1)
        if len(rows):
            luck, seats = np.repeat(view.rng[None], len(rows), axis=0), np.full(len(rows), seat)
            chosen = self.bot.act_batch(Views(view.game, seats, views[rows], masks[rows], luck))
            found[rows] = chosen != done[rows]
        return found


def tempered(logs: Floats) -> Floats:
    """Weights from their logarithms, the largest 1, to the highest power up to 1 at which EFFECTIVE of them count."""
    low, high, power = 0.0, 1.0, 1.0
    logs = logs - logs.max()
    for _ in range(20):
        weights: Floats = np.exp(power * logs)
        if weights.sum() ** 2 >= EFFECTIVE * (weights**2).sum():
            low = power
        else:
            high = power
        if low == 1.0:
            return weights
        power = (low + high) / 2
    return np.exp(low * logs)


def dealt_again(game: Game, worlds: Ints) -> Ints:
    """[n, SIZE]: the deals of worlds before the first word."""
    first = game.blank()
    game.words.read_deal(game.words.deal_text(worlds[0]), first)
    tables = np.repeat(first[None], len(worlds), axis=0)
    for seat in range(cego.SEATS):
        tables[:, at.HAND + seat] = tables[:, rules.DEALT + seat] = worlds[:, rules.DEALT + seat]
    tables[:, at.ASIDE] = tables[:, cego.BLIND] = worlds[:, cego.BLIND]
    return tables


@cache
def _stepper(game: Game) -> Callable[..., None]:
    return specialise(_step_rows, game.tag, is_loop=True, game=game.kernels)


def _step_rows(tables: Ints, actions: Ints) -> None:
    for row in range(len(tables)):
        game.step(tables[row], actions[row])


@cache
def _looker(game: Game) -> Callable[..., None]:
    return specialise(_look_rows, game.tag, is_loop=True, game=game.kernels)


def _look_rows(tables: Ints, seat: int, views: Ints, masks: Bools) -> None:
    for row in range(len(tables)):
        game.peek(tables[row], seat, views[row])
        game.legal(tables[row], masks[row])


def weigher(game: Game, bot: Bot) -> Policies:
    """Worlds weighed by what a bot would have done in them."""
    return Policies(bot)
