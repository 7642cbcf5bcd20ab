"""A trick-taking game as data: what a game declares, and the parts that the kit makes of it.

    GAME = TrickGame("hearts", deck=..., suits="cdsh", seats=4, each=13, contracts=(Contract(points=...),), score=score)

Hooks are kernels of the game's own; what it does not declare is done as in most games. `duty` is explained in `play`.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from kibitz.core.errors import BadRecord
from kibitz.core.game import Option, State
from kibitz.core.jit import specialise
from kibitz.core.policy import Rule
from kibitz.games.decks import Deck
from kibitz.games.tricks import declared, exchange, play, player, senses, stock, worlds
from kibitz.games.tricks import layout as at
from kibitz.games.tricks.tables import Contract, Tables, tables
from kibitz.games.tricks.words import Words

Hook = Callable[..., Any]
_TEMPLATES = {module.__name__ for module in (exchange, play, player, senses, stock)}
Names = types.SimpleNamespace


@dataclass(frozen=True, eq=False)
class TrickGame:
    """The declaration of one game. Kernels take the state `s` first; slots are named in `layout`."""

    name: str  # its rule-based player is NAME-rule
    deck: Deck  # cards named rank first, suit last: `Deck(suited("cdhs", "789TJQKA"))`
    suits: str  # the letters of the suits, in the order of the deck
    seats: int  # from 2 to 6
    each: int  # cards dealt to every seat; what is left lies aside face down
    # what can be played; slot CONTRACT says which, 0 unless `opening` or a call sets another
    contracts: Sequence[Contract]
    score: Hook  # score(s, out): what every seat receives at the end
    unnamed: int = 0  # the contract in whose order cards are shown before one is named
    options: Sequence[Option] = ()
    slots: int = 0  # slots of the game's own, behind its options
    # actions besides the cards: the first `first_card` of them are numbered before the cards, the others after
    call_words: tuple[str, ...] = ()
    first_card: int = 0
    longest_calls: int = 0  # the most moves that are made before the play
    fewest: bool = False  # whether players want few points (or tricks) rather than many
    by_tricks: bool = False  # whether tricks count, not the points in them
    last_trick: int = 0  # what the last trick adds to its points
    every_trick: int = 0  # what the last one adds instead if a side takes all tricks
    past: bool = False  # whether the duty looks at what was played before the trick (PLAYED, DONE)
    sits_out: bool = False  # whether a seat may sit out a deal (slot OUT)
    own_senses: int = 0  # how many numbers `observe_own` adds to the observation

    # duty(s, led, best, is_ours, k): which cards must be played, rung k of a ladder; `play.follow_or_trump` is another
    duty: Hook = play.follow
    rungs: int = 1  # how many rungs the duty has
    # side(s, seat): seats of one side have the same number; `play.partners`, `play.declarer_against_all` are others
    side: Hook = play.everybody_alone
    # beats(s, card): whether a card takes the trick over from BEST, where the contract's order does not say so
    beats: Hook = play.table_beats
    # opening(s, start): after the deal; sets who is to move, PHASE where calls come first, CONTRACT where it is known
    opening: Hook = play.leader_of_all
    # shuffle(s, r, pack): put the cards in the order of the deal, seat by seat; returns the number for `opening`
    shuffle: Hook = play.shuffle_all
    place: Hook = stock.deal_first  # place(s, pack): hand the shuffled cards out
    turns_up: bool = False  # whether a card that nobody was dealt is turned up after the first cards (slot TURNED)
    # cards dealt to everybody before the calls, if not all of them: then a call sets PHASE to DEALING for the rest
    first_each: int = 0
    passes: int = 0  # cards that are passed on after `exchange.start_passing`
    lays: int = 0  # cards that are laid away after `exchange.start_laying`
    after_passing: Hook = play.nothing  # after_passing(s): sets PHASE and TURN
    after_laying: Hook = play.nothing  # after_laying(s): sets PHASE and TURN
    # after_card(s, seat, card): a card was played; PHASE other than PLAYING keeps the trick from going on
    after_card: Hook = play.nothing_after_card
    # after_trick(s, winner): POINTS and TRICKS are counted, the trick still lies there; PHASE = ENDED ends the play
    after_trick: Hook = play.nothing_after_trick
    next_leader: Hook = play.winner_leads  # next_leader(s, winner): who leads to the next trick
    settle: Hook = play.nothing  # settle(s): the last trick was taken
    calls: Hook = play.no_calls  # calls(s) -> bits: the legal calls, bit 0 standing for action `call_block(s)`
    call: Hook = play.no_call  # call(s, action): make a call; sets PHASE to PLAYING when the play begins
    # call_block(s): the action that bit 0 of `calls` stands for, if there are more calls than bits
    call_block: Hook | None = None
    hand_size: Hook = stock.hand_size  # hand_size(s, seat): how many cards a seat holds, as everybody knows
    # known(s, seat, other): the cards of another hand that a seat knows, as a mask that may hold others too
    known: Hook = exchange.known_cards
    known_aside: Hook = exchange.known_aside  # known_aside(s, seat): the same of the cards that lie aside
    sees: Hook = exchange.sees_move  # sees(s, seat, k): whether the seat has seen move k of the log
    blank: Hook = exchange.blank_choices  # blank(s, seat, out): hide slots of the game's own in a view
    # lacking(s, seat, other): the cards that another seat cannot hold, as far as a seat knows
    lacking: Hook = senses.shown_lacks
    # sort(s, seat, hidden, barred, pools, least, most): the hidden cards with their limits, for `worlds.ways`
    sort: Hook = senses.sort_by_places
    # recall(s, seat): what a seat has known that the table and its own cards do not tell any more
    recall: Hook = exchange.recalled
    # redraw(s, seat, r): draw what else is hidden in a world just dealt; false if no such game can have been played
    redraw: Hook = exchange.redraw_choices
    redraws: Hook = senses.always  # redraws(s, seat): whether `redraw` has anything to draw in the worlds of a view
    # possible(s, seat, filled, home): whether joined places can be so (`worlds.draw_worlds`)
    possible: Hook | None = None
    # observe_own(s, seat, out): what networks see besides, from what the seat knows
    observe_own: Hook = senses.observe_nothing
    won: Hook | None = None  # won(s, seat): whether a seat has won, if that is not to have returns above 0
    tallies: int = 0  # how many numbers `tally` counts over many games; `report` of the game's words tells them
    tally: Hook | None = None  # tally(s, counts): count a game that is over
    caller: Hook = player.first_call  # caller(view, mask, r, knobs): the call of the rule-based player
    card_worth: Hook = player.worth_of  # card_worth(view, seat, card, hidden, thrift): what it thinks of a card
    # what can be set in it; the first is thrift
    knobs: Mapping[str, float] = field(default_factory=lambda: player.KNOBS)
    plays: str = player.ABOUT  # a line about it

    words: type[Words] = Words  # the text, where a game says or refuses more than others
    headline: Callable[[State], str] = lambda s: ""  # what stands above the table
    result_text: Callable[[State], str] = lambda s: ""  # what is said at the end beside the points
    rest: str = "the rest"  # what the last pile of a deal is called
    unit: float = 1.0  # what a point of the tables is worth to people
    # what each number given to `opening` is called in a deal's text, if it is not the dealer alone
    starts: tuple[str, ...] = ()
    start: Callable[[State], int] | None = None  # which of them a state began with

    def __post_init__(self) -> None:
        """A slip in a declaration is named at once."""
        declared.check(self, _TEMPLATES)

    @property
    def stock(self) -> int:
        """How many cards are dealt when the calls are over."""
        return len(self.deck.names) - self.seats * self.first_each - self.turns_up if self.first_each else 0

    @property
    def piles(self) -> tuple[int, ...]:
        """How many cards are in each pile of a deal's text."""
        rest = len(self.deck.names) - self.seats * (self.first_each or self.each) - self.turns_up
        hands = (self.first_each or self.each,) * self.seats
        return hands + (1,) * self.turns_up + (rest,) * (rest > 0)

    @cached_property
    def tables(self) -> Tables:
        """The tables of its contracts."""
        return tables(self.deck, self.suits, self.contracts)

    def start_text(self, s: State) -> str:
        """What stands behind the cards of a deal: what the number given to `opening` was."""
        number = self.start(s) if self.start else int(s[at.DEALER])
        return self.starts[number] if self.starts else f"seat {number} deals"

    def read_start(self, text: str, s: State) -> None:
        """Open a deal with what stands behind its cards."""
        known = list(self.starts) or [f"seat {seat} deals" for seat in range(self.seats)]
        if text not in known:
            raise BadRecord(f"a deal ends with one of {', '.join(f'; {start}' for start in known)}, not with {text!r}")
        s[at.DEALER] = known.index(text)
        self.rules.opening(s, known.index(text))

    def history(self, s: State) -> list[int]:
        """The moves of a state, from its log."""
        log = self.bound["LOG"]
        return [int(action) for action in s[log : log + int(s[at.MOVES])]]

    @cached_property
    def parts(self) -> Mapping[str, Any]:
        """Rules, senses, words and bots: what the contract asks of a game's package."""
        bots = Names(BOTS={f"{self.name}-rule": Rule(self.chooser, self.plays, dict(self.knobs))})
        words = self.words(self, self.rules, self.senses)
        return {"rules": self.rules, "senses": self.senses, "words": words, "bots": bots}

    def joined(self, modules: Mapping[str, Any]) -> Mapping[str, Any]:
        """The parts, with what modules of the game's own have instead or besides; bots of its own stand alone."""
        found: dict[str, Any] = {"words": self.words(self, self.rules, self.senses)}
        found["bots"] = modules["bots"] if "bots" in modules else self.parts["bots"]
        for part in ("rules", "senses"):
            found[part] = Names(**vars(getattr(self, part)) | _public(modules.get(part)))
        found["rules"].GAME = self
        return found

    @cached_property
    def bound(self) -> dict[str, Any]:
        """Constants and tables under the names that templates use."""
        cards, first_slot = len(self.deck.names), at.OWN + len(self.options)
        longest = self.longest_calls + self.passes * self.seats + self.lays + self.seats * self.each
        stock_at = first_slot + self.slots
        first_at = stock_at + self.stock
        log = first_at + (self.seats if self.stock else 0)
        made = self.tables
        return {
            "SEATS": self.seats, "EACH": self.each, "CARDS": cards, "FIRST_CARD": self.first_card,
            "CALLS": len(self.call_words), "PACK": (1 << cards) - 1, "FIRST_SLOT": first_slot, "STOCK": stock_at,
            "FIRST": first_at, "STOCK_CARDS": self.stock, "TURNS_UP": self.turns_up,
            "FIRST_EACH": self.first_each or self.each, "LOG": log, "SIZE": log + longest, "SITS_OUT": self.sits_out,
            "RUNGS": self.rungs, "HIDES_MOVES": self.passes + self.lays > 0 or self.sees is not exchange.sees_move,
            "EXCHANGES": self.passes + self.lays > 0, "PASSES": self.passes, "LAYS": self.lays, **self._hides(),
            "CLASSES": made.masks.shape[1], "CONTRACTS": len(self.contracts),
            "ALL_POINTS": float(max(1, abs(made.worth).sum(axis=1).max())), "FEWEST": self.fewest,
            "BY_TRICKS": self.by_tricks, "PAST": self.past, "CLASS": made.classes, "MASKS": made.masks,
            "BEATEN_BY": made.beaten_by, "WORTH": made.worth,
            "STRENGTH": made.strength, "ABOVE": made.above, "TRUMPS": made.trumps,
        }  # fmt: skip

    def _hides(self) -> dict[str, bool]:
        """What the kit need not ask in a game in which nothing but hands is hidden."""
        changes = self.passes + self.lays + self.stock + self.turns_up > 0
        is_own = {name: getattr(self, name) is not getattr(exchange, usual) for name, usual in
                  (("known", "known_cards"), ("known_aside", "known_aside"), ("blank", "blank_choices"),
                   ("redraw", "redraw_choices"))}  # fmt: skip
        return {
            "KNOWS": changes or is_own["known"] or is_own["known_aside"],
            "BLANKS": changes or is_own["blank"],
            "REDRAWS": changes or is_own["redraw"],
            "CHECKS": self.possible is not None,
        }

    @property
    def _draw(self) -> Hook:
        checks = self.possible is not None
        return specialise(worlds.draw_worlds, self.name, CHECKS=checks, possible=self.possible)

    def bind(self, template: Hook, *, inline: bool = False, is_loop: bool = False, **kernels: Any) -> Hook:
        """A template of the kit, bound to this game; a hook of the game's own is a kernel already and stays so."""
        if template.__module__ not in _TEMPLATES:
            return specialise(template, self.name, inline=True) if inline else template
        return specialise(template, self.name, inline=inline, is_loop=is_loop, **self.bound, **kernels)

    @cached_property
    def rules(self) -> Names:
        """The kernels that move the game on."""
        bind = self.bind
        hooks: dict[str, Any] = {"duty": bind(self.duty, inline=True)} | {name: bind(getattr(self, name)) for name in (
            "side", "beats", "opening", "shuffle", "place", "after_card", "after_trick", "next_leader", "after_passing",
            "after_laying", "settle", "calls", "call",
        )}  # fmt: skip
        block_of = self.call_block or play.first_call_action
        hooks["call_block"] = bind(block_of)
        clear = bind(play.clear_table)
        following = bind(play.seat_after)
        cards_of, absent = (bind(t, inline=True, **hooks) for t in (play.legal_cards, play.shown_absent))
        take = bind(play.take_trick, **hooks)
        one = bind(play.play_card, **hooks, absent=absent, take=take, next_seat=following)
        choices, choose = bind(exchange.choices), bind(exchange.choose_card, **hooks)
        moves = bind(play.legal_moves, **hooks, cards_of=cards_of, choices=choices)
        block = bind(play.first_move, **hooks)
        cards = len(self.deck.names)
        found = Names(
            PLAYERS=self.seats, ACTIONS=cards + len(self.call_words), SIZE=self.bound["SIZE"],
            LONGEST=self.bound["SIZE"] - self.bound["LOG"], CARD=self.first_card,
            FIRST_OPTION=at.OWN, LOG=self.bound["LOG"], deal=bind(play.deal, **hooks, clear=clear),
            turn=bind(play.turn), legal=bind(play.legal, moves=moves, block=block), moves=moves, block=block,
            step=bind(play.step, **hooks, play=one, exchange=choose, deal_rest=bind(stock.deal_stock)),
            returns=bind(self.score), clear=clear, next_seat=following, legal_cards=cards_of, play=one,
            history=self.history, **hooks,
        )  # fmt: skip
        if self.won is not None:
            found.won = bind(self.won)
        if self.tally is not None:
            found.TALLIES, found.tally = self.tallies, bind(self.tally)
        if found.ACTIONS - cards > 63 and self.call_block is None:
            del found.moves, found.block
        return found

    @cached_property
    def senses(self) -> Names:
        """The kernels that say what a seat knows."""
        slices = senses.pieces(
            self.seats, len(self.deck.names), self.tables.masks.shape[1], len(self.contracts), self.own_senses
        )
        starts = np.array([piece.start for piece in slices.values()])
        passed = self.bind(exchange.has_passed)
        sees = self.bind(self.sees, is_passed=passed)
        hooks: dict[str, Any] = {"sees": sees} | {
            name: self.bind(getattr(self, name), is_passed=passed, sees=sees) for name in (
            "hand_size", "known", "known_aside", "blank", "lacking", "sort", "recall", "redraw", "redraws",
            "observe_own",
        )}  # fmt: skip
        hooks |= {name: self.bind(getattr(stock, name)) for name in ("blank_stock", "first_cards", "redraw_stock")}
        hidden_from = self.bind(senses.unseen, **hooks)
        places = self.bind(senses.places, **hooks, hidden_from=hidden_from)
        opened = self.bind(senses.worlds_of, **hooks, hidden_places=places)
        played = self.bind(senses.cards_played)
        draw = self.bind(senses.draw_hidden, is_loop=True, **hooks, draw_worlds=self._draw)
        return Names(
            SENSES=slices["own"].stop, SLICES=slices, view=self.bind(senses.view, **hooks),
            observe=self.bind(
                senses.observe, **hooks, AT=starts, hidden_from=hidden_from, cards_played=played
            ),
            infoset=self.bind(senses.infoset, **hooks),
            redeal=self.bind(senses.redeal, open_worlds=opened, draw_into=draw),
            redeal_rows=self.bind(senses.redeal_rows, open_worlds=opened, draw_into=draw),
            places=places, unseen=hidden_from, **hooks,
        )  # fmt: skip

    @cached_property
    def chooser(self) -> Hook:
        """The rule-based player."""
        rules, seen = self.rules, self.senses
        chance = self.bind(player.beat_chance, hand_size=seen.hand_size)
        win = self.bind(
            player.trick_chance, beats=rules.beats, side=rules.side, can_beat=chance, next_seat=rules.next_seat
        )
        worth = self.bind(self.card_worth, wins_trick=win)
        return self.bind(
            player.choose,
            cards_of=rules.legal_cards,
            unseen=seen.unseen,
            card_worth=worth,
            caller=self.bind(self.caller),
            given_away=self.bind(player.give_away),
        )


def _public(module: Any) -> dict[str, Any]:
    return {name: value for name, value in vars(module).items() if not name.startswith("_")} if module else {}
