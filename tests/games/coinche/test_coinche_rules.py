"""Cards, tricks and contracts, rule by rule (chapters 1, 2 and 4 to 6 of RULES.md)."""

import random

import numpy as np
import pytest

from kibitz.core.game import make
from kibitz.core.jit import PLAIN
from kibitz.core.position import Position
from kibitz.games.belotes import DECK, STRENGTH, WORTH, side_points, side_tricks
from kibitz.games.coinche import layout
from kibitz.games.coinche.scoring import card_points, is_made
from tests.games.coinche.dealing import SUITED, contract, finished, play_out

ROUNDS = 20 if PLAIN else 200
# Trumps are spades: East has high ones, South low ones, North one, West none. Hearts: South has none.
MIXED = (
    "9s 7h 8h Ah 7d 8d 7c 8c | Js As Ks 9h Jh Qh 9d 9c | 7s 8s Qs Ts Jd Qd Jc Qc | Kh Th Kd Td Ad Kc Tc Ac"
)  # fmt: skip


def hands(position: Position) -> list[str]:
    """The four hands as text."""
    return [DECK.text(position.state[layout.HAND + seat]) for seat in range(4)]


def by_strength(suit: int, of: int) -> str:
    """The ranks of a suit from the strongest, in a contract of another suit or the same."""
    order = sorted(range(8 * of, 8 * of + 8), key=lambda card: -STRENGTH[suit, card])
    return " ".join(DECK.names[card][0] for card in order)


def test_the_pack_has_32_cards() -> None:  # rules 1.1 and 1.4
    assert len(set(DECK.names)) == 32
    assert DECK.names[:8] == ("7s", "8s", "9s", "Js", "Qs", "Ks", "Ts", "As") and DECK.names[31] == "Ac"


def test_order_and_value_in_a_plain_suit() -> None:  # rule 1.2
    assert by_strength(0, 1) == "A T K Q J 9 8 7"
    assert WORTH[0, 8:16].tolist() == [0, 0, 0, 2, 3, 4, 10, 11]


def test_order_and_value_of_trumps() -> None:  # rule 1.3
    assert by_strength(1, 1) == "J 9 A T K Q 8 7"
    assert WORTH[1, 8:16].tolist() == [0, 0, 14, 20, 3, 4, 10, 11]
    assert WORTH.sum(axis=1).tolist() == [152] * 6


def test_partners_sit_opposite_and_play_goes_round() -> None:  # rule 1.5
    game = make("coinche")
    position = Position(game, deal=SUITED)
    assert [game.side(position.state, seat) for seat in range(4)] == [0, 1, 0, 1]


def test_everybody_gets_eight_cards_and_every_card_is_dealt_once() -> None:  # rule 2.1
    for number in range(ROUNDS):
        dealt = " ".join(hands(Position(make("coinche"), 1, number))).split()
        assert len(dealt) == 32 == len(set(dealt))


def test_the_first_dealer_is_drawn_at_random() -> None:  # rule 2.2
    dealers = [int(Position(make("coinche"), 2, number).state[layout.DEALER]) for number in range(ROUNDS)]
    assert set(dealers) == {0, 1, 2, 3}
    assert Position(make("coinche", dealer=2), 2).state[layout.DEALER] == 2


def test_the_opener_leads_and_then_whoever_won() -> None:  # rule 4.1
    position = contract("80h", "E: " + SUITED)
    assert position.turn == 2
    for word in ("7d", "7c", "7s", "7h"):
        position.push(word)
    assert position.turn == 1


def test_the_leader_may_play_any_card() -> None:  # rule 4.2
    assert len(contract("80s", MIXED).legal()) == 8


def test_trumps_led_must_be_followed_and_overtaken() -> None:  # rules 4.3 and 4.8
    assert contract("80s", MIXED, "9s").legal() == ["Js"]
    assert contract("80s", MIXED, "9s Js").legal() == ["7s", "8s", "Qs", "Ts"]  # none is higher


def test_a_plain_suit_led_is_followed_with_any_card() -> None:  # rule 4.4
    assert contract("80s", MIXED, "Ah").legal() == ["9h", "Jh", "Qh"]


def test_while_the_partner_wins_one_may_play_anything() -> None:  # rule 4.5
    assert len(contract("80s", MIXED, "Ah 9h").legal()) == 8


def test_picot_must_rise_over_the_partner_when_trumping() -> None:  # rule 4.5
    # West leads a heart, North has none and trumps with the queen, East follows, South has six trumps.
    deal = "Qs 7d 8d 9d 7c 8c 9c Jc | Ah Kd Td Ad Kc Tc Ac Jd | 8s Ks As Js 9s 7s Qd Qc | 7h 8h 9h Jh Qh Kh Th Ts"
    above = "S: " + deal
    assert contract("80s", above, "7h Qs Ah").legal() == ["7s", "8s", "9s", "Js", "Ks", "As", "Qd", "Qc"]
    assert contract("80s", above, "7h Qs Ah", rules="picot").legal() == ["9s", "Js", "Ks", "As", "Qd", "Qc"]


def test_void_with_an_opponent_winning_one_must_trump_and_overtrump() -> None:  # rules 4.6 and 4.8
    assert contract("80s", MIXED, "7h 9h").legal() == ["7s", "8s", "Qs", "Ts"]


def test_nobody_must_undertrump() -> None:  # rule 4.6
    deal = "Ts 7d 8d 9d Jd 7c 8c 9c | 7s 8s Kd Td Ad Kc Tc Ac | 7h 8h Jh Qh Kh Th Qd Jc | Js 9s As Ks Qs 9h Ah Qc"
    above = "E: " + deal  # South leads a heart, West follows, North trumps with the ten, East has lower trumps only
    assert len(contract("80s", above, "7h Ah Ts").legal()) == 8
    assert contract("80s", above, "7h Ah Ts", rules="picot").legal() == ["7s", "8s"]


def test_with_neither_the_suit_nor_trumps_one_plays_anything() -> None:  # rule 4.7
    assert len(contract("80s", SUITED, "7s").legal()) == 8
    assert len(contract("80h", SUITED, "7s 7h").legal()) == 8


def test_the_highest_trump_wins_else_the_highest_of_the_suit_led() -> None:  # rule 5.1
    assert contract("80s", MIXED, "7h 9h 7s Th").turn == 2
    assert contract("80d", MIXED, "7h 9h Jd Th").turn == 2
    assert contract("80d", MIXED, "7c 9c Jc Ac").turn == 3


@pytest.mark.parametrize("suit", "shdc")
def test_both_sides_have_162_points_together_or_252(suit: str) -> None:  # rules 5.2 and 5.3
    luck = random.Random(3)
    for number in range(ROUNDS):
        game = make("coinche", auction="none", contract=f"80{suit}")
        position = play_out(Position(game, 4, number), luck)
        points = sum(side_points(position.state, side) for side in (0, 1))
        everything = 0 in [side_tricks(position.state, side) for side in (0, 1)]
        assert points == (252 if everything else 162)
        assert card_points(position.state, 0) + card_points(position.state, 1) == 162


def test_taking_every_trick_counts_252() -> None:  # rule 5.3
    position = play_out(contract("80s", SUITED), random.Random(1))
    assert [side_points(position.state, side) for side in (0, 1)] == [252, 0]


def test_during_play_only_complete_tricks_count() -> None:  # rule 5.4
    position = contract("80s", SUITED, "Js 7h 7d")
    assert side_points(position.state, 0) == 0
    position.push("Ac")
    assert side_points(position.state, 0) == 31


def test_belote_is_announced_with_the_first_card() -> None:  # rules 5.5 and 5.6
    position = contract("80s", SUITED)
    assert position.state[layout.ANNOUNCED] == 0
    position.push("Qs")
    assert position.state[layout.ANNOUNCED] == 1
    king = 1 << DECK.card("Ks")
    assert [bool(position.state[layout.LACKS + seat] & king) for seat in range(4)] == [False, True, True, True]
    other = contract("80s", MIXED, "9s Js Qs")
    assert other.state[layout.ANNOUNCED] == 0 and other.state[layout.LACKS + 2] & king


def test_belote_counts_for_its_side_whoever_wins_the_tricks() -> None:  # rule 5.5
    position = play_out(contract("80h", SUITED), random.Random(2))
    assert position.game.words.breakdown(position.state)["belotes"] == [0, 20]


def test_without_belote_nothing_is_announced() -> None:  # rule 5.7
    position = contract("80s", SUITED, "Qs", belote=False)
    assert position.state[layout.ANNOUNCED] == 0 and not position.state[layout.LACKS : layout.LACKS + 4].any()
    assert position.game.words.breakdown(play_out(position, random.Random(1)).state)["belotes"] == [0, 0]


@pytest.mark.parametrize(
    ("points", "bid", "belote", "made"),
    [((89, 73), "90s", None, False), ((90, 72), "90s", None, True), ((70, 92), "90s", 0, True), ((80, 82), "80s", 1,
    True)],
)  # fmt: skip
def test_the_contract_is_made_with_its_number(
    points: tuple[int, int], bid: str, belote: int | None, made: bool
) -> None:  # rule 6.1
    assert is_made(finished(points, bid, belote)) == made


def test_capot_needs_every_trick_and_belote_does_not_help() -> None:  # rule 6.2
    assert is_made(finished((252, 0), "capot-s"))
    assert not is_made(finished((162, 0), "capot-s", belote=0))


def test_the_attack_may_have_to_beat_the_defence() -> None:  # rule 6.3
    assert is_made(finished((80, 82), "80s"))
    assert not is_made(finished((80, 82), "80s", must_beat_defence=True))
    assert is_made(finished((82, 80), "80s", must_beat_defence=True))
    assert not is_made(finished((91, 71), "80s", belote=1, must_beat_defence=True))
    assert is_made(finished((252, 0), "capot-s", belote=1, must_beat_defence=True))


def test_eighty_may_mean_82() -> None:  # rule 6.4
    assert not is_made(finished((81, 81), "80s", eighty_means_82=True))
    assert is_made(finished((82, 80), "80s", eighty_means_82=True))
    assert not is_made(finished((82, 80), "90s", eighty_means_82=True))


def test_a_batch_of_masks_is_what_legal_says() -> None:
    game = make("coinche")
    position = contract("80s", MIXED, "7h")
    mask = np.ones(game.ACTIONS, np.bool_)
    assert game.legal(position.state, mask) == mask.sum() == 3
