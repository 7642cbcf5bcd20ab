"""How far policies should be trusted: log score above chance of the true world by the floor of their probabilities, and
with several shares held possible (`pit`), for players that were learned from and for strangers.

    python benchmarks/skat_floor.py 24

The deals have a seed of their own: nothing that is reported elsewhere is played on them.
"""

from __future__ import annotations

import sys
import time

import numpy as np

from kibitz.arena.play import play
from kibitz.arena.skat.records import is_usable
from kibitz.bots import make_bot
from kibitz.core import rng
from kibitz.core.game import make
from kibitz.core.position import Position
from kibitz.core.view import view_of
from kibitz.games.skat.state import TURN
from kibitz.search.skat.inference.card_locations import CardLocations
from kibitz.search.skat.inference.configurations import configurations, sampled
from kibitz.search.skat.inference.history import cards_played, moments
from kibitz.search.skat.inference.module import Inference
from kibitz.search.skat.inference.pi import PolicyInference
from kibitz.search.skat.inference.policies import TRUSTS, read_policies
from kibitz.search.skat.inference.pool import STRANGERS, TABLES

SEED, SAMPLES, MOMENTS, AT_ONCE = 555_000, 2_000, (5, 12, 18), 8
FLOORS = (0.01, 0.02, 0.05, 0.1)


def scores(seats: tuple[str, str, str], games: int, modules: dict[str, Inference]) -> np.ndarray:
    """[moves, modules]: logarithms of the true world's probability above chance."""
    game = make("skat")
    bots = [make_bot(game, spec) for spec in seats]
    rows, found, first = [], 0, 0
    while found < games:
        for chunk in play(game, bots, AT_ONCE, SEED, first=first, keep_log=True):
            for row in range(len(chunk.moves)):
                position = Position(game, SEED, chunk.first + row, manual_chance=True)
                for move in chunk.log[row, : chunk.moves[row]]:
                    game.step(position.state, int(move))
                if found == games or not is_usable(position.state):
                    continue
                found += 1
                for state, _ in moments(game, position.state):
                    cards, seat = int(cards_played(state)), int(state[TURN])
                    if cards in MOMENTS:
                        view = view_of(game, state, seat, rng.fresh(1, chunk.first + row, seat, cards))
                        worlds, truth = sampled(view, SAMPLES), configurations(state)
                        rows.append([_above(module, view, worlds, truth) for module in modules.values()])
        first += AT_ONCE
    return np.array(rows)


def _above(module: Inference, view: object, worlds: object, truth: object) -> float:
    logs, true = module.log_weights(view, worlds), module.log_weights(view, truth)[0]  # type: ignore[arg-type]
    top = max(logs.max(), true)
    return float(true - top - np.log(np.exp(logs - top).mean()))


def rates(games: int = 4) -> dict[str, float]:
    """Moves a second at which policies weigh worlds."""
    modules: dict[str, Inference] = {"PI": PolicyInference(SAMPLES, read_policies(None))}
    scores(TABLES[1].seats, 1, modules)  # compiles
    begun = time.perf_counter()
    return {
        "Skat: moves weighed by policies": len(scores(TABLES[1].seats, games, modules)) / (time.perf_counter() - begun)
    }


def main() -> None:
    """Print a line for every kind of players."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 24
    modules: dict[str, Inference] = {"CLI": CardLocations(SAMPLES)}
    modules |= {f"floor {floor:g}": PolicyInference(SAMPLES, read_policies(None, floor)) for floor in FLOORS}
    modules["pit"] = PolicyInference(SAMPLES, read_policies(None, trusts=TRUSTS))
    for who, seats in {"the pool": TABLES[1].seats, **STRANGERS}.items():
        found = scores(seats, games, modules)
        errors = found.std(axis=0, ddof=1) / np.sqrt(len(found))
        cells = (f"{name} {mean:+.2f} ± {error:.2f}" for name, mean, error in zip(modules, found.mean(axis=0), errors))
        print(f"{who} ({len(found)} moves): {', '.join(cells)}", flush=True)


if __name__ == "__main__":
    main()
