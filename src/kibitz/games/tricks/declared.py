"""What a declaration must keep, looked at before anything is made of it: a slip is not met as a wrong score later."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from dataclasses import fields
from typing import Any

from kibitz.core.errors import BadGame
from kibitz.core.jit import PLAIN
from kibitz.games.decks import Deck
from kibitz.games.tricks import layout as at
from kibitz.games.tricks import play
from kibitz.games.tricks.tables import Contract

MOST_CARDS = 63
"""Cards are the bits of an int64."""
MOST_RUNGS = 4
ARGUMENTS = {
    "score": ("s", "out"), "won": ("s", "seat"), "call_block": ("s",), "tally": ("s", "counts"),
    "possible": ("s", "seat", "filled", "home"),
}  # fmt: skip
"""What the hooks are given that have no template to compare with."""


def check(game: Any, templates: Iterable[str]) -> None:
    """Raise BadGame with the first slip in a TrickGame; functions of the modules `templates` are the kit's."""
    try:
        _check_deal(game)
        _check_suits(game)
        for contract in game.contracts:
            _check_contract(contract, game.deck)
        _check_calls(game)
        _check_hooks(game, set(templates))
    except BadGame as slip:
        raise BadGame(f"{game.name}: {slip}") from None


def _check_deal(game: Any) -> None:
    cards, names = len(game.deck.names), game.deck.names
    twice = [name for k, name in enumerate(names) if name in names[:k]]
    if twice:
        raise BadGame(f"the deck has {twice[0]} twice; every card has a name of its own")
    if cards > MOST_CARDS:
        raise BadGame(f"the deck has {cards} cards; {MOST_CARDS} is the most")
    if not 2 <= game.seats <= at.MOST_SEATS:
        raise BadGame(f"seats={game.seats} is not possible: from 2 to {at.MOST_SEATS} seats can play")
    if game.seats * game.each > cards:
        raise BadGame(
            f"{game.seats} seats with each={game.each} take {game.seats * game.each} cards, the deck has {cards}"
        )
    if game.turns_up and game.seats * (game.first_each or game.each) >= cards:
        raise BadGame(
            f"turns_up=True turns a card up that nobody was dealt, and all {cards} cards are; "
            "a card that stays in a hand is told by `opening` (slot TURNED), `known` and `starts`"
        )
    if game.starts and len(game.starts) != game.seats and game.opening is play.leader_of_all:
        raise BadGame(f"there are {len(game.starts)} starts: an `opening` must say what each of them means")


def _check_suits(game: Any) -> None:
    """Suits are the last letters of cards, in the order of the deck; one that is always trumps may be left out."""
    found = dict.fromkeys(name[-1] for name in game.deck.names)
    always = [letter for letter in found if all(contract.trumps == letter for contract in game.contracts)]
    wanted = "".join(letter for letter in found if letter in game.suits or letter not in always)
    if game.suits != wanted:
        raise BadGame(f"suits={game.suits!r} is not what the deck has, suit by suit in its own order: {wanted!r}")


def _check_contract(contract: Contract, deck: Deck) -> None:
    """Every card has a place, and every word of a contract means something in this deck."""
    suits = list(dict.fromkeys(name[-1] for name in deck.names))
    called = f"contract {contract.name}" if contract.name else "the contract"
    if contract.trumps and contract.trumps not in suits:
        raise BadGame(f"{called}: trumps={contract.trumps!r} is no suit; the suits are {', '.join(suits)}")
    for top in contract.tops.split():
        if top not in deck.names:
            raise BadGame(f"{called}: {top} in tops is no card of the deck, whose cards are named like {deck.names[0]}")
    ranks = list(dict.fromkeys(name[:-1] for name in deck.names))
    for field, order in (("order", contract.order), ("trump_order", contract.trump_order)):
        known = order.split() if " " in order else list(order)
        lost = [rank for rank in ranks if rank not in known and not _never_asked(field, rank, contract, deck)]
        if lost:
            raise BadGame(
                f"{called}: {lost[0]} has no place in {field}={order!r}, which lists ranks from the weakest up"
            )
    for field, points in (("points", contract.points), ("trump_points", contract.trump_points)):
        for key, worth in points.items():
            if key not in deck.names and key not in ranks and key not in suits:
                raise BadGame(
                    f"{called}: {key!r} in {field} is no card, suit or rank here; the ranks are {' '.join(ranks)}"
                )
            if worth != int(worth):
                raise BadGame(
                    f"{called}: {key!r} counts {worth:g} in {field}; points are whole, `unit` says what one is worth"
                )


def _never_asked(field: str, rank: str, contract: Contract, deck: Deck) -> bool:
    """Whether no card of a rank is looked up in an order: tops have their own, an empty trump order is not used."""
    tops = contract.tops.split()
    cards = [name for name in deck.names if name[:-1] == rank and name not in tops]
    trumps = [name for name in cards if contract.trumps and name[-1] == contract.trumps]
    if field == "trump_order":
        return not contract.trump_order or not trumps
    return not cards or (contract.trump_order != "" and len(trumps) == len(cards))


def _check_calls(game: Any) -> None:
    for word in game.call_words:
        if word in game.deck.names:
            raise BadGame(f"{word} is a card and a call; each action has a word of its own")
    if not 0 <= game.first_card <= len(game.call_words):
        raise BadGame(
            f"first_card={game.first_card} of {len(game.call_words)} call_words cannot stand before the cards"
        )
    if not 1 <= game.rungs <= MOST_RUNGS:
        raise BadGame(f"rungs={game.rungs} is not possible: a duty has from 1 to {MOST_RUNGS}")


def _check_hooks(game: Any, templates: set[str]) -> None:
    """A hook takes what the kit gives it, and is a kernel."""
    for field in fields(game):
        hook = getattr(game, field.name)
        if "Hook" not in str(field.type) or hook is None or hook.__module__ in templates:
            continue
        plain = getattr(hook, "py_func", hook)
        usual: Any = field.default
        wanted = ARGUMENTS.get(field.name) or tuple(inspect.signature(usual).parameters)
        given = tuple(inspect.signature(plain).parameters)
        if len(given) != len(wanted):
            raise BadGame(
                f"{field.name} is called with ({', '.join(wanted)}), {plain.__name__} takes ({', '.join(given)})"
            )
        if not PLAIN and plain is hook:
            raise BadGame(f"{field.name} must be a kernel: write @kernel (kibitz.core.jit) above {plain.__name__}")
