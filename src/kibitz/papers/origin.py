"""Where a result comes from: versions, commit, machine and day."""

from __future__ import annotations

import os
import platform
import re
import subprocess
import time
from functools import cache
from importlib import import_module, metadata
from pathlib import Path

HERE = Path(__file__).resolve().parent
KEPT = HERE / "kept"
"""Results that the project owns; they are data, and a new one changes no code."""


def versions() -> dict[str, str]:
    """Return the versions that decide what an experiment computes."""
    return {"python": platform.python_version()} | {name: _version(name) for name in ("kibitz", "numpy", "numba")}


def _version(name: str) -> str:
    # Our own sources may be newer than what was installed; asking numba itself would import it.
    own = getattr(import_module("kibitz"), "__version__", None) if name == "kibitz" else None
    try:
        return str(own or metadata.version(name))
    except metadata.PackageNotFoundError:
        return "not installed"


@cache
def commit() -> str:
    """The commit of the checkout that kibitz runs from, with a + if its code was changed;
    or a word that there is none."""
    found = _git("rev-parse", "HEAD")
    if not found:
        return "unknown"
    package = HERE.parent
    changed = _git("status", "--porcelain", "--", str(package), f":(exclude){KEPT}")
    return found + ("+" if changed else "")


def _git(*words: str) -> str:
    try:
        found = subprocess.run(["git", "-C", str(HERE), *words], capture_output=True, text=True, timeout=10, check=True)
    except (OSError, subprocess.SubprocessError):
        return ""
    return found.stdout.strip()


@cache
def machine() -> str:
    """The processor by name, and how many cores there are."""
    name = platform.processor() or platform.machine()
    try:
        found = re.search(r"^model name\s*:\s*(.+)$", Path("/proc/cpuinfo").read_text(encoding="utf-8"), re.MULTILINE)
        name = found[1] if found else name
    except OSError:
        pass
    return f"{' '.join(name.split())}, {os.cpu_count()} cores"[:200]


def today() -> str:
    """The day in UTC."""
    return time.strftime("%Y-%m-%d", time.gmtime())
