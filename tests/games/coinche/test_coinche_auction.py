"""The auction, rule by rule (chapter 3 of RULES.md), and exhaustively on a short ladder."""

import pytest

from kibitz.core.game import make
from kibitz.core.position import Position
from kibitz.games.coinche.layout import COINCHED, CONTRACT, DECLARER, PHASE, PLAYING, VALUE
from tests.games.coinche.dealing import SUITED, naive_game, play

LADDER = ("150s", "160s", "capot-s")


def test_the_seat_after_the_dealer_calls_first() -> None:  # rule 3.1
    assert play("W: " + SUITED).turn == 0
    assert play("S: " + SUITED).turn == 3
    assert play("S: " + SUITED, "pass pass").turn == 1


def test_there_are_43_calls() -> None:  # rule 3.2
    opening = play(SUITED).legal()
    assert len(opening) == 41 and opening[0] == "pass" and opening[1:5] == ["80s", "80h", "80d", "80c"]
    assert opening[-4:] == ["capot-s", "capot-h", "capot-d", "capot-c"]
    assert make("coinche").words.ACTION_WORDS[41:43] == ("coinche", "surcoinche")
    assert make("coinche").ACTIONS == 75


def test_only_the_number_of_a_bid_decides() -> None:  # rule 3.3
    after = play(SUITED, "100c").legal()
    assert "100s" not in after and "90s" not in after and "110s" in after and "160c" in after
    assert play(SUITED, "100c capot-h").legal() == ["pass", "coinche"]


def test_one_may_bid_after_passing_raise_the_partner_or_change_his_suit() -> None:  # rule 3.4
    legal = play(SUITED, "pass pass 80h pass").legal()
    assert "90h" in legal and "90s" in legal and "coinche" not in legal


def test_coinche_is_for_the_other_side_and_freezes_the_contract() -> None:  # rule 3.5
    assert "coinche" not in play(SUITED).legal()
    assert "coinche" in play(SUITED, "80s").legal()
    assert "coinche" not in play(SUITED, "80s pass").legal()
    assert "coinche" in play(SUITED, "pass 80s pass pass").legal()  # allowed after having passed
    assert play(SUITED, "80s coinche").legal() == ["pass", "surcoinche"]
    assert play(SUITED, "80s coinche pass").legal() == ["pass"]


def test_surcoinche_is_for_the_side_of_the_bid_and_ends_the_auction() -> None:  # rules 3.6 and 3.7
    position = play(SUITED, "80s coinche pass pass surcoinche")
    assert position.state[PHASE] == PLAYING and position.state[COINCHED] == 2 and position.turn == 0


@pytest.mark.parametrize("calls", ["80s pass pass pass", "pass 80s coinche pass pass pass"])
def test_three_passes_end_the_auction(calls: str) -> None:  # rules 3.7 and 4.1
    before = play(SUITED, calls.rsplit(" ", 1)[0])
    before.push("pass")
    assert before.state[PHASE] == PLAYING and before.turn == 0


def test_four_passes_make_the_deal_void() -> None:  # rule 3.8
    position = play(SUITED, "pass pass pass pass")
    assert position.is_over and position.returns() == [0, 0, 0, 0]
    assert not any(position.won(seat) for seat in range(4))


def test_the_last_bid_is_the_contract_and_a_coinche_does_not_change_it() -> None:  # rules 3.9 and 3.10
    position = play(SUITED, "80s pass 100h coinche pass pass pass")
    assert (position.state[DECLARER], position.state[VALUE], position.state[CONTRACT]) == (2, 100, 1)
    assert play(SUITED, "capot-d pass pass pass").state[VALUE] == 250


@pytest.mark.parametrize("end", ["pass pass surcoinche", "pass pass pass"])
def test_the_longest_auction_has_37_calls(end: str) -> None:  # rule 3.11
    raises = " pass pass ".join(["80s", "90h", "100s", "110h", "120s", "130h", "140s", "150h", "160s", "capot-h"])
    position = play(SUITED, f"pass pass pass {raises} pass pass coinche {end}")
    assert len(position.actions) == 37 and position.state[PHASE] == PLAYING
    assert make("coinche").LONGEST == 37 + 32


def test_after_a_coinche_its_side_can_only_pass() -> None:  # rule 3.12
    assert play(SUITED, "80s coinche pass").legal() == ["pass"]
    assert play(SUITED, "80s pass pass coinche pass").legal() == ["pass"]


def walk(position: Position) -> tuple[int, int]:
    """Number of calls possible from here on the short ladder, and the length of the longest auction."""
    other = naive_game(position.game, position)
    for action in position.actions:
        other.play(position.game.words.ACTION_WORDS[action])
    if position.is_over or position.state[PHASE] == PLAYING:
        assert not other.auction_open() and other.void() == position.is_over
        if not position.is_over:
            assert other.taker() == position.state[DECLARER] and other.value() == position.state[VALUE]
        return 0, len(position.actions)
    legal = position.legal()
    assert set(legal) == other.legal() and position.turn == other.turn
    count, longest = 0, 0
    for word in legal:
        if word in LADDER or word in ("pass", "coinche", "surcoinche"):
            position.push(word)
            below, length = walk(position)
            position.pop()
            count, longest = count + 1 + below, max(longest, length)
    return count, longest


@pytest.mark.parametrize("either", [False, True])
def test_every_auction_on_a_ladder_of_three_levels(either: bool) -> None:  # rules 3.1 to 3.9 and 14.2
    calls, longest = walk(play(SUITED, paper_either_side_coinches=either))
    assert longest == 3 * len(LADDER) + 7
    # After a coinche three passes and two surcoinches (three if either side may) are possible; after a bid, at each of
    # three turns a pass and every higher bid, and at two of them (three) a coinche; at the start four passes and bids.
    doubled = 1 + (6 if either else 5)
    below: list[int] = []
    for _ in LADDER:
        below.append(3 + (3 if either else 2) * doubled + 3 * sum(1 + calls_below for calls_below in below))
    assert calls == 4 + 4 * sum(1 + calls_below for calls_below in below) == (2104 if either else 1348)
