"""Three small networks that say what a Skat contract promises the declarer: one for suit games, one for grand, one for
null.

They see the ten cards that are played, the two that are laid away (none in a hand game), and where the declarer sits;
suits that can be exchanged stand in order of length. They were learned from contracts that were played out
(`call_learning`). Weights are plain arrays, so no learning library is needed to play.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from kibitz.core.bits import lowest, popcount
from kibitz.core.errors import BadInput
from kibitz.core.jit import kernel, loop
from kibitz.core.shapes import Floats, Ints, Singles
from kibitz.core.shipped import shipped_folder
from kibitz.games.skat import cards as skat
from kibitz.games.skat.scoring import matadors
from kibitz.search.network import Network, load_network

FOLDER = "skat-caller"
FAMILIES = ("suit", "grand", "null")
FAMILY = np.array([0, 0, 0, 0, 1, 2])
"""The network of every kind of game."""
_LAID, _SEAT, _HAND, _OPEN = 32, 64, 67, 68
INPUTS = 69
WIN, SCHNEIDER = 0, 1
OUTPUTS = 2
"""Log-odds that the declarer wins, and that he takes 90 points; the latter means nothing in null."""
CALIBRATION = np.array([[-0.79, 0.95], [-0.64, 0.86], [-1.13, 1.54], [-1.77, 1.18]])
"""float[suit game, grand, null, null ouvert; constant, factor]: what searching players make of the log-odds to win,
which were learned from the play of the rule-based one (`calibration`)."""
WEAK_DEFENCE = np.array([[-0.16, 0.94], [-0.56, 1.09], [-0.20, 0.93], [-1.77, 1.18]])
"""The same against defenders to whom all worlds are alike."""
NULLS = 2
"""The first row of nulls."""
PAIRS = 66
PLAIN_CARDS = 127
"""A suit's cards without the jack."""
WON, LOST = 50.0, 130.0
"""Tournament points besides the value of a game, and besides twice the value of a lost one (10.2)."""
TOO_LOW = -1e4
"""The gain of a null that the bid forbids."""


@kernel
def look(kept: int, laid: int, kind: int, announced: int, seat: int, out: Singles) -> None:
    """Write what a network sees of a contract."""
    out[:] = 0.0
    is_null = kind == skat.NULL
    for suit in range(4):
        place = 0
        if suit != kind:
            for other in range(4):
                if other == kind or _before(kept, laid, other, suit, is_null):
                    place += 1
        for part in range(2):
            left = (laid if part else kept) & skat.SUIT[suit]
            while left:
                card = lowest(left)
                left &= left - 1
                rank = skat.NULL_RANK[card] if is_null else card & 7
                row = suit if rank == skat.JACK and not is_null else place
                out[_LAID * part + 8 * row + rank] = 1.0
    out[_SEAT + seat] = 1.0
    out[_HAND] = announced & skat.HAND
    out[_OPEN] = announced & skat.OUVERT != 0


@kernel
def _before(kept: int, laid: int, suit: int, other: int, is_null: bool) -> bool:
    """Whether a suit stands before another: the longer one first, equal lengths by their cards."""
    mine, theirs = _weight(kept, laid, suit, is_null), _weight(kept, laid, other, is_null)
    return bool(mine > theirs or (mine == theirs and suit < other))


@kernel
def _weight(kept: int, laid: int, suit: int, is_null: bool) -> int:
    some = 255 if is_null else PLAIN_CARDS
    cards, gone = kept >> 8 * suit & some, laid >> 8 * suit & some
    return popcount(cards) << 16 | cards << 8 | gone


@loop
def look_rows(kept: Ints, laid: Ints, declared: Ints, seats: Ints, out: Singles) -> None:
    """What a network sees of many contracts."""
    for row in range(len(kept)):
        k = declared[row]
        look(kept[row], laid[row], skat.DECLARED_KIND[k], skat.ANNOUNCED[k], seats[row], out[row])


@kernel
def pairs_of(cards: int, laid: int, out: Ints) -> int:
    """The pairs of twelve cards that may be laid away; `laid` are those laid already, the lower of a pair first."""
    count = 0
    for first in range(skat.CARDS - 1):
        for second in range(first + 1, skat.CARDS):
            pair = 1 << first | 1 << second
            if cards & pair == pair and pair & laid == laid and (laid == 0 or laid >> first & 1):
                out[count] = pair
                count += 1
    return count


@kernel
def value_of(declaration: int, run: int) -> int:
    """What a contract with these matadors is worth when it is won with 61 points, or without a trick (7.2, 7.5)."""
    kind = skat.DECLARED_KIND[declaration]
    if kind == skat.NULL:
        return skat.DECLARED_VALUE[declaration]
    return skat.BASE[kind] * (abs(run) + 1 + popcount(skat.ANNOUNCED[declaration]))


@kernel
def gain(wins: float, schneiders: float, declaration: int, run: int, bid: int) -> float:
    """Tournament points expected at a bid from a contract with these chances and matadors."""
    kind = skat.DECLARED_KIND[declaration]
    if kind == skat.NULL:
        value = skat.DECLARED_VALUE[declaration]
        return wins * (value + WON) - (1.0 - wins) * (2.0 * value + LOST) if value >= bid else TOO_LOW
    base, value = skat.BASE[kind], value_of(declaration, run)
    if value >= bid:
        return wins * (value + WON) + schneiders * base - (1.0 - wins) * (2.0 * value + LOST)
    charged = (bid + base - 1) // base * base
    if value + base < bid:
        schneiders = 0.0
    return schneiders * (charged + WON) - (1.0 - schneiders) * (2.0 * charged + LOST)


@kernel
def hand_gain(wins: float, schneiders: float, declaration: int, ten: int, bid: int) -> float:
    """The same for a hand game: the matadors depend on the skat, the mean over all skats that can be."""
    total, count = 0.0, 0
    for first in range(skat.CARDS - 1):
        for second in range(first + 1, skat.CARDS):
            pair = 1 << first | 1 << second
            if ten & pair == 0:
                run = matadors(ten | pair, skat.DECLARED_KIND[declaration])
                total += gain(wins, schneiders, declaration, run, bid)
                count += 1
    return total / count


def sort_of(declared: Ints) -> Ints:
    """[n]: the rows of CALIBRATION."""
    return FAMILY[skat.DECLARED_KIND[declared]] + (skat.ANNOUNCED[declared] & skat.OUVERT > 0)


@dataclass(frozen=True)
class Judge:
    """The three networks."""

    networks: Sequence[Network]
    calibration: Floats = field(default_factory=lambda: CALIBRATION)

    def chances(self, kept: Ints, laid: Ints, declared: Ints, seats: Ints) -> Floats:
        """[n, OUTPUTS]: the chance to win, and the chance to win with 90 points, of contracts."""
        rows = np.empty((len(kept), INPUTS), np.float32)
        look_rows(kept, laid, declared, seats, rows)
        family = FAMILY[skat.DECLARED_KIND[declared]]
        found = np.empty((len(kept), OUTPUTS), np.float32)
        for k, network in enumerate(self.networks):
            found[family == k] = network(rows[family == k])
        row = self.calibration[sort_of(declared)]
        found[:, WIN] = row[:, 0] + row[:, 1] * found[:, WIN]
        chances: Floats = 1.0 / (1.0 + np.exp(-found.astype(np.float64)))
        chances[:, SCHNEIDER] = np.minimum(chances[:, SCHNEIDER], chances[:, WIN])
        return chances


def read_judge(folder: Path | None = None) -> Judge:
    """The networks in a folder, or those that come with kibitz."""
    place = folder or shipped_folder() / FOLDER
    if not place.is_dir():
        raise BadInput(f"there is no folder {place} with networks to call with")
    return Judge([load_network(place / f"{name}.npz", INPUTS, OUTPUTS) for name in FAMILIES])
