"""Both executors give the same answers in the same order, and errors arrive."""

import os

import pytest

from kibitz.arena.executor import Processes, Serial, executor
from kibitz.core.errors import BadInput


def square(number):
    if number == 13:
        raise BadInput("13 is unlucky")
    return number * number


def leave(number):
    os._exit(3)


def test_answers_come_in_order():
    numbers = list(range(12))
    assert list(Serial().run(square, numbers)) == list(Processes(2).run(square, numbers)) == [n * n for n in numbers]


@pytest.mark.parametrize("who", [Serial(), Processes(2)])
def test_errors_arrive(who):
    with pytest.raises(BadInput, match="13 is unlucky"):
        list(who.run(square, [1, 13]))


def test_a_dead_process_is_told():
    with pytest.raises(BadInput, match="died"):
        list(Processes(1).run(leave, [1]))


def test_nothing_to_do():
    assert list(Processes(2).run(square, [])) == []


def test_the_number_of_processes_is_checked():
    assert isinstance(executor(1), Serial) and isinstance(executor(2), Processes)
    with pytest.raises(BadInput, match="at least 1"):
        executor(0)
