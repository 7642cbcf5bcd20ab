"""What the trick-taking kit promises of every game that is declared on it."""

from collections.abc import Iterator
from importlib import import_module

import numpy as np
import pytest

from kibitz.core.errors import BadOption, BadRecord, IllegalMove
from kibitz.core.game import OVER, make
from kibitz.core.jit import PLAIN
from kibitz.core.position import Position
from kibitz.games.decks import FRENCH, Deck, mask_of, suited
from kibitz.games.tricks import layout as at
from kibitz.games.tricks.kit import TrickGame
from kibitz.games.tricks.tables import Contract, tables

NAMES = ("hearts", "euchre", "belote")
GAMES = [("hearts", {}), ("euchre", {}), ("belote", {}), ("belote", {"undertrump": "off"})]
NUMBER = 4 if PLAIN else 40


def kit_of(name: str) -> TrickGame:
    found: TrickGame = import_module(f"kibitz.games.{name}").GAME
    return found


def positions(
    name: str, options: dict[str, str] | None = None, seed: int = 1, games: int = NUMBER
) -> Iterator[Position]:
    """Every position of some random games; the one that is given out is pushed on when the next is asked for."""
    game, luck = make(name, **(options or {})), np.random.default_rng(seed)
    for number in range(games):
        p = Position(game, seed, number)
        while not p.is_over:
            yield p
            p.push(int(luck.choice(p.legal_actions())))


def playing(name: str, options: dict[str, str] | None = None, seed: int = 1) -> Iterator[Position]:
    return (p for p in positions(name, options, seed) if p.state[at.PHASE] == at.PLAYING)


def ladder(kit: TrickGame, p: Position) -> list[tuple[int, int]]:
    """The rungs of the duty of the seat to play, as (if, allow)."""
    s, rules = p.state, kit.rules
    led = int(s[at.TABLE]) if s[at.COUNT] else at.NOTHING
    is_ours = bool(s[at.COUNT]) and rules.side(s, int(s[at.BEST_SEAT])) == rules.side(s, p.turn)
    rungs = [rules.duty(s, led, int(s[at.BEST]), is_ours, k) for k in range(kit.rungs)]
    return [(int(wanted), int(allowed)) for wanted, allowed in rungs]


def allowed_by(rungs: list[tuple[int, int]], hand: int) -> int:
    for wanted, allowed in rungs:
        if hand & wanted:
            return hand & allowed
    return hand


def absent_by(rungs: list[tuple[int, int]], card: int) -> int:
    found = 0
    for wanted, allowed in rungs:
        if allowed >> card & 1:
            break
        found |= wanted
    return found


# ---- duties -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_legal_cards_are_the_duty_read_from_its_first_rung_on(name: str, options: dict[str, str]) -> None:
    kit = kit_of(name)
    for p in playing(name, options):
        cards = allowed_by(ladder(kit, p), int(p.state[at.HAND + p.turn]))
        assert mask_of(action - kit.first_card for action in p.legal_actions()) == cards, p


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_a_card_shows_absent_what_the_rungs_above_it_ask_for(name: str, options: dict[str, str]) -> None:
    kit, luck, shown = kit_of(name), np.random.default_rng(2), 0
    for p in playing(name, options):
        s, seat = p.state.copy(), p.turn
        card = int(luck.choice(p.legal_actions()))
        before, wanted = int(s[at.LACKS + seat]), absent_by(ladder(kit, p), card - kit.first_card)
        p.game.step(s, card)
        assert int(s[at.LACKS + seat]) == before | wanted, p
        shown += wanted != 0
    assert shown > NUMBER


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_nobody_holds_a_card_that_he_has_shown_not_to_hold(name: str, options: dict[str, str]) -> None:
    for p in playing(name, options):
        for seat in range(4):
            assert int(p.state[at.LACKS + seat]) & int(p.state[at.HAND + seat]) == 0, p


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_no_rung_allows_less_than_it_asks_for(name: str, options: dict[str, str]) -> None:
    for p in playing(name, options):
        for wanted, allowed in ladder(kit_of(name), p):
            assert not wanted & ~allowed


@pytest.mark.parametrize("name", NAMES)
def test_every_card_is_in_one_place(name: str) -> None:
    kit = kit_of(name)
    for p in positions(name):
        s = p.state
        piles = [int(s[slot]) for first in (at.HAND, at.PLAYED) for slot in range(first, first + 4)]
        piles += [int(s[at.DEAD]), int(s[at.ASIDE])]
        assert sum(piles) == (1 << len(kit.deck.names)) - 1 and sum(n.bit_count() for n in piles) == len(kit.deck.names)


@pytest.mark.parametrize("name", NAMES)
def test_tricks_and_points_are_all_given_out(name: str) -> None:
    kit, game, luck = kit_of(name), make(name), np.random.default_rng(3)
    for number in range(NUMBER):
        p = Position(game, 3, number)
        while not p.is_over:
            p.push(int(luck.choice([a for a in p.legal_actions() if p.word(a) != "pass"] or p.legal_actions())))
        s = p.state
        assert sum(s[at.TRICKS : at.TRICKS + 4]) == kit.each
        worth = kit.tables.worth[int(s[at.CONTRACT])]
        played = sum(int(s[at.PLAYED + seat]) for seat in range(4))
        points = sum(int(worth[card]) for card in range(len(worth)) if played >> card & 1)
        assert sum(s[at.POINTS : at.POINTS + 4]) - points in ((10, 100) if name == "belote" else (0,))


# ---- tables -----------------------------------------------------------------------------------------------------


def test_bowers_are_the_highest_trumps() -> None:
    kit = kit_of("euchre")
    made, row, deck = kit.tables, "cdhs".index("h"), kit.deck
    trumps = [deck.card(word) for word in ("9h", "Th", "Qh", "Kh", "Ah", "Jd", "Jh")]  # weakest first
    assert made.trumps[row] == made.masks[row, 4] == mask_of(trumps)
    assert [int(made.strength[row, card]) for card in trumps] == list(range(7))
    assert {int(made.classes[row, card]) for card in trumps} == {4}
    assert made.masks[row, "cdhs".index("h")] == 0
    assert made.masks[row, "cdhs".index("d")] == mask_of(deck.cards("9d Td Qd Kd Ad"))
    assert made.above[row, deck.card("Jh")] == 0
    assert made.above[row, deck.card("Ah")] == mask_of(deck.cards("Jd Jh"))
    assert made.beaten_by[row, deck.card("Kd")] == mask_of([*trumps, deck.card("Ad")])
    assert made.beaten_by[row, deck.card("Jd")] == 1 << deck.card("Jh")


def test_a_trump_order_and_its_points_hold_for_trumps_alone() -> None:
    kit = kit_of("belote")
    made, row, deck = kit.tables, "shdc".index("d"), kit.deck
    trumps = [deck.card(rank + "d") for rank in "78QKTA9J"]
    plain = [deck.card(rank + "s") for rank in "789JQKTA"]
    for cards in (trumps, plain):
        assert [int(made.strength[row, card]) for card in cards] == list(range(8))
        assert [int(made.above[row, card]).bit_count() for card in cards] == list(range(7, -1, -1))
    assert [int(made.worth[row, card]) for card in trumps] == [0, 0, 3, 4, 10, 11, 14, 20]
    assert [int(made.worth[row, card]) for card in plain] == [0, 0, 0, 2, 3, 4, 10, 11]
    assert made.beaten_by[row, deck.card("As")] == mask_of(trumps)
    assert made.worth[row].sum() == 152


def test_points_are_told_by_card_before_suit_before_rank() -> None:
    made = tables(FRENCH, "cdhs", [Contract(points={"Qs": 13, "h": 1, "Q": 5})])
    worth = {name: int(made.worth[0, card]) for card, name in enumerate(FRENCH.names)}
    assert (worth["Qs"], worth["Qh"], worth["2h"], worth["Qc"], worth["Ks"]) == (13, 1, 1, 5, 0)
    assert made.trumps.tolist() == [0] and made.beaten_by[0, FRENCH.card("As")] == 0


def test_ranks_of_two_letters_are_told_apart_by_spaces() -> None:
    deck = Deck(suited("ab", ("9", "10", "B")))
    made = tables(deck, "ab", [Contract(order="9 B 10")])
    assert made.above[0].tolist() == [0b110, 0, 0b010, 0b110000, 0, 0b010000]


@pytest.mark.parametrize(
    "contract", [Contract(order="23456789TJQK"), Contract(trumps="h", trump_order="AKQJ"), Contract(order="2 3 4")]
)
def test_a_rank_without_a_place_is_refused(contract: Contract) -> None:
    with pytest.raises(BadOption, match="has no place in the order"):
        tables(FRENCH, "cdhs", [contract])


# ---- text -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_a_deal_is_read_back_from_its_text(name: str) -> None:
    for number in range(NUMBER):
        p = Position(make(name), 4, number)
        again = Position(make(name), deal=p.deal_text)
        assert np.array_equal(p.state, again.state) and again.deal_text == p.deal_text


@pytest.mark.parametrize("name", NAMES)
def test_a_deal_is_told_from_any_later_state(name: str) -> None:
    p, luck = Position(make(name), 4, 1), np.random.default_rng(4)
    moves: list[int] = []
    while not p.is_over:
        again = Position(make(name), deal=p.game.words.deal_text(p.state))
        for move in moves:
            again.push(move)
        assert again.legal() == p.legal() and str(again) == str(p)
        move = int(luck.choice([a for a in p.legal_actions() if p.word(a) != "pass"] or p.legal_actions()))
        moves.append(move)
        p.push(move)


@pytest.mark.parametrize("name", NAMES)
def test_wrong_deals_are_refused_with_a_reason(name: str) -> None:
    game = make(name)
    text = Position(game, 5).deal_text
    cards, _, start = text.partition(" ; ")
    hands = [pile.split() for pile in cards.split(" | ")]
    size = len(hands[0])

    def refused(piles: list[list[str]], reason: str, ending: str = start) -> None:
        deal = " | ".join(" ".join(pile) for pile in piles) + f" ; {ending}"
        with pytest.raises(BadRecord, match=reason):
            Position(game, deal=deal)

    refused([[hands[1][0], *hands[0][1:]], *hands[1:]], f"{hands[1][0]} is dealt twice, to seat 0 and to seat 1")
    refused([[hands[0][1], *hands[0][1:]], *hands[1:]], f"{hands[0][1]} is named twice")
    refused([hands[0][1:], *hands[1:]], f"seat 0 has {size - 1} cards instead of {size}; nobody has {hands[0][0]}")
    refused(hands[1:], f"a deal is {len(hands)} piles of cards separated by |")
    refused([["1x", *hands[0][1:]], *hands[1:]], "'1x' is no card of this deck")
    refused(hands, "a deal ends with one of", "seat 7 deals")
    refused(hands, "a deal ends with one of", "")


@pytest.mark.parametrize("name", NAMES)
def test_an_illegal_card_gets_a_sentence(name: str) -> None:
    reasons = set()
    for p in positions(name, games=4):
        forbidden = [action for action in range(p.game.ACTIONS) if action not in p.legal_actions()]
        for action in forbidden[:: 1 if p.state[at.PHASE] == at.PLAYING else 7]:
            with pytest.raises(IllegalMove, match=rf"is illegal for seat {p.turn}: \w") as told:
                p.push(action)
            reasons.add(str(told.value).split(": ", 1)[1].split(" ")[1])
        hand = {action for action in forbidden if int(p.state[at.HAND + p.turn]) >> action & 1}
        if p.state[at.PHASE] == at.PLAYING and hand:
            reason = p.game.words.why_not(p.state, min(hand))
            legal = p.game.words.cards_text(p.state, mask_of(p.legal_actions()))
            assert reason.startswith("it holds ") and reason.endswith(f" and may play {legal}")
    assert {"holds", "does"} <= reasons


def test_why_not_says_what_kind_of_move_is_due() -> None:
    p = Position(make("belote"), 6)
    assert p.game.words.why_not(p.state, 0) == "no card is to be played now"
    p.push(next(word for word in p.legal() if word != "pass"))
    assert p.game.words.why_not(p.state, 32) == "a card is to be played now"


def test_cards_are_read_however_they_are_typed() -> None:
    p = Position(make("belote"), 6)
    spell = p.game.words.spell
    assert (spell("10H"), spell("as"), spell(" Pass "), spell("nonsense")) == ("Th", "As", "pass", "nonsense")


# ---- what is hidden ---------------------------------------------------------------------------------------------


def told(p: Position, move: int) -> list[str]:
    """What each seat is told of a move, which is made."""
    mover, before = p.turn, [p.view(seat).state for seat in range(4)]
    p.push(move)
    return [p.game.words.told(before[seat], p.view(seat).state, seat, mover, "en") for seat in range(4)]


def test_passed_cards_are_told_to_the_giver_alone() -> None:
    p = Position(make("hearts", passing="left"), 7)
    while p.state[at.PHASE] == at.PASSING:
        mover, move = p.turn, p.legal_actions()[0]
        word = p.word(move)
        if p.state[at.MOVES] == 11:  # the last one: then cards change hands
            break
        for seat, text in enumerate(told(p, move)):
            assert text == (f"passes on {word}" if seat == mover else "chooses a card")


def test_who_receives_a_passed_card_sees_it_when_all_are_passed() -> None:
    p = Position(make("hearts", passing="left"), 7)
    while p.state[at.PHASE] == at.PASSING:
        p.push(p.legal_actions()[0])
    log = p.game.parts["rules"].LOG
    for seat in range(4):
        view = p.view(seat).state
        for giver in range(4):
            knows = giver == seat or (giver + 1) % 4 == seat
            moves = [int(move) for move in view[log + 3 * giver : log + 3 * giver + 3]]
            assert (moves == p.actions[3 * giver : 3 * giver + 3]) if knows else moves == [at.HIDDEN] * 3
            assert int(view[at.GIVEN + giver]) == (int(p.state[at.GIVEN + giver]) if knows else 0)
        given = int(p.state[at.GIVEN + seat])
        after = (seat + 1) % 4
        first = 1 * (p.turn == after)  # the two of clubs is known to be led
        assert int(view[at.HAND + after]) == given | first


def test_the_card_laid_away_is_told_to_the_dealer_alone() -> None:
    found = 0
    for number in range(10):
        p = Position(make("euchre"), 8, number)
        dealer = int(p.state[at.DEALER])
        p.push(next(word for word in p.legal() if word != "pass"))
        assert p.state[at.PHASE] == at.LAYING and p.turn == dealer
        move = p.legal_actions()[number % 5]
        word = p.word(move)
        for seat, text in enumerate(told(p, move)):
            assert text == (f"lays away {word}" if seat == dealer else "chooses a card")
            assert int(p.view(seat).state[at.LAID]) == (1 << move if seat == dealer else 0)
            assert (f"{'lies aside':<23} {word}  ?? x 3" in str(p.view(seat))) == (seat == dealer)
            found += 1
    assert found == 40


def test_played_cards_are_told_to_everybody() -> None:
    p = Position(make("belote"), 9)
    call = p.legal()[1]
    assert set(told(p, p.read(call))) == {call}
    card = p.legal()[0]
    assert set(told(p, p.read(card))) == {card}


def test_nobody_sees_the_stock_of_belote_nor_what_others_were_dealt_first() -> None:
    p = Position(make("belote"), 10)
    kit = kit_of("belote")
    stock, first = kit.bound["STOCK"], kit.bound["FIRST"]
    for _ in range(2):
        for seat in range(4):
            view = p.view(seat).state
            assert (view[stock : stock + 11] == at.NOTHING).all()
            assert [int(view[first + k]) != 0 for k in range(4)] == [k == seat for k in range(4)]
            assert int(view[first + seat]) == int(p.state[first + seat])
        p.push(next(word for word in p.legal() if word != "pass"))


@pytest.mark.parametrize("name", NAMES)
def test_information_sets_tell_apart_how_a_deal_began(name: str) -> None:
    game, kit = make(name), kit_of(name)
    cards = Position(game, 12).deal_text.partition(" ; ")[0]
    starts = kit.starts or [f"seat {seat} deals" for seat in range(4)]
    begun = [Position(game, deal=f"{cards} ; {start}") for start in starts]
    for seat in range(4):
        assert len({p.view(seat).infoset() for p in begun}) == len(starts) == 4


def test_whoever_sits_out_is_never_to_move() -> None:
    seen = 0
    for p in positions("euchre", seed=11):
        if p.state[at.OUT] >= 0:
            seen += 1
            assert p.turn not in (int(p.state[at.OUT]), OVER) and p.state[at.COUNT] < 3
            assert p.state[at.OUT] == (p.state[at.DECLARER] + 2) % 4
    assert seen
