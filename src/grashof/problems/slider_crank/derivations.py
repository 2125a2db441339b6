"""The spatial slider-crank in two derivations: a quadrature over the crank angle, and its three bodies."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal, localcontext

import numpy as np

from grashof.precise.derivation import HALF_UNIT, Columns, Derivations, exact
from grashof.precise.extrapolation import Done, State, integrate
from grashof.precise.pins import ZERO
from grashof.precise.rigid import AXES, SENTENCE, Beside, Meet, Perpendicular, Rigid, RigidBody, diagonal, hinge
from grashof.precise.twofold import ByBodies, Data, quaternion_of
from grashof.problems.base import Case
from grashof.problems.slider_crank.reference import data_of, motion, precise_motion

DIGITS = 17
CHANGE = 1e-7


def derivations(case: Case) -> Derivations:
    data = data_of(case.variant)

    def first(times: Sequence[str]) -> Columns:
        x, theta = precise_motion(times, data, DIGITS + 5)
        return {"x": [exact(value) for value in x], "theta": [exact(value) for value in theta]}

    def second(times: Sequence[str], done: Done) -> Columns:
        with localcontext(prec=DIGITS + 12):
            made = by_bodies({name: Decimal(value) for name, value in data.items()})
            moments = [Decimal(time) for time in times]
            states = integrate(made.slope, made.start, moments, DIGITS, done)
            rows = [made.observe(t, state) for t, state in zip(moments, states, strict=True)]
            return {name: [row[name] for row in rows] for name in ("x", "theta")}

    def effect(times: Sequence[str], columns: Columns) -> dict[str, np.ndarray]:
        moments = np.array([float(time) for time in times])
        base = motion(moments, data)
        others = [motion(moments * (1.0 + CHANGE), data)]
        others += [motion(moments, data | {name: repr(float(x) * (1.0 + CHANGE))}) for name, x in data.items()]
        return {name: HALF_UNIT / CHANGE * sum(abs(other[name] - x) for other in others) for name, x in base.items()}

    words = (
        "First: energy gives the time as a quadrature over the crank angle (Gauss–Legendre), inverted with "
        f"{DIGITS + 5} digits in binary floating point."
    )
    return Derivations(first, second, effect, (words, SENTENCE.format(DIGITS)), "all data, the time")


def by_bodies(data: Data) -> ByBodies:
    """Crank, rod and slider; the crank's turns are integrated along."""
    inertia = diagonal(data["I_along"], data["I_pin"], data["I_third"])
    small = diagonal(data["I_crank"], data["I_crank"], data["I_crank"])
    half, arm, origin = data["rod"] / 2, data["crank"] / 2, (ZERO, ZERO, ZERO)
    x_axis, y_axis, z_axis = AXES
    pivot, guide = (ZERO, data["y_A"], data["z_A"]), origin
    rules = (
        *hinge(0, (ZERO, ZERO, -arm), -1, pivot, x_axis, (y_axis, z_axis)),
        Meet(0, (ZERO, ZERO, arm), 1, (-half, ZERO, ZERO)),
        Meet(1, (half, ZERO, ZERO), 2, origin),
        Perpendicular(2, x_axis, 1, y_axis),
        *(Perpendicular(-1, a, 2, b) for a, b in ((x_axis, y_axis), (x_axis, z_axis), (y_axis, z_axis))),
        *(Beside(-1, a, guide, 2, origin) for a in (y_axis, z_axis)),
    )
    bodies = (RigidBody(data["m_crank"], small), RigidBody(data["m_rod"], inertia), RigidBody(data["m_slider"], small))
    system = Rigid(bodies, rules, (ZERO, ZERO, -data["g"]))
    # the printed start: slider at 0.2 m and 0.24 m/s, rod turning at (1.92, −0.96, 0.48) rad/s
    place, speed, omega = Decimal("0.2"), Decimal("0.24"), [Decimal(x) for x in ("1.92", "-0.96", "0.48")]
    y, z = data["y_A"], data["z_A"] + data["crank"]
    along = [place / data["rod"], -y / data["rod"], -z / data["rod"]]
    size = (along[1] ** 2 + along[2] ** 2).sqrt()
    pin = [ZERO, -along[2] / size, along[1] / size]
    third = [
        along[1] * pin[2] - along[2] * pin[1],
        along[2] * pin[0] - along[0] * pin[2],
        along[0] * pin[1] - along[1] * pin[0],
    ]
    matrix = [list(row) for row in zip(along, pin, third, strict=True)]
    local = [sum((a * b for a, b in zip(axis, omega, strict=True)), ZERO) for axis in (along, pin, third)]
    one = [Decimal(1), ZERO, ZERO, ZERO]
    tip_speed = -data["rate"] * data["crank"]
    start: State = [
        *(ZERO, y, data["z_A"] + arm, *one, ZERO, tip_speed / 2, ZERO, data["rate"], ZERO, ZERO),
        *(place / 2, y / 2, z / 2, *quaternion_of(matrix), speed / 2, tip_speed / 2, ZERO, *local),
        *(place, ZERO, ZERO, *one, speed, ZERO, ZERO, ZERO, ZERO, ZERO),
        ZERO,
    ]
    rates = system.slope()

    def slope(state: State) -> State:
        return [*rates(state[:-1]), state[10]]

    def observe(t: Decimal, state: State) -> dict[str, Decimal]:
        return {"x": state[26], "theta": state[-1]}

    return ByBodies(slope, start, observe)
