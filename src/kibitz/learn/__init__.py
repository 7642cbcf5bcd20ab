"""Learners on the batched engine: self-play, networks, training runs. The only room (with the net bot) that imports torch."""

from __future__ import annotations

from functools import cache

from kibitz.core.game import names, package_of
from kibitz.core.offers import offered_by

METHODS = {
    "dmc": ("kibitz.learn.dmc", "Dmc", "every-visit Monte Carlo values: the strongest and the simplest"),
    "dqn": ("kibitz.learn.dqn", "Dqn", "double Q-learning with replay and a target network"),
    "nfsp": ("kibitz.learn.nfsp", "Nfsp", "neural fictitious self-play: an average policy learned from best responses"),
    "deep-cfr": ("kibitz.learn.deep_cfr", "DeepCfr", "regret minimisation with networks instead of tables"),
    "ppo": ("kibitz.learn.ppo", "make_ppo", "proximal policy optimisation: a policy that moves in small steps"),
    "coached": (
        "kibitz.learn.coached",
        "Coached",
        "DMC that starts as a rule player shows it, and meets whole rival sides",
    ),
}
"""Method -> module, learner class and a line about it; the module also holds PRESETS, name -> config."""


@cache
def own_methods() -> dict[str, str]:
    """Methods that learn the games of one package alone, which offers them as METHODS of its part of this room."""
    packages = dict.fromkeys(package_of(name) for name in names())
    return {method: package for package in packages for method in offered_by(package, "LEARN", "METHODS", {})}


def methods() -> dict[str, tuple[str, str, str]]:
    """All methods, those of single games last."""
    return METHODS | {
        method: offered_by(package, "LEARN", "METHODS")[method] for method, package in own_methods().items()
    }
