"""Leduc poker's rule-based player: bets what it holds."""

from __future__ import annotations

from kibitz.core import rng
from kibitz.core.game import State
from kibitz.core.jit import kernel
from kibitz.core.policy import Rule
from kibitz.core.shapes import Bools, Floats
from kibitz.games.leduc.rules import ACTED, BOARD, CALL, CARD, FOLD, RAISE, ROUND


@kernel
def choose(view: State, mask: Bools, r: rng.Rng, knobs: Floats) -> int:
    """Raise with a pair or (before the board) a king, call with the middle, else fold; bluff with chance knobs[0]."""
    rank = view[CARD + view[ACTED] % 2] // 2
    strong = rank == view[BOARD] // 2 if view[ROUND] == 1 else rank == 2
    if (strong or rng.uniform(r) < knobs[0]) and mask[RAISE]:
        return RAISE
    if strong or rank + view[ROUND] >= 2 or not mask[FOLD]:
        return CALL
    return FOLD


BOTS = {"leduc-rule": Rule(choose, "raises with a pair or a king, folds weak cards; knob bluff", {"bluff": 0.1})}
