"""Cheat: actions, deals and states as text."""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from kibitz.core.errors import BadRecord
from kibitz.core.game import OVER, State
from kibitz.games.cheat.counters import COUNTED, COUNTERS
from kibitz.games.cheat.dealing import open_game, share, start
from kibitz.games.cheat.layout import (
    ASKED,
    AT_ONCE,
    BASE,
    CARDS_EACH,
    CLAIM,
    COPIES,
    DISCARDER,
    FIRST,
    FIRST_PLAYER,
    HAND,
    KNOWN,
    LAID,
    LAY,
    MAX_TURNS,
    MOST,
    NOBODY,
    ONE_BY_ONE,
    PASS,
    PASSES,
    PICKED,
    PILE,
    PLAYERS,
    RANK,
    RANKS,
    SIZES,
    TURNS,
    UNKNOWN,
    WINNERS,
)
from kibitz.games.cheat.multiset import count, one
from kibitz.games.cheat.rules import turn

if TYPE_CHECKING:
    from kibitz.core.game import Game

ALL_RANKS = "A23456789TJQK"
NAMES = ALL_RANKS[:RANKS]
RANK_WORDS = (
    ("an ace", "aces"), ("a two", "twos"), ("a three", "threes"), ("a four", "fours"), ("a five", "fives"),
    ("a six", "sixes"), ("a seven", "sevens"), ("an eight", "eights"), ("a nine", "nines"), ("a ten", "tens"),
    ("a jack", "jacks"), ("a queen", "queens"), ("a king", "kings"),
)  # fmt: skip
SYNONYMS = {
    "doubt": "cheat", "challenge": "cheat", "bullshit": "cheat", "liar": "cheat",
    "believe": "trust", "ok": "trust", "accept": "trust", "done": "lay",
}  # fmt: skip
_DISCARD_WORDS = tuple(
    "".join(cards) for length in range(1, MOST + 1) for cards in combinations_with_replacement(NAMES, length)
) if not ONE_BY_ONE else ("lay", *NAMES)  # fmt: skip
ACTION_WORDS = ("trust", "cheat", *(("pass",) if PASSES else ()), *_DISCARD_WORDS)

RATES = {
    "lying_rate": ("lies", "discards"),
    "needless_lying_rate": ("able_lies", "able"),
    "challenge_rate": ("challenges", "asked"),
    "challenge_success": ("right", "challenges"),
    "detection": ("right", "lies_heard"),
    "caught_rate": ("caught", "lies"),
    "cards_per_discard": ("cards", "discards"),
}
"""Rules 10.1 to 10.6: what is divided by what."""


def spell(text: str) -> str:
    """The house word for what a person typed: cards in any order and case, 10 for T, the usual cries for cheat."""
    low = text.strip().lower().rstrip("!")
    if low in SYNONYMS:
        return SYNONYMS[low]
    cards = low.upper().replace("10", "T").replace(" ", "").replace(",", "")
    if cards and all(card in ALL_RANKS for card in cards):
        return "".join(sorted(cards, key=ALL_RANKS.index))
    return low


def handful_text(cards: int, size: int) -> str:
    """The ranks of a handful in order; a question mark for each card of one that is not known."""
    if cards == UNKNOWN:
        return "?" * size
    return "".join(name * count(cards, rank) for rank, name in enumerate(NAMES))


def deal_text(s: State) -> str:
    """The first player and everybody's hand, seat 0 first: `0: A23357 | 224567`."""
    hands = " | ".join(handful_text(int(s[HAND + seat]), 0) for seat in range(PLAYERS))
    return f"{s[FIRST]}: {hands}"


def read_deal(text: str, s: State) -> None:
    """Write the deal into a blank state."""
    head, _, tail = text.partition(":")
    if head.strip() not in [str(seat) for seat in range(PLAYERS)]:
        raise BadRecord(
            f"deal {text!r} does not begin with its first player: a seat from 0 to {PLAYERS - 1} and a colon"
        )
    first = int(head)
    if s[FIRST_PLAYER] not in (0, first + 1):
        raise BadRecord(f"deal {text!r} is not possible: the first player is seat {s[FIRST_PLAYER] - 1}")
    hands = [hand.replace(" ", "") for hand in tail.split("|")]
    if len(hands) != PLAYERS:
        raise BadRecord(f"deal {text!r} has {len(hands)} hands: it takes {PLAYERS}, parted by |")
    for seat, hand in enumerate(hands):
        _check_hand(hand, seat, share(seat, first))
    for name in NAMES:
        dealt = sum(hand.count(name) for hand in hands)
        if dealt > COPIES:
            raise BadRecord(f"{name} is dealt {dealt} times: there are {COPIES} of each rank")
    start(s, first)
    for seat, hand in enumerate(hands):
        s[HAND + seat] = sum(one(NAMES.index(card)) for card in hand)
    open_game(s)


def _check_hand(hand: str, seat: int, size: int) -> None:
    for card in hand:
        if card not in NAMES:
            raise BadRecord(f"{card} in the hand of seat {seat} is no rank of this game: there are {' '.join(NAMES)}")
    if len(hand) != size:
        dealt = "" if CARDS_EACH else "all cards are dealt out, and "
        raise BadRecord(f"seat {seat} has {len(hand)} cards: {dealt}it takes {size}")


def why_not(s: State, action: int) -> str:
    """The reason why an action is illegal."""
    if s[ASKED] != NOBODY:
        return f"it is asked whether it believes seat {s[DISCARDER]}'s {_claim(s)}: trust or cheat"
    if action < BASE and not (PASSES and action == PASS):
        return f"nothing is claimed yet; it is seat {s[DISCARDER]}'s turn to discard, as {_rank(s)}s"
    if ONE_BY_ONE:
        return _why_not_picked(s, action)
    wanted = ACTION_WORDS[action]
    hand = int(s[HAND + s[DISCARDER]])
    for name in dict.fromkeys(wanted):
        held = count(hand, NAMES.index(name))
        if wanted.count(name) > held:
            has = f"{held} {name}" if held else f"no {name}"
            return f"it holds {handful_text(hand, 0)}, with {has}"
    return f"right and wrong cards may not be mixed, and the rank is {_rank(s)}"


def _why_not_picked(s: State, action: int) -> str:
    picked = handful_text(int(s[PICKED]), 0)
    if action == LAY:
        return "it has picked no card yet"
    if PASSES and action == PASS:
        return f"it has picked {picked} already"
    if len(picked) == MOST:
        return f"it has picked {picked}, and a discard has at most {MOST} cards"
    left = handful_text(int(s[HAND + s[DISCARDER]] - s[PICKED]), 0)
    if ACTION_WORDS[action] not in left:
        return f"it has {left or 'no cards'} left to pick"
    return f"it has picked {picked}, right and wrong cards may not be mixed, and the rank is {_rank(s)}"


def _rank(s: State) -> str:
    return NAMES[s[RANK]]


def _claim(s: State) -> str:
    return f"claim of {s[CLAIM]} x {_rank(s)}"


def told(before: State, after: State, seat: int, mover: int, lang: str) -> str:
    """What a seat hears and sees of a move: how many cards are laid and as what, never which (rules 6.1 and 6.7)."""
    if before[ASKED] == NOBODY:
        if after[ASKED] == NOBODY:
            return "passes"
        claim, rank = after[CLAIM], RANK_WORDS[after[RANK]]
        return f"lays 1 card as {rank[0]}" if claim == 1 else f"lays {claim} cards as {rank[1]}"
    taken = int(before[LAID : LAID + PLAYERS].sum())
    is_taken = not after[LAID : LAID + PLAYERS].any()
    if before[AT_ONCE] and after[ASKED] != NOBODY:
        return "has answered"
    word = "has answered" if before[AT_ONCE] else "cheat" if is_taken else "trust"
    if not is_taken:
        return f"{word}, nobody doubts" if before[AT_ONCE] else word
    taker = next(k for k in range(PLAYERS) if after[SIZES + k] > before[SIZES + k])
    discarder = before[DISCARDER]
    truth = "has lied" if taker == discarder else "has told the truth"
    return f"{word}, seat {discarder} {truth}: seat {taker} takes {taken} card{'s' * (taken > 1)}"


def hand(s: State, seat: int) -> list[str]:
    """The ranks of the seat's cards."""
    return list(handful_text(int(s[HAND + seat]), int(s[SIZES + seat])))


def unseen(s: State, seat: int) -> list[str]:
    """The pack without the seat's hand, what it has laid on the pile, and what it knows others to have (rule 6.4)."""
    known = [int(s[KNOWN + seat * PLAYERS + k]) for k in range(PLAYERS) if k != seat]
    seen = [int(s[HAND + seat]), int(s[PILE + seat]), *known]
    left = [COPIES - sum(count(cards, rank) for cards in seen) for rank in range(RANKS)]
    return [name for name, times in zip(NAMES, left, strict=True) for _ in range(times)]


def show(s: State, seat: int | None = None) -> str:
    """The table as a person sees it from a seat (or with all cards open)."""
    pile = int(s[LAID : LAID + PLAYERS].sum())
    lines = [f"turn {s[TURNS] + (turn(s) != OVER)} of {MAX_TURNS}   rank {_rank(s)}   pile {pile}"]
    lines += [_seat_line(s, k, seat) for k in range(PLAYERS)]
    if turn(s) == OVER:
        winners = [k for k in range(PLAYERS) if s[WINNERS] >> k & 1]
        return "\n".join([*lines, "over: " + (f"won by seat {', '.join(map(str, winners))}" if winners else "a draw")])
    if s[ASKED] != NOBODY:
        return "\n".join([*lines, f"seat {s[DISCARDER]}'s {_claim(s)}: seat {s[ASKED]} says trust or cheat"])
    is_shown = seat in (None, s[DISCARDER]) and s[PICKED]
    picked = f", has picked {handful_text(int(s[PICKED]), 0)}" if is_shown else ""
    return "\n".join([*lines, f"seat {s[DISCARDER]} discards{picked}"])


def _seat_line(s: State, k: int, seat: int | None) -> str:
    is_open = seat is None or seat == k
    size, laid = int(s[SIZES + k]), int(s[LAID + k])
    hand = handful_text(int(s[HAND + k]), size) if is_open else "?" * size
    line = f"seat {k}{' (you)' if k == seat else ''}: {hand or 'no cards'}"
    if laid:
        line += f"   in the pile: {handful_text(int(s[PILE + k]), laid) if is_open else '?' * laid}"
    if seat is not None and k != seat and s[KNOWN + seat * PLAYERS + k]:
        line += f"   known in hand or pile: {handful_text(int(s[KNOWN + seat * PLAYERS + k]), 0)}"
    return line


def report(game: Game, tallies: NDArray[np.float64], games: int) -> dict[str, Any]:
    """Section 10 for `simulate`: length and draws, and for every seat its counts and rates, None if unknown."""
    names = (*COUNTERS, "passes")
    seats = tallies[2:].reshape(PLAYERS, COUNTED)
    behaviour = []
    for seat, row in enumerate(seats):
        counts = {name: int(value) for name, value in zip(names, row, strict=True)}
        rates = {rate: counts[a] / counts[b] if counts[b] else None for rate, (a, b) in RATES.items()}
        behaviour.append({"seat": seat, **rates, "counts": counts})
    return {
        "mean_turns": float(tallies[0]) / games,
        "draw_rate": float(tallies[1]) / games,
        "behaviour": behaviour,
    }
