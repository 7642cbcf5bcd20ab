"""Means with their errors, comparisons, and tallies that do not care how the games were shared out.

SciPy is imported inside the functions that need it: a second of start-up is too much for a command that prints a list.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kibitz.core.errors import BadInput
from kibitz.core.rng import generator

CONFIDENCE = 0.95
LOOKS = 5  # five looks at 95 % together mean 99 % at each
FEWEST = 100  # below this many values a standard error is itself too uncertain to stop on
CAUTION = (
    2  # deals; with 1 the intervals of ten deals still covered too little, with 4 they were a third wider than needed
)
EXACT_INT = 2**62


def error_decimals(error: float) -> int:
    """Return how many decimals an error deserves: two digits if they begin with 10 to 35, else one.

    This is the rounding rule of the Particle Data Group; the mean is printed to the same decimal.
    """
    if not math.isfinite(error) or error <= 0:
        return 4
    exponent = math.floor(math.log10(error))
    return max(0, (1 if error < 3.55 * 10.0**exponent else 0) - exponent)


class Bounded:
    """What has a 95 % interval."""

    def interval(self) -> tuple[float, float]:
        """Both ends of it."""
        raise NotImplementedError

    @property
    def low(self) -> float:
        """Lower end of the 95 % interval."""
        return self.interval()[0]

    @property
    def high(self) -> float:
        """Upper end of the 95 % interval."""
        return self.interval()[1]


@dataclass(frozen=True)
class Score(Bounded):
    """A mean with its standard error over n independent values (games, deals, seeds).

    `low` and `high` are the 95 % Student interval. One value alone has no error: `se` is then nan.
    """

    mean: float
    se: float
    n: int
    unit: str = "game"

    def interval(self, confidence: float = CONFIDENCE) -> tuple[float, float]:
        """Return the Student interval for the mean."""
        from scipy.special import stdtrit

        if self.n < 2:
            return math.nan, math.nan
        reach = self.se * float(stdtrit(self.n - 1, 0.5 + confidence / 2))
        return self.mean - reach, self.mean + reach

    @property
    def short(self) -> str:
        """The mean and its standard error, without unit and count."""
        if math.isnan(self.se):
            return f"{self.mean:+.4g} ± ?"
        if self.se == 0:
            return f"{self.mean:+.4g} ± 0" if abs(self.mean) < 1e4 else f"{self.mean:+.0f} ± 0"
        decimals = error_decimals(self.se)
        return f"{self.mean:+.{decimals}f} ± {self.se:.{decimals}f}"

    def __str__(self) -> str:
        return f"{self.short} per {self.unit} (n={self.n})"


@dataclass(frozen=True)
class WinRate(Bounded):
    """Wins out of games; a draw may count half. `low` and `high` are the 95 % Wilson interval.

    Partners win together, and a deal comes up in several seatings: such games are not independent. `effect` is how many
    times larger they make the variance of the rate, and `deals` how many deals that was estimated from; see `win_rate`.
    """

    wins: float
    games: int
    effect: float = 1.0
    deals: int = 0
    """0 where every game stands alone."""

    def __post_init__(self) -> None:
        if not 0 <= self.wins <= self.games:
            raise BadInput(f"{self.wins} wins in {self.games} games: wins must lie between 0 and the number of games")
        if not 0 < self.effect < math.inf or self.deals < 0:
            raise BadInput(f"an effect of {self.effect} over {self.deals} deals is not possible: both are above 0")

    @property
    def rate(self) -> float:
        """Wins per game, nan without games."""
        return self.wins / self.games if self.games else math.nan

    @property
    def se(self) -> float:
        """Standard error of the rate."""
        return math.sqrt(self.rate * (1 - self.rate) * self.effect / self.games) if self.games else math.nan

    def interval(self, confidence: float = CONFIDENCE) -> tuple[float, float]:
        """Return the Wilson interval for the rate, with as many games as would say as much if they were independent.

        SciPy's refuses the half wins that draws give. Where the effect was estimated, Student's quantile pays for that.
        """
        from scipy.special import ndtri, stdtrit

        if not self.games:
            return 0.0, 1.0
        tail = 0.5 + confidence / 2
        z2 = float(stdtrit(self.deals - 1, tail) if self.deals > 1 else ndtri(tail)) ** 2
        n, p = self.games / self.effect, self.rate
        centre = (p + z2 / (2 * n)) / (1 + z2 / n)
        reach = math.sqrt(z2 * (p * (1 - p) / n + z2 / (4 * n * n))) / (1 + z2 / n)
        # At the ends the formula is exactly 0 or 1, but rounding is not.
        return (0.0 if self.wins == 0 else centre - reach), (1.0 if self.wins == self.games else centre + reach)

    @property
    def short(self) -> str:
        """The rate in per cent with its 95 % interval, without the count."""
        if not self.games:
            return "no games"
        low, high = (100 * end for end in self.interval())
        decimals = error_decimals((high - low) / 4)
        return f"{100 * self.rate:.{decimals}f} % [{low:.{decimals}f}, {high:.{decimals}f}]"

    def __str__(self) -> str:
        return f"{self.short} (n={self.games})"


Measured = Score | WinRate


def score(values: ArrayLike, unit: str = "game") -> Score:
    """Return the mean of the values with its standard error."""
    sample = _sample(values)
    se = float(sample.std(ddof=1)) / math.sqrt(sample.size) if sample.size > 1 else math.nan
    return Score(float(sample.mean()), se, sample.size, unit)


def win_rate(wins: ArrayLike, games: ArrayLike) -> WinRate:
    """Return the rate of `wins[n]` out of `games[n]` seats and games in n deals; a deal counts as one observation.

    The effect is the variance of this ratio over deals as a multiple of what independent games would give (Kish's
    design effect). Deals that happen to agree would make it vanish: it is taken as if in CAUTION further deals all
    games had been won or lost together, which is also what is assumed where every game was won or every game lost.
    """
    won, played = (np.asarray(column, dtype=np.float64) for column in (wins, games))
    total, deals = float(played.sum()), int(np.count_nonzero(played))
    if not deals:
        return WinRate(0, 0)
    rate = float(won.sum()) / total
    effect = together = float(played @ played) / total
    alone = rate * (1 - rate) * total  # the sum of squares below, if games were independent
    if deals > 1 and alone:
        rest = won - rate * played
        seen = float(rest @ rest) * deals / (deals - 1) / alone
        effect = (deals * seen + CAUTION * together) / (deals + CAUTION)
    return WinRate(int(won.sum()) if (won == np.rint(won)).all() else float(won.sum()), int(total), effect, deals)


@dataclass(frozen=True)
class Comparison:
    """The mean paired difference and the probability of one at least as large if there were none."""

    difference: Score
    t: float
    p: float

    def __str__(self) -> str:
        return f"{self.difference}, p {'< 1e-300' if self.p == 0.0 else f'= {self.p:.2g}'}"


def paired(ours: ArrayLike, theirs: ArrayLike, unit: str = "deal") -> Comparison:
    """Compare two results on the same deals by Student's paired t-test, two-sided."""
    from scipy.special import stdtr  # scipy.stats would take a second to import

    first, second = _sample(ours), _sample(theirs)
    if first.size != second.size:
        raise BadInput(f"{first.size} and {second.size} values cannot be paired: play the same deals with both")
    difference = score(first - second, unit)
    if difference.se == 0:  # two bots that never differ, or always by the same amount
        t = z_score(difference, 0.0)
        return Comparison(difference, t, 0.0 if t else 1.0)
    t = z_score(difference, 0.0)
    return Comparison(difference, t, float(2 * stdtr(difference.n - 1, -abs(t))))


def bootstrap(
    *columns: ArrayLike,
    statistic: Callable[..., Any] = np.mean,
    seed: int = 1,
    confidence: float = CONFIDENCE,
    resamples: int = 9999,
) -> tuple[float, float]:
    """Return a bootstrap interval for any statistic of one or more columns resampled together.

    The statistic gets the columns and `axis`. Up to 5000 rows the interval is bias-corrected and accelerated;
    above, where the correction is negligible and costs n² steps, it is the percentile interval.
    """
    from scipy import stats

    data = [_sample(column) for column in columns]
    rows = data[0].size
    if any(column.size != rows for column in data):
        raise BadInput("the columns of a bootstrap must have the same length: they are resampled together")
    methods = ("BCa", "percentile") if rows <= 5000 else ("percentile",)
    for method in methods:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")  # a statistic that never varies has no BCa interval: the next one serves
            answer = stats.bootstrap(
                data,
                statistic,
                n_resamples=resamples,
                batch=max(1, 2**22 // rows),  # all resamples at once would be resamples × rows numbers
                vectorized=True,
                paired=len(data) > 1,
                confidence_level=confidence,
                method=method,
                rng=generator(seed, "bootstrap"),
            ).confidence_interval
        if math.isfinite(answer.low + answer.high):
            break
    return float(answer.low), float(answer.high)


def narrow_enough(score: Measured, width: float, looks: int = LOOKS) -> bool:
    """Say whether the interval, as honest as `looks` looks make it, is no wider than `width`.

    Who looks at a running match several times and stops when he likes what he sees is wrong more often than 5 % of
    the time. Here every look is taken at confidence 1 - 5 % / looks (Bonferroni), so that whatever the rule for
    stopping, all intervals seen cover the truth together with 95 %; give the greatest number of times you will ask.
    Fewer than 100 values are never enough. Stopping on width rather than on a sign keeps even the plain 95 %
    interval reported afterwards close to honest; stopping "as soon as it is significant" does not.
    """
    n = score.n if isinstance(score, Score) else score.games
    low, high = score.interval(1 - (1 - CONFIDENCE) / looks)
    return n >= FEWEST and high - low <= width


def holm(p_values: ArrayLike) -> NDArray[np.float64]:
    """Return the p-values corrected for having made that many tests (Holm 1979), in the order given."""
    p = _sample(p_values)
    order = np.argsort(p, kind="stable")
    stepped = np.maximum.accumulate(p[order] * np.arange(p.size, 0, -1))
    corrected = np.empty_like(p)
    corrected[order] = np.minimum(stepped, 1.0)
    return corrected


def combined_se(*errors: float) -> float:
    """Return the standard error of a sum or difference of independent values."""
    return math.hypot(*errors)


def z_score(ours: Measured | float, published: float, published_se: float = 0.0) -> float:
    """Return how many combined standard errors ours lies above the published value.

    A win rate is compared as a fraction. Without any error the answer is 0 for equal values and infinite otherwise.
    """
    mean, se = (float(ours), 0.0) if not isinstance(ours, Score | WinRate) else (centre(ours), ours.se)
    gap, error = mean - published, combined_se(se, published_se)
    if error == 0:
        return math.copysign(math.inf, gap) if gap else 0.0
    return gap / error


def centre(measured: Measured) -> float:
    """Return the mean or the rate."""
    return measured.mean if isinstance(measured, Score) else measured.rate


@dataclass(frozen=True)
class Tally:
    """Count, sums and sums of squares per seat, as exact fractions: shards merge to the same bytes in any split."""

    count: int
    sums: tuple[Fraction, ...]
    squares: tuple[Fraction, ...]

    @classmethod
    def of(cls, returns: ArrayLike) -> Tally:
        """Tally `returns[n, seats]`."""
        table = np.asarray(returns, dtype=np.float64)
        if table.ndim != 2 or not np.isfinite(table).all():
            raise BadInput(f"a tally wants finite returns[n, seats], not an array of shape {table.shape}")
        pairs = [_exact_sums(column) for column in table.T]
        return cls(len(table), tuple(total for total, _ in pairs), tuple(square for _, square in pairs))

    @classmethod
    def merged(cls, shards: Iterable[Tally]) -> Tally:
        """Add up shards, in any order."""
        first, *rest = shards
        return sum(rest, first)

    def __add__(self, other: Tally) -> Tally:
        if len(self.sums) != len(other.sums):
            raise BadInput(f"tallies of {len(self.sums)} and of {len(other.sums)} seats cannot be merged")
        sums = tuple(a + b for a, b in zip(self.sums, other.sums, strict=True))
        squares = tuple(a + b for a, b in zip(self.squares, other.squares, strict=True))
        return Tally(self.count + other.count, sums, squares)

    def score(self, seat: int, unit: str = "game") -> Score:
        """Return the mean of one seat with its standard error."""
        if not self.count:
            raise BadInput("an empty tally has no mean: play at least one game")
        mean = self.sums[seat] / self.count
        if self.count == 1:
            return Score(float(mean), math.nan, 1, unit)
        variance = (self.squares[seat] - self.sums[seat] * mean) / (self.count - 1)
        return Score(float(mean), math.sqrt(variance / self.count), self.count, unit)


def _exact_sums(column: NDArray[np.float64]) -> tuple[Fraction, Fraction]:
    """Return the sum and the sum of squares of floats without any rounding."""
    largest = float(np.abs(column).max(initial=0.0))
    if largest**2 * column.size < EXACT_INT and (column == np.rint(column)).all():
        whole = column.astype(np.int64)
        return Fraction(int(whole.sum())), Fraction(int(whole @ whole))
    mantissa, exponent = np.frexp(column)
    lowest = int(exponent.min()) - 53
    # Every float is a 53-bit integer times a power of two; Python's integers hold the rest.
    scaled = [int(m) << int(e) for m, e in zip(mantissa * 2.0**53, exponent - 53 - lowest, strict=True)]
    unit = Fraction(2) ** lowest
    return sum(scaled) * unit, sum(value * value for value in scaled) * unit**2


def _sample(values: ArrayLike) -> NDArray[np.float64]:
    """Return the values as one flat array of at least one finite number."""
    sample = np.asarray(values, dtype=np.float64)
    if sample.ndim != 1 or not sample.size or not np.isfinite(sample).all():
        raise BadInput(f"wanted a flat list of finite numbers, not an array of shape {sample.shape}")
    return sample
