"""Coinche: the metrics of PLAYERS.md chapter 5, added up deal by deal and given with their counts and errors."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from kibitz.core.game import State
from kibitz.core.jit import kernel
from kibitz.core.shapes import Floats
from kibitz.games.belotes import side_points
from kibitz.games.coinche import layout as at
from kibitz.games.coinche.scoring import NORMAL, card_points, is_made, is_void, reward_of

NAMES = (
    "attack_rate", "attack_rate_all", "void_rate", "reward_attacker", "reward_defender", "reward_mean",
    "reward_attacker_shaped", "reward_defender_shaped", "reward_mean_shaped", "success_attacker", "success_defender",
    "bid_precision", "bid_precision_all", "contract_value", "capot_rate", "coinche_rate", "coinched_rate",
    "surcoinche_rate", "surcoinched_rate", "coinche_success", "surcoinche_success", "table_turns", "episode_actions",
)  # fmt: skip
(
    ATTACK, ATTACK_ALL, VOID, REWARD_ATTACK, REWARD_DEFENCE, REWARD_MEAN, SHAPED_ATTACK, SHAPED_DEFENCE, SHAPED_MEAN,
    MADE, BROKEN, PRECISION, PRECISION_ALL, CONTRACT_VALUE, CAPOT_BID, COINCHES, COINCHED_BY_THEM, SURCOINCHES,
    SURCOINCHED_BY_THEM, COINCHE_WON, SURCOINCHE_WON, TABLE_TURNS, EPISODE,
) = range(len(NAMES))  # fmt: skip
RATES = {name for name in NAMES if "rate" in name or "success" in name}
WEIGHT = 0.1  # of a trick's points in the shaped reward (rule 8.7)
CELLS = 3  # count, sum, sum of squares
TALLIES = 2 * CELLS * len(NAMES)
Z = 1.959963984540054  # two-sided 95 %


@kernel
def _add(counts: Floats, side: int, metric: int, value: float) -> None:
    place = CELLS * (side * len(NAMES) + metric)
    counts[place] += 1.0
    counts[place + 1] += value
    counts[place + 2] += value * value


@kernel
def tally(s: State, counts: Floats) -> None:
    """Add a deal that is over to the metrics of both sides."""
    void = is_void(s)
    for side in range(2):
        reward = reward_of(s, side)
        shaped = reward + WEIGHT * card_points(s, side) / (NORMAL if s[at.NORMALISE] else 1.0)
        _add(counts, side, VOID, 1.0 if void else 0.0)
        _add(counts, side, REWARD_MEAN, reward)
        _add(counts, side, SHAPED_MEAN, shaped)
        _add(counts, side, TABLE_TURNS, (s[at.CALLED] + 3) // 4 + s[at.DONE])
        _add(counts, side, EPISODE, s[at.MOVES])
        if void:
            _add(counts, side, ATTACK_ALL, 0.0)
            continue
        attacks = s[at.DECLARER] % 2 == side
        _add(counts, side, ATTACK, 1.0 if attacks else 0.0)
        _add(counts, side, ATTACK_ALL, 1.0 if attacks else 0.0)
        if attacks:
            _add_attack(s, side, reward, shaped, counts)
        else:
            _add(counts, side, REWARD_DEFENCE, reward)
            _add(counts, side, SHAPED_DEFENCE, shaped)
            _add(counts, side, BROKEN, 0.0 if is_made(s) else 1.0)
        _add_coinche(s, side, counts)


@kernel
def _add_attack(s: State, side: int, reward: float, shaped: float, counts: Floats) -> None:
    points = side_points(s, side) if s[at.VALUE] >= at.CAPOT else card_points(s, side)
    miss = abs(s[at.VALUE] - points - s[at.BELOTES + side])
    _add(counts, side, REWARD_ATTACK, reward)
    _add(counts, side, SHAPED_ATTACK, shaped)
    _add(counts, side, MADE, 1.0 if is_made(s) else 0.0)
    _add(counts, side, PRECISION_ALL, miss)
    if s[at.COINCHED] == 0:
        _add(counts, side, PRECISION, miss)
    _add(counts, side, CONTRACT_VALUE, s[at.VALUE])
    _add(counts, side, CAPOT_BID, 1.0 if s[at.VALUE] == at.CAPOT else 0.0)


@kernel
def _add_coinche(s: State, side: int, counts: Floats) -> None:
    by_us = s[at.COINCHED] > 0 and s[at.COINCHER] % 2 == side
    by_them = s[at.COINCHED] > 0 and s[at.COINCHER] % 2 != side
    again = s[at.COINCHED] == 2
    if s[at.BIDDER] % 2 == side:
        _add(counts, side, COINCHED_BY_THEM, 1.0 if by_them else 0.0)
        if s[at.COINCHED] > 0:
            _add(counts, side, SURCOINCHES, 1.0 if again and s[at.SURCOINCHER] % 2 == side else 0.0)
    else:
        _add(counts, side, COINCHES, 1.0 if by_us else 0.0)
        if s[at.COINCHED] > 0:
            _add(counts, side, SURCOINCHED_BY_THEM, 1.0 if again and s[at.SURCOINCHER] % 2 != side else 0.0)
    if by_us:
        _add(counts, side, COINCHE_WON, 0.0 if is_made(s) else 1.0)
    if again and s[at.SURCOINCHER] % 2 == side:
        _add(counts, side, SURCOINCHE_WON, 1.0 if is_made(s) else 0.0)


@dataclass(frozen=True)
class Measure:
    """The mean of one metric over n deals with its standard error; nan where there is nothing to tell."""

    mean: float
    se: float
    n: int
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.mean:.4g} ± {self.se:.2g} (n={self.n})" if self.n else "no deals"


class Metrics(dict[str, Measure]):
    """All metrics from the point of view of one side; made from the tallies of any number of deals.

    Tallies of several matches can be added before they are read.
    """

    def __init__(self, side: int, tallies: Floats) -> None:
        cells = tallies.reshape(2, len(NAMES), CELLS)[side]
        super().__init__({name: measure(*cells[k], is_rate=name in RATES) for k, name in enumerate(NAMES)})
        self.side = side

    def as_json(self) -> dict[str, Any]:
        """The means by name, then the counts, errors and 95 % intervals; null where no deal counts."""
        seats = [self.side, self.side + 2]
        return {"side": self.side, "seats": seats, **{name: _number(one.mean) for name, one in self.items()}} | {
            "n": {name: one.n for name, one in self.items()},
            "se": {name: _number(one.se) for name, one in self.items()},
            "interval": {name: [_number(one.low), _number(one.high)] for name, one in self.items()},
        }


def measure(count: float, total: float, squares: float, *, is_rate: bool = False) -> Measure:
    """Mean, standard error and 95 % interval (Wilson's for rates) from the three sums."""
    n = int(count)
    if not n:
        return Measure(math.nan, math.nan, 0, math.nan, math.nan)
    mean = total / n
    if is_rate:
        shrink = 1 + Z * Z / n
        reach = Z * math.sqrt(mean * (1 - mean) / n + Z * Z / (4 * n * n)) / shrink
        centre = (mean + Z * Z / (2 * n)) / shrink
        return Measure(mean, math.sqrt(mean * (1 - mean) / n), n, max(0.0, centre - reach), min(1.0, centre + reach))
    if n == 1:
        return Measure(mean, math.nan, 1, math.nan, math.nan)
    se = math.sqrt(max(0.0, squares - total * mean) / (n - 1) / n)
    return Measure(mean, se, n, mean - Z * se, mean + Z * se)


def _number(value: float) -> float | None:
    return None if math.isnan(value) else float(value)


def metrics(tallies: Floats) -> tuple[Metrics, Metrics]:
    """The metrics of both sides from the tallies of a run of deals."""
    return Metrics(0, tallies), Metrics(1, tallies)
