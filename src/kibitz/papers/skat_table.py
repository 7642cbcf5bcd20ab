"""Skat tournaments in the form of the paper: recorded auctions and declarations, then only the card play,
in several seatings.

Every game is a pure function of the deal, the seating and the settings; a block of deals in one seating is a piece,
which the tables share.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kibitz.arena.continued import Start
from kibitz.arena.play import play
from kibitz.arena.seatings import A, B, Form, form_of
from kibitz.arena.shards import Shard, play_shard
from kibitz.arena.skat.lessons import TESTED
from kibitz.arena.skat.records import is_usable
from kibitz.arena.skat.shards import read_text_shard, stretches_of
from kibitz.arena.soloist import deltas
from kibitz.arena.statistics import Comparison
from kibitz.bots import CompiledBot, make_bot
from kibitz.core.errors import BadInput
from kibitz.core.game import Game, State, make
from kibitz.core.policy import Bot
from kibitz.core.position import Position
from kibitz.core.shapes import Floats
from kibitz.core.shipped import shipped_folder
from kibitz.games.skat.cards import ANNOUNCED, GRAND, NULL, OUVERT
from kibitz.games.skat.state import CONTRACT, DECLARED
from kibitz.papers.experiment import Asked, Scale
from kibitz.search.pimc import Pimc
from kibitz.search.skat.inference.card_locations import CardLocations, read_networks
from kibitz.search.skat.inference.cheating import CheatingPimc
from kibitz.search.skat.inference.history import before_play
from kibitz.search.skat.inference.ki import Tables, read_tables
from kibitz.search.skat.inference.module import Inference, NoInference
from kibitz.search.skat.inference.pi import PolicyInference
from kibitz.search.skat.inference.policies import FOLDER, TRUSTS, read_policies
from kibitz.search.skat.inference.pool import TABLES

POOL = tuple(table.seats for table in TABLES[:4])
"""Tables of the pool whose games the policies were learned from; test deals have other seeds."""
TEST_SEED = 7_000_000
CHUNK, FEW = 512, 4
"""Games played at once by compiled players, and by those that search."""
TYPES = ("suit", "grand", "null")
ONE_GAME = Form("one game", ((A, B, B),), by_soloist=True, is_match=False)
"""A soloist against two defenders, each of whom may be another player."""
MODULES = ("NI", "KI", "CLI", "PI", "PIT", "PIF", "PI100")


@dataclass(frozen=True)
class Setup:
    """How large a tournament's players are, what they have learned and where its deals come from."""

    worlds: int
    """Worlds solved for a card."""
    samples: Mapping[str, int] = field(default_factory=dict)
    """Worlds weighed, by module."""
    seed: int = 1
    folder: str = ""
    """What inference has learned; what comes with kibitz if not said."""
    records: str = ""
    """The archive that deals and declarations are taken from; the pool's games if not said."""


QUICK = {"NI": 256, "KI": 1_000, "CLI": 1_000, "PI": 1_000, "PIT": 1_000, "PIF": 1_000, "PI100": 5_000}
PAPER = {"NI": 256, "KI": 3_200, "CLI": 20_000, "PI": 20_000, "PIT": 20_000, "PIF": 20_000, "PI100": 100_000}
"""The paper's sample sizes; CLI's half million are cut to what makes no difference to its weights."""
FULL = PAPER | {"CLI": 5_000}
"""Those of full editions: what the check of sizes (`papers/skat_worlds.py`) found to be enough."""


def setup(scale: Scale) -> Setup:
    """The players of a scale, with what the user has given."""
    given = dict(scale.given)
    how = scale.pick(quick=Setup(4, QUICK, scale.seed), full=Setup(16, FULL, scale.seed))
    return replace(how, folder=given.get("inference", ""), records=given.get("records", ""))


def module(name: str, samples: int, folder: str = "") -> Inference:
    """An inference module by the paper's letters; PIT is PI that trusts players less whom it cannot predict."""
    place = Path(folder) if folder else None
    if name == "NI":
        return NoInference(samples)
    if name == "KI":
        return Tables(samples, read_tables(place))
    if name in ("CLI", "CLI500"):
        return CardLocations(samples, read_networks(place))
    return PolicyInference(samples, read_policies(place, trusts=TRUSTS if name == "PIT" else ()), name == "PIF")


@cache
def house() -> Game:
    """Skat as it is played in tournaments here."""
    return make("skat")


def player(name: str, how: Setup) -> Bot:
    """A searching player with one of the modules, C with the true world, or a stranger by his spec."""
    game = house()
    if ":" in name:
        return make_bot(game, name)
    rule = make_bot(game, "skat-rule").act
    if name == "C":
        return CheatingPimc(game, name, worlds=1, rule=rule)
    return Pimc(game, name, worlds=how.worlds, weigher=module(name, how.samples[name], how.folder), rule=rule)


def kind_of(s: State) -> str:
    """Suit, grand, null or null ouvert."""
    if s[CONTRACT] < GRAND:
        return "suit"
    if s[CONTRACT] == NULL:
        return "null ouvert" if ANNOUNCED[s[DECLARED]] & OUVERT else "null"
    return "grand"


def pool_games(
    kinds: Sequence[str], count: int, seed: int, tables: Sequence[tuple[str, str, str]] = POOL
) -> list[tuple[int, State]]:
    """Games of some tables with one of these kinds, as their number and final state; equally many from every table."""
    game = house()
    found: list[list[tuple[int, State]]] = [[] for _ in tables]
    wanted = -(-count // len(tables))
    for k, table in enumerate(tables):
        bots: list[Bot] = [make_bot(game, spec) for spec in table]
        at_once = CHUNK if all(isinstance(bot, CompiledBot) for bot in bots) else FEW
        first = 0
        while len(found[k]) < wanted:
            luck = TEST_SEED + 100 * seed + k
            for chunk in play(game, bots, at_once, luck, first=first, keep_log=True):
                for row in range(len(chunk.moves)):
                    state = _final(game, luck, chunk.first + row, chunk.log[row, : chunk.moves[row]])
                    if is_usable(state) and kind_of(state) in kinds:
                        found[k].append((1_000_000 * k + chunk.first + row, state))
            first += at_once
    mixed = [games[place] for place in range(wanted) for games in found]
    return mixed[:count]


def archive_games(kinds: Sequence[str], count: int, path: Path) -> list[tuple[int, State]]:
    """Games of an archive with one of these kinds, of deals that imitation never learns from."""
    found: list[tuple[int, State]] = []
    number = 0
    for stretch in stretches_of([path]):
        shard = read_text_shard(stretch)
        for row in np.flatnonzero(shard.deals % TESTED == 0):
            if kind_of(shard.states[row]) in kinds:
                found.append((number + int(row), shard.states[row]))
        number += len(shard)
        if len(found) >= count:
            return found[:count]
    if not number:
        raise BadInput(f"{path} has no game of Skat that can be used: kibitz records summary {path} tells why")
    raise BadInput(
        f"{path} has {len(found):,} games of {' or '.join(kinds)} on deals kept for testing: {count:,} are needed"
    )


@cache
def pool(kinds: tuple[str, ...], count: int, seed: int, records: str = "") -> list[tuple[int, State]]:
    """The same list, made once; a game's place in it does not depend on how many there are."""
    return archive_games(kinds, count, Path(records)) if records else pool_games(kinds, count, seed)


def learned(how: Setup) -> list[Path]:
    """What pieces read: the folder of the inference modules, and the archive that deals are taken from."""
    folder = Path(how.folder) if how.folder else shipped_folder() / FOLDER
    return [folder, *([Path(how.records)] if how.records else [])]


def _final(game: Game, seed: int, number: int, moves: NDArray[np.int32]) -> State:
    position = Position(game, seed, number, manual_chance=True)
    for move in moves:
        game.step(position.state, int(move))
    return position.state


class Outcome(NamedTuple):
    """What a match came to."""

    found: dict[str, Comparison]
    means: dict[str, float]
    deals: int
    level: float
    """The p below which a difference is told from nothing after so many deals."""

    def p(self, name: str) -> float:
        """The p of a figure on the scale of one look at the end."""
        return min(1.0, self.found[name].p * ALPHA / self.level)


ALPHA = 0.05
LOOKS = ((1 / 3, 0.0005), (2 / 3, 0.014), (1.0, 0.045))
"""The rule, stated before anything is played: after a third, two thirds and all of the deals a match is looked at, and
it ends where p is below the level of that look. Together they are wrong about nothing once in twenty times (O'Brien and
Fleming, 1979)."""


def looks(deals: int) -> list[tuple[int, float]]:
    """When a match of so many deals is looked at, and the level of each look; few deals are looked at once."""
    if deals < LEAST_LOOKED_AT:
        return [(deals, ALPHA)]
    return [(round(share * deals), level) for share, level in LOOKS]


LEAST_LOOKED_AT = 90
BLOCK = 50
"""Deals in a piece; the looks of full tournaments fall between two of them."""


class Tournament:
    """The games of one kind of contract on a fixed list of deals, played in blocks when they are first asked for."""

    def __init__(self, kind: str, deals: int, how: Setup, scale: Scale) -> None:
        kinds = ("null", "null ouvert") if kind == "null" else (kind,)
        self.kind, self.kinds, self.deals, self.how, self.scale = kind, kinds, deals, how, scale
        self.players: dict[str, Bot] = {}
        self.known: dict[tuple[int, tuple[str, str, str]], list[float]] = {}

    def scores(self, seatings: Sequence[tuple[str, str, str]], deals: int | None = None) -> Floats:
        """[deals, seatings]: the soloist's points; a seating names the soloist and the defenders to his left
        and right."""
        wanted = self.deals if deals is None else deals
        places = [(first, seating) for first in range(0, wanted, BLOCK) for seating in dict.fromkeys(seatings)]
        new = [place for place in places if place not in self.known]
        asked = [self._asked(*place) for place in new]
        self.known |= zip(new, self.scale.each(asked, f"{self.kind} games", of="skat.blocks"), strict=True)
        columns = [[one for first in range(0, wanted, BLOCK) for one in self.known[first, own]] for own in seatings]
        return np.array(columns, float).T[:wanted]

    def __getstate__(self) -> dict[str, Any]:
        return vars(self) | {"players": {}, "known": {}}  # whoever plays a game elsewhere makes players of his own

    def match(self, a: str, b: str, form_name: str, judged: str = "tp") -> Outcome:
        """The figures of equations (4) to (7), and the soloist's mean points in each seating.

        It is looked at as often as `looks` says, and stops as soon as one figure is decided by the rule stated there.
        """
        form = form_of(make("skat-suit"), form_name)
        seatings = [_names(seating, a, b) for seating in form.seatings]
        for deals, level in looks(self.deals):
            scores = self.scores(seatings, deals)
            found = figures(form, scores)
            if deals == self.deals or found[judged].p < level:
                break
        return Outcome(found, dict(zip(form.names, scores.mean(axis=0).tolist(), strict=True)), deals, level)

    def _asked(self, first: int, seating: tuple[str, str, str]) -> Asked:
        """The block that begins with a deal; how many deals there are in all decides only how long the last one is."""
        rows = range(first, min(first + BLOCK, self.deals))
        sizes = [self.how.samples.get(name, 0) for name in seating]
        settings = [house(), self.kinds, first, len(rows), seating, self.how.worlds, sizes, self.how.seed]
        name = f"{self.kind} {first} {' '.join(seating)}"
        return Asked(name, settings, partial(self._play, rows, seating), learned(self.how))  # which has the rest

    def _play(self, rows: Sequence[int], seating: tuple[str, str, str]) -> list[float]:
        """The soloist's points on some deals."""
        return [self._play_one(row, seating) for row in rows]

    def _play_one(self, row: int, seating: tuple[str, str, str]) -> float:
        number, final = pool(self.kinds, self.deals, self.how.seed, self.how.records)[row]
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
