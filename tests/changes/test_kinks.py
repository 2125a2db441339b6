"""Kinks: where steps have to end, so that every stage is on the side of the kink on which its step is."""

from __future__ import annotations

import math

import numpy as np

from grashof.changes.kinks import find_kinks, merge_stops
from grashof.scalar.functions import where
from grashof.tape import trace


def test_no_stage_of_a_step_that_ends_before_a_kink_is_behind_it() -> None:
    rng = np.random.default_rng(3)
    for kink in rng.uniform(0.1, 10.0, 300):
        ((left, right),) = merge_stops([(float(kink), math.nextafter(kink, math.inf))], 0.0, 20.0)
        for start in rng.uniform(0.0, left, 20):
            stages = start + rng.uniform(0.9, 1.0, 20) * (left - start)
            assert max(*stages, start + 1.0 * (left - start)) <= kink
        assert right > kink


def test_the_two_changes_of_a_force_between_two_positions_are_located_to_neighbouring_times() -> None:
    """x(t) = t; a force acts from x = 1/3 to x = 0.34, written with two switches, of which a step from 0 to 1 passes
    both."""
    tape = trace(lambda x: [where(x[1] - 1.0 / 3.0, where(0.34 - x[1], 1.0, 0.0), 0.0)], 2)
    kinks = find_kinks(tape)
    t = np.array([0.0, 1.0])
    (first, (middle, _), second) = kinks.passed(t, t[:, None], lambda _, at: at[:, None])
    for (before, behind), place in ((first, 1.0 / 3.0), (second, 0.34)):
        assert behind == math.nextafter(before, math.inf)
        assert before <= place <= behind
    assert first[1] < middle < second[0]
