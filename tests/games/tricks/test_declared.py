"""A slip in the declaration of a trick-taking game is named at once, with what would be right."""

from typing import Any

import pytest

from kibitz.core.errors import BadGame
from kibitz.core.jit import PLAIN, kernel
from kibitz.games.decks import Deck, suited
from kibitz.games.tricks.kit import TrickGame
from kibitz.games.tricks.tables import Contract


@kernel
def score(s: Any, out: Any) -> None:
    out[:4] = 0.0


@kernel
def opening(s: Any) -> None:
    s[0] = 0


def unmarked(s: Any, out: Any) -> None:
    out[:4] = 0.0


def declare(**changes: Any) -> TrickGame:
    """A sound game of sixteen cards, but for the changes."""
    sound = {
        "deck": Deck(suited("cdhs", "789A")), "suits": "cdhs", "seats": 4, "each": 4,
        "contracts": (Contract("h", "789A", trumps="h", points={"A": 11}),), "score": score,
    }  # fmt: skip
    return TrickGame("small", **(sound | changes))


def contract(**changes: Any) -> dict[str, Any]:
    return {"contracts": (Contract(**({"name": "h", "order": "789A"} | changes)),)}


SLIPS: dict[str, tuple[dict[str, Any], str]] = {
    "too many cards": ({"each": 5}, "4 seats with each=5 take 20 cards, the deck has 16"),
    "too many seats": ({"seats": 7, "each": 2}, "seats=7 is not possible: from 2 to 6 seats can play"),
    "a card twice": ({"deck": Deck(suited("cdhs", "77")), "each": 2}, "the deck has 7c twice"),
    "too large a deck": ({"deck": Deck(suited("cdhs", "23456789TJQKABCD"))}, "the deck has 64 cards; 63 is the most"),
    "no card to turn up": ({"turns_up": True}, "turns a card up that nobody was dealt, and all 16 cards are"),
    "starts without an opening": ({"starts": ("a", "b")}, "there are 2 starts: an `opening` must say"),
    "suits in another order": ({"suits": "shdc"}, "suits='shdc' is not what the deck has, .*: 'cdhs'"),
    "a suit left out": ({"suits": "cds"} | contract(), "suits='cds' is not what the deck has"),
    "trumps": (contract(trumps="H"), "contract h: trumps='H' is no suit; the suits are c, d, h, s"),
    "tops": (contract(tops="Jc"), "contract h: Jc in tops is no card of the deck"),
    "order": (
        contract(order="789"),
        "contract h: A has no place in order='789', which lists ranks from the weakest up",
    ),
    "trump order": (contract(trumps="h", trump_order="A98"), "contract h: 7 has no place in trump_order='A98'"),
    "points": (
        contract(points={"J": 2}),
        "contract h: 'J' in points is no card, suit or rank here; the ranks are 7 8 9 A",
    ),
    "half points": (contract(trump_points={"A": 2.5}), "'A' counts 2.5 in trump_points; points are whole, `unit` says"),
    "call": ({"call_words": ("pass", "7c")}, "7c is a card and a call"),
    "first card": ({"call_words": ("pass",), "first_card": 2}, "first_card=2 of 1 call_words"),
    "rungs": ({"rungs": 5}, "rungs=5 is not possible: a duty has from 1 to 4"),
    "arguments": ({"opening": opening}, r"opening is called with \(s, dealer\), opening takes \(s\)"),
    "arguments of score": ({"score": opening}, r"score is called with \(s, out\), opening takes \(s\)"),
}


@pytest.mark.parametrize("slip", SLIPS)
def test_a_slip_is_named(slip: str) -> None:
    changes, said = SLIPS[slip]
    with pytest.raises(BadGame, match=f"^small: .*{said}"):
        declare(**changes)


@pytest.mark.skipif(PLAIN, reason="in plain Python a kernel is the function itself")
def test_a_hook_that_is_no_kernel_is_named() -> None:
    with pytest.raises(BadGame, match=r"score must be a kernel: write @kernel .* above unmarked"):
        declare(score=unmarked)


def test_a_suit_that_is_always_trumps_need_not_be_named() -> None:
    assert declare().suits == "cdhs"
    assert declare(suits="cds").tables.masks.shape == (1, 4)


def test_ranks_that_no_order_is_asked_for_need_no_place() -> None:
    tops = "Ac Ad Ah As"
    assert declare(**contract(order="789", tops=tops)).tables.trumps[0].bit_count() == 4
    assert declare(**contract(trumps="h", trump_order="98A7")).tables.strength[0, 8:12].tolist() == [3, 1, 0, 2]
