"""Skat in German and French: every sentence that a seat meets."""

from __future__ import annotations

from kibitz.games.tricks.catalogue import with_own

GERMAN = {
    "forehand": "Vorhand", "middlehand": "Mittelhand", "rearhand": "Hinterhand", "Skat": "Skat", "hold": "ja", "pass": "passe",
    "pickup": "aufnehmen", "hand": "Handspiel", "grand": "Grand", "null": "Null", "ouvert": "ouvert", "{} hand": "{} Hand",
    "{} ouvert": "{} ouvert", "{} schneider announced": "{} Schneider angesagt", "{} schwarz announced": "{} Schwarz angesagt",
    "Ramsch": "Ramsch", "passed in": "eingepasst", "points": "Augen", "{} points": "{} Augen",
    "lays away {}": "drückt {}", "passes on {}": "schiebt {}", "won": "gewonnen", "lost": "verloren", "with {}": "mit {}",
    "without {}": "ohne {}", "overbid": "überreizt", "{} won": "{} hat gewonnen", "{} lost": "{} hat verloren",
    "Ramsch: {} counts {}": "Ramsch: {} zählt {}", "it does not hold it, but {}": "du hast sie nicht, sondern {}",
    "{} were led and it holds {}": "{} wurde ausgespielt, und du hast {}", "jacks are not passed on": "Buben werden nicht geschoben",
    "the second card must have the higher number; lay away one of {}": "die zweite Karte muss die höhere Nummer haben; lege eine von {} weg",
    "it has the highest number of all, so it can only be the second; begin with one of {}":
        "sie hat die höchste Nummer von allen und kann nur die zweite sein; beginne mit einer von {}",
    "it is to bid or pass": "du musst reizen oder passen", "it may take the game at 18 or pass": "du kannst bei 18 spielen oder passen",
    "it is to hold or pass": "du musst halten oder passen", "it is to pickup the skat or play hand":
        "du musst den Skat aufnehmen oder aus der Hand spielen",
    "it is to lay away a card": "du musst eine Karte drücken", "it is to pass on a card": "du musst eine Karte schieben",
    "it is to declare a game": "du musst ein Spiel ansagen", "it is to play a card": "du musst eine Karte spielen",
    "the deal is over": "das Spiel ist zu Ende", "{} was already named; the next number is {}": "{} wurde schon gereizt; die nächste Zahl ist {}",
    "numbers must not be left out; the next is {} (jumps=on would allow it)":
        "Zahlen dürfen nicht ausgelassen werden; die nächste ist {} (jumps=on würde es erlauben)",
    "the skat was picked up; it may declare {}": "der Skat wurde aufgenommen; möglich sind {}",
    "the skat was not picked up; it may declare {}": "der Skat wurde nicht aufgenommen; möglich sind {}",
    "{} for the won game, {} by Seeger-Fabian": "{} für das gewonnene Spiel, {} nach Seeger-Fabian",
    "{} for the lost game, {} by Seeger-Fabian": "{} für das verlorene Spiel, {} nach Seeger-Fabian",
    "{} for the lost game, {} by Seeger-Fabian, {} for each of the others":
        "{} für das verlorene Spiel, {} nach Seeger-Fabian, {} für jeden der anderen",
    "it is worth {} and the bid was {}": "es ist {} wert, und gereizt wurde {}",
}  # fmt: skip
FRENCH = {
    "forehand": "premier", "middlehand": "deuxième", "rearhand": "troisième", "Skat": "skat", "hold": "tenir", "pass": "passe",
    "pickup": "prendre", "hand": "en main", "grand": "grand", "null": "nul", "ouvert": "ouvert", "{} hand": "{} en main",
    "{} ouvert": "{} ouvert", "{} schneider announced": "{} schneider annoncé", "{} schwarz announced": "{} schwarz annoncé",
    "Ramsch": "ramsch", "passed in": "tout le monde a passé", "lays away {}": "écarte {}", "passes on {}": "passe {}",
    "won": "gagné", "lost": "perdu", "with {}": "avec {}", "without {}": "sans {}", "overbid": "trop enchéri",
    "{} won": "{} a gagné", "{} lost": "{} a perdu", "Ramsch: {} counts {}": "ramsch : {} marque {}",
    "it does not hold it, but {}": "vous ne l'avez pas, mais {}", "{} were led and it holds {}": "{} a été entamé et vous avez {}",
    "jacks are not passed on": "les valets ne se passent pas",
    "the second card must have the higher number; lay away one of {}": "la seconde carte doit avoir le numéro le plus haut ; écartez une de {}",
    "it has the highest number of all, so it can only be the second; begin with one of {}":
        "elle a le numéro le plus haut et ne peut être que la seconde ; commencez par une de {}",
    "it is to bid or pass": "il faut enchérir ou passer", "it may take the game at 18 or pass": "vous pouvez jouer à 18 ou passer",
    "it is to hold or pass": "il faut tenir ou passer", "it is to pickup the skat or play hand": "il faut prendre le skat ou jouer en main",
    "it is to lay away a card": "il faut écarter une carte", "it is to pass on a card": "il faut passer une carte",
    "it is to declare a game": "il faut annoncer un jeu", "it is to play a card": "il faut jouer une carte",
    "the deal is over": "la donne est finie", "{} was already named; the next number is {}": "{} a déjà été dit ; le nombre suivant est {}",
    "numbers must not be left out; the next is {} (jumps=on would allow it)":
        "on ne saute pas de nombre ; le suivant est {} (jumps=on le permettrait)",
    "the skat was picked up; it may declare {}": "le skat a été pris ; possibles : {}",
    "the skat was not picked up; it may declare {}": "le skat n'a pas été pris ; possibles : {}",
    "{} for the won game, {} by Seeger-Fabian": "{} pour la partie gagnée, {} selon Seeger-Fabian",
    "{} for the lost game, {} by Seeger-Fabian": "{} pour la partie perdue, {} selon Seeger-Fabian",
    "{} for the lost game, {} by Seeger-Fabian, {} for each of the others":
        "{} pour la partie perdue, {} selon Seeger-Fabian, {} pour chacun des autres",
    "it is worth {} and the bid was {}": "il vaut {} et l'enchère était {}",
}  # fmt: skip
SENTENCES = with_own(GERMAN, FRENCH)
