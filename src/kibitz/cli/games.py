"""`kibitz games`: what can be played."""

from __future__ import annotations

import importlib
from textwrap import wrap
from typing import Annotated, Any

import typer

from kibitz.cli.arguments import Json, print_json
from kibitz.cli.shown import Paper
from kibitz.core.catalogue import OWN
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
    if name:
        _show_one(rows[0])
    else:
        _show_all(rows)


def _show_all(rows: list[dict[str, Any]]) -> None:
    """A line or two for a family of games, and one for its variants: it fits on a screen."""
    console, families = Paper(), dict[str, list[dict[str, Any]]]()
    for row in rows:
        families.setdefault(package_of(row["name"]), []).append(row)
    wide = max(len(family[0]["name"]) for family in families.values())
    for first, *others in families.values():
        origin = "" if first["origin"] == OWN else f" (from {first['origin']})"
        _hang(console, f"{first['name']:<{wide}}", f"{first['about'].rstrip('.')}{origin}")
        if others:
            is_stem = all(one["name"].startswith(f"{first['name']}-") for one in others)
            stem = first["name"] if is_stem else first["name"].partition("-")[0]
            _hang(console, " " * wide, f"also {' '.join(one['name'].removeprefix(stem) for one in others)}")
    console.print("\nkibitz games GAME shows options and variants; --set key=value sets one.", highlight=False)


def _show_one(row: dict[str, Any]) -> None:
    from rich.table import Table

    console = Paper()
    kin = [one for one in names() if package_of(one) == package_of(row["name"])]
    console.print(f"{row['name']}: {row['about']} (from {row['origin']})", highlight=False)
    if len(kin) > 1:
        console.print(f"variants: {' '.join(kin)}", highlight=False)
    table = Table(box=None, pad_edge=False)
    for column in ("option", "values", "about"):
        table.add_column(column)
    for option in row["options"]:
        table.add_row(f"{option['name']}={option['value']}", option["values"], option["about"])
    if row["options"]:
        console.print(table)


def _hang(console: Paper, name: str, about: str) -> None:
    """A name and what is said of it, which goes on below itself where the terminal ends."""
    lines = wrap(about, max(20, console.width - len(name) - 2), break_on_hyphens=False)
    console.print(f"{name}  " + f"\n{' ' * len(name)}  ".join(lines), highlight=False, soft_wrap=True)


def _row(name: str) -> dict[str, Any]:
    package = importlib.import_module(package_of(name))
    about = getattr(package, "ABOUT", {}).get(name) or (package.__doc__ or name).strip().splitlines()[0]
    preset = package.PRESETS[name]
    options = [
        {"name": o.name, "value": preset.get(o.name, o.default), "values": o.range_text(), "about": o.about}
        for o in package.OPTIONS
    ]
    return {"name": name, "about": about, "version": package.VERSION, "origin": origin_of(name), "options": options}
