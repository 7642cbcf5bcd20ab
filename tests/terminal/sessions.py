"""Sessions at the terminal, one a game, as docs/terminal.md shows them.

python -m tests.terminal.sessions        writes the page again
"""

import os
from contextlib import suppress
from pathlib import Path
from unittest.mock import patch

from kibitz.bots.person import LeftTheTable
from kibitz.core.position import Position
from kibitz.terminal.paint import Paint
from tests.terminal.typed import seated

PAGE = Path(__file__).resolve().parents[2] / "docs" / "terminal.md"
HEAD = """# At the terminal

What `kibitz play GAME` shows, one session a game, with what was typed after each prompt. On a terminal cards have suit signs and
colours (`--colours 4` for four of them, none with `NO_COLOR`) and the table is redrawn in place; here it is plain text. `?` lists
what can be typed. This page is written by `python -m tests.terminal.sessions`.
"""  # noqa: E501
SESSIONS = {
    "coinche": ("rule", "en", 3, ("hint", "pass", "MOVE", "last", "MOVE", "score", "quit")),
    "skat": ("rule", "de", 4, ("tipp", "MOVE", "MOVE", "MOVE", "MOVE", "ende")),
    "cego": ("rule", "de", 3, ("MOVE", "MOVE", "MOVE", "MOVE", "ende")),
    "hearts": ("rule", "en", 3, ("Kc Ah 7s", "MOVE", "undo", "MOVE", "quit")),
    "euchre": ("rule", "en", 3, ("MOVE", "MOVE", "MOVE", "quit")),
    "belote": ("rule", "fr", 3, ("MOVE", "MOVE", "MOVE", "quitter")),
    "cheat-party": ("rule", "en", 6, ("MOVE", "trust", "MOVE", "rules 4.2", "quit")),
    "leduc": ("rule", "fr", 1, ("relancer", "suivre", "suivre", "suivre", "suivre")),
    "kuhn": ("rule", "en", 1, ("bet", "call", "pass")),
    "collaborative-kuhn": ("rule", "en", 1, ("MOVE",) * 9),
}
"""The bots, the language, the seed, and what is typed; MOVE is the first legal move."""


def session(name: str) -> str:
    """What a session prints, with what was typed."""
    bots, lang, seed, lines = SESSIONS[name]
    given = iter(lines)

    def typed() -> str:
        line = next(given, None)
        if line is None:
            raise LeftTheTable("the end")
        line = table.deal.position.legal()[0] if line == "MOVE" else line
        out.write(f"{line}\n")
        return f"{line}\n"

    table, game, out = seated(name, lang, bots=bots, source=typed, paint=Paint(lang, has_signs=lang != "en"))
    with suppress(LeftTheTable), patch.dict(os.environ, COLUMNS="120"):
        table.play(Position(game, seed))
    return "\n".join(line.rstrip() for line in out.getvalue().strip().splitlines())


def page() -> str:
    """The whole page."""
    parts = [HEAD]
    for name, (_, lang, seed, _) in SESSIONS.items():
        told = "" if lang == "en" else f" --lang {lang}"
        parts.append(f"\n## {name}\n\n```text\n$ kibitz play {name} --seed {seed}{told}\n{session(name)}\n```\n")
    return "".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
