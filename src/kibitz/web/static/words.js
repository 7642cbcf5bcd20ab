// The page's own words; those of a game come from the game.
import { lang } from "./settings.js";

const DE = {
  "of": "{1} {0}", "suit s": "Pik", "suit h": "Herz", "suit d": "Karo", "suit c": "Kreuz", "suit t": "Trumpf",
  "rank A": "Ass", "rank K": "König", "rank Q": "Dame", "rank J": "Bube", "rank T": "Zehn", "rank N": "Reiter", "rank R": "Reiter", "rank G": "Gstieß",
  "may play": "spielbar", "may not play": "jetzt nicht spielbar", "chosen": "gewählt", "your turn": "Du bist dran", "thinking": "{0} denkt nach",
  "to move": "{0} ist dran", "you": "du", "gone": "fort", "person": "Mensch", "bot": "Bot", "tricks": "Stiche", "points": "Augen",
  "chips": "Chips", "contract": "Spiel", "score": "Wertung", "auction and play": "Verlauf", "last trick": "Letzter Stich", "hint": "Tipp",
  "take back": "Zurücknehmen", "next deal": "Nächste Karten", "same cards": "Gleiche Karten", "review": "Durchsehen", "lay": "{0} Karten legen",
  "lay one": "Karte legen", "choose": "Wähle {0} Karten", "lobby": "Lobby", "settings": "Einstellungen", "invite": "Einladen", "deal": "Karten {0}",
  "over": "Die Karten sind gespielt", "won": "Gewonnen", "lost": "Verloren", "download": "Als Datei sichern", "open a record": "Aufzeichnung öffnen",
  "play": "Spielen", "new table": "Neuer Tisch", "games": "Spiele", "your tables": "Deine Tische", "language": "Sprache", "look": "Aussehen",
  "light": "hell", "dark": "dunkel", "automatic": "automatisch", "deck": "Blatt", "four colours": "vier Farben", "two colours": "zwei Farben",
  "motion": "Bewegung", "on": "an", "off": "aus", "pace": "Tempo der Bots", "at once": "sofort", "calm": "ruhig", "known then": "Damals bekannt",
  "true deal": "Wirkliche Karten", "played": "gespielt", "prefers": "{0} zieht vor", "value": "Wert", "wins": "gewinnt", "best in": "am besten in",
  "fine": "gut", "error": "Fehler", "bad luck": "Pech", "lucky": "Glück", "try again": "Nochmal versuchen", "show answer": "Antwort zeigen",
  "belief": "Wo die Karten liegen", "compare": "Gleiche Karten, andere Spieler", "watching": "Du schaust zu", "name": "Name", "pile": "Stapel",
  "elsewhere": "sonst", "close": "Schließen", "seat": "Platz", "options": "Regeln", "start": "Austeilen", "me": "ich", "preparing": "{0} wird vorbereitet",
  "preparing why": "Beim ersten Mal werden die Regeln übersetzt. Das dauert bis zu einigen Minuten und nur einmal.",
  "connection lost": "Verbindung verloren, neuer Versuch …", "all cards": "alle Karten offen", "view of": "Sicht von {0}", "ahead": "Du liegst {0} pro Spiel vor {1}",
  "behind": "Du liegst {0} pro Spiel hinter {1}", "same as": "gleich", "after deals": "nach {0} Spielen", "match": "Partie", "series": "Liste", "session": "Runde",
  "fairness": "Fairness", "ask": "Fragen", "votes": "Stimmen", "ply": "Zug {0} von {1}", "leave to bot": "Bot übernimmt", "worth": "wert", "share": "Anteil",
};
const FR = {
  "of": "{0} de {1}", "suit s": "pique", "suit h": "cœur", "suit d": "carreau", "suit c": "trèfle", "suit t": "atout",
  "rank A": "as", "rank K": "roi", "rank Q": "dame", "rank J": "valet", "rank T": "dix", "rank N": "cavalier", "rank R": "cavalier", "rank G": "Gstieß",
  "may play": "jouable", "may not play": "pas jouable maintenant", "chosen": "choisie", "your turn": "À vous de jouer", "thinking": "{0} réfléchit",
  "to move": "à {0} de jouer", "you": "vous", "gone": "absent", "person": "joueur", "bot": "robot", "tricks": "plis", "points": "points",
  "chips": "jetons", "contract": "Contrat", "score": "Marque", "auction and play": "Déroulement", "last trick": "Dernier pli", "hint": "Conseil",
  "take back": "Reprendre", "next deal": "Donne suivante", "same cards": "Mêmes cartes", "review": "Revoir", "lay": "Poser {0} cartes",
  "lay one": "Poser la carte", "choose": "Choisissez {0} cartes", "lobby": "Accueil", "settings": "Réglages", "invite": "Inviter", "deal": "Donne {0}",
  "over": "La donne est finie", "won": "Gagné", "lost": "Perdu", "download": "Enregistrer", "open a record": "Ouvrir une partie",
  "play": "Jouer", "new table": "Nouvelle table", "games": "Jeux", "your tables": "Vos tables", "language": "Langue", "look": "Apparence",
  "light": "clair", "dark": "sombre", "automatic": "automatique", "deck": "Cartes", "four colours": "quatre couleurs", "two colours": "deux couleurs",
  "motion": "Animations", "on": "oui", "off": "non", "pace": "Rythme des robots", "at once": "immédiat", "calm": "calme", "known then": "Ce qu’on savait",
  "true deal": "La vraie donne", "played": "joué", "prefers": "{0} préfère", "value": "valeur", "wins": "gagne", "best in": "meilleure dans",
  "fine": "bien", "error": "erreur", "bad luck": "malchance", "lucky": "chance", "try again": "Réessayer", "show answer": "Montrer la réponse",
  "belief": "Où sont les cartes", "compare": "Mêmes cartes, autres joueurs", "watching": "Vous regardez", "name": "Nom", "pile": "tas",
  "elsewhere": "ailleurs", "close": "Fermer", "seat": "place", "options": "Règles", "start": "Distribuer", "me": "moi", "preparing": "{0} se prépare",
  "preparing why": "La première fois, les règles sont compilées. Cela prend jusqu’à quelques minutes, une seule fois.",
  "connection lost": "Connexion perdue, nouvel essai …", "all cards": "toutes les cartes", "view of": "vue de {0}", "ahead": "Vous avez {0} par donne sur {1}",
  "behind": "Vous avez {0} par donne de retard sur {1}", "same as": "égal", "after deals": "après {0} donnes", "match": "partie", "series": "série", "session": "séance",
  "fairness": "Équité", "ask": "Demander", "votes": "Votes", "ply": "coup {0} sur {1}", "leave to bot": "Laisser au robot", "worth": "vaut", "share": "part",
};
const EN = {
  "rank A": "ace", "rank K": "king", "rank Q": "queen", "rank J": "jack", "rank T": "ten", "rank N": "knight", "rank R": "knight", "rank G": "Gstiess",
  "suit s": "spades", "suit h": "hearts", "suit d": "diamonds", "suit c": "clubs", "suit t": "trumps", "of": "{0} of {1}",
  "may play": "may be played", "may not play": "may not be played now", "your turn": "Your turn", "thinking": "{0} is thinking",
  "to move": "{0} to move", "auction and play": "What was said and played", "lay": "Lay {0} cards", "lay one": "Lay this card", "choose": "Choose {0} cards",
  "deal": "Deal {0}", "over": "The deal is over", "prefers": "{0} prefers", "belief": "Where the cards are", "compare": "The same cards, other players",
  "watching": "You are looking on", "preparing": "{0} is being prepared", "ahead": "You are {0} a deal ahead of {1}", "behind": "You are {0} a deal behind {1}",
  "preparing why": "The first time, a game's rules are compiled. That takes up to a few minutes, and only once.", "after deals": "after {0} deals",
  "connection lost": "Connection lost, trying again …", "all cards": "all cards open", "view of": "as {0} saw it", "ply": "move {0} of {1}",
  "leave to bot": "Give to a bot", "same as": "level", "known then": "What was known", "true deal": "The true deal", "best in": "best in",
  "last trick": "Last trick", "hint": "Hint", "take back": "Take back", "next deal": "Next deal", "same cards": "Same cards again", "review": "Review",
  "lobby": "Lobby", "settings": "Settings", "invite": "Invite", "download": "Download", "open a record": "Open a record", "play": "Play",
  "new table": "New table", "games": "Games", "your tables": "Your tables", "language": "Language", "look": "Look", "deck": "Deck", "motion": "Motion",
  "pace": "Pace of bots", "contract": "Contract", "score": "Score", "won": "Won", "lost": "Lost", "try again": "Try again", "show answer": "Show the answer",
  "close": "Close", "options": "Rules", "start": "Deal", "fairness": "Fairness", "ask": "Ask", "votes": "Votes", "name": "Name",
};
const ALL = { en: EN, de: DE, fr: FR };

export function t(key, fallback, ...given) {
  const text = ALL[lang()][key] ?? EN[key] ?? fallback ?? key;
  return text.replace(/\{(\d)\}/g, (_, k) => given[Number(k)] ?? "");
}
