"""How to play the cards of Skat: the values of all cards, learned by self-play from deals that networks have called.

A round's deals are called at once, each is played at several tables, and the networks have places counted from the
declarer. So that they meet more than good contracts, seats of half of the deals call by rule, or go on to a number by
lot. What is learned is the win, and a little of the declarer's points.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from kibitz.core import rng
from kibitz.core.batch import Batch
from kibitz.core.offers import offered
from kibitz.core.policy import Bot
from kibitz.core.shapes import Ints, Singles
from kibitz.games.skat import cards as skat
from kibitz.games.skat import state as at
from kibitz.learn.dmc import Dmc, DmcConfig
from kibitz.learn.model import VALUES, unsaved
from kibitz.learn.seats import Seats
from kibitz.learn.selfplay import Actor, Round, SelfPlay
from kibitz.learn.senses import Sense
from kibitz.learn.settings import positive, share
from kibitz.learn.skat.player import Caller, SkatPlayer, caller_of, places

NULLS = 3.0
"""How much more often a null is played again than another game: it is seldom declared."""


@dataclass(frozen=True)
class CardsConfig(DmcConfig):
    """The settings of DMC, and what the end of a deal counts."""

    observation: str = "cards"
    layers: tuple[int, ...] = (256, 128)
    target: str = "final"
    trace: float = share(0.3)
    games: int = 2048
    batch: int = 256
    rate: float = positive(1e-3)
    last_epsilon: float = share(0.3)
    repeats: int = 8
    """Tables for a called deal, because calling takes longer than playing: at all but the first, contracts are
    drawn again and the defenders' cards dealt again."""
    points: float = share(0.5)
    """What 60 card points count beside a win."""


PRESETS: Mapping[str, CardsConfig] = {"default": CardsConfig()}


class CardPlay(SelfPlay):
    """Self-play from the first card on, with players by their place after the declarer."""

    def __init__(self, sense: Sense, games: int, repeats: int, caller: Caller) -> None:
        super().__init__(sense, games)
        self.repeats, self.caller = repeats, caller
        self.players: Sequence[Actor | Bot] = ()

    def open(self, seed: int, first: int) -> Batch:
        """Deal and call."""
        tables = super().open(seed, first)
        deals, luck = -(-self.games // self.repeats), rng.generator(seed, "called_deals", first)
        states = tables.state[:deals].copy()
        offered(self.game, "SEARCH", "CALLS").call_oddly(self.game, self.caller, states, luck)
        weights = np.where(states[:, at.CONTRACT] == skat.NULL, NULLS, 1.0)
        again = luck.choice(deals, self.games - deals, p=weights / weights.sum())
        tables.state[:] = states[np.concatenate([np.arange(deals), again])]
        deal_again(tables.state[deals:], luck)
        tables.moves += tables.state[:, at.MOVES]
        return tables

    def play(self, seats: Sequence[Actor | Bot], seed: int, first: int = 0) -> Round:
        """Play a round; `seats` are places."""
        self.players = seats
        return replace(super().play([_ANYBODY] * at.PLAYERS, seed, first), seats=seats)

    def _decide(self, player: Actor | Bot, tables: Batch, rows: Ints) -> Ints:
        actions, where = np.zeros(len(rows), np.int64), places(tables.state[rows], tables.turn[rows])
        for place, one in enumerate(self.players):
            if (where == place).any():
                actions[where == place] = super()._decide(one, tables, rows[where == place])
        return actions


def deal_again(states: Ints, luck: np.random.Generator) -> None:
    """Deal the cards of the defenders again."""
    rows = np.flatnonzero(states[:, at.PHASE] == at.PLAYING)
    declarer, bits = states[rows, at.DECLARER], 1 << np.arange(skat.CARDS)
    taken = states[rows, at.HAND + declarer] | states[rows, at.ASIDE]
    order = (luck.random((len(rows), skat.CARDS)) + (taken[:, None] & bits > 0)).argsort(axis=1)
    for k in range(2):
        states[rows, at.HAND + (declarer + 1 + k) % at.PLAYERS] = bits[order[:, 10 * k : 10 * k + 10]].sum(axis=1)


_ANYBODY = Actor(lambda seen: np.zeros(0, np.int64))
"""Sits in every seat; who decides depends on the declarer."""


class Cards(Dmc):
    """The learner: DMC of the cards alone."""

    method = "cards"
    config: CardsConfig
    selfplay: CardPlay

    def __init__(self, sense: Sense, seats: Seats, config: CardsConfig, seed: int) -> None:
        super().__init__(sense, seats, config, seed)
        self.caller = caller_of(sense.game)
        self.selfplay = CardPlay(sense, config.games, config.repeats, self.caller)
        self.scales[:] = 0.0, 1.0

    def _judged(self, played: Round) -> Round:
        states = self.selfplay.tables.state
        worth = worth_to_declarer(states, self.config.points)
        frames = {}
        for slot, some in played.frames.items():
            own = worth[some.row]
            frames[slot] = replace(some, returns=np.where(states[some.row, at.DECLARER] == some.seat, own, -own))
        return replace(played, frames=frames)

    def player(self, slot: int) -> Bot:
        """Who is measured: a whole player with all networks."""
        model = unsaved(self.sense, self.networks, VALUES, self.seats.slots, self.method)
        return SkatPlayer(self.method, model, self.caller)


def worth_to_declarer(states: Ints, points: float) -> Singles:
    """[n]: 1 for a win and -1 for a loss, and what 60 card points more than half count."""
    more = np.where(states[:, at.CONTRACT] == skat.NULL, 0.0, (states[:, at.TOTAL] - 60) / 60.0)
    worth: Singles = (np.where(states[:, at.SUCCESS] > 0, 1.0, -1.0) + points * more).astype(np.float32)
    return worth
