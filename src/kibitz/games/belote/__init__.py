"""Belote: the classic game with a turned-up card, two partnerships, eight tricks. Numbers are those of RULES.md."""

from __future__ import annotations

from collections.abc import Mapping

from kibitz.core import rng
from kibitz.core.bits import lowest, popcount
from kibitz.core.game import OVER, Option, Payoffs, State, Value
from kibitz.core.jit import kernel, specialise
from kibitz.core.shapes import Bools, Floats
from kibitz.games import belotes
from kibitz.games.belotes import belote_points, side_points
from kibitz.games.tricks import layout as at
from kibitz.games.tricks.kit import TrickGame
from kibitz.games.tricks.play import first_call_after_dealer, partners

VERSION = 1
SEATINGS = "teams"
OPTIONS = (Option("undertrump", "on", ("off", "on"), "whether who cannot overtrump must play a lower trump (3.4)"),)
PRESETS: dict[str, dict[str, int | str]] = {"belote": {}}
ABOUT = {"belote": "Belote: take the turned-up suit or name another"}

PASS, SUIT = 32, 33
duty = specialise(belotes.duty, "belote")


@kernel
def calls(s: State) -> int:
    """Rules 2.2 and 2.3, as bits from PASS up."""
    turned = 2 << s[at.TURNED] // 8
    return 1 | turned if s[at.MOVES] < 4 else 31 & ~turned


@kernel
def call(s: State, action: int) -> None:
    """Rules 2.2 to 2.5."""
    if action == PASS:
        s[at.TURN] = (s[at.TURN] + 1) % 4
        if s[at.MOVES] == 8:
            s[at.PHASE] = at.ENDED
            s[at.TURN] = OVER
        return
    s[at.CONTRACT] = action - SUIT
    s[at.DECLARER] = s[at.TURN]
    s[at.LAID_BY] = s[at.TURN]
    s[at.TAKEN] = s[at.DEAD]
    s[at.PHASE] = at.DEALING


@kernel
def score(s: State, out: Floats) -> None:
    """Rules 4.3 to 4.6."""
    out[:4] = 0.0
    if s[at.DECLARER] < 0:
        return
    taker = s[at.DECLARER] % 2
    ours, theirs = belote_points(s, taker, s[at.CONTRACT]), belote_points(s, 1 - taker, s[at.CONTRACT])
    own, other = side_points(s, taker), side_points(s, 1 - taker)
    if own + ours < other + theirs:
        own, other = 0, max(belotes.ALL_POINTS, other)
    elif own + ours == other + theirs:
        own = -ours
    gain = own + ours - other - theirs
    for seat in range(4):
        out[seat] = gain if seat % 2 == taker else -gain


@kernel
def caller(view: State, mask: Bools, r: rng.Rng, knobs: Floats) -> int:
    """Takes with strong trumps and aces."""
    best, most = PASS, 40
    for suit in range(4):
        hand = view[at.HAND + view[at.TURN]] | (view[at.DEAD] if view[at.MOVES] < 4 else 0)
        trumps = hand & belotes.MASKS[suit, belotes.TRUMP]
        strong = 8 * popcount(hand & belotes.ACES & ~trumps) + 4 * popcount(trumps)
        while trumps:
            strong += belotes.WORTH[suit, lowest(trumps)]
            trumps &= trumps - 1
        if mask[SUIT + suit] and strong > most:
            best, most = SUIT + suit, strong
    return best


def payoffs(values: Mapping[str, Value]) -> Payoffs:
    """Rule 4: a capot with belote."""
    return Payoffs(-272.0, 272.0, 0.0)


GAME = TrickGame(
    "belote", deck=belotes.DECK, suits=belotes.SUITS, seats=4, each=8, contracts=belotes.CONTRACTS[:4], options=OPTIONS,
    first_each=5, turns_up=True, last_trick=belotes.LAST_TRICK, every_trick=belotes.EVERY_TRICK, score=score,
    call_words=("pass", *(f"trumps-{s}" for s in belotes.SUITS)), longest_calls=8, duty=duty, rungs=3, side=partners,
    opening=first_call_after_dealer, calls=calls, call=call, after_trick=belotes.count_last_trick, caller=caller,
    headline=lambda s: f"Belote, {belotes.DECK.names[s[at.TURNED]]} turned up",
)  # fmt: skip
