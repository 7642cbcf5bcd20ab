"""Leduc poker in German and French."""

from __future__ import annotations

SENTENCES = {
    "de": {
        "fold": "aussteigen", "call": "mitgehen", "raise": "erhöhen", "check": "schieben", "bet": "setzen", "board": "Tischkarte", "over": "zu Ende",
        "{} is turned up": "{} wird aufgedeckt", "there is no bet to answer; it may call or raise": "es steht kein Einsatz: mitgehen oder erhöhen",
        "there were two raises in this round; it may fold or call": "in dieser Runde wurde zweimal erhöht: aussteigen oder mitgehen",
    },
    "fr": {
        "fold": "se coucher", "call": "suivre", "raise": "relancer", "check": "parole", "bet": "miser", "board": "table", "over": "fini",
        "{} is turned up": "{} est retournée", "there is no bet to answer; it may call or raise": "il n'y a pas de mise : suivre ou relancer",
        "there were two raises in this round; it may fold or call": "il y a eu deux relances : se coucher ou suivre",
    },
}  # fmt: skip
