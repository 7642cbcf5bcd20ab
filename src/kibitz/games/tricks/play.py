"""How cards are played: templates that `TrickGame` binds to a game's tables and hooks.

A duty is a ladder of RUNGS rungs, four at most: `duty(s, led, best, is_ours, k)` gives rung k as a pair of card masks
(if, allow), for the card led (NOTHING for who leads), the card winning the trick so far and whether that is of the
own side. The first rung whose `if` meets the hand says that the hand's cards in `allow` may be played; below the last
rung all may. Read backwards, a card shows that its player has none of the `if` cards of all rungs above the first one
that allows it.

The hooks of the play (duty, side, beats, after_card, after_trick, next_leader, settle) are given the state as a bare
address: counting who holds an array, call by call, took nine tenths of the time of a move. So they may not slice it.
"""

from __future__ import annotations

import numpy as np

from kibitz.core import rng
from kibitz.core.bits import lowest, popcount
from kibitz.core.game import OVER, State
from kibitz.core.jit import UNBOUND, bare
from kibitz.core.shapes import Bools, Ints
from kibitz.games.tricks import layout as at

# Bound by TrickGame: constants, tables, the game's hooks and the kernels below.
SEATS = CARDS = FIRST_CARD = CALLS = FIRST_SLOT = LOG = SIZE = SITS_OUT = RUNGS = EXCHANGES = STOCK_CARDS = UNBOUND
CLASS = MASKS = BEATEN_BY = WORTH = UNBOUND
duty = side = beats = opening = shuffle = next_leader = after_card = after_trick = settle = calls = call = UNBOUND
call_block = next_seat = place = choices = exchange = deal_rest = clear = cards_of = absent = play = take = UNBOUND
moves = block = UNBOUND


def follow(s: State, led: int, best: int, is_ours: bool, k: int) -> tuple[int, int]:
    """The duty of most games: follow suit if you can; lead what you like."""
    if led < 0 or k > 0:
        return at.ANY, at.ANY
    suit = MASKS[s[at.CONTRACT], CLASS[s[at.CONTRACT], led]]
    return suit, suit


def follow_or_trump(s: State, led: int, best: int, is_ours: bool, k: int) -> tuple[int, int]:
    """Follow suit, else trump, else play what you like."""
    if led < 0 or k > 1:
        return at.ANY, at.ANY
    contract = s[at.CONTRACT]
    wanted = MASKS[contract, CLASS[contract, led]] if k == 0 else MASKS[contract, MASKS.shape[1] - 1]
    return wanted, wanted


def table_beats(s: State, card: int) -> bool:
    """Whether a card takes the trick over from the card that is winning it."""
    return BEATEN_BY[s[at.CONTRACT], s[at.BEST]] >> card & 1 == 1


def clear_table(s: State) -> None:
    """A table at which nothing is dealt; options stay."""
    s[: at.OWN] = 0
    s[FIRST_SLOT:SIZE] = 0
    s[LOG:SIZE] = at.NOTHING
    s[at.PHASE] = at.PLAYING
    s[at.DECLARER] = s[at.OUT] = s[at.LAID_BY] = at.NOBODY
    s[at.BEST] = s[at.BEST_SEAT] = at.NOTHING


def deal(s: State, r: rng.Rng) -> None:
    """Shuffle, hand the cards out, begin."""
    clear(s)
    pack = np.arange(CARDS)
    s[at.DEALER] = shuffle(s, r, pack)
    place(s, pack)
    opening(s, s[at.DEALER])


def shuffle_all(s: State, r: rng.Rng, pack: Ints) -> int:
    """Any order of the cards, any dealer."""
    rng.shuffle(r, pack, CARDS)
    return rng.below(r, SEATS)


def turn(s: State) -> int:
    """The seat to move."""
    return s[at.TURN]


def legal_cards(s: State, seat: int) -> int:
    """The cards of its hand that a seat may play now."""
    # Rung by rung and without branches, which a processor guesses badly here: a loop takes twice the time of a game.
    hand = s[at.HAND + seat]
    cards = hand
    led = s[at.TABLE] if s[at.COUNT] > 0 else at.NOTHING
    best = s[at.BEST]
    is_ours = (s[at.COUNT] > 0) & (side(s, s[at.BEST_SEAT]) == side(s, seat))
    k = 3
    if RUNGS > 3:
        wanted, allowed = duty(s, led, best, is_ours, k)
        cards = hand & allowed if hand & wanted else cards
    k = 2
    if RUNGS > 2:
        wanted, allowed = duty(s, led, best, is_ours, k)
        cards = hand & allowed if hand & wanted else cards
    k = 1
    if RUNGS > 1:
        wanted, allowed = duty(s, led, best, is_ours, k)
        cards = hand & allowed if hand & wanted else cards
    k = 0
    wanted, allowed = duty(s, led, best, is_ours, k)
    return hand & allowed if hand & wanted else cards


def shown_absent(s: State, seat: int, card: int) -> int:
    """The cards that a seat, by playing this one, shows not to hold: its duty read backwards."""
    led = s[at.TABLE] if s[at.COUNT] > 0 else at.NOTHING
    best = s[at.BEST]
    is_ours = (s[at.COUNT] > 0) & (side(s, s[at.BEST_SEAT]) == side(s, seat))
    k = 0
    wanted, allowed = duty(s, led, best, is_ours, k)
    is_above = ~(allowed >> card) & 1
    found = wanted & -is_above
    k = 1
    if RUNGS > 1:
        wanted, allowed = duty(s, led, best, is_ours, k)
        is_above &= ~(allowed >> card) & 1
        found |= wanted & -is_above
    k = 2
    if RUNGS > 2:
        wanted, allowed = duty(s, led, best, is_ours, k)
        is_above &= ~(allowed >> card) & 1
        found |= wanted & -is_above
    k = 3
    if RUNGS > 3:
        wanted, allowed = duty(s, led, best, is_ours, k)
        is_above &= ~(allowed >> card) & 1
        found |= wanted & -is_above
    return found


def play_card(s: State, card: int) -> None:
    """A card of the seat to move goes to the trick; a full trick goes to its winner."""
    seat = s[at.TURN]
    count = s[at.COUNT]
    s[at.LACKS + seat] |= absent(s, seat, card)
    s[at.HAND + seat] &= ~(1 << card)
    s[at.PLAYED + seat] |= 1 << card
    taking = count == 0 or beats(s, card)
    s[at.BEST] = card if taking else s[at.BEST]
    s[at.BEST_SEAT] = seat if taking else s[at.BEST_SEAT]
    if count == 0:
        s[at.LEADER] = seat
    s[at.TABLE + count] = card
    s[at.COUNT] = count + 1
    after_card(s, seat, card)
    if s[at.PHASE] != at.PLAYING:
        return
    if count + 1 < SEATS - int(SITS_OUT and s[at.OUT] >= 0):
        s[at.TURN] = next_seat(s, seat)
    else:
        take(s)


def seat_after(s: State, seat: int) -> int:
    """Who plays after a seat."""
    after = seat + 1 if seat < SEATS - 1 else 0
    if SITS_OUT and after == s[at.OUT]:
        after = after + 1 if after < SEATS - 1 else 0
    return after


def take_trick(s: State) -> None:
    """The trick goes to whoever played the best card, who leads to the next; the play ends when the hands are empty."""
    winner = s[at.BEST_SEAT]
    contract = s[at.CONTRACT]
    worth = 0
    for k in range(s[at.COUNT]):
        worth += WORTH[contract, s[at.TABLE + k]]
    s[at.POINTS + winner] += worth
    s[at.TRICKS + winner] += 1
    s[at.DONE] += 1
    after_trick(s, winner)
    s[at.COUNT] = 0
    s[at.BEST] = s[at.BEST_SEAT] = at.NOTHING
    s[at.TURN] = s[at.LEADER] = next_leader(s, winner)
    if s[at.HAND + winner] == 0 or s[at.PHASE] == at.ENDED:
        s[at.PHASE] = at.ENDED
        s[at.TURN] = OVER
        settle(s)


def legal_moves(s: State) -> int:
    """The legal cards or calls as bits."""
    if s[at.PHASE] == at.PLAYING:
        return cards_of(bare(s), s[at.TURN])
    return choices(s) if EXCHANGES and s[at.PHASE] >= at.PASSING and s[at.PHASE] <= at.LAYING else calls(s)


def first_move(s: State) -> int:
    """The action that bit 0 of `moves` stands for."""
    if s[at.PHASE] == at.PLAYING or (EXCHANGES and s[at.PHASE] >= at.PASSING and s[at.PHASE] <= at.LAYING):
        return FIRST_CARD
    return call_block(s)


def legal(s: State, mask: Bools) -> int:
    """The legal actions as a mask."""
    mask[:] = False
    if s[at.TURN] < 0:
        return 0
    bits = moves(s)
    first = block(s)
    count = popcount(bits)
    for _ in range(count):  # 64 bits may be set, the sign among them
        skipped = lowest(bits)
        first += skipped + 1
        mask[first - 1] = True
        bits = bits >> skipped >> 1
    return count


def step(s: State, action: int) -> None:
    """Play a card or make a call."""
    s[LOG + s[at.MOVES]] = action
    s[at.MOVES] += 1
    if s[at.PHASE] == at.PLAYING:
        play(bare(s), action - FIRST_CARD)
    elif EXCHANGES and s[at.PHASE] >= at.PASSING and s[at.PHASE] <= at.LAYING:
        exchange(s, action - FIRST_CARD)
    else:
        call(s, action)
        if STOCK_CARDS > 0 and s[at.PHASE] == at.DEALING:
            deal_rest(s)


def nothing_after_card(s: State, seat: int, card: int) -> None:
    """Most games do nothing special when a card was played."""


def nothing_after_trick(s: State, winner: int) -> None:
    """Most games do nothing special when a trick was taken; one that ends early sets PHASE to ENDED."""


def winner_leads(s: State, winner: int) -> int:
    """Whoever has taken a trick leads to the next."""
    return winner


def nothing(s: State) -> None:
    """Most games have no exchange, and nothing to write down at the end."""


def no_calls(s: State) -> int:
    """A game without calls."""
    return 0


def no_call(s: State, action: int) -> None:
    """A game without calls."""


def first_call_after_dealer(s: State, dealer: int) -> None:
    """The seat after the dealer speaks first; there is no contract yet."""
    s[at.PHASE] = at.CALLING
    s[at.TURN] = (dealer + 1) % SEATS
    s[at.CONTRACT] = -1


def leader_of_all(s: State, dealer: int) -> None:
    """The seat after the dealer leads; who deals is drawn."""
    s[at.TURN] = s[at.LEADER] = (dealer + 1) % SEATS


def everybody_alone(s: State, seat: int) -> int:
    """Every seat is a side."""
    return seat


def partners(s: State, seat: int) -> int:
    """Seats opposite each other are a side."""
    return seat & 1


def declarer_against_all(s: State, seat: int) -> int:
    """The declarer is side 0, the others are side 1."""
    return int(seat != s[at.DECLARER])


def first_call_action(s: State) -> int:
    """The number of the first call; where there are no words for calls, cards are named in calling too."""
    return CARDS if CALLS > 0 and FIRST_CARD == 0 else 0
