"""What a seat sees of a table, as data for a page: seats, hands, trick, piles, chips, contract, points, moves.

Everything comes from a View, so nothing can be shown that the seat does not know, and from what every game's words can
tell (core/game.py). A game may say more through further functions of its words; all are optional:

    seat_names(lang) -> list[str]           what the seats are called: N, E, S, W
    marks(s, lang) -> list[list[str]]       for each seat what it is: dealer, declarer
    chips(s) -> list[int]                   what each seat has put in
    beside(s, seat, lang) -> list[Pile]     what lies on the table beside the trick, as `seat` (None: all open) sees it
    lines(s, lang) -> list[str]             what else everybody should see: the rank that is due, an oracle's word
    move_cards(action) -> list[str]         the cards that are laid by a move whose word is not one card
    move_text(s, action, lang) -> str       a move in full: `clubs hand` for CH
    score_lines(s, lang) -> list[str]       the score of a finished deal, item by item
    winning(s) -> int                       the seat whose card wins the trick so far, -1 if there is none
    tricks(s) -> list[int]                  how many tricks each seat has taken
    lacks(s) -> list[list[str]]             the suits that each seat has shown not to have

They may also say how deals are written down one after the other (core/sheet.py).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from kibitz.core import rng
from kibitz.core.errors import BadInput
from kibitz.core.game import OVER, Game, State
from kibitz.core.position import Position
from kibitz.core.view import View, view_of

Scene = dict[str, Any]
Pile = dict[str, Any]
"""name, cards (those that are seen), count (how many lie there)"""

UNKNOWN = "?"
OF = {"de": {"by": "von", "seat": "Platz"}, "fr": {"by": "par", "seat": "place"}}
"""Words that contracts of every game are put together with."""
MOST_TEXTS = 200
MOST_SETS = 4000
"""Sets of cards that are offered for a choice of several; beyond that they are laid one by one."""


def scene(view: View, lang: str = "en") -> Scene:
    """The table as a seat sees it; equal for any two worlds that the seat cannot tell apart."""
    game, s, seat = view.game, view.state, view.seat
    hands = [_hand(game, s, other) for other in range(game.PLAYERS)]
    sizes = _sizes(view, hands)
    known = [[card for card in hand if UNKNOWN not in card] for hand in hands]
    return _scene(game, s, seat, lang, known, sizes) | {"seat": seat, "moves": moves(view, lang)}


def open_scene(position: Position, lang: str = "en") -> Scene:
    """The table with all cards open: for deals that are over and records that somebody owns."""
    game, s = position.game, position.state
    hands = [_hand(game, s, seat) for seat in range(game.PLAYERS)]
    return _scene(game, s, None, lang, hands, [len(hand) for hand in hands]) | {"seat": None, "moves": []}


def public_scene(game: Game, s: State, lang: str = "en") -> Scene:
    """What everybody at the table knows: the part of all seats' scenes that is the same, hands closed."""
    scenes = [scene(view_of(game, s, seat), lang) for seat in range(game.PLAYERS)]
    for seat, one in enumerate(scenes):
        one["seats"][seat]["cards"] = []
        one["moves"], one["seat"] = [], None
    return {key: _shared([one[key] for one in scenes]) for key in scenes[0]}


def _shared(values: Sequence[Any]) -> Any:
    """What several accounts have in common; where they differ, as little as possible."""
    first = values[0]
    if all(value == first for value in values):
        return first
    if all(isinstance(value, dict) for value in values):
        return {key: _shared([value.get(key) for value in values]) for key in first}
    if all(isinstance(value, list) for value in values):
        if len({len(value) for value in values}) == 1 and all(
            isinstance(one, dict) for value in values for one in value
        ):
            return [_shared(row) for row in zip(*values, strict=True)]
        return []
    return None


def _sizes(view: View, hands: Sequence[Sequence[str]]) -> list[int]:
    """How many cards each seat holds: as the view says, or else as in any world that fits it."""
    if all(hand or seat == view.seat for seat, hand in enumerate(hands)):
        return [len(hand) for hand in hands]
    world = imagined(view)
    return [len(_hand(view.game, world, seat)) for seat in range(len(hands))]


def imagined(view: View) -> State:
    """One world that fits the view: what every such world has in common (how many cards a hand holds) is known."""
    world = view.state.copy()
    view.game.redeal(world, view.seat, rng.fresh(0, 0, view.seat))
    return world


def _scene(game: Game, s: State, seat: int | None, lang: str, hands: list[list[str]], sizes: list[int]) -> Scene:
    turn = int(game.turn(s))
    points = _asked(game, "points", s) or []
    chips = _furnished(game, "chips", s) or []
    marks = _furnished(game, "marks", s, lang) or [[] for _ in hands]
    contract = str(_asked(game, "contract", s) or "")
    return {
        "turn": turn,
        "over": turn == OVER,
        "seats": [
            {
                "label": label, "cards": hands[k], "count": sizes[k], "marks": list(marks[k]),
                "side": int(game.side(s, k)), "points": float(points[k]) if points else None,
                "chips": int(chips[k]) if chips else None,
            }
            for k, label in enumerate(seat_names(game, lang))
        ],
        "trick": _laid(game, "trick", s),
        "last_trick": _laid(game, "last_trick", s),
        "contract": translated(game, contract, lang),
        "declarer": _declarer(game, contract),
        "piles": [dict(pile) for pile in _furnished(game, "beside", s, seat, lang) or []],
        "lines": [one for one in _furnished(game, "lines", s, lang) or [] if one.replace(" of ", " by ") != contract],
        "winning": int(_furnished(game, "winning", s) if furnishing(game, "winning") else -1),
        "tricks": [int(count) for count in _furnished(game, "tricks", s) or []],
        "lacks": [list(suits) for suits in _furnished(game, "lacks", s) or []],
    }  # fmt: skip


def seat_names(game: Game, lang: str = "en") -> list[str]:
    """What the seats are called."""
    seat = OF.get(lang, {}).get("seat", "seat")
    return list(_furnished(game, "seat_names", lang) or [f"{seat} {k}" for k in range(game.PLAYERS)])


def moves(view: View, lang: str = "en") -> list[dict[str, Any]]:
    """The choices of the seat to move: the actions each takes, one after the other, its cards, and its text.

    Several cards that are laid one after the other, whatever is laid first, are one choice. Where there are hundreds of
    choices, their cards say enough.
    """
    if not view.mask.any():
        return []
    game, hand = view.game, _hand(view.game, view.state, view.seat)
    found: list[dict[str, Any]] = []
    for actions in _choices(view, hand):
        cards = [card for action in actions for card in move_cards(game, action, hand)]
        found.append({"actions": list(actions), "cards": cards})
    if len(found) > MOST_TEXTS:
        return found
    for move in found:
        texts = [move_text(game, view.state, action, lang) for action in move["actions"]]
        move |= {"word": _words(game, move["actions"]), "text": " ".join(texts)}
    return found


def _words(game: Game, actions: Sequence[int]) -> str:
    return " ".join(game.words.ACTION_WORDS[action] for action in actions)


def _choices(view: View, hand: Sequence[str]) -> list[tuple[int, ...]]:
    """Sequences of actions that are chosen together."""
    game, words = view.game, view.game.words.ACTION_WORDS
    firsts = view.legal()
    cards = [action for action in firsts if words[action] in hand]
    if not cards or len(cards) < len(firsts) or len(cards) > len(hand):
        return [(action,) for action in firsts]
    chains: list[tuple[int, ...]] = []
    for chain in _chains(game, imagined(view), view.seat, cards, tuple(hand)):
        chains.append(chain)
        if len(chains) > MOST_SETS:
            return [(action,) for action in firsts]
    return chains


def _chains(game: Game, s: State, seat: int, cards: Sequence[int], hand: tuple[str, ...]) -> Iterator[tuple[int, ...]]:
    """The chains of cards that the seat lays before somebody else moves, a trick goes on, or new cards come up."""
    words = game.words.ACTION_WORDS
    for action in cards:
        after, rest = s.copy(), list(hand)
        game.step(after, action)
        rest.remove(words[action])
        following = _following(game, s, after, seat, rest)
        if not following:
            yield (action,)
            continue
        for chain in _chains(game, after, seat, following, tuple(rest)):
            yield (action, *chain)


def _following(game: Game, before: State, after: State, seat: int, rest: Sequence[str]) -> list[int]:
    """The cards that must be laid next by the same seat; none if a trick was played to, or the first one begins."""
    if game.turn(after) != seat or _furnished(game, "tricks", before) != _furnished(game, "tricks", after):
        return []
    if any(_laid(game, name, before) != _laid(game, name, after) for name in ("trick", "last_trick")):
        return []
    mask = np.zeros(game.ACTIONS, np.bool_)
    game.legal(after, mask)
    legal = [int(action) for action in np.flatnonzero(mask)]
    return legal if all(game.words.ACTION_WORDS[action] in rest for action in legal) else []


def move_cards(game: Game, action: int, hand: Sequence[str]) -> list[str]:
    """The cards of a move, if it lays any of the hand."""
    word = game.words.ACTION_WORDS[action]
    if word in hand:
        return [word]
    return list(_furnished(game, "move_cards", action) or [])


def move_text(game: Game, s: State, action: int, lang: str = "en") -> str:
    """A move as people say it."""
    word = game.words.ACTION_WORDS[action]
    said = _furnished(game, "move_text", s, action, lang)
    languages: Mapping[str, Mapping[str, str]] = getattr(game.words, "LANGUAGES", {})
    return str(said or languages.get(lang, {}).get(word, word))


def translated(game: Game, text: str, lang: str) -> str:
    """A text of the game's, word by word, in a language it speaks."""
    words = {**OF.get(lang, {}), **getattr(game.words, "LANGUAGES", {}).get(lang, {})}
    return re.sub(r"[^\s,]+", lambda found: str(words.get(found[0], found[0])), text) if lang != "en" else text


def _declarer(game: Game, contract: str) -> int | None:
    """The seat whose contract it is, where the contract names it."""
    for seat, label in enumerate(seat_names(game)):
        if re.search(rf"\bby {re.escape(label)}\b", contract):
            return seat
    return None


def score_lines(position: Position, lang: str = "en") -> list[str]:
    """The score of a finished deal, item by item."""
    if not position.is_over:
        raise BadInput("there is no score before the deal is over")
    found = _furnished(position.game, "score_lines", position.state, lang)
    return list(found) if found else str(position).splitlines()[-1:]


def spoken(game: Game, lang: str) -> str:
    """The language of a game for a page in some language: that one if it speaks it, or English."""
    return lang if lang in getattr(game.words, "LANGUAGES", {}) else "en"


def furnishing(game: Game, name: str) -> Callable[..., Any] | None:
    """What a game says about its table beyond the contract, if it does."""
    found: Callable[..., Any] | None = getattr(game.words, name, None)
    return found


def _furnished(game: Game, name: str, *given: Any) -> Any:
    tell = furnishing(game, name)
    return None if tell is None else tell(*given)


def _asked(game: Game, name: str, s: State) -> Any:
    tell = getattr(game.words, name, None)
    return None if tell is None else tell(s)


def _hand(game: Game, s: State, seat: int) -> list[str]:
    tell = getattr(game.words, "hand", None)
    return [] if tell is None else [str(card) for card in tell(s, seat)]


def _laid(game: Game, name: str, s: State) -> list[list[Any]]:
    """The cards of a trick with their seats, in the order played."""
    return [[int(seat), str(card)] for seat, card in (_asked(game, name, s) or {}).items()]
