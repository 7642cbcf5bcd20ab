"""kibitz plays, solves, learns, searches and measures imperfect-information card games.

The front door; what is behind it is loaded when it is first asked for, so that `import kibitz` costs next to nothing:

    make(name, **options)          a game
    Position(game, seed)           one game, readable: push moves, ask for hands, tricks and views
    bot(game, spec)                a player: bot(view) is its move, bot.explain(view) says why
    simulate(game, bots, games)    many games
    match(game, "a,b", deals)      A against B on the same deals
    solve(game, method)            a tabular policy, with its value and NashConv
    train(game, folder, method)    a network
    load(path)                     records, a table or a model
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kibitz.core.game import Game, make
    from kibitz.core.policy import Bot, OneByOne, Player
    from kibitz.core.position import Position
    from kibitz.core.readable import Card
    from kibitz.core.view import View
    from kibitz.front_door import bot, load, match, simulate, solve, train

__version__ = "0.1.0"

__all__ = [
    "Bot", "Card", "Game", "OneByOne", "Player", "Position", "View", "bot", "load", "make", "match", "simulate",
    "solve", "train",
]  # fmt: skip

_PLACES = {
    "Game": "core.game", "make": "core.game", "Position": "core.position", "View": "core.view", "Card": "core.readable",
    "Bot": "core.policy", "OneByOne": "core.policy", "Player": "core.policy",
    **dict.fromkeys(("bot", "load", "match", "simulate", "solve", "train"), "front_door"),
}  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"kibitz has no {name}: it has {', '.join(__all__)}")
    import importlib

    found = getattr(importlib.import_module(f"kibitz.{_PLACES[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
