"""A bot that misbehaves in the way it is told to, for the tests of bots of others."""

import os
import re
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path

import numpy as np

print("vile is loaded")


class Wordless(Exception):
    def __str__(self):
        raise RuntimeError("no words")


class Vile:
    def __init__(self, way="plays", once="", note=""):
        self.way, self.once, self.note = way, once, note

    def act(self, view):
        print("vile thinks")
        if self.once:  # misbehave one time only, whoever is asked
            if Path(self.once).exists():
                return view.legal()[0]
            Path(self.once).touch()
        if self.note:
            Path(self.note).write_text(str(os.getpid()))
        return getattr(self, self.way)(view)

    def plays(self, view):
        os.write(1, b"from below\n")
        return np.int32(view.legal()[0])

    def leaves(self, view):
        sys.exit()

    def vanishes(self, view):
        os._exit(0)

    def crashes(self, view):
        os.kill(os.getpid(), signal.SIGSEGV)

    def raises(self, view):
        raise RuntimeError("I have\nlost \x1b[31mmy cards")

    def wordless(self, view):
        raise Wordless

    def generates(self, view):
        raise GeneratorExit

    def interrupts(self, view):
        raise KeyboardInterrupt

    def half(self, view):
        return view.legal()[0] + 0.9

    def text(self, view):
        return str(view.legal()[0])

    def truth(self, view):
        return True

    def huge(self, view):
        return 10**30

    def widens(self, view):
        forbidden = [*np.flatnonzero(~view.mask), *view.legal()]
        view.mask[:] = True
        return forbidden[0]

    def naps(self, view):
        while True:
            with suppress(Exception):
                time.sleep(60)

    def sleeps(self, view):
        while True:
            with suppress(BaseException):
                time.sleep(60)

    def computes(self, view):
        return bool(re.match("(a+)+$", "a" * 60 + "b"))

    def mutters(self, view):
        for number in range(3, 60):  # whatever the line to the other process is, it gets nonsense
            with suppress(OSError):
                os.write(number, b"!" * 64)
        return view.legal()[0]


class Together(Vile):
    def act_batch(self, views):
        return np.array([self.act(view) for view in views])


class Opinionated(Vile):
    def probabilities(self, views):
        return views.masks / views.masks.sum(axis=1, keepdims=True)

    def values(self, view):
        return np.where(view.mask, 0.5, np.nan)
