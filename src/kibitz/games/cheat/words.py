"""Cheat: actions, deals and states as text."""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, Any

from kibitz.core.errors import BadRecord
from kibitz.core.game import OVER, State
from kibitz.core.shapes import Floats
from kibitz.games.cheat import layout as at
from kibitz.games.cheat.counters import COUNTED, COUNTERS
from kibitz.games.cheat.multiset import count, one
from kibitz.games.cheat.rules import open_game, share, start, turn

if TYPE_CHECKING:
    from kibitz.core.game import Game

ALL_RANKS = "A23456789TJQK"
NAMES = ALL_RANKS[: at.RANKS]
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
    "".join(cards) for length in range(1, at.MOST + 1) for cards in combinations_with_replacement(NAMES, length)
) if not at.ONE_BY_ONE else ("lay", *NAMES)  # fmt: skip
ACTION_WORDS = ("trust", "cheat", *(("pass",) if at.PASSES else ()), *_DISCARD_WORDS)

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
    if cards == at.UNKNOWN:
        return "?" * size
    return "".join(name * count(cards, rank) for rank, name in enumerate(NAMES))


def deal_text(s: State) -> str:
    """The first player and everybody's hand, seat 0 first: `0: A23357 | 224567`."""
    hands = " | ".join(handful_text(int(s[at.HAND + seat]), 0) for seat in range(at.PLAYERS))
    return f"{s[at.FIRST]}: {hands}"


def read_deal(text: str, s: State) -> None:
    """Write the deal into a blank state."""
    head, _, tail = text.partition(":")
    if head.strip() not in [str(seat) for seat in range(at.PLAYERS)]:
        raise BadRecord(
            f"deal {text!r} does not begin with its first player: a seat from 0 to {at.PLAYERS - 1} and a colon"
        )
    first = int(head)
    if s[at.FIRST_PLAYER] not in (0, first + 1):
        raise BadRecord(f"deal {text!r} is not possible: the first player is seat {s[at.FIRST_PLAYER] - 1}")
    hands = [hand.replace(" ", "") for hand in tail.split("|")]
    if len(hands) != at.PLAYERS:
        raise BadRecord(f"deal {text!r} has {len(hands)} hands: it takes {at.PLAYERS}, parted by |")
    for seat, hand in enumerate(hands):
        _check_hand(hand, seat, share(seat, first))
    for name in NAMES:
        dealt = sum(hand.count(name) for hand in hands)
        if dealt > at.COPIES:
            raise BadRecord(f"{name} is dealt {dealt} times: there are {at.COPIES} of each rank")
    start(s, first)
    for seat, hand in enumerate(hands):
        s[at.HAND + seat] = sum(one(NAMES.index(card)) for card in hand)
    open_game(s)


def _check_hand(hand: str, seat: int, size: int) -> None:
    for card in hand:
        if card not in NAMES:
            raise BadRecord(f"{card} in the hand of seat {seat} is no rank of this game: there are {' '.join(NAMES)}")
    if len(hand) != size:
        dealt = "" if at.CARDS_EACH else "all cards are dealt out, and "
        raise BadRecord(f"seat {seat} has {len(hand)} cards: {dealt}it takes {size}")


def why_not(s: State, action: int) -> str:
    """The reason why an action is illegal."""
    if s[at.ASKED] != at.NOBODY:
        return f"it is asked whether it believes seat {s[at.DISCARDER]}'s {_claim(s)}: trust or cheat"
    if action < at.BASE and not (at.PASSES and action == at.PASS):
        return f"nothing is claimed yet; it is seat {s[at.DISCARDER]}'s turn to discard, as {_rank(s)}s"
    if at.ONE_BY_ONE:
        return _why_not_picked(s, action)
    wanted = ACTION_WORDS[action]
    hand = int(s[at.HAND + s[at.DISCARDER]])
    for name in dict.fromkeys(wanted):
        held = count(hand, NAMES.index(name))
        if wanted.count(name) > held:
            has = f"{held} {name}" if held else f"no {name}"
            return f"it holds {handful_text(hand, 0)}, with {has}"
    return f"right and wrong cards may not be mixed, and the rank is {_rank(s)}"


def _why_not_picked(s: State, action: int) -> str:
    picked = handful_text(int(s[at.PICKED]), 0)
    if action == at.LAY:
        return "it has picked no card yet"
    if at.PASSES and action == at.PASS:
        return f"it has picked {picked} already"
    if len(picked) == at.MOST:
        return f"it has picked {picked}, and a discard has at most {at.MOST} cards"
    left = handful_text(int(s[at.HAND + s[at.DISCARDER]] - s[at.PICKED]), 0)
    if ACTION_WORDS[action] not in left:
        return f"it has {left or 'no cards'} left to pick"
    return f"it has picked {picked}, right and wrong cards may not be mixed, and the rank is {_rank(s)}"


def _rank(s: State) -> str:
    return NAMES[s[at.RANK]]


def _claim(s: State) -> str:
    return f"claim of {s[at.CLAIM]} x {_rank(s)}"


def told(before: State, after: State, seat: int, mover: int, lang: str) -> str:
    """What a seat hears and sees of a move: how many cards are laid and as what, never which (rules 6.1 and 6.7)."""
    if before[at.ASKED] == at.NOBODY:
        if after[at.ASKED] == at.NOBODY:
            return "passes"
        claim, rank = after[at.CLAIM], RANK_WORDS[after[at.RANK]]
        return f"lays 1 card as {rank[0]}" if claim == 1 else f"lays {claim} cards as {rank[1]}"
    taken = int(before[at.LAID : at.LAID + at.PLAYERS].sum())
    is_taken = not after[at.LAID : at.LAID + at.PLAYERS].any()
    if before[at.AT_ONCE] and after[at.ASKED] != at.NOBODY:
        return "has answered"
    word = "has answered" if before[at.AT_ONCE] else "cheat" if is_taken else "trust"
    if not is_taken:
        return f"{word}, nobody doubts" if before[at.AT_ONCE] else word
    taker = next(k for k in range(at.PLAYERS) if after[at.SIZES + k] > before[at.SIZES + k])
    discarder = before[at.DISCARDER]
    truth = "has lied" if taker == discarder else "has told the truth"
    return f"{word}, seat {discarder} {truth}: seat {taker} takes {taken} card{'s' * (taken > 1)}"


def hand(s: State, seat: int) -> list[str]:
    """The ranks of the seat's cards."""
    return list(handful_text(int(s[at.HAND + seat]), int(s[at.SIZES + seat])))


def unseen(s: State, seat: int) -> list[str]:
    """The pack without the seat's hand, what it has laid on the pile, and what it knows others to have (rule 6.4)."""
    known = [int(s[at.KNOWN + seat * at.PLAYERS + k]) for k in range(at.PLAYERS) if k != seat]
    seen = [int(s[at.HAND + seat]), int(s[at.PILE + seat]), *known]
    left = [at.COPIES - sum(count(cards, rank) for cards in seen) for rank in range(at.RANKS)]
    return [name for name, times in zip(NAMES, left, strict=True) for _ in range(times)]


def beside(s: State, seat: int | None, lang: str) -> list[dict[str, Any]]:
    """The pile: how many cards lie there, which of them the seat has laid itself, and the open claim."""
    laid = int(s[at.LAID : at.LAID + at.PLAYERS].sum())
    owners = range(at.PLAYERS) if seat is None else [seat]
    own = "".join(handful_text(int(s[at.PILE + k]), 0) for k in owners if s[at.LAID + k])
    claim = f"{s[at.CLAIM]} × {_rank(s)}" if s[at.ASKED] != at.NOBODY else ""
    return [{"name": "pile", "cards": [], "count": laid, "own": list(own), "claim": claim, "by": int(s[at.DISCARDER])}]


def lines(s: State, lang: str) -> list[str]:
    """The rank that is due."""
    return [] if turn(s) == OVER else [f"rank {_rank(s)}", f"turn {s[at.TURNS] + 1} of {at.MAX_TURNS}"]


def move_cards(action: int) -> list[str]:
    """The cards of a discard."""
    return [] if action < at.BASE or at.ONE_BY_ONE else list(ACTION_WORDS[action])


def move_text(s: State, action: int, lang: str) -> str:
    """What is claimed with a discard."""
    cards = move_cards(action)
    return f"{len(cards)} × {_rank(s)}" if cards else ""


def show(s: State, seat: int | None = None) -> str:
    """The table as a person sees it from a seat (or with all cards open)."""
    pile = int(s[at.LAID : at.LAID + at.PLAYERS].sum())
    shown = [f"turn {s[at.TURNS] + (turn(s) != OVER)} of {at.MAX_TURNS}   rank {_rank(s)}   pile {pile}"]
    shown += [_seat_line(s, k, seat) for k in range(at.PLAYERS)]
    if turn(s) == OVER:
        return "\n".join([*shown, f"over: {_end(s)}"])
    if s[at.ASKED] != at.NOBODY:
        return "\n".join([*shown, f"seat {s[at.DISCARDER]}'s {_claim(s)}: seat {s[at.ASKED]} says trust or cheat"])
    is_shown = seat in (None, s[at.DISCARDER]) and s[at.PICKED]
    picked = f", has picked {handful_text(int(s[at.PICKED]), 0)}" if is_shown else ""
    return "\n".join([*shown, f"seat {s[at.DISCARDER]} discards{picked}"])


def _end(s: State) -> str:
    """Who has won, and why the game is over: rules 5.1, 5.3, 8.8 and 8.14."""
    if s[at.SIZES + s[at.DISCARDER]] == 0:
        return f"won by seat {s[at.DISCARDER]}, who has no cards left"
    if s[at.TURNS] < at.MAX_TURNS:
        return "a draw, the same position has come up too often"
    winners = ", ".join(str(k) for k in range(at.PLAYERS) if s[at.WINNERS] >> k & 1)
    result = f"won by seat {winners} with the fewest cards" if winners else "a draw"
    return f"{result} after all {at.MAX_TURNS} turns"


def _seat_line(s: State, k: int, seat: int | None) -> str:
    is_open = seat is None or seat == k
    size, laid = int(s[at.SIZES + k]), int(s[at.LAID + k])
    hand = handful_text(int(s[at.HAND + k]), size) if is_open else "?" * size
    line = f"seat {k}{' (you)' if k == seat else ''}: {hand or 'no cards'}"
    if laid:
        line += f"   in the pile: {handful_text(int(s[at.PILE + k]), laid) if is_open else '?' * laid}"
    if seat is not None and k != seat and s[at.KNOWN + seat * at.PLAYERS + k]:
        line += f"   known in hand or pile: {handful_text(int(s[at.KNOWN + seat * at.PLAYERS + k]), 0)}"
    return line


def report(game: Game, tallies: Floats, games: int) -> dict[str, Any]:
    """Section 10 for `simulate`: length and draws, and for every seat its counts and rates, None if unknown."""
    names = (*COUNTERS, "passes")
    seats = tallies[2:].reshape(at.PLAYERS, COUNTED)
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
