"""`kibitz bots`: who can sit at a table."""

from __future__ import annotations

from kibitz.bots import names, rules
from kibitz.bots.pimc import KNOBS, UNTOLD, inferences
from kibitz.cli.arguments import GameName, Json, Settings, asked_game, print_json
from kibitz.cli.models import shipped_for
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
    known |= {row["bot"]: f"a shipped model, by {row['method']}" for row in shipped_for(made)}
    rows = [{"name": name, "about": about, "knobs": knobs.get(name, {})} for name, about in known.items()]
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
        table.add_row(str(row["name"]), str(row["about"]), settings_text)
    Paper().print(table)
