"""How the searching player bids, lays away and declares in Skat.

Two judges say what a plan promises: the formula of the rule-based player, and the share of imagined deals that the
declarer wins with open cards. Open cards flatter or slander him by kind of game, so both are joined by weights fitted
to games that searching players have played out (`calibration`). In the auction the skat is imagined too, and with each
skat the contracts that the formula likes best.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TypeVar

import numpy as np

from kibitz.core import rng
from kibitz.core.bits import highest, lowest
from kibitz.core.game import Game
from kibitz.core.shapes import Bools, Ints
from kibitz.core.view import View
from kibitz.games.skat import state as at
from kibitz.games.skat.bots import KNOBS, NEVER, PASSING, choose
from kibitz.games.skat.cards import BIDS, N_BIDS
from kibitz.games.skat.contracts import set_up
from kibitz.search import worlds as deals
from kibitz.search.doubledummy import can_reach
from kibitz.search.skat.payoff import OVERBID, needed
from kibitz.search.skat.plans import DEALT, Plan, hand_plans, pickup_plans

Found = TypeVar("Found")

SKATS = 16
"""Skats imagined in the auction, each with one deal of the other cards."""
PER_SKAT = 2
"""Contracts looked at with each of them."""
LOOKS = (8, 16)
"""Deals in which all plans for twelve cards are tried, and further ones for the best of them."""
PLANS = (8, 3)
EACH = 4
"""Plans with one contract among the first."""
LOWEST = 18
WEIGHTS = np.array(
    [[0.36,  0.79, 0.25],
     [0.53,  0.75, 0.32],
     [0.87,  0.35, 0.29],
     [0.58, -0.03, 0.72]]
)  # fmt: skip
"""float[suit game, grand, null, null ouvert; constant, the formula's log-odds, log-odds of the open deals won]"""
MOST_KEPT = 4096


@dataclass
class Judged:
    """A plan with the open deals in which it was tried."""

    plan: Plan
    won: int = 0
    tried: int = 0

    @property
    def chance(self) -> float:
        """To win when nobody sees the others' cards."""
        return corrected(self.plan, self.won, self.tried)


@dataclass(frozen=True)
class Outlook:
    """What ten cards promise: by skat the plans it allows, and plans without it."""

    pickup: tuple[tuple[Judged, ...], ...]
    hand: tuple[Judged, ...]

    def with_skat(self, bid: int) -> float:
        """The expected gain of picking up at a bid."""
        return float(np.mean([max(one.plan.gain(one.chance, bid) for one in plans) for plans in self.pickup]))

    def from_hand(self, bid: int) -> float:
        """The expected gain of the best hand game."""
        return max((one.plan.gain(one.chance, bid) for one in self.hand), default=NEVER)


@dataclass
class Bidder:
    """Calls, picks up, lays away and declares by open cards; what it found for a hand it keeps.

    Its luck comes from the cards in its hand alone, so what it finds does not depend on when it is asked.
    """

    game: Game
    outlooks: dict[tuple[int, ...], Outlook] = field(default_factory=dict)
    choices: dict[tuple[int, ...], Plan] = field(default_factory=dict)

    def act(self, view: View) -> int:
        """The call, the discard or the declaration; a Ramsch is left to the rule-based player."""
        s = view.state
        phase = s[at.PHASE]
        if phase > at.DECLARING:
            return int(choose(s, view.mask, view.rng, np.array(list(KNOBS.values()))))
        if phase <= at.OPENING:
            return self._call(view)
        bid = int(BIDS[s[at.HIGH]])
        if phase == at.CHOOSING:
            outlook = self.outlook(view)
            return at.HAND_GAME if outlook.from_hand(bid) > outlook.with_skat(bid) else at.PICKUP
        plan = self.choice(view)
        if phase == at.DISCARDING:
            return int(lowest(plan.laid) if s[at.LAYING_NOW] == 0 else highest(plan.laid))
        return at.DECLARE + plan.declaration

    def _call(self, view: View) -> int:
        """Go on while the game is expected to pay more than leaving it to the others."""
        is_asked = view.state[at.PHASE] == at.ANSWERING
        number = int(view.state[at.HIGH]) + (0 if is_asked else 1)
        if number >= N_BIDS:
            return at.PASS
        outlook, bid = self.outlook(view), int(BIDS[number])
        if max(outlook.with_skat(bid), outlook.from_hand(bid)) < PASSING:
            return at.PASS
        return at.HOLD if is_asked else at.BID + number

    def outlook(self, view: View) -> Outlook:
        """What the ten cards of a seat promise before the skat is seen."""
        seat, cards = view.seat, int(view.state[at.HAND + view.seat])
        return _kept(self.outlooks, (cards, seat), lambda: self._look(view, cards))

    def _look(self, view: View, cards: int) -> Outlook:
        seat = view.seat
        states = deals.sample(replace(view, rng=rng.fresh(cards, seat)), SKATS)
        tried: list[tuple[Judged, ...]] = []
        for s in states:
            plans = pickup_plans(cards | int(s[at.ASIDE]), 0, seat, LOWEST, 1, PER_SKAT)
            tried.append(tuple(Judged(plan) for plan in plans))
        wins: dict[int, list[bool]] = {}
        for k, s in enumerate(states):
            for one in tried[k]:
                wins.setdefault(one.plan.declaration, []).append(
                    bool(open_wins(self.game, s[None], seat, one.plan, 0)[0])
                )
        for plans_of_skat in tried:
            for one in plans_of_skat:
                found = wins[one.plan.declaration]
                one.won, one.tried = sum(found), len(found)
        hand = [Judged(plan) for plan in hand_plans(cards, seat, LOWEST, 1)]
        for one in hand:
            one.won, one.tried = int(open_wins(self.game, states, seat, one.plan, 0).sum()), len(states)
        return Outlook(tuple(tried), tuple(hand))

    def choice(self, view: View) -> Plan:
        """The best plan for the cards a declarer has and the ones he has laid away."""
        s, seat = view.state, view.seat
        cards, laid = int(s[at.HAND + seat] | s[at.ASIDE]), int(s[at.ASIDE])
        best = self.choices.get((cards, seat, int(s[at.HIGH]), 0))
        if best is not None and laid in (0, best.laid & -best.laid, best.laid):
            return best
        return _kept(self.choices, (cards, seat, int(s[at.HIGH]), laid), lambda: self._choose(view, cards, laid))

    def _choose(self, view: View, cards: int, laid: int) -> Plan:
        seat, high = view.seat, int(view.state[at.HIGH])
        bid = int(BIDS[high])
        if cards.bit_count() == DEALT:
            plans = hand_plans(cards, seat, bid, PLANS[0])
        else:
            plans = pickup_plans(cards, laid, seat, bid, EACH, PLANS[0])
        left = [Judged(plan) for plan in plans]
        states = deals.sample(replace(view, rng=rng.fresh(cards, seat)), sum(LOOKS))
        start = 0
        for look, most in zip(LOOKS, PLANS):
            left = left[:most]
            for one in left:
                found = open_wins(self.game, states[start : start + look], seat, one.plan, high)
                one.won, one.tried = one.won + int(found.sum()), one.tried + len(found)
            left.sort(key=lambda one: -one.plan.gain(one.chance, bid))
            start += look
        return left[0].plan


def open_wins(game: Game, states: Ints, seat: int, plan: Plan, high: int) -> Bools:
    """[n]: whether the declarer wins a plan in deals with open cards, at a place in the list of bids."""
    ready = states.copy()
    for s in ready:
        set_up(s, seat, plan.declaration, plan.laid, high)
    needs = np.array([needed(s) for s in ready])
    return (can_reach(game, ready, needs) == 1) & (needs != OVERBID)


def corrected(plan: Plan, won: int, tried: int) -> float:
    """The chance of a plan from the formula and from the open deals it wins."""
    constant, by_formula, by_search = WEIGHTS[plan.kind]
    total = constant + by_formula * log_odds(plan.chance) + by_search * np.log((won + 1.0) / (tried - won + 1.0))
    return float(1.0 / (1.0 + np.exp(-total)))


def log_odds(p: float) -> float:
    """The logarithm of p to 1 - p, kept finite."""
    bounded = min(max(p, 1e-3), 1.0 - 1e-3)
    return float(np.log(bounded / (1.0 - bounded)))


def _kept(store: dict[tuple[int, ...], Found], key: tuple[int, ...], find: Callable[[], Found]) -> Found:
    if key not in store:
        if len(store) >= MOST_KEPT:
            store.clear()
        store[key] = find()
    return store[key]


def can_bid(game: Game) -> bool:
    """Whether there is an auction."""
    return bool(game.options["contract"] == "auction")


bidder = Bidder
