"""A person at the terminal: the table is shown, moves and commands are read, bots answer,
and the deal goes on to its end."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from textwrap import fill
from typing import TextIO

from kibitz.bots import make_bot, rules
from kibitz.bots.person import LeftTheTable
from kibitz.core.errors import BadInput, IllegalMove, KibitzError
from kibitz.core.opinion import Opinion, opinion_at
from kibitz.core.policy import Bot
from kibitz.core.position import Position
from kibitz.core.scene import open_scene, scene, score_lines
from kibitz.core.view import View
from kibitz.terminal.choices import MOST_SHOWN, Choices, NotUnderstood
from kibitz.terminal.deal import Deal
from kibitz.terminal.paint import CLEAR, Paint, columns, flowing, unprinted
from kibitz.terminal.rulebook import rules_text
from kibitz.terminal.screen import Screen
from kibitz.terminal.tongue import Tongue

QUIT = "quit"
HINT_DRAWS = 20
"""How often a bot of rules is asked for a hint, with other luck each time."""
SAID = 16
"""Calls that are shown above the table."""
MOST_NEWS = 12
"""Moves of others that are told below a table that is drawn again: more, as in a long auction, would push it out."""
SECOND_PERSON = {
    "it does not hold": "you do not hold", "it holds": "you hold", "it has": "you have", "it may": "you may",
    "it must": "you must", "it is to": "you are to", "it can only": "it can only", "its hand": "your hand",
    "it is asked": "you are asked",
}  # fmt: skip
"""What the reasons of games call the seat that is to move, and what a person is called."""


class Table:
    """The seats of one deal after the other, some of them people's."""

    def __init__(
        self, bots: Sequence[Bot], people: Sequence[int], tongue: Tongue, paint: Paint, hinter: str,
        out: TextIO | None = None, source: Callable[[], str] | None = None,
    ) -> None:  # fmt: skip
        self.bots, self.people, self.tongue, self.paint, self.hinter = list(bots), list(people), tongue, paint, hinter
        self.screen = Screen(tongue, paint)
        self.out = out or sys.stderr
        self.source = source or sys.stdin.readline
        self.can_edit = source is None and sys.stdin.isatty() and sys.stdout.isatty()
        self.welcome = ""
        """What is said below the first table, since that wipes out what was said before."""
        self.heading, self.score = "", ""
        """What stands above the table, and what `score` says of the games before this one."""
        self.is_written = False
        """Whether deals are written down in the game's own count, as in a match: then returns would be a second one."""
        self.deal = Deal.__new__(Deal)
        self.shown = 0
        """Moves that the person was told of before the last decision."""

    def tell(self, text: str = "", end: str = "\n") -> None:
        """Print for the person."""
        print(text, end=end, file=self.out, flush=True)

    def typed(self, prompt: str) -> str:
        """The line that the person types, empty when there are no more; at a terminal it can be edited."""
        if not self.can_edit:
            self.tell(prompt, end="")
            return self.source()
        with suppress(ImportError):  # not on every system
            import readline  # noqa: F401 (its presence lets `input` edit)

        try:
            return input(unprinted(prompt)) + "\n"
        except EOFError:
            return ""

    def play(self, position: Position) -> None:
        """Play a deal to its end; raises LeftTheTable when the person leaves."""
        self.deal, self.shown = Deal(position), 0
        while not position.is_over:
            seat = position.turn
            if seat in self.people:
                self._ask(seat)
            else:
                self.deal.push(self.bots[seat].act(position.view(seat)))
                if len(self.people) == 1:
                    self._news(len(self.deal.movers) - 1, self.people[0])
        self._end()

    # -- what is shown

    def _news(self, k: int, seat: int) -> None:
        """What a seat hears of one move, and who took the trick if it ended one."""
        mover = self.deal.movers[k]
        heard = self.deal.heard(k, seat)
        is_more = "," in heard and self.deal.is_card(k)  # a card with what is announced with it
        if heard and (mover != seat or is_more):
            self.tell(self.screen.seat(mover) + self.tongue.say(": ") + self.screen.heard(heard))
        if self.deal.taken(k) is not None:
            self.tell(self.paint.faint(f"-- {self._trick_won(k, seat)} --"))

    def _trick_won(self, k: int, seat: int) -> str:
        """Who won the trick that a move completed, and with what."""
        taken, say = self.deal.taken(k), self.tongue.say
        if taken is None:
            return ""
        card = self.paint.card(taken.card)
        worth = ", " + say("{} points", f"{taken.points:g}") if taken.points is not None else ""
        if taken.seat == seat:
            return say("you win the trick with {}", card) + worth
        return say("{} wins the trick with {}", self.tongue.seats[taken.seat], card) + worth

    def show(self, seat: int) -> None:
        """The table as a seat sees it; in place of the last one where the terminal can, with what happened since."""
        view = self.deal.position.view(seat)
        calls = [k for k in range(len(self.deal.movers)) if not self.deal.is_card(k)]
        said = (
            []
            if self._has_no_calls()
            else [(self.deal.movers[k], self.screen.heard(self.deal.heard(k, seat))) for k in calls[-SAID:]]
        )
        self.tell(CLEAR if self.paint.is_redrawn else "", end="" if self.paint.is_redrawn else "\n")
        self.tell(self.screen.table(scene(view), self.heading, [(k, text) for k, text in said if k >= 0 and text]))
        if self.paint.is_redrawn or len(self.people) > 1:
            self.tell()
            first = max(self.shown, len(self.deal.movers) - MOST_NEWS)
            if first > self.shown:
                self.tell(self.paint.faint("..."))
            for k in range(first, len(self.deal.movers)):
                self._news(k, seat)
        if self.welcome:
            self.tell(self.paint.faint(self.welcome))
            self.welcome = ""

    def _has_no_calls(self) -> bool:
        """Games that are nothing but calls (poker, bluffing) show the last of them as news, not above the table."""
        return not hasattr(self.deal.position.game.words, "trick")

    def _end(self) -> None:
        position, say = self.deal.position, self.tongue.say
        self.tell(CLEAR if self.paint.is_redrawn else "", end="" if self.paint.is_redrawn else "\n")
        self.tell(self.screen.table(open_scene(position), self.heading))
        for line in score_lines(position):
            if line.strip() in ("over", "over:"):  # a game that says no more than that
                continue
            self.tell(self.screen.heard(line))
        returns = "   ".join(f"{self.tongue.seats[k]} {x:+g}" for k, x in enumerate(position.returns()))
        if not self.is_written:
            self.tell(say("returns") + say(": ") + returns)
        for seat in self.people:
            self.tell(self.paint.bold(say("you have won") if position.won(seat) else say("you have not won")))

    # -- what is typed

    def _ask(self, seat: int) -> None:
        view = self.deal.position.view(seat)
        self.show(seat)
        self.shown = len(self.deal.movers)
        choices, made = Choices(view, self.tongue, self.paint), len(self.deal.movers)
        while True:
            who = "" if len(self.people) == 1 else f"{self.tongue.seats[seat]}, "
            line = self.typed(f"{who}{self.tongue.say('your move')} ({choices.shown()}){self.tongue.say(': ')}")
            if not line:
                raise BadInput("the input ended before the game did")
            try:
                if self._command(line.strip(), view, choices):
                    if len(self.deal.movers) < made:
                        return
                    continue
                for action in choices.read(line):
                    first = len(self.deal.movers)
                    self.deal.push(action)
                    self._news(first, seat)
                return
            except LeftTheTable:
                raise
            except NotUnderstood as problem:
                self.tell(str(problem))
            except IllegalMove as problem:
                self.tell(self._why(str(problem), seat))
            except KibitzError as problem:
                self.tell(self.tongue.hear(str(problem)))

    def _why(self, text: str, seat: int) -> str:
        """Why a move is not possible, said to the one who wanted it."""
        text = text.replace(f" is illegal for seat {seat}:", " is illegal:")
        if self.tongue.lang == "en":
            for house, person in SECOND_PERSON.items():
                text = text.replace(house, person)
        return self.screen.heard(text)

    def _command(self, line: str, view: View, choices: Choices) -> bool:
        """Do what a command asks; False if the line is none."""
        name, _, rest = line.partition(" ")
        commands: Mapping[str, Callable[[], None]] = {
            "?": lambda: self._explain(choices), "help": lambda: self._explain(choices),
            "moves": lambda: self.tell(flowing(choices.explained(), columns())),
            "hint": lambda: self._hint(rest.strip(), view), "undo": lambda: self._undo(view.seat),
            "last": lambda: self._last(view.seat), "score": lambda: self._score(view),
            "rules": lambda: self.tell(rules_text(view.game, rest.strip(), columns())),
            "table": lambda: self.show(view.seat),
            QUIT: self._leave,
        }  # fmt: skip
        local = {self.tongue.say(word): word for word in commands}
        command = local.get(name.lower(), name.lower())
        if command not in commands or (rest and command not in ("hint", "rules")):
            return False
        commands[command]()
        return True

    def _leave(self) -> None:
        raise LeftTheTable("left the table")

    def _explain(self, choices: Choices) -> None:
        say = self.tongue.say
        listed = choices.explained() if len(choices.words) <= MOST_SHOWN else [choices.shown()]
        self.tell(flowing(say("moves you can type: {}", "\n".join(listed)).split("\n"), columns()))
        if choices.has_suits:
            spelled = say("cards are understood in many ways: as, AS, a s, ♠A; a call by its first letters")
            self.tell(fill(spelled, columns()))
        for word, about in (
            ("hint", say("[bot] what a bot would play, and how it weighs the moves")),
            ("undo", say("take your last move back")), ("last", say("the last trick")),
            ("score", say("points so far, and the games before")),
            ("rules", say("[number or word] the rules of the game")), ("moves", say("all moves")),
            ("table", say("show the table again")), (QUIT, say("leave the table")),
        ):  # fmt: skip
            self.tell(f"  {self.tongue.say(word):<9} {about}")

    def _undo(self, seat: int) -> None:
        if len(self.people) > 1:
            raise BadInput("moves are not taken back while other people play")
        self.deal.take_back(seat)
        self.tell(self.tongue.say("taken back"))
        self.shown = len(self.deal.movers)

    def _last(self, seat: int) -> None:
        words = self.deal.position.game.words
        laid = words.last_trick(self.deal.position.view(seat).state) if hasattr(words, "last_trick") else {}
        if laid:
            k = next(k for k in reversed(range(len(self.deal.movers))) if self.deal.taken(k))
            self.tell(self.screen.trick(list(laid.items()), -1))
            self.tell(self._trick_won(k, seat))
        else:
            said = [k for k, mover in enumerate(self.deal.movers) if mover != seat][-self.deal.position.game.PLAYERS :]
            self.tell(self.tongue.say("there is no trick yet") if not said else "", end="" if said else "\n")
            for k in said:
                self._news(k, seat)

    def _score(self, view: View) -> None:
        points = self.screen.points(scene(view))
        self.tell(
            "\n".join([*points, *([self.score] if self.score else [])])
            or self.tongue.say("nothing is written down yet")
        )

    def _hint(self, spec: str, view: View) -> None:
        """What a bot would do, and how it weighs the moves."""
        bot = make_bot(
            self.tongue.game, spec or self.hinter
        )  # as those at the table: a deal of a match has options of its own
        if bot.name == "person":
            raise BadInput("a hint is asked of a bot: hint, or hint with a bot's name")
        found = opinion_at(bot, view, HINT_DRAWS if bot.name.split(":")[0] in rules(view.game) else None)
        choices, say = Choices(view, self.tongue, self.paint), self.tongue.say
        spoken = {view.game.words.ACTION_WORDS[action]: choices.spoken(action) for action in view.legal()}
        laid = self._laid(bot, found.choice, len(choices.sets[0])) if choices.sets else spoken[found.choice]
        self.tell(say("{} plays {}", bot.name, self.paint.bold(laid)) + self._reason(found, spoken))
        for word in [] if choices.sets else found.order()[:5]:
            if found.probabilities[word] > 0 or word in found.values:
                worth = "  " + say("worth {}", f"{found.values[word]:+.2f}") if word in found.values else ""
                self.tell(f"  {spoken[word]}  {100 * found.probabilities[word]:.0f} %{worth}")
        if found.values:
            self.tell(say("worth is counted in {}", say(found.unit)))

    def _laid(self, bot: Bot, first: str, count: int) -> str:
        """The cards that a bot would lay together, the first of which is known."""
        copy = Position.at(self.deal.position.game, self.deal.position.state, self.deal.position.seed)
        cards = [first]
        while len(cards) < count:
            copy.push(cards[-1])
            cards.append(copy.word(bot.act(copy.view())))
        return " ".join(map(self.paint.card, cards))

    def _reason(self, found: Opinion, spoken: Mapping[str, str]) -> str:
        """Why a bot would do it: what the moves are worth to it, or the rules that it plays by."""
        say = self.tongue.say
        why = [say(one, *(spoken.get(word, word) for word in given)) for one, given in found.reason()]
        if why:
            return say(": ") + say("; ").join(why)
        known = rules(self.tongue.game)
        name = found.bot.split(":")[0]
        if name not in known:
            return ""
        return say(": ") + self.tongue.hear(known[name].about.partition(";")[0])
