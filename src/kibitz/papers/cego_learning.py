"""Cego: what the learners reach (Tables V, VI and VII) and the search for their settings, with the shipped models."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from kibitz.arena.statistics import Measured, Score, WinRate, centre
from kibitz.bots import make_bot
from kibitz.core.errors import MissingExtra
from kibitz.core.game import make
from kibitz.core.shipped import shipped_folder
from kibitz.papers import charts, claims
from kibitz.papers.cego import SPREAD, TABLE_3, titled
from kibitz.papers.experiment import Asked, Bookmark, Cell, Claim, Figure, Published, Result, Scale, Table, experiment

if TYPE_CHECKING:
    from kibitz.core.policy import Bot
    from kibitz.learn.selfplay import Actor

SEEDS_5 = (12, 17, 20, 30, 33)
SEEDS_7 = (31, 43, 67, 78, 112)
GAMES, QUICK, QUICK_7 = 50_000, 4_000, 1_000  # per seed; the paper's and ours for a quick look
PAPER_GAMES = 250_000
"""Five seeds of 50,000 games: what the errors beside the published values come from; the paper prints none."""
FEWER = (
    "our model learned from far fewer games: a few million decisions against the paper's 1,500 to 2,500 million frames"
)
EASIER = (
    "ours are rewarded trick by trick and not at the end, see suits in a canonical order and learn from thousands of "
    "games at once"
)
OWN_SIGHT = (
    "1.5 million decisions and a network of two layers of 128, where the paper had 2,500 million frames and five of 512"
)
BALANCE = "what soloist and defenders of one run do to each other: a balance, no level to reach"
PARTS = 5  # a seed's games are played in so many rounds

TABLE_5 = {"DMC": (46.462, 69.958), "DQN": (43.843, 62.761), "NFSP": (42.509, 57.658)}
"""Points per game and per cent of games won in the soloist's seat against three random players."""
TABLE_6 = {
    ("DQN", "DMC"): (42.133, 57.115), ("DQN", "NFSP"): (44.033, 63.506), ("DMC", "DQN"): (46.54, 70.139),
    ("DMC", "NFSP"): (46.787, 70.85), ("NFSP", "DQN"): (42.52, 57.94), ("NFSP", "DMC"): (40.771, 51.871),
}  # fmt: skip
"""(soloist, seat 2) with random players in seats 3 and 4: the soloist's points and per cent of games won."""
TABLE_7: dict[str, tuple[float, ...]] = {
    "standard": (46.48, 38.02, 43.20, 37.98),
    "solo": (54.26, 46.01, 51.42, 44.93),
    "ultimo": (94.74, 7.61, 88.06, 69.42),
    "bettel": (78.94, 67.30, 75.79, 60.78),
    "piccolo": (47.65, 34.32, 43.76, 28.76),
}
"""The soloist's points or per cent of games won in set-ups 1 to 4."""
TABLE_7_RAEUBER = ((85.70, 71.52, 71.36, 71.41), (82.94, 83.85, 66.97, 66.25), (74.46, 74.26, 75.02, 76.27))
"""Per cent of games won by position in set-ups 1 to 3."""
SETUPS = {1: (0,), 2: (1,), 3: (0, 1), 4: (0, 1, 2, 3)}
"""The seats that models play; random players have the others."""
ALONE = {1: "soloist", 2: "defender"}
"""Models that were trained in one seat against random players, beside those that learned in all seats."""
RAEUBER_SETUPS = {1: (0,), 2: (0, 1), 3: (0, 1, 2, 3)}
OURS = {"DMC": "cego-standard-soloist", "DQN": "cego-standard-dqn", "NFSP": "cego-standard-nfsp"}
PAPER_SIGHT = "cego-standard-paper"
CURVE_PRESETS = {"dmc": "small", "dqn": "default", "nfsp": "large"}
SEARCH = {
    "replay": ("50000", "100000", "200000"), "target_every": ("1000", "2000", "10000"),
    "discount": ("0.75", "0.8", "0.95", "0.99"), "last_epsilon": ("0.1", "0.05", "0.01"), "batch": ("32", "64"),
    "layers": ("512,512,512", "512,256,128", "512,512"), "rate": ("1e-4", "5e-5", "1e-5", "5e-6"),
}  # fmt: skip
"""The paper's search space for DQN."""


@experiment("cego.table5")
def table5(scale: Scale) -> Result:
    """Play the shipped soloists against three random players, and show how such networks learn."""
    rows: list[list[Cell]] = []
    made: list[Claim] = []
    best: dict[str, Score] = {}
    cases = [("DMC", OURS["DMC"], False), ("DQN", OURS["DQN"], False), ("NFSP", OURS["NFSP"], True)]
    cases += [("NFSP", OURS["NFSP"], False), ("DMC", PAPER_SIGHT, False)]
    for method, name, samples in scale.track([case for case in cases if is_shipped(case[1])], "models"):
        manner = "sampled" if samples else "argmax" if method == "NFSP" else "greedy"
        points, won = soloist("standard", [Seated(name, samples=samples), *[None] * 3], SEEDS_5, per_seed(scale), scale)
        known, rate = published("standard", TABLE_5[method][0]), published("", TABLE_5[method][1])
        rows.append([f"{method}, {manner}", name, known, points, rate, won])
        if manner == "argmax":
            continue  # the paper's one number is compared with the policy that NFSP is about, the average one
        key, how, reason = (
            (f"{method} paper", ", the paper's observation", OWN_SIGHT) if name == PAPER_SIGHT else (method, "", FEWER)
        )
        says = f"{method} as soloist against random players{how}"
        judge = partial(claims.number, better="higher", reason=reason, caveat=EASIER)
        made.append(judge(key, f"{says}: points a game", known, points))
        made.append(judge(f"{key} won", f"{says}: games won", rate, won))
        best.setdefault(method, points)
    made.append(_order(best))
    columns = ["method", "model", "points published", "points ours", "won published", "won ours"]
    drawn = charts.pairs(
        list(best), [TABLE_5[method][0] for method in best], [one.mean for one in best.values()],
        [one.se for one in best.values()], "points a game; random players have 40.8",
    )  # fmt: skip
    return Result(
        "Soloists of Standard-Cego against random players (Table V)",
        tables=[Table(f"{len(SEEDS_5)} seeds with {per_seed(scale):,} games each", columns, rows)],
        figures=[Figure("Soloists against three random players", chart=drawn), curves(scale)],
        claims=made,
        notes=[
            "The models come with kibitz (see kibitz models); this experiment plays them and trains only the short "
            "curves.",
            "Which of NFSP's policies the paper evaluated is not stated: its average policy is drawn from (sampled), "
            "and its most likely action is played (argmax).",
            "The last row learned with the paper's 336-bit observation and our recipe instead of the paper's.",
        ],
    )


@experiment("cego.table6")
def table6(scale: Scale) -> Result:
    """Seat one method as soloist and another one next to him, with two random players."""
    rows: list[list[Cell]] = []
    made: list[Claim] = []
    found: dict[tuple[str, str], Score] = {}
    next_seat = "cego-standard"
    needed = {pair: [OURS[pair[0]], next_seat if pair[1] == "DMC" else OURS[pair[1]]] for pair in TABLE_6}
    pairs = [(pair, known) for pair, known in TABLE_6.items() if all(map(is_shipped, needed[pair]))]
    for (first, second), (points_known, won_known) in scale.track(pairs, "pairs"):
        samples = (first == "NFSP", second == "NFSP")
        alone = Seated(OURS[first], samples=samples[0])
        # As in the paper, DQN and NFSP have learned the soloist's seat only; DMC has a network for seat 2.
        next_to = Seated(next_seat) if second == "DMC" else Seated(OURS[second], as_seat=0, samples=samples[1])
        points, won = soloist("standard", [alone, next_to, None, None], SEEDS_5, per_seed(scale), scale)
        known = published("standard", points_known)
        rows.append([first, second, known, points, published("", won_known), won])
        found[first, second] = points
        says = f"{first} as soloist, {second} in seat 2: the soloist's points"
        made.append(claims.form(f"{first} {second}", says, known, points, "two models of ours, no level to reach"))
    made = [*_meetings(found), *made]
    columns = ["soloist", "seat 2", "points published", "points ours", "won published", "won ours"]
    return Result(
        "The methods against each other (Table VI)",
        tables=[
            Table(f"The soloist's results, {len(SEEDS_5)} seeds with {per_seed(scale):,} games each", columns, rows)
        ],
        claims=made,
        notes=[
            "Seats 3 and 4 are random. DQN and NFSP play seat 2 with the network they learned for the soloist, as the "
            "paper's figures suggest theirs did: next to them the soloist does no worse than against random players.",
        ],
    )


def _order(best: Mapping[str, Score]) -> Claim:
    """DMC before DQN before NFSP, each told apart by two standard errors."""
    order = sorted(best, key=lambda method: -best[method].mean)
    gaps = [(best[a].mean - best[b].mean, math.hypot(best[a].se, best[b].se)) for a, b in pairwise(order)]
    least, error = min(gaps, key=lambda gap: gap[0] / gap[1])
    told = f"the closest two are {least:.2f} ± {error:.2f} apart, one training of each"
    holds = order == list(TABLE_5) and least > 2 * error
    reason = "the methods come out in another order, or too close to tell"
    return claims.sentence(
        "order", "The order of the methods", " > ".join(TABLE_5), " > ".join(order), holds, told, reason=reason
    )


def _meetings(found: Mapping[tuple[str, str], Score]) -> list[Claim]:
    """What the paper says of Table VI in words."""
    if set(found) != set(TABLE_6):
        return []
    order: list[str] = sorted(TABLE_5, key=lambda method: -sum(found[pair].mean for pair in found if pair[0] == method))
    best = (
        found["DMC", "NFSP"].mean > found["DQN", "NFSP"].mean and found["DMC", "DQN"].mean > found["NFSP", "DQN"].mean
    )
    reason = (
        "our DQN is nearly as strong as our DMC, and as defenders ours see seats from their own, so that DQN and NFSP "
        "defend better than at random although they learned the soloist's seat"
    )
    return [
        claims.sentence(
            "best", "DMC scores highest against every other method", "highest",
            f"{found['DMC', 'DQN'].short} v DQN, {found['DMC', 'NFSP'].short} v NFSP", best, reason=reason,
            is_alike=False,
        ),
        claims.sentence("order", "The order of the soloists", "DMC > DQN > NFSP", " > ".join(order),
                        order == ["DMC", "DQN", "NFSP"], reason=reason, is_alike=False),
    ]  # fmt: skip


@experiment("cego.table7")
def table7(scale: Scale) -> Result:
    """Play the shipped models of every sub-game in the paper's set-ups."""
    rows: list[list[Cell]] = []
    made: list[Claim] = []
    better: list[str] = []
    for subgame in scale.track(list(TABLE_7), "sub-games"):
        for setup, seats in SETUPS.items():
            known = published(subgame, TABLE_7[subgame][setup - 1])
            names = [f"cego-{subgame}-{ALONE[setup]}"] if setup in ALONE else []
            for name in filter(is_shipped, [*names, f"cego-{subgame}"]):
                players = [Seated(name) if s in seats else None for s in range(4)]
                ours = soloist(subgame, players, SEEDS_7, per_seed_7(scale), scale)
                measured = ours[0] if subgame in SPREAD else ours[1]
                away = from_random(subgame, measured)
                rows.append([subgame, setup, name, known, measured, f"{away:+.0f}"])
                made.append(judged(subgame, setup, name, known, measured))
                if setup == 1 and away > 5 and subgame not in better:
                    better.append(subgame)
    raeuber: list[list[Cell]] = []
    for setup, seats in scale.track(list(RAEUBER_SETUPS.items()) if is_shipped("cego-raeuber") else [], "Räuber"):
        players = [Seated("cego-raeuber") if s in seats else None for s in range(4)]
        rates = everybody("raeuber", players, SEEDS_7, per_seed_7(scale), scale)
        for seat, rate in enumerate(rates):
            known = raeuber_known(setup, seat)
            raeuber.append([setup, seat + 1, "model" if seat in seats else "random", known, rate])
            if setup < 3 and seat in seats:
                key, says = (
                    f"raeuber {setup} {seat + 1}",
                    f"Räuber, models in {setup} of 4 seats: games won by model {seat + 1}",
                )
                made.append(claims.number(key, says, known, rate, better="higher", reason=FEWER, caveat=EASIER))
            elif setup == 3:
                key, says = (
                    f"raeuber {setup} {seat + 1}",
                    f"Räuber, models in all seats: games won in position {seat + 1}",
                )
                made.append(claims.form(key, says, known, rate, BALANCE))
    told = ", ".join(better)
    above = "Every soloist beats random play (set-up 1, by five standard errors)"
    made.insert(0, claims.sentence("above random", above, ", ".join(TABLE_7), told, len(better) == len(TABLE_7)))
    games = f"{len(SEEDS_7)} seeds with {per_seed_7(scale):,} games each"
    return Result(
        "Models of the six sub-games (Table VII)",
        tables=[
            Table(
                f"The soloist's result, {games}",
                ["sub-game", "set-up", "model", "published", "ours", "standard errors from random play"],
                rows,
            ),
            Table(
                f"Räuber: games won by position, {games}",
                ["set-up", "position", "player", "published", "ours"],
                raeuber,
            ),
        ],
        claims=made,
        notes=[
            "Set-up 1: model as soloist, the others random. 2: model in seat 2, the others random. 3: models in seats "
            "1 and 2. 4: models in all seats. Räuber: models in seat 1; in seats 1 and 2; in all.",
            "cego-NAME-soloist learned against random players, cego-NAME in self-play in all four seats.",
            "In set-ups 2 and 4 a lower value for the soloist is better for the models that oppose him. Set-up 4 sets "
            "soloist and defenders of one run against each other, so it measures their balance and not their strength.",
            "Random play is Table III; in set-up 2 the model has improved on it if the soloist has less.",
            "The errors of the published values are those of 250,000 games; the paper itself prints none.",
        ],
    )


@experiment("cego.tuning")
def tuning(scale: Scale) -> Result:
    """Draw settings from the paper's space, train each briefly, rank by points and by slope as the paper does."""
    _needs_torch()
    from kibitz.learn.run import configured

    tries, episodes = scale.pick(quick=3, full=20), scale.pick(quick=250, full=50_000)
    luck = random.Random(scale.seed)
    found = []
    for number in scale.track(range(tries), "settings"):
        settings = {key: luck.choice(values) for key, values in SEARCH.items()}
        batch = settings["batch"]
        config = configured("dqn", "paper", {**settings, "learned": batch, "exploring": "1.0", "games": "20"})
        games = scale.pick(quick=1000, full=5000)
        x, y = train_curve(f"try {number}", "dqn", config, 11 * episodes, scale, points=5, games=games)
        slope = float(np.polyfit(x, y, 1)[0]) * 1e5
        found.append((settings, y[-1], slope))
    by_points = _places([points for _, points, _ in found])
    by_slope = _places([slope for _, _, slope in found])
    ranked = sorted(range(tries), key=lambda k: (by_points[k] + by_slope[k], by_points[k]))
    rows: list[list[Cell]] = [
        [place + 1, *(found[k][0][key] for key in SEARCH), round(found[k][1], 3), round(found[k][2], 3),
         (by_points[k] + by_slope[k]) / 2]
        for place, k in enumerate(ranked)
    ]  # fmt: skip
    chosen = "replay 100000, target 10000, discount 0.95, epsilon 0.1, batch 32, layers 512,512, rate 1e-5"
    return Result(
        "Random search for DQN's settings",
        tables=[
            Table(
                f"{tries} sets of settings, {episodes:,} episodes each",
                ["rank", *SEARCH, "points", "slope per 100,000 frames", "mean rank"],
                rows,
            )
        ],
        claims=[
            claims.form(
                "chosen",
                "The settings that the search chose",
                chosen,
                ", ".join(f"{key} {found[ranked[0]][0][key]}" for key in SEARCH),
                "one search of twenty draws",
                is_alike=False,
            )
        ],
        notes=[
            f"The paper's search chose: {chosen}. It drew 20 sets for each reward system and trained 50,000 episodes.",
            "One batch is learned per decision, as in the paper. kibitz tune searches any method's settings.",
        ],
    )


def per_seed(scale: Scale) -> int:
    """Games per seed in Tables V and VI."""
    return scale.pick(quick=QUICK, full=GAMES)


def per_seed_7(scale: Scale) -> int:
    """Games per seed in Table VII, which has many rows."""
    return scale.pick(quick=QUICK_7, full=GAMES)


def published(subgame: str, value: float) -> Published:
    """A value of Tables V to VII in its unit, with the error that the paper's games leave."""
    if subgame in SPREAD:
        return Published(value, round(SPREAD[subgame] / math.sqrt(PAPER_GAMES), 3))
    return Published(value, round(math.sqrt(value * (100 - value) / PAPER_GAMES), 3), "%")


def raeuber_known(setup: int, seat: int) -> Published:
    """A value of Table VII for Räuber."""
    return published("raeuber", TABLE_7_RAEUBER[setup - 1][seat])


def from_random(subgame: str, ours: Measured) -> float:
    """How far a soloist's result lies from random play, in standard errors."""
    return (centre(ours) - TABLE_3[subgame][0] / (1 if subgame in SPREAD else 100)) / ours.se


def judged(subgame: str, setup: int, name: str, known: Published, ours: Measured) -> Claim:
    """A number of Table VII: more is better for soloists, less for those who oppose him, and the rest is a balance."""
    what = "points" if subgame in SPREAD else "games won"
    learned = ", learned in self-play" if setup in ALONE and name == f"cego-{subgame}" else ""
    key = f"{subgame} {setup}{' self-play' if learned else ''}"
    says = f"{titled(subgame)}, set-up {setup}{learned}: the soloist's {what}"
    if setup not in ALONE:
        return claims.form(key, says, known, ours, BALANCE)
    better = "higher" if setup == 1 else "lower"
    return claims.number(key, says, known, ours, better=better, reason=FEWER, caveat=EASIER)


def is_shipped(name: str) -> bool:
    """Whether a model of that name comes with kibitz; tables leave out rows of those that do not."""
    return (shipped_folder() / name / "card.json").exists()


@dataclass(frozen=True)
class Seated:
    """A shipped model as a player; `as_seat` lets it play as if it sat elsewhere."""

    name: str
    as_seat: int | None = None
    samples: bool = False


@cache
def seated(who: Seated) -> Actor:
    """The player itself."""
    _needs_torch()
    name, as_seat, samples = who.name, who.as_seat, who.samples
    from kibitz.learn.model import drawn, load_model, softmax
    from kibitz.learn.selfplay import Actor
    from kibitz.learn.senses.rows import ObservationBatch

    model = load_model(shipped_folder() / name)

    def choose(observed: Any) -> Any:
        seats = observed.seats if as_seat is None else np.full(len(observed), as_seat)
        own = ObservationBatch(
            observed.rows, seats, observed.observation, observed.allowed, observed.real, observed.luck
        )
        values = model.values(own)
        return drawn(softmax(values.astype(np.float64)), observed.luck[:, 0]) if samples else values.argmax(axis=1)

    return Actor(choose, sense=model.sense)


def everybody(
    subgame: str, players: Sequence[Seated | None], seeds: Sequence[int], games: int, scale: Scale
) -> list[WinRate]:
    """Games won by each seat; None is a random player."""
    parts = _parts(subgame, players, seeds, games, scale)
    played = sum(part["games"] for part in parts)
    return [WinRate(sum(part["won"][seat] for part in parts), played) for seat in range(4)]


def soloist(
    subgame: str, players: Sequence[Seated | None], seeds: Sequence[int], games: int, scale: Scale
) -> tuple[Score, WinRate]:
    """The soloist's points and games won; None is a random player."""
    parts = _parts(subgame, players, seeds, games, scale)
    played, total, squares = (sum(part[name] for part in parts) for name in ("games", "points", "squares"))
    mean = total / played
    error = np.sqrt(max(0.0, squares - total * mean) / (played - 1) / played)
    return Score(mean, float(error), played), WinRate(sum(part["won"][0] for part in parts), played)


def _parts(
    subgame: str, players: Sequence[Seated | None], seeds: Sequence[int], games: int, scale: Scale
) -> list[dict[str, Any]]:
    """What the games of each seed add up to: the soloist's points and their squares, games won by each seat."""

    def compute(seed: int) -> dict[str, Any]:
        returns, won = play(subgame, [seated(one) if one else None for one in players], seed, games)
        points = returns[:, 0].astype(np.float64)
        sums = {"points": points.sum(), "squares": (points * points).sum()}
        return {"games": len(points), **sums, "won": won.sum(axis=0)}

    reads = [shipped_folder() / name for name in dict.fromkeys(one.name for one in players if one)]
    who = " ".join(one.name.removeprefix("cego-") if one else "random" for one in players)
    settings = [make(f"cego-{subgame}"), players, games]
    asked = [Asked(f"seed {seed} {who}", settings, partial(compute, seed), reads) for seed in seeds]
    return scale.each(asked, "seeds")


def play(subgame: str, players: Sequence[Actor | None], seed: int, games: int) -> tuple[Any, Any]:
    """Returns and wins of one seed's games."""
    from kibitz.learn.selfplay import SelfPlay
    from kibitz.learn.senses import sense

    game = make(f"cego-{subgame}")
    anybody = make_bot(game, "random")
    tables = SelfPlay(sense(game), games // PARTS)
    seats: list[Actor | Bot] = [player or anybody for player in players]
    rounds = [tables.play(seats, seed, first) for first in range(0, games, tables.games)]
    return np.concatenate([one.returns for one in rounds]), np.concatenate([one.won for one in rounds])


def curves(scale: Scale) -> Figure:
    """How DMC (and at full scale DQN and NFSP) improve in their first minutes."""
    from kibitz.learn.run import configured

    methods = scale.pick(quick=["dmc"], full=list(CURVE_PRESETS))
    frames = scale.pick(quick=400_000, full=3_000_000)
    lines = {}
    for method in scale.track(methods, "curves"):
        config = configured(method, CURVE_PRESETS[method])
        lines[method.upper()] = train_curve(f"curve {method}", method, config, frames, scale, points=8)
    levels = {f"{name}, paper": value[0] for name, value in TABLE_5.items() if name in lines}
    levels["random"] = TABLE_3["standard"][0]
    drawn = charts.curves(lines, "decisions learned from", "points a game", levels)
    return Figure(f"Soloists of Standard-Cego in training, {frames:,} decisions (seed {scale.seed})", chart=drawn)


def train_curve(
    name: str, method: str, config: Any, frames: int, scale: Scale, *, points: int, games: int = 4096
) -> tuple[list[float], list[float]]:
    """Decisions learned from and points against random players, measured so many times on the way."""
    game = make("cego-standard")

    def compute(mark: Bookmark) -> list[list[float]]:
        from kibitz.learn.run import Plan, make_learner, measure
        from kibitz.learn.selfplay import Actor, greedy

        anybody = make_bot(game, "random")
        seen, learner = make_learner(Plan(game, method, config, seed=scale.seed, frames=frames), {"random": anybody})
        curve: list[list[float]] = mark.take_up(learner.restore) or []
        while learner.frames < frames:
            learner.round(learner.frames / frames)
            scale.progress(name, min(frames, learner.frames), frames)
            if learner.frames >= frames * (len(curve) + 1) / points:
                alone = Actor(greedy(learner.networks[0]))
                found = measure(seen, [alone, anybody, anybody, anybody], games, 10_000 + scale.seed, 0)
                curve.append([float(learner.frames), found["mean"]])
            mark.keep(learner.state, curve)
        return curve

    curve = scale.long_piece(name, [game, method, config, frames, points, games], compute)
    return [x for x, _ in curve], [y for _, y in curve]


def _places(values: Sequence[float]) -> list[int]:
    """Each value's rank, 1 for the highest."""
    return [1 + sum(other > value for other in values) for value in values]


def _needs_torch() -> None:
    """Learners need the extra `learn`; experiments leave the cores to one network call at a time."""
    try:
        import torch
    except ImportError:
        raise MissingExtra("torch", "learn") from None
    torch.set_num_threads(1)
