"""Who has seen which cards of a Skat deal (rule 13); a seat's view gives the same answers as the full state."""

from __future__ import annotations

from kibitz.core.game import State
from kibitz.core.jit import kernel
from kibitz.games.skat import state as at
from kibitz.games.skat.cards import ANNOUNCED, OUVERT


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
