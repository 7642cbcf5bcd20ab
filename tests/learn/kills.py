"""A training process killed at twenty random moments, each after it has got further than the last time."""

import random
import subprocess
import sys
import time
from pathlib import Path

from kibitz.learn.model import read_card
from kibitz.learn.run import CHECKPOINT

KILLS = 20


def ends_the_same(folder: Path, *asked: str) -> bool:
    """Whether `kibitz train` with these words ends with the same weights, killed or not."""
    run = [
        sys.executable,
        "-m",
        "kibitz",
        "train",
        *asked,
        "--checkpoint-every",
        "0",
        "--evaluation-games",
        "64",
        "--out",
    ]
    subprocess.run([*run, str(folder / "whole")], check=True, capture_output=True)
    luck = random.Random(5)
    hits = 0
    for _ in range(KILLS):
        before = _written(folder / "parts")
        with subprocess.Popen([*run, str(folder / "parts")], stderr=subprocess.DEVNULL) as process:
            while process.poll() is None and _written(folder / "parts") == before:
                time.sleep(0.01)
            time.sleep(luck.uniform(0.0, 0.1))
            hits += process.poll() is None
            process.kill()
    assert hits > KILLS // 2, f"only {hits} of {KILLS} kills came before the end: train longer"
    subprocess.run([*run, str(folder / "parts")], check=True, capture_output=True)
    return read_card(folder / "parts").sha256 == read_card(folder / "whole").sha256


def _written(folder: Path) -> int:
    path = folder / CHECKPOINT
    return path.stat().st_mtime_ns if path.exists() else 0
