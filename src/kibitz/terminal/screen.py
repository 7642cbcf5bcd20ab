"""The table as lines of text: one layout for all games, from what a seat's scene holds (core/scene.py)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kibitz.core.scene import Scene
from kibitz.terminal.paint import Paint, columns, flowing, padded, width
from kibitz.terminal.tongue import Tongue

SUITS = {"c": "clubs", "s": "spades", "h": "hearts", "d": "diamonds"}
INITIALS = {name: letter for letter, name in SUITS.items()}
SUIT_FIRST = re.compile(r"^[cshd](?= by )")
"""A contract that is called by the letter of its suit."""


class Screen:
    """Turns scenes into text, in one language and with what the terminal can show."""

    def __init__(self, tongue: Tongue, paint: Paint) -> None:
        self.tongue, self.paint = tongue, paint
        longest = max(map(len, tongue.seats)) + len(f" ({tongue.say('you')})")
        self.left = max(longest, *(len(tongue.say(name)) for name in ("last trick", "points")))
        """Columns of the names of lines."""

    def table(self, scene: Scene, heading: str = "", said: Sequence[tuple[int, str]] = ()) -> str:
        """The whole table."""
        say = self.tongue.say
        lines = [self.paint.bold(part) for part in [heading, self._about(scene)] if part]
        lines += self._said(said)
        lines += self._seats(scene)
        for pile in scene["piles"]:
            known = [self.paint.card(card) for card in pile["cards"]]
            unknown = pile["count"] - len(known)
            shown = " ".join(
                [*known, *([f"?? ×{unknown}" if self.paint.has_signs else f"?? x {unknown}"] if unknown > 0 else [])]
            )
            claim = f"   {self.heard(pile['claim'])}" if pile.get("claim") else ""
            lines.append(self._line(self.tongue.hear(pile["name"]), f"{shown or '-'}{claim}"))
        lines += self.points(scene)
        if scene["last_trick"]:
            lines.append(self._line(say("last trick"), self.paint.faint(self.trick(scene["last_trick"], -1))))
        if scene["trick"]:
            lines.append(self._line(say("trick"), self.trick(scene["trick"], scene["winning"])))
        elif scene["tricks"] and scene["turn"] >= 0:
            is_mine = scene["turn"] == scene["seat"]
            leads = say("you lead") if is_mine else say("{} leads", self.seat(scene["turn"]))
            lines.append(self._line(say("trick"), leads))
        return "\n".join(line.rstrip() for line in lines)

    def seat(self, k: int, you: int | None = None) -> str:
        """What a seat is called."""
        return self.tongue.say("you") if k == you else self.tongue.seats[k]

    def heard(self, text: str) -> str:
        """A text of the game, in the language of the table and painted."""
        return self.paint.sentence(self.tongue.hear(self.tongue.named(text)), self.tongue.known)

    def trick(self, laid: Sequence[Sequence[object]], winning: int) -> str:
        """Cards with those who laid them; a star marks the one that wins so far."""
        shown = []
        for seat, card in laid:
            star = "*" if seat == winning else ""
            shown.append(f"{self.tongue.seats[int(str(seat))]} {self.paint.card(str(card))}{star}")
        return "   ".join(shown)

    def _about(self, scene: Scene) -> str:
        """The contract, what else the game says of the table, and which trick it is."""
        say, parts = self.tongue.say, [self.heard(line) for line in scene["lines"]]
        contract = SUIT_FIRST.sub(lambda found: SUITS[found[0]], scene["contract"])
        if contract and not any(scene["contract"] in line for line in scene["lines"]):
            parts.insert(0, self.heard(contract))
        if scene["tricks"] and not scene["over"]:
            parts.append(say("trick {}", sum(scene["tricks"]) + 1))
        return "   ".join(part for part in parts if part)

    def _said(self, said: Sequence[tuple[int, str]]) -> list[str]:
        """The calls, in lines that end between two of them."""
        calls = [f"{self.tongue.seats[seat]} {text}" for seat, text in said]
        lines = flowing(calls, columns() - self.left - 1).split("\n") if calls else []
        return [self._line("" if k else self.tongue.say("said"), line) for k, line in enumerate(lines)]

    def _line(self, name: str, text: str) -> str:
        return f"{padded(name, self.left)} {text}"

    def _seats(self, scene: Scene) -> list[str]:
        say, rows = self.tongue.say, []
        for k, seat in enumerate(scene["seats"]):
            name = self.tongue.seats[k] + (f" ({say('you')})" if k == scene["seat"] else "")
            marks = [self.tongue.hear(mark) for mark in seat["marks"]]
            if scene["declarer"] == k and "declarer" not in seat["marks"]:
                marks.append(say("declarer"))
            tricks = say("tricks {}", scene["tricks"][k]) if scene["tricks"] else ""
            chips = say("chips in {}", seat["chips"]) if seat["chips"] is not None else ""
            lacks = self._lacks(scene, k)
            rows.append([name, " ".join(marks), tricks or chips, self._hand(seat), lacks])
        widths = [max(width(row[c]) for row in rows) for c in range(4)]
        widths[0] = self.left
        return [
            " ".join(padded(cell, size) for cell, size in zip(row, [*widths, 0], strict=True) if size or cell)
            for row in rows
        ]

    def _hand(self, seat: Scene) -> str:
        known = [self.paint.card(card) for card in seat["cards"]]
        left = seat["count"] - len(known)
        times = "×" if self.paint.has_signs else "x "
        unknown = [f"?? {times}{left}" if left > 1 else "??"] if left > 0 else []
        return " ".join([*self._apart(seat["cards"], known), *unknown]) or "-"

    def _apart(self, names: Sequence[str], known: Sequence[str]) -> list[str]:
        """Cards with a gap between suits."""
        shown: list[str] = []
        for k, card in enumerate(known):
            is_new = k > 0 and len(names[k]) > 1 and names[k][-1] != names[k - 1][-1]
            shown.append(f" {card}" if is_new else card)
        return shown

    def _lacks(self, scene: Scene, k: int) -> str:
        if not scene["lacks"] or not scene["lacks"][k] or scene["over"]:
            return ""
        suits = [
            self.paint.tinted(self.paint.suit(INITIALS[suit]),
                INITIALS[suit]) if suit in INITIALS and self.paint.has_signs
            else self.tongue.hear(suit) for suit in scene["lacks"][k]
        ]  # fmt: skip
        return "  " + self.tongue.say("has no {}", " ".join(suits))

    def points(self, scene: Scene) -> list[str]:
        """Points per side once cards were played."""
        if not scene["tricks"] or scene["seats"][0]["points"] is None:
            return []
        sides: dict[int, list[int]] = {}
        for k, seat in enumerate(scene["seats"]):
            sides.setdefault(seat["side"], []).append(k)
        shown = []
        for members in sides.values():
            points = [scene["seats"][k]["points"] for k in members]
            total = points[0] if len(members) > 1 and self._are_shared else sum(points)
            shown.append(f"{'+'.join(self.tongue.seats[k] for k in members)} {total:g}")
        return [self._line(self.tongue.say("points"), "   ".join(shown))]

    @property
    def _are_shared(self) -> bool:
        """Whether points are counted for sides, so that partners have the same."""
        return bool(getattr(self.tongue.game.words, "POINTS_OF_SIDES", False))
