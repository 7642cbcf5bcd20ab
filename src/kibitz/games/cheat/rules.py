"""Cheat: deal, turn, legal, step, returns. Numbers in comments are those of RULES.md."""

from __future__ import annotations

import numpy as np

from kibitz.core import rng
from kibitz.core.bits import mix
from kibitz.core.game import OVER, State
from kibitz.core.jit import kernel
from kibitz.core.shapes import Bools, Floats, Ints
from kibitz.games.betting import side, write_moves
from kibitz.games.cheat import layout as at
from kibitz.games.cheat.counters import TALLIES, count_answer, count_challenge, count_discard, is_lie, tally
from kibitz.games.cheat.layout import ACTIONS, LONGEST, PLAYERS, SIZE
from kibitz.games.cheat.ledger import ANSWERS, BEGINS, LAYS, PASSED, PICKS, TAKES, hear, note_taking, tell
from kibitz.games.cheat.multiset import CAP, ONES, START, TABLE, TOPS, count, length_of, less, one, total

__all__ = [
    "ACTIONS", "LONGEST", "PLAYERS", "SIZE", "TALLIES", "deal", "legal", "returns", "side", "step",
    "tally", "turn", "won",
]  # fmt: skip

# Values of options.
PURE, FEWEST = 1, 1
EVEN, WIN_LOSS, PLACES = 0, 1, 2


@kernel
def deal(s: State, r: rng.Rng) -> None:
    """Section 2."""
    first = s[at.FIRST_PLAYER] - 1 if s[at.FIRST_PLAYER] > 0 else rng.below(r, at.PLAYERS)
    pack = np.arange(at.PACK)
    rng.shuffle(r, pack, at.DEALT)
    start(s, first)
    card = 0
    for seat in range(at.PLAYERS):
        for _ in range(share(seat, first)):
            s[at.HAND + seat] += one(pack[card] // at.COPIES)
            card += 1
    open_game(s)


@kernel
def share(seat: int, first: int) -> int:
    """How many cards a seat is dealt (rules 2.2 and 2.3)."""
    if at.CARDS_EACH > 0:
        return at.CARDS_EACH
    place = (seat - first + at.PLAYERS) % at.PLAYERS
    return (at.PACK - place + at.PLAYERS - 1) // at.PLAYERS


@kernel
def start(s: State, first: int) -> None:
    """An empty table with its first player (rule 2.5)."""
    for k in range(at.FIRST, at.SIZE):
        s[k] = 0
    s[at.FIRST] = s[at.DISCARDER] = first
    s[at.ASKED] = at.NOBODY


@kernel
def open_game(s: State) -> None:
    """Begin once the hands are dealt: the rest is out of play (rule 2.4), everybody has seen his own hand."""
    s[at.UNDEALT] = ONES * at.COPIES
    for seat in range(at.PLAYERS):
        s[at.UNDEALT] -= s[at.HAND + seat]
        s[at.SIZES + seat] = share(seat, s[at.FIRST])
        s[at.MEMORY + seat] = mix(mix(seat + 1) ^ s[at.HAND + seat])
    tell(s, BEGINS, s[at.FIRST], 0)
    if at.REPEATS > 0:
        s[at.BOOK] = position_key(s)


@kernel
def position_key(s: State) -> int:
    """A hash of all cards, the rank and the discarder, at the start of a turn."""
    key = mix(s[at.RANK] << 8 | s[at.DISCARDER])
    for k in range(2 * at.PLAYERS):
        key = mix(key ^ s[at.HAND + k])  # the rows of the pile follow the hands
    return key


@kernel
def listed() -> int:
    """Number of deals of single cards, for every first player: all equally likely."""
    return at.DEALS


@kernel
def listed_deal(s: State, k: int) -> None:
    """The k-th deal of single cards."""
    start(s, s[at.FIRST_PLAYER] - 1 if s[at.FIRST_PLAYER] > 0 else k % at.PLAYERS)
    k //= at.PLAYERS
    pack = np.arange(at.PACK)
    left = at.PACK
    for seat in range(at.PLAYERS):
        wanted = share(seat, s[at.FIRST])
        choices = ways(left, wanted)
        _choose_cards(s, seat, pack, left, k % choices)
        k //= choices
        left -= wanted
    open_game(s)


@kernel
def _choose_cards(s: State, seat: int, pack: Ints, left: int, k: int) -> None:
    """Give the seat the k-th choice out of the first `left` cards and move the others to the front."""
    wanted = share(seat, s[at.FIRST])
    kept = 0
    for place in range(left):
        without = ways(left - place - 1, wanted)
        if k >= without:
            k -= without
            wanted -= 1
            s[at.HAND + seat] += one(pack[place] // at.COPIES)
        else:
            pack[kept] = pack[place]
            kept += 1


@kernel
def ways(n: int, k: int) -> int:
    """Choices of k out of n."""
    number = 1
    for i in range(k):
        number = number * (n - i) // (i + 1)
    return number


@kernel
def turn(s: State) -> int:
    """Rules 3.1 and 4.1."""
    if s[at.IS_OVER]:
        return OVER
    return int(s[at.DISCARDER]) if s[at.ASKED] == at.NOBODY else int(s[at.ASKED])


@kernel
def legal(s: State, mask: Bools) -> int:
    """Rules 3.2 and 4.2."""
    if at.ONE_BY_ONE:
        return write_moves(picks(s), mask)
    for action in range(ACTIONS if s[at.ASKED] != at.NOBODY else at.BASE):
        mask[action] = False
    if s[at.ASKED] != at.NOBODY:
        mask[at.TRUST] = mask[at.CHEAT] = True
        return 2
    if at.PASSES:
        mask[at.PASS] = True
    n = at.PASSES + _legal_discards(s, mask)
    if s[at.LIE_MODE] == PURE:
        n -= _forbid_mixed(s, mask)
    return n


@kernel
def _legal_discards(s: State, mask: Bools) -> int:
    hand = s[at.HAND + s[at.DISCARDER]]
    held = (hand - less(hand, CAP)) | TOPS
    end = START[min(s[at.SIZES + s[at.DISCARDER]], at.MOST) + 1]
    n = 0
    for discard in range(end):
        is_held = (held - TABLE[discard]) & TOPS == TOPS  # no rank had to borrow
        mask[at.BASE + discard] = is_held
        n += is_held
    for action in range(at.BASE + end, ACTIONS):
        mask[action] = False
    return n


@kernel
def _forbid_mixed(s: State, mask: Bools) -> int:
    """Option lie_mode = pure: strike out discards with both right and wrong cards."""
    n = 0
    for length in range(2, at.MOST + 1):
        for discard in range(START[length], START[length + 1]):
            true = count(TABLE[discard], s[at.RANK])
            if mask[at.BASE + discard] and 0 < true < length:
                mask[at.BASE + discard] = False
                n += 1
    return n


@kernel
def picks(s: State) -> int:
    """The legal actions as bits, where discards are spelled card by card."""
    if s[at.ASKED] != at.NOBODY:
        return 1 << at.TRUST | 1 << at.CHEAT
    bits = 1 << at.PASS if at.PASSES and s[at.PICKED] == 0 else 0
    picked = s[at.PICKED]
    n = total(picked)
    if n > 0:
        bits |= 1 << at.LAY
    if n < at.MOST:
        true = count(picked, s[at.RANK])
        for rank in range(at.RANKS):
            is_pure = n == 0 or (true == n) == (rank == s[at.RANK])
            if count(s[at.HAND + s[at.DISCARDER]], rank) > count(picked, rank) and (s[at.LIE_MODE] != PURE or is_pure):
                bits |= 1 << at.PICK + rank
    return bits


@kernel
def step(s: State, action: int) -> None:
    """Play an action."""
    if s[at.ASKED] != at.NOBODY:
        _answer(s, action == at.CHEAT)
    elif at.PASSES and action == at.PASS:
        tell(s, PASSED, s[at.DISCARDER], 0)
        _end_turn(s, False)  # rule 3.6
    elif not at.ONE_BY_ONE:
        _lay(s, TABLE[action - at.BASE], length_of(action - at.BASE))
    elif action == at.LAY:
        _lay(s, s[at.PICKED], total(s[at.PICKED]))
        s[at.PICKED] = 0
    else:
        s[at.PICKED] += one(action - at.PICK)
        hear(s, s[at.DISCARDER], PICKS | (action - at.PICK) << 4)


@kernel
def _lay(s: State, cards: int, claim: int) -> None:
    """Rules 3.3 and 3.4."""
    seat = s[at.DISCARDER]
    count_discard(s, cards, claim)
    s[at.HAND + seat] -= cards
    s[at.SIZES + seat] -= claim
    s[at.PILE + seat] += cards
    s[at.LAID + seat] += claim
    s[at.LAST] = cards
    s[at.CLAIM] = claim
    s[at.STACK] = mix(mix(s[at.STACK] ^ cards) ^ (seat + 1))
    tell(s, LAYS, seat, claim)
    hear(s, seat, cards)
    s[at.ASKED] = (seat + 1) % PLAYERS


@kernel
def _answer(s: State, is_cheat: bool) -> None:
    seat = s[at.ASKED]
    count_answer(s, seat, is_cheat)
    following = (seat + 1) % PLAYERS
    if s[at.AT_ONCE]:
        hear(s, seat, ANSWERS | int(is_cheat) << 8)
        s[at.DOUBTS] |= int(is_cheat) << seat
        if following == s[at.DISCARDER]:
            tell(s, ANSWERS, s[at.DISCARDER], s[at.DOUBTS])
            _settle_doubts(s)
        else:
            s[at.ASKED] = following
        return
    tell(s, ANSWERS, seat, int(is_cheat))  # rule 4.3
    if is_cheat:
        _challenge(s, seat)
    elif following == s[at.DISCARDER]:
        _end_turn(s, False)  # rule 4.6
    else:
        s[at.ASKED] = following


@kernel
def _settle_doubts(s: State) -> None:
    """Option simultaneous_challenge: of all who said cheat, the first to the left of the discarder challenges."""
    for k in range(1, PLAYERS):
        seat = (s[at.DISCARDER] + k) % PLAYERS
        if s[at.DOUBTS] >> seat & 1:
            _challenge(s, seat)
            return
    _end_turn(s, False)


@kernel
def _challenge(s: State, challenger: int) -> None:
    """Rules 4.4, 4.5 and 4.7."""
    is_caught = is_lie(s)
    taker = s[at.DISCARDER] if is_caught else challenger
    count_challenge(s, is_caught)
    note_taking(s, taker)
    tell(s, TAKES, taker, 0)
    for seat in range(PLAYERS):
        hear(s, seat, s[at.LAST])
        if seat == taker or s[at.REVEAL]:
            hear(s, seat, s[at.STACK])
        s[at.HAND + taker] += s[at.PILE + seat]
        s[at.SIZES + taker] += s[at.LAID + seat]
        s[at.PILE + seat] = s[at.LAID + seat] = 0
    s[at.STACK] = 0
    _end_turn(s, True)


@kernel
def _end_turn(s: State, is_challenged: bool) -> None:
    """Rules 4.8 and section 5."""
    s[at.TURNS] += 1
    s[at.CLAIM] = s[at.LAST] = s[at.DOUBTS] = 0
    s[at.ASKED] = at.NOBODY
    if s[at.SIZES + s[at.DISCARDER]] == 0:
        s[at.WINNERS] = 1 << s[at.DISCARDER]
        s[at.IS_OVER] = 1
    elif s[at.TURNS] >= at.MAX_TURNS:
        s[at.WINNERS] = _limit_winners(s)
        s[at.IS_OVER] = 1
    else:
        s[at.RANK] = 0 if is_challenged and s[at.RESET] else (s[at.RANK] + 1) % at.RANKS
        s[at.DISCARDER] = (s[at.DISCARDER] + 1) % PLAYERS
        if at.REPEATS > 0:
            _look_back(s)


@kernel
def _limit_winners(s: State) -> int:
    """Rules 5.3 and 8.8."""
    fewest = s[at.SIZES]
    for seat in range(1, PLAYERS):
        fewest = min(fewest, s[at.SIZES + seat])
    winners = 0
    for seat in range(PLAYERS):
        if s[at.SIZES + seat] == fewest:
            winners |= 1 << seat
    return winners if s[at.ON_LIMIT] == FEWEST and winners != (1 << PLAYERS) - 1 else 0


@kernel
def _look_back(s: State) -> None:
    """Rule 8.14: a draw when the position has occurred often enough among the last ones."""
    key = position_key(s)
    times = 1
    for k in range(min(s[at.TURNS], at.WINDOW)):
        times += s[at.BOOK + k] == key
    s[at.BOOK + s[at.TURNS] % at.WINDOW] = key
    s[at.IS_OVER] = times >= at.REPEATS


@kernel
def won(s: State, seat: int) -> bool:
    """Rule 5.4."""
    return bool(s[at.WINNERS] >> seat & 1)


@kernel
def returns(s: State, out: Floats) -> None:
    """Rules 5.5 and 8.13."""
    winners = 0
    for seat in range(PLAYERS):
        winners += s[at.WINNERS] >> seat & 1
    for seat in range(PLAYERS):
        if winners == 0:
            out[seat] = 0.0
        elif s[at.PAYOFF] == PLACES:
            out[seat] = _place_value(s, seat)
        elif won(s, seat):
            out[seat] = 1.0 / winners if s[at.PAYOFF] == EVEN else 1.0
        else:
            out[seat] = -1.0 / (PLAYERS - winners) if s[at.PAYOFF] == EVEN else -1.0


@kernel
def _place_value(s: State, seat: int) -> float:
    better = 0
    equal = 0
    for other in range(PLAYERS):
        better += s[at.SIZES + other] < s[at.SIZES + seat]
        equal += s[at.SIZES + other] == s[at.SIZES + seat]
    return 1.0 - (2 * better + equal - 1) / (PLAYERS - 1)


if at.DEALS <= at.MOST_DEALS:
    deals, deal_at = listed, listed_deal
if at.ONE_BY_ONE:
    moves = picks
