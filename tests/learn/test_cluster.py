"""Training on two nodes of one core each gives the weights of one process, also when a node is killed on the way."""

import os
import threading
import time

import pytest
import ray
from ray.cluster_utils import Cluster as Nodes

from kibitz.arena.executor_ray import Cluster
from kibitz.bots import make_bot
from kibitz.core.game import make
from kibitz.learn.run import Plan, configured, train
from kibitz.learn.seats import Seating
from kibitz.learn.tune import search

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1800)]


@pytest.fixture(scope="module")
def nodes():
    os.environ.setdefault("RAY_worker_niceness", "0")  # other tests run beside this one
    found = Nodes(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    yield found
    ray.shutdown()
    found.shutdown()


@pytest.fixture
def second(nodes):
    held = [nodes.add_node(num_cpus=1)]
    nodes.wait_for_nodes()
    yield held
    nodes.remove_node(held[0], allow_graceful=False)


@pytest.fixture
def cluster(nodes, second):
    yield Cluster(nodes.address)
    ray.shutdown()


def plan(method, frames=40_000, staleness=0, **changes):
    sizes = {"games": "2048", "layers": "32,32"} | changes
    return Plan(
        make("leduc"), method, configured(method, "default", sizes), Seating((0,), rivals=("leduc-rule", "snapshot")),
        5, frames, evaluation_games=256, staleness=staleness,
    )  # fmt: skip


@pytest.mark.parametrize("method", ["dmc", "dqn", "nfsp", "deep-cfr"])
def test_two_nodes_learn_the_weights_of_one_process(cluster, tmp_path, method):
    asked = deep(20_000) if method == "deep-cfr" else plan(method, 20_000)
    alone = train(asked, tmp_path / "alone", make_bot)
    spread = train(asked, tmp_path / "spread", make_bot, executor=lambda: cluster)
    assert alone.sha256 == spread.sha256 and alone.scores == spread.scores


def deep(frames):
    changes = {"traversals": "256", "at_once": "64", "steps": "20", "layers": "32"}
    return Plan(
        make("leduc"),
        "deep-cfr",
        configured("deep-cfr", "default", changes),
        Seating((0, 1)),
        5,
        frames,
        evaluation_games=256,
    )


def test_a_node_killed_in_training_changes_nothing(nodes, second, cluster, tmp_path):
    alone = train(plan("dmc", 120_000), tmp_path / "alone", make_bot)
    deaths = []

    def strike():
        time.sleep(0.3)
        nodes.remove_node(second[0], allow_graceful=False)
        deaths.append(time.monotonic())

    killer = threading.Thread(target=strike)

    def watch(news):
        if 0.2 < news.progress < 1.0 and killer.ident is None:
            killer.start()

    spread = train(plan("dmc", 120_000), tmp_path / "spread", make_bot, watch, lambda: cluster)
    ended = time.monotonic()
    killer.join()
    second[0] = nodes.add_node(num_cpus=1)
    assert deaths and deaths[0] < ended
    assert alone.sha256 == spread.sha256 and alone.frames == spread.frames


def test_stale_rounds_learn_too(cluster, tmp_path):
    card = train(plan("dmc", 30_000, staleness=2), tmp_path / "stale", make_bot, executor=lambda: cluster)
    assert card.frames >= 30_000
    (score,) = card.scores.values()
    assert score["mean"] > 0


def test_trials_on_a_cluster_are_those_of_one_process(cluster, tmp_path):
    fixed = {"games": "64", "batch": "32", "layers": "16"}
    asked = plan("dmc", 2_000)
    alone = search(asked, "default", fixed, 3, tmp_path / "alone", make_bot)
    assert search(asked, "default", fixed, 3, tmp_path / "spread", make_bot, executor=cluster) == alone
