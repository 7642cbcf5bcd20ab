"""How Skat players decide, learned from games: one network for every decision point, asked for many hands at once.

bid           the highest number a seat would go to, from its ten cards
pickup        whether the declarer takes the skat, declare_hand what he declares if he does not
declare       what he declares with twelve cards, discard which two of them he lays away for it
suit, grand, null    the card played, by kind of game

Every probability is mixed with a little of the uniform one, so that nothing that can happen is held impossible. With
`trusts` it is not known how much: each of them is a share that the policy may have in what a player does, with what it
is thought likely to be beforehand, and whoever keeps doing what his policy calls unlikely is trusted less and less.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from kibitz.core.game import State
from kibitz.core.shapes import Bools, Floats, Ints, Singles
from kibitz.core.shipped import shipped_folder
from kibitz.games.skat import cards as skat
from kibitz.games.skat.senses import COMPACT, FRAME
from kibitz.games.skat.state import CONTRACT, DECLARED, DECLARER, HIGH
from kibitz.search.network import Network, load_network, softmax
from kibitz.search.skat.inference.configurations import bits
from kibitz.search.skat.inference.history import HAND, LAID, Decision, legal_cards

FOLDER = "skat-inference"
FLOOR = 0.05
"""The share of the uniform choice in every decision, chosen by log score on players that nothing was learned from."""
TRUSTS = ((0.99, 0.6), (0.8, 0.2), (0.4, 0.1), (0.05, 0.1))
"""Shares of the policy in what a player does, from nearly all to nearly nothing."""
KINDS = ("suit", "suit", "suit", "suit", "grand", "null")
"""The card-play network of every kind of game."""
LEVELS = skat.N_BIDS + 1
TEN_CARDS = skat.CARDS + 3
AT_A_BID = TEN_CARDS + LEVELS
DISCARD_INPUTS = skat.CARDS + 3 + 6 + 1
PAIRS = 66
SHAPES: Mapping[str, tuple[int, int]] = {
    "bid": (TEN_CARDS, LEVELS),
    "pickup": (AT_A_BID, 2),
    "declare_hand": (AT_A_BID, len(skat.HAND_DECLARATIONS)),
    "declare": (AT_A_BID, len(skat.PICKUP_DECLARATIONS)),
    "discard": (DISCARD_INPUTS, skat.CARDS),
    "suit": (COMPACT, skat.CARDS),
    "grand": (COMPACT, skat.CARDS),
    "null": (COMPACT, skat.CARDS),
}
"""Inputs and outputs of every network."""
FROM_HAND = len(skat.PICKUP_DECLARATIONS)


@dataclass(frozen=True)
class Policies:
    """The networks of all decision points."""

    networks: Mapping[str, Network]
    floor: float = FLOOR
    trusts: tuple[tuple[float, float], ...] = ()
    """Shares of the policy in what a player does, each with its chance before anything is seen; the floor if none."""

    def nothing(self, n: int) -> Floats:
        """[n] or [n, trusts]: log probabilities of nothing done yet."""
        return np.zeros((n, len(self.trusts)) if self.trusts else n)

    def believed(self, logs: Floats) -> Floats:
        """[n]: log probabilities of all that one player did, whatever his policy's share in it is."""
        if not self.trusts:
            return logs
        logs = logs + np.log([before for _, before in self.trusts])
        top = logs.max(axis=1)
        found: Floats = top + np.log(np.exp(logs - top[:, None]).sum(axis=1))
        return found

    def bids(self, ten: Ints, seat: int, low: int, high: int) -> Floats:
        """[n]: log probability that a seat's highest bid lies between two places in the list, both included."""
        chances = softmax(self.networks["bid"](ten_cards(ten, seat)))
        mass = chances[:, low + 1 : high + 2].sum(axis=1)
        return self._log(mass, (high - low + 1) / LEVELS)

    def pickup(self, ten: Ints, s: State) -> Floats:
        """[n]: log probability that the declarer took the skat, or did not, whichever he did."""
        chances = softmax(self.networks["pickup"](at_a_bid(ten, s)))
        return self._log(chances[:, int(s[DECLARED] >= FROM_HAND)], 0.5)

    def declares_from_hand(self, ten: Ints, s: State) -> Floats:
        """[n]: log probability of a declaration without the skat."""
        chances = self._declares("declare_hand", ten, s, FROM_HAND)
        return self._log(chances, 1.0 / len(skat.HAND_DECLARATIONS))

    def declares(self, twelve: Ints, s: State) -> Floats:
        """[n]: log probability of a declaration after the pick-up."""
        chances = self._declares("declare", twelve, s, 0)
        return self._log(chances, 1.0 / len(skat.PICKUP_DECLARATIONS))

    def discards(self, twelve: Ints, laid: Ints, s: State) -> Floats:
        """[n]: log probability of laying away two of twelve cards for what was declared."""
        kind = int(s[CONTRACT])
        scores = self.networks["discard"](discard_inputs(twelve, s))
        held = bits(twelve, kind)
        scores -= np.where(held > 0, scores, -np.inf).max(axis=1, keepdims=True)
        worth = np.exp(np.where(held > 0, scores, -np.inf)) * held
        total = worth.sum(axis=1)
        pairs = (total * total - (worth * worth).sum(axis=1)) / 2.0
        gone = bits(laid, kind)
        chosen = np.prod(np.where(gone > 0, worth, 1.0), axis=1)
        return self._log(chosen / np.maximum(pairs, 1e-12), 1.0 / PAIRS)

    def plays(self, hands: Ints, laid: Ints | None, kind: int, story: Sequence[Decision]) -> Floats:
        """[n]: log probability of all cards a seat has played, for the hands it may hold now.

        The first layer is summed once for the hands; what has left them since a decision, and what lay open then, is
        the same for all of them and is added as one row.
        """
        network = self.networks[KINDS[kind]]
        weights, biases = network.weights[0], network.biases[0]
        own = bits(hands, kind) @ weights[HAND]
        if laid is not None:
            own += bits(laid, kind) @ weights[LAID]
        total = self.nothing(len(hands))
        later = 0
        held = np.zeros(skat.CARDS, np.float32)
        for decision in reversed(story):
            later |= 1 << decision.card
            held[FRAME[kind + 1, decision.card]] = 1.0
            legal = legal_cards(hands | later, kind, decision.led)
            row = decision.public @ weights + held @ weights[HAND] + biases
            values = network.onward(own + row)
            total += self.chosen(values, bits(legal, kind) > 0, int(FRAME[kind + 1, decision.card]))
        return total

    def chosen(self, values: Singles, legal: Bools, place: int) -> Floats:
        """[n]: log probability of the card at one place of the frame."""
        return self._log(softmax(values, legal)[:, place], 1.0 / legal.sum(axis=1))

    def cards(self, observation: Singles, legal: Bools, kind: int) -> Floats:
        """[n, CARDS]: probabilities of the cards, in the frame, at full observations."""
        chances = softmax(self.networks[KINDS[kind]](observation), legal).astype(np.float64)
        return (1.0 - self.floor) * chances + self.floor * legal / legal.sum(axis=1, keepdims=True)

    def _declares(self, name: str, cards: Ints, s: State, first: int) -> Singles:
        inputs, outputs = at_a_bid(cards, s), SHAPES[name][1]
        legal = skat.DECLARED_VALUE[first : first + outputs] >= skat.BIDS[max(0, int(s[HIGH]))]
        chances = softmax(self.networks[name](inputs), np.broadcast_to(legal, (len(cards), outputs)))
        return chances[:, int(s[DECLARED]) - first]

    def _log(self, chances: Singles, uniform: float | NDArray[np.generic]) -> Floats:
        """[n] or [n, trusts]"""
        wide, even = chances.astype(np.float64), np.asarray(uniform, np.float64)
        if not self.trusts:
            return np.log((1.0 - self.floor) * wide + self.floor * even)
        share = np.array([share for share, _ in self.trusts])
        return np.log(wide[:, None] * share + np.broadcast_to(even, wide.shape)[:, None] * (1.0 - share))


def ten_cards(hands: Ints, seat: int) -> Singles:
    """[n, TEN_CARDS]: what the bidding network sees."""
    inputs = np.zeros((len(hands), TEN_CARDS), np.float32)
    inputs[:, : skat.CARDS] = bits(hands, -1)
    inputs[:, skat.CARDS + seat] = 1.0
    return inputs


def at_a_bid(cards: Ints, s: State) -> Singles:
    """[n, AT_A_BID]: what a declarer sees who has won the auction."""
    inputs = np.zeros((len(cards), AT_A_BID), np.float32)
    inputs[:, :TEN_CARDS] = ten_cards(cards, int(s[DECLARER]))
    inputs[:, TEN_CARDS + int(s[HIGH]) + 1] = 1.0
    return inputs


def discard_inputs(twelve: Ints, s: State) -> Singles:
    """[n, DISCARD_INPUTS]: what a declarer sees who knows which game he wants, in its frame."""
    kind = int(s[CONTRACT])
    inputs = np.zeros((len(twelve), DISCARD_INPUTS), np.float32)
    inputs[:, : skat.CARDS] = bits(twelve, kind)
    inputs[:, skat.CARDS + int(s[DECLARER])] = 1.0
    inputs[:, TEN_CARDS + kind] = 1.0
    inputs[:, -1] = s[DECLARED] == skat.NULL + 1  # null ouvert stands after null
    return inputs


def read_policies(
    folder: Path | None = None, floor: float = FLOOR, trusts: tuple[tuple[float, float], ...] = ()
) -> Policies:
    """The networks in a folder, or those that come with kibitz."""
    return Policies(_read(folder or shipped_folder() / FOLDER), floor, trusts)


@cache
def _read(folder: Path) -> Mapping[str, Network]:
    return {name: load_network(folder / f"{name}.npz", *shape) for name, shape in SHAPES.items()}
