"""Matches, rule by rule (rule 2.3 and chapter 9 of RULES.md)."""

import numpy as np
import pytest

from kibitz.arena.coinche.match import Match, MatchRules, deal_cut, play_match
from kibitz.bots import seat_bots
from kibitz.core import rng
from kibitz.core.errors import BadInput
from kibitz.core.game import make
from kibitz.core.jit import PLAIN
from kibitz.games.coinche import layout


def sheet(scores: list[tuple[int, int]], target: int = 1000, **rules: object) -> Match:
    """A match in which these deals were played."""
    match = Match(MatchRules(**rules), target, 3)  # type: ignore[arg-type]
    for score in scores:
        match.add(score)
    return match


def test_deals_are_added_up_and_the_dealer_moves_on() -> None:  # rules 2.2 and 9.1
    match = sheet([(100, 62), (0, 0), (0, 260)])
    assert match.totals == [100, 322] and match.dealer == 2
    assert sheet([(1, 0)] * 3, paper_fixed_dealer=True).dealer == 3


def test_the_first_side_to_reach_the_target_wins() -> None:  # rule 9.2
    assert not sheet([(990, 0)]).is_over
    assert sheet([(1000, 0)]).is_over and sheet([(1000, 0)]).winner == 0
    assert sheet([(1000, 1010)]).winner == 1
    assert not sheet([(1010, 1010)]).is_over
    assert not sheet([(1000, 0)], strictly_exceed=True).is_over
    assert sheet([(1001, 0)], strictly_exceed=True).is_over


def test_a_match_can_be_a_number_of_deals() -> None:  # rule 9.4
    assert not sheet([(5000, 0)], deals=2).is_over
    drawn = sheet([(50, 0), (0, 50)], deals=2)
    assert drawn.is_over and drawn.winner is None


@pytest.mark.parametrize(
    ("options", "target"),
    [({}, 2000), ({"scoring": "colver"}, 2000), ({"scoring": "made"}, 1000), ({"target": 300}, 300)],
)
def test_the_target_follows_the_scoring(options: dict[str, object], target: int) -> None:  # rule 9.3
    game = make("coinche", **options)
    match = play_match(game, seat_bots(game, "random"), 1)
    assert match.target == target and match.is_over and max(match.totals) >= target


@pytest.mark.parametrize("deal", ["shuffle", "cut"])
def test_a_match_can_be_played_again(deal: str) -> None:
    game = make("coinche")
    bots = seat_bots(game, "coinche-strong,coinche-simple,coinche-strong,coinche-simple")
    rules = MatchRules(deals=3 if PLAIN else 12, deal=deal)
    one, two = play_match(game, bots, 4, 2, rules), play_match(game, bots, 4, 2, rules)
    assert one == two and one != play_match(game, bots, 4, 3, rules)
    assert len(one.scores) == rules.deals


def test_the_cut_pack_is_dealt_in_packets() -> None:  # rule 2.3
    game = make("coinche")
    s = game.blank()
    dealt = set()
    for number in range(300):
        deal_cut(game, s, range(32), 3, rng.fresh(1, number))
        hands = [int(hand) for hand in s[layout.HAND : layout.HAND + 4]]
        assert np.bitwise_or.reduce(hands) == layout.PACK and all(hand.bit_count() == 8 for hand in hands)
        dealt.add(tuple(hands))
    # 3-2-3, 3-3-2 and 2-3-3 are one round of packets begun at three places: the pack decides all but where it is cut.
    assert len(dealt) == 32
    top = next(
        hands for hands in dealt if hands[0] >> 29 == 0b111 and hands[0] >> 18 & 3 == 3 and hands[0] >> 9 & 7 == 7
    )
    assert top[1] >> 26 & 7 == 0b111  # North has the three top cards, East the next three


@pytest.mark.parametrize("rules", [{"deal": "packets"}, {"target": -1}, {"deals": -1}])
def test_impossible_matches_are_refused(rules: dict[str, object]) -> None:
    with pytest.raises(BadInput):
        MatchRules(**rules)  # type: ignore[arg-type]


@pytest.mark.resized
def test_a_reduced_game_cannot_be_cut() -> None:
    game = make("coinche", tricks=2, auction="none", contract="30h")
    with pytest.raises(BadInput, match="takes all 32 cards"):
        play_match(game, seat_bots(game, "random"), 1, rules=MatchRules(deal="cut"))
