"""A Ray cluster as executor: a window of tasks, answers in order, tasks of a node that died done again by another one.

What a task needs travels with it by digest: the files and folders that pieces read are put into Ray's object store
once, and unpacked once on each node. Pieces of one kin wait on a node until the first
of them has compiled what they need.
"""

from __future__ import annotations

import atexit
import hashlib
import logging
import os
import pickle
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from kibitz.arena.executor import AUTO, LOCAL, WAITING, in_order
from kibitz.arena.executor_node import tail, versions
from kibitz.core.catalogue import NAMED
from kibitz.core.errors import BadInput, KibitzError, MissingExtra
from kibitz.core.plain_text import one_line
from kibitz.core.work import Answer, Flow, Keep, Piece

RETRIES = 20
"""How often a piece is done again when its node or process died:
many deaths of nodes are bad luck, more of one piece are its own."""
LOOK = 5.0
"""Seconds without an answer after which the cluster is looked at."""
PATIENCE = 60.0
"""Seconds in which a cluster that has lost all its cores, or does not answer, may come back."""
GOING = 10.0
"""Seconds in which a cluster whose answers fail may turn out to be lost."""
CONNECTING = 5.0
LOST = 2
"""The exit code where the cluster is gone and Ray does not say so."""
LONGEST_WORD = 160
"""Letters of what Ray has to say."""
CARD, WEIGHTS = "card.json", ".safetensors"
"""What travels of a model's folder: not its checkpoints."""


class Cluster:
    """Pieces on the cores of a Ray cluster: one that runs at an address, the one of this machine (auto),
    or a new one here (local)."""

    is_far = True
    """Pieces travel, so they should be worth it."""

    def __init__(self, address: str) -> None:
        self.ray = _ray()
        self.address = address
        _connect(self.ray, address)
        self._head = self.ray.get_runtime_context().gcs_address
        self._task = self.ray.remote(max_retries=RETRIES, num_cpus=1)(_task())
        self._sent: dict[str, Any] = {}
        self._cores, self._looked = self._count_cores(), time.monotonic()

    def run(
        self, work: Callable[[Piece], Answer], pieces: Sequence[Piece], keep: Keep | None = None
    ) -> Iterator[Answer]:
        """The answers, in the order of the pieces; the first of them are handed out at once."""
        known = () if isinstance(pieces, Flow) else pieces
        reads = dict.fromkeys(name for piece in known for name in getattr(piece, "reads", ()))
        job = self.ray.put({
            "work": self.ray.cloudpickle.dumps(work), "files": {name: self._send(name) for name in reads},
            "versions": versions(), "folder": os.getcwd(), "packages": os.environ.get(NAMED, ""),
        })  # fmt: skip

        def submit(piece: Piece) -> Any:
            return self._task.remote(job, self.ray.cloudpickle.dumps(piece))

        with self._blamed():
            answers = in_order(pieces, submit, self._ready, self._answer, lambda: WAITING * max(1, self.cores()), keep)
        return self._given(answers)

    def _given(self, answers: Iterator[Answer]) -> Iterator[Answer]:
        with self._blamed():
            yield from answers

    @contextmanager
    def _blamed(self) -> Iterator[None]:
        """Whatever Ray raises once its cluster is lost means that it is lost."""
        try:
            yield
        except KibitzError:
            raise
        except Exception as problem:
            if self._is_going():
                raise BadInput(f"the cluster {self.address} {GONE}") from None
            if isinstance(problem, self.ray.exceptions.RayError):
                raise BadInput(f"the cluster {self.address} failed: {str(problem).splitlines()[0]}") from None
            raise

    def _is_going(self) -> bool:
        """Whether the cluster is lost; of its processes some go a little later than others."""
        until = time.monotonic() + GOING
        while self._is_there():
            if time.monotonic() > until:
                return False
            time.sleep(0.5)
        return True

    def cores(self) -> int:
        """How many cores the cluster has just now."""
        if time.monotonic() - self._looked > LOOK:
            self._cores, self._looked = self._count_cores(), time.monotonic()
        return self._cores

    def _count_cores(self) -> int:
        return int(sum(n["Resources"].get("CPU", 0.0) for n in self.ray.nodes() if n["Alive"]))

    def _send(self, name: str) -> tuple[str, Any]:
        """The digest of a file or folder, and where its bytes are in the object store."""
        found = _packed(name)
        digest = hashlib.sha256(pickle.dumps(sorted(found.items()))).hexdigest()
        if digest not in self._sent:
            self._sent[digest] = self.ray.put(found)
        return digest, self._sent[digest]

    def _ready(self, refs: list[Any]) -> list[Any]:
        """Those that are done, at least one."""
        waited = time.monotonic()
        while True:
            done, _ = self.ray.wait(refs, num_returns=1, timeout=LOOK)
            if done:
                done = set(self.ray.wait(refs, num_returns=len(refs), timeout=0)[0]) | set(done)
                return [ref for ref in refs if ref in done]
            if self._is_there():
                waited = time.monotonic()
            elif time.monotonic() - waited > PATIENCE:
                raise BadInput(f"the cluster {self.address} {GONE}")

    def _is_there(self) -> bool:
        try:
            return _answers(self._head) and self._count_cores() > 0
        except Exception:  # whatever Ray says of a cluster that is going
            return False

    def _answer(self, ref: Any) -> Any:
        errors = self.ray.exceptions
        try:
            how, found = self.ray.get(ref)
        except (errors.WorkerCrashedError, errors.OutOfMemoryError, errors.ObjectLostError, errors.NodeDiedError):
            raise BadInput(
                f"a piece was lost {RETRIES + 1} times, each time with the process that did it (killed, or out of "
                "memory): look at that node's memory, or make shards smaller with --shard"
            ) from None
        if how == "fault":
            raise found if isinstance(found, KibitzError) else BadInput(str(found))
        return found


def _ray() -> Any:
    try:
        import ray
        import ray.exceptions
    except ImportError:
        raise MissingExtra("ray", "ray") from None
    return ray


def _connect(ray: Any, address: str) -> None:
    """Be a driver of the cluster; one that this process is already in is taken as it is."""
    if ray.is_initialized():
        return
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    # Unless told it is 15, which on a machine with other work is standing still.
    os.environ.setdefault("RAY_worker_niceness", "0")
    _keep_stdout_clean()
    quiet: dict[str, Any] = {"logging_level": logging.ERROR, "log_to_driver": False}
    if address == LOCAL:
        ray.init(address=LOCAL, include_dashboard=False, **quiet)
        return
    if address != AUTO:
        _check_address(address)
    try:
        ray.init(address=address, **quiet)
        _watch(ray, address)
    except ConnectionError:
        raise BadInput(
            f"there is no Ray cluster {'on this machine' if address == AUTO else f'at {address}'}: start one with `ray "
            "start --head`, join it on every node with `ray start --address HOST:6379`, or use --cluster local"
        ) from None
    except RuntimeError as problem:
        if "ersion" not in str(problem):
            raise BadInput(f"the cluster {address} cannot be joined: {str(problem).splitlines()[0]}") from None
        raise BadInput(
            f"{_mismatch(str(problem))}: install the same versions of Python and Ray on both sides"
        ) from None


def _keep_stdout_clean() -> None:
    """Have what Ray says of dying nodes on stderr, the first words of it:
    it prints to stdout, where a result may stand."""
    with suppress(ImportError):
        from ray._private import worker

        def tell(data: dict[str, Any], *_: Any, **__: Any) -> None:
            for line in data.get("lines", ()):
                print(f"kibitz: Ray: {one_line(str(line).splitlines()[0])[:LONGEST_WORD]}", file=sys.stderr)

        if hasattr(worker, "print_to_stdstream"):
            worker.print_to_stdstream = tell


GONE = (
    "is gone or has no core left: finished pieces are kept where shards are; start it again and give the same command"
)
WATCH = """
import os, socket, sys, time
address, line, *places = sys.argv[1:]
def answers(place):
    host, _, port = place.rpartition(":")
    try:
        socket.create_connection((host, int(port)), 2).close()
    except OSError:
        return False
    return True
if sys.stdin.read() != "bye":
    for _ in range(20):  # of its processes some may go a little later than the driver
        if not all(map(answers, places)):
            os.write(2, f"kibitz: the cluster {address} {line}\\n".encode())
            break
        time.sleep(0.5)
"""
"""Tells what Ray does not: its own code ends a driver whose node has died,
at once and without a word that can be understood."""


def _watch(ray: Any, address: str) -> None:
    """Have somebody say why, should this process end because the cluster did."""
    here = ray.get_runtime_context().get_node_id()
    nodes = [f"{n['NodeManagerAddress']}:{n['NodeManagerPort']}" for n in ray.nodes() if n["NodeID"] == here]
    head = ray.get_runtime_context().gcs_address
    command = [sys.executable, "-c", WATCH, address, GONE, head, *nodes]
    watcher = subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=True)

    def leave() -> None:
        with suppress(OSError):
            watcher.communicate(b"bye", timeout=CONNECTING)

    def look() -> None:
        since = time.monotonic()
        while time.monotonic() - since < PATIENCE:
            time.sleep(LOOK)
            if not ray.is_initialized() or ray.get_runtime_context().gcs_address != head:
                return
            if all(_answers(place) for place in [head, *nodes]):
                since = time.monotonic()
        os._exit(LOST)  # Ray's own calls wait for ever, or for minutes; the watcher says why

    threading.Thread(target=look, daemon=True).start()
    atexit.register(leave)


def _check_address(address: str) -> None:
    host, _, port = address.rpartition(":")
    if not host or not port.isdigit() or not 0 < int(port) < 1 << 16 or "/" in address:
        raise BadInput(
            f"--cluster {address} is not possible: HOST:PORT of a cluster that this machine is a node of, auto or "
            "local is"
        )
    if not _answers(address):
        raise BadInput(
            f"there is no Ray cluster at {address}: start one there with `ray start --head`, or use --cluster local"
        )


def _answers(address: str) -> bool:
    """Whether anybody listens there; Ray itself would wait for minutes."""
    host, _, port = address.rpartition(":")
    try:
        with socket.create_connection((host.strip("[]"), int(port)), CONNECTING):
            return True
    except OSError:
        return False


def _mismatch(text: str) -> str:
    """Ray's own words about versions, in one line."""
    lines = [" ".join(line.split()) for line in text.splitlines() if line.strip()]
    return " ".join(lines).rstrip(".").replace("Version mismatch", "the cluster cannot be joined, versions differ")


def _task() -> Callable[[Any, bytes], Any]:
    """What a node is asked to do; it travels by value, so that a node without kibitz can say so."""

    def do(job: Any, piece: bytes) -> Any:
        try:
            from kibitz.arena.executor_node import do_piece
        except ImportError as problem:
            import socket

            fault = (
                f"kibitz cannot be loaded on node {socket.gethostname()} ({problem}): install it there, in the Python "
                "that runs Ray"
            )
            return "fault", ValueError(fault)
        return do_piece(job, piece)

    return do


def _packed(name: str) -> dict[str, bytes]:
    """The files of a name, each by its place below the folder they travel in."""
    path, end = Path(name), tail(name)
    try:
        if path.is_file():
            return {end: path.read_bytes()}
        files = [one for one in sorted(path.rglob("*")) if one.is_file()]
        if path / CARD in files:
            files = [one for one in files if one.name == CARD or one.suffix == WEIGHTS]
        return {f"{end}/{one.relative_to(path).as_posix()}": one.read_bytes() for one in files}
    except OSError as problem:
        raise BadInput(f"{name} cannot be sent to the cluster: {problem.strerror or problem}") from None
