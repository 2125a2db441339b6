"""The times at which steps have to end, forwards and backwards."""

from __future__ import annotations

from math import inf, nextafter

import pytest

from grashof.integrate.ends import Ends, is_stop


@pytest.mark.parametrize("forward", [1.0, -1.0])
def test_further_times_find_their_place_between_the_ends(forward: float) -> None:
    ends = Ends(((forward * 2.0, forward * 2.0), (forward * 5.0, forward * 5.0)), forward)
    more = ends.add([(forward * time,) * 2 for time in (3.0, 1.0, 2.0, 9.0)], forward * 0.5, arrived=False)
    assert [forward * time for time, _ in more.stops] == [1.0, 2.0, 3.0, 5.0]
    assert more.behind == nextafter(more.time, forward * inf)
    assert ends.stops == ((forward * 2.0,) * 2, (forward * 5.0,) * 2)  # the ends before are what they were


def test_at_an_end_further_times_come_behind_it() -> None:
    more = Ends(((2.0, 2.5), (5.0, 5.0)), 1.0).add([(1.0, 1.0), (2.4, 2.4), (3.0, 3.0)], 2.5, arrived=True)
    assert [time for time, _ in more.stops] == [2.0, 3.0, 5.0]


def test_ends_that_are_passed_together_are_passed_at_once() -> None:
    left = Ends(((1.0, 1.2), (1.1, 1.1), (1.2, 1.2), (3.0, 3.0)), 1.0).passed()
    assert left.time == left.behind == 3.0
    assert Ends(((1.0, 3.0), (3.0, 3.0)), 1.0).passed().stops == ((3.0, 3.0),)  # the end of the run remains


def test_times_between_the_sides_of_a_stop_are_stops() -> None:
    stops = ((1.0, 1.0 + 1e-9),)
    assert is_stop(1.0 + 5e-10, stops)
    assert is_stop(nextafter(1.0, 0.0), stops)
    assert not is_stop(1.0 + 2e-9, stops)
