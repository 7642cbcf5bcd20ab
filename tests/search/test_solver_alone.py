"""One against two with many trumps: the solver agrees with minimax for every aim in a game made up for this test."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from kibitz.core.jit import PLAIN, kernel
from kibitz.games.decks import Deck, suited
from kibitz.games.tricks import layout as at
from kibitz.games.tricks import play
from kibitz.games.tricks.kit import TrickGame
from kibitz.games.tricks.tables import Contract
from kibitz.search.solver import arena as ar
from kibitz.search.solver.moves import next_best
from kibitz.search.solver.solver import solver_of
from tests.search import trick_brute
from tests.search.trick_brute import brute_values

RANKS, NUMBERS = "79JQKA", "0123456789abcdefgh"
DECK = Deck((*suited("cd", RANKS), *suited("t", NUMBERS)))
PLAIN_POINTS = {"J": 2, "Q": 3, "K": 4, "A": 11}
CONTRACTS = (
    Contract("trumps", RANKS, "t", NUMBERS, points=PLAIN_POINTS, trump_points={"0": 5, "h": 5}),
    Contract("none", RANKS + NUMBERS, points=PLAIN_POINTS),
)
AIMS = (ar.POINTS, ar.TRICKS, ar.FEW_POINTS, ar.NO_TRICK, ar.ONE_TRICK, ar.LAST_TRICK)
LOWEST_TRUMP = 12


@kernel
def score(s: Any, out: Any) -> None:
    """Nobody asks."""
    out[:3] = 0.0


GAME = TrickGame(
    "alone", deck=DECK, suits="cdt", seats=3, each=9, contracts=CONTRACTS, score=score, duty=play.follow_or_trump,
    rungs=2, side=play.declarer_against_all,
)  # fmt: skip


class Judge:
    """Follow suit, else play a trump, else what you like."""

    def __init__(self, s: Any) -> None:
        self.trumps = "t" if s[at.CONTRACT] == 0 else ""

    def legal(self, hand: frozenset[str], table: tuple[str, ...], is_ours: bool, live: frozenset[str]) -> set[str]:
        for suit in (table[0][1], self.trumps) if table else ():
            if found := {card for card in hand if card[1] == suit}:
                return found
        return set(hand)

    def strength(self, card: str, led: str) -> int:
        if card[1] == self.trumps:
            return 100 + NUMBERS.index(card[0])
        return (RANKS + NUMBERS).index(card[0]) if card[1] == led[1] else -1

    def points(self, card: str) -> int:
        special = 5 if self.trumps and card in ("0t", "ht") else 0
        return special or PLAIN_POINTS.get(card[0], 0)


@pytest.fixture(autouse=True)
def judge(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(trick_brute.JUDGES, "alone", Judge)


def ending(luck: np.random.Generator, contract: int, cards: int) -> NDArray[np.int64]:
    """Random hands of so many cards, of which some lie on the table already."""
    s = np.zeros(int(GAME.bound["LOG"]), np.int64)
    s[at.OUT], s[at.PHASE], s[at.CONTRACT] = -1, at.PLAYING, contract
    pack = luck.permutation(len(DECK.names))
    for seat in range(3):
        s[at.HAND + seat] = sum(1 << int(card) for card in pack[cards * seat : cards * seat + cards])
    leader = int(luck.integers(3))
    s[at.LEADER] = leader
    s[at.TURN], s[at.DECLARER] = leader, luck.integers(3)
    judge, table = Judge(s), ()
    for k in range(int(luck.integers(3))):
        seat = (leader + k) % 3
        hand = frozenset(DECK.text(s[at.HAND + seat]).split())
        card = DECK.card(str(luck.choice(sorted(judge.legal(hand, table, False, frozenset())))))
        table = (*table, DECK.names[card])
        s[at.TABLE + k], s[at.COUNT], s[at.TURN] = card, k + 1, (seat + 1) % 3
        s[at.HAND + seat] ^= 1 << card
    return s


@pytest.mark.parametrize("cards", [4, pytest.param(5, marks=pytest.mark.slow)])
@pytest.mark.parametrize("contract", [0, 1], ids=["trumps", "none"])
@pytest.mark.parametrize("aim", AIMS)
def test_every_aim_of_one_against_two_agrees_with_brute_force(aim: int, contract: int, cards: int) -> None:
    luck = np.random.default_rng(7 * aim + contract)
    marked = 1 << LOWEST_TRUMP if aim == ar.LAST_TRICK else 0
    seen = set()
    for k in range(6 if PLAIN else 24):
        s = ending(luck, contract, cards)
        asked, taken = 1 << int(s[at.DECLARER]), k % 2
        row = solver_of(GAME).ask(s[None], aim, np.array([asked]), taken=np.array([taken]), marked=marked)[0]
        found = {int(card): int(row[card]) for card in np.flatnonzero(row >= 0)}
        wanted = brute_values(GAME, s, aim, asked, marked=marked, taken=taken)
        if aim == ar.NO_TRICK:  # whether there is one is asked, not how many
            found, wanted = ({card: min(1, value) for card, value in one.items()} for one in (found, wanted))
        assert found == wanted, f"aim {aim} of {asked:03b}, {taken} taken: {s[: at.OWN].tolist()}"
        seen |= set(wanted.values())
    assert len(seen) > 1 or PLAIN or aim == ar.LAST_TRICK


def test_the_next_move_is_found_among_scores_below_zero_too():
    moves = np.array([-10 << 6 | 1, 100 << 6 | 2, -500 << 6 | 3, -20 << 6 | 4])
    order, limit = [], 1 << 20
    for _ in moves:
        limit = next_best(moves, 0, len(moves), limit)
        order.append(int(limit) & 63)
    assert order == [2, 1, 4, 3]
