"""Deals, moves and tables as text, in English and French, and what bad input is told."""

import random

import pytest

from kibitz.core.errors import BadRecord, IllegalMove
from kibitz.core.game import make
from kibitz.core.position import Position
from tests.games.coinche.dealing import SUITED, contract, play, play_out

MIXED = "9s 7h 8h Ah 7d 8d 7c 8c | Js As Ks 9h Jh Qh 9d 9c | 7s 8s Qs Ts Jd Qd Jc Qc | Kh Th Kd Td Ad Kc Tc Ac"


@pytest.mark.parametrize(
    ("calls", "word", "sentence"),
    [
        ("80s pass", "coinche",
        "coinche is illegal for seat 2: the bid that stands is 80s by N: only the other side may coinche"),
        ("100h", "90s", "90s is illegal for seat 1: the bid that stands is 100h by N; a bid must be at least 110"),
        ("160s", "150s", "the bid that stands is 160s by N; a bid must be at least capot"),
        ("capot-s", "capot-h", "nothing is higher"),
        ("", "coinche", "nobody has bid yet"),
        ("80s", "surcoinche", "nobody has coinched"),
        ("80s coinche pass", "surcoinche", "the bid that stands is 80s by N: only its own side may surcoinche"),
        ("80s coinche", "coinche", "E has coinched already"),
        ("80s coinche", "90s", "after a coinche nobody may bid"),
        ("", "7s", "7s is illegal for seat 0: the auction is not over; it must call"),
        ("80s pass pass pass", "90s", "the auction is over; it must play a card"),
        ("", "85s", "85s is no move here: did you mean 80s?"),
    ],
)  # fmt: skip
def test_bad_calls_are_told_why(calls: str, word: str, sentence: str) -> None:
    position = play(SUITED, calls)
    with pytest.raises(IllegalMove) as raised:
        position.push(word)
    assert sentence in str(raised.value)


@pytest.mark.parametrize(
    ("words", "card", "sentence"),
    [
        ("", "As", "As is illegal for seat 0: it holds 9s 7h 8h Ah 7d 8d 7c 8c"),
        ("Ah", "9d", "hearts were led and it holds 9h Jh Qh; it may play 9h Jh Qh"),
        ("9s", "As", "it must play a higher trump than 9s; it may play Js"),
        ("7h 9h", "Qd", "it has no hearts and E is winning with 9h: it must trump; it may play 7s 8s Qs Ts"),
    ],
)
def test_bad_cards_are_told_why(words: str, card: str, sentence: str) -> None:
    position = contract("80s", MIXED, words)
    with pytest.raises(IllegalMove) as raised:
        position.push(card)
    assert sentence in str(raised.value)


def test_undertrumping_and_overtrumping_are_explained() -> None:
    deal = "Ts 7d 8d 9d Jd 7c 8c 9c | 7s 8s Kd Td Ad Kc Tc Ac | 7h 8h Jh Qh Kh Th Qd Jc | Js 9s As Ks Qs 9h Ah Qc"
    with pytest.raises(IllegalMove, match="it has no hearts and must undertrump; it may play 7s 8s"):
        contract("80s", "E: " + deal, "7h Ah Ts", rules="picot").push("Kd")
    over = "Qs 7d 8d 9d 7c 8c 9c Jc | 7s As Kd Td Ad Kc Tc Ac | 7h 8h 9h Jh Qh Kh Th 8s | Ks Ts Js 9s Ah Qd Jd Qc"
    with pytest.raises(IllegalMove, match="it must overtrump Qs; it may play As"):
        contract("80s", "E: " + over, "7h Ah Qs").push("7s")


@pytest.mark.parametrize(
    ("deal", "sentence"),
    [
        (SUITED.replace("7h", "7s"), "7s is dealt twice"),
        (SUITED.replace("7h ", ""), "four hands of 8 cards with | between them, not hands of 8, 7, 8, 8"),
        (SUITED.replace("7h", "6h"), "'6h' is no card of this deck"),
        ("Q: " + SUITED, "'Q' cannot deal: the dealer is one of N E S W"),
        ("7s | 8s", "not hands of 1, 1"),
    ],
)
def test_bad_deals_are_told_why(deal: str, sentence: str) -> None:
    with pytest.raises(BadRecord) as raised:
        play(deal)
    assert sentence in str(raised.value)


@pytest.mark.resized
def test_a_short_pack_refuses_low_cards() -> None:
    game = make("coinche", tricks=2, short_pack=True, auction="none", contract="80s")
    with pytest.raises(BadRecord, match="7s cannot be dealt from a short pack"):
        Position(game, deal="7s As | Th Ah | Td Ad | Tc Ac")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("80S", "80s"), ("80 h", "80h"), ("passe", "pass"), ("capot d", "capot-d"), ("CAPOT-d", "capot-d")],
)
def test_people_may_write_calls_as_they_like(typed: str, meant: str) -> None:
    position = play(SUITED)
    position.push(typed)
    assert position.actions == [position.game.words.ACTION_WORDS.index(meant)]
    doubled = play(SUITED, "80s")
    doubled.push("contre")
    assert doubled.legal() == ["pass", "surcoinche"]


def test_ten_has_two_names() -> None:
    one, two = contract("80s", SUITED, "10s"), contract("80s", SUITED, "ts")
    assert one.actions == two.actions


def test_words_and_numbers_are_each_others() -> None:
    words = make("coinche").words.ACTION_WORDS
    assert len(set(words)) == len(words) == 75
    assert words[0] == "pass" and words[37] == "capot-s" and words[43] == "7s" and words[74] == "Ac"


def test_the_table_shows_a_seat_no_more_than_it_knows() -> None:
    shown = contract("80s", MIXED, "7h 9h").game.words.show(contract("80s", MIXED, "7h 9h").state, 2)
    assert "S (you): Ts Qs 8s 7s  Qd Jd  Qc Jc" in shown
    assert "W: ?? ?? ?? ?? ?? ?? ?? ??" in shown and "trick: N 7h  E 9h" in shown and "Kh" not in shown


def test_the_table_speaks_french() -> None:
    position = play("S: " + SUITED, "80c coinche pass pass pass")
    shown = position.game.words.show(position.state, 3, "fr")
    assert "donneur S   contrat 80t par O, coinché" in shown
    assert "enchères : O 80t  N coinche  E passe  S passe  O passe" in shown
    assert "O (vous) : Vt 9t At 10t Rt Dt 8t 7t" in shown and shown.endswith("O joue")
    over = position.game.words.show(play_out(position, random.Random(1)).state, None, "fr")
    assert "80t réussi   multiplicateur 2" in over and "marque : N+S 0   E+O" in over


def test_every_action_has_a_french_word() -> None:
    words = make("coinche").words
    french = [words.LANGUAGES["fr"][word] for word in words.ACTION_WORDS]
    assert len(set(french)) == len(french)
    assert french[0] == "passe" and french[2] == "80c" and french[41] == "coinche" and french[43 + 4] == "Dp"


def test_a_void_deal_says_so() -> None:
    position = play(SUITED, "pass pass pass pass")
    assert str(position).endswith("void deal")
    assert position.game.words.breakdown(position.state) == {"void": True, "score": [0, 0]}
