"""Cego, the Tarock game of Baden: its six sub-games, each played on its own as in Oeschger's paper."""

from __future__ import annotations

from collections.abc import Mapping

from kibitz.core.errors import BadOption
from kibitz.core.game import Option, Payoffs, Value
from kibitz.games.cego.player import card_worth
from kibitz.games.cego.table import SHARED, tarock_game
from kibitz.games.cego_deals import rules, senses, words

VERSION = 1
ROLES = ("soloist", "defender")
SEARCH = "kibitz.search.cego_deals"
LEARN = "kibitz.learn.cego_deals"
STRONGEST = {"cego-standard": ("net:cego-standard",)}
LADDER = {
    "cego-standard": ("pimc:net",),
    "cego-solo": ("python:examples/openspiel_ismcts_cego.py:Searcher:simulations=20",),
}
RULES = "kibitz.games.cego"
SUBGAMES = ("standard", "solo", "ultimo", "bettel", "piccolo", "raeuber")
WITH_POINTS = ("standard", "solo")
OPTIONS = (
    Option("subgame", "standard", SUBGAMES, "which of the six games is played"),
    Option("restrict", "on", ("off", "on"), "whether only deals are played that fit the sub-game"),
    Option("reward", "points", ("points", "win", "sign"), "what the returns are: card points, 1 and 0, or +1 and -1"),
    Option("raeuber_tie", "first", ("first", "all"), "who loses a tied Räuber: the first in turn, or all who are tied"),
)
PRESETS: dict[str, dict[str, int | str]] = {
    f"cego-{subgame}": {"subgame": subgame, "reward": "points" if subgame in WITH_POINTS else "win"}
    for subgame in SUBGAMES
}
ABOUT = {
    "cego-standard": "Standard-Cego: blind taken up, 40 of 79 points to win, the exchange made automatically",
    "cego-solo": "Cego Solo: the dealt hand against three, the blind counts for the soloist",
    "cego-ultimo": "Cego Ultimo: win the last trick with the 1 of trumps",
    "cego-bettel": "Cego Bettel: win no trick",
    "cego-piccolo": "Cego Piccolo: win exactly one trick",
    "cego-raeuber": "Cego Räuber: everybody for himself, most points lose",
}


def check(values: Mapping[str, Value]) -> None:
    """Rule 4.6: only two of the games are counted in points."""
    if values["reward"] == "points" and values["subgame"] not in WITH_POINTS:
        raise BadOption(
            f"reward=points is not possible in {values['subgame']}: nobody counts points there, take win or sign"
        )


def seatings(values: Mapping[str, Value]) -> str:
    """How a match of two bots is seated: around the soloist, or in each seat where there is none."""
    return "each" if values["subgame"] == "raeuber" else "soloist"


def payoffs(values: Mapping[str, Value]) -> Payoffs:
    """Rule 4.6: all 79 points, or won and lost; in a Räuber with one loser the sum is always the same."""
    if values["reward"] == "points":
        return Payoffs(0.0, 79.0)
    lost = 0.0 if values["reward"] == "win" else -1.0
    one_loses = values["subgame"] == "raeuber" and values["raeuber_tie"] == "first"
    return Payoffs(lost, 1.0, 3.0 + lost if one_loses else None)


GAME = tarock_game(
    options=OPTIONS, slots=SHARED, score=rules.score, won=rules.won, shuffle=rules.shuffle, opening=rules.opening,
    known=senses.known, known_aside=senses.known_aside, blank=senses.blank, lacking=senses.lacking, sort=senses.sort,
    recall=senses.recall, redraw=senses.redraw, possible=senses.possible, card_worth=card_worth,
    words=words.DealsWords, headline=words.headline, result_text=words.result_text,
)  # fmt: skip
