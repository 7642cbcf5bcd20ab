"""Cego: the benchmarks by random play (Table III) and the split into high and low cards (Figure 2)."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.arena.play import play, warm
from kibitz.arena.simulate import simulate
from kibitz.arena.statistics import Measured, Score, WinRate, centre, z_score
from kibitz.bots import make_bot
from kibitz.core.game import make
from kibitz.papers import charts, claims
from kibitz.papers.experiment import Asked, Cell, Claim, Figure, Published, Result, Scale, Table, experiment

GAMES = 1_000_000  # the paper's, per sub-game
QUICK = 200_000

TABLE_3: dict[str, tuple[float, float, float, float]] = {
    "standard": (40.795, 38.205, 38.205, 38.205),
    "solo": (48.996, 30.004, 30.004, 30.004),
    "ultimo": (8.42, 91.58, 91.58, 91.58),
    "bettel": (73.081, 26.919, 26.919, 26.919),
    "piccolo": (39.275, 60.725, 60.725, 60.725),
    "raeuber": (73.848, 74.839, 75.425, 75.887),
}
"""Points per game (standard, solo) or per cent of games won, by position."""
SPREAD = {"standard": 11.5, "solo": 9.6}
"""Standard deviation of one game's points under random play;
the paper prints no errors, its million games have these."""

HIGH_SHARE, LOW_SHARE = 0.8172, 0.1828
HIGH_CARDS, LOW_CARDS = 24, 30
LOW_LIMIT = 0.2
ROUNDED = 0.00015
"""Error of the published shares: a million games and four printed digits."""


@experiment("cego.table3")
def table3(scale: Scale) -> Result:
    """Play every sub-game at random and compare all positions with the paper's."""
    games = scale.pick(quick=QUICK, full=GAMES)
    rows: list[list[Cell]] = []
    speeds: list[list[Cell]] = []
    made: list[Claim] = []
    asked = [
        Asked(subgame, [make(f"cego-{subgame}"), games], partial(random_play, subgame, games, scale))
        for subgame in TABLE_3
    ]
    for subgame, found in zip(TABLE_3, scale.each(asked, "sub-games"), strict=True):
        outcome = Played(**found)
        for seat, value in enumerate(TABLE_3[subgame]):
            known, ours = published(subgame, value), measured(outcome, subgame, seat)
            rows.append([subgame, seat + 1, known, ours, f"{apart(ours, known):.1f}"])
            if value not in TABLE_3[subgame][:seat]:
                what = "points a game" if subgame in SPREAD else "games won"
                who = f"position {seat + 1}" if TABLE_3[subgame].count(value) == 1 else "positions 2 to 4"
                says = f"{titled(subgame)}, {who}: {what} of random players"
                made.append(claims.number(f"{subgame} {seat + 1}", says, known, ours))
        rate = games / outcome.seconds
        speeds.append([subgame, games, round(outcome.seconds, 2), round(rate)])
    columns = ["sub-game", "position", "published", "ours", "standard errors apart"]
    return Result(
        "Benchmarks by random play (Table III)",
        tables=[
            Table(f"Points per game or games won, {games:,} games per sub-game", columns, rows),
            Table("Time", ["sub-game", "games", "seconds", "games per second"], speeds),
        ],
        claims=made,
        notes=[
            "Standard and Solo: average points per game. The others: per cent of games won.",
            "The errors of the published values are those of a million games; the paper itself prints none.",
            "Positions 2 to 4 of the first five games share one result, so their rows repeat one comparison.",
            "Restricted deals are drawn directly from the hands that qualify; no deal is thrown in except in Standard.",
        ],
    )


@experiment("cego.figure2")
def figure2(scale: Scale) -> Result:
    """Count which cards win the tricks of unrestricted random games and split the deck as the paper does."""
    games = scale.pick(quick=QUICK, full=GAMES)
    settings = [make("cego-raeuber"), games]
    wins = np.array(scale.piece("tricks won by each card", settings, partial(card_wins, games, scale)))
    shares = wins / wins.sum()
    order = np.argsort(-shares, kind="stable")
    low = low_cards(shares)
    names = make("cego-raeuber").words.ACTION_WORDS
    low_share, wanted = float(shares[low].sum()), paper_low_cards()
    error = share_error(low_share, games)
    high, share = Published(HIGH_CARDS), Score(low_share, error, 11 * games, "trick")
    made = [
        claims.number("high cards", "Number of high cards", high, 54 - len(low), tolerance=0),
        claims.number("low cards", "Number of low cards", Published(LOW_CARDS), len(low), tolerance=0),
        claims.number("high share", "Tricks won by high cards", Published(HIGH_SHARE, ROUNDED),
            replace(share, mean=1 - low_share)),
        claims.number("low share", "Tricks won by low cards", Published(LOW_SHARE, ROUNDED), share),
        claims.sentence(
            "rule", "Which cards are low (rule 4.4)", "below the queens, trumps 1 to 6",
            "the same" if set(low) == wanted else "others", set(low) == wanted,
        ),
    ]  # fmt: skip
    ranking: list[list[Cell]] = [
        [place + 1, names[card], round(float(shares[card]), 5), "low" if card in set(low) else "high"]
        for place, card in enumerate(order)
    ]
    return Result(
        "High and low cards (Figure 2)",
        tables=[
            Table("Cards by the share of all tricks they win", ["place", "card", "share", "class"], ranking),
        ],
        figures=[
            Figure(
                "Share of all tricks won by each card, in descending order",
                chart=charts.bars(
                    shares[order],
                    54 - len(low),
                    (f"{54 - len(low)} high cards", f"{len(low)} low cards"),
                    "place",
                    "tricks",
                ),
            )
        ],
        claims=made,
        notes=[
            "Low cards: the largest set of cards that together win less than 20 % of all tricks.",
            "Deals are unrestricted and all eleven tricks are played (the sub-game raeuber).",
            f"{games:,} random games; errors of the shares are those of both samples, the published rounding included.",
        ],
    )


def titled(subgame: str) -> str:
    """The name of a sub-game as people write it."""
    return "Räuber" if subgame == "raeuber" else subgame.capitalize()


@dataclass(frozen=True)
class Played:
    """What came of a sub-game, by position."""

    games: int
    seconds: float
    points: list[tuple[float, float]]
    """Mean and standard error."""
    win_rate: list[float]


def random_play(subgame: str, games: int, scale: Scale) -> dict[str, Any]:
    """A sub-game as the paper plays it, with four random players: the fields of Played."""
    game = make(f"cego-{subgame}")
    bots = [make_bot(game, "random")] * 4
    found = simulate(game, bots, games, scale.seed, threads=scale.threads)
    return asdict(Played(found.games, found.seconds, [(one.mean, one.se) for one in found.scores], found.win_rate))


def published(subgame: str, value: float) -> Published:
    """A value of Table III with the error that a million games leave."""
    if subgame in SPREAD:
        return Published(value, round(SPREAD[subgame] / math.sqrt(GAMES), 3))
    return Published(value, round(math.sqrt(value * (100 - value) / GAMES), 3), "%")


def measured(outcome: Played, subgame: str, seat: int) -> Measured:
    """Our points or win rate of one seat."""
    if subgame in SPREAD:
        return Score(*outcome.points[seat], outcome.games)
    return WinRate(round(outcome.win_rate[seat] * outcome.games), outcome.games)


def apart(ours: Measured, known: Published) -> float:
    """How many combined standard errors lie between ours and the published value."""
    percent = 100.0 if known.unit == "%" else 1.0
    return abs(z_score(ours, known.value / percent, known.se / percent)) if math.isfinite(centre(ours)) else math.inf


def card_wins(games: int, scale: Scale) -> NDArray[np.float64]:
    """float[54]: how many tricks each card won."""
    game = make("cego-raeuber")
    bots = [make_bot(game, "random")] * 4
    warm(game, bots)
    wins = np.zeros(game.TALLIES)
    for chunk in play(game, bots, games, scale.seed, threads=scale.threads):
        wins += chunk.tallies
        scale.progress("games", chunk.first + len(chunk.length), games)
    return wins


def low_cards(shares: NDArray[np.float64]) -> list[int]:
    """The largest set of cards that together win less than the limit: the weakest ones, as many as fit."""
    ascending = np.argsort(shares, kind="stable")
    fitting = np.cumsum(shares[ascending]) < LOW_LIMIT
    return [int(card) for card in ascending[: int(fitting.sum())]]


def paper_low_cards() -> set[int]:
    """The low cards by name: all plain cards below the queen and the six lowest trumps."""
    return {card for card in range(54) if (card % 8 if card < 32 else card - 32) < 6}


def share_error(share: float, games: int) -> float:
    """The standard error of a share of tricks, eleven in a game."""
    return math.sqrt(share * (1 - share) / 11 / games)
