"""Games from elsewhere: found by entry point or by name, listed with their origin,
and never in the way of the others."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
EXAMPLE, TRICKS = EXAMPLES / "own_game", EXAMPLES / "own_trick_game"
DECLARATION = '"""{doc}"""\nfrom kibitz.core.game import Payoffs\nVERSION, OPTIONS, PRESETS = 1, (), {presets}\n'
PAYOFFS = "def payoffs(values):\n    return Payoffs(-1.0, 1.0, 0.0)\n"
HERE = "from kibitz.cli.main import main; main()"


def run(*words: str, path: Path, cwd: Path | None = None, code: str = HERE) -> subprocess.CompletedProcess[str]:
    """`kibitz WORDS`, or other code, in plain Python with a folder of packages at hand."""
    before = os.environ.get("PYTHONPATH", "")
    paths = os.pathsep.join([str(path), *([before] if before else [])])
    env = {**os.environ, "PYTHONPATH": paths, "NUMBA_DISABLE_JIT": "1", "COLUMNS": "160"}
    words = ("-c", code, *words)
    return subprocess.run([sys.executable, *words], capture_output=True, text=True, env=env, cwd=cwd, check=False)


def offer(folder: Path, package: str, presets: str, *, body: str = PAYOFFS, entry: str = "") -> None:
    """A package with a distribution around it, as an installer leaves them."""
    (folder / package).mkdir(parents=True)
    text = DECLARATION.format(doc=f"The game of {package}.", presets=presets) + body
    (folder / package / "__init__.py").write_text(text)
    info = folder / f"{package}-2.5.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 2.5\n")
    (info / "entry_points.txt").write_text(f"[kibitz.games]\n{package} = {entry or package}\n")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The examples, built and installed by pip."""
    folder = tmp_path_factory.mktemp("installed")
    sources = [folder / example.name for example in (EXAMPLE, TRICKS)]  # building leaves things behind
    for source in sources:
        left_out = shutil.ignore_patterns("build", "*.egg-info", "__pycache__")
        shutil.copytree(EXAMPLES / source.name, source, ignore=left_out)
    options = ["--quiet", "--no-index", "--no-deps", "--no-build-isolation", "--disable-pip-version-check"]
    words = [sys.executable, "-m", "pip", "install", *options, "--target", str(folder / "site"), *map(str, sources)]
    subprocess.run(words, check=True, timeout=300)
    return folder / "site"


def test_an_installed_game_is_listed_with_its_distribution(installed):
    found = run("games", "--json", path=installed)
    rows = {row["name"]: row["origin"] for row in json.loads(found.stdout)}
    assert found.returncode == 0 and not found.stderr
    assert rows["peek"] == "kibitz-peek 0.1.0" and rows["leduc"] == "kibitz"
    assert rows["sueca"] == "kibitz-sueca 0.1.0"
    assert list(rows)[-2:] == ["peek", "sueca"]  # kibitz's own come first
    assert "kibitz-peek 0.1.0" in run("games", "peek", path=installed).stdout


def test_an_installed_game_plays_and_is_measured(installed):
    words = ("simulate", "peek", "--games", "50", "--bots", "peek-rule,random", "--set", "price=2", "--json")
    assert json.loads(run(*words, path=installed).stdout)["games"] == 50
    found = run("match", "peek", "--bots", "peek-rule,random", "--deals", "20", "--json", path=installed)
    assert found.returncode == 0, found.stderr
    assert "peek-rule" in run("bots", "peek", path=installed).stdout


def test_an_installed_game_keeps_the_contract(installed):
    found = run("check", "peek", "--stage", "plain", "--games", "5", path=installed)
    assert found.returncode == 0, found.stdout + found.stderr
    assert "peek keeps the contract" in found.stdout


@pytest.mark.slow
@pytest.mark.parametrize("name", ["peek", "sueca"])
def test_an_installed_game_keeps_the_contract_compiled(installed, name):
    found = run("check", name, "--games", "50", path=installed)
    assert found.returncode == 0, found.stdout + found.stderr


def test_an_installed_trick_game_plays_and_is_measured(installed):
    found = run("match", "sueca", "--bots", "sueca-rule,random", "--deals", "20", "--json", path=installed)
    assert found.returncode == 0, found.stderr
    match = json.loads(found.stdout)
    assert match["seatings"] == ["ABAB", "BABA"] and match["difference"]["mean"] > 0
    found = run("simulate", "sueca", "--games", "30", "--bots", "random", "--json", path=installed)
    assert sum(json.loads(found.stdout)["deals_worth"].values()) == 30


SUECA = """
import kibitz

game = kibitz.make("sueca")
suits = [" ".join(rank + suit for rank in "23456QJK7A") for suit in "cdhs"]
p = kibitz.Position(game, deal=" | ".join(suits) + " ; seat 3 deals and shows 2s")
while not p.is_over:
    p.push(p.legal()[0])
assert p.points[3] == 120 and list(p.returns()) == [-4, 4, -4, 4]  # rule 3.3

p = kibitz.Position(game, seed=3)
shown = p.deal_text.split()[-1]
try:
    kibitz.Position(game, deal=p.deal_text[:-2] + p.hand(0)[0])
except ValueError as problem:
    assert str(problem).startswith(f"seat 1 cannot show {p.hand(0)[0]}: it holds ")
else:
    raise AssertionError("rule 1.3: the card shown is the dealer's")
assert p.deal_text.endswith(f"seat 1 deals and shows {shown}") and p.turn == 2  # rule 2.2
rule, pimc = kibitz.bot(game, "sueca-rule"), kibitz.bot(game, "pimc:worlds=4")
while len(p.hand(0)) > 3 or p.trick:
    p.push(rule(p.view()))
assert shown in p.hand(1)
for seat in (0, 2, 3):
    view = p.view(seat)
    hands = [world.hand(1) for world in view.worlds(8)]
    assert shown not in view.unseen and all(shown in hand for hand in hands)  # rule 1.3
    assert len({tuple(hand) for hand in hands}) > 1
searched = 0
while not p.is_over:
    view = p.view()
    move = rule(view)
    if len(p.legal()) > 1:
        found = pimc.explain(view)
        assert set(found.values) == set(p.legal()) and found.values[found.choice] == max(found.values.values())
        assert all(-4 <= worth <= 4 for worth in found.values.values())
        move, searched = found.choice, searched + 1
    p.push(move)
assert sum(p.points) == 120 and searched > 3
print("played")
"""


def test_an_installed_trick_game_is_searched_and_its_shown_card_is_known(installed):
    found = run(path=installed, code=SUECA)
    assert (found.returncode, found.stdout) == (0, "played\n"), found.stderr


def test_the_smallest_trick_game_of_contributing_plays_a_match(tmp_path):
    text = (EXAMPLES.parent / "CONTRIBUTING.md").read_text()
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    (code,) = (block for block in blocks if "TrickGame(" in block)
    (tmp_path / "kibitz_sueca").mkdir()
    (tmp_path / "kibitz_sueca" / "__init__.py").write_text(code)
    named = ("--game-package", "kibitz_sueca")
    found = run(*named, "match", "sueca", "--bots", "sueca-rule,random", "--deals", "10", "--json", path=tmp_path)
    assert found.returncode == 0, found.stderr
    assert json.loads(found.stdout)["seatings"] == ["ABAB", "BABA"]


def test_a_package_that_is_not_installed_is_named(tmp_path):
    home = EXAMPLE / "src"
    for words in (("--game-package", "kibitz_peek", "games"), ("games", "--game-package=kibitz_peek")):
        rows = json.loads(run(*words, "--json", path=tmp_path, cwd=home).stdout)
        assert rows[-1]["name"] == "peek" and rows[-1]["origin"] == "package kibitz_peek"


@pytest.mark.parametrize(
    ("word", "hint"), [("nowhere", "no such package"), ("no/where", "as `import` does"), ("", "as `import` does")]
)
def test_a_package_that_cannot_be_imported_is_one_line(tmp_path, word, hint):
    found = run("games", "--game-package", word, path=tmp_path)
    assert found.returncode == 2 and found.stderr.count("\n") == 1 and hint in found.stderr


def test_a_game_in_a_single_file_is_told_to_be_a_folder(tmp_path):
    (tmp_path / "flat.py").write_text(DECLARATION.format(doc="A game.", presets="{'flat': {}}") + PAYOFFS)
    found = run("--game-package", "flat", "simulate", "flat", "--games", "1", path=tmp_path)
    assert (
        found.returncode == 2
        and "flat is a single file; a game is a folder: put it into flat/__init__.py" in found.stderr
    )


BROKEN = {
    "typo": ("PRESETS = {nobody: 1}\n", "NameError: name 'nobody' is not defined ({folder}/typo/__init__.py, line 4)"),
    "leaver": ("raise SystemExit('no')\n", "SystemExit: no ("),
    "needy": ("import nowhere_to_be_found\n", "ModuleNotFoundError: No module named 'nowhere_to_be_found' ("),
    "unclosed": ("def payoffs(values:\n", "SyntaxError: '(' was never closed ({folder}/unclosed/__init__.py, line 4)"),
    "unpaid": ("", "unpaid lacks payoffs"),
    "listed": (PAYOFFS + "PRESETS = ['a']\n", "must be dictionaries"),
    "sized": (PAYOFFS + "PRESETS = {'a': {'size': 1}}\n", "must be a name with a dictionary of options"),
    "worded": (PAYOFFS + "OPTIONS = ('size',)\n", "must be a tuple of Option"),
    "raising": ("def payoffs(values):\n    return values['size']\n",
        "KeyError: 'size' ({folder}/raising/__init__.py, line 5"),
    "pointed": (PAYOFFS, "an entry point names the package of a game, not pointed:GAME"),
}  # fmt: skip
"""Packages that cannot be loaded, and what is said of them."""


@pytest.fixture(scope="module")
def crowd(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str], list[str]]:
    """A folder of sound and broken packages, what `kibitz games` lists with it, and what it complains about."""
    folder = tmp_path_factory.mktemp("crowd")
    for name, (body, _) in BROKEN.items():
        entry = "pointed:GAME" if name == "pointed" else ""
        offer(folder, name, f'{{"{name}-game": {{}}}}', body=body, entry=entry)
    offer(folder, "zzz", '{"whist": {}, "zzz-whist": {}}')
    offer(folder, "aaa", '{"whist": {}, "kuhn": {}}')
    found = run("games", "--json", path=folder)
    assert found.returncode == 0
    return folder, {row["name"]: row["origin"] for row in json.loads(found.stdout)}, found.stderr.splitlines()


def test_a_name_that_is_taken_stays_with_kibitz(crowd):
    _, origins, said = crowd
    assert origins["kuhn"] == "kibitz"
    assert "kibitz: kuhn of aaa 2.5 is left out: kibitz has a game of that name" in said


def test_of_two_packages_with_one_name_the_first_by_name_wins(crowd):
    _, origins, said = crowd
    assert origins["whist"] == "aaa 2.5" and origins["zzz-whist"] == "zzz 2.5"
    assert "kibitz: whist of zzz 2.5 is left out: aaa 2.5 has a game of that name" in said
    assert list(origins)[-2:] == ["whist", "zzz-whist"]


def test_a_broken_package_costs_one_line_and_no_other_game(crowd):
    folder, origins, said = crowd
    assert {"whist", "leduc"} <= set(origins) and not any(name.endswith("-game") for name in origins)
    for name, (_, why) in BROKEN.items():
        (line,) = [line for line in said if f" {name} 2.5 " in line]
        assert line.startswith(f"kibitz: the games of {name} 2.5 are left out: ")
        assert why.format(folder=folder) in line
    assert len(said) == len(BROKEN) + 2


def test_packages_of_others_are_not_loaded_for_games_of_kibitz(tmp_path):
    offer(tmp_path, "loud", '{"loud": {}}', body="print('here I am')\n" + PAYOFFS)
    found = run("simulate", "kuhn", "--games", "2", "--json", path=tmp_path)
    assert "here I am" not in found.stdout and json.loads(found.stdout)["games"] == 2
