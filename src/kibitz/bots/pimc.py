"""The bot that searches: perfect-information Monte Carlo, plain or with an inference module."""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Callable, Mapping
from typing import Any

from kibitz.bots import make_bot, read_knobs
from kibitz.core.at_once import searches_apart
from kibitz.core.errors import BadInput
from kibitz.core.game import Game, package_of
from kibitz.core.offers import offered
from kibitz.core.policy import Bot
from kibitz.core.view import View
from kibitz.search.pimc import WORLDS, Pimc, Weigher, can_play, payoff_of

WEIGHERS: dict[str, tuple[str, str, dict[str, int], str]] = {
    "ni": ("", "kibitz.search.inference.ni", {}, "no inference: all worlds alike"),
    "ki": ("skat", "kibitz.search.inference.ki", {}, "tables counted from games, for bids and declarations"),
    "cli": ("skat", "kibitz.search.inference.cli", {}, "a network over the places of cards, 20,000 worlds"),
    "cli500": ("skat", "kibitz.search.inference.cli", {"samples": 500_000}, "the same with 500,000 worlds, a gigabyte"),
    "pi": ("skat", "kibitz.search.inference.pi", {}, "policies of the others, 20,000 worlds"),
    "pi100": ("skat", "kibitz.search.inference.pi", {"samples": 100_000}, "the same with 100,000 worlds"),
    "pif": ("skat", "kibitz.search.inference.pi", {"has_history": True}, "pi over states with what was picked up"),
}
"""Inference modules: name -> family of games (all if empty), module with `weigher(game, **settings)`, settings, a line about it."""
BIDDERS = {
    "skat": "kibitz.search.bidding.skat",
}
"""Families of games whose calls can be searched too: name -> module with `can_bid(game)` and `bidder(game)`."""
UNTOLD = -1.0
KNOBS = {"worlds": float(WORLDS), "time": 0.0, "threads": 1.0, "bidding": UNTOLD, "depth": 0.0, "particles": 0.0}
LEAST = {"worlds": 1, "threads": 1}
MOST = 1_000_000


def seat(game: Game, spec: str, argument: str, knobs: Mapping[str, str]) -> Bot:
    """A searching player: `worlds` looked at for a card, or `time` seconds of them, in `threads`.

    bidding=1 calls by search and bidding=0 by rule; unless told it does what has been measured to be better in the game.
    `depth` is for how many decisions after the card that is tried the cards stay closed, `particles` how many worlds are
    carried along each game.
    """
    worlds, seconds, threads, bidding, depth, particles = read_knobs(spec, KNOBS, knobs)
    if not can_play(game):
        raise BadInput(f"{spec}: pimc cannot play {game.name}, it plays trick-taking games")
    numbers = {"worlds": worlds, "time": seconds, "threads": threads, "depth": depth, "particles": particles}
    for knob, value in numbers.items():
        if not LEAST.get(knob, 0) <= value <= MOST:
            raise BadInput(f"{spec}: {knob}={value:g} is not possible: it is from {LEAST.get(knob, 0)} to {MOST:,}")
    if bidding not in (UNTOLD, 0, 1):
        raise BadInput(f"{spec}: bidding={bidding:g} is not possible: it is 0 (by rule) or 1 (by search)")
    if searches_apart():
        from kibitz.bots.stranger import meet

        return meet(game, spec, argument, knobs)
    rule = make_bot(game, payoff_of(game).RULE)
    return Pimc(
        game,
        spec,
        worlds=int(worlds),
        seconds=seconds,
        threads=int(threads),
        depth=int(depth),
        particles=int(particles),
        weigher=_weigher(game, spec, argument),
        bidder=_bidder(game, bidding),
        rule=rule.act,
    )


def _bidder(game: Game, bidding: float) -> Callable[[View], int] | None:
    room = offered(game, "SEARCH", "BIDDER") or _bidder_by_name(game)
    if room is None or bidding == 0 or (bidding == UNTOLD and not _bids_by_search(game)):
        return None
    return room.bidder(game).act if room.can_bid(game) else None


def inferences(game: Game) -> dict[str, str]:
    """The inference modules that know a game, with a line about each."""
    return {name: about for name, (_, _, about) in _weighers(game).items()}


def _bids_by_search(game: Game) -> bool:
    """Whether calls by search have been measured to be better than calls by rule."""
    return bool(offered(game, "SEARCH", "BIDS_BY_SEARCH", False))


def _bidder_by_name(game: Game) -> Any:
    return importlib.import_module(BIDDERS[_family(game)]) if _family(game) in BIDDERS else None


def _weighers(game: Game) -> dict[str, tuple[str, dict[str, int], str]]:
    """Module with `weigher(game, **settings)`, settings, a line about it; a game's own are in its part of the search room."""
    common = {name: (home, s, about) for name, (of, home, s, about) in WEIGHERS.items() if of in ("", _family(game))}
    return {**common, **offered(game, "SEARCH", "WEIGHERS", {})}


def _weigher(game: Game, spec: str, name: str) -> Weigher | None:
    if not name:
        return None
    known = inferences(game)
    if name not in known:
        near = difflib.get_close_matches(name, known, 1, 0.4)
        hint = f"did you mean {near[0]}?" if near else "there are " + ", ".join(known)
        raise BadInput(f"{spec}: there is no inference {name} for {game.name}; {hint}")
    module, settings, _ = _weighers(game)[name]
    made: Weigher = importlib.import_module(module).weigher(game, **settings)
    return made


def _family(game: Game) -> str:
    return package_of(game.name).rsplit(".", 1)[-1]
