"""How the network that calls is learned: auctions by self-play, and what their contracts bring.

Nobody plays the cards. What a contract brings is reckoned from the network that was distilled from solved deals: both
sides' hands are looked at, the flattery of open cards is taken off, and the score is the mean over how far real play
strays. So an auction costs microseconds, and millions can be called. Every call is tried with a small chance, and the
network learns by least squares what the deal brought to the side that made the call (deep Monte Carlo).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from kibitz.core import rng
from kibitz.core.batch import Batch
from kibitz.core.game import Game
from kibitz.core.policy import Bot
from kibitz.core.shapes import Floats, Ints, Singles
from kibitz.games.belotes import ALL_POINTS
from kibitz.games.coinche import layout as at
from kibitz.search import schooling
from kibitz.search.coinche import network as distilled
from kibitz.search.coinche.bidder import belote, outcome, played
from kibitz.search.coinche.caller import CALLS, COINCHE, INPUTS, SCALE, allowed, seen
from kibitz.search.network import Adam, Network, random_network

LAYERS = (INPUTS, 256, 128, CALLS)
NEAR = 3
"""Levels above the lowest legal one that are tried at random."""
MIDDLE, KEPT, SPREAD = 98.5, 0.82, 17.5
"""What play leaves of the points that four open hands promise, as in `bidder` for two (measured in 592 deals that the
searching player played against itself, seeds 70311 and 70312)."""
HOPE = 2.5
"""Points that are added when calling is learned, so that contracts are fought over: without them two of three are made,
with them about three of five."""


@dataclass(frozen=True)
class Schooling(schooling.Settings):
    """The settings of a run."""

    rounds: int = 1000
    batch: int = 1024
    rival_rounds: float = 0.5
    """The share of rounds in which one side calls as a rival does."""


def learn(
    games: Sequence[Game],
    rivals: Sequence[Bot],
    plan: Schooling,
    net: Network | None = None,
    tell: Callable[[int, dict[str, float]], None] = lambda number, facts: None,
) -> Network:
    """A network that calls, by self-play and against rivals, in games that differ in their scoring."""
    net = net or random_network(LAYERS, plan.seed, float(np.sqrt(2.0)))
    judge, adam = distilled.load(), Adam(net)
    luck = rng.generator(plan.seed, "distillation", 2)
    for number in range(plan.rounds):
        done = number / plan.rounds
        game = games[int(luck.integers(len(games)))]
        rival = rivals[int(luck.integers(len(rivals)))] if rivals and luck.random() < plan.rival_rounds else None
        rows, called, targets, facts = call_out(
            game, net, judge, rival, plan.deals, plan.seed, plan.deals * number, plan.tries_at(done), luck
        )
        loss = schooling.fit(adam, rows, called, targets, plan.batch, plan.rate_at(done), luck)
        tell(number, facts | {"loss": loss})
    return net


def call_out(
    game: Game, net: Network, judge: Network, rival: Bot | None, n: int, seed: int, first: int, tries: float,
    luck: np.random.Generator,
) -> tuple[Singles, Ints, Singles, dict[str, float]]:  # fmt: skip
    """Call n auctions: what the network saw, what it called, what that brought, and some facts about them."""
    tables = Batch(game, n, seed=seed, first=first, games=n)
    sides = np.arange(n) % 2  # the side that the network has where a rival has the other
    seen_rows: list[Singles] = []
    made: list[Ints] = []
    places: list[tuple[Ints, Ints]] = []
    while (calling := (tables.turn >= 0) & (tables.state[:, at.PHASE] == at.CALLING)).any():
        actions = np.zeros(n, np.int64)
        own = np.flatnonzero(calling & ((tables.turn % 2 == sides) | (rival is None)))
        if len(own):
            rows, order = seen(tables.state[own], tables.turn[own])
            legal = allowed(tables.mask[own])
            values = np.where(legal, np.take_along_axis(net(rows), order, axis=1), -np.inf)
            chosen = np.where(luck.random(len(own)) < tries, _any(legal, luck), values.argmax(axis=1))
            actions[own] = chosen
            seen_rows.append(rows)
            made.append(order[np.arange(len(own)), chosen])
            places.append((own, tables.turn[own] % 2))
        others = np.flatnonzero(calling & (tables.turn % 2 != sides)) if rival is not None else own[:0]
        if rival is not None and len(others):
            actions[others] = rival.act_batch(tables.views(others))
        waiting = tables.turn.copy()
        tables.turn[~calling] = -1
        tables.step_unchecked(actions)
        waiting[calling] = tables.turn[calling]
        tables.turn[:] = np.where(tables.ended, -1, waiting)
    brought, success = results(tables.state, judge)
    where, side = (np.concatenate(part) for part in zip(*places))
    targets = np.where(side == 0, brought[where], -brought[where]) / SCALE
    contracts = tables.state[:, at.BIDDER] >= 0
    facts = {
        "void": 1.0 - contracts.mean(),
        "value": float(tables.state[contracts, at.VALUE].mean()),
        "coinched": float((tables.state[contracts, at.COINCHED] > 0).mean()),
        "made": float(success[contracts].mean()),
        "calls": float(tables.state[:, at.CALLED].mean()),
        "lead": float(np.where(sides == 0, brought, -brought).mean()) if rival is not None else 0.0,
    }
    return np.concatenate(seen_rows), np.concatenate(made), targets.astype(np.float32), facts


def results(states: Ints, judge: Network) -> tuple[Floats, Floats]:
    """[n]: what auctions that are over bring to seats 0 and 2, and how likely their contracts are made."""
    brought, success = np.zeros(len(states)), np.zeros(len(states))
    s = states[0]
    for suit in range(4):
        for attack in (0, 1):
            rows = np.flatnonzero((states[:, at.CONTRACT] == suit) & (states[:, at.BIDDER] % 2 == attack)
                                  & (states[:, at.BIDDER] >= 0))  # fmt: skip
            if not len(rows):
                continue
            some = states[rows]
            hands = [some[:, at.HAND + seat] for seat in range(4)]
            points = both_sides(judge, hands, suit, attack, (some[:, at.DEALER] + 1) % 4)
            own = belote(s, suit, hands[attack], hands[attack + 2])
            other = belote(s, suit, hands[1 - attack], hands[3 - attack])
            score, chance = outcome(
                s, played(points, MIDDLE, KEPT) + HOPE, some[:, at.VALUE], own, other, some[:, at.COINCHED], SPREAD
            )
            brought[rows] = score if attack == 0 else -score
            success[rows] = chance
    return brought, success


def both_sides(judge: Network, hands: Sequence[Ints], suit: int, attack: int, leader: Ints) -> Floats:
    """[n]: points of the attack with open cards, as its own two hands and the two others tell: the mean of four."""
    total = np.zeros(len(leader))
    for seat in range(4):
        rows = distilled.inputs(hands[seat], hands[(seat + 2) % 4], suit, (leader - seat) % 4)
        points = distilled.points(judge, rows).astype(np.float64)
        total += points if seat % 2 == attack else ALL_POINTS - points
    return total / 4.0


def _any(legal: np.ndarray, luck: np.random.Generator) -> Ints:
    """[n]: a call at random: any but those that bid much more than they must."""
    near = legal.copy()
    lowest = np.where(legal[:, 1:COINCHE].any(axis=1), legal[:, 1:COINCHE].argmax(axis=1) // 4, 0)
    levels = np.arange(COINCHE - 1) // 4
    near[:, 1:COINCHE] &= levels[None] < lowest[:, None] + NEAR
    return (luck.random(near.shape) * near).argmax(axis=1)
