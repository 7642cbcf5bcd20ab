"""Traversals of a game tree, thousands side by side: every network sees all positions of a level in one call.

A traversal belongs to one seat, the traverser. Where it decides, the line of play branches into all its actions
(external sampling) or into some of them (outcome and external sampling); where anybody else decides, one action is
drawn. When all lines have ended their values run back to the branchings, level by level, and give the regrets there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from kibitz.core.errors import BadInput, BadOption
from kibitz.core.policy import Bot
from kibitz.core.shapes import Bools, Floats, Ints
from kibitz.learn.ledger import Notes, joined
from kibitz.learn.model import drawn
from kibitz.learn.selfplay import UNSEEN, Actor
from kibitz.learn.senses import Sense
from kibitz.learn.senses.branches import Lines
from kibitz.learn.senses.rows import ObservationBatch, look

Strategy = Callable[[ObservationBatch], Floats]
"""[n, ACTIONS]: how likely each action is at a batch of observations."""

UNBIASED, PAPER, PROBES = "unbiased", "paper", "probes"
ESTIMATORS = (UNBIASED, PAPER, PROBES)
STRAY = 0.1
"""How much of what a coach shows is any action at all."""
MOST_LINES = 2_000_000
"""Lines that one batch of traversals may have at a time."""


@dataclass(frozen=True)
class Sampling:
    """Which actions of the traverser are followed, and how the others are accounted for."""

    samples: tuple[int, ...] = (0,)
    """How many at its first, second, ... decision, the last number for all later ones; 0: all of them."""
    estimator: str = UNBIASED
    """unbiased: different actions, weighted by how likely they were picked. paper: drawn with replacement from the
    strategy, what was not drawn counts as 0. probes: all actions at one decision of a deal, see probes.py."""
    explore: float = 0.5
    """Unbiased: how much of the picking is uniform instead of by strategy; probes: how often the traverser strays
    before the decision that is asked about."""

    def __post_init__(self) -> None:
        if self.estimator not in ESTIMATORS:
            raise BadOption(f"estimator={self.estimator} is not possible: it is {' or '.join(ESTIMATORS)}")
        if not self.samples or min(self.samples) < 0:
            raise BadOption("samples are whole numbers with commas, 0 for all actions: samples=4,4,1")

    def at(self, depth: Ints, actions: int) -> Ints:
        """[n]: how many actions to follow at the traverser's n-th decisions."""
        wanted = np.array(self.samples)[np.minimum(depth, len(self.samples) - 1)]
        return np.where(wanted == 0, actions, wanted)


@dataclass(frozen=True)
class _Branching:
    """The traverser's decisions of one level."""

    lines: Ints
    observed: ObservationBatch
    strategy: Floats
    followed: Bools
    """[n, ACTIONS]"""
    likelihood: Floats
    """[n, ACTIONS]: of being followed."""
    parents: Ints
    """[children]: which decision each new line comes from."""
    numbers: Ints
    """[children]: by which action."""
    children: Ints
    """[children]: the new lines."""


@dataclass
class Harvest:
    """What a batch of traversals brings home."""

    regrets: Notes
    strategies: dict[int, Notes]
    """Per slot: how the others decided."""
    values: Floats
    """[traversals]: what each was worth to its traverser."""
    lines: int = 0
    """Lines of play that were followed to an end."""


@dataclass
class _Growth:
    """Lines that the next level will have."""

    rows: list[Ints] = field(default_factory=list)
    actions: list[Ints] = field(default_factory=list)
    lines: list[Ints] = field(default_factory=list)
    depth: list[Ints] = field(default_factory=list)

    def add(self, rows: Ints, actions: Ints, lines: Ints, depth: Ints) -> None:
        self.rows.append(rows)
        self.actions.append(actions)
        self.lines.append(lines)
        self.depth.append(depth)


@dataclass(frozen=True)
class Company:
    """Who decides where, and by which strategies those that learn do."""

    sense: Sense
    players: Sequence[Actor | Bot]
    strategies: Sequence[Strategy]
    coach: Bot | None = None
    """Decides for those that learn, if there is one."""
    barred: Sequence[int] = ()
    """What those that learn never do if they can do something else."""

    def groups(self, lines: Lines, live: Ints) -> list[tuple[Actor | Bot, Ints]]:
        """The live rows by who decides."""
        players = list({id(player): player for player in self.players}.values())
        who = np.array([next(k for k, one in enumerate(players) if one is player) for player in self.players])
        asked = who[lines.turn[live]]
        return [(player, rows) for k, player in enumerate(players) if len(rows := live[asked == k])]

    def look(self, lines: Lines, rows: Ints) -> ObservationBatch:
        """What the seats to move in some rows see."""
        return look(self.sense, lines.state, lines.mask, lines.rng, rows, lines.turn[rows]).without(self.barred)

    def strategy(self, slot: int, lines: Lines, rows: Ints, observed: ObservationBatch) -> Floats:
        """[n, ACTIONS]: how likely those that learn do what."""
        if self.coach is None:
            return self.strategies[slot](observed)
        shown = self.coach.act_batch(lines.views(rows))
        found: Floats = STRAY * observed.allowed / observed.allowed.sum(axis=1, keepdims=True)
        found[np.arange(len(rows)), ((observed.real == shown[:, None]) & observed.allowed).argmax(axis=1)] += (
            1.0 - STRAY
        )
        return found


class Traversal:
    """The table at which traversals run."""

    def __init__(self, company: Company, sampling: Sampling) -> None:
        self.company, self.sense, self.sampling = company, company.sense, sampling

    def run(self, roots: Lines, traversers: Ints, baseline: float, luck: np.random.Generator) -> Harvest:
        """Traverse from some beginnings, each for its own seat;
        the baseline is what an action is guessed to be worth."""
        self._luck = luck
        self._branchings: list[_Branching] = []
        self._noted: dict[int, list[Notes]] = {}
        self._line_count = len(roots)
        heroes, ends, worths = traversers.copy(), [], []
        lines, names, depth = roots, np.arange(len(roots)), np.zeros(len(roots), np.int64)
        root_of = names
        while len(lines):
            over = lines.turn < 0
            ends.append(names[over])
            worths.append(lines.returns[over, heroes[root_of[over]]])
            growth = _Growth()
            for player, rows in self.company.groups(lines, np.flatnonzero(~over)):
                self._decide(player, lines, rows, names, depth, heroes[root_of[rows]], growth)
            if not growth.rows:
                break
            source = np.concatenate(growth.rows)
            if len(source) > MOST_LINES:
                raise BadInput(
                    f"{len(roots)} traversals of {self.sense.game.name} have more than {MOST_LINES:,} lines: follow "
                    "fewer actions (--with samples=4,4,1) or traverse fewer at once (--with at_once=64)"
                )
            lines = lines.branch(source, np.concatenate(growth.actions))
            names, depth, root_of = np.concatenate(growth.lines), np.concatenate(growth.depth), root_of[source]
        values = np.zeros(self._line_count)
        values[np.concatenate(ends)] = np.concatenate(worths)
        regrets = [self._settle(branching, values, baseline) for branching in reversed(self._branchings)]
        size, actions = self.sense.size, self.sense.game.ACTIONS
        noted = {slot: joined(parts, size, actions) for slot, parts in sorted(self._noted.items())}
        count = sum(len(end) for end in ends)
        return Harvest(joined(regrets, size, actions), noted, values[: len(roots)], count)

    def _decide(
        self, player: Actor | Bot, lines: Lines, rows: Ints, names: Ints, depth: Ints, heroes: Ints, growth: _Growth
    ) -> None:
        if not isinstance(player, Actor):
            growth.add(rows, player.act_batch(lines.views(rows)), names[rows], depth[rows])
            return
        observed = self.company.look(lines, rows)
        if player.slot == UNSEEN:
            growth.add(rows, observed.played(player.choose(observed)), names[rows], depth[rows])
            return
        strategy = self.company.strategy(player.slot, lines, rows, observed)
        own = observed.seats == heroes
        others, mine = np.flatnonzero(~own), np.flatnonzero(own)
        if len(others):
            seen = observed.pick(others)
            numbers = drawn(strategy[others], seen.luck[:, 0])
            notes = Notes(seen.observation, seen.allowed, strategy[others].astype(np.float32))
            self._noted.setdefault(player.slot, []).append(notes)
            growth.add(rows[others], seen.played(numbers), names[rows[others]], depth[rows[others]])
        if len(mine):
            at = rows[mine]
            branching = self._branch(observed.pick(mine), strategy[mine], names[at], depth[at])
            parents, numbers = branching.parents, branching.numbers
            actions = branching.observed.real[parents, numbers].astype(np.int64)
            growth.add(at[parents], actions, branching.children, depth[at][parents] + 1)

    def _branch(self, observed: ObservationBatch, strategy: Floats, names: Ints, depth: Ints) -> _Branching:
        wanted = self.sampling.at(depth, self.sense.game.ACTIONS)
        if self.sampling.estimator == PAPER:
            followed = drawn_often(strategy, observed.allowed, wanted, self._luck)
            likelihood = np.ones_like(strategy)
        else:
            followed, likelihood = picked(
                strategy, observed.allowed, wanted, self.sampling.explore, observed.luck[:, 0]
            )
        parents, numbers = np.nonzero(followed)
        children = self._line_count + np.arange(len(parents))
        self._line_count += len(parents)
        branching = _Branching(names, observed, strategy, followed, likelihood, parents, numbers, children)
        self._branchings.append(branching)
        return branching

    def _settle(self, at: _Branching, values: Floats, baseline: float) -> Notes:
        """Regrets at some decisions from the values of their children; their own values are written down."""
        guess = 0.0 if self.sampling.estimator == PAPER else baseline
        worth = np.full(at.strategy.shape, guess)
        found = values[at.children] - guess
        worth[at.parents, at.numbers] += found / at.likelihood[at.parents, at.numbers]
        own = (at.strategy * worth).sum(axis=1)
        values[at.lines] = own
        counts = at.followed if self.sampling.estimator == PAPER else at.observed.allowed
        regrets = np.where(counts, worth - own[:, None], 0.0)
        return Notes(at.observed.observation, at.observed.allowed, regrets.astype(np.float32))


def matched(advantages: NDArray[np.float32], allowed: Bools, uniform_fallback: bool, power: float = 1.0) -> Floats:
    """[n, ACTIONS]: regret matching; without any positive advantage all actions alike,
    or the one with the least regret."""
    positive = np.where(allowed, np.maximum(advantages, 0.0), 0.0).astype(np.float64)
    if power != 1.0:
        positive /= np.maximum(positive.max(axis=1, keepdims=True), 1e-12)
        positive **= power
    total = positive.sum(axis=1)
    empty = np.flatnonzero(total <= 0.0)
    if len(empty):
        if uniform_fallback:
            positive[empty] = allowed[empty]
        else:
            least = np.where(allowed[empty], advantages[empty], -np.inf).argmax(axis=1)
            positive[empty, least] = 1.0
        total[empty] = positive[empty].sum(axis=1)
    strategy: Floats = positive / total[:, None]
    return strategy


def drawn_often(strategy: Floats, allowed: Bools, times: Ints, luck: np.random.Generator) -> Bools:
    """[n, ACTIONS]: the actions drawn from the strategy with replacement; all of them where so many are wanted."""
    steps = np.cumsum(strategy, axis=1)
    followed = np.zeros(strategy.shape, np.bool_)
    rows = np.arange(len(strategy))
    for k in range(int(np.where(times < strategy.shape[1], times, 0).max(initial=0))):
        drawing = k < times
        chosen = (luck.random(len(strategy))[:, None] * steps[:, -1:] < steps).argmax(axis=1)
        followed[rows[drawing], chosen[drawing]] = True
    followed[times >= strategy.shape[1]] = allowed[times >= strategy.shape[1]]
    return followed


def picked(strategy: Floats, allowed: Bools, wanted: Ints, explore: float, luck: Floats) -> tuple[Bools, Floats]:
    """Different actions, as many as wanted, and how likely each was to be among them.

    One number of luck picks them all: likelihoods are laid end to end and every whole step from the luck on hits one.
    """
    count = allowed.sum(axis=1)
    liking = np.where(allowed, (1.0 - explore) * strategy + explore / count[:, None], 0.0)
    likelihood = _capped(liking, np.minimum(wanted, count).astype(np.float64))
    edges = np.cumsum(likelihood, axis=1) - luck[:, None]
    before = np.concatenate([-luck[:, None], edges[:, :-1]], axis=1)
    followed = (np.floor(edges) > np.floor(before)) & allowed
    all_of_them = wanted >= count
    followed[all_of_them] = allowed[all_of_them]
    likelihood[all_of_them] = 1.0
    return followed, likelihood


def _capped(liking: Floats, total: Floats) -> Floats:
    """Proportional to the liking, adding up to the total, none above 1."""
    likelihood = liking * (total / liking.sum(axis=1))[:, None]
    for _ in range(liking.shape[1]):
        full = likelihood >= 1.0
        if not (likelihood > 1.0 + 1e-12).any():
            break
        rest = np.where(full, 0.0, liking)
        left = total - full.sum(axis=1)
        share = np.divide(left, rest.sum(axis=1), out=np.zeros_like(left), where=rest.sum(axis=1) > 0)
        likelihood = np.where(full, 1.0, rest * share[:, None])
    return np.minimum(likelihood, 1.0)
