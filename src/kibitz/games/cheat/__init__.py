"""Cheat: lay cards face down, say what they are, truly or not; who is rid of his cards wins."""

from collections.abc import Mapping
from math import comb

from kibitz.core.errors import BadOption
from kibitz.core.game import Option, Payoffs, Value

VERSION = 1
STRONGEST = {"cheat-paper": ("table:cheat-paper",)}
MOST_DISCARDS = 10_000
MOST_COPIES = 15
MOST_SEATS = 8

OPTIONS = (
    Option("players", 2, range(2, MOST_SEATS + 1), "seats at the table", size=True),
    Option("ranks", 7, range(2, 14), "the first so many of A 2 3 4 5 6 7 8 9 T J Q K", size=True),
    Option("copies", 4, range(1, MOST_COPIES + 1), "cards of each rank in one deck", size=True),
    Option("decks", 1, range(1, 5), "decks shuffled together", size=True),
    Option("cards_each", 6, range(98), "cards dealt to each seat; 0 deals all of them out", size=True),
    Option("max_discard", 0, range(MOST_COPIES + 1), "most cards in one discard; 0 is all copies of a rank", size=True),
    Option("max_turns", 200, range(1, 100_001), "turns after which the game ends", size=True),
    Option("repetition_limit", 0, (range(11)), "draw when a position occurs so often; 0 never looks", size=True),
    Option("allow_pass", 0, range(2), "1: the discarder may pass", size=True),
    Option(
        "one_by_one", 0, range(2), "1: a discard is spelled card by card, for packs with too many discards", size=True
    ),
    Option("first_player", "random", ("random", *map(str, range(MOST_SEATS))), "who discards first"),
    Option("on_limit", "draw", ("draw", "fewest_cards"), "what the turn limit means"),
    Option("payoff", "zero_sum", ("zero_sum", "win_loss", "rank"), "how the returns are reckoned"),
    Option("lie_mode", "any", ("any", "pure"), "pure: a discard is all true or all false"),
    Option("reset_on_challenge", 0, range(2), "1: the rank goes back to the ace after a challenge"),
    Option("reveal_pile", 0, range(2), "1: a challenge turns up the whole pile for everybody"),
    Option("simultaneous_challenge", 0, range(2), "1: seats answer a claim without hearing one another"),
)

PRESETS: dict[str, dict[str, int | str]] = {
    "cheat": {},
    "cheat-paper": {},
    "cheat-half": {"cards_each": 0, "max_turns": 20_000},
    "cheat-whole": {"ranks": 13, "cards_each": 0, "max_turns": 20_000},
    "cheat-tiny": {"ranks": 3, "copies": 2, "cards_each": 2, "max_turns": 4},
    "cheat-party": {"players": 4, "ranks": 13, "decks": 2, "cards_each": 0, "max_discard": 4, "max_turns": 20_000},
}

FOR_PEOPLE: dict[str, dict[str, int | str]] = {
    name: {"max_turns": 100, "on_limit": "fewest_cards"} for name in ("cheat-half", "cheat-whole", "cheat-party")
}
"""At a table of people these end within the hour: bots that challenge well go on for thousands of turns."""

ABOUT = {
    "cheat": "Cheat for two as in the paper's experiments: A to 7, six cards each",
    "cheat-paper": "Cheat for two as in the paper's experiments: A to 7, six cards each",
    "cheat-half": "Cheat for two with half a pack dealt out, 14 cards each",
    "cheat-whole": "Cheat for two with a whole pack dealt out, 26 cards each",
    "cheat-tiny": "Cheat small enough to be solved exactly: three ranks, two cards each, four turns",
    "cheat-party": "Cheat for four with two packs, 26 cards each",
}


def check(values: Mapping[str, Value]) -> None:
    """Refuse options that make the deal impossible or the list of discards endless."""
    number = {key: int(value) for key, value in values.items() if str(value).isdigit()}
    players, ranks, copies = number["players"], number["ranks"], number["copies"] * number["decks"]
    if copies > MOST_COPIES:
        raise BadOption(f"{copies} cards of each rank are too many: copies x decks is at most {MOST_COPIES}")
    if max(1, number["cards_each"]) * players > ranks * copies:
        raise BadOption(
            f"cards_each={number['cards_each']} is not possible: {players} players and {ranks * copies} cards, "
            f"so at most {ranks * copies // players} each"
        )
    if number["max_discard"] > copies:
        raise BadOption(f"max_discard={number['max_discard']} is not possible: there are {copies} cards of each rank")
    if number.get("first_player", 0) >= players:
        raise BadOption(f"first_player={values['first_player']} is not possible: seats are 0 to {players - 1}")
    if number["repetition_limit"] == 1:
        raise BadOption("repetition_limit=1 is not possible: every position occurs once; it is 0 or at least 2")
    most = number["max_discard"] or copies
    discards = comb(ranks + most, most) - 1
    if discards > MOST_DISCARDS and not number["one_by_one"]:
        raise BadOption(
            f"{ranks} ranks and max_discard={most} make {discards:,} different discards, more than {MOST_DISCARDS:,}: "
            "choose a smaller max_discard, or one_by_one=1"
        )


def payoffs(values: Mapping[str, Value]) -> Payoffs:
    """Rules 5.5 and 8.13: the losers share a loss of 1, which one of them bears alone where several can win."""
    players = int(values["players"])
    if values["payoff"] == "win_loss":
        return Payoffs(-1.0, 1.0, 0.0 if players == 2 else None)
    is_shared = values["payoff"] == "zero_sum" and values["on_limit"] == "draw"
    return Payoffs(-1.0 / (players - 1) if is_shared else -1.0, 1.0, 0.0)
