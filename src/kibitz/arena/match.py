"""A match of A against B over duplicate deals: every deal in every seating,
with the same luck for whoever sits there."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from kibitz.arena.cutting import shards_of
from kibitz.arena.fused import can_fuse
from kibitz.arena.parts import answers
from kibitz.arena.scoresheet import ScoreSheet, Spoiled
from kibitz.arena.seatings import Form, form_of, role_names
from kibitz.arena.shards import Shard, Side, play_shard, seated, sheet_shelf, side_name, two_sides
from kibitz.arena.soloist import deltas
from kibitz.arena.statistics import LOOKS, Comparison, Score, WinRate, bootstrap, narrow_enough, paired, score, win_rate
from kibitz.core.errors import BadInput
from kibitz.core.files import whole_file
from kibitz.core.game import Game
from kibitz.core.shapes import Floats
from kibitz.core.work import Executor

Progress = Callable[[int], None]
MOST_DEALS = 10**7
"""More would not fit in memory: a match remembers what every deal gave."""


@dataclass(frozen=True)
class SideResult:
    """What one side made per seat and game."""

    bot: str
    score: Score
    wins: WinRate


@dataclass(frozen=True)
class RoleResult:
    """What one side made in one role, per seat and game; errors take a deal's games as one."""

    role: str
    bot: str
    score: Score
    wins: WinRate


@dataclass(frozen=True, repr=False)
class Match:
    """The outcome of a match; `difference` is A's mean less B's, deal by deal."""

    game: Game
    bots: list[str]
    seed: int
    form: Form
    sheet: ScoreSheet = field(repr=False)
    difference: Comparison
    sides: list[SideResult]
    roles: list[RoleResult]
    deltas: dict[str, Comparison]
    """How the match divides into soloist and defenders, where a soloist is there from the deal on."""
    seconds: float = 0.0

    @property
    def deals(self) -> int:
        """Deals that count."""
        return len(self.sheet)

    @property
    def games(self) -> int:
        """Games that count."""
        return self.deals * len(self.form.seatings)

    @property
    def spoiled(self) -> tuple[Spoiled, ...]:
        """Games that were broken off because a bot failed."""
        return self.sheet.spoiled

    def __repr__(self) -> str:
        first, second = self.bots
        lines = [f"{first} against {second}, {self.deals:,} deals of {self.game.name}: {self.difference}"]
        lines += [f"{side.bot}: {side.score}, won {100 * side.wins.rate:.1f} %" for side in self.sides]
        lines += (
            [f"{len(self.spoiled)} games were broken off, the first: {self.spoiled[0].failure.reason}"]
            if self.spoiled
            else []
        )
        return "\n".join(lines)

    def bootstrap(self) -> tuple[float, float]:
        """The bootstrap interval for the difference."""
        return bootstrap(self.sheet.difference, seed=self.seed)

    def as_json(self) -> dict[str, Any]:
        """One JSON object that holds what was played and came out, and not how long it took."""
        return {
            "game": self.game.name,
            "options": dict(self.game.options),
            "version": self.game.version,
            "bots": self.bots,
            "seed": self.seed,
            "seatings": self.form.names,
            "deals": self.deals,
            "games": self.games,
            "difference": comparison_json(self.difference),
            "sides": [_result_json(side) for side in self.sides],
            "roles": [{"role": role.role, **_result_json(role)} for role in self.roles],
            **({"deltas": {k: comparison_json(v) for k, v in self.deltas.items()}} if self.deltas else {}),
            "failures": [one.as_json() for one in self.spoiled],
        }


def match(
    game: Game, bots: Sequence[Side], deals: int, seed: int = 0, *, seatings: str | None = None,
    executor: Executor | None = None, batch: int = 1024, move_time: float | None = None,
    records: str | Path | None = None, until: float | None = None, shard: int | None = None,
    shards: str | Path | None = None, join: bool = False, progress: Progress = lambda deals: None,
) -> Match:  # fmt: skip
    """Play deals 0 .. deals - 1 of a seed between A and B.

    With `until` the match stops early, at one of five looks, once the interval of the difference is narrower than that.
    A deal in which a bot fails does not count and is reported in `spoiled`. With a folder for `shards` finished pieces
    are kept there and not played again; with `join` all of them must be there.
    """
    whole = whole_match(game, bots, deals, seed, seatings=seatings, batch=batch, move_time=move_time, records=records)
    shelf = sheet_shelf(shards) if shards else None
    if can_fuse([bot for side in whole.sides for bot in seated(game, side)]):
        play_shard(replace(whole, count=1))  # compile before the clock starts
    sheets: list[ScoreSheet] = []
    start = time.perf_counter()
    with _file(records) as file:
        for first, last in stages(deals, until):
            (pieces,) = shards_of([replace(whole, first=first, count=last - first)], shard, executor, shelf)
            for piece, sheet in zip(pieces, answers(play_shard, pieces, executor, shelf, join), strict=True):
                if file is not None:
                    file.writelines(f"{line}\n".encode() for line in sheet.lines)
                sheets.append(replace(sheet, lines=()))
                progress(piece.count)
            if until is not None and narrow_enough(_score(_column(sheets)), until):
                break
        return summary(whole, ScoreSheet.joined(sheets), time.perf_counter() - start)


def whole_match(
    game: Game, bots: Sequence[Side], deals: int, seed: int, *, seatings: str | None = None, batch: int = 1024,
    move_time: float | None = None, records: str | Path | None = None,
) -> Shard:  # fmt: skip
    """A match as one shard."""
    if not 1 <= deals <= MOST_DEALS:
        raise BadInput(f"{deals} deals cannot be played: a number from 1 to {MOST_DEALS:,} can")
    sides, form = two_sides(game, bots), form_of(game, seatings)
    return Shard(game, sides, form, seed, 0, deals, batch, move_time, Path(records).suffix if records else None)


def stages(deals: int, until: float | None) -> list[tuple[int, int]]:
    """The runs of deals between looks: one, or five of which each doubles what was played."""
    ends = [deals] if until is None else sorted({-(-deals >> k) for k in range(LOOKS)})
    return list(zip([0, *ends], ends, strict=False))


def summary(whole: Shard, sheet: ScoreSheet, seconds: float = 0.0) -> Match:
    """What a score sheet says about a match."""
    names = [side_name(side) for side in whole.sides]
    form = whole.form
    seat_games = np.full(len(sheet), form.seat_games)
    sides = [SideResult(names[k], _score(sheet.means[:, k]), win_rate(sheet.wins[:, k], seat_games)) for k in (0, 1)]
    roles = [
        role_result(role, names[k], sheet.role_sums[:, r, k], sheet.role_counts[:, r, k], sheet.role_wins[:, r, k])
        for r, role in enumerate(role_names(whole.game, form))
        for k in (0, 1)
    ]
    found = deltas(form, sheet.solo) if form.by_soloist and len(sheet) > 1 else {}
    played = [role for role in roles if role.wins.games]
    return Match(
        whole.game, names, whole.seed, form, sheet, _versus_zero(sheet.difference), sides, played, found, seconds
    )


def role_result(role: str, bot: str, sums: Floats, counts: NDArray[Any], wins: NDArray[Any]) -> RoleResult:
    """A mean per seat and game whose error is that of a ratio over deals."""
    n, games = len(sums), int(counts.sum())
    if not games:
        return RoleResult(role, bot, Score(math.nan, math.nan, 0), WinRate(0, 0))
    mean = float(sums.sum()) / games
    rest = sums - mean * counts
    se = math.sqrt(float(rest @ rest) * n / (n - 1)) / games if n > 1 else math.nan
    return RoleResult(role, bot, Score(mean, se, n), win_rate(wins, counts))


def _score(values: Floats) -> Score:
    return score(values, "deal") if len(values) else Score(math.nan, math.nan, 0, "deal")


def _versus_zero(values: Floats) -> Comparison:
    """The paired t-test of differences; a single deal has no error."""
    if len(values) < 2:
        return Comparison(_score(values), math.nan, math.nan)
    return paired(values, np.zeros(len(values)))


def _column(sheets: Sequence[ScoreSheet]) -> Floats:
    return np.concatenate([sheet.difference for sheet in sheets])


@contextmanager
def _file(records: str | Path | None) -> Iterator[BinaryIO | None]:
    if records is None:
        yield None
        return
    with whole_file(records) as file:
        yield file


def number(value: float) -> float | None:
    """A number for JSON, which has no nan."""
    return value if math.isfinite(value) else None


def comparison_json(comparison: Comparison) -> dict[str, float | None]:
    """mean, se, low, high, p."""
    one = comparison.difference
    return {
        "mean": number(one.mean), "se": number(one.se), "low": number(one.low), "high": number(one.high),
        "p": number(comparison.p),
    }  # fmt: skip


def _result_json(result: SideResult | RoleResult) -> dict[str, Any]:
    low, high = result.wins.interval()
    return {
        "bot": result.bot, "mean": number(result.score.mean), "se": number(result.score.se),
        "win_rate": number(result.wins.rate), "win_low": low, "win_high": high, "seat_games": result.wins.games,
    }  # fmt: skip
