"""Probes: a deal is played by the strategies, and at one decision of its traverser every action is tried.

What follows an action is played by the strategies as well, so its return is a fair sample of what it is worth, without any
weights: nothing grows or shrinks from decision to decision, as it does where a few actions are followed everywhere
(traversal.py). A deal gives one note instead of many; which decision it is about is drawn so that the few of one kind, such
as calls, come up as often as is wanted.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kibitz.core.policy import Bot
from kibitz.learn.ledger import Ledgers, Notes, joined
from kibitz.learn.model import drawn
from kibitz.learn.selfplay import UNSEEN, Brain, any_allowed
from kibitz.learn.senses.branches import Lines, stacked
from kibitz.learn.senses.rows import Sights
from kibitz.learn.traversal import Company, Doubles, Harvest, Ints


@dataclass(frozen=True)
class _Place:
    """The traversers' decisions in one step of all deals."""

    lines: Lines
    rows: Ints
    deals: Ints
    kinds: Ints


class Probing:
    """The table at which deals are probed."""

    def __init__(self, company: Company, kinds: Ledgers, first_kind: float, explore: float) -> None:
        self.company, self.kinds, self.first_kind, self.explore = company, kinds, first_kind, explore

    def run(self, roots: Lines, traversers: Ints, luck: np.random.Generator) -> Harvest:
        """Play from some beginnings, each for its own seat, and probe one decision of each."""
        self._noted: dict[int, list[Notes]] = {}
        places, values = self._played(roots, traversers, is_noted=True)
        size, actions = self.company.sense.size, self.company.sense.game.ACTIONS
        noted = {slot: joined(parts, size, actions) for slot, parts in sorted(self._noted.items())}
        chosen = self._chosen(places, len(roots), luck)
        sights, strategy, deals, starts = self._opened(places, chosen)
        if not len(deals):
            return Harvest(joined([], size, actions), noted, values, len(roots))
        parents, numbers = np.nonzero(sights.allowed)
        lines = starts.branch(parents, sights.real[parents, numbers].astype(np.int64))
        worth = np.zeros(strategy.shape)
        worth[parents, numbers] = self._played(lines, traversers[deals][parents], is_noted=False)[1]
        own = (strategy * worth).sum(axis=1)
        regrets = np.where(sights.allowed, worth - own[:, None], 0.0).astype(np.float32)
        notes = Notes(sights.observation, sights.allowed, regrets)
        return Harvest(notes, noted, values, len(roots) + len(parents))

    def _played(self, lines: Lines, traversers: Ints, *, is_noted: bool) -> tuple[list[_Place], Doubles]:
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
                if not isinstance(player, Brain) or player.slot == UNSEEN:
                    actions[rows] = self._foreign(player, lines, rows)
                    continue
                sights = self.company.look(lines, rows)
                strategy = self.company.strategy(player.slot, lines, rows, sights)
                chosen = drawn(strategy, sights.luck[:, 0])
                if is_noted:
                    is_own = sights.seats == traversers[deals[rows]]
                    own, others = np.flatnonzero(is_own), np.flatnonzero(~is_own)
                    chosen[own] = self._strayed(chosen[own], sights.pick(own))
                    places.append(_Place(lines, rows[own], deals[rows[own]], self.kinds.kinds(sights.allowed[own])))
                    self._note(player.slot, sights.pick(others), strategy[others])
                actions[rows] = sights.played(chosen)
            lines, deals = lines.branch(live, actions[live]), deals[live]
        return places, values

    def _note(self, slot: int, sights: Sights, strategy: Doubles) -> None:
        """Keep how others than the traverser decide."""
        notes = Notes(sights.observation, sights.allowed, strategy.astype(np.float32))
        self._noted.setdefault(slot, []).append(notes)

    def _strayed(self, chosen: Ints, sights: Sights) -> Ints:
        """The actions chosen, some of them replaced by any other."""
        stray = sights.luck[:, 1] < self.explore
        if stray.any():
            chosen = chosen.copy()
            chosen[stray] = any_allowed(sights.allowed[stray], sights.luck[stray, 1] / self.explore)
        return chosen

    def _chosen(self, places: list[_Place], deals: int, luck: np.random.Generator) -> Ints:
        """[all decisions]: for every deal one decision is chosen, a kind first, then one of that kind."""
        deal = np.concatenate([place.deals for place in places] or [np.zeros(0, np.int64)])
        kind = np.concatenate([place.kinds for place in places] or [np.zeros(0, np.int64)])
        wanted = np.where(
            luck.random(deals) < self.first_kind, 0, luck.integers(1, max(2, len(self.kinds.parts)), deals)
        )
        # Decisions of the kind that is wanted come before the others, among equals the one with the highest number drawn.
        order = np.lexsort((luck.random(len(deal)), kind == wanted[deal], deal))
        last = np.append(deal[order][1:] != deal[order][:-1], True) if len(order) else np.zeros(0, np.bool_)
        chosen = np.zeros(len(deal), np.bool_)
        chosen[order[last]] = True
        found: Ints = np.flatnonzero(chosen)
        return found

    def _opened(self, places: list[_Place], chosen: Ints) -> tuple[Sights, Doubles, Ints, Lines]:
        """The decisions chosen: what is seen there, the strategies, the deals, and the positions side by side."""
        ends = np.cumsum([len(place.rows) for place in places])
        parts, deals = [], []
        for place, end in zip(places, ends, strict=True):
            mine = chosen[(chosen >= end - len(place.rows)) & (chosen < end)] - (end - len(place.rows))
            if len(mine):
                parts.append(place.lines.pick(place.rows[mine]))
                deals.append(place.deals[mine])
        lines = stacked(self.company.sense.game, parts)
        rows = np.arange(len(lines))
        sights = self.company.look(lines, rows)
        strategy = np.zeros(sights.allowed.shape)
        for player, some in self.company.groups(lines, rows):
            assert isinstance(player, Brain)
            strategy[some] = self.company.strategy(player.slot, lines, some, sights.pick(some))
        return sights, strategy, np.concatenate([np.zeros(0, np.int64), *deals]), lines

    def _foreign(self, player: Brain | Bot, lines: Lines, rows: Ints) -> Ints:
        """What somebody does who does not learn."""
        if isinstance(player, Brain):
            sights = self.company.look(lines, rows)
            return sights.played(player.choose(sights))
        return player.act_batch(lines.views(rows))
