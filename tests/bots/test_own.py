"""A bot of the user's own, by file or module: it plays, in every process,
and what is wrong with it is said in one line."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from kibitz.arena.play import play
from kibitz.bots import make_bot, names
from kibitz.bots.own import made
from kibitz.core.errors import KibitzError
from kibitz.core.game import make
from kibitz.core.position import Position

EXAMPLES = Path(__file__).parents[2] / "examples"
MINE = """
from dataclasses import dataclass

import beside
from kibitz.core.policy import OneByOne


class Plain:
    def act(self, view):
        return beside.choice(view.legal())


@dataclass
class Last(OneByOne):
    game: object
    back: int = 0

    def act(self, view):
        assert view.game is self.game
        return view.legal()[-1 - self.back]


class Mute:
    pass


class Shy:
    def __init__(self):
        raise RuntimeError("not today\\nnor tomorrow")


NUMBER = 5
"""


@pytest.fixture
def mine(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", sys.path[:])
    monkeypatch.delitem(sys.modules, "beside", raising=False)
    (tmp_path / "beside.py").write_text("def choice(legal):\n    return legal[0]\n")
    (tmp_path / "mine.py").write_text(MINE)
    (tmp_path / "broken.py").write_text("import nothing_of_the_kind\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("place", ["{}/mine.py:Plain", "mine.py:Plain", "mine.Plain", "mine:Plain"])
def test_a_class_is_found_by_file_and_by_module(mine, place, monkeypatch):
    monkeypatch.delitem(sys.modules, "mine", raising=False)
    game, spec = make("kuhn"), f"python:{place.format(mine)}"
    bot = make_bot(game, spec)
    assert bot.name == spec
    assert sum(len(chunk.returns) for chunk in play(game, [bot, make_bot(game, "random")], 20, 1)) == 20


def test_knobs_and_the_game_are_given_to_whoever_asks_for_them(mine):
    game = make("leduc")
    spec = "python:mine.py:Last:back=1"
    bot = made(game, spec, "mine.py:Last", {"back": "1"})
    assert (bot.game, bot.back, bot.name) == (game, 1, spec)
    view = Position(game, 1, 1).view(0)
    assert make_bot(game, spec).act(view) == view.legal()[-2]


@pytest.mark.parametrize(
    "spec,hint",
    [
        ("python", "python:FILE.py:Class or python:module.Class"),
        ("python:mine.py", "python:FILE.py:Class or python:module.Class"),
        ("python:nowhere.py:Plain", "there is no file nowhere.py"),
        ("python:mine.py:Plane", "there is no class Plane in mine.py"),
        ("python:mine.py:NUMBER", "there is no class NUMBER"),
        ("python:mine.py:Mute", "has no act"),
        ("python:mine.py:Shy", "Shy cannot be made: RuntimeError: not today"),
        ("python:mine.py:Plain:depth=3", "cannot be made with depth"),
        ("python:broken.py:Plain", "broken.py cannot be loaded: ModuleNotFoundError"),
        ("python:no_such_module.Plain", "no_such_module cannot be imported: ModuleNotFoundError"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(mine, spec, hint):
    with pytest.raises(KibitzError) as said:
        make_bot(make("kuhn"), spec)
    assert hint in str(said.value) and len(str(said.value).splitlines()) == 1


def test_kibitz_bots_names_the_way():
    assert "python:FILE.py:Class" in names(make("kuhn"))["python"]


def test_the_example_plays_a_tournament_from_the_command_line_in_two_processes():
    words = ["tournament", "coinche", "--bots", "python:own_bot.py:HighCard,random", "--deals", "2", "--seed", "1"]
    facts = []
    for processes in ("1", "2"):
        ran = subprocess.run(
            [sys.executable, "-m", "kibitz", *words, "--processes", processes, "--shard", "1", "--json"],
            cwd=EXAMPLES, capture_output=True, text=True, check=True,
        )  # fmt: skip
        facts.append(json.loads(ran.stdout))
    assert facts[0]["ranking"][0]["bot"] == "python:own_bot.py:HighCard"
    assert facts[0]["pairs"][0]["difference"] == facts[1]["pairs"][0]["difference"]
