"""Learners on the batched engine: self-play, networks, training runs.
The only room (with the net bot) that imports torch."""

from __future__ import annotations

from functools import cache
from typing import Any

from kibitz.core.offers import offered_by, packages

METHODS = {
    "dmc": ("kibitz.learn.dmc", "Dmc", "every-visit Monte Carlo values: the strongest and the simplest"),
    "dqn": ("kibitz.learn.dqn", "Dqn", "double Q-learning with replay and a target network"),
    "nfsp": ("kibitz.learn.nfsp", "Nfsp", "neural fictitious self-play: an average policy learned from best responses"),
    "deep-cfr": ("kibitz.learn.deep_cfr", "DeepCfr", "regret minimisation with networks instead of tables"),
    "ppo": ("kibitz.learn.ppo", "make_ppo", "proximal policy optimisation: a policy that moves in small steps"),
    "coached": (
        "kibitz.learn.dmc_coached",
        "Coached",
        "DMC that starts as a rule player shows it, and meets whole rival sides",
    ),
}
"""Method -> module, learner class and a line about it; the module also holds PRESETS, name -> config."""


@cache
def _offers(what: str) -> dict[str, dict[str, Any]]:
    """What each package of games offers this room under a name."""
    return {package: offered_by(package, "LEARN", what, {}) for package in packages()}


def own_methods() -> dict[str, str]:
    """Methods that learn the games of one package alone, which offers them as METHODS of its part of this room."""
    return {method: package for package, offer in _offers("METHODS").items() for method in offer}


def methods() -> dict[str, tuple[str, str, str]]:
    """All methods, those of single games last."""
    return METHODS | {method: about for offer in _offers("METHODS").values() for method, about in offer.items()}


def own_presets(method: str) -> dict[str, dict[str, Any]]:
    """Settings of a method that suit the games of one package, by name: what differs from the method's default."""
    return {name: changes for offer in _offers("PRESETS").values() for name, changes in offer.get(method, {}).items()}
