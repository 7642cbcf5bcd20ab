"""Pictures are made from plain arrays, and their text is the same every time."""

import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable

import numpy as np
import pytest
from matplotlib.figure import Figure

from kibitz.arena.plots import histograms, learning_curves, published_and_ours, result_matrix, svg
from kibitz.core.errors import BadInput, MissingExtra

X = np.linspace(0, 2_000_000, 30)


def curves() -> Figure:
    y = np.sqrt(X)
    return learning_curves({"one": (X, y, y - 9, y + 9), "two": (X, 2 * y)}, title="Learning", levels={"paper": 900.0})


def matrix() -> Figure:
    values = [[np.nan, 0.25, -1.0], [-0.25, np.nan, 0.5], [1.0, -0.5, np.nan]]
    return result_matrix("abc", "abc", values, np.full((3, 3), 0.04), title="Matrix")


def shares() -> Figure:
    rng = np.random.default_rng(1)
    return histograms({"whole": rng.poisson(5, 400), "other": rng.poisson(7, 300)}, title="Lengths")


def bars() -> Figure:
    return published_and_ours(["Kuhn", "Leduc"], [-0.0556, -0.0856], [-0.0551, -0.0860], [0.0002, 0.0003], decimals=4)


ALL = [curves, matrix, shares, bars]


@pytest.mark.parametrize("draw", ALL)
def test_the_same_arrays_give_the_same_text(draw: Callable[[], Figure]) -> None:
    figure = draw()
    assert svg(figure) == svg(figure) == svg(draw())


@pytest.mark.parametrize("draw", ALL)
def test_the_text_is_one_small_self_contained_element(draw: Callable[[], Figure]) -> None:
    text = svg(draw())
    assert ElementTree.fromstring(text).tag == "{http://www.w3.org/2000/svg}svg"
    assert len(text) < 25_000
    assert not re.search(r"<style|<script|<image|<metadata|dc:date|href=\"[^#]", text)
    assert "currentColor" in text
    references = set(re.findall(r"(?:url\(|href=\")#(\w+)", text))
    assert references <= set(re.findall(r' id="(\w+)"', text))


def test_numbers_in_a_picture_keep_their_digits() -> None:
    text = svg(bars())
    assert all(f">−{number}</text>" in text for number in ("0.0556", "0.0551", "0.0856", "0.0860"))


def test_a_matrix_shows_values_and_errors_but_not_nan() -> None:
    text = svg(matrix())
    assert text.count("± 0.04") == 6
    assert "+0.25" in text
    assert "nan" not in text


def test_large_counts_are_written_short() -> None:
    assert {"500k", "1M", "2M"} <= set(re.findall(r">([\dkM.]+)</text>", svg(curves())))


def test_shapes_must_fit() -> None:
    with pytest.raises(BadInput, match="2 rows and 3 columns"):
        result_matrix("ab", "abc", np.zeros((3, 3)))
    with pytest.raises(BadInput, match="2 labels want 2 ours values"):
        published_and_ours("ab", [1, 2], [1, 2, 3])


def test_without_matplotlib_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtra, match=r"^matplotlib is not installed: pip install '\.\[plots\]'$"):
        curves()


def test_matplotlib_is_not_imported_before_something_is_drawn() -> None:
    asked = "import sys, kibitz.arena.plots; print('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True).stdout == "False\n"
