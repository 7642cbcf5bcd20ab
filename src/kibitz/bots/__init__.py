"""Everything that can sit at a table, by name: `name`, `name:FILE` or `name:key=value:key=value`."""

from __future__ import annotations

import difflib
import importlib
import importlib.util
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.core.errors import BadInput, UnknownBot
from kibitz.core.game import Game
from kibitz.core.offers import strongest
from kibitz.core.policy import Actions, Bot, Rule, Speaking
from kibitz.core.shipped import models_for, shipped_folder, strangers_for
from kibitz.core.view import View, Views

GENERAL = {
    "random": ("kibitz.bots.random", "any legal action, all equally likely"),
    "table": ("kibitz.bots.table", "plays a saved tabular policy: table:FILE"),
    "net": ("kibitz.bots.net", "plays a trained model: net:FOLDER or net:NAME, with :sample drawn from its policy"),
    "pimc": (
        "kibitz.bots.pimc",
        "searches open cards of imagined worlds (trick-taking games): pimc:worlds=20, bidding=1 calls by search too",
    ),
    "person": ("kibitz.bots.person", "asks at the terminal"),
    "python": ("kibitz.bots.own", "a class of your own: python:FILE.py:Class or python:module.Class"),
}
"""Bots for every game: name -> module with `seat(game, name, argument, knobs)`, and a line about it."""
STRONGEST, BEST = "rule", "best"
"""Stand for the strongest of a game's own rule-based players, and for the strongest bot that needs no thinking time."""


class CompiledBot(Speaking):
    """A bot whose choice is a kernel: it can be fused into a game's loop."""

    def __init__(self, name: str, game: Game, kernel: Any, knobs: Sequence[float] = ()) -> None:
        self.name, self.game, self.kernel = name, game, kernel
        self.knobs: NDArray[np.float64] = np.array(knobs, np.float64)

    def act(self, view: View) -> int:
        """The action chosen at one view."""
        return int(self.kernel(view.state, view.mask, view.rng, self.knobs))

    def act_batch(self, views: Views) -> Actions:
        """The actions chosen at many views at once."""
        from kibitz.bots.compiled import choose_rows

        actions = np.zeros(len(views), np.int64)
        choose_rows(self.game, self.kernel)(views.states, views.masks, views.rngs, self.knobs, actions)
        return actions


def names(game: Game) -> dict[str, str]:
    """Every bot that can play a game, with a line about it."""
    return {name: about for name, (_, about) in GENERAL.items()} | {
        name: rule.about for name, rule in rules(game).items()
    }


def seat_bots(game: Game, spec: str) -> list[Bot]:
    """One bot per seat from `a,b,...`, or one for all seats from `a`."""
    specs = [part.strip() for part in spec.split(",") if part.strip()]
    if len(specs) not in (1, game.PLAYERS):
        raise BadInput(
            f"{game.name} has {game.PLAYERS} seats: name one bot for all or {game.PLAYERS} bots, not {len(specs)}"
        )
    made = {spec: make_bot(game, spec) for spec in dict.fromkeys(specs)}
    return [made[spec] for spec in specs] if len(specs) > 1 else [made[specs[0]]] * game.PLAYERS


def make_bot(game: Game, spec: str) -> Bot:
    """The bot that a spec names, ready to play a game."""
    spec, argument, knobs = parts(game, spec)
    name = spec.split(":")[0]
    if name in GENERAL:
        bot: Bot = importlib.import_module(GENERAL[name][0]).seat(game, spec, argument, knobs)
        return bot
    known_rules = rules(game)
    if name not in known_rules:
        known = [*GENERAL, *known_rules, STRONGEST, BEST]
        near = difflib.get_close_matches(name, known, 1, 0.4)
        hint = f"did you mean {near[0]}?" if near else "there are " + ", ".join(known)
        raise UnknownBot(f"there is no bot {name} for {game.name}; {hint}")
    if argument:
        raise BadInput(f"{spec}: {name} takes knobs as key=value, not {argument.split(':')[0]}")
    rule = known_rules[name]
    return CompiledBot(spec, game, rule.choose, read_knobs(spec, rule.knobs, knobs))


def parts(game: Game, spec: str) -> tuple[str, str, dict[str, str]]:
    """What a spec means, what is said in it beside the name of the bot, and its knobs."""
    spec = meant(game, spec)
    rest = spec.split(":")[1:]
    knobs = dict(one.split("=", 1) for one in rest if "=" in one)
    return spec, ":".join(one for one in rest if "=" not in one), knobs


def meant(game: Game, spec: str) -> str:
    """What a spec means in a game: `best` and `rule` stand for others, which may be given knobs,
    and a shipped network for the bot that plays it."""
    name, colon, knobs = spec.partition(":")
    if name not in GENERAL and name not in rules(game) and (shipped_folder() / name / "card.json").exists():
        return f"net:{spec}"
    if name not in (STRONGEST, BEST) or name in rules(game):
        return spec
    found = best_bot(game) if name == BEST else strongest_rule(game)
    if found == "random" and name == STRONGEST:
        raise UnknownBot(f"{game.name} has no player of rules: say random")
    return found + colon + knobs


def best_bot(game: Game) -> str:
    """The strongest bot that answers at once: what the game declares, if its model fits and can run here,
    or its rules."""
    return next((spec for spec in strongest(game) if _can_sit(game, spec)), strongest_rule(game))


def judge(game: Game) -> str:
    """Who says best what a move was worth: search where there is one, or else the best bot."""
    from kibitz.search.pimc import can_play

    return "pimc" if can_play(game) else best_bot(game)


def lacks_torch(game: Game) -> bool:
    """Whether a network would be the best bot if PyTorch were installed."""
    first = next((spec for spec in strongest(game) if _fits(game, spec)), "")
    return bool(first) and not _can_sit(game, first)


def _can_sit(game: Game, spec: str) -> bool:
    return _fits(game, spec) and (not spec.startswith("net:") or importlib.util.find_spec("torch") is not None)


def _fits(game: Game, spec: str) -> bool:
    """Whether a shipped model plays the game, perhaps with other options than it learned; nothing is loaded for it."""
    return not spec.startswith(("net:", "table:")) or spec in models_for(game) or spec in strangers_for(game)


def read_knobs(spec: str, known: Mapping[str, float], given: Mapping[str, str]) -> list[float]:
    """Knob values in their declared order, with those given put in."""
    for key, value in given.items():
        if key not in known:
            near = difflib.get_close_matches(key, known, 1)
            hint = f"did you mean {near[0]}?" if near else "it has " + (", ".join(known) or "none")
            raise BadInput(f"{spec}: there is no knob {key}; {hint}")
        try:
            float(value)
        except ValueError:
            raise BadInput(f"{spec}: {key}={value} is not possible: knobs are numbers") from None
    return [float(given.get(key, default)) for key, default in known.items()]


def strongest_rule(game: Game) -> str:
    """The last of the game's rule-based players, which are listed weakest first; random where it has none."""
    return next(reversed([*rules(game)]), "random")


def rules(game: Game) -> Mapping[str, Rule]:
    """The rule-based players that belong to a game."""
    found: Mapping[str, Rule] = game.parts["bots"].BOTS
    return found
