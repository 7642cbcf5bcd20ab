"""Cego's sub-games, rule by rule; the numbers are those of RULES.md."""

from __future__ import annotations

import pytest

from kibitz.core.errors import BadOption, BadRecord, IllegalMove
from kibitz.core.game import OVER, make
from kibitz.core.position import Position
from kibitz.games.cego.table import HALVES, SUITS, TAROCK
from kibitz.games.tricks.layout import ASIDE, HAND, POINTS

LOWEST_TRUMPS = "1t 2t 3t 4t 5t 6t 7t 8t 9t 10t 11t"


def filled(*piles: str) -> str:
    """A whole deal from the first cards of each pile; the cards nobody named are dealt in deck order."""
    named = [pile.split() for pile in piles] + [[] for _ in range(5 - len(piles))]
    rest = [card for card in TAROCK.names if not any(card in pile for pile in named)]
    for pile, size in zip(named, (11, 11, 11, 11, 10), strict=True):
        while len(pile) < size:
            pile.append(rest.pop(0))
    return " | ".join(" ".join(pile) for pile in named)


def table(subgame: str, *piles: str, cards: str = "", **options: str) -> Position:
    """A sub-game with these piles, after these cards."""
    p = Position(make(f"cego-{subgame}", **({"restrict": "off"} | options)), deal=filled(*piles))
    for card in cards.split():
        p.push(card)
    return p


def finish(p: Position) -> Position:
    """Play on with the first legal card of everyone."""
    while not p.is_over:
        p.push(p.legal_actions()[0])
    return p


def test_deck_and_values() -> None:
    """1.1, 1.5, 1.6"""
    assert len(TAROCK.names) == 54 and [int(suit).bit_count() for suit in SUITS] == [8, 8, 8, 8, 22]
    assert HALVES.sum() == 158
    numbers = {"7c": 0, "Kc": 7, "4h": 16, "1h": 19, "1t": 32, "21t": 52, "Gt": 53}
    assert {card: TAROCK.card(card) for card in numbers} == numbers
    worth = {"Gt": 4.5, "21t": 4.5, "1t": 4.5, "Kd": 4.5, "Qh": 3.5, "Rs": 2.5, "Jc": 1.5, "10s": 0.5, "20t": 0.5}
    assert {card: HALVES[TAROCK.card(card)] / 2 for card in worth} == worth


@pytest.mark.parametrize(
    ("trick", "winner"),
    [
        ("4h 1h 2h 3h", 1),  # 1.3: the red 1 is the best empty
        ("7c 8c 10c 9c", 2),
        ("Kc 1t 7c 8c", 1),  # 2.4: the lowest trump beats a king
        ("Kc 21t Gt 8c", 2),  # the Gstiess beats the Mond
        ("7c Ks Kh 8c", 3),  # other suits cannot win
        ("5t 6t 4t 3t", 1),
    ],
)
def test_trick_winner(trick: str, winner: int) -> None:
    """1.2, 1.3, 2.4, 2.5"""
    cards = trick.split()
    p = Position(make("cego-raeuber"), deal=allowing(cards))
    for card in cards:
        p.push(card)
    assert p.turn == winner


def allowing(cards: list[str]) -> str:
    """A deal in which the four cards may be played in this order: who does not follow suit cannot."""
    piles = [[card] for card in cards]
    rest = [card for card in TAROCK.names if card not in cards]
    for pile in piles[1:]:
        if pile[0][-1] != cards[0][-1]:
            pile += [card for card in rest if card[-1] not in (cards[0][-1], "t")][:10]
            rest = [card for card in rest if card not in pile]
    for pile in piles:
        while len(pile) < 11:
            pile.append(rest.pop())
    return " | ".join(" ".join(pile) for pile in [*piles, rest])


def test_suit_must_be_followed() -> None:
    """2.2"""
    p = table("raeuber", "7c", "8c Kc Gt 4h", cards="7c")
    assert set(p.legal()) >= {"8c", "Kc"}
    assert all(card.endswith("c") for card in p.legal())
    with pytest.raises(IllegalMove, match="Gt is illegal for seat 1: clubs were led and it holds"):
        p.push("Gt")


def test_void_seat_must_trump_but_need_not_overtrump() -> None:
    """2.2, 2.3"""
    spades = "7s 8s 9s 10s Js Rs Qs Ks"
    p = table("raeuber", "7c", f"{spades} 20t 21t Gt", "1t 2t 3t 4h 3h 2h 1h Jh Rh Qh Kh", cards="7c")
    assert p.legal() == ["20t", "21t", "Gt"]
    with pytest.raises(IllegalMove, match="has no clubs and must trump with Gt 21t 20t"):
        p.push("7s")
    p.push("21t")
    assert p.legal() == ["1t", "2t", "3t"]


def test_without_suit_and_trump_anything_goes() -> None:
    """2.2"""
    p = table("raeuber", "7c", "7s 8s 9s 10s Js Rs Qs Ks 4h 3h 2h", cards="7c")
    assert len(p.legal()) == 11


def test_trumps_are_a_suit() -> None:
    """2.2: a trump led must be followed by any trump."""
    p = table("raeuber", "Gt", "1t 5t 4h", cards="Gt")
    assert all(card.endswith("t") for card in p.legal()) and len(p.legal()) >= 2


def test_seat_0_leads_every_subgame() -> None:
    """3.8, 4.1"""
    for subgame in ("standard", "solo", "bettel", "piccolo", "raeuber"):
        assert table(subgame).turn == 0
    assert table("ultimo", "1t").turn == 0


def test_solo_counts_the_blind_for_seat_0() -> None:
    """3.1, 4.6, 4.7"""
    p = finish(table("solo", "Gt 21t 20t 19t 18t 17t 16t 15t 14t 13t 12t", "", "", "", "Kc Ks Kh Kd"))
    mine, *theirs = p.returns()
    assert theirs == [79 - mine] * 3
    tricks = p.state[POINTS] / 2
    blind = sum(HALVES[card] for card in range(54) if p.state[ASIDE] >> card & 1) / 2
    assert mine == tricks + blind and p.won(0) == (mine >= 40)


def test_ultimo_won_with_the_geiss_in_the_last_trick() -> None:
    """3.2"""
    p = table("ultimo", "1t 12t 13t 14t 15t 16t 17t 18t 19t 20t 21t", "", "", "", "Gt 2t 3t 4t 5t 6t 7t 8t 9t 10t")
    while not p.is_over:
        p.push(p.legal()[-1] if p.turn == 0 else p.legal()[0])
    assert p.won(0) and not p.won(1) and p.returns() == [1.0, 0.0, 0.0, 0.0]


def test_ultimo_is_lost_when_another_trump_falls_in_the_last_trick() -> None:
    """3.2"""
    seen = set()
    for number in range(2000):
        if seen == {True, False}:
            break
        p = Position(make("cego-ultimo"), seed=4, number=number)
        while not p.is_over:  # everyone keeps what the last trick is about
            own = [card for card in p.legal() if card != "1t"] or ["1t"]
            p.push(own[-1] if p.turn == 0 else own[0])
        last = [TAROCK.names[card] for card in p.actions[40:]]
        if "1t" in last and len(last) == 4:
            beaten = any(card.endswith("t") and card != "1t" for card in last)
            assert p.won(0) != beaten
            seen.add(beaten)
    assert seen == {True, False}


def test_ultimo_ends_when_the_geiss_shows_up_early() -> None:
    """3.2: the trick need not be completed."""
    p = table("ultimo", "1t", cards="1t")
    assert p.turn == OVER and p.returns() == [0.0, 1.0, 1.0, 1.0]
    assert p.state[POINTS : POINTS + 4].sum() == 0


def test_ultimo_trick_completed_by_the_geiss_is_taken() -> None:
    """3.2"""
    deal = filled("1t Kc Ks Qs", "7c 8c 7s", "9c 10c Gt 8s", "Jc Rc Qc 9s")
    p = Position(make("cego-ultimo", restrict="off"), deal=deal)
    p.push("Ks")
    for card in ("7s", "8s", "9s"):
        p.push(card)
    assert p.turn == 0


def test_bettel_ends_with_the_first_trick_of_seat_0() -> None:
    """3.3"""
    p = table("bettel", "Kc", "7c", "8c", "9c", cards="Kc 7c 8c 9c")
    assert p.turn == OVER and p.returns() == [0.0, 1.0, 1.0, 1.0]
    p = table("bettel", "7c", "8c", "9c", "10c", cards="7c 8c 9c 10c")
    assert p.turn == 3


def test_piccolo_ends_with_the_second_trick_of_seat_0() -> None:
    """3.4"""
    p = table("piccolo", "Kc Ks", "7c 7s", "8c 8s", "9c 9s", cards="Kc 7c 8c 9c")
    assert p.turn == 0
    for card in ["Ks", "7s", "8s", "9s"]:
        p.push(card)
    assert p.turn == OVER and p.returns() == [0.0, 1.0, 1.0, 1.0]


def test_piccolo_without_a_trick_is_lost() -> None:
    """3.4"""
    lows = "7c 8c 9c 7s 8s 9s 4h 3h 2h 4d 3d"
    p = table("piccolo", lows, "10c Jc Rc Qc Kc 10s Js Rs Qs Ks 1h", "", "", cards="7c")
    while not p.is_over:
        p.push(p.legal()[0] if p.turn == 0 else p.legal()[-1])
    assert not p.won(0) and p.won(1)


def tied_raeuber(tie: str) -> Position:
    """Seats 1 and 2 take the same points; the blind holds the rest of the good cards."""
    p = table("raeuber", raeuber_tie=tie)
    while not p.is_over:
        p.push(p.legal_actions()[0])
    p.state[POINTS : POINTS + 4] = (20, 40, 40, 10)
    return p


def test_raeuber_tie() -> None:
    """3.5, 3.6"""
    assert tied_raeuber("first").returns() == [1.0, 0.0, 1.0, 1.0]
    assert tied_raeuber("all").returns() == [1.0, 0.0, 0.0, 1.0]


def test_standard_exchange() -> None:
    """4.2: two best of the hand, nine best of the blind, equal places by card number."""
    hand = "Gt 2t Kc Ks 7c 8c 9c 10c 7s 8s 9s"
    blind = "4h 4d 1t 3t Kh Kd Qh Qd 21t 20t"
    p = table("standard", hand, "", "", "", blind)
    playing = {TAROCK.names[card] for card in range(54) if p.state[HAND] >> card & 1}
    legage = {TAROCK.names[card] for card in range(54) if p.state[ASIDE] >> card & 1}
    assert playing == {"Gt", "2t", "4d", "1t", "3t", "Kh", "Kd", "Qh", "Qd", "21t", "20t"}
    assert legage == {*["Kc", "Ks", "7c", "8c", "9c", "10c", "7s", "8s", "9s"], "4h"}
    assert (
        p.game.words.deal_text(p.state) == p.deal_text
        and p.view(0).state[ASIDE] == p.state[ASIDE]
        and p.view(1).state[ASIDE] == 0
    )


def test_standard_exchange_of_a_hand_without_trumps() -> None:
    """4.2: of equal kings the one with the higher card number is better."""
    hand = "Kc Ks Kh Qd Jc Js Jh Jd 7c 8c 9c"
    p = table("standard", hand, "", "", "", LOWEST_TRUMPS.rsplit(" ", 1)[0])
    kept = {TAROCK.names[card] for card in range(54) if p.state[HAND] >> card & 1} - set(LOWEST_TRUMPS.split())
    assert kept == {"Ks", "Kh"}
    assert TAROCK.names.index("1t") in [card for card in range(54) if p.state[ASIDE] >> card & 1]


def test_points_are_refused_where_nobody_counts_them() -> None:
    """4.6"""
    with pytest.raises(BadOption, match="reward=points is not possible in bettel"):
        make("cego-bettel", reward="points")
    assert finish(table("solo", reward="sign")).returns()[0] in (1.0, -1.0)
    assert sorted(finish(table("bettel", reward="sign")).returns())[0] == -1.0


@pytest.mark.parametrize(
    ("subgame", "hand", "reason"),
    [
        ("standard", "7c 8c 9c 10c 7s 8s 9s 10s 4h 3h 2h", "worth 5.5 points and restrict=on asks for 15"),
        ("solo", "7c 8c 9c 10c 7s 8s 9s 10s 4h 3h 2h", "asks for 8 trumps, or 7 .* it has 0 trumps"),
        ("ultimo", "2t 3t 4t 5t 6t 7t 8t 20t 21t Gt 7c", "it must hold 1t"),
        ("ultimo", "1t 3t 4t 5t 6t 7t 8t 9t 10t Gt 7c", "it has 10 trumps, 1 of them 17t or above"),
        ("bettel", "7c 8c 9c 10c 7s 8s 9s 10s 4h 3h Kh", "asks for 11 low cards, and Kh are high"),
        ("piccolo", "7c 8c 9c 10c 7s 8s 9s 10s 4h 3h 2h", "exactly one high card, not 0"),
    ],
)
def test_impossible_restrictions_are_refused(subgame: str, hand: str, reason: str) -> None:
    """4.3, 4.5"""
    with pytest.raises(BadRecord, match=reason):
        Position(make(f"cego-{subgame}"), deal=filled(hand))


def test_restriction_of_ultimo_without_geiss_holds_even_when_off() -> None:
    """4.5"""
    with pytest.raises(BadRecord, match="it must hold 1t"):
        table("ultimo", "2t", "1t")


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("7c ", "8c ", "8c is named twice"),
        (" | 9c", " | 7c 9c", "7c is dealt twice, to seat 0 and to seat 1"),
        ("7c ", "", "seat 0 has 10 cards instead of 11; nobody has 7c"),
        ("7c ", "12c ", "'12c' is no card"),
        (" | ", " ", "this one has 1 parts"),
    ],
)
def test_broken_deals_are_refused(old: str, new: str, reason: str) -> None:
    deal = filled("7c 8c", "9c")
    with pytest.raises(BadRecord, match=reason):
        Position(make("cego-raeuber"), deal=deal.replace(old, new))


def test_observation_counts_at_the_first_moves() -> None:
    """5.2: cards that others may hold."""
    for subgame, wanted in (("standard", [33, 42, 41, 40]), ("solo", [43, 42, 41, 40])):
        p = Position(make(f"cego-{subgame}"), seed=8)
        for others in wanted:
            seen = p.view(p.turn).observe("paper")
            assert len(seen) == 336 and seen[54:108].sum() == others
            p.push(p.legal_actions()[0])
        p = finish(p)
        assert p.view(0).observe("paper")[54:108].sum() == (0 if subgame == "standard" else 10)
        assert p.view(2).observe("paper")[54:108].sum() == 10


def test_people_can_read_the_table() -> None:
    p = table("solo", "Gt 21t 7c", "8c Kc", cards="7c Kc")
    text = str(p.view(2))
    assert "Solo: seat 0 needs 40 of 79 points" in text and "seat 1: Kc*" in text and "?? x 10" in text
    assert "Gt" not in text and "Gt 21t" in str(p)


def test_cards_may_be_said_in_other_ways() -> None:
    p = table("raeuber", "Gt 10c 21t 1t")
    assert p.read("gstiess") == 53 and p.read("10C") == 3 and p.read("Tc") == 3 and p.read("mond") == 52
    with pytest.raises(IllegalMove, match="it does not hold"):
        p.push("Kd")
