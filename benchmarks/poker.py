"""Random play, CFR, CFR+ and sampling on Kuhn and Leduc, beside OpenSpiel's C++ in the same run on the same core."""

import time

import numpy as np

from kibitz.arena.simulate import simulate
from kibitz.bots import seat_bots
from kibitz.core.game import make
from kibitz.core.tree import unroll
from kibitz.tabular.cfr import Solver
from kibitz.tabular.lens import lens
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
    sampler = Sampler(lens(make(name)), scheme)
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


def row(what: str, ours: float, peer: float | None) -> None:
    ratio = f"{peer:>14,.0f}{ours / peer:>10,.1f}x" if peer else f"{'not installed':>14}"
    print(f"{what:<38}{ours:>14,.0f}{ratio}")


def main() -> None:
    try:
        import pyspiel  # noqa: F401

        peer = True
    except ImportError:
        peer = False
    print(f"{'per second, one core':<38}{'kibitz':>14}{'OpenSpiel':>14}{'ratio':>11}")
    for name in ("kuhn", "leduc"):
        theirs = openspiel_random(f"{name}_poker") if peer else None
        row(f"{name}: random games", ours_random(name), theirs)
    for name, options, foreign, iterations in (
        ("kuhn", {}, "kuhn_poker", 5000), ("kuhn", {"players": 4}, "kuhn_poker(players=4)", 150), ("leduc", {}, "leduc_poker", 150),
    ):  # fmt: skip
        for method, solver in (("cfr", "CFRSolver"), ("cfr+", "CFRPlusSolver")):
            theirs = openspiel_cfr(foreign, solver, iterations) if peer else None
            seats = f" ({options['players']} players)" if options else ""
            row(f"{name}{seats}: {method} iterations", ours_cfr(name, method, **options), theirs)
    for scheme, solver in (("external", "ExternalSamplingMCCFRSolver"), ("outcome", "OutcomeSamplingMCCFRSolver")):
        theirs = openspiel_sampled("leduc_poker", solver) if peer else None
        row(f"leduc: {scheme} sampling iterations", ours_sampled("leduc", scheme), theirs)


if __name__ == "__main__":
    main()
