"""Functions of one coordinate, such as the splines of knees: their values and slopes, and expressions for them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from grashof.common.errors import ModelError
from grashof.exchange.parsing import child_number, numbers
from grashof.exchange.xml import Element
from grashof.model.fields import Vector

MOST_KNOTS = 100


@dataclass(frozen=True)
class Curve:
    """f(x) = Σ aₖ (x − x₀)ᵏ + Σᵢ (bᵢ ⟨x − xᵢ⟩² + cᵢ ⟨x − xᵢ⟩³), where ⟨u⟩ = max(u, 0).

    powers   a₀, a₁, …
    origin   x₀
    bends    (xᵢ, bᵢ, cᵢ)
    """

    powers: Vector
    origin: float = 0.0
    bends: tuple[tuple[float, float, float], ...] = ()

    def at(self, x: float) -> tuple[float, float]:
        """Its value and its slope."""
        u = x - self.origin
        value = sum(a * u**k for k, a in enumerate(self.powers))
        slope = sum(k * a * u ** (k - 1) for k, a in enumerate(self.powers) if k)
        for knot, b, c in self.bends:
            v = max(x - knot, 0.0)
            value, slope = value + (b + c * v) * v * v, slope + (2.0 * b + 3.0 * c * v) * v
        return float(value), float(slope)

    def scaled(self, factor: float) -> Curve:
        """The curve multiplied by a number."""
        bends = tuple((knot, factor * b, factor * c) for knot, b, c in self.bends)
        return Curve(tuple(factor * a for a in self.powers), self.origin, bends)

    def text(self, variable: str) -> str:
        """As an expression of a variable."""
        u = f"({variable} - {self.origin!r})" if self.origin else variable
        terms = [f"{a!r}" if k == 0 else f"{a!r}*{u}**{k}" for k, a in enumerate(self.powers) if a or k == 0]
        for knot, b, c in self.bends:
            over = f"max({variable} - {knot!r}, 0)"
            terms += [f"{x!r}*{over}**{power}" for x, power in ((b, 2), (c, 3)) if x]
        return " + ".join(f"({term})" for term in terms)


def read_curve(function: Element, depth: int = 0) -> Curve | None:
    """The function of an element; None if it is not supported."""
    match function.tag:
        case "Constant":
            return Curve((child_number(function, "value", 0.0),))
        case "LinearFunction" | "PolynomialFunction":
            default = "1 0" if function.tag == "LinearFunction" else "1"
            highest_first = numbers(function, "coefficients", function.value("coefficients", default))
            return Curve(highest_first[::-1])
        case "MultiplierFunction":
            inside = function.first("function")
            below = read_curve(inside.children[0], depth + 1) if inside and inside.children and depth < 20 else None
            return None if below is None else below.scaled(child_number(function, "scale", 1.0))
        case "SimmSpline" | "NaturalCubicSpline":
            x, y = (numbers(function, tag, function.value(tag)) for tag in ("x", "y"))
            if not 2 <= len(x) == len(y) <= MOST_KNOTS or any(not a < b for a, b in pairwise(x)):
                raise ModelError(
                    f"{function.place}: it has {len(x)} x and {len(y)} y; give as many of both, 2 to {MOST_KNOTS}, "
                    "with increasing x."
                )
            return make_spline(x, y)
    return None


def make_spline(x: Vector, y: Vector) -> Curve:
    """The cubic spline through points whose third derivative at each end is that of the cubic through the four
    outermost points (zero if there are three); outside it is continued by straight lines.

    With σ = f''/6, the lengths h of the intervals and the slopes d of the chords:

        hᵢ₋₁ σᵢ₋₁ + 2 (hᵢ₋₁ + hᵢ) σᵢ + hᵢ σᵢ₊₁ = dᵢ − dᵢ₋₁;   σ₁ − σ₀ = h₀ f[x₀, x₁, x₂, x₃]

    (G. E. Forsythe, M. A. Malcolm, C. B. Moler, Computer Methods for Mathematical Computations, 1977, chapter 4).
    """
    h, n = np.diff(x), len(x)
    d = np.diff(y) / h
    matrix, right = np.zeros((n, n)), np.zeros(n)
    for i in range(1, n - 1):
        matrix[i, i - 1 : i + 2] = h[i - 1], 2.0 * (h[i - 1] + h[i]), h[i]
        right[i] = d[i] - d[i - 1]
    matrix[0, :2], matrix[-1, -2:] = (-1.0, 1.0), (-1.0, 1.0)
    if n == 2:
        return Curve((y[0], float(d[0])), x[0])
    if n > 3:
        for row, i, step in ((0, 0, h[0]), (-1, n - 4, h[-1])):
            second = [(d[i + k + 1] - d[i + k]) / (x[i + k + 2] - x[i + k]) for k in (0, 1)]
            right[row] = step * (second[1] - second[0]) / (x[i + 3] - x[i])
    sigma = np.linalg.solve(matrix, right)
    thirds = np.diff(sigma) / h
    slope = float(d[0] - h[0] * (2.0 * sigma[0] + sigma[1]))
    jumps = np.diff([0.0, *thirds, 0.0])
    bends = [(x[i], 0.0, float(jump)) for i, jump in enumerate(jumps)]
    bends[0] = x[0], float(3.0 * sigma[0]), bends[0][2]
    bends[-1] = x[-1], float(-3.0 * sigma[-1]), bends[-1][2]
    return Curve((y[0], slope), x[0], tuple(bends))
