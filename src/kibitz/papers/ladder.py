"""Ladders that the project owns, kept as data and shipped with the package, and docs/ladder.md written from them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kibitz.arena.ladder import LADDER
from kibitz.core.errors import BadInput, BadRecord
from kibitz.core.schema import read_json_file
from kibitz.papers.chart_drawing import draw
from kibitz.papers.charts import Chart, curves
from kibitz.papers.markdown import code, grid
from kibitz.papers.origin import HERE, commit, machine, today
from kibitz.papers.report import on_white
from kibitz.papers.result import write_whole

KEPT = HERE / "ladders"
PAGE, PICTURES = Path("docs/ladder.md"), Path("docs/pictures/ladder")
HEAD = """# The ladder

How strong every bot is, and how long it thinks. For each game all bots play the same bot, the anchor, on the same deals
in every seating. Points are a bot's mean return in a deal less the anchor's, with a 95 % interval over deals: where one
side wins what the other loses, twice what the bot receives. Elo counts how many deals are won (the anchor has 0, ± is
one standard error). Time is processor time for a decision in which there is a choice. Outside players are those that
come by pip: colver for Coinche, OpenSpiel's information-set MCTS, and RLCard's rule-based player of Leduc; a bot or
game that is missing below has not been played yet.

This page is written by `kibitz ladder --docs` from data in the package; `kibitz ladder GAME --keep` plays a ladder
anew, and goes on where it was if it is interrupted. Every row has the command that plays its match again.
"""


def file_name(game: str, settings: Mapping[str, Any]) -> str:
    """What a ladder is called: the game, and the options that are not its own."""
    return ",".join([game, *(f"{key}={value}" for key, value in sorted(settings.items()))])


def write_ladder(found: Mapping[str, Any], path: Path) -> dict[str, Any]:
    """Write a ladder with where it comes from; gives it as written."""
    full = {**found, "date": today(), "commit": commit(), "machine": machine()}
    LADDER.check(full)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, json.dumps(full, indent=1) + "\n")
    return full


def read_ladder(path: Path) -> dict[str, Any]:
    """A ladder from its file, checked."""
    try:
        data: dict[str, Any] = read_json_file(path)
        LADDER.check(data)
    except (OSError, BadRecord) as problem:
        raise BadInput(
            f"{path} is no ladder, or damaged: {problem}; kibitz ladder GAME --keep makes a new one"
        ) from None
    return data


def kept_ladders(folder: Path = KEPT) -> dict[str, dict[str, Any]]:
    """All kept ladders by name."""
    return {path.stem: read_ladder(path) for path in sorted(folder.glob("*.json"))}


def shown(found: Mapping[str, Any]) -> str:
    """A ladder as a table."""
    rows = []
    for rung in found["rungs"]:
        is_anchor = not rung["deals"]
        points = "0" if is_anchor else f"{rung['mean']:+.4g} [{rung['low']:+.4g}, {rung['high']:+.4g}]"
        rating = "0" if is_anchor else f"{rung['elo']:+.0f} ± {rung['elo_se']:.0f}"
        pace = f"{rung['milliseconds']:.2g}" if rung["milliseconds"] < 10 else f"{rung['milliseconds']:.0f}"
        command = "the anchor" if is_anchor else code(rung["command"])
        rows.append([code(rung["bot"]), points, rating, pace, f"{rung['deals']:,}" if rung["deals"] else "", command])
    return grid(["bot", "points a deal", "Elo", "ms a decision", "deals", "command"], rows)


def chart(found: Mapping[str, Any]) -> Chart:
    """Strength over time for a decision, a point for each bot."""
    series = {
        rung["bot"]: ([max(rung["milliseconds"], 0.001)], [rung["mean"]], [rung["low"]], [rung["high"]])
        for rung in found["rungs"]
    }
    return curves(series, "milliseconds a decision", f"points a deal over {found['anchor']}", log_x=True)


def page(ladders: Mapping[str, Mapping[str, Any]]) -> dict[Path, str]:
    """The page and its pictures, by their places in a checkout."""
    parts, files = [HEAD], {}
    for name, found in ladders.items():
        picture = PICTURES / f"{name}.svg"
        files[picture] = on_white(draw(chart(found)))
        options = "".join(f" --set {key}={value}" for key, value in found["settings"].items())
        parts.append(f"## {found['game']}{options}\n")
        parts.append(shown(found) + "\n")
        parts.append(f"![strength over time for a decision](pictures/ladder/{name}.svg)\n")
        again = code(f"kibitz ladder {found['game']}{options} --seed {found['seed']} --keep")
        parts.append(f"{again} · {found['date']} · {found['machine']} · commit {found['commit'][:12]}\n")
    return files | {PAGE: "\n".join(parts)}


def outdated(root: Path, folder: Path = KEPT) -> list[Path]:
    """The files of the page that differ from what is kept."""
    wanted = page(kept_ladders(folder))
    return [
        path for path, text in wanted.items()
        if not (root / path).exists() or (root / path).read_text(encoding="utf-8") != text
    ]  # fmt: skip


def write_page(root: Path, folder: Path = KEPT) -> list[Path]:
    """Bring the page up to date; gives the files that were changed."""
    if not (root / "docs").is_dir():
        raise BadInput(f"there is no docs in {root}: run this in a checkout of kibitz")
    wanted, changed = page(kept_ladders(folder)), outdated(root, folder)
    for path in changed:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        write_whole(root / path, wanted[path])
    return changed
