"""A Ray cluster plays the same bytes as one process, whatever happens to its nodes;
what does not fit is told in one line.

Two nodes of one core each on this machine; everything but the first test is slow.
"""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
import ray
from ray.cluster_utils import Cluster as Nodes

from kibitz.arena import executor_ray
from kibitz.arena.cutting import shards_of
from kibitz.arena.executor import Processes, Serial
from kibitz.arena.executor_ray import Cluster
from kibitz.arena.parts import Part, do_part
from kibitz.arena.shards import play_shard, sheet_shelf
from kibitz.arena.tournament import programme, tournament
from kibitz.core.errors import BadInput
from kibitz.core.game import make
from tests.arena.players import Clumsy, Lucky

pytestmark = [pytest.mark.timeout(1800)]
KILLS = 20
HERE = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def nodes():
    os.environ.setdefault("RAY_worker_niceness", "0")  # other tests run beside this one
    found = Nodes(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    yield found
    ray.shutdown()
    found.shutdown()


@pytest.fixture
def cluster(nodes):
    yield Cluster(nodes.address)
    ray.shutdown()


@pytest.fixture
def second(nodes):
    """A second node, as a list that tests may exchange it in."""
    held = [nodes.add_node(num_cpus=1)]
    yield held
    nodes.remove_node(held[0], allow_graceful=False)


def told(executor, deals=60, seconds=0.0, **more):
    bots = [Lucky(seconds, "thoughtful"), "random", Clumsy("raises")]
    return json.dumps(tournament(make("leduc"), bots, deals, 9, executor=executor, **more).as_json())


def in_parts(n, folder):
    """The same tournament as parts that are joined."""
    bots = [Lucky(0.0, "thoughtful"), "random", Clumsy("raises")]
    pieces = [piece for cut in shards_of(programme(make("leduc"), bots, 60, 9)[2], 7) for piece in cut]
    for number in range(1, n + 1):
        do_part(play_shard, pieces, Part(number, n), sheet_shelf(folder))
    return told(Serial(), shard=7, shards=folder, join=True)


def square(number):
    if number == 13:
        raise BadInput("13 is unlucky")
    return number * number, ray.get_runtime_context().get_node_id()


def test_a_cluster_of_one_node_gives_the_same_bytes_in_order_and_errors_arrive(cluster):
    kept = []
    answers = list(cluster.run(square, range(12), lambda piece, answer: kept.append(piece)))
    assert [number for number, _ in answers] == [n * n for n in range(12)] and sorted(kept) == list(range(12))
    with pytest.raises(BadInput, match="13 is unlucky, on node"):
        list(cluster.run(square, [1, 13]))
    assert told(cluster, shard=20) == told(Serial())


@pytest.mark.slow
def test_serial_processes_one_node_two_nodes_and_parts_give_the_same_bytes(nodes, cluster, tmp_path):
    known = told(Serial())
    assert told(Processes(2), shard=7) == known
    assert told(cluster, shard=7) == known
    assert told(cluster) == known  # of a size that was timed
    assert in_parts(3, tmp_path) == known
    second = nodes.add_node(num_cpus=1)
    try:
        nodes.wait_for_nodes()
        assert told(cluster, shard=5) == known
        where = {node for _, node in cluster.run(_slow_square, range(20, 40))}
        assert len(where) == 2
    finally:
        nodes.remove_node(second, allow_graceful=False)


def _slow_square(number):
    time.sleep(0.3)
    return square(number)


@pytest.mark.slow
def test_a_node_killed_in_mid_tournament_costs_nothing_but_time(nodes, second, cluster, capsys):
    known = told(Serial())
    for kill in range(KILLS):
        began = threading.Event()

        def strike(delay=0.2 + 0.15 * (kill % 8), began=began):
            began.wait(60)
            time.sleep(delay)
            nodes.remove_node(second[0], allow_graceful=False)

        killer = threading.Thread(target=strike)
        killer.start()
        found = told(cluster, seconds=0.01, shard=4, progress=lambda deals: began.set())
        killer.join()
        assert found == known, f"kill {kill}"
        second[0] = nodes.add_node(num_cpus=1)
        nodes.wait_for_nodes()
    said = capsys.readouterr()
    assert said.out == ""  # where a result may stand
    assert all(len(line) < 200 for line in said.err.splitlines() if line.startswith("kibitz: Ray"))


def _driver(path, address):
    call = f"play(Path({str(path)!r}), 1, 0.01, {address!r})"
    code = f"from tests.arena.long_tournament import play; from pathlib import Path; {call}"
    return subprocess.Popen([sys.executable, "-c", code], cwd=HERE)


@pytest.mark.slow
def test_a_killed_driver_goes_on_with_the_shards_that_are_missing(nodes, second, tmp_path):
    from tests.arena.long_tournament import play

    play(tmp_path / "known.json", 1, 0.0)
    path = tmp_path / "found.json"
    folder = tmp_path / "found.shards"
    first = _driver(path, nodes.address)
    while first.poll() is None and len(list(folder.glob("*.npz"))) < 5:
        time.sleep(0.05)
    first.send_signal(signal.SIGKILL)
    first.wait()
    kept = {one.name: one.stat().st_mtime_ns for one in folder.glob("*.npz")}
    assert 5 <= len(kept) < 72 and not path.exists()
    assert _driver(path, nodes.address).wait(600) == 0
    after = {one.name: one.stat().st_mtime_ns for one in folder.glob("*.npz")}
    assert len(after) == 72 and kept.items() <= after.items()  # what was there was not played again
    assert path.read_bytes() == (tmp_path / "known.json").read_bytes()


@pytest.mark.slow
def test_a_node_that_joins_is_used(nodes, cluster):
    joined = []
    answers = cluster.run(_slow_square, range(20, 80))
    where = [next(answers)[1]]
    joined.append(nodes.add_node(num_cpus=1))
    try:
        where += [node for _, node in answers]
        assert len(set(where)) == 2
    finally:
        nodes.remove_node(joined[0], allow_graceful=False)


@pytest.mark.slow
def test_files_of_bots_travel(nodes, cluster, tmp_path, monkeypatch):
    """The driver's folder is not the workers': what they find was sent."""
    bot = tmp_path / "own.py"
    bot.write_text("class First:\n    def act(self, view):\n        return int(view.mask.argmax())\n")
    monkeypatch.chdir(tmp_path)
    found = tournament(make("leduc"), ["python:own.py:First", "random"], 20, 1, executor=cluster, shard=5)
    assert not found.spoiled
    assert json.dumps(found.as_json()) == json.dumps(
        tournament(make("leduc"), ["python:own.py:First", "random"], 20, 1).as_json()
    )
    bot.write_text("class First:\n    def act(self, view):\n        return int(view.mask.nonzero()[0][-1])\n")
    other = tournament(make("leduc"), ["python:./own.py:First", "random"], 20, 1, executor=cluster, shard=5)
    assert json.dumps(other.as_json()["ranking"]) != json.dumps(found.as_json()["ranking"])


@pytest.mark.slow
def test_what_only_the_driver_has_is_told_in_one_line(nodes, cluster, tmp_path, monkeypatch):
    here = tmp_path / "here"
    here.mkdir()
    (here / "beside.py").write_text("BEST = 0\n")
    (here / "own.py").write_text("import beside\nclass First:\n    def act(self, view):\n        return beside.BEST\n")
    with pytest.raises(BadInput) as told:
        tournament(make("leduc"), [f"python:{here}/own.py:First", "random"], 20, 1, executor=cluster, shard=5)
    assert "No module named 'beside'" in str(told.value) and "must be installed on every node" in str(told.value)
    assert "\n" not in str(told.value)


@pytest.mark.slow
def test_another_kibitz_on_a_node_is_told_in_one_line(cluster, monkeypatch):
    monkeypatch.setattr(executor_ray, "versions", lambda: {"kibitz": "9.9", "numpy": "0", "numba": "0", "torch": "0"})
    with pytest.raises(BadInput, match=r"kibitz is 9\.9 here and .* there: install the same one everywhere, on node"):
        list(cluster.run(square, [1]))


def _verb(*words):
    return subprocess.run(
        [sys.executable, "-m", "kibitz", "match", "kuhn", "--bots", "random,kuhn-rule", "--deals", "10", *words],
        cwd=HERE, capture_output=True, text=True, timeout=300, env={**os.environ, "RAY_ADDRESS": ""},
    )  # fmt: skip


@pytest.mark.slow
def test_another_ray_at_the_address_is_told_in_one_line(nodes, cluster):
    from ray._private import ray_constants
    from ray.experimental.internal_kv import _internal_kv_get, _internal_kv_put

    key, space = b"CLUSTER_METADATA", ray_constants.KV_NAMESPACE_CLUSTER
    held = _internal_kv_get(key, namespace=space)
    _internal_kv_put(key, json.dumps({**json.loads(held), "ray_version": "1.2.3"}).encode(), namespace=space)
    try:
        found = _verb("--cluster", nodes.address)
    finally:
        _internal_kv_put(key, held, namespace=space)
    assert found.returncode == 2 and "1.2.3" in found.stderr and "Traceback" not in found.stderr
    assert "install the same versions" in found.stderr.splitlines()[-1]


@pytest.mark.slow
def test_a_lost_cluster_is_told_in_one_line(tmp_path, monkeypatch):
    monkeypatch.setenv("RAY_worker_niceness", "0")
    lost = Nodes(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    driver = subprocess.Popen(
        [sys.executable, "-c",
            f"from tests.arena.long_tournament import main; main({str(tmp_path / 'a.json')!r}, {lost.address!r})"],
        cwd=HERE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    folder = tmp_path / "a.shards"
    while driver.poll() is None and len(list(folder.glob("*.npz"))) < 3:
        time.sleep(0.05)
    lost.shutdown()
    said = driver.communicate(timeout=300)[1]
    assert driver.returncode != 0 and "Traceback" not in said  # Ray ends the process by itself
    assert sum(line.startswith("kibitz: the cluster") and "is gone" in line for line in said.splitlines()) == 1


@pytest.mark.parametrize(
    "address, line",
    [("127.0.0.1:1", "there is no Ray cluster at 127.0.0.1:1"), ("nowhere", "HOST:PORT"), ("ray://a:1", "HOST:PORT")],
)
def test_an_address_without_a_cluster_is_told_at_once(address, line):
    begun = time.monotonic()
    with pytest.raises(BadInput, match=line):
        executor_ray._check_address(address)
    assert time.monotonic() - begun < 20
