"""The papers themselves: who wrote them, what each of them claims, and which of our numbers answer it first."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Paper:
    """A paper as the front page of the report shows it."""

    authors: str
    title: str
    claim: str
    """What it claims, in one sentence of ours."""
    headlines: tuple[str, ...]
    """Claims of its experiments (`experiment key`) that say in numbers what we found;
    those that were kept are shown."""
    picture: tuple[str, ...]
    """Experiments whose first figure stands for the paper: the first one that has been run at full scale."""
    page: str = ""
    """Its page in docs/papers, without the ending."""

    @property
    def cite(self) -> str:
        """Authors and title, as its experiments name it."""
        return f"{self.authors}, {self.title}"


KUHN = Paper(
    "H. W. Kuhn", "A simplified two-person poker, 1950",
    "A poker game small enough to be solved by hand: with best play the first player loses 1/18 of a chip a hand.",
    ("kuhn.value value",), ("kuhn.value",),
)  # fmt: skip
CFR = Paper(
    "Zinkevich et al.", "Regret Minimization in Games with Incomplete Information (2007), and its successors",
    "Minimising regret at every information set leads to an equilibrium, and each successor gets there faster.",
    ("leduc.convergence value", "leduc.convergence cfr+ 1000"), ("leduc.convergence", "kuhn.convergence"),
)  # fmt: skip
CEGO = Paper(
    "P. Oeschger", "Applying Deep Reinforcement Learning to the Card Game Cego",
    "Of three learners, Deep Monte Carlo plays Cego best, and in all six sub-games it beats random play by far.",
    ("cego.table3 standard 1", "cego.table5 DMC", "cego.table5 order"), ("cego.table5", "cego.figure2"), "cego",
)  # fmt: skip
CHEAT = Paper(
    "Cheng Yi, Tomoyuki Kaneko", "Improve Counterfactual Regret Minimization for Card Game Cheat",
    "Sampling and pruning make regret minimisation fit for Cheat: about nine times faster, and no weaker.",
    ("cheat.brp cold", "cheat.figure6 external with pruning", "cheat.figure6 stronger external"),
    ("cheat.figure6", "cheat.figure5", "cheat.brp", "cheat.figure2"), "cheat",
)  # fmt: skip
COINCHE = Paper(
    "Günlük and Saulus", "Playing Coinche with Deep Counterfactual Regret Minimization",
    "Deep CFR that learns from nothing ends up passing always; PPO learns to break most contracts of hand-made "
    "players.",
    ("coinche.figure1 mirror, paper", "coinche.all_pass competent", "coinche.figure2 PPO ours simple: contracts broken",
     "coinche.figure2 PPO ours strong: contracts broken"),
    ("coinche.figure2", "coinche.figure3", "coinche.figure1"), "coinche",
)  # fmt: skip
CKP = Paper(
    "Hartley, Zheng and Yue",
    "Multi-Agent Counterfactual Regret Minimization for Partial-Information Collaborative Games",
    "Partners who share their winnings play better together than selfish ones, and even a noisy hint changes the game.",
    ("ckp.table2 CFR-tied-r over CFR", "ckp.table1 signal", "ckp.table2 CFR+oracle-p over CFR"),
    ("ckp.table2", "ckp.table1"), "collaborative_kuhn",
)  # fmt: skip
SKAT = Paper(
    "D. Rebstock et al.", "Policy Based Inference in Trick-Taking Card Games",
    "Judging hidden cards by how people act finds the true deal far more often than earlier methods, and wins more in "
    "Skat.",
    ("skat.figure1 PI over CLI", "skat.table4 all PI", "skat.table4 grand cheating"), ("skat.figure1", "skat.table3"),
    "skat",
)  # fmt: skip
KIT = Paper(
    "kibitz", "Hearts, Euchre and Belote on the trick kit",
    "No paper but our own claim: a game that is one page of tables can be searched and learned at once.",
    ("tricks.search hearts", "tricks.learning hearts hearts-rule"), ("tricks.learning",),
)  # fmt: skip
SHELF = {paper.cite: paper for paper in (CEGO, CHEAT, COINCHE, CKP, SKAT, KUHN, CFR, KIT)}
"""All papers by their citation, in the order of the front page."""
