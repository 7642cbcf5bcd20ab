"""How the searching player calls in Coinche.

For every call it imagines worlds weighed by what has been called, asks the network how many points its side takes with
each trump suit, corrects the promise of open cards, and scores every legal call as if it were the last. What is left of
that promise was measured in games that the searching player played against itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from kibitz.core import rng
from kibitz.core.game import Game
from kibitz.core.shapes import Floats, Ints
from kibitz.core.view import View
from kibitz.games.belotes import ALL_POINTS, NO_TRUMPS, PAIR
from kibitz.games.coinche import layout as at
from kibitz.games.coinche.auction import bid_level, bid_suit, level_value
from kibitz.games.coinche.scoring import ANNOUNCED_ONLY, ANNOUNCED_PAPER, COLVER, FALL, MADE_ONLY, MADE_PLUS_ANNOUNCED
from kibitz.search import worlds as deals
from kibitz.search.coinche import calls, network
from kibitz.search.coinche.caller import LEARNED, Caller, load
from kibitz.search.network import Network

WORLDS = 200
MIDDLE, KEPT = 93.0, 0.72
"""Where two hands promise the attack so many points, it gets them on average; of a point more or less, so much."""
SPREAD = 18.0
LUCK = np.array([NormalDist().inv_cdf((k + 0.5) / 7) for k in range(7)])
"""Seven equally likely errors, in spreads."""
NOBODY_BIDS = -20.0
"""What it is worth to pass when nobody has bid."""
SHYNESS = 8.0
"""By how much a bid must be better than to pass."""
CAUTION = 30.0
"""By how much a coinche must be better than to pass."""


@dataclass(frozen=True)
class Bidder:
    """Calls by a network over worlds that go with the auction."""

    game: Game
    net: Network
    reader: calls.Calls

    def act(self, view: View) -> int:
        """The call with the best expected score."""
        s = view.state
        mine, partner = self.hands(view)
        points = [self._points(view, suit, mine, partner) for suit in range(4)]
        stays = self._standing(s, view.seat, points, mine, partner, 0)
        best, choice = stays + SHYNESS, at.PASS
        if view.mask[at.COINCHE] and s[at.CONTRACT] < NO_TRUMPS:
            doubled = self._standing(s, view.seat, points, mine, partner, 1)
            if doubled > max(stays + CAUTION, best):
                best, choice = doubled, at.COINCHE
        for action in view.legal():
            suit, value = int(bid_suit(action)), int(level_value(bid_level(action)))
            if action in (at.PASS, at.COINCHE, at.SURCOINCHE) or suit >= NO_TRUMPS or value >= at.CAPOT:
                continue
            worth = expected(s, played(points[suit]), value, belote(s, suit, mine, partner), 0.0, 0)
            if worth > best:
                best, choice = worth, action
        return choice

    def hands(self, view: View) -> tuple[Ints, Ints]:
        """[WORLDS]: my hand, and my partner's in worlds drawn by their weights."""
        states = deals.sample(view, self.reader.samples)
        steps = np.cumsum(self.reader.weigh(view, states))
        luck = rng.forked(view.rng, rng.WEIGHTS)
        places = (rng.uniform(luck) + np.arange(WORLDS)) / WORLDS * steps[-1]
        picked = states[np.searchsorted(steps, places).clip(0, len(states) - 1)]
        return picked[:, at.HAND + view.seat], picked[:, at.HAND + (view.seat + 2) % 4]

    def _points(self, view: View, suit: int, mine: Ints, partner: Ints) -> Floats:
        leader = np.full(len(mine), (view.state[at.LEADER] - view.seat) % 4)
        return network.points(self.net, network.inputs(mine, partner, suit, leader)).astype(np.float64)

    def _standing(self, s: Ints, seat: int, points: list[Floats], mine: Ints, partner: Ints, doubled: int) -> float:
        """What it is worth to our side if the contract that stands is played, coinched or as it is."""
        if s[at.BIDDER] == at.NOBODY:
            return NOBODY_BIDS
        suit, value = int(s[at.CONTRACT]), int(s[at.VALUE])
        if suit >= NO_TRUMPS:
            return 0.0
        coinched = max(int(s[at.COINCHED]), doubled)
        own = belote(s, suit, mine, partner)
        if s[at.BIDDER] % 2 == seat % 2:
            return expected(s, played(points[suit]), value, own, 0.0, coinched)
        return -expected(s, played(ALL_POINTS - points[suit]), value, 0.0 * own, own, coinched)


def belote(s: Ints, suit: int, mine: Ints, partner: Ints) -> Floats:
    """[n]: belote points of one side in each world."""
    pair = PAIR << 8 * suit
    return 20.0 * s[at.BELOTE] * ((mine & pair == pair) | (partner & pair == pair))


def expected(s: Ints, points: Floats, value: int, own: Floats, other: Floats | float, coinched: int) -> float:
    """The mean score difference for the attack when a contract is played."""
    full = np.zeros(len(points), np.int64)
    return float(outcome(s, points, full + value, own, other + 0.0 * own, full + coinched)[0].mean())


def outcome(
    s: Ints, points: Floats, value: Ints, own: Floats, other: Floats, coinched: Ints, spread: float = SPREAD
) -> tuple[Floats, Floats]:
    """[n]: the score difference for the attack, and its chance to make the contract (chapter 7 of the rules, without
    rounding), when it takes about so many points."""
    got = np.clip(points[:, None] + spread * LUCK, 0.0, ALL_POINTS)
    bonus, theirs, value, coinched = own[:, None], other[:, None], value[:, None], coinched[:, None]
    needed = np.where(value == 80, 82, value) if s[at.EIGHTY_82] else value
    made = np.where(value >= at.CAPOT, got >= ALL_POINTS, got + bonus >= needed)
    m = np.where(coinched == 2, int(s[at.REDOUBLED]), 1 + coinched)
    kind = int(s[at.SCORING])
    keeps = (m == 1) & (kind in (MADE_PLUS_ANNOUNCED, MADE_ONLY, COLVER))
    won = {
        ANNOUNCED_PAPER: m * value,
        ANNOUNCED_ONLY: m * value,
        MADE_PLUS_ANNOUNCED: m * (FALL + value),
        MADE_ONLY: m * FALL,
        COLVER: ALL_POINTS + (1 + coinched) * value,
    }[kind]
    lost = m * FALL if kind == ANNOUNCED_PAPER else won
    kept = 2.0 * got - ALL_POINTS + (0 if kind == MADE_ONLY else value) + bonus - theirs
    gain = np.where(keeps, kept, won + bonus + theirs)
    return np.where(made, gain, -lost - bonus - theirs).mean(axis=1), made.mean(axis=1)


def played(points: Floats, middle: float = MIDDLE, kept: float = KEPT) -> Floats:
    """The points that an attack takes on average where open cards promise so many."""
    return middle + kept * (points - middle)


def can_bid(game: Game) -> bool:
    """Whether the game has the plain calls and all eight tricks."""
    return bool(game.ACTIONS == at.ACTIONS and game.options["tricks"] == at.EACH)


def bidder(game: Game) -> Bidder | Caller:
    """Who calls for the searching player: the network that calls where it knows the scoring, else search."""
    return (
        Caller(load())
        if game.options["scoring"] in LEARNED
        else Bidder(game, network.load(), calls.Calls(calls.load()))
    )


def usual_weigher(game: Game) -> str:
    """The inference of a searching player that is told none."""
    return "auction" if game.options["scoring"] in LEARNED else ""
