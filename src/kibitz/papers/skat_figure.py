"""Skat's Figure 1: how much likelier than by chance each inference module holds the true world, card by card."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import NamedTuple

import numpy as np

from kibitz.arena.statistics import Score, paired, score
from kibitz.core import rng
from kibitz.core.game import State
from kibitz.core.view import view_of
from kibitz.games.skat.state import DECLARER, PLAYERS, TURN
from kibitz.papers import charts, skat_claims
from kibitz.papers.experiment import Asked, Cell, Claim, Figure, Result, Scale, Table, experiment
from kibitz.papers.skat_table import Setup, house, learned, module, pool, pool_games, setup
from kibitz.papers.skat_worlds import notes as size_notes
from kibitz.papers.skat_worlds import size_table
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
BLOCK = 20
"""Games in a piece."""
FEW = {"PI100": 100}
"""Modules that are judged in the first so many games of each kind only."""
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
                [*checks, _middle(looks, "PI", "PI100")]),
            _overall(looks),
            _met(strangers),
            size_table(how, scale),
            *(_curve_table(looks, kind, role) for kind in FIGURE_TYPES for role in ROLES),
        ],
        figures=[_curves(looks, kind, role) for kind in FIGURE_TYPES for role in ROLES],
        claims=[*skat_claims.middle(gains), *_sentences(looks)],
        notes=[
            f"Worlds weighed: {', '.join(f'{name} {number:,}' for name, number in how.samples.items())}. The "
            "paper's are KI 3,200 and more, CLI 500,000, PI20 and PIF20 20,000, PI100 100,000. PIT is PI that trusts a "
            "player's policy less, the more often he does what it calls unlikely.",
            *size_notes(scale),
            f"{GAMES[scale.name]:,} games of each kind; PI100, which is dear, in the first {FEW['PI100']} of them at "
            "most. Its row in the first table has the moves that both were judged at.",
            "All modules are given the same worlds, each the first of them, up to its number.",
            f"NI is 1 by definition; the largest deviation found is {one:.2g}.",
            "Figure 1 is a picture, so there are no published numbers; bands are one standard error over games.",
            "The test games come from the pool of rule-based players that the policies were learned from, with other "
            "deals. The paper tests on human games. Strangers are players that nothing was learned from; those who "
            "search are kin to the strong players that were.",
            "Means of the ratio are dominated by few large values, so the comparison is made of its logarithm. Errors "
            "of figures over many moves are of the means of games, whose moves depend on each other.",
        ],
    )  # fmt: skip


def _looks(kind: str, games: int, how: Setup, scale: Scale, names: tuple[str, ...]) -> list[Look]:
    """What the modules think at the moves of some games, a block of them a piece."""
    asked = []
    for first in range(0, games, BLOCK):
        rows = range(first, min(first + BLOCK, games))
        own = tuple(name for name in names if name not in FEW or first < FEW[name])
        settings = [house(), kind, first, len(rows), {name: how.samples[name] for name in own}, how.seed]
        compute = partial(_judged_kept, kind, rows, games, how, scale, own)
        asked.append(Asked(f"{kind} {first}", settings, compute, learned(how)))
    return [
        look for lines in scale.each(asked, f"{kind} games") for line in lines for look in _read_line(kind, line, how)
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
        modules = [_module(name, how.folder) for name in names]
        thoughts = measures.judge_together(modules, view, state, [how.samples[name] for name in names])
        found += [Look(kind, role, cards, name, number, one) for name, one in zip(names, thoughts, strict=True)]
    return found


def _judged_kept(
    kind: str, rows: Sequence[int], games: int, how: Setup, scale: Scale, names: tuple[str, ...]
) -> list[str]:
    """`judged` for a block of games, a line of text for every move."""
    own = _strangers(kind, games, scale.seed) if kind in STRANGERS else pool((kind,), games, scale.seed, how.records)
    lines = []
    for row in rows:
        number, final = own[row]
        looks = judged(kind, number, final, how, scale, names)
        for k in range(0, len(looks), len(names)):
            lines.append(_line(looks[k : k + len(names)]))
    return lines


def _line(looks: Sequence[Look]) -> str:
    """One move as text: game, role, cards, worlds, and of each module the ratio, the log score and the rank."""
    first = looks[0]
    thoughts = [f"{one.module} {one.found.tssr:.5g} {one.found.log_score:.4f} {one.found.rank:.4g}" for one in looks]
    return ", ".join([f"{first.game} {first.role} {first.cards} {first.found.worlds}", *thoughts])


def _read_line(kind: str, line: str, how: Setup) -> Iterator[Look]:
    head, *thoughts = line.split(", ")
    game, role, cards, worlds = head.split()
    for thought in thoughts:
        name, tssr, log_score, rank = thought.split()
        is_exact = int(worlds) <= min(how.samples[name], measures.LISTED)
        found = measures.Judgement(int(worlds), float(tssr), float(log_score), float(rank), is_exact)
        yield Look(kind, role, int(cards), name, int(game), found)


@cache
def _strangers(who: str, games: int, seed: int) -> list[tuple[int, State]]:
    """Games of players that nothing was learned from."""
    return pool_games(FIGURE_TYPES, games, seed, (STRANGERS[who],))


@cache
def _module(name: str, folder: str) -> Inference:
    return module(name, 1, folder)


def _picked(looks: Sequence[Look], name: str, **wanted: str) -> list[Look]:
    return [look for look in looks if look.module == name and all(getattr(look, k) == v for k, v in wanted.items())]


def _middle(looks: Sequence[Look], other: str, name: str = "PI") -> list[Cell]:
    """PI, or another, against a module in the middle game, at the moves where both were judged."""
    ours, theirs = (
        {look[:3] + look[4:5]: look for look in _picked(looks, one) if look.cards in MIDDLE} for one in (name, other)
    )
    both = [move for move in ours if move in theirs]
    sides = [[side[move] for move in both] for side in (ours, theirs)]
    logs = [_game_means(side, lambda found: found.log_score) for side in sides]
    gain = paired(logs[0], logs[1], "game").difference
    means = [np.mean([look.found.tssr for look in side]) for side in sides]
    return [f"{name} : {other}", len(both), gain, f"{means[0]:.2f} : {means[1]:.2f}"]


def _overall(looks: Sequence[Look]) -> Table:
    """Log score and rank of the true world over all moves."""
    rows: list[list[Cell]] = []
    for name in CURVES:
        own = _picked(looks, name)
        rows.append([
            name, len(own), score(_game_means(own, lambda found: found.log_score), "game"),
            score(_game_means(own, lambda found: found.tssr), "game"),
            score(_game_means(own, lambda found: found.rank), "game"),
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
        [number, *(score(by_name[name][number], "move") if number in by_name[name] else "" for name in CURVES)]
        for number in numbers
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
    return _game_means(_picked(looks, name), lambda found: found.log_score + float(np.log(found.worlds)))


def _game_means(looks: Sequence[Look], of: Callable[[measures.Judgement], float]) -> list[float]:
    """[games]: the mean of a figure in each game; moves of one game depend on each other."""
    games: dict[tuple[str, int], list[float]] = {}
    for look in looks:
        games.setdefault((look.kind, look.game), []).append(of(look.found))
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
