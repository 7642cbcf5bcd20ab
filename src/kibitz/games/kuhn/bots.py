"""Kuhn poker's rule-based player: the equilibrium that never bluffs from the first seat, stretched to more players."""

from __future__ import annotations

from kibitz.core import rng
from kibitz.core.game import State
from kibitz.core.jit import kernel
from kibitz.core.policy import Rule
from kibitz.core.shapes import Bools, Floats
from kibitz.games.kuhn.rules import BET, BETTOR, CARD, CARDS, MOVES, NOBODY, PASS, PLAYERS


@kernel
def choose(view: State, mask: Bools, r: rng.Rng, knobs: Floats) -> int:
    """Best card: bet and call. Worst: bluff now and then when last, never call. Second best: call one bet in three."""
    seat = view[MOVES] % PLAYERS
    card = view[CARD + seat]
    luck = rng.uniform(r)
    if view[BETTOR] == NOBODY:
        if card == CARDS - 1:
            return BET if seat > 0 else PASS
        is_last = view[MOVES] == PLAYERS - 1
        return BET if card == 0 and is_last and luck < knobs[0] else PASS
    if card == CARDS - 1:
        return BET
    return BET if card == CARDS - 2 and luck < knobs[1] else PASS


BOTS = {
    "kuhn-rule": Rule(
        choose,
        "plays the two-player equilibrium that checks every card in the first seat; knobs bluff and call",
        {"bluff": 1 / 3, "call": 1 / 3},
    )
}
