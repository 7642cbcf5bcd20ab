"""Belote once more, slow and obvious; rule numbers are those of src/kibitz/games/belote/RULES.md."""

from __future__ import annotations

SUITS = "shdc"
RANKS = "789JQKTA"  # rule 1.2: weakest first in a plain suit
TRUMP_RANKS = "78QKTA9J"  # rule 1.2: weakest first in trumps
PACK = {rank + suit for suit in SUITS for rank in RANKS}
PLAIN_POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0, "8": 0, "7": 0}
TRUMP_POINTS = {"J": 20, "9": 14, "A": 11, "T": 10, "K": 4, "Q": 3, "8": 0, "7": 0}

Trick = list[tuple[int, str]]


class Game:
    """One deal: five cards for everybody, the turned card, the stock in the order in which it is dealt."""

    def __init__(self, hands: list[list[str]], turned: str, stock: list[str], dealer: int, undertrump: bool) -> None:
        assert [len(hand) for hand in hands] == [5] * 4 and len(stock) == 11, "rule 1.3"
        assert {card for hand in hands for card in hand} | {turned} | set(stock) == PACK, "rule 1.1"
        self.hands = [set(hand) for hand in hands]
        self.turned, self.stock, self.dealer, self.undertrump = turned, list(stock), dealer, undertrump
        self.calls: list[tuple[int, str]] = []
        self.taker: int | None = None
        self.trump = ""
        self.had_belote: int | None = None
        self.table: Trick = []
        self.tricks: list[Trick] = []

    @property
    def turn(self) -> int | None:
        first = (self.dealer + 1) % 4
        if self.taker is None:
            return None if len(self.calls) == 8 else (first + len(self.calls)) % 4  # rules 2.1 and 2.4
        if len(self.tricks) == 8:
            return None
        leader = self.winner(self.tricks[-1]) if self.tricks else first  # rule 3.1
        return (leader + len(self.table)) % 4

    def legal(self) -> set[str]:
        seat = self.turn
        if seat is None:
            return set()
        return self.legal_calls() if self.taker is None else self.legal_cards(seat)

    def play(self, word: str) -> None:
        seat = self.turn
        assert seat is not None and word in self.legal(), f"{word} is illegal for seat {seat}"
        if self.taker is None:
            self.calls.append((seat, word))
            if word != "pass":
                self.take(seat, word[-1])
            return
        self.hands[seat].remove(word)
        self.table.append((seat, word))
        if len(self.table) == 4:
            self.tricks.append(self.table)
            self.table = []

    # ---- trumps -----------------------------------------------------------------------------------------------

    def legal_calls(self) -> set[str]:
        if len(self.calls) < 4:
            return {"pass", "trumps-" + self.turned[1]}  # rule 2.2
        return {"pass"} | {"trumps-" + suit for suit in SUITS if suit != self.turned[1]}  # rule 2.3

    def take(self, taker: int, suit: str) -> None:
        self.taker, self.trump = taker, suit
        for k in range(1, 5):  # rule 2.5
            seat = (self.dealer + k) % 4
            for _ in range(2 if seat == taker else 3):
                self.hands[seat].add(self.stock.pop(0))
        self.hands[taker].add(self.turned)
        for seat in range(4):
            if {"K" + suit, "Q" + suit} <= self.hands[seat]:
                self.had_belote = seat  # rule 4.3

    # ---- play -------------------------------------------------------------------------------------------------

    def strength(self, card: str, led: str) -> int:
        """Trumps above the suit led, all else below both (rule 3.1)."""
        if card[1] == self.trump:
            return 100 + TRUMP_RANKS.index(card[0])
        return RANKS.index(card[0]) if card[1] == led else -1

    def winner(self, trick: Trick) -> int:
        led = trick[0][1][1]
        return max(trick, key=lambda played: self.strength(played[1], led))[0]

    def legal_cards(self, seat: int) -> set[str]:
        hand = self.hands[seat]
        if not self.table:
            return set(hand)
        led = self.table[0][1][1]
        following = {card for card in hand if card[1] == led}
        trumps = {card for card in hand if card[1] == self.trump}
        lying = [TRUMP_RANKS.index(card[0]) for _, card in self.table if card[1] == self.trump]
        higher = {card for card in trumps if all(TRUMP_RANKS.index(card[0]) > other for other in lying)}
        if following:
            return higher if led == self.trump and higher else following  # rule 3.2
        is_partners = self.winner(self.table) == (seat + 2) % 4
        if is_partners or not trumps:
            return set(hand)  # rule 3.3
        if higher:
            return higher  # rule 3.3: any trump where nobody has trumped
        return trumps if self.undertrump else set(hand)  # rule 3.4

    # ---- score ------------------------------------------------------------------------------------------------

    def card_points(self, card: str) -> int:
        return (TRUMP_POINTS if card[1] == self.trump else PLAIN_POINTS)[card[0]]

    def points(self) -> list[int]:
        """What each side has from its tricks (rules 4.1 and 4.2)."""
        found, tricks = [0, 0], [0, 0]
        for trick in self.tricks:
            side = self.winner(trick) % 2
            tricks[side] += 1
            found[side] += sum(self.card_points(card) for _, card in trick)
        found[self.winner(self.tricks[-1]) % 2] += 100 if 8 in tricks else 10
        return found

    def score(self) -> list[int]:
        """What each side scores (rules 4.3 to 4.6)."""
        if self.taker is None:
            return [0, 0]
        us = self.taker % 2
        them = 1 - us
        points, belote = self.points(), [0, 0]
        if self.had_belote is not None:
            belote[self.had_belote % 2] = 20
        totals = [points[side] + belote[side] for side in (0, 1)]
        if totals[us] < totals[them]:
            totals[us] = belote[us]
            totals[them] = max(162, points[them]) + belote[them]
        elif totals[us] == totals[them]:
            totals[us] = 0
        return totals

    def returns(self) -> list[float]:
        ours, theirs = self.score()
        return [float(ours - theirs) if seat % 2 == 0 else float(theirs - ours) for seat in range(4)]
