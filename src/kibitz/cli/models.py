"""`kibitz models`: the trained players that come with kibitz, and how strong they are."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from kibitz.cli.arguments import Json, print_json
from kibitz.core.errors import BadInput
from kibitz.core.schema import read_json_file
from kibitz.core.shipped import shipped_folder, shipped_names


def models(game: Annotated[str, typer.Argument(help="Only models of this game.")] = "", as_json: Json = False) -> None:
    """List the shipped models with their measured strength; each plays as net:NAME (a table as table:NAME).

    Example: kibitz models
    """
    rows = [described(name) for name in shipped_names()]
    if game:
        rows = [row for row in rows if row["game"] == game]
        if not rows:
            raise BadInput(f"no model of {game} comes with kibitz: `kibitz models` shows all there are")
    if as_json:
        print_json(rows)
        return
    from rich import print

    from kibitz.cli.train import told

    for row in rows:
        seats = f"seats {','.join(map(str, row['seats']))}" if row["seats"] else "all seats"
        print(f"[bold]{row['bot']}[/bold]  {row['game']}, {seats}, by {row['method']}")
        for what, score in row["scores"].items():
            print(f"    {what}: {told(score)}")
    print("± is one standard error")


def described(name: str) -> dict[str, Any]:
    """What one shipped model is, from its card alone."""
    folder = shipped_folder()
    path = folder / name / "card.json"
    if not path.exists():
        return _table(name)
    try:
        card = read_json_file(path, halves=True)
        seats = [seat for seat, net in enumerate(card["seats"]) if net >= 0]
        size = sum(file.stat().st_size for file in path.parent.iterdir())
        return {
            "bot": f"net:{name}", "game": card["game"], "seats": seats, "method": card["method"],
            "scores": card["scores"], "frames": card["frames"], "seconds": card["seconds"], "seed": card["seed"],
            "layers": card["layers"], "observation": card["observation"], "command": card["command"],
            "note": card.get("note", ""), "bytes": size,
        }  # fmt: skip
    except (ValueError, KeyError, TypeError) as problem:
        raise BadInput(f"{path} is not a model's card, or is damaged: {problem}") from None


def _table(name: str) -> dict[str, Any]:
    """A table's card lies beside it."""
    path = shipped_folder() / f"{name}.json"
    try:
        card: dict[str, Any] = read_json_file(path, halves=True)
        return {"bot": f"table:{name}", "game": card["game"], "seats": [], **card}
    except (OSError, ValueError, KeyError, TypeError) as problem:
        raise BadInput(f"{path} is not a table's card, or is damaged: {problem}") from None
