"""`kibitz reproduce`: the papers' tables and figures, computed again, published and own numbers side by side."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import Annotated, Any

import typer

from kibitz.arena.executor import LOCAL, Processes, executor
from kibitz.arena.simulate import cores
from kibitz.cli.arguments import MOST_THREADS, Json, asked_number, asked_seed, print_json
from kibitz.cli.running import lines, run_reported
from kibitz.cli.work_arguments import ClusterAddress, DryRun, Join, PartOf, asked_part, show_cost
from kibitz.core.errors import BadInput
from kibitz.papers.experiment import Experiment, OthersTurn, Scale, Share, find, names, progress_bar, run_experiment
from kibitz.papers.keeping import check_keeping, keep, keep_times, kept_result, quick_times
from kibitz.papers.pieces import check_work
from kibitz.papers.report import write_report
from kibitz.papers.result import Cell, Result, Verdict
from kibitz.papers.words import cell_words, duration, tally

WORK = Path("runs/reproduce")
"""Where full editions keep their pieces."""


def reproduce(
    wanted: Annotated[list[str] | None, typer.Argument(help="Experiments or their prefixes.", metavar="NAMES")] = None,
    quick: Annotated[bool, typer.Option("--quick", help="The small edition, a minute or so each.")] = False,
    everything: Annotated[bool, typer.Option("--all", help="Every experiment, at full scale without --quick.")] = False,
    listing: Annotated[bool, typer.Option("--list", help="Name the experiments and stop.")] = False,
    folder: Annotated[Path, typer.Option(help="Where results and the report go.")] = Path("results"),
    work: Annotated[
        Path | None,
        typer.Option(help="Where finished pieces are kept; full editions use runs/reproduce, quick ones none."),
    ] = None,
    inference: Annotated[
        Path | None, typer.Option(help="A folder of your own that inference has learned into, instead of ours.")
    ] = None,
    records: Annotated[
        Path | None, typer.Option(help="An archive of games to take deals and declarations from, instead of ours.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of every experiment.")] = 1,
    threads: Annotated[int | None, typer.Option(help="Threads to use; all cores by default.")] = None,
    processes: Annotated[int, typer.Option(help="Experiments side by side, which share the threads.")] = 1,
    cluster: ClusterAddress = None,
    part: PartOf = None,
    join: Join = False,
    dry_run: DryRun = False,
    keeps: Annotated[
        bool, typer.Option("--keep", help="Keep full editions with the project; of quick ones, how long they took.")
    ] = False,
    docs: Annotated[
        bool,
        typer.Option("--docs", help="Write the tables of docs/papers and README again from kept results, and stop."),
    ] = False,
    as_json: Json = False,
) -> None:
    """Run experiments and write report.html and report.md.

    Without names, --quick runs the quick edition of all of them. A full edition keeps every piece that it has finished:
    killed and started again it goes on, and what is done already is not done again. The report shows, beside what was
    run, the full editions that were kept with the project (src/kibitz/papers/kept).

    Example: kibitz reproduce kuhn.value --quick
    """
    if listing:
        _list(as_json)
        return
    if docs:
        _write_docs()
        return
    if not wanted and not (quick or everything):
        raise BadInput("name experiments (see --list), or say --quick or --all for all of them")
    chosen = [one for name in wanted or names() for one in find(name)]
    workers = asked_number("threads", threads if threads is not None else cores(), 1, MOST_THREADS)
    asked_number("processes", processes, 1, MOST_THREADS)
    given = _given(chosen, {"inference": inference, "records": records}, keeps)
    scale = Scale("quick" if quick else "full", asked_seed(seed), max(1, workers // processes), given=given)
    chosen = list(dict.fromkeys(chosen))
    place_of_work = work if work is not None or quick else WORK
    own = asked_part(part, join, place_of_work, "--work FOLDER", cluster)
    shares = {one.name: Share(own, place, join) for place, one in enumerate(chosen)}
    if dry_run:
        from kibitz.papers.cost import experiments_cost

        show_cost(lambda: experiments_cost([one.name for one in chosen], scale, place_of_work), as_json)
        return
    if place_of_work is not None:
        check_work(place_of_work)
    if cluster is not None:
        # Pieces have one core each on the cluster; what is no piece has one here.
        scale = replace(scale, threads=1, executor=executor(1, cluster) if processes == 1 else None)
        if processes > 1 and cluster == LOCAL:
            raise BadInput(
                "--processes with --cluster needs a cluster they all can join: `ray start --head`, then auto"
            )
    for one in chosen if keeps and not quick else ():
        check_keeping(one, scale.name)
    results: list[Result] = []
    waiting: list[str] = []
    if processes == 1:
        for place, one in enumerate(chosen, 1):
            print(f"[{place}/{len(chosen)}] {one.name}: {one.about}", file=sys.stderr)
            with progress_bar() as progress:
                try:
                    told = replace(scale, progress=progress)
                    results.append(run_experiment(one.name, told, folder, place_of_work, shares[one.name]))
                    print(f"    {results[-1].seconds:.1f} s", file=sys.stderr)
                except OthersTurn as turn:
                    waiting.append(f"{one.name}: {turn}")
    else:
        from kibitz.cli.shown import Paper

        in_turn = [(name, shares[name]) for name in _from_both_ends([one.name for one in chosen])]
        with lines(Paper(sys.stderr)) as board:
            run = partial(run_reported, scale=scale, folder=folder, work=place_of_work, board=board, cluster=cluster)
            for place, result in enumerate(Processes(processes).run(run, in_turn), 1):
                if isinstance(result, str):
                    waiting.append(result)
                    continue
                print(f"[{place}/{len(chosen)}] {result.name}: {result.about}, {result.seconds:.1f} s", file=sys.stderr)
                results.append(result)
    if own:
        _show_part(str(own), results, waiting, as_json)
        return
    if keeps:
        _keep(results, scale.name)
    page = write_report(folder, [one for name in names() for one in find(name)])
    if as_json:
        from kibitz.papers.result import to_json

        made = [json.loads(to_json(result)) for result in results]
        print_json(made[0] if len(made) == 1 else made)
    else:
        _show(results)
        print(f"report: {page}")


def _given(chosen: list[Experiment], asked: dict[str, Path | None], keeps: bool) -> tuple[tuple[str, str], ...]:
    """What is given to the experiments instead of their own; refused where they do not take it."""
    given = {option: path for option, path in asked.items() if path is not None}
    for option, path in given.items():
        for one in chosen:
            if option not in one.takes:
                raise BadInput(
                    f"--{option} is not for {one.name}: name experiments that take it (see the docs of their paper)"
                )
        if not path.exists():
            raise BadInput(f"--{option} {path}: there is no such {'folder' if option == 'inference' else 'file'}")
    if given and keeps:
        raise BadInput("--keep is for what the project ships: leave out --inference and --records")
    return tuple((option, str(path)) for option, path in given.items())


def _show_part(part: str, results: list[Result], waiting: list[str], as_json: bool) -> None:
    """What a part has come to."""
    if as_json:
        print_json({"part": part, "finished": [one.name for one in results], "waiting": waiting})
        return
    print(f"part {part} has computed its pieces; finished are {', '.join(one.name for one in results) or 'none yet'}")
    for line in waiting:
        print(f"  waits: {line}")
    print(
        "when all parts are done, --join in place of --part writes the report; if it names a piece, run the parts again"
    )


def _from_both_ends(names: list[str]) -> list[str]:
    """First, last, second, last but one: neighbours in the list share a game, and would compile it side by side."""
    half = (len(names) + 1) // 2
    turns = zip_longest(names[:half], reversed(names[half:]))
    return [name for pair in turns for name in pair if name is not None]


def _keep(results: list[Result], scale: str) -> None:
    if scale == "quick":
        print(f"kept: {keep_times(results)}", file=sys.stderr)
        return
    for result in results:
        print(f"kept: {keep(result, find(result.name)[0])}", file=sys.stderr)
        if result.commits and result.commits[0].endswith("+"):
            print(
                f"    its code was changed since commit {result.commits[0][:10]}: keep what a commit computes",
                file=sys.stderr,
            )
    print("kibitz reproduce --docs writes the documents again", file=sys.stderr)


def _write_docs() -> None:
    from kibitz.papers.docs import write_docs

    changed = write_docs(Path.cwd(), [one for name in names() for one in find(name)])
    for path in changed:
        print(path.relative_to(Path.cwd()))
    print(f"{len(changed)} documents written again" if changed else "all documents are up to date")


def _list(as_json: bool) -> None:
    times = quick_times()
    rows: list[dict[str, Any]] = []
    for name in names():
        (one,) = find(name)
        held = kept_result(one)
        full = held.result
        rows.append({
            "name": one.name, "paper": one.paper, "about": one.about, "minutes": one.minutes,
            "published": one.published, "kept": {"date": full.date, "seconds": full.seconds, "verdicts": [words for _,
                words in tally(full.verdicts)]} if full else None,
            "problem": held.problem or None, "quick_seconds": times.get(name),
        })  # fmt: skip
    if as_json:
        print_json(rows)
        return
    from rich.table import Table

    from kibitz.cli.shown import Paper

    table = Table(box=None, pad_edge=False)
    for column in ("experiment", "about", "published", "full edition kept", "quick (CPU)"):
        table.add_column(column, no_wrap=column == "experiment")
    for row in rows:
        quick = row["quick_seconds"]
        table.add_row(
            str(row["name"]), str(row["about"]), str(row["published"]), _kept_words(row),
            duration(quick) if quick is not None else "?"
        )  # fmt: skip
    Paper().print(table)
    for row in rows:
        if row["problem"]:
            print(f"kibitz: {row['problem']}", file=sys.stderr)


def _kept_words(row: dict[str, Any]) -> str:
    held = row["kept"]
    if held:
        return ", ".join([held["date"], duration(held["seconds"]), *held["verdicts"]])
    return f"not yet (about {row['minutes']:g} min)" + (
        "; the kept one is not used, see below" if row["problem"] else ""
    )


def _show(results: list[Result]) -> None:
    from rich.table import Table

    from kibitz.cli.shown import Paper

    console = Paper()
    for result in results:
        if result.claims:
            _show_claims(console, result)
        for one in result.tables:
            table = Table(title=f"{result.name}: {one.caption}", box=None, pad_edge=False)
            for column in one.columns:
                table.add_column(str(column))
            for row in one.rows:
                table.add_row(*(_cell(cell, result.scale == "full") for cell in row))
            console.print(table)
        for note in result.notes:
            console.print(note)


def _cell(cell: Cell, has_marks: bool) -> str:
    if isinstance(cell, Verdict) and not has_marks:  # a quick edition gives no verdicts
        return cell.text
    return f"{cell:.6g}" if isinstance(cell, float) else "" if cell is None else str(cell)


def _show_claims(console: Any, result: Result) -> None:
    """The claims; verdicts are given to full editions only."""
    from rich.table import Table

    is_full = result.scale == "full"
    table = Table(title=f"{result.name}: what the paper says", box=None, pad_edge=False)
    for column in ("", "published", "ours", *(["verdict"] if is_full else [])):
        table.add_column(column)
    for claim in result.claims:
        cells = [claim.says, cell_words(claim.published)[0], cell_words(claim.ours)[0]]
        table.add_row(*cells, *([str(claim.verdict)] if is_full else []))
    console.print(table)
