"""The sentences of the table itself, in German and French; English is the key. Games bring their own in a module `catalogue`."""

from __future__ import annotations

GERMAN = {
    "you": "du", "said": "gesagt", "points": "Punkte", "last trick": "letzter Stich", "trick": "Stich", "{} leads": "{} spielt aus",
    "trick {}": "Stich {}", "tricks {}": "Stiche {}", "chips in {}": "Einsatz {}", "declarer": "Alleinspieler", "dealer": "Geber",
    "has no {}": "hat kein {}", "your move": "dein Zug", "{} cards": "{} Karten", "nothing": "nichts",
    "{} to {} of your cards together, like {}": "{} bis {} deiner Karten zusammen, etwa {}", "{} with one of {}": "{} mit einem von {}",
    "{} may be {}: which one?": "{} kann {} sein: welche ist gemeint?", "{} cannot be laid together here": "{} geht hier nicht zusammen",
    "{} is no move here: {}": "{} ist hier kein Zug: {}", "{} points": "{} Punkte",
    "you win the trick with {}": "du gewinnst den Stich mit {}", "{} wins the trick with {}": "{} gewinnt den Stich mit {}",
    "returns": "Ergebnis", "you have won": "du hast gewonnen", "you have not won": "du hast nicht gewonnen",
    "moves you can type: {}": "mögliche Züge: {}",
    "cards are understood in many ways: as, AS, a s, ♠A; a call by its first letters":
        "Karten gehen auf viele Arten: pa, Pik Ass, ♠A; Ansagen auch mit den ersten Buchstaben",
    "[bot] what a bot would play, and how it weighs the moves": "[Bot] was ein Bot spielen würde und wie er die Züge abwägt",
    "take your last move back": "deinen letzten Zug zurücknehmen", "the last trick": "der letzte Stich",
    "points so far, and the games before": "Punkte bisher und die Spiele davor", "[number or word] the rules of the game":
        "[Nummer oder Wort] die Regeln (englisch)", "all moves": "alle Züge", "show the table again": "den Tisch noch einmal zeigen",
    "leave the table": "den Tisch verlassen", "taken back": "zurückgenommen", "there is no trick yet": "noch kein Stich",
    "nothing is written down yet": "noch nichts aufgeschrieben", "{} plays {}": "{} spielt {}", "worth {}": "wert {}",
    "game {}": "Spiel {}", "press Enter for the next game": "Eingabetaste für das nächste Spiel",
    "the match is over: {} won it": "die Partie ist zu Ende: gewonnen hat {}", "so far {} leads": "bisher führt {}",
    "seed {}": "Seed {}", "not all games could be kept: {}": "nicht alle Spiele konnten aufgehoben werden: {}",
    "kept: look at it with kibitz replay {}": "aufgehoben: ansehen mit kibitz replay {}",
    "what did each decision cost: kibitz analyse {} --bots {}": "was jede Entscheidung kostete: kibitz analyse {} --bots {}",
    "type a move as shown, ? for help; {} leaves the table": "tippe einen Zug wie gezeigt, ? für Hilfe; {} verlässt den Tisch",
    "?": "?", "help": "hilfe", "moves": "züge", "hint": "tipp", "undo": "zurück", "last": "letzter", "score": "stand", "rules": "regeln",
    "table": "tisch", "quit": "ende",
    "{} is illegal: {}": "{} geht nicht: {}", "legal are {}": "möglich sind {}", "seat {}": "Platz {}",
    "the input ended before the game did": "die Eingabe endete vor dem Spiel", "a card": "eine Karte",
    "you have not moved yet: there is nothing to take back": "du hast noch nicht gezogen: es gibt nichts zurückzunehmen",
}  # fmt: skip
FRENCH = {
    "you": "vous", "said": "annonces", "points": "points", "last trick": "dernier pli", "trick": "pli", "{} leads": "{} entame",
    "trick {}": "pli {}", "tricks {}": "plis {}", "chips in {}": "mise {}", "declarer": "preneur", "dealer": "donneur",
    "has no {}": "n'a pas de {}", "your move": "à vous", "{} cards": "{} cartes", "nothing": "rien",
    "{} to {} of your cards together, like {}": "de {} à {} de vos cartes ensemble, comme {}", "{} with one of {}": "{} avec {}",
    "{} may be {}: which one?": "{} peut être {} : laquelle ?", "{} cannot be laid together here": "{} ne vont pas ensemble ici",
    "{} is no move here: {}": "{} n'est pas un coup ici : {}", "{} points": "{} points",
    "you win the trick with {}": "vous gagnez le pli avec {}", "{} wins the trick with {}": "{} gagne le pli avec {}",
    "returns": "résultat", "you have won": "vous avez gagné", "you have not won": "vous n'avez pas gagné",
    "moves you can type: {}": "coups possibles : {}",
    "cards are understood in many ways: as, AS, a s, ♠A; a call by its first letters":
        "les cartes s'écrivent de bien des façons : ap, as de pique, ♠A ; une annonce par ses premières lettres",
    "[bot] what a bot would play, and how it weighs the moves": "[bot] ce qu'un bot jouerait, et comment il pèse les coups",
    "take your last move back": "reprendre votre dernier coup", "the last trick": "le dernier pli",
    "points so far, and the games before": "les points, et les parties d'avant", "[number or word] the rules of the game":
        "[numéro ou mot] les règles (en anglais)", "all moves": "tous les coups", "show the table again": "montrer la table encore",
    "leave the table": "quitter la table", "taken back": "repris", "there is no trick yet": "pas encore de pli",
    "nothing is written down yet": "rien n'est encore marqué", "{} plays {}": "{} joue {}", "worth {}": "vaut {}",
    "game {}": "partie {}", "press Enter for the next game": "Entrée pour la partie suivante",
    "the match is over: {} won it": "le match est fini : gagné par {}", "so far {} leads": "pour l'instant {} mène",
    "seed {}": "graine {}", "not all games could be kept: {}": "toutes les parties n'ont pu être gardées : {}",
    "kept: look at it with kibitz replay {}": "gardée : à revoir avec kibitz replay {}",
    "what did each decision cost: kibitz analyse {} --bots {}": "ce qu'a coûté chaque décision : kibitz analyse {} --bots {}",
    "type a move as shown, ? for help; {} leaves the table": "tapez un coup comme montré, ? pour l'aide ; {} quitte la table",
    "?": "?", "help": "aide", "moves": "coups", "hint": "conseil", "undo": "reprendre", "last": "dernier", "score": "marque",
    "rules": "règles", "table": "table", "quit": "quitter",
    "{} is illegal: {}": "{} est interdit : {}", "legal are {}": "possibles : {}", "seat {}": "place {}",
    "the input ended before the game did": "l'entrée s'est terminée avant la partie", "a card": "une carte",
    "you have not moved yet: there is nothing to take back": "vous n'avez pas encore joué : rien à reprendre",
}  # fmt: skip
SENTENCES = {"de": GERMAN, "fr": FRENCH}
