"""CPU seconds from the start of `kibitz play` to its first prompt, with an empty kernel cache and with a full one.

    python benchmarks/first_prompt.py                          # measure this checkout, print a table
    python benchmarks/first_prompt.py --checkout DIR --as before --keep
    python benchmarks/first_prompt.py --as now --keep          # and write docs/starting.md again from all that was kept

User and system time of kibitz and all processes that it started are added up at the moment the prompt is there, so that
what else the machine does hardly matters.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

TABLES = (
    ("kuhn", ""), ("leduc", ""), ("coinche", ""), ("coinche", "coinche-strong"), ("coinche", "pimc"), ("cego", ""),
    ("skat", ""), ("skat", "skat-rule"), ("skat", "pimc"), ("cheat-party", ""), ("hearts", ""),
)  # fmt: skip
"""Games and who sits in the other seats; nobody named is the default."""
PROMPT = b"your move ("
HERE = Path(__file__).resolve()
KEPT = HERE.with_name("first_prompt.json")
PAGE = HERE.parents[1] / "docs" / "starting.md"
MARKS = ("<!-- benchmarks/first_prompt.py -->", "<!-- end -->")
TICKS = os.sysconf("SC_CLK_TCK")


def first_prompt(checkout: Path, cache: str, game: str, bots: str) -> float:
    """CPU seconds until a person is asked for a move."""
    command = [sys.executable, "-m", "kibitz", "play", game, "--seed", "1", *(["--bots", bots] if bots else [])]
    home = {"HOME": cache, "XDG_DATA_HOME": cache}
    surroundings = {**os.environ, **home, "PYTHONPATH": str(checkout / "src"), "KIBITZ_CACHE": cache}
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=surroundings, cwd=cache
    )
    assert process.stderr is not None and process.stdin is not None
    said = b""
    while PROMPT not in said:
        more = os.read(process.stderr.fileno(), 65536)
        if not more:
            raise SystemExit(f"{' '.join(command[2:])} ended without asking for a move:\n{said.decode()}")
        said += more
    used = sum(cpu(pid) for pid in family(process.pid))
    process.stdin.write(b"quit\n")
    process.stdin.close()
    process.stderr.read()
    process.wait()
    return used


def cpu(pid: int) -> float:
    """Seconds that a process and those of its children that have ended were computing."""
    try:
        numbers = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return 0.0
    return sum(map(int, numbers[11:15])) / TICKS


def family(pid: int) -> list[int]:
    """A process with all that it started and that is still there."""
    parents = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            parents[int(path.parent.name)] = int(path.read_text().rsplit(")", 1)[1].split()[1])
        except OSError:
            continue
    found = [pid]
    for one in found:
        found += [child for child, parent in parents.items() if parent == one]
    return found


def measured(checkout: Path, rounds: int) -> dict[str, dict[str, float]]:
    """The least of several rounds for every table that there is."""
    rows = {}
    for game, bots in TABLES:
        if not (checkout / "src" / "kibitz" / "games" / game.partition("-")[0]).is_dir():
            continue
        cold, warm = [], []
        for _ in range(rounds):
            with tempfile.TemporaryDirectory() as cache:
                cold.append(first_prompt(checkout, cache, game, bots))
                warm += [first_prompt(checkout, cache, game, bots) for _ in range(2)]
        rows[f"{game} {bots}".strip()] = {"cold": round(min(cold), 1), "warm": round(min(warm), 1)}
        print(f"{game} {bots}: {rows[f'{game} {bots}'.strip()]}", file=sys.stderr, flush=True)
    return rows


def rates() -> Iterator[tuple[str, float]]:
    """First prompts that a minute of CPU time is good for, with a full cache."""
    with tempfile.TemporaryDirectory() as cache:
        for game in ("kuhn", "leduc"):
            first_prompt(HERE.parents[1], cache, game, "")
            yield f"first prompts a minute: {game}", 60 / first_prompt(HERE.parents[1], cache, game, "")


def table(kept: dict) -> str:
    """All that was measured, side by side."""
    names = list(kept)
    head = ["`kibitz play`", *(f"{name}, {when}" for when in ("cold", "warm") for name in names)]
    lines = [f"| {' | '.join(head)} |", "|" + "---|" * len(head)]
    for game, bots in TABLES:
        key = f"{game} {bots}".strip()
        found = [kept[name]["seconds"].get(key, {}).get(when) for when in ("cold", "warm") for name in names]
        cells = ["-" if seconds is None else f"{seconds:.1f}" for seconds in found]
        lines.append(f"| {game}{f' --bots {bots}' if bots else ''} | {' | '.join(cells)} |")
    commits = "; ".join(f"{name}: commit {one['commit']}" for name, one in kept.items())
    return "\n".join([*lines, "", f"{commits}; least of {min(one['rounds'] for one in kept.values())} rounds."])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--checkout", type=Path, default=HERE.parents[1], help="whose kibitz is measured")
    parser.add_argument("--as", dest="name", default="now", help="under which name, with --keep")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--keep", action="store_true", help="write it down beside this script and into the page")
    asked = parser.parse_args()
    words = ["git", "-C", str(asked.checkout), "rev-parse", "--short=7", "HEAD"]
    commit = subprocess.run(words, capture_output=True, text=True).stdout.strip() or "unknown"
    rows = measured(asked.checkout.resolve(), asked.rounds)
    new = {asked.name: {"commit": commit, "rounds": asked.rounds, "seconds": rows}}
    if not asked.keep:
        print(table(new))
        return
    kept = {**(json.loads(KEPT.read_text()) if KEPT.exists() else {}), **new}
    KEPT.write_text(json.dumps(kept, indent=1) + "\n")
    before, rest = PAGE.read_text(encoding="utf-8").split(MARKS[0])
    PAGE.write_text(f"{before}{MARKS[0]}\n\n{table(kept)}\n\n{MARKS[1]}{rest.split(MARKS[1])[1]}", encoding="utf-8")


if __name__ == "__main__":
    main()
