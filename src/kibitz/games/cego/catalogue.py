"""Cego in German and French; its calls are German everywhere."""

from __future__ import annotations

from kibitz.games.tricks.catalogue import with_own

CALLS = (
    "cego", "eine", "eine-leere", "zwei-leere", "zwei-verschiedene", "solo", "ultimo", "bettel", "piccolo", "raeuber", "Cego", "Eine",
    "Eine Leere", "Zwei Leere", "Zwei Verschiedene", "Solo", "Ultimo", "Bettel", "Piccolo", "Räuber", "Standard", "Standard-Cego",
)  # fmt: skip
GERMAN = {
    **{call: call for call in CALLS}, "pass": "fort", "hold": "halten", "raeuber": "räuber",
    "keeps {}": "behält {}", "lays {} away": "legt {} weg", "the first leads are bound by the exposed cards: it may lead {}":
        "das erste Ausspiel ist durch die offenen Karten bestimmt: du darfst {} ausspielen",
    "{} were led and it holds {}": "{} wurde ausgespielt, und du hast {}", "it has no {} and must trump with {}": "du hast kein {} und musst mit {} trumpfen",
    "now are the {}, no card is played yet": "jetzt: {}; noch wird keine Karte gespielt", "announcements": "Ansagen",
    "bidding against the Solo": "Reizen gegen das Solo", "raising": "Steigern", "forehand settles": "Vorhand entscheidet", "exchange": "Tausch",
    "the lowest trump of the blind must be discarded": "der niedrigste Trumpf des Blinden muss weg",
    "the highest trump of the blind must be discarded": "der höchste Trumpf des Blinden muss weg",
    "{} keeps as many empties as it can, two cards in rising order: it may say {}": "{} behält möglichst viele Leere, zwei in steigender Folge: möglich {}",
    "{} is a word of the auction, which is over": "{} gehört zur Reizung, die vorbei ist",
    "only the holder of 1t may announce Ultimo": "nur wer den Geiss hat, darf Ultimo ansagen", "its hand is a compulsory Solo": "deine Hand ist ein Zwangssolo",
    "{} has been announced, only a higher game may follow": "{} ist angesagt, nur ein höheres Spiel darf folgen",
    "its hand has not the plain cards that {} exposes": "deine Hand hat nicht die Farbkarten, die {} offenlegt",
    "{} stands, only a higher level may follow": "{} steht, nur eine höhere Stufe darf folgen",
    "{}, {}": "{}, {}", "{} of {}": "{} von {}", "{} against the Solo of {}": "{} gegen das Solo von {}",
    "what lies aside is counted now": "was beiseite liegt, zählt jetzt", "paid {}": "gezahlt: {}", "{} against {}": "{} gegen {}",
    "{} point": "{} Punkt", "won by {}": "gewonnen von {}", "nobody won": "niemand hat gewonnen", "(all tied seats lose)": "(alle Gleichen verlieren)",
    "{} (all tied seats lose)": "{} (alle Gleichen verlieren)", "{} needs 40 of 79 points": "{} braucht 40 von 79 Punkten",
    "{} must win the last trick with 1t": "{} muss den letzten Stich mit dem Geiss machen", "{} must win no trick": "{} darf keinen Stich machen",
    "{} must win exactly one trick": "{} muss genau einen Stich machen", "most points lose": "die meisten Punkte verlieren",
}  # fmt: skip
FRENCH = {
    **{call: call for call in CALLS}, "pass": "passe", "hold": "tenir",
    "keeps {}": "garde {}", "lays {} away": "écarte {}", "the first leads are bound by the exposed cards: it may lead {}":
        "les premières entames sont liées aux cartes exposées : vous pouvez entamer {}",
    "{} were led and it holds {}": "{} entamé et vous avez {}", "it has no {} and must trump with {}": "vous n'avez pas de {} et devez couper avec {}",
    "now are the {}, no card is played yet": "maintenant : {} ; on ne joue pas encore", "announcements": "annonces",
    "bidding against the Solo": "enchères contre le Solo", "raising": "surenchères", "forehand settles": "le premier décide", "exchange": "échange",
    "the lowest trump of the blind must be discarded": "le plus petit atout du talon doit être écarté",
    "the highest trump of the blind must be discarded": "le plus grand atout du talon doit être écarté",
    "{} keeps as many empties as it can, two cards in rising order: it may say {}": "{} garde autant de basses que possible, deux en montant : {}",
    "{} is a word of the auction, which is over": "{} appartient aux enchères, qui sont finies",
    "only the holder of 1t may announce Ultimo": "seul le porteur du 1 d'atout annonce Ultimo", "its hand is a compulsory Solo": "votre main est un Solo obligé",
    "{} has been announced, only a higher game may follow": "{} est annoncé, seul un jeu plus haut peut suivre",
    "its hand has not the plain cards that {} exposes": "votre main n'a pas les cartes que {} expose",
    "{} stands, only a higher level may follow": "{} tient, seul un degré plus haut peut suivre",
    "{}, {}": "{}, {}", "{} of {}": "{} de {}", "{} against the Solo of {}": "{} contre le Solo de {}",
    "what lies aside is counted now": "ce qui est de côté se compte maintenant", "paid {}": "payé : {}", "{} against {}": "{} contre {}",
    "{} point": "{} point", "won by {}": "gagné par {}", "nobody won": "personne n'a gagné", "(all tied seats lose)": "(tous les égaux perdent)",
    "{} (all tied seats lose)": "{} (tous les égaux perdent)", "{} needs 40 of 79 points": "{} a besoin de 40 points sur 79",
    "{} must win the last trick with 1t": "{} doit gagner le dernier pli avec le 1 d'atout", "{} must win no trick": "{} ne doit gagner aucun pli",
    "{} must win exactly one trick": "{} doit gagner exactement un pli", "most points lose": "le plus de points perd",
}  # fmt: skip
SENTENCES = with_own(GERMAN, FRENCH)
