"""`kibitz train skat --method imitation`: policies, card locations and tables learned from recorded games,
or from the pool's."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from kibitz.arena.cost import Cost, peak_memory, seconds_a_game
from kibitz.arena.executor import executor
from kibitz.arena.games import Games, cut_games, games_shelf, play_games
from kibitz.arena.parts import Part, do_part
from kibitz.arena.simulate import simulate, simulate_pieces
from kibitz.bots import make_bot
from kibitz.cli.arguments import bar, print_json
from kibitz.cli.work_arguments import show_cost
from kibitz.core import rng
from kibitz.core.errors import BadInput, BadRecord, MissingExtra
from kibitz.core.files import whole_file
from kibitz.core.game import Game
from kibitz.core.schema import Anything, Fields, Mapped, read_json_file
from kibitz.core.work import Executor, Serial
from kibitz.search.skat.inference.pool import FIRST_SEED, STRANGER, TABLES

PARTS = ("training", "new deals", "new players")
ABOUT = "about.json"
GAMES = "games"
"""Where the pool's games go when no records are named."""
SHARDS = "games.shards"
"""Where pieces of these games are kept until all are played."""
ENDINGS = (".jsonl", ".sgf", ".iss")
KEYS = ("layers", "rate", "batch", "epochs", "least", "seconds", "decay", "most", "games")
MOST = 400_000
"""Examples a network learns from, unless told."""


def train(
    game: Game, records: list[Path], out: Path, changes: dict[str, str], held_out: str, seed: int, threads: int,
    command: str, as_json: bool, part: Part | None = None, join: bool = False, processes: int = 1,
    cluster: str | None = None, dry_run: bool = False,
) -> None:  # fmt: skip
    """Learn every network that is not yet in the folder, and count the tables."""
    try:
        from kibitz.learn.imitation import Imitation, fit
        from kibitz.learn.run import use_threads
    except ImportError as problem:
        raise MissingExtra(problem.name, "learn") from None
    import numpy as np

    from kibitz.search.network import Network, save_network
    from kibitz.search.skat.inference.examples import gather
    from kibitz.search.skat.inference.records import held_out_players, read_games

    most, longest, config = _configured(Imitation(), changes)
    use_threads(threads)
    if dry_run:
        if records:
            raise BadInput(
                "--dry-run estimates the playing of the pool's games: there is nothing to play with --records"
            )
        show_cost(lambda: _pool_cost(game, out / GAMES, longest), as_json)
        return
    if not records:
        records, held_out = [out / GAMES], held_out or STRANGER
        _play_pool(game, out / GAMES, longest, threads, part, join, executor(processes, cluster))
        if part:
            print(f"part {part} of the pool's games is in {out / SHARDS}; --join in place of --part learns from them")
            return
    elif part or join:
        raise BadInput(
            "--part and --join share the playing of the pool's games: leave them out where --records are named"
        )
    _say("reading games", as_json)
    files = [file for path in records for file in (sorted(path.iterdir()) if path.is_dir() else [path])]
    files = [file for file in files if file.suffix in ENDINGS]
    games = list(read_games(files, lambda text: _say(text, as_json)))
    if not games:
        raise BadInput(f"{', '.join(map(str, records))}: there is no declared game of Skat to learn from")
    names = sorted({name for played in games for name in played.names})
    kept = frozenset(part.strip() for part in held_out.split(",") if part.strip()) or held_out_players(names)
    if unknown := kept - set(names):
        raise BadInput(
            f"--held-out {', '.join(sorted(unknown))}: nobody of that name plays; there are {', '.join(names)}"
        )
    _say(f"{len(games):,} games of {len(names)} players", as_json)
    # Lessons are cut off once they are long enough: then every file should have had its share.
    games = [games[k] for k in rng.generator(seed, "imitation_order").permutation(len(games))]
    lessons, counted = gather(game, games, kept, most=most, seed=seed)
    tables: dict[str, Any] = dict(counted)
    del games
    with whole_file(out / "tables.npz") as file:
        np.savez_compressed(file, **tables)
    about = _read_about(out)
    about |= {"command": command, "records": [path.name for path in files], "players": names, "held_out": sorted(kept)}
    about["config"], about["seed"] = asdict(config), seed
    learned: dict[str, Any] = about.setdefault("networks", {})
    for lesson in lessons:
        if lesson.name in learned and (out / f"{lesson.name}.npz").exists():
            _say(f"{lesson.name}: already learned", as_json)
            continue
        fitted = fit(lesson.form, lesson.inputs, lesson.allowed, lesson.target, lesson.part, PARTS, config, seed)
        save_network(out / f"{lesson.name}.npz", Network(tuple(fitted.weights), tuple(fitted.biases)))
        learned[lesson.name] = {
            "form": lesson.form, "examples": fitted.examples, "seconds": round(fitted.seconds, 1),
            "losses": {part: round(loss, 4) for part, loss in fitted.losses.items()},
        }  # fmt: skip
        _write_about(out, about)
        _say(f"{lesson.name}: {learned[lesson.name]}", as_json)
    _write_about(out, about)
    if as_json:
        print_json(about)
    else:
        print(f"written to {out}: {len(learned)} networks and the tables")


def _play_pool(
    game: Game, folder: Path, longest: int, threads: int, part: Part | None, join: bool, hands: Executor,
) -> None:  # fmt: skip
    """Play the games of the pool's tables that are not in the folder yet; a part of them goes to the shards."""
    shelf = games_shelf(folder.parent / SHARDS)
    is_shared = part is not None or join or not isinstance(hands, Serial)
    for path, whole in _unplayed(game, folder, longest):
        with bar(f"{path.stem} of {len(TABLES)}", whole.count) as advance:
            if not is_shared:
                seats = [make_bot(game, spec) for spec in whole.bots]
                simulate(game, seats, whole.count, whole.seed, threads=threads, records=path, progress=advance)
            elif part:
                do_part(play_games, cut_games(whole), part, shelf, hands, lambda piece: advance(piece.count))
            else:
                simulate_pieces(whole, path, executor=hands, shelf=shelf, join=join, progress=advance)


def _unplayed(game: Game, folder: Path, longest: int) -> Iterator[tuple[Path, Games]]:
    """The pool's tables whose games are not in the folder yet, each with its file."""
    for number, table in enumerate(TABLES):
        path = folder / f"table{number + 1}.jsonl"
        if not path.exists():
            yield path, Games(game, table.seats, FIRST_SEED + number, 0, min(longest, table.games), records=path.suffix)


def _pool_cost(game: Game, folder: Path, longest: int) -> Cost:
    """What playing the pool's games would take."""
    pieces = []
    for _, whole in _unplayed(game, folder, longest):
        each = seconds_a_game(whole)
        pieces += [piece.count * each for piece in cut_games(whole)]
    return Cost(pieces, 0.0, peak_memory(), peak_memory(), "pieces of the pool's games, before the learning")


def _configured(config: Any, changes: dict[str, str]) -> tuple[int, int, Any]:
    """How many examples and games a table at most, and the settings of learning."""
    whole = {"most": MOST, "games": max(table.games for table in TABLES)}
    for key, value in changes.items():
        if key not in KEYS:
            raise BadInput(f"--with {key}={value}: there is no such setting; there are {', '.join(KEYS)}")
        try:
            if key in whole:
                whole[key] = int(value)
                if whole[key] < 1:
                    raise ValueError
            elif key == "layers":
                config = replace(config, layers=tuple(int(part) for part in value.split(",")))
            else:
                config = replace(config, **{key: type(getattr(config, key))(value)})
        except ValueError:
            raise BadInput(f"--with {key}={value} is not possible: it takes numbers above 0") from None
    return whole["most"], whole["games"], config


def _read_about(out: Path) -> dict[str, Any]:
    try:
        found: dict[str, Any] = read_json_file(out / ABOUT)
        Fields({}, {"networks": Mapped(Anything())}, Anything()).check(found)
        return found
    except FileNotFoundError:
        return {}
    except BadRecord as problem:
        raise BadInput(f"{out / ABOUT} is damaged ({problem}): remove it to learn everything anew") from None


def _write_about(out: Path, about: dict[str, Any]) -> None:
    with whole_file(out / ABOUT) as file:
        file.write((json.dumps(about, indent=1, ensure_ascii=False) + "\n").encode())


def _say(text: str, quiet: bool) -> None:
    if not quiet:
        print(text, file=sys.stderr)
