"""What a person sees and may type at the terminal."""

import re

import pytest

from kibitz.core.errors import IllegalMove
from kibitz.core.game import make, names
from kibitz.core.position import Position
from kibitz.terminal.choices import MOST_SHOWN, Choices, NotUnderstood, listed_moves
from kibitz.terminal.deal import Deal
from kibitz.terminal.paint import Paint
from kibitz.terminal.rulebook import rules_text
from kibitz.terminal.spelling import cards_meant
from kibitz.terminal.table import MOST_NEWS
from kibitz.terminal.tongue import Tongue
from tests.terminal.typed import seated, typed

PACK = [rank + suit for suit in "shdc" for rank in "789TJQKA"]
SPADES = "W: As Ts 9s 8s 7s Ah Th 9h | Ks Qs Js Kh Qh Jh 8h 7h | Ad Td 9d 8d 7d Ac Tc 9c | Kd Qd Jd Kc Qc Jc 8c 7c"
"""North holds the ace of spades."""


def choices(name, *moves, seed=3, lang="en", deal=None, **options):
    """The choices of the seat to move after some moves."""
    position = Position(make(name, **options), seed, deal=deal)
    for move in moves:
        position.push(move)
    return Choices(position.view(), Tongue(position.game, lang), Paint(lang, has_signs=lang != "en")), position


@pytest.mark.parametrize("text", ["as", "AS", "a s", "♠A", "A♠", "sa", "ace of spades", "Ace Spades", "♤a"])
def test_the_ace_of_spades_may_be_typed_in_many_ways(text):
    assert cards_meant(text, PACK, "en") == ["As"]


@pytest.mark.parametrize(
    ("lang", "text", "card"),
    [("de", "Pik Ass", "As"), ("de", "kr b", "Jc"), ("de", "10h", "Th"), ("fr", "dc", "Qh"),
        ("fr", "roi de carreau", "Kd"), ("fr", "vt", "Jc")],
)  # fmt: skip
def test_cards_are_typed_as_the_language_writes_them(lang, text, card):
    assert cards_meant(text, PACK, lang) == [card]


def test_what_may_be_two_cards_is_asked_about():
    assert cards_meant("kk", PACK, "de") == ["Kd", "Kc"]
    out, _ = typed("coinche", "capot s", "a", deal=SPADES, bots="coinche-simple", seat=0)
    assert "a may be As Ah: which one?" in out


def test_in_an_auction_of_skat_h_is_hold():
    found, position = choices("skat", "18")
    assert [position.word(action) for action in found.read("h")] == ["hold"]
    assert [position.word(action) for action in found.read("p")] == ["pass"]


def test_a_rank_is_enough_where_one_such_card_is_legal():
    found, position = choices("coinche", "80s", "pass", "pass", "pass", deal=SPADES)
    assert [position.word(action) for action in found.read("♠A")] == ["As"]
    assert [position.word(action) for action in found.read("7")] == ["7s"]


def test_cards_that_are_laid_together_may_be_named_together_in_any_order():
    found, position = choices("hearts", passing="left")
    hand = position.hand(position.turn)
    named = [hand[5], hand[0], hand[3]]
    assert sorted(position.word(action) for action in found.read(" ".join(named))) == sorted(named)
    assert found.shown().startswith("3 cards together, like ")


DISCARDS = {
    "en": (("18", "pickup", "hint", "moves"), "2 cards together, like 8c Qc: Jc Jd Qc 8c As Ts 8s Ah Kh 8h Td 8d"),
    "de": (("18", "aufnehmen", "tipp", "züge"), "2 Karten zusammen, etwa 8♣ D♣: B♣ B♦ D♣ 8♣ A♠ 10♠ 8♠ A♥ K♥ 8♥ 10♦ 8♦"),
    "fr": (
        ("18", "prendre", "conseil", "coups"),
        "2 cartes ensemble, comme 8♣ D♣ : V♣ V♦ D♣ 8♣ A♠ 10♠ 8♠ A♥ R♥ 8♥ 10♦ 8♦",
    ),
}


@pytest.mark.parametrize("lang", DISCARDS)
def test_every_card_that_can_be_laid_away_is_shown_and_a_hint_names_all_that_a_bot_would_lay(lang):
    lines, shown = DISCARDS[lang]
    painted = Paint(lang, has_signs=lang != "en")
    out, table = typed("skat", *lines, seat=1, bots="skat-rule", lang=lang, paint=painted)
    assert out.count(shown) == 4  # three prompts, and all moves
    laid = f"{painted.card('8c')} {painted.card('Qc')}"
    assert re.search(rf"skat-rule \w+ {laid}\W", out) and "%" not in out
    assert table.deal.position.legal_actions() and not table.tongue.missing


def test_a_hint_names_both_cards_that_cego_keeps_and_one_that_it_discards_before_it_leads():
    out, _ = typed("cego", "pass", "zwei-leere", "hint", "8s 10s", "hint", bots="cego-rule")
    assert re.findall("cego-rule plays (.*): ", out) == ["8s 10s", "4t"]


@pytest.mark.parametrize(
    ("name", "options", "pattern"),
    [
        ("coinche", {}, "pass 80 ... 160 capot with one of s h d c"),
        ("cheat-party", {}, r"1 to 4 of your cards together, like [A2-9TJQK]{4}"),
        ("skat", {"jumps": "on"}, r"pass 18 20 ... 264"),
    ],
)
def test_more_than_fifteen_moves_are_shown_as_a_pattern_and_all_can_be_listed(name, options, pattern):
    found, position = choices(name, **options)
    assert len(found.words) > MOST_SHOWN
    assert re.fullmatch(pattern.replace("...", r"\.\.\."), found.shown())
    assert len(found.explained()) == len(position.legal())


def test_help_shows_many_moves_as_the_prompt_does_and_all_moves_are_a_command_of_their_own():
    out, table = typed("cheat-party", "trust", "trust", "trust", "?", "moves", seed=6, bots="rule")
    helped, _, listed = out.rpartition("moves you can type: ")[2].partition("leave the table")
    assert helped.startswith("1 to 4 of your cards together, like A223\n")
    assert len(table.deal.position.legal()) > MOST_SHOWN and {*table.deal.position.legal()} <= {*listed.split()}


def test_a_call_with_a_suit_is_understood_in_words_and_asked_about_without():
    found, position = choices("coinche")
    for text in ("80 spades", "♠ 80", "80s", "spade 80"):
        assert [position.word(action) for action in found.read(text)] == ["80s"]
    with pytest.raises(NotUnderstood, match=r"80 may be 80s 80h 80d 80c: which one"):
        found.read("80")


def test_calls_of_several_words_are_told_apart():
    assert listed_moves(["pass", "80s"]) == "pass 80s" and listed_moves(["Kreuz Hand", "Pik"]) == "Kreuz Hand, Pik"
    found, _ = choices("coinche")
    calls = [
        f"{suit} {rest}" for suit in ("Kreuz", "Pik", "Herz", "Karo") for rest in ("Hand", "ouvert", "Hand Schneider")
    ]
    shown = found._grouped([*calls, "Null Hand", "Null ouvert", "passe", "weg"])
    assert shown[0] == "Kreuz Pik Herz Karo with one of Hand, ouvert, Hand Schneider" and shown[1:3] == [
        "Null Hand",
        "Null ouvert",
    ]


def test_the_rules_are_found_by_number_and_by_word():
    game = make("skat")
    assert rules_text(game, "1.5", 200).startswith("1.5 Grand. Four trumps")
    assert rules_text(game, "1", 200).startswith("1. Cards") and "1.6" in rules_text(game, "1", 200)
    assert "1.6" in rules_text(game, "no trumps", 200)
    assert len(rules_text(game, "", 200).splitlines()) > 5
    narrow = rules_text(game, "1", 60)
    assert max(map(len, narrow.splitlines())) <= 60 and narrow.split() == rules_text(game, "1", 200).split()


@pytest.mark.parametrize("name", names())
def test_every_game_has_rules_to_read(name):
    assert rules_text(make(name), "", 80).strip()


def test_commands_are_answered_and_the_decision_stays():
    out, table = typed(
        "coinche",
        "?",
        "moves",
        "hint",
        "hint random",
        "last",
        "score",
        "rules 1.1",
        "rules zzz",
        "table",
        "quit",
        bots="coinche-simple",
    )
    for part in ("take your last move back", "coinche-strong-plus plays", "random plays", "nothing is written down",
        "1.1 The pack", "there is no rule zzz"):  # fmt: skip
        assert part in out, part
    assert out.count("your move (") == 10 and not [seat for seat in table.deal.movers if seat == 0]


@pytest.mark.parametrize(
    ("lang", "hint", "sentence"),
    [
        ("en", "hint", "worth is counted in the network's own units"),
        ("de", "tipp", "der Wert zählt in eigenen Einheiten des Netzes"),
        ("fr", "conseil", "la valeur se compte en unités propres au réseau"),
    ],
)
def test_a_hint_of_a_network_says_what_its_values_count(lang, hint, sentence):
    out, table = typed("cego-standard", f"{hint} net:cego-standard", lang=lang)
    assert sentence in out.splitlines() and not table.tongue.missing


def test_undo_goes_back_to_the_last_decision():
    out, table = typed("leduc", "call", "undo", "quit", seed=1)
    assert "taken back" in out and 0 not in table.deal.movers
    out, _ = typed("leduc", "undo", "quit", seed=1)
    assert "there is nothing to take back" in out


def test_a_line_between_tricks_says_who_won_it_and_with_what():
    out, _ = typed("coinche", "capot s", "ah", "last", deal=SPADES, bots="coinche-simple")
    assert re.search(r"-- you win the trick with Ah, \d+ points --", out)
    assert re.search(r"^trick +you lead$", out, re.MULTILINE)
    assert re.search(r"trick 2\n", out) and re.search(r"last trick +N Ah   E \w\w   S \w\w   W \w\w", out)
    assert out.splitlines()[-2] == "you win the trick with Ah, 30 points"


def test_who_announces_belote_with_a_card_is_told_so():
    deal = "W: Ks Qs As 8s 7s Ah Th 9h | Ts 9s Js Kh Qh Jh 8h 7h | Ad Td 9d 8d 7d Ac Tc 9c | Kd Qd Jd Kc Qc Jc 8c 7c"
    out, _ = typed("coinche", "capot s", "Ks", deal=deal, bots="coinche-simple")
    assert "N: Ks, belote" in out


def test_why_a_move_is_not_possible_is_said_to_the_person():
    out, _ = typed("coinche", "ac", deal=SPADES, bots="coinche-simple")
    assert "Ac is illegal: the auction is not over; you must call" in out and "seat 0" not in out


@pytest.mark.parametrize(
    ("lang", "typed_as", "sentence"),
    [
        ("en", ("ac", "ace of clubs", "♣A", "as ac"), "you do not hold Ac"),
        ("de", ("ak", "Kreuz Ass"), "du hast A"),
        ("fr", ("at", "as de trèfle"), "vous n'avez pas A♣"),
    ],
)
def test_a_card_that_is_not_in_the_hand_is_said_to_be_missing(lang, typed_as, sentence):
    found, _ = choices("coinche", "80s", "pass", "pass", "pass", deal=SPADES, lang=lang)
    for text in typed_as:
        with pytest.raises(NotUnderstood, match=sentence):
            found.read(text)
    assert not found.tongue.missing


def test_seats_have_one_name_each():
    out, _ = typed("skat", *["pass"] * 3, *["?"], seed=5, bots="skat-rule")
    assert "middlehand" in out and not re.search(r"\bseat \d", out)


def test_signs_and_colours_only_where_the_terminal_has_them():
    assert Paint().card("Th") == "Th" and Paint(has_signs=True).card("Th") == "10♥"
    assert Paint(is_coloured=True, has_signs=True).card("Td") == "\x1b[31m10♦\x1b[0m"
    assert Paint(is_coloured=True, has_signs=True, colours=4).card("Td") == "\x1b[34m10♦\x1b[0m"
    assert Paint("de", has_signs=True).card("Jc") == "B♣" and Paint("fr", has_signs=True).card("Kd") == "R♦"
    assert (
        Paint(has_signs=True).sentence("clubs were led and you hold 7c Jc", {"7c", "Jc"})
        == "clubs were led and you hold 7♣ J♣"
    )


@pytest.mark.parametrize(("lang", "text"), [("en", "K h"), ("en", "♥K"), ("de", "Herz König"), ("fr", "roi de cœur")])
def test_a_card_of_the_hand_that_may_not_be_played_is_told_why_however_it_is_typed(lang, text):
    found, _ = choices("coinche", "80s", "pass", "pass", "pass", "As", deal=SPADES, lang=lang)
    with pytest.raises(IllegalMove, match="Kh is illegal for seat 1: spades were led"):
        found.read(text)


def test_help_speaks_of_suits_only_where_cards_have_them():
    assert "cards are understood" in typed("skat", "?")[0]
    for name in ("cheat-party", "leduc"):
        assert "cards are understood" not in typed(name, "?")[0]


def test_long_auctions_end_their_lines_between_calls_and_leave_room_for_the_table(monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    auction = ["18", "hold", "20", "hold", "22", "hold", "23", "hold", "24", "hold", "27", "hold", "30", "pass"]
    redrawn = Paint("en", is_redrawn=True)
    table, game, out = seated("skat", bots="random", paint=redrawn, source=lambda: "quit\n")
    position = Position(game, 3)
    table.deal = Deal(position)
    for call in auction:
        table.deal.push(position.read(call))
    table.show(0)
    shown = out.getvalue()
    assert max(map(len, shown.splitlines())) <= 60
    assert shown.count("middlehand: ") + shown.count("forehand: ") <= MOST_NEWS and "..." in shown
