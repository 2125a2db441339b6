"""The projection of a state of a tree onto its rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from grashof.formulation.natural.state import measure_parts
from grashof.formulation.relative.constrained import times
from grashof.formulation.relative.rows import RowsPlace
from grashof.model.fields import dot
from grashof.scalar.functions import Scalar, atan2, cos, sin, sqrt

if TYPE_CHECKING:
    from grashof.formulation.relative.equations import Relative


def project(relative: Relative, x: Sequence[Scalar]) -> list[Scalar]:
    """The state x = [t, q, v, e] with unit quaternions, on the rows, and with tracked angles that agree with the
    positions; then the remaining squared violation."""
    t, q, v, e = relative.layout.split(x)
    q, v = relative.coordinates.normalise(q, v)
    left: Scalar = 0.0
    if relative.tree_rows.count:
        q, v, left = _on_rows(relative, t, q, v, e)
    e = list(e)
    state = relative.state([t, *q, *v, *e])
    for k, name in enumerate(relative.layout.angles):
        angle = relative.model.quantities[name]
        if not angle.winds:
            continue
        found = relative.linear(angle)
        if found is None:
            ahead = angle.ahead([part.at(state.q) for part in measure_parts(relative.natural.system, angle)], e[k])
        else:
            rest = found.value(state.motions) - e[k]
            ahead = atan2(sin(rest), cos(rest))
        e[k] = e[k] + ahead
    return [*q, *v, *e, left]


def _on_rows(
    relative: Relative, t: Scalar, q: Sequence[Scalar], v: Sequence[Scalar], e: Sequence[Scalar]
) -> tuple[list[Scalar], list[Scalar], Scalar]:
    """q and v on the rows, with the least change in the metric of M, and the remaining squared violation: one
    factorisation serves two Newton sweeps for the positions and two for the velocities.

    Where rows may be linearly dependent, ε grows with the violation as in natural coordinates (see
    `natural.projection`).
    """
    rows, coordinates = relative.tree_rows, relative.coordinates

    def at(q: Sequence[Scalar]) -> RowsPlace:
        return relative.place(relative.state([t, *q, *v, *e]))

    def changed(x: Sequence[Scalar], by: Sequence[Sequence[Scalar]]) -> list[Scalar]:
        still = [[0.0] * len(own) for own in by]
        return [a + b for a, b in zip(x, coordinates.accelerations(q, still, by), strict=True)]

    place = at(q)
    error = rows.violation(place)
    softness = 0.0 if relative.solving is None else sqrt(dot(error, error)) * (1.0 / relative.length)
    tree = relative.constrained(place, softness)
    for _ in range(2):
        q = changed(q, tree.correct(error))
        place = at(q)
        error = rows.violation(place)
    q, v = coordinates.normalise(q, v)
    jacobian, slip = rows.jacobian(place), rows.slip(place)
    for _ in range(2):
        rates = coordinates.rates(q, v)
        drift = [times(row, rates) + x for row, x in zip(jacobian, slip, strict=True)]
        v = changed(v, tree.correct(drift))
    return list(q), list(v), sum((x * x for x in error), 0.0)
