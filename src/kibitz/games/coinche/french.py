"""Coinche in the language of its country: every word the table shows, and the words of the actions."""

from __future__ import annotations

from kibitz.games.decks import suited

SUIT_LETTERS = {"s": "p", "h": "c", "d": "k", "c": "t", "n": "sa", "t": "ta"}
"""Pique, cœur, carreau, trèfle, sans-atout, tout-atout."""
RANK_LETTERS = {"T": "10", "J": "V", "Q": "D", "K": "R"}

FRENCH = {
    "dealer": "donneur", "contract": "contrat", "by": "par", "coinched": "coinché", "surcoinched": "surcoinché",
    "no bid yet": "aucune annonce", "auction": "enchères", "trick": "pli", "points": "points", "tricks": "plis",
    "face up": "cartes visibles", "you": "vous", "to call": "parle", "to play": "joue",
    "void deal": "donne nulle, tout le monde a passé", "made": "réussi", "failed": "chuté", "score": "marque",
    "belote": "belote", "multiplier": "multiplicateur", "taken by": "pris par", "last trick": "dernier pli",
    "spades": "pique", "hearts": "cœur", "diamonds": "carreau", "clubs": "trèfle", "sans-atout": "sans-atout",
    "tout-atout": "tout-atout", "N": "N", "E": "E", "S": "S", "W": "O",
}  # fmt: skip
"""English words of the table and their French ones."""


def french_card(card: str) -> str:
    """A card as a French player writes it: Qh becomes Dc."""
    return RANK_LETTERS.get(card[0], card[0]) + SUIT_LETTERS[card[1]]


def french_call(call: str) -> str:
    """A call as a French player makes it: 80h becomes 80c."""
    if call == "pass":
        return "passe"
    if call in ("coinche", "surcoinche"):
        return call
    return call[:-1].replace("generale", "générale") + SUIT_LETTERS[call[-1]]


def french_word(word: str) -> str:
    """An action's word in French."""
    if "|" in word:
        return "|".join(french_word(part) for part in word.split("|"))
    return french_card(word) if word in CARD_WORDS else french_call(word) if word != "-" else word


CARD_WORDS = suited("shdc", "789JQKTA")
