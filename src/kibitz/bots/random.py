"""The bot that plays any legal action, all equally likely."""

from __future__ import annotations

from collections.abc import Mapping

from kibitz.bots import CompiledBot, read_knobs
from kibitz.core import uniform
from kibitz.core.errors import BadInput
from kibitz.core.game import Game


def seat(game: Game, spec: str, argument: str, knobs: Mapping[str, str]) -> CompiledBot:
    """A random player for a game."""
    read_knobs(spec, {}, knobs)
    if argument:
        raise BadInput(f"{spec}: random takes no argument")
    return CompiledBot(spec, game, uniform.choose)
