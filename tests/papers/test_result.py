"""Results survive the way to JSON and back, and nothing else passes for one."""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kibitz.arena.statistics import Score, WinRate
from kibitz.core.errors import BadInput, BadRecord, KibitzError
from kibitz.papers.result import (
    Cell,
    Figure,
    Published,
    Result,
    Table,
    Verdict,
    from_json,
    to_json,
    verdict,
    write_whole,
)

SVG = '<svg xmlns="http://www.w3.org/2000/svg"><text>é</text></svg>'

number = st.floats(-1e9, 1e9)
words = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
cells: st.SearchStrategy[Cell] = st.one_of(
    words | st.integers() | number | st.none() | st.sampled_from([math.inf, -math.inf]),
    st.builds(Published, number, number, words),
    st.builds(Score, number, number, st.integers(1, 10**9), words),
    st.integers(0, 500).map(lambda wins: WinRate(wins, 500)),
    st.builds(Verdict, st.sampled_from(["agrees", "near", "differs", "open"]), words),
)


@given(st.lists(st.lists(cells, min_size=3, max_size=3), max_size=4), st.lists(words, max_size=3), words)
def test_results_survive_the_way_to_json_and_back(rows: list[list[Cell]], notes: list[str], title: str) -> None:
    figures = [Figure(title, SVG)]
    result = Result(
        title, [Table(title, ["a", "b", title], rows)], figures, notes, name="a.b", versions={"python": "3"}
    )
    assert from_json(to_json(result)) == result


def test_text_that_looks_like_no_number_stays_text() -> None:
    table = Table("", ["a", "b", "c"], [["nan", math.nan, Score(1.0, math.nan, 1)]])
    text, not_a_number, alone = from_json(to_json(Result("", [table]))).tables[0].rows[0]
    assert text == "nan"
    assert isinstance(not_a_number, float)
    assert math.isnan(not_a_number)
    assert isinstance(alone, Score)
    assert math.isnan(alone.se)


def test_numpy_numbers_become_plain_numbers() -> None:
    measured: Any = (np.float64(1.0), np.float64(2.0), np.int64(4))
    rows: list[list[Any]] = [[np.int64(3), np.float32(0.5), Score(*measured)]]
    assert from_json(to_json(Result("", [Table("", "abc", rows)]))).tables[0].rows == ((3, 0.5, Score(1.0, 2.0, 4)),)


@pytest.mark.parametrize(
    "change",
    [
        {"format": 1},
        {"title": 5},
        {"seed": "one"},
        {"surprise": 1},
        {"tables": [{"caption": "c", "columns": ["a"], "rows": [["too", "many"]]}]},
        {"tables": [{"caption": "c", "columns": ["a"], "rows": [[["a list"]]]}]},
        {"tables": [{"caption": "c", "columns": ["a"], "rows": [[{"is": "score", "mean": "high", "se": 1, "n": 2}]]}]},
        {"tables": [{"caption": "c", "columns": ["a"], "rows": [[{"is": "elephant"}]]}]},
        {"figures": [{"caption": "c", "svg": "<svg><script>alert(1)</script></svg>"}]},
        {"notes": [1]},
        {"versions": ["3.11"]},
    ],
)
def test_what_is_no_result_is_refused(change: dict[str, object]) -> None:
    with pytest.raises(BadRecord):
        from_json(json.dumps(json.loads(to_json(Result("t", name="a.b"))) | change))


@pytest.mark.parametrize("text", ["", "[]", "5", '{"title": "half', "[" * 100_000])
def test_garbage_is_refused(text: str) -> None:
    with pytest.raises(BadRecord):
        from_json(text)


@pytest.mark.parametrize(
    ("ours", "published", "words"),
    [
        (Score(1.2, 0.1, 9), 1.08, "✓ within 1.2 se"),
        (Score(1.2, 0.3, 9), Published(1.7, 0.4), "✓ within 1.0 se"),
        (Score(1.2, 0.1, 9), 0.95, "≈ 2.5 se apart"),
        (Score(1.2, 0.1, 9), 2.0, "✗ 8.0 se apart"),
        (Score(1.2, math.nan, 1), 1.2, "? no error known"),
        (WinRate(50, 100), Published(55.0, unit="%"), "✓ within 1.0 se"),
        (WinRate(50, 100), 0.55, "✓ within 1.0 se"),
        (0.5, 0.5, "✓ within 0.0 se"),
        (0.5, 0.25, "✗ off by 0.25"),
    ],
)
def test_verdicts(ours: Score | WinRate | float, published: Published | float, words: str) -> None:
    assert str(verdict(ours, published)) == words


def test_verdicts_by_tolerance() -> None:
    assert str(verdict(-1 / 18, -0.0556, tolerance=1e-4)) == "✓ within 0.0001"
    assert str(verdict(-0.06, -0.0556, tolerance=1e-4)) == "✗ off by 0.0044"
    with pytest.raises(BadInput, match="'maybe' is no verdict"):
        Verdict("maybe", "")


def test_published_numbers_keep_the_digits_of_the_paper() -> None:
    assert str(Published(40.795)) == "40.795"
    assert str(Published(58.001, 0.02, "%")) == "58.001 ± 0.02 %"


def test_rows_must_fit_their_columns() -> None:
    with pytest.raises(BadInput, match="'Value' has 2 columns, but a row of 1 cells"):
        Table("Value", ["a", "b"], [["x"]])
    with pytest.raises(BadInput, match="a cell cannot hold"):
        Table("Value", ["a"], [[object()]])  # type: ignore[list-item]


def test_a_failed_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.json"
    write_whole(path, "old")

    def full_disk(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full_disk)
    with pytest.raises(KibitzError, match=r"a.json cannot be written: No space left on device$"):
        write_whole(path, "new")
    assert [(file.name, file.read_text()) for file in tmp_path.iterdir()] == [("a.json", "old")]
