"""The car axis in two derivations: by two coordinates that follow the road, and by positions with two multipliers."""

from __future__ import annotations

from decimal import Decimal

from grashof.precise.derivation import Derivations
from grashof.precise.extrapolation import State
from grashof.precise.jets import IDENTITY, Jet, JetBody, JetSpring, JetSystem, coordinates
from grashof.precise.pins import ZERO
from grashof.precise.rigid import diagonal
from grashof.precise.twofold import ByBodies, ByCoordinates, Data, Row, derive_twice
from grashof.problems.base import Case
from grashof.problems.car_axis.case import DATA

NAMES = ("x_l", "y_l", "x_r", "y_r")


def derivations(case: Case) -> Derivations:
    return derive()


def derive() -> Derivations:
    words = (
        "the distance of the left mass from the origin and the angle of the bar, which satisfy both constraints, and "
        "time as a coordinate with a given rate"
    )
    second = (
        "Second: the positions of the two masses with both constraints as multipliers, differentiated twice, and the "
        "road as a solution of its own equation, integrated by extrapolation (Gragg, Bulirsch, Stoer) with {} digits "
        "in decimal floating point."
    )
    return derive_twice(
        DATA,
        by_coordinates,
        by_bodies,
        step="0.002",
        words=words,
        vary=("stiffness", "rest", "length", "bump", "frequency"),
        second_words=second,
    )


def by_coordinates(data: Data) -> ByCoordinates:
    """Left mass at r (−y_b, x_b), right mass at the angle φ from it; time is the third coordinate."""
    none = diagonal(ZERO, ZERO, ZERO)

    def places(q: list[Jet]) -> tuple[list[Jet], JetSystem]:
        r, phi, time = q
        yb = data["bump"] * (time * data["frequency"]).sine_and_cosine()[0]
        xb = (data["length"] ** 2 - yb * yb).sqrt()
        sine, cosine = phi.sine_and_cosine()
        left = [-(r * yb) * (1 / data["length"]), r * xb * (1 / data["length"])]
        right = [left[0] + data["length"] * cosine, left[1] + data["length"] * sine]
        stretched = [(x * x + y * y).sqrt() for x, y in (left, (right[0] - xb, right[1] - yb))]
        springs = [JetSpring(length, data["stiffness"], ZERO, data["rest"]) for length in stretched]
        bodies = [JetBody(data["half"], none, (*place, 0), IDENTITY) for place in (left, right)]
        return [*left, *right], JetSystem(bodies, springs=springs, gravity=(ZERO, -data["g"], ZERO))

    def observe(t: Decimal, q: Row, v: Row) -> dict[str, Decimal]:
        return {name: x.x for name, x in zip(NAMES, places(coordinates(q, v))[0], strict=True)}

    start = [Decimal("0.5"), ZERO, ZERO]
    return ByCoordinates(lambda t, q: places(q)[1], start, [ZERO, ZERO, Decimal(1)], observe, driven=1)


def by_bodies(data: Data) -> ByBodies:
    """p = (x_l, y_l, x_r, y_r), ṗ, and the road's y_b, ẏ_b.

    Constraints x_l x_b + y_l y_b = 0 and ½ (|p_r − p_l|² − L²) = 0.
    """
    w, k, rest, m = data["frequency"], data["stiffness"], data["rest"], data["half"]
    square = data["length"] ** 2

    def product(p: Row, q: Row) -> Decimal:
        return sum((x * y for x, y in zip(p, q, strict=True)), ZERO)

    def slope(state: State) -> State:
        xl, yl, xr, yr, ul, vl, ur, vr, yb, ydot = state
        xb = (square - yb * yb).sqrt()
        ybb = -w * w * yb
        xdot = -yb * ydot / xb
        xbb = -(ydot * ydot + yb * ybb + xdot * xdot) / xb
        left = (xl * xl + yl * yl).sqrt()
        dx, dy = xr - xb, yr - yb
        right = (dx * dx + dy * dy).sqrt()
        one, two = -k * (left - rest) / left / m, -k * (right - rest) / right / m
        free = [one * xl, one * yl - data["g"], two * dx, two * dy - data["g"]]
        a, b = xr - xl, yr - yl
        rows = [[xb, yb, ZERO, ZERO], [-a, -b, a, b]]
        bias = [2 * (ul * xdot + vl * ydot) + xl * xbb + yl * ybb, (ur - ul) ** 2 + (vr - vl) ** 2]
        s = [[product(p, q) for q in rows] for p in rows]
        need = [-c - product(row, free) for row, c in zip(rows, bias, strict=True)]
        det = s[0][0] * s[1][1] - s[0][1] * s[1][0]
        f = (need[0] * s[1][1] - need[1] * s[0][1]) / det
        h = (need[1] * s[0][0] - need[0] * s[1][0]) / det
        acceleration = [x + f * p + h * q for x, p, q in zip(free, *rows, strict=True)]
        return [ul, vl, ur, vr, *acceleration, ydot, ybb]

    half = Decimal("0.5")
    start: State = [ZERO, half, data["length"], half, -half, ZERO, -half, ZERO, ZERO, data["bump"] * w]
    return ByBodies(slope, start, lambda t, y: dict(zip(NAMES, y[:4], strict=True)))
