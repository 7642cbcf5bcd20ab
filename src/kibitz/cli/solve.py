"""`kibitz solve`: a tabular policy for a game small enough to unroll."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from kibitz.cli.asked import GameName, Json, Settings, asked_game, asked_number, bar, print_json

SLICE = 50


def solve(
    game: GameName,
    method: Annotated[str, typer.Option(help="cfr or cfr+")] = "cfr+",
    iterations: Annotated[int, typer.Option(help="How many iterations.")] = 1000,
    out: Annotated[Path | None, typer.Option(help="Write the policy here; it plays as table:FILE.")] = None,
    settings: Settings = None,
    as_json: Json = False,
) -> None:
    """Solve a game and say how far from an equilibrium the answer is.

    Example: kibitz solve leduc --method cfr+ --iterations 1000 --out leduc.npz
    """
    from kibitz.core.tree import unroll
    from kibitz.tabular.best_response import expected_value, nash_conv
    from kibitz.tabular.cfr import Solver
    from kibitz.tabular.table import from_tree

    made = asked_game(game, settings)
    asked_number("iterations", iterations, 1, 10**9)
    solver = Solver(unroll(made), method)
    solver.run(0)
    with bar(f"solving {game}", iterations) as advance:
        solver.run(1)
        advance(1)
        start, done = time.perf_counter(), 1
        while done < iterations:
            part = min(SLICE, iterations - done)
            solver.run(part)
            advance(part)
            done += part
        seconds = time.perf_counter() - start
    policy = solver.average()
    values = [float(v) for v in expected_value(solver.tree, policy)]
    gap = nash_conv(solver.tree, policy)
    rate = (iterations - 1) / seconds if iterations > 1 else 0.0
    about = {"method": method, "iterations": iterations, "nash_conv": gap, "values": values}
    if out is not None:
        from_tree(solver.tree, policy, about).save(out)
    if as_json:
        head = {"game": made.name, "options": dict(made.options), "method": method, "iterations": iterations}
        tail = {"value": values[0], "values": values, "nash_conv": gap, "out": str(out) if out else None}
        print_json({**head, "seconds": round(seconds, 6), "iterations_per_second": round(rate, 1), **tail})
        return
    print(f"{made.name}: {solver.tree.infosets:,} information sets, {len(solver.tree.parent):,} histories")
    print(f"value per seat {'  '.join(f'{v:+.6f}' for v in values)}")
    print(f"NashConv {gap:.3e} after {iterations:,} iterations of {method} ({rate:,.0f} a second)")
    if out is not None:
        print(f"written to {out}; try: kibitz simulate {made.name} --bots table:{out},random")
