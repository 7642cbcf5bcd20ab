"""Cego: the methods against each other (Table VI), with our observation and with the paper's."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from kibitz.arena.statistics import Score
from kibitz.papers import claims
from kibitz.papers.cego_playing import (
    ALL_POINTS,
    MEANS_6,
    SEEDS_5,
    TABLE_5,
    TABLE_6,
    Seated,
    is_shipped,
    per_seed,
    published,
    soloist,
)  # fmt: skip
from kibitz.papers.experiment import Cell, Claim, Published, Result, Scale, Table, experiment

DEFENDS = 5.0
"""Standard errors by which a seat must change the soloist's points to count as defending."""
SEAT_BLIND = (
    "our observation shows seats as seen from the player's own, so that a network that learned the soloist's seat "
    "alone also defends: the second half of the table has the paper's observation"
)
STRONGER = "our models are other ones: trained by our recipes, not by the paper's"


@dataclass(frozen=True)
class Group:
    """The models of the three methods that meet each other."""

    key: str
    about: str
    soloists: Mapping[str, str]


OURS = Group(
    "", "our observation, rewards by tricks",
    {"DMC": "cego-standard-soloist", "DQN": "cego-standard-dqn", "NFSP": "cego-standard-nfsp"},
)  # fmt: skip
PAPER = Group(
    " paper", "the paper's observation; DQN and NFSP rewarded at the end",
    {"DMC": "cego-standard-paper", "DQN": "cego-standard-dqn-paper", "NFSP": "cego-standard-nfsp-paper"},
)  # fmt: skip
DEFENDER = "cego-standard"
"""DMC's network for seat 2 in both groups: the paper's DMC had learned all seats, its DQN and NFSP the first alone."""


@experiment("cego.table6")
def table6(scale: Scale) -> Result:
    """Seat one method as soloist and another one next to him, with two random players; twice."""
    tables, made = [], []
    for group in (OURS, PAPER):
        if all(map(is_shipped, [*group.soloists.values(), DEFENDER])):
            table, judged = _meetings(group, scale)
            tables.append(table)
            made += judged
    return Result(
        "The methods against each other (Table VI)",
        tables=tables,
        claims=made,
        notes=[
            "Seats 3 and 4 are random. DQN and NFSP play seat 2 with the network they learned for the soloist, as the "
            "paper's did; DMC has a network for seat 2, which learned by self-play.",
            "A method's mean is over the points of its own side in the four pairs it is in, as in the paper's text.",
            "The soloists learned against random players. Errors are those of the games; each model is one training.",
        ],
    )


def _meetings(group: Group, scale: Scale) -> tuple[Table, list[Claim]]:
    """All pairs of a group, and what the paper says of them."""
    rows: list[list[Cell]] = []
    made: list[Claim] = []
    found: dict[tuple[str, str], Score] = {}
    for (first, second), (points_known, won_known) in scale.track(list(TABLE_6.items()), f"pairs{group.key}"):
        alone = Seated(group.soloists[first], samples=first == "NFSP")
        next_to = (
            Seated(DEFENDER) if second == "DMC" else Seated(group.soloists[second], as_seat=0, samples=second == "NFSP")
        )
        points, won = soloist("standard", [alone, next_to, None, None], SEEDS_5, per_seed(scale), scale)
        known = published("standard", points_known)
        rows.append([first, second, known, points, published("", won_known), won])
        found[first, second] = points
        says = f"{first} as soloist, {second} in seat 2{_told(group)}: the soloist's points"
        made.append(
            claims.form(f"{first} {second}{group.key}", says, known, points, "two models of ours, no level to reach")
        )
    seats = [Seated(group.soloists["DMC"]), None, None, None]
    free, _ = soloist("standard", seats, SEEDS_5, per_seed(scale), scale)
    title = f"The soloist's results, {group.about}; {len(SEEDS_5)} seeds with {per_seed(scale):,} games each"
    columns = ["soloist", "seat 2", "points published", "points ours", "won published", "won ours"]
    return Table(title, columns, rows), [*_in_words(group, found, free), *made]


def _in_words(group: Group, found: Mapping[tuple[str, str], Score], free: Score) -> list[Claim]:
    """What the paper says of Table VI in its text, and whether DQN and NFSP defend at all."""
    means = {method: own_side(method, found) for method in MEANS_6}
    order = sorted(means, key=lambda method: -means[method].mean)
    reason = SEAT_BLIND if group is OURS else STRONGER
    error = math.hypot(*(published("standard", 0.0).se for _ in range(4))) / 4
    made = [
        claims.number(
            f"{method} mean{group.key}", f"{method}, mean points of its own side{_told(group)}",
            Published(MEANS_6[method], round(error, 3)), mean, reason=reason,
        )
        for method, mean in means.items()
    ]  # fmt: skip
    told = ", ".join(f"{method} {means[method].mean:.2f}" for method in order)
    made.append(
        claims.sentence(
            f"order{group.key}", f"The order of the means{_told(group)}", " > ".join(MEANS_6), told,
            order == list(MEANS_6), reason=reason, is_alike=False,
        )
    )  # fmt: skip
    alone = sorted(TABLE_5, key=lambda method: -sum(found[pair].mean for pair in found if pair[0] == method))
    made.append(
        claims.sentence(
            f"soloists{group.key}", f"The order of the soloists{_told(group)}", " > ".join(TABLE_5), " > ".join(alone),
            alone == list(TABLE_5), reason=reason, is_alike=False,
        )
    )  # fmt: skip
    for method in ("DQN", "NFSP"):
        with_it = found["DMC", method]
        gap = Score(free.mean - with_it.mean, math.hypot(free.se, with_it.se), with_it.n)
        made.append(
            claims.sentence(
                f"{method} defends{group.key}", f"{method} in seat 2 takes nothing from the DMC soloist{_told(group)}",
                f"{TABLE_6['DMC', method][0]} with it, {TABLE_5['DMC'][0]} without", gap, gap.mean < DEFENDS * gap.se,
                f"{free.short} against random players, {with_it.short} with it", reason=reason, is_alike=False,
            )
        )  # fmt: skip
    return made


def own_side(method: str, found: Mapping[tuple[str, str], Score]) -> Score:
    """The mean points of a method's side over the four pairs it is in."""
    own = [score for (first, _), score in found.items() if first == method]
    others = [score for (_, second), score in found.items() if second == method]
    total = sum(score.mean for score in own) + sum(ALL_POINTS - score.mean for score in others)
    scores = [*own, *others]
    return Score(
        total / len(scores), math.hypot(*(one.se for one in scores)) / len(scores), sum(one.n for one in scores)
    )


def _told(group: Group) -> str:
    return ", the paper's observation" if group is PAPER else ""
