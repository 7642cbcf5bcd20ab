"""KI, Kermit's inference: tables counted from games say which hands go with a bid and with a declaration.

A table holds, for a context (how far a seat went in the auction, or what was declared), how much more often a feature
of the hand has a value than it would if the cards lay anyhow. A world's weight is the product over features; what is
played later does not count, but the whole hand does, cards already played included.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import numpy as np

from kibitz.core import rng
from kibitz.core.arrays import Column
from kibitz.core.bits import popcount
from kibitz.core.game import Game, State
from kibitz.core.jit import kernel, loop
from kibitz.core.shapes import Bools, Floats, Ints
from kibitz.core.shipped import shipped_folder
from kibitz.core.view import View
from kibitz.games.skat import state as at
from kibitz.games.skat.auction import BOUNDS, HIGHEST, LOW, bid_bounds
from kibitz.games.skat.cards import ANNOUNCED, CARDS, GRAND, JACK, JACKS, MASKS, NULL, OUVERT, SUIT, TRUMP, WORTH
from kibitz.games.skat.knowledge import has_picked_up
from kibitz.games.skat.rules import GAME
from kibitz.games.skat.state import CONTRACT, DECLARED, DECLARER, PLAYED, PLAYERS
from kibitz.search.network import load_arrays
from kibitz.search.skat.inference.configurations import Configurations
from kibitz.search.skat.inference.history import rewind
from kibitz.search.skat.inference.module import Inference, check_game
from kibitz.search.skat.inference.policies import FOLDER

KI = 3_200
"""The paper's number of sampled worlds for the soloist."""
BUCKETS = 16
BIDDER_TABLES = tuple(f"bidder_{name}" for name in ("jacks", "aces", "tens", "longest"))
DECLARER_TABLES = tuple(
    f"declarer_{name}" for name in ("trumps", "jack_pattern", "aces", "tens", "longest", "skat_points", "low")
)
MOST_FEATURES = len(DECLARER_TABLES)
BIDDER_CONTEXTS, DECLARER_CONTEXTS = 6, 8
SHAPES = dict.fromkeys(BIDDER_TABLES, (BIDDER_CONTEXTS, BUCKETS)) | dict.fromkeys(
    DECLARER_TABLES, (DECLARER_CONTEXTS, BUCKETS)
)
"""Every table's contexts and buckets."""
SMOOTHING = 1.0
DRAWN = 8
"""Worlds drawn beside each true one."""
redeal = GAME.senses.redeal
_ACES, _TENS = (sum(1 << 8 * suit + rank for suit in range(4)) for rank in (6, 5))
_LOW = sum(0b111 << 8 * suit for suit in range(4))


@dataclass(frozen=True)
class Tables(Inference):
    """Weighs worlds by counted features of the hands they give to the others."""

    samples: int = KI
    tables: Mapping[str, Floats] = field(default_factory=lambda: read_tables())

    def log_weights(self, view: View, worlds: Configurations) -> Floats:
        """[n]: sums of log ratios over the features of the two other hands."""
        s, total = view.state, np.zeros(len(worlds))
        bounds, buckets = np.empty(BOUNDS, np.int64), np.empty((len(worlds), MOST_FEATURES), np.int64)
        if bid_bounds(s, bounds) == 0:
            return total
        for seat in range(PLAYERS):
            if seat != view.seat:
                cards = worlds.hands[:, seat] | s[PLAYED + seat]
                context = describe_worlds(s, cards, worlds.skat, seat, bounds, buckets)
                names = DECLARER_TABLES if seat == s[DECLARER] else BIDDER_TABLES
                for k, name in enumerate(names):
                    total += self.tables[name][context, buckets[:, k]]
        return total


@loop
def describe_worlds(s: State, cards: Ints, skat: Ints, seat: int, bounds: Ints, buckets: Ints) -> int:
    """`describe` for the cards of a seat and the skat in many worlds; the context is the same in all of them."""
    context = 0
    for row in range(len(cards)):
        context = describe(s, cards[row], skat[row], seat, bounds, buckets[row])
    return context


@kernel
def describe(s: State, cards: int, skat: int, seat: int, bounds: Ints, buckets: Ints) -> int:
    """Write the bucket that each feature of a seat's cards falls in, below BUCKETS; gives the context of its tables.

    The cards are all that the seat has had since the auction, the context is what it declared or how far it went.
    """
    if seat == s[DECLARER] and has_picked_up(s):
        cards |= skat
    longest = 0
    for suit in range(4):
        longest = max(longest, popcount(cards & SUIT[suit] & ~JACKS))
    aces, tens = popcount(cards & _ACES), popcount(cards & _TENS)
    if seat != s[DECLARER]:
        buckets[0], buckets[1], buckets[2], buckets[3] = popcount(cards & JACKS), aces, tens, longest
        low, high = bounds[LOW + seat], bounds[HIGHEST + seat]
        if low < 0:  # passed at once, before or after others had bid
            return 0 if high < 0 else 1 if high < 3 else 2
        return 3 if low < 3 else 4 if low < 7 else 5
    kind, pattern, points = s[CONTRACT], 0, 0
    for suit in range(4):
        pattern |= (cards >> (8 * suit + JACK) & 1) << suit
    for card in range(CARDS):
        points += (skat >> card & 1) * WORTH[card]
    buckets[0], buckets[1] = 0 if kind == NULL else popcount(cards & MASKS[kind, TRUMP]), pattern
    buckets[2], buckets[3], buckets[4] = aces, tens, longest
    buckets[5], buckets[6] = min(points // 2, BUCKETS - 1), popcount(cards & _LOW)
    group = 0 if kind < GRAND else 1 if kind == GRAND else 3 if ANNOUNCED[s[DECLARED]] & OUVERT else 2
    return 2 * group + (0 if has_picked_up(s) else 1)


@kernel
def count_views(states: Ints, is_counted: Bools, root: Ints, first: int, true: Floats, drawn: Floats) -> None:
    """Features of the true hands of the others, and of drawn ones, at one seat's view of each game."""
    s, world = np.empty(at.SIZE, np.int64), np.empty(at.SIZE, np.int64)
    r, bounds = np.zeros(rng.SLOTS, np.int64), np.empty(BOUNDS, np.int64)
    for i in range(len(states)):
        seat = (first + i) % PLAYERS
        if not is_counted[i, seat] or bid_bounds(states[i], bounds) == 0:
            continue
        rewind(states[i], s)
        _count_hands(s, s, seat, bounds, 1.0, true)
        rng.enter(r, root, first + i, seat, rng.WORLDS, 0)
        for _ in range(DRAWN):
            world[:] = s
            redeal(world, seat, r)
            _count_hands(s, world, seat, bounds, 1.0 / DRAWN, drawn)


@kernel
def _count_hands(s: State, world: State, seat: int, bounds: Ints, weight: float, counts: Floats) -> None:
    buckets = np.empty(MOST_FEATURES, np.int64)
    for other in range(PLAYERS):
        if other != seat:
            context = describe(s, world[at.HAND + other], world[at.ASIDE], other, bounds, buckets)
            is_declarer = other == s[DECLARER]
            first = len(BIDDER_TABLES) if is_declarer else 0
            for k in range(len(DECLARER_TABLES) if is_declarer else len(BIDDER_TABLES)):
                counts[first + k, context, buckets[k]] += weight


class Counting:
    """Counts features in true worlds and in worlds drawn uniformly from the same views."""

    def __init__(self) -> None:
        self.true = {name: np.zeros(shape) for name, shape in SHAPES.items()}
        self.drawn = {name: np.zeros(shape) for name, shape in SHAPES.items()}

    def add_games(self, states: Ints, is_counted: Bools, seed: int, first: int = 0) -> None:
        """Count one seat's view before the first card in each of some finished games, the seats in turn.

        is_counted[n, PLAYERS] are the seats whose views count; the games are number `first` and following.
        """
        true = np.zeros((len(SHAPES), max(BIDDER_CONTEXTS, DECLARER_CONTEXTS), BUCKETS))
        drawn = np.zeros_like(true)
        count_views(states, is_counted, rng.root(seed), first, true, drawn)
        for table, (name, (contexts, _)) in enumerate(SHAPES.items()):
            self.true[name] += true[table, :contexts]
            self.drawn[name] += drawn[table, :contexts]

    def tables(self) -> dict[str, Floats]:
        """Log ratios, drawn towards 0 where little was counted."""
        found = {}
        for name in self.true:
            true, drawn = self.true[name] + SMOOTHING, self.drawn[name] + SMOOTHING
            ratio = true / true.sum(axis=1, keepdims=True) / (drawn / drawn.sum(axis=1, keepdims=True))
            found[name] = np.log(ratio)
        return found


def read_tables(folder: Path | None = None) -> Mapping[str, Floats]:
    """The tables in a folder, or those that come with kibitz."""
    return _read(folder or shipped_folder() / FOLDER)


@cache
def _read(folder: Path) -> Mapping[str, Floats]:
    return load_arrays(folder / "tables.npz", {name: Column("f8", shape) for name, shape in SHAPES.items()})


def weigher(game: Game, folder: Path | None = None) -> Tables:
    """KI with the tables in a folder, or those that come with kibitz."""
    check_game(game)
    return Tables(tables=read_tables(folder))
