"""What was decided in public: every card of a game with what its player saw of the table, replayed from a state."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from kibitz.core.game import Game, State
from kibitz.core.jit import kernel
from kibitz.core.shapes import Ints, Singles
from kibitz.games.skat import state as at
from kibitz.games.skat.auction import BOUNDS, HIGHEST, LOW, bid_bounds
from kibitz.games.skat.cards import CLASS, MASKS
from kibitz.games.skat.senses import COMPACT, COMPACT_SLICES

HAND, RECEIVED, LAID = (COMPACT_SLICES[name] for name in ("hand", "received", "laid"))
NOTHING_LED = -1


@dataclass(frozen=True)
class Decision:
    """A card somebody played."""

    seat: int
    card: int
    led: int
    """The class that was led, NOTHING_LED for the leader."""
    public: Singles
    """[COMPACT]: what the seat saw, without its own cards."""


@kernel
def cards_played(s: State) -> int:
    """How many cards lie on the table or in tricks."""
    return 3 * s[at.DONE] + s[at.COUNT]


@kernel
def rewind(s: State, start: State) -> None:
    """Write the state before the first card, from a full state later in the play, or after it."""
    start[:] = s
    for seat in range(at.PLAYERS):
        start[at.HAND + seat] |= s[at.PLAYED + seat]
        for slot in (at.PLAYED, at.LACKS, at.POINTS, at.TRICKS, at.LATEST, at.TABLE):
            start[slot + seat] = 0
    for slot in (at.COUNT, at.DONE, at.LEADER, at.BEST, at.BEST_SEAT):
        start[slot] = 0
    start[at.MOVES] -= cards_played(s)
    start[at.PHASE], start[at.TURN] = at.PLAYING, 0


def before_play(s: State) -> State:
    """The state before the first card."""
    start = np.zeros_like(s)
    rewind(s, start)
    return start


def moments(game: Game, s: State) -> Iterator[tuple[State, int]]:
    """The states before each card, with the card; the state is moved on after each."""
    number, end = int(cards_played(s)), int(s[at.MOVES])
    played = [int(card) for card in s[at.LOG + end - number : at.LOG + end]]
    state = before_play(s)
    for card in played:
        yield state, card
        game.step(state, card)


def decisions(game: Game, s: State) -> list[Decision]:
    """Every card played so far, from a full state."""
    observe = game.observation("compact").observe
    found = []
    for state, card in moments(game, s):
        seat = int(state[at.TURN])
        public = np.zeros(COMPACT, np.float32)
        observe(state, seat, public)
        for own in (HAND, RECEIVED, LAID):
            public[own] = 0.0
        found.append(Decision(seat, card, led_class(state), public))
    return found


def led_class(s: State) -> int:
    """The class that has to be followed."""
    return int(CLASS[s[at.CONTRACT], s[at.TABLE]]) if s[at.COUNT] else NOTHING_LED


def legal_cards(hands: Ints, kind: int, led: int) -> Ints:
    """[n]: which of their cards seats may play, as masks."""
    if led == NOTHING_LED:
        return hands
    following = hands & MASKS[kind, led]
    return np.where(following != 0, following, hands)


def bounds(s: State) -> tuple[Ints, Ints] | None:
    """The least and the highest place in the list that each seat's highest bid can have; None without an auction."""
    out = np.empty(BOUNDS, np.int64)
    if bid_bounds(s, out) == 0:
        return None
    return out[LOW : LOW + at.PLAYERS], out[HIGHEST : HIGHEST + at.PLAYERS]
