"""A four-bar that was found, with what it achieves."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from grashof.common.errors import ModelError
from grashof.model.mechanism import Mechanism

Array = npt.NDArray[np.float64]
Complex = npt.NDArray[np.complex128]
Pair = tuple[float, float]

SAMPLES = 720
"""Crank angles at which it is tried whether a four-bar can be assembled."""


@dataclass(frozen=True, eq=False)
class FourBarDesign:
    """A four-bar A B C D with a point P of its coupler. `print(design)` gives a report.

    pivots    A and D, fixed to the ground, m
    crank     |AB|, m
    coupler   |BC|, m
    rocker    |DC|, m
    point     P in axes from B along BC, m
    branch    1 if C is on the left of the line from B to D, −1 if on the right
    angles    of the crank, rad, at which it is nearest to what was wanted
    errors    by how much it then misses what was wanted
    unit      of the errors: m or rad
    remarks   sentences on what it does not do
    """

    pivots: tuple[Pair, Pair]
    crank: float
    coupler: float
    rocker: float
    point: Pair
    branch: int
    angles: Array
    errors: Array
    unit: str = "m"
    remarks: tuple[str, ...] = ()

    @property
    def frame(self) -> float:
        """|AD|, m"""
        return math.dist(*self.pivots)

    @property
    def error(self) -> float:
        """The largest of the errors."""
        return float(np.max(np.abs(self.errors), initial=0.0))

    @property
    def turns_fully(self) -> bool:
        """Whether the crank AB can turn fully: BD stays between |BC − CD| and BC + CD."""
        near, far = abs(self.frame - self.crank), self.frame + self.crank
        return near > abs(self.coupler - self.rocker) and far < self.coupler + self.rocker

    def places(self, angles: npt.ArrayLike) -> tuple[Array, Array, Array]:
        """B, C and P at angles of the crank, each (n, 2), m; NaN where the four-bar cannot be closed."""
        found = placed(self._numbers, np.atleast_1d(np.asarray(angles, float)), self.branch)
        b, c, p = (np.stack([z.real, z.imag], axis=1) for z in found)
        return b, c, p

    @property
    def _numbers(self) -> Array:
        (ax, ay), (dx, dy) = self.pivots
        turn = math.atan2(dy - ay, dx - ax)
        return np.array([ax, ay, turn, self.crank, self.coupler, self.rocker, self.frame, *self.point])

    def mechanism(self, name: str = "four-bar", speed: float | None = None) -> Mechanism:
        """The four-bar as a mechanism with the bodies `crank`, `coupler` with the point `P`, and `rocker`, at the first
        of its angles; driven if a speed of the crank is given, rad/s."""
        b, c, _ = (place[0] for place in self.places(self.angles[:1]))
        if not np.isfinite(c).all():
            raise ModelError("The four-bar cannot be closed at its first angle.")
        m = Mechanism(name)
        (a, d), (bx, by), (cx, cy) = self.pivots, map(float, b), map(float, c)
        crank = m.bar("crank", start=a, end=(bx, by), mass=1.0)
        turn = math.atan2(cy - by, cx - bx)
        pins = {"B": (0.0, 0.0), "C": (self.coupler, 0.0), "P": self.point}
        inertia = max(self.coupler**2, math.hypot(*self.point) ** 2) / 12.0
        center = (self.coupler / 2.0, 0.0)
        body = m.body("coupler", mass=1.0, inertia=inertia, center=center, points=pins, position=(bx, by), angle=turn)
        rocker = m.bar("rocker", start=d, end=(cx, cy), mass=1.0)
        m.revolute(m.ground.at(*a, name="A"), crank.start, name="A")
        m.revolute(crank.end, body.point("B"), name="B")
        m.revolute(body.point("C"), rocker.end, name="C")
        m.revolute(m.ground.at(*d, name="D"), rocker.start, name="D")
        if speed is not None:
            m.motor(crank, speed=speed)
        return m

    def as_dict(self) -> dict[str, Any]:
        """The four-bar as plain data."""
        b, c, p = (place[0].tolist() for place in self.places(self.angles[:1]))
        return {
            "pivots": [list(pivot) for pivot in self.pivots],
            "lengths": {"crank": self.crank, "coupler": self.coupler, "rocker": self.rocker, "frame": self.frame},
            "point": list(self.point),
            "branch": self.branch,
            "start": {"angle": float(self.angles[0]), "B": b, "C": c, "P": p},
            "error": self.error,
            "unit": self.unit,
            "turns_fully": self.turns_fully,
            "remarks": list(self.remarks),
        }

    def __str__(self) -> str:
        (ax, ay), (dx, dy) = self.pivots
        lines = [
            f"Four-bar with the pivots A ({ax:.6g}, {ay:.6g}) and D ({dx:.6g}, {dy:.6g}) m",
            f"crank {self.crank:.6g}, coupler {self.coupler:.6g}, rocker {self.rocker:.6g}, frame {self.frame:.6g} m",
            f"point of the coupler ({self.point[0]:.6g}, {self.point[1]:.6g}) m from B, along BC and across",
            "the crank can turn fully" if self.turns_fully else "the crank cannot turn fully",
            f"largest error {self.error:.3g} {self.unit}",
            *self.remarks,
        ]
        return "\n".join(lines)


def placed(numbers: Array, angles: Array, branch: int) -> tuple[Complex, Complex, Complex]:
    """B, C and P of a four-bar with the numbers (A_x, A_y, γ, a, b, c, d, u, v), as complex numbers.

    B = A + a e^{iθ}, D = A + d e^{iγ}, and the coupler's angle φ is arg(D − B) ± β with the law of cosines
    c² = b² + e² − 2 b e cos β in the triangle BCD, e = |BD|; P = B + (u + i v) e^{iφ}.
    """
    ax, ay, turn, a, b, c, d, u, v = numbers
    pivot = complex(ax, ay)
    pin = pivot + a * np.exp(1j * angles)
    across = pivot + d * np.exp(1j * turn) - pin
    far = np.abs(across)
    with np.errstate(invalid="ignore", divide="ignore"):
        bend = np.arccos((b * b + far * far - c * c) / (2.0 * b * far))
        along = np.exp(1j * (np.angle(across) + branch * bend))
    return pin, pin + b * along, pin + complex(u, v) * along


def branch_of(b: complex, c: complex, d: complex) -> int:
    """The side of the line from B to D on which C is."""
    return 1 if ((c - b) * (d - b).conjugate()).imag > 0.0 else -1
