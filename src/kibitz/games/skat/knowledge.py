"""Who has seen which cards of a Skat deal, and what the kit's redeal cannot know of them (rule 13).

A seat's view gives the same answers as the full state.
"""

from __future__ import annotations

from kibitz.core import rng
from kibitz.core.bits import highest, lowest, popcount
from kibitz.core.game import State
from kibitz.core.jit import kernel
from kibitz.core.shapes import Ints
from kibitz.games.skat import state as at
from kibitz.games.skat.cards import ANNOUNCED, JACKS, OUVERT
from kibitz.games.tricks.worlds import some, sort_cards


@kernel
def has_picked_up(s: State) -> bool:
    """Whether the declarer has taken the skat."""
    return bool(s[at.DECLARER] != at.NOBODY and s[at.PHASE] != at.CHOOSING and not s[at.IS_HAND])


@kernel
def is_pushed(s: State) -> bool:
    """Whether the skat is, or was, passed on in a Schieberamsch."""
    return bool(s[at.IS_RAMSCH] and s[at.SCHIEBEN])


@kernel
def knows_skat(s: State, seat: int) -> bool:
    """Whether the cards that lie face down are this seat's doing."""
    if is_pushed(s):
        return bool(seat == s[at.TURN]) if s[at.PHASE] == at.PUSHING else seat == 2
    return bool(has_picked_up(s) and seat == s[at.DECLARER])


@kernel
def is_open(s: State, seat: int) -> bool:
    """Rule 4.8: whether the seat's cards lie on the table."""
    return bool(s[at.DECLARED] != at.NOBODY and seat == s[at.DECLARER] and ANNOUNCED[s[at.DECLARED]] & OUVERT)


@kernel
def received_by(s: State, seat: int) -> int:
    """The two cards a seat picked up, none if it did not."""
    if is_pushed(s):
        return s[at.TAKEN] if seat == 0 else s[at.GIVEN + seat - 1]
    return s[at.TAKEN] if has_picked_up(s) and seat == s[at.DECLARER] else 0


@kernel
def laid_by(s: State, seat: int) -> int:
    """The cards a seat has laid away so far."""
    if is_pushed(s):
        if s[at.PHASE] == at.PUSHING and seat == s[at.TURN]:
            return s[at.ASIDE]
        if seat == 2:
            return 0 if s[at.PHASE] == at.PUSHING else s[at.ASIDE]
        return s[at.GIVEN + seat]
    return s[at.ASIDE] if has_picked_up(s) and seat == s[at.DECLARER] else 0


@kernel
def dealt_hand(s: State, seat: int) -> int:
    """The ten cards a seat was dealt."""
    return (s[at.HAND + seat] | s[at.PLAYED + seat] | laid_by(s, seat)) & ~received_by(s, seat)


@kernel
def dealt_skat(s: State) -> int:
    """The skat as it was dealt."""
    return s[at.TAKEN] if s[at.TAKEN] else s[at.ASIDE]


@kernel
def known(s: State, seat: int, other: int) -> int:
    """What a seat knows of another hand: an open one, and all of them at the end (13.5)."""
    return at.ANY if s[at.PHASE] == at.ENDED or is_open(s, other) else 0


@kernel
def known_aside(s: State, seat: int) -> int:
    """What a seat knows of the skat."""
    return at.ANY if s[at.PHASE] == at.ENDED or knows_skat(s, seat) else 0


@kernel
def sees(s: State, seat: int, k: int) -> bool:
    """Whether a seat has seen the k-th action: not the discards of others, but who picks up a pushed pair sees it."""
    place = k - s[at.LAID_AT]
    if s[at.LAID_BY] == at.NOBODY or place < 0 or s[at.PHASE] == at.ENDED:
        return True
    if is_pushed(s):
        pusher = place // 2
        return bool(
            place >= 6 or pusher == seat or (pusher == seat - 1 and (s[at.PHASE] != at.PUSHING or s[at.TURN] > pusher))
        )
    return bool(place >= 2 or seat == s[at.DECLARER])


@kernel
def blank(s: State, seat: int, out: State) -> None:
    """Hide what others have picked up or passed on."""
    if s[at.PHASE] != at.ENDED:
        if not (seat == 0 if is_pushed(s) else seat == s[at.DECLARER]):
            out[at.TAKEN] = 0
        if seat == 2:
            out[at.GIVEN] = 0
        if seat == 0:
            out[at.GIVEN + 1] = 0


@kernel
def recall(s: State, seat: int) -> int:
    """The two cards a seat picked up, and the contract, of which the log says nothing where it was set up."""
    return received_by(s, seat) | (s[at.DECLARER] + 1) << 48 | (s[at.DECLARED] + 1) << 40 | (s[at.HIGH] + 1) << 32


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
    if is_pushed(s):
        return _redraw_pushed(s, seat, r)
    imagine_pickup(s, r)
    return True


@kernel
def redraws(s: State, seat: int) -> bool:
    """Whether there is an exchange that a seat has not seen."""
    return s[at.PHASE] != at.ENDED and (is_pushed(s) or (has_picked_up(s) and seat != s[at.DECLARER]))


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
