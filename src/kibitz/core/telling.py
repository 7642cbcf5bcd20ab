"""What a seat is told of a move: a sentence made from its view before the move and its view after it,
never from the action.

    before = position.state.copy()
    position.push(action)
    told(game, before, position.state, seat, mover)     # "lays 2 cards as fives"

So nobody is told more than may be known: two worlds that the seat cannot tell apart give the same sentence.
"""

from __future__ import annotations

import numpy as np

from kibitz.core.errors import BadInput
from kibitz.core.game import Game, State

MOVES = "moves"
"""What is said of a move that was noticed, where the game has no words of its own for it."""


def told(game: Game, before: State, after: State, seat: int, mover: int, lang: str = "en") -> str:
    """What `seat` hears and sees of the move that `mover` (a seat, or CHANCE) made between two states; "" if nothing.

    The states may be full or views: both are blanked for the seat before the game's words see them. Chance moves that
    followed the move may be part of `after`.
    """
    known = ("en", *getattr(game.words, "LANGUAGES", {}))
    if lang not in known:
        raise BadInput(f"{game.name} does not speak {lang}: it speaks {', '.join(known)}")
    seen_before, seen_after = _seen(game, before, seat), _seen(game, after, seat)
    if (seen_before == seen_after).all():
        return ""
    say = getattr(game.words, "told", None)
    return MOVES if say is None else str(say(seen_before, seen_after, seat, mover, lang))


def _seen(game: Game, s: State, seat: int) -> State:
    out = np.zeros(game.SIZE, np.int64)
    game.view(s, seat, out)
    return out
