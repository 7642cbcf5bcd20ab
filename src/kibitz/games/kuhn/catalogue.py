"""Kuhn poker in German and French."""

from __future__ import annotations

SENTENCES = {
    "de": {
        "pass": "passen",
        "bet": "setzen",
        "check": "schieben",
        "fold": "aussteigen",
        "call": "mitgehen",
        "over": "zu Ende",
    },
    "fr": {"pass": "passer", "bet": "miser", "check": "parole", "fold": "se coucher", "call": "suivre", "over": "fini"},
}
