"""Collaborative Kuhn poker in German and French."""

from __future__ import annotations

SENTENCES = {
    "de": {
        "fold": "aussteigen", "call": "mitgehen", "raise": "erhöhen", "check": "schieben", "bet": "setzen", "over": "zu Ende",
        "North": "Nord", "East": "Ost", "South": "Süd", "West": "West", "nothing": "nichts",
        "the oracle tells {}": "das Orakel spricht zu {}", "the oracle tells {}: {}": "das Orakel sagt {}: {}",
        "there is no bet to answer; it may check or bet": "es steht kein Einsatz: schieben oder setzen",
        "all three chips are in; it may fold or call": "alle drei Chips sind gesetzt: aussteigen oder mitgehen",
    },
    "fr": {
        "fold": "se coucher", "call": "suivre", "raise": "relancer", "check": "parole", "bet": "miser", "over": "fini",
        "North": "Nord", "East": "Est", "South": "Sud", "West": "Ouest", "nothing": "rien",
        "the oracle tells {}": "l'oracle parle à {}", "the oracle tells {}: {}": "l'oracle dit à {} : {}",
        "there is no bet to answer; it may check or bet": "il n'y a pas de mise : parole ou miser",
        "all three chips are in; it may fold or call": "les trois jetons sont mis : se coucher ou suivre",
    },
}  # fmt: skip
