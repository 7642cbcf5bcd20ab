"""Cheat in German and French."""

from __future__ import annotations

RANKS = (
    ("an ace", "aces", "ein Ass", "Asse", "un as", "des as"), ("a two", "twos", "eine Zwei", "Zweien", "un deux", "des deux"),
    ("a three", "threes", "eine Drei", "Dreien", "un trois", "des trois"), ("a four", "fours", "eine Vier", "Vieren", "un quatre", "des quatre"),
    ("a five", "fives", "eine Fünf", "Fünfen", "un cinq", "des cinq"), ("a six", "sixes", "eine Sechs", "Sechsen", "un six", "des six"),
    ("a seven", "sevens", "eine Sieben", "Siebenen", "un sept", "des sept"), ("an eight", "eights", "eine Acht", "Achten", "un huit", "des huit"),
    ("a nine", "nines", "eine Neun", "Neunen", "un neuf", "des neuf"), ("a ten", "tens", "eine Zehn", "Zehnen", "un dix", "des dix"),
    ("a jack", "jacks", "ein Bube", "Buben", "un valet", "des valets"), ("a queen", "queens", "eine Dame", "Damen", "une dame", "des dames"),
    ("a king", "kings", "ein König", "Könige", "un roi", "des rois"),
)  # fmt: skip
GERMAN = {
    **{one: de for one, _, de, _, _, _ in RANKS}, **{more: de for _, more, _, de, _, _ in RANKS},
    "trust": "glauben", "cheat": "gelogen", "pass": "passen", "lay": "legen", "passes": "passt", "pile": "Stapel",
    "lays 1 card as {}": "legt 1 Karte als {}", "lays {} cards as {}": "legt {} Karten als {}", "has answered": "hat geantwortet",
    "nobody doubts": "niemand zweifelt", "{} has lied": "{} hat gelogen", "{} has told the truth": "{} hat die Wahrheit gesagt",
    "{} takes {} card": "{} nimmt {} Karte", "{} takes {} cards": "{} nimmt {} Karten", "rank {}": "Rang {}", "turn {} of {}": "Zug {} von {}",
    "over: won by {}": "zu Ende: gewonnen von {}", "over: a draw": "zu Ende: unentschieden",
    "it is asked whether it believes {}'s claim of {} x {}: trust or cheat": "du wirst gefragt, ob du {} {} x {} glaubst: glauben oder gelogen",
    "nothing is claimed yet; it is {}'s turn to discard, as {}s": "noch ist nichts behauptet; {} legt ab, als {}",
    "it holds {}, with {}": "du hast {}, davon {}", "no {}": "kein {}", "it has picked no card yet": "du hast noch keine Karte gewählt",
    "right and wrong cards may not be mixed, and the rank is {}": "richtige und falsche Karten dürfen nicht gemischt werden, der Rang ist {}",
    "it has picked {} already": "du hast schon {} gewählt", "it has {} left to pick": "du kannst noch {} wählen", "no cards": "keine Karten",
    "it has picked {}, and a discard has at most {} cards": "du hast {} gewählt, und höchstens {} Karten werden gelegt",
    "it has picked {}, right and wrong cards may not be mixed, and the rank is {}":
        "du hast {} gewählt, richtige und falsche Karten dürfen nicht gemischt werden, der Rang ist {}",
}  # fmt: skip
FRENCH = {
    **{one: fr for one, _, _, _, fr, _ in RANKS}, **{more: fr for _, more, _, _, _, fr in RANKS},
    "trust": "croire", "cheat": "menteur", "pass": "passer", "lay": "poser", "passes": "passe", "pile": "tas",
    "lays 1 card as {}": "pose 1 carte comme {}", "lays {} cards as {}": "pose {} cartes comme {}", "has answered": "a répondu",
    "nobody doubts": "personne ne doute", "{} has lied": "{} a menti", "{} has told the truth": "{} a dit la vérité",
    "{} takes {} card": "{} prend {} carte", "{} takes {} cards": "{} prend {} cartes", "rank {}": "rang {}", "turn {} of {}": "tour {} sur {}",
    "over: won by {}": "fini : gagné par {}", "over: a draw": "fini : match nul",
    "it is asked whether it believes {}'s claim of {} x {}: trust or cheat": "on vous demande si vous croyez {} pour {} x {} : croire ou menteur",
    "nothing is claimed yet; it is {}'s turn to discard, as {}s": "rien n'est encore annoncé ; c'est à {} de poser, comme {}",
    "it holds {}, with {}": "vous avez {}, dont {}", "no {}": "pas de {}", "it has picked no card yet": "vous n'avez encore rien choisi",
    "right and wrong cards may not be mixed, and the rank is {}": "on ne mêle pas vraies et fausses cartes, et le rang est {}",
    "it has picked {} already": "vous avez déjà choisi {}", "it has {} left to pick": "vous pouvez encore choisir {}", "no cards": "aucune carte",
    "it has picked {}, and a discard has at most {} cards": "vous avez choisi {}, et l'on pose {} cartes au plus",
    "it has picked {}, right and wrong cards may not be mixed, and the rank is {}":
        "vous avez choisi {}, on ne mêle pas vraies et fausses cartes, et le rang est {}",
}  # fmt: skip
SENTENCES = {"de": GERMAN, "fr": FRENCH}
