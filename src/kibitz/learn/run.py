"""A training run: rounds of a learner, evaluations against fixed baselines, metrics, checkpoints that survive a kill.

The folder of a run holds the model (card.json and its weights), metrics.jsonl and checkpoint.npz, and one process at a
time trains in it. A run bounded by frames in one process gives the same weights and scores to the last bit however
often it was interrupted: everything random is a function of (seed, round), and a checkpoint holds all the rest.
"""

from __future__ import annotations

import dataclasses
import importlib
import json
import math
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import torch

from kibitz.core import rng
from kibitz.core.arrays import Arrays
from kibitz.core.errors import BadInput, BadOption
from kibitz.core.files import LOCK, is_part, sole_writer, sweep_folder, whole_file
from kibitz.core.game import Game, package_of
from kibitz.core.policy import Bot
from kibitz.core.schema import read_json
from kibitz.core.work import Executor
from kibitz.learn import methods, own_methods, own_presets
from kibitz.learn.checkpoint import all_finite, load_checkpoint, save_checkpoint, take_up
from kibitz.learn.model import CARD, POLICY, Card, read_card, save_model
from kibitz.learn.network import Network
from kibitz.learn.seats import SNAPSHOT, Seating, Seats, opposed
from kibitz.learn.selfplay import Actor, SelfPlay
from kibitz.learn.senses import Sense, sense
from kibitz.learn.settings import bounds
from kibitz.learn.spread import spread

CHECKPOINT = "checkpoint.npz"
METRICS = "metrics.jsonl"
EVENTS = "events.out.tfevents."
"""How TensorBoard's files begin."""
LAST_GAMES = 8
"""The last evaluation plays so many times the games of the others."""
TINY = {
    "games": 4, "batch": 4, "replay": 64, "reservoir": 64, "policy_batch": 4, "traversals": 4, "memory": 64,
    "policy_memory": 64, "tables": 2, "steps": 2, "policy_steps": 2,
}  # fmt: skip
"""Settings of the rounds that only compile."""
TINY_ROUNDS = 12
"""So many, because rivals change from round to round and each may be compiled."""


class Learner(Protocol):
    """What every method provides: its class takes (sense, seats, config, seed)."""

    method: str
    kind: str
    """What the networks say: values or policy."""
    frames: int
    """Decisions learned from so far."""
    rounds: int
    networks: list[Network]
    """Per slot: what is saved as the model."""

    def round(self, progress: float) -> dict[str, float]:
        """Play and learn one round; gives `loss` and whatever else is worth a line in the metrics."""
        ...

    def player(self, slot: int) -> Actor | Bot:
        """Who is measured as the player of a slot."""
        ...

    def state(self) -> Arrays:
        """Everything needed to go on."""
        ...

    def restore(self, arrays: Arrays) -> None:
        """Go on from there."""
        ...


@dataclass(frozen=True)
class Plan:
    """What shall be learned, how, by whom and for how long."""

    game: Game
    method: str
    config: Any
    seating: Seating = field(default_factory=Seating)
    seed: int = 1
    frames: int | None = None
    seconds: float | None = None
    baselines: tuple[str, ...] = ("random",)
    evaluation_games: int = 8192
    evaluate_every: float = 60.0
    """Seconds between evaluations."""
    checkpoint_every: float = 30.0
    """Seconds between checkpoints."""
    command: str = ""
    tensorboard: bool = False
    staleness: int = 0
    """Rounds that the weights of self-play may lag behind, where others play it."""

    def label(self) -> dict[str, Any]:
        """What must be the same for a checkpoint to be taken up."""
        return {
            "game": self.game.name, "options": dict(self.game.options), "version": self.game.version,
            "method": self.method, "config": asdict(self.config), "seating": asdict(self.seating), "seed": self.seed,
            "frames": self.frames, "seconds": self.seconds, **({"staleness": self.staleness} if self.staleness else {}),
        }  # fmt: skip


@dataclass(frozen=True)
class News:
    """What a run tells its watcher after every round."""

    frames: int
    progress: float
    per_second: float
    loss: float
    scores: Mapping[str, Any] | None = None
    doing: str = ""
    """What takes a while and is no round."""


def presets(method: str) -> Mapping[str, Any]:
    """The named configurations of a method."""
    if method not in methods():
        raise BadOption(f"there is no method {method}: there are {', '.join(methods())}")
    found: Mapping[str, Any] = importlib.import_module(methods()[method][0]).PRESETS
    return {
        **found,
        **{name: dataclasses.replace(found["default"], **own) for name, own in own_presets(method).items()},
    }


def configured(method: str, preset: str = "default", changes: Mapping[str, str] | None = None) -> Any:
    """A method's configuration: a preset with some fields changed, as somebody typed them."""
    known = presets(method)
    if preset not in known:
        raise BadOption(f"{method} has no preset {preset}: it has {', '.join(known)}")
    config = known[preset]
    fields = {one.name: getattr(config, one.name) for one in dataclasses.fields(config)}
    values: dict[str, Any] = {}
    for key, text in (changes or {}).items():
        if key not in fields:
            raise BadOption(f"{method} has no setting {key}: it has {', '.join(fields)}")
        values[key] = _read(key, text, fields[key], bounds(config, key))
    return dataclasses.replace(config, **values)


def _read(key: str, text: str, like: Any, within: tuple[float, float]) -> Any:
    try:
        if isinstance(like, bool):
            return {"on": True, "off": False, "true": True, "false": False}[text.lower()]
        if isinstance(like, tuple):
            value: Any = tuple(int(part) for part in text.split(",") if part)
        else:
            value = type(like)(text)
    except (ValueError, KeyError):
        kind = "whole numbers with commas" if isinstance(like, tuple) else f"like {like}"
        raise BadOption(f"{key}={text} is not possible: it is {kind}") from None
    if isinstance(value, str):
        return value
    least, most = within
    parts = value if isinstance(value, tuple) else (value,)
    if not parts or not all(least <= part <= most for part in parts):
        raise BadOption(f"{key}={text} is not possible: numbers from {least:g} to {most:g} are")
    return value


def make_learner(plan: Plan, bots: Mapping[str, Bot]) -> tuple[Sense, Learner]:
    """The learner of a plan, at its beginning."""
    owner = own_methods().get(plan.method)
    if owner and owner != package_of(plan.game.name):
        family = owner.rsplit(".", 1)[-1].capitalize()
        raise BadInput(f"{plan.method} learns {family} and not {plan.game.name}: use dmc")
    seen = sense(plan.game, plan.config.observation)
    module, name, _ = methods()[plan.method]
    seats = Seats(plan.game, plan.seating, bots, plan.seed)
    learner: Learner = getattr(importlib.import_module(module), name)(seen, seats, plan.config, plan.seed)
    return seen, learner


def tiny_plan(plan: Plan) -> Plan:
    """The same with rounds that only compile."""
    known = {one.name for one in dataclasses.fields(plan.config)}
    tiny = dataclasses.replace(plan.config, **{key: value for key, value in TINY.items() if key in known})
    return dataclasses.replace(plan, config=tiny)


def train(
    plan: Plan, out: Path, make_bot: Callable[[Game, str], Bot], watch: Callable[[News], None] = lambda news: None,
    executor: Callable[[], Executor] | None = None,
) -> Card:  # fmt: skip
    """Run a plan to its end, or go on with it where the folder holds its checkpoint; gives the model's card.

    With an executor others play the rounds; the learner stays here.
    """
    if (plan.frames is None) == (plan.seconds is None):
        raise BadInput("say how long to train: --time 3m or --frames 1000000, one of the two")
    names = dict.fromkeys([*plan.seating.rivals, *plan.baselines, "random"])
    bots = {name: make_bot(plan.game, name) for name in names if name != SNAPSHOT}
    seen, learner = make_learner(plan, bots)
    if executor is not None:
        spread(learner, executor, plan.staleness)
    if out.exists() and not out.is_dir():
        raise BadInput(f"{out} is no folder: give --out a new or an empty one")
    with sole_writer(out, "trained"):
        sweep_folder(out)
        run = _Run(plan, out, seen, learner, bots, watch)
        watch(News(0, 0.0, 0.0, 0.0, doing="getting ready; the first run of a game compiles it for up to two minutes"))
        return run.to_the_end()


def _is_of_a_run(name: str) -> bool:
    """Whether a file can lie in the folder of a run that has no checkpoint yet."""
    return name in (METRICS, LOCK) or name.startswith(EVENTS) or is_part(name)


class _Run:
    def __init__(
        self, plan: Plan, out: Path, seen: Sense, learner: Learner, bots: Mapping[str, Bot],
        watch: Callable[[News], None],
    ) -> None:  # fmt: skip
        self.plan, self.out, self.sense, self.learner, self.bots, self.watch = plan, out, seen, learner, bots, watch
        self.checkpoint = out / CHECKPOINT
        self.spent = 0.0
        """Seconds of training before this process."""
        self.scores: dict[str, Any] = {}
        if self.checkpoint.exists():
            arrays = load_checkpoint(self.checkpoint, plan.label())
            self.spent = float(arrays.pop("spent"))
            take_up(self.checkpoint, learner, arrays)
        elif (out / CARD).exists():
            held = read_card(out)
            raise BadInput(f"{out} already holds a model of {held.game} ({held.method}): choose another folder")
        elif not all(_is_of_a_run(path.name) for path in out.iterdir()):
            raise BadInput(f"{out} holds something else: give --out a new or an empty folder")
        self._trim_metrics()

    def to_the_end(self) -> Card:
        """Rounds until the plan is fulfilled, then a thorough evaluation."""
        learner, plan = self.learner, self.plan
        self.begun = time.perf_counter()
        is_over = self._progress() >= 1.0 and self._is_judged()
        if is_over:
            self.watch(News(learner.frames, 1.0, 0.0, 0.0, doing="this run was finished before; here is what it found"))
        if self._progress() < 1.0 and (learner.rounds == 0 or plan.frames is None):
            self._compile()
        self.begun = saved = judged = time.perf_counter()
        frames_before = learner.frames
        with _patient_interrupt() as interrupted, _board(plan, self.out) as board:
            while self._progress() < 1.0:
                found = learner.round(self._progress())
                self._check(found["loss"])
                scores = None
                if time.perf_counter() - judged >= plan.evaluate_every:
                    scores = self.scores = self._evaluate(plan.evaluation_games)
                    judged = time.perf_counter()
                speed = (learner.frames - frames_before) / max(1e-9, time.perf_counter() - self.begun)
                self._note(found, speed, scores, board)
                self.watch(News(learner.frames, self._progress(), speed, found["loss"], scores))
                if interrupted.is_set():
                    self._save()
                    raise KeyboardInterrupt
                if time.perf_counter() - saved >= plan.checkpoint_every:
                    self._save()
                    saved = time.perf_counter()
            if not is_over:
                self.watch(News(learner.frames, 1.0, 0.0, 0.0, doing="measuring"))
                self.scores = self._evaluate(LAST_GAMES * plan.evaluation_games)
                self._note({}, 0.0, self.scores, board)
                self._save(is_last=True)
        return read_card(self.out)

    def _is_judged(self) -> bool:
        """Whether the model in the folder is that of the last round, with the scores of the last evaluation."""
        return (self.out / CARD).exists() and read_card(self.out).frames == self.learner.frames

    def _compile(self) -> None:
        """Tiny rounds of a learner that is thrown away, so that time is counted from the first real one."""
        _, spare = make_learner(tiny_plan(self.plan), self.bots)
        for number in range(TINY_ROUNDS):
            spare.round(number / TINY_ROUNDS)

    def _progress(self) -> float:
        """How much of the plan is done, from 0 to 1."""
        if self.plan.frames is not None:
            return min(1.0, self.learner.frames / self.plan.frames)
        return min(1.0, self._seconds() / (self.plan.seconds or 1.0))

    def _seconds(self) -> float:
        return self.spent + time.perf_counter() - self.begun

    def _check(self, loss: float) -> None:
        """Stop before nonsense is saved."""
        if math.isfinite(loss) and all_finite(self.learner.networks):
            return
        kept = f"the last good checkpoint is {self.checkpoint}" if self.checkpoint.exists() else "nothing was saved"
        raise BadInput(
            f"the loss is no longer a number after {self.learner.frames:,} frames; {kept}; try a smaller rate (--with "
            "rate=...)"
        )

    def _save(self, is_last: bool = False) -> None:
        """Write the checkpoint, then the model; that of a fulfilled plan only once it is judged,
        which tells the two apart."""
        spent = self._seconds()
        arrays = {"spent": np.array(spent), **self.learner.state()}
        save_checkpoint(self.checkpoint, self.plan.label(), arrays)
        if is_last or self._progress() < 1.0:
            save_model(self.out, self._card(spent), self.learner.networks)

    def _card(self, spent: float) -> Card:
        plan, config, network = self.plan, self.plan.config, self.learner.networks[0]
        return Card(
            plan.game.name, dict(plan.game.options), plan.game.version, self.sense.kind, self.sense.size,
            plan.game.ACTIONS, list(network.sizes), network.form, self.learner.kind,
            list(Seats(plan.game, plan.seating, {}, 0).slots), plan.method,
            {**asdict(config), "seating": asdict(plan.seating)}, plan.command, plan.seed, self.learner.frames,
            round(spent, 1), self.scores,
        )  # fmt: skip

    def _evaluate(self, games: int) -> dict[str, Any]:
        """Every network against each baseline, greedy, on deals that nobody has learned from.

        The time this takes is not counted as time of training.
        """
        begun = time.perf_counter()
        found: dict[str, Any] = {}
        judged = opposed(self.plan.game, Seats(self.plan.game, self.plan.seating, {}, 0).slots)
        for baseline in self.plan.baselines:
            for slot, seats in judged:
                actor = self.learner.player(slot)
                players = [actor if seat in seats else self.bots[baseline] for seat in range(self.plan.game.PLAYERS)]
                score = measure(self.sense, players, games, rng.derived(self.plan.seed, "evaluation"), seats[0])
                label = f"seat{'s' if len(seats) > 1 else ''} {','.join(map(str, seats))} against {baseline}"
                found[label if self.learner.kind != POLICY else f"{label}, argmax"] = score
        self.begun += time.perf_counter() - begun
        return found

    def _note(self, found: Mapping[str, float], speed: float, scores: Mapping[str, Any] | None, board: Any) -> None:
        line: dict[str, Any] = {
            "frames": self.learner.frames, "seconds": round(self._seconds(), 3), "frames_per_second": round(speed),
            **found
        }  # fmt: skip
        if scores:
            line["scores"] = scores
        with open(self.out / METRICS, "a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
        if board is not None:
            for key, value in found.items():
                board.add_scalar(key, value, self.learner.frames)
            for key, score in (scores or {}).items():
                board.add_scalar(f"score/{key}", score["mean"], self.learner.frames)

    def _trim_metrics(self) -> None:
        """Forget lines that a killed process wrote after its last checkpoint."""
        path = self.out / METRICS
        if not path.exists():
            return
        kept = []
        for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
            try:
                if read_json(line, halves=True)["frames"] <= self.learner.frames:
                    kept.append(line + "\n")
            except (ValueError, KeyError, TypeError):
                continue  # a line cut off by the kill
        with whole_file(path) as file:
            file.write("".join(kept).encode())


def measure(
    sense: Sense, players: list[Actor | Bot], games: int, seed: int, seat: int, at_once: int = 4096
) -> dict[str, float]:
    """Mean return with its standard error and share of games won of one seat."""
    tables = SelfPlay(sense, min(at_once, games))
    parts = [tables.play(players, seed, first) for first in range(0, games - tables.games + 1, tables.games)]
    returns = np.concatenate([part.returns[:, seat] for part in parts])
    won = np.concatenate([part.won[:, seat] for part in parts])
    return {
        "mean": float(returns.mean()), "se": float(returns.std(ddof=1) / math.sqrt(len(returns))),
        "won": float(won.mean()), "games": len(returns),
    }  # fmt: skip


@contextmanager
def _patient_interrupt() -> Iterator[threading.Event]:
    """Ctrl-C once ends the run after the current round, twice at once; only the main thread can hear it."""
    asked = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield asked
        return
    before = signal.getsignal(signal.SIGINT)

    def hear(number: int, frame: Any) -> None:
        if asked.is_set():
            raise KeyboardInterrupt
        asked.set()

    signal.signal(signal.SIGINT, hear)
    try:
        yield asked
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def _board(plan: Plan, out: Path) -> Iterator[Any]:
    """A TensorBoard writer, if one is asked for."""
    if not plan.tensorboard:
        yield None
        return
    try:
        from torch.utils.tensorboard import SummaryWriter
    except ImportError:
        raise BadInput("TensorBoard is not installed: pip install tensorboard") from None
    writer = SummaryWriter(str(out))
    try:
        yield writer
    finally:
        writer.close()


def use_threads(threads: int) -> None:
    """How many threads the networks' arithmetic takes; sums may differ in the last bit between numbers of threads."""
    torch.set_num_threads(min(threads, os.cpu_count() or 1))
