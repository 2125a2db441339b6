"""What happens at the samples of forces that are determined at intervals, such as those of digital controllers.

Between two samples the equations of motion depend on what such forces hold, which are states of the run whose rates
are zero. The samples of a force with the period T are at the times t₀ + k T, t₀ being the start of the run.
"""

from __future__ import annotations

from collections.abc import Sequence

from grashof.formulation.layout import NEXT_SAMPLE
from grashof.formulation.protocol import Formulation
from grashof.scalar.functions import Scalar, absolute, floor, minimum, where

AT_ONCE = 1e-9
"""Samples that are less than this part of a period apart take place together: multiples of different periods that
should be equal differ by round-off."""


def sample(formulation: Formulation, x: Sequence[Scalar], *, first: bool = False) -> list[Scalar]:
    """y after the samples that are due at x = [t, y].

    first   at the start of a run, when all are due
    """
    model, layout = formulation.model, formulation.layout
    begin = model.start.time
    t = x[0] - begin
    motion, y = formulation.state(x), list(x[1:])
    places = {name: k for k, name in enumerate(layout.integrals + layout.held, start=layout.of_integrals.start)}
    coming: list[Scalar] = []
    for force in model.sampled:
        period = force.period
        assert period is not None
        number = floor(t / period + 0.5)
        for name, value in force.sample(motion, first=first).items():
            due = AT_ONCE * period - absolute(t - number * period)
            y[places[name]] = value if first else where(due, value, y[places[name]])
        coming.append((floor(t / period + AT_ONCE) + 1.0) * period)
    after = coming[0]
    for time in coming[1:]:
        after = minimum(after, time)
    y[places[NEXT_SAMPLE]] = begin + after
    return y
