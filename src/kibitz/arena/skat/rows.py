"""Examples to learn from, in compiled code: what every player saw and did at each decision point of finished games.

All kernels take full states at the end of games and, for every seat, the part of the data its decisions belong to (-1
where they are left out). They write one row an example and give how many there are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np

from kibitz.core.bits import lowest, popcount
from kibitz.core.game import State
from kibitz.core.jit import kernel
from kibitz.core.shapes import Bools, Ints, Singles
from kibitz.games.skat import state as at
from kibitz.games.skat.auction import BOUNDS, HIGHEST, LOW, bid_bounds
from kibitz.games.skat.cards import BIDS, CARDS, CLASS, DECLARED_VALUE, MASKS, NULL
from kibitz.games.skat.knowledge import dealt_hand, has_picked_up
from kibitz.games.skat.rules import GAME
from kibitz.games.skat.senses import COMPACT_SLICES, FRAME, SENSES, observe, observe_compact
from kibitz.search.skat.inference.history import cards_played, rewind
from kibitz.search.skat.inference.policies import AT_A_BID, FROM_HAND, KINDS, SHAPES, TEN_CARDS

CHOICE, RANGE, PAIR, PLACES = "choice", "range", "pair", "places"
"""Forms of lessons: one of several, a number between bounds, two of several, and a place for each card."""
OUT = -1
"""The part of decisions that nothing is learned from."""
N_PLACES = 3
MOST_CARDS = 30
"""Cards played in a game."""

step, places = GAME.rules.step, GAME.senses.places
_RECEIVED_FIRST, _RECEIVED_END = COMPACT_SLICES["received"].start, COMPACT_SLICES["received"].stop


@kernel
def bid_rows(states: Ints, parts: Ints, inputs: Singles, allowed: Bools, target: Ints, part: Ints) -> int:
    """The bounds of the highest number that each seat would go to, from its ten cards."""
    bounds = np.empty(BOUNDS, np.int64)
    n = 0
    for i in range(len(states)):
        s = states[i]
        if bid_bounds(s, bounds) == 0:
            continue
        for seat in range(at.PLAYERS):
            if parts[i, seat] != OUT:
                see_cards(dealt_hand(s, seat), seat, inputs[n])
                allowed[n] = True
                target[n, 0], target[n, 1] = bounds[LOW + seat] + 1, bounds[HIGHEST + seat] + 1
                part[n] = parts[i, seat]
                n += 1
    return n


@kernel
def see_cards(cards: int, seat: int, out: Singles) -> None:
    """What a seat sees that has nothing but cards, in the plain order."""
    out[:] = 0.0
    while cards:
        out[lowest(cards)] = 1.0
        cards &= cards - 1
    out[CARDS + seat] = 1.0


@kernel
def had_auction(s: State) -> bool:
    """Whether anything was bid."""
    return s[at.MOVES] > 0 and at.HOLD <= s[at.LOG] < at.PICKUP


@kernel
def twelve_cards(s: State) -> int:
    """What a declarer chose from who had picked up."""
    return s[at.HAND + s[at.DECLARER]] | s[at.PLAYED + s[at.DECLARER]] | s[at.ASIDE]


PICKUP, FROM_TEN, FROM_TWELVE = range(3)
"""What a declarer decides: whether he takes the skat, what he declares without it and with it."""


@kernel
def declarer_rows(
    decision: int, states: Ints, parts: Ints, inputs: Singles, allowed: Bools, target: Ints, part: Ints
) -> int:
    """One of the decisions of a declarer who has won the auction."""
    n = 0
    first = FROM_HAND if decision == FROM_TEN else 0
    for i in range(len(states)):
        s = states[i]
        mine = parts[i, s[at.DECLARER]]
        is_made = decision == PICKUP or has_picked_up(s) == (decision == FROM_TWELVE)
        if mine == OUT or not had_auction(s) or not is_made:
            continue
        cards = twelve_cards(s) if decision == FROM_TWELVE else dealt_hand(s, s[at.DECLARER])
        see_cards(cards, s[at.DECLARER], inputs[n])
        inputs[n, TEN_CARDS + s[at.HIGH] + 1] = 1.0
        for k in range(allowed.shape[1]):
            allowed[n, k] = decision == PICKUP or DECLARED_VALUE[first + k] >= BIDS[max(0, s[at.HIGH])]
        target[n, 0] = int(s[at.DECLARED] >= FROM_HAND) if decision == PICKUP else s[at.DECLARED] - first
        part[n] = mine
        n += 1
    return n


@kernel
def discard_rows(states: Ints, parts: Ints, inputs: Singles, allowed: Bools, target: Ints, part: Ints) -> int:
    """Which two of twelve cards are laid away, in the frame of the game that is declared."""
    n = 0
    for i in range(len(states)):
        s = states[i]
        mine = parts[i, s[at.DECLARER]]
        if mine == OUT or not had_auction(s) or not has_picked_up(s) or popcount(s[at.ASIDE]) != 2:
            continue
        kind, cards, laid = s[at.CONTRACT], twelve_cards(s), s[at.ASIDE]
        inputs[n] = 0.0
        allowed[n] = False
        while cards:
            place = FRAME[kind + 1, lowest(cards)]
            inputs[n, place] = 1.0
            allowed[n, place] = True
            cards &= cards - 1
        inputs[n, CARDS + s[at.DECLARER]] = 1.0
        inputs[n, TEN_CARDS + kind] = 1.0
        inputs[n, inputs.shape[1] - 1] = s[at.DECLARED] == NULL + 1  # null ouvert stands after null
        target[n, 0] = FRAME[kind + 1, lowest(laid)]
        target[n, 1] = FRAME[kind + 1, lowest(laid & (laid - 1))]
        part[n] = mine
        n += 1
    return n


@kernel
def card_rows(states: Ints, parts: Ints, inputs: Singles, allowed: Bools, target: Ints, part: Ints) -> int:
    """The cards that were played where there was a choice."""
    n = 0
    s = np.empty(at.SIZE, np.int64)
    for i in range(len(states)):
        rewind(states[i], s)
        number, end = cards_played(states[i]), states[i, at.MOVES]
        kind = s[at.CONTRACT]
        for k in range(number):
            card, seat = states[i, at.LOG + end - number + k], s[at.TURN]
            legal = s[at.HAND + seat]
            if s[at.COUNT]:
                following = legal & MASKS[kind, CLASS[kind, s[at.TABLE]]]
                legal = following if following else legal
            if parts[i, seat] != OUT and legal & (legal - 1):
                inputs[n] = 0.0
                observe_compact(s, seat, inputs[n])
                inputs[n, _RECEIVED_FIRST:_RECEIVED_END] = 0.0
                allowed[n] = False
                while legal:
                    allowed[n, FRAME[kind + 1, lowest(legal)]] = True
                    legal &= legal - 1
                target[n, 0], part[n] = FRAME[kind + 1, card], parts[i, seat]
                n += 1
            step(s, card)
    return n


@kernel
def place_rows(states: Ints, parts: Ints, inputs: Singles, allowed: Bools, target: Ints, part: Ints) -> int:
    """Where the hidden cards lie, before every card, for the seat to move."""
    n = 0
    s = np.empty(at.SIZE, np.int64)
    room, barred = np.zeros(N_PLACES, np.int64), np.zeros(N_PLACES, np.int64)
    for i in range(len(states)):
        rewind(states[i], s)
        number, end = cards_played(states[i]), states[i, at.MOVES]
        kind = s[at.CONTRACT]
        for k in range(number):
            seat = s[at.TURN]
            hidden = places(s, seat, room, barred)
            if parts[i, seat] != OUT and hidden:
                inputs[n] = 0.0
                observe(s, seat, inputs[n])
                allowed[n] = False
                target[n] = -1
                while hidden:
                    card = lowest(hidden)
                    where = FRAME[kind + 1, card]
                    for place in range(N_PLACES):
                        lies = s[at.ASIDE] if place == 2 else s[at.HAND + (seat + 1 + place) % at.PLAYERS]
                        if not barred[place] >> card & 1 and (place < 2 or room[2]):
                            allowed[n, N_PLACES * where + place] = True
                        if lies >> card & 1:
                            target[n, where] = place
                    hidden &= hidden - 1
                part[n] = parts[i, seat]
                n += 1
            step(s, states[i, at.LOG + end - number + k])
    return n


Rows = Callable[[Ints, Ints, Singles, Bools, Ints, Ints], int]


@dataclass(frozen=True)
class Lesson:
    """A decision point: how its examples are made, and their shape."""

    name: str
    form: str
    rows: Rows
    most: int
    """Examples of a game at most."""
    inputs: int
    outputs: int
    targets: int
    kinds: tuple[int, ...] = ()
    """The kinds of game it is about, () for all."""

    def fits(self, states: Ints) -> Ints:
        """The rows of games it is about."""
        return np.flatnonzero(np.isin(states[:, at.CONTRACT], self.kinds)) if self.kinds else np.arange(len(states))

    def examples(self, states: Ints, parts: Ints) -> Examples:
        """All examples of some games."""
        n = self.most * len(states)
        inputs, allowed = np.empty((n, self.inputs), np.float32), np.empty((n, self.outputs), np.bool_)
        target, part = np.empty((n, self.targets), np.int64), np.empty(n, np.int64)
        n = self.rows(states, parts, inputs, allowed, target, part)
        return Examples(inputs[:n], allowed[:n], target[:n], part[:n])


@dataclass(frozen=True)
class Examples:
    """Some examples of one lesson."""

    inputs: Singles
    allowed: Bools
    """[n, outputs]: what could have been chosen."""
    target: Ints
    """[n, targets]: what was chosen; two bounds, a pair, or a place for each card with -1 for those that were seen."""
    part: Ints

    def __len__(self) -> int:
        return len(self.part)

    def pick(self, rows: Ints | Bools | slice) -> Examples:
        """Some of them."""
        return Examples(self.inputs[rows], self.allowed[rows], self.target[rows], self.part[rows])


def joined(parts: list[Examples]) -> Examples:
    """Several as one."""
    return Examples(*(np.concatenate([getattr(one, name) for one in parts]) for name in vars(parts[0])))


def _lessons() -> dict[str, Lesson]:
    before: dict[str, tuple[str, Rows, int, int]] = {
        "bid": (RANGE, bid_rows, at.PLAYERS, 2), "pickup": (CHOICE, partial(declarer_rows, PICKUP), 1, 1),
        "declare_hand": (CHOICE, partial(declarer_rows, FROM_TEN), 1, 1),
        "declare": (CHOICE, partial(declarer_rows, FROM_TWELVE), 1, 1), "discard": (PAIR, discard_rows, 1, 2),
    }  # fmt: skip
    made = {
        name: Lesson(name, form, rows, most, *SHAPES[name], targets)
        for name, (form, rows, most, targets) in before.items()
    }
    for group in dict.fromkeys(KINDS):
        own = tuple(kind for kind, name in enumerate(KINDS) if name == group)
        made[group] = Lesson(group, CHOICE, card_rows, MOST_CARDS, *SHAPES[group], 1, own)
        shape = (SENSES, CARDS * N_PLACES, CARDS)
        made[f"places_{group}"] = Lesson(f"places_{group}", PLACES, place_rows, MOST_CARDS, *shape, own)
    return made


LESSONS: Mapping[str, Lesson] = _lessons()
assert LESSONS["pickup"].inputs == AT_A_BID
