"""Probes: a deal is played by the strategies, and at a few decisions of its traverser other actions are tried.

What follows an action is played by the strategies as well, so its return is a fair sample of what it is worth, without
any weights: nothing grows or shrinks from decision to decision, as it does where some actions are followed everywhere
(traversal.py). How many decisions of a deal are asked about is said for each kind of them: a call has dozens of actions
with a whole deal behind each, a card a few with the rest of the tricks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kibitz.core.policy import Bot
from kibitz.core.shapes import Bools, Floats, Ints
from kibitz.learn.ledger import Ledgers, Notes, joined
from kibitz.learn.model import drawn
from kibitz.learn.selfplay import UNSEEN, Actor, any_allowed
from kibitz.learn.senses.branches import Lines, stacked
from kibitz.learn.senses.rows import ObservationBatch
from kibitz.learn.traversal import Company, Harvest


@dataclass(frozen=True)
class _Place:
    """The traversers' decisions in one step of all deals."""

    lines: Lines
    rows: Ints
    deals: Ints
    kinds: Ints


class Probing:
    """The table at which deals are probed."""

    def __init__(
        self, company: Company, kinds: Ledgers, probes: Sequence[int], tries: int, explore: float, together: int = 0
    ) -> None:
        self.company, self.kinds, self.tries, self.explore, self.together = company, kinds, tries, explore, together
        self.probes = np.array([probes[min(kind, len(probes) - 1)] for kind in range(len(kinds.parts))])

    def run(self, roots: Lines, traversers: Ints, luck: np.random.Generator) -> Harvest:
        """Play from some beginnings, each for its own seat, and probe decisions of each."""
        self._noted: dict[int, list[Notes]] = {}
        places, values = self._played(roots, traversers, is_noted=True)
        size, actions = self.company.sense.size, self.company.sense.game.ACTIONS
        noted = {slot: joined(parts, size, actions) for slot, parts in sorted(self._noted.items())}
        deals, starts = self._opened(places, self._chosen(places, luck))
        if not len(deals):
            return Harvest(joined([], size, actions), noted, values, len(roots))
        observed, strategy = self._seen(starts)
        tried = some_of(observed.allowed, self.tries, luck)
        instead = drawn(strategy, luck.random(len(deals)))
        followed = tried.copy()
        followed[np.arange(len(deals)), instead] = True
        parents, numbers = np.nonzero(followed)
        tried_out = observed.real[parents, numbers].astype(np.int64)
        worth = np.zeros(strategy.shape)
        together = self.together or len(parents)  # lines have luck of their own, whoever is played beside them
        for some in np.split(np.arange(len(parents)), range(together, len(parents), together)):
            lines = starts.branch(parents[some], tried_out[some])
            found = self._played(lines, traversers[deals[parents[some]]], is_noted=False)[1]
            worth[parents[some], numbers[some]] = found
        # Where all actions were tried their mean by the strategy is known; elsewhere one that it drew stands for it,
        # which is noted only if it was to be tried anyway: notes of what a strategy likes to draw would be nothing but
        # zeros.
        is_whole = (tried == observed.allowed).all(axis=1)
        own = np.where(is_whole, (strategy * worth).sum(axis=1), worth[np.arange(len(worth)), instead])
        regrets = np.where(tried, worth - own[:, None], 0.0).astype(np.float32)
        return Harvest(Notes(observed.observation, tried, regrets), noted, values, len(roots) + len(parents))

    def _played(self, lines: Lines, traversers: Ints, *, is_noted: bool) -> tuple[list[_Place], Floats]:
        """Play some lines to their end; gives the traversers' decisions and what the lines brought them.

        Where nothing is noted nobody strays either.
        """
        places = []
        deals, values = np.arange(len(lines)), np.zeros(len(lines))
        while len(lines):
            over = lines.turn < 0
            values[deals[over]] = lines.returns[over, traversers[deals[over]]]
            live = np.flatnonzero(~over)
            if not len(live):
                break
            actions = np.zeros(len(lines), np.int64)
            for player, rows in self.company.groups(lines, live):
                if not isinstance(player, Actor) or player.slot == UNSEEN:
                    actions[rows] = self._foreign(player, lines, rows)
                    continue
                observed = self.company.look(lines, rows)
                strategy = self.company.strategy(player.slot, lines, rows, observed)
                chosen = drawn(strategy, observed.luck[:, 0])
                if is_noted:
                    is_own, is_free = observed.seats == traversers[deals[rows]], observed.allowed.sum(axis=1) > 1
                    own, others = np.flatnonzero(is_own & is_free), np.flatnonzero(~is_own & is_free)
                    chosen[own] = self._strayed(chosen[own], observed.pick(own))
                    places.append(_Place(lines, rows[own], deals[rows[own]], self.kinds.kinds(observed.allowed[own])))
                    self._note(player.slot, observed.pick(others), strategy[others])
                actions[rows] = observed.played(chosen)
            lines, deals = lines.branch(live, actions[live]), deals[live]
        return places, values

    def _note(self, slot: int, observed: ObservationBatch, strategy: Floats) -> None:
        """Keep how others than the traverser decide."""
        notes = Notes(observed.observation, observed.allowed, strategy.astype(np.float32))
        self._noted.setdefault(slot, []).append(notes)

    def _strayed(self, chosen: Ints, observed: ObservationBatch) -> Ints:
        """The actions chosen, some of them replaced by any other."""
        stray = observed.luck[:, 1] < self.explore
        if stray.any():
            chosen = chosen.copy()
            chosen[stray] = any_allowed(observed.allowed[stray], observed.luck[stray, 1] / self.explore)
        return chosen

    def _chosen(self, places: list[_Place], luck: np.random.Generator) -> Ints:
        """Which of all decisions are probed: as many of every deal and kind as is wanted, all equally likely."""
        deal = np.concatenate([place.deals for place in places] or [np.zeros(0, np.int64)])
        kind = np.concatenate([place.kinds for place in places] or [np.zeros(0, np.int64)])
        order = np.lexsort((luck.random(len(deal)), kind, deal))
        group = deal[order] * len(self.kinds.parts) + kind[order]
        is_first = np.append(True, group[1:] != group[:-1])[: len(group)]
        start = np.maximum.accumulate(np.where(is_first, np.arange(len(group)), 0))
        found: Ints = np.sort(order[np.arange(len(group)) - start < self.probes[kind[order]]])
        return found

    def _opened(self, places: list[_Place], chosen: Ints) -> tuple[Ints, Lines]:
        """The decisions chosen: of which deals they are, and their positions side by side."""
        parts, deals, first = [], [np.zeros(0, np.int64)], 0
        for place in places:
            mine = chosen[(chosen >= first) & (chosen < first + len(place.rows))] - first
            first += len(place.rows)
            if len(mine):
                parts.append(place.lines.pick(place.rows[mine]))
                deals.append(place.deals[mine])
        return np.concatenate(deals), stacked(self.company.sense.game, parts)

    def _seen(self, lines: Lines) -> tuple[ObservationBatch, Floats]:
        """What the traversers see at some positions, and their strategies there."""
        rows = np.arange(len(lines))
        observed = self.company.look(lines, rows)
        strategy = np.zeros(observed.allowed.shape)
        for player, some in self.company.groups(lines, rows):
            assert isinstance(player, Actor)
            strategy[some] = self.company.strategy(player.slot, lines, some, observed.pick(some))
        return observed, strategy

    def _foreign(self, player: Actor | Bot, lines: Lines, rows: Ints) -> Ints:
        """What somebody does who does not learn."""
        if isinstance(player, Actor):
            observed = self.company.look(lines, rows)
            return observed.played(player.choose(observed))
        return player.act_batch(lines.views(rows))


def some_of(allowed: Bools, most: int, luck: np.random.Generator) -> Bools:
    """[n, ACTIONS]: so many of the actions that are allowed, all equally likely; all of them where most is 0."""
    if not most:
        return allowed
    rank = np.where(allowed, luck.random(allowed.shape), np.inf)
    tried: Bools = allowed & (rank.argsort(axis=1).argsort(axis=1) < most)
    return tried
