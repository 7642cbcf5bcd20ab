"""`kibitz bots`: who can sit at a table."""

from __future__ import annotations

from kibitz.bots import best_bot, names, rules
from kibitz.bots.pimc import KNOBS, UNTOLD, inferences
from kibitz.cli.arguments import GameName, Json, Settings, asked_game, print_json
from kibitz.cli.models import described
from kibitz.core.shipped import models_for, strangers_for
from kibitz.search.pimc import can_play


def bots(game: GameName, settings: Settings = None, as_json: Json = False) -> None:
    """List the bots that can play a game, with their knobs.

    Example: kibitz bots leduc
    """
    made = asked_game(game, settings)
    knobs = {name: dict(rule.knobs) for name, rule in rules(made).items()}
    known = names(made)
    if can_play(made):
        known |= {f"pimc:{name}": f"pimc with {about}" for name, about in inferences(made).items()}
        knobs["pimc"] = {knob: value for knob, value in KNOBS.items() if value != UNTOLD}
    else:
        del known["pimc"]
    known |= {spec: _about(spec) for spec in models_for(made)} | strangers_for(made)
    best = best_bot(made)
    rows = [
        {"name": name, "about": about, "knobs": knobs.get(name, {}), "best": name == best}
        for name, about in known.items()
    ]
    if as_json:
        print_json(rows)
        return
    from rich.table import Table

    from kibitz.cli.shown import Paper

    table = Table(box=None, pad_edge=False)
    for column in ("bot", "about", "knobs"):
        table.add_column(column)
    for row in rows:
        settings_text = " ".join(f"{key}={value:g}" for key, value in knobs.get(str(row["name"]), {}).items())
        table.add_row(f"{row['name']} *" if row["best"] else str(row["name"]), str(row["about"]), settings_text)
    console = Paper()
    console.print(table)
    console.print(
        "\n* the strongest that needs no time to think: your opponent unless you name another, and what best stands for"
    )


def _about(spec: str) -> str:
    """A line about a shipped model, with the first strength that its card tells."""
    from kibitz.cli.train import told

    card = described(spec.partition(":")[2])
    scores = [f"{what}: {told(score)}" for what, score in card["scores"].items()][:1]
    return "; ".join([f"a trained model, by {card['method']}", *scores])
