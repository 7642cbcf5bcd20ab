"""The examples run, are short, and show what they promise."""

import importlib
import importlib.util
from pathlib import Path

import pytest

from kibitz.arena.play import play
from kibitz.bots import make_bot
from kibitz.core.game import make

FOLDER = Path(__file__).parents[2] / "examples"
EXAMPLES = sorted(FOLDER.glob("*.py"))


def example(name):
    spec = importlib.util.spec_from_file_location(f"example_{name}", FOLDER / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples_are_short_and_say_how_they_are_run(path):
    text = path.read_text()
    assert len(text.splitlines()) < 50
    assert f"examples/{path.name}" in text


@pytest.mark.slow
def test_pettingzoo_random_at_skat():
    rewards = example("pettingzoo_random").main(1)
    assert len(rewards) == 3 and sum(rewards.values()) == pytest.approx(0)


@pytest.mark.slow
def test_own_bot_at_coinche():
    ranking = example("own_bot").main(50)
    assert set(ranking) == {"high-card", "random", "coinche-simple"} and ranking[-1] == "random"


@pytest.mark.slow
def test_ppo_coinche_runs():
    before, after = example("ppo_coinche").main(256, 5)
    assert before < 1 and after < 1


@pytest.mark.slow
def test_rlcard_dqn_cego_runs():
    trained, untrained = example("rlcard_dqn_cego").main(60, 20)
    assert -1 <= trained <= 1 and -1 <= untrained <= 1


@pytest.mark.slow
def test_openspiel_cfr_agrees_with_ours():
    solved, measured, ours = example("openspiel_cfr").main("kuhn", 10)
    assert solved < 0.2 and abs(measured - ours) < 1e-8


@pytest.mark.slow
def test_openspiel_cfr_on_collaborative_kuhn():
    _, measured, ours = example("openspiel_cfr").main("collaborative-kuhn", 2)
    assert abs(measured - ours) < 1e-8


@pytest.mark.slow
def test_openspiel_ismcts_cego_runs():
    assert -2 <= example("openspiel_ismcts_cego").main(2, 2) <= 2


@pytest.mark.slow
def test_the_searcher_can_be_named_at_the_command_line():
    game = make("cego-solo")
    bot = make_bot(game, f"python:{FOLDER}/openspiel_ismcts_cego.py:Searcher:simulations=2")
    chunks = list(play(game, [bot, *[make_bot(game, "random")] * 3], 1, 1))
    assert sum(len(chunk.returns) for chunk in chunks) == 1


@pytest.mark.slow
def test_ppo_learns_coinche():
    before, after = example("ppo_coinche").main(100_000, 200)
    assert after > before


@pytest.mark.slow
def test_ismcts_beats_random():
    assert example("openspiel_ismcts_cego").main(20, 30) > 0


@pytest.mark.slow
@pytest.mark.parametrize("bot", ["colver_heuristic.py:Heuristic", "colver_isdd.py:IsDd:first=2:second=2:later=2"])
def test_colver_plays_at_our_table(bot):
    game = make("coinche", scoring="colver")
    found = list(play(game, [make_bot(game, f"python:{FOLDER}/{bot}")] * 4, 2, 1))
    assert sum(len(chunk.returns) for chunk in found) == 2 and not any(chunk.failures for chunk in found)
