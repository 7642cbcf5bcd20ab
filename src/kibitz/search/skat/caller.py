"""How the searching player bids, picks up, lays away and declares in Skat: by networks that learned from play.

One network tells what passing, going on, picking up and playing from the hand are worth, from the own ten cards and the
auction so far; it was learned by self-play of whole deals (`call_learning`), so it knows what the others do when one
passes. What to lay away and to declare is the best of all plans by the judge of contracts (`judge`).
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np

from kibitz.core.bits import highest, lowest, popcount
from kibitz.core.game import Game
from kibitz.core.jit import kernel, loop
from kibitz.core.shapes import Floats, Ints, Singles
from kibitz.core.shipped import shipped_folder
from kibitz.core.view import View
from kibitz.games.skat import cards as skat
from kibitz.games.skat import state as at
from kibitz.games.skat.auction import BOUNDS, HAS_PASSED, LOW, bid_bounds
from kibitz.games.skat.bots import FEATURES, KNOBS, SKAT_POINTS, best_prospect, chance, choose
from kibitz.games.skat.scoring import matadors
from kibitz.search.network import Network, load_network
from kibitz.search.skat.judge import (
    FOLDER,
    PAIRS,
    WEAK_DEFENCE,
    WIN,
    Judge,
    gain,
    hand_gain,
    pairs_of,
    read_judge,
    value_of,
)

PASSING, GOING_ON, PICKING_UP, FROM_HAND = range(4)
CHOICES = 4
"""What the network values: two choices in the auction, two for who has won it."""
_SEAT, _CHOOSES, _ANSWERS, _STEPS = 32, 35, 36, 37
STEPS = 30
"""Bids that are told apart, 18 to 88; whatever is higher looks like the highest."""
_OTHERS = _STEPS + STEPS
_FORMULA = _OTHERS + 6
INPUTS = _FORMULA + 14
SCALE = 100.0
"""Tournament points in one unit of the network."""
AFTER_PICKUP = len(skat.PICKUP_DECLARATIONS)
TOO_SHORT = 1000.0
"""What is taken off a plan that only schneider, or a matador in the skat, would bring up to the bid."""
CAUTION = 20.0
"""Tournament points by which going on must beat passing: with 0 declarers among themselves win four games in a hundred
fewer (`docs/methods/search.md`)."""
LEAST_NULL = 0.65
"""A null with a smaller chance is declared only if nothing else reaches the bid."""
TRUMPS = 5
"""Among twelve cards: suits with fewer are no trumps, unless none has more."""
HAND_GAMES = np.array(
    [k for k, bits in enumerate(skat.ANNOUNCED) if bits == skat.HAND or skat.DECLARATIONS[k] == "NOH"], np.int64
)
"""The hand games that are considered: nothing is announced, and only null is played ouvert."""


@kernel
def stake(s: Ints) -> int:
    """The place in the list of bids of the number at which the seat to move would play if it goes on."""
    return s[at.HIGH] + (1 if s[at.PHASE] == at.BIDDING or s[at.PHASE] == at.OPENING else 0)


@loop
def look_rows(states: Ints, out: Singles) -> None:
    """What the seat to move sees in every state, in the auction or when it has won it."""
    bounds = np.empty(BOUNDS, np.int64)
    room, knobs = np.empty(FEATURES), np.zeros(4)
    for row in range(len(states)):
        s, seen = states[row], out[row]
        seat = s[at.TURN]
        seen[:] = 0.0
        left = s[at.HAND + seat]
        while left:
            seen[lowest(left)] = 1.0
            left &= left - 1
        seen[_SEAT + seat] = 1.0
        seen[_CHOOSES] = s[at.PHASE] == at.CHOOSING
        seen[_ANSWERS] = s[at.PHASE] == at.ANSWERING
        for step in range(min(stake(s), STEPS)):
            seen[_STEPS + step] = 1.0
        bid_bounds(s, bounds)
        for k in range(2):
            other = (seat + 1 + k) % at.PLAYERS
            seen[_OTHERS + 3 * k] = bounds[HAS_PASSED + other]
            seen[_OTHERS + 3 * k + 1] = bounds[LOW + other] >= 0
            seen[_OTHERS + 3 * k + 2] = 0.1 * max(0, bounds[LOW + other])
        _look_at_formula(s, seat, room, knobs, seen[_FORMULA:])


@kernel
def _look_at_formula(s: Ints, seat: int, room: Floats, knobs: Floats, out: Singles) -> None:
    """What the rule-based player thinks of every kind of game, and of playing at this bid."""
    cards, bid = s[at.HAND + seat], skat.BIDS[min(stake(s), skat.N_BIDS - 1)]
    for kind in range(6):
        for when in range(2):
            p = min(max(chance(cards, kind, when, SKAT_POINTS, seat == 0, room), 0.001), 0.999)
            out[2 * kind + when] = 0.25 * np.log(p / (1.0 - p))
    for is_hand in range(2):
        hope = best_prospect(cards, bid, seat, is_hand == 1, knobs)
        out[12 + is_hand] = min(max(hope / SCALE, -2.0), 2.0)


@loop
def list_plans(cards: Ints, laid: Ints, kept: Ints, away: Ints, declared: Ints, where: Ints) -> int:
    """Write every plan for twelve cards in each row, those for ten cards without the skat; gives their number."""
    some = np.empty(PAIRS, np.int64)
    n = 0
    for row in range(len(cards)):
        if laid[row] < 0:
            for k in HAND_GAMES:
                kept[n], away[n], declared[n], where[n] = cards[row], 0, k, row
                n += 1
            continue
        longest = 0
        for suit in range(4):
            longest = max(longest, popcount(cards[row] & (skat.SUIT[suit] | skat.JACKS)))
        enough = min(longest, TRUMPS)
        for j in range(pairs_of(cards[row], laid[row], some)):
            for k in range(AFTER_PICKUP):
                if k < skat.GRAND and popcount(cards[row] & (skat.SUIT[k] | skat.JACKS)) < enough:
                    continue
                kept[n], away[n], declared[n], where[n] = cards[row] & ~some[j], some[j], k, row
                n += 1
    return n


@loop
def gain_rows(chances: Floats, kept: Ints, away: Ints, declared: Ints, bids: Ints, out: Floats) -> None:
    """What every plan is expected to gain at its bid; one that falls short of it comes after all others."""
    for row in range(len(out)):
        p, q, k = chances[row, 0], chances[row, 1], declared[row]
        run = matadors(kept[row] | away[row], skat.DECLARED_KIND[k])
        out[row] = hand_gain(p, q, k, kept[row], bids[row]) if away[row] == 0 else gain(p, q, k, run, bids[row])
        if value_of(k, run) < bids[row]:
            out[row] -= TOO_SHORT


@loop
def best_of(values: Floats, groups: Ints, best: Ints) -> None:
    """The place of the highest value in each group, the first of equals; groups without one keep what they have."""
    for row in range(len(values)):
        group = groups[row]
        if best[group] < 0 or values[row] > values[best[group]]:
            best[group] = row


@dataclass(frozen=True)
class Plans:
    """Contracts for some hands: the cards played and laid away, what is declared, its chances and what it is expected
    to gain."""

    kept: Ints
    laid: Ints
    declared: Ints
    chances: Floats
    gains: Floats
    where: Ints
    """The number of the hand."""

    def some(self, rows: Ints) -> Plans:
        """These plans alone."""
        return Plans(*(getattr(self, part.name)[rows] for part in fields(self)))


def every_plan(judge: Judge, cards: Ints, laid: Ints, seats: Ints, bids: Ints) -> Plans:
    """All plans for twelve cards of which some are laid already, or for ten cards without the skat (`laid` -1)."""
    most = len(cards) * PAIRS * AFTER_PICKUP
    listed = [np.empty(most, np.int64) for _ in range(4)]
    count = list_plans(cards, laid, *listed)
    kept, away, declared, where = (part[:count] for part in listed)
    chances, gains = judge.chances(kept, away, declared, seats[where]), np.empty(count)
    gain_rows(chances, kept, away, declared, bids[where], gains)
    return Plans(kept, away, declared, chances, gains, where)


def best_plans(judge: Judge, cards: Ints, laid: Ints, seats: Ints, bids: Ints, least_null: float = LEAST_NULL) -> Plans:
    """The plan of each hand that is expected to gain most, an unlikely null after all others."""
    plans, best = every_plan(judge, cards, laid, seats, bids), np.full(len(cards), -1)
    is_unlikely = (skat.DECLARED_KIND[plans.declared] == skat.NULL) & (plans.chances[:, WIN] < least_null)
    best_of(np.where(is_unlikely, plans.gains - TOO_SHORT, plans.gains), plans.where, best)
    return plans.some(best)


@dataclass(frozen=True)
class Caller:
    """Calls by networks."""

    net: Network
    judge: Judge
    caution: float = CAUTION
    least_null: float = LEAST_NULL

    def act(self, view: View) -> int:
        """The call, the discard or the declaration; a Ramsch is left to the rule-based player."""
        s = view.state
        phase = s[at.PHASE]
        if phase > at.DECLARING:
            return int(choose(s, view.mask, view.rng, np.array(list(KNOBS.values()))))
        if phase == at.CHOOSING:
            values = self.values(view)
            return at.HAND_GAME if values[FROM_HAND] > values[PICKING_UP] else at.PICKUP
        if phase <= at.OPENING:
            values, number = self.values(view), int(stake(s))
            if number >= skat.N_BIDS or values[GOING_ON] <= values[PASSING] + self.caution:
                return at.PASS
            return at.HOLD if phase == at.ANSWERING else at.BID + number
        found = self.plan(view)
        if phase == at.DECLARING:
            return at.DECLARE + int(found.declared[0])
        laid = int(found.laid[0])
        return int(lowest(laid) if s[at.LAYING_NOW] == 0 else highest(laid))

    def values(self, view: View) -> Floats:
        """[CHOICES]: what passing, going on, picking up and a hand game are worth, in tournament points."""
        rows = np.empty((1, INPUTS), np.float32)
        look_rows(view.state[None], rows)
        return self.net(rows)[0].astype(np.float64) * SCALE

    def plan(self, view: View) -> Plans:
        """The best plan for the cards a declarer has."""
        s, seat = view.state, view.seat
        cards, laid = s[at.HAND + seat] | s[at.ASIDE], -1 if s[at.IS_HAND] else s[at.ASIDE]
        ten, two, seats, bids = (np.array([x]) for x in (cards, laid, seat, skat.BIDS[s[at.HIGH]]))
        return best_plans(self.judge, ten, two, seats, bids, self.least_null)


def read_caller(folder: Path | None = None) -> Caller:
    """The caller in a folder, or the one that comes with kibitz."""
    place = folder or shipped_folder() / FOLDER
    judge = read_judge(place)
    return Caller(load_network(place / "calls.npz", INPUTS, CHOICES), judge)


def read_bold_caller() -> Caller:
    """The caller that comes with kibitz for weaker defenders: it judges contracts by them and is not cautious."""
    place = shipped_folder() / FOLDER
    judge = Judge(read_judge(place).networks, WEAK_DEFENCE)
    return Caller(load_network(place / "bold_calls.npz", INPUTS, CHOICES), judge, caution=0.0, least_null=0.0)


def can_bid(game: Game) -> bool:
    """Whether there is an auction for the tournament points that were learned."""
    return bool(game.options["contract"] == "auction" and game.options["payoff"] == "tournament")


def bidder(game: Game) -> Caller:
    """Who calls for the searching player."""
    return read_caller()


def bold_bidder(game: Game) -> Caller:
    """Who calls for players by networks, whose defenders do not weigh worlds."""
    return read_bold_caller()


def usual_weigher(game: Game) -> str:
    """The inference of a searching player that is told none."""
    return "judge"
