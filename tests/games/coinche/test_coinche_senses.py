"""What a seat can know: views, redeals, keys, observations and the order of the suits (chapter 12 of RULES.md)."""

import itertools
import random

import numpy as np
import pytest
from scipy import stats

from kibitz.core import rng
from kibitz.core.conformance import check
from kibitz.core.errors import IllegalMove
from kibitz.core.game import Game, make
from kibitz.core.jit import PLAIN
from kibitz.core.position import Position
from kibitz.games.belotes import DECK
from kibitz.games.coinche import layout
from kibitz.games.coinche.senses import ONEHOT_SLICES, PAPER_SLICES, SENSES, SLICES
from kibitz.games.coinche.words import SEATS
from tests.games.coinche.dealing import SUITED, contract, play

LETTERS = "shdc"
PERMUTATIONS = [{"s": "h", "h": "d", "d": "c", "c": "s"}, {"s": "s", "h": "c", "d": "d", "c": "h"}]


@pytest.mark.parametrize(
    ("name", "options", "games"),
    [("coinche", {}, 12), ("coinche-paper", {}, 6), pytest.param("coinche", {"tricks": 2, "short_pack": True,
    "contract": "80d"}, 10, marks=pytest.mark.resized)],
)  # fmt: skip
def test_the_contract_of_every_game_holds(name: str, options: dict[str, object], games: int) -> None:
    check(make(name, **options), games=2 if PLAIN else games)


@pytest.mark.slow
def test_the_contract_holds_in_all_variants() -> None:
    variants = {"sans_atout": 1, "tout_atout": 1, "high_bids": 1, "generale": 1, "tout_atout_belotes": 1}
    check(make("coinche"), games=40)
    check(make("coinche-paper"), games=20)
    check(make("coinche", **variants), games=100)
    check(make("coinche", shared_head=1), games=50)


def random_position(game: Game, number: int, moves: int, luck: random.Random) -> Position:
    """A position some random moves after the deal; passes are frequent, so that auctions end soon but not at once."""
    position = Position(game, 31, number)
    while not position.is_over and len(position.actions) < moves:
        legal = position.legal_actions()
        position.push(0 if 0 in legal and luck.random() < 0.5 else luck.choice(legal))
    return position


def given(position: Position, seat: int) -> bytes:
    """All that a seat is given, as bytes."""
    out = np.zeros(position.game.SIZE, np.int64)
    position.game.view(position.state, seat, out)
    return out.tobytes()


def worlds(position: Position, seat: int) -> dict[tuple[int, ...], int]:
    """Every world that fits what a seat knows, by trying all of them: played again the deal must look the same."""
    s = position.state
    others = [player for player in range(4) if player != seat]
    hidden = [card for card in range(32) if any(int(s[layout.HAND + o]) >> card & 1 for o in others)]
    sizes = [int(s[layout.HAND + player]).bit_count() for player in others]
    known = given(position, seat)
    found: dict[tuple[int, ...], int] = {}
    for first in itertools.combinations(hidden, sizes[0]):
        rest = [card for card in hidden if card not in first]
        for second in itertools.combinations(rest, sizes[1]):
            parts = (first, second, tuple(card for card in rest if card not in second))
            hands = [int(s[layout.HAND + player]) for player in range(4)]
            for player, part in zip(others, parts, strict=True):
                hands[player] = sum(1 << card for card in part)
            dealt = " | ".join(DECK.text(hands[k] | int(s[layout.PLAYED + k])) for k in range(4))
            try:
                again = Position(position.game, deal=f"{SEATS[s[layout.DEALER]]}: {dealt}")
                for action in position.actions:
                    again.push(action)
            except IllegalMove:
                continue
            if given(again, seat) == known:
                found[tuple(hands)] = 0
    return found


def test_redeal_is_uniform_over_the_worlds_that_fit() -> None:  # rules 5.6 and 12.1
    luck = random.Random(17)
    tested, enough = 0, 2 if PLAIN else 12
    for number in range(200):
        rules = "picot" if number % 2 else "ffb"
        position = Position(make("coinche", rules=rules), 31, number)
        while not position.is_over and int(position.state[layout.HAND + position.turn]).bit_count() > 2:
            legal = position.legal_actions()
            position.push(0 if 0 in legal and position.state[layout.CALLED] > 2 else luck.choice(legal))
        if position.is_over:
            continue
        seat = position.turn
        counts = worlds(position, seat)
        if not 2 <= len(counts) <= 60:
            continue
        draws = 60 * len(counts)
        for draw in range(draws):
            s = position.state.copy()
            position.game.redeal(s, seat, rng.fresh(number, draw, seat))
            counts[tuple(int(hand) for hand in s[layout.HAND : layout.HAND + 4])] += 1
        assert stats.chisquare(list(counts.values())).pvalue > 1e-4, (number, counts)
        tested += 1
        if tested == enough:
            break
    assert tested == enough


def test_a_redeal_can_be_played_again_from_the_start() -> None:  # rule 12.1
    luck = random.Random(23)
    game = make("coinche")
    for number in range(5 if PLAIN else 100):
        position = random_position(game, number, luck.randrange(4, 40), luck)
        if position.is_over:
            continue
        for seat in range(4):
            s = position.state.copy()
            game.redeal(s, seat, rng.fresh(number, 0, seat))
            hands = [int(s[layout.HAND + k] | s[layout.PLAYED + k]) for k in range(4)]
            text = " | ".join(DECK.text(hand) for hand in hands)
            again = Position(game, deal=f"{SEATS[s[layout.DEALER]]}: {text}")
            for action in position.actions:
                again.push(action)
            assert again.state.tobytes() == s.tobytes()


def test_what_the_play_has_shown_is_known() -> None:  # rules 4.3 to 4.7 read backwards
    deal = "9s 7h 8h Ah 7d 8d 7c 8c | Js As Ks 9h Jh Qh 9d 9c | 7s 8s Qs Ts Jd Qd Jc Qc | Kh Th Kd Td Ad Kc Tc Ac"
    position = contract("80s", deal, "9s Js 7s Kh")
    lacks = [DECK.text(position.state[layout.LACKS + seat]) for seat in range(4)]
    assert lacks[2] == ""  # above the jack there is nothing
    assert lacks[3] == "7s 8s 9s Js Qs Ks Ts As"
    assert lacks[1] == ""


def test_observations_have_the_lengths_they_say() -> None:  # rule 12.3
    assert PAPER_SLICES["phase"].stop == 140
    assert ONEHOT_SLICES["calls"].stop - ONEHOT_SLICES["calls"].start == 37 * 43
    assert make("coinche").SENSES == SENSES == max(piece.stop for piece in SLICES.values())


def renamed(text: str, names: dict[str, str]) -> str:
    """A deal with its suits renamed."""
    head, _, hands = text.partition(": ")
    cards = [card if card == "|" else card[0] + names[card[1]] for card in hands.split()]
    return f"{head}: {' '.join(cards)}"


def renamed_word(word: str, names: dict[str, str]) -> str:
    """An action with its suit renamed."""
    return word if word in ("pass", "coinche", "surcoinche") else word[:-1] + names[word[-1]]


def seen(position: Position, seat: int, kind: str) -> np.ndarray:
    """One observation of one seat."""
    observation = position.game.observation(kind)
    out = np.zeros(observation.senses, np.float32)
    observation.observe(position.state, seat, out)
    return out


def canonical_mask(position: Position) -> list[bool]:
    """The legal actions in the numbering of the observation."""
    order = np.zeros(position.game.ACTIONS, np.int64)
    position.game.canonical(position.state, position.turn, order)
    assert sorted(order) == list(range(position.game.ACTIONS))
    mask = np.zeros(position.game.ACTIONS, np.bool_)
    mask[order] = position.mask()
    return list(mask)


@pytest.mark.parametrize("names", PERMUTATIONS)
def test_renaming_the_suits_renames_moves_and_changes_nothing_else(names: dict[str, str]) -> None:  # rule 12.2
    game = make("coinche")
    for number in range(4 if PLAIN else 60):
        luck = random.Random(number)
        one = Position(game, 41, number)
        two = Position(game, deal=renamed(one.deal_text, names))
        places = [8 * LETTERS.index(names[LETTERS[card // 8]]) + card % 8 for card in range(32)]
        while not one.is_over:
            assert sorted(renamed_word(word, names) for word in one.legal()) == sorted(two.legal())
            for seat in range(4):
                for kind in ("default", "onehot"):
                    assert seen(one, seat, kind).tobytes() == seen(two, seat, kind).tobytes()
            assert canonical_mask(one) == canonical_mask(two)
            paper, other = seen(one, one.turn, "paper"), seen(two, two.turn, "paper")
            for name in ("played", "hand", "trick"):
                assert (paper[PAPER_SLICES[name]] == other[PAPER_SLICES[name]][places]).all()
            for name in ("points", "attacker", "value", "coinched", "phase"):
                assert (paper[PAPER_SLICES[name]] == other[PAPER_SLICES[name]]).all()
            legal = one.legal()
            word = "pass" if "pass" in legal and luck.random() < 0.4 else luck.choice(legal)
            one.push(word)
            two.push(renamed_word(word, names))
        assert one.returns() == two.returns()
        breakdowns = [game.words.breakdown(position.state) | {"contract": ""} for position in (one, two)]
        assert breakdowns[0] == breakdowns[1]


def test_moving_everybody_on_swaps_the_sides_and_changes_nothing_else() -> None:  # rule 12.2
    game = make("coinche")
    for number in range(3 if PLAIN else 40):
        luck = random.Random(number)
        one = Position(game, 43, number)
        head, _, hands = one.deal_text.partition(": ")
        moved = hands.split(" | ")
        two = Position(game, deal=f"{SEATS[(SEATS.index(head) + 1) % 4]}: {' | '.join([moved[3], *moved[:3]])}")
        while not one.is_over:
            assert (one.turn + 1) % 4 == two.turn and one.legal() == two.legal()
            for seat in range(4):
                assert seen(one, seat, "default").tobytes() == seen(two, (seat + 1) % 4, "default").tobytes()
            action = luck.choice(one.legal_actions())
            one.push(action)
            two.push(action)
        assert one.returns() == [*two.returns()[1:], two.returns()[0]]


def test_the_ladder_tells_the_auction() -> None:
    out = seen(play(SUITED, "pass 90h pass pass 110s"), 1, "default")
    ladder = out[SLICES["ladder"]].reshape(10, 8)
    assert ladder.sum() == 4
    assert ladder[1, :4].tolist() == [1, 0, 0, 0] and ladder[3, :4].tolist() == [0, 0, 0, 1]
    assert ladder[1, 4] == 1  # East's hearts are his longest suit


def test_no_two_information_sets_share_a_key() -> None:
    game = make("coinche")
    luck = random.Random(3)
    keys: set[int] = set()
    asked = 0
    for number in range(5 if PLAIN else 50):
        position = Position(game, 47, number)
        while not position.is_over:
            keys.update(game.infoset(position.state, seat) for seat in range(4))
            asked += 4
            position.push(luck.choice(position.legal_actions()))
    assert len(keys) == asked
