"""Collaborative Kuhn poker: four players, two teams, one card each, the best two-card hand of a team wins."""

from collections.abc import Mapping

from kibitz.core.game import Option, Payoffs, Value

VERSION = 1
SEATINGS = "teams"
OPTIONS = (
    Option(
        "reading",
        "all",
        ("all", "first", "once"),
        "all: every seat answers a bet; first: one call closes; once: one action each",
    ),
    Option("topup", 1, range(2), "1: when a seat folds, the other team first pays up to the bet"),
    Option("rewards", "selfish", ("selfish", "tied"), "tied: every seat is paid what its team wins"),
    Option("oracle", "none", ("none", "perfect", "noisy"), "what a seat is told about its partner's card"),
    Option("oracle_for", "both", ("both", "ns", "ew"), "the team that has the oracle"),
    Option("blur", "erase", ("erase", "noise"), "what a noisy oracle says when it fails: nothing, or any rank"),
    Option(
        "schedule", "action", ("action", "own_turn"), "a noisy oracle gets better with every action, or every own turn"
    ),
    Option("memory", "current", ("current", "all"), "whether a seat remembers what its oracle said before"),
)
PRESETS: dict[str, dict[str, int | str]] = {
    "collaborative-kuhn": {},
    "collaborative-kuhn-tied": {"rewards": "tied"},
    "collaborative-kuhn-oracle": {"rewards": "tied", "oracle": "perfect"},
    "collaborative-kuhn-noisy": {"rewards": "tied", "oracle": "noisy"},
}
ABOUT = {
    "collaborative-kuhn": "Kuhn poker, two against two, every seat for its own chips",
    "collaborative-kuhn-tied": "Collaborative Kuhn poker in which partners share their winnings",
    "collaborative-kuhn-oracle": "Collaborative Kuhn poker in which partners see each other's card",
    "collaborative-kuhn-noisy": "Collaborative Kuhn poker with an oracle that tells the partner's card "
    "more and more often",
}


def payoffs(values: Mapping[str, Value]) -> Payoffs:
    """All three chips (rules 5 to 7), of both partners where they share their winnings."""
    most = 6.0 if values["rewards"] == "tied" else 3.0
    return Payoffs(-most, most, 0.0)
