"""Minimax over every line of play with open cards, slow and obvious: the judge of the solvers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from kibitz.games.skat import cards as skat_cards
from kibitz.games.skat import state as skat
from tests.naive.skat_values import card_points, led_class, trick_winner

Hands = tuple[frozenset[str], ...]


def minimax(
    hands: Hands,
    leader: int,
    table: tuple[str, ...],
    maximiser: Callable[[int], bool],
    follow: Callable[[frozenset[str], Sequence[str], int], Sequence[str]],
    take: Callable[[Sequence[str], int, bool], tuple[int, int, bool]],
) -> dict[str, int]:
    """The value of every legal card for the seat to play.

    `follow(hand, table, seat)` gives the legal cards; `take(cards, leader, is_last)` the winner, what the trick adds to
    the value, and whether the game ends with it.
    """
    n = len(hands)

    @cache
    def value(hands: Hands, leader: int, table: tuple[str, ...]) -> int:
        values = moves(hands, leader, table).values()
        seat = (leader + len(table)) % n
        return max(values) if maximiser(seat) else min(values)

    def moves(hands: Hands, leader: int, table: tuple[str, ...]) -> dict[str, int]:
        seat = (leader + len(table)) % n
        found = {}
        for card in follow(hands[seat], table, seat):
            rest = tuple(hand - {card} if k == seat else hand for k, hand in enumerate(hands))
            cards = (*table, card)
            if len(cards) < n:
                found[card] = value(rest, leader, cards)
                continue
            winner, gain, is_over = take(cards, leader, not any(rest))
            found[card] = gain + (0 if is_over or not any(rest) else value(rest, winner, ()))
        return found

    return moves(hands, leader, table)


def words(mask: int, names: Sequence[str]) -> frozenset[str]:
    """The cards of a mask by name."""
    return frozenset(names[card] for card in range(len(names)) if int(mask) >> card & 1)


def skat_value(s: Any) -> dict[int, int]:
    """What `solve` should say of a Skat state: card -> the declarer's points, or whether he is clean."""
    names = skat_cards.DECK.names
    kind = skat_cards.KINDS[s[skat.CONTRACT]]
    declarer = int(s[skat.DECLARER])
    hands = tuple(words(s[skat.HAND + seat], names) for seat in range(3))
    count = int(s[skat.COUNT])
    table = tuple(names[s[skat.TABLE + k]] for k in range(count))
    leader = int(s[skat.TURN] - count) % 3

    def follow(hand: frozenset[str], table: Sequence[str], seat: int) -> Sequence[str]:
        same = [card for card in hand if table and led_class(card, kind) == led_class(table[0], kind)]
        return same or sorted(hand)

    def take(cards: Sequence[str], leader: int, is_last: bool) -> tuple[int, int, bool]:
        winner = (leader + trick_winner(list(cards), kind)) % 3
        if kind == "N":
            return winner, -int(winner == declarer), winner == declarer
        return winner, card_points(cards) if winner == declarer else 0, False

    found = minimax(hands, leader, table, lambda seat: seat == declarer, follow, take)
    if kind == "N":
        base = 1
    else:
        base = int(s[skat.POINTS + declarer]) + card_points(words(s[skat.ASIDE], names))
    return {names.index(card): base + value for card, value in found.items()}


def coinche_value(s: Any) -> dict[int, int]:
    """What `solve` should say of a Coinche state: card -> the attack's points, 10 for the last trick."""
    from kibitz.games.coinche import layout as coinche
    from tests.naive.coinche import Game

    names = [rank + suit for suit in "shdc" for rank in "789JQKTA"]
    judge = Game([names[8 * k : 8 * k + 8] for k in range(4)], rules=("ffb", "picot")[s[coinche.RULES]])
    suit = "shdcnt"[s[coinche.CONTRACT]]
    judge.trump = lambda: suit  # type: ignore[method-assign]
    attack = int(s[coinche.BIDDER]) % 2
    hands = tuple(words(s[coinche.HAND + seat], names) for seat in range(4))
    count = int(s[coinche.COUNT])
    table = tuple(names[s[coinche.TABLE + k]] for k in range(count))
    leader = int(s[coinche.TURN] - count) % 4

    def played(cards: Sequence[str], leader: int) -> list[tuple[int, str]]:
        return [((leader + k) % 4, card) for k, card in enumerate(cards)]

    def follow(hand: frozenset[str], table: Sequence[str], seat: int) -> Sequence[str]:
        judge.hands[seat] = sorted(hand)
        judge.table = played(table, (seat - len(table)) % 4)
        return sorted(judge.legal_cards(seat))

    def take(cards: Sequence[str], leader: int, is_last: bool) -> tuple[int, int, bool]:
        winner = judge.best(played(cards, leader))[0]
        gain = sum(judge.points_of(card) for card in cards) + 10 * is_last
        return winner, gain if winner % 2 == attack else 0, False

    found = minimax(hands, leader, table, lambda seat: seat % 2 == attack, follow, take)
    base = int(s[coinche.POINTS + attack] + s[coinche.POINTS + attack + 2])
    return {names.index(card): base + value for card, value in found.items()}


def cego_value(s: Any) -> dict[int, int]:
    """What `solve` should say of a state of Cego's sub-games."""
    from kibitz.games.cego import table as tarock
    from kibitz.games.tricks import layout as at
    from tests.naive import cego

    names = tarock.TAROCK.names
    aim = int(s[at.CONTRACT])
    count = int(s[at.COUNT])
    turn = int(s[at.TURN])
    single = turn if aim == tarock.RAEUBER else int(s[at.DECLARER])
    hands = tuple(words(s[at.HAND + seat], names) for seat in range(4))
    table = tuple(names[s[at.TABLE + k]] for k in range(count))
    had = int(s[at.TRICKS + single])

    def follow(hand: frozenset[str], table: Sequence[str], seat: int) -> Sequence[str]:
        same = [card for card in hand if table and cego.suit(card) == cego.suit(table[0])]
        trumps = [card for card in hand if table and cego.suit(card) == "t"]
        return same or trumps or sorted(hand)

    def take(cards: Sequence[str], leader: int, is_last: bool) -> tuple[int, int, bool]:
        best = cego.winning_card(cards, [])
        winner = (leader + cards.index(best)) % 4
        if aim == tarock.ULTIMO:
            return winner, int(is_last and best == "1t"), "1t" in cards
        if aim in (tarock.BETTEL, tarock.PICCOLO):
            return winner, int(winner == single), False
        return winner, round(2 * sum(map(cego.value, cards))) if winner == single else 0, False

    if aim == tarock.PICCOLO:
        return {
            names.index(card): value
            for card, value in _piccolo(hands, (turn - count) % 4, table, single, had, follow, take).items()
        }
    grows = aim in (tarock.STANDARD, tarock.SOLO, tarock.ULTIMO)
    found = minimax(hands, (turn - count) % 4, table, lambda seat: (seat == single) == grows, follow, take)
    base = had if aim == tarock.BETTEL else 0
    if aim in (tarock.STANDARD, tarock.SOLO, tarock.RAEUBER):
        base = int(s[at.POINTS + single])
        if aim != tarock.RAEUBER:
            base += round(2 * sum(cego.value(card) for card in words(s[at.ASIDE], names)))
    return {names.index(card): base + value for card, value in found.items()}


def _piccolo(
    hands: Hands, leader: int, table: tuple[str, ...], single: int, had: int, follow: Any, take: Any
) -> dict[str, int]:
    """Exactly one trick: 1 if the single player gets there."""

    @cache
    def value(hands: Hands, leader: int, table: tuple[str, ...], had: int) -> int:
        if not any(hands) or had > 1:
            return int(had == 1)
        values = moves(hands, leader, table, had).values()
        return max(values) if (leader + len(table)) % 4 == single else min(values)

    def moves(hands: Hands, leader: int, table: tuple[str, ...], had: int) -> dict[str, int]:
        seat = (leader + len(table)) % 4
        found = {}
        for card in follow(hands[seat], table, seat):
            rest = tuple(hand - {card} if k == seat else hand for k, hand in enumerate(hands))
            cards = (*table, card)
            if len(cards) < 4:
                found[card] = value(rest, leader, cards, had)
            else:
                winner, gain, _ = take(cards, leader, not any(rest))
                found[card] = value(rest, winner, (), had + gain)
        return found

    return moves(hands, leader, table, had)
