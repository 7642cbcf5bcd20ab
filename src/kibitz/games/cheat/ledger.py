"""Cheat: what a seat remembers: the ledger of other seats' cards (rules 6.4 to 6.6) and all it witnessed (6.7)."""

from __future__ import annotations

from kibitz.core.bits import mix
from kibitz.core.game import State
from kibitz.core.jit import kernel
from kibitz.games.cheat.layout import CLAIM, DISCARDER, KNOWN, LAID, LAST, MEMORY, PILE, PLAYERS, REVEAL
from kibitz.games.cheat.multiset import FULL, ONES, larger, less

# Kinds of events (rule 6.7).
BEGINS, PASSED, LAYS, ANSWERS, TAKES, PICKS = range(1, 7)


@kernel
def hear(s: State, seat: int, word: int) -> None:
    """Add something to what a seat has witnessed."""
    s[MEMORY + seat] = mix(s[MEMORY + seat] ^ word)


@kernel
def tell(s: State, kind: int, seat: int, number: int) -> None:
    """Let everybody witness an event."""
    word = kind | seat << 4 | number << 8
    for listener in range(PLAYERS):
        s[MEMORY + listener] = mix(s[MEMORY + listener] ^ word)


@kernel
def shown(s: State, observer: int, owner: int, is_open: bool) -> int:
    """The owner's cards in a challenged pile that the observer sees."""
    if is_open or owner == observer:
        return int(s[PILE + owner])
    return int(s[LAST]) if owner == s[DISCARDER] else 0


@kernel
def note_taking(s: State, taker: int) -> None:
    """Bring all ledgers up to date, before the pile is taken (rule 6.5); the last one is the bystander's."""
    for observer in range(PLAYERS + 1):
        is_open = observer == taker or s[REVEAL] == 1
        for about in range(PLAYERS):
            if about == observer:
                continue
            at = KNOWN + observer * PLAYERS + about
            cards = shown(s, observer, about, is_open)
            if about == taker:
                known = larger(s[at], cards)  # rule 6.6: the cards shown may be those known already
                for other in range(PLAYERS):
                    if other != taker:
                        known += shown(s, observer, other, is_open)
                s[at] = known
            elif s[at]:
                dark = 0 if is_open else s[LAID + about] - (s[CLAIM] if about == s[DISCARDER] else 0)
                s[at] = less(less(s[at], cards), min(dark, FULL) * ONES)
