"""The woodpecker toy in two derivations: three coordinates, and four with the hinge as a joint equation."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from grashof.precise.blows import Row
from grashof.precise.derivation import Derivations
from grashof.precise.phases import Describe
from grashof.precise.pins import ZERO
from grashof.precise.rough import RoughMotion, derive_rough_twice
from grashof.precise.touching import Equations, Touch
from grashof.precise.twofold import Data
from grashof.problems.base import Case
from grashof.problems.woodpecker.case import DATA

ONE = Decimal(1)
LONGEST = "0.0005"


def derivations(case: Case) -> Derivations:
    return derive()


def derive() -> Derivations:
    return derive_rough_twice(
        DATA,
        by_coordinates,
        by_bodies,
        longest=LONGEST,
        words="height and angle of the sleeve and angle of the bird",
        vary=[name for name, value in DATA.items() if Decimal(value)],
    )


def _contacts(d: Data, angles: Sequence[Any], more: int) -> list[Touch]:
    """Beak, lower and upper edge; the slide of each is the velocity of its point along the pole, whose rows have
    `more` zeros at the end."""
    sleeve, bird = angles
    room, half, none = d["hole"] - d["pole"], d["half"], [ZERO] * more

    def touch(gap: Any, normal: Row, slide: Row) -> Touch:
        return Touch(gap, normal + none, slide + none, ZERO, ZERO)

    beak = d["hinge"] + d["centre"] - d["beak_x"] - d["pole"]
    return [
        touch(
            bird * (-d["beak_y"]) + beak,
            [ZERO, ZERO, -d["beak_y"]],
            [ONE, d["hinge"], d["centre"] - d["beak_x"]],
        ),
        touch(sleeve * half + room, [ZERO, half, ZERO], [ONE, d["hole"], ZERO]),
        touch(sleeve * (-half) + room, [ZERO, -half, ZERO], [ONE, d["hole"], ZERO]),
    ]


def _motion(d: Data, describe: Describe, more: int) -> RoughMotion:
    angle = -(d["hole"] - d["pole"]) / d["half"]
    height = d["hinge"] * angle + d["centre"] * d["phi_s"]
    places, rates = [ZERO, angle, d["phi_s"], height], [d["v"], ZERO, d["omega_s"], d["v"] + d["centre"] * d["omega_s"]]
    size = 3 + more
    return RoughMotion(
        describe=describe,
        start=[*places[:size], *rates[:size]],
        mu=[d["mu"]] * 3,
        restitution=[d["e_beak"], d["e_sleeve"], d["e_sleeve"]],
        observe=lambda state: dict(zip(("y", "phi_m", "phi_s"), state[:3], strict=True)),
    )


def by_coordinates(d: Data) -> RoughMotion:
    """y, φ_M, φ_S."""
    m, lever, arm = d["bird"], d["hinge"], d["centre"]
    mass = [
        [d["sleeve"] + m, m * lever, m * arm],
        [m * lever, d["sleeve_inertia"] + m * lever * lever, m * lever * arm],
        [m * arm, m * lever * arm, d["bird_inertia"] + m * arm * arm],
    ]

    def describe(state: Row) -> Equations:
        _, sleeve, bird, *rates = state
        bend = (bird - sleeve) * d["spring"]
        weight = m * d["g"]
        force = [-(d["sleeve"] + m) * d["g"], bend - weight * lever, -bend - weight * arm]
        return Equations(rates, mass, force, _contacts(d, [sleeve, bird], 0))

    return _motion(d, describe, 0)


def by_bodies(d: Data) -> RoughMotion:
    """y, φ_M, φ_S and the bird's height z = y + l_M φ_M + l_G φ_S."""
    sizes = [d["sleeve"], d["sleeve_inertia"], d["bird_inertia"], d["bird"]]
    mass = [[x if i == k else ZERO for k in range(4)] for i, x in enumerate(sizes)]
    hinge: Row = [ONE, d["hinge"], d["centre"], -ONE]

    def describe(state: Row) -> Equations:
        _, sleeve, bird, _, *rates = state
        bend = (bird - sleeve) * d["spring"]
        force = [-d["sleeve"] * d["g"], bend, -bend, -d["bird"] * d["g"]]
        return Equations(rates, mass, force, _contacts(d, [sleeve, bird], 1), [(hinge, ZERO)])

    return _motion(d, describe, 1)
