"""`kibitz train`: networks that learn a game by playing it."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from kibitz.cli import arguments
from kibitz.cli.work_arguments import ClusterAddress, DryRun, Join, PartOf, asked_part, show_cost
from kibitz.core.errors import BadInput, BadOption, MissingExtra
from kibitz.core.files import sole_writer, sweep_folder
from kibitz.core.game import Game, package_of
from kibitz.core.offers import offered_by, packages
from kibitz.core.plain_text import one_line

MOST_FRAMES = 10**12


def train(
    game: arguments.GameName,
    out: Annotated[Path, typer.Option(help="Folder of the run; its model plays as net:FOLDER.")],
    method: Annotated[
        str,
        typer.Option(help="dmc, dqn, nfsp, deep-cfr, ppo, coached, partnered, matches, calling, cards or imitation."),
    ] = "dmc",
    preset: Annotated[str, typer.Option(help="A method's named settings: default, paper, ...")] = "default",
    changes: Annotated[
        list[str] | None, typer.Option("--with", help="One setting of the method: key=value; may be repeated.")
    ] = None,
    time: Annotated[
        str | None, typer.Option(help="Train so long: 90s, 30m, 2h; compiling and measuring come on top.")
    ] = None,
    frames: Annotated[int | None, typer.Option(help="Train for so many decisions of learners.")] = None,
    learners: Annotated[str, typer.Option(help="The seats that learn, with commas, or all.")] = "all",
    share: Annotated[str, typer.Option(help="One network per seat, per side, or for all.")] = "seat",
    rivals: Annotated[
        str, typer.Option(help="Who plays the other seats: bots with commas; snapshot is an earlier self.")
    ] = "random",
    rival_share: Annotated[float, typer.Option(help="How likely a rival takes a learner's seat for a round.")] = 0.0,
    rivals_take: Annotated[
        str, typer.Option(help="What a rival takes then: a seat, each by its own luck, or a side with all its seats.")
    ] = "seat",
    baselines: Annotated[str, typer.Option(help="Bots to be measured against.")] = "random",
    evaluate_every: Annotated[float, typer.Option(help="Seconds between evaluations.")] = 60.0,
    evaluation_games: Annotated[
        int, typer.Option(help="Games per evaluation; the last one plays eight times as many.")
    ] = 8192,
    checkpoint_every: Annotated[float, typer.Option(help="Seconds between checkpoints.")] = 30.0,
    settings: arguments.Settings = None,
    seed: arguments.Seed = 1,
    threads: Annotated[int, typer.Option(help="Threads for the networks' arithmetic.")] = 1,
    tensorboard: Annotated[bool, typer.Option("--tensorboard", help="Also write events for TensorBoard.")] = False,
    plot: Annotated[Path | None, typer.Option(help="Draw the curves of the run to this file (.svg, .png).")] = None,
    records: Annotated[
        list[Path] | None,
        typer.Option(
            help="For imitation: recorded games, .jsonl or ISS .sgf, plain or packed (.bz2, .gz, .zst), or a folder of "
            "them; may be repeated."
        ),
    ] = None,
    held_out: Annotated[str, typer.Option(help="For imitation: players to test on only, with commas.")] = "",
    players: Annotated[str, typer.Option(help="For imitation: learn from these players alone, with commas.")] = "",
    min_games: Annotated[int, typer.Option(min=0, help="For imitation: only from players with so many games.")] = 0,
    min_rating: Annotated[float | None, typer.Option(help="For imitation: only from players rated so high.")] = None,
    since: Annotated[str | None, typer.Option(help="For imitation: only from games since 2009, or 2009-05-31.")] = None,
    until: Annotated[str | None, typer.Option(help="For imitation: only from games until that day.")] = None,
    types: Annotated[str, typer.Option(help="For imitation: only from games of these types, with commas.")] = "",
    cluster: ClusterAddress = None,
    staleness: Annotated[
        int, typer.Option(help="On a cluster: rounds that self-play may lag behind, for speed; 0 is as on one machine.")
    ] = 0,
    processes: Annotated[
        int, typer.Option(min=1, max=256, help="For imitation: processes that play the pool or read records.")
    ] = 1,
    part: PartOf = None,
    join: Join = False,
    dry_run: DryRun = False,
    as_json: arguments.Json = False,
) -> None:
    """Train a network; the same command goes on where it was interrupted, and with a longer --time where it had ended.

    Example: kibitz train cego-standard --method dmc --learners 0 --time 3m --out runs/soloist
    """
    made = arguments.asked_game(game, settings)
    if plot is not None:
        from kibitz.arena.plots import check_picture

        check_picture(plot)
    recorded = _own_training(made, method)
    if recorded is not None:
        if frames is not None or time is not None:
            raise BadInput(
                f"--frames and --time are not for {method}, which learns from games: --with games=100 plays fewer"
            )
        own = asked_part(part, join, out, cluster=cluster)
        chosen = {
            "players": players, "min_games": min_games, "min_rating": min_rating, "since": since, "until": until,
            "types": types,
        }  # fmt: skip
        # Parts write pieces of their own; whoever learns is alone.
        with sole_writer(out, "trained") if own is None else nullcontext():
            sweep_folder(out)
            recorded.train(
                made, records or [], out, arguments.asked_pairs("with", changes), held_out, arguments.asked_seed(seed),
                threads, _command(), as_json, own, join, processes, cluster, dry_run, chosen,
            )  # fmt: skip
        return
    if part is not None or join or processes > 1:
        raise BadInput("--part, --join and --processes are for --method imitation, which plays games before it learns")
    for option, said in {
        "records": records, "held-out": held_out, "players": players, "min-games": min_games, "min-rating": min_rating,
        "since": since, "until": until, "types": types,
    }.items():  # fmt: skip
        if said not in (None, "", 0, []):
            raise BadInput(f"--{option} is for --method imitation: {method} learns from games that it plays itself")
    if staleness and cluster is None:
        raise BadInput("--staleness is for --cluster: one machine waits for itself")
    try:
        from kibitz.learn.run import CHECKPOINT, METRICS, Plan, configured, use_threads
        from kibitz.learn.run import train as run
        from kibitz.learn.seats import Seating
    except ImportError as problem:
        raise MissingExtra(problem.name, "learn") from None
    from kibitz.arena.executor import executor
    from kibitz.bots import make_bot

    if frames is not None:
        arguments.asked_number("frames", frames, 1, MOST_FRAMES)
    arguments.asked_number("evaluation-games", evaluation_games, 2, 10**9)
    arguments.asked_number("threads", threads, 1, arguments.MOST_THREADS)
    for name, every in (("evaluate-every", evaluate_every), ("checkpoint-every", checkpoint_every)):
        if not 0.0 <= every <= 1e9:
            raise BadInput(f"--{name} {every:g} is not possible: a number of seconds is")
    if not 0.0 <= rival_share <= 1.0:
        raise BadInput(f"--rival-share {rival_share} is not possible: a number from 0 to 1 is")
    seconds = arguments.asked_duration("time", time) if time is not None else None
    seating = Seating(asked_seats(learners, made.PLAYERS), share, _names(rivals), rival_share, rivals_take)
    plan = Plan(
        made, method, configured(method, preset, arguments.asked_pairs("with", changes)), seating,
        arguments.asked_seed(seed), frames, seconds, _names(baselines), evaluation_games, evaluate_every,
        checkpoint_every, _command(), tensorboard, staleness,
    )  # fmt: skip
    use_threads(threads)
    if dry_run:
        from kibitz.cli.training_cost import training_cost

        show_cost(lambda: training_cost(plan, make_bot), as_json)
        return
    hands = partial(executor, 1, cluster) if cluster is not None else None
    try:
        with _watching(f"{method} {game}", quiet=as_json) as watch:
            card = run(plan, out, make_bot, watch, hands)
    except KeyboardInterrupt:
        if (out / CHECKPOINT).exists():
            print(f"the checkpoint is kept in {out}: the same command goes on from it", file=sys.stderr)
        raise
    from kibitz.cli.trained import distance, draw

    gap = distance(made, out, card.seats)
    if plot is not None:
        draw(out / METRICS, f"{made.name} by {method}", plot)
    if as_json:
        measured = {} if gap is None else {"nash_conv": gap}
        arguments.print_json(
            {
                "out": str(out), "frames": card.frames, "seconds": card.seconds, "scores": card.scores, **measured,
                "sha256": card.sha256,
            }
        )  # fmt: skip
        return
    print(f"{card.frames:,} frames in {card.seconds:,.0f} s ({card.frames / max(card.seconds, 1e-9):,.0f} a second)")
    for what, score in card.scores.items():
        print(f"{what}: {told(score)}; ± is one standard error")
    if gap is not None:
        print(
            f"NashConv {gap:.4g}: how much all seats together could still gain by playing against it as well as can be"
        )
    print(f"written to {out}; try: kibitz simulate {made.name} --bots {_example(made.PLAYERS, card.seats, out)}")


def _own_training(game: Game, method: str) -> Any:
    """The module of a way to train that a package of games offers for its own games alone;
    none if the method is for all."""
    from kibitz.learn import methods

    if method in methods():
        return None
    offers = {package: offered_by(package, "CLI", "TRAINING", {}) for package in packages()}
    for package, offer in offers.items():
        if method in offer:
            if package != package_of(game.name):
                family = package.rsplit(".", 1)[-1].capitalize()
                raise BadInput(f"{method} knows the decisions of {family}, not those of {game.name}")
            return importlib.import_module(offer[method])
    known = [*methods(), *(own for offer in offers.values() for own in offer)]
    raise BadOption(f"there is no method {method}: there are {', '.join(known)}")


def told(score: Any) -> str:
    """A score for people: the mean with its standard error."""
    return f"{score['mean']:.3f} ± {score['se']:.3f}, won {100 * score['won']:.1f} % ({score['games']:,} games)"


def asked_seats(text: str, players: int) -> tuple[int, ...]:
    """Seats from `all` or numbers with commas."""
    if text == "all":
        return tuple(range(players))
    parts = _names(text)
    if not parts or not set(parts) <= {str(seat) for seat in range(players)}:
        raise BadInput(f"--learners {text} is not possible: all, or seats from 0 to {players - 1} with commas")
    return tuple(sorted({int(part) for part in parts}))


def _names(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


def _command() -> str:
    return one_line(" ".join(["kibitz", *sys.argv[1:]]))


def _example(players: int, seats: Any, out: Path) -> str:
    return ",".join(f"net:{out}" if seat >= 0 else "random" for seat in seats)


@contextmanager
def _watching(what: str, quiet: bool) -> Iterator[Any]:
    """A line on stderr that says how far the run is, how fast, and how well it plays."""
    if quiet:
        yield lambda news: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    columns = (
        TextColumn(what), BarColumn(), TextColumn("{task.fields[state]}"), TimeElapsedColumn(), TimeRemainingColumn(),
    )  # fmt: skip
    progress = Progress(*columns, console=Console(file=sys.stderr), transient=True)
    task = progress.add_task(what, total=1.0, state="")

    def watch(news: Any) -> None:
        if news.doing:
            progress.console.print(f"{what}: {news.doing} ...", highlight=False, soft_wrap=True)
            return
        progress.start()  # not before: a request that cannot be met is answered with one line
        state = f"{news.frames:,} frames  {news.per_second:,.0f}/s  loss {news.loss:.4f}"
        progress.update(task, completed=news.progress, state=state)
        for label, score in (news.scores or {}).items():
            progress.console.print(f"{news.frames:,} frames: {label}: {told(score)}", highlight=False, soft_wrap=True)

    try:
        yield watch
    finally:
        if progress.live.is_started:
            progress.stop()
