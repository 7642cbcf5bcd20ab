"""Coinche on the kit: what is declared, and what is the game's own. Numbers in comments are those of RULES.md."""

from __future__ import annotations

from math import factorial
from typing import Any

import numpy as np

from kibitz.core import rng
from kibitz.core.bits import lowest, nth, popcount
from kibitz.core.game import State
from kibitz.core.jit import bare, kernel, specialise
from kibitz.core.shapes import Bools, Floats
from kibitz.games import belotes
from kibitz.games.belotes import ALL_TRUMPS, EVERY_TRICK, KING, LAST_TRICK, NO_TRUMPS, PAIR, QUEEN, count_last_trick
from kibitz.games.coinche import OPTIONS
from kibitz.games.coinche import layout as at
from kibitz.games.coinche.auction import call, calls, first_bid, first_call, may_coinche, may_surcoinche, open_auction
from kibitz.games.coinche.layout import ACTIONS, CALLS, CARD, EACH
from kibitz.games.coinche.metrics import TALLIES, tally
from kibitz.games.coinche.scoring import is_made, is_void, reward_of, settle
from kibitz.games.coinche.words import CALL_WORDS, CoincheWords
from kibitz.games.tricks.kit import TrickGame
from kibitz.games.tricks.play import partners

__all__ = ["ACTIONS", "CALLS", "CARD", "EACH", "GAME", "TALLIES", "deal", "legal", "legal_cards", "start", "tally"]

ROYALS = sum(PAIR << 8 * suit for suit in range(4))


@kernel
def announce(s: State, seat: int, card: int) -> None:
    """Rules 5.5 and 5.6: the first of king and queen of trumps tells where the other one is."""
    if not s[at.BELOTE] or not ROYALS >> card & 1:
        return
    suit, rank = card >> 3, card & 7
    if s[at.CONTRACT] != suit and (s[at.CONTRACT] != ALL_TRUMPS or not s[at.TOUT_BELOTES]):
        return
    other = 1 << (8 * suit + QUEEN + KING - rank)
    if s[at.HAND + seat] & other:
        s[at.ANNOUNCED] |= 1 << (4 * suit + seat)
        for player in range(4):
            if player != seat:
                s[at.LACKS + player] |= other
    else:
        s[at.LACKS + seat] |= other


@kernel
def returns(s: State, out: Floats) -> None:
    """Rule 8.1."""
    out[0] = out[2] = reward_of(s, 0)
    out[1] = out[3] = reward_of(s, 1)


@kernel
def won(s: State, seat: int) -> bool:
    """Rule 8.6."""
    return not is_void(s) and is_made(s) == (seat % 2 == s[at.DECLARER] % 2)


@kernel
def heard(s: State, seat: int) -> int:
    """Who has dealt, and which belotes were announced (rule 5.6): a seat cannot tell that from cards and calls."""
    return s[at.ANNOUNCED] << 2 | s[at.DEALER]


GAME = TrickGame(
    "coinche", deck=belotes.DECK, suits=belotes.SUITS, seats=4, each=EACH, contracts=belotes.CONTRACTS,
    unnamed=NO_TRUMPS, options=[option for option in OPTIONS if not option.size], slots=at.SLOTS, call_words=CALL_WORDS,
    first_card=CARD, longest_calls=at.LONGEST_AUCTION, last_trick=LAST_TRICK, every_trick=EVERY_TRICK, rungs=3,
    duty=specialise(belotes.duty, "coinche", OVER_PARTNER=True), side=partners, opening=open_auction, calls=calls,
    call=call, call_block=first_call, after_card=announce, after_trick=count_last_trick, settle=settle, score=returns,
    won=won, recall=heard, words=CoincheWords,
)  # fmt: skip
legal_cards, clear = GAME.rules.legal_cards, GAME.rules.clear


@kernel
def deal(s: State, r: rng.Rng) -> None:
    """Rules 2.1 and 2.2; 11.2 and 11.4 in reduced games."""
    pack = np.empty(at.CARDS, np.int64)
    n = 0
    for card in range(at.CARDS):
        if not at.SHORT or at.SHORT_PACK >> card & 1:
            pack[n] = card
            n += 1
    rng.shuffle(r, pack[:n], 4 * EACH)
    for seat in range(4):
        hand = 0
        for k in range(EACH):
            hand |= 1 << pack[seat * EACH + k]
        s[at.HAND + seat] = hand
    start(s, rng.below(r, 4) if s[at.SET_DEALER] < 0 else s[at.SET_DEALER])


@kernel
def start(s: State, dealer: int) -> None:
    """A table at which the hands have been dealt and nothing else has happened; other cards lie face up (rule 11.3)."""
    north, east, south, west = s[at.HAND], s[at.HAND + 1], s[at.HAND + 2], s[at.HAND + 3]
    clear(s)
    s[at.HAND], s[at.HAND + 1], s[at.HAND + 2], s[at.HAND + 3] = north, east, south, west
    s[at.DEAD] = at.PACK & ~(north | east | south | west)
    s[at.DEALER] = dealer
    open_auction(s, dealer)


@kernel
def legal(s: State, mask: Bools) -> int:
    """The legal actions as a mask."""
    mask[:] = False
    if s[at.PHASE] == at.PLAYING:
        cards = legal_cards(bare(s), s[at.TURN])
        count = popcount(cards)
        while cards:
            mask[CARD + lowest(cards)] = True
            cards &= cards - 1
        return count
    if s[at.PHASE] == at.ENDED:
        return 0
    mask[at.PASS] = True
    bid = first_bid(s)
    mask[bid : at.COINCHE] = True
    mask[at.COINCHE] = may_coinche(s)
    mask[at.SURCOINCHE] = may_surcoinche(s)
    return 1 + at.COINCHE - bid + mask[at.COINCHE] + mask[at.SURCOINCHE]


@kernel
def role(s: State, seat: int) -> int:
    """0 for the side that plays the contract, 1 for the other, -1 in a void deal."""
    return -1 if is_void(s) else (seat ^ s[at.DECLARER]) & 1


_HANDS = factorial(4 * EACH) // factorial(EACH) ** 4 if EACH <= 3 else 0
"""How many ways there are to deal a short pack."""


@kernel
def _deals() -> int:
    return 4 * _HANDS


@kernel
def _deal_at(s: State, k: int) -> None:
    left = at.SHORT_PACK
    order = k % _HANDS
    ways = _HANDS
    for seat in range(4):
        hands = _choose(popcount(left), EACH)
        ways //= hands
        s[at.HAND + seat] = _subset(left, EACH, order // ways)
        order %= ways
        left &= ~s[at.HAND + seat]
    start(s, k // _HANDS if s[at.SET_DEALER] < 0 else s[at.SET_DEALER])


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
deals: Any = _deals if at.SHORT and _HANDS else None
deal_at: Any = _deal_at if at.SHORT and _HANDS else None
