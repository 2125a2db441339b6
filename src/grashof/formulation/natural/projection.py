"""The projection of a state onto the constraints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from grashof.formulation.natural.resting import held_by_row
from grashof.formulation.natural.state import measure_parts
from grashof.model.fields import dot
from grashof.scalar.functions import Scalar, sqrt, where

if TYPE_CHECKING:
    from grashof.formulation.natural.equations import Dynamics

LOST = 0.1
"""Largest difference between an integrated angle and that of the positions, rad: a step's error is far smaller, and
half a turn far larger."""


def project(dynamics: Dynamics, x: Sequence[Scalar]) -> list[Scalar]:
    """The state x = [t, q, v, e] projected onto the constraints with the least change in the metric of M, then the
    remaining squared violation.

    One factorisation serves two Newton sweeps for the positions and two for the velocities. ε grows with the violation
    (Yamashita and Fukushima, 2001): where σ² is smaller than the violation, the linearised constraints carry no
    information about the nearest consistent position, and Newton's step would overshoot.

    Tracked angles are set to those of the positions. Where a direction swung past its angle's axis within the step, the
    integrated angle may not have followed it, and the whole turns would be unknown: the violation is then made too
    large for any step to be accepted.
    """
    system, layout, rows, kkt = dynamics.system, dynamics.layout, dynamics.limited, dynamics.whole
    t, q, v, e = layout.split(x)
    turns = dynamics.rows.turns(e)
    first = layout.of_sticking.start - layout.of_e.start
    sticks, resting = e[first : first + len(rows.sticks)], e[first + len(rows.sticks) : first + len(rows.held)]
    sides = [*map(held_by_row, sticks), *resting]
    jacobian = rows.jacobian(t, q, turns, sides)
    error = rows.violation(t, q, turns, sides)
    softness = sqrt(dot(error, error)) * (1.0 / system.length) if error else 0.0
    correction = kkt.corrections(jacobian, softness)
    for _ in range(2):
        q = [x + dx for x, dx in zip(q, correction(error), strict=True)]
        error = rows.violation(t, q, turns, sides)
    left = dot(error, error) if error else 0.0

    gradients = kkt.rows(rows.jacobian(t, q, turns, sides))
    slip = rows.slip(t, q, turns)
    for _ in range(2):
        rest = []
        for row, drift in zip(gradients, slip, strict=True):
            for a, x in row.items():
                drift = drift + x * v[a]
            rest.append(drift)
        v = [x + dx for x, dx in zip(v, correction(rest), strict=True)]

    e = list(e)
    for k, name in enumerate(system.tracked):
        angle = system.model.quantities[name]
        if not angle.winds:  # a motor moves it, and positions follow
            continue
        ahead = angle.ahead([part.at(q) for part in measure_parts(system, angle)], e[k])
        e[k] = e[k] + ahead
        left = left + where(ahead * ahead - LOST**2, dynamics.n * system.length**2, 0.0)
    return [*q, *v, *e, left]
