"""One account lays machine code where another would look for its own; it must never run."""

import os
import shutil
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

import pytest

from kibitz.core.jit import PLAIN

ATTACK = '''
import os, pickle, shutil, sys, tempfile, time
from pathlib import Path

import kibitz.core.kernel_cache as entries
from kibitz.core import cache_folder
from kibitz.core.jit import kernel

place, trap = Path(sys.argv[1]), sys.argv[2]
ATTACKER, VICTIM = 54321, 54322
flag = place / "ran-as"


def look(x):
    return x + 40


def forget():
    cache_folder._root.cache_clear()
    cache_folder.folder_for.cache_clear()
    look.__qualname__ = "look"


def answer():
    """Compile and call as a new process would."""
    forget()
    return kernel(look)(2)


def as_user(uid, act):
    """Do something in a process of another account; all modules are loaded, so it need not read ours."""
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        try:
            os.setgroups([])
            os.setgid(uid)
            os.setuid(uid)
            os.umask(0)
            act()
            sys.stdout.flush()
        except BaseException as problem:
            print("failed", uid, type(problem), problem, flush=True)
        os._exit(0)
    os.waitpid(child, 0)


class Evil:
    def __reduce__(self):
        return eval, (f"open({str(flag)!r}, 'a').write(str(__import__('os').geteuid()) + chr(10))",)


def set_trap(folder):
    """Entries of the right names and checksums, readable and writable by all, that do what the attacker wants."""
    os.environ["KIBITZ_CACHE"] = str(place / "attacker")
    answer()
    made = cache_folder._root()
    shutil.copytree(made, folder)
    for entry in folder.rglob("*.kernel"):
        entries.write_entry(entry, pickle.dumps(Evil()))
    for path in [folder, *folder.rglob("*")]:
        path.chmod(0o777)


def attack():
    trapped = place / "trap"
    set_trap(trapped)
    if trap == "control":
        for path in [trapped, *trapped.rglob("*")]:
            path.chmod(0o700)
        shutil.copytree(trapped, place / "shared" / "kibitz")
    elif trap == "made first":
        shutil.copytree(trapped, place / "shared" / "kibitz")
    elif trap == "a link":
        (place / "shared" / "kibitz").symlink_to(trapped)
    elif trap == "temporary folder":
        taken = place / "temporary" / f"kibitz-{VICTIM}"
        taken.mkdir(mode=0o777)
        shutil.copytree(trapped, taken / "kibitz")
    elif trap == "open to all":
        for path in trapped.rglob("*.kernel"):
            victims = place / "shared" / "kibitz" / path.parent.name / path.name
            victims.unlink()
            shutil.copy(path, victims)


def swap():
    """In a folder where all may rename, even what the victim made can be replaced, after it was looked at."""
    (place / "shared" / "kibitz").rename(place / "shared" / "away")
    (place / "trap").rename(place / "shared" / "kibitz")


def use():
    os.environ["KIBITZ_CACHE"] = str(place / "shared") if trap != "temporary folder" else "/nonexistent/kibitz"
    print("answer", answer(), flush=True)


def use_swapped():
    os.environ["KIBITZ_CACHE"] = str(place / "shared")
    forget()
    cache_folder.folder_for(entries._settings())  # looks at the folder and finds it right
    (place / "ready").touch()
    wait_for("swapped")
    print("answer", kernel(look)(2), flush=True)


def wait_for(name):
    while not (place / name).exists():
        time.sleep(0.01)


tempfile.tempdir = str(place / "temporary")
for name in ("shared", "temporary", "attacker"):
    (place / name).mkdir(exist_ok=True)
    (place / name).chmod(0o777 if name == "shared" else 0o1777)
os.environ["KIBITZ_CACHE"] = str(place / "warm")
answer()  # loads whatever compiling needs

if trap == "open to all":
    as_user(VICTIM, use)
    for path in [place / "shared" / "kibitz", *(place / "shared" / "kibitz").iterdir()]:
        path.chmod(0o777)
as_user(ATTACKER, attack)
if trap == "swapped":
    child = os.fork()
    if child == 0:
        as_user(VICTIM, use_swapped)
        os._exit(0)
    wait_for("ready")
    (place / "trap").chmod(0o777)
    as_user(ATTACKER, swap)
    (place / "swapped").touch()
    os.waitpid(child, 0)
else:
    as_user(ATTACKER if trap == "control" else VICTIM, use)
'''

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(PLAIN, reason="nothing is compiled"),
    pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root can act for two accounts"),
]


@pytest.fixture
def place():
    """A folder that all accounts can reach."""
    made = Path(tempfile.mkdtemp(prefix="two-accounts-"))
    made.chmod(0o777)
    yield made
    shutil.rmtree(made)


def attack(place: Path, trap: str) -> tuple[str, str]:
    program = place / "attack.py"
    program.write_text(textwrap.dedent(ATTACK))
    done = subprocess.run([sys.executable, str(program), str(place), trap], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr


def test_the_trap_works_on_whoever_owns_it(place):
    out, errors = attack(place, "control")
    assert (place / "ran-as").read_text().split() == ["54321"], (out, errors)


@pytest.mark.parametrize("trap", ["made first", "a link", "temporary folder", "open to all", "swapped"])
def test_what_another_account_has_laid_out_never_runs(trap, place):
    out, errors = attack(place, trap)
    assert not (place / "ran-as").exists(), "the attacker's code ran"
    assert set(out.splitlines()) == {"answer 42"}, (out, errors)
    assert "kibitz: " in errors
