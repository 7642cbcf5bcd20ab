"""A course of training: rounds of a learner with looks at it on the way, which a kill interrupts but does not undo."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from kibitz.papers.experiment import Bookmark, Scale

if TYPE_CHECKING:
    from kibitz.learn.run import Learner


def taught(
    learner: Learner, rounds: int, scale: Scale, what: str, mark: Bookmark, look: Callable[[dict[str, float]], Any],
    stops: Iterable[int] = (),
) -> list[Any]:  # fmt: skip
    """Train for so many rounds, from where the bookmark was put; gives what the looks after these rounds saw.

    A look is given what the round said; it sees plain data, as it is put aside with the learner's own checkpoint.
    """
    kept = mark.take_up(lambda arrays: learner.restore(arrays))
    first, seen = (kept["rounds"], kept["seen"]) if kept else (0, [])
    wanted = set(stops)
    if 0 in wanted and not kept:
        seen.append(look({}))
    for done in scale.track(range(1, rounds + 1), what, first):
        said = learner.round((done - 1) / rounds)
        if done in wanted:
            seen.append(look(said))
        mark.keep(lambda: learner.state(), {"rounds": done, "seen": seen})
    return seen
