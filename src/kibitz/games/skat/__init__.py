"""Skat by the international rules: auction, skat, declaration, thirty cards, one against two."""

from collections.abc import Mapping

from kibitz.core.errors import BadOption
from kibitz.core.game import Option, Payoffs, Value

VERSION = 1
ROLES = ("soloist", "defender")
SEARCH = "kibitz.search.skat"
ARENA = "kibitz.arena.skat"
CLI = "kibitz.cli.skat"
LEARN = "kibitz.learn.skat"
STRONGEST = {"skat": ("net:skat-player",)}
SWITCH = ("off", "on")
OPTIONS = (
    Option("jumps", "off", SWITCH, "whether a bid may leave numbers out (rule 3.2)"),
    Option("early_end", "on", SWITCH, "whether the play stops once the game is settled (rule 6)"),
    Option(
        "announced_loss", "isko", ("isko", "iss"), "how an announced and lost schneider or schwarz is charged (7.3)"
    ),
    Option("payoff", "tournament", ("tournament", "value", "points"), "what the returns count (rule 10)"),
    Option("defender_share", 2, range(1, 3), "how many of the defenders' 40 are set against the declarer (10.2)"),
    Option("passed", "void", ("void", "ramsch"), "what happens when all three pass (rule 9)"),
    Option("ramsch_skat", "last", ("last", "loser"), "who gets the skat of a Ramsch (9.6)"),
    Option("schieberamsch", "off", SWITCH, "whether the skat is passed on before a Ramsch (9.5)"),
    Option("jungfrau", "on", SWITCH, "whether a player without a trick doubles a Ramsch (9.8)"),
    Option("durchmarsch", "on", SWITCH, "whether all ten tricks win a Ramsch (9.9)"),
    Option(
        "contract",
        "auction",
        ("auction", "suit", "grand", "null", "null-ouvert", "any"),
        "auction, or a generated contract of this kind, played from the first card (11.3)",
    ),
)
PRESETS: dict[str, dict[str, int | str]] = {
    "skat": {},
    "skat-ramsch": {"passed": "ramsch"},
    "skat-suit": {"contract": "suit"},
    "skat-grand": {"contract": "grand"},
    "skat-null": {"contract": "null"},
    "skat-null-ouvert": {"contract": "null-ouvert"},
    "skat-points": {"contract": "any", "payoff": "points"},
}
ABOUT = {
    "skat": "Skat: the whole game with auction, hand games, announcements, ouvert and null",
    "skat-ramsch": "Skat in which a deal nobody bids on is played as a Ramsch",
    "skat-suit": "Skat, card play only: a suit game with a generated contract",
    "skat-grand": "Skat, card play only: a grand with a generated contract",
    "skat-null": "Skat, card play only: a null game with a generated contract",
    "skat-null-ouvert": "Skat, card play only: a null ouvert with a generated contract",
    "skat-points": "Skat, card play only, for card points: suit, grand or null at random",
}


def check(values: dict[str, Value]) -> None:
    """A Schieberamsch needs a Ramsch, and a Ramsch needs an auction to be passed."""
    if values["schieberamsch"] == "on" and values["passed"] != "ramsch":
        raise BadOption("schieberamsch=on is not possible with passed=void: set passed=ramsch as well")
    if values["passed"] == "ramsch" and values["contract"] != "auction":
        raise BadOption(
            f"passed=ramsch is not possible with contract={values['contract']}: there is no auction to pass"
        )


def seatings(values: Mapping[str, Value]) -> str:
    """How a match of two bots is seated: with an auction in each seat, otherwise around the declarer."""
    return "each" if values["contract"] == "auction" else "four"


BEST, WORST = 264, -540
"""Game points of one deal: a won grand ouvert with four; diamonds or hearts overbid at 264, twice 270 (7.8, 7.9)."""
SET_UP = {"null": (23, -46), "null-ouvert": (46, -92)}
"""The same where the contract is set up without hand or announcement; of suits and grands 168 is the most."""


def payoffs(values: Mapping[str, Value]) -> Payoffs:
    """Rule 10.1: what a deal is worth to the seat it counts for, and half of that, turned round, for the others."""
    best, worst = _worth(values)
    if values["passed"] == "ramsch":
        marched, lost = _ramsch_worth(values)
        best, worst = max(best, marched), min(worst, lost)
    return Payoffs(float(min(worst, -best / 2)), float(max(best, -worst / 2)), 0.0)


def _worth(values: Mapping[str, Value]) -> tuple[float, float]:
    """The most and the least that a declared deal is worth to the declarer (rules 10.2 to 10.5)."""
    contract = str(values["contract"])
    best, worst = (BEST, WORST) if contract == "auction" else SET_UP.get(contract, (168, -336))
    if values["payoff"] == "points":
        half = 0.25 if contract in SET_UP else 0.5
        return half, -half
    if values["payoff"] == "value":
        return best, worst
    return best + 50, worst - 50 - 40 * int(values["defender_share"])


def _ramsch_worth(values: Mapping[str, Value]) -> tuple[float, float]:
    """The most and the least of a Ramsch: a march, and 120 points doubled for every seat without a trick (9.8, 9.9)."""
    has_march = values["durchmarsch"] == "on"
    untouched = 0 if values["jungfrau"] == "off" else 1 if has_march else 2
    points = 1 if values["payoff"] == "points" else 120
    return float(points * has_march), float(-points * 2**untouched)
