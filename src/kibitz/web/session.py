"""One table: who sits there, the deal that is played, what was written down.
It knows Position and View, nothing of HTTP.

Players keep their number at the table; where each of them sits may change from deal to deal (core/sheet.py). Everything
that happens is in the journal before it is true here, so a table can be opened again as it was.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from kibitz.core.errors import BadInput, IllegalMove, KibitzError
from kibitz.core.game import Game, State, make
from kibitz.core.position import Position, illegal
from kibitz.core.record import Record, write_record
from kibitz.core.rng import unguessable
from kibitz.core.scene import open_scene, public_scene, scene, score_lines, spoken
from kibitz.core.sheet import Sheet
from kibitz.core.telling import told
from kibitz.core.view import View
from kibitz.web.journal import Event, Journal

PERSON, BOT = "person", "bot"
MOST_NAME = 40
SHOWN_LOG = 400
"""Entries of the log that a page is sent; a game of bluffing can have thousands."""


def new_token() -> str:
    """128 bits that nobody guesses."""
    return secrets.token_hex(16)


def same_token(given: str, wanted: str) -> bool:
    """Whether two tokens are the same, in a time that tells nothing."""
    return hmac.compare_digest(given.encode(), wanted.encode())


def commitment(seed: int, salt: str) -> str:
    """What is shown before a deal so that nobody can change it afterwards: sha256 of `SEED:SALT`."""
    return hashlib.sha256(f"{seed}:{salt}".encode()).hexdigest()


@dataclass
class Player:
    """Somebody at the table: a person with a link of their own, or a bot."""

    kind: str
    name: str
    spec: str
    token: str = field(default_factory=new_token)
    here: int = 0
    """Browsers in which the person is looking at the table now."""
    lang: str = "en"

    def kept(self) -> dict[str, str]:
        """What the journal keeps."""
        return {"kind": self.kind, "name": self.name, "spec": self.spec, "token": self.token}

    @property
    def written(self) -> str:
        """The name in records: people are marked."""
        return f"person:{self.name}" if self.kind == PERSON else self.spec


@dataclass
class Deal:
    """One deal on the table."""

    position: Position
    seats: list[int]
    """Where each player sits."""
    salt: str
    counts: bool
    """Whether it is written down; a deal that is played once more is not."""
    befores: list[State] = field(default_factory=list)
    """The state before each move of a player, and who made it."""
    movers: list[int] = field(default_factory=list)
    choices: list[int] = field(default_factory=list)
    others: list[float] = field(default_factory=list)
    logs: dict[tuple[int, str], list[dict[str, Any]]] = field(default_factory=dict)
    is_written: bool = False

    @property
    def due(self) -> int:
        """The number of the decision that is due."""
        return len(self.choices)

    def player_at(self, seat: int) -> int:
        """Who sits in a seat."""
        return self.seats.index(seat)

    def push(self, action: int) -> None:
        """One move of the seat to move."""
        before, mover = self.position.state.copy(), self.position.turn
        self.position.push(action)
        self.befores.append(before)
        self.movers.append(mover)
        self.choices.append(action)

    def pop_to(self, due: int) -> None:
        """Take moves back."""
        while self.due > due:
            self.position.pop()
            for kept in (self.befores, self.movers, self.choices):
                kept.pop()
        self.logs.clear()

    def log(self, seat: int, lang: str) -> list[dict[str, Any]]:
        """What a seat has heard and seen so far, move by move; tricks are marked where they end, with their winner."""
        entries = self.logs.setdefault((seat, lang), [])
        game = self.position.game
        for k in range(len(entries), self.due):
            before = self.befores[k]
            after = self.befores[k + 1] if k + 1 < self.due else self.position.state
            heard = told(game, before, after, seat, self.movers[k], lang)
            entries.append({"seat": self.movers[k], "text": heard, **_about_tricks(game, before, after)})
        return entries

    def public_log(self, lang: str) -> list[dict[str, Any]]:
        """What everybody but the mover was told, where that is the same for all."""
        players = self.position.game.PLAYERS
        entries = []
        for k, rows in enumerate(zip(*(self.log(seat, lang) for seat in range(players)), strict=True)):
            texts = {row["text"] for seat, row in enumerate(rows) if seat != self.movers[k]}
            entries.append({**rows[0], "text": texts.pop() if len(texts) == 1 else "…"})
        return entries

    def record(self, players: Sequence[Player]) -> Record:
        """The deal as a record, people marked."""
        by_seat = [players[self.player_at(seat)].written for seat in range(self.position.game.PLAYERS)]
        position = self.position
        return write_record(position.game, position.seed, position.number, by_seat, position.actions)


def _about_tricks(game: Game, before: State, after: State) -> dict[str, Any]:
    """Whether a move was a card to a trick, and who took the trick if it ended."""
    tell = getattr(game.words, "trick", None)
    if tell is None:
        return {}
    laid, lies = len(tell(before)), len(tell(after))
    complete = list(game.words.last_trick(after).values())
    if lies == laid + 1:
        return {"card": True}
    if lies <= laid and complete and complete != list(game.words.last_trick(before).values()):
        counts = zip(game.words.tricks(before), game.words.tricks(after), strict=True)
        return {"card": True, "taken_by": next((seat for seat, (old, new) in enumerate(counts) if new > old), None)}
    return {}


class Table:
    """A table with its players, its sheet and its journal."""

    def __init__(self, name: str, game: Game, players: Sequence[Player], journal: Journal, **kept: Any) -> None:
        self.id, self.game, self.players, self.journal = name, game, list(players), journal
        self.watch: str = kept.get("watch") or new_token()
        self.pace: float = float(kept.get("pace", 1.0))
        self.open: bool = bool(kept.get("open", True))
        """Whether spectators see all cards once a deal is over."""
        self.sheet = Sheet(game)
        self.deal: Deal | None = None
        self.deals: list[str] = []
        """The records of all deals that are over, played once more or not."""
        self.notes: list[str] = []
        """What everybody should know: a bot that failed."""
        self.is_thinking = False
        self.compared: dict[str, list[float]] = {}
        """By bot: what the person was ahead of it in deals played again."""
        self.watchers = 0

    def begin(self) -> None:
        """Write down that there is a table."""
        self.journal.write(
            e="table", id=self.id, game=self.game.name, options=dict(self.game.options), watch=self.watch,
            players=[player.kept() for player in self.players], pace=self.pace, open=self.open,
        )  # fmt: skip

    # -- deals

    def next_deal(self, seed: int | None = None, seats: Sequence[int] | None = None) -> Deal:
        """Deal: new cards, or with a seed the same ones again, which are not written down."""
        if self.deal is not None and not self.deal.position.is_over and seed is None:
            raise BadInput("the deal is not over")
        if seed is None:
            self.new_sheet()
        game = self.sheet.next_game() if seed is None or self.deal is None else self.deal.position.game
        placed = list(seats) if seats is not None else self.sheet.seats()
        return self._deal(game, unguessable() if seed is None else seed, secrets.token_hex(16), placed, seed is None)

    def new_sheet(self) -> None:
        """A match that was played to its end is followed by another."""
        if self.sheet.is_over:
            self.sheet.lines.clear()

    def again(self, player: int, seat: int | None = None) -> Deal:
        """The same cards once more, perhaps with the person in another seat."""
        if self.deal is None or not self.deal.position.is_over:
            raise BadInput("the same cards are dealt again once the deal is over")
        seats = list(self.deal.seats)
        if seat is not None:
            if not 0 <= seat < self.game.PLAYERS:
                raise BadInput(f"there is no seat {seat}: there are 0 to {self.game.PLAYERS - 1}")
            other = seats.index(seat)
            seats[player], seats[other] = seats[other], seats[player]
        return self.next_deal(self.deal.position.seed, seats)

    def _deal(self, game: Game, seed: int, salt: str, seats: list[int], counts: bool) -> Deal:
        position = Position(game, seed)
        self.journal.write(e="deal", seed=seed, salt=salt, options=dict(game.options), seats=seats, counts=counts)
        self.deal = Deal(position, seats, salt, counts)
        self.notes.clear()
        return self.deal

    def finish(self) -> Record | None:
        """Once a deal is over: write it down, and give its record; nothing if that was done before."""
        deal = self.deal
        if deal is None or not deal.position.is_over or deal.is_written:
            return None
        line = self.sheet.add(deal.position, deal.seats) if deal.counts else deal.position.returns()
        self.journal.write(e="end", line=list(line), other=[])
        return self.write_down(deal)

    def write_down(self, deal: Deal) -> Record:
        """Keep the record of a finished deal; what else it holds goes with the deal."""
        record = deal.record(self.players)
        self.deals.append(record.line())
        deal.is_written = True
        return record

    # -- moves

    def turn_of(self) -> int | None:
        """The player to move."""
        if self.deal is None or self.deal.position.turn < 0:
            return None
        return self.deal.player_at(self.deal.position.turn)

    def play(self, player: int, due: int, actions: Sequence[int]) -> None:
        """Moves of one player, all of them or none; the number says which decision they answer."""
        deal = self._running()
        if due != deal.due:
            raise BadInput("that decision has been made")
        if self.turn_of() != player:
            raise BadInput("it is not your turn")
        before = deal.due
        try:
            for action in actions:
                if deal.position.turn < 0 or self.turn_of() != player:
                    raise IllegalMove("that is more than one move")
                deal.push(action)
        except KibitzError:
            deal.pop_to(before)
            raise
        for k, action in enumerate(actions):
            self.journal.write(e="move", n=before + k, a=int(action), who=player)

    def take_back(self, player: int) -> None:
        """Take back to the player's last decision; only where nobody else is a person."""
        deal = self._running(over=True)
        if not self.may_take_back(player):
            raise BadInput("a move can be taken back while the deal lasts, if all others are bots")
        seat = deal.seats[player]
        places = [k for k, mover in enumerate(deal.movers) if mover == seat]
        while len(places) > 1 and deal.movers[places[-1] - 1] == seat and places[-2] == places[-1] - 1:
            places.pop()  # cards that were laid together come back together
        deal.pop_to(places[-1])
        self.journal.write(e="back", n=deal.due)

    def may_take_back(self, player: int) -> bool:
        """Whether the player has a move to take back, and nobody to ask."""
        deal = self.deal
        if (
            deal is None
            or deal.position.is_over
            or any(other.kind == PERSON for k, other in enumerate(self.players) if k != player)
        ):
            return False
        return deal.seats[player] in deal.movers

    def why_not(self, player: int, card: str) -> str:
        """Why a card may not be played now, from what its player sees."""
        deal = self._running()
        if self.turn_of() != player:
            return "it is not your turn"
        view = deal.position.view(deal.seats[player])
        words = view.game.words.ACTION_WORDS
        if card not in words:
            return f"{card[:20]} is no card that can be played here"
        action = words.index(card)
        return "" if view.mask[action] else str(illegal(view.game, view.state, view.mask, action))

    def _running(self, over: bool = False) -> Deal:
        if self.deal is None or (self.deal.position.is_over and not over):
            raise BadInput("no deal is being played")
        return self.deal

    # -- people

    def seat_person(self, k: int, name: str) -> None:
        """A person takes a place, or says a name."""
        player = self.players[k]
        player.kind, player.name = PERSON, name[:MOST_NAME]
        self.journal.write(e="player", k=k, player=player.kept())

    def seat_bot(self, k: int, spec: str) -> None:
        """A bot takes a place, with a new token: the old link no longer moves."""
        self.players[k] = Player(BOT, spec, spec)
        self.journal.write(e="player", k=k, player=self.players[k].kept())

    def set(self, pace: float | None = None, is_open: bool | None = None) -> None:
        """Settings of the table."""
        self.pace = self.pace if pace is None else pace
        self.open = self.open if is_open is None else is_open
        self.journal.write(e="set", pace=self.pace, open=self.open)

    def who(self, token: str) -> tuple[str, int | None]:
        """What a token allows: player, watch or nothing, and which player."""
        found: tuple[str, int | None] = ("", None)
        if same_token(token, self.watch):
            found = ("watch", None)
        for k, player in enumerate(self.players):
            if same_token(token, player.token) and player.kind == PERSON:
                found = ("player", k)
        return found

    # -- what is sent

    def view(self, player: int) -> View:
        """What a player knows now."""
        deal = self._running(over=True)
        return deal.position.view(deal.seats[player])

    def message(self, player: int | None, lang: str = "en") -> dict[str, Any]:
        """All that a page needs: from the player's view; for a spectator (None) what everybody knows."""
        deal = self.deal
        about: dict[str, Any] = {
            "type": "table", "id": self.id, "game": self.game.name, "title": self.game.title, "you": player,
            "pace": self.pace, "players": [
                {"name": one.name, "kind": one.kind, "here": one.here > 0, "spec": one.spec if one.kind == BOT else ""}
                for one in self.players
            ],
            "sheet": {
                "name": self.sheet.name, "totals": self.sheet.totals, "lines": self.sheet.lines[-60:],
                "deals": len(self.sheet.lines), "over": self.sheet.is_over,
            },
            "thinking": self.is_thinking, "notes": self.notes[-5:], "watchers": self.watchers, "open": self.open,
            "compared": compared_lines(self.compared),
        }  # fmt: skip
        if deal is None:
            return about
        game = deal.position.game
        tongue = spoken(game, lang)
        is_over = deal.position.is_over
        is_open = is_over and (player is not None or self.open)
        if player is not None and not is_over:
            shown = scene(deal.position.view(deal.seats[player]), tongue)
        elif is_open:
            shown = open_scene(deal.position, tongue) | {"seat": None if player is None else deal.seats[player]}
        else:
            shown = public_scene(game, deal.position.state, tongue)
        log = deal.public_log(tongue) if player is None else deal.log(deal.seats[player], tongue)
        about |= {
            "n": deal.due, "tongue": tongue, "seats": deal.seats, "scene": shown, "log": log[-SHOWN_LOG:],
            "counts": deal.counts,
            "commitment": commitment(deal.position.seed, deal.salt), "deal": len(self.deals) + (not deal.is_written),
            "back": player is not None and self.may_take_back(player),
        }  # fmt: skip
        return about | ({"end": self._end(deal, tongue)} if is_open else {})

    def _end(self, deal: Deal, lang: str) -> dict[str, Any]:
        """What everybody may know once a deal is over."""
        position = deal.position
        start = Position(position.game, position.seed)
        hands = [start.hand(seat) for seat in range(position.game.PLAYERS)]
        return {
            "returns": position.returns(), "won": [position.won(seat) for seat in range(position.game.PLAYERS)],
            "lines": score_lines(position, lang), "hands": hands, "seed": str(position.seed), "salt": deal.salt,
        }  # fmt: skip


def compared_lines(compared: dict[str, list[float]]) -> list[dict[str, Any]]:
    """How far a person is ahead of bots that played the same cards: the mean a deal, with its standard error."""
    rows = []
    for bot, ahead in compared.items():
        n = len(ahead)
        error = float(np.std(ahead, ddof=1) / np.sqrt(n)) if n > 1 else None
        rows.append({"bot": bot, "deals": n, "mean": float(np.mean(ahead)), "error": error, "last": ahead[-1]})
    return rows


def reopened(events: Iterable[Event], journal: Journal, report: Any) -> Table | None:
    """The table that a journal tells of, as it was at its last line that can be played;
    None if it was closed or is none."""
    table: Table | None = None
    is_lost = False
    for event in events:
        kind = event["e"]
        if kind == "table":
            try:
                table = _table_of(event, journal)
            except KibitzError as problem:
                report(f"{journal.path.name}: {problem}")
                return None
        elif table is None:
            continue
        elif kind == "closed":
            return None
        elif kind == "deal":
            is_lost = False
            _replay_deal(table, event)
        elif is_lost and kind in ("move", "back"):
            continue
        else:
            try:
                _replay(table, event)
            except (KibitzError, IndexError) as problem:
                is_lost = True
                report(f"{journal.path.name}: the deal goes on before move {event.get('n', '?')}: {problem}")
    return table


def _table_of(event: Event, journal: Journal) -> Table:
    players = [Player(**player) for player in event["players"]]
    game = make(event["game"], **event["options"])
    if len(players) != game.PLAYERS:
        raise BadInput(f"{len(players)} players cannot play {game.name}: {game.PLAYERS} can")
    return Table(event["id"], game, players, journal, **{key: event[key] for key in ("watch", "pace", "open")})


def _replay_deal(table: Table, event: Event) -> None:
    if event["counts"]:
        table.new_sheet()
    game = make(table.game.name, **event["options"])
    table.deal = Deal(Position(game, event["seed"]), event["seats"], event["salt"], event["counts"])


def _replay(table: Table, event: Event) -> None:
    deal, kind = table.deal, event["e"]
    if kind == "player":
        table.players[event["k"]] = Player(**event["player"])
    elif kind == "set":
        table.pace, table.open = event["pace"], event["open"]
    elif kind == "same":
        table.compared.setdefault(event["bot"], []).append(event["value"])
    elif deal is None:
        raise BadInput("there is no deal")
    elif kind == "move":
        if event["n"] != deal.due:
            raise BadInput(f"a move is missing: {event['n']} follows {deal.due - 1}")
        deal.push(event["a"])
    elif kind == "back":
        deal.pop_to(event["n"])
    elif kind == "end":
        if deal.counts:
            table.sheet.lines.append(event["line"])
        table.write_down(deal)
