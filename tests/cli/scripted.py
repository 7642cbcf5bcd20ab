"""A person who types random legal moves at `kibitz play`: prints what every move of the others was and what was said of it.

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

PROMPT = re.compile(r"your move \((.*)\): $")


class Typing:
    """Standard input of somebody who reads the last prompt and types one of the moves it offers."""

    def __init__(self, said, most):
        self.said, self.left, self.luck = said, most, random.Random(1)

    def readline(self):
        self.left -= 1
        return "quit\n" if self.left < 0 else self.luck.choice(PROMPT.search(self.said.getvalue())[1].split()) + "\n"


def run(most, words):
    """Every move with its seat, its word, what was said from then to the next move, and whether it was a card played."""
    said, moves, push = io.StringIO(), [], Position.push

    def noted(position, move):
        if moves:
            moves[-1]["said"] = said.getvalue()[moves[-1].pop("from") :]
        seat, word = position.turn, position.word(move)
        push(position, move)
        moves.append({"seat": seat, "word": word, "from": len(said.getvalue())})

    Position.push = noted
    sys.stderr, sys.stdin = said, Typing(said, most)
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
