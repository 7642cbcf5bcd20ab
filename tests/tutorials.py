"""The tutorials' output is what the commands in them print.

python -m tests.tutorials [PAGE ...]        runs the commands and writes the pages again
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

PAGES = sorted((Path(__file__).resolve().parents[1] / "docs" / "tutorials").glob("*.md"))
BLOCK = re.compile(r"```text\n(\$ .*?)```\n", re.DOTALL)
KIBITZ = f'kibitz() {{ "{sys.executable}" -m kibitz "$@"; }}; '
UNNEEDED = re.compile(r"^(preparing .*|.* \.\.\.)$")
"""Lines that say what is being waited for."""


def commands(page: Path) -> list[list[str]]:
    """The commands of each block."""
    return [re.findall(r"^\$ (.*)$", block, re.MULTILINE) for block in BLOCK.findall(page.read_text(encoding="utf-8"))]


def written(page: Path) -> str:
    """The page with what its commands print now."""
    with tempfile.TemporaryDirectory() as folder:
        surroundings = {**os.environ, "COLUMNS": "110", "NO_COLOR": "1", "XDG_DATA_HOME": folder}

        def block(found: re.Match[str]) -> str:
            lines = ["```text"]
            for command in re.findall(r"^\$ (.*)$", found[1], re.MULTILINE):
                words = ["bash", "-c", f"{KIBITZ}{command} 2>&1"]
                ran = subprocess.run(words, cwd=folder, env=surroundings, capture_output=True, text=True, check=False)
                said = [line.rstrip() for line in ran.stdout.replace(folder, "").splitlines()]
                lines += [f"$ {command}", *(line for line in said if line and not UNNEEDED.match(line))]
            return "\n".join([*lines, "```\n"])

        return BLOCK.sub(block, page.read_text(encoding="utf-8"))


if __name__ == "__main__":
    for page in map(Path, sys.argv[1:] or PAGES):
        page.write_text(written(page), encoding="utf-8")
