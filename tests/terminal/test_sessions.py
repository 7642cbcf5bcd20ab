"""The sessions in docs/terminal.md are what the terminal shows today."""

import pytest

from tests.terminal.sessions import PAGE, SESSIONS, session


@pytest.mark.parametrize("name", SESSIONS)
def test_the_page_shows_what_the_terminal_shows(name):
    assert session(name) in PAGE.read_text(encoding="utf-8"), "python -m tests.terminal.sessions writes the page again"
