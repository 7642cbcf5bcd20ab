"""`kibitz models`: the trained players that come with kibitz, and how strong they are."""

from __future__ import annotations

import json
from typing import Any

from kibitz.cli.asked import Json, print_json
from kibitz.core.errors import BadInput
from kibitz.core.shipped import shipped_folder, shipped_names


def models(as_json: Json = False) -> None:
    """List the shipped models with their measured strength; each plays as net:NAME (a table as table:NAME).

    Example: kibitz models
    """
    rows = [described(name) for name in shipped_names()]
    if as_json:
        print_json(rows)
        return
    from rich.console import Console
    from rich.table import Table

    from kibitz.cli.train import told

    table = Table(box=None, pad_edge=False)
    for column in ("bot", "game", "seats", "method", "measured (95 % interval)"):
        table.add_column(column, no_wrap=column == "bot", overflow="fold")
    for row in rows:
        scores = "\n".join(f"{what}: {told(score)}" for what, score in row["scores"].items())
        seats = ",".join(map(str, row["seats"])) if row["seats"] else "all"
        table.add_row(row["bot"], row["game"], seats, row["method"], scores or "-")
    Console().print(table)


def described(name: str) -> dict[str, Any]:
    """What one shipped model is, from its card alone."""
    folder = shipped_folder()
    path = folder / name / "card.json"
    if not path.exists():
        return _table(name)
    try:
        card = json.loads(path.read_bytes())
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
        card: dict[str, Any] = json.loads(path.read_bytes())
        return {"bot": f"table:{name}", "game": card["game"], "seats": [], **card}
    except (OSError, ValueError, KeyError, TypeError) as problem:
        raise BadInput(f"{path} is not a table's card, or is damaged: {problem}") from None
