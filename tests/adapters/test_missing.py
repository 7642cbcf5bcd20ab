"""A foreign library that is not there: one line that names the extra. RLCard is never needed."""

import subprocess
import sys

import pytest

BLOCKED = """
import sys
sys.modules[{library!r}] = None
try:
    import {module}
except Exception as problem:
    print(type(problem).__name__, problem)
"""


@pytest.mark.parametrize(
    "module,library,extra",
    [
        ("kibitz.adapters.gymnasium", "gymnasium", "envs"),
        ("kibitz.adapters.vector", "gymnasium", "envs"),
        ("kibitz.adapters.pettingzoo", "pettingzoo", "envs"),
        ("kibitz.adapters.openspiel", "pyspiel", "openspiel"),
    ],
)
def test_a_missing_library_is_one_line_that_names_the_extra(module, library, extra):
    code = BLOCKED.format(library=library, module=module)
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()
    assert said.startswith("MissingExtra") and said.endswith(f"pip install '.[{extra}]'")
    assert len(said.splitlines()) == 1


def test_the_rlcard_adapter_needs_no_rlcard():
    code = "import sys; sys.modules['rlcard'] = None; import kibitz.adapters.rlcard; print('fine')"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert said.strip() == "fine"
