"""What section 5 and Appendix D of the Coinche paper say of their learners, sentence by sentence,
held against several runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from kibitz.arena.statistics import Score, score
from kibitz.games.coinche.metrics import RATES
from kibitz.papers import claims, result
from kibitz.papers.coinche_course import Course
from kibitz.papers.experiment import Cell, Published, Table, Verdict

FEW = 20.0
"""Per cent of attacks that are few."""
ALMOST_NONE, ALMOST_ALL = 10.0, 90.0
STEADY = 5.0
"""Points of success by which something steady may still move."""
SWING = 30.0
"""Points of the attack rate between strategies that attack and strategies that do not."""
HIGH = 160.0
"""The highest contract below capot."""
RANDOM_BREAKS = 33.0
"""Per cent of coinche-simple's contracts that random play breaks, as coinche.heuristics counts."""


@dataclass(frozen=True)
class Claim:
    """A sentence, what the paper prints, our number in every run, and in which runs the sentence holds."""

    sentence: str
    published: Cell
    values: Sequence[float]
    holds: Sequence[bool]
    otherwise: str
    """What runs show in which it does not hold."""

    def row(self, *head: Cell) -> list[Cell]:
        """The claim as a row of a table."""
        found = [value for value in self.values if not np.isnan(value)]
        ours: Cell = (
            score(found, "run") if len(found) > 1 else (Score(found[0], float("nan"), 1, "run") if found else None)
        )
        yes, runs = sum(self.holds), len(self.holds)
        kind = "agrees" if yes == runs else "differs" if not yes else "open"
        return [*head, self.sentence, self.published, ours, Verdict(kind, f"holds in {yes} of {runs} runs")]

    def stated(self, head: str = "") -> result.Claim:
        """The claim with its verdict: a printed share is compared as a number,
        a sentence holds in all runs or in none."""
        key = f"{head} {self.sentence}".strip()
        says = f"{head}, {self.sentence}" if head else self.sentence
        ours, reason = self.row()[2], self.otherwise
        if isinstance(self.published, Published) and isinstance(ours, Score) and ours.n > 1:
            return claims.number(key, says, self.published, ours, better="higher", reason=reason, is_alike=False)
        yes, runs = sum(self.holds), len(self.holds)
        told = f"holds in {yes} of {runs} runs"
        if 0 < yes < runs:
            return claims.form(key, says, self.published, ours, told, is_alike=False)
        return claims.sentence(key, says, self.published, ours, yes == runs, told, reason=reason, is_alike=False)


COLUMNS = ("claim", "published", "ours", "verdict")
Seen = Callable[[Course, int, str], float]


@dataclass(frozen=True)
class Reader:
    """Metrics of courses in one reading, rates in per cent."""

    reading: str

    def at(self, course: Course, place: int, name: str) -> float:
        """A metric at one of the looks, the first (0) to the last (-1)."""
        return course.looks[place].read(self.reading)[name].mean * (100 if name in RATES else 1)

    def along(self, course: Course, name: str) -> list[float]:
        """A metric at all looks that have it; nan alone where none has: whoever always attacks never defends."""
        found = [self.at(course, place, name) for place in range(len(course.looks))]
        return [value for value in found if not np.isnan(value)] or [np.nan]

    def ends(self, courses: Sequence[Course], name: str) -> list[float]:
        """A metric at the end of every run."""
        return [self.at(course, -1, name) for course in courses]

    def changes(self, courses: Sequence[Course], name: str, early: float = 1.0) -> list[float]:
        """By how much a metric has changed in every run after a share of it."""
        return [found[round(early * (len(found) - 1))] - found[0] for found in (self.along(c, name) for c in courses)]


def table(caption: str, heads: Sequence[str], rows: Sequence[Sequence[Cell]]) -> Table:
    """A table of claims; some columns of its own come first."""
    return Table(caption, [*heads, *COLUMNS], rows)


def _where(
    sentence: str, published: Cell, values: Sequence[float], test: Callable[[float], bool], otherwise: str
) -> Claim:
    return Claim(sentence, published, values, [bool(test(value)) for value in values], otherwise)


def _level(sentence: str, percent: float, read: Reader, runs: Sequence[Course], name: str) -> Claim:
    """A share that the paper prints; to break more contracts than the paper's players is to hold what it claims."""
    late = [_last_third(read.along(one, name)) for one in runs]
    is_rising = all(tail[-1] - tail[0] > 1.0 for tail in late)
    otherwise = "the share still rises when training ends" if is_rising else "the share has come to rest below"
    printed, values = Published(percent, unit="%"), read.ends(runs, name)
    return _where(sentence, printed, values, lambda value: value >= percent - STEADY, otherwise)


def figure2(groups: Mapping[str, Sequence[Course]], reading: str) -> Iterator[Claim]:
    """Section 5.3; the groups are runs against random, coinche-simple and coinche-strong."""
    read = Reader(reading)
    anyhow, simple, strong = groups["random"], groups["coinche-simple"], groups["coinche-strong"]
    fewer = read.changes(anyhow, "capot_rate", 0.3)
    yield _where("random: capots become fewer at first", "fewer", fewer, lambda v: v < 0, "they become more")
    more = read.changes(anyhow, "reward_attacker")
    yield _where("random: the attacker's reward rises", "rises", more, lambda v: v > 0, "it falls")
    again = [read.at(one, -1, "contract_value") - min(read.along(one, "contract_value")) for one in anyhow]
    yield _where(
        "random: contracts then rise again, by", "rises", again, lambda v: v > STEADY, "they stay as low as they fell"
    )
    worse = [a - b for a, b in zip(read.ends(anyhow, "bid_precision"), read.ends(strong, "bid_precision"), strict=True)]
    yield _where(
        "random: bids less precise than against strong, by", "low precision", worse, lambda v: v > 0, "more precise"
    )
    for name, runs in (("simple", simple), ("strong", strong)):
        sounder = read.changes(runs, "bid_precision", 0.3)
        yield _where(f"{name}: bids soon miss by less", "better precision", sounder, lambda v: v < 0, "by more")
        lower = read.changes(runs, "contract_value", 0.3)
        yield _where(f"{name}: contracts soon are lower", "lower", lower, lambda v: v < 0, "higher")
        late = [max(tail) - min(tail) for tail in (_last_third(read.along(one, "success_defender")) for one in runs)]
        yield _where(
            f"{name}: the defence comes to rest (its range in the last third)", "steady", late,
            lambda v: v <= 2 * STEADY, "it still moves",
        )  # fmt: skip
        attacks = read.ends(runs, "attack_rate")
        yield _where(f"{name}: few attacks", "few", attacks, lambda v: v < FEW, f"in more than {FEW:.0f} % of deals")
    lost = [read.at(one, -1, "bid_precision") - min(read.along(one, "bid_precision")) for one in simple]
    yield _where(
        "simple: the ability to bid is not kept (misses more than at its best, by)", "lost", lost,
        lambda v: v > STEADY, f"bids stay within {STEADY:.0f} points of their best",
    )  # fmt: skip
    yield _where(
        "simple: hardly anything but defence", "attacks almost never", read.ends(simple, "attack_rate"),
        lambda v: v < ALMOST_NONE, f"it attacks in more than {ALMOST_NONE:.0f} % of deals",
    )  # fmt: skip
    yield _level("simple: contracts broken", 75, read, simple, "success_defender")
    yield _level("strong: contracts broken", 70, read, strong, "success_defender")
    for sentence, metric, sign in (
        ("strong: attacks more than against simple, by", "attack_rate", 1.0),
        ("strong: bids more precise than against simple, by", "bid_precision", -1.0),
        ("strong: contracts lower than against simple, by", "contract_value", -1.0),
        ("strong: breaks fewer contracts than of simple, by", "success_defender", -1.0),
    ):
        gaps = [sign * (a - b) for a, b in zip(read.ends(strong, metric), read.ends(simple, metric), strict=True)]
        yield _where(sentence, "so", gaps, lambda v: v > 0, "the other way round")


def figure3(groups: Mapping[str, Sequence[Course]], reading: str) -> Iterator[Claim]:
    """Section 5.4, for the runs of one estimator."""
    read = Reader(reading)
    anyhow, simple, strong = groups["random"], groups["coinche-simple"], groups["coinche-strong"]
    won = read.ends(anyhow, "reward_mean")
    yield _where("random: a relatively good strategy (reward)", "above 0", won, lambda v: v > 0, "it loses to random")
    capots = read.ends(anyhow, "capot_rate")
    yield _where(
        "random: contracts are reasonable, not capots", "few capots", capots, lambda v: v < FEW,
        f"more than {FEW:.0f} % of them are capots",
    )  # fmt: skip
    best = [max(read.along(one, "success_defender")) for one in simple]
    yield _where(
        "simple: learns to defend relatively well (at its best)", f"above random play's {RANDOM_BREAKS:.0f} %", best,
        lambda v: v > RANDOM_BREAKS + STEADY, "hardly more than random",
    )  # fmt: skip
    yield _where(
        "simple: in the end attacks always", "always", read.ends(simple, "attack_rate"), lambda v: v > ALMOST_ALL,
        f"it defends in more than {100 - ALMOST_ALL:.0f} % of deals",
    )  # fmt: skip
    yield _where(
        "simple: and does not do it well (contracts made)", "not", read.ends(simple, "success_attacker"),
        lambda v: v < 50, "it makes most of the contracts that it bids",
    )  # fmt: skip
    yield _where(
        "simple: bids really high", "really high", read.ends(simple, "contract_value"), lambda v: v >= HIGH,
        f"contracts are below {HIGH:.0f}",
    )  # fmt: skip
    swing = [max(tail) - min(tail) for tail in (_second_half(read.along(one, "attack_rate")) for one in strong)]
    yield _where(
        "strong: sometimes attacks, sometimes never (range of the attack rate)", "oscillates", swing,
        lambda v: v > SWING, f"it moves by less than {SWING:.0f} points in the second half",
    )  # fmt: skip
    for name, runs in (("simple", simple), ("strong", strong)):
        gaps = [read.at(one, -1, "reward_defender") - read.at(one, -1, "reward_attacker") for one in runs]
        yield _where(
            f"{name}: defending pays more than attacking, by", "easier", gaps, lambda v: not v <= 0,
            "attacking pays more: it bids only on hands that make their contracts",
        )  # fmt: skip


def figure4(groups: Mapping[str, Sequence[Course]], reading: str) -> Iterator[Claim]:
    """Appendix D; the groups are runs under the matrices."""
    read = Reader(reading)
    for name in ("mirror", "no_defense", "good"):
        otherwise = "defending brings nothing there" if name == "no_defense" else f"more than {FEW:.0f} %"
        attacks = read.ends(groups[name], "attack_rate")
        yield _where(f"{name}: wins by defending, few attacks", "few", attacks, lambda v: v < FEW, otherwise)
    for name in ("classic", "classic, coinche swaps attack"):
        otherwise = "whoever coinches has to attack, and loses by it" if "swaps" in name else "it seldom does"
        rate = read.ends(groups[name], "coinche_rate")
        yield _where(f"{name}: coinches nearly always", "near 100 %", rate, lambda v: v > ALMOST_ALL, otherwise)
    attacks = read.ends(groups["classic, coinche swaps attack"], "attack_rate")
    yield _where(
        "coinching makes it the attacker (as the program counts)", "attacks", attacks, lambda v: v > 50,
        "it does not coinche",
    )  # fmt: skip
    for name in ("mirror", "no_defense", "good"):
        gaps = [
            a - b
            for a, b in zip(
                read.ends(groups["classic"], "coinche_rate"), read.ends(groups[name], "coinche_rate"), strict=True
            )
        ]
        yield _where(f"classic coinches more than {name}, by", "so", gaps, lambda v: v > 0, "the other way round")


def _last_third(values: Sequence[float]) -> Sequence[float]:
    return values[2 * len(values) // 3 :] or [0.0]


def _second_half(values: Sequence[float]) -> Sequence[float]:
    return values[len(values) // 2 :] or [0.0]
