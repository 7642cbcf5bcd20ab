"""Perfect-information Monte Carlo: a player that imagines worlds, looks at the open cards of each and plays what is
best on average.

For every decision it draws worlds that fit its view (all of them when they are few), asks a quick question about every
card in every world (does my side win?), and among the cards that are equally good takes the one with the best
exact values in some of the worlds. Worlds may be weighed by an inference module. Calls, discards and
declarations are left to a bidder.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

import numpy as np

from kibitz.core import rng
from kibitz.core.errors import BadInput
from kibitz.core.game import Game
from kibitz.core.offers import offered
from kibitz.core.policy import OneByOne
from kibitz.core.position import Position
from kibitz.core.shapes import Floats, Ints
from kibitz.core.view import View
from kibitz.search import worlds as deals
from kibitz.search.particles import Particles
from kibitz.search.postponed import Postponed
from kibitz.search.solver.payoff import declared, kit_payoff

WORLDS = 20
PIECE = 8
"""Worlds solved between two looks at the clock."""
SAME = 1e-9
PREPARED = 2
"""Deals that are played to have everything compiled."""


class Weigher(Protocol):
    """An inference module: how likely worlds are, given how the others have bid and played."""

    @property
    def samples(self) -> int:
        """How many worlds to weigh; all that fit the view if there are no more."""
        ...

    def weigh(self, view: View, worlds: Ints) -> Floats:
        """[n]: a weight that is not negative for each world [n, SIZE], on any scale."""
        ...


@dataclass(frozen=True)
class Thought:
    """Why a card was chosen."""

    actions: Ints
    """The legal cards."""
    values: Floats
    """[cards]: the mean of the quick question, in what the game pays."""
    exact: Floats
    """[cards]: the mean exact value among the cards that were equally good, nan elsewhere."""
    worlds: Ints
    """[n, SIZE]: the worlds looked at."""
    weights: Floats
    """[n]: their weights, summing to 1."""
    choice: int
    ahead: Floats
    """[cards]: in what share of the worlds the seat's side receives something."""


class Pimc(OneByOne):
    """Plays cards by open-card search over imagined worlds, and leaves everything else to `bidder`.

    `seconds` limits the time for a card: then as many worlds are looked at as there is time for, `worlds` at most. With
    `depth` the cards stay closed for so many decisions after the card that is tried (see `postponed`). With `particles`
    so many worlds are carried along each game, and `worlds` of them looked at.
    """

    def __init__(
        self,
        game: Game,
        name: str = "pimc",
        *,
        worlds: int = WORLDS,
        seconds: float = 0.0,
        threads: int = 1,
        depth: int = 0,
        particles: int = 0,
        weigher: Weigher | None = None,
        bidder: Callable[[View], int] | None = None,
        rule: Callable[[View], int] | None = None,
    ) -> None:
        if worlds < 1:
            raise BadInput(f"{name}: worlds={worlds} is not possible: at least 1 is")
        if depth < 0 or (depth and seconds > 0):
            raise BadInput(
                f"{name}: depth={depth} is not possible: it is at least 0, and more than 0 only without time"
            )
        if particles and particles < worlds:
            raise BadInput(f"{name}: particles={particles} is not possible: they are at least the worlds={worlds}")
        if not can_play(game):
            raise BadInput(f"pimc cannot play {game.name}: it plays trick-taking games")
        self.name, self.game = name, game
        self.worlds, self.seconds, self.threads = worlds, seconds, threads
        self.depth, self.weigher = depth, weigher
        self.particles = Particles(particles) if particles else None
        self.payoff = payoff_of(game)
        self.rule = rule
        self.bidder = bidder or rule

    def act(self, view: View) -> int:
        """The action chosen at one view."""
        legal = view.legal()
        if len(legal) == 1:
            return legal[0]
        if not self.payoff.can_play(view.state):
            if self.bidder is None:
                raise BadInput(f"{self.name} has nobody who calls for it")
            return self.bidder(view)
        return self.think(view).choice

    def prepare(self, views: Iterable[View] | None = None) -> None:
        """Compile what a game needs: decide at these views, or play a few games, with one world for a card."""
        worlds, self.worlds = self.worlds, 1
        try:
            for view in views or ():
                self.act(view)
            for number in range(PREPARED if views is None else 0):
                position = Position(self.game, 0, number)
                while not position.is_over:
                    position.push(self.act(position.view(position.turn)))
        finally:
            self.worlds = worlds

    def values(self, view: View) -> Floats:
        """float[ACTIONS]: what each card is worth on average, in what the game pays; nan for other actions."""
        out = np.full(view.game.ACTIONS, np.nan)
        if self.payoff.can_play(view.state):
            thought = self.think(view)
            out[thought.actions] = thought.values
        return out

    def imagined(self, view: View) -> Floats:
        """float[1 + ACTIONS]: how many worlds are looked at, and in what share of them each card leaves the seat's side
        ahead; nan for other actions."""
        out = np.full(1 + view.game.ACTIONS, np.nan)
        out[0] = 0.0
        if self.payoff.can_play(view.state) and len(view.legal()) > 1:
            thought = self.think(view)
            out[0], out[1 + thought.actions] = len(thought.worlds), thought.ahead
        return out

    def think(self, view: View) -> Thought:
        """The choice of a card with all that led to it."""
        end = time.perf_counter() + self.seconds if self.seconds > 0 else float("inf")
        states, weights = self.imagine(view)
        actions = np.array(view.legal(), np.int64)
        is_postponed = self.depth and self.payoff.has_sides(view.state)
        question = Postponed(self.payoff, weights, self.depth).quick if is_postponed else self.payoff.quick
        values, done = self._ask(question, view, states, actions, end)
        weights = weights[:done] / weights[:done].sum()
        means = weights @ values
        tied = means >= means.max() - SAME
        exact = np.full(len(actions), np.nan)
        looks = self.payoff.close_looks(view.state, done) if tied.sum() > 1 else 0
        if looks and time.perf_counter() < end:
            order = np.argsort(-weights, kind="stable")[:looks]
            only = sum(1 << int(card) for card in actions[tied] - self.payoff.kit.first_card)
            question = partial(self.payoff.close, only=only)
            closer, seen = self._ask(question, view, states[order], actions[tied], end)
            share = weights[order][:seen] / weights[order][:seen].sum()
            exact[tied] = share @ closer
            tied &= exact >= np.nanmax(exact) - SAME
        choice = self._settle(view, actions[tied])
        return Thought(actions, means, exact, states[:done], weights, choice, weights @ (values > 0))

    def imagine(self, view: View) -> tuple[Ints, Floats]:
        """Worlds to look at, [n, SIZE], and how much each of them counts."""
        wanted = self.payoff.effort(view.state, self.worlds)
        if self.weigher is None:
            states = self._draw(view, wanted)[:wanted]
            return states, np.full(len(states), 1.0 / len(states))
        states = self._draw(view, self.weigher.samples)
        weights = np.asarray(self.weigher.weigh(view, states), np.float64)
        total = weights.sum()
        if weights.shape != (len(states),) or not np.isfinite(total) or total <= 0 or (weights < 0).any():
            raise BadInput(f"{self.name}: the weights of {len(states)} worlds must be non-negative and not all zero")
        weights /= total
        if len(states) <= wanted:
            return states, weights
        luck = rng.forked(view.rng, rng.WEIGHTS)
        places = (rng.uniform(luck) + np.arange(wanted)) / wanted
        picked, copies = np.unique(
            np.searchsorted(np.cumsum(weights), places).clip(0, len(states) - 1), return_counts=True
        )
        return states[picked], copies / copies.sum()

    def _draw(self, view: View, n: int) -> Ints:
        return self.particles.draw(view) if self.particles else deals.draw(view, n)

    def _ask(self, question: Any, view: View, states: Ints, actions: Ints, end: float) -> tuple[Floats, int]:
        """[worlds looked at, cards]: the answers, and how many worlds there was time for."""
        if end == float("inf"):
            return question(self.game, states, view.seat, self.threads)[:, actions], len(states)
        parts: list[Floats] = []
        for start in range(0, len(states), PIECE):
            parts.append(question(self.game, states[start : start + PIECE], view.seat, self.threads)[:, actions])
            if time.perf_counter() >= end:
                break
        values = np.concatenate(parts)
        return values, len(values)

    def _settle(self, view: View, actions: Ints) -> int:
        """One of the cards that are equally good: what the rule-based player would play, if it is among them."""
        if len(actions) > 1 and self.rule is not None:
            choice = self.rule(view)
            if choice in actions:
                return choice
        return int(actions[0])


def can_play(game: Game) -> bool:
    """Whether there is a PIMC player for a game."""
    return declared(game) is not None or offered(game, "SEARCH", "PAYOFF") is not None


def payoff_of(game: Game) -> Any:
    """What says how much open cards are worth in a game: its own module, or what the kit makes of its declaration."""
    return kit_payoff(game) or offered(game, "SEARCH", "PAYOFF")
