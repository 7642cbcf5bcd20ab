"""Minimax over every line of play in the games of the trick-taking kit: cards as strings, rules told once more."""

from __future__ import annotations

from functools import cache
from typing import Any

from kibitz.games.tricks import layout as at
from kibitz.games.tricks.kit import TrickGame
from kibitz.search.solver import arena as ar
from tests.naive import belote as naive_belote
from tests.search.brute import Hands, words

PENALTIES = {rank + "h" for rank in "23456789TJQKA"} | {"Qs"}
COLOURS = {"c": "s", "s": "c", "d": "h", "h": "d"}


class Hearts:
    """Without passing and first trick."""

    def __init__(self, s: Any) -> None:
        pass

    def legal(self, hand: frozenset[str], table: tuple[str, ...], is_ours: bool, live: frozenset[str]) -> set[str]:
        if table:
            return {card for card in hand if card[1] == table[0][1]} or set(hand)
        plain = {card for card in hand if card[1] != "h"}
        return set(hand) if PENALTIES - live or not plain else plain

    def strength(self, card: str, led: str) -> int:
        return "23456789TJQKA".index(card[0]) if card[1] == led[1] else -1

    def points(self, card: str) -> int:
        return 13 if card == "Qs" else int(card[1] == "h")


class Euchre:
    def __init__(self, s: Any) -> None:
        self.trump = "cdhs"[s[at.CONTRACT]]

    def suit(self, card: str) -> str:
        return self.trump if card == "J" + COLOURS[self.trump] else card[1]

    def legal(self, hand: frozenset[str], table: tuple[str, ...], is_ours: bool, live: frozenset[str]) -> set[str]:
        return {card for card in hand if table and self.suit(card) == self.suit(table[0])} or set(hand)

    def strength(self, card: str, led: str) -> int:
        if card[0] == "J" and self.suit(card) == self.trump:
            return 200 + (card[1] == self.trump)
        place = "9TJQKA".index(card[0])
        return 100 + place if card[1] == self.trump else place if self.suit(card) == self.suit(led) else -1

    def points(self, card: str) -> int:
        return 0


class Belote:
    def __init__(self, s: Any) -> None:
        pack = sorted(naive_belote.PACK)
        hands = [pack[5 * seat : 5 * seat + 5] for seat in range(4)]
        self.twin = naive_belote.Game(hands, pack[20], pack[21:], 0, bool(s[at.OWN]))
        self.twin.trump = "shdc"[s[at.CONTRACT]]

    def legal(self, hand: frozenset[str], table: tuple[str, ...], is_ours: bool, live: frozenset[str]) -> set[str]:
        self.twin.hands[2] = set(hand)
        best = max(table, key=lambda card: self.strength(card, table[0])) if table else ""
        self.twin.table = [(0 if (card == best) == is_ours else 1, card) for card in table]
        return self.twin.legal_cards(2)

    def strength(self, card: str, led: str) -> int:
        return self.twin.strength(card, led[1])

    def points(self, card: str) -> int:
        return self.twin.card_points(card)


JUDGES = {"hearts": Hearts, "euchre": Euchre, "belote": Belote}


def brute_values(
    kit: TrickGame, s: Any, aim: int, asked: int, *, bonus: int = 0, marked: int = 0, taken: int = 0
) -> dict[int, int]:
    """What `Solver.ask` should say of a state: card -> value for the seats `asked`."""
    names = kit.deck.names
    judge = JUDGES[kit.name](s)
    first = int(s[at.LEADER] if s[at.COUNT] else s[at.TURN])
    seats = [seat for seat in ((first + k) % kit.seats for k in range(kit.seats)) if seat != s[at.OUT]]
    n = len(seats)
    own = [bool(asked >> seat & 1) for seat in seats]
    wants = aim not in (ar.FEW_POINTS, ar.NO_TRICK)
    chosen = words(marked, names)

    def gain(cards: tuple[str, ...], is_last: bool) -> int:
        if aim in (ar.POINTS, ar.FEW_POINTS):
            return sum(judge.points(card) for card in cards) + bonus * is_last
        return 1

    @cache
    def value(hands: Hands, leader: int, table: tuple[str, ...], had: int) -> int:
        if not any(hands):
            return int(had == 1) if aim == ar.ONE_TRICK else 0
        values = moves(hands, leader, table, had).values()
        return max(values) if own[(leader + len(table)) % n] == wants else min(values)

    def moves(hands: Hands, leader: int, table: tuple[str, ...], had: int) -> dict[str, int]:
        place = (leader + len(table)) % n
        live = frozenset().union(*hands)
        strengths = [judge.strength(card, table[0]) for card in table]
        holder = (leader + strengths.index(max(strengths))) % n if table else place
        found = {}
        for card in judge.legal(hands[place], table, bool(table) and own[holder] == own[place], live):
            rest = tuple(hand - {card} if k == place else hand for k, hand in enumerate(hands))
            cards = (*table, card)
            if len(cards) < n:
                found[card] = value(rest, leader, cards, had)
                continue
            powers = [judge.strength(c, cards[0]) for c in cards]
            best = powers.index(max(powers))
            winner, is_last = (leader + best) % n, not any(rest)
            if aim == ar.LAST_TRICK:
                if is_last or chosen & set(cards):
                    found[card] = int(is_last and cards[best] in chosen)
                else:
                    found[card] = value(rest, winner, (), 0)
            elif aim == ar.ONE_TRICK:
                found[card] = value(rest, winner, (), min(2, had + own[winner]))
            else:
                found[card] = (gain(cards, is_last) if own[winner] else 0) + value(rest, winner, (), 0)
        return found

    hands = tuple(words(s[at.HAND + seat], names) for seat in seats)
    table = tuple(names[s[at.TABLE + k]] for k in range(int(s[at.COUNT])))
    return {names.index(card): v for card, v in moves(hands, 0, table, taken).items()}
