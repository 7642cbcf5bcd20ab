"""Open-card regret: what a module's card loses against the best one when all cards are turned up.

All modules are asked at the same moves of recorded games, so differences have a far smaller error than whole games.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from kibitz.arena.statistics import paired, score
from kibitz.core import rng
from kibitz.core.view import view_of
from kibitz.games.skat.state import DECLARER, PLAYERS, TURN
from kibitz.papers.experiment import Asked, Cell, Scale, Table
from kibitz.papers.skat_table import TYPES, Setup, house, learned, player, pool
from kibitz.search.pimc import Pimc, payoff_of
from kibitz.search.skat.inference.history import cards_played, moments

GAMES = {"quick": 2, "full": 40}
"""Games of each kind at whose moves players are asked."""
BLOCK = 20
"""Games in a piece."""
STANDARD = "CLI"


def regret_table(names: Sequence[str], how: Setup, scale: Scale) -> Table:
    """Points lost a move with open cards, and the difference to CLI, over games."""
    rows: list[list[Cell]] = []
    for kind in TYPES:
        games = GAMES[scale.name]
        blocks = [range(first, min(first + BLOCK, games)) for first in range(0, games, BLOCK)]
        asked = [
            Asked(
                f"{kind} {block[0]} {name}",
                [house(), kind, name, block[0], len(block), how.worlds, how.samples[name], how.seed],
                partial(_block, kind, block, games, name, how, scale), learned(how),
            )
            for name in names for block in blocks
        ]  # fmt: skip
        kept = iter(scale.each(asked, f"{kind} regret", of="skat.regrets"))
        found = {name: np.concatenate([next(kept) for _ in blocks]) for name in names}
        for name in names:
            less = paired(found[name], found[STANDARD], "game")
            rows.append([kind, name, score(found[name], "game"), less.difference, f"{less.p:.2g}"])
    columns = ["game", "module", "points lost a move", f"less {STANDARD}", "p"]
    return Table("Open-card regret: tournament points that a card loses against the best one, a move", columns, rows)


def _block(kind: str, block: Sequence[int], games: int, name: str, how: Setup, scale: Scale) -> list[float]:
    return [_regret(kind, place, games, name, how, scale) for place in block]


def _regret(kind: str, place: int, games: int, name: str, how: Setup, scale: Scale) -> float:
    """The mean over the moves of the soloist and of one defender in a game."""
    game = house()
    kinds = ("null", "null ouvert") if kind == "null" else (kind,)
    number, final = pool(kinds, games, how.seed, how.records)[place]
    seats = (int(final[DECLARER]), (int(final[DECLARER]) + 1 + number % 2) % PLAYERS)
    bot = player(name, how)
    assert isinstance(bot, Pimc)
    lost = []
    for state, _ in moments(game, final):
        seat, cards = int(state[TURN]), int(cards_played(state))
        view = view_of(game, state, seat, rng.fresh(scale.seed, number, seat, cards))
        if seat not in seats or len(view.legal()) < 2 or (scale.name == "quick" and cards % 3):
            continue
        values = payoff_of(game).quick(game, state[None].copy(), seat, 1)[0]
        lost.append(float(np.nanmax(values) - values[bot.act(view)]))
    return float(np.mean(lost)) if lost else 0.0
