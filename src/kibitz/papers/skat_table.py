"""Skat tournaments in the form of the paper: recorded auctions and declarations, then only the card play,
in several seatings.

Every game is a pure function of the deal, the seating and the settings, and is a piece of its own,
which the tables share.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.arena.continued import Start
from kibitz.arena.play import play
from kibitz.arena.seatings import A, B, Form, form_of
from kibitz.arena.shards import Shard, play_shard
from kibitz.arena.soloist import deltas
from kibitz.arena.statistics import Comparison
from kibitz.bots import make_bot
from kibitz.core.game import Game, State, make
from kibitz.core.policy import Bot
from kibitz.core.position import Position
from kibitz.core.shapes import Floats
from kibitz.core.shipped import shipped_folder
from kibitz.games.skat.cards import ANNOUNCED, GRAND, NULL, OUVERT
from kibitz.games.skat.state import CONTRACT, DECLARED
from kibitz.papers.experiment import Asked, Scale
from kibitz.search.pimc import Pimc
from kibitz.search.skat.inference.card_locations import CardLocations
from kibitz.search.skat.inference.cheating import CheatingPimc
from kibitz.search.skat.inference.history import before_play
from kibitz.search.skat.inference.ki import Tables
from kibitz.search.skat.inference.module import Inference, NoInference
from kibitz.search.skat.inference.pi import PolicyInference
from kibitz.search.skat.inference.policies import FOLDER
from kibitz.search.skat.inference.pool import TABLES
from kibitz.search.skat.inference.records import is_usable

POOL = tuple(table.seats for table in TABLES[:4])
"""Tables of the pool whose games the policies were learned from; test deals have other seeds."""
TEST_SEED = 7_000_000
CHUNK = 512
TYPES = ("suit", "grand", "null")
ONE_GAME = Form("one game", ((A, B, B),), by_soloist=True, is_match=False)
"""A soloist against two defenders, each of whom may be another player."""
MODULES = ("NI", "KI", "CLI", "PI", "PIF", "PI100")


@dataclass(frozen=True)
class Setup:
    """How large a tournament's players are."""

    worlds: int
    """Worlds solved for a card."""
    samples: Mapping[str, int] = field(default_factory=dict)
    """Worlds weighed, by module."""
    seed: int = 1


QUICK = {"NI": 256, "KI": 1_000, "CLI": 1_000, "PI": 1_000, "PIF": 1_000, "PI100": 5_000}
PAPER = {"NI": 256, "KI": 3_200, "CLI": 20_000, "PI": 20_000, "PIF": 20_000, "PI100": 100_000}
"""The paper's sample sizes; CLI's half million are cut to what makes no difference to its weights."""


def setup(scale: Scale) -> Setup:
    """The players of a scale."""
    return scale.pick(quick=Setup(4, QUICK, scale.seed), full=Setup(16, PAPER, scale.seed))


def module(name: str, samples: int) -> Inference:
    """An inference module by the paper's letters."""
    if name == "NI":
        return NoInference(samples)
    if name == "KI":
        return Tables(samples)
    if name == "CLI":
        return CardLocations(samples)
    return PolicyInference(samples, has_history=name == "PIF")


@cache
def house() -> Game:
    """Skat as it is played in tournaments here."""
    return make("skat")


def player(name: str, how: Setup) -> Pimc:
    """A searching player with one of the modules, or C with the true world."""
    game = house()
    rule = make_bot(game, "skat-rule").act
    if name == "C":
        return CheatingPimc(game, name, worlds=1, rule=rule)
    return Pimc(game, name, worlds=how.worlds, weigher=module(name, how.samples[name]), rule=rule)


def kind_of(s: State) -> str:
    """Suit, grand, null or null ouvert."""
    if s[CONTRACT] < GRAND:
        return "suit"
    if s[CONTRACT] == NULL:
        return "null ouvert" if ANNOUNCED[s[DECLARED]] & OUVERT else "null"
    return "grand"


def pool_games(kinds: Sequence[str], count: int, seed: int) -> list[tuple[int, State]]:
    """Games of the pool with one of these kinds, as their number and final state; equally many from every table."""
    game = house()
    found: list[list[tuple[int, State]]] = [[] for _ in POOL]
    wanted = -(-count // len(POOL))
    for k, table in enumerate(POOL):
        bots: list[Bot] = [make_bot(game, spec) for spec in table]
        first = 0
        while len(found[k]) < wanted:
            luck = TEST_SEED + 100 * seed + k
            for chunk in play(game, bots, CHUNK, luck, first=first, keep_log=True):
                for row in range(len(chunk.moves)):
                    state = _final(game, luck, chunk.first + row, chunk.log[row, : chunk.moves[row]])
                    if is_usable(state) and kind_of(state) in kinds:
                        found[k].append((1_000_000 * k + chunk.first + row, state))
            first += CHUNK
    mixed = [games[place] for place in range(wanted) for games in found]
    return mixed[:count]


@cache
def pool(kinds: tuple[str, ...], count: int, seed: int) -> list[tuple[int, State]]:
    """The same list, made once; a game's place in it does not depend on how many there are."""
    return pool_games(kinds, count, seed)


def learned() -> list[Path]:
    """What the inference modules have learned from: the folder of their policies."""
    return [shipped_folder() / FOLDER]


def _final(game: Game, seed: int, number: int, moves: NDArray[np.int32]) -> State:
    position = Position(game, seed, number, manual_chance=True)
    for move in moves:
        game.step(position.state, int(move))
    return position.state


class Tournament:
    """The games of one kind of contract on a fixed list of deals, each played when it is first asked for."""

    def __init__(self, kind: str, deals: int, how: Setup, scale: Scale) -> None:
        kinds = ("null", "null ouvert") if kind == "null" else (kind,)
        self.kind, self.kinds, self.deals, self.how, self.scale = kind, kinds, deals, how, scale
        self.players: dict[str, Pimc] = {}
        self.known: dict[tuple[int, tuple[str, str, str]], float] = {}

    def scores(self, seatings: Sequence[tuple[str, str, str]]) -> Floats:
        """[deals, seatings]: the soloist's points; a seating names the soloist and the defenders to his left
        and right."""
        out = np.zeros((self.deals, len(seatings)))
        places = [(row, seating) for row in range(self.deals) for seating in dict.fromkeys(seatings)]
        new = [place for place in places if place not in self.known]
        asked = [self._asked(*place) for place in new]
        self.known |= zip(new, self.scale.each(asked, f"{self.kind} games", of="skat.games"), strict=True)
        for row in range(self.deals):
            out[row] = [self.known[row, seating] for seating in seatings]
        return out

    def __getstate__(self) -> dict[str, Any]:
        return vars(self) | {"players": {}, "known": {}}  # whoever plays a game elsewhere makes players of his own

    def match(self, a: str, b: str, form_name: str) -> tuple[dict[str, Comparison], dict[str, float]]:
        """The figures of equations (4) to (7), and the soloist's mean points in each seating."""
        form = form_of(make("skat-suit"), form_name)
        scores = self.scores([_names(seating, a, b) for seating in form.seatings])
        return figures(form, scores), dict(zip(form.names, scores.mean(axis=0).tolist()))

    def _asked(self, row: int, seating: tuple[str, str, str]) -> Asked:
        sizes = [self.how.samples.get(name, 0) for name in seating]
        settings = [house(), self.kinds, row, seating, self.how.worlds, sizes, self.how.seed]
        name = f"{self.kind} {row} {' '.join(seating)}"
        return Asked(name, settings, partial(self._play, row, seating), learned())

    def _play(self, row: int, seating: tuple[str, str, str]) -> float:
        number, final = pool(self.kinds, self.deals, self.how.seed)[row]
        for name in seating:
            if name not in self.players:
                self.players[name] = player(name, self.how)
        soloist, *defenders = (self.players[name] for name in seating)
        shard = Shard(
            house(), ((soloist,), tuple(defenders)), ONE_GAME, self.how.seed, row, 1,
            starts=(Start(number, before_play(final)),), may_look=True,
        )  # fmt: skip
        return float(play_shard(shard).solo[0, 0])


def figures(form: Form, scores: Floats) -> dict[str, Comparison]:
    """The differences with errors and p; delta_tp = delta_sol + delta_def is asserted inside."""
    return deltas(form, scores)


def _names(seating: tuple[int, ...], a: str, b: str) -> tuple[str, str, str]:
    soloist, left, right = ((a, b)[side] for side in seating)
    return soloist, left, right
