"""The cards and the arithmetic of Skat, slow and obvious; the numbers in brackets are those of RULES.md."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

SUITS = "cshd"  # [1.1]
RANKS = "789QKTAJ"
CARDS = [rank + suit for suit in SUITS for rank in RANKS]  # [1.2] the place in this list is the card id
CARD_POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0, "8": 0, "7": 0}  # [1.3]
PLAIN_ORDER = "789QKTA"  # [1.4], weakest first
NULL_ORDER = "789TJQKA"  # [1.6]
BASE = {"D": 9, "H": 10, "S": 11, "C": 12, "G": 24}  # [7.4]
NULL_VALUE = {"N": 23, "NH": 35, "NO": 46, "NOH": 59}  # [7.5]
BIDS = [  # [3.1]
    int(value)
    for line in (
        "18 20 22 23 24 27 30 33 35 36 40 44 45 46 48 50 54 55 59 60 63 66 70 72 77 80 81 84 88 90 96 99",
        "100 108 110 117 120 121 126 130 132 135 140 143 144 150 153 154 156 160 162 165 168 170 176 180 187",
        "192 198 204 216 240 264",
    )
    for value in line.split()
]
PICKUP_DECLARATIONS = ["C", "S", "H", "D", "G", "N", "NO"]  # [4.5]
HAND_DECLARATIONS = [kind + more for kind in "CSHDG" for more in ("H", "HS", "HZ", "O")] + ["NH", "NOH"]  # [4.6]


def card_points(cards: Iterable[str]) -> int:
    """Counts the points in some cards."""
    return sum(CARD_POINTS[card[0]] for card in cards)


def is_trump(card: str, kind: str) -> bool:
    """Tells whether a card is trump when the contract is one of C S H D G N."""
    if kind == "N":
        return False
    return card[0] == "J" or card[1].upper() == kind


def led_class(card: str, kind: str) -> str:
    """Names what must be followed when this card is led: "trump" or a suit letter [5.2]."""
    return "trump" if is_trump(card, kind) else card[1]


def strength(card: str, kind: str) -> int:
    """Orders the cards of one class, strongest largest [1.4-1.6]."""
    if kind == "N":
        return NULL_ORDER.index(card[0])
    if card[0] == "J":
        return 100 - SUITS.index(card[1])
    return PLAIN_ORDER.index(card[0])


def trick_winner(cards: Sequence[str], kind: str) -> int:
    """Finds which of the cards, in the order played, takes the trick [5.4]."""
    trumps = [card for card in cards if is_trump(card, kind)]
    led = [card for card in cards if led_class(card, kind) == led_class(cards[0], kind)]
    return cards.index(max(trumps or led, key=lambda card: strength(card, kind)))


def matadors(cards: Iterable[str], kind: str) -> int:
    """Counts the matadors: +k for "with k", -k for "without k", 0 in null [7.1]."""
    if kind == "N":
        return 0
    held = set(cards)
    trumps = sorted((c for c in CARDS if is_trump(c, kind)), key=lambda card: strength(card, kind), reverse=True)
    has_old_one = trumps[0] in held
    run = 0
    while run < len(trumps) and (trumps[run] in held) == has_old_one:
        run += 1
    return run if has_old_one else -run


@dataclass(frozen=True)
class Score:
    """What one declared deal is worth to the declarer, and how that came about."""

    declarer: int
    declaration: str
    bid: int
    matadors: int
    multiplier: int  # 0 in null
    value: int  # what is charged, before the doubling of a loss
    overbid: bool
    points: int
    tricks: int
    schneider: bool
    schwarz: bool
    won: bool

    @property
    def score(self) -> int:
        """The game points written down for the declarer [7.9]."""
        return self.value if self.won else -2 * self.value


def evaluate(
    declarer: int,
    declaration: str,
    cards: Iterable[str],
    bid: int,
    points: int,
    tricks: int,
    announced_loss: str = "isko",
    tricks_played: int = 10,
    conceded: bool = False,
) -> Score:
    """Works out a deal from the declarer's cards (hand and skat), his points and his tricks [7]."""
    kind, modifiers = declaration[0], declaration[1:]
    if kind == "N":  # [7.5]
        won = tricks == 0 and not conceded
        return Score(
            declarer, declaration, bid, 0, 0, NULL_VALUE[declaration], False, points, tricks, False, False, won
        )
    ouvert = "O" in modifiers
    schwarz_announced = ouvert or "Z" in modifiers
    schneider_announced = schwarz_announced or "S" in modifiers
    hand = ouvert or "H" in modifiers
    if schwarz_announced:  # [7.6]
        won = tricks == 10
    elif schneider_announced:
        won = points >= 90
    else:
        won = points >= 61
    run = matadors(cards, kind)
    levels = 1 + hand + schneider_announced + schwarz_announced + ouvert  # [7.2]
    if won:
        schneider, schwarz = points >= 90, tricks == 10
        levels += schneider + schwarz
    else:  # [7.3]
        schwarz = not schwarz_announced and tricks == 0 and tricks_played > 0
        schneider = schwarz or (not schneider_announced and points <= 30 and tricks_played > 0)
        if announced_loss == "isko":
            levels += (schneider or schneider_announced) + (schwarz or schwarz_announced)
        else:
            levels += (schneider and not schneider_announced) + schwarz
    multiplier = abs(run) + levels
    value = BASE[kind] * multiplier  # [7.4]
    overbid = value < bid  # [7.8]
    while value < bid:
        value = BASE[kind] * (value // BASE[kind] + 1)
    won = won and not overbid
    return Score(declarer, declaration, bid, run, multiplier, value, overbid, points, tricks, schneider, schwarz, won)


def iss_text(result: Score) -> str:
    """The first half of an ISS result, from the declarer to the schwarz flag [12.2]."""
    return (
        f"d:{result.declarer} {'win' if result.won else 'loss'} v:{result.score} m:{result.matadors} "
        f"{'overbid' if result.overbid else 'bidok'} p:{result.points} t:{result.tricks} "
        f"s:{int(result.schneider)} z:{int(result.schwarz)}"
    )


def seat_in_series(player: int, deal: int) -> int:
    """The seat of player 0, 1 or 2 in deal 0, 1, 2, ... of a series [8.3]."""
    return (player - deal) % 3


def series_totals(declared: Sequence[tuple[int, int]]) -> list[int]:
    """Adds up a series from (declaring player, game points) of its declared deals [8.4]."""
    totals = []
    for player in range(3):
        own = [score for declarer, score in declared if declarer == player]
        won = sum(score > 0 for score in own)
        lost_by_others = sum(score < 0 for declarer, score in declared if declarer != player)
        totals.append(sum(own) + 50 * won - 50 * (len(own) - won) + 40 * lost_by_others)
    return totals


def planned_contract(cards: Iterable[str], family: str) -> tuple[str, list[str]]:
    """The declaration and the two discards that the generator gives a player with these twelve cards [11.4-11.6]."""
    held = sorted(cards, key=CARDS.index)
    if family in ("null", "null-ouvert"):
        by_suit = {suit: sum(card[1] == suit for card in held) for suit in SUITS}
        held.sort(key=lambda card: (-NULL_ORDER.index(card[0]), by_suit[card[1]], CARDS.index(card)))
        return ("N" if family == "null" else "NO"), held[:2]
    plain = {suit: sum(card[1] == suit and card[0] != "J" for card in held) for suit in SUITS}
    kind = "G" if family == "grand" else max(SUITS, key=lambda suit: plain[suit]).upper()  # the dearest if tied

    def reluctance(card: str) -> tuple[int, int, int, int]:
        if is_trump(card, kind):
            return (2, strength(card, kind), 0, 0)
        under_ace = card[0] == "T" and "A" + card[1] in held
        if card[0] == "A" or under_ace:
            return (1, CARD_POINTS[card[0]], plain[card[1]], CARDS.index(card))
        return (0, -CARD_POINTS[card[0]], plain[card[1]], CARDS.index(card))

    return kind, sorted(held, key=reluctance)[:2]
