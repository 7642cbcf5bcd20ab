"""`kibitz warm`, `kibitz bots` and what `best` stands for."""

import json

import pytest

from kibitz.bots import BEST, best_bot, lacks_torch, make_bot, meant
from kibitz.cli.main import main
from kibitz.core.game import make


def said(capsys, *words):
    with pytest.raises(SystemExit) as left:
        main(words)
    return left.value.code, *capsys.readouterr()


def test_bots_named_after_a_game_are_prepared_with_it(capsys):
    code, out, _ = said(capsys, "warm", "leduc", "leduc-rule:bluff=0.2", "kuhn")
    assert code == 0
    lines = out.splitlines()
    assert lines[0].startswith("leduc: random, leduc-rule:bluff=0.2 ready") and lines[1].startswith(
        "kuhn: random, kuhn-rule"
    )


def test_what_is_no_game_and_no_bot_is_one_line(capsys):
    code, _, err = said(capsys, "warm", "kuhn", "nobody")
    assert code == 2 and "there is no bot nobody for kuhn" in err
    code, _, err = said(capsys, "warm", "nowhere")
    assert code == 2 and "there is no game nowhere" in err


def test_best_is_the_model_that_fits_or_else_the_best_rules():
    assert best_bot(make("leduc")) == "leduc-rule" == make_bot(make("leduc"), BEST).name
    assert best_bot(make("cheat-paper")) == "table:cheat-paper"
    assert best_bot(make("cheat-paper", max_turns=30)) == best_bot(make("cheat-half"))  # a table of another game
    assert meant(make("leduc"), "best:bluff=0.3") == "leduc-rule:bluff=0.3"


def test_without_torch_the_best_is_a_bot_of_rules(monkeypatch):
    game = make("coinche")
    assert best_bot(game) == "net:coinche-player" and not lacks_torch(game)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert best_bot(game) == "coinche-strong-plus" and lacks_torch(game) and not lacks_torch(make("leduc"))


def test_the_list_of_bots_marks_the_best(capsys):
    _, out, _ = said(capsys, "bots", "coinche", "--json")
    assert [row["name"] for row in json.loads(out) if row["best"]] == ["net:coinche-player"]


def test_all_games_fit_on_one_screen(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    _, out, _ = said(capsys, "games")
    assert len(out.splitlines()) <= 24 and "-ramsch" in out


def test_statistics_are_tables_not_dictionaries(capsys):
    _, out, _ = said(capsys, "simulate", "cheat-tiny", "--games", "20")
    assert "{" not in out and any(line.split() == ["behaviour", "0", "1"] for line in out.splitlines())
