"""Skat's Figure 1: how much likelier than by chance each inference module holds the true world, card by card."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import astuple
from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np

from kibitz.arena.statistics import Score, paired, score
from kibitz.core import rng
from kibitz.core.game import State
from kibitz.core.view import view_of
from kibitz.games.skat.state import DECLARER, PLAYERS, TURN
from kibitz.papers import charts, skat_claims
from kibitz.papers.experiment import Asked, Cell, Claim, Figure, Result, Scale, Table, experiment
from kibitz.papers.skat_table import Setup, house, learned, module, pool, pool_games, setup
from kibitz.search import worlds as deals
from kibitz.search.skat.inference import measures
from kibitz.search.skat.inference.history import cards_played, moments
from kibitz.search.skat.inference.module import Inference
from kibitz.search.skat.inference.pool import STRANGERS

FIGURE_TYPES = ("suit", "grand", "null", "null ouvert")
CURVES = ("NI", "KI", "CLI", "PI", "PIT", "PIF", "PI100")
MET = ("KI", "CLI", "PI", "PIT")
"""The modules that meet strangers."""
MIDDLE = range(9, 21)
"""Cards played in the middle game."""
GAMES = {"quick": 6, "full": 1000}
"""Games of each kind; the paper has 3,800 to 13,000."""
MEETINGS = {"quick": 3, "full": 60}
"""Games of each kind of strangers."""
EARLY, LATE = range(9), range(15, 30)
ROLES = ("soloist", "defender")


class Look(NamedTuple):
    """One module's judgement at one move."""

    kind: str
    role: str
    cards: int
    module: str
    game: int
    found: measures.Judgement


@experiment("skat.figure1", takes=("inference", "records"))
def figure1(scale: Scale) -> Result:
    """Judge every module at moves of the soloist and of one defender,
    in games of the pool that were not learned from."""
    how = setup(scale)
    looks: list[Look] = []
    for kind in FIGURE_TYPES:
        looks += _looks(kind, GAMES[scale.name], how, scale, tuple(how.samples))
    strangers = {
        who: _looks(who, MEETINGS[scale.name], how, scale, MET) for who in STRANGERS
    }  # fmt: skip
    checks = [_middle(looks, other) for other in ("KI", "CLI")]
    gains = [(str(row[0]).split(" : ")[1], row[2]) for row in checks if isinstance(row[2], Score)]
    one = max((abs(look.found.tssr - 1.0) for look in looks if look.module == "NI"), default=0.0)
    return Result(
        "How well inference finds the true world (Figure 1)",
        tables=[
            Table(f"Middle game ({MIDDLE[0]} to {MIDDLE[-1]} cards played), log ratio to chance", _MIDDLE_COLUMNS,
                checks),
            _overall(looks),
            _met(strangers),
            *(_curve_table(looks, kind, role) for kind in FIGURE_TYPES for role in ROLES),
        ],
        figures=[_curves(looks, kind, role) for kind in FIGURE_TYPES for role in ROLES],
        claims=[*skat_claims.middle(gains), *_sentences(looks)],
        notes=[
            f"Worlds weighed: {', '.join(f'{name} {number:,}' for name, number in how.samples.items())}. The "
            "paper's are KI 3,200 and more, CLI 500,000, PI20 and PIF20 20,000, PI100 100,000. PIT is PI that trusts a "
            "player's policy less, the more often he does what it calls unlikely.",
            f"NI is 1 by definition; the largest deviation found is {one:.2g}.",
            "Figure 1 is a picture, so there are no published numbers; bands are one standard error over games.",
            "The test games come from the pool of rule-based players that the policies were learned from, with other "
            "deals. The paper tests on human games. Strangers are players that nothing was learned from.",
            "Means of the ratio are dominated by few large values, so the comparison is made of its logarithm, move by "
            "move.",
        ],
    )  # fmt: skip


def _looks(kind: str, games: int, how: Setup, scale: Scale, names: tuple[str, ...]) -> list[Look]:
    """What the modules think at the moves of some games, each game a piece."""
    settings = [house(), kind, {name: how.samples[name] for name in names}]
    asked = [
        Asked(f"{kind} {place}", settings, partial(_judged_kept, kind, place, games, how, scale, names), learned(how))
        for place in range(games)
    ]
    return [
        Look(kind, role, cards, name, place, measures.Judgement(*found))
        for place, kept in enumerate(scale.each(asked, f"{kind} games"))
        for role, cards, name, found in kept
    ]


_MIDDLE_COLUMNS = ["modules", "moves", "difference of logarithms", "mean ratios"]


def judged(kind: str, number: int, final: State, how: Setup, scale: Scale, names: Sequence[str] = CURVES) -> list[Look]:
    """All modules at the moves of the soloist and of one defender; at a quick scale at every third of them."""
    game = house()
    declarer = int(final[DECLARER])
    defender = (declarer + 1 + number % 2) % PLAYERS
    found: list[Look] = []
    own = {declarer: 0, defender: 0}
    for state, _ in moments(game, final):
        seat = int(state[TURN])
        if seat not in own:
            continue
        own[seat] += 1
        if scale.name == "quick" and (own[seat] + number) % 3:
            continue
        cards = int(cards_played(state))
        view = view_of(game, state, seat, rng.fresh(scale.seed, number, seat, cards))
        if deals.count(view) < 2:
            continue
        role = ROLES[seat != declarer]
        for name in names:
            thought = measures.judge(_module(name, how.folder), view, state, samples=how.samples[name])
            found.append(Look(kind, role, cards, name, number, thought))
    return found


def _judged_kept(
    kind: str, place: int, games: int, how: Setup, scale: Scale, names: tuple[str, ...]
) -> list[tuple[Any, ...]]:
    """`judged` for one game, as plain data."""
    if kind in STRANGERS:
        number, final = _strangers(kind, games, scale.seed)[place]
    else:
        number, final = pool((kind,), games, scale.seed, how.records)[place]
    looks = judged(kind, number, final, how, scale, names)
    return [(look.role, look.cards, look.module, astuple(look.found)) for look in looks]


@cache
def _strangers(who: str, games: int, seed: int) -> list[tuple[int, State]]:
    """Games of players that nothing was learned from."""
    return pool_games(FIGURE_TYPES, games, seed, (STRANGERS[who],))


@cache
def _module(name: str, folder: str) -> Inference:
    return module(name, 1, folder)


def _picked(looks: Sequence[Look], name: str, **wanted: str) -> list[Look]:
    return [look for look in looks if look.module == name and all(getattr(look, k) == v for k, v in wanted.items())]


def _middle(looks: Sequence[Look], other: str) -> list[Cell]:
    """PI against another module in the middle game."""
    ours = [look for look in _picked(looks, "PI") if look.cards in MIDDLE]
    theirs = [look for look in _picked(looks, other) if look.cards in MIDDLE]
    logs = [np.array([look.found.log_score for look in side]) for side in (ours, theirs)]
    gain = paired(logs[0], logs[1], "move").difference
    means = [score([look.found.tssr for look in side], "move") for side in (ours, theirs)]
    return [f"PI : {other}", len(ours), gain, f"{means[0].mean:.2f} : {means[1].mean:.2f}"]


def _overall(looks: Sequence[Look]) -> Table:
    """Log score and rank of the true world over all moves."""
    rows: list[list[Cell]] = []
    for name in CURVES:
        own = _picked(looks, name)
        rows.append([
            name, len(own), score([look.found.log_score for look in own], "move"),
            score([look.found.tssr for look in own], "move"), score([look.found.rank for look in own], "move"),
            round(float(np.mean([look.found.is_exact for look in own])), 3),
        ])  # fmt: skip
    columns = ["module", "moves", "log score", "ratio", "rank of the true world (0 best)", "exact"]
    return Table("All moves: logarithm of the true world's probability, ratio to chance, rank", columns, rows)


def _by_cards(looks: Sequence[Look], name: str, kind: str, role: str) -> dict[int, list[float]]:
    """The ratios after each number of cards."""
    found: dict[int, list[float]] = {}
    for look in _picked(looks, name, kind=kind, role=role):
        found.setdefault(look.cards, []).append(look.found.tssr)
    return dict(sorted(found.items()))


def _curve_table(looks: Sequence[Look], kind: str, role: str) -> Table:
    by_name = {name: _by_cards(looks, name, kind, role) for name in CURVES}
    numbers = sorted({number for values in by_name.values() for number in values})
    rows: list[list[Cell]] = [
        [number, *(score(by_name[name][number], "move") for name in CURVES)] for number in numbers
    ]
    return Table(f"True state sampling ratio: {kind}, {role}", ["cards played", *CURVES], rows)


def _curves(looks: Sequence[Look], kind: str, role: str) -> Figure:
    curves: dict[str, tuple[list[float], ...]] = {}
    for name in CURVES[1:]:
        found = {cards: score(values, "move") for cards, values in _by_cards(looks, name, kind, role).items()}
        means, errors = [one.mean for one in found.values()], [one.se for one in found.values()]
        errors = [0.0 if np.isnan(error) else error for error in errors]
        low = [max(mean - error, 1e-3) for mean, error in zip(means, errors, strict=True)]
        high = [mean + error for mean, error in zip(means, errors, strict=True)]
        curves[name] = ([float(cards) for cards in found], means, low, high)
    drawn = charts.curves(curves, "cards played", "true state sampling ratio", {"NI": 1.0}, log_y=True)
    return Figure(f"Figure 1, {kind}, {role}", chart=drawn)


def _above_chance(looks: Sequence[Look], name: str) -> list[float]:
    """[games]: the mean logarithm of the ratio to chance in each game."""
    games: dict[tuple[str, int], list[float]] = {}
    for look in _picked(looks, name):
        above = look.found.log_score + float(np.log(look.found.worlds))
        games.setdefault((look.kind, look.game), []).append(above)
    return [float(np.mean(values)) for _, values in sorted(games.items())]


def _met(strangers: Mapping[str, Sequence[Look]]) -> Table:
    """Log score above chance with players that nothing was learned from."""
    rows: list[list[Cell]] = []
    for who, looks in strangers.items():
        found = {name: _above_chance(looks, name) for name in MET}
        gains = [paired(found[name], found["CLI"], "game").difference for name in ("PI", "PIT")]
        rows.append([who, len(found["PI"]), *(score(found[name], "game") for name in MET), *gains])
    columns = ["strangers", "games", *MET, "PI less CLI", "PIT less CLI"]
    return Table("Strangers: logarithm of the true world's probability above chance, means over games", columns, rows)


def _sentences(looks: Sequence[Look]) -> list[Claim]:
    """What the text says of the figure beside PI's lead."""
    made = []
    for kind in FIGURE_TYPES:
        own = [look for look in looks if look.kind == kind]
        if own:
            sides = {role: [look for look in own if look.role == role] for role in ROLES}
            logs = {role: np.array(_above_chance(sides[role], "PI")) for role in ROLES}
            if all(len(logs[role]) > 1 for role in ROLES):
                made.append(skat_claims.larger_in_defence(kind, score(logs["defender"]), score(logs["soloist"])))
    for when, numbers, first, second in (("early", EARLY, "KI", "CLI"), ("late", LATE, "CLI", "KI")):
        some = [look for look in looks if look.cards in numbers]
        found = [np.array(_above_chance(some, name)) for name in (first, second)]
        if len(found[0]) > 1:
            made.append(skat_claims.turns(when, first, second, paired(found[0], found[1], "game").difference))
    return made
