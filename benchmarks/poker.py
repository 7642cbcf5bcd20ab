"""Random play, CFR, CFR+ and sampling on Kuhn and Leduc, beside OpenSpiel's C++ in the same run on the same core."""

import importlib.util
import itertools
import time
from collections.abc import Iterator

import numpy as np

from kibitz.arena.simulate import simulate
from kibitz.bots import seat_bots
from kibitz.core.game import make
from kibitz.core.tree import unroll
from kibitz.tabular.abstraction import abstraction
from kibitz.tabular.cfr import Solver
from kibitz.tabular.mccfr import Sampler


def ours_random(name: str) -> float:
    game = make(name)
    return max(
        simulate(game, seat_bots(game, "random"), 1_000_000, seed).as_json()["games_per_second"] for seed in range(3)
    )


def ours_cfr(name: str, method: str, **options: int) -> float:
    solver = Solver(unroll(make(name, **options)), method)
    solver.run(5)
    rates = []
    for _ in range(3):
        start = time.perf_counter()
        solver.run(400)
        rates.append(400 / (time.perf_counter() - start))
    return max(rates)


def openspiel_random(name: str, games: int = 5_000) -> float:
    import pyspiel

    game, luck = pyspiel.load_game(name), np.random.default_rng(1)
    start = time.perf_counter()
    for _ in range(games):
        state = game.new_initial_state()
        while not state.is_terminal():
            actions = state.legal_actions()
            state.apply_action(actions[luck.integers(len(actions))])
        state.returns()
    return games / (time.perf_counter() - start)


def openspiel_cfr(name: str, solver_name: str, iterations: int) -> float:
    import pyspiel

    solver = getattr(pyspiel, solver_name)(pyspiel.load_game(name))
    solver.evaluate_and_update_policy()
    start = time.perf_counter()
    for _ in range(iterations):
        solver.evaluate_and_update_policy()
    return iterations / (time.perf_counter() - start)


def ours_sampled(name: str, scheme: str) -> float:
    sampler = Sampler(abstraction(make(name)), scheme)
    sampler.run(2_000)
    rates = []
    for _ in range(3):
        start = time.perf_counter()
        sampler.run(20_000)
        rates.append(20_000 / (time.perf_counter() - start))
    return max(rates)


def openspiel_sampled(name: str, solver_name: str, iterations: int = 5_000) -> float:
    import pyspiel

    solver = getattr(pyspiel, solver_name)(pyspiel.load_game(name))
    start = time.perf_counter()
    for _ in range(iterations):
        solver.run_iteration()
    return iterations / (time.perf_counter() - start)


CFR = (("kuhn", 2, 5000), ("kuhn", 4, 150), ("leduc", 2, 150))
"""Games, seats, and how often OpenSpiel iterates."""
METHODS = {"cfr": "CFRSolver", "cfr+": "CFRPlusSolver"}
SAMPLING = {"external": "ExternalSamplingMCCFRSolver", "outcome": "OutcomeSamplingMCCFRSolver"}


def title(name: str, players: int, method: str) -> str:
    return f"{name}{f' ({players} players)' if players > 2 else ''}: {method} iterations"


def rates() -> Iterator[tuple[str, float]]:
    """What kibitz does a second, in the order of `peers`."""
    for name in ("kuhn", "leduc"):
        yield f"{name}: random games", ours_random(name)
    for name, players, _ in CFR:
        for method in METHODS:
            options = {"players": players} if players > 2 else {}
            yield title(name, players, method), ours_cfr(name, method, **options)
    for scheme in SAMPLING:
        yield f"leduc: {scheme} sampling iterations", ours_sampled("leduc", scheme)


def peers() -> Iterator[float]:
    """What OpenSpiel does a second."""
    for name in ("kuhn", "leduc"):
        yield openspiel_random(f"{name}_poker")
    for name, players, iterations in CFR:
        for solver in METHODS.values():
            seats = f"(players={players})" if players > 2 else ""
            yield openspiel_cfr(f"{name}_poker{seats}", solver, iterations)
    for solver in SAMPLING.values():
        yield openspiel_sampled("leduc_poker", solver)


def row(what: str, ours: float, peer: float | None) -> None:
    ratio = f"{peer:>14,.0f}{ours / peer:>10,.1f}x" if peer else f"{'not installed':>14}"
    print(f"{what:<38}{ours:>14,.0f}{ratio}")


def main() -> None:
    has_peer = importlib.util.find_spec("pyspiel") is not None
    print(f"{'per second, one core':<38}{'kibitz':>14}{'OpenSpiel':>14}{'ratio':>11}")
    theirs = peers() if has_peer else itertools.repeat(None)
    for (what, ours), peer in zip(rates(), theirs, strict=False):
        row(what, ours, peer)


if __name__ == "__main__":
    main()
