"""Coinche, belote with an auction: four players in two partnerships bid for trumps and play eight tricks."""

from __future__ import annotations

from collections.abc import Mapping

from kibitz.core.errors import BadOption
from kibitz.core.game import Option, Payoffs, Value

VERSION = 1
SEATINGS = "teams"
SEARCH = "kibitz.search.coinche"
LEARN = "kibitz.learn.coinche"
ROLES = ("attacker", "defender")
STRONGEST = {"coinche": ("net:coinche-player",)}
COLVER = ("python:examples/colver_heuristic.py:Heuristic", "python:examples/colver_isdd.py:IsDd")
LADDER = {"coinche": ("pimc:worlds=5", *COLVER)}
CONTRACTS = tuple(
    f"{level}{suit}"
    for level in (*range(10, 190, 10), "capot-", "generale-")
    for suit in "shdcnt"
)  # fmt: skip
"""Every contract that `auction=none` can be asked to play (rule 11.1)."""


def switch(name: str, about: str, default: int = 0, *, size: bool = False) -> Option:
    """An option that is off unless it is asked for."""
    return Option(name, default, range(2), about, size)


SCORINGS = ("made_plus_announced", "announced_paper", "announced", "made", "colver")
REWARDS = ("score_diff", "classic", "mirror", "no_defense", "good")

OPTIONS = (
    Option("rules", "ffb", ("ffb", "picot"), "legal cards: picot forces undertrumping and rising over the partner"),
    Option("scoring", "made_plus_announced", SCORINGS, "what a deal counts"),
    switch("belote", "king and queen of trumps in one hand count 20", 1),
    switch("must_beat_defence", "the attack must also have more points than the defence"),
    switch("eighty_means_82", "a contract of 80 needs 82 points"),
    Option("surcoinche_multiplier", 4, range(3, 5), "a surcoinched contract counts so many times"),
    Option("round10", "none", ("none", "nearest"), "round the score of a deal to tens"),
    switch("belote_untakeable", "the loser keeps his belote"),
    switch("tout_atout_belotes", "in tout-atout every king and queen of a suit count 20"),
    Option("reward", "score_diff", REWARDS, "what the players receive at the end"),
    switch("normalise", "divide the returns by 250"),
    Option("all_pass_reward", 0, range(-1000, 1001), "what everybody receives for a void deal"),
    Option("auction", "full", ("full", "none"), "none plays the contract given"),
    Option("contract", "80s", CONTRACTS, "with auction=none: the contract"),
    Option("taker", 0, range(4), "with auction=none: who has taken it"),
    Option("coinched", 0, range(3), "with auction=none: 1 coinched, 2 surcoinched"),
    Option("dealer", -1, range(-1, 4), "who deals, -1 drawn at random"),
    Option("target", 0, range(100001), "points that win a match, 0 for the number usual with the scoring"),
    Option("total_ns", 0, range(100001), "points of seats 0 and 2 in the match so far"),
    Option("total_ew", 0, range(100001), "points of seats 1 and 3 in the match so far"),
    switch("paper_coinche_swaps_attack", "a coinche makes the coinching side attack, as in the paper's program"),
    switch("paper_either_side_coinches", "both sides may coinche, as in the paper's program"),
    switch("sans_atout", "bids without trumps", size=True),
    switch("tout_atout", "bids with all suits trumps", size=True),
    switch("high_bids", "bids of 170 and 180", size=True),
    switch("generale", "bids that the taker wins every trick himself", size=True),
    Option("tricks", 8, range(1, 9), "only the last so many tricks are played", size=True),
    switch("short_pack", "deal the highest ranks only, as many as tricks are played", size=True),
    switch("shared_head", "cards share the numbers of the calls: 44 actions instead of 75", size=True),
)
PRESETS: dict[str, dict[str, int | str]] = {
    "coinche": {},
    "coinche-paper": {"rules": "picot", "scoring": "announced_paper", "belote": 0},
}
ABOUT = {
    "coinche": "Coinche by the French federation's rules",
    "coinche-paper": "Coinche as in Playing Coinche with Deep Counterfactual Regret Minimization",
}


def check(values: Mapping[str, Value]) -> None:
    """Refuse contracts that the variants in force do not know."""
    contract = str(values["contract"])
    for letter, variant in (("n", "sans_atout"), ("t", "tout_atout")):
        if contract[-1] == letter and not values[variant]:
            raise BadOption(f"contract={contract} is not possible without {variant}=true")
    if contract.startswith("generale") and not values["generale"]:
        raise BadOption(f"contract={contract} is not possible without generale=true")
    if values["shared_head"] and any(values[name] for name in ("sans_atout", "tout_atout", "high_bids", "generale")):
        raise BadOption(
            "shared_head=true is not possible with further bids: its 44 actions are those of the plain game"
        )


def payoffs(values: Mapping[str, Value]) -> Payoffs:
    """Chapter 8: what the dearest contract that can be played brings or costs, and what a void deal counts."""
    coinches = [int(values["coinched"])] if values["auction"] == "none" else [0, 1, 2]
    asked = [(value, coinched) for value in _values(values) for coinched in coinches]
    if values["reward"] == "score_diff":
        most = float(max(_most_scored(values, value, coinched) for value, coinched in asked))
        least = -most
    else:
        factor = (1, 2, int(values["surcoinche_multiplier"]))
        bid = float(max(value * factor[coinched] for value, coinched in asked))
        fall = float(max((value if value >= CAPOT else FALL) * factor[coinched] for value, coinched in asked))
        most = bid if values["reward"] == "no_defense" else max(bid, fall)
        least = {"classic": 0.0, "good": -bid}.get(str(values["reward"]), -max(bid, fall))
    void = float(values["all_pass_reward"]) if values["auction"] == "full" else 0.0
    if values["auction"] == "full":
        least, most = min(least, void), max(most, void)
    is_zero_sum = values["reward"] in ("score_diff", "mirror") and void == 0
    unit = 250 if values["normalise"] else 1
    return Payoffs(least / unit, most / unit, 0.0 if is_zero_sum else None)


CAPOT, GENERALE = 250, 500  # rules 3.10 and 10.5
FALL = 160
ALL_POINTS = 252  # every trick, the last one's 100 included (rule 5.3)


def _values(values: Mapping[str, Value]) -> list[int]:
    """What the contract can promise."""
    if values["auction"] == "none":
        level = str(values["contract"])[:-1].removesuffix("-")
        return [{"capot": CAPOT, "generale": GENERALE}.get(level) or int(level)]
    return [180 if values["high_bids"] else 160, CAPOT, *([GENERALE] if values["generale"] else [])]


def _most_scored(values: Mapping[str, Value], value: int, coinched: int) -> int:
    """Chapter 7: the most that a side can write down."""
    kind, factor = values["scoring"], (1, 2, int(values["surcoinche_multiplier"]))[coinched]
    if value >= CAPOT and kind in ("made_plus_announced", "made"):
        score = 2 * factor * value
    else:
        score = {
            "made_plus_announced": max(factor * (FALL + value), 0 if coinched else ALL_POINTS + value),
            "announced_paper": factor * (value if value >= CAPOT else max(value, FALL)),
            "announced": factor * value,
            "made": max(factor * FALL, 0 if coinched else ALL_POINTS),
            "colver": ALL_POINTS + (1 + coinched) * value,
        }[str(kind)]
    if values["belote"] and kind != "announced_paper":
        score += 80 if values["tout_atout"] and values["tout_atout_belotes"] else 20
    return (score + 5) // 10 * 10 if values["round10"] == "nearest" else score
