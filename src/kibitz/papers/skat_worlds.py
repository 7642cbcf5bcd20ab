"""How many worlds Skat's modules have to weigh: a check of the sizes that the full editions use.

At moves with more worlds than any size lists, in games of their own, each size is compared with the paper's, and so is
a second draw of the paper's size, which shows how much is chance.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from kibitz.arena.statistics import paired, score
from kibitz.core import rng
from kibitz.core.game import State
from kibitz.core.shapes import Bools, Floats
from kibitz.core.view import View, view_of
from kibitz.games.skat.cards import CARDS
from kibitz.games.skat.state import DECLARER, PLAYERS, TURN
from kibitz.papers.experiment import Asked, Cell, Scale, Table
from kibitz.papers.skat_table import TYPES, Setup, house, learned, module, player, pool
from kibitz.search import worlds as deals
from kibitz.search.pimc import Pimc
from kibitz.search.skat.inference import measures
from kibitz.search.skat.inference.configurations import Configurations, configurations, joined, sampled
from kibitz.search.skat.inference.history import cards_played, moments
from kibitz.search.skat.inference.module import plain

SIZES = {"quick": (250, 1_000), "full": (1_000, 2_500, 5_000, 10_000, 20_000)}
"""The last is what the others are compared with, in another draw."""
CHECKED = ("PI", "CLI")
GAMES = {"quick": 1, "full": 12}
"""Games of each kind."""
BLOCK = 4
"""Games in a piece."""
OTHER_DEALS = 50
"""Added to the seed: games that no table plays."""
SOLVED = 64
"""Worlds of the reference in which chosen cards are valued."""
SCORE, PLACES = 0.05, 0.5
"""What is tolerated: in the mean log score, two standard errors included; in the places of cards, as a share of what
drawing the few worlds that are solved changes by itself."""
MEASURES = ("log score", "places", "places of the solved", "same card", "points")
COLUMNS = [
    "module", "worlds", "moves", "log score, difference", "places of cards, difference",
    "the same of the worlds solved", "same card chosen", "points lost a move, difference", "is enough",
]  # fmt: skip


def size_table(how: Setup, scale: Scale) -> Table:
    """Each size beside the largest; the difference of points is to the largest size in its second draw."""
    sizes, games = SIZES[scale.name], GAMES[scale.name]
    kinds = scale.pick(quick=TYPES[:1], full=TYPES)
    rows: list[list[Cell]] = []
    for name in CHECKED:
        asked = [
            Asked(
                f"{name} {kind} {first}", [house(), name, kind, first, BLOCK, sizes, how.worlds, SOLVED, how.seed],
                partial(_block, name, kind, first, games, sizes, how, scale), learned(how),
            )
            for kind in kinds for first in range(0, games, BLOCK)
        ]  # fmt: skip
        kept = scale.each(asked, f"{name} worlds", of="skat.worlds")
        found = np.array([move for moves in kept for move in moves], float).reshape(-1, len(sizes), len(MEASURES))
        rows += [_row(name, size, found[:, k], found[:, -1]) for k, size in enumerate(sizes)]
    title = f"Worlds weighed: how each number differs from a draw of {sizes[-1]:,}, in games that are not played here"
    return Table(title, COLUMNS, rows)


def _row(name: str, size: int, found: Floats, largest: Floats) -> list[Cell]:
    """One size; what was found has a column for each of MEASURES."""
    if len(found) < 2:
        return [name, size, len(found), *[""] * (len(COLUMNS) - 3)]
    logs, places, solved, same = (score(column, "move") for column in found.T[:-1])
    less = paired(found[:, -1], largest[:, -1], "move").difference
    is_enough = (
        abs(logs.mean) + 2.0 * logs.se <= SCORE and places.mean <= PLACES * solved.mean and less.mean <= 2.0 * less.se
    )
    return [name, size, len(found), logs, places, solved, same, less, "yes" if is_enough else "no"]


def notes(scale: Scale) -> list[str]:
    """What the check tolerates, and what was set by it."""
    return [
        f"The check of sizes, at moves with more worlds than any of them: a number is enough where the mean log score "
        f"differs by less than {SCORE:g} from a draw of {SIZES[scale.name][-1]:,}, two standard errors included; where "
        f"the places of cards differ from it by less than {PLACES:g} of what drawing the worlds that are solved "
        "changes; and where the chosen card does not lose more points than with a second draw of that size, valued in "
        f"{SOLVED} worlds of the first, by two standard errors. The last alone would not notice what the tables look "
        "for.",
    ]


def _block(
    name: str, kind: str, first: int, games: int, sizes: Sequence[int], how: Setup, scale: Scale
) -> list[list[list[float]]]:
    """[moves][sizes][measures]: a block of games."""
    kinds = ("null", "null ouvert") if kind == "null" else (kind,)
    finals = pool(kinds, games, how.seed + OTHER_DEALS, how.records)[first : first + BLOCK]
    return [move for number, final in finals for move in _moves(name, number, final, sizes, how, scale)]


def _moves(
    name: str, number: int, final: State, sizes: Sequence[int], how: Setup, scale: Scale
) -> list[list[list[float]]]:
    """At the moves of the soloist and of one defender that leave a choice and more worlds than are listed."""
    game = house()
    seats = (int(final[DECLARER]), (int(final[DECLARER]) + 1 + number % 2) % PLAYERS)
    found = []
    for state, _ in moments(game, final):
        seat = int(state[TURN])
        here, there = (
            view_of(game, state, seat, rng.fresh(scale.seed + draw, number, seat, cards_played(state)))
            for draw in range(2)
        )
        if seat in seats and len(here.legal()) > 1 and deals.count(here) > sizes[-1]:
            found.append(_compared(name, here, there, state, sizes, how))
    return found


def _compared(name: str, here: View, there: View, state: State, sizes: Sequence[int], how: Setup) -> list[list[float]]:
    """[sizes][measures]: draws of one luck against a draw of another, the reference."""
    count, most = deals.count(here), sizes[-1]
    reference, standard = _weighed(name, here, state, most, how)
    drawn, logs = _weighed(name, there, state, most, how)
    expected, best = _places(here, reference, standard[1:]), measures.estimated(standard[:1], standard[1:], count)
    hidden = expected.sum(axis=1) > 0
    worlds, weights = _player(name, most, how).imagine(here)
    few = _apart(_places(here, configurations(worlds), np.log(weights)), expected, hidden)
    wanted, values = _player(name, most, how).act(here), _player(name, most, replace(how, worlds=SOLVED)).values(here)
    found = []
    for size in sizes:
        judged = measures.estimated(logs[:1], logs[1 : size + 1], count)
        apart = _apart(_places(there, drawn.pick(slice(0, size)), logs[1 : size + 1]), expected, hidden)
        choice = _player(name, size, how).act(there)
        lost = float(np.nanmax(values) - values[choice])
        found.append([judged.log_score - best.log_score, apart, few, float(choice == wanted), lost])
    return found


def _player(name: str, size: int, how: Setup) -> Pimc:
    bot = player(name, replace(how, samples={name: size}))
    assert isinstance(bot, Pimc)
    return bot


def _apart(places: Floats, expected: Floats, hidden: Bools) -> float:
    """The mean over hidden cards of how much of their probability lies elsewhere."""
    return float(np.abs(places - expected)[hidden].sum(axis=1).mean() / 2.0)


def _weighed(name: str, view: View, state: State, most: int, how: Setup) -> tuple[Configurations, Floats]:
    """Worlds of a draw, and the log weights of the true one and of them."""
    drawn = sampled(view, most)
    logs = module(name, most, how.folder).log_weights(view, joined([configurations(state), drawn]))
    return drawn, logs


def _places(view: View, worlds: Configurations, logs: Floats) -> Floats:
    """[CARDS, 3]: how likely each hidden card is with the next seat, the one after and in the skat."""
    weights = plain(logs)
    weights /= weights.sum()
    hidden = deals.facts(view).pools
    cards = int(np.bitwise_or.reduce([mask for mask, _ in hidden])) if hidden else 0
    masks = [worlds.hands[:, (view.seat + 1 + k) % PLAYERS] for k in range(2)] + [worlds.skat]
    found: Floats = np.stack([weights @ ((mask[:, None] & cards) >> np.arange(CARDS) & 1) for mask in masks], axis=1)
    return found
