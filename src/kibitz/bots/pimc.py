"""The bot that searches: perfect-information Monte Carlo, plain, with an inference module, or on top of a network."""

from __future__ import annotations

import difflib
import importlib
import inspect
from collections.abc import Callable, Mapping

from kibitz.bots import make_bot, read_knobs
from kibitz.core.at_once import searches_apart
from kibitz.core.errors import BadInput
from kibitz.core.game import Game
from kibitz.core.offers import offered, strongest
from kibitz.core.policy import Bot
from kibitz.core.position import Position
from kibitz.core.shipped import lent
from kibitz.core.view import View
from kibitz.search.improved import WORLDS as NET_WORLDS
from kibitz.search.improved import Improved
from kibitz.search.pimc import WORLDS, Pimc, Weigher, can_play, payoff_of

WEIGHERS: dict[str, tuple[str, dict[str, int], str]] = {
    "ni": ("kibitz.search.no_inference", {}, "no inference: all worlds alike")
}
"""Inference modules for all games: name -> module with `weigher(game, **settings)`, settings, a line about it."""
UNTOLD = -1.0
PLAIN = "plain"
"""pimc:plain searches without inference and calls like the rule-based player, whatever pimc becomes."""
NET = "net"
"""pimc:net has its worlds played out by the game's network, pimc:net:NAME by another one, which also calls."""
OF_OPEN_CARDS = ("threads", "bidding", "depth")
"""Knobs without a meaning where a network plays worlds out."""
KNOBS = {"worlds": float(WORLDS), "time": 0.0, "threads": 1.0, "bidding": UNTOLD, "depth": 0.0, "particles": 0.0}
LEAST = {"worlds": 1, "threads": 1}
MOST = 1_000_000
PRACTISED = 3
"""Games at whose views a bot in a process of its own is compiled."""


def seat(game: Game, spec: str, argument: str, knobs: Mapping[str, str]) -> Bot:
    """A searching player: `worlds` looked at for a card, or `time` seconds of them, in `threads`.

    bidding=1 calls by search and bidding=0 by rule; unless told it does what has been measured to be better in the
    game. `depth` is for how many decisions after the card that is tried the cards stay closed, `particles` how many
    worlds are carried along each game. `pimc:net` has worlds played out by a network. `pimc:NAME` weighs worlds by an
    inference module, `pimc:NAME:FOLDER` by what was learned into a folder.
    """
    worlds, seconds, threads, bidding, depth, particles = read_knobs(spec, KNOBS, knobs)
    if not can_play(game):
        raise BadInput(f"{spec}: pimc cannot play {game.name}, it plays trick-taking games")
    numbers = {"worlds": worlds, "time": seconds, "threads": threads, "depth": depth, "particles": particles}
    for knob, value in numbers.items():
        if not LEAST.get(knob, 0) <= value <= MOST:
            raise BadInput(f"{spec}: {knob}={value:g} is not possible: it is from {LEAST.get(knob, 0)} to {MOST:,}")
    if argument == PLAIN and knobs:
        raise BadInput(f"{spec}: {PLAIN} has no knobs: it stays as it is, to be compared with")
    if bidding not in (UNTOLD, 0, 1):
        raise BadInput(f"{spec}: bidding={bidding:g} is not possible: it is 0 (by rule) or 1 (by search)")
    if searches_apart():
        from kibitz.bots.stranger import meet

        return meet(game, spec, argument, knobs, practice(game))
    if argument.partition(":")[0] == NET:
        return _improved(game, spec, argument, knobs, numbers)
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
        bidder=_bidder(game, 0 if argument == PLAIN else bidding),
        rule=rule.act,
    )


def needs_loops_only(argument: str) -> bool:
    """Whether the loops over worlds are all that has to be compiled: a network that plays them out calls for more."""
    return argument.partition(":")[0] != NET


def _improved(game: Game, spec: str, argument: str, knobs: Mapping[str, str], numbers: Mapping[str, float]) -> Improved:
    """The network that the game declares as its strongest, or the one that is named, improved by search."""
    vain = [knob for knob in OF_OPEN_CARDS if knob in knobs]
    if vain:
        raise BadInput(f"{spec}: {vain[0]} is for open cards, and a network sees none: leave it out")
    network = argument if ":" in argument else network_of(game)
    if not network:
        raise BadInput(
            f"{spec}: no network is known to be good at {game.name}; name one, pimc:{NET}:FOLDER or a shipped"
        )
    bot, policies = make_bot(game, network), offered(game, "SEARCH", "POLICIES")
    return Improved(
        game,
        spec,
        bot,
        worlds=int(numbers["worlds"] if "worlds" in knobs else NET_WORLDS),
        seconds=numbers["time"],
        particles=int(numbers["particles"]),
        weigher=policies.weigher(game, bot) if policies else _weigher(game, spec, ""),
    )


def network_of(game: Game) -> str:
    """The network that the game declares as its strongest bot, empty if there is none."""
    return next((spec for spec in strongest(game) if spec.startswith(f"{NET}:")), "")


def practice(game: Game) -> list[View]:
    """Views of a few games between rule-based players, for a bot to be compiled at: one of each kind.

    Nothing is compiled here, and the process that searches need not compile how games go on.
    """
    payoff = payoff_of(game)
    bot = make_bot(game, payoff.RULE)
    found: dict[tuple[object, ...], View] = {}
    for number in range(PRACTISED):
        position = Position(game, 0, number)
        while not position.is_over:
            view = position.view(position.turn)
            legal = len(view.legal())
            is_card = payoff.can_play(view.state)
            if legal > 1:  # else it would not search
                found.setdefault((is_card, position.contract, len(view.hand) if is_card else legal), view)
            position.push(bot.act(view))
    return list(found.values())


def _bidder(game: Game, bidding: float) -> Callable[[View], int] | None:
    room = offered(game, "SEARCH", "BIDDER")
    if room is None or bidding == 0 or (bidding == UNTOLD and not _bids_by_search(game)):
        return None
    return room.bidder(game).act if room.can_bid(game) else None


def inferences(game: Game) -> dict[str, str]:
    """The inference modules that know a game, with a line about each."""
    found = {name: about for name, (_, _, about) in _weighers(game).items()}
    if network_of(game):
        found[NET] = f"worlds played out by {network_of(game)} in all seats, {NET_WORLDS} unless told; it calls, too"
    return found | {PLAIN: "20 worlds alike and the calls of the rule-based player, to compare with"}


def _bids_by_search(game: Game) -> bool:
    """Whether calls by search have been measured to be better than calls by rule."""
    return bool(offered(game, "SEARCH", "BIDS_BY_SEARCH", False))


def _weighers(game: Game) -> dict[str, tuple[str, dict[str, int], str]]:
    """Module with `weigher(game, **settings)`, settings, a line about it;
    a game's own are in its part of the search room."""
    return {**WEIGHERS, **offered(game, "SEARCH", "WEIGHERS", {})}


def _weigher(game: Game, spec: str, argument: str) -> Weigher | None:
    """The inference module that is named, with what lies in a folder where one is named behind it; else the usual."""
    room = offered(game, "SEARCH", "BIDDER")
    if not argument and hasattr(room, "usual_weigher") and room.can_bid(game):
        argument = room.usual_weigher(game)
    if argument in ("", PLAIN):
        return None
    name, _, folder = argument.partition(":")
    known = inferences(game)
    if name not in known:
        near = difflib.get_close_matches(name, known, 1, 0.4)
        hint = f"did you mean {near[0]}?" if near else "there are " + ", ".join(known)
        raise BadInput(f"{spec}: there is no inference {name} for {game.name}; {hint}")
    module, settings, _ = _weighers(game)[name]
    make = importlib.import_module(module).weigher
    if not folder:
        made: Weigher = make(game, **settings)
        return made
    if "folder" not in inspect.signature(make).parameters:
        raise BadInput(f"{spec}: {name} has learned nothing that could lie in a folder")
    place = lent(folder)
    if not place.is_dir():
        raise BadInput(f"{spec}: there is no folder {folder}")
    learned: Weigher = make(game, **settings, folder=place)
    return learned
