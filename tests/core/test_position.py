import pytest

from kibitz.core.errors import BadInput, BadOption, IllegalMove, UnknownGame
from kibitz.core.game import CHANCE, OVER, make
from kibitz.core.position import Position


def test_push_and_pop_tell_the_same_story():
    p = Position(make("leduc"), deal="Ks Jh")
    before = p.state.copy()
    p.push("raise")
    p.push("call")
    assert "Ks" in str(p)
    p.pop()
    p.pop()
    assert (p.state == before).all()
    with pytest.raises(BadInput, match="no move to take back"):
        p.pop()


def test_an_illegal_word_is_refused_with_the_reason():
    p = Position(make("leduc"), deal="Ks Jh")
    with pytest.raises(IllegalMove, match="fold is illegal for seat 0: there is no bet to answer"):
        p.push("fold")
    with pytest.raises(IllegalMove, match="did you mean raise"):
        p.push("raize")
    with pytest.raises(IllegalMove, match="legal are"):
        p.push(17)


def test_chance_can_be_pushed_by_hand():
    p = Position(make("leduc"), deal="Ks Jh", manual_chance=True)
    p.push("check")
    p.push("check")
    assert p.turn == CHANCE
    with pytest.raises(IllegalMove, match="Ks cannot come up"):
        p.push("Ks")
    p.push("Kh")
    for word in ("raise", "call"):
        p.push(word)
    assert p.turn == OVER
    assert p.returns() == [5.0, -5.0]  # a pair wins, rule 5
    assert p.won(0)
    assert not p.won(1)


def test_a_game_may_be_given_by_name():
    assert Position("leduc", 3).deal_text == Position(make("leduc"), 3).deal_text
    with pytest.raises(UnknownGame, match="did you mean leduc"):
        Position("leducc")


def test_unknown_games_and_options_name_the_nearest():
    with pytest.raises(UnknownGame, match="did you mean leduc"):
        make("leducc")
    with pytest.raises(BadOption, match="did you mean players"):
        make("kuhn", player=3)
    with pytest.raises(BadOption, match="from 2 to 4"):
        make("kuhn", players=9)
