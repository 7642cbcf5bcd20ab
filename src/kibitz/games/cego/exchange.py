"""What may be kept and laid away at the levels of Cego (part 8 of RULES.md)."""

from __future__ import annotations

from kibitz.core.bits import highest, lowest, popcount
from kibitz.core.jit import kernel
from kibitz.games.cego.table import CEGO, CLASS, EINE, EINE_LEERE, EMPTIES, PLAIN, TRUMPS, ZWEI_LEERE, ZWEI_VERSCHIEDENE

NO_CARD = -1


@kernel
def keeps_two(level: int) -> bool:
    """Rule 8.1: whether the level keeps two cards, and so discards one."""
    return level == CEGO or level >= ZWEI_LEERE


@kernel
def is_pair(level: int, one: int, other: int) -> bool:
    """Whether two cards can be kept together, courts and empties apart."""
    if level == ZWEI_LEERE:
        return CLASS[one] == CLASS[other]
    return level != ZWEI_VERSCHIEDENE or CLASS[one] != CLASS[other]


@kernel
def pairs(hand: int, level: int, first: int) -> int:
    """Rules 8.2 and 8.3: the first cards of the pairs that may be kept, or the second cards that go with a first."""
    cards = hand if level == CEGO else hand & PLAIN
    most = -1
    found = 0
    left = cards
    while left:
        one = lowest(left)
        left &= left - 1
        rest = left
        while rest:
            other = lowest(rest)
            rest &= rest - 1
            if is_pair(level, one, other):
                empties = 0 if level == CEGO else popcount((1 << one | 1 << other) & EMPTIES)
                if empties > most:
                    most = empties
                    found = 0
                if empties == most:
                    if first == NO_CARD:
                        found |= 1 << one
                    elif first == one:
                        found |= 1 << other
    return found


@kernel
def keepable(hand: int, level: int, first: int) -> int:
    """Rule 8.2: the cards that may be named next, after the first one or NO_CARD."""
    if level == EINE:
        return hand
    if level == EINE_LEERE:
        return hand & EMPTIES if hand & EMPTIES else hand & PLAIN
    return pairs(hand, level, first)


@kernel
def discardable(hand: int, blind: int, level: int) -> int:
    """Rule 8.4: the cards that may be laid away after the blind has been taken up."""
    trumps = blind & TRUMPS
    if level == CEGO:
        return hand
    if trumps == 0:
        return blind
    return 1 << (lowest(trumps) if level == ZWEI_LEERE else highest(trumps))
