"""Who has seen which cards of a Skat deal (rule 13). All of it gives the same answers on a seat's view as on the full state."""

from __future__ import annotations

from kibitz.core.game import State
from kibitz.core.jit import kernel
from kibitz.games.skat.cards import ANNOUNCED, OUVERT
from kibitz.games.skat.state import (
    CHOOSING,
    DECLARED,
    DECLARER,
    ENDED,
    HANDS,
    HIDDEN,
    IS_HAND,
    IS_RAMSCH,
    LAID_AT,
    LOG,
    NOBODY,
    PHASE,
    PLAYED,
    PUSHED,
    PUSHING,
    SCHIEBEN,
    SEAT,
    SKAT,
    TAKEN,
)  # fmt: skip


@kernel
def has_picked_up(s: State) -> bool:
    """Whether the declarer has taken the skat."""
    return bool(s[DECLARER] != NOBODY and s[PHASE] > CHOOSING and not s[IS_HAND])


@kernel
def is_pushed(s: State) -> bool:
    """Whether the skat is, or was, passed on in a Schieberamsch."""
    return bool(s[IS_RAMSCH] and s[SCHIEBEN])


@kernel
def knows_skat(s: State, seat: int) -> bool:
    """Whether the cards that lie face down are this seat's doing."""
    if is_pushed(s):
        return bool(seat == s[SEAT]) if s[PHASE] == PUSHING else seat == 2
    return bool(has_picked_up(s) and seat == s[DECLARER])


@kernel
def is_open(s: State, seat: int) -> bool:
    """Rule 4.8: whether the seat's cards lie on the table."""
    return bool(s[DECLARED] != NOBODY and seat == s[DECLARER] and ANNOUNCED[s[DECLARED]] & OUVERT)


@kernel
def received_by(s: State, seat: int) -> int:
    """The two cards a seat picked up, none if it did not."""
    if is_pushed(s):
        return s[TAKEN] if seat == 0 else s[PUSHED + seat - 1]
    return s[TAKEN] if has_picked_up(s) and seat == s[DECLARER] else 0


@kernel
def laid_by(s: State, seat: int) -> int:
    """The cards a seat has laid away so far."""
    if is_pushed(s):
        if s[PHASE] == PUSHING and seat == s[SEAT]:
            return s[SKAT]
        if seat == 2:
            return 0 if s[PHASE] == PUSHING else s[SKAT]
        return s[PUSHED + seat]
    return s[SKAT] if has_picked_up(s) and seat == s[DECLARER] else 0


@kernel
def dealt_hand(s: State, seat: int) -> int:
    """The ten cards a seat was dealt."""
    return (s[HANDS + seat] | s[PLAYED + seat] | laid_by(s, seat)) & ~received_by(s, seat)


@kernel
def dealt_skat(s: State) -> int:
    """The skat as it was dealt."""
    return s[TAKEN] if s[TAKEN] else s[SKAT]


@kernel
def logged(s: State, k: int, seat: int) -> int:
    """The k-th action as a seat saw it: discards of others are HIDDEN, but who picks up a pushed pair sees it."""
    action = s[LOG + k]
    place = k - s[LAID_AT]
    if s[LAID_AT] == NOBODY or place < 0 or s[PHASE] == ENDED:
        return action
    if is_pushed(s):
        if place >= 6:
            return action
        pusher = place // 2
        sees = pusher == seat or (pusher == seat - 1 and (s[PHASE] != PUSHING or s[SEAT] > pusher))
        return action if sees else HIDDEN
    return action if place >= 2 or seat == s[DECLARER] else HIDDEN
