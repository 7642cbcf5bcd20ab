"""What to announce, bid, keep and lay away: the values of all calls of Cego, learned from games that networks play out.

Every call of a game is an example: (what the seat saw, what it said) -> what it was paid. The cards are played by the
networks of the sub-games, so that a hand is worth what they can make of it; the best call is the bidding's class.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from kibitz.core.batch import Batch
from kibitz.core.policy import Bot
from kibitz.core.shapes import Ints
from kibitz.games.tricks import layout as at
from kibitz.learn.cego.player import Cards, CegoPlayer, shipped_cards
from kibitz.learn.dmc import Dmc, DmcConfig
from kibitz.learn.model import VALUES, unsaved
from kibitz.learn.seats import Seats
from kibitz.learn.selfplay import Actor, SelfPlay
from kibitz.learn.senses import Sense


@dataclass(frozen=True)
class CallingConfig(DmcConfig):
    """The settings of DMC, for few and noisy examples."""

    observation: str = "compact"
    layers: tuple[int, ...] = (128, 128)
    target: str = "final"


PRESETS: Mapping[str, CallingConfig] = {"default": CallingConfig()}


class CallPlay(SelfPlay):
    """Self-play in which learners only call."""

    def __init__(self, sense: Sense, games: int, cards: Cards) -> None:
        super().__init__(sense, games)
        self.cards = cards

    def _decide(self, player: Actor | Bot, tables: Batch, rows: Ints) -> Ints:
        if not isinstance(player, Actor):
            return super()._decide(player, tables, rows)
        actions = np.zeros(len(rows), np.int64)
        is_play = tables.state[rows, at.PHASE] == at.PLAYING
        if is_play.any():
            actions[is_play] = self.cards.act_batch(tables.views(rows[is_play]))
        if not is_play.all():
            actions[~is_play] = super()._decide(player, tables, rows[~is_play])
        return actions


class Calling(Dmc):
    """The learner: DMC at tables where the cards are played by others."""

    method = "calling"
    config: CallingConfig

    def __init__(self, sense: Sense, seats: Seats, config: CallingConfig, seed: int) -> None:
        super().__init__(sense, seats, config, seed)
        self.selfplay = CallPlay(sense, config.games, shipped_cards(sense.game))

    def player(self, slot: int) -> Bot:
        """Who is measured: the network with the cards played as in training."""
        caller = unsaved(self.sense, [self.networks[slot]], VALUES, method=self.method)
        return CegoPlayer(f"{self.method} {slot}", caller, shipped_cards(self.sense.game))
