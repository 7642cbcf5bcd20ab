"""What the kit's redeal cannot know of Skat: cards that were picked up, laid away and passed on unseen (rule 13)."""

from __future__ import annotations

from kibitz.core import rng
from kibitz.core.bits import highest, lowest, popcount
from kibitz.core.game import State
from kibitz.core.jit import kernel
from kibitz.core.shapes import Ints
from kibitz.games.skat import state as at
from kibitz.games.skat.cards import JACKS
from kibitz.games.skat.knowledge import has_picked_up, is_pushed
from kibitz.games.tricks.worlds import some, sort_cards


@kernel
def hand_size(s: State, seat: int) -> int:
    """How many cards a seat holds, those half laid away included; public."""
    is_twelve = (s[at.PHASE] == at.DISCARDING or s[at.PHASE] == at.PUSHING) and s[at.TURN] == seat
    return 12 if is_twelve else 10 - popcount(s[at.PLAYED + seat])


@kernel
def lacking(s: State, seat: int, other: int) -> int:
    """What a seat knows that another cannot have: voids, and in a Schieberamsch cards it has passed on to the third."""
    cards = s[at.LACKS + other]
    if is_pushed(s) and seat == 0 and s[at.PHASE] == at.PUSHING and s[at.TURN] == 1 and other == 2:
        cards |= s[at.GIVEN]  # middlehand has just picked it up
    return cards | s[at.GIVEN + 1] if is_pushed(s) and seat == 1 and other == 0 else cards


@kernel
def sort(s: State, seat: int, hidden: int, barred: Ints, pools: Ints, least: Ints, most: Ints) -> None:
    """No jack is ever passed on (13.3)."""
    if is_pushed(s):
        barred[2] = JACKS
    sort_cards(hidden, barred, pools, least, most)


@kernel
def redraw(s: State, seat: int, r: rng.Rng) -> bool:
    """What a seat has not seen of the exchange, in a world just dealt; false if the world is to be dealt again."""
    if is_pushed(s) and s[at.PHASE] != at.ENDED:
        return _redraw_pushed(s, seat, r)
    if has_picked_up(s) and seat != s[at.DECLARER] and s[at.PHASE] != at.ENDED:
        imagine_pickup(s, r)
    return True


@kernel
def imagine_pickup(s: State, r: rng.Rng) -> None:
    """Which two the declarer picked up and which he laid away, for a seat that saw neither."""
    declarer = s[at.DECLARER]
    if s[at.PHASE] == at.DISCARDING:
        cards = s[at.HAND + declarer]
        s[at.ASIDE] = some(r, cards & ~(1 << highest(cards)), s[at.LAYING_NOW])
        s[at.HAND + declarer] = cards & ~s[at.ASIDE]
    s[at.TAKEN] = some(r, s[at.HAND + declarer] | s[at.PLAYED + declarer] | s[at.ASIDE], 2)
    if s[at.LAID_BY] != at.NOBODY:
        _log_pair(s, 0, s[at.ASIDE])


@kernel
def _log_pair(s: State, pusher: int, cards: int) -> None:
    """Write one or two discards into the log, the lower first."""
    if cards:
        place = at.LOG + s[at.LAID_AT] + 2 * pusher
        s[place] = lowest(cards)
        if cards & (cards - 1):
            s[place + 1] = highest(cards)


@kernel
def _pairs(cards: int, gone: int) -> int:
    """How many pairs of cards there are that contain what is gone."""
    rest = popcount(cards & ~gone)
    return 1 if popcount(gone) == 2 else rest if popcount(gone) == 1 else rest * (rest - 1) // 2


@kernel
def _redraw_pushed(s: State, seat: int, r: rng.Rng) -> bool:
    """In a Schieberamsch worlds are weighted by the ways the cards can have been passed on, by rejection."""
    pusher = s[at.TURN] if s[at.PHASE] == at.PUSHING else 3
    half = pusher < 3 and pusher != seat and s[at.LAYING_NOW] == 1
    hides = (seat == 0 and pusher >= 2) or (seat == 2 and pusher >= 1)
    gone = s[at.GIVEN] & ~(s[at.HAND + 1] | s[at.PLAYED + 1]) if seat == 0 else 0
    source = _push_source(s, seat, pusher)
    most = ways = 1
    if hides:
        most = _pairs((1 << 12) - 1, (1 << popcount(s[at.GIVEN] & s[at.PLAYED + 2])) - 1 if seat == 0 else 0)
        ways = _pairs(source, gone)
    if half:
        most *= 11
        ways *= popcount(s[at.HAND + pusher] & ~JACKS) - 1
    if ways != most and rng.below(r, most) >= ways:
        return False
    if hides:
        s[at.GIVEN + (1 if seat == 0 else 0)] = gone | some(r, source & ~gone, 2 - popcount(gone))
    if half:
        cards = s[at.HAND + pusher] & ~JACKS
        s[at.ASIDE] = some(r, cards & ~(1 << highest(cards)), 1)
        s[at.HAND + pusher] &= ~s[at.ASIDE]
    if seat != 0:
        laid = s[at.ASIDE] if pusher == 0 else s[at.GIVEN]
        s[at.TAKEN] = some(r, s[at.HAND] | s[at.PLAYED] | laid, 2)
    for k in range(min(pusher + 1, 3)):
        _log_pair(s, k, s[at.ASIDE] if k == min(pusher, 2) else s[at.GIVEN + k])
    return True


@kernel
def _push_source(s: State, seat: int, pusher: int) -> int:
    """The cards among which the pair must be that was passed on without the seat seeing it; no jacks."""
    if seat == 0:
        return (s[at.HAND + 2] | s[at.PLAYED + 2] | (s[at.ASIDE] if pusher == 3 else 0)) & ~JACKS
    return (s[at.HAND + 1] | s[at.PLAYED + 1] | (s[at.GIVEN + 1] if pusher >= 2 else 0)) & ~JACKS
