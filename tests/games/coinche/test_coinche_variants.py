"""Variants, reduced games and the paper's artefacts, rule by rule (chapters 10, 11, 13 and 14 of RULES.md)."""

import random

import numpy as np
import pytest

from kibitz.core.errors import BadOption, UnknownGame
from kibitz.core.game import make
from kibitz.core.jit import PLAIN
from kibitz.core.position import Position
from kibitz.core.tree import unroll
from kibitz.games.belotes import side_points
from kibitz.games.coinche import layout
from kibitz.games.coinche.scoring import is_made, reward_of, score_of
from kibitz.tabular.best_response import best_response, expected_value, team_response
from tests.games.coinche.dealing import SUITED, contract, play, play_out

pytestmark = pytest.mark.resized
VARIANTS = {"sans_atout": True, "tout_atout": True, "high_bids": True, "generale": True}
# East has no spades and South no hearts; kings and queens are spread.
MIXED = "9s 7s 8h Ah 7d 8d 7c 8c | Jh Th Kh 9h Qh 7h 9d 9c | Js 8s Qs Ts Jd Qd Jc Qc | As Ks Kd Td Ad Kc Tc Ac"


def test_variants_add_calls_compared_by_number_only() -> None:  # rules 10.1, 10.4, 10.5
    game = make("coinche", **VARIANTS)
    assert game.ACTIONS == 3 + 6 * 13 + 32 and game.parts["rules"].LONGEST == 3 * 13 + 7 + 32
    legal = play(SUITED, "180t", **VARIANTS).legal()
    assert legal == ["pass", *(f"{w}-{s}" for w in ("capot", "generale") for s in "shdcnt"), "coinche"]


def test_sans_atout_knows_no_trumps_and_no_belote() -> None:  # rule 10.2
    position = contract("80n", MIXED, "7s", **VARIANTS)
    assert len(position.legal()) == 8
    for word in ("Th", "8s", "Ks"):
        position.push(word)
    assert position.turn == 3 and side_points(position.state, 1) == 14
    assert position.game.words.breakdown(play_out(position, random.Random(1)).state)["belotes"] == [0, 0]
    assert contract("80n", MIXED, "7s Th", **VARIANTS).legal() == ["8s", "Js", "Qs", "Ts"]


def test_tout_atout_must_rise_whoever_leads() -> None:  # rule 10.3
    assert contract("80t", MIXED, "9s 7h", **VARIANTS).legal() == ["Js"]  # over the partner's nine
    assert contract("80t", MIXED, "9s 7h Js", **VARIANTS).legal() == ["Ks", "As"]
    assert contract("80t", MIXED, "9s Jh Js Ks", **VARIANTS).turn == 2  # only the suit led wins


def test_tout_atout_has_belotes_only_if_asked() -> None:  # rule 10.3
    for asked, belotes in ((False, [0, 0]), (True, [40, 40])):
        position = play_out(contract("80t", SUITED, **VARIANTS, tout_atout_belotes=asked), random.Random(1))
        assert position.game.words.breakdown(position.state)["belotes"] == belotes


def test_a_generale_is_the_takers_own() -> None:  # rule 10.5
    won = play_out(contract("generale-s", SUITED, **VARIANTS), random.Random(1)).state
    assert is_made(won) and score_of(won, 0) == 1000 + 20
    lost = play_out(contract("generale-s", SUITED, taker=2, **VARIANTS), random.Random(1)).state
    assert not is_made(lost) and won[layout.VALUE] == 500
    mirror = contract("generale-s", SUITED, taker=2, reward="mirror", **VARIANTS)
    assert reward_of(play_out(mirror, random.Random(1)).state, 0) == -500


def test_a_contract_can_stand_from_the_start() -> None:  # rule 11.1
    position = contract("110d", "N: " + SUITED, taker=3, coinched=2)
    assert position.turn == 1 and position.state[layout.DECLARER] == 3
    assert (position.state[layout.VALUE], position.state[layout.CONTRACT], position.state[layout.COINCHED]) == (
        110,
        2,
        2,
    )


def test_only_the_last_tricks_are_played() -> None:  # rules 11.2 and 11.3
    game = make("coinche", auction="none", contract="30h", tricks=2)
    for number in range(10):
        position = Position(game, 5, number)
        assert [int(hand).bit_count() for hand in position.state[layout.HAND : layout.HAND + 4]] == [2] * 4
        assert int(position.state[layout.DEAD]).bit_count() == 24
        play_out(position, random.Random(number))
        tricks = position.game.words.breakdown(position.state)["tricks"]
        assert sum(tricks) == 2 and len(position.actions) == 8


SHORT = {"auction": "none", "contract": "80s", "tricks": 2, "short_pack": True}


def test_a_short_pack_has_the_strongest_ranks() -> None:  # rule 11.4
    game = make("coinche", **SHORT)
    assert game.deals() == 4 * 2520
    seen = set()
    s = game.blank()
    for k in range(game.deals()):
        game.deal_at(s, k)
        seen.add((*s[layout.HAND : layout.HAND + 4].tolist(), int(s[layout.DEALER])))
    assert len(seen) == 4 * 2520
    ends = [play_out(Position(game, 6, number), random.Random(number)).state for number in range(20)]
    totals = {int(s[layout.POINTS : layout.POINTS + 4].sum()) for s in ends}
    assert totals <= {94, 94 + 90} and not make("coinche", tricks=2, auction="none", contract="30h").has("deals")


def perft(position: Position) -> int:
    """The number of ways to play to the end."""
    if position.is_over:
        return 1
    count = 0
    for action in position.legal_actions():
        position.push(action)
        count += perft(position)
        position.pop()
    return count


def test_a_reduced_game_is_small_enough_to_count() -> None:  # rule 11.3
    game = make("coinche", **SHORT)
    counts = [perft(Position(game, 8, number)) for number in range(20)]
    assert min(counts) >= 1 and max(counts) <= 16 and len(set(counts)) > 1


def test_an_auction_can_be_held_over_a_reduced_deal() -> None:  # rule 11.5
    position = Position(make("coinche", tricks=2), 3)
    for word in ("80s", "pass", "pass", "pass"):
        position.push(word)
    play_out(position, random.Random(1))
    assert position.is_over


def test_presets_are_lists_of_options() -> None:  # rule 13.3
    plain, paper = make("coinche").options, make("coinche-paper").options
    changed = {name: paper[name] for name in paper if paper[name] != plain[name]}
    assert changed == {"rules": "picot", "scoring": "announced_paper", "belote": 0}


def test_a_coinche_may_swap_the_attack() -> None:  # rule 14.1
    calls = "80s coinche pass pass pass"
    assert play(SUITED, calls).state[layout.DECLARER] == 0
    assert play(SUITED, calls, paper_coinche_swaps_attack=True).state[layout.DECLARER] == 1
    back = "80s coinche surcoinche"
    assert play(SUITED, back, paper_coinche_swaps_attack=True).state[layout.DECLARER] == 2


def test_either_side_may_coinche_if_asked() -> None:  # rule 14.2
    assert "coinche" in play(SUITED, "80s pass", paper_either_side_coinches=True).legal()
    assert "surcoinche" in play(SUITED, "80s coinche pass", paper_either_side_coinches=True).legal()


@pytest.mark.parametrize(
    ("name", "options", "sentence"),
    [
        ("coinche-papier", {}, "there is no game coinche-papier; did you mean coinche-paper?"),
        ("coinche", {"scoring": "club"}, "scoring=club is not possible: scoring is one of made_plus_announced"),
        ("coinche", {"belote": "maybe"}, "belote=maybe is not possible: belote is true or false"),
        ("coinche", {"contract": "80n"}, "contract=80n is not possible without sans_atout=true"),
        ("coinche", {"tricks": 9}, "tricks=9 is not possible: tricks is a whole number from 1 to 8"),
        ("coinche", {"undertrump": 1}, "coinche has no option undertrump"),
        ("coinche", {"shared_head": 1, "generale": 1}, "shared_head=true is not possible with further bids"),
    ],
)
def test_impossible_options_are_refused(name: str, options: dict[str, object], sentence: str) -> None:
    with pytest.raises((BadOption, UnknownGame)) as raised:
        make(name, **options)
    assert sentence in str(raised.value)


def test_the_shared_head_has_44_actions_and_plays_the_same_game() -> None:
    plain, shared = make("coinche"), make("coinche", shared_head=True)
    assert shared.ACTIONS == 44 == len(shared.words.ACTION_WORDS)
    for number in range(5):
        luck = random.Random(number)
        one, two = Position(plain, 9, number), Position(shared, 9, number)
        while not one.is_over:
            shift = 43 if one.state[layout.PHASE] == layout.PLAYING else 0
            assert [action - shift for action in one.legal_actions()] == two.legal_actions()
            move = luck.choice(one.legal_actions())
            one.push(move)
            two.push(move - shift)
        assert one.returns() == two.returns()


def test_the_shared_head_reads_calls_and_cards() -> None:
    position = play(SUITED, "90s pass pass pass Qs", shared_head=True)
    assert position.actions == [5, 0, 0, 0, 4]
    assert np.flatnonzero(position.mask()).tolist() == list(range(8, 16))


@pytest.mark.skipif(PLAIN, reason="too many nodes for plain Python")
def test_a_best_response_can_be_computed_in_a_reduced_game() -> None:
    tree = unroll(make("coinche", **{**SHORT, "contract": "50s", "reward": "mirror"}))
    policy = 1.0 / np.repeat(np.diff(tree.offset), np.diff(tree.offset))
    value = expected_value(tree, policy)
    assert value[0] == pytest.approx(value[2]) == pytest.approx(-value[1])
    best, response = best_response(tree, policy, 0)
    together, _ = team_response(tree, policy, (0, 2))
    assert value[0] < best < together < 50
    assert expected_value(tree, response)[0] == pytest.approx(best)
