"""Bricard's linkage in two derivations: by one coordinate along its closed curve of positions, and by the turns of five
hinges with the closure of the loop as constraints.

The six hinges have turned by a, b, a, b, a, b since the start. With θ₁ = 90° − a and θ₂ = 90° − b, the loop closes if

    (1 + cos θ₁)(1 + cos θ₂) = 1,     or     cos σ + cos δ = 1     with σ, δ = (θ₁ ± θ₂)/2

which an angle ψ satisfies: cos σ = cos²ψ, sin σ = sin ψ √(1 + cos²ψ), cos δ = sin²ψ, sin δ = cos ψ √(1 + sin²ψ). The
start is at ψ = 90°, and a whole turn of ψ goes once around the curve.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal, getcontext

from grashof.precise.derivation import Derivations
from grashof.precise.extrapolation import State
from grashof.precise.jets import IDENTITY, Jet, JetBody, JetSystem, Matrix, accelerate, apply, coordinates, plus, times
from grashof.precise.pins import ZERO
from grashof.precise.rigid import diagonal
from grashof.precise.trigonometry import pi
from grashof.precise.twofold import ByBodies, ByCoordinates, Data, Row, derive_twice
from grashof.problems.base import Case
from grashof.problems.bricard.case import AXES_OF_JOINTS, COLUMNS, data_of, mechanism
from grashof.problems.certified import effect_by_simulation

STEP = "0.01"
CHAIN = (
    "Second: the turns of five hinges with the equations of the sixth as multipliers, integrated by extrapolation "
    "(Gragg, Bulirsch, Stoer) with {} digits in decimal floating point."
)
ALONG = ((0, 1), (1, -1), (2, 1), (0, -1), (1, 1))
"""The axis along which each bar lies at the start, and its direction."""


def derivations(case: Case) -> Derivations:
    return derive(case.variant)


def derive(reading: str) -> Derivations:
    data = data_of(reading)
    vary = [name for name in ("g", "length", "along12", "across12") if Decimal(data[name])]
    return derive_twice(
        data,
        by_coordinates,
        by_chain,
        step=STEP,
        words="one angle along the closed curve of all positions, by which all hinges are given in closed form",
        vary=vary,
        digits=15,
        second_words=CHAIN,
        sensitivity=lambda times: effect_by_simulation(mechanism, data, vary, COLUMNS[1:4], times),
    )


def _bar(data: Data, axis: int) -> list[Row]:
    """The inertia of a bar along an axis."""
    return diagonal(*(data["along12" if k == axis else "across12"] / 12 for k in range(3)))


def _turn(axis: int, sine: Jet, cosine: Jet) -> Matrix:
    """The rotation about an axis."""
    i, k = (axis + 1) % 3, (axis + 2) % 3
    rows: list[list[Jet | Decimal | int]] = [list(row) for row in IDENTITY]
    rows[i][i] = rows[k][k] = cosine
    rows[i][k], rows[k][i] = -sine, sine
    return rows


def by_coordinates(data: Data, down: Sequence[int] = (0, -1, 0)) -> ByCoordinates:
    """The bars one after another, each turned against the one before; gravity points down."""
    length = data["length"]

    def places(psi: Jet) -> tuple[list[JetBody], Sequence[Jet | Decimal | int]]:
        s, c = psi.sine_and_cosine()
        sigma = (s * (1 + c * c).sqrt(), c * c)
        delta = (c * (1 + s * s).sqrt(), s * s)
        # θ₁ = σ + δ and θ₂ = σ − δ; the hinges turn by 90° less these
        product = (sigma[0] * delta[1], sigma[1] * delta[0], sigma[1] * delta[1], sigma[0] * delta[0])
        turns = [(product[2] - sign * product[3], product[0] + sign * product[1]) for sign in (1, -1)]
        rotation: Matrix = IDENTITY
        place: Sequence[Jet | Decimal | int] = (0, 0, 0)
        bars, third = [], place
        for k, (axis, (along, sign)) in enumerate(zip(AXES_OF_JOINTS, ALONG, strict=False)):
            rotation = times(rotation, _turn(axis, *turns[k % 2]))
            half = apply(rotation, [sign * length / 2 if i == along else 0 for i in range(3)])
            centre = plus(place, half)
            place = plus(centre, half)
            bars.append(JetBody(data["mass"], _bar(data, along), centre, rotation))
            if k == 1:
                third = place
        return bars, third

    def describe(t: Decimal, q: list[Jet]) -> JetSystem:
        return JetSystem(places(q[0])[0], gravity=[x * data["g"] for x in down])

    def observe(t: Decimal, q: Row, v: Row) -> dict[str, Decimal]:
        third = places(coordinates(q, v)[0])[1]
        return {name: x.x for name, x in zip("xyz", third, strict=True) if isinstance(x, Jet)}

    return ByCoordinates(describe, [pi(getcontext().prec + 10) / 2], [ZERO], observe)


def by_chain(data: Data) -> ByBodies:
    """The turns of the first five hinges, with the five equations of the sixth, of which four are independent."""
    length = data["length"]

    def bars(q: Sequence[Jet]) -> tuple[list[JetBody], list[Sequence[Jet | Decimal | int]], Matrix]:
        rotation: Matrix = IDENTITY
        places: list[Sequence[Jet | Decimal | int]] = [(0, 0, 0)]
        found = []
        for angle, axis, (along, sign) in zip(q, AXES_OF_JOINTS, ALONG, strict=False):
            rotation = times(rotation, _turn(axis, *angle.sine_and_cosine()))
            half = apply(rotation, [sign * length / 2 if i == along else 0 for i in range(3)])
            centre = plus(places[-1], half)
            places.append(plus(centre, half))
            found.append(JetBody(data["mass"], _bar(data, along), centre, rotation))
        return found, places, rotation

    def slope(state: State) -> State:
        found, places, rotation = bars(coordinates(state[:5], state[5:]))
        closed = [*places[-1], rotation[1][0], rotation[2][0]]  # the axis x stays along x
        constraints = [x for x in closed if isinstance(x, Jet)]
        system = JetSystem(found, constraints, gravity=(ZERO, -data["g"], ZERO), rank=4)
        return [*state[5:], *accelerate(system, 5)]

    def observe(t: Decimal, state: State) -> dict[str, Decimal]:
        third = bars(coordinates(state[:5], state[5:]))[1][2]
        return {name: x.x for name, x in zip("xyz", third, strict=True) if isinstance(x, Jet)}

    return ByBodies(slope, [ZERO] * 10, observe)
