"""Playing Coinche with Deep Counterfactual Regret Minimization:
learners of separate runs at one table, other seatings, what bids tell."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from kibitz.arena.statistics import Score, combined_se, score
from kibitz.bots import make_bot
from kibitz.core.game import make
from kibitz.games.belotes import ACE, JACK, NINE
from kibitz.games.coinche.auction import bid_level, bid_suit
from kibitz.games.coinche.layout import CALLS, CAPOT_LEVEL, COINCHE, HAND, PASS
from kibitz.games.coinche.metrics import metrics
from kibitz.papers import charts, claims
from kibitz.papers.coinche_course import (
    DRAWN,
    EVERYBODY,
    GREEDY,
    NORTH_SOUTH,
    READINGS,
    Course,
    Lesson,
    at_the_end,
    labelled,
    over_runs,
    several,
    tallied,
)
from kibitz.papers.coinche_learning import LAST, OURS, STRONGEST, cfr_lesson, own_ppo, ppo_lesson
from kibitz.papers.coinche_selfplay import PROBES, probing_config
from kibitz.papers.experiment import Cell, Claim, Figure, Result, Scale, Table, experiment

if TYPE_CHECKING:
    from kibitz.core.policy import Actions, Bot
    from kibitz.core.view import View, Views

RIVAL = STRONGEST
COACH = "coinche-strong-plus"
METHODS = ("ppo", "deep-cfr")
SHOWN = ("reward_mean", "attack_rate", "success_attacker", "success_defender", "bid_precision", "contract_value")
SEATINGS = {
    "North and South": NORTH_SOUTH,
    "three, one heuristic": (0, 1, 2),
    "two, opposite teams": (0, 1),
    "all four": EVERYBODY,
}
"""Who learns; the others are the heuristic."""
CAPOTS = tuple(range(1 + 4 * CAPOT_LEVEL, COINCHE))
MASKS = {
    "no capots": CAPOTS,
    "nothing above 120": tuple(range(1 + 4 * 5, COINCHE)),
    "80 to 100 alone": tuple(range(1 + 4 * 3, COINCHE)),
}
"""Calls that the learner may not make."""
PRECISE = 15.0
"""Points that contracts miss by if bids are precise: people's miss by about 10."""
Groups = Mapping[tuple[str, str], Sequence[Course]]
"""What was tried, with which method: its runs."""


@experiment("coinche.crossplay")
def crossplay(scale: Scale) -> Result:
    """Section 5.3's side experiments and the paper's future work, each with PPO and with Deep CFR."""
    trained = {f"{method} {k + 1}": one for method in METHODS for k, one in enumerate(long_courses(method, scale))}
    bots: dict[str, Bot] = {name: one.bot(scale, GREEDY) for name, one in trained.items()}
    lessons = [one.lesson for one in trained.values()]
    seatings, masks, starts = _seatings(scale), _masks(scale), _starts(scale)
    partners, apart = _partners(bots, lessons, scale)
    opponents = _opponents(bots, lessons, scale)
    told, drawn = _bids(bots, lessons, scale)
    tables = [
        _table(f"Who learned; afterwards as North and South against {RIVAL}", "seating", seatings),
        _table("Masking extreme bids: people's contracts miss by about 10", "calls", masks),
        _table(f"A start by imitation, against {RIVAL}", "start", starts),
        partners, opponents, told,
    ]  # fmt: skip
    notes = [
        f"{scale.pick(quick=1, full=3)} runs each, judged as North and South on the same deals, mirror reward; errors "
        "are those of the runs.",
        f"Partners and opponents are the runs of coinche.figure2 and coinche.figure3 against {RIVAL} (our PPO, Deep "
        "CFR by probes), which were paid by `good`; greedy; errors of single tables are those of their deals.",
        f"Imitation: for the first tenth of a run {COACH} decides in the learners' place; PPO learns to do the same, "
        "Deep CFR has it as its first strategies.",
    ]
    made = [*_masked(masks), *_compared("seating", seatings), *_compared("start", starts), *_met_strangers(apart)]
    return Result("Learners at one table", tables, drawn, notes, made)


def long_courses(method: str, scale: Scale) -> list[Course]:
    """The runs of Figures 2 and 3 against the stronger heuristic."""
    runs = scale.pick(quick=2, full=3)
    game = make("coinche-paper", reward="good")
    if method == "ppo":
        return several(ppo_lesson(game, scale, OURS, RIVAL), scale, f"ppo {OURS}, {RIVAL}", runs)
    return several(cfr_lesson(game, scale, PROBES, RIVAL), scale, f"deep-cfr {PROBES}, {RIVAL}", runs)


def short_lesson(method: str, scale: Scale, learners: tuple[int, ...] = NORTH_SOUTH, **changes: Any) -> Lesson:
    """A course of a million and a half decisions, or of forty iterations;
    whoever learned is judged as North and South."""
    rounds = scale.pick(quick=1, full=52 if method == "ppo" else 40)
    config = own_ppo(scale, **changes) if method == "ppo" else replace(probing_config(scale), **changes)
    if method == "ppo":
        rounds = max(1, rounds * len(NORTH_SOUTH) // len(learners))
    game = make("coinche-paper", reward="mirror")
    coach = changes.get("coach", "")
    return Lesson(
        game, method, config, rounds, learners, RIVAL, looks=1, deals=1024,
        last_deals=scale.pick(quick=1024, full=LAST), measured=NORTH_SOUTH, coach=coach,
    )  # fmt: skip


def _rows(groups: Groups) -> list[list[Cell]]:
    rows: list[list[Cell]] = []
    for (label, method), courses in groups.items():
        for reading in READINGS:
            sides = at_the_end(courses, reading)
            frames = round(float(np.mean([one.looks[-1].frames for one in courses])))
            rows.append([label, method, reading, frames, *(over_runs(sides, name) for name in SHOWN)])
    return rows


def _table(caption: str, first: str, groups: Groups) -> Table:
    return Table(caption, [first, "method", "policy", "decisions", *map(labelled, SHOWN)], _rows(groups))


def _taken(label: str, lesson: Lesson, scale: Scale) -> list[Course]:
    return several(lesson, scale, f"{lesson.method}, {label}", scale.pick(quick=1, full=3))


PLAIN = "all calls"
"""The course that three tables share: North and South learn from nothing and may call whatever they like."""


def _seatings(scale: Scale) -> Groups:
    return {
        (label, method): _taken(
            PLAIN if learners == NORTH_SOUTH else label, short_lesson(method, scale, learners), scale
        )
        for label, learners in SEATINGS.items()
        for method in METHODS
    }


def _masks(scale: Scale) -> Groups:
    return {
        (label, method): _taken(label, short_lesson(method, scale, barred=barred), scale)
        for label, barred in {PLAIN: (), **MASKS}.items()
        for method in METHODS
    }


def _starts(scale: Scale) -> Groups:
    groups = {}
    for method in METHODS:
        groups["from nothing", method] = _taken(PLAIN, short_lesson(method, scale), scale)
        groups[f"imitates {COACH}", method] = _taken("imitation", short_lesson(method, scale, coach=COACH), scale)
    return groups


def _masked(groups: Groups) -> Iterator[Claim]:
    """Appendix D: whatever was masked, nobody learned to bid with good precision."""
    for (label, method), courses in groups.items():
        if label != PLAIN:
            missed = over_runs(at_the_end(courses, DRAWN), "bid_precision")
            says = f"Masking extreme bids does not make bids precise: {method}, {label}, missed by"
            is_worse = missed is not None and missed.mean > PRECISE
            reason = f"they miss by less than {PRECISE:.0f} points"
            yield claims.sentence(
                f"{method} {label}", says, "not precise (people: 10)", missed, is_worse, reason=reason, is_alike=False
            )


def _compared(what: str, groups: Groups) -> Iterator[Claim]:
    """What the paper tried and does not report, or leaves for later: the reward, beside that of the plain course."""
    for (label, method), courses in groups.items():
        won = over_runs(at_the_end(courses, GREEDY), "reward_mean")
        says = f"Mirror reward against {RIVAL}, greedy: {method}, {label}"
        yield claims.form(f"{what} {method} {label}", says, "no numbers", won, "not in the paper", is_alike=False)


# ---- Separate runs at one table --------------------------------------------------------------------------------------


def _met(scale: Scale, what: str, seats: Mapping[str, Sequence[Bot]], lessons: Sequence[Lesson]) -> dict[str, Score]:
    """The mirror reward of North and South at some tables, as one piece; players learned these lessons."""
    game = make("coinche-paper", reward="mirror")
    deals = scale.pick(quick=512, full=LAST)

    def compute() -> dict[str, list[float]]:
        found = {label: metrics(tallied(game, some, deals, scale))[0]["reward_mean"] for label, some in seats.items()}
        return {label: [one.mean, one.se, one.n] for label, one in found.items()}

    found = scale.piece(what, [game, sorted(seats), deals, lessons], compute)
    return {label: Score(mean, se, int(n), "deal") for label, (mean, se, n) in found.items()}


def _partners(
    bots: Mapping[str, Bot], lessons: Sequence[Lesson], scale: Scale
) -> tuple[Table, Mapping[str, Score | None]]:
    """North from one run, South from another, against the heuristic; and what a stranger costs."""
    rival = make_bot(make("coinche-paper", reward="mirror"), RIVAL)
    seats = {f"{a}|{b}": [bots[a], rival, bots[b], rival] for a in bots for b in bots}
    found = _met(scale, "partners", seats, lessons)
    rows: list[list[Cell]] = [[a, *(found[f"{a}|{b}"] for b in bots)] for a in bots]
    apart: dict[str, Score | None] = {}
    for method in METHODS:
        own = [name for name in bots if name.startswith(method)]
        gaps = []
        for a in own:
            strangers = [found[f"{a}|{b}"].mean + found[f"{b}|{a}"].mean for b in own if a != b]
            gaps.append(float(np.mean(strangers)) / 2 - found[f"{a}|{a}"].mean)
        apart[method] = score(gaps, "run") if len(gaps) > 1 else None
    return Table(
        f"Partners from separate runs against {RIVAL}, mirror reward per deal: North (row) with South (column)",
        ["North", *bots],
        rows,
    ), apart


def _met_strangers(apart: Mapping[str, Score | None]) -> Iterator[Claim]:
    for method, gap in apart.items():
        says = f"What a partner from another run costs, {method}, mirror reward a deal"
        yield claims.form(f"strangers {method}", says, "future work", gap, "not in the paper", is_alike=False)


def _opponents(bots: Mapping[str, Bot], lessons: Sequence[Lesson], scale: Scale) -> Table:
    """One run as North and South against another as East and West, each way round, so that the luck of seats goes
    out."""
    seats = {f"{a}|{b}": [bots[a], bots[b], bots[a], bots[b]] for a in bots for b in bots if a != b}
    found = _met(scale, "opponents", seats, lessons)
    rows: list[list[Cell]] = []
    for a in bots:
        ways: list[Score | None] = []
        for b in bots:
            if a == b:
                ways.append(None)
            else:
                one, other = found[f"{a}|{b}"], found[f"{b}|{a}"]
                ways.append(Score((one.mean - other.mean) / 2, combined_se(one.se, other.se) / 2, one.n, "deal"))
        real = [way.mean for way in ways if way is not None]
        rows.append([a, *ways, score(real, "opponent") if len(real) > 1 else None])
    return Table("Runs against each other, mirror reward per deal of the row", ["run", *bots, "mean"], rows)


# ---- What bids tell --------------------------------------------------------------------------------------------------

LEVELS = CAPOT_LEVEL + 1
TOLD = ("trumps", "jack", "nine", "ace", "aces outside")


@dataclass
class Overheard:
    """A bot whose bids are written down with the hands they were made on."""

    bot: Bot
    counts: NDArray[np.float64] = field(default_factory=lambda: np.zeros((LEVELS, 1 + len(TOLD))))

    def __post_init__(self) -> None:
        self.name = self.bot.name

    def act(self, view: View) -> int:
        """The action chosen at one view."""
        return self.bot.act(view)

    def act_batch(self, views: Views) -> Actions:
        """The bot's actions; bids are noted."""
        actions = self.bot.act_batch(views)
        for row in np.flatnonzero((actions > PASS) & (actions < COINCHE) & (actions < CALLS)):
            call, hand = int(actions[row]), int(views.states[row, HAND + views.seats[row]])
            own = hand >> 8 * bid_suit(call) & 255
            outside = sum(hand >> 8 * suit + ACE & 1 for suit in range(4)) - (own >> ACE & 1)
            self.counts[bid_level(call)] += [
                1,
                own.bit_count(),
                own >> JACK & 1,
                own >> NINE & 1,
                own >> ACE & 1,
                outside,
            ]
        return actions


def _bids(bots: Mapping[str, Bot], lessons: Sequence[Lesson], scale: Scale) -> tuple[Table, list[Figure]]:
    """Bids against the cards that they were made on, for the first run of each method and for the heuristics."""
    game = make("coinche-paper", reward="mirror")
    deals = scale.pick(quick=1024, full=LAST)
    rival = make_bot(game, RIVAL)
    asked: dict[str, Bot] = {f"{method} 1": bots[f"{method} 1"] for method in METHODS}
    asked |= {name: make_bot(game, name) for name in ("coinche-simple", RIVAL, COACH)}

    def heard(bot: Bot) -> Any:
        ear = Overheard(bot)
        tallied(game, [ear, rival, ear, rival], deals, scale)
        return ear.counts

    rows: list[list[Cell]] = []
    curves: dict[str, dict[str, tuple[list[float], list[float]]]] = {what: {} for what in TOLD}
    for name, bot in asked.items():
        counts = np.array(scale.piece(f"bids of {name}", [game, name, deals, lessons], partial(heard, bot)))
        for level in np.flatnonzero(counts[:, 0] >= scale.pick(quick=5, full=30)):
            means = counts[level, 1:] / counts[level, 0]
            value = "capot" if level == CAPOT_LEVEL else str(80 + 10 * level)
            rows.append([name, value, int(counts[level, 0]), *(round(float(mean), 2) for mean in means)])
            for what, mean in zip(TOLD, means, strict=True):
                x, y = curves[what].setdefault(name, ([], []))
                x.append(170.0 if level == CAPOT_LEVEL else 80.0 + 10 * level)
                y.append(float(mean))
    figures = []
    for what in ("trumps", "jack", "nine"):
        held = "trumps held" if what == "trumps" else f"share with the {what} of trumps"
        figures.append(Figure(f"what a bid tells: {what}", chart=charts.curves(curves[what], "bid (170: capot)", held)))
    caption = (
        "All bids with the cards they were made on: trumps held, share with the jack, nine and ace of trumps, aces "
        "outside"
    )
    return Table(caption, ["player", "bid", "times", *TOLD], rows), figures
