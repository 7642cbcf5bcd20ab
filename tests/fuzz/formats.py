"""Every format that kibitz reads: a good file, hostile variants of it, and what is done with what was read.

A format is a class with `write(folder, luck)`, which leaves a variant in a folder, and `use(folder)`, which reads it
and uses it as the project would, kernels included.
"""

from __future__ import annotations

import hashlib
import json
import random
import shutil
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.core.batch import Batch
from kibitz.core.errors import BadInput
from kibitz.core.game import make
from tests.fuzz.hostile import Still, json_text, mutated, mutated_arrays, npz_bytes


def arrays_of(path: Path) -> dict[str, np.ndarray]:
    with np.load(path) as data:
        return {name: data[name] for name in data.files}


class Records:
    """Lines of records, replayed with what every seat knew."""

    @cached_property
    def samples(self) -> list[dict[str, Any]]:
        from kibitz.arena.skat.archive import sort_records
        from kibitz.core.record import write_record
        from tests.naive.iss_examples import RECORDS

        leduc = write_record(make("leduc"), 1, 0, ["random", "random"], [1, 1, 5, 1, 1])
        skat = sort_records([RECORDS[0].text])[0].record(0)
        return [{"kibitz": 1, **vars(one)} for one in (leduc, leduc, skat)]

    def write(self, folder: Path, luck: random.Random) -> None:
        (folder / "games.jsonl").write_bytes(json_text(mutated(luck.choice(self.samples), luck), luck) + b"\n")

    def use(self, folder: Path) -> None:
        from kibitz.arena.analysis import moments, recorded_game
        from kibitz.arena.skat.shards import Stretch, make_shard
        from kibitz.cli.skat.iss import archive_lines
        from kibitz.core.record import last_position

        path = folder / "games.jsonl"
        make_shard(Stretch(".jsonl", path.read_bytes()))
        record = recorded_game(path, 1)
        for moment in moments(record):
            for seat in range(len(record.seats)):
                moment.knew(seat)
        str(last_position(record))
        if record.game.startswith("skat"):
            "\n".join(archive_lines(path)).encode()


class Beside:
    """What import keeps beside the records of an archive."""

    @cached_property
    def samples(self) -> tuple[list[Any], str]:
        from kibitz.arena.skat.archive import sort_records
        from tests.naive.iss_examples import RECORDS

        entries = sort_records([one.text for one in RECORDS[:3]])
        said = [{"number": k, "class": e.status, "iss": vars(e.game)} for k, e in enumerate(entries)]
        return json.loads(json.dumps(said)), "".join(e.record(k).line() + "\n" for k, e in enumerate(entries))

    def write(self, folder: Path, luck: random.Random) -> None:
        said, games = self.samples
        (folder / "games.jsonl").write_text(games)
        at = luck.randrange(len(said))
        lines = [
            json_text(mutated(one, luck), luck) if k == at else json.dumps(one).encode() for k, one in enumerate(said)
        ]
        (folder / "games.iss.jsonl").write_bytes(b"\n".join(lines))

    def use(self, folder: Path) -> None:
        from kibitz.cli.skat.iss import archive_lines

        list(archive_lines(folder / "games.jsonl"))


class Archives:
    """Records of the Internet Skat Server."""

    WORDS = ("??", "w", "0", "3", "-1", "RE", "SC", "SC.??", "LE.1", "TI.9", "LE", "G", "NO.", "C.C7.C7", "1" * 5000,
        "s", "p", "y", "18",
             "999", "CJ", "[", "]", ";)", "(;", "#", "\ud800", "\x00", "." * 3000, "|", "GHOSZ" * 99, "MV[",
             "R[d:0]")  # fmt: skip

    def write(self, folder: Path, luck: random.Random) -> None:
        from tests.naive.iss_examples import RECORDS

        words = luck.choice(RECORDS).text.split(" ")
        for _ in range(0 if isinstance(luck, Still) else luck.choice([1, 1, 2, 5])):
            at = luck.randrange(len(words))
            kind = luck.randrange(4)
            if kind == 0:
                words[at] = luck.choice(self.WORDS)
            elif kind == 1:
                words.insert(at, luck.choice(self.WORDS))
            elif kind == 2:
                del words[at]
                words = words or ["(;"]
            else:
                words[at] = words[at] * luck.choice([2, 300])
        (folder / "games.sgf").write_bytes(" ".join(words).encode("utf-8", "surrogatepass"))

    def use(self, folder: Path) -> None:
        from kibitz.arena.skat.archive import read_archive
        from kibitz.arena.skat.shards import Stretch, make_shard
        from kibitz.core.record import last_position

        make_shard(Stretch(".sgf", (folder / "games.sgf").read_bytes()))
        text = (folder / "games.sgf").read_bytes().decode("latin-1")
        for entry in read_archive(text.splitlines(keepends=True)):
            if entry.status != "CORRUPT":
                last_position(entry.record(0))


class Npz:
    """Files of arrays in general."""

    file = "x.npz"
    texts: tuple[str, ...] = ()

    def samples(self) -> list[dict[str, np.ndarray]]:
        raise NotImplementedError

    @cached_property
    def made(self) -> list[dict[str, np.ndarray]]:
        return self.samples()

    def write(self, folder: Path, luck: random.Random) -> None:
        arrays = luck.choice(self.made)
        (folder / self.file).write_bytes(npz_bytes(mutated_arrays(arrays, luck, self.texts), luck))


@cache
def views(name: str, steps: int = 3) -> list[Any]:
    batch = Batch(make(name), 16, seed=1)
    found = []
    for _ in range(steps):
        rows = np.flatnonzero(batch.turn >= 0)
        found.append(batch.views(rows))
        batch.step(np.where(batch.mask.any(axis=1), batch.mask.argmax(axis=1), 0))
    return found


class Tables(Npz):
    """Tabular policies, of a game as it is and through an abstraction."""

    texts = ("header",)

    def samples(self) -> list[dict[str, np.ndarray]]:
        import tempfile

        from kibitz.core.shipped import shipped_folder
        from kibitz.core.tree import unroll
        from kibitz.tabular.cfr import Solver
        from kibitz.tabular.table import from_tree

        tree = unroll(make("leduc"))
        solver = Solver(tree, "cfr+")
        with tempfile.TemporaryDirectory() as folder:
            from_tree(tree, solver.average(), {"method": "cfr+"}).save(Path(folder) / "t.npz")
            plain = arrays_of(Path(folder) / "t.npz")
        through = arrays_of(shipped_folder() / "cheat-paper.npz")
        few = _few(through, 300)
        return [plain, plain, plain, plain, few, few, few, few, through]

    def use(self, folder: Path) -> None:
        from kibitz.bots import make_bot

        for name in ("leduc", "cheat-paper"):
            try:
                bot = make_bot(make(name), f"table:{folder / self.file}")
            except ValueError as problem:
                if "was made for" in str(problem):
                    continue
                raise
            for seen in views(name):
                if len(seen):
                    bot.act_batch(seen)


def _few(arrays: dict[str, np.ndarray], rows: int) -> dict[str, np.ndarray]:
    offset = arrays["offset"][: rows + 1]
    return {
        **arrays, "seat": arrays["seat"][:rows], "key": arrays["key"][:rows], "offset": offset,
        "choice": arrays["choice"][: offset[-1]], "policy": arrays["policy"][: offset[-1]],
    }  # fmt: skip


class Solving(Npz):
    """Checkpoints of solvers, gone on with for a few iterations."""

    texts = ("label",)
    METHODS = ("external", "cfr+", "chance")

    def label(self, method: str) -> dict[str, Any]:
        return {"game": "leduc", "method": method, "seed": 1}

    def samples(self) -> list[dict[str, np.ndarray]]:
        from kibitz.tabular.solving import FORMAT

        found = []
        for method, is_paused in (("external", False), ("external", True), ("cfr+", False), ("chance", True)):
            text = json.dumps({"format": FORMAT, **self.label(method)}, sort_keys=True).encode()
            state = {name: np.asarray(array) for name, array in self.run(method, is_paused).state().items()}
            assert is_paused == ("walk_where.0" in state)
            found.append({"label": np.frombuffer(text, np.uint8), **state})
        return found

    def run(self, method: str, is_paused: bool) -> Any:
        from kibitz.tabular import mccfr
        from kibitz.tabular.solving import start

        run = start(make("leduc"), method)
        run.run(30)
        real, mccfr.NODES = mccfr.NODES, 5
        try:
            while is_paused and run.shards[0].walk.where[2] < 2:
                run.run_to(1000, until=0.0)
        finally:
            mccfr.NODES = real
        return run

    def use(self, folder: Path) -> None:
        from kibitz.tabular.solving import load_checkpoint, start

        for method in self.METHODS:
            run = start(make("leduc"), method)
            try:
                load_checkpoint(folder / self.file, run, self.label(method))
            except BadInput as problem:
                if "another run" in str(problem):
                    continue
                raise
            run.run(2)
            run.table({"method": method})


class Models:
    """Folders of networks: the card, and weights with the digest adjusted."""

    @cached_property
    def sample(self) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        from kibitz.learn.network import Network
        from kibitz.learn.senses import sense

        game = make("leduc")
        seen = sense(game)
        network = Network(seen.size, game.ACTIONS, (8,), seed=4)
        card = {
            "game": "leduc", "options": dict(game.options), "version": game.version, "observation": seen.kind,
            "senses": seen.size, "actions": game.ACTIONS, "layers": [8], "form": "actions", "kind": "values",
            "seats": [0, 0], "method": "dmc", "config": {"rate": 1.0}, "command": "", "seed": 1, "frames": 10,
            "seconds": 1.0, "scores": {"seat 0 against random": {"mean": 0.5, "se": 0.1, "won": 0.5, "games": 64}},
            "format": 1, "note": "",
        }  # fmt: skip
        return card, {f"0.{name}": value.numpy() for name, value in network.state_dict().items()}

    def write(self, folder: Path, luck: random.Random) -> None:
        from safetensors.numpy import save

        card, weights = self.sample
        is_weights = luck.random() < 0.5
        try:
            data = save(mutated_arrays(weights, luck) if is_weights else weights)
        except Exception:
            data = save({"x": np.zeros(2, np.float32)})
        if is_weights and luck.random() < 0.4 and not isinstance(luck, Still):
            data = _spoiled_weights(data, luck)
        (folder / "w.safetensors").write_bytes(data)
        card = {**card, "file": "w.safetensors", "sha256": hashlib.sha256(data).hexdigest()}
        text = json_text(card if is_weights else mutated(card, luck), luck)
        (folder / "card.json").write_bytes(text)

    def use(self, folder: Path) -> None:
        from kibitz.bots import make_bot

        bot = make_bot(make("leduc"), f"net:{folder}")
        for seen in views("leduc"):
            if len(seen):
                bot.act_batch(seen)


def _spoiled_weights(data: bytes, luck: random.Random) -> bytes:
    """The header says something else, or the bytes are damaged."""
    length = int.from_bytes(data[:8], "little")
    head, body = json.loads(data[8 : 8 + length]), data[8 + length :]
    kind = luck.randrange(4)
    if kind == 0:
        text = json_text(mutated(head, luck), luck)
        return len(text).to_bytes(8, "little") + text + body
    if kind == 1:
        return luck.choice([2**63, 2**64 - 1, 0, 10**9, length + 1, length - 1]).to_bytes(8, "little") + data[8:]
    if kind == 2:
        return data[: luck.randrange(len(data))]
    return data + b"\x00" * luck.choice([1, 64, 2 * 10**6])


class Learners(Npz):
    """Checkpoints of learners, gone on with for one round."""

    texts = ("label",)
    SETTINGS = {
        "dmc": {"layers": "6", "games": "8", "batch": "8"},
        "nfsp": {"layers": "6", "policy_layers": "6", "games": "8", "batch": "8", "policy_batch": "8", "replay": "64",
            "reservoir": "64"},
        "deep-cfr": {"layers": "6", "traversals": "8", "memory": "64", "policy_memory": "64", "steps": "2",
            "policy_steps": "2",
                     "batch": "8", "policy_batch": "8"},
    }  # fmt: skip

    @cache  # noqa: B019
    def plan(self, method: str) -> Any:
        from kibitz.learn.run import Plan, configured
        from kibitz.learn.seats import Seating

        seating = Seating((0,), rivals=("random", "snapshot"), snapshots=2, snapshot_rounds=1)
        return Plan(make("kuhn"), method, configured(method, "default", self.SETTINGS[method]), seating, frames=1000)

    def learner(self, method: str) -> Any:
        import torch

        from kibitz.bots import make_bot
        from kibitz.learn.run import make_learner

        torch.set_num_threads(1)
        plan = self.plan(method)
        return make_learner(plan, {"random": make_bot(plan.game, "random")})[1]

    def samples(self) -> list[dict[str, np.ndarray]]:
        found = []
        for method in self.SETTINGS:
            learner = self.learner(method)
            for _ in range(2):
                learner.round(0.1)
            text = json.dumps({"format": 1, **self.plan(method).label()}, sort_keys=True).encode()
            found.append({"label": np.frombuffer(text, np.uint8), "spent": np.array(1.0), **learner.state()})
        return found

    def use(self, folder: Path) -> None:
        from kibitz.learn.checkpoint import load_checkpoint, take_up

        for method in self.SETTINGS:
            try:
                arrays = load_checkpoint(folder / self.file, self.plan(method).label())
            except BadInput as problem:
                if "another run" in str(problem):
                    continue
                raise
            del arrays["spent"]
            learner = self.learner(method)
            take_up(folder / self.file, learner, arrays)
            learner.round(0.2)


class Journals:
    """The journal of a search for settings: two finished trials, nothing more to be trained."""

    FIXED = {"layers": "6", "games": "32", "batch": "32"}

    def plan(self) -> Any:
        from kibitz.learn.run import Plan, configured
        from kibitz.learn.seats import Seating

        return Plan(
            make("kuhn"),
            "dmc",
            configured("dmc", "default", self.FIXED),
            Seating((0,)),
            frames=100,
            evaluation_games=64,
        )

    @cached_property
    def sample(self) -> tuple[Path, list[Any]]:
        import tempfile

        from kibitz.bots import make_bot
        from kibitz.learn.tune import JOURNAL, search

        folder = Path(tempfile.mkdtemp(prefix="kibitz-fuzz-"))
        search(self.plan(), "default", self.FIXED, 2, folder, make_bot)
        return folder, [json.loads(line) for line in (folder / JOURNAL).read_text().splitlines()]

    def write(self, folder: Path, luck: random.Random) -> None:
        from kibitz.learn.tune import JOURNAL

        source, lines = self.sample
        for trial in source.glob("trial*"):
            if not (folder / trial.name).exists():
                shutil.copytree(trial, folder / trial.name)
        kind = 0.0 if isinstance(luck, Still) else luck.random()
        texts = [json.dumps(line).encode() for line in lines]
        at = luck.randrange(len(texts))
        if kind < 0.8:
            texts[at] = json_text(mutated(lines[at], luck), luck)
        elif kind < 0.87:
            del texts[at]
        elif kind < 0.94:
            texts.insert(luck.randrange(len(texts)), texts[at])
        else:
            luck.shuffle(texts)
        (folder / JOURNAL).write_bytes(b"\n".join(texts) + b"\n")

    def use(self, folder: Path) -> None:
        from kibitz.bots import make_bot
        from kibitz.learn import trials, tune

        real, trials.train = trials.train, _no_training
        try:
            found = tune.search(self.plan(), "default", self.FIXED, 2, folder, make_bot)
        finally:
            trials.train = real
        told = {trial.number: (trial.score, trial.settings, trial.frames) for trial in found}
        assert told == self.right, "other answers than the search found"

    @cached_property
    def right(self) -> dict[int, Any]:
        from kibitz.bots import make_bot
        from kibitz.learn.tune import search

        found = search(self.plan(), "default", self.FIXED, 2, self.sample[0], make_bot)
        return {trial.number: (trial.score, trial.settings, trial.frames) for trial in found}


def _no_training(*words: Any) -> Any:
    raise BadInput("the journal has too few trials left, and none is trained here")


class Sheets(Npz):
    """Kept shards of a tournament."""

    texts = ("notes",)

    @cached_property
    def shard(self) -> Any:
        from kibitz.arena.seatings import form_of
        from kibitz.arena.shards import Shard

        game = make("leduc")
        return Shard(game, (("random",), ("leduc-rule",)), form_of(game, None), 1, 0, 6, records=".jsonl")

    def samples(self) -> list[dict[str, np.ndarray]]:
        import tempfile
        from dataclasses import replace

        from kibitz.arena.chunk import Failure
        from kibitz.arena.scoresheet import Spoiled
        from kibitz.arena.shards import play_shard
        from kibitz.core.record import write_record

        record = write_record(make("leduc"), 1, 0, ["random", "random"], [1])
        sheet = play_shard(self.shard)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "s.npz"
            replace(sheet, spoiled=(Spoiled(0, "AB", Failure("x", 0, 0, 1, "it raised", record)),)).save(path)
            return [arrays_of(path)]

    def use(self, folder: Path) -> None:
        from kibitz.arena.match import summary
        from kibitz.arena.scoresheet import ScoreSheet
        from kibitz.arena.seatings import role_names

        shard = self.shard
        roles = len(role_names(shard.game, shard.form))
        sheet = ScoreSheet.load(folder / self.file, shard.form, roles, shard.first, shard.count)
        if sheet is not None and len(sheet) > 1:
            json.dumps(summary(shard, ScoreSheet.joined([sheet])).as_json())


class Results:
    """Kept results of experiments, made into a report."""

    @cached_property
    def sample(self) -> dict[str, Any]:
        from kibitz.arena.statistics import Score, WinRate
        from kibitz.papers.charts import bars, curves, histograms, pairs
        from kibitz.papers.result import Claim, Figure, Published, Result, Table, Verdict, to_json

        row = [
            "a",
            1,
            0.5,
            Published(1.0, 0.1, "%"),
            Score(1.0, 0.1, 9),
            WinRate(3, 9),
            WinRate(3, 9, 1.5, 5),
            Verdict("agrees", "x"),
            float("nan"),
            None,
        ]
        table = Table("c", [str(k) for k in range(len(row))], [row])
        claim = Claim("k", "it says", Published(1.0), Score(1.0, 0.1, 9), Verdict("missed", "x"), "a reason")
        charts = [
            curves({"a": ([1, 10], [1, 2], [0, 1], [2, 3])}, "x", "y", {"p": 1.5}, log_x=True),
            histograms({"a": [1, 2, 2], "b": [1, 3]}, "x"),
            pairs(["a", "b"], [1.0, None], [2.0, 3.0], [0.1, 0.2], "x"),
            bars([0.3, 0.2], 1, ("high", "low"), "x", "y"),
        ]
        figures = [Figure("f", "<svg></svg>"), *(Figure(chart["kind"], chart=chart) for chart in charts)]
        result = Result(
            "t", [table], figures, ["note"], [claim], "kuhn.value", "p", "about", "full", "kibitz", 1, commits=["abc"]
        )
        return json.loads(to_json(result))

    def write(self, folder: Path, luck: random.Random) -> None:
        (folder / "kuhn.value.json").write_bytes(json_text(mutated(self.sample, luck), luck))

    def use(self, folder: Path) -> None:
        from kibitz.papers.report import write_report

        write_report(folder)


class Ladders:
    """Kept ladders, made into the page."""

    @cached_property
    def sample(self) -> dict[str, Any]:
        from kibitz.papers.ladder import KEPT

        return json.loads((KEPT / "kuhn.json").read_text())

    def write(self, folder: Path, luck: random.Random) -> None:
        (folder / "kuhn.json").write_bytes(json_text(mutated(self.sample, luck), luck))

    def use(self, folder: Path) -> None:
        from kibitz.papers.ladder import kept_ladders, page

        page(kept_ladders(folder))


class KeptPieces:
    """Finished pieces of experiments, and the state of one that is not finished."""

    def opened(self, folder: Path) -> Any:
        from kibitz.papers.pieces import Pieces

        return Pieces(folder, "whist.value", 1, "full", 1)

    def marked(self, folder: Path) -> Any:
        from kibitz.papers.pieces import Bookmark

        pieces = self.opened(folder)
        return Bookmark(pieces, pieces._file("long", 1, (), ""))

    @cached_property
    def samples(self) -> tuple[Path, dict[str, Any], Path, dict[str, np.ndarray]]:
        import tempfile

        with tempfile.TemporaryDirectory() as made:
            folder = Path(made)
            self.opened(folder).piece("one", 1, lambda: {"a": [1, 2.5, float("nan")]})
            (piece,) = folder.rglob("*.json")
            mark = self.marked(folder)
            mark.saved -= 100
            mark.keep(lambda: {"state": np.ones(9)}, ["notes", float("inf")])
            state = mark.path
            relative = piece.relative_to(folder), state.relative_to(folder)
            return relative[0], json.loads(piece.read_text()), relative[1], arrays_of(state)

    def write(self, folder: Path, luck: random.Random) -> None:
        piece, said, state, arrays = self.samples
        (folder / piece).parent.mkdir(parents=True, exist_ok=True)
        (folder / piece).write_bytes(json_text(mutated(said, luck), luck))
        (folder / state).write_bytes(npz_bytes(mutated_arrays(arrays, luck, ("about",)), luck))

    def use(self, folder: Path) -> None:
        found = self.opened(folder).piece("one", 1, lambda: "again")
        assert found == "again" or found["a"][:2] == [1, 2.5]
        self.marked(folder).take_up(lambda arrays: arrays.get("state"))


class Inference(Npz):
    """Small networks and tables of Skat players, and those of Coinche bidders."""

    def samples(self) -> list[dict[str, np.ndarray]]:
        from kibitz.core.shipped import shipped_folder

        skat = shipped_folder() / "skat-inference"
        bidder = shipped_folder() / "coinche-bidder"
        return [
            arrays_of(path)
            for path in (
                skat / "pickup.npz",
                skat / "tables.npz",
                bidder / "calls.npz",
                bidder / "network.npz",
                bidder / "caller.npz",
            )
        ]

    def use(self, folder: Path) -> None:
        from kibitz.search.coinche import caller, calls, network
        from kibitz.search.network import load_network
        from kibitz.search.skat.inference import ki
        from kibitz.search.skat.inference.policies import SHAPES

        inputs, outputs = SHAPES["pickup"]
        path = folder / self.file
        shutil.copy(path, folder / "tables.npz")
        ki._read.cache_clear()
        for read in (
            lambda: load_network(path, inputs, outputs)(np.zeros((2, inputs), np.float32)),
            lambda: ki.read_tables(folder),
            lambda: calls.load(path),
            lambda: caller.load(path)(np.zeros((2, caller.INPUTS), np.float32)),
            lambda: network.load(path)(np.zeros((2, network.INPUTS), np.float32)),
        ):
            try:
                read()
            except BadInput:
                continue


FORMATS: dict[str, Any] = {
    "records": Records(), "beside": Beside(), "archives": Archives(), "tables": Tables(), "solving": Solving(),
    "models": Models(), "learners": Learners(), "journals": Journals(), "sheets": Sheets(), "results": Results(),
    "ladders": Ladders(), "pieces": KeptPieces(), "inference": Inference(),
}  # fmt: skip
