"""`kibitz policy` reads tables in words, and `solve --plot` draws how they came about."""

import csv

import pytest

from kibitz.cli.main import main
from kibitz.cli.solve import milestones


def run(*words):
    with pytest.raises(SystemExit) as ended:
        main([str(word) for word in words])
    return ended.value.code


@pytest.fixture(scope="module")
def solved(tmp_path_factory):
    folder = tmp_path_factory.mktemp("solved")
    assert run("solve", "kuhn", "--iterations", 200, "--out", folder / "k.npz", "--plot", folder / "k.svg") == 0
    return folder


def test_every_information_set_is_told_in_words(solved, capsys):
    assert run("policy", solved / "k.npz", "--csv", solved / "k.csv") == 0
    shown = capsys.readouterr().out
    assert "Q: pass, bet" in shown and "K: bet" in shown
    rows = list(csv.DictReader((solved / "k.csv").open()))
    assert len(rows) == 24
    always = [row for row in rows if row["knows"] == "K: bet" and row["action"] == "bet"]
    assert float(always[0]["probability"]) > 0.9


def test_a_picture_of_nash_conv_is_drawn(solved):
    assert (solved / "k.svg").stat().st_size > 1000


def test_one_seat_alone_can_be_asked_for(solved, capsys):
    assert run("policy", solved / "k.npz", "--seat", 1, "--json") == 0
    assert '"seat": 0' not in capsys.readouterr().out
    assert run("policy", solved / "k.npz", "--seat", 2) == 2


def test_a_game_without_a_tree_gets_no_picture(tmp_path, capsys):
    assert run("solve", "cheat", "--method", "external", "--plot", tmp_path / "x.svg") == 2
    assert "too many deals" in capsys.readouterr().err


def test_what_is_no_table_is_named(tmp_path, capsys):
    assert run("policy", tmp_path / "none.npz") == 2
    assert "none.npz" in capsys.readouterr().err


def test_milestones_end_with_what_was_asked():
    assert list(milestones(0, 10))[-1] == 10 and next(milestones(5, 1000)) > 5
