"""`kibitz train skat --method imitation`: policies, card locations and tables learned from recorded games,
or from the pool's."""

from __future__ import annotations

import hashlib
import json
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from datetime import date
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
from kibitz.core.streams import CutShort, inner_suffix
from kibitz.core.work import Executor, Serial
from kibitz.search.skat.inference.pool import FIRST_SEED, STRANGER, TABLES

ABOUT = "about.json"
GAMES = "games"
"""Where the pool's games go when no records are named."""
PLAYED = "games.shards"
"""Where pieces of these games are kept until all are played."""
READ = "shards"
"""Where games are kept that were read and replayed."""
ROUND = "round{}"
"""The folder of what a round of self-play has learned."""
STRONG = ("pimc:pi:{}:worlds=8:bidding=0", "pimc:pi:{}:worlds=8")
"""Who plays in a round: a searching player with what the round before has learned. By turns he calls by rule, as most
of the pool, and as the searching player does when nothing is said."""
MOST_REPEATED = 10
"""How often the few games of strong players are learned from for once that the pool's are."""
KEYS = (
    "rounds",
    "strong",
    "layers",
    "rate",
    "batch",
    "epochs",
    "least",
    "seen",
    "patience",
    "seconds",
    "decay",
    "games",
)
TYPES = ("suit", "grand", "null")
DAY = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d))?)?")


def train(
    game: Game, records: list[Path], out: Path, changes: dict[str, str], held_out: str, seed: int, threads: int,
    command: str, as_json: bool, part: Part | None = None, join: bool = False, processes: int = 1,
    cluster: str | None = None, dry_run: bool = False, chosen: Mapping[str, Any] | None = None,
) -> None:  # fmt: skip
    """Learn every network that is not yet in the folder, and count the tables."""
    try:
        from kibitz.learn.imitation import Imitation
        from kibitz.learn.run import use_threads
    except ImportError as problem:
        raise MissingExtra(problem.name, "learn") from None
    from kibitz.arena.skat.lessons import Source
    from kibitz.arena.skat.shards import gather

    plan, config = _configured(Imitation(), changes)
    longest = plan["games"]
    if plan["rounds"] and (records or part or join):
        raise BadInput(
            "--with rounds=N is self-play on top of the pool's games: leave out --records, --part and --join"
        )
    wanted = _filter(chosen or {})
    use_threads(threads)
    if dry_run:
        if records:
            raise BadInput(
                "--dry-run estimates the playing of the pool's games: there is nothing to play with --records"
            )
        show_cost(lambda: _pool_cost(game, out / GAMES, longest), as_json)
        return
    hands = executor(processes, cluster)
    if not records:
        records, held_out = [out / GAMES], held_out or STRANGER
        _play_pool(game, out / GAMES, longest, threads, part, join, hands)
        if part:
            print(f"part {part} of the pool's games is in {out / PLAYED}; --join in place of --part learns from them")
            return
    elif part or join:
        raise BadInput(
            "--part and --join share the playing of the pool's games: leave them out where --records are named"
        )
    files = _files(records)
    try:
        packed = any(file.suffix != inner_suffix(file) for file in files)
        with bar("reading games", None if packed else sum(file.stat().st_size for file in files)) as advance:
            shards = gather(files, out / READ, hands, advance)
    except CutShort as problem:
        raise BadInput(
            f"{problem}: what stood before is kept in {out / READ}; with the whole file the same command goes on "
            "(kibitz records import writes the records that can be read)"
        ) from None
    except BadRecord as problem:
        raise BadInput(str(problem)) from None
    kept = frozenset(name.strip() for name in held_out.split(",") if name.strip())
    source = Source(shards, wanted, kept)
    named = ", ".join(map(str, records))
    if not source.games:
        why = "".join(
            f"; why {count:,} records were refused: {reason}" for reason, count in source.refused.most_common(1)
        )
        raise BadInput(
            f"{named}: there is no declared game of Skat to learn from{why}; records of ISS begin with (;GM[Skat], "
            "ours are lines of JSON"
        )
    refused = sum(source.refused.values())
    passed = _passed(source, chosen or {}, named)
    _say(f"{source.games:,} games of {len(source.names):,} players{passed}, {refused:,} records refused", as_json)
    about = _begun(out, source, config, chosen or {}, seed)
    about |= {
        "command": command, "records": [path.name for path in files], "games": source.games,
        "players": len(source.names), "refused": dict(source.refused.most_common()),
    }  # fmt: skip
    _learn(source, out, config, about, seed, as_json)
    last = out
    for number in range(1, plan["rounds"] + 1):
        last = _round(
            game, out, number, plan["strong"], shards, wanted, kept, config, chosen or {}, command, seed, hands, as_json
        )  # fmt: skip
    if as_json:
        print_json(about)
    else:
        networks = len(list(last.glob("*.npz"))) - 1
        print(f"written to {last}: {networks} networks and the tables; try pimc:pi:{last}")


def _round(
    game: Game, out: Path, number: int, count: int, pool: list[Path], wanted: Any, kept: frozenset[str], config: Any,
    chosen: Mapping[str, Any], command: str, seed: int, hands: Executor, as_json: bool,
) -> Path:  # fmt: skip
    """Strong players play with what was learned so far; all is learned anew from the pool's games and theirs."""
    from kibitz.arena.skat.lessons import Source
    from kibitz.arena.skat.shards import gather

    before = out / ROUND.format(number - 1) if number > 1 else out
    folder = out / ROUND.format(number)
    path = folder / GAMES / "strong.jsonl"
    player = STRONG[(number - 1) % len(STRONG)].format(before)
    whole = Games(game, (player,) * 3, FIRST_SEED + 1000 * number, 0, count, records=path.suffix)
    if not path.exists():
        with bar(f"round {number}", count) as advance:
            simulate_pieces(whole, path, executor=hands, shelf=games_shelf(folder / PLAYED), progress=advance)
    played = [out / ROUND.format(k) / GAMES / path.name for k in range(1, number + 1)]
    strong = gather(played, folder / READ, hands)
    pool_games, own_games = Source(pool).games, Source(strong).games
    often = max(1, min(MOST_REPEATED, pool_games // max(1, 2 * own_games)))
    source = Source([*pool, *strong * often], wanted, kept)
    about = _begun(folder, source, config, chosen, seed)
    about |= {
        "command": command, "games": pool_games, "strong_games": own_games, "repeated": often, "round": number,
    }  # fmt: skip
    _say(f"round {number}: {own_games:,} games of strong players, {often} times beside {pool_games:,}", as_json)
    _learn(source, folder, config, about, seed, as_json)
    return folder


BASES = {
    "shards": "from other games", "filter": "with another filter", "held_out": "without other players",
    "config": "with other settings", "seed": "with another seed",
}  # fmt: skip
"""What decides what networks are learned, and what is said of those that were learned otherwise."""


def _begun(out: Path, source: Any, config: Any, chosen: Mapping[str, Any], seed: int) -> dict[str, Any]:
    """What is known of a folder, if what it holds was learned as it would be now."""
    digest = hashlib.sha256(" ".join(sorted(path.stem for path in source.files)).encode()).hexdigest()
    now = {
        "shards": digest, "filter": _told(chosen), "held_out": sorted(source.held_out), "config": asdict(config),
        "seed": seed,
    }  # fmt: skip
    now = json.loads(json.dumps(now))
    about = _read_about(out)
    for key, otherwise in BASES.items() if about.get("networks") else ():
        if about.get(key, now[key]) != now[key]:
            raise BadInput(
                f"{out} has networks that were learned {otherwise}: choose another --out, or remove {out / ABOUT} to "
                "learn them anew"
            )
    return about | now


def _passed(source: Any, chosen: Mapping[str, Any], named: str) -> str:
    """How many games a filter leaves, in words; refuses one that leaves nothing."""
    said = _told(chosen)
    if not said:
        return ""
    left, dated, rated = source.left()
    if left:
        return f", {left:,} of which pass the filter"
    options = " ".join(f"--{key.replace('_', '-')} {value}" for key, value in said.items())
    lacking = [
        what for what, keys, has in (("dates", ("since", "until"), dated), ("ratings", ("min_rating",), rated))
        if not has and any(key in said for key in keys)
    ]  # fmt: skip
    why = f": its records have no {' and no '.join(lacking)}" if lacking else ""
    raise BadInput(f"{named}: none of {source.games:,} games passes {options}{why}")


def _learn(source: Any, out: Path, config: Any, about: dict[str, Any], seed: int, as_json: bool) -> None:
    """Count the tables and learn the networks, those that are not there yet."""
    import numpy as np

    from kibitz.arena.skat.lessons import CHOOSING, NEW_DEALS, NEW_PLAYERS, PARTS, TRAINING
    from kibitz.arena.skat.rows import LESSONS
    from kibitz.learn.imitation import fit
    from kibitz.search.network import Network, save_network

    if "networks" not in about or not (out / "tables.npz").exists():
        counted: dict[str, Any] = source.tables(seed)
        with whole_file(out / "tables.npz") as file:
            np.savez_compressed(file, **counted)
    learned: dict[str, Any] = about.setdefault("networks", {})
    for place, lesson in enumerate(LESSONS.values()):
        if lesson.name in learned and (out / f"{lesson.name}.npz").exists():
            _say(f"{lesson.name}: already learned", as_json)
            continue
        count = source.about(lesson)
        if not count:
            (out / f"{lesson.name}.npz").unlink(missing_ok=True)  # of what was learned before, if anything was
            _say(f"{lesson.name}: there is nothing to learn it from", as_json)
            continue
        held = {part: source.measured(lesson, part, seed) for part in (CHOOSING, NEW_DEALS, NEW_PLAYERS)}

        def stream(epoch: int, lesson: Any = lesson, place: int = place) -> Iterator[Any]:
            return source.examples(lesson, rng.generator(seed, "imitation", place, epoch), TRAINING)

        fitted = fit(
            lesson.form, (lesson.inputs, lesson.outputs), stream, count, held[CHOOSING],
            {PARTS[part]: found for part, found in held.items() if found is not None}, config, seed,
        )  # fmt: skip
        save_network(out / f"{lesson.name}.npz", Network(tuple(fitted.weights), tuple(fitted.biases)))
        learned[lesson.name] = {
            "form": lesson.form, "examples": fitted.examples, "seen": fitted.seen,
            "seconds": round(fitted.seconds, 1), "losses": {part: round(loss, 4) for part, loss in
            fitted.losses.items()},
        }  # fmt: skip
        _write_about(out, about)
        _say(f"{lesson.name}: {_fitted(fitted)}", as_json)
    _write_about(out, about)


def _fitted(fitted: Any) -> str:
    """How well a network has learned, for people."""
    losses = ", ".join(f"{part} {loss:.3f}" for part, loss in fitted.losses.items())
    return f"{fitted.examples:,} examples, {fitted.seconds:.0f} s; mean negative log probability: {losses}"


def _files(records: list[Path]) -> list[Path]:
    """The files of records that are named, or lie in folders that are."""
    from kibitz.arena.skat.shards import ENDINGS

    found = []
    for path in records:
        if not path.exists():
            raise BadInput(f"--records {path}: there is no such file or folder")
        inside = sorted(path.iterdir()) if path.is_dir() else [path]
        found += [file for file in inside if inner_suffix(file) in ENDINGS]
    if not found:
        raise BadInput(
            f"--records {', '.join(map(str, records))}: there are no records; they are files that end in "
            f"{', '.join(ENDINGS)}, which may be packed (.bz2, .gz, .zst)"
        )
    return found


def _filter(chosen: Mapping[str, Any]) -> Any:
    """What is asked for, as a filter."""
    from kibitz.arena.skat.lessons import Filter

    types = tuple(word.strip() for word in (chosen.get("types") or "").split(",") if word.strip())
    for word in types:
        if word not in TYPES:
            raise BadInput(f"--types {word}: there is no such type; there are {', '.join(TYPES)}")
    rating = chosen.get("min_rating")
    since, until = chosen.get("since"), chosen.get("until")
    first, last = _day("since", since, "01", Filter.since), _day("until", until, "31", Filter.until)
    if first > last:
        raise BadInput(f"--since {since} --until {until} leaves no day: the first is the earlier one")
    return Filter(
        frozenset(name.strip() for name in (chosen.get("players") or "").split(",") if name.strip()),
        int(chosen.get("min_games") or 0), Filter.min_rating if rating is None else float(rating),
        first, last, types,
    )  # fmt: skip


def _day(option: str, said: str | None, rest: str, unsaid: int) -> int:
    """A day as one number, from 2009, 2009-05 or 2009-05-31."""
    if said is None:
        return unsaid
    try:
        found = DAY.fullmatch(said.strip())
        if not found:
            raise ValueError
        date(int(found[1]), int(found[2] or 1), int(found[3] or 1))  # such a day must be
    except ValueError:
        raise BadInput(f"--{option} {said} is not possible: write a year, a month or a day, like 2009-05-31") from None
    return int(found[1] + (found[2] or ("01" if rest == "01" else "12")) + (found[3] or rest))


def _told(chosen: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in chosen.items() if value not in (None, "", 0)}


def _play_pool(
    game: Game, folder: Path, longest: int, threads: int, part: Part | None, join: bool, hands: Executor,
) -> None:  # fmt: skip
    """Play the games of the pool's tables that are not in the folder yet; a part of them goes to the shards."""
    shelf = games_shelf(folder.parent / PLAYED)
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


def _configured(config: Any, changes: dict[str, str]) -> tuple[dict[str, int], Any]:
    """How many games a table of the pool and strong players play at most, in how many rounds; how it is learned."""
    plan = {"games": max(table.games for table in TABLES), "rounds": 0, "strong": 1500}
    for key, value in changes.items():
        if key not in KEYS:
            raise BadInput(f"--with {key}={value}: there is no such setting; there are {', '.join(KEYS)}")
        try:
            if key in plan:
                plan[key] = int(value)
                if plan[key] < (key != "rounds"):
                    raise ValueError
            elif key == "layers":
                config = replace(config, layers=tuple(int(part) for part in value.split(",")))
            else:
                config = replace(config, **{key: type(getattr(config, key))(value)})
        except ValueError:
            raise BadInput(f"--with {key}={value} is not possible: it takes numbers above 0") from None
    return plan, config


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
