"""Games that were played at the terminal are kept as records, one file a game, unless nobody wants that."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

from kibitz.core.errors import BadInput
from kibitz.core.record import Record


def usual_place(name: str) -> Path:
    """The file for games of a name: in the folder for data that the system names, or else in ~/.local/share."""
    home = os.environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share")
    return Path(home) / "kibitz" / "played" / f"{name}.jsonl"


@dataclass
class Keeper:
    """Writes records at the end of a file, each as soon as its game is over."""

    path: Path | None
    """None: nothing is kept."""
    kept: list[int] = field(default_factory=list)
    """Which games of the file they are, counted from 1."""
    trouble: str = ""
    """Why nothing more could be written."""

    def check(self) -> None:
        """Whether the file can be written to, before anything is played."""
        if self.path is None:
            return
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with open(self.path, "a", encoding="utf-8"):
                pass
        except OSError as problem:
            raise BadInput(
                f"{self.path} cannot be written ({(problem.strerror or 'no reason').lower()}): name a file with "
                "--records, or say --no-records"
            ) from None

    def keep(self, record: Record) -> None:
        """Write one game; trouble is remembered, and play goes on."""
        if self.path is None or self.trouble:
            return
        try:
            with open(self.path, "a+", encoding="utf-8") as file:
                file.seek(0)
                lines = [line for line in file if line.strip()]
                file.write(("\n" if lines and not lines[-1].endswith("\n") else "") + record.line() + "\n")
                file.flush()
                os.fsync(file.fileno())
            self.kept.append(len(lines) + 1)
        except (OSError, UnicodeDecodeError) as problem:
            self.trouble = str(problem)
