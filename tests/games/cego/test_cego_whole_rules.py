"""The whole game of Cego, rule by rule; the numbers are those of RULES.md."""

from __future__ import annotations

import pytest

from kibitz.bots import seat_bots
from kibitz.core.errors import BadInput, BadOption, BadRecord, IllegalMove
from kibitz.core.game import OVER, make
from kibitz.core.position import Position
from kibitz.core.sheet import played
from kibitz.games.cego.rules import GAME_OF, LAID_AWAY, SAY_CEGO, SOLOIST, value
from kibitz.games.cego.table import (
    BLIND,
    CEGO,
    EINE,
    EINE_LEERE,
    RAEUBER,
    SOLO,
    TAROCK,
    ZWEI_VERSCHIEDENE,
)
from kibitz.games.tricks.layout import ASIDE, CONTRACT, DECLARER, HAND, POINTS

PASSES = "pass pass pass pass"


def filled(*piles: str) -> str:
    """A whole deal from the first cards of each pile; the cards nobody named are dealt in deck order."""
    named = [pile.split() for pile in piles] + [[] for _ in range(5 - len(piles))]
    rest = [card for card in TAROCK.names if not any(card in pile for pile in named)]
    for pile, size in zip(named, (11, 11, 11, 11, 10), strict=True):
        while len(pile) < size:
            pile.append(rest.pop(0))
    return " | ".join(" ".join(pile) for pile in named)


def table(*piles: str, words: str = "", **options: object) -> Position:
    """The whole game with these piles, after these words."""
    p = Position(make("cego", **options), deal=filled(*piles))
    for word in words.split():
        p.push(word)
    return p


def cards(mask: int) -> set[str]:
    return set(TAROCK.text(mask).split())


def test_forehand_speaks_first() -> None:
    """6.1, 6.3"""
    assert table().turn == 0 and table(dealer=1).turn == 2


def test_announcements_rise() -> None:
    """7.1, 7.2"""
    p = table("", "1t", words="piccolo")
    assert set(p.legal()) == {"pass", "solo", "ultimo"}
    with pytest.raises(IllegalMove, match="piccolo has been announced, only a higher game may follow"):
        p.push("bettel")
    p.push("ultimo")
    assert p.turn == 1 and p.state[DECLARER] == 1 and "7c" not in p.legal()


def test_ultimo_needs_the_geiss() -> None:
    """7.1"""
    with pytest.raises(IllegalMove, match="only the holder of 1t may announce Ultimo"):
        table("", "1t").push("ultimo")


def test_highest_announcement_is_played_and_leads() -> None:
    """3.8, 7.4"""
    p = table(words="bettel pass solo pass")
    assert p.state[CONTRACT] == SOLO and p.turn == 2 and p.state[ASIDE] == p.state[BLIND]


def test_compulsory_solo() -> None:
    """7.3"""
    strong = "2t 3t 4t 5t 6t 7t 8t 9t"
    p = table(strong, compulsory_solo="on")
    assert p.legal() == ["solo"]
    with pytest.raises(IllegalMove, match="compulsory Solo"):
        p.push("pass")
    assert "pass" in table(strong).legal()
    assert "pass" in table("", strong, words="solo", compulsory_solo="on").legal()


def test_raising() -> None:
    """7.5, 7.6"""
    p = table(words=PASSES)
    assert p.turn == 0 and "hold" in p.legal() and "pass" not in p.legal() and "cego" not in p.legal()
    p.push("hold")
    assert p.turn == 1 and "pass" in p.legal() and "eine" in p.legal() and "cego" not in p.legal()
    for word in ("eine", "pass", "pass"):
        p.push(word)
    assert p.turn == 0
    with pytest.raises(IllegalMove, match="eine stands, only a higher level may follow"):
        p.push("eine")
    p.push("pass")
    assert p.turn == 1 and p.state[CONTRACT] == EINE and p.state[DECLARER] == 1


def test_highest_level_ends_the_auction() -> None:
    """7.7"""
    p = table(words=f"{PASSES} hold pass zwei-verschiedene")
    assert p.state[CONTRACT] == ZWEI_VERSCHIEDENE and p.turn == 2


def test_exposing_levels_need_plain_cards() -> None:
    """7.8"""
    trumps = "1t 2t 3t 4t 5t 6t 7t 8t 9t 10t"
    p = table(f"{trumps} 7c", words=PASSES)
    assert set(p.legal()) == {"hold", "eine", "eine-leere"}
    with pytest.raises(IllegalMove, match="has not the plain cards that zwei-leere exposes"):
        p.push("zwei-leere")


def test_settling() -> None:
    """7.9"""
    p = table(words=f"{PASSES} hold pass pass pass")
    assert p.turn == 0 and p.legal() == ["cego", "raeuber"]
    p.push("raeuber")
    assert p.state[CONTRACT] == RAEUBER and p.turn == 0


def test_contra_solo() -> None:
    """7.10"""
    p = table(words="solo pass pass pass", contra_solo="on")
    assert p.turn == 1 and "cego" in p.legal() and "pass" in p.legal()
    for word in ("cego", "pass", "pass"):
        p.push(word)
    assert p.state[CONTRACT] == CEGO and p.state[DECLARER] == 1 and p.state[SOLOIST] == 0 and p.turn == 1
    p = table(words="pass solo pass pass pass pass pass", contra_solo="on")
    assert p.state[CONTRACT] == SOLO and p.state[DECLARER] == 1


def test_cego_keeps_two_and_discards_one() -> None:
    """8.1, 8.2, 8.4"""
    p = table("Gt 21t", words=f"{PASSES} hold pass pass pass cego")
    assert "Gt" not in p.legal()  # the first of two words is the lower card
    p.push("21t")
    assert p.legal() == ["Gt"]
    p.push("Gt")
    assert len(p.legal()) == 12 and int(p.state[ASIDE]).bit_count() == 9
    p.push("21t")
    assert int(p.state[HAND]).bit_count() == 11 and int(p.state[ASIDE]).bit_count() == 10
    assert p.turn == 0 and "?? ?? ??" in str(p.view(1)) and p.view(1).state[LAID_AWAY] == -1


def test_eine_keeps_one() -> None:
    """8.1"""
    p = table(words=f"{PASSES} eine pass pass pass 7c")
    assert cards(int(p.state[HAND])) == {"7c"} | cards(int(p.state[BLIND]))


def test_courts_only_without_empties() -> None:
    """8.3"""
    trumps = "2t 3t 4t 5t 6t 7t 8t 9t"
    p = table(f"{trumps} Jc Qc Ks", words=f"{PASSES} eine-leere pass pass pass")
    assert set(p.legal()) == {"Jc", "Qc", "Ks"}
    p = table(f"{trumps} 7c Qc Ks", words=f"{PASSES} eine-leere pass pass pass")
    assert p.legal() == ["7c"]
    p = table(f"{trumps} 7c Qc Ks", words=f"{PASSES} zwei-verschiedene")
    assert p.legal() == ["7c"]
    p.push("7c")
    assert p.legal() == ["Ks"]
    p = table(f"{trumps} 7c Qc Ks", words=f"{PASSES} zwei-leere pass pass pass 7c")
    assert p.legal() == ["Qc"]


def test_forced_discards() -> None:
    """8.4"""
    blind = "5t 12t 17t"
    for level, away in (("zwei-leere pass pass pass 7c 8c", "5t"), ("zwei-verschiedene 7c 7s", "17t")):
        p = table(
            "7c 8c 7s",
            "1t 2t 3t 4t 6t 7t 8t 9t 10t 11t 13t",
            "14t 15t 16t 18t 19t 20t 21t Gt",
            "",
            blind,
            words=f"{PASSES} {level}",
        )
        assert p.legal() == [away]
        p.push(away)
        assert away in str(p.view(2))
    p = table(
        "7c 8c",
        "1t 2t 3t 4t 6t 7t 8t 9t 10t 11t 13t",
        "14t 15t 16t 18t 19t 20t 21t Gt 5t 12t 17t",
        words=f"{PASSES} zwei-leere pass pass pass 7c 8c",
    )
    assert len(p.legal()) == 10 and set(p.legal()) == cards(int(p.state[BLIND]))


def test_forced_leads_and_exposed_cards_never_win() -> None:
    """8.6, 8.7"""
    p = table("7c 8c", words=f"{PASSES} eine-leere pass pass pass 8c")
    assert all(card.endswith("c") for card in p.legal()) and "8c" in p.legal()
    with pytest.raises(IllegalMove, match="bound by the exposed cards"):
        p.push(next(card for card in cards(int(p.state[HAND])) if not card.endswith("c")))
    spades = "7s 8s 9s 10s Js Rs Qs Ks 4h 3h 2h"
    p = table("7c 8c", spades, "1h Jh Rh Qh Kh 4d 3d 2d 1d Jd Rd", words=f"{PASSES} eine-leere pass pass pass 8c 8c")
    p.push("9s")  # nobody at seats 1 and 2 can follow or trump: the second card takes the place of the lead
    p.push("Kh")
    last = p.legal()[0]
    p.push(last)
    assert p.turn == (1 if last[-1] not in "ct" else 3)


def test_declarer_of_two_leads_twice() -> None:
    """8.6"""
    p = table("7c 7s", "1t 2t 3t Kc", words=f"{PASSES} zwei-verschiedene 7c 7s")
    p.push(p.legal()[0])
    assert set(p.legal()) == {"7c", "7s"}
    p.push("7c")
    for _ in range(3):
        p.push(p.legal_actions()[-1])
    assert p.turn == 0 and p.legal() == ["7s"]


@pytest.mark.parametrize(
    ("game", "points", "contra", "paid"),
    [
        (EINE, 34, False, 20),  # 9.4
        (EINE_LEERE, 41, False, 20),
        (CEGO, 40, False, 10),
        (SOLO, 50, False, 30),
        (SOLO, 29, False, 20),
        (CEGO, 40, True, 10),
        (ZWEI_VERSCHIEDENE, 79, True, 240),
    ],
)
def test_fach(game: int, points: int, contra: bool, paid: int) -> None:
    """9.3, 9.4"""
    s = table().state
    s[CONTRACT], s[DECLARER], s[ASIDE], s[SOLOIST] = game, 0, 0, 1 if contra else -1
    s[POINTS] = 2 * points
    assert value(s) == paid


def test_raeuber_payment() -> None:
    """9.5"""
    for tie, won, paid in (
        ("first", (40, 20, 20, 20), [-240.0, 80.0, 80.0, 80.0]),
        ("first", (20, 40, 20, 40), [40.0, -120.0, 40.0, 40.0]),
        ("all", (40, 40, 20, 20), [-160.0, -80.0, 120.0, 120.0]),
        ("all", (30, 30, 30, 30), [0.0, 0.0, 0.0, 0.0]),
    ):
        p = table(words=f"{PASSES} hold pass pass pass raeuber", raeuber_tie=tie)
        while p.turn != OVER:
            p.push(p.legal_actions()[0])
        p.state[POINTS : POINTS + 4] = won
        assert p.returns() == paid


def test_words_stand_for_games() -> None:
    assert GAME_OF[SAY_CEGO - 54] == CEGO


def test_what_is_wrong_is_said() -> None:
    with pytest.raises(BadOption, match="dealer=4 is not possible"):
        make("cego", dealer=4)
    with pytest.raises(BadRecord, match="7c is dealt twice"):
        Position(make("cego"), deal=filled("7c").replace(" | ", " | 7c ", 1))
    with pytest.raises(IllegalMove, match="no card is played yet"):
        table("7c").push("7c")
    with pytest.raises(IllegalMove, match="the auction, which is over"):
        table(words="solo pass pass pass").push("eine")
    assert table().read("fort") == table().read("pass")


def test_session() -> None:
    """6.2: the deal goes round and the payments add up."""
    game = make("cego")
    session = played(game, seat_bots(game, "cego-rule"), seed=2, deals=8)
    assert len(session.lines) == 8 and sum(session.totals) == 0 and not session.is_over
    later = Position(make("cego", dealer=0), seed=2, number=1)
    while not later.is_over:
        later.push(seat_bots(game, "cego-rule")[0].act(later.view(later.turn)))
    assert session.lines[1] == later.returns()
    session.lines += session.lines * 5
    assert len(session.lines) == 48 and session.is_over
    with pytest.raises(BadInput, match="takes 4 players"):
        played(game, [], deals=8)
