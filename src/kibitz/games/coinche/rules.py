"""Coinche: deal, turn, legal, step, returns. Numbers in comments are those of RULES.md."""

from __future__ import annotations

from math import factorial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.core import rng
from kibitz.core.bits import lowest, nth, popcount
from kibitz.core.game import OVER, State
from kibitz.core.jit import kernel
from kibitz.games.coinche.auction import call, first_bid, may_coinche, may_surcoinche, open_auction, set_contract
from kibitz.games.coinche.cards import ABOVE, BEATERS, KING, QUEEN, SUIT_CARDS, WORTH
from kibitz.games.coinche.layout import (
    ACTIONS,
    ALL_TRUMPS,
    ANNOUNCED,
    AUCTION,
    BELOTE,
    BELOTES,
    BEST,
    CALLS,
    CARD,
    CARDS,
    COINCHE,
    COUNT,
    DEAD,
    DEALER,
    DONE,
    HAND,
    HOT,
    LACKS,
    LEADER,
    LOG,
    LONGEST,
    MADE,
    MASTER,
    MOVES,
    NO_AUCTION,
    NO_TRUMPS,
    PACK,
    PASS,
    PHASE,
    PLAY,
    PLAYED,
    PLAYERS,
    POINTS,
    RULES,
    SET_DEALER,
    SHORT,
    SHORT_PACK,
    SIZE,
    SUIT,
    SURCOINCHE,
    TABLE,
    TOUT_BELOTES,
    TRICKS,
    TURN,
    WON,
)  # fmt: skip
from kibitz.games.coinche.metrics import TALLIES, tally
from kibitz.games.coinche.scoring import PAIR, is_made, is_void, reward_of, settle, taker, tricks_of

__all__ = [
    "ACTIONS", "CARD", "HOT", "LONGEST", "PLAYERS", "SIZE", "TALLIES", "TRICKS", "block", "deal", "legal", "moves",
    "returns", "side", "start", "step", "tally", "turn", "won",
]  # fmt: skip

LAST_TRICK, EVERY_TRICK = 10, 100  # rules 5.2 and 5.3
ROYALS = sum(PAIR << 8 * suit for suit in range(4))
EVERY_BID = (1 << COINCHE) - 1 if CALLS <= 63 else 0


@kernel
def deal(s: State, r: rng.Rng) -> None:
    """Rules 2.1 and 2.2; 11.2 and 11.4 in reduced games."""
    pack = np.empty(CARDS, np.int64)
    n = 0
    for card in range(CARDS):
        if not SHORT or SHORT_PACK >> card & 1:
            pack[n] = card
            n += 1
    rng.shuffle(r, pack[:n], 4 * TRICKS)
    for seat in range(PLAYERS):
        hand = 0
        for k in range(TRICKS):
            hand |= 1 << pack[seat * TRICKS + k]
        s[HAND + seat] = hand
    start(s, rng.below(r, 4) if s[SET_DEALER] < 0 else s[SET_DEALER])


@kernel
def start(s: State, dealer: int) -> None:
    """A table at which the hands have been dealt and nothing else has happened."""
    s[DEALER] = dealer
    s[MOVES] = s[ANNOUNCED] = s[COUNT] = s[MASTER] = s[BEST] = 0
    s[POINTS] = s[POINTS + 1] = s[BELOTES] = s[BELOTES + 1] = s[MADE] = 0
    s[DEAD] = PACK
    for seat in range(PLAYERS):
        s[DEAD] &= ~s[HAND + seat]
        s[PLAYED + seat] = s[LACKS + seat] = s[WON + seat] = s[TABLE + seat] = 0
    s[LOG:SIZE] = -1
    open_auction(s)
    if s[NO_AUCTION]:
        set_contract(s)


@kernel
def turn(s: State) -> int:
    """The seat to call or to play."""
    return OVER if s[PHASE] == DONE else s[TURN]


@kernel
def legal_cards(s: State, seat: int) -> int:
    """The cards a seat may play now (chapter 4, rules 10.2 and 10.3)."""
    hand = s[HAND + seat]
    if s[COUNT] == 0:
        return hand
    suit, best = s[SUIT], s[BEST]
    led = s[TABLE] >> 3
    follow = hand & SUIT_CARDS[led]
    if follow:
        if suit in (led, ALL_TRUMPS):
            rising = follow & ABOVE[suit, best]
            return rising if rising else follow
        return follow
    trumps = hand & SUIT_CARDS[suit] if suit < NO_TRUMPS else 0
    if not trumps:
        return hand
    rising = trumps & ABOVE[suit, best] if best >> 3 == suit else trumps
    if s[MASTER] & 1 == seat & 1:  # rule 4.5
        if not s[RULES]:
            return hand
        return hand & ~trumps | (rising if rising else trumps)
    if rising:
        return rising  # rule 4.6
    return trumps if s[RULES] else hand


@kernel
def moves(s: State) -> int:
    """The legal calls or cards as bits."""
    if s[PHASE] == PLAY:
        return legal_cards(s, s[TURN])
    bits = EVERY_BID & ~((1 << first_bid(s)) - 1) | 1 << PASS
    if may_coinche(s):
        bits |= 1 << COINCHE
    elif may_surcoinche(s):
        bits |= 1 << SURCOINCHE
    return bits


@kernel
def block(s: State) -> int:
    """The action that bit 0 of `moves` stands for."""
    return CARD if s[PHASE] == PLAY else 0


@kernel
def legal(s: State, mask: NDArray[np.bool_]) -> int:
    """The legal actions as a mask."""
    mask[:] = False
    if s[PHASE] == PLAY:
        cards = legal_cards(s, s[TURN])
        count = popcount(cards)
        while cards:
            mask[CARD + lowest(cards)] = True
            cards &= cards - 1
        return count
    if s[PHASE] == DONE:
        return 0
    mask[PASS] = True
    bid = first_bid(s)
    mask[bid:COINCHE] = True
    mask[COINCHE] = may_coinche(s)
    mask[SURCOINCHE] = may_surcoinche(s)
    return 1 + COINCHE - bid + mask[COINCHE] + mask[SURCOINCHE]


@kernel
def step(s: State, action: int) -> None:
    """Make a call or play a card."""
    s[LOG + s[MOVES]] = action
    s[MOVES] += 1
    if s[PHASE] == AUCTION:
        call(s, action)
    else:
        _play(s, action - CARD)


@kernel
def _play(s: State, card: int) -> None:
    seat = s[TURN]
    s[HAND + seat] &= ~(1 << card)
    s[PLAYED + seat] |= 1 << card
    if s[COUNT] == 0:
        s[LEADER] = s[MASTER] = seat
        s[BEST] = card
    else:
        led = s[TABLE] >> 3
        if card >> 3 != led or s[SUIT] == led or s[SUIT] == ALL_TRUMPS:
            s[LACKS + seat] |= shown_absent(s, seat, card)
        if BEATERS[s[SUIT], s[BEST]] >> card & 1:
            s[MASTER] = seat
            s[BEST] = card
    if s[BELOTE] and ROYALS >> card & 1:
        _announce(s, seat, card)
    s[TABLE + s[COUNT]] = card
    s[COUNT] += 1
    if s[COUNT] < PLAYERS:
        s[TURN] = (seat + 1) & 3
    else:
        _gather(s)


@kernel
def shown_absent(s: State, seat: int, card: int) -> int:
    """The cards that a seat, by playing this one, shows not to hold (chapter 4 read backwards)."""
    suit, best = s[SUIT], s[BEST]
    led, own = s[TABLE] >> 3, card >> 3
    if own == led:
        if (suit in (led, ALL_TRUMPS)) and not ABOVE[suit, best] >> card & 1:
            return ABOVE[suit, best]
        return 0
    absent = SUIT_CARDS[led]
    if suit >= NO_TRUMPS or suit == led:
        return absent
    higher = ABOVE[suit, best] if best >> 3 == suit else SUIT_CARDS[suit]
    if own == suit:
        needless = s[MASTER] & 1 == seat & 1 and not s[RULES]
        return absent if needless or higher >> card & 1 else absent | higher
    if s[MASTER] & 1 == seat & 1:
        return absent
    return absent | (SUIT_CARDS[suit] if s[RULES] else higher)


@kernel
def _announce(s: State, seat: int, card: int) -> None:
    """Rules 5.5 and 5.6: the first of king and queen of trumps tells where the other one is."""
    suit, rank = card >> 3, card & 7
    if s[SUIT] != suit and (s[SUIT] != ALL_TRUMPS or not s[TOUT_BELOTES]):
        return
    other = 1 << (8 * suit + QUEEN + KING - rank)
    if s[HAND + seat] & other:
        s[ANNOUNCED] |= 1 << (4 * suit + seat)
        for player in range(PLAYERS):
            if player != seat:
                s[LACKS + player] |= other
    else:
        s[LACKS + seat] |= other


@kernel
def _gather(s: State) -> None:
    """The trick goes to whoever has won it (rules 5.1 to 5.3)."""
    winner = s[MASTER]
    suit = s[SUIT]
    points = 0
    for k in range(PLAYERS):
        points += WORTH[suit, s[TABLE + k]]
    s[WON + winner] += 1
    s[COUNT] = 0
    s[TURN] = s[LEADER] = winner
    if not s[HAND + winner]:
        s[PHASE] = DONE
        points += EVERY_TRICK if tricks_of(s, winner & 1) == TRICKS else LAST_TRICK
    s[POINTS + (winner & 1)] += points
    if s[PHASE] == DONE:
        settle(s)


@kernel
def returns(s: State, out: NDArray[np.float64]) -> None:
    """Rule 8.1."""
    out[0] = out[2] = reward_of(s, 0)
    out[1] = out[3] = reward_of(s, 1)


@kernel
def won(s: State, seat: int) -> bool:
    """Rule 8.6."""
    return not is_void(s) and is_made(s) == (seat % 2 == taker(s) % 2)


@kernel
def side(s: State, seat: int) -> int:
    """Rule 1.5."""
    return seat % 2


@kernel
def role(s: State, seat: int) -> int:
    """0 for the side that plays the contract, 1 for the other, -1 in a void deal."""
    return -1 if is_void(s) else (seat ^ taker(s)) & 1


_HANDS = factorial(4 * TRICKS) // factorial(TRICKS) ** 4 if TRICKS <= 3 else 0
"""How many ways there are to deal a short pack."""


@kernel
def _deals() -> int:
    return 4 * _HANDS


@kernel
def _deal_at(s: State, k: int) -> None:
    left = SHORT_PACK
    order = k % _HANDS
    ways = _HANDS
    for seat in range(PLAYERS):
        hands = _choose(popcount(left), TRICKS)
        ways //= hands
        s[HAND + seat] = _subset(left, TRICKS, order // ways)
        order %= ways
        left &= ~s[HAND + seat]
    start(s, k // _HANDS if s[SET_DEALER] < 0 else s[SET_DEALER])


@kernel
def _choose(n: int, k: int) -> int:
    count = 1
    for i in range(k):
        count = count * (n - i) // (i + 1)
    return count


@kernel
def _subset(cards: int, size: int, k: int) -> int:
    """The k-th set of so many of the cards."""
    found = 0
    left = cards
    while size > 0:
        with_lowest = _choose(popcount(left) - 1, size - 1)
        card = nth(left, 0)
        left &= left - 1
        if k < with_lowest:
            found |= 1 << card
            size -= 1
        else:
            k -= with_lowest
    return found


# Rule 11.4: the deals of a short pack of up to three tricks can be listed, each with every dealer.
deals: Any = _deals if SHORT and _HANDS else None
deal_at: Any = _deal_at if SHORT and _HANDS else None
if CALLS > 63:
    moves = block = None  # type: ignore[assignment]  # a bitmask has no room for so many calls
