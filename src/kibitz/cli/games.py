"""`kibitz games`: what can be played."""

from __future__ import annotations

import importlib
from typing import Annotated, Any

import typer

from kibitz.cli.arguments import Json, print_json
from kibitz.core.game import names, origin_of, package_of


def games(
    name: Annotated[str | None, typer.Argument(help="One game: show its options.", metavar="[GAME]")] = None,
    as_json: Json = False,
) -> None:
    """List the games, or the options of one.

    Example: kibitz games kuhn
    """
    rows = [_row(one) for one in ([name] if name else names())]
    if as_json:
        print_json(rows)
        return
    from rich.table import Table

    from kibitz.cli.shown import Paper

    table = Table(box=None, pad_edge=False)
    for column in ("game", "from", "about", "options"):
        table.add_column(column)
    for row in rows:
        listed = "\n".join(f"{o['name']}={o['value']} ({o['values']}): {o['about']}" for o in row["options"])
        names_only = " ".join(o["name"] for o in row["options"])
        table.add_row(row["name"], row["origin"], row["about"], listed if name else names_only)
    console = Paper()
    console.print(table)
    if not name:
        console.print("\nkibitz games GAME shows what the options mean; set them with --set key=value.")


def _row(name: str) -> dict[str, Any]:
    package = importlib.import_module(package_of(name))
    about = getattr(package, "ABOUT", {}).get(name) or (package.__doc__ or name).strip().splitlines()[0]
    preset = package.PRESETS[name]
    options = [
        {"name": o.name, "value": preset.get(o.name, o.default), "values": o.range_text(), "about": o.about}
        for o in package.OPTIONS
    ]
    return {"name": name, "about": about, "version": package.VERSION, "origin": origin_of(name), "options": options}
