"""Area, centre and second moments of a polygon, of which a uniform plate is cut."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from grashof.common.errors import ModelError
from grashof.model.formula import value_of
from grashof.scalar.functions import Scalar

FLAT = 1e-12
"""An outline whose area is below this fraction of the square of its extent has no area."""

Corner = Sequence[Scalar]


@dataclass(frozen=True)
class Outline:
    """A polygon.

    center    its centroid, m
    moments   ∫x², ∫y² and ∫xy over its area about the centroid, divided by the area, m²
    """

    area: Scalar
    center: tuple[Scalar, Scalar]
    moments: tuple[Scalar, Scalar, Scalar]


def measure_outline(owner: str, corners: Sequence[Corner]) -> Outline:
    """The polygon with these corners, in order around it in either direction. Its area is the sum of the signed
    triangles between its sides and its first corner,

        A = Σ cᵢ,  A x̄ = Σ cᵢ (xᵢ + xᵢ₊₁)/3,  ∫x² = Σ cᵢ (xᵢ² + xᵢ xᵢ₊₁ + xᵢ₊₁²)/6,   cᵢ = (xᵢ yᵢ₊₁ − xᵢ₊₁ yᵢ)/2,

    with x and y measured from there."""
    _refuse_crossings(owner, [(value_of(x), value_of(y)) for x, y in corners])
    first = corners[0]
    places = [(x - first[0], y - first[1]) for x, y in corners]
    area: Scalar = 0.0
    sums: list[Scalar] = [0.0] * 5
    for (a, b), (c, d) in zip(places, [*places[1:], places[0]], strict=True):
        part = (a * d - c * b) / 2.0
        parts = (
            (a + c) / 3.0,
            (b + d) / 3.0,
            (a * a + a * c + c * c) / 6.0,
            (b * b + b * d + d * d) / 6.0,
            (2.0 * a * b + a * d + c * b + 2.0 * c * d) / 12.0,
        )
        area = area + part
        sums = [total + part * x for total, x in zip(sums, parts, strict=True)]
    extent = max(abs(value_of(x)) for place in places for x in place)
    if not abs(value_of(area)) > FLAT * extent * extent:
        raise ModelError(f"{owner}: its corners lie on a line, so it has no area; check their places.")
    x, y, xx, yy, xy = (total / area for total in sums)
    center = (first[0] + x, first[1] + y)
    return Outline(area if value_of(area) > 0.0 else -area, center, (xx - x * x, yy - y * y, xy - x * y))


def _refuse_crossings(owner: str, corners: Sequence[tuple[float, float]]) -> None:
    sides = list(zip(corners, [*corners[1:], corners[0]], strict=True))
    for (i, (a, b)), (k, (c, d)) in combinations(enumerate(sides), 2):
        apart = k - i > 1 and (i, k) != (0, len(sides) - 1)
        if apart and _side(a, b, c) * _side(a, b, d) < 0.0 and _side(c, d, a) * _side(c, d, b) < 0.0:
            raise ModelError(
                f"{owner}: side {i + 1} of its outline crosses side {k + 1}; list the corners in order around it."
            )


def _side(a: tuple[float, float], b: tuple[float, float], p: tuple[float, float]) -> float:
    return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])
