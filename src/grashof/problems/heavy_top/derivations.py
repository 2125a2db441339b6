"""The heavy top in two derivations: by three angles, and by position and quaternion with the force at its tip."""

from __future__ import annotations

from decimal import Decimal

from grashof.precise.derivation import Derivations
from grashof.precise.extrapolation import State
from grashof.precise.jets import Jet, JetBody, JetSystem, Matrix, apply, coordinates, inner, motion_of, times, turn
from grashof.precise.pins import ZERO, solve
from grashof.precise.rigid import Meet, Rigid, RigidBody, diagonal
from grashof.precise.twofold import ByBodies, ByCoordinates, Data, Row, angle_of, derive_twice
from grashof.problems.base import Case
from grashof.problems.heavy_top.case import DATA

STEP = "0.005"
"""Step of the first derivation, s."""


def derivations(case: Case) -> Derivations:
    return derive()


def derive() -> Derivations:
    words = "three angles, about the new z, x and y axes of a turned frame"
    return derive_twice(
        DATA, by_coordinates, by_bodies, step=STEP, words=words, vary=("g", "length", "I_axis", "spin", "precession")
    )


SINE, COSINE = Decimal("-0.6"), Decimal("0.8")


def _frame() -> tuple[Matrix, Matrix]:
    """C = Rx Ry, a turn of the axes to which the angles refer, and its inverse: without it, the top passes a vertical
    position, where angles about z are not unique. With it, its axis stays 39° away from such a position."""
    s, c = SINE, COSINE
    first: Matrix = ((1, 0, 0), (0, c, -s), (0, s, c))
    second: Matrix = ((c, 0, s), (0, 1, 0), (-s, 0, c))
    both = times(first, second)
    return both, [list(column) for column in zip(*both, strict=True)]


def by_coordinates(data: Data) -> ByCoordinates:
    """R = C Rz(a) Rx(b) Ry(c)."""
    inertia = diagonal(data["I_across"], data["I_axis"], data["I_across"])
    frame, back = _frame()

    def describe(t: Decimal, q: list[Jet]) -> JetSystem:
        rotation = times(frame, times(times(turn("z", q[0]), turn("x", q[1])), turn("y", q[2])))
        centre = apply(rotation, (0, data["length"], 0))
        return JetSystem([JetBody(data["mass"], inertia, centre, rotation)], gravity=(ZERO, ZERO, -data["g"]))

    def observe(t: Decimal, q: Row, v: Row) -> dict[str, Decimal]:
        centre = describe(t, coordinates(q, v)).bodies[0].centre
        return {axis: x.x for axis, x in zip("xyz", centre, strict=True) if isinstance(x, Jet)}

    n = [[Decimal(x) for x in row if not isinstance(x, Jet)] for row in back]  # = Rz Rx Ry at the start
    level = (1 - n[2][1] ** 2).sqrt()
    q = [angle_of(-n[0][1], n[1][1]), angle_of(n[2][1], level), angle_of(-n[2][0], n[2][2])]
    turns = motion_of(describe(ZERO, coordinates(q, [ZERO] * 3)).bodies[0], 3).turns
    omega = [ZERO, data["spin"], data["precession"]]
    normal = [[inner(x, y) for y in turns] for x in turns]
    return ByCoordinates(describe, q, solve(normal, [[inner(x, omega) for x in turns]])[0], observe)


def by_bodies(data: Data) -> ByBodies:
    """One body with three equations."""
    inertia = diagonal(data["I_across"], data["I_axis"], data["I_across"])
    tip = Meet(0, (ZERO, -data["length"], ZERO), -1, (ZERO, ZERO, ZERO))
    system = Rigid([RigidBody(data["mass"], inertia)], [tip], (ZERO, ZERO, -data["g"]))
    speed = [-data["precession"] * data["length"], ZERO, ZERO]
    start: State = [ZERO, data["length"], ZERO, Decimal(1), ZERO, ZERO, ZERO, *speed]
    start += [ZERO, data["spin"], data["precession"]]
    return ByBodies(system.slope(), start, lambda t, y: dict(zip("xyz", y[:3], strict=True)))
