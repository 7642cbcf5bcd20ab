"""Skat once more, slow and obvious: the judge of the engine; the numbers in brackets are those of RULES.md."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from typing import Any, Literal

from .skat_values import (
    BIDS,
    CARDS,
    HAND_DECLARATIONS,
    NULL_VALUE,
    PICKUP_DECLARATIONS,
    Score,
    card_points,
    evaluate,
    iss_text,
    led_class,
    planned_contract,
    trick_winner,
)

OPTIONS: dict[str, list[str | int]] = {  # [11.1], the default first
    "jumps": ["off", "on"],
    "early_end": ["on", "off"],
    "announced_loss": ["isko", "iss"],
    "payoff": ["tournament", "value", "points"],
    "defender_share": [2, 1],
    "passed": ["void", "ramsch"],
    "ramsch_skat": ["last", "loser"],
    "schieberamsch": ["off", "on"],
    "jungfrau": ["on", "off"],
    "durchmarsch": ["on", "off"],
    "contract": ["auction", "suit", "grand", "null", "null-ouvert", "any"],
}
PRESETS: dict[str, dict[str, str | int]] = {  # [11.2]
    "skat": {},
    "skat-ramsch": {"passed": "ramsch"},
    "skat-suit": {"contract": "suit"},
    "skat-grand": {"contract": "grand"},
    "skat-null": {"contract": "null"},
    "skat-null-ouvert": {"contract": "null-ouvert"},
    "skat-points": {"contract": "any", "payoff": "points"},
}


Phase = Literal["bid", "answer", "open", "skat", "discard", "declare", "push", "play", "over"]


class Game:
    """One deal of Skat from the auction, or from the first card when a contract is given.

    A contract is a declarer, a declaration and, after a pick-up, the two discards; hands and skat are always as dealt.
    """

    def __init__(
        self,
        hands: Sequence[Sequence[str]],
        skat: Sequence[str],
        declarer: int | None = None,
        declaration: str | None = None,
        discards: Sequence[str] = (),
        bid: int = 18,
        **options: Any,
    ) -> None:
        assert sorted([card for hand in hands for card in hand] + list(skat)) == sorted(CARDS)
        assert [len(hand) for hand in hands] == [10, 10, 10]
        self.options = {name: values[0] for name, values in OPTIONS.items()}
        for name, value in options.items():
            assert value in OPTIONS[name], (name, value)
            self.options[name] = value
        self.hands = [set(hand) for hand in hands]
        self.skat = list(skat)
        self.phase: Phase = "bid"
        self.bidder, self.asked, self.high = 1, 0, 0  # [3.3]
        self.seat = 1
        self.declarer: int | None = None
        self.declaration: str | None = None
        self.is_hand = False
        self.is_ramsch = False
        self.declarer_cards: set[str] = set()  # his ten and the skat
        self.laid: list[str] = []
        self.trick: list[str] = []
        self.tricks: list[tuple[int, list[str]]] = []  # who took it, and the cards as played
        self.history: list[tuple[int, str]] = []
        if declarer is not None:
            assert declaration is not None
            self.high = bid
            self._start_from(declarer, declaration, discards)

    def _start_from(self, declarer: int, declaration: str, discards: Sequence[str]) -> None:
        self._win_auction(declarer)
        self.play("pickup" if discards else "hand")
        for card in sorted(discards, key=CARDS.index):
            self.play(card)
        self.play(declaration)
        self.history.clear()

    @property
    def turn(self) -> int | None:
        """The seat to move, None when the deal is over."""
        return None if self.phase == "over" else self.seat

    # ---- what may be done

    def legal(self) -> set[str]:
        """The words the seat to move may say."""
        if self.phase in ("bid", "open"):
            return self._legal_bids()
        if self.phase == "answer":
            return {"hold", "pass"}
        if self.phase == "skat":
            return {"pickup", "hand"}
        if self.phase in ("discard", "push"):
            return self._legal_discards()
        if self.phase == "declare":
            return self._legal_declarations()
        if self.phase == "play":
            return self._legal_cards()
        return set()

    def _legal_bids(self) -> set[str]:
        higher = [value for value in BIDS if value > self.high]
        named = higher if self.options["jumps"] == "on" else higher[:1]  # [3.2]
        return {"pass"} | {str(value) for value in named}

    def _legal_discards(self) -> set[str]:
        cards = [card for card in CARDS if card in self.hands[self.seat]]  # in the order of the ids
        if self.phase == "push":
            cards = [card for card in cards if card[0] != "J"]  # [9.5]
        if self.laid:
            return {card for card in cards if CARDS.index(card) > CARDS.index(self.laid[0])}  # [4.3]
        return set(cards[:-1])

    def _legal_declarations(self) -> set[str]:
        named = HAND_DECLARATIONS if self.is_hand else PICKUP_DECLARATIONS
        return {word for word in named if word[0] != "N" or NULL_VALUE[word] >= self.high}  # [4.7]

    def _legal_cards(self) -> set[str]:
        hand = self.hands[self.seat]
        if not self.trick:
            return set(hand)
        led = led_class(self.trick[0], self.kind)
        following = {card for card in hand if led_class(card, self.kind) == led}
        return following or set(hand)  # [5.2], [5.3]

    @property
    def kind(self) -> str:
        """The letter of the contract being played; a Ramsch is played like a grand [9.2]."""
        if self.is_ramsch:
            return "G"
        assert self.declaration is not None
        return self.declaration[0]

    # ---- what it does

    def play(self, word: str) -> None:
        """Lets the seat to move say a word."""
        assert word in self.legal(), f"{word} is not legal for seat {self.turn}: {sorted(self.legal())}"
        self.history.append((self.seat, word))
        if self.phase == "bid":
            self._bid(word)
        elif self.phase == "answer":
            self._answer(word)
        elif self.phase == "open":
            self._open(word)
        elif self.phase == "skat":
            self._take_skat(word)
        elif self.phase in ("discard", "push"):
            self._lay_away(word)
        elif self.phase == "declare":
            self.declaration = word
            self.declarer_cards = self.hands[self.seat] | set(self.skat)
            self._lead()
        else:
            self._play_card(word)

    def _bid(self, word: str) -> None:
        if word == "pass":
            self._end_duel(survivor=self.asked)
        else:
            self.high = int(word)
            self.phase, self.seat = "answer", self.asked

    def _answer(self, word: str) -> None:
        if word == "pass":
            self._end_duel(survivor=self.bidder)
        else:
            self.phase, self.seat = "bid", self.bidder

    def _end_duel(self, survivor: int) -> None:
        if self.bidder == 1:  # [3.5] rearhand now bids against the survivor
            self.bidder, self.asked = 2, survivor
            self.phase, self.seat = "bid", 2
        elif self.high == 0:  # [3.6] nobody has named a value
            self.phase, self.seat = "open", 0
        else:
            self._win_auction(survivor)

    def _open(self, word: str) -> None:
        if word != "pass":
            self.high = int(word)
            self._win_auction(0)
        elif self.options["passed"] == "void":  # [3.7]
            self.phase = "over"
        else:
            self._start_ramsch()

    def _win_auction(self, seat: int) -> None:
        self.declarer = seat
        self.phase, self.seat = "skat", seat

    def _take_skat(self, word: str) -> None:
        self.is_hand = word == "hand"
        if self.is_hand:
            self.phase = "declare"
        else:
            self._pick_up("discard")

    def _pick_up(self, phase: Phase) -> None:
        self.hands[self.seat].update(self.skat)
        self.skat, self.laid, self.phase = [], [], phase

    def _lay_away(self, card: str) -> None:
        self.hands[self.seat].remove(card)
        self.laid.append(card)
        if len(self.laid) < 2:
            return
        self.skat = self.laid
        if self.phase == "discard":
            self.phase = "declare"
        elif self.seat < 2:  # [9.5]
            self.seat += 1
            self._pick_up("push")
        else:
            self._lead()

    def _start_ramsch(self) -> None:
        self.is_ramsch = True
        self.seat = 0
        if self.options["schieberamsch"] == "on":
            self._pick_up("push")
        else:
            self._lead()

    def _lead(self) -> None:
        self.phase, self.seat = "play", 0  # [5.1]

    def _play_card(self, card: str) -> None:
        self.hands[self.seat].remove(card)
        self.trick.append(card)
        self.seat = (self.seat + 1) % 3
        if len(self.trick) < 3:
            return
        winner = (self.seat + trick_winner(self.trick, self.kind)) % 3  # after three cards the leader is next again
        self.tricks.append((winner, self.trick))
        self.trick, self.seat = [], winner
        if len(self.tricks) == 10 or self._is_settled():
            self.phase = "over"

    def _is_settled(self) -> bool:
        """Tells whether an early end is due [6]."""
        if self.options["early_end"] == "off" or self.declaration is None or self.declarer is None:
            return False
        declarer_tricks = self.tricks_of([self.declarer])
        if self.kind == "N":
            return declarer_tricks > 0  # [6.2]
        if self.options["payoff"] == "points":
            return False  # [6.5]
        defenders = [seat for seat in range(3) if seat != self.declarer]
        if "O" in self.declaration or "Z" in self.declaration[1:]:
            return self.tricks_of(defenders) > 0  # [6.3]
        if "S" in self.declaration[1:]:
            enough = declarer_tricks > 0 or self.options["announced_loss"] == "iss"
            return enough and self.trick_points_of(defenders) > 30  # [6.4]
        return False

    # ---- what it is worth

    def tricks_of(self, seats: Iterable[int]) -> int:
        """Counts the tricks of some seats."""
        return sum(winner in set(seats) for winner, _ in self.tricks)

    def trick_points_of(self, seats: Iterable[int]) -> int:
        """Counts the card points in the tricks of some seats, without the skat."""
        return sum(card_points(cards) for winner, cards in self.tricks if winner in set(seats))

    def score(self) -> Score | None:
        """The breakdown of a declared deal once over; None if it was passed in."""
        assert self.phase == "over"
        return None if self.declarer is None else self._settle(extra_points=0, extra_tricks=0, conceded=False)

    def _settle(self, extra_points: int, extra_tricks: int, conceded: bool) -> Score:
        assert self.declarer is not None and self.declaration is not None
        return evaluate(
            self.declarer,
            self.declaration,
            self.declarer_cards,
            self.high,
            self.trick_points_of([self.declarer]) + card_points(self.skat) + extra_points,
            self.tricks_of([self.declarer]) + extra_tricks,
            str(self.options["announced_loss"]),
            len(self.tricks),
            conceded,
        )

    def ramsch(self) -> tuple[int, int]:
        """The seat that a Ramsch counts for and its score: minus for the loser, +120 for a march [9.6-9.10]."""
        points = [self.trick_points_of([seat]) for seat in range(3)]
        trickless = [seat for seat in range(3) if self.tricks_of([seat]) == 0]
        takers = [winner for winner, _ in self.tricks]
        if len(trickless) == 2 and self.options["durchmarsch"] == "on":
            return takers[-1], 120
        if self.options["ramsch_skat"] == "last":
            points[takers[-1]] += card_points(self.skat)
        tied = [seat for seat in range(3) if points[seat] == max(points)]
        loser = [winner for winner in takers if winner in tied][-1]
        if self.options["ramsch_skat"] == "loser":
            points[loser] += card_points(self.skat)
        doublings = len(trickless) if self.options["jungfrau"] == "on" else 0
        return loser, -points[loser] * 2**doublings

    def sheet(self) -> list[int]:
        """What each seat writes down for the deal by Seeger and Fabian [8.1]."""
        written = [0, 0, 0]
        if self.is_ramsch:
            seat, score = self.ramsch()
            written[seat] = score
        result = self.score()
        if result is not None:
            written = [0, 0, 0] if result.won else [40, 40, 40]
            written[result.declarer] = result.score + (50 if result.won else -50)
        return written

    def returns(self) -> list[float]:
        """The payoff of each seat; they sum to zero [10]."""
        assert self.phase == "over"
        payoff = self.options["payoff"]
        result = self.score()
        if result is not None:
            seat, gain = result.declarer, float(self._declarer_gain(result))
        elif self.is_ramsch:
            seat, score = self.ramsch()
            gain = score / 120 if payoff == "points" else float(score)
        else:
            return [0.0, 0.0, 0.0]
        return [gain if other == seat else -gain / 2 for other in range(3)]

    def _declarer_gain(self, result: Score) -> float:
        if self.options["payoff"] == "value":  # [10.3]
            return result.score
        if self.options["payoff"] == "points":  # [10.4]
            points = result.points if self.kind != "N" else 90 if result.won else 30
            return (points - 60) / 120
        return result.score + 50 if result.won else result.score - 50 - 40 * int(self.options["defender_share"])

    def won(self, seat: int) -> bool:
        """Tells whether a seat won [10.6]."""
        result = self.score()
        if result is not None:
            return result.won == (seat == result.declarer)
        if self.is_ramsch:
            marked, score = self.ramsch()
            return (score > 0) == (seat == marked)
        return False

    def iss_result(self, resigned: Iterable[int] = (), left: int = -1, timeout: int = -1) -> str:
        """What ISS writes between R[ and ], also when seats resigned, left or ran out of time [12]."""
        gone = [seat for seat in (left, timeout) if seat >= 0]
        tail = f"l:{left} to:{timeout}"
        if self.declaration is None or self.declarer is None:
            if not gone:
                assert self.phase == "over"
                return "passed"
            return self._iss_penalty(gone[0], tail)
        resigned = set(resigned)
        declarer_gave_up = self.declarer in resigned or self.declarer in gone  # [12.3]
        given_up = len(resigned - {self.declarer}) == 2 or bool(set(gone) - {self.declarer})
        points = tricks = 0
        if given_up and not declarer_gave_up and self.kind != "N":  # [12.4]
            points = 120 - self.trick_points_of(range(3)) - card_points(self.skat)
            tricks = 10 - len(self.tricks)
        result = self._settle(points, tricks, conceded=declarer_gave_up)
        ended = self.declarer in resigned or len(resigned - {self.declarer}) == 2
        return f"{iss_text(result)} p0:0 p1:0 p2:0 {tail} r:{int(ended)}"

    def _iss_penalty(self, culprit: int, tail: str) -> str:
        """Before a declaration nothing is scored, the culprit's side is marked [12.6]."""
        marked = [int(seat == culprit) for seat in range(3)]
        if self.declarer is not None and culprit != self.declarer:
            marked = [int(seat != self.declarer) for seat in range(3)]
        declarer = -1 if self.declarer is None else self.declarer
        marks = " ".join(f"p{seat}:{mark}" for seat, mark in enumerate(marked))
        return f"d:{declarer} penalty v:0 m:0 bidok p:0 t:0 s:0 z:0 {marks} {tail} r:0"


def random_game(rng: random.Random, **options: Any) -> Game:
    """Deals, generates a contract if the options ask for one, and returns the game."""
    cards = rng.sample(CARDS, 32)
    hands, skat = [cards[:10], cards[10:20], cards[20:30]], cards[30:]
    family = options.get("contract", "auction")
    if family == "auction":
        return Game(hands, skat, **options)
    if family == "any":
        family = rng.choice(["suit", "grand", "null"])
    declarer = rng.randrange(3)  # [11.3]
    declaration, discards = planned_contract(hands[declarer] + skat, str(family))
    return Game(hands, skat, declarer, declaration, discards, **options)
