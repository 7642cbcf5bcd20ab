"""The documents take their numbers from kept results; what no longer matches fails here."""

from dataclasses import replace
from pathlib import Path

import pytest

from kibitz.core.errors import BadInput
from kibitz.papers import charts, claims
from kibitz.papers.docs import outdated, write_docs
from kibitz.papers.experiment import Experiment, find, names
from kibitz.papers.result import Figure, Published, Result, Table, save

ROOT = Path(__file__).parents[2]
RESULT = Result(
    "Whist", [Table("Tricks", ["n"], [[3]])], claims=[claims.number("k", "Games | won", Published(2), 2.0)],
    name="whist.value", scale="full", date="2026-11-17", command="kibitz reproduce whist.value --seed 1", seconds=61,
)  # fmt: skip
KNOWN = [
    Experiment("whist.value", "A paper", "who wins", 1, lambda scale: RESULT),
    Experiment("whist.later", "A paper", "who wins later", 30, lambda scale: RESULT),
]


def test_the_documents_match_the_kept_results() -> None:
    changed = [path.name for path in outdated(ROOT, [one for name in names() for one in find(name)])]
    assert not changed, f"{', '.join(changed)} and src/kibitz/papers/kept differ: run kibitz reproduce --docs"


def root_with(folder: Path, text: str) -> Path:
    (folder / "docs" / "papers").mkdir(parents=True, exist_ok=True)
    (folder / "README.md").write_text("nothing\n")
    (folder / "docs" / "papers" / "whist.md").write_text(text)
    save(RESULT, folder / "kept")
    return folder


def filled(folder: Path, text: str) -> str:
    root = root_with(folder, text)
    write_docs(root, KNOWN, folder / "kept")
    assert not outdated(root, KNOWN, folder / "kept")
    return (root / "docs" / "papers" / "whist.md").read_text()


def block(asked: str, old: str = "old\n") -> str:
    return f"Before.\n\n<!-- kept {asked} -->\n{old}<!-- end -->\n\nBehind.\n"


def test_blocks_are_written_from_the_data_and_the_rest_stays(tmp_path: Path) -> None:
    text = filled(tmp_path, block("whist.value"))
    assert text.startswith("Before.\n\n<!-- kept whist.value -->\n") and text.endswith("\n<!-- end -->\n\nBehind.\n")
    assert r"| Games \| won | 2 | 2 | ✓ reproduced, 0.0 standard errors apart |" in text and "old" not in text
    assert "`kibitz reproduce whist.value --seed 1` · 2026-11-17 · seed 0 · 1 thread · 1 min 1 s" in text


def test_a_table_a_list_and_what_was_not_run(tmp_path: Path) -> None:
    assert "| n |\n| ---: |\n| 3 |" in filled(tmp_path, block("whist.value table 1", ""))
    assert "*Not yet run at full scale: `kibitz reproduce whist.later --keep`, about 30 minutes" in filled(
        tmp_path, block("whist.later")
    )
    text = filled(tmp_path, block("whist list"))
    assert "| `kibitz reproduce whist.value` | who wins | 2026-11-17, 1 min 1 s | ✓ 1 reproduced |" in text
    assert "| `kibitz reproduce whist.later` | who wins later | not yet; about 30 min |  |" in text
    assert "| paper | it claims | we find |" in filled(tmp_path, block("papers"))


def test_a_change_of_a_number_by_hand_is_noticed(tmp_path: Path) -> None:
    text = filled(tmp_path, block("whist.value"))
    root = root_with(tmp_path, text.replace("| 2 | 2 |", "| 2 | 3 |"))
    assert [path.name for path in outdated(root, KNOWN, tmp_path / "kept")] == ["whist.md"]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (block("whist.valeu"), r"whist.md asks for 'whist.valeu': write the name of an experiment"),
        (block("whist.value tables"), r"asks for 'whist.value tables'"),
        (block("whist.value table 2"), r"asks for table 2 of whist.value: it has 1"),
        ("<!-- kept whist.value -->\nno end\n", r"has 1 marks and 0 blocks"),
        ("text <!-- end -->\n<!-- end -->\n", r"has 1 marks and 0 blocks"),
    ],
)
def test_a_mark_that_asks_for_nothing_known_is_refused(tmp_path: Path, text: str, problem: str) -> None:
    with pytest.raises(BadInput, match=problem):
        filled(tmp_path, text)
    assert (tmp_path / "docs" / "papers" / "whist.md").read_text() == text


def test_outside_of_a_checkout_there_is_nothing_to_write(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="run this in a checkout"):
        outdated(tmp_path, KNOWN)


def test_a_figure_is_a_file_beside_the_documents(tmp_path: Path) -> None:
    save(replace(RESULT, figures=[Figure("Tricks | won", chart=charts.curves({"a": ([1], [2])}, "x", "y"))]), tmp_path)
    root = root_with(tmp_path / "root", "<!-- kept whist.value figure 1 -->\n<!-- end -->\n")
    assert len(write_docs(root, KNOWN, tmp_path)) == 2
    assert "](../pictures/kept/whist.value-1.svg)" in (root / "docs" / "papers" / "whist.md").read_text()
    assert (root / "docs" / "pictures" / "kept" / "whist.value-1.svg").read_text().startswith("<svg")
    assert not outdated(root, KNOWN, tmp_path)
