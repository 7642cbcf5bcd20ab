"""What a Skat deal is worth: matadors, levels, overbid, Ramsch. Numbers in comments are those of RULES.md."""

from __future__ import annotations

from kibitz.core.bits import lowest, popcount
from kibitz.core.game import State
from kibitz.core.jit import kernel
from kibitz.games.skat import cards as skat
from kibitz.games.skat import state as at


@kernel
def worth_of(cards: int) -> int:
    """The card points in some cards (1.3)."""
    worth = 0
    left = cards
    while left:
        worth += skat.WORTH[lowest(left)]
        left &= left - 1
    return worth


@kernel
def matadors(cards: int, kind: int) -> int:
    """Rule 7.1: +k for "with k", -k for "without k", 0 in null."""
    if kind == skat.NULL:
        return 0
    has = cards >> skat.TOPS[kind, 0] & 1
    run = 1
    while run < skat.MOST_TOPS[kind] and cards >> skat.TOPS[kind, run] & 1 == has:
        run += 1
    return run if has else -run


@kernel
def settle(s: State, points: int, tricks: int, gave_up: bool) -> None:
    """Write the result of a declared deal (rule 7) in which the declarer has these points, skat included, and tricks.

    `gave_up` is for records only: a declarer who resigns or leaves has lost a null (12.3).
    """
    declarer = s[at.DECLARER]
    cards = s[at.HAND + declarer] | s[at.PLAYED + declarer] | s[at.ASIDE]
    settle_with(s, matadors(cards, s[at.CONTRACT]), points, tricks, gave_up)


@kernel
def settle_with(s: State, run: int, points: int, tricks: int, gave_up: bool) -> None:
    """`settle` for matadors that are known."""
    announced = skat.ANNOUNCED[s[at.DECLARED]]
    s[at.WHO] = s[at.DECLARER]
    s[at.MATADORS] = run
    s[at.TOTAL] = points
    s[at.TOTAL_TRICKS] = tricks
    s[at.OVERBID] = s[at.IS_SCHNEIDER] = s[at.IS_SCHWARZ] = 0
    if s[at.CONTRACT] == skat.NULL:  # 7.5
        s[at.SUCCESS] = 1 if tricks == 0 and not gave_up else 0
        value = skat.DECLARED_VALUE[s[at.DECLARED]]
        s[at.SCORE] = value if s[at.SUCCESS] else -2 * value
        return
    if announced & skat.SCHWARZ:  # 7.6
        won = tricks == 10
    elif announced & skat.SCHNEIDER:
        won = points >= 90
    else:
        won = points >= 61
    levels = 1 + popcount(announced) + _reached(s, announced, won)
    base = skat.BASE[s[at.CONTRACT]]
    bid = skat.BIDS[s[at.HIGH]]
    value = base * (abs(run) + levels)
    if value < bid:  # 7.8
        s[at.OVERBID] = 1
        value = (bid + base - 1) // base * base
        won = False
    s[at.SUCCESS] = 1 if won else 0
    s[at.SCORE] = value if won else -2 * value  # 7.9


@kernel
def _reached(s: State, announced: int, won: bool) -> int:
    """Write schneider and schwarz as at.ISS flags them (12.2) and give the levels they add (7.2, 7.3)."""
    points = s[at.TOTAL]
    tricks = s[at.TOTAL_TRICKS]
    if won:
        s[at.IS_SCHNEIDER] = 1 if points >= 90 else 0
        s[at.IS_SCHWARZ] = 1 if tricks == 10 else 0
        return s[at.IS_SCHNEIDER] + s[at.IS_SCHWARZ]
    has_begun = s[at.DONE] > 0  # 12.3: nobody is schneider before a trick is complete
    schwarz = 1 if has_begun and tricks == 0 and not announced & skat.SCHWARZ else 0
    schneider = 1 if schwarz or (has_begun and points <= 30 and not announced & skat.SCHNEIDER) else 0
    s[at.IS_SCHNEIDER] = schneider
    s[at.IS_SCHWARZ] = schwarz
    if s[at.ANNOUNCED_LOSS] == at.ISS:
        return schwarz + (0 if announced & skat.SCHNEIDER else schneider)
    return (1 if schneider or announced & skat.SCHNEIDER else 0) + (1 if schwarz or announced & skat.SCHWARZ else 0)


@kernel
def settle_ramsch(s: State) -> None:
    """Write the result of a Ramsch (9.6 to 9.10)."""
    taker = 0
    untouched = 0
    for seat in range(at.PLAYERS):
        if s[at.LATEST + seat] > s[at.LATEST + taker]:
            taker = seat
        untouched += s[at.TRICKS + seat] == 0
    beneath = worth_of(s[at.ASIDE])
    if untouched == 2 and s[at.DURCHMARSCH]:
        s[at.WHO] = taker
        s[at.SUCCESS] = 1
        s[at.SCORE] = 120
        return
    loser = 0
    most = -1
    for seat in range(at.PLAYERS):
        points = s[at.POINTS + seat]
        if s[at.RAMSCH_SKAT] != at.LOSER and seat == taker:
            points += beneath
        if points > most or (points == most and s[at.LATEST + seat] > s[at.LATEST + loser]):
            most = points
            loser = seat
    if s[at.RAMSCH_SKAT] == at.LOSER:
        most += beneath
    s[at.WHO] = loser
    s[at.SUCCESS] = 0
    s[at.TOTAL] = most
    s[at.TOTAL_TRICKS] = s[at.TRICKS + loser]
    s[at.SCORE] = -most * (1 << untouched) if s[at.JUNGFRAU] else -most
