"""A ladder: every bot of a game against one of them on the same deals, with its rating and its time for a decision."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from kibitz.arena.match import Match, match
from kibitz.arena.ratings import ELO
from kibitz.arena.shards import BATCHED_DEALS, COMPILED_DEALS, shard_deals
from kibitz.bots import make_bot, rules, strongest_rule
from kibitz.core.errors import BadInput
from kibitz.core.game import Game
from kibitz.core.offers import on_ladder
from kibitz.core.policy import Bot
from kibitz.core.position import Position
from kibitz.core.schema import OPTIONS, Fields, Listed, Number, Whole, line
from kibitz.core.shipped import models_for, strangers_for
from kibitz.core.work import Executor
from kibitz.search.pimc import can_play

FORMAT = 1
PLAIN = "pimc:plain"
MORE = {COMPILED_DEALS: 100, BATCHED_DEALS: 20}
"""How many times the deals of a slow bot are played by those that play many tables at once."""
TIMED_SECONDS, TIMED_GAMES = 2.0, 20
RUNG = Fields({
    "bot": line(300), "mean": Number(), "se": Number(0.0), "low": Number(), "high": Number(), "deals": Whole(0, 10**7),
    "elo": Number(), "elo_se": Number(0.0), "milliseconds": Number(0.0), "command": line(1000),
})  # fmt: skip
LADDER = Fields({
    "format": Whole(FORMAT, FORMAT), "game": line(100), "settings": OPTIONS, "anchor": line(300), "seed": Whole(),
    "date": line(30), "commit": line(60), "machine": line(200), "rungs": Listed(RUNG, 1, 200),
})  # fmt: skip
"""A ladder as it is kept."""


@dataclass(frozen=True)
class Rung:
    """One bot: its mean lead over the anchor in a deal with a 95 % interval, its rating, its time for a decision."""

    bot: str
    mean: float
    se: float
    low: float
    high: float
    deals: int
    elo: float
    elo_se: float
    milliseconds: float
    command: str


def entrants(game: Game) -> list[str]:
    """Everybody on a game's ladder: its rules, random, networks and tables that come with kibitz, search,
    and whom its package names besides."""
    known = ["random", *rules(game), *models_for(game), *strangers_for(game)]
    if can_play(game):
        known += ["pimc", PLAIN]
    return list(dict.fromkeys([*known, *on_ladder(game)]))


def climb(
    game: Game, settings: Mapping[str, Any], bots: Sequence[str], deals: int, seed: int, *, anchor: str = "",
    executor: Executor | None = None, shards: Path | None = None, tell: Any = lambda bot: None,
) -> dict[str, Any]:  # fmt: skip
    """Play every bot against the anchor on deals 0, 1, ... of a seed, time it, and rate it.

    A bot that plays one table at a time gets `deals`, others more. With a folder for `shards` finished pieces are kept.
    """
    anchor = anchor or strongest_rule(game)
    others = [bot for bot in bots if bot != anchor]
    if not others:
        raise BadInput(f"a ladder of {game.name} takes at least two bots: {anchor} and another")
    matches = {}
    for bot in others:
        tell(bot)
        made = [make_bot(game, one) for one in (bot, anchor)]
        count = deals * MORE.get(shard_deals(made, with_records=False), 1)
        matches[bot] = match(game, [bot, anchor], count, seed, executor=executor, shards=shards)
    ratings = _ratings(anchor, matches)
    rungs = [
        _rung(game, settings, bot, anchor, seed, matches.get(bot), ratings[bot], milliseconds(game, bot, seed))
        for bot in (*others, anchor)
    ]
    rungs.sort(key=lambda rung: -rung.mean)
    return {
        "format": FORMAT, "game": game.name, "settings": dict(settings), "anchor": anchor, "seed": seed,
        "rungs": [asdict(rung) for rung in rungs],
    }  # fmt: skip


def milliseconds(game: Game, spec: str, seed: int) -> float:
    """Processor time of a bot for a decision in which it has a choice, in games of its own kind."""
    bot = _here(game, spec)
    spent, decisions, number = 0.0, 0, 0
    while number < 2 or (spent < TIMED_SECONDS and number < TIMED_GAMES):
        if number == 1:  # the first game is played to have everything compiled
            spent, decisions = 0.0, 0
        position = Position(game, seed, number)
        while not position.is_over:
            view = position.view(position.turn)
            start = time.process_time()
            action = bot.act(view)
            spent += time.process_time() - start
            decisions += len(view.legal()) > 1
            position.push(action)
        number += 1
    return 1000.0 * spent / max(1, decisions)


def _here(game: Game, spec: str) -> Bot:
    """The bot in this process, where its time can be told."""
    name, *arguments = spec.split(":")
    if name != "python":
        return make_bot(game, spec)
    from kibitz.bots.own import made

    knobs = dict(argument.split("=", 1) for argument in arguments if "=" in argument)
    return made(game, spec, ":".join(argument for argument in arguments if "=" not in argument), knobs)


def _ratings(anchor: str, matches: Mapping[str, Match]) -> dict[str, tuple[float, float]]:
    """Elo of every bot beside the anchor, which has 0, by deals won; with its standard error."""
    found = {anchor: (0.0, 0.0)}
    for bot, played in matches.items():
        lead = played.sheet.difference
        games = len(lead) + 1  # one drawn deal keeps the rating of a bot that won everything finite
        won = (float((lead > 0).sum()) + 0.5 * float((lead == 0).sum()) + 0.5) / games
        found[bot] = (ELO * math.log(won / (1.0 - won)), ELO / math.sqrt(games * won * (1.0 - won)))
    return found


def _rung(
    game: Game, settings: Mapping[str, Any], bot: str, anchor: str, seed: int, played: Match | None,
    rating: tuple[float, float], pace: float,
) -> Rung:  # fmt: skip
    if played is None:
        return Rung(bot, 0.0, 0.0, 0.0, 0.0, 0, 0.0, 0.0, pace, "the anchor")
    lead = played.difference.difference
    options = "".join(f" --set {key}={value}" for key, value in settings.items())
    command = f"kibitz match {game.name}{options} --bots {bot},{anchor} --deals {played.deals} --seed {seed}"
    return Rung(bot, lead.mean, lead.se, lead.low, lead.high, played.deals, *rating, pace, command)
