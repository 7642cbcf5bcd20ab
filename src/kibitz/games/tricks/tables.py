"""Contracts as rows of tables: which cards are one suit, which beats which, what each is worth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from kibitz.core.errors import BadOption
from kibitz.core.shapes import Ints
from kibitz.games.decks import Deck, mask_of


@dataclass(frozen=True)
class Contract:
    """One way to play the cards.

    `order` lists the ranks from the weakest up (with spaces between them if one has two letters), `trump_order` those
    of the trump suit where they differ. `points` says what cards count, by card, suit or rank; `trump_points` comes
    first for trumps.
    """

    name: str = ""
    order: str = "23456789TJQKA"
    trumps: str = ""
    """The letter of the trump suit."""
    trump_order: str = ""
    tops: str = ""
    """Further trumps, above those of the suit: `Jd Jh Js Jc`."""
    points: Mapping[str, float] = field(default_factory=dict)
    trump_points: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Tables:
    """What the contracts of a game say about its cards: int64 arrays with one row a contract."""

    classes: Ints
    """[contract, card]: the suit a card counts as; trumps are the last class."""
    masks: Ints
    """[contract, class]: the cards of a class."""
    strength: Ints
    """[contract, card]: the place in its class, 0 the weakest."""
    above: Ints
    """[contract, card]: the stronger cards of its class."""
    beaten_by: Ints
    """[contract, card]: what takes a trick from it: stronger cards of its class, and trumps."""
    worth: Ints
    """[contract, card]: what it counts in a trick."""
    trumps: Ints
    """[contract]: the trumps, 0 where there are none."""


def tables(deck: Deck, suits: str, contracts: Sequence[Contract]) -> Tables:
    """The tables of a game's contracts, for a deck whose cards are named rank first, suit last."""
    cards, count = len(deck.names), len(suits) + 1
    classes = np.zeros((len(contracts), cards), np.int64)
    strength, worth = np.zeros_like(classes), np.zeros_like(classes)
    for row, contract in enumerate(contracts):
        tops = contract.tops.split()
        for card, name in enumerate(deck.names):
            is_trump = name in tops or (contract.trumps != "" and name[-1] == contract.trumps)
            classes[row, card] = len(suits) if is_trump else suits.index(name[-1])
            order = contract.trump_order if is_trump and contract.trump_order else contract.order
            strength[row, card] = cards + tops.index(name) if name in tops else _place(name, order)
            named = [contract.trump_points] * is_trump + [contract.points]
            worth[row, card] = next((p[key] for p in named for key in (name, name[-1], name[:-1]) if key in p), 0)
    masks = np.array(
        [[mask_of(np.flatnonzero(classes[row] == k)) for k in range(count)] for row in range(len(contracts))]
    )
    above, beaten_by = np.zeros_like(classes), np.zeros_like(classes)
    for row in range(len(contracts)):
        trumps = int(masks[row, -1])
        for card in range(cards):
            own = [c for c in range(cards) if classes[row, c] == classes[row, card]]
            above[row, card] = mask_of(c for c in own if strength[row, c] > strength[row, card])
            beaten_by[row, card] = int(above[row, card]) | (0 if trumps >> card & 1 else trumps)
        for k in range(count):
            own = sorted((c for c in range(cards) if classes[row, c] == k), key=lambda c: strength[row, c])
            strength[row, own] = np.arange(len(own))
    return Tables(classes, masks, strength, above, beaten_by, worth, masks[:, -1].copy())


def _place(name: str, order: str) -> int:
    ranks = order.split() if " " in order else list(order)
    if name[:-1] not in ranks:
        raise BadOption(f"{name} has no place in the order {order}")
    return ranks.index(name[:-1])
