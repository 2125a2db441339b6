"""Four-bar linkage with a diagonal spring: all bars and the ground 1 m long, which makes it a rhombus.

With the angle φ of both cranks, the spring is d = 2 ℓ cos(φ/2) long, and

    ½ (5/3) m ℓ² φ̇² = T,        V = 2 m g ℓ sin φ + ½ k (d − d₀)²
    (5/3) m ℓ² s² + c ℓ² sin²(φ/2) s + V″(φ) = 0        where V′(φ) = 0
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import mpmath

from grashof.model.mechanism import Mechanism
from grashof.model.model import Model
from grashof.precise.bars import Bars, End, Spring, small_motion
from grashof.problems.linear import LinearCase, SmallMotion

DATA = {"g": "9.81", "mass": "1", "length": "1", "stiffness": "25", "damping": "1", "rest_squared": "2"}
"""Mass [kg] and length [m] of each bar; spring [N/m], damper [N s/m], and the square of the length at rest [m²]."""
NEAR = "2.2"
"""rad: a guess of φ."""


def mechanism(data: Mapping[str, str]) -> Model:
    """Begins near rest; the spring and the damper go from the pivot of the crank to the far end of the rocker."""
    value = {name: float(text) for name, text in data.items()}
    m, length = Mechanism("four-bar linkage with a diagonal spring", gravity=(0.0, -value["g"])), value["length"]
    c, s = length * math.cos(float(NEAR)), length * math.sin(float(NEAR))
    ends = {"crank": ((0, 0), (c, s)), "coupler": ((c, s), (c + length, s)), "rocker": ((length, 0), (c + length, s))}
    crank, coupler, rocker = (m.bar(name, start=a, end=b, mass=value["mass"]) for name, (a, b) in ends.items())
    m.revolute(m.ground.at(0.0, 0.0), crank.start)
    m.revolute(crank.end, coupler.start)
    m.revolute(coupler.end, rocker.end)
    m.revolute(m.ground.at(length, 0.0), rocker.start)
    spring = {"stiffness": value["stiffness"], "length": value["rest_squared"] ** 0.5, "damping": value["damping"]}
    m.spring(m.ground.at(0.0, 0.0), rocker.end, name="spring", **spring)
    return m.model


def numbers(data: Mapping[str, str]) -> dict[str, Any]:
    """The data, with the length at rest."""
    found = {name: mpmath.mpf(text) for name, text in data.items()}
    return found | {"rest": mpmath.sqrt(found["rest_squared"])}


def by_angle(data: Mapping[str, str]) -> SmallMotion:
    """In closed form."""
    x = numbers(data)
    weight, length, k = 2 * x["mass"] * x["g"] * x["length"], x["length"], x["stiffness"]

    def slope(phi: Any) -> Any:
        half = phi / 2
        stretch = 2 * length * mpmath.cos(half) - x["rest"]
        return weight * mpmath.cos(phi) - k * stretch * length * mpmath.sin(half)

    phi = mpmath.findroot(slope, mpmath.mpf(NEAR))
    half = phi / 2
    stretch = 2 * length * mpmath.cos(half) - x["rest"]
    bent = -weight * mpmath.sin(phi)
    bent += k * length * (length * mpmath.sin(half) ** 2 - stretch * mpmath.cos(half) / 2)
    mass = 5 * x["mass"] * length**2 / 3
    damping = x["damping"] * (length * mpmath.sin(half)) ** 2
    root = mpmath.sqrt(mpmath.mpc(damping**2 - 4 * mass * bent))
    return SmallMotion([(-damping + sign * root) / (2 * mass) for sign in (1, -1)], {"rocker.angle": phi})


def by_bars(data: Mapping[str, str]) -> SmallMotion:
    """With every bar by itself."""
    x = numbers(data)
    length, half, phi = x["length"], x["length"] / 2, mpmath.mpf(NEAR)
    c, s = mpmath.cos_sin(phi)
    ground, pivot = End(None, place=(0, 0)), End(None, place=(length, 0))
    bars = Bars(
        bars=[(x["mass"], length)] * 3,
        guess=[half * c, half * s, phi, half + length * c, length * s, 0, length + half * c, half * s, phi],
        pins=[
            (ground, End(0, -half)),
            (End(0, half), End(1, -half)),
            (End(1, half), End(2, half)),
            (pivot, End(2, -half)),
        ],
        springs=[Spring(ground, End(2, half), x["stiffness"], x["rest"], x["damping"])],
        gravity=x["g"],
    )
    found, q = small_motion(bars)
    return SmallMotion(found, {"rocker.angle": q[8]})


def case(variant: str, values: Mapping[str, float]) -> LinearCase:
    data = DATA if variant == "damped" else DATA | {"damping": "0"}
    return LinearCase(
        problem="four-bar-linearisation",
        variant=variant,
        parameters=values,
        model=mechanism(data),
        at="equilibrium",
        bound=1e-9,
        data=data,
        first=by_angle,
        second=by_bars,
        methods=(
            "First: the angle of the rhombus, in closed form.",
            "Second: every bar by itself, with multipliers for the pins, and the null space of their equations.",
        ),
        rest={"rocker.angle": "rad"},
        mistakes={
            "g = 9.8 m/s²": {"g": "9.8"},
            "an unstretched spring of 1 m": {"rest_squared": "1"},
            "no gravity": {"g": "0"},
        },
        notes=("The source prints the rest in 12 digits, from which the length of the spring at rest, √2 m, follows.",),
    )
