"""What listeners are told of a move: what they see of it, in words, and nothing else."""

import numpy as np
import pytest

import kibitz.core.conformance as conformance
from kibitz.core.errors import BadInput
from kibitz.core.game import CHANCE, make
from kibitz.core.position import Position
from kibitz.core.telling import told
from kibitz.games.cego.table import KEEP
from kibitz.games.skat.cards import DECK
from kibitz.games.tricks.layout import PHASE


def heard(p, move, lang="en"):
    """Push a move; what each seat is told of it."""
    mover, before = p.turn, p.state.copy()
    p.push(move)
    return [told(p.game, before, p.state, seat, mover, lang) for seat in range(p.game.PLAYERS)]


def others(said, mover):
    return {sentence for seat, sentence in enumerate(said) if seat != mover}


def test_the_cards_of_a_claim_are_told_to_nobody():
    p = Position(make("cheat"), deal="0: A23357 | 224567")
    assert others(heard(p, "A335"), 0) == {"lays 4 cards as aces"}
    assert others(heard(p, "trust"), 1) == {"trust"}
    assert others(heard(p, "5"), 1) == {"lays 1 card as a two"}
    assert others(heard(p, "cheat"), 0) == {"cheat, seat 1 has lied: seat 1 takes 5 cards"}
    assert others(heard(p, "7"), 0) == {"lays 1 card as a three"}
    assert others(heard(p, "trust"), 1) == {"trust"}


def test_a_true_claim_is_told_to_have_been_true():
    p = Position(make("cheat"), deal="0: A23357 | 224567")
    heard(p, "A")
    assert others(heard(p, "cheat"), 1) == {"cheat, seat 0 has told the truth: seat 1 takes 1 card"}


@pytest.mark.resized
def test_picking_cards_one_by_one_and_answering_at_once_tell_nothing():
    p = Position(make("cheat", one_by_one=1, players=3, cards_each=4, simultaneous_challenge=1, first_player="0"), 5)
    for _ in range(2):
        assert others(heard(p, p.legal()[-1]), 0) == {""}
    assert others(heard(p, "lay"), 0) == {"lays 2 cards as aces"}
    assert others(heard(p, "trust"), 1) == {"has answered"}
    assert others(heard(p, "trust"), 2) == {"has answered, nobody doubts"}


def after_auction(**options):
    """Forehand has won the auction."""
    p = Position(make("skat", **options), 4)
    for call in ("18", "hold", "pass", "pass"):
        p.push(call)
    return p


@pytest.mark.parametrize(("lang", "sentence"), [("en", "lays away a card"), ("de", "drückt eine Karte")])
def test_a_discard_is_seen_to_happen_even_if_it_is_forced(lang, sentence):
    p = after_auction()
    heard(p, "pickup")
    first = p.legal_actions()[-1]
    assert others(heard(p, first, lang), 0) == {sentence}
    assert len(p.legal_actions()) == 1
    said = heard(p, p.legal_actions()[0], lang)
    assert others(said, 0) == {sentence} and said[0] != sentence


def test_declarations_and_cards_are_told_in_the_language_asked_for():
    p = after_auction()
    assert others(heard(p, "hand", "de"), 0) == {"Handspiel"}
    assert others(heard(p, "CHS", "de"), 0) == {"Kreuz Handspiel Schneider angesagt"}
    card = p.legal()[0]
    assert others(heard(p, card, "de"), 0) == {card}


def test_whoever_is_passed_cards_sees_them_and_nobody_else():
    p = Position(make("skat", passed="ramsch", schieberamsch="on"), 4)
    for _ in range(3):
        p.push("pass")
    for mover in range(3):
        first = p.legal()[0]
        assert others(heard(p, first), mover) == {"passes on a card"}
        second = p.legal()[0]
        said = heard(p, second)
        for seat in range(3):
            if seat != mover:
                received = mover < 2 and seat == mover + 1
                assert said[seat] == (
                    "passes on " + DECK.text(cards(first, second)) if received else "passes on a card"
                )


def cards(*names):
    return sum(1 << DECK.card(name) for name in names)


def test_cards_kept_in_secret_stay_secret():
    p = Position(make("cego"), 1)
    for _ in range(4):
        p.push("pass")
    p.push("hold")
    for _ in range(3):
        p.push("pass")
    assert others(heard(p, "cego"), 0) == {"cego"}
    for _ in range(2):
        assert others(heard(p, p.legal_actions()[0]), 0) == {"keeps a card"}
    assert others(heard(p, p.legal_actions()[0]), 0) == {"lays a card away"}
    card = p.legal()[0]
    assert others(heard(p, card), 0) == {card}


def test_cards_that_will_be_exposed_are_told():
    game = make("cego")
    p = next(p for p in (Position(game, 1, number) for number in range(50)) if can_raise(p))
    p.push("eine-leere")
    while p.state[PHASE] != KEEP:
        p.push("pass")
    word = p.legal()[0]
    assert others(heard(p, word), 0) == {f"keeps {word}"}


def can_raise(p):
    for _ in range(4):
        p.push("pass")
    return "eine-leere" in p.legal()


def test_a_belote_is_announced_with_its_first_card():
    deal = "W: Ks Qs 7s 8s 9s Ts Js As | 7h 8h 9h Th Jh Qh Kh Ah | 7d 8d 9d Td Jd Qd Kd Ad | 7c 8c 9c Tc Jc Qc Kc Ac"
    p = Position(make("coinche"), deal=deal)
    assert others(heard(p, "80s", "fr"), 0) == {"80p"}
    for _ in range(3):
        p.push("pass")
    assert others(heard(p, "Ks", "fr"), 0) == {"Rp, belote"}
    for _ in range(3):
        p.push(p.legal_actions()[0])
    assert others(heard(p, "Qs"), 0) == {"Qs"}


def test_chance_is_told_to_those_who_hear_it():
    p = Position(make("leduc"), deal="Ks Jh", manual_chance=True)
    for _ in range(2):
        assert set(heard(p, "call")) == {"call"}
    assert p.turn == CHANCE and set(heard(p, "Qs")) == {"Qs is turned up"}
    oracle = Position(make("collaborative-kuhn-noisy"), deal="A K A K", manual_chance=True)
    assert heard(oracle, "nothing") == ["the oracle tells North: nothing", *["the oracle tells North"] * 3]


def test_chance_that_follows_a_move_does_not_disturb_its_sentence():
    p = Position(make("leduc"), deal="Ks Jh")
    heard(p, "call")
    assert set(heard(p, "call")) == {"call"} and p.state[p.game.parts["rules"].BOARD] >= 0


def test_full_states_and_views_are_told_alike():
    p = Position(make("skat"), 3)
    luck = np.random.default_rng(0)
    while not p.is_over:
        mover, before = p.turn, p.state.copy()
        p.push(int(luck.choice(p.legal_actions())))
        for seat in range(3):
            first, then = (np.zeros(p.game.SIZE, np.int64) for _ in range(2))
            p.game.view(before, seat, first)
            p.game.view(p.state, seat, then)
            whole = told(p.game, before, p.state, seat, mover)
            assert whole == told(p.game, first, then, seat, mover)


def test_a_game_without_words_of_its_own_tells_no_more_than_that_something_happened(monkeypatch):
    game = make("kuhn")
    monkeypatch.delattr(game.words, "told")
    p = Position(game, 1)
    assert heard(p, "bet") == ["moves", "moves"]
    assert told(game, p.state, p.state, 0, 1) == ""
    with pytest.raises(conformance.Broken, match="look different"):
        conformance.check(game, 3)


def test_a_language_the_game_does_not_speak_is_refused():
    p = Position(make("skat"))
    with pytest.raises(BadInput, match="does not speak fr: it speaks en, de"):
        told(p.game, p.state, p.state, 0, 1, "fr")


def test_conformance_notices_a_sentence_that_gives_a_hidden_card_away(monkeypatch):
    """Made from the action, as a careless door would do it."""
    game = make("cheat")
    at = game.parts["senses"].at  # a state has its claim and, unblanked, the cards of it

    def leaky(game, before, after, seat, mover, lang="en"):
        return f"{told(game, before, after, seat, mover, lang)} {after[at.LAST] if after[at.CLAIM] else ''}"

    monkeypatch.setattr(conformance, "told", leaky)
    with pytest.raises(conformance.Broken, match="what is hidden"):
        conformance.check(game, 3)


def test_conformance_notices_a_move_that_nobody_is_told_of(monkeypatch):
    monkeypatch.setattr(conformance, "told", lambda *asked: "")
    with pytest.raises(conformance.Broken, match="told nothing"):
        conformance.check(make("kuhn"), 3)
