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

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from kibitz.core.bits import lowest, popcount
from kibitz.core.game import State
from kibitz.core.jit import loop
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
ROWS = 512
"""Hands that a network is asked about at once."""
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

    @property
    def shares(self) -> tuple[float, ...]:
        """What share a policy may have in what a player does."""
        return tuple(share for share, _ in self.trusts) or (1.0 - self.floor,)

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
        mass = np.empty(len(ten), np.float32)
        for rows in few_at_a_time(len(ten)):
            chances = softmax(self.networks["bid"](ten_cards(ten[rows], seat)))
            mass[rows] = chances[:, low + 1 : high + 2].sum(axis=1)
        return self._log(mass, (high - low + 1) / LEVELS)

    def pickup(self, ten: Ints, s: State) -> Floats:
        """[n]: log probability that the declarer took the skat, or did not, whichever he did."""
        taken = np.empty(len(ten), np.float32)
        for rows in few_at_a_time(len(ten)):
            taken[rows] = softmax(self.networks["pickup"](at_a_bid(ten[rows], s)))[:, int(s[DECLARED] >= FROM_HAND)]
        return self._log(taken, 0.5)

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
        chances = np.empty(len(twelve))
        for rows in few_at_a_time(len(twelve)):
            scores = self.networks["discard"](discard_inputs(twelve[rows], s))
            write_pairs(scores, twelve[rows], laid[rows], FRAME[int(s[CONTRACT]) + 1], chances[rows])
        return self._log(chances, 1.0 / PAIRS)

    def plays(self, hands: Ints, laid: Ints | None, kind: int, story: Sequence[Decision]) -> Floats:
        """[n]: log probability of all cards a seat has played, for the hands it may hold now.

        The first layer is summed once for the hands; what has left them since a decision, and what lay open then, is
        the same for all of them and is added as one row. Hands that left no choice are not asked.
        """
        network = self.networks[KINDS[kind]]
        weights, frame = network.weights[0], FRAME[kind + 1]
        told: list[tuple[Decision, int, Singles]] = []
        later, held = 0, np.zeros(skat.CARDS, np.float32)
        for decision in reversed(story):
            later |= 1 << decision.card
            held[frame[decision.card]] = 1.0
            told.append((decision, later, decision.public @ weights + held @ weights[HAND] + network.biases[0]))
        total = self.nothing(len(hands))
        chances, even = np.empty(ROWS), np.empty(ROWS)
        for rows in few_at_a_time(len(hands)):
            own = bits(hands[rows], kind) @ weights[HAND]
            if laid is not None:
                own += bits(laid[rows], kind) @ weights[LAID]
            sums = total[rows]
            for decision, later, row in told:
                legal = legal_cards(hands[rows] | later, kind, decision.led)
                free = np.flatnonzero(legal != 1 << decision.card)
                if n := len(free):
                    values = network.onward((own if n == len(own) else own[free]) + row)
                    write_chosen(values, legal[free], frame, decision.card, chances, even)
                    sums[free] += self._log(chances[:n], even[:n])
        return total

    def cards(self, observation: Singles, legal: Bools, kind: int) -> Floats:
        """[n, CARDS]: probabilities of the cards, in the frame, at full observations."""
        chances = softmax(self.networks[KINDS[kind]](observation), legal).astype(np.float64)
        return (1.0 - self.floor) * chances + self.floor * legal / legal.sum(axis=1, keepdims=True)

    def _declares(self, name: str, cards: Ints, s: State, first: int) -> Singles:
        outputs, chances = SHAPES[name][1], np.empty(len(cards), np.float32)
        legal = skat.DECLARED_VALUE[first : first + outputs] >= skat.BIDS[max(0, int(s[HIGH]))]
        for rows in few_at_a_time(len(cards)):
            values = self.networks[name](at_a_bid(cards[rows], s))
            chances[rows] = softmax(values, np.broadcast_to(legal, values.shape))[:, int(s[DECLARED]) - first]
        return chances

    def _log(self, chances: Singles | Floats, uniform: float | NDArray[np.generic]) -> Floats:
        """[n] or [n, trusts]"""
        wide, even = chances.astype(np.float64), np.asarray(uniform, np.float64)
        if not self.trusts:
            return np.log((1.0 - self.floor) * wide + self.floor * even)
        out = np.empty((len(wide), len(self.trusts)))
        for k, share in enumerate(self.shares):
            out[:, k] = share * wide + (1.0 - share) * even
        return np.log(out, out=out)


def few_at_a_time(n: int) -> Iterator[slice]:
    """Rows whose values stay in the processor's cache from layer to layer."""
    for start in range(0, n, ROWS):
        yield slice(start, min(start + ROWS, n))


@loop
def write_chosen(values: Singles, legal: Ints, frame: Ints, card: int, chances: Floats, even: Floats) -> None:
    """Row by row the probability of one card among the legal ones, and what it is if all are alike."""
    for row in range(len(values)):
        cards, chosen, total = legal[row], values[row, frame[card]], 0.0
        even[row] = 1.0 / popcount(cards)
        chances[row] = 0.0
        if cards >> card & 1:
            while cards:
                total += np.exp(float(values[row, frame[lowest(cards)]] - chosen))
                cards &= cards - 1
            chances[row] = 1.0 / total


@loop
def write_pairs(scores: Singles, twelve: Ints, laid: Ints, frame: Ints, chances: Floats) -> None:
    """Row by row the probability of a pair, which has the product of two scores as its weight among all pairs."""
    for row in range(len(scores)):
        top = -np.inf
        cards = twelve[row]
        while cards:
            top = max(top, scores[row, frame[lowest(cards)]])
            cards &= cards - 1
        total = squares = 0.0
        chosen = 1.0
        cards = twelve[row]
        while cards:
            card = lowest(cards)
            worth = np.exp(float(scores[row, frame[card]] - top))
            total += worth
            squares += worth * worth
            if laid[row] >> card & 1:
                chosen *= worth
            cards &= cards - 1
        chances[row] = chosen / max((total * total - squares) / 2.0, 1e-12)


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
