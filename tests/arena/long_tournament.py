"""A tournament that takes a few seconds, to be killed: `python -m tests.arena.long_tournament FILE PROCESSES`."""

import sys
from pathlib import Path

from kibitz.arena.executor import executor
from kibitz.arena.tournament import tournament
from kibitz.core.errors import BadInput
from kibitz.core.game import make
from tests.arena.players import Clumsy, Lucky


def play(path: Path, processes: int, seconds: float = 0.004, cluster: str | None = None) -> None:
    bots = [Lucky(seconds, "thoughtful"), "random", Clumsy("raises")]
    found = tournament(
        make("leduc"), bots, 120, 9, shards=path.with_suffix(".shards"), shard=5, executor=executor(processes, cluster)
    )
    found.save(path)


def main(path: str, cluster: str) -> None:
    """The same on a cluster, as the command line would end."""
    try:
        play(Path(path), 1, 0.01, cluster)
    except BadInput as problem:
        print(f"kibitz: {problem}", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    play(Path(sys.argv[1]), int(sys.argv[2]))
