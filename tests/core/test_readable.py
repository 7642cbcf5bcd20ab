"""Positions and views in words: they say what was dealt and played, and nothing that a seat does not know."""

import random
from collections import Counter

import pytest

from kibitz.core.errors import BadInput, IllegalMove
from kibitz.core.game import make, names
from kibitz.core.position import Position
from kibitz.core.readable import READINGS, Card

TRICKS = ["coinche", "skat-suit", "skat-ramsch", "cego-standard", "cego-raeuber", "cego"]
GAMES = ["kuhn", "leduc", "collaborative-kuhn-oracle", "cheat", "skat", *TRICKS]
POKER = ["kuhn", "leduc", "collaborative-kuhn", "cheat"]


def moments(name, games=2):
    """Positions of random games before each move of a seat."""
    luck = random.Random(name)
    for number in range(games):
        p = Position(make(name), seed=3, number=number)
        for _ in range(80):
            if p.is_over:
                break
            yield p
            calm = [word for word in p.legal() if word == "pass"]
            p.push(luck.choice(calm or p.legal()) if luck.random() < 0.5 else luck.choice(p.legal()))


def test_a_card_knows_its_rank_and_suit_and_prints_as_its_name():
    assert [(card.rank, card.suit) for card in map(Card, ("Th", "21t", "10c", "K"))] == [
        ("T", "h"), ("21", "t"), ("10", "c"), ("K", ""),
    ]  # fmt: skip
    assert f"{[Card('Th'), Card('K')]}" == "[Th, K]" and Card("Th") == "Th"


@pytest.mark.parametrize("name", GAMES)
def test_a_view_says_the_same_of_the_table_as_the_position(name):
    for p in moments(name):
        view = p.view()
        assert view.hand == p.hand(view.seat) and set(view.playable) <= set(view.hand)
        for reading in ("trick", "last_trick", "contract", "points"):
            if hasattr(p.game.words, reading):
                assert getattr(view, reading) == getattr(p, reading)


@pytest.mark.parametrize("name", GAMES)
def test_what_a_seat_has_not_seen_is_the_same_in_every_world(name):
    for k, p in enumerate(moments(name, 1)):
        if k % 8:
            continue
        view = p.view()
        for world in view.worlds(2):
            assert world.view(view.seat).unseen == view.unseen
            assert str(world.view(view.seat)) == str(view)


@pytest.mark.parametrize("name", ["coinche", "skat", "skat-suit", "cego-standard", "cego-solo", "cego"])
def test_cards_of_others_are_unseen_and_own_cards_are_not(name):
    for p in moments(name):
        if "ouvert" in p.contract or "Leere" in p.contract or "Verschiedene" in p.contract:
            continue  # cards lie open
        view = p.view()
        others = [card for seat in range(p.game.PLAYERS) if seat != view.seat for card in p.hand(seat)]
        taken_up = p.game.name == "skat" or p.game.name.startswith("cego")  # the blind may have gone to a hand
        assert taken_up or set(others) <= set(view.unseen)
        assert not set(view.hand) & set(view.unseen) and len(set(view.unseen)) == len(view.unseen)


@pytest.mark.parametrize("name", TRICKS)
def test_tricks_are_the_cards_that_were_played_by_whom_they_were_played(name):
    size, last, mover = make(name).PLAYERS, None, None
    for p in moments(name):
        if p is not last:
            last, is_play, played = p, False, []
        elif is_play:
            played.append((mover, p.game.words.ACTION_WORDS[p.actions[-1]]))
        is_play = str(p).endswith("to play") or "\ntrick " in str(p)  # not while they call, keep and lay away
        mover, whole = p.to_move, len(played) - len(played) % size
        assert list(p.trick.items()) == played[whole:]
        assert list(p.last_trick.items()) == played[max(0, whole - size) : whole]


def test_coinche_says_contract_points_and_tricks():
    deal = "W: As Ks Qs Js Ts 9s 8s 7s | Ah Kh Qh Jh Th 9h 8h 7h | Ad Kd Qd Jd Td 9d 8d 7d | Ac Kc Qc Jc Tc 9c 8c 7c"
    p = Position(make("coinche"), deal=deal)
    assert (p.contract, p.trick, p.last_trick, p.points) == ("", {}, {}, [0.0] * 4)
    p.push("100s")
    assert p.contract == "100s by N"
    p.push("coinche")
    while "pass" in p.legal():
        p.push("pass")
    assert p.contract == "100s by N, coinched" and p.to_move == 0
    assert p.hand(0) == ["Js", "9s", "As", "Ts", "Ks", "Qs", "8s", "7s"]  # trumps, the strongest first
    for card in ("Js", "7h", "7d", "7c", "9s"):
        p.push(card)
    assert p.last_trick == {0: "Js", 1: "7h", 2: "7d", 3: "7c"} and p.trick == {0: "9s"}
    assert p.points == [20.0, 0.0, 20.0, 0.0]
    assert "As" in p.view(1).unseen and "Js" not in p.view(1).unseen and len(p.view(1).unseen) == 32 - 5 - 7


def test_leduc_says_cards_but_has_no_tricks():
    p = Position(make("leduc"), deal="Ks Jh", manual_chance=True)
    assert p.hand(0) == ["Ks"] and p.view(1).hand == ["Jh"] and "Ks" in p.view(1).unseen
    for word in ("call", "call"):
        p.push(word)
    assert p.to_move is None
    with pytest.raises(BadInput, match="chance moves: say whose view"):
        p.view()
    p.push("Qs")
    assert p.view(0).unseen == ["Js", "Jh", "Qh", "Kh"]
    with pytest.raises(BadInput, match="leduc has no trick: it can tell hand, unseen"):
        _ = p.trick
    with pytest.raises(BadInput, match="there is no seat 2: leduc has seats 0 to 1"):
        p.hand(2)


def test_cheat_counts_what_is_not_seen():
    p = Position(make("cheat"), seed=1)
    view = p.view()
    assert Counter(view.hand) + Counter(view.unseen) == Counter(dict.fromkeys("A234567", 4))


@pytest.mark.parametrize("name", names())
def test_every_game_says_hands_and_trick_games_say_all(name):
    words = make(name).words
    able = [reading for reading in READINGS if hasattr(words, reading)]
    assert able == (["hand", "unseen"] if name.startswith(tuple(POKER)) else list(READINGS))


def test_worlds_are_drawn_with_the_luck_of_the_seat_and_can_be_played_on():
    view = Position(make("leduc"), seed=5).view()
    worlds = view.worlds(40)
    assert {world.hand(0)[0] for world in worlds} == set(view.hand)
    assert {world.hand(1)[0] for world in worlds} == set(view.unseen)
    assert [str(world) for world in view.worlds(40)] == [str(world) for world in worlds]
    boards = set()
    for world in worlds:
        world.push("call")
        world.push("call")
        boards.add(str(world).split()[1])
    assert len(boards) > 3
    with pytest.raises(BadInput, match="0 worlds cannot be drawn"):
        view.worlds(0)


def test_a_view_reads_words_and_says_what_would_be_right():
    view = Position(make("leduc"), seed=5).view()
    assert view.legal_words() == ["call", "raise"] and view.read("bet") == view.legal()[1]
    with pytest.raises(IllegalMove, match="there is no bet to answer"):
        view.read("fold")


def test_positions_views_and_games_print_themselves():
    p = Position(make("kuhn", players=3), seed=1)
    assert repr(p) == "<kuhn after 0 moves, seat 0 to move>" and repr(p.view()) == "<what seat 0 of kuhn knows>"
    assert repr(p.game) == "make('kuhn', players=3)" and repr(make("leduc")) == "make('leduc')"
