"""`kibitz VERB ...`: loads the verb's file alone, runs it, turns every KibitzError into one line and exit code 2."""

from __future__ import annotations

import difflib
import importlib
import os
import sys
from collections.abc import Sequence

from kibitz import __version__
from kibitz.core.at_once import without_compiling
from kibitz.core.errors import KibitzError
from kibitz.core.plain_text import printable

VERBS = {
    "games": "list the games with their options",
    "bots": "list the bots that can play a game",
    "play": "play against bots in the terminal",
    "serve": "play in the browser: against bots, with people by link, with hints and reviews",
    "simulate": "play many games between bots",
    "match": "bot A against bot B on the same deals",
    "tournament": "many bots against each other",
    "ladder": "every bot of a game on one list: points, Elo, time for a decision",
    "replay": "show a recorded game move by move",
    "analyse": "ask bots what they would do in a recorded game",
    "records": "list game records; import and export those of other programs",
    "solve": "compute a tabular policy",
    "policy": "read a tabular policy in words",
    "train": "train networks by self-play",
    "tune": "search for the settings of a learner",
    "models": "list the trained models that come with kibitz",
    "reproduce": "compute a paper's tables and figures again",
    "check": "check that a game keeps the contract, fault by fault",
    "bench": "measure speed against other libraries, or against another commit",
    "warm": "compile a game's kernels ahead of time",
}
"""Every verb is a function of its name in the file of its name, or that file's typer `app`."""

AT_ONCE = ("games", "bots", "play", "replay", "models")
"""Verbs that show or play a table or two, for which compiling would take longer than all they do."""
ONE_THREAD = ("analyse", "ladder", "match", "simulate", "tournament")
"""Verbs in which bots play, some with small networks of NumPy: its threads would wait for each other most of the time,
and processes share the cores better (`--processes`)."""
INTERRUPTED = 130
GAME_PACKAGE = "--game-package"

HELP = """Usage: kibitz VERB [ARGUMENTS]

kibitz plays, solves, learns, searches and measures imperfect-information card games.

Verbs:
{verbs}

kibitz VERB --help tells more about one of them; kibitz --version prints the version.
--game-package NAME, with any verb, adds the games of a package that can be imported but is not installed.
Example: kibitz simulate leduc --games 1000000 --bots random,leduc-rule --seed 1"""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one verb; exit code 2 for a request that cannot be met, 130 for Ctrl-C."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # what a terminal or pipe has no character for is spelled out
            stream.reconfigure(errors="backslashreplace")
    try:
        sys.exit(_run(words))
    except KeyboardInterrupt:
        _say("interrupted; nothing half-written was left behind")
        sys.exit(INTERRUPTED)
    except KibitzError as problem:
        _say(str(problem))
        sys.exit(2)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)
    except OSError as problem:
        where = f": {problem.filename}" if problem.filename else ""
        _say(f"{(problem.strerror or str(problem)).lower()}{where}")
        sys.exit(2)


def _run(words: list[str]) -> int:
    words = _without_packages(words)
    if not words or words[0] in ("-h", "--help", "help"):
        print(HELP.format(verbs="\n".join(f"  {verb:<12}{about}" for verb, about in VERBS.items())))
        return 0
    if words[0] == "--version":
        print(f"kibitz {__version__}")
        return 0
    verb, *rest = words
    if verb not in VERBS:
        near = difflib.get_close_matches(verb, VERBS, 1, 0.4)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(VERBS)}"
        raise KibitzError(f"there is no verb {verb}; {hint}")
    return _run_verb(verb, rest)


def _without_packages(words: list[str]) -> list[str]:
    """The command line without its --game-package options, once these packages are known."""
    rest: list[str] = []
    given = iter(words)
    for word in given:
        option, equals, package = word.partition("=")
        if word == "--":
            return [*rest, word, *given]
        if option != GAME_PACKAGE:
            rest.append(word)
            continue
        from kibitz.core.catalogue import name_package

        name_package(package if equals else next(given, ""))
    return rest


def _run_verb(verb: str, rest: list[str]) -> int:
    import typer

    if verb in AT_ONCE:
        without_compiling()
    if verb in ONE_THREAD:
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    module = importlib.import_module(f"kibitz.cli.{verb}")
    app = getattr(module, "app", None)
    if app is None:
        app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
        app.command()(getattr(module, verb))
    try:
        code = typer.main.get_command(app).main(args=rest, prog_name=f"kibitz {verb}", standalone_mode=False)
    except typer.Exit as wanted:
        code = wanted.exit_code
    except typer.Abort:
        raise KeyboardInterrupt from None
    except Exception as problem:
        # Typer's own complaints about arguments know how to say themselves; everything else is a defect and may crash.
        if not hasattr(problem, "format_message"):
            raise
        raise KibitzError(f"{problem.format_message().rstrip('.')}; see kibitz {verb} --help") from None
    if code == INTERRUPTED:  # typer has caught Ctrl-C and put it this way
        raise KeyboardInterrupt
    return code if isinstance(code, int) else 0


def _say(text: str) -> None:
    print(f"kibitz: {printable(text)}", file=sys.stderr)
