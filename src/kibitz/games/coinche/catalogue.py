"""Coinche in German and French."""

from __future__ import annotations

from kibitz.games.tricks.catalogue import with_own

GERMAN = {
    "N": "N", "E": "O", "S": "S", "W": "W", "coinche": "Coinche", "surcoinche": "Surcoinche", "pass": "passe", "coinched": "mit Coinche",
    "surcoinched": "mit Surcoinche", "void deal": "alle haben gepasst", "{}, belote": "{}, Belote", "made": "erfüllt",
    "points: {}": "Punkte: {}", "tricks: {}": "Stiche: {}", "belote: {}": "Belote: {}", "score: {}": "angeschrieben: {}",
    "{} made   multiplier {}": "{} erfüllt   Faktor {}", "{} failed   multiplier {}": "{} verfehlt   Faktor {}",
    "N+S {}   E+W {}": "N+S {}   O+W {}", "capot": "Capot", "générale": "Générale", "-": "-",
    "the auction is over; it must play a card": "die Reizung ist vorbei; du musst eine Karte spielen",
    "the auction is not over; it must call": "die Reizung ist nicht vorbei; du musst ansagen",
    "nobody has bid yet; it may pass or bid": "noch hat niemand gereizt; du darfst passen oder reizen",
    "{} has coinched already": "{} hat schon Coinche gesagt", "the bid that stands is {} by {}": "es steht {} von {}",
    "the bid that stands is {}: only the other side may coinche": "es steht {}: nur die andere Seite darf Coinche sagen",
    "nobody has coinched": "niemand hat Coinche gesagt",
    "the bid that stands is {}: only its own side may surcoinche": "es steht {}: nur die eigene Seite darf Surcoinche sagen",
    "after a coinche nobody may bid": "nach Coinche reizt niemand mehr", "nothing is higher": "nichts ist höher",
    "a bid must be at least {}": "ein Gebot muss mindestens {} sein", "it holds {}": "du hast {}", "it may play {}": "du darfst {} spielen",
    "{} were led and it holds {}": "{} wurde ausgespielt, und du hast {}", "it must play a higher trump than {}": "du musst {} mit Trumpf übertreffen",
    "it must overtrump {}": "du musst {} übertrumpfen", "it has no {} and {} is winning with {}: it must trump":
        "du hast kein {}, und {} gewinnt mit {}: du musst trumpfen",
    "it has no {} and must undertrump": "du hast kein {} und musst untertrumpfen",
}  # fmt: skip
FRENCH = {
    "N": "N", "E": "E", "S": "S", "W": "O", "coinche": "coinche", "surcoinche": "surcoinche", "pass": "passe", "coinched": "coinché",
    "surcoinched": "surcoinché", "void deal": "donne nulle, tout le monde a passé", "{}, belote": "{}, belote", "made": "réussi",
    "points: {}": "points : {}", "tricks: {}": "plis : {}", "belote: {}": "belote : {}", "score: {}": "marque : {}",
    "{} made   multiplier {}": "{} réussi   multiplicateur {}", "{} failed   multiplier {}": "{} chuté   multiplicateur {}",
    "N+S {}   E+W {}": "N+S {}   E+O {}", "capot": "capot", "générale": "générale", "-": "-",
    "the auction is over; it must play a card": "les enchères sont finies ; il faut jouer une carte",
    "the auction is not over; it must call": "les enchères ne sont pas finies ; il faut parler",
    "nobody has bid yet; it may pass or bid": "personne n'a encore annoncé ; passez ou annoncez",
    "{} has coinched already": "{} a déjà coinché", "the bid that stands is {} by {}": "l'annonce est {} par {}",
    "the bid that stands is {}: only the other side may coinche": "l'annonce est {} : seul l'autre camp peut coincher",
    "nobody has coinched": "personne n'a coinché",
    "the bid that stands is {}: only its own side may surcoinche": "l'annonce est {} : seul son camp peut surcoincher",
    "after a coinche nobody may bid": "après une coinche on n'annonce plus", "nothing is higher": "rien n'est plus haut",
    "a bid must be at least {}": "une annonce vaut au moins {}", "it holds {}": "vous avez {}", "it may play {}": "vous pouvez jouer {}",
    "{} were led and it holds {}": "{} demandé et vous avez {}", "it must play a higher trump than {}": "il faut monter sur {}",
    "it must overtrump {}": "il faut surcouper {}", "it has no {} and {} is winning with {}: it must trump":
        "vous n'avez pas de {} et {} est maître avec {} : il faut couper",
    "it has no {} and must undertrump": "vous n'avez pas de {} et devez sous-couper",
}  # fmt: skip
SENTENCES = with_own(GERMAN, FRENCH)
