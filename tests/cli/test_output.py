"""What verbs print: names as they are, no commands for the terminal, JSON that every reader takes, on any stdout."""

import io
import json
import math
import os
import sys
from dataclasses import replace

import pytest

from kibitz.cli import arguments
from kibitz.cli.main import main
from kibitz.core.plain_text import json_text, one_line, printable
from kibitz.core.record import read_record

BOT = "class Bot:\n    def act(self, view):\n        return view.legal()[0]\n"
ESCAPES = "\x1b[31mred\x1b]0;title\x07\x9b2J"


@pytest.fixture
def kibitz(capsys):
    def run(*words):
        with pytest.raises(SystemExit) as end:
            main([str(word) for word in words])
        said = capsys.readouterr()
        return int(end.value.code or 0), said.out, said.err

    return run


@pytest.fixture
def record(kibitz, tmp_path):
    """The record of one game."""
    path = tmp_path / "games.jsonl"
    assert kibitz("simulate", "kuhn", "--games", 1, "--records", path, "--json")[0] == 0
    return read_record(path.read_text())


def strict(text):
    """JSON as its standard has it: no NaN."""

    def refuse(word):
        raise ValueError(word)

    return json.loads(text, parse_constant=refuse)


def test_a_picture_that_cannot_be_drawn_is_refused_before_the_games(kibitz, tmp_path):
    words = ("tournament", "kuhn", "--bots", "kuhn-rule,random", "--deals", 5, "--out", tmp_path / "out.json", "--plot")
    code, _, err = kibitz(*words, tmp_path / "p.xyz")
    assert code == 2 and "p.xyz cannot be drawn: a picture's name ends in .svg, .png, .pdf" in err
    assert not (tmp_path / "out.json").exists()
    (tmp_path / "file").touch()
    assert kibitz(*words, tmp_path / "file" / "p.svg")[0] == 2
    assert not (tmp_path / "out.json").exists()


def test_markup_and_dollars_in_names_stay_what_they_are(kibitz, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "[red]a$b$.py").write_text(BOT)
    name = "python:[red]a$b$.py:Bot"
    code, out, _ = kibitz("tournament", "kuhn", "--bots", f"{name},random", "--deals", 4, "--plot", "matrix.svg")
    assert code == 0 and out.count(name) >= 3
    assert name in (tmp_path / "matrix.svg").read_text()
    for verb in ("match", "simulate"):
        code, out, _ = kibitz(verb, "kuhn", "--bots", f"{name},random", "--deals" if verb == "match" else "--games", 4)
        assert code == 0 and name in out


def test_a_record_cannot_command_the_terminal(kibitz, record, tmp_path):
    path = tmp_path / "evil.jsonl"
    path.write_text(replace(record, seats=[ESCAPES, "fair\nseat 9: nobody"]).line())
    code, out, _ = kibitz("replay", path)
    assert code == 0 and "\\x1b[31mred" in out and "seat 1: fair seat 9: nobody" in out
    code, analysed, _ = kibitz("analyse", path, "--move", 0, "--bots", "kuhn-rule")
    assert code == 0 and "\\x1b[31mred" in analysed
    code, as_json, _ = kibitz("replay", path, "--json")
    assert strict(as_json)["seats"][0] == ESCAPES
    data = json.loads(record.line())
    path.write_text(json.dumps({**data, ESCAPES: 1}))
    code, _, err = kibitz("replay", path)
    assert code == 2 and "is no part of it" in err
    for said in (out, analysed, as_json, err):
        assert not any(sign in said for sign in "\x1b\x07\x9b")


def test_half_characters_are_spelled_out(kibitz, record, tmp_path):
    path = tmp_path / "half.jsonl"
    path.write_text(replace(record, seats=["a\ud800", "b"]).line(), encoding="utf-8")
    code, out, _ = kibitz("replay", path)
    assert code == 0 and "seat 0: a\\ud800" in out
    assert strict(kibitz("replay", path, "--json")[1])["seats"][0] == "a\ud800"


@pytest.mark.skipif(sys.platform != "linux", reason="file names of any bytes")
def test_a_name_that_is_no_text_can_be_played_and_written(kibitz, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    name = os.fsdecode(b"b\xff.py")
    (tmp_path / name).write_text(BOT)
    bots = f"python:{name}:Bot,random"
    for words in (
        ("simulate", "kuhn", "--bots", bots, "--games", 4, "--records", "a.jsonl"),
        ("match", "kuhn", "--bots", bots, "--deals", 4, "--records", "b.jsonl"),
        ("match", "kuhn", "--bots", bots, "--deals", 4, "--json"),
        ("tournament", "kuhn", "--bots", bots, "--deals", 4, "--out", "c.json", "--csv"),
    ):
        code, out, err = kibitz(*words)
        assert code == 0 and "b\\" in out, err
    assert strict((tmp_path / "c.json").read_text())["bots"][0] == f"python:{name}:Bot"
    assert kibitz("replay", "b.jsonl")[0] == 0


def narrow_stdout(monkeypatch):
    """A stdout that has no other characters than ASCII's, and what is written to it."""
    held = io.BytesIO()
    narrow = io.TextIOWrapper(held, encoding="ascii")
    monkeypatch.setattr(sys, "stdout", narrow)
    return held, narrow


@pytest.mark.parametrize("words", [("--games", 100), ("--games", 100, "--json"), ("--help",)])
def test_a_stdout_that_knows_ascii_alone_is_enough(words, monkeypatch):
    held, narrow = narrow_stdout(monkeypatch)
    with pytest.raises(SystemExit) as end:
        main(["simulate", "kuhn", *map(str, words)])
    narrow.flush()
    assert not end.value.code and held.getvalue().isascii() and held.getvalue()
    if "--json" in words:
        strict(held.getvalue())
    elif "--games" in words:
        assert b"\\xb1" in held.getvalue()


def test_json_in_ascii_says_the_same(monkeypatch):
    held, narrow = narrow_stdout(monkeypatch)
    arguments.print_json({"±": "\ud800 é \x9b"})
    narrow.flush()
    assert strict(held.getvalue()) == {"±": "\ud800 é \x9b"}


def test_json_has_no_nan(kibitz, tmp_path, monkeypatch):
    facts = strict(kibitz("simulate", "kuhn", "--games", 1, "--json")[1])
    assert facts["se_returns"] == [None, None]
    from kibitz.learn import tune

    trial = tune.Trial(0, {"rate": "0.1"}, math.nan, math.inf, 10, "0")
    monkeypatch.setattr(tune, "search", lambda *_: [trial])
    monkeypatch.setattr(tune, "slope", lambda _: math.nan)
    code, out, _ = kibitz("tune", "kuhn", "--out", tmp_path / "study", "--frames", 10, "--json")
    found = strict(out)[0]
    assert code == 0 and found["score"] is found["se"] is found["slope"] is None


def test_text_is_made_safe():
    assert printable("a\tb\nc\x1b[0m\u202e\ud800é") == "a\tb\nc\\x1b[0m\\u202e\\ud800é"
    assert one_line(" a\n\x00b ") == "a \\x00b"
    assert json_text({"a": (1.0, math.nan, [-math.inf])}) == '{"a": [1.0, null, [null]]}'
    assert json_text("é\x7f\ud800") == '"é\\u007f\\ud800"' and json_text("é", ascii_only=True) == '"\\u00e9"'
