"""What workers do: prepare a game, choose a move, give a hint, judge a decision, say where cards may lie,
play a deal again.

A job is given names and arrays; what a bot is shown is the view of its seat and nothing else.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.bots import make_bot, rules
from kibitz.core.errors import BotFailed
from kibitz.core.game import Game, make
from kibitz.core.opinion import POINTS, opinion_at
from kibitz.core.policy import Bot
from kibitz.core.position import Position
from kibitz.core.scene import imagined, move_text
from kibitz.core.view import View
from kibitz.web import review

Progress = Callable[[Any], None]
Words = NDArray[np.int64]
Shown = tuple[int, Words, NDArray[np.bool_], Words]
"""A view on its way: seat, blanked state, mask, luck."""

MOST_BOTS = 64
MOST_MOVES = 200
_bots: OrderedDict[tuple[Game, str], Bot] = OrderedDict()


@lru_cache(maxsize=64)
def _made(name: str, options: tuple[tuple[str, Any], ...]) -> Game:
    return make(name, **dict(options))


def _game(name: str, options: dict[str, Any]) -> Game:
    return _made(name, tuple(options.items()))


def _bot(game: Game, spec: str) -> Bot:
    """A bot that is made once."""
    if (game, spec) not in _bots:
        _bots[game, spec] = make_bot(game, spec)
        if len(_bots) > MOST_BOTS:
            _bots.popitem(last=False)
    _bots.move_to_end((game, spec))
    return _bots[game, spec]


def shown(view: View) -> Shown:
    """A view as it is sent."""
    return view.seat, view.state, view.mask, view.rng


def _view(game: Game, shown: Shown) -> View:
    seat, state, mask, luck = shown
    return View(game, seat, state, mask, luck)


def usual_bot(game: Game) -> str:
    """The rule-based player of a game: the last one it names, or a random one."""
    return next(reversed([*rules(game)]), "random")


def prepare(progress: Progress, name: str, options: dict[str, Any], specs: list[str]) -> None:
    """Compile (or load) all that a table of a game needs, step by step."""
    steps = steps_of(specs)
    progress([0, len(steps)])
    game = _game(name, options)
    for done, _ in enumerate(warmed(game, specs), 1):
        progress([done, len(steps)])


def steps_of(specs: list[str]) -> list[str]:
    """The steps of preparing a game."""
    return ["deal", "turn", "legal", "view", "redeal", "side", "step", "returns", *specs]


def warmed(game: Game, specs: list[str]) -> Iterator[None]:
    """Run every kernel that a table asks once, then every bot; yields after each."""
    position = Position(game, 1)
    yield
    position.legal()
    yield
    yield
    view = position.view(max(0, position.turn))
    yield
    imagined(view)
    yield
    game.side(position.state, 0)
    yield
    if not position.is_over:
        position.push(position.legal_actions()[0])
    yield
    game.returns(position.state, np.zeros(game.PLAYERS))
    yield
    for spec in specs:
        for asked in _telling(game):
            _bot(game, spec).act(asked)
        yield


def _telling(game: Game) -> Iterator[View]:
    """Views at which a bot shows all that it is made of: its first decision, and the first card it plays."""
    position, rule = Position(game, 1), _bot(game, usual_bot(game))
    is_first = True
    for _ in range(MOST_MOVES):
        if position.is_over:
            return
        view = position.view(position.turn)
        legal = view.legal_words()
        is_card = len(legal) > 1 and hasattr(game.words, "trick") and all(word in view.hand for word in legal)
        if is_first or is_card:
            yield view
        if is_card:
            return
        is_first = False
        position.push(int(rule.act(view)))


def act(progress: Progress, name: str, options: dict[str, Any], spec: str, shown: Shown) -> int:
    """The action that a bot chooses at a view; only legal ones get past here."""
    game = _game(name, options)
    view = _view(game, shown)
    action = int(_bot(game, spec).act(view))
    if not (0 <= action < game.ACTIONS and shown[2][action]):
        raise BotFailed(f"{spec} chose action {action}, which is illegal")
    return action


def hint(progress: Progress, name: str, options: dict[str, Any], spec: str, shown: Shown, lang: str) -> dict[str, Any]:
    """What a bot would do at a view and why: how it weighs the legal actions, and what it says they are worth."""
    game = _game(name, options)
    view = _view(game, shown)
    told = opinion_at(_bot(game, spec), view)
    words = game.words.ACTION_WORDS
    worth, worlds = review.worth(game, view, _bot(game, spec))
    rows = [
        {
            "word": words[action], "text": move_text(game, view.state, action, lang),
            "share": told.probabilities[words[action]], "value": worth.get(action, told.values.get(words[action])),
        }
        for action in view.legal()
    ]  # fmt: skip
    rows.sort(key=lambda row: (-(row["value"] if row["value"] is not None else -1e300), -row["share"]))
    unit = (POINTS if worlds else told.unit) if worth or told.values else ""
    about = {"bot": told.bot, "choice": told.choice, "source": told.source, "worlds": worlds, "unit": unit}
    return {**about, "rows": rows[:40]}


def judge(
    progress: Progress, name: str, options: dict[str, Any], spec: str, votes: list[str], shown: Shown, state: Words,
    action: int, lang: str,
) -> dict[str, Any]:  # fmt: skip
    """One row of a review."""
    game = _game(name, options)
    view = _view(game, shown)
    return review.judged(game, view, state, action, _bot(game, spec), [_bot(game, vote) for vote in votes], lang)


def belief(progress: Progress, name: str, options: dict[str, Any], spec: str, shown: Shown) -> dict[str, Any]:
    """Where the cards may lie that a seat has not seen."""
    game = _game(name, options)
    return review.places(_view(game, shown), _bot(game, spec) if spec else None)


def deal_again(progress: Progress, name: str, options: dict[str, Any], seed: int, specs: list[str]) -> list[float]:
    """What bots make of the same cards: the returns of a deal played by them alone."""
    game = _game(name, options)
    position = Position(game, seed)
    bots = [_bot(game, spec) for spec in specs]
    while not position.is_over:
        progress(len(position.actions))
        position.push(int(bots[position.turn].act(position.view(position.turn))))
    return position.returns()
