"""PI, policy inference: a world is as likely as everything the other players did in it.

What a player does depends on his own cards and on what lies open, so a world's likelihood is a product of one factor
per player, and each distinct hand is judged once. PI weighs card configurations; a defender then does not know the ten
cards the declarer bid on, and his bids and his pick-up are left out. PIF (`has_history`) weighs states, which have
them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from kibitz.core.game import Game
from kibitz.core.shapes import Floats, Ints
from kibitz.core.view import View
from kibitz.games.skat.knowledge import has_picked_up
from kibitz.games.skat.state import CONTRACT, DECLARER, PLAYED, PLAYERS
from kibitz.search.skat.inference.configurations import Configurations
from kibitz.search.skat.inference.history import Decision, bounds, decisions
from kibitz.search.skat.inference.module import Inference, check_game
from kibitz.search.skat.inference.policies import TRUSTS, Policies, read_policies

PI20 = 20_000
"""The paper's number of sampled worlds; its PI100 has five times as many."""


@dataclass(frozen=True)
class PolicyInference(Inference):
    """Weighs worlds by the learned policies of the others."""

    samples: int = PI20
    policies: Policies = field(default_factory=read_policies)
    has_history: bool = False
    """Whether the worlds say what the declarer picked up, and his bids count."""

    def log_weights(self, view: View, worlds: Configurations) -> Floats:
        """[n]: log likelihood of what the others did."""
        return weighed_together([self], view, worlds)[0]

    def factors(self, view: View, worlds: Configurations) -> dict[int, Floats]:
        """Seat -> [n] or [n, trusts]: log likelihood of what each of the others did, without what came before the
        pick-up."""
        story = decisions(view.game, worlds.write(0, view.state))
        found = {}
        for seat in range(PLAYERS):
            if seat != view.seat:
                own = [decision for decision in story if decision.seat == seat]
                if seat == view.state[DECLARER] and has_picked_up(view.state):
                    found[seat] = self._declarer(view, worlds, own)
                else:
                    found[seat] = self._ten_cards(view, worlds.hands[:, seat], seat, own)
        return found

    def likelihood(self, view: View, worlds: Configurations, factors: Mapping[int, Floats]) -> Floats:
        """[n]: log likelihood from its factors."""
        s, total = view.state, np.zeros(len(worlds))
        for seat, factor in factors.items():
            if self.has_history and seat == s[DECLARER] and has_picked_up(s):
                factor = factor + self._before_pickup(view, worlds, seat)
            total += self.policies.believed(factor)
        return total

    def _ten_cards(self, view: View, hands: Ints, seat: int, story: list[Decision]) -> Floats:
        """A seat that plays with the cards it was dealt."""
        s = view.state
        distinct, where = np.unique(hands, return_inverse=True)
        ten = distinct | s[PLAYED + seat]
        total = self.policies.plays(distinct, None, int(s[CONTRACT]), story)
        total += self._bids(view, ten, seat)
        if seat == s[DECLARER] and bounds(s) is not None:
            total += self.policies.pickup(ten, s) + self.policies.declares_from_hand(ten, s)
        return total[where]

    def _declarer(self, view: View, worlds: Configurations, story: list[Decision]) -> Floats:
        """A declarer who has picked up: the discards are as unknown as his hand."""
        s = view.state
        seat = int(s[DECLARER])
        distinct, where = np.unique(worlds.hands[:, seat] | worlds.skat << 32, return_inverse=True)
        hands, laid = distinct & 0xFFFFFFFF, distinct >> 32 & 0xFFFFFFFF
        total = self.policies.plays(hands, laid, int(s[CONTRACT]), story)
        if bounds(s) is not None:
            twelve = hands | s[PLAYED + seat] | laid
            distinct_twelve, back = np.unique(twelve, return_inverse=True)
            total += self.policies.declares(distinct_twelve, s)[back]
            total += self.policies.discards(twelve, laid, s)
        return total[where]

    def _before_pickup(self, view: View, worlds: Configurations, seat: int) -> Floats:
        """The bids and the pick-up, from the ten cards of the state."""
        s = view.state
        if bounds(s) is None:
            return self.policies.nothing(len(worlds))
        dealt = (worlds.hands[:, seat] | s[PLAYED + seat] | worlds.skat) & ~worlds.taken
        ten, where = np.unique(dealt, return_inverse=True)
        return (self._bids(view, ten, seat) + self.policies.pickup(ten, s))[where]

    def _bids(self, view: View, ten: Ints, seat: int) -> Floats:
        known = bounds(view.state)
        if known is None:
            return self.policies.nothing(len(ten))
        return self.policies.bids(ten, seat, int(known[0][seat]), int(known[1][seat]))


def weighed_together(
    modules: Sequence[PolicyInference], view: View, worlds: Configurations, counts: Sequence[int] | None = None
) -> list[Floats]:
    """[n] for each module: its log weights; networks that modules share are asked once for all of them.

    With `counts` each module is given only so many of the worlds, the first of them.
    """
    counts = [len(worlds)] * len(modules) if counts is None else counts
    found: dict[int, Floats] = {}
    for networks in {id(one.policies.networks): one.policies.networks for one in modules}.values():
        own = [k for k, one in enumerate(modules) if one.policies.networks is networks]
        shares = list(dict.fromkeys(share for k in own for share in modules[k].policies.shares))
        asked = worlds.pick(slice(0, max(counts[k] for k in own)))
        even = tuple((share, 1.0) for share in shares)
        factors = PolicyInference(policies=Policies(networks, trusts=even)).factors(view, asked)
        for k in own:
            policies, rows = modules[k].policies, slice(0, counts[k])
            columns = [shares.index(share) for share in policies.shares]
            wanted = columns if policies.trusts else columns[0]
            part = {seat: factor[rows, wanted] for seat, factor in factors.items()}
            found[k] = modules[k].likelihood(view, worlds.pick(rows), part)
    return [found[k] for k in range(len(modules))]


def weigher(
    game: Game, samples: int = PI20, has_history: bool = False, doubts: bool = False, folder: Path | None = None
) -> PolicyInference:
    """PI with the policies in a folder, or those that come with kibitz; it may doubt whom it cannot predict."""
    check_game(game)
    return PolicyInference(samples, read_policies(folder, trusts=TRUSTS if doubts else ()), has_history)
