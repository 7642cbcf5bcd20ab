"""How a sampling solver looks at a game: as it is, or through one of the game's own simplifications.

Its `space` is a module object with kernels, so that templates can be bound to it: key(s, seat), legal(s, mask),
concrete(s, action) and the constants ACTIONS and IS_SHARED (whether one table serves all seats).
"""

from __future__ import annotations

import types
from dataclasses import dataclass
from functools import cache
from typing import Any

from kibitz.core.errors import BadInput
from kibitz.core.game import Game, further_part
from kibitz.core.jit import kernel

FULL = "full"


@dataclass(frozen=True)
class Abstraction:
    """A game seen through information set keys and actions of a given kind."""

    game: Game
    keys: str
    actions: str
    space: Any
    tag: str

    @property
    def is_exact(self) -> bool:
        """Whether this is the game itself."""
        return self.keys == FULL and self.actions == FULL


@kernel
def same_action(s: Any, action: int) -> int:
    """Every action stands for itself."""
    return action


@cache
def abstraction(game: Game, keys: str = FULL, actions: str = FULL) -> Abstraction:
    """The game with the keys and actions of these names; `full` for both is the game itself."""
    space = types.ModuleType(f"abstraction {game.tag} {keys} {actions}")
    found: Any = further_part(game, "abstraction")
    known = {FULL: None, **getattr(found, "ABSTRACTIONS", {})}
    if keys not in known:
        raise BadInput(f"{game.name} has no keys {keys}: it has {', '.join(known)}")
    own_actions = getattr(found, "ABSTRACT_NAME", FULL)
    if actions not in (FULL, own_actions):
        raise BadInput(f"{game.name} has no actions {actions}: it has {', '.join(dict.fromkeys((FULL, own_actions)))}")
    parts: dict[str, Any] = {
        "key": known[keys] or game.infoset, "IS_SHARED": keys != FULL, "ACTIONS": game.ACTIONS,
        "legal": game.legal, "concrete": same_action,
    }  # fmt: skip
    if actions != FULL:
        parts |= {"ACTIONS": found.ABSTRACT_ACTIONS, "legal": found.abstract_legal, "concrete": found.concrete_action}
    for name, value in parts.items():
        setattr(space, name, value)
    return Abstraction(game, keys, actions, space, f"{game.tag}|{keys}|{actions}")
