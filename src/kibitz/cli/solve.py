"""`kibitz solve`: a tabular policy, exact where the game can be unrolled, by sampling where it cannot."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kibitz.cli import arguments
from kibitz.core.errors import BadInput
from kibitz.core.files import check_writable, whole_file
from kibitz.core.game import Game

if TYPE_CHECKING:
    from kibitz.tabular.mccfr import Opponent

MOST_ITERATIONS = 10**12
MOST_DEPTH = 10**6


def solve(
    game: arguments.GameName,
    method: Annotated[
        str, typer.Option(help="cfr, cfr+, lcfr, dcfr, pcfr+ (exact); external, outcome, chance, trajectory (sampling)")
    ] = "cfr+",
    iterations: Annotated[int | None, typer.Option(help="How many iterations (1000 unless --time is given).")] = None,
    time: Annotated[str | None, typer.Option(help="Stop after 90s, 30m or 2h.")] = None,
    out: Annotated[Path | None, typer.Option(help="Write the policy here; it plays as table:FILE.")] = None,
    seed: arguments.Seed = 1,
    keys: Annotated[str, typer.Option(help="Information sets for sampling: full, or one of the game's own.")] = "full",
    actions: Annotated[
        str, typer.Option(help="Actions for sampling: full, or the fewer of the game's own abstraction.")
    ] = "full",
    prune: Annotated[
        str, typer.Option(help="Leave out what cannot matter: partial or brp (cfr), visits or often (sampling).")
    ] = "",
    depth: Annotated[int, typer.Option(help="external: branch in so many own decisions, then play out; 0: all.")] = 0,
    train_set: Annotated[
        list[str] | None, typer.Option("--train-set", help="An option of the game while learning: key=value.")
    ] = None,
    against: Annotated[
        str, typer.Option(help="trajectory: learn against this rule-based player instead of by self-play.")
    ] = "",
    checkpoint: Annotated[
        Path | None, typer.Option(help="Keep everything here, and go on from it if it is there.")
    ] = None,
    every: Annotated[float, typer.Option(help="Seconds between checkpoints.")] = 10.0,
    threads: Annotated[int, typer.Option(help="Sampling: so many shards side by side, averaged in the end.")] = 1,
    memory: Annotated[float, typer.Option(help="Sampling: the table may take so many GB while it grows.")] = 8.0,
    efg: Annotated[Path | None, typer.Option(help="Also write the game in Gambit's .efg format.")] = None,
    plot: Annotated[
        Path | None, typer.Option(help="Draw NashConv over iterations and time to this file (.svg, .png).")
    ] = None,
    settings: arguments.Settings = None,
    as_json: arguments.Json = False,
) -> None:
    """Solve a game and say how far from an equilibrium the answer is.

    Example: kibitz solve leduc --method cfr+ --iterations 1000 --out leduc.npz
    """
    from kibitz.tabular.cfr import METHODS
    from kibitz.tabular.solution import judged
    from kibitz.tabular.solving import load_checkpoint, solve_to_the_end, start

    made = arguments.asked_game(game, settings)
    arguments.asked_seed(seed)
    seconds = arguments.asked_duration("time", time) if time is not None else None
    wanted = 1000 if iterations is None and seconds is None else iterations
    if wanted is not None:
        arguments.asked_number("iterations", wanted, 1, MOST_ITERATIONS)
    arguments.asked_number("threads", threads, 1, 64)
    arguments.asked_number("depth", depth, 0, MOST_DEPTH)
    if not 0.001 <= memory <= 1e6:
        raise BadInput(f"--memory {memory} is not possible: a number of GB from 0.001 on is")
    if not 0 < every <= 1e8:
        raise BadInput(f"--every {every} is not possible: a number of seconds is")
    for path in (out, checkpoint, efg):
        if path is not None:
            check_writable(path)
    if plot is not None:
        _check_plot(made, plot, keys, actions)
    train = arguments.asked_game(game, [*(settings or []), *train_set]) if train_set else None
    run = start(
        made, method, seed=seed, keys=keys, actions=actions, pruning=prune, depth=depth, train=train, shards=threads,
        memory=memory, opponent=_opponent(train or made, against),
    )  # fmt: skip
    if efg is not None:
        _export(made, efg)
    label = {
        "game": made.name, "options": dict(made.options), "version": made.version, "method": method, "seed": seed,
        "keys": keys, "actions": actions, "prune": prune, "depth": depth, "train": sorted(train_set or []),
        "shards": threads,
    } | ({"against": against} if against else {})  # fmt: skip
    if checkpoint is not None and checkpoint.exists():
        load_checkpoint(checkpoint, run, label)
        print(f"going on after iteration {run.iterations:,} of {checkpoint}", file=sys.stderr)
    before = run.iterations
    is_exact = method in METHODS
    if before == 0:
        run.run_to(1, until=0.0)  # compiles
    begun = run.iterations
    spent, curve = 0.0, []
    try:
        with arguments.bar(f"solving {game}", None if wanted is None else max(0, wanted - before)) as advance:
            for stop in milestones(before, wanted) if plot is not None else [wanted]:
                left = None if seconds is None else seconds - spent
                spent += solve_to_the_end(
                    run, iterations=stop, seconds=left, checkpoint=checkpoint, label=label, every=every, report=advance,
                )  # fmt: skip
                if plot is not None:
                    gap = judged(made, run.table({}), method, run.iterations).nash_conv
                    curve.append((run.iterations, spent, gap))
                if seconds is not None and spent >= seconds:
                    break
    except KeyboardInterrupt:
        if checkpoint is not None and checkpoint.exists():
            print(f"the checkpoint is kept in {checkpoint}: the same command goes on from it", file=sys.stderr)
        raise
    rate = (run.iterations - begun) / spent if run.iterations > begun and spent else 0.0
    about: dict[str, Any] = {"method": method, "iterations": run.iterations}
    if not is_exact:
        about |= {"seed": seed} | ({"against": against} if against else {})
    table = run.table(about)
    solution = judged(made, table, method, run.iterations)
    values, gap = solution.values, solution.nash_conv
    if out is not None:
        solution.save(out)
    answer = {
        "game": made.name, "options": dict(made.options), "method": method, "iterations": run.iterations,
        "seconds": round(spent, 6), "iterations_per_second": round(rate, 1), "value": values[0] if values else None,
        "values": values, "nash_conv": gap, "out": str(out) if out else None, "infosets": len(table.key),
        **_pruned(run),
    }  # fmt: skip
    if plot is not None:
        _draw(curve, f"{made.name} by {method}", plot)
    if as_json:
        arguments.print_json(answer)
        return
    _print(answer, made.PLAYERS, settings or [])


def _pruned(run: Any) -> dict[str, int]:
    """What pruning of an unrolled game has saved, if there was any."""
    from kibitz.tabular.pruning import PrunedSolver

    solver = getattr(run, "solver", None)
    if not isinstance(solver, PrunedSolver) or not solver.kept:
        return {}
    return {"nodes": solver.touched, "kept": solver.kept[-1], "entries": len(solver.regret)}


def milestones(before: int, wanted: int | None) -> Iterator[int | None]:
    """Iterations after which NashConv is measured: five in every power of ten, then the last one."""
    for k in count():
        stop = round(10 ** (k / 5))
        if wanted is not None and stop >= wanted:
            break
        if stop > before:
            yield stop
    yield wanted


def _opponent(game: Game, spec: str) -> Opponent | None:
    """Who plays the other seats while one learns."""
    from kibitz.bots import CompiledBot, make_bot, rules
    from kibitz.tabular.mccfr import Opponent

    if not spec:
        return None
    bot = make_bot(game, spec)
    if not isinstance(bot, CompiledBot):
        known = ", ".join(["random", *rules(game)])
        raise BadInput(f"nobody can learn against {spec} here: a rule-based player is right, {known}")
    return Opponent(bot.kernel, bot.knobs)


def _check_plot(made: Game, path: Path, keys: str, actions: str) -> None:
    """Refuse a picture that could not be drawn, before the work."""
    from kibitz.arena.plots import check_picture
    from kibitz.core.tree import unroll

    check_picture(path)
    if keys != "full" or actions != "full":
        raise BadInput(
            "--plot draws NashConv, which is measured with full keys and actions: leave --keys and --actions"
        )
    unroll(made)


def _draw(curve: list[tuple[int, float, float | None]], title: str, path: Path) -> None:
    from kibitz.arena.plots import check_picture, side_by_side

    iterations, seconds, gaps = zip(*curve, strict=True)
    figure = side_by_side(
        {"iterations": (iterations, gaps), "seconds": (seconds, gaps)}, title=title, y_label="NashConv"
    )
    with whole_file(path) as file:
        figure.savefig(file, format=check_picture(path))
    print(f"NashConv is drawn in {path}", file=sys.stderr)


def _export(made: Any, path: Path) -> None:
    from kibitz.core.tree import unroll
    from kibitz.tabular.efg import save_efg

    save_efg(unroll(made), path)


def _print(answer: dict[str, Any], players: int, settings: list[str]) -> None:
    print(f"{answer['game']}: {answer['infosets']:,} information sets")
    if answer["values"]:
        print(f"value per seat {'  '.join(f'{v:+.6f}' for v in answer['values'])}")
    gap = f"NashConv {answer['nash_conv']:.3e} after " if answer["nash_conv"] is not None else ""
    print(
        f"{gap}{answer['iterations']:,} iterations of {answer['method']} ({answer['iterations_per_second']:,.0f} a "
        "second)"
    )
    if "nodes" in answer:
        print(f"{answer['nodes']:,} nodes visited; {answer['kept']:,} of {answer['entries']:,} entries kept in the end")
    if answer["out"]:
        options = "".join(f" --set {setting}" for setting in settings)
        bots = ",".join([f"table:{answer['out']}"] + ["random"] * (players - 1))
        print(f"written to {answer['out']}; try: kibitz simulate {answer['game']}{options} --bots {bots}")
