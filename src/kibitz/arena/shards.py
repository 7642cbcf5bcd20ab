"""Pieces of a match that can be played anywhere, at any time, once: a run of deals in all its seatings."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from kibitz.arena.batched import MOST_LOGGED
from kibitz.arena.chunk import Chunk
from kibitz.arena.continued import Start, check_fair, play_starts
from kibitz.arena.parts import Shelf
from kibitz.arena.play import play
from kibitz.arena.scoresheet import Scorer, ScoreSheet, interleaved
from kibitz.arena.seatings import Form, role_names
from kibitz.bots import CompiledBot, make_bot
from kibitz.core.errors import BadInput
from kibitz.core.game import Game
from kibitz.core.policy import Bot, OneByOne
from kibitz.core.record import Record, write_record
from kibitz.core.shipped import files_named, found_model
from kibitz.core.work import Countable

SHEET = 1
"""Bumped when the meaning of a kept shard changes."""
COMPILED_DEALS, BATCHED_DEALS, SLOW_DEALS, RECORDED_DEALS = 16384, 1024, 16, 256
"""Deals in a shard, by what the slowest bot is; results do not depend on it."""

Player = str | Bot
"""A bot, or the spec of one."""
Side = Player | Sequence[Player]
"""One bot in all seats of a side, or several that take its seats in turn: `a+b` as a spec."""


@dataclass(frozen=True)
class Shard(Countable):
    """Deals `first` .. `first` + `count` - 1 of a match."""

    game: Game
    sides: tuple[tuple[Player, ...], tuple[Player, ...]]
    form: Form
    seed: int
    first: int
    count: int
    batch: int = 1024
    move_time: float | None = None
    records: str | None = None
    """The ending of the file that records are for, or None if none are wanted."""
    starts: tuple[Start, ...] = ()
    """One for each deal where games go on from given states; without them they begin with the deal."""
    may_look: bool = False
    """Whether bots may be shown all cards, as experiments with `starts` may say."""

    @property
    def key(self) -> str:
        """A name for everything the result depends on, down to the bytes of the files that bots are read from."""
        game = self.game
        facts = [
            SHEET, game.name, dict(game.options), game.version,
            [[identity(one) for one in side] for side in self.sides], self.form.names, self.seed, self.first,
            self.count, self.move_time, self.records,
        ]  # fmt: skip
        if self.starts:
            facts += [[one.number, one.state.tolist()] for one in self.starts]
        return hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:24]

    @property
    def reads(self) -> list[str]:
        """The files and folders that bots are read from, as they are named."""
        return [name for side in self.sides for one in side if isinstance(one, str) for name in files_named(one)]

    @property
    def kin(self) -> str:
        """Shards of one kin need the same compiled code."""
        return f"{self.game.tag} {[side_name(side) for side in self.sides]} {self.form.names} {self.records}"


def line_up(side: Side) -> tuple[Player, ...]:
    """The players of a side."""
    if isinstance(side, str):
        return tuple(part.strip() for part in side.split("+") if part.strip())
    return tuple(side) if isinstance(side, Sequence) else (side,)


def side_name(side: Sequence[Player]) -> str:
    """What a side is called in results."""
    return "+".join(one if isinstance(one, str) else one.name for one in side)


def seated(game: Game, side: Sequence[Player], *, may_look: bool = False) -> list[Bot]:
    """The bots of a side; those that are given as specs are made once in each process."""
    bots = [_made(game, one) if isinstance(one, str) else one for one in side]
    if not may_look:
        check_fair(bots)
    return bots


@lru_cache(maxsize=32)
def _made(game: Game, spec: str) -> Bot:
    return make_bot(game, spec)


def forget_bots() -> None:
    """Make bots again when they are next asked for: their files have changed."""
    _made.cache_clear()


def identity(player: Player) -> list[str]:
    """A bot's spec, with digests of the files it is read from."""
    spec = player if isinstance(player, str) else player.name
    files = [_file(part) for part in spec.split(":")[1:] if part and "=" not in part]
    return [spec, *(_digest(path, *_stamp(path)) for path in files if path.is_file())]


@lru_cache(maxsize=256)
def _digest(path: Path, changed: int, size: int) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _stamp(path: Path) -> tuple[int, int]:
    found = path.stat()
    return found.st_mtime_ns, found.st_size


def _file(part: str) -> Path:
    """The file a word of a spec may mean: one that was named, a shipped table, or a model's card,
    which tells its weights' digest."""
    given = found_model(part)
    return given / "card.json" if given.is_dir() else found_model(part, ".npz")


def shard_deals(bots: Sequence[Bot], with_records: bool) -> int:
    """How many deals make a shard."""
    if any(isinstance(bot, OneByOne) for bot in bots):
        return SLOW_DEALS
    if with_records:
        return RECORDED_DEALS
    return COMPILED_DEALS if all(isinstance(bot, CompiledBot) for bot in bots) else BATCHED_DEALS


def cut(whole: Shard, size: int) -> list[Shard]:
    """A shard as several of at most so many deals."""
    if whole.records is not None:
        size = max(1, min(size, MOST_LOGGED // (whole.game.LONGEST * len(whole.form.seatings))))
    ends = range(whole.first, whole.first + whole.count, size)
    return [
        replace(
            whole, first=at, count=min(size, whole.first + whole.count - at),
            starts=whole.starts[at - whole.first : at - whole.first + size],
        )
        for at in ends
    ]  # fmt: skip


def play_shard(shard: Shard) -> ScoreSheet:
    """Play all games of a shard."""
    game, form = shard.game, shard.form
    sides = [seated(game, side, may_look=shard.may_look) for side in shard.sides]
    scorer = Scorer(form, len(role_names(game, form)), shard.first, shard.count)
    lines: list[list[str]] = []
    for k, seating in enumerate(form.seatings):
        bots = _places(sides, seating)
        lines.append([])
        for chunk in _chunks(shard, bots):
            scorer.add(k, chunk)
            if shard.records is not None:
                lines[k] += _lines(shard, bots, chunk)
    sheet = scorer.sheet()
    return sheet if shard.records is None else ScoreSheet(**{**vars(sheet), "lines": interleaved(lines)})


def _chunks(shard: Shard, bots: Sequence[Bot]) -> Iterable[Chunk]:
    """The games of one seating."""
    by_soloist = shard.form.by_soloist
    if shard.starts:
        game, seed, look = shard.game, shard.seed, shard.may_look
        return [play_starts(game, bots, shard.starts, seed, first=shard.first, by_soloist=by_soloist, may_look=look)]
    return play(
        shard.game, bots, shard.count, shard.seed, first=shard.first, batch=shard.batch,
        keep_log=shard.records is not None, by_soloist=by_soloist, catch=True, move_time=shard.move_time,
    )  # fmt: skip


def sheet_shelf(folder: str | Path) -> Shelf[Shard, ScoreSheet]:
    """A folder of finished shards."""
    return Shelf(Path(folder), _load, lambda path, sheet: sheet.save(path))


def _load(path: Path, shard: Shard) -> ScoreSheet | None:
    return ScoreSheet.load(path, shard.form, len(role_names(shard.game, shard.form)), shard.first, shard.count)


def _places(sides: Sequence[Sequence[Bot]], seating: Sequence[int]) -> list[Bot]:
    """The bot of each place: a side's bots take its seats in turn."""
    taken = [0, 0]
    bots: list[Bot] = []
    for side in seating:
        bots.append(sides[side][taken[side] % len(sides[side])])
        taken[side] += 1
    return bots


def _lines(shard: Shard, bots: Sequence[Bot], chunk: Chunk) -> list[str]:
    """The records of a chunk; one that was broken off is empty where the format has no place for it."""
    game, seats = shard.game, shard.game.PLAYERS
    broken = {failure.number: failure.record for failure in chunk.failures}
    foreign = getattr(game.words, "RECORD_FORMATS", {}).get(shard.records)
    lines = []
    for i in range(len(chunk.length)):
        number = chunk.first + i
        record: Record | None = broken.get(number)
        if record is None:
            names = [bots[(seat - int(chunk.soloist[i])) % seats].name for seat in range(seats)]
            record = write_record(game, shard.seed, number, names, chunk.log[i, : chunk.moves[i]].tolist())
        if foreign:
            lines.append("" if number in broken else str(foreign(game, record)))
        else:
            lines.append(record.line())
    return lines


def two_sides(game: Game, bots: Sequence[Side]) -> tuple[tuple[Player, ...], tuple[Player, ...]]:
    """A and B, with every spec checked."""
    if len(bots) != 2:
        raise BadInput(f"a match is between two, not {len(bots)}: name two bots, or use a tournament")
    first, second = line_up(bots[0]), line_up(bots[1])
    for side in (first, second):
        if not side:
            raise BadInput("a side without a bot cannot play: name two bots, separated by a comma")
        seated(game, side)
    return first, second
