"""The verbs as a person types them: answers on stdout, one clear line and exit code 2 for what cannot be done."""

import io
import json
import re
import sys
from contextlib import contextmanager

import pytest

from kibitz.cli.main import main


@pytest.fixture
def kibitz(capsys):
    def run(*words: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as end:
            main(words)
        said = capsys.readouterr()
        return int(end.value.code or 0), said.out, said.err

    return run


def test_simulate_prints_one_json_object(kibitz):
    code, out, _ = kibitz("simulate", "leduc", "--games", "2000", "--bots", "random,random", "--seed", "1", "--json")
    facts = json.loads(out)
    assert code == 0
    assert facts["games"] == 2000
    for key in (
        "games_per_second",
        "moves_per_second",
        "seconds",
        "mean_returns",
        "se_returns",
        "win_rate",
        "mean_length",
    ):
        assert key in facts
    assert len(facts["win_rate"]) == 2


def test_solve_finds_the_value_of_leduc(kibitz):
    code, out, _ = kibitz("solve", "leduc", "--method", "cfr+", "--iterations", "1000", "--json")
    facts = json.loads(out)
    assert code == 0
    assert abs(facts["value"] + 0.0856064) < 1e-3
    assert facts["nash_conv"] < 1e-3


def test_a_solved_table_plays(kibitz, tmp_path):
    file = tmp_path / "kuhn.npz"
    assert kibitz("solve", "kuhn", "--iterations", "200", "--out", str(file))[0] == 0
    code, out, _ = kibitz("simulate", "kuhn", "--bots", f"table:{file}", "--games", "5000", "--json")
    facts = json.loads(out)
    assert code == 0
    assert abs(facts["mean_returns"][0] + 1 / 18) < 5 * facts["se_returns"][0]


REFUSED = [
    (("simulate", "leducc"), "did you mean leduc?"),
    (("simulat",), "did you mean simulate?"),
    (("simulate", "leduc", "--bots", "randm"), "did you mean random?"),
    (("simulate", "leduc", "--bots", "random,random,random"), "2 seats"),
    (("simulate", "leduc", "--games", "-5"), "from 1 to"),
    (("simulate", "leduc", "--games", "9999999999999999"), "from 1 to"),
    (("simulate", "leduc", "--seed", "-1"), "from 0 to"),
    (("simulate", "leduc", "--set", "decks=2"), "no option decks"),
    (("simulate", "kuhn", "--set", "players=7"), "from 2 to 4"),
    (("simulate", "kuhn", "--set", "players"), "key=value"),
    (("simulate", "kuhn", "--bots", "kuhn-rule:bluf=1"), "did you mean bluff?"),
    (("simulate", "kuhn", "--bots", "kuhn-rule:bluff=much"), "knobs are numbers"),
    (("simulate", "kuhn", "--bots", "table"), "table:FILE"),
    (("simulate", "kuhn", "--bots", "table:nowhere.npz"), "no file nowhere.npz"),
    (("simulate", "kuhn", "--records", "/proc/nowhere/x.jsonl"), "cannot be written"),
    (("solve", "kuhn", "--method", "magic"), "magic"),
    (("solve", "kuhn", "--iterations", "0"), "from 1 to"),
    (("solve", "kuhn", "--method", "trajectory", "--against", "person"), "a rule-based player is right, random"),
    (("solve", "kuhn", "--method", "external", "--against", "random"), "needs trajectory sampling"),
    (("solve", "kuhn", "--against", "random"), "are for sampling"),
    (("reproduce", "kuhn.valu"), "did you mean kuhn.value?"),
    (("reproduce",), "--list"),
    (("play", "kuhn", "--seat", "5"), "from 0 to 1"),
    (("play", "kuhn", "--lang", "xx"), "does not speak xx"),
    (("games", "chess"), "no game chess"),
    (("simulate", "leduc", "--gamez", "3"), "--games"),
]


@pytest.mark.parametrize(("words", "hint"), REFUSED, ids=[" ".join(words) for words, _ in REFUSED])
def test_bad_input_gets_one_line_and_exit_code_2(kibitz, words, hint):
    code, out, err = kibitz(*words)
    assert code == 2
    assert out == ""
    lines = err.strip().splitlines()
    assert hint in lines[-1]
    assert "Traceback" not in err


def test_foreign_and_damaged_policy_files_are_refused(kibitz, tmp_path):
    file = tmp_path / "kuhn.npz"
    kibitz("solve", "kuhn", "--iterations", "10", "--out", str(file))
    code, _, err = kibitz("simulate", "leduc", "--bots", f"table:{file}")
    assert (code, "made for kuhn" in err) == (2, True)
    whole = file.read_bytes()
    for damaged in (whole[:200], b"", b"not a table", whole[:-40]):
        file.write_bytes(damaged)
        code, _, err = kibitz("simulate", "kuhn", "--bots", f"table:{file}")
        assert code == 2
        assert "Traceback" not in err


def test_ctrl_c_leaves_nothing_half_written(kibitz, tmp_path, monkeypatch):
    def interrupt(*args, **kwargs):
        raise KeyboardInterrupt

    @contextmanager
    def bar(*args):
        yield interrupt

    monkeypatch.setattr("kibitz.cli.simulate.bar", bar)
    code, _, err = kibitz("simulate", "kuhn", "--games", "10", "--records", str(tmp_path / "r.jsonl"))
    assert code == 130
    assert "interrupted" in err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("lang", "word"), [("en", "interrupted; "), ("de", "abgebrochen; "), ("fr", "interrompu ; ")])
def test_ctrl_c_at_the_table_is_answered_in_its_language(kibitz, monkeypatch, lang, word):
    class Interrupting(io.StringIO):
        def readline(self, *_):
            raise KeyboardInterrupt

    monkeypatch.setattr(sys, "stdin", Interrupting())
    code, _, err = kibitz("play", "kuhn", "--seed", "3", "--bots", "random", "--lang", lang, "--no-records")
    assert code == 130 and f"\n{word}" in err and ("interrupted" in err) == (lang == "en")


def test_a_person_plays_and_sees_only_their_own_card(kibitz, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO("xyzzy\ncheck\nfold\n"))
    code, _, err = kibitz("play", "kuhn", "--seed", "3", "--bots", "random")
    assert code == 0
    assert "xyzzy is no move here" in err
    before_the_end = err[: err.rindex("returns:")]
    assert re.search(r"seat 1 +chips in 1 +\?\?", before_the_end) and "kibitz analyse" in err
    assert "returns:" in err


def test_long_lines_about_games_go_on_below_themselves(kibitz, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    narrow = kibitz("games")[1]
    monkeypatch.setenv("COLUMNS", "300")
    assert max(map(len, narrow.splitlines())) <= 60 and "…" not in narrow
    assert narrow.split() == kibitz("games")[1].split()
    about = narrow.splitlines()[1]
    assert about.startswith("leduc  ") and narrow.splitlines()[2].startswith(" " * about.index("Leduc"))


def test_games_and_bots_are_listed(kibitz):
    assert "leduc" in kibitz("games")[1]
    assert "players" in kibitz("games", "kuhn")[1]
    assert json.loads(kibitz("bots", "leduc", "--json")[1])[0]["name"] == "random"
