"""A person who types random legal moves at `kibitz play`:
prints what every move of the others was and what was said of it.

    python -m tests.cli.scripted 25 play cheat-party --seat 1 --seed 6

The first argument is after how many moves the person leaves the table.
"""

import io
import json
import random
import re
import sys

from kibitz.cli.main import main
from kibitz.core.position import Position

PROMPT = re.compile(r"(your move|dein Zug|à vous) \((.*)\) ?: $")


class Typing:
    """Standard input of somebody who types one of the legal moves at every prompt."""

    def __init__(self, said, most):
        self.said, self.left, self.luck, self.position = said, most, random.Random(1), None
        self.has_typed = False

    def isatty(self):
        return False

    def readline(self):
        assert PROMPT.search(self.said.getvalue()), self.said.getvalue()[-200:]
        self.left -= 1
        self.has_typed = True
        return "quit\n" if self.left < 0 else self.luck.choice(self.position.legal()) + "\n"


def run(most, words):
    """Every move with its seat, its word, what was said from then to the next move,
    and whether it was a card played."""
    said, moves, push, view = io.StringIO(), [], Position.push, Position.view
    typing = Typing(said, most)

    def noted(position, move):
        if moves:
            moves[-1]["said"] = said.getvalue()[moves[-1].pop("from") :]
        seat, word = position.turn, position.word(move)
        push(position, move)
        moves.append({"seat": seat, "word": word, "from": len(said.getvalue()), "typed": typing.has_typed})
        typing.has_typed = False

    def looked_at(position, seat=None):
        typing.position = position
        return view(position, seat)

    Position.push, Position.view = noted, looked_at
    sys.stderr, sys.stdin = said, typing
    try:
        main(words)
    except SystemExit as end:
        code = end.code
    finally:
        sys.stderr = sys.__stderr__
    moves[-1]["said"] = said.getvalue()[moves[-1].pop("from") :]
    return {"code": code, "moves": moves}


if __name__ == "__main__":
    print(json.dumps(run(int(sys.argv[1]), sys.argv[2:])))
