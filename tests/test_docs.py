"""Every block of Python in the documents runs, each on its own; the README's is short and needs no deep import.

A block begins with ```python; with `slow` behind it takes minutes to compile,
with `no-run:` and a reason it is not run.
"""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```python *(.*?)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def blocks():
    for path in DOCUMENTS:
        text = path.read_text()
        for found in BLOCK.finditer(text):
            line = text.count("\n", 0, found.start()) + 1
            yield path.relative_to(ROOT).as_posix(), line, found[1].strip(), found[2]


def runnable():
    for place, line, mark, code in blocks():
        if not mark.startswith("no-run"):
            marks = [pytest.mark.slow] if mark == "slow" else []
            yield pytest.param(place, line, code, id=f"{place}:{line}", marks=marks)


@pytest.mark.parametrize(("place", "line", "code"), list(runnable()))
def test_the_code_of_the_documents_runs(place, line, code, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    exec(compile("\n" * line + code, place, "exec"), {"__name__": "a_block_of_the_documents"})


def test_marks_are_known_and_a_block_that_does_not_run_says_why():
    for place, line, mark, _ in blocks():
        assert mark in ("", "slow") or re.match(r"no-run: \w+", mark), f"{place}:{line} is marked {mark!r}"


def test_no_block_is_missed():
    for path in DOCUMENTS:
        fences = re.findall(r"^ *(?:```|~~~) *(?:python|py)", path.read_text(), re.MULTILINE)
        here = [place for place, *_ in blocks() if place == path.relative_to(ROOT).as_posix()]
        assert len(fences) == len(here), path


def test_the_readme_has_one_example_of_at_most_fifteen_lines_without_a_deep_import():
    (code,) = [code for place, _, _, code in blocks() if place == "README.md"]
    assert len(code.splitlines()) <= 15
    assert re.findall(r"^(?:import|from) .*", code, re.MULTILINE) == ["import kibitz"]
