"""The coin in two derivations: by five coordinates with two equations of velocity, and by its body with three."""

from __future__ import annotations

from decimal import Decimal, getcontext

from grashof.precise.derivation import Derivations
from grashof.precise.extrapolation import State
from grashof.precise.jets import Jet, JetBody, JetSystem, JetWheel, lean, times, turn
from grashof.precise.pins import ZERO
from grashof.precise.rigid import Rigid, RigidBody, Roll, diagonal
from grashof.precise.trigonometry import pi, sine_and_cosine
from grashof.precise.twofold import ByBodies, ByCoordinates, Data, Row, derive_twice
from grashof.problems.base import Case
from grashof.problems.coin.case import DATA


def derivations(case: Case) -> Derivations:
    return derive()


def derive() -> Derivations:
    words = "the centre's x and y, heading, inclination and rotation, with two equations of rolling"
    return derive_twice(
        DATA, by_coordinates, by_bodies, step="0.001", words=words, vary=("g", "radius", "lean_deg", "spin_pi")
    )


def _start(data: Data) -> tuple[Decimal, Decimal, list[list[Decimal]]]:
    """Inclination [rad], spin [rad/s], inertia [kg m²]."""
    half_turn = pi(getcontext().prec + 10)
    square = data["mass"] * data["radius"] ** 2
    return data["lean_deg"] * half_turn / 180, data["spin_pi"] * half_turn, diagonal(square / 4, square / 2, square / 4)


def by_coordinates(data: Data) -> ByCoordinates:
    """R = Rz(ψ) Rx(φ) Ry(θ); the height of the centre is r cos φ."""
    angle, spin, inertia = _start(data)
    radius = data["radius"]

    def describe(t: Decimal, q: list[Jet]) -> JetSystem:
        x, y, heading, tilt, roll = q
        rotation = times(times(turn("z", heading), turn("x", tilt)), turn("y", roll))
        height = radius * tilt.sine_and_cosine()[1]
        coin = JetBody(data["mass"], inertia, (x, y, height), rotation)
        return JetSystem([coin], wheels=[JetWheel(0, radius)], gravity=(ZERO, ZERO, -data["g"]), rank=2)

    def observe(t: Decimal, q: Row, v: Row) -> dict[str, Decimal]:
        (s, c), (a, b) = sine_and_cosine(q[2]), sine_and_cosine(q[3])
        # u = Rz(ψ) (0, −sin φ, cos φ)
        return {"x": q[0] - radius * s * a, "y": q[1] + radius * c * a, "z": radius * b}

    sine, _ = sine_and_cosine(angle)
    # angular velocity k: heading rate ψ̇ and rotation θ̇ about the inclined axle e, ψ̇ k + θ̇ e = spin k
    q = [ZERO, -radius * sine, ZERO, angle, ZERO]
    return ByCoordinates(describe, q, [spin * radius * sine, ZERO, spin, ZERO, ZERO], observe)


def by_bodies(data: Data) -> ByBodies:
    """One body with three equations of rolling."""
    angle, spin, inertia = _start(data)
    sine, cosine = sine_and_cosine(angle)
    s, c = sine_and_cosine(angle / 2)
    radius = data["radius"]
    system = Rigid([RigidBody(data["mass"], inertia)], [Roll(0, radius)], (ZERO, ZERO, -data["g"]))
    start: State = [ZERO, -radius * sine, radius * cosine, c, s, ZERO, ZERO]
    start += [spin * radius * sine, ZERO, ZERO, ZERO, spin * sine, spin * cosine]

    def observe(t: Decimal, y: State) -> dict[str, Decimal]:
        now = system.at(y)[0]
        up, _ = lean([row[1] for row in now.a], [ZERO] * 3)
        return {"x": now.r[0] - radius * up[0], "y": now.r[1] - radius * up[1], "z": now.r[2]}

    return ByBodies(system.slope(), start, observe)
