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
from kibitz.core.jit import kernel
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
from kibitz.search.skat.inference.history import bounds, rewind
from kibitz.search.skat.inference.module import Inference, check_game
from kibitz.search.skat.inference.policies import FOLDER

KI = 3_200
"""The paper's number of sampled worlds for the soloist."""
BUCKETS = 16
BIDDER_FEATURES = ("jacks", "aces", "tens", "longest")
DECLARER_FEATURES = ("trumps", "jack_pattern", "aces", "tens", "longest", "skat_points", "low")
BIDDER_CONTEXTS = 6
DECLARER_CONTEXTS = 8
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
        total = np.zeros(len(worlds))
        for seat in range(PLAYERS):
            if seat != view.seat:
                for table, context, buckets in described(view.state, worlds, seat):
                    total += self.tables[table][context, buckets]
        return total


def described(s: State, worlds: Configurations, seat: int) -> list[tuple[str, int, Ints]]:
    """What tables are asked about a seat: the table's name, the context, and the bucket [n] each world falls in."""
    cards = worlds.hands[:, seat] | s[PLAYED + seat]
    known = bounds(s)
    if seat == s[DECLARER]:
        if known is None:
            return []
        twelve = cards | worlds.skat if has_picked_up(s) else cards
        context = declared_context(s)
        return [
            (f"declarer_{name}", context, feature(name, twelve, worlds.skat, int(s[CONTRACT])))
            for name in DECLARER_FEATURES
        ]
    if known is None:
        return []
    context = bid_context(int(known[0][seat]), int(known[1][seat]))
    return [(f"bidder_{name}", context, feature(name, cards, worlds.skat, NULL)) for name in BIDDER_FEATURES]


def declared_context(s: State) -> int:
    """Suit, grand, null or null ouvert, with the skat or from the hand."""
    kind = int(s[CONTRACT])
    group = 0 if kind < GRAND else 1 if kind == GRAND else 2
    if kind == NULL and ANNOUNCED[s[DECLARED]] & OUVERT:
        group = 3
    return 2 * group + (0 if has_picked_up(s) else 1)


def bid_context(low: int, high: int) -> int:
    """How far a seat went."""
    return int(_bid_context(low, high))


@kernel
def _bid_context(low: int, high: int) -> int:
    """How far a seat went: passed at once before or after others had bid, or the range of what it named or held."""
    if low < 0:
        return 0 if high < 0 else 1 if high < 3 else 2
    return 3 if low < 3 else 4 if low < 7 else 5


def feature(name: str, cards: Ints, skat: Ints, kind: int) -> Ints:
    """[n]: the bucket of a feature, below BUCKETS."""
    if name == "trumps":
        return np.bitwise_count(cards & MASKS[kind, TRUMP]).astype(np.int64) if kind != NULL else np.zeros_like(cards)
    if name == "jack_pattern":
        return sum((cards >> (8 * suit + JACK) & 1) << suit for suit in range(4)) + np.zeros_like(cards)
    if name == "longest":
        lengths = [np.bitwise_count(cards & SUIT[suit] & ~JACKS).astype(np.int64) for suit in range(4)]
        return np.max(np.stack(lengths), axis=0)
    if name == "skat_points":
        points = sum((skat >> card & 1) * WORTH[card] for card in range(32)) + np.zeros_like(cards)
        return np.minimum(points // 2, BUCKETS - 1)
    masks = {"jacks": JACKS, "aces": _ACES, "tens": _TENS, "low": _LOW}
    return np.bitwise_count(cards & masks[name]).astype(np.int64)


def shapes() -> dict[str, tuple[int, int]]:
    """Every table's contexts and buckets."""
    return {f"bidder_{name}": (BIDDER_CONTEXTS, BUCKETS) for name in BIDDER_FEATURES} | {
        f"declarer_{name}": (DECLARER_CONTEXTS, BUCKETS) for name in DECLARER_FEATURES
    }


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
    """`described` for one world, counted."""
    for other in range(PLAYERS):
        if other == seat:
            continue
        cards, skat = world[at.HAND + other], world[at.ASIDE]
        longest = 0
        for suit in range(4):
            longest = max(longest, popcount(cards & SUIT[suit] & ~JACKS))
        if other != s[DECLARER]:
            context = _bid_context(bounds[LOW + other], bounds[HIGHEST + other])
            counts[0, context, popcount(cards & JACKS)] += weight
            counts[1, context, popcount(cards & _ACES)] += weight
            counts[2, context, popcount(cards & _TENS)] += weight
            counts[3, context, longest] += weight
            continue
        kind = s[CONTRACT]
        group = 0 if kind < GRAND else 1 if kind == GRAND else 2
        if kind == NULL and ANNOUNCED[s[DECLARED]] & OUVERT:
            group = 3
        context = 2 * group + (0 if has_picked_up(s) else 1)
        if has_picked_up(s):
            cards |= skat
            longest = 0
            for suit in range(4):
                longest = max(longest, popcount(cards & SUIT[suit] & ~JACKS))
        pattern = points = 0
        for suit in range(4):
            pattern |= (cards >> (8 * suit + JACK) & 1) << suit
        for card in range(CARDS):
            points += (skat >> card & 1) * WORTH[card]
        counts[4, context, 0 if kind == NULL else popcount(cards & MASKS[kind, TRUMP])] += weight
        counts[5, context, pattern] += weight
        counts[6, context, popcount(cards & _ACES)] += weight
        counts[7, context, popcount(cards & _TENS)] += weight
        counts[8, context, longest] += weight
        counts[9, context, min(points // 2, BUCKETS - 1)] += weight
        counts[10, context, popcount(cards & _LOW)] += weight


class Counting:
    """Counts features in true worlds and in worlds drawn uniformly from the same views."""

    def __init__(self) -> None:
        self.true = {name: np.zeros(shape) for name, shape in shapes().items()}
        self.drawn = {name: np.zeros(shape) for name, shape in shapes().items()}

    def add_games(self, states: Ints, is_counted: Bools, seed: int, first: int = 0) -> None:
        """Count one seat's view before the first card in each of some finished games, the seats in turn.

        is_counted[n, PLAYERS] are the seats whose views count; the games are number `first` and following.
        """
        true = np.zeros((len(shapes()), max(BIDDER_CONTEXTS, DECLARER_CONTEXTS), BUCKETS))
        drawn = np.zeros_like(true)
        count_views(states, is_counted, rng.root(seed), first, true, drawn)
        for table, (name, (contexts, _)) in enumerate(shapes().items()):
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
    return load_arrays(folder / "tables.npz", {name: Column("f8", shape) for name, shape in shapes().items()})


def weigher(game: Game, folder: Path | None = None) -> Tables:
    """KI with the tables in a folder, or those that come with kibitz."""
    check_game(game)
    return Tables(tables=read_tables(folder))
