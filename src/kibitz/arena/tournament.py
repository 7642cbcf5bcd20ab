"""Many bots on the same deals: everybody against everybody, or all against one;
resumable, and the same on any number of processes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from kibitz.arena.cutting import shards_of
from kibitz.arena.match import MOST_DEALS, Match, Progress, RoleResult, comparison_json, number, role_result, summary
from kibitz.arena.parts import answers
from kibitz.arena.ratings import Rating, elo
from kibitz.arena.scoresheet import ScoreSheet, Spoiled
from kibitz.arena.seatings import Form, form_of, role_names
from kibitz.arena.shards import Player, Shard, Side, line_up, play_shard, seated, sheet_shelf, side_name
from kibitz.arena.statistics import Score, holm, score
from kibitz.core.errors import BadInput
from kibitz.core.files import whole_file
from kibitz.core.game import Game
from kibitz.core.plain_text import json_text
from kibitz.core.shapes import Floats
from kibitz.core.work import Executor

Pair = tuple[tuple[Player, ...], tuple[Player, ...]]


class Rank(NamedTuple):
    """A bot's place: its mean lead over those it met, deal by deal, and its rating by deals won."""

    bot: str
    lead: Score
    rating: Rating


@dataclass(frozen=True)
class Tournament:
    """The outcome of a tournament; pairs in the order in which they were named."""

    game: Game
    bots: list[str]
    against: str | None
    seed: int
    deals: int
    form: Form
    pairs: list[Match]
    holm: list[float]
    """The p of each pair, corrected for there being so many."""
    ranking: list[Rank]
    """Best first."""

    @property
    def spoiled(self) -> tuple[Spoiled, ...]:
        """Games that were broken off because a bot failed."""
        return tuple(one for pair in self.pairs for one in pair.spoiled)

    def matrix(self) -> tuple[Floats, Floats]:
        """[bots, bots]: the row's mean lead over the column, and its standard error; nan where they did not meet."""
        mean = np.full((len(self.bots), len(self.bots)), np.nan)
        error = mean.copy()
        for pair in self.pairs:
            i, j = (self.bots.index(bot) for bot in pair.bots)
            lead = pair.difference.difference
            mean[i, j], mean[j, i] = lead.mean, -lead.mean
            error[i, j] = error[j, i] = lead.se
        return mean, error

    def roles(self) -> list[RoleResult]:
        """What each bot made in each role, over all its matches."""
        found = []
        for bot in self.bots:
            met = [(pair.sheet, pair.bots.index(bot)) for pair in self.pairs if bot in pair.bots]
            for r, role in enumerate(role_names(self.game, self.form)):
                # The same deals come up in every match, so a deal's games are added up before errors are reckoned.
                sums, counts, wins = np.zeros((3, self.deals))
                for sheet, side in met:
                    sums[sheet.deals] += sheet.role_sums[:, r, side]
                    counts[sheet.deals] += sheet.role_counts[:, r, side]
                    wins[sheet.deals] += sheet.role_wins[:, r, side]
                found.append(role_result(role, bot, sums, counts, wins))
        return [result for result in found if result.wins.games]

    def as_json(self) -> dict[str, Any]:
        """One JSON object; it depends on what was played alone."""
        mean, _ = self.matrix()
        return {
            "game": self.game.name,
            "options": dict(self.game.options),
            "version": self.game.version,
            "bots": self.bots,
            "against": self.against,
            "seed": self.seed,
            "deals": self.deals,
            "seatings": self.form.names,
            "ranking": [_rank_json(rank) for rank in self.ranking],
            "matrix": [[number(float(value)) for value in row] for row in mean],
            "pairs": [_pair_json(pair, p) for pair, p in zip(self.pairs, self.holm, strict=True)],
            "roles": [
                {
                    "bot": role.bot, "role": role.role, "mean": number(role.score.mean), "se": number(role.score.se),
                    "win_rate": number(role.wins.rate), "seat_games": role.wins.games,
                }
                for role in self.roles()
            ],
            "failures": [one.as_json() for one in self.spoiled],
        }  # fmt: skip

    def save(self, path: str | Path) -> None:
        """Write the JSON object to a file."""
        with whole_file(path) as file:
            file.write((json_text(self.as_json(), indent=1) + "\n").encode())


def tournament(
    game: Game, bots: Sequence[Side], deals: int, seed: int = 0, *, against: Side | None = None,
    seatings: str | None = None, executor: Executor | None = None, shards: str | Path | None = None, batch: int = 1024,
    move_time: float | None = None, records: str | Path | None = None, shard: int | None = None, join: bool = False,
    progress: Progress = lambda deals: None,
) -> Tournament:  # fmt: skip
    """Play every pair (or every bot against one) on deals 0 .. deals - 1 of a seed.

    With a folder for `shards` finished pieces are kept there: after an interruption the same call goes on where it was.
    With `join` all of them must be there.
    """
    entrants, form, wholes = programme(
        game, bots, deals, seed, against=against, seatings=seatings, batch=batch, move_time=move_time, records=records
    )
    shelf = sheet_shelf(shards) if shards else None
    cuts = shards_of(wholes, shard, executor, shelf)
    pieces = [(k, piece) for k, cut_up in enumerate(cuts) for piece in cut_up]
    sheets: list[list[ScoreSheet]] = [[] for _ in wholes]
    played = answers(play_shard, [piece for _, piece in pieces], executor, shelf, join)
    for (k, piece), sheet in zip(pieces, played, strict=True):
        sheets[k].append(sheet)
        progress(piece.count)
    joined = [ScoreSheet.joined(parts) for parts in sheets]
    if records:
        _write_records(records, joined)
    matches = [summary(whole, replace(sheet, lines=())) for whole, sheet in zip(wholes, joined, strict=True)]
    names = [side_name(side) for side in entrants]
    reference = side_name(line_up(against)) if against is not None else None
    p = [one.difference.p for one in matches]
    corrected = [float(value) for value in holm(p)] if np.isfinite(p).all() else p
    return Tournament(game, names, reference, seed, deals, form, matches, corrected, _ranking(names, matches))


def programme(
    game: Game, bots: Sequence[Side], deals: int, seed: int, *, against: Side | None = None,
    seatings: str | None = None, batch: int = 1024, move_time: float | None = None, records: str | Path | None = None,
) -> tuple[list[tuple[Player, ...]], Form, list[Shard]]:  # fmt: skip
    """Everybody who takes part, the form, and every match as one shard."""
    if not 1 <= deals <= MOST_DEALS:
        raise BadInput(f"{deals} deals cannot be played: a number from 1 to {MOST_DEALS:,} can")
    entrants, pairs = draw(game, bots, against)
    form = form_of(game, seatings)
    suffix = Path(records).suffix if records else None
    return entrants, form, [Shard(game, pair, form, seed, 0, deals, batch, move_time, suffix) for pair in pairs]


def draw(game: Game, bots: Sequence[Side], against: Side | None) -> tuple[list[tuple[Player, ...]], list[Pair]]:
    """Everybody who takes part, with every spec checked, and who meets whom."""
    entrants = [line_up(bot) for bot in bots]
    if against is not None:
        reference = line_up(against)
        entrants = [*(side for side in entrants if side_name(side) != side_name(reference)), reference]
    names = [side_name(side) for side in entrants]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise BadInput(f"{twice} takes part twice: every bot of a tournament is named once")
    if len(entrants) < 2:
        raise BadInput("a tournament takes at least two bots")
    for side in entrants:
        seated(game, side)
    if against is not None:
        return entrants, [(side, entrants[-1]) for side in entrants[:-1]]
    return entrants, list(combinations(entrants, 2))


def _ranking(names: Sequence[str], matches: Sequence[Match]) -> list[Rank]:
    wins = np.zeros((len(names), len(names)))
    for pair in matches:
        i, j = (names.index(bot) for bot in pair.bots)
        lead = pair.sheet.difference
        drawn = float((lead == 0).sum()) / 2
        wins[i, j], wins[j, i] = float((lead > 0).sum()) + drawn, float((lead < 0).sum()) + drawn
    # One drawn deal between every two keeps the rating of a bot that won everything finite.
    ratings = {rating.name: rating for rating in elo(names, wins, prior=1.0).ratings}
    ranks = [Rank(name, _lead(name, matches), ratings[name]) for name in names]
    return sorted(ranks, key=lambda rank: -rank.lead.mean if math.isfinite(rank.lead.mean) else math.inf)


def _lead(name: str, matches: Sequence[Match]) -> Score:
    """The mean over opponents of the lead in each deal, over the deals that count in all the bot's matches."""
    met = [(pair, 1.0 if pair.bots[0] == name else -1.0) for pair in matches if name in pair.bots]
    common = reduce(np.intersect1d, [pair.sheet.deals for pair, _ in met])
    if not len(common):
        return Score(math.nan, math.nan, 0, "deal")
    leads = [sign * pair.sheet.difference[np.isin(pair.sheet.deals, common)] for pair, sign in met]
    return score(np.mean(leads, axis=0) + 0.0, "deal")


def _write_records(path: str | Path, sheets: Sequence[ScoreSheet]) -> None:
    with whole_file(path) as file:
        for sheet in sheets:
            file.writelines(f"{line}\n".encode() for line in sheet.lines)


def _rank_json(rank: Rank) -> dict[str, Any]:
    return {
        "bot": rank.bot, "lead": number(rank.lead.mean), "se": number(rank.lead.se), "deals": rank.lead.n,
        "elo": rank.rating.elo, "elo_low": rank.rating.low, "elo_high": rank.rating.high,
    }  # fmt: skip


def _pair_json(pair: Match, p_holm: float) -> dict[str, Any]:
    parts = ("bots", "deals", "games", "difference", "sides", "roles", "deltas")
    kept: dict[str, Any] = {str(key): value for key, value in pair.as_json().items() if key in parts}
    return kept | {"difference": {**comparison_json(pair.difference), "p_holm": number(p_holm)}}
