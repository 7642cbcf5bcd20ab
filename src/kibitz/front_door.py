"""The front door: one function for each thing one does with a game. `import kibitz` offers them all.

Games are given by name or as made; bots by spec, as objects, or as what `solve`, `train` and `load` give.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from kibitz.core import game as games
from kibitz.core.errors import BadInput, MissingExtra
from kibitz.core.game import Game
from kibitz.core.policy import Actions, Bot, Player, Speaking
from kibitz.core.record import Record, read_records
from kibitz.core.view import View, Views

if TYPE_CHECKING:
    from kibitz.arena.match import Match
    from kibitz.arena.simulate import Outcome
    from kibitz.learn.model import Model
    from kibitz.tabular.solution import Solution
    from kibitz.tabular.table import Table

    Sitter = str | Bot | Solution | Table | Model
    Sitters = Sitter | Sequence[Sitter]

CARD = "card.json"
MOST_ITERATIONS = 10**12


class Spoken(Speaking):
    """A bot that only plays, made to speak."""

    def __init__(self, inner: Bot) -> None:
        self.name, self.inner = inner.name, inner

    def act(self, view: View) -> int:
        """The action the bot chooses at one view."""
        return self.inner.act(view)

    def act_batch(self, views: Views) -> Actions:
        """The actions the bot chooses at many views."""
        return self.inner.act_batch(views)


class Records(Sequence[Record]):
    """The games of a file, in its order."""

    def __init__(self, path: Path, records: Sequence[Record]) -> None:
        self.path, self._records = path, list(records)

    def __len__(self) -> int:
        return len(self._records)

    def __getitem__(self, place: Any) -> Any:
        return self._records[place]

    def __iter__(self) -> Iterator[Record]:
        return iter(self._records)

    def __repr__(self) -> str:
        played = ", ".join(dict.fromkeys(record.game for record in self))
        return f"{len(self):,} games of {played or 'nothing'} in {self.path}"


def bot(game: Game | str, who: Sitter) -> Player:
    """The bot that a spec names, ready to play a game; also a solution, a table or a model as a bot.

    Called with a view it says its move as a word; `explain` says how it weighs the legal actions.
    """
    made = _seated(_made(game), who)
    return made if isinstance(made, Speaking) else Spoken(made)


def simulate(
    game: Game | str,
    bots: Sitters = "random",
    games: int = 1000,
    seed: int = 0,
    *,
    threads: int = 1,
    records: str | Path | None = None,
) -> Outcome:
    """Play games 0 .. games - 1 of a seed: one bot for every seat, or one for all."""
    from kibitz.arena.simulate import simulate as play_all

    made = _made(game)
    if games < 0:
        raise BadInput(f"{games} games cannot be played: a whole number from 0 on can")
    sitters = [_seated(made, who) for who in _listed(bots)]
    if len(sitters) not in (1, made.PLAYERS):
        raise BadInput(
            f"{made.name} has {made.PLAYERS} seats: give one bot for all or {made.PLAYERS} bots, not {len(sitters)}"
        )
    seats = sitters if len(sitters) > 1 else sitters * made.PLAYERS
    return play_all(made, seats, games, seed, threads=threads, records=records)


def match(
    game: Game | str,
    bots: Sitters,
    deals: int = 1000,
    seed: int = 0,
    *,
    seatings: str | None = None,
    records: str | Path | None = None,
    until: float | None = None,
    processes: int = 1,
) -> Match:
    """Play A against B on the same deals with seats swapped; a side may be several bots in one spec, `a+b`."""
    from kibitz.arena.executor import Processes
    from kibitz.arena.match import match as play_match

    made = _made(game)
    sides = [who if isinstance(who, str) else _seated(made, who) for who in _listed(bots)]
    executor = Processes(processes) if processes > 1 else None
    return play_match(made, sides, deals, seed, seatings=seatings, records=records, until=until, executor=executor)


def solve(
    game: Game | str, method: str = "cfr+", iterations: int | None = None, *, seconds: float | None = None,
    seed: int = 1, keys: str = "full", actions: str = "full", prune: str = "", depth: int = 0, threads: int = 1,
) -> Solution:  # fmt: skip
    """Solve a game by a tabular method (1000 iterations unless told),
    and say how far the answer is from an equilibrium."""
    from kibitz.tabular.cfr import METHODS
    from kibitz.tabular.solution import judged
    from kibitz.tabular.solving import solve_to_the_end, start

    made = _made(game)
    wanted = 1000 if iterations is None and seconds is None else iterations
    if wanted is not None and not 1 <= wanted <= MOST_ITERATIONS:
        raise BadInput(f"{wanted} iterations are not possible: from 1 to {MOST_ITERATIONS:,} are")
    run = start(made, method, seed=seed, keys=keys, actions=actions, pruning=prune, depth=depth, shards=threads)
    solve_to_the_end(
        run, iterations=wanted, seconds=seconds, checkpoint=None, label={}, every=1e8, report=lambda done: None
    )
    about = {"method": method, "iterations": run.iterations, **({} if method in METHODS else {"seed": seed})}
    return judged(made, run.table(about), method, run.iterations)


def train(
    game: Game | str,
    out: str | Path,
    method: str = "dmc",
    *,
    frames: int | None = None,
    seconds: float | None = None,
    preset: str = "default",
    learners: Sequence[int] | None = None,
    share: str = "seat",
    rivals: Sequence[str] = ("random",),
    baselines: Sequence[str] = ("random",),
    evaluation_games: int = 8192,
    seed: int = 1,
    threads: int = 1,
    **settings: object,
) -> Model:
    """Train networks in a folder, or go on there where it was interrupted; `settings` are those of the method.

    It runs for so many frames (decisions of learners) or seconds; all seats learn unless `learners` says which.
    """
    try:
        from kibitz.learn.model import load_model
        from kibitz.learn.run import Plan, configured, use_threads
        from kibitz.learn.run import train as run
        from kibitz.learn.seats import Seating
    except ImportError as problem:
        raise MissingExtra(problem.name, "learn") from None
    from kibitz.bots import make_bot

    made = _made(game)
    if frames is None and seconds is None:
        raise BadInput("a run needs an end: say frames=100_000 or seconds=60")
    seats = tuple(range(made.PLAYERS)) if learners is None else tuple(sorted(set(learners)))
    if not seats or not all(0 <= seat < made.PLAYERS for seat in seats):
        raise BadInput(f"learners={learners} is not possible: seats from 0 to {made.PLAYERS - 1} are")
    config = configured(method, preset, {key: _typed(value) for key, value in settings.items()})
    plan = Plan(
        made, method, config, Seating(seats, share, tuple(rivals)), seed, frames, seconds, tuple(baselines),
        evaluation_games, command="kibitz.train",
    )  # fmt: skip
    use_threads(threads)
    run(plan, Path(out), make_bot)
    return load_model(out)


def load(path: str | Path, game: Game | str | None = None) -> Records | Table | Model:
    """Open a file of records, a table or the folder of a model, by what it is; shipped ones also by their name.

    With `game` a table or a model that belongs to another one is refused.
    """
    from kibitz.core.shipped import found_model, shipped_names

    wanted = None if game is None else _made(game)
    found = found_model(str(path))
    found = found if found.exists() else found_model(str(path), ".npz")
    if (found / CARD).exists():
        return _model(found, wanted)
    if found.is_dir():
        raise BadInput(f"{path} is a folder without {CARD}, so it holds no model: `kibitz train` writes one")
    if not found.is_file():
        known = ", ".join(shipped_names()) or "none"
        raise BadInput(f"there is no file or folder {path}, and no shipped model of that name; shipped are {known}")
    with found.open("rb") as file:
        is_archive = file.read(2) == b"PK"
    if is_archive:
        from kibitz.tabular.table import load as load_table

        return load_table(found, wanted)
    return Records(found, [record for _, record in read_records(found)])


def _model(folder: Path, game: Game | None) -> Model:
    try:
        from kibitz.learn.model import load_model
    except ImportError as problem:
        raise MissingExtra(problem.name, "learn") from None
    return load_model(folder, game)


def _made(game: Game | str) -> Game:
    return games.make(game) if isinstance(game, str) else game


def _listed(bots: Sitters) -> list[Sitter]:
    """The bots of `a,b`, of a sequence, or one alone."""
    if isinstance(bots, str):
        return [part.strip() for part in bots.split(",") if part.strip()]
    return list(bots) if isinstance(bots, Sequence) else [bots]


def _seated(game: Game, who: Sitter) -> Bot:
    """A bot from whatever can play."""
    from kibitz.bots import make_bot
    from kibitz.bots.table import TableBot
    from kibitz.tabular.solution import Solution
    from kibitz.tabular.table import Table

    if isinstance(who, str):
        return make_bot(game, who)
    if isinstance(who, (Solution, Table)):
        table = who.policy if isinstance(who, Solution) else who
        if not table.belongs_to(game):
            raise BadInput(f"this table was made for {table.about['game']}, with its options, not for {game!r}")
        return TableBot(f"table of {table.about.get('method', 'unknown origin')}", table)
    if not hasattr(who, "act"):
        return _net(game, who)
    return cast(Bot, who) if hasattr(who, "act_batch") else _thinker(who)


def _thinker(who: Any) -> Bot:
    """An object that only has `act`."""
    from kibitz.bots.own import Thinker

    return Thinker(getattr(who, "name", type(who).__name__), who)


def _net(game: Game, who: Any) -> Bot:
    from kibitz.core.game import same_rules

    card = getattr(who, "card", None)
    if card is None:
        raise BadInput(
            f"{who!r} cannot play: a bot is a spec, an object with act(view), a solution, a table or a model"
        )
    if not same_rules(game, card.game, card.options, card.version):
        raise BadInput(f"this model has learned {card.game}, with its options, not {game!r}")
    from kibitz.bots.net import seated

    return seated(f"net of {card.method}", who)


def _typed(value: object) -> str:
    """A setting as it would be typed at the command line."""
    if isinstance(value, (tuple, list)):
        return ",".join(map(str, value))
    return str(value)
