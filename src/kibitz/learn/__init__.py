"""Learners on the batched engine: self-play, networks, training runs. The only room (with the net bot) that imports torch."""

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
    "partnered": ("kibitz.learn.partner", "Partnered", "DMC of Coinche that also guesses the partner's hand"),
    "matches": ("kibitz.learn.matches", "Matches", "coached DMC that learns to win whole matches of Coinche"),
}
"""Method -> module, learner class and a line about it; the module also holds PRESETS, name -> config."""
COINCHE_ONLY = ("partnered", "matches")
