"""Examples to learn from: what every player saw and did at each decision point of recorded games."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from kibitz.core import rng
from kibitz.core.batch import observe_rows
from kibitz.core.game import Game, State
from kibitz.core.shapes import Bools, Floats, Ints
from kibitz.core.view import view_of
from kibitz.games.skat.cards import BIDS, CARDS, DECLARED_VALUE
from kibitz.games.skat.knowledge import dealt_hand, has_picked_up
from kibitz.games.skat.senses import FRAME
from kibitz.games.skat.state import ASIDE, CONTRACT, DECLARED, DECLARER, HAND, HIGH, PLAYED, PLAYERS, TURN
from kibitz.search import worlds as deals
from kibitz.search.skat.inference import ki
from kibitz.search.skat.inference.configurations import CARD_AT, bits, configurations
from kibitz.search.skat.inference.history import RECEIVED, bounds, led_class, legal_cards, moments
from kibitz.search.skat.inference.policies import FROM_HAND, KINDS, SHAPES, at_a_bid, discard_inputs, ten_cards
from kibitz.search.skat.inference.records import Played, part_of

Halves = NDArray[np.float16]

CHOICE, RANGE, PAIR, PLACES = "choice", "range", "pair", "places"
"""Forms of lessons: one of several, a number between bounds, two of several, and a place for each card."""
PIECE = 128
"""Games looked at between two calls of the compiled observation."""
LOOKS = 6
"""Moments of a game at which the places of cards are learned."""
COUNTED = 8
"""Worlds drawn beside each true one for the tables."""


@dataclass(frozen=True)
class Lesson:
    """All examples of one decision point."""

    name: str
    form: str
    inputs: Halves
    """[n, inputs]"""
    allowed: Bools
    """[n, outputs]: what could have been chosen; in a lesson of places [n, CARDS, 3]."""
    target: Ints
    """[n] what was chosen, [n, 2] bounds or a pair, [n, CARDS] places with -1 for cards that were seen."""
    part: Ints
    """[n]: TRAINING, NEW_DEALS or NEW_PLAYERS."""

    def __len__(self) -> int:
        return len(self.part)


@dataclass
class _Pile:
    """Examples as they come in."""

    form: str
    inputs: list[NDArray[np.generic]] = field(default_factory=list)
    allowed: list[NDArray[np.generic]] = field(default_factory=list)
    target: list[NDArray[np.generic]] = field(default_factory=list)
    part: list[Ints] = field(default_factory=list)
    count: int = 0

    def add(self, inputs: NDArray[np.generic], allowed: object, target: object, part: object) -> None:
        """Put some rows on the pile."""
        self.inputs.append(inputs.astype(np.float16))
        self.allowed.append(np.atleast_2d(np.asarray(allowed, np.bool_)))
        self.target.append(np.asarray(target, np.int16))
        self.part.append(np.atleast_1d(np.asarray(part, np.int64)))
        self.count += len(inputs)

    def lesson(self, name: str) -> Lesson:
        """All of them."""
        return Lesson(
            name, self.form, np.concatenate(self.inputs), np.concatenate(self.allowed),
            np.concatenate(self.target).astype(np.int64), np.concatenate(self.part),
        )  # fmt: skip


FORMS = dict.fromkeys(SHAPES, CHOICE) | {"bid": RANGE, "discard": PAIR} | {f"places_{k}": PLACES for k in KINDS}


def gather(
    game: Game,
    games: Iterable[Played],
    held_out: frozenset[str],
    *,
    most: int = 400_000,
    seed: int = 1,
    progress: Callable[[int], None] = lambda done: None,
) -> tuple[list[Lesson], dict[str, Floats]]:
    """The lessons of some games, at most so many examples each, and the counted tables."""
    piles = {name: _Pile(form) for name, form in FORMS.items()}
    counting = ki.Counting()
    piece: list[Played] = []
    luck = rng.generator(seed, "card_locations")
    for number, played in enumerate(games):
        _before_play(piles, played, held_out)
        if part_of(played, int(played.state[DECLARER]), held_out) == 0:
            _count(game, counting, played.state, number, seed)
        piece.append(played)
        if len(piece) == PIECE:
            _in_play(game, piles, piece, held_out, most, luck)
            piece = []
            progress(number + 1)
    if piece:
        _in_play(game, piles, piece, held_out, most, luck)
    return [pile.lesson(name) for name, pile in piles.items() if pile.count], counting.tables()


def _before_play(piles: dict[str, _Pile], played: Played, held_out: frozenset[str]) -> None:
    """What was bid, picked up, laid away and declared."""
    s = played.state
    known = bounds(s)
    if known is None:
        return
    for seat in range(PLAYERS):
        inputs = ten_cards(np.array([dealt_hand(s, seat)]), seat)
        target = [[known[0][seat] + 1, known[1][seat] + 1]]
        piles["bid"].add(inputs, np.ones(SHAPES["bid"][1]), target, part_of(played, seat, held_out))
    declarer = int(s[DECLARER])
    part = part_of(played, declarer, held_out)
    ten = np.array([dealt_hand(s, declarer)])
    declared, bid = int(s[DECLARED]), int(BIDS[max(0, int(s[HIGH]))])
    piles["pickup"].add(at_a_bid(ten, s), np.ones(2), [int(declared >= FROM_HAND)], part)
    if not has_picked_up(s):
        piles["declare_hand"].add(at_a_bid(ten, s), DECLARED_VALUE[FROM_HAND:] >= bid, [declared - FROM_HAND], part)
        return
    twelve = np.array([s[HAND + declarer] | s[PLAYED + declarer] | s[ASIDE]])
    piles["declare"].add(at_a_bid(twelve, s), DECLARED_VALUE[:FROM_HAND] >= bid, [declared], part)
    laid = [int(FRAME[s[CONTRACT] + 1, card]) for card in range(CARDS) if s[ASIDE] >> card & 1]
    if len(laid) == 2:
        piles["discard"].add(discard_inputs(twelve, s), bits(twelve, int(s[CONTRACT])) > 0, [laid], part)


def _count(game: Game, counting: ki.Counting, s: State, number: int, seed: int) -> None:
    """One seat's view of the game before its first card."""
    seat = number % PLAYERS
    start, _ = next(moments(game, s))
    view = view_of(game, start, seat, rng.fresh(seed, number, seat))
    counting.add(view, configurations(start), configurations(deals.sample(view, COUNTED)))


def _in_play(
    game: Game, piles: dict[str, _Pile], piece: Sequence[Played], held_out: frozenset[str], most: int,
    luck: np.random.Generator
) -> None:  # fmt: skip
    """The cards that were played where there was a choice, and where all cards lay at some moments."""
    states: list[State] = []
    chosen: list[int] = []
    parts: list[int] = []
    looks: list[bool] = []
    for played in piece:
        share = LOOKS / 30.0
        for state, card in moments(game, played.state):
            states.append(state.copy())
            chosen.append(card)
            parts.append(part_of(played, int(state[TURN]), held_out))
            looks.append(luck.random() < share)
    rows, cards, part = np.array(states), np.array(chosen), np.array(parts)
    groups = np.array([KINDS[kind] for kind in rows[:, CONTRACT]])
    for group in dict.fromkeys(KINDS):
        _cards(game, piles[group], rows, cards, part, np.flatnonzero(groups == group), most)
        looked = np.flatnonzero((groups == group) & np.array(looks))
        _places(game, piles[f"places_{group}"], rows[looked], part[looked], most)


def _cards(game: Game, pile: _Pile, states: Ints, cards: Ints, part: Ints, rows: Ints, most: int) -> None:
    if pile.count >= most or not len(rows):
        return
    legal = np.array([legal_frame(states[row]) for row in rows])
    free = legal.sum(axis=1) > 1
    rows, legal = rows[free], legal[free]
    seen = observe_rows(game, states[rows], states[rows, TURN], "compact")
    seen[:, RECEIVED] = 0.0
    pile.add(seen, legal, FRAME[states[rows, CONTRACT] + 1, cards[rows]], part[rows])


def legal_frame(s: State) -> Bools:
    """[CARDS]: the cards the seat to move may play, in the frame."""
    kind = int(s[CONTRACT])
    legal = legal_cards(s[HAND + s[TURN]][None], kind, led_class(s))
    return bits(legal, kind)[0] > 0


def _places(game: Game, pile: _Pile, states: Ints, part: Ints, most: int) -> None:
    if pile.count >= most or not len(states):
        return
    seen = observe_rows(game, states, states[:, TURN])
    targets = np.full((len(states), CARDS), -1)
    allowed = np.zeros((len(states), CARDS, 3), np.bool_)
    for k, s in enumerate(states):
        seat, order = int(s[TURN]), CARD_AT[s[CONTRACT] + 1]
        lie = (s[HAND + (seat + 1) % PLAYERS], s[HAND + (seat + 2) % PLAYERS], s[ASIDE])
        for cards, places in deals.facts(view_of(game, s, seat)).pools:
            for place in places:
                here = cards >> order & 1 == 1
                allowed[k, here, place] = True
                targets[k, here & (lie[place] >> order & 1 == 1)] = place
    pile.inputs.append(seen.astype(np.float16))
    pile.allowed.append(allowed)
    pile.target.append(targets.astype(np.int16))
    pile.part.append(part)
    pile.count += len(states)
