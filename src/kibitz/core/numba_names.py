"""What kernels need of Numba by name, and stand-ins for it where nothing is compiled: to import Numba takes longer than
all the rest."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

PLAIN = os.environ.get("NUMBA_DISABLE_JIT", "") not in ("", "0")
"""True when NUMBA_DISABLE_JIT=1: every kernel is then the Python function itself."""

if TYPE_CHECKING or not PLAIN:
    from numba import types as types
    from numba.core import cgutils as cgutils
    from numba.extending import intrinsic as intrinsic
    from numba.extending import overload as overload
else:
    types = cgutils = None  # named only by what a compiler calls

    def intrinsic(function):  # noqa: D103
        return function

    def overload(of):  # noqa: D103
        return lambda function: function
