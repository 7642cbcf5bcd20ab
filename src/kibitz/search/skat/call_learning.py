"""How the networks that call in Skat are learned: deals called by self-play, their cards played by the rule-based
player. `python -m kibitz.search.skat.call_learning FOLDER` learns them all, the judge of contracts first.

Every choice is tried with a small chance, and the network learns by least squares what the deal brought to the seat
that made it (deep Monte Carlo). In half of the deals some seats call like the rule-based player, and some are stubborn:
they go on to a number by lot.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np

from kibitz.core import rng
from kibitz.core.batch import Batch
from kibitz.core.game import Game, make
from kibitz.core.jit import UNBOUND, loop
from kibitz.core.shapes import Bools, Floats, Ints, Singles
from kibitz.games.skat import cards as skat
from kibitz.games.skat import state as at
from kibitz.games.skat.bots import KNOBS
from kibitz.games.skat.bots import choose as rule_choice
from kibitz.search import schooling
from kibitz.search.network import Adam, Network, random_network, save_network
from kibitz.search.skat.caller import (
    CHOICES,
    INPUTS,
    PASSING,
    PICKING_UP,
    SCALE,
    Caller,
    Plans,
    best_plans,
    look_rows,
)  # fmt: skip
from kibitz.search.skat.judge import FAMILIES, SCHNEIDER, WIN, Judge, gain
from kibitz.search.skat.judge_learning import LAYERS as JUDGE_LAYERS
from kibitz.search.skat.judge_learning import PIECE, Played, bound, fit, play, play_out

LAYERS = (INPUTS, 128, 64, CHOICES)
SEED = 930_000
DEALS, EPOCHS = (100_000, 150_000, 250_000), (4, 4, 6)
"""For the judge, by round: the first draws contracts by lot."""
SELF, RULE, STUBBORN = range(3)
"""How a seat calls: by the network, by rule, or on to a number by lot."""
RESULT = 1.0
"""How much the log-odds of a searching declarer move with the result of the rule-based one."""
ODD, BY_RULE, BY_LOT = 0.5, 0.5, 0.1
"""For learners of card play: the share of deals in which not all seats call by network, and in these the shares of
seats that call otherwise."""
game = UNBOUND


@dataclass(frozen=True)
class Schooling(schooling.Settings):
    """The settings of a run."""

    rules: float = 0.25
    """The share of seats that call like the rule-based player."""
    stubborn: float = 0.05


@dataclass(frozen=True)
class Choices:
    """What the network saw and chose, in which deal and seat, after how many moves."""

    seen: Singles
    made: Ints
    deal: Ints
    seat: Ints
    move: Ints

    def some(self, rows: Bools) -> Choices:
        """These choices alone."""
        return Choices(*(getattr(self, part.name)[rows] for part in fields(self)))


def learn(
    game: Game, judge: Judge, settings: Schooling, net: Network | None = None,
    tell: Callable[[int, dict[str, float]], None] = lambda number, facts: None,
) -> Network:  # fmt: skip
    """A network that calls; a given one learns on."""
    net = net or random_network(LAYERS, settings.seed, float(np.sqrt(2.0)))
    adam, caller = Adam(net), Caller(net, judge, caution=0.0, least_null=0.0)
    luck = rng.generator(settings.seed, "distillation", 3)
    for number in range(settings.rounds):
        done = number / settings.rounds
        tries, rate = settings.tries_at(done), settings.rate_at(done)
        choices, brought, facts = call_out(game, caller, settings, settings.deals * number, tries, luck)
        loss = schooling.fit(adam, choices.seen, choices.made, brought, settings.batch, rate, luck)
        tell(number, facts | {"loss": loss})
    return net


def call_out(
    game: Game, caller: Caller, settings: Schooling, first: int, tries: float, luck: np.random.Generator
) -> tuple[Choices, Singles, dict[str, float]]:
    """Call deals and play them: what the network chose, what that brought, and some facts about the deals."""
    n = settings.deals
    states = Batch(game, n, seed=settings.seed, first=first, games=n).state.copy()
    kinds = (luck.random((n, 3)) < settings.rules) * RULE
    kinds[luck.random((n, 3)) < settings.stubborn] = STUBBORN
    kinds[luck.random(n) < 0.5] = SELF
    choices = call(game, caller, states, kinds, tries, luck)
    play_out(game, states)
    brought = expected(caller.judge, states)[choices.deal, choices.seat] / SCALE
    is_own = (states[:, at.DECLARER] >= 0) & (kinds[np.arange(n), states[:, at.DECLARER]] == SELF)
    return choices, brought.astype(np.float32), facts_of(states[is_own])


def call(game: Game, caller: Caller, states: Ints, kinds: Ints, tries: float, luck: np.random.Generator) -> Choices:
    """Bring dealt states to the first card, or to their end if all pass; `kinds` [n, seats] says who calls how.

    Choices before the last one by lot of a deal are left out: what came of them is not what the network does.
    """
    laid, declared = np.zeros(len(states), np.int64), np.full(len(states), -1)
    limits, last = luck.integers(0, 30, kinds.shape), np.zeros(len(states), np.int64)
    made = [Choices(np.empty((0, INPUTS), np.float32), *(np.empty(0, np.int64) for _ in range(4)))]
    while len(rows := np.flatnonzero((states[:, at.PHASE] != at.PLAYING) & (states[:, at.PHASE] != at.ENDED))):
        some, actions = states[rows], np.zeros(len(rows), np.int64)
        seats, phases = some[:, at.TURN], some[:, at.PHASE]
        kind = kinds[rows, seats]
        plans = (kind != RULE) & (phases > at.CHOOSING)
        by_rule, stubborn = kind == RULE, (kind == STUBBORN) & (phases <= at.OPENING)
        actions[by_rule] = rule_actions(game, some[by_rule])
        actions[stubborn] = said(some[stubborn], stakes(some[stubborn]) <= limits[rows, seats][stubborn])
        own = np.flatnonzero(~by_rule & ~plans & ~stubborn)
        if len(own):
            choices, is_higher, is_by_lot = chosen(caller, some[own], rows[own], tries, luck)
            actions[own] = said(some[own], is_higher)
            last[rows[own[is_by_lot]]] = some[own[is_by_lot], at.MOVES]
            made.append(choices)
        fresh = np.flatnonzero(plans & (declared[rows] < 0))
        for start in range(0, len(fresh), PIECE):
            pick = fresh[start : start + PIECE]
            best = planned(caller, some[pick])
            laid[rows[pick]], declared[rows[pick]] = best.laid, best.declared
        actions[plans] = next_moves(some[plans], laid[rows[plans]], declared[rows[plans]])
        step_rows(game, states, rows, actions)
    every = Choices(*(np.concatenate([getattr(one, part.name) for one in made]) for part in fields(Choices)))
    return every.some(every.move >= last[every.deal])


def call_oddly(game: Game, caller: Caller, states: Ints, luck: np.random.Generator) -> None:
    """Bring dealt states to the first card; in some of them seats call by rule or by lot, for strange contracts."""
    kinds = np.where(luck.random((len(states), at.PLAYERS)) < BY_RULE, RULE, SELF)
    kinds[luck.random((len(states), at.PLAYERS)) < BY_LOT] = STUBBORN
    kinds[luck.random(len(states)) >= ODD] = SELF
    call(game, caller, states, kinds, 0.0, luck)


def chosen(
    caller: Caller, states: Ints, deals: Ints, tries: float, luck: np.random.Generator
) -> tuple[Choices, Bools, Bools]:
    """What the network chooses, where that is the higher of two choices (go on, or play from the hand), and where
    it is by lot."""
    seen, every = np.empty((len(states), INPUTS), np.float32), np.arange(len(states))
    look_rows(states, seen)
    values, lower = caller.net(seen), np.where(states[:, at.PHASE] == at.CHOOSING, PICKING_UP, PASSING)
    is_by_lot = luck.random(len(states)) < tries
    ahead = values[every, lower + 1] - values[every, lower]
    is_higher = (ahead > np.where(lower == PASSING, caller.caution / SCALE, 0.0)) ^ is_by_lot
    is_higher &= stakes(states) < skat.N_BIDS
    return Choices(seen, lower + is_higher, deals, states[:, at.TURN], states[:, at.MOVES]), is_higher, is_by_lot


def said(states: Ints, is_higher: Bools) -> Ints:
    """[n]: the actions for the higher or the lower of two choices."""
    bids = np.where(states[:, at.PHASE] == at.ANSWERING, at.HOLD, at.BID + stakes(states))
    hand = np.where(is_higher, at.HAND_GAME, at.PICKUP)
    return np.where(states[:, at.PHASE] == at.CHOOSING, hand, np.where(is_higher, bids, at.PASS))


def stakes(states: Ints) -> Ints:
    """[n]: the places in the list of bids at which the seats to move would play."""
    return states[:, at.HIGH] + ((states[:, at.PHASE] == at.BIDDING) | (states[:, at.PHASE] == at.OPENING))


def facts_of(states: Ints) -> dict[str, float]:
    """What was declared, and how it went."""
    kind, won = states[:, at.CONTRACT], states[:, at.SUCCESS]
    parts = {
        "all": kind >= 0,
        "grand": kind == skat.GRAND,
        "null": kind == skat.NULL,
        "hand": states[:, at.IS_HAND] > 0,
    }
    shares = {name: float(part.mean()) for name, part in parts.items()}
    rates = {f"{name} won": float(won[part].mean()) for name, part in parts.items() if part.any()}
    return shares | rates | {"bid": float(skat.BIDS[states[:, at.HIGH]].mean()), "n": len(states),
                             "overbid": float(states[:, at.OVERBID].mean())}  # fmt: skip


def won_by_cards(states: Ints) -> Ints:
    """[n]: whether the declarer took enough, were he overbid or not."""
    is_null = states[:, at.CONTRACT] == skat.NULL
    return np.where(is_null, states[:, at.SUCCESS], states[:, at.TOTAL] > 60)


def planned(caller: Caller, states: Ints) -> Plans:
    """The best plans of declarers who have picked up, or play from the hand."""
    seats = states[:, at.DECLARER]
    cards = states[np.arange(len(states)), at.HAND + seats]
    laid = np.where(states[:, at.IS_HAND] > 0, -1, 0)
    return best_plans(caller.judge, cards, laid, seats, skat.BIDS[states[:, at.HIGH]], caller.least_null)


def next_moves(states: Ints, laid: Ints, declared: Ints) -> Ints:
    """[n]: the discard or the declaration that comes next in a plan."""
    low = laid & -laid
    card = np.log2(np.maximum(np.where(states[:, at.LAYING_NOW] == 0, low, laid ^ low), 1)).round().astype(np.int64)
    return np.where(states[:, at.PHASE] == at.DECLARING, at.DECLARE + declared, card)


def rule_actions(game: Game, states: Ints) -> Ints:
    """[n]: what the rule-based player calls, lays away or declares."""
    actions = np.zeros(len(states), np.int64)
    bound(game, _rule_rows)(states, np.array(list(KNOBS.values())), actions)
    return actions


def step_rows(game: Game, states: Ints, rows: Ints, actions: Ints) -> None:
    """Make a move in some rows."""
    bound(game, _step_rows)(states, rows, actions)


def expected(judge: Judge, states: Ints) -> Floats:
    """[n, seats]: what deals that are over bring on average.

    The chance to win is the judge's, who sees only the declarer's cards, moved by how the rule-based player fared
    with all of them; so there is less noise in it than in one result, and it is meant for searching players.
    """
    out = np.zeros((len(states), at.PLAYERS))
    rows = np.flatnonzero(states[:, at.DECLARER] >= 0)
    s, seats, all_rows = states[rows], states[rows, at.DECLARER], np.arange(len(rows))
    away = np.where(s[:, at.IS_HAND] > 0, 0, s[:, at.ASIDE])
    judged = judge.chances(
        s[all_rows, at.PLAYED + seats] | s[all_rows, at.HAND + seats], away, s[:, at.DECLARED], seats
    )
    before = np.clip(judged[:, WIN], 0.001, 0.999)
    odds = np.log(before / (1.0 - before)) + RESULT * (won_by_cards(s) - before)
    wins = 1.0 / (1.0 + np.exp(-odds))
    gains = np.zeros(len(rows))
    gain_rows(wins, judged[:, SCHNEIDER] * wins / before, s[:, at.DECLARED], s[:, at.MATADORS],
              skat.BIDS[s[:, at.HIGH]], gains)  # fmt: skip
    out[rows] = -gains[:, None] / 2.0
    out[rows, seats] = gains
    return out


def _rule_rows(states: Ints, knobs: Floats, actions: Ints) -> None:
    mask = np.ones(game.ACTIONS, np.bool_)
    luck = np.zeros(8, np.int64)
    for row in range(len(states)):
        actions[row] = rule_choice(states[row], mask, luck, knobs)


def _step_rows(states: Ints, rows: Ints, actions: Ints) -> None:
    for k in range(len(rows)):
        game.step(states[rows[k]], actions[k])


@loop
def gain_rows(wins: Floats, schneiders: Floats, declared: Ints, runs: Ints, bids: Ints, out: Floats) -> None:
    """What contracts are expected to gain."""
    for row in range(len(out)):
        out[row] = gain(wins[row], schneiders[row], declared[row], runs[row], bids[row])


def main() -> None:
    """Learn everything from nothing into a folder: `python -m kibitz.search.skat.call_learning FOLDER [SEED]`."""
    folder, seed = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else SEED
    folder.mkdir(parents=True, exist_ok=True)
    game = make("skat")
    judge = Judge([random_network(JUDGE_LAYERS, seed + k) for k in range(len(FAMILIES))])
    played: list[Played] = []
    for number, deals in enumerate(DEALS):
        played.append(play(game, judge, deals, seed + number, by_lot=number == 0))
        judge = fit(Played.joined(played), EPOCHS[number], seed)
        print(
            f"judge, round {number + 1}: {len(played[-1].won):,} contracts, {played[-1].won.mean():.3f} won", flush=True
        )
        for name, network in zip(FAMILIES, judge.networks, strict=True):
            save_network(folder / f"{name}.npz", network)
    net = learn(game, judge, Schooling(seed=seed + len(DEALS)), tell=lambda *facts: print(*facts, flush=True))
    save_network(folder / "calls.npz", net)
    print(f"{time.process_time():.0f} s of processor time")


if __name__ == "__main__":
    main()
