"""Small motions of the upright bicycle in closed form, M q̈ + v C₁ q̇ + (g K₀ + v² K₂) q = 0 with q = (roll, steer).

J. Meijaard, J. Papadopoulos, A. Ruina, A. Schwab, Proc. R. Soc. A 463, 2007, appendix A.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import mpmath

from grashof.model.model import Model
from grashof.problems.bicycle.case import DATA, mechanism
from grashof.problems.bicycle.linear import eigenvalues
from grashof.problems.linear import LinearCase, SmallMotion


def matrices(data: Mapping[str, str]) -> tuple[Any, Any, Any, Any]:
    """M, C₁, K₀ and K₂."""
    d = {name: mpmath.mpf(text) for name, text in data.items()}
    c, s = mpmath.cos_sin(mpmath.pi / d["tilts"])
    trail, base = d["trail"], d["base"]
    m, x, z = ({name: d[f"{key}_{name}"] for name in ("rear", "frame", "fork", "front")} for key in "mxz")
    xx, yy, zz, xz = ({name: d[f"{key}_{name}"] for name in m} for key in ("xx", "yy", "zz", "xz"))
    whole, front = tuple(m), ("fork", "front")

    def about(names: tuple[str, ...], x0: Any, z0: Any) -> tuple[Any, Any, Any]:
        """Ixx, Ixz and Izz of some bodies about a point."""
        return (
            sum(xx[k] + m[k] * (z[k] - z0) ** 2 for k in names),
            sum(xz[k] - m[k] * (x[k] - x0) * (z[k] - z0) for k in names),
            sum(zz[k] + m[k] * (x[k] - x0) ** 2 for k in names),
        )

    mass, height = sum(m.values()), sum(m[k] * z[k] for k in m) / sum(m.values())
    ahead = sum(m[k] * x[k] for k in m) / mass
    txx, txz, tzz = about(whole, 0, 0)
    a = sum(m[k] for k in front)
    xa, za = (sum(m[k] * y[k] for k in front) / a for y in (x, z))
    axx, axz, azz = about(front, xa, za)
    u = (xa - base - trail) * c - za * s
    along = a * u**2 + axx * s**2 + 2 * axz * s * c + azz * c**2
    to_x, to_z = -a * u * za + axx * s + axz * c, a * u * xa + axz * s + azz * c
    mu, spin_rear, spin_front = trail / base * c, yy["rear"] / d["r_rear"], yy["front"] / d["r_front"]
    spins, moment = spin_rear + spin_front, a * u + mu * mass * ahead
    mixed = to_x + mu * txz
    return (
        mpmath.matrix([[txx, mixed], [mixed, along + 2 * mu * to_z + mu**2 * tzz]]),
        mpmath.matrix(
            [
                [0, mu * spins + spin_front * c + txz / base * c - mu * mass * height],
                [-(mu * spins + spin_front * c), to_z / base * c + mu * (moment + tzz / base * c)],
            ]
        ),
        mpmath.matrix([[mass * height, -moment], [-moment, -moment * s]]),
        mpmath.matrix([[0, (spins - mass * height) / base * c], [0, (moment + spin_front * s) / base * c]]),
    )


def in_closed_form(data: Mapping[str, str]) -> SmallMotion:
    """The eigenvalues of these equations."""
    mass, damping, gravity, speed = matrices(data)
    v, g = mpmath.mpf(data["speed"]), mpmath.mpf(data["g"])
    inverse = mpmath.inverse(mass)
    whole = mpmath.zeros(4)
    whole[0, 2] = whole[1, 3] = 1
    whole[2:, :2] = -inverse * (g * gravity + v**2 * speed)
    whole[2:, 2:] = -inverse * v * damping
    return SmallMotion(list(mpmath.eig(whole, left=False, right=False)))


def by_differences(data: Mapping[str, str]) -> SmallMotion:
    """Those of the equations in eight coordinates."""
    return SmallMotion(eigenvalues(data["speed"], data))


def straight(speed: float) -> Model:
    """The bicycle that rolls straight on."""
    return mechanism(DATA | {"speed": repr(speed), "rate": "0"})


def case(variant: str, values: Mapping[str, float]) -> LinearCase:
    speed = values["speed"]
    z_up = {f"xz_{name}": str(-float(DATA[f"xz_{name}"])) for name in ("frame", "fork")}
    return LinearCase(
        problem="bicycle-linearisation",
        variant=variant,
        parameters=values,
        model=straight(speed),
        at=0.0,
        bound=1e-9,
        data=DATA | {"speed": repr(speed)},
        first=in_closed_form,
        second=by_differences,
        methods=(
            "First: the equations of Meijaard, Papadopoulos, Ruina and Schwab in closed form.",
            "Second: differences of accelerations in eight coordinates with the equations of rolling, in 40 digits.",
        ),
        mistakes={
            "products of inertia with the opposite sign, those of axes with z up": z_up,
            "g = 9.8 m/s²": {"g": "9.8"},
            "wheels that do not spin": {"yy_rear": "0", "yy_front": "0"},
        },
    )
