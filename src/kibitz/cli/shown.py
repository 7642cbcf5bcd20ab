"""How verbs put words on the terminal: as they are, whatever stands in a bot's name or a record."""

from __future__ import annotations

import sys
from typing import Any, TextIO

from rich.console import Console
from rich.text import Text

from kibitz.core.plain_text import printable


class Paper(Console):
    """A console that takes words literally: no markup, no names of emoji, no commands for the terminal."""

    def __init__(self, file: TextIO | None = None) -> None:
        super().__init__(file=file, markup=False, emoji=False)

    def render_str(self, text: str, **options: Any) -> Text:
        """Text with what a terminal would obey spelled out."""
        return super().render_str(printable(text), **options)


def tell(text: str, file: TextIO | None = None) -> None:
    """Print text from a record or a bot."""
    print(printable(text), file=file or sys.stdout)
