"""Cheat at the table: a kibitz position and the naive game side by side."""

from __future__ import annotations

import random
from typing import Any

from kibitz.core.game import Game, make
from kibitz.core.jit import PLAIN
from kibitz.core.position import Position
from tests.naive import cheat as naive

SAME = ("players", "ranks", "cards_each", "max_discard", "max_turns", "on_limit", "payoff")
FLAGS = ("reset_on_challenge", "allow_pass", "reveal_pile")


def naive_options(game: Game) -> dict[str, Any]:
    """The options of a kibitz game as the naive implementation takes them."""
    chosen: dict[str, Any] = {name: game.options[name] for name in SAME}
    chosen |= {name: bool(game.options[name]) for name in FLAGS}
    chosen["copies"] = int(game.options["copies"]) * int(game.options["decks"])
    return chosen


def naive_twin(position: Position) -> naive.Game:
    """The naive game with the same deal."""
    first, _, hands = position.deal_text.partition(":")
    return naive.Game([hand.strip() for hand in hands.split("|")], int(first), **naive_options(position.game))


def play(deal: str, moves: str, preset: str = "cheat-paper", **options: object) -> Position:
    """A position after some moves: a deal and action words as text."""
    position = Position(make(preset, **options), deal=deal)
    for word in moves.split():
        position.push(word)
    return position


def fewer(compiled: int, plain: int) -> int:
    """How much to do: less in plain Python."""
    return plain if PLAIN else compiled


def moves_of(game: Game, seed: int, most: int) -> list[Position]:
    """The positions of a random game, at most so many."""
    luck = random.Random(seed)
    position, seen = Position(game, seed), []
    while not position.is_over and len(seen) < most:
        copy = Position(game, deal=position.deal_text)
        copy.state[:] = position.state
        seen.append(copy)
        position.push(luck.choice(position.legal_actions()))
    return seen
