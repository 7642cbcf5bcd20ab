"""Skat's searching bidder: plans in the formula's order, chances corrected, sound calls, discards and declarations."""

import numpy as np
import pytest

from kibitz.arena.play import play
from kibitz.bots import make_bot
from kibitz.core.game import make
from kibitz.core.position import Position
from kibitz.core.view import view_of
from kibitz.games.skat.cards import BIDS, DECK, DECLARATIONS
from kibitz.games.skat.state import ASIDE, BID, DECLARE, HAND, PASS, PICKUP
from kibitz.search.bidding.plans import Plan, hand_plans, pickup_plans
from kibitz.search.bidding.skat import Bidder, can_bid, corrected
from kibitz.search.bidding.skat_calibration import fitted

STRONG = "Jc Js Jh Ac Tc Kc Ad Td Ah Th"
WEAK = "7c 8c Qs Ks 9h Qh Kh 9d Qd Td"


def cards(words: str) -> int:
    return sum(1 << DECK.card(word) for word in words.split())


def dealt(hand: str, seat: int = 1) -> Position:
    """A deal in which a seat holds a hand; the others' cards come in order."""
    place = Position(make("skat"))
    rest = [card for card in range(32) if not cards(hand) >> card & 1]
    for k in range(3):
        some, rest = (None, rest) if k == seat else (rest[:10], rest[10:])
        place.state[HAND + k] = cards(hand) if some is None else sum(1 << card for card in some)
    place.state[ASIDE] = sum(1 << card for card in rest)
    return place


def test_plans_are_sound_and_in_order() -> None:
    twelve = cards(STRONG + " 7s 8s")
    plans = pickup_plans(twelve, 0, 1, 18, 3, 6)
    assert [plan.gain(plan.chance, 18) for plan in plans] == sorted(
        (plan.gain(plan.chance, 18) for plan in plans), reverse=True
    )
    assert all(plan.laid.bit_count() == 2 and plan.laid & twelve == plan.laid for plan in plans)
    assert DECLARATIONS[plans[0].declaration] == "G" and plans[0].laid == cards("7s 8s") and plans[0].tops == 3
    first = pickup_plans(twelve, cards("7s"), 1, 18, 3, 6)
    assert all(plan.laid & -plan.laid == cards("7s") for plan in first)
    assert all(DECLARATIONS[plan.declaration][1:] in ("H", "OH") for plan in hand_plans(cards(STRONG), 1, 18, 7))


def test_a_strong_hand_bids_and_a_weak_one_passes() -> None:
    for hand, call in ((STRONG, BID), (WEAK, PASS)):
        place = dealt(hand)
        assert Bidder(place.game).act(view_of(place.game, place.state, 1)) == call


def test_the_same_cards_are_judged_alike_whenever_asked() -> None:
    place = dealt(STRONG)
    first = Bidder(place.game).outlook(view_of(place.game, place.state, 1))
    place.push("18")
    place.push("pass")
    place.push("pass")
    assert Bidder(place.game).outlook(view_of(place.game, place.state, 1)) == first


def test_lays_away_and_declares_what_it_planned() -> None:
    place = dealt(STRONG)
    for word in ("18", "pass", "pass"):
        place.push(word)
    place.push(PICKUP)
    bidder = Bidder(place.game)
    for _ in range(2):
        place.push(bidder.act(view_of(place.game, place.state, 1)))
    (plan,) = bidder.choices.values()
    assert place.state[ASIDE] == plan.laid
    assert bidder.act(view_of(place.game, place.state, 1)) == DECLARE + plan.declaration


def test_a_hand_game_is_declared_the_same_when_asked_again() -> None:
    place = dealt(STRONG)
    for word in ("18", "pass", "pass", "hand"):
        place.push(word)
    bidder = Bidder(place.game)
    view = view_of(place.game, place.state, 1)
    assert bidder.act(view) == bidder.act(view)


def test_discards_of_somebody_else_are_taken_over() -> None:
    place = dealt(STRONG)
    for word in ("18", "pass", "pass"):
        place.push(word)
    place.push(PICKUP)
    lowest = min(card for card in range(32) if int(place.state[HAND + 1]) >> card & 1)
    place.push(lowest)
    bidder = Bidder(place.game)
    place.push(bidder.act(view_of(place.game, place.state, 1)))
    place.push(bidder.act(view_of(place.game, place.state, 1)))


def test_more_open_deals_won_mean_a_better_chance() -> None:
    for declaration in (0, 4, 5, 6):
        plan = Plan(declaration, 0, 1, 0.6)
        chances = [corrected(plan, won, 16) for won in (0, 8, 16)]
        assert chances == sorted(chances) and 0.0 < chances[0] < chances[-1] < 1.0


def test_weights_are_found_again() -> None:
    luck = np.random.default_rng(3)
    rows = np.column_stack([np.ones(4000), luck.normal(size=4000), luck.normal(size=4000)])
    truth = np.array([0.4, 0.8, 0.3])
    won = (luck.random(4000) < 1.0 / (1.0 + np.exp(-rows @ truth))).astype(float)
    assert fitted(rows, won) == pytest.approx(truth, abs=0.15)


def test_only_games_with_an_auction_are_bid() -> None:
    assert can_bid(make("skat")) and not can_bid(make("skat-grand"))
    assert BIDS[0] == 18


@pytest.mark.parametrize("name", ["skat", "skat-ramsch", pytest.param("cego", marks=pytest.mark.slow)])
def test_plays_whole_games_with_words_by_search(name: str) -> None:
    game = make(name)
    bot = make_bot(game, "pimc:worlds=2:bidding=1")
    rule = make_bot(game, bot.payoff.RULE)  # type: ignore[attr-defined]
    bots = [bot if seat == 1 else rule for seat in range(game.PLAYERS)]
    assert sum(len(chunk.returns) for chunk in play(game, bots, 2)) == 2
