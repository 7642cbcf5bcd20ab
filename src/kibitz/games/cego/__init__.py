"""Cego, the whole game: announcements, auction, exchange by choice, play and payment; its rules are in RULES.md."""

from __future__ import annotations

from collections.abc import Mapping

from kibitz.core.game import Option, Payoffs, Value
from kibitz.games.cego import player, rules, senses, words
from kibitz.games.cego.table import tarock_game

VERSION = 1
ROLES = ("soloist", "defender")
SEARCH = "kibitz.search.cego"
LEARN = "kibitz.learn.cego"
STRONGEST = {"cego": ("net:cego-learned",)}
LADDER = {"cego": ("pimc:net",)}
OPTIONS = (
    Option("raeuber_tie", "first", ("first", "all"), "who loses a tied Räuber: the first in turn, or all who are tied"),
    Option("dealer", 3, range(4), "the seat that deals; the next one speaks first"),
    Option("contra_solo", "off", ("off", "on"), "whether the blind may be bid for against a Solo"),
    Option("compulsory_solo", "off", ("off", "on"), "whether a strong hand must announce its Solo"),
)
PRESETS: dict[str, dict[str, int | str]] = {"cego": {}}
ABOUT = {"cego": "Cego, the whole game: announcements, auction, exchange by choice, play and payment"}


def payoffs(values: Mapping[str, Value]) -> Payoffs:
    """Part 9: three times the dearest game, Zwei Verschiedene with all 79 points; 5 always lie in the Legage."""
    multiplier = 6 if values["contra_solo"] == "on" else 5
    return Payoffs(-3.0 * _paid(10, multiplier), 3.0 * _paid(158, multiplier), 0.0)


def _paid(halves: int, multiplier: int) -> int:
    """Rules 9.2 and 9.3: what one opponent pays or receives for so many half points."""
    fach = (abs(halves - 79) + 9) // 10
    return (5 * fach * multiplier + 9) // 10 * 10


GAME = tarock_game(
    options=OPTIONS, slots=rules.OWN_SLOTS, call_words=rules.SPOKEN, longest_calls=rules.MOST_SAID + 3,
    score=rules.score, won=rules.won, shuffle=rules.shuffle, opening=rules.opening, calls=rules.calls, call=rules.call,
    call_block=rules.call_block, hand_size=senses.hand_size, known=senses.known, known_aside=senses.known_aside,
    sees=senses.sees, blank=senses.blank, lacking=senses.lacking, recall=senses.recall, redraw=senses.redraw,
    caller=player.caller, card_worth=player.card_worth, words=words.CegoWords, headline=words.headline,
    result_text=words.result_text,
    knobs={"thrift": 0.5, "raise_at": 25.0, "raise_by": 3.0, "settle_at": 13.0},
    plays="bids by the points of its hand, plays by who will win the trick; "
    "knobs thrift, raise_at, raise_by, settle_at",
)  # fmt: skip
