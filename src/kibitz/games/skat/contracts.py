"""How a deal begins: the bare table, and contracts that are not bid for but given or generated (rules 11.3 to 11.6)."""

from __future__ import annotations

from kibitz.core import rng
from kibitz.core.bits import lowest, popcount
from kibitz.core.game import State
from kibitz.core.jit import kernel
from kibitz.games.skat import cards as skat
from kibitz.games.skat import state as at

NULL_OUVERT = 6  # its place among the declarations; those without hand stand at their kind
NEVER = 1 << 30


@kernel
def start(s: State) -> None:
    """A table before the first call, with no card dealt."""
    s[: at.OWN] = 0
    s[at.FIRST_SLOT : at.SIZE] = 0
    s[at.TURN] = s[at.BIDDER] = 1  # 3.3
    s[at.HIGH] = s[at.DECLARED] = s[at.CONTRACT] = s[at.WHO] = at.NOBODY
    s[at.DECLARER] = s[at.LAID_BY] = s[at.OUT] = at.NOBODY


@kernel
def set_up(s: State, declarer: int, declaration: int, laid: int, bid: int) -> None:
    """Begin the play of a dealt state with a contract; `laid` are the discards, if any, `bid` a place in the list."""
    s[at.DECLARER] = declarer
    s[at.DECLARED] = declaration
    s[at.CONTRACT] = skat.DECLARED_KIND[declaration]
    s[at.HIGH] = bid
    s[at.IS_HAND] = skat.ANNOUNCED[declaration] & skat.HAND
    if laid:
        s[at.TAKEN] = s[at.ASIDE]
        s[at.HAND + declarer] = (s[at.HAND + declarer] | s[at.ASIDE]) & ~laid
        s[at.ASIDE] = laid
    s[at.PHASE] = at.PLAYING
    s[at.TURN] = 0


@kernel
def generate(s: State, r: rng.Rng) -> None:
    """Rule 11.3: a declarer by lot, his contract by his twelve cards."""
    declarer = rng.below(r, at.PLAYERS)
    cards = s[at.HAND + declarer] | s[at.ASIDE]
    family = s[at.FAMILY]
    if family == at.ANY_KIND:
        family = at.SUITS_ONLY + rng.below(r, 3)
    kind = skat.NULL
    if family == at.SUITS_ONLY:
        kind = longest_suit(cards)
    elif family == at.GRANDS_ONLY:
        kind = skat.GRAND
    set_up(s, declarer, NULL_OUVERT if family == at.NULL_OUVERTS_ONLY else kind, planned_discards(cards, kind), 0)


@kernel
def longest_suit(cards: int) -> int:
    """Rule 11.4: the suit with most cards other than jacks, the dearest if tied."""
    best = 0
    for suit in range(1, 4):
        if popcount(cards & skat.SUIT[suit] & ~skat.JACKS) > popcount(cards & skat.SUIT[best] & ~skat.JACKS):
            best = suit
    return best


@kernel
def planned_discards(cards: int, kind: int) -> int:
    """Rules 11.5 and 11.6: the two cards he is least reluctant to part with."""
    first = second = NEVER
    left = cards
    while left:
        card = lowest(left)
        left &= left - 1
        value = _reluctance(cards, kind, card)
        if value < first:
            second = first
            first = value
        elif value < second:
            second = value
    return 1 << (first & 31) | 1 << (second & 31)


@kernel
def _reluctance(cards: int, kind: int, card: int) -> int:
    """The order of rules 11.5 and 11.6 as one number, whose lowest five bits are the card."""
    suit = card >> 3
    if kind == skat.NULL:
        return (7 - skat.NULL_RANK[card]) << 9 | popcount(cards & skat.SUIT[suit]) << 5 | card
    if skat.CLASS[kind, card] == skat.TRUMP:
        return 2 << 20 | skat.STRENGTH[kind, card] << 9 | card
    rank = card & 7
    length = popcount(cards & skat.SUIT[suit] & ~skat.JACKS)
    if rank == skat.ACE or (rank == skat.TEN and cards >> (card - skat.TEN + skat.ACE) & 1):
        return 1 << 20 | skat.WORTH[card] << 9 | length << 5 | card
    return (15 - skat.WORTH[card]) << 9 | length << 5 | card
