"""The slider-crank with clearance in two derivations: by three angles, and by the places of three bodies with the
forces of the pins as multipliers."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from grashof.precise.blows import Row
from grashof.precise.derivation import Derivations
from grashof.precise.pins import ZERO
from grashof.precise.rough import RoughMotion, derive_rough_twice
from grashof.precise.touching import Equations, Touch
from grashof.precise.trigonometry import sine_and_cosine
from grashof.precise.twofold import Data
from grashof.problems.base import Case
from grashof.problems.clearance.case import CORNERS, data_of

ONE = Decimal(1)
LONGEST = "0.0005"


def derivations(case: Case) -> Derivations:
    return derive(case.variant)


def derive(variant: str) -> Derivations:
    data = data_of(variant)
    return derive_rough_twice(
        data,
        lambda d: by_angles(d, variant),
        lambda d: by_bodies(d, variant),
        longest=LONGEST,
        words="the angles of crank, rod and slider",
        vary=[name for name, value in data.items() if Decimal(value)],
    )


def _together(variant: str) -> bool:
    """Whether corners that are hit at once rebound together."""
    return variant != "inclined"


def _motor(variant: str, crank: Row) -> list[tuple[Row, Any]]:
    """The condition of the motor, if there is one: the rate of the crank, given as a row, does not change."""
    return [(crank, ZERO)] if variant == "driven" else []


def by_angles(d: Data, variant: str, together: bool | None = None) -> RoughMotion:
    """θ of the crank, ψ of the rod and φ of the slider, with their sines and cosines."""
    crank, rod = d["crank"], d["rod"]
    m1, m2, m3 = (d[name] for name in ("crank_mass", "rod_mass", "slider_mass"))
    first = d["crank_inertia"] + (m1 / 4 + m2 + m3) * crank * crank
    second = d["rod_inertia"] + (m2 / 4 + m3) * rod * rod
    shared = (m2 / 2 + m3) * crank * rod

    def describe(state: Row) -> Equations:
        s1, c1, s2, c2, s3, c3, w1, w2, w3 = state[3:]
        cosine, sine = c1 * c2 + s1 * s2, s1 * c2 - c1 * s2
        mass = [[first, cosine * shared, ZERO], [cosine * shared, second, ZERO], [ZERO, ZERO, d["slider_inertia"]]]
        force = [
            -(sine * shared) * (w2 * w2) - c1 * ((m1 / 2 + m2 + m3) * d["g"] * crank),
            (sine * shared) * (w1 * w1) - c2 * ((m2 / 2 + m3) * d["g"] * rod),
            ZERO,
        ]
        height, x1, x2 = s1 * crank + s2 * rod, c1 * crank, c2 * rod
        bend_x, bend_y = -(x1 * (w1 * w1)) - x2 * (w2 * w2), -(s1 * crank) * (w1 * w1) - (s2 * rod) * (w2 * w2)
        touches = [
            Touch(
                gap + height * side,
                [x1 * side, x2 * side, turn_n],
                [-(s1 * crank), -(s2 * rod), turn_t],
                bias_n + bend_y * side,
                bias_t + bend_x,
            )
            for side, gap, turn_n, turn_t, bias_n, bias_t in _corners(d, s3, c3, w3)
        ]
        rates = [w1, w2, w3, c1 * w1, -(s1 * w1), c2 * w2, -(s2 * w2), c3 * w3, -(s3 * w3)]
        return Equations(rates, mass, force, touches, _motor(variant, [ONE, ZERO, ZERO]))

    sine, cosine = sine_and_cosine(d["phi"])
    start = [ZERO, ZERO, d["phi"], ZERO, ONE, ZERO, ONE, sine, cosine, d["omega"], d["omega_rod"], ZERO]

    def observe(state: Row) -> dict[str, Decimal]:
        s1, c1, s2, c2 = state[3:7]
        return _columns(d, crank * c1 + rod * c2, crank * s1 + rod * s2, state[0], state[2])

    return _motion(d, describe, start, observe, _together(variant) if together is None else together)


def by_bodies(d: Data, variant: str) -> RoughMotion:
    """x, y, angle, sine and cosine of crank, rod and slider."""
    masses = [d[f"{name}_{part}"] for name in ("crank", "rod", "slider") for part in ("mass", "mass", "inertia")]
    mass = [[x if i == k else ZERO for k in range(9)] for i, x in enumerate(masses)]
    halves = [d["crank"] / 2, d["rod"] / 2, ZERO]
    weight = [-masses[i] * d["g"] if i in (1, 4, 7) else ZERO for i in range(9)]

    def describe(state: Row) -> Equations:
        bodies, u = [state[5 * i : 5 * i + 5] for i in range(3)], state[15:]
        rates = Row()
        for i, (_, _, _, s, c) in enumerate(bodies):
            vx, vy, w = u[3 * i : 3 * i + 3]
            rates += [vx, vy, w, c * w, -(s * w)]
        joints = _motor(variant, [ZERO, ZERO, ONE, *[ZERO] * 6])
        for i in range(3):  # the end of the body before, or the ground, and the start of body i
            for axis in (0, 1):
                row, bias = [ZERO] * 9, ZERO
                for body, sign, arm in ((i - 1, 1, halves[i - 1]), (i, -1, -halves[i])):
                    if body < 0:
                        continue
                    s, c, w = bodies[body][3], bodies[body][4], u[3 * body + 2]
                    row[3 * body + axis] = Decimal(sign)
                    row[3 * body + 2] = sign * arm * (c if axis else -s)
                    bias = bias - sign * arm * (s if axis else c) * w * w
                joints.append((row, bias))
        _, y, _, s, c = bodies[2]
        touches = [
            Touch(
                gap + y * side,
                [*[ZERO] * 7, Decimal(side), turn_n],
                [*[ZERO] * 6, ONE, ZERO, turn_t],
                bias_n,
                bias_t,
            )
            for side, gap, turn_n, turn_t, bias_n, bias_t in _corners(d, s, c, u[8])
        ]
        return Equations(rates, mass, weight, touches, joints)

    sine, cosine = sine_and_cosine(d["phi"])
    a, b = halves[:2]
    start = [a, ZERO, ZERO, ZERO, ONE, 2 * a + b, ZERO, ZERO, ZERO, ONE, 2 * (a + b), ZERO, d["phi"], sine, cosine]
    v = d["crank"] * d["omega"]
    start += [ZERO, a * d["omega"], d["omega"], ZERO, v + b * d["omega_rod"], d["omega_rod"]]
    start += [ZERO, v + d["rod"] * d["omega_rod"], ZERO]

    def observe(state: Row) -> dict[str, Decimal]:
        return _columns(d, state[10], state[11], state[2], state[12])

    return _motion(d, describe, start, observe, _together(variant))


def _corners(d: Data, s: Any, c: Any, w: Any) -> list[tuple[int, Any, Any, Any, Any, Any]]:
    """For each corner: the side on which it is free, its gap if the slider's centre is on the axis, the parts of its
    normal and slide that belong to the slider's rotation, and their second derivatives."""
    found = []
    for a, b in CORNERS.values():
        along, up, side = a * d["half_length"], b * d["half_height"], -b
        px, py = c * along - s * up, s * along + c * up
        gap = py * side + (d["half_height"] + d["clearance"])
        found.append((side, gap, px * side, -py, -(py * (w * w)) * side, -(px * (w * w))))
    return found


def _columns(d: Data, x: Decimal, y: Decimal, theta: Decimal, phi: Decimal) -> dict[str, Decimal]:
    """The official columns; a slider that starts parallel to the walls stays so, exactly."""
    return {"x": x, "y": y, "theta": theta} | ({"phi": phi} if d["phi"] else {})


def _motion(d: Data, describe: Any, start: Row, observe: Any, together: bool) -> RoughMotion:
    return RoughMotion(describe, start, [d["mu"]] * 4, [d["e"]] * 4, observe, together)
