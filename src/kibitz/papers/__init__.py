"""The papers whose numbers kibitz computes again: one module each, imported only when its experiments are asked for."""

PAPERS = (
    "kuhn",
    "cego",
    "cego_learning",
    "cheat",
    "coinche",
    "coinche_selfplay",
    "coinche_estimator",
    "coinche_learning",
    "coinche_crossplay",
    "coinche_beyond",
    "coinche_matches",
    "convergence",
    "ckp",
    "ckp_rewards",
    "ckp_oracle",
    "ckp_team",
    "cheat_training",
    "cheat_brp",
    "cheat_figures",
    "cheat_strength",
    "cheat_beyond",
    "skat",
    "tricks",
)
"""Modules of this package that register experiments."""
