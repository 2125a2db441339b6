"""Angular velocities of bodies in space, which are linear in the velocities, but not rates of functions of position.

A direction d that is fixed in a body changes as ḋ = ω × d. Over all directions that the coordinates describe,

    Σ d × ḋ = A ω,   A = Σ (|d|² 1 − d dᵀ)

If there is only one direction, as for a bar whose rotation about its own axis nothing determines, A ω has no part along
it: the bar has no moment of inertia about its axis, so that part of ω has no effect.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from grashof.common.errors import ModelError
from grashof.formulation.natural.forms import Form, Gradient
from grashof.formulation.natural.system import System
from grashof.model.fields import cross, dot
from grashof.model.start import Condition
from grashof.scalar.functions import Scalar
from grashof.scalar.jet import Jet

Vectors = list[tuple[Scalar, ...]]


@dataclass(frozen=True)
class TurningRow:
    """One component of Σ d × ḋ = A ω, divided by Σ |d|²: Σ factors · rates of the parts = rate, rad/s.

    parts     the components of all directions d of a body
    factors   what their rates are multiplied by, at the position for which the row was made
    """

    parts: tuple[Form, ...]
    factors: tuple[Scalar, ...]
    rate: Scalar

    def gradient(self) -> Gradient:
        """The left side as a row: its factors on the velocities."""
        total: Gradient = {}
        for factor, part in zip(self.factors, self.parts, strict=True):
            for i, a in part.terms.items():
                total[i] = total[i] + factor * a if i in total else factor * a
        return total


def turning_rows(system: System, condition: Condition, q: Sequence[Scalar]) -> list[TurningRow]:
    """The three rows of a condition that gives the angular velocity of a body."""
    frame = system.frames[condition.quantity]
    directions = [tuple(form.at(q) for form in d) for d in frame.directions]
    local = [tuple(d) for d in frame.directions_local.tolist()]
    omega = list(condition.angular_velocity)
    if condition.axes == "body":
        omega = _to_ground(system.model.name, condition.quantity, directions, local, omega)
    scale = 1.0 / sum(dot(d, d) for d in local) if directions else 0.0
    parts = tuple(form for d in frame.directions for form in d)
    right: list[Scalar] = [0.0] * 3
    for d in directions:
        along = dot(d, omega)
        right = [r + (dot(d, d) * w - x * along) * scale for r, w, x in zip(right, omega, d, strict=True)]
    rows = []
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        factors: list[Scalar] = []
        for d in directions:  # (d × ḋ)_i = d_j ḋ_k − d_k ḋ_j
            across: list[Scalar] = [0.0] * 3
            across[j], across[k] = -d[k] * scale, d[j] * scale
            factors += across
        rows.append(TurningRow(parts, tuple(factors), right[i]))
    return rows


def _to_ground(mechanism: str, body: str, directions: Vectors, local: Vectors, omega: Sequence[Scalar]) -> list[Scalar]:
    """A vector in the axes of a body, in those of the ground: the combination of the body's directions that it is."""
    if len(directions) < 2:
        raise ModelError(
            f"Mechanism '{mechanism}': nothing determines how '{body}' is turned about its own axis, so its own axes "
            "have no meaning; give its angular velocity in the axes of the ground."
        )
    if len(directions) == 2:
        directions, local = [*directions, cross(*directions)], [*local, cross(*local)]
    first, second, third = local
    volume = dot(cross(first, second), third)
    weights = [dot(cross(second, third), omega), dot(cross(third, first), omega), dot(cross(first, second), omega)]
    return [sum(w * d[i] for w, d in zip(weights, directions, strict=True)) / volume for i in range(3)]


def angular_velocity(directions: Sequence[Sequence[Jet]]) -> list[Scalar]:
    """ω of a body from its directions and their rates, over any scalars; of a single direction only the part across
    it."""
    squares: Scalar = 0.0
    moment: list[Scalar] = [0.0] * 3
    outer: list[list[Scalar]] = [[0.0] * 3 for _ in range(3)]
    for jets in directions:
        d, rate = tuple(x.value for x in jets), tuple(x.first for x in jets)
        squares = squares + dot(d, d)
        moment = [m + x for m, x in zip(moment, cross(d, rate), strict=True)]
        outer = [[y + d[i] * d[j] for j, y in enumerate(row)] for i, row in enumerate(outer)]
    if len(directions) < 2:
        return [x / squares for x in moment] if directions else moment
    rows = [tuple((squares if i == j else 0.0) - x for j, x in enumerate(row)) for i, row in enumerate(outer)]
    across = [cross(rows[1], rows[2]), cross(rows[2], rows[0]), cross(rows[0], rows[1])]  # A is symmetric
    volume = dot(rows[0], across[0])
    return [dot(x, moment) / volume for x in across]
