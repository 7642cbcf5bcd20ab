"""The networks that call in Skat: what they see, what contracts gain, sound calls, discards and declarations."""

from pathlib import Path

import numpy as np
import pytest

from kibitz.arena.play import play
from kibitz.bots import make_bot
from kibitz.core.batch import Batch
from kibitz.core.errors import BadInput
from kibitz.core.game import make
from kibitz.core.position import Position
from kibitz.core.view import view_of
from kibitz.games.skat.cards import ANNOUNCED, BIDS, DECK, DECLARATIONS, DECLARED_KIND, HAND_DECLARATIONS, NULL
from kibitz.games.skat.contracts import set_up
from kibitz.games.skat.scoring import matadors, settle
from kibitz.games.skat.state import (
    ASIDE,
    BID,
    DECLARE,
    DECLARED,
    DECLARER,
    DONE,
    HAND,
    HAND_GAME,
    PASS,
    PHASE,
    PICKUP,
    PLAYING,
    TURN,
)
from kibitz.search.network import random_network, save_network
from kibitz.search.skat import call_learning, caller, judge, judge_learning
from kibitz.search.skat.calibration import fitted

STRONG = "Jc Js Jh Ac Tc Kc Ad Td Ah Th"
WEAK = "7c 8c Qs Ks 9h Qh Kh 9d Qd Td"
LOW = "7c 8c 9c 7s 9s 7h 8h Jh 7d 8d"
BOLD = caller.read_bold_caller()
SMALL = judge.Judge([random_network(judge_learning.LAYERS, k) for k in range(3)])


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


def won_auction(hand: str, *words: str) -> Position:
    place = dealt(hand)
    for word in ("18", "pass", "pass", *words):
        place.push(word)
    return place


def act(place: Position) -> int:
    return caller.read_caller().act(view_of(place.game, place.state, place.turn))


def exchanged(hand: int, a: int, b: int, with_jacks: bool) -> int:
    """A hand with two suits exchanged."""
    some = 255 if with_jacks else 127
    first, second = hand >> 8 * a & some, hand >> 8 * b & some
    return hand & ~(some << 8 * a | some << 8 * b) | first << 8 * b | second << 8 * a


@pytest.mark.parametrize(("declaration", "suits"), [("C", (1, 3)), ("G", (0, 2)), ("N", (0, 3)), ("NO", (1, 2))])
def test_suits_that_can_be_exchanged_are_seen_alike(declaration: str, suits: tuple[int, int]) -> None:
    number = DECLARATIONS.index(declaration)
    kept, laid = cards("Jc Jh Ac Tc 9c As 8s Th Qd 7d"), cards("Kd 9h")
    is_null = DECLARED_KIND[number] == NULL
    hands = [(kept, laid), (exchanged(kept, *suits, is_null), exchanged(laid, *suits, is_null))]
    rows = np.empty((2, judge.INPUTS), np.float32)
    for row, (ten, two) in zip(rows, hands):
        judge.look(ten, two, DECLARED_KIND[number], ANNOUNCED[number], 1, row)
    assert (rows[0] == rows[1]).all() and rows[0, :64].sum() == 12


def test_what_a_contract_gains_is_the_score_of_the_rules() -> None:
    """Rules 7 and 10.2, for contracts won, won with 90 points and lost, and for every bid."""
    place = dealt(STRONG)
    for declaration in [DECLARATIONS.index(word) for word in ("C", "D", "G", "N", "NO", "CH", "GH", "NH", "NOH")]:
        is_null, is_hand = DECLARED_KIND[declaration] == NULL, DECLARATIONS[declaration] in HAND_DECLARATIONS
        for points, tricks, wins, schneiders in ((61, 0, 1, 0), (90, 0, 1, 1), (40, 5, 0, 0)):
            for high in range(30):
                s = place.state.copy()
                laid = 0 if is_hand else cards("Ac Tc")
                if judge.value_of(declaration, 3) < BIDS[high] and is_null:
                    continue
                set_up(s, 1, declaration, laid, high)
                s[DONE] = 10
                settle(s, points, tricks if is_null else 5, False)
                run = int(matadors(int(s[HAND + 1] | s[ASIDE]), DECLARED_KIND[declaration]))
                out = np.zeros(3)
                place.game.returns(s, out)
                assert judge.gain(wins, schneiders, declaration, run, BIDS[high]) == out[s[DECLARER]]


def test_a_strong_hand_bids_and_a_weak_one_passes() -> None:
    for hand, call in ((STRONG, BID), (WEAK, PASS)):
        assert act(dealt(hand)) == call


def test_low_cards_are_played_as_null() -> None:
    place = won_auction(LOW, "pickup")
    for _ in range(3):
        place.push(act(place))
    assert DECLARATIONS[place.state[DECLARED]] in ("N", "NO")


def test_lays_away_and_declares_what_it_planned() -> None:
    place = won_auction(STRONG)
    place.push(PICKUP)
    plan = caller.read_caller().plan(view_of(place.game, place.state, 1))
    for _ in range(2):
        place.push(act(place))
    assert place.state[ASIDE] == plan.laid[0]
    assert act(place) == act(place) == DECLARE + plan.declared[0]


def test_a_hand_game_is_declared() -> None:
    place = won_auction(STRONG)
    assert act(place) in (PICKUP, HAND_GAME)
    place.push(HAND_GAME)
    assert DECLARATIONS[act(place) - DECLARE] in HAND_DECLARATIONS


def test_discards_of_somebody_else_are_taken_over() -> None:
    place = won_auction(STRONG)
    place.push(PICKUP)
    place.push(min(card for card in range(32) if int(place.state[HAND + 1]) >> card & 1))
    for _ in range(2):
        place.push(act(place))


def test_nothing_is_overbid_while_another_contract_reaches_the_bid() -> None:
    luck = np.random.default_rng(7)
    deck = np.array([luck.permutation(32)[:12] for _ in range(60)])
    twelve = (1 << deck).sum(axis=1)
    bids = BIDS[luck.integers(0, 25, 60)]
    plans = caller.best_plans(SMALL, twelve, np.zeros(60, np.int64), luck.integers(0, 3, 60), bids)
    for hand, bid, declared in zip(twelve, bids, plans.declared):
        values = {k: judge.value_of(k, matadors(int(hand), DECLARED_KIND[k])) for k in (4, 5, 6)}
        if max(values.values()) >= bid:
            assert judge.value_of(declared, matadors(int(hand), DECLARED_KIND[declared])) >= bid


def test_an_unlikely_null_comes_after_all_that_reaches_the_bid() -> None:
    luck = np.random.default_rng(11)
    twelve = (1 << np.array([luck.permutation(32)[:12] for _ in range(200)])).sum(axis=1)
    rest = np.zeros(200, np.int64), luck.integers(0, 3, 200), np.full(200, 18)
    found = caller.read_caller()
    careful = caller.best_plans(found.judge, twelve, *rest)
    bold = caller.best_plans(found.judge, twelve, *rest, least_null=0.0)
    is_unlikely = (DECLARED_KIND[bold.declared] == NULL) & (bold.chances[:, judge.WIN] < caller.LEAST_NULL)
    assert is_unlikely.any() and (DECLARED_KIND[careful.declared[is_unlikely]] != NULL).all()
    assert (careful.declared[~is_unlikely] == bold.declared[~is_unlikely]).all()


def test_the_bold_caller_goes_on_where_the_searching_player_passes() -> None:
    states = Batch(make("skat"), 200, seed=12, games=200).state
    views = [view_of(make("skat"), s, int(s[TURN])) for s in states]
    bids = [sum(one.act(view) != PASS for view in views) for one in (caller.bidder(make("skat")), BOLD)]
    assert 0 < bids[0] < bids[1] < 200


def test_calling_all_deals_at_once_is_calling_them_one_by_one() -> None:
    game, found = make("skat"), caller.read_caller()
    states = Batch(game, 12, seed=13, games=12).state.copy()
    one_by_one = states.copy()
    kinds = np.full((12, 3), call_learning.SELF)
    call_learning.call(game, found, states, kinds, 0.0, np.random.default_rng(0))
    for s in one_by_one:
        while (turn := int(game.turn(s))) >= 0 and s[PHASE] != PLAYING:
            game.step(s, found.act(view_of(game, s, turn)))
    assert (states == one_by_one).all()


def test_deals_are_called_out_and_learned_from() -> None:
    game = make("skat")
    settings = call_learning.Schooling(rounds=2, deals=24, batch=32, seed=5)
    told: list[dict[str, float]] = []
    net = call_learning.learn(game, SMALL, settings, tell=lambda number, facts: told.append(facts))
    again = call_learning.learn(game, SMALL, settings)
    assert len(told) == 2 and all(0 <= facts["all won"] <= 1 for facts in told)
    assert all((a == b).all() for a, b in zip(net.weights, again.weights))


def test_contracts_are_drawn_played_and_learned_from() -> None:
    game = make("skat")
    played = judge_learning.play(game, SMALL, judge_learning.PIECE, 3)
    assert 0 < played.won.mean() < 1 and (played.schneider <= played.won).all()
    held = np.array([int(hand).bit_count() for hand in played.kept])
    assert (held == 10).all()
    found = judge_learning.fit(played, 2, 1, batch=64)
    chances = found.chances(played.kept, played.laid, played.declared, played.seats)
    assert ((chances > 0) & (chances < 1)).all()


def test_weights_are_found_again() -> None:
    luck = np.random.default_rng(3)
    odds = luck.normal(size=4000)
    won = (luck.random(4000) < 1.0 / (1.0 + np.exp(-0.4 - 0.8 * odds))).astype(float)
    assert fitted(odds, won) == pytest.approx([0.4, 0.8], abs=0.15)


def test_only_games_with_an_auction_for_tournament_points_are_called() -> None:
    assert caller.can_bid(make("skat")) and not caller.can_bid(make("skat-grand"))
    assert not caller.can_bid(make("skat", payoff="value"))


def test_bad_files_are_refused_in_a_line(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="there is no folder"):
        caller.read_caller(tmp_path / "nowhere")
    for name in (*judge.FAMILIES, "calls"):
        save_network(tmp_path / f"{name}.npz", random_network((5, 4), 1))
    with pytest.raises(BadInput, match="another shape"):
        caller.read_caller(tmp_path)


@pytest.mark.parametrize("name", ["skat", "skat-ramsch", pytest.param("cego", marks=pytest.mark.slow)])
def test_plays_whole_games_with_words_by_search(name: str) -> None:
    game = make(name)
    bot = make_bot(game, "pimc:worlds=2:bidding=1")
    rule = make_bot(game, bot.payoff.RULE)  # type: ignore[attr-defined]
    bots = [bot if seat == 1 else rule for seat in range(game.PLAYERS)]
    assert sum(len(chunk.returns) for chunk in play(game, bots, 2)) == 2
