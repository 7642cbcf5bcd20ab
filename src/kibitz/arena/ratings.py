"""Bradley-Terry ratings of a pool of bots on the Elo scale, with errors."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from kibitz.core.errors import BadInput
from kibitz.core.shapes import Floats

ELO = 400 / math.log(10)  # Elo points for one unit of log-odds
Z95 = 1.959964  # standard errors on either side of a 95 % interval


@dataclass(frozen=True)
class Rating:
    """The Elo rating of one bot in its pool, whose mean is 0; `low` and `high` are the 95 % interval."""

    name: str
    elo: float
    se: float
    games: float

    @property
    def low(self) -> float:
        """Lower end of the 95 % interval."""
        return self.elo - Z95 * self.se

    @property
    def high(self) -> float:
        """Upper end of the 95 % interval."""
        return self.elo + Z95 * self.se

    def __str__(self) -> str:
        return f"{self.name} {self.elo:+.0f} ± {self.se:.0f} Elo"


@dataclass(frozen=True, eq=False)
class Pool:
    """Bots rated together: `ratings` best first, and what is needed to compare two of them."""

    ratings: tuple[Rating, ...]
    covariance: Floats  # [bots, bots] in the order of ratings, Elo²

    def gap(self, first: str, second: str) -> Rating:
        """Return by how much the first is better: its error is not that of two independent ratings."""
        names = [rating.name for rating in self.ratings]
        a, b = names.index(first), names.index(second)
        variance = self.covariance[a, a] + self.covariance[b, b] - 2 * self.covariance[a, b]
        elo = self.ratings[a].elo - self.ratings[b].elo
        return Rating(f"{first} - {second}", elo, math.sqrt(variance), self.ratings[a].games + self.ratings[b].games)


def elo(names: Sequence[str], wins: ArrayLike, prior: float = 0.0) -> Pool:
    """Rate a pool by the Bradley-Terry model from `wins[i, j]`, how often i beat j; a draw is half a win for both.

    Errors come from the curvature of the likelihood; many draws make them too large, never too small. A bot that
    won or lost everything has no finite rating: `prior` adds that many drawn games between every two bots.
    """
    won = np.asarray(wins, dtype=np.float64)
    if won.shape != (len(names), len(names)) or len(set(names)) < max(2, len(names)) or not (won >= 0).all():
        raise BadInput(f"wins of shape {won.shape} do not rate {len(names)} bots: one row and column per distinct name")
    won = won + prior / 2
    np.fill_diagonal(won, 0.0)
    _refuse_unbounded(names, won)
    strength = _likeliest(won)
    # The pseudo-inverse of the singular information is the covariance under "the ratings sum to zero".
    covariance = np.asarray(np.linalg.pinv(_information(strength, won), hermitian=True) * ELO**2, dtype=np.float64)
    rating = (strength - strength.mean()) * ELO
    games = (won + won.T).sum(axis=1) - prior * (len(names) - 1)
    best = np.argsort(-rating, kind="stable")
    rated = (Rating(names[i], float(rating[i]), math.sqrt(covariance[i, i]), float(games[i])) for i in best)
    return Pool(tuple(rated), covariance[np.ix_(best, best)])


def _likeliest(won: Floats) -> Floats:
    """Return the log-strengths under which these results are likeliest; the first bot's is 0."""
    from scipy.optimize import minimize

    played = won + won.T

    def full(free: Floats) -> Floats:
        return np.concatenate([[0.0], free])

    def loss(free: Floats) -> float:
        return float((won * np.logaddexp(0.0, -_leads(full(free)))).sum())

    def slope(free: Floats) -> Floats:
        return np.asarray((played * _chances(full(free)) - won).sum(axis=1)[1:])

    def curvature(free: Floats) -> Floats:
        return _information(full(free), won)[1:, 1:]

    exact = {"gtol": 1e-9 * float(played.sum())}
    fit = minimize(loss, np.zeros(len(won) - 1), jac=slope, hess=curvature, method="trust-exact", options=exact)
    return full(fit.x)


def _leads(strength: Floats) -> Floats:
    return np.asarray(strength[:, None] - strength[None, :])


def _chances(strength: Floats) -> Floats:
    """Return [i, j]: the probability that i beats j."""
    return np.asarray(np.exp(-np.logaddexp(0.0, -_leads(strength))))


def _information(strength: Floats, won: Floats) -> Floats:
    """Return the second derivative of the negative log-likelihood by the strengths."""
    p = _chances(strength)
    weight = (won + won.T) * p * (1 - p)
    return np.asarray(np.diag(weight.sum(axis=1)) - weight)


def _refuse_unbounded(names: Sequence[str], won: Floats) -> None:
    """Refuse a pool in which some bots never lost to the others: their ratings have no bound (Ford 1957)."""
    from scipy.sparse.csgraph import connected_components

    groups, member = connected_components(won > 0, directed=True, connection="strong")
    if groups > 1:
        smallest = min(range(groups), key=lambda group: int((member == group).sum()))
        who = ", ".join(name for name, group in zip(names, member, strict=True) if group == smallest)
        raise BadInput(f"{who} and the others have not both won and lost against each other: rate with prior=1")
