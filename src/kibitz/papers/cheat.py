"""Cheat: how long games of Naive players last, and how much stronger the Heuristic player is."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from kibitz.arena.cheat.behaviour import Behaviour, measure
from kibitz.arena.play import play
from kibitz.arena.statistics import WinRate, score
from kibitz.bots import seat_bots
from kibitz.core.game import Game, make
from kibitz.papers import charts, claims
from kibitz.papers.experiment import Asked, Cell, Claim, Figure, Published, Result, Scale, Table, experiment

HEURISTIC_WINS = Published(98, unit="%")
ABOUT = 1.0  # points: the paper says "about 98 %"
PUBLISHED_TABLES = {"cheat-paper": "1 v 1, six cards each", "cheat-party": "1 v 3, two packs"}
UNTOLD = {
    1: "the paper tells what its Heuristic player remembers and not how it decides: a rule between ours may give 98 % "
    "(all challenge what cannot be true and whoever is about to win; .3 and .5 weigh chances beyond that)",
    3: "with each of our rules the Heuristic player wins every game against three, so its rule, the Naive players or "
    "the table are others in the paper, which does not tell them",
}
"""Why we differ, by the number of Naive players."""
CHALLENGES = (0.0, 0.05, 0.1, 0.25, 0.5)
WAYS = {"any number of cards": 0, "one card": 1, "any discard alike": 2}
NAIVE, HEURISTIC = "cheat-naive", "cheat-heuristic"
SHARD = 100
"""Games whose lengths are kept together."""

OPEN_FIGURE = (
    "The paper prints this figure without numbers, the challenge probability or the discard rule of its Naive player."
)
LIMITED = "Games that reach the turn limit count with that length: their means and medians are lower bounds."
STALEMATE = (
    "Long games come from the Naive player's own rule: with all cards dealt to two players, whoever is nearly out "
    "faces a hand that holds nearly everything and so finds out nearly every lie, and takes the pile back."
)


@experiment("cheat.figure1")
def figure1(scale: Scale) -> Result:
    """Play Naive against Naive with 52 cards for several challenge probabilities and ways to discard."""
    return _lengths(
        scale, "cheat-whole", "Figure 1: game length, two players, one deck", scale.pick(quick=10, full=1000)
    )


@experiment("cheat.figure2")
def figure2(scale: Scale) -> Result:
    """Play Naive against Naive with 28 cards for several challenge probabilities and ways to discard."""
    return _lengths(
        scale, "cheat-half", "Figure 2: game length, two players, half a deck", scale.pick(quick=40, full=1000)
    )


def _lengths(scale: Scale, preset: str, title: str, games: int) -> Result:
    game = make(preset)
    limit = int(game.options["max_turns"])
    rows = list[Sequence[Cell]]()
    samples: dict[str, dict[str, NDArray[np.float64]]] = {way: {} for way in WAYS}
    chances = scale.pick(quick=CHALLENGES[::2], full=CHALLENGES)
    settings = [(way, chance) for way in WAYS for chance in chances]
    for way, chance in scale.track(settings, "playing"):
        turns = _turns(game, f"{NAIVE}:p_ch={chance}:mode={WAYS[way]}", games, scale)
        samples[way][f"challenges {chance:g}"] = turns
        open_games = WinRate(int((turns >= limit).sum()), games)
        rows.append([way, chance, score(turns), float(np.median(turns)), open_games.short])
    columns = ["Naive lays", "challenge probability", "mean turns", "median", f"open after {limit:,} turns"]
    figures = [
        Figure(
            f"Turns of {games:,} games when Naive lays {way}, by challenge probability",
            chart=charts.histograms(kept, "turns", "share of games"),
        )
        for way, kept in samples.items()
    ]
    means = [float(turns.mean()) for kept in samples.values() for turns in kept.values()]
    claim = claims.form(
        "length", "How long games of two Naive players last", "a histogram of 1,000 games without numbers",
        f"means from {min(means):,.0f} to {max(means):,.0f} turns", "hangs on what the paper leaves open",
        is_alike=False,
    )  # fmt: skip
    notes = [OPEN_FIGURE, LIMITED, STALEMATE]
    return Result(title, [Table("Turns of a game", columns, rows)], figures, notes, [claim])


def _turns(game: Game, bot: str, games: int, scale: Scale) -> NDArray[np.float64]:
    """Turns of each game: two players never pass, so a turn is a discard and an answer."""

    def shard(first: int) -> NDArray[np.int64]:
        many = min(SHARD, games - first)
        chunks = play(game, seat_bots(game, bot), many, scale.seed, first=first, threads=scale.threads)
        return np.concatenate([chunk.length for chunk in chunks])

    asked = [
        Asked(f"{bot} games from {first}", [game, games], partial(shard, first)) for first in range(0, games, SHARD)
    ]
    return np.concatenate(scale.each(asked, "shards")) / 2


@experiment("cheat.players")
def players(scale: Scale) -> Result:
    """Let the Heuristic player sit down with one and with three Naive players, and count lies and challenges."""
    games = scale.pick(quick=1_000, full=20_000)
    tables = [("cheat-paper", 1), ("cheat-half", 1), ("cheat-party", 3)]
    settings = [(preset, others, thr) for preset, others in tables for thr in (0.5, 0.3, 0.0)]
    rows = list[Sequence[Cell]]()
    made: list[Claim] = []
    asked = []
    for preset, others, thr in settings:
        game, many = make(preset), games if others == 1 else games // 4
        compute = partial(_wins, game, thr, others, many, scale)
        asked.append(Asked(f"{preset} thr {thr:g}", [game, thr, others, many], compute))
    for (preset, others, thr), (won, draws) in zip(settings, scale.each(asked, "playing"), strict=True):
        many = games if others == 1 else games // 4
        wins = WinRate(won, many)
        rows.append([preset, f"1 v {others}", thr, HEURISTIC_WINS if preset in PUBLISHED_TABLES else None, wins, draws])
        if preset in PUBLISHED_TABLES:
            says = f"Heuristic's games won against Naive, {PUBLISHED_TABLES[preset]}, thr {thr:g}"
            made.append(
                claims.number(f"{preset} {thr:g}", says, HEURISTIC_WINS, wins, tolerance=ABOUT, reason=UNTOLD[others])
            )
    columns = ["game", "Heuristic v Naive", "thr", "published", "ours", "draws"]
    return Result(
        "The Heuristic player against Naive players",
        tables=[Table("Wins of the Heuristic player", columns, rows), *_behaviour_tables(games // 2, scale)],
        claims=made,
        notes=[
            "The paper tells what its Heuristic player remembers but not how it decides; thr is the chance of truth "
            "below which ours doubts a claim, 0 the simple rule that doubts only what cannot be true.",
            f"The published figure is 'about 98 %': within {ABOUT:g} point counts as agreement.",
            "First player drawn at random, so seats are alike.",
        ],
    )


def _wins(game: Game, thr: float, others: int, games: int, scale: Scale) -> tuple[int, int]:
    """Games that the Heuristic player won, and games that nobody did."""
    bots = seat_bots(game, ",".join([f"{HEURISTIC}:thr={thr}", *[NAIVE] * others]))
    won = np.concatenate([chunk.won for chunk in play(game, bots, games, scale.seed, threads=scale.threads)])
    return int(won[:, 0].sum()), int((~won.any(axis=1)).sum())


def _behaviour_tables(games: int, scale: Scale) -> list[Table]:
    game = make("cheat-paper")

    def counts() -> NDArray[np.float64]:
        return measure(game, seat_bots(game, f"{HEURISTIC},{NAIVE}"), games, scale.seed).counts

    seen = Behaviour(np.array(scale.piece("behaviour", [game, games], counts)), games)
    names = ("Heuristic", "Naive")
    heads = [f"{name}: {what}" for name in names for what in ("lies", "challenges", "right when challenging")]
    sizes = range(1, int(game.options["cards_each"]) * 2)
    claims = range(1, 1 + int(game.options["copies"]))
    by_hand: list[Sequence[Cell]] = [[size, *_rates(seen, "hand", size)] for size in sizes]
    by_claim: list[Sequence[Cell]] = [[claim, *_rates(seen, "claim", claim)] for claim in claims]
    return [
        Table(f"Behaviour in cheat-paper by own hand size, {games:,} games", ["cards in hand", *heads], by_hand),
        Table(f"Behaviour in cheat-paper by number claimed, {games:,} games", ["claim", *heads], by_claim),
    ]


def _rates(seen: Behaviour, by: str, place: int) -> list[str]:
    """Rates of both seats as text; a dash where nothing was counted."""
    pairs = (("lies", "discards"), ("challenges", "asked"), ("right", "challenges"))
    rates = [float(seen.rate(part, whole, seat, by)[place]) for seat in range(2) for part, whole in pairs]
    return ["–" if np.isnan(rate) else f"{100 * rate:.1f} %" for rate in rates]
