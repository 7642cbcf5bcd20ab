"""Seatings are fair and are those that each kind of game asks for."""

import pytest

from kibitz.arena.seatings import FORMS, Form, form_of, mirror, role_names, usual
from kibitz.core.errors import BadInput
from kibitz.core.game import make

WANTED = [
    ("kuhn", {}, None, "AB BA"),
    ("kuhn", {"players": 3}, None, "ABB BAA BAB ABA BBA AAB"),
    ("collaborative-kuhn", {}, None, "ABAB BABA"),
    ("coinche", {}, None, "ABAB BABA"),
    ("cego-solo", {}, None, "AvBBB BvAAA"),
    ("cego-raeuber", {}, None, "ABBB BAAA BABB ABAA BBAB AABA BBBA AAAB"),
    ("skat", {}, None, "ABB BAA BAB ABA BBA AAB"),
    ("skat-grand", {}, None, "AvBB BvAA AvAA BvBB"),
    ("skat-grand", {}, "soloist", "AvBB BvAA"),
    ("skat-grand", {}, "six", "AvBB BvAA AvAB BvBA AvBA BvAB"),
    ("skat-grand", {}, "eight", "AvBB BvAA AvAA BvBB AvAB BvBA AvBA BvAB"),
]


@pytest.mark.parametrize("name, options, asked, seatings", WANTED)
def test_every_game_is_seated_as_it_asks(name, options, asked, seatings):
    assert form_of(make(name, **options), asked).names == seatings.split()


@pytest.mark.parametrize("name, options, asked, _", WANTED)
def test_a_and_b_sit_everywhere_alike(name, options, asked, _):
    form = form_of(make(name, **options), asked)
    for place in range(len(form.seatings[0])):
        sides = [form.seatings[k][place] for k in form.contested]
        assert sides.count(0) == sides.count(1)
    assert all(form.seatings[form.partner(k)] == mirror(form.seatings[k]) for k in range(len(form.seatings)))


def test_games_between_copies_of_one_bot_are_not_contested():
    form = form_of(make("skat-suit"), "four")
    assert [form.names[k] for k in form.contested] == ["AvBB", "BvAA"] and form.seat_games == 3


def test_a_game_that_says_nothing_is_played_by_everybody_for_himself():
    assert usual(make("leduc")) == "each"


@pytest.mark.parametrize(
    "name, asked, sentence",
    [
        ("kuhn", "twelve", "there are no seatings twelve: there are " + ", ".join(FORMS)),
        ("skat", "four", "has no soloist when the cards are dealt"),
        ("cego-solo", "six", "need two defenders"),
        ("cego-raeuber", "teams", "has no two teams"),
    ],
)
def test_seatings_that_do_not_fit_are_refused(name, asked, sentence):
    with pytest.raises(BadInput, match=sentence):
        form_of(make(name), asked)


def test_an_unfair_form_is_refused():
    with pytest.raises(BadInput, match="not fair"):
        Form("mine", ((0, 1), (0, 0)))


def test_roles_have_names():
    assert role_names(make("skat"), form_of(make("skat"))) == ("soloist", "defender")
    assert role_names(make("coinche"), form_of(make("coinche"))) == ("attacker", "defender")
    assert role_names(make("kuhn"), form_of(make("kuhn"))) == ("seat 0", "seat 1")
    assert role_names(make("collaborative-kuhn"), form_of(make("collaborative-kuhn"))) == ("team 0", "team 1")
