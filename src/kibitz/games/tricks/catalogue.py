"""The sentences of every trick-taking game, in German and French; a game's own module `catalogue` adds its own."""

from __future__ import annotations

from collections.abc import Mapping

GERMAN = {
    "chooses a card": "wählt eine Karte", "passes on {}": "gibt {} weiter", "lays away {}": "legt {} weg",
    "it does not hold {}": "du hast {} nicht", "no card is to be played now": "jetzt wird keine Karte gespielt",
    "cards are named from the lowest up, and enough of them must be left to name":
        "Karten werden von der niedrigsten an genannt, und es müssen genug übrig bleiben",
    "a card is to be played now": "jetzt ist eine Karte zu spielen", "it holds {} and may play {}": "du hast {} und darfst {} spielen",
    "clubs": "Kreuz", "spades": "Pik", "hearts": "Herz", "diamonds": "Karo", "trumps": "Trumpf", "open": "offen", "aside": "beiseite",
    "{} by {}": "{} von {}", "pass": "passe", "trumps-s": "Trumpf Pik", "trumps-h": "Trumpf Herz", "trumps-d": "Trumpf Karo",
    "trumps-c": "Trumpf Kreuz",
}  # fmt: skip
FRENCH = {
    "chooses a card": "choisit une carte", "passes on {}": "passe {}", "lays away {}": "écarte {}",
    "it does not hold {}": "vous n'avez pas {}", "no card is to be played now": "on ne joue pas de carte maintenant",
    "cards are named from the lowest up, and enough of them must be left to name":
        "les cartes se nomment de la plus basse à la plus haute, et il doit en rester assez",
    "a card is to be played now": "il faut jouer une carte", "it holds {} and may play {}": "vous avez {} et pouvez jouer {}",
    "clubs": "trèfle", "spades": "pique", "hearts": "cœur", "diamonds": "carreau", "trumps": "atout", "open": "visible",
    "aside": "de côté", "{} by {}": "{} par {}", "pass": "passe", "trumps-s": "atout pique", "trumps-h": "atout cœur",
    "trumps-d": "atout carreau", "trumps-c": "atout trèfle",
}  # fmt: skip


def with_own(german: Mapping[str, str], french: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """The kit's tables with those of a game."""
    return {"de": {**GERMAN, **german}, "fr": {**FRENCH, **french}}
