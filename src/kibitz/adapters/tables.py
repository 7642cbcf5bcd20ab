"""Many tables at which a learner sits: between two of its moves chance and the bots play on, in one compiled call."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.adapters.pool import MOST_COMPILED, Others, Pool, Seats, is_uniform, learner_seats, make_pool
from kibitz.core import rng, uniform
from kibitz.core.action_order import game_number, is_renamed, offer_kernel
from kibitz.core.errors import BadInput, IllegalMove
from kibitz.core.game import OVER, Game
from kibitz.core.jit import UNBOUND, kernel, specialise
from kibitz.core.position import illegal
from kibitz.core.shapes import Bools, Floats, Ints
from kibitz.core.turns import turns
from kibitz.core.view import Views

REST, ACT, OPEN, GO_ON, LOOK = range(5)
"""What a row is to do: nothing, play the learner's action, start the next deal, play on after a bot's move,
look again."""
MOST_SHEETS = 3
"""Arrays of observations that are kept to be used again."""
MOST_DEALS = 10_000
"""Deals in a row without a move of the learner after which it is told that it never moves."""

# Bound by specialise in the templates below.
game = observe = bot0 = bot1 = bot2 = bot3 = begin = advance = to_move = _offer = _choose = _open = UNBOUND
_play_on = UNBOUND


class Sheets:
    """Arrays of one shape to write on; one that nobody else has any more is used again,
    for new memory is slow to touch."""

    def __init__(self, first: NDArray[Any]) -> None:
        self._all = [first]

    def fresh(self, old: NDArray[Any], kept: Bools) -> NDArray[Any]:
        """An array that nobody else has, with the rows of the old one that are kept."""
        place = next((k for k in range(len(self._all)) if sys.getrefcount(self._all[k]) == ALONE), -1)
        if place < 0:
            self._all = [*self._all[1 - MOST_SHEETS :], np.empty_like(old)]
        new = self._all[place]
        if kept.any():
            new[kept] = old[kept]
        return new


_nobodys = [np.zeros(0)]
ALONE = sys.getrefcount(_nobodys[0])
"""What Python counts for an array that is in a list and nowhere else; views of an array count as well."""


class Tables:
    """n tables; row i plays the games 0, 1, ... of its own seed, so a row does what a table alone with that seed does.

    Actions and masks are in the learner's numbers. All arrays are owned by the tables and overwritten by `step`.
    """

    def __init__(
        self, game: Game, n: int, seat: Seats = 0, others: Others = "random", observation: str = "default"
    ) -> None:
        if n < 1:
            raise BadInput(f"{n} tables are not possible: it takes at least 1")
        self.game, self.n, self.kind = game, n, observation
        self.pool = make_pool(game, others)
        self.fixed = learner_seats(game, seat)
        self.state = np.zeros((n, game.SIZE), np.int64)
        self.turn = np.full(n, OVER, np.int64)
        self.me = np.zeros(n, np.int64)
        """The learner's seat that is to move, or moved last."""
        self.mask = np.zeros((n, game.ACTIONS), np.bool_)
        self.obs = np.zeros((n, game.observation(observation).senses), np.float32)
        self._sheets = Sheets(self.obs)
        self.reward = np.zeros(n)
        self.over = np.ones(n, np.bool_)
        """Where the game has ended."""
        self.returns = np.zeros((n, game.PLAYERS))
        self._root = np.zeros((n, 2), np.int64)
        self.number = np.full(n, -1, np.int64)
        """The number of the game in each row."""
        self.moves = np.zeros(n, np.int64)
        self.learner = np.zeros((n, game.PLAYERS), np.bool_)
        self.who = np.zeros((n, game.PLAYERS), np.int64)
        """[n, PLAYERS]: which bot of the pool sits where."""
        self.played = 0
        """Moves made so far at all tables, chance not counted."""
        renamed = is_renamed(game, observation)
        self._real = np.broadcast_to(np.arange(game.ACTIONS, dtype=np.int16), (n, game.ACTIONS)).copy()
        self._asked = np.zeros(n, np.bool_)
        self._keys = np.zeros((n, rng.keys_for(game.PLAYERS)), np.int64)
        self._rng = np.zeros((n, rng.SLOTS), np.int64)
        self._task = np.zeros(n, np.int64)
        self._run = _runner(game, self.pool, renamed, observation)
        self._arrays = (
            self.state, self._keys, self._rng, self.turn, self.me, self.moves, self.number, self._root, self._asked,
            self.learner, self.who, self._real, self.reward, self.over, self.returns, game.blank(), self.fixed,
            self.pool.choices, self.pool.counts, self.pool.knobs, self.pool.compiled,
        )  # fmt: skip

    def reset(self, rows: Bools, seeds: Sequence[int] | None = None, *, renew: bool = False) -> None:
        """Start the next deal in some rows, or game 0 of the seeds given."""
        if renew:
            self.obs = self._sheets.fresh(self.obs, ~rows)
        if seeds is not None:
            for row in np.flatnonzero(rows):
                self._root[row] = rng.root(int(seeds[int(row)]))
            self.number[rows] = -1
        self._task[:] = np.where(rows, OPEN, REST)
        self._advance(np.zeros(self.n, np.int64))

    def step(self, actions: NDArray[Any], rows: Bools | None = None, *, renew: bool = False) -> None:
        """Play the learner's actions in all rows, or in some; `renew` leaves the old `obs` to whoever has it."""
        asked = ~self.over if rows is None else rows & ~self.over
        chosen = np.where(asked, np.asarray(actions), 0).astype(np.int64)
        inside = (chosen >= 0) & (chosen < self.game.ACTIONS)
        fine = inside & self.mask[np.arange(self.n), np.where(inside, chosen, 0)]
        if not (fine | ~asked).all():
            row = int(np.flatnonzero(asked & ~fine)[0])
            raise self._refusal(row, int(chosen[row]))
        self._task[:] = np.where(asked, ACT, REST)
        if renew:
            self.obs = self._sheets.fresh(self.obs, ~asked)
        self._advance(self._real[np.arange(self.n), chosen].astype(np.int64))

    def look(self) -> None:
        """Write masks and observations anew, after `state` was changed from outside."""
        self._task[:] = LOOK
        self._advance(np.zeros(self.n, np.int64))

    def sample(self, luck: np.random.Generator) -> Ints:
        """A legal action for every row, all equally likely; 0 where nobody is to move."""
        out = np.zeros(self.n, np.int64)
        _sample_rows(self.mask, luck.random(self.n), out)
        return out

    def word(self, row: int, action: int) -> str:
        """The game's word for one of the learner's numbers."""
        return str(self.game.words.ACTION_WORDS[self._game_number(row, action)])

    def _advance(self, actions: Ints) -> None:
        """Run the compiled loop, and ask the bots that are not part of it,
        until every row waits for the learner or is over."""
        while True:
            self.played += int(self._run(self._task, actions, self.mask, self.obs, *self._arrays))
            waiting = np.flatnonzero(self._task == GO_ON)
            if not len(waiting):
                break
            self._ask(waiting, actions)
        if (self.number > MOST_DEALS).any() and (self.over & ~self._asked).any():
            raise BadInput(f"the learner's seat never moves in {self.game.name}")

    def _ask(self, rows: NDArray[np.intp], actions: Ints) -> None:
        """Let the bots that are not compiled choose in the rows that wait for them."""
        seats = self.turn[rows]
        blanked = np.zeros((len(rows), self.game.SIZE), np.int64)
        legal = np.zeros((len(rows), self.game.ACTIONS), np.bool_)
        _shower(self.game)(self.state, rows, seats, blanked, legal)
        views = Views(self.game, seats, blanked, legal, self._rng[rows])
        mover = self.who[rows, seats]
        chosen = np.zeros(len(rows), np.int64)
        for which in np.unique(mover):
            asked = np.flatnonzero(mover == which)
            chosen[asked] = self.pool.bots[which].act_batch(views.pick(asked))
        inside = (chosen >= 0) & (chosen < self.game.ACTIONS)
        fine = inside & legal[np.arange(len(rows)), np.where(inside, chosen, 0)]
        if not fine.all():
            i = int(np.flatnonzero(~fine)[0])
            raise illegal(self.game, self.state[rows[i]], legal[i], int(chosen[i]))
        actions[rows] = chosen

    def _refusal(self, row: int, action: int) -> IllegalMove:
        legal = np.zeros(self.game.ACTIONS, np.bool_)
        self.game.legal(self.state[row], legal)
        return illegal(self.game, self.state[row], legal, self._game_number(row, action))

    def _game_number(self, row: int, action: int) -> int:
        return game_number(self.game, self.kind, self.state[row], int(self.me[row]), action)


@cache
def _kernels(game: Game, kernels: tuple[Any, ...], renamed: bool, kind: str, is_random: bool) -> Callable[..., Any]:
    tag = "|".join([game.tag, *(f"{k.__module__}.{k.__name__}" for k in kernels)])
    bound: dict[str, Any] = {
        f"bot{k}": kernels[min(k, len(kernels) - 1)] if kernels else uniform.choose for k in range(MOST_COMPILED)
    }
    if is_random:
        choose = specialise(_choose_uniform, game.tag, game=game.kernels)
    else:
        choose = specialise(_choose_bot, tag, game=game.kernels, **bound)
    opener = specialise(_open_row, game.tag, game=game.kernels, **vars(turns(game)))
    play_on = specialise(_play_on_row, tag, game=game.kernels, **vars(turns(game)), _choose=choose)
    return specialise(
        _run_rows, f"{tag}|{kind}", game=game.kernels, observe=game.observation(kind).observe,
        _offer=offer_kernel(game, renamed), _open=opener, _play_on=play_on, advance=turns(game).advance,
    )  # fmt: skip


@cache
def _shower(game: Game) -> Callable[..., Any]:
    return specialise(_show_rows, game.tag, game=game.kernels)


def _runner(game: Game, pool: Pool, renamed: bool, kind: str) -> Callable[..., Any]:
    return _kernels(game, pool.kernels, renamed, kind, is_uniform(pool))


def _open_row(
    s: Ints, keys: Ints, r: Ints, blank: Ints, root: Ints, number: int, fixed: Bools, choices: Ints, counts: Ints,
    learner: Bools, who: Ints, p: Floats, log: NDArray[np.int32],
) -> int:  # fmt: skip
    """Deal, and draw who sits where; gives the moves that chance has made."""
    moves = begin(s, keys, r, root, number, blank, p, log)
    rng.turn(r, keys, rng.DEALER, rng.SEATING, 0)
    roams = True
    for seat in range(game.PLAYERS):
        learner[seat] = fixed[seat]
        roams &= not fixed[seat]
    if roams:
        learner[rng.below(r, game.PLAYERS)] = True
    for seat in range(game.PLAYERS):
        who[seat] = choices[seat, rng.below(r, counts[seat])]
    return int(moves)


def _show_rows(state: Ints, rows: NDArray[np.intp], seats: Ints, blanked: Ints, legal: Bools) -> None:
    """What the seats to move in some rows may know, and what they may do."""
    for i in range(len(rows)):
        game.peek(state[rows[i]], seats[i], blanked[i])
        game.legal(state[rows[i]], legal[i])


def _play_on_row(
    s: Ints, keys: Ints, r: Ints, moves: Ints, learner: Bools, who: Ints, knobs: Floats, compiled: int, view: Ints,
    legal: Bools, p: Floats, log: NDArray[np.int32],
) -> tuple[int, int]:  # fmt: skip
    """Play until the learner, a bot that is not compiled, or nobody is to move."""
    played = 0
    while True:
        seat = to_move(s, keys, r, moves[0])
        if seat == OVER or learner[seat] or who[seat] >= compiled:
            break
        action = _choose(who[seat], s, seat, view, legal, r, knobs[who[seat]])
        moves[0] = advance(s, keys, r, action, moves[0], p, log)
        played += 1
    return seat, played


def _choose_uniform(which: int, s: Ints, seat: int, view: Ints, legal: Bools, r: Ints, knobs: Floats) -> int:
    if game.HAS_MOVES:
        return int(game.block(s) + uniform.choose_bit(game.moves(s), r))
    game.legal(s, legal)
    return int(uniform.choose(s, legal, r, knobs))


def _choose_bot(which: int, s: Ints, seat: int, view: Ints, legal: Bools, r: Ints, knobs: Floats) -> int:
    game.legal(s, legal)
    game.peek(s, seat, view)
    if which == 0:
        action = bot0(view, legal, r, knobs)
    elif which == 1:
        action = bot1(view, legal, r, knobs)
    elif which == 2:
        action = bot2(view, legal, r, knobs)
    else:
        action = bot3(view, legal, r, knobs)
    if action < 0 or action >= game.ACTIONS or not legal[action]:
        raise ValueError("a compiled bot chose an illegal action")
    return int(action)


def _run_rows(
    task: Ints, actions: Ints, mask: Bools, obs: NDArray[np.float32], state: Ints, keys: Ints, luck: Ints, turn: Ints,
    me: Ints, moves: Ints, number: Ints, root: Ints, asked: Bools, learner: Bools, who: Ints, real: NDArray[np.int16],
    reward: Floats, over: Bools, returns: Floats, blank: Ints, fixed: Bools, choices: Ints, counts: Ints, knobs: Floats,
    compiled: int,
) -> int:  # fmt: skip
    """Do each row's task, then leave REST there, or GO_ON where a bot must be asked;
    returns the number of moves made."""
    view = np.zeros(game.SIZE, np.int64)
    legal = np.zeros(game.ACTIONS, np.bool_)
    order = np.zeros(game.ACTIONS, np.int64)
    p = np.zeros(max(1, game.CHANCES))
    log = np.zeros(0, np.int32)
    total = 0
    for row in range(len(task)):
        if task[row] == REST:
            continue
        s = state[row]
        r = luck[row]
        if task[row] == OPEN:
            number[row] += 1
            asked[row] = False
            moves[row] = _open(
                s, keys[row], r, blank, root[row], number[row], fixed, choices, counts, learner[row], who[row], p, log
            )
        elif task[row] != LOOK:
            moves[row] = advance(s, keys[row], r, actions[row], moves[row], p, log)
            total += 1
        empty = 0
        while True:
            seat, played = _play_on(
                s, keys[row], r, moves[row : row + 1], learner[row], who[row], knobs, compiled, view, legal, p, log
            )
            total += played
            if seat != OVER or asked[row] or empty == MOST_DEALS:
                break
            empty += 1  # the deal was over before the learner could move: the next one
            number[row] += 1
            moves[row] = _open(
                s, keys[row], r, blank, root[row], number[row], fixed, choices, counts, learner[row], who[row], p, log
            )
        turn[row] = seat
        if seat >= 0 and not learner[row, seat]:
            task[row] = GO_ON
            continue
        task[row] = REST
        reward[row] = 0.0
        over[row] = seat == OVER
        if seat == OVER:
            mask[row] = False
            game.returns(s, returns[row])
            seats = 0
            for player in range(game.PLAYERS):
                if learner[row, player]:
                    reward[row] += returns[row, player]
                    seats += 1
            reward[row] /= seats
        else:
            asked[row] = True
            me[row] = seat
            _offer(s, seat, legal, order, mask[row], real[row])
        obs[row] = 0.0
        observe(s, me[row], obs[row])
    return total


@kernel
def _sample_rows(mask: Bools, luck: Floats, out: Ints) -> None:
    for row in range(len(out)):
        count = 0
        for action in range(mask.shape[1]):
            count += mask[row, action]
        k = int(luck[row] * count)
        for action in range(mask.shape[1]):
            if mask[row, action]:
                if k == 0:
                    out[row] = action
                    break
                k -= 1
