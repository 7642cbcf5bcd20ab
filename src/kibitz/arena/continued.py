"""Games that go on from a given state, for experiments with recorded beginnings; luck is that of all other games.

Bots are given views, here as everywhere. One exception is declared: a bot that looks is shown the state before it
moves, where an experiment says so. At any other table it is refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np

from kibitz.arena.chunk import Chunk, empty
from kibitz.arena.fused import role_kernel, soloist_of
from kibitz.core import rng
from kibitz.core.errors import BadInput
from kibitz.core.game import OVER, Game, State
from kibitz.core.policy import Bot
from kibitz.core.turns import turns
from kibitz.core.view import view_of


@dataclass(frozen=True, eq=False)
class Start:
    """Where a game goes on from, and the number of the game whose luck it has."""

    number: int
    state: State


@runtime_checkable
class Looks(Protocol):
    """What a bot has that is shown all cards."""

    def look(self, state: State) -> None:
        """See everything."""
        ...


def check_fair(bots: Sequence[Bot]) -> None:
    """Refuse bots that look."""
    for bot in bots:
        if isinstance(bot, Looks):
            raise BadInput(f"{bot.name} is shown all cards: it plays in experiments that say so, and at no other table")


def play_on(game: Game, start: State, bots: Sequence[Bot], seed: int, number: int, *, may_look: bool = False) -> State:
    """The last state when one bot per seat goes on from `start`, its moves counted from there.

    Luck is that of game `number` of a seed: the same for whoever sits in a seat.
    """
    return _go_on(game, Start(number, start), bots, seed, may_look)[0]


def play_starts(
    game: Game, bots: Sequence[Bot], starts: Sequence[Start], seed: int, *, first: int = 0, by_soloist: bool = False,
    may_look: bool = False,
) -> Chunk:  # fmt: skip
    """What games that go on from their starts give, as `play` tells it of games from the deal on; row 0 is `first`."""
    chunk, seats, role = empty(game, first, len(starts), False), range(game.PLAYERS), role_kernel(game)
    for row, start in enumerate(starts):
        soloist = int(soloist_of(game)(start.state)) if by_soloist else 0
        seated = [bots[(seat - soloist) % game.PLAYERS] for seat in seats]
        end, moves = _go_on(game, start, seated, seed, may_look)
        game.returns(end, chunk.returns[row])
        chunk.won[row] = [game.has_won(end, seat) for seat in seats]
        chunk.roles[row] = [role(end, seat) for seat in seats]
        chunk.length[row], chunk.moves[row], chunk.soloist[row] = moves, moves, soloist
        if game.TALLIES:
            game.tally(end, chunk.tallies)
    return chunk


def _go_on(game: Game, start: Start, bots: Sequence[Bot], seed: int, may_look: bool) -> tuple[State, int]:
    """The last state, and how many moves led there."""
    if not may_look:
        check_fair(bots)
    s, one = start.state.copy(), turns(game)
    keys, r = np.zeros(rng.keys_for(game.PLAYERS), np.int64), np.zeros(rng.SLOTS, np.int64)
    chances, log = np.zeros(max(1, game.CHANCES)), np.zeros(0, np.int32)
    rng.begin(keys, rng.root(seed), start.number)
    moves = 0
    while (seat := int(one.to_move(s, keys, r, moves))) != OVER:
        bot = bots[seat]
        if isinstance(bot, Looks):
            bot.look(s)
        moves = one.advance(s, keys, r, bot.act(view_of(game, s, seat, r.copy())), moves, chances, log)
    return s, moves
