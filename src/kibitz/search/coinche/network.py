"""A small network, distilled from solved deals: how many points a side takes when two of its hands and the trumps are
known.

Inputs: my hand and my partner's hand by suits and strength (trumps last) and who leads, counted from me. Output: our
card points with open cards, 10 for the last trick. Weights are plain arrays, so no learning library is needed to play.
"""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import numpy as np

from kibitz.core.errors import BadInput
from kibitz.core.shapes import Ints, Singles
from kibitz.core.shipped import shipped_folder
from kibitz.games.belotes import CLASS, STRENGTH
from kibitz.search.network import Network, load_network

INPUTS = 68
SIZES = (INPUTS, 128, 48, 1)
SCALE = 162.0
FILE = "coinche-bidder/network.npz"
NAMES = ("weights", "biases")


def points(net: Network, rows: Singles) -> Singles:
    """[n]: the points expected for each row of inputs [n, INPUTS]."""
    return net(rows)[:, 0] * SCALE


def inputs(own: Ints, partner: Ints, suit: int, leader: Ints) -> Singles:
    """[n, INPUTS]: hands as masks of the game's cards, the trump suit, and the leader counted from `own` (0 to 3)."""
    columns = np.lexsort((STRENGTH[suit], CLASS[suit]))
    rows = np.zeros((len(own), INPUTS), np.float32)
    rows[:, :32] = (own[:, None] >> np.arange(32) & 1)[:, columns]
    rows[:, 32:64] = (partner[:, None] >> np.arange(32) & 1)[:, columns]
    rows[np.arange(len(own)), 64 + leader] = 1.0
    return rows


def shuffled(rows: Singles) -> list[Singles]:
    """The rows with their three plain suits in all six orders: the points are the same."""
    found = []
    for order in permutations(range(3)):
        places = np.concatenate([np.arange(8) + 8 * suit for suit in (*order, 3)])
        found.append(rows[:, np.concatenate([places, 32 + places, np.arange(64, INPUTS)])])
    return found


def load(path: Path | None = None) -> Network:
    """The network in a file, or the one that comes with kibitz."""
    place = path or shipped_folder() / FILE
    if not place.exists():
        raise BadInput(f"there is no network {place} to bid with")
    return load_network(place, INPUTS, 1, NAMES)
