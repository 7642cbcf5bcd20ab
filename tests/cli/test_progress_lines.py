"""What is said of long work where nobody sees a bar."""

from kibitz.cli.arguments import ProgressLines, lasted


def test_lines_come_now_and_then_and_more_seldom_the_longer_it_takes():
    clock, lines = [0.0], []
    advance = ProgressLines("match of skat", 1000, lines.append, lambda: clock[0])
    for _ in range(1000):
        clock[0] += 3.0
        advance(1)
    assert lines[:3] == [
        "match of skat: 4 of 1,000 after 12 s, about 50 min left",
        "match of skat: 8 of 1,000 after 24 s, about 50 min left",
        "match of skat: 16 of 1,000 after 48 s, about 49 min left",
    ]
    assert 10 < len(lines) < 20 and "1,000 of 1,000" not in lines[-1]


def test_quick_work_and_work_without_an_end_say_what_they_can():
    clock, lines = [0.0], []
    advance = ProgressLines("solving kuhn", None, lines.append, lambda: clock[0])
    advance(100)
    assert not lines
    clock[0] = 11.0
    advance(100)
    assert lines == ["solving kuhn: 200 after 11 s"]


def test_times_are_said_as_people_do():
    assert [lasted(x) for x in (7.4, 99.0, 120.0, 3000.0, 12000.0)] == ["7 s", "99 s", "2 min", "50 min", "3 h 20 min"]
