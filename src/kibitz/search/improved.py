"""Search on top of a player that answers at once, a network as a rule: every card is tried in imagined worlds, and the
player itself goes on in all seats to the end of the deal.

Open cards flatter: who solves them believes that everybody knows where every card is. Here nobody does: each seat
decides by its own view of the imagined world (playouts after Furtak and Buro, "Recursive Monte Carlo Search for
Imperfect Information Games"). Worlds are played piece by piece, and cards that have fallen behind are left out of
the next.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from kibitz.core.game import Game
from kibitz.core.policy import Actions, Bot
from kibitz.core.shapes import Floats, Ints
from kibitz.core.view import View, Views
from kibitz.search.pimc import SAME, Pimc, Thought
from kibitz.search.playouts import play_on

WORLDS = 100
"""Worlds for a card, unless told otherwise."""
PIECE = 20
"""Worlds between two looks at which cards are still in the race."""
BEHIND = 1.5
"""A card is given up when it is so many standard errors behind the best."""
TABLES = 32
"""Decisions that are searched side by side."""


class Race:
    """A decision that is being made: the cards that are still in it, and what they have brought so far."""

    def __init__(self, view: View, worlds: Ints, weights: Floats) -> None:
        self.seat, self.actions = view.seat, np.array(view.legal(), np.int64)
        self.worlds, self.weights = worlds, weights
        self.gains = np.full((len(worlds), len(self.actions)), np.nan)
        self.running = np.arange(len(self.actions))
        """Places of the cards that are still in the race."""
        self.done = 0
        """Worlds that have been played."""

    @property
    def is_over(self) -> bool:
        """Whether nothing is left to be tried."""
        return self.done == len(self.worlds) or len(self.running) == 1

    def rows(self) -> tuple[Ints, Ints, Ints]:
        """The next deals: their states, the cards to be tried in them, and the numbers of their worlds."""
        worlds = np.arange(self.done, min(self.done + PIECE, len(self.worlds)))
        numbers = np.repeat(worlds, len(self.running))
        return self.worlds[numbers], np.tile(self.actions[self.running], len(worlds)), numbers

    def note(self, gains: Floats) -> None:
        """Write down what those deals have brought; cards that are too far behind leave the race."""
        played = gains.reshape(-1, len(self.running))
        self.gains[self.done : self.done + len(played), self.running] = played
        self.done += len(played)
        share = self.share()
        found = self.gains[: self.done, self.running]
        behind = found[:, [(share @ found).argmax()]] - found
        means = share @ behind
        errors = np.sqrt(share**2 @ (behind - means) ** 2)
        self.running = self.running[means <= BEHIND * errors + SAME]

    def share(self) -> Floats:
        """[worlds played]: how much each of them counts."""
        counted: Floats = self.weights[: self.done] / self.weights[: self.done].sum()
        return counted

    def means(self) -> Floats:
        """[cards]: what each brought on average as long as it was in the race."""
        found = self.gains[: self.done]
        counts = self.share()[:, None] * np.isfinite(found)
        means: Floats = (counts * np.nan_to_num(found)).sum(axis=0) / counts.sum(axis=0)
        return means

    def ahead(self) -> Floats:
        """[cards]: in what share of the worlds each brought something, as long as it was in the race."""
        found = self.gains[: self.done]
        counts = self.share()[:, None] * np.isfinite(found)
        shares: Floats = (counts * (found > 0)).sum(axis=0) / counts.sum(axis=0)
        return shares

    def best(self) -> Ints:
        """The cards that are equally good."""
        means = self.means()[self.running]
        return self.actions[self.running[means >= means.max() - SAME]]


class Improved(Pimc):
    """Plays the card that brings most when `bot` goes on in all seats; whatever is no card is left to `bot`."""

    def __init__(self, game: Game, name: str, bot: Bot, *, worlds: int = WORLDS, **settings: Any) -> None:
        super().__init__(game, name, worlds=worlds, bidder=bot.act, rule=bot.act, **settings)
        self.bot = bot

    def think(self, view: View) -> Thought:
        """The choice of a card with all that led to it."""
        race = Race(view, *self.imagine(view))
        self._run([race])
        exact = np.full(len(race.actions), np.nan)
        seen = race.worlds[: race.done]
        choice = self._settle(view, race.best())
        return Thought(race.actions, race.means(), exact, seen, race.share(), choice, race.ahead())

    def act_batch(self, views: Views) -> Actions:
        """The actions chosen at many views, which are searched side by side: a network is asked less often."""
        chosen = np.zeros(len(views), np.int64)
        races: dict[int, Race] = {}
        for k, view in enumerate(views):
            if view.mask.sum() > 1 and self.payoff.can_play(view.state) and not self.seconds:
                races[k] = Race(view, *self.imagine(view))
            else:
                chosen[k] = self.act(view)
            if len(races) == TABLES or (races and k == len(views) - 1):
                self._run(list(races.values()))
                for row, race in races.items():
                    chosen[row] = self._settle(views[row], race.best())
                races = {}
        return chosen

    def _run(self, races: list[Race]) -> None:
        """Play worlds until every race is over, or time is."""
        end = time.perf_counter() + self.seconds if self.seconds > 0 else float("inf")
        while races:
            rows = [race.rows() for race in races]
            counts = [len(numbers) for _, _, numbers in rows]
            states, cards, luck = (np.concatenate(part) for part in zip(*rows, strict=True))
            seats = np.repeat([race.seat for race in races], counts)
            gains = play_on(self.game, self.bot, states, cards, seats, luck)
            for race, part in zip(races, np.split(gains, np.cumsum(counts)[:-1]), strict=True):
                race.note(part)
            races = [race for race in races if not race.is_over] if time.perf_counter() < end else []
