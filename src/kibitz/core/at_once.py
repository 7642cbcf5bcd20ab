"""One table for people starts at once: its kernels run as plain Python,
and bots that search are compiled in a process of their own.

A person thinks for seconds and a move takes a millisecond even uncompiled,
while compiling a game takes ten seconds and more.
"""

from __future__ import annotations

import os
import sys

SWITCH = "NUMBA_DISABLE_JIT"


def without_compiling() -> None:
    """Let all kernels of this process be plain Python; does nothing once they have been loaded.
    Processes started later compile."""
    if "kibitz.core.jit" in sys.modules or SWITCH in os.environ:
        return
    os.environ[SWITCH] = "1"
    try:
        import kibitz.core.jit  # noqa: F401 (reads the switch)
    finally:
        del os.environ[SWITCH]


def searches_apart() -> bool:
    """Whether what must be quick belongs into a process of its own, for here nothing is compiled."""
    from kibitz.core.jit import PLAIN

    return PLAIN and SWITCH not in os.environ
