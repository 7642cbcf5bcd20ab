"""Coinche's own part of the learning room."""

from __future__ import annotations

from typing import Any

from kibitz.core.game import Game

METHODS = {
    "partnered": ("kibitz.learn.coinche.partner", "Partnered", "DMC of Coinche that also guesses the partner's hand"),
    "matches": ("kibitz.learn.coinche.matches", "Matches", "coached DMC that learns to win whole matches of Coinche"),
}
PRESETS: dict[str, dict[str, dict[str, Any]]] = {
    "coached": {"coinche": {"layers": (384, 192), "coach": "coinche-strong-plus", "epsilon": 0.03}},
    "deep-cfr": {
        "coinche": {
            "estimator": "probes", "kinds": (43,), "probes": (1, 6), "tries": 12, "explore": 0.1, "traversals": 1024,
            "layers": (128, 128), "policy_layers": (128, 128), "memory": 150_000, "policy_memory": 150_000,
            "batch": 1024, "steps": 150, "rate": 1e-3, "policy_batch": 1024, "policy_steps": 60, "policy_rate": 1e-3,
        }
    },
    "ppo": {"coinche": {"unit": 250.0}},
}  # fmt: skip
"""Method -> name -> what differs from its default settings: that of coached trained the player that comes with kibitz,
that of deep-cfr probes, and PPO counts in hundreds as the returns do."""
CALL_BY_CALL = ("onehot",)
"""Observations that have every call of an auction."""


def own_senses(game: Game) -> dict[str, Any]:
    """A short observation for the plain game: further bids and fewer tricks are unknown to it."""
    from kibitz.learn.coinche import sense

    is_plain = all(game.options[name] == usual for name, usual in sense.PLAIN.items())
    return {"compact": (sense.SENSES, sense.observe, sense.canonical)} if is_plain else {}
