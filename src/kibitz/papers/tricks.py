"""Hearts, Euchre and Belote, games of the trick kit that no paper is about: what learning and search reach in each."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import Any

from kibitz.arena.match import match
from kibitz.arena.statistics import Score
from kibitz.bots import make_bot
from kibitz.core.game import Game, make
from kibitz.papers import charts, claims
from kibitz.papers.experiment import Asked, Bookmark, Cell, Figure, Result, Scale, Table, experiment

GAMES = {"hearts": (0,), "euchre": (0, 2), "belote": (0, 2)}
"""The seats of the learner when it is measured: in Hearts everybody is alone."""
TIMES = 8
"""How often a learner is measured on its way."""


@experiment("tricks.search")
def search(scale: Scale) -> Result:
    """Play the searching player against the rule-based one on the same deals."""
    deals = scale.pick(quick=4, full=200)
    asked = [Asked(name, [make(name), deals], partial(searched, name, deals, scale.seed)) for name in GAMES]
    rows: list[Sequence[Cell]] = []
    found = []
    for name, (mean, error, count) in zip(GAMES, scale.each(asked, "games"), strict=True):
        ours = Score(mean, error, count)
        rows.append([name, ours, f"{deals} deals, all seatings"])
        found.append(above_nothing(name, f"pimc beats {name}-rule", ours))
    columns = ["game", "points a deal, pimc less rule", "played"]
    return Result(
        "pimc in three games of the kit", tables=[Table("pimc against the rule player", columns, rows)], claims=found
    )


@experiment("tricks.learning")
def learning(scale: Scale) -> Result:
    """Train one network for all seats by self-play, and measure it on the way."""
    frames = scale.pick(quick=60_000, full=6_000_000)
    games = scale.pick(quick=1024, full=8192)
    figures, found = [], []
    rows: list[Sequence[Cell]] = []
    for name in scale.track(list(GAMES), "games"):
        compute = partial(learned, make(name), frames, games, scale)
        points = scale.long_piece(name, [make(name), frames, games], compute)
        lines = {}
        for rival in ("random", f"{name}-rule"):
            x, y = [one["frames"] for one in points], [one[rival]["mean"] for one in points]
            errors = [one[rival]["se"] for one in points]
            band = [m - e for m, e in zip(y, errors, strict=True)], [m + e for m, e in zip(y, errors, strict=True)]
            lines[f"against {rival}"] = (x, y, *band)
            last = points[-1][rival]
            ours = Score(last["mean"], last["se"], last["games"])
            rows.append([name, rival, ours])
            found.append(above_nothing(f"{name} {rival}", f"{name}: DMC beats {rival}", ours))
        chart = charts.curves(lines, "decisions learned from", "points a deal")
        figures.append(Figure(f"{name}: a network learning by self-play (seed {scale.seed})", chart=chart))
    columns = ["game", "against", "points a deal"]
    title = f"After {frames:,} decisions, less what the others get on average"
    return Result("DMC in three games of the kit", tables=[Table(title, columns, rows)], figures=figures, claims=found)


def above_nothing(key: str, says: str, ours: Score) -> Any:
    """A claim that a difference is above zero, by five standard errors."""
    return claims.sentence(
        key, says, "above 0", ours, ours.mean > 5 * ours.se, f"{ours.mean / max(ours.se, 1e-9):.0f} standard errors",
        reason="too few deals or too little training", is_alike=False,
    )  # fmt: skip


def searched(name: str, deals: int, seed: int) -> list[float]:
    """The mean difference, its standard error and the deals."""
    gap = match(make(name), ("pimc", f"{name}-rule"), deals, 10_000 + seed).sheet.difference
    return [float(gap.mean()), float(gap.std(ddof=1) / math.sqrt(len(gap))), len(gap)]


def learned(game: Game, frames: int, games: int, scale: Scale, mark: Bookmark) -> list[dict[str, Any]]:
    """What one network for all seats reaches against others, measured TIMES on its way."""
    from kibitz.learn.run import Plan, configured, make_learner
    from kibitz.learn.seats import Seating

    seats = tuple(range(game.PLAYERS))
    plan = Plan(game, "dmc", configured("dmc", "small"), Seating(seats, "all"), seed=scale.seed, frames=frames)
    seen, learner = make_learner(plan, {"random": make_bot(game, "random")})
    points: list[dict[str, Any]] = mark.take_up(learner.restore) or []
    while learner.frames < frames:
        learner.round(learner.frames / frames)
        scale.progress(game.name, min(frames, learner.frames), frames)
        if learner.frames >= frames * (len(points) + 1) / TIMES:
            here: dict[str, Any] = {"frames": float(learner.frames)}
            for rival in ("random", f"{game.name}-rule"):
                here[rival] = lead(seen, learner, rival, games, 10_000 + scale.seed)
            points.append(here)
        mark.keep(learner.state, points)
    return points


def lead(seen: Any, learner: Any, rival: str, games: int, seed: int) -> dict[str, float]:
    """What a deal brings the learner's seats more than the others, with its standard error."""
    from kibitz.learn.selfplay import Actor, SelfPlay, greedy

    game = seen.game
    own = GAMES[game.name]
    other = make_bot(game, rival)
    players = [Actor(greedy(learner.networks[0])) if seat in own else other for seat in range(game.PLAYERS)]
    returns = SelfPlay(seen, games).play(players, seed).returns
    others = [seat for seat in range(game.PLAYERS) if seat not in own]
    gap = returns[:, list(own)].mean(axis=1) - returns[:, others].mean(axis=1)
    return {"mean": float(gap.mean()), "se": float(gap.std(ddof=1) / math.sqrt(len(gap))), "games": len(gap)}
