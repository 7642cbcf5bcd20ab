"""`kibitz check`: each fault of a game is shown with file, line, cause and rule, and a crash is no silence."""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from kibitz.cli.main import main
from kibitz.core.catalogue import NAMED
from kibitz.core.checkup import Finding, _run

SOUND = Path(__file__).parents[2] / "examples" / "own_game" / "src" / "kibitz_peek"
HERE = "from kibitz.cli.main import main; main()"


def check(home: Path, *words: str) -> tuple[int, str, str]:
    """`kibitz check peek` with a game of this folder."""
    words = ("check", "peek", "--game-package", "kibitz_peek", *words)
    found = subprocess.run([sys.executable, "-P", "-c", HERE, *words], capture_output=True, text=True, cwd=home)
    return found.returncode, found.stdout, found.stderr


@pytest.fixture
def found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Finding]:
    """What a stage finds in a game of this folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(NAMED, "kibitz_peek")

    def look(stage: str = "plain") -> Finding:
        finding = _run(stage, {"name": "peek", "options": {}, "games": 5, "seed": 7}, "plain Python")
        assert finding is not None
        return finding

    return look


def spoil(home: Path, file: str, old: str, new: str) -> int:
    """Copy the sound game with one piece of text changed; the line of the change."""
    shutil.copytree(SOUND, home / "kibitz_peek", ignore=shutil.ignore_patterns("__pycache__"))
    path = home / "kibitz_peek" / file
    text = path.read_text()
    assert text.count(old) == 1
    path.write_text(text.replace(old, new))
    return text[: text.index(old)].count("\n") + 1


OTHER_CARD = "s[CARD + 1 - seat] = card + (1 if card >= s[CARD + seat] else 0)"
FAULTS = {
    "index out of range": (
        "rules.py", "s[LOG + s[MOVES]] = action", "s[LOG + s[MOVES] + 5] = action", "in step",
        ["IndexError: index 9 is out of bounds for axis 0 with size 7", "s has 7 slots (SIZE)"],
    ),
    "typo": (
        "rules.py", "mask[PEEK] = s[MOVES] == 0", "mask[PEEEK] = s[MOVES] == 0", "in legal",
        ["NameError: name 'PEEEK' is not defined", "legal(s, mask) writes bool[ACTIONS]"],
    ),
    "typo in a module": (
        "senses.py", '"seat": slice(0, 2),', '"seat": slyce(0, 2),', "",
        ["NameError: name 'slyce' is not defined", "making the game"],
    ),
    "observation that leaks": (
        "senses.py", "    if sees_other(s, seat):\n        out[2", "    if s[MOVES] >= 0:\n        out[2", "in observe",
        ["observe gives seat 0 more than its view", "observe(s, seat, out) writes float32[SENSES] from what"],
    ),
    "redeal that deals a card twice": (
        "senses.py", OTHER_CARD, "s[CARD + 1 - seat] = s[CARD + seat]", "in redeal",
        ["redealt for seat 0: deal", "is not possible: it takes two different cards",
            "redeal(s, seat, rng) draws anew"],
    ),
    "returns beyond their bounds": (
        "rules.py", "answered if is_first", "9 * answered if is_first", "in returns",
        ["beyond -4.0 to 4.0", "payoffs(values) bounds what returns can be"],
    ),
    "listener told too much": (
        "words.py", "return ACTION_WORDS[after[LOG + before[MOVES]]]", 'return "moves"', "in told",
        ["is told 'moves' of moves that look different", "told(before, after, seat, mover, lang) tells a listener"],
    ),
}  # fmt: skip


AT_THE_LINE = ("index out of range", "typo", "typo in a module")
"""Other faults are shown at the head of the function."""


FIRST = ("index out of range", "typo in a module", "redeal that deals a card twice")
"""A fault at its line, one in a module, and one at the head of a function; the others are slow."""


@pytest.mark.parametrize(
    "kind", [kind if kind in FIRST else pytest.param(kind, marks=pytest.mark.slow) for kind in FAULTS]
)
def test_a_fault_is_shown_with_file_line_and_rule(tmp_path, found, kind):
    file, old, new, function, said = FAULTS[kind]
    line = spoil(tmp_path, file, old, new)
    rows = found().lines()
    assert len(rows) <= 6
    assert f"kibitz_peek/{file}, line " in rows[0] and rows[0].endswith(function)
    if kind in AT_THE_LINE:
        assert f"line {line}" in rows[0]
    else:
        assert rows[1].strip().startswith(f"def {function.removeprefix('in ')}(")
    for words in said:
        assert words in "\n".join(rows)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("if not sees_other(s, seat):\n        out[CARD + 1 - seat] = UNKNOWN", "out[MOVES] = s[MOVES]"),
        (OTHER_CARD, "s[CARD + seat] = (s[CARD + seat] + 1) % CARDS"),
    ],
    ids=["view", "redeal"],
)
def test_a_view_that_leaks_and_a_redeal_that_lies_are_both_pointed_at(tmp_path, found, old, new):
    """What a redeal changes in a view can be the fault of either."""
    spoil(tmp_path, "senses.py", old, new)
    out = "\n".join(found().lines())
    lines = (tmp_path / "kibitz_peek" / "senses.py").read_text().splitlines()
    assert f"senses.py, line {1 + lines.index('def view(s: State, seat: int, out: State) -> None:')}, in view" in out
    assert (
        f"senses.py, line {1 + lines.index('def redeal(s: State, seat: int, r: rng.Rng) -> None:')}, in redeal" in out
    )
    assert re.search(r"seat \d notices a redeal by view \(slot ", out)
    assert "everything the seat cannot know blanked" in out and "only that; the result is a possible game" in out


def test_a_broken_game_ends_with_exit_code_1(tmp_path):
    line = spoil(tmp_path, "rules.py", "mask[PEEK] = s[MOVES] == 0", "mask[PEEEK] = s[MOVES] == 0")
    code, out, err = check(tmp_path)
    rows = out.splitlines()
    assert code == 1 and not err and len(rows) == 6
    assert rows[0] == "peek, plain Python: broken"
    assert rows[1].endswith(f"rules.py, line {line}, in legal") and rows[3].endswith("name 'PEEEK' is not defined")


def test_a_package_that_cannot_be_imported_is_a_fault_too(tmp_path):
    line = spoil(tmp_path, "__init__.py", "VERSION = 1", "VERSION = one")
    code, _, err = check(tmp_path)
    assert code == 2 and f"kibitz_peek/__init__.py, line {line}" in err  # nobody knows which games it would have
    words = ("check", "kibitz_peek", "--game-package", "kibitz_peek")
    found = subprocess.run([sys.executable, "-P", "-c", HERE, *words], capture_output=True, text=True, cwd=tmp_path)
    assert found.returncode == 1 and "NameError: name 'one' is not defined" in found.stdout


def test_other_verbs_say_in_one_line_that_a_game_cannot_be_made(tmp_path):
    line = spoil(tmp_path, "senses.py", '"seat": slice(0, 2),', '"seat": slyce(0, 2),')
    words = ("simulate", "peek", "--games", "2", "--game-package", "kibitz_peek")
    found = subprocess.run([sys.executable, "-P", "-c", HERE, *words], capture_output=True, text=True, cwd=tmp_path)
    assert found.returncode == 2 and found.stderr.count("\n") == 1
    assert f"name 'slyce' is not defined (kibitz_peek/senses.py, line {line}); see kibitz check peek" in found.stderr


def test_a_crash_is_reported_with_its_stage(tmp_path, found):
    crash = "    import os, signal\n    os.kill(os.getpid(), signal.SIGSEGV)\n"
    head = '    """Both cards, seat 0 first: `5 2`."""\n'
    line = spoil(tmp_path, "words.py", head, head + crash)
    out = "\n".join(found().lines())
    assert (
        "fault  the process died (Segmentation fault 11)" in out and f"words.py, line {line + 2}, in deal_text" in out
    )
    assert "the stage before (plain Python) found nothing" in out


def test_a_crash_ends_with_exit_code_1(tmp_path):
    spoil(tmp_path, "words.py", "ACTION_WORDS = (", "import os\nos._exit(139)\nACTION_WORDS = (")
    code, out, _ = check(tmp_path, "--json")
    (stage,) = json.loads(out)["stages"]
    assert code == 1 and stage["name"] == "plain"
    assert stage["finding"]["fault"]["what"] == "the process died (exit code 139)"


def test_what_does_not_compile_is_told_in_a_few_lines(tmp_path, found):
    line = spoil(tmp_path, "rules.py", "    s[MOVES] = 0\n", '    s[MOVES] = 0 if first >= 0 else "none"\n')
    rows = found("compiled").lines()
    assert len(rows) <= 6 and rows[0].endswith(f"rules.py, line {line}, in start")
    assert "TypingError: Cannot unify Literal[int](0) and Literal[str](none)" in rows[2]


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (("check", "nosuch"), "there is no game nosuch"),
        (("check", "kuhn", "--stage", "fast"), "there is no stage fast"),
        (("check", "kuhn", "--stage", "plain", "--set", "players=9"), "players=9 is not possible"),
        (("check", "kuhn", "--games", "0"), "--games 0 is not possible"),
    ],
)
def test_what_cannot_be_checked_is_one_line(capsys, words, hint):
    with pytest.raises(SystemExit) as end:
        main(words)
    said = capsys.readouterr().err
    assert end.value.code == 2 and hint in said and said.count("\n") == 1
