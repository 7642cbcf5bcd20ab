"""Golden hashes: what every preset and every option plays, sees and records, so that a change of layout changes nothing
else.

`python -m tests.golden` writes them anew, `python -m tests.golden NAME` those of one preset; do that only when a rule
was wrong.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.arena.match import match
from kibitz.core.errors import KibitzError
from kibitz.core.game import CHANCE, OVER, Game, make, names, package_of
from kibitz.core.position import Position
from kibitz.core.record import write_record
from kibitz.core.shipped import shipped_folder, shipped_names

FILE = Path(__file__).with_name("hashes.json")
GAMES = 30
FEWER = 6
"""Games with an option that is not the preset's own."""
MOST_MOVES = 200
DEALS = 6
SEED = 77


def hashes(name: str) -> dict[str, Any]:
    """Everything of one preset."""
    game = make(name)
    return {"games": played(game, GAMES), "options": options(name), "matches": matches(game)}


def options(name: str) -> dict[str, Any]:
    """Hashes of a few games with every option changed."""
    return {
        f"{option.name}={value}": games
        for option in package_options(name)
        for value in some_values(option)
        if (games := with_option(name, option.name, value)) is not None
    }


def package_options(name: str) -> list[Any]:
    """The options that do not change the size of the game."""
    import importlib

    return [option for option in importlib.import_module(package_of(name)).OPTIONS if not option.size]


def some_values(option: Any) -> list[Any]:
    """Every word an option can be; of numbers the first and the last."""
    return [option.values[0], option.values[-1]] if isinstance(option.values, range) else list(option.values)


def with_option(name: str, option: str, value: object) -> dict[str, str] | None:
    """Hashes with one option changed, None where that is the usual value or goes with no game of this preset."""
    try:
        game = make(name, **{option: value})
    except KibitzError:
        return None
    return None if game.options == make(name).options else played(game, FEWER)


def played(game: Game, games: int) -> dict[str, str]:
    """Hashes of random games: the moves, what was legal, what every seat saw, the returns, the records."""
    sums = {key: hashlib.sha256() for key in ("actions", "legal", "returns", "records")}
    seen = {kind: hashlib.sha256() for kind in game.observations}
    for number in range(games):
        luck = np.random.default_rng([SEED, number])
        position = Position(game, SEED, number, manual_chance=True)
        s, moves = position.state, []
        while (turn := int(game.turn(s))) != OVER and len(moves) < MOST_MOVES:
            mask = np.zeros(game.ACTIONS, np.bool_)
            if turn == CHANCE:
                p = np.zeros(game.CHANCES)
                count = game.chances(s, p)
                choices = np.flatnonzero(p[:count] > 0)
            else:
                game.legal(s, mask)
                choices = np.flatnonzero(mask)
                sums["legal"].update(mask.tobytes())
                for seat in range(game.PLAYERS):
                    for kind, observation in game.observations.items():
                        out = np.zeros(observation.senses, np.float32)
                        observation.observe(s, seat, out)
                        seen[kind].update(out.tobytes())
            moves.append(int(choices[luck.integers(len(choices))]))
            game.step(s, moves[-1])
        sums["actions"].update(np.array(moves).tobytes())
        if turn == OVER:
            out64 = np.zeros(game.PLAYERS)
            game.returns(s, out64)
            sums["returns"].update(out64.tobytes())
        sums["records"].update(write_record(game, SEED, number, ["random"] * game.PLAYERS, moves).line().encode())
    return {key: short(one) for key, one in sums.items()} | {f"sees {kind}": short(one) for kind, one in seen.items()}


def matches(game: Game) -> dict[str, str]:
    """Hashes of the JSON of a match of every rule-based player, and every shipped model, against random play."""
    shipped = [f"{kind(name)}:{name}" for name in shipped_names()]
    bots = [*game.parts["bots"].BOTS, *(bot for bot in shipped if fits(game, bot))]
    return {bot: short(hashlib.sha256(match_json(game, bot).encode())) for bot in bots}


def kind(name: str) -> str:
    """How a shipped model is seated."""
    return "table" if (shipped_folder() / f"{name}.npz").exists() else "net"


def match_json(game: Game, bot: str) -> str:
    """A match as it is written to a file, numbers to nine digits: a p-value's others are not the same everywhere."""
    found = json.dumps(match(game, (bot, "random"), DEALS, SEED).as_json())
    return json.dumps(json.loads(found, parse_float=lambda text: f"{float(text):.9g}"))


def fits(game: Game, bot: str) -> bool:
    """Whether a shipped model plays this game; one that was made for another sub-game is seated and then refuses."""
    try:
        return not match(game, (bot, "random"), 1, SEED).spoiled
    except KibitzError:
        return False


def short(sum_: Any) -> str:
    return sum_.hexdigest()[:16]


def read() -> dict[str, Any]:
    return json.loads(FILE.read_text()) if FILE.exists() else {}


def write(chosen: list[str]) -> None:
    known = read() | {name: hashes(name) for name in chosen or names()}
    FILE.write_text(json.dumps({name: known[name] for name in names() if name in known}, indent=1) + "\n")
