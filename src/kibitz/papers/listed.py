"""Every experiment: what it is about, how long it takes at full scale, what the paper prints of it.

A line for each; the function of the same name in the paper's module is registered with `@experiment(NAME)`.
"""

from __future__ import annotations

from typing import NamedTuple

from kibitz.papers import shelf


class Listed(NamedTuple):
    """What is known of an experiment before it is run."""

    about: str
    minutes: float
    """Rough time at full scale on one core."""
    published: str = ""
    """What the paper prints of it, in a few words."""
    edition: int = 1
    """Raised when what the experiment computes changes its meaning; results of earlier editions are not used then."""


LISTED: dict[str, dict[str, Listed]] = {
    shelf.KUHN.cite: {
        "kuhn.value": Listed("the value -1/18 for the first player, and the way there", 0.2, "-1/18"),
    },
    shelf.CFR.cite: {
        "kuhn.convergence": Listed(
            "NashConv of CFR, CFR+, LCFR, DCFR and PCFR+ in Kuhn poker", 1, "OpenSpiel's NashConv"
        ),
        "leduc.convergence": Listed(
            "NashConv of CFR, CFR+, LCFR, DCFR and PCFR+ in Leduc poker", 1, "OpenSpiel's NashConv"
        ),
    },
    shelf.CEGO.cite: {
        "cego.figure2": Listed(
            "Figure 2: how often each card wins a trick, high and low cards",
            0.2,
            "24 and 30 cards, 81.72 % and 18.28 % of the tricks",
        ),
        "cego.table3": Listed(
            "Table III: what random players reach in the six sub-games", 0.5, "24 numbers, 14 of them different"
        ),
        "cego.presets": Listed(
            "Table V: DQN and NFSP with the paper's own settings and its stop rule", 290, "43.84 and 42.51 points"
        ),
        "cego.rewards": Listed(
            "DMC, DQN and NFSP with rewards by tricks and at the end", 12, "DMC best, with rewards at the end"
        ),
        "cego.table5": Listed(
            "Table V: DMC, DQN and NFSP as soloist against random players",
            3,
            "points and games won of three methods",
            2,
        ),
        "cego.table6": Listed("Table VI: the three methods against each other", 8, "six pairs and three means", 2),
        "cego.table7": Listed("Table VII: DMC in the six sub-games, set-ups 1 to 4", 15, "32 numbers", 2),
        "cego.tuning": Listed(
            "Search over the paper's settings of DQN and NFSP, random and TPE", 120, "the chosen settings", 3
        ),
    },
    shelf.CHEAT.cite: {
        "cheat.brp": Listed(
            "best-response pruning on small Cheats: NashConv, nodes, space; pruning in sampling from nothing",
            6,
            "9.3 times faster; a factor of 7 in space",
        ),
        "cheat.figure1": Listed("length of Naive v Naive games with a whole pack", 25, "a histogram without numbers"),
        "cheat.figure2": Listed("length of Naive v Naive games with half a pack", 4, "a histogram without numbers"),
        "cheat.figure4": Listed(
            "value for whoever discards first along training, with and without pruning",
            8,
            ".12 with pruning, .02 without",
        ),
        "cheat.figure5": Listed(
            "win rate against Naive along training, with and without pruning", 8, "60 % with pruning, less without", 2
        ),
        "cheat.figure6": Listed(
            "win rate against Heuristic along training, with and without pruning",
            8,
            "20 % with pruning, less without",
            2,
        ),
        "cheat.growing": Listed("games with n cards begun from n - 1", 4, "further work"),
        "cheat.opponents": Listed(
            "learning against rule-based players, and what behaviour it teaches", 5, "further work"
        ),
        "cheat.players": Listed(
            "Heuristic against Naive, one and many; how they behave", 1, "about 98 %, one and many opponents"
        ),
        "cheat.strength": Listed(
            "a strong Cheat player: win rates over seeds, and what responders find", 8, "60 % and 20 %"
        ),
        "cheat.training": Listed(
            "pruning in external sampling, from empty and from trained tables", 3, "280,000 s and 30,000 s", 2
        ),
        "cheat.whole": Listed("a learned player with the whole deck", 6, "further work"),
    },
    shelf.COINCHE.cite: {
        "coinche.all_pass": Listed("is passing always an equilibrium?", 4, "an equilibrium"),
        "coinche.beyond": Listed("encodings of the auction, guessing the partner's hand", 70, "further work", 2),
        "coinche.crossplay": Listed(
            "learners of separate runs as partners and opponents, seatings, what bids tell, masks, imitation",
            100,
            "masked bids stay imprecise; the rest is further work",
        ),
        "coinche.estimator": Listed(
            "the paper's estimator on reduced deals, against exact values", 3, "four samples a decision"
        ),
        "coinche.figure1": Listed(
            "Deep CFR by self-play: does it come to pass always, and why?", 300, "passes always, 4 calls a deal", 2
        ),
        "coinche.figure2": Listed(
            "PPO against three heuristics, ten metrics over training", 110, "breaks 75 % and 70 % of contracts", 2
        ),
        "coinche.figure3": Listed("Deep CFR against three heuristics", 150, "curves without numbers", 2),
        "coinche.figure4": Listed(
            "PPO against the stronger player under four reward matrices", 120, "curves without numbers", 2
        ),
        "coinche.heuristics": Listed("the paper's players against each other, by its metrics", 3, "no numbers"),
        "coinche.matches": Listed("matches to 1000: does a learner that sees the score win more?", 45, "further work"),
    },
    shelf.CKP.cite: {
        "ckp.batches": Listed(
            "learning from minibatches: are the solutions many and unstable?", 2, "many inequivalent unstable solutions"
        ),
        "ckp.oracle": Listed(
            "how good an oracle must be: accuracy from 0 to 1, selfish and tied", 3, "at least 90 %, within 4 actions"
        ),
        "ckp.readings": Listed("six readings of the betting compared with Table 1", 3, "left open"),
        "ckp.table1": Listed("expected rewards of CFR and its extensions (Table 1)", 4, "four rows of six numbers"),
        "ckp.table2": Listed("pairwise advantages of the models (Table 2)", 4, "five numbers"),
        "ckp.team": Listed("what the team N-S could reach: correlated plans, shared cards", 25, "not in the paper"),
    },
    shelf.SKAT.cite: {
        "skat.figure1": Listed(
            "Figure 1: how much likelier than by chance the true world is", 100, "a figure without numbers", 3
        ),
        "skat.table3": Listed("Table III: NI, KI, CLI and PI against each other", 125, "18 rows of differences", 3),
        "skat.table4": Listed("Table IV: PI, PIF, PI100 and cheating against CLI", 215, "15 differences", 3),
        "skat.table5": Listed("Table V: PI and CLI with mixed defenders", 105, "nine differences", 3),
        "skat.time": Listed("how long each inference takes for a card", 10, "roughly 5 times", 3),
    },
    shelf.KIT.cite: {
        "tricks.learning": Listed("DMC from nothing: points against random and rule players", 40),
        "tricks.search": Listed("pimc against the kit's rule-based player", 30),
    },
}
"""Paper -> name -> experiment."""
