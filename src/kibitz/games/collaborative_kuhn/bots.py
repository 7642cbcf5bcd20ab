"""Collaborative Kuhn poker's rule-based player: bets aces, folds queens unless the team holds a pair."""

from __future__ import annotations

from kibitz.core import rng
from kibitz.core.game import State
from kibitz.core.jit import kernel
from kibitz.core.policy import Rule
from kibitz.core.shapes import Bools, Floats
from kibitz.games.collaborative_kuhn.rules import CALL, CARD, FOLD, MOVES, PLAYERS, RAISE, RANKS, TOLD


@kernel
def choose(view: State, mask: Bools, r: rng.Rng, knobs: Floats) -> int:
    """Strong with an ace or a pair it knows of, weak with a queen; bluffs with probability knobs[0]."""
    seat = view[MOVES] % PLAYERS
    card = view[CARD + seat]
    partner = view[CARD + (seat + 2) % PLAYERS]
    if 0 <= view[TOLD + view[MOVES]] < RANKS:
        partner = view[TOLD + view[MOVES]]
    is_strong = card == partner or (card == RANKS - 1 and partner < 0)
    if (is_strong or rng.uniform(r) < knobs[0]) and mask[RAISE]:
        return RAISE
    if is_strong or card > 0 or not mask[FOLD]:
        return CALL
    return FOLD


BOTS = {"ckp-rule": Rule(choose, "bets aces and pairs it knows of, folds queens; knob bluff", {"bluff": 0.1})}
