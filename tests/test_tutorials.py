"""The tutorials show what their commands print."""

import re

import pytest

from kibitz.cli.main import VERBS
from tests.tutorials import BLOCK, PAGES, commands, written


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_command_of_a_tutorial_is_one_and_its_output_is_there(page):
    blocks = BLOCK.findall(page.read_text(encoding="utf-8"))
    assert blocks
    for block, asked in zip(blocks, commands(page), strict=True):
        assert len(block.splitlines()) > len(asked)
        for verb in re.findall(r"kibitz (\w+)", " ".join(asked)):
            assert verb in VERBS


@pytest.mark.slow
def test_the_commands_of_the_tutorial_on_game_theory_still_print_what_it_shows():
    page = next(page for page in PAGES if page.stem == "game_theory")
    before, now = page.read_text(encoding="utf-8").splitlines(), written(page).splitlines()
    assert len(before) == len(now)
    for line, again in zip(before, now, strict=True):  # speeds differ
        assert line == again or " a second" in line or " s (" in line
