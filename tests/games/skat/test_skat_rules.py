"""Skat: one test per numbered rule of RULES.md, with the deals written out."""

from __future__ import annotations

import pytest

from kibitz.core.errors import BadOption, BadRecord, IllegalMove
from kibitz.core.game import make
from kibitz.core.position import Position
from kibitz.core.sheet import Sheet
from kibitz.games.skat.cards import ANNOUNCED, BEATEN_BY, BIDS, CLASS, DECK, DECLARATIONS, TOPS, WORTH
from kibitz.games.skat.state import ACTIONS, ASIDE, DECLARER, HAND, HIGH, POINTS, SCORE, SUCCESS, TRICKS, WHO
from kibitz.games.skat.tallies import entry
from tests.games.skat.table import result, settled, table
from tests.naive.skat_values import BIDS as LISTED_BIDS

PLAIN_DEAL = "Js Jh 7c 8c 9c Kc Qc 7s 8s 9s | Jd 7h 8h 9h Qh Kh Th Ah 7d 8d | Jc Ac Tc As Ts Ks Qs Ad Td Kd | 9d Qd"
"""Rearhand has every ace but one, forehand many low clubs."""
STRONG = "Jc Js Jh Jd Ac Tc Kc Qc 9c 8c | 7s 8s 9s Qs Ks 7h 8h 9h Qh Kh | Ts As Th Ah 7d 8d 9d Qd Kd Td | 7c Ad"
"""Forehand has all the trumps but one of a club game, which lies in the skat."""


def names(cards: int) -> set[str]:
    return set(DECK.text(cards).split())


# 1. Cards


def test_cards_are_numbered_suit_by_suit() -> None:  # 1.1, 1.2
    assert [DECK.card(name) for name in ("7c", "Jc", "7s", "Jd")] == [0, 7, 8, 31]


def test_card_points_are_thirty_in_a_suit() -> None:  # 1.3
    assert [int(WORTH[DECK.card(rank + "h")]) for rank in "ATKQJ987"] == [11, 10, 4, 3, 2, 0, 0, 0]
    assert WORTH.sum() == 120 and WORTH[:8].sum() == 30


def test_a_suit_game_has_eleven_trumps() -> None:  # 1.4
    assert [DECK.names[card] for card in TOPS[2]] == ["Jc", "Js", "Jh", "Jd", "Ah", "Th", "Kh", "Qh", "9h", "8h", "7h"]


@pytest.mark.parametrize(
    ("kind", "led", "order"),
    [
        (4, 4, "Jc Js Jh Jd"),
        (4, 1, "As Ts Ks Qs 9s 8s 7s"),
        (5, 1, "As Ks Qs Js Ts 9s 8s 7s"),
        (0, 3, "Ad Td Kd Qd 9d 8d 7d"),
    ],
)
def test_order_within_a_class(kind: int, led: int, order: str) -> None:  # 1.4 to 1.6
    cards = DECK.cards(order)
    assert {int(CLASS[kind, card]) for card in cards} == {led}
    beaters = [int(BEATEN_BY[kind, card]) & sum(1 << other for other in cards) for card in cards]
    assert beaters == [sum(1 << better for better in cards[:place]) for place in range(len(cards))]


# 2. Deal


def test_ten_cards_each_and_two_in_the_skat() -> None:  # 2.1, 2.2
    for number in range(20):
        s = Position(make("skat"), 1, number).state
        piles = [int(s[HAND + seat]) for seat in range(3)] + [int(s[ASIDE])]
        assert [pile.bit_count() for pile in piles] == [10, 10, 10, 2]
        assert sum(piles) == 2**32 - 1


# 3. Auction


def test_bids_are_the_63_values_a_game_can_have() -> None:  # 3.1
    assert BIDS.tolist() == LISTED_BIDS and len(BIDS) == 63


def test_bids_rise_one_by_one_unless_jumps_are_on() -> None:  # 3.2
    assert table(PLAIN_DEAL).legal() == ["pass", "18"]
    assert table(PLAIN_DEAL, "18 hold").legal() == ["pass", "20"]
    legal = table(PLAIN_DEAL, "33 hold", jumps="on").legal()
    assert legal[:3] == ["pass", "35", "36"] and legal[-1] == "264"
    with pytest.raises(IllegalMove, match="numbers must not be left out; the next is 20"):
        table(PLAIN_DEAL, "18 hold 22")
    with pytest.raises(IllegalMove, match="20 was already named; the next number is 22"):
        table(PLAIN_DEAL, "18 hold 20 hold 18")


def test_middlehand_bids_and_forehand_answers() -> None:  # 3.3
    p = table(PLAIN_DEAL)
    seats = []
    for word in ["18", "hold", "20", "hold", "22"]:
        seats.append(p.turn)
        p.push(word)
    assert seats == [1, 0, 1, 0, 1] and p.legal() == ["hold", "pass"]


def test_after_264_a_bidder_can_only_pass() -> None:  # 3.4
    assert table(PLAIN_DEAL, "264 hold", jumps="on").legal() == ["pass"]


def test_rearhand_bids_against_the_survivor() -> None:  # 3.5
    assert table(PLAIN_DEAL, "18 pass").turn == 2
    p = table(PLAIN_DEAL, "18 pass 20")
    assert p.turn == 1
    p = table(PLAIN_DEAL, "18 hold pass 20")
    assert p.turn == 0


def test_forehand_may_play_at_18_when_both_passed() -> None:  # 3.6
    p = table(PLAIN_DEAL, "pass pass")
    assert p.turn == 0 and p.legal() == ["pass", "18"]
    p.push("18")
    assert (p.state[DECLARER], BIDS[p.state[HIGH]]) == (0, 18)


def test_the_survivor_is_declarer_at_the_last_number() -> None:  # 3.7
    for words, declarer, bid in (
        ("18 pass pass", 1, 18),
        ("18 hold 20 pass 22 pass", 2, 22),
        ("pass 18 hold pass", 0, 18),
    ):
        p = table(PLAIN_DEAL, words)
        assert (p.turn, p.state[DECLARER], BIDS[p.state[HIGH]]) == (declarer, declarer, bid)


def test_the_longest_auction_has_128_calls() -> None:  # 3.8
    p = table(PLAIN_DEAL)
    calls = 0
    while p.state[DECLARER] < 0:
        legal = p.legal()
        p.push("hold" if "hold" in legal else legal[-1])
        calls += 1
    assert calls == 128


# 4. Skat, discards, declaration


def test_pick_up_or_hand() -> None:  # 4.1, 4.2
    p = table(PLAIN_DEAL, "pass 18 pass")
    assert p.legal() == ["pickup", "hand"]
    p.push("pickup")
    assert int(p.state[HAND + 2]).bit_count() == 12
    p = table(PLAIN_DEAL, "pass 18 pass hand")
    assert int(p.state[HAND + 2]).bit_count() == 10


def test_discards_go_in_ascending_order() -> None:  # 4.3
    p = table(PLAIN_DEAL, "pass 18 pass pickup")
    assert len(p.legal()) == 11 and "Ad" not in p.legal()  # the highest number can only be the second
    p.push("Ks")
    assert set(p.legal()) == {"Ts", "As", "9d", "Qd", "Kd", "Td", "Ad"}
    with pytest.raises(IllegalMove, match="second card must have the higher number"):
        p.push("Qs")
    pairs = 0
    for first in table(PLAIN_DEAL, "pass 18 pass pickup").legal():
        pairs += len(table(PLAIN_DEAL, f"pass 18 pass pickup {first}").legal())
    assert pairs == 66


def test_seven_games_after_a_pick_up_and_22_from_the_hand() -> None:  # 4.5, 4.6
    after = table(PLAIN_DEAL, "pass 18 pass pickup 9d Qd").legal()
    assert after == ["C", "S", "H", "D", "G", "N", "NO"]
    by_hand = table(PLAIN_DEAL, "pass 18 pass hand").legal()
    assert len(by_hand) == 22 and {"CH", "CHS", "CHZ", "CO", "NH", "NOH"} <= set(by_hand)
    assert [int(ANNOUNCED[DECLARATIONS.index(word)]) for word in ("CH", "CHS", "CHZ", "CO", "NOH")] == [1, 3, 7, 15, 9]


@pytest.mark.parametrize(("bid", "words"), [(23, "N NO"), (24, "NO"), (46, "NO"), (48, "")])
def test_null_must_reach_the_bid(bid: int, words: str) -> None:  # 4.7
    p = table(PLAIN_DEAL, f"pass {bid} pass pickup 9d Qd", jumps="on")
    assert [word for word in p.legal() if word[0] == "N"] == words.split()


@pytest.mark.parametrize(("bid", "words"), [(35, "NH NOH"), (36, "NOH"), (59, "NOH"), (60, "")])
def test_null_hand_must_reach_the_bid(bid: int, words: str) -> None:  # 4.7
    p = table(PLAIN_DEAL, f"pass {bid} pass hand", jumps="on")
    assert [word for word in p.legal() if word[0] == "N"] == words.split()


def test_an_ouvert_hand_lies_open_before_the_first_card() -> None:  # 4.8
    p = table(PLAIN_DEAL, "pass 18 pass hand NOH")
    assert p.view(0).state[HAND + 2] == p.state[HAND + 2] != 0
    assert p.view(0).state[HAND + 1] == 0 == p.view(0).state[ASIDE]
    p = table(PLAIN_DEAL, "pass 18 pass hand NH")
    assert p.view(0).state[HAND + 2] == 0


# 5. Play


def test_forehand_leads_and_the_winner_leads_next() -> None:  # 5.1
    p = table(PLAIN_DEAL, "pass 18 pass hand SH")
    assert p.turn == 0
    for word in ("7s", "Jd", "As"):
        p.push(word)
    assert p.turn == 1 and p.state[TRICKS + 1] == 1 and p.state[POINTS + 1] == 13


def test_jacks_are_trumps_and_must_follow() -> None:  # 5.2
    p = table(PLAIN_DEAL, "pass 18 pass hand SH 7s")
    assert p.legal() == ["Jd"]  # middlehand has no spade but the jack of diamonds
    with pytest.raises(IllegalMove, match="7h is illegal for seat 1: trumps were led and it holds Jd"):
        p.push("7h")
    p = table(PLAIN_DEAL, "pass 18 pass hand NH 7s")
    assert "7h" in p.legal() and "Jd" in p.legal()  # in null a jack belongs to its suit


def test_who_cannot_follow_plays_anything() -> None:  # 5.3
    p = table(PLAIN_DEAL, "pass 18 pass hand GH 7c")
    assert len(p.legal()) == 10


def test_the_highest_trump_takes_the_trick() -> None:  # 5.4
    p = table(PLAIN_DEAL, "pass 18 pass hand GH 7c Jd Ac")
    assert p.turn == 1
    p = table(PLAIN_DEAL, "pass 18 pass hand GH 7c 7h Ac")
    assert p.turn == 2


# 6. Early end


def test_null_ends_with_the_declarers_first_trick() -> None:  # 6.1, 6.2
    p = table(PLAIN_DEAL, "pass 18 pass hand NH 7c 7h Ac")
    assert p.is_over and result(p)["score"] == -70
    assert not table(PLAIN_DEAL, "pass 18 pass hand NH 7c 7h Ac", early_end="off").is_over


def test_schwarz_announced_ends_with_the_defenders_first_trick() -> None:  # 6.3
    p = table(PLAIN_DEAL, "pass 18 pass hand GHZ 7c Jd Ac")
    assert p.is_over and not result(p)["won"]


def test_schneider_announced_ends_above_30_points() -> None:  # 6.4
    words = "pass 18 pass hand GHS 7c Jd Ac Ah As Js"  # 13 and 24 points, no trick for the declarer yet
    assert table(PLAIN_DEAL, words, announced_loss="iss").is_over
    p = table(PLAIN_DEAL, words)
    assert not p.is_over  # he could still become schwarz
    p = table(PLAIN_DEAL, words + " 8c 7d Tc")
    assert p.is_over and result(p)["tricks"] == 1


def test_counting_points_plays_on() -> None:  # 6.5
    assert not table(PLAIN_DEAL, "pass 18 pass hand GHZ 7c Jd Ac", payoff="points").is_over
    assert table(PLAIN_DEAL, "pass 18 pass hand NH 7c 7h Ac", payoff="points").is_over


# 7. Value

WITH_3 = "Jc Js Jh 7c 8c 9c 7s 8s 9s 7h 8h 9h"
WITH_2 = "Jc Js 7c 8c 9c Qc Kc 7s 8s 9s 7h 8h"
WITH_1 = "Jc Jh 7c 8c 9c Qc Kc 7s 8s 9s 7h 8h"
WITHOUT_1 = "Js Jh 7c 8c 9c Qc Kc 7s 8s 9s 7h 8h"


@pytest.mark.parametrize(
    ("declaration", "cards", "bid", "points", "tricks", "score"),
    [  # 7.10
        ("G", WITH_3, 18, 92, 8, 120),
        ("CH", WITH_2, 20, 56, 5, -96),
        ("D", WITHOUT_1, 36, 75, 7, -72),
        ("G", WITH_1, 18, 12, 1, -144),
        ("CHZ", WITH_3, 40, 120, 10, 108),
        ("GO", WITH_1, 18, 120, 10, 192),
        ("CO", WITH_1, 18, 13, 0, -192),
        ("D", WITH_1, 27, 90, 8, 27),
        ("D", WITH_1, 27, 89, 8, -54),
    ],
)
def test_checked_examples(
    declaration: str, cards: str, bid: int, points: int, tricks: int, score: int
) -> None:  # 7.2 to 7.10
    assert settled(declaration, cards, bid, points, tricks)["score"] == score


@pytest.mark.parametrize(
    ("kind", "cards", "matadors"),
    [
        ("C", "Jc Js Jh Jd Ac Tc Kc Qc 9c 8c 7c As", 11),
        ("C", "As Ts Ks Qs 9s 8s 7s Ah Th Kh Qh 9h", -11),
        ("G", "Jc Js Jh Jd Ac Tc Kc Qc 9c 8c 7c As", 4),
        ("G", "As Ts Ks Qs 9s 8s 7s Ah Th Kh Qh 9h", -4),
        ("H", "Jc Js Jh Jd Th Kh Qh 9h 8h 7h As Ts", 4),
        ("H", "Jd Ah Kh Qh 9h 8h 7h As Ts Ks Qs 9s", -3),
        ("N", "Jc Js Jh Jd Ac Tc Kc Qc 9c 8c 7c As", 0),
    ],
)
def test_matadors(kind: str, cards: str, matadors: int) -> None:  # 7.1
    assert settled(kind, cards, 18, 61, 5)["matadors"] == matadors


def test_a_hand_game_counts_matadors_in_the_skat() -> None:  # 4.4, 7.1: without 1 becomes with 2
    deal = "Js Jh Ac Tc Kc Qc 9c 8c 7c As | Jd 7s 8s 9s Qs Ks 7h 8h 9h Qh | Ts Kh Th Ah 7d 8d 9d Qd Kd Td | Jc Ad"
    words = "18 hold pass pass hand CH Js Jd 7d Jh 7s 8d Ac 8s 9d Tc 9s Qd Kc Qs Kd Qc 7h Td "
    words += "9c 8h Kh 8c 9h Th 7c Qh Ah As Ks Ts"
    p = table(deal, words)
    assert result(p)["matadors"] == 3 and result(p)["won"]
    assert result(p)["score"] == 12 * (3 + 1 + 1 + 1 + 1)  # with 3, game, hand, schneider and schwarz made


def test_without_matadors_run_into_the_skat() -> (
    None
):  # 7.1, 7.8: bid as without 2, the jack of spades lies in the skat
    deal = "Jh Jd Ac Tc Kc Qc 9c 8c 7c As | Jc 7s 8s 9s Qs Ks 7h 8h 9h Qh | Ts Kh Th Ah 7d 8d 9d Qd Kd Td | Js Ad"
    play = "Jh Jc 7d Ks Ts As Ac 7s 8d Tc 8s 9d Kc 9s Qd Qc Qs Kd 9c 7h Td 8c 8h Kh 7c 9h Th Jd Qh Ah"
    p = table(deal, f"48 hold pass pass hand CH {play}", jumps="on")
    assert result(p)["matadors"] == -1 and result(p)["points"] >= 90
    assert result(p)["score"] == 12 * (1 + 1 + 1 + 1)  # 36 would be overbid, the schneider saves it: 48
    p = table(deal, f"50 hold pass pass hand CH {play}", jumps="on")
    assert result(p)["overbid"] and result(p)["score"] == -120  # the next multiple of 12 is 60


@pytest.mark.parametrize(
    ("declaration", "points", "tricks", "isko", "iss"),
    [
        ("GHS", 89, 9, 8, 7),  # schneider announced and missed, with 4: the courts' example
        ("GHZ", 120, 9, 10, 8),
        ("GO", 30, 1, 11, 9),
        ("GHS", 20, 0, 9, 8),  # only schneider announced, and no trick: schwarz counts besides
    ],
)
def test_announced_and_lost(declaration: str, points: int, tricks: int, isko: int, iss: int) -> None:  # 7.3
    cards = "Jc Js Jh Jd 7c 8c 9c 7s 8s 9s 7h 8h"
    for reading, levels in (("isko", isko), ("iss", iss)):
        assert settled(declaration, cards, 18, points, tricks, reading)["score"] == -2 * 24 * levels


def test_null_values_are_fixed() -> None:  # 7.5
    cards = "7c 8c 9c 7s 8s 9s 7h 8h 9h 7d 8d 9d"
    assert [settled(word, cards, 18, 0, 0)["score"] for word in ("N", "NH", "NO", "NOH")] == [23, 35, 46, 59]
    assert [settled(word, cards, 18, 0, 1)["score"] for word in ("N", "NH", "NO", "NOH")] == [-46, -70, -92, -118]


@pytest.mark.parametrize(
    ("declaration", "points", "tricks", "won"),
    [
        ("C", 60, 5, 0),
        ("C", 61, 5, 1),
        ("CHS", 89, 9, 0),
        ("CHS", 90, 9, 1),
        ("CHZ", 120, 9, 0),
        ("CHZ", 120, 10, 1),
        ("CO", 120, 9, 0),
    ],
)
def test_what_it_takes_to_win(declaration: str, points: int, tricks: int, won: int) -> None:  # 7.6
    assert settled(declaration, WITH_1, 18, points, tricks)["won"] == won


def test_the_skat_counts_for_the_declarer() -> None:  # 4.4, 7.7: all trumps, and Ad laid away
    p = table(
        STRONG,
        "18 hold pass pass pickup 8c Ad C Jc 7s 7d Js 8s 8d Jh 9s 9d Jd Qs Qd Ac Ks Kd Tc 7h Td Kc 8h Ts "
        "Qc 9h As 9c Qh Th 7c Kh Ah",
    )
    assert result(p)["points"] == 120 and result(p)["tricks"] == 10
    assert result(p)["score"] == 12 * (11 + 1 + 1 + 1)  # with 11 (8c lies in the skat), game, schneider, schwarz


def test_null_ouvert_is_won_without_a_trick() -> None:  # 7.5, 7.6
    deal = "Qh Kh Qc Ts Jh Ah Jd Th 9d Jc | Td 7c 9s 7h Tc 7d 8d 7s 8c 9h | Ks 8s As Ac Kc 8h Kd 9c Qs Qd | Js Ad"
    auction = "18 hold 20 hold 22 hold 23 hold 24 pass pass pickup Js Ad NO"
    play = "9d 8d Qd 8h Th 9h Ts 9s 8s Jc Tc 9c Jd Td Kd Qs Jh 7s Kc Qc 8c Ks Qh 7h Ac Kh 7c As Ah 7d"
    assert result(table(deal, f"{auction} {play}"))["score"] == 46


# 8. Score sheet and series


def test_score_sheet_of_a_win_a_loss_and_a_pass() -> None:  # 8.1
    lost = table(PLAIN_DEAL, "pass 18 pass hand NH 7c 7h Ac").state
    assert [entry(lost, seat) for seat in range(3)] == [40, 40, -120]
    void = table(PLAIN_DEAL, "pass pass pass").state
    assert [entry(void, seat) for seat in range(3)] == [0, 0, 0]


def test_a_series_rotates_the_seats_and_adds_up() -> None:  # 8.2 to 8.4
    lost = table(PLAIN_DEAL, "pass 18 pass hand NH 7c 7h Ac")
    won = table(PLAIN_DEAL, "pass 18 pass hand NH 7c 7h Ac")
    won.state[[WHO, DECLARER, SCORE, SUCCESS]] = 0, 0, 48, 1
    series, seats = Sheet(lost.game), []
    for position in (lost, table(PLAIN_DEAL, "pass pass pass"), won):
        seats.append(series.seats())
        series.add(position, seats[-1])
    assert seats == [[0, 1, 2], [2, 0, 1], [1, 2, 0]]
    # rearhand of deal 0 and forehand of deal 2 are player 2
    assert series.totals == [40, 40, -70 - 50 + 48 + 50]
    series.lines += [[0, 0, 0]] * 32
    assert not series.is_over
    series.lines.append([0, 0, 0])
    assert series.is_over and len(series.lines) == 36


# 9. Passed in


def test_passed_in_is_void() -> None:  # 9.1
    p = table(PLAIN_DEAL, "pass pass pass")
    assert p.is_over and p.returns() == [0, 0, 0] and not any(p.won(seat) for seat in range(3))


RAMSCH_PLAY = "7c 7h Ac Tc 8c 8h As 7s 9h"


def test_ramsch_is_played_like_a_grand() -> None:  # 9.2 to 9.4
    p = table(PLAIN_DEAL, "pass pass pass", "skat-ramsch")
    assert p.turn == 0 and len(p.legal()) == 10
    p = table(PLAIN_DEAL, f"pass pass pass {RAMSCH_PLAY}", "skat-ramsch")
    assert p.state[POINTS + 2] == 32
    assert not p.is_over


def test_schieberamsch_passes_the_skat_on() -> None:  # 9.5
    p = table(PLAIN_DEAL, "pass pass pass", "skat-ramsch", schieberamsch="on")
    assert not {"Js", "Jh"} & set(p.legal()) and len(p.legal()) == 9
    with pytest.raises(IllegalMove, match="jacks are not passed on"):
        p.push("Js")
    for word in ("Qc", "Kc"):
        p.push(word)
    assert p.turn == 1 and {"Qc", "Kc"} <= names(int(p.state[HAND + 1]))
    for word in ("Th", "Ah", "Th", "Ah"):
        p.push(word)
    assert names(int(p.state[ASIDE])) == {"Th", "Ah"} and p.turn == 0


def settle_ramsch(
    tricks: list[int], points: list[int], latest: list[int], skat: str, **options: str
) -> tuple[int, int]:
    from kibitz.games.skat import scoring
    from kibitz.games.skat.state import LATEST, SCORE, WHO

    s = make("skat-ramsch", **options).blank()
    for seat in range(3):
        s[TRICKS + seat], s[POINTS + seat], s[LATEST + seat] = tricks[seat], points[seat], latest[seat]
    s[ASIDE] = sum(1 << card for card in DECK.cards(skat))
    scoring.settle_ramsch(s)
    return int(s[WHO]), int(s[SCORE])


def test_who_loses_a_ramsch_and_what() -> None:  # 9.6 to 9.8
    assert settle_ramsch([4, 3, 3], [40, 39, 30], [10, 9, 8], "Ah 7h") == (0, -51)  # the skat to the last trick
    assert settle_ramsch([4, 3, 3], [40, 30, 39], [8, 9, 10], "Ah 7h") == (2, -50)
    assert settle_ramsch([4, 3, 3], [40, 30, 39], [8, 9, 10], "Ah 7h", ramsch_skat="loser") == (0, -51)
    assert settle_ramsch([4, 3, 3], [40, 40, 40], [8, 10, 9], "7c 7h", ramsch_skat="loser") == (1, -40)  # latest trick
    assert settle_ramsch([6, 4, 0], [70, 50, 0], [10, 9, 0], "7c 7h") == (0, -140)
    assert settle_ramsch([6, 4, 0], [70, 50, 0], [10, 9, 0], "7c 7h", jungfrau="off") == (0, -70)


def test_durchmarsch() -> None:  # 9.9, 9.10
    assert settle_ramsch([0, 10, 0], [0, 109, 0], [0, 10, 0], "Ah 7h") == (1, 120)
    assert settle_ramsch([0, 10, 0], [0, 109, 0], [0, 10, 0], "Ah 7h", durchmarsch="off") == (1, -480)


# 10. Returns


@pytest.mark.parametrize(
    ("options", "declarer"),
    [({}, -200), ({"defender_share": 1}, -160), ({"payoff": "value"}, -70), ({"payoff": "points"}, -0.25)],
)
def test_returns_of_a_lost_null_hand(options: dict[str, str], declarer: float) -> None:  # 10.1 to 10.4
    p = table(PLAIN_DEAL, "pass 18 pass hand NH 7c 7h Ac", **options)
    assert p.returns() == [-declarer / 2, -declarer / 2, declarer]
    assert [p.won(seat) for seat in range(3)] == [True, True, False]  # 10.6


def test_returns_of_a_ramsch() -> None:  # 10.5, 10.6
    game = make("skat-ramsch")
    for number in range(200):
        p = Position(game, 4, number)
        for _ in range(3):
            p.push("pass")
        while not p.is_over:
            p.push(p.legal_actions()[0])
        returns = p.returns()
        assert abs(sum(returns)) < 1e-9
        assert [p.won(seat) for seat in range(3)] == [r > 0 for r in returns]


# 11. Options, presets, generated contracts


def test_a_generated_contract_starts_at_the_first_card() -> None:  # 11.3, 11.4
    for name, words in (("skat-suit", "CSHD"), ("skat-grand", "G"), ("skat-null", "N"), ("skat-points", "CSHDGN")):
        seen = set()
        for number in range(60):
            p = Position(make(name), 2, number)
            assert p.turn == 0 and not p.actions
            seen.add(p.deal_text.split(" | ")[4].split()[1])
        assert seen == set(words)


def test_generated_discards() -> None:  # 11.5, 11.6
    from kibitz.games.skat.contracts import longest_suit, planned_discards

    def discards(cards: str, kind: int) -> set[str]:
        return names(int(planned_discards(sum(1 << card for card in DECK.cards(cards)), kind)))

    hand = "Jc Js Ac Tc Kc 9c 8c As Ts Th Kd 7d"
    assert longest_suit(sum(1 << card for card in DECK.cards(hand))) == 0
    assert discards(hand, 0) == {"Th", "Kd"}
    assert discards(hand, 4) == {"Th", "Kd"}  # Kc has the same points, but clubs are longer
    assert discards("Ac Tc 7c 8c As 7s 8s 7h 8h 7d 8d 9d", 5) == {"Ac", "As"}


def test_a_contract_can_be_given() -> None:  # 11.3
    deal = f"{PLAIN_DEAL} | 2 S Kd Td 24"
    p = table(deal, name="skat-suit")
    assert p.state[DECLARER] == 2 and names(int(p.state[ASIDE])) == {"Kd", "Td"}
    assert p.deal_text.endswith("| 2 S Kd Td 24")
    p = table(f"{PLAIN_DEAL} | 2 SHS 40", name="skat-suit")
    assert names(int(p.state[ASIDE])) == {"9d", "Qd"}


@pytest.mark.parametrize(
    ("contract", "name", "message"),
    [
        ("2 G Kd Td 24", "skat-suit", "G does not belong to contract=suit"),
        ("2 N Kd Td 24", "skat-null", "N cannot be declared at 24: it is worth 23"),
        ("2 S Kd 7c 24", "skat-suit", "7c cannot be laid away: seat 2 has"),
        ("2 S 24", "skat-suit", "S goes with two discards, not 0"),
        ("2 X Kd Td 24", "skat-suit", "'X' is no declaration"),
        ("2 S Kd Td 19", "skat-suit", "'19' is no bid"),
        ("3 S Kd Td 18", "skat-suit", "should name seat, declaration"),
    ],
)
def test_bad_contracts_are_refused_with_the_reason(contract: str, name: str, message: str) -> None:
    with pytest.raises(BadRecord, match=message):
        table(f"{PLAIN_DEAL} | {contract}", name=name)


@pytest.mark.parametrize(
    ("deal", "message"),
    [
        ("7c | 8c | 9c", "a deal has three hands and the skat"),
        (PLAIN_DEAL.replace("9d Qd", "9d"), "the skat has 1 cards in the deal: 2 are right"),
        (PLAIN_DEAL.replace("9d Qd", "9d 7c"), "7c is named twice"),
        (PLAIN_DEAL.replace("9d Qd", "9d 1x"), "'1x' is no card"),
    ],
)
def test_bad_deals_are_refused_with_the_reason(deal: str, message: str) -> None:
    with pytest.raises(BadRecord, match=message):
        table(deal)


def test_impossible_options_are_refused() -> None:
    with pytest.raises(BadOption, match="set passed=ramsch as well"):
        make("skat", schieberamsch="on")
    with pytest.raises(BadOption, match="there is no auction to pass"):
        make("skat-suit", passed="ramsch")


@pytest.mark.parametrize(
    ("words", "bad", "message"),
    [
        ("", "hold", "it is to bid or pass"),
        ("18", "20", "it is to hold or pass"),
        ("pass 18 pass", "C", "it is to pickup the skat or play hand"),
        ("pass 18 pass hand", "C", "the skat was not picked up; it may declare CH"),
        ("pass 18 pass pickup 9d Qd", "CH", "the skat was picked up; it may declare C S"),
        ("pass 18 pass hand SH", "Jd", "it does not hold it, but"),
        ("pass 18 pass pickup", "Jd", "it does not hold it, but"),
    ],
)
def test_illegal_moves_are_refused_with_the_reason(words: str, bad: str, message: str) -> None:
    with pytest.raises(IllegalMove, match=message):
        table(PLAIN_DEAL, f"{words} {bad}")


def test_there_are_128_action_words_that_read_back() -> None:
    words = make("skat").words.ACTION_WORDS
    assert len(words) == len(set(words)) == ACTIONS == 128


def test_german_words() -> None:
    p = Position(make("skat"), deal=PLAIN_DEAL)
    for word in ("passe", "18", "passe", "Handspiel", "pik hand"):
        p.push(word)
    text = p.game.words.show(p.state, 0, "de")
    assert "Spiel: Pik Handspiel   Alleinspieler: Hinterhand   gereizt: 18" in text
    assert "Vorhand (du): " in text and "Hinterhand: ??" in text
    assert "forehand (you): Js Jh" in p.game.words.show(p.state, 0)
