"""`kibitz tune`: a random search for the settings of a learner."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kibitz.cli import arguments
from kibitz.cli.train import MOST_FRAMES, asked_seats
from kibitz.cli.work_arguments import ClusterAddress
from kibitz.core.errors import BadInput, MissingExtra
from kibitz.core.plain_text import one_line

if TYPE_CHECKING:
    from kibitz.learn.tune import Trial

MOST_TRIALS = 100_000


def tune(
    game: arguments.GameName,
    out: Annotated[Path, typer.Option(help="Folder of the study; the same command goes on with it.")],
    method: Annotated[str, typer.Option(help="dqn, nfsp, dmc, deep-cfr, ppo or coached.")] = "dqn",
    trials: Annotated[int, typer.Option(help="Finished trials the study shall have.")] = 20,
    preset: Annotated[str, typer.Option(help="Where settings that are not searched come from.")] = "default",
    changes: Annotated[
        list[str] | None, typer.Option("--with", help="One setting that is not searched: key=value; may be repeated.")
    ] = None,
    time: Annotated[str | None, typer.Option(help="Train each trial so long: 90s, 30m, 2h.")] = None,
    frames: Annotated[int | None, typer.Option(help="Train each trial for so many decisions.")] = None,
    learners: Annotated[str, typer.Option(help="The seats that learn, with commas, or all.")] = "all",
    share: Annotated[str, typer.Option(help="One network per seat, per side, or for all.")] = "seat",
    rivals: Annotated[str, typer.Option(help="Who plays the other seats: bots with commas.")] = "random",
    baselines: Annotated[str, typer.Option(help="Bots that the score is measured against.")] = "random",
    evaluation_games: Annotated[int, typer.Option(help="The score is of eight times as many games.")] = 8192,
    seed: arguments.Seed = 1,
    threads: Annotated[int, typer.Option(help="Threads for the networks' arithmetic.")] = 1,
    cluster: ClusterAddress = None,
    settings: arguments.Settings = None,
    as_json: arguments.Json = False,
) -> None:
    """Draw settings at random, train each briefly, rank them; the same command goes on where it was interrupted.

    Example: kibitz tune cego-standard --method dqn --learners 0 --trials 20 --frames 500000 --out runs/tuning
    """
    made = arguments.asked_game(game, settings)
    try:
        from kibitz.learn.run import Plan, configured, use_threads
        from kibitz.learn.seats import Seating
        from kibitz.learn.tune import search, slope
    except ImportError as problem:
        raise MissingExtra(problem.name, "learn,hpo") from None
    from kibitz.arena.executor import executor
    from kibitz.bots import make_bot

    arguments.asked_number("trials", trials, 1, MOST_TRIALS)
    arguments.asked_number("evaluation-games", evaluation_games, 2, 10**9)
    if frames is not None:
        arguments.asked_number("frames", frames, 1, MOST_FRAMES)
    fixed = dict(_pair(change) for change in changes or [])
    seating = Seating(asked_seats(learners, made.PLAYERS), share, _words(rivals))
    plan = Plan(
        made, method, configured(method, preset, fixed), seating, arguments.asked_seed(seed), frames,
        arguments.asked_duration("time", time) if time is not None else None, _words(baselines), evaluation_games,
        command=one_line(" ".join(["kibitz", *sys.argv[1:]])),
    )  # fmt: skip
    arguments.asked_number("threads", threads, 1, arguments.MOST_THREADS)
    use_threads(threads)

    def watch(trial: Trial) -> None:
        if not as_json:
            print(f"trial {trial.number}: {trial.score:.3f} ± {trial.se:.3f}  {_spelled(trial)}", file=sys.stderr)

    try:
        found = search(plan, preset, fixed, trials, out, make_bot, watch, executor(1, cluster) if cluster else None)
    except KeyboardInterrupt:
        print(f"the trials so far are kept in {out}: the same command goes on from them", file=sys.stderr)
        raise
    if as_json:
        rows = [
            {**trial._asdict(), "settings": dict(trial.settings), "slope": slope(out / trial.folder)} for trial in found
        ]
        arguments.print_json(rows)
        return
    for place, trial in enumerate(found, 1):
        print(f"{place:3}. {trial.score:9.3f} ± {trial.se:.3f}  {_spelled(trial)}  ({out / trial.folder})")
    best = " ".join(f"--with {key}={value}" for key, value in {**found[0].settings, **fixed}.items())
    print(f"best: kibitz train {made.name} --method {method} --preset {preset} {best}")


def _spelled(trial: Trial) -> str:
    return " ".join(f"{key}={value}" for key, value in trial.settings.items())


def _words(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


def _pair(change: str) -> tuple[str, str]:
    key, equals, value = change.partition("=")
    if not equals:
        raise BadInput(f"--with {change} is not possible: write --with key=value")
    return key.strip(), value.strip()
