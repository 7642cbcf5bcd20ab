"""What may be typed at a decision: all moves if they are few, a pattern if they are many,
and which move a text means."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

from kibitz.core.errors import IllegalMove
from kibitz.core.position import read_move
from kibitz.core.scene import move_cards, move_text, moves
from kibitz.core.view import View
from kibitz.terminal.paint import Paint
from kibitz.terminal.spelling import CARD, SUITLESS, cards_meant, house_ranks, plain, spellings, suit_names
from kibitz.terminal.tongue import Tongue

MOST_SHOWN = 15
LONGEST_ECHO = 40
"""Letters of what was typed that are said again."""
STEM = re.compile(r"(.*\d|.+-)([a-z])")
"""A call of a height and a suit: 80h, capot-h."""


class NotUnderstood(IllegalMove):
    """What was typed is no move; the message is in the language of the table."""


def listed_moves(moves: Sequence[str]) -> str:
    """Moves one after the other, told apart where one has several words."""
    return (", " if any(" " in move for move in moves) else " ").join(moves)


class Choices:
    """The moves of a seat at one decision."""

    def __init__(self, view: View, tongue: Tongue, paint: Paint) -> None:
        self.view, self.tongue, self.paint = view, tongue, paint
        game = view.game
        self.hand = game.words.hand(view.state, view.seat) if hasattr(game.words, "hand") else []
        self.has_suits = any(map(CARD.fullmatch, tongue.known))
        """Whether cards are typed with a rank and a suit."""
        places = {card: place for place, card in enumerate(self.hand)}
        words = {action: game.words.ACTION_WORDS[action] for action in view.legal()}
        self.words = dict(sorted(words.items(), key=lambda pair: places.get(pair[1].split("|")[-1], -1)))
        """The legal actions with their words, cards in the order of the hand."""
        self.texts = {action: move_text(game, view.state, action) for action in self.words}
        self.cards = {action: move_cards(game, action, self.hand) for action in self.words}

    # -- what is shown

    def shown(self) -> str:
        """The moves, or how they are made up if there are many."""
        if self.sets:
            first, every = self.sets[0], [card for card in self.hand if any(card in cards for cards in self.sets)]
            example, listed = (" ".join(map(self.paint.card, cards)) for cards in (first, every))
            return self.tongue.say("{} cards together, like {}: {}", len(first), example, listed)
        if len(self.words) > MOST_SHOWN:
            return self.pattern()
        return listed_moves([self.spoken(action) for action in self.words])

    @cached_property
    def sets(self) -> list[list[str]]:
        """The cards that may be laid together; none where moves are made one by one."""
        if not all(self.cards.values()) or len(self.words) < 2:
            return []
        return [choice["cards"] for choice in moves(self.view) if len(choice["actions"]) > 1]

    def spoken(self, action: int) -> str:
        """A move as it may be typed."""
        word = self.words[action].split("|")
        own = word[-1] if self.cards[action] else word[0]
        if CARD.fullmatch(own) or self.cards[action]:
            return self._ranks(own) if not CARD.fullmatch(own) else self.paint.card(own)
        return self.paint.sentence(self._call(action, own), self.tongue.known)

    def _call(self, action: int, word: str) -> str:
        """A call in the language of the table; where a word of the house is an abbreviation, as people say it."""
        text = self.texts[action]
        if self.tongue.lang == "en":
            return word
        return self.tongue.hear(text if word.isupper() else word)

    def _ranks(self, word: str) -> str:
        return "".join(map(self.paint.card, word)) if all(map(SUITLESS.fullmatch, word)) else word

    def explained(self) -> list[str]:
        """Every move, with what it means where its word does not say it, or the cards that are laid together."""
        if self.sets:
            return [self.shown()]
        found = []
        for action in self.words:
            spoken, text = (
                self.spoken(action),
                self.paint.sentence(self.tongue.hear(self.texts[action]), self.tongue.known),
            )
            is_told = self.cards[action] or plain(text) == plain(spoken) or text == self.words[action]
            found.append(spoken if is_told else f"{spoken} = {text}")
        return found

    def pattern(self) -> str:
        """How the moves are made up: calls by height and suit, discards by how many cards."""
        say = self.tongue.say
        laid = [cards for cards in self.cards.values() if len(cards) > 0]
        calls = [action for action, cards in self.cards.items() if not cards]
        parts = []
        sizes = sorted({len(cards) for cards in laid})
        if len(laid) > MOST_SHOWN and sizes[-1] > 1:
            example = self._ranks("".join(next(cards for cards in laid if len(cards) == sizes[-1])))
            parts.append(say("{} to {} of your cards together, like {}", sizes[0], sizes[-1], example))
        else:
            parts += [self.spoken(action) for action, cards in self.cards.items() if cards]
        found = [*self._call_pattern(calls), *parts]
        return (say("; ") if any(", " in one for one in found) else " ").join(found)

    def _call_pattern(self, calls: Sequence[int]) -> list[str]:
        """Calls with a suit as `80 ... 160, each with one of s h d c`; all others one by one."""
        found = {action: STEM.fullmatch(self.words[action].split("|")[0]) for action in calls}
        stems = list(dict.fromkeys(match[1] for match in found.values() if match))
        suits = list(dict.fromkeys(match[2] for match in found.values() if match))
        simple = [self.spoken(action) for action, match in found.items() if match is None]
        numbers = [word for word in simple if word.isdigit()]
        if len(numbers) > 5:
            simple = [word for word in simple if not word.isdigit()] + [f"{numbers[0]} {numbers[1]} ... {numbers[-1]}"]
        if len(stems) * len(suits) <= 4:
            return self._grouped([*simple, *(self.spoken(action) for action, match in found.items() if match)])
        heights = [stem for stem in stems if stem.isdigit()]
        others = [stem.rstrip("-") for stem in stems if not stem.isdigit()]
        run = f"{heights[0]} ... {heights[-1]}" if len(heights) > 3 else " ".join(heights)
        signs = " ".join(self.paint.tinted(self.paint.suit(suit), suit) for suit in suits)
        return [*simple, self.tongue.say("{} with one of {}", " ".join(filter(None, [run, *others])), signs)]

    def _grouped(self, calls: list[str]) -> list[str]:
        """Many calls of several words by what they begin with: `clubs spades with one of hand, ouvert`."""
        if len(calls) <= MOST_SHOWN:
            return calls
        endings: dict[str, list[str]] = {}
        for call in calls:
            first, _, rest = call.partition(" ")
            endings.setdefault(first, []).append(rest)
        groups: dict[tuple[str, ...], list[str]] = {}
        for first, rests in endings.items():
            groups.setdefault(tuple(rests), []).append(first)
        found = []
        for ends, firsts in groups.items():
            is_single = len(firsts) * len(ends) < 4 or not all(ends)
            whole = [f"{first} {end}".strip() for first in firsts for end in ends]
            found += whole if is_single else [self.tongue.say("{} with one of {}", " ".join(firsts), ", ".join(ends))]
        return found

    # -- what is typed

    def read(self, text: str) -> list[int]:
        """The actions that a text means; several where cards that are laid together are named together."""
        found = self._by_word(text) or self._by_cards(text) or self._by_beginning(text)
        if len(found) == 1:
            return found[0]
        if found:
            meant = listed_moves([self.spoken(actions[0]) for actions in found])
            raise NotUnderstood(self.tongue.say("{} may be {}: which one?", text.strip(), meant))
        self._check_held(text)
        try:
            return [read_move(self.view.game, self.view.state, self.view.mask, self._held(text) or self._house(text))]
        except IllegalMove as problem:
            if "is no move here" not in str(problem):
                raise
            bare = text.strip()
            typed = bare[:LONGEST_ECHO] + "..." * (len(bare) > LONGEST_ECHO) or self.tongue.say("nothing")
            raise NotUnderstood(self.tongue.say("{} is no move here: {}", typed, self.shown())) from None

    def _by_word(self, text: str) -> list[list[int]]:
        """A word of the game, in the house's spelling, in this language, or as the game spells what is typed."""
        wanted, game = plain(text), self.view.game
        for action, word in self.words.items():
            if text.strip() == word:
                return [[action]]
        if self.tongue.lang != "en":
            local = [
                [action]
                for action in self.words
                if not CARD.fullmatch(self.words[action]) and wanted in self._names(action)
            ]
            if local:
                return local
        if len(self._cards_in(text)) != 1:
            spell = getattr(game.words, "spell", str)
            house = spell(self._house(text))
            found = [[action] for action, word in self.words.items() if word == house]
            if found and (self.tongue.lang == "en" or not CARD.fullmatch(house)):
                return found
        return [[action] for action in self.words if not self.cards[action] and wanted in self._names(action)]

    def _names(self, action: int) -> set[str]:
        """What a call may be called."""
        said = {self.words[action], self.texts[action]}
        said |= {self.tongue.hear(word) for word in list(said)} if self.tongue.lang != "en" else set()
        suited = STEM.fullmatch(self.words[action].split("|")[0])
        if suited and not CARD.fullmatch(suited[0]):  # `80` alone, which asks for the suit, `80 spades`, `♠ 80`
            said |= {suited[1]}
            for suit in suit_names(suited[2], self.tongue.lang):
                said |= {suited[1] + suit, suit + suited[1]}
        return {plain(word) for word in said} | {
            plain(self.paint.sentence(w, self.tongue.known)) for w in said if not self.paint.is_coloured
        }

    def _cards_in(self, text: str) -> list[str]:
        """The legal cards that a text may mean."""
        names = [name for word in self.words.values() for name in word.split("|")]
        return cards_meant(text, names, self.tongue.lang)

    def _by_cards(self, text: str) -> list[list[int]]:
        """One card, or several that are laid together in whatever order."""
        single = self._cards_in(text)
        if single:
            return [[action] for action, word in self.words.items() if set(word.split("|")) & set(single)]
        together = self._together(text)
        return [together] if together else []

    def _together(self, text: str) -> list[int]:
        tokens = text.replace(",", " ").split()
        if len(tokens) < 2:
            return []
        named: list[str] = []
        for token in tokens:
            meant = [card for card in cards_meant(token, self.hand, self.tongue.lang) if card not in named]
            if len(meant) != 1:
                self._check_held(token)
                return []
            named.append(meant[0])
        chains: list[dict[str, Any]] = moves(self.view)
        for chain in chains:
            if sorted(chain["cards"]) == sorted(named):
                return list(chain["actions"])
        raise NotUnderstood(self.tongue.say("{} cannot be laid together here", " ".join(map(self.paint.card, named))))

    def _by_beginning(self, text: str) -> list[list[int]]:
        """Calls that begin like this."""
        wanted = plain(text)
        if not wanted or not wanted[0].isalpha():
            return []
        calls = [action for action, cards in self.cards.items() if not cards and not CARD.fullmatch(self.words[action])]
        return [[action] for action in calls if any(name.startswith(wanted) for name in self._names(action))]

    def _held(self, text: str) -> str:
        """The card of the hand that is named in full, for which there is a reason why it may not be played."""
        named = self._named(text, self.hand)
        return named[0] if len(named) == 1 else ""

    def _check_held(self, text: str) -> None:
        """Refuse a card of the game that is not in the hand, where cards are laid."""
        named = self._named(text, sorted(self.tongue.known))
        if any(self.cards.values()) and named and not set(named) & set(self.hand):
            raise NotUnderstood(self.tongue.say("you do not hold {}", " ".join(map(self.paint.card, named))))

    def _named(self, text: str, cards: Iterable[str]) -> list[str]:
        """Those of some cards that a text names in full."""
        return [card for card in cards if CARD.fullmatch(card) and plain(text) in spellings(card, self.tongue.lang)]

    def _house(self, text: str) -> str:
        """Ranks without suits as the house writes them."""
        bare = plain(text).upper()
        is_ranks = (
            bool(bare) and any(self.cards.values()) and all(not CARD.fullmatch(word) for word in self.words.values())
        )
        if self.tongue.lang == "en" or not is_ranks:
            return text
        return (
            house_ranks(bare, self.tongue.lang) if bare.lower() not in {plain(w) for w in self.words.values()} else text
        )
