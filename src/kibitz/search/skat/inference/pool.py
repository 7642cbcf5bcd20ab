"""The players from whose games the shipped policies of Skat were learned: rule-based ones, and a few that search."""

from __future__ import annotations

from dataclasses import dataclass

PLAIN = "skat-rule"
BOLD = "skat-rule:aggression=0.12"
TIMID = "skat-rule:aggression=-0.1"
ERRATIC = "skat-rule:noise=0.08"
FOND_OF_NULL = "skat-rule:null=0.3:aggression=0.05"
FONDER_OF_NULL = "skat-rule:null=0.4"
FONDEST_OF_NULL = "skat-rule:null=0.45:noise=0.05"
FOND_OF_HAND = "skat-rule:hand=0.08:keep_trump=4:pull=12:trump_lead=0"
OTHER_LEADS = "skat-rule:noise=0.03:keep_side=8:expected=9:long_lead=2"
STRANGER = "skat-rule:aggression=0.05:null=0.12:noise=0.05:run=8:keep_trump=14"
"""Held out: nothing is learned from what he does."""
SEARCHER = "pimc:worlds=4:bidding=0"
HASTY_SEARCHER = "pimc:worlds=2:bidding=0"


@dataclass(frozen=True)
class Table:
    """Three players and how many games they played."""

    seats: tuple[str, str, str]
    games: int


TABLES = (
    Table((PLAIN, BOLD, TIMID), 5000),
    Table((ERRATIC, FOND_OF_NULL, FOND_OF_HAND), 5000),
    Table((FOND_OF_NULL, OTHER_LEADS, PLAIN), 5000),
    Table((FONDEST_OF_NULL, FOND_OF_NULL, FONDER_OF_NULL), 30000),
    Table((BOLD, FOND_OF_HAND, OTHER_LEADS), 5000),
    Table((TIMID, ERRATIC, BOLD), 5000),
    Table((STRANGER, PLAIN, ERRATIC), 3000),
    Table((STRANGER, FOND_OF_HAND, FOND_OF_NULL), 3000),
    Table((SEARCHER, SEARCHER, SEARCHER), 400),
    Table((SEARCHER, HASTY_SEARCHER, FOND_OF_NULL), 200),
)
FIRST_SEED = 1001
"""The seed of the first table's games; the others follow."""
STRANGERS: dict[str, tuple[str, str, str]] = {
    "another rule player": (STRANGER,) * 3,
    "searching, 8 worlds": ("pimc:worlds=8:bidding=0",) * 3,
    "careless, 30 % noise": ("skat-rule:noise=0.3",) * 3,
    "random": ("random",) * 3,
}
"""Tables of players that nothing is learned from, to test on; who searches is kin to the players of the rounds."""
