"""Curves that are fixed in a body: cams, slots and tracks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Annotated, ClassVar

from grashof.common.errors import ModelError
from grashof.model.couplings.base import CouplingBase
from grashof.model.expressions import Expression, Scope, parse
from grashof.model.fields import Vector, body_of
from grashof.model.measures import Coordinate
from grashof.model.tables import Table, check_table
from grashof.model.units import FIXED
from grashof.scalar.dual import Dual
from grashof.scalar.functions import Scalar, atan2, hypot, sqrt
from grashof.scalar.jet import Jet

FORMS = {"implicit": ("x", "y"), "y": ("x",), "radius": ("phi",)}
"""The fields that define a curve by an expression, and the variables of that expression."""

PERIODIC = 1e-9
"""The largest difference of a radius and its slopes after a full turn, relative to the radius."""


class OnCurve(CouplingBase, frozen=True, kw_only=True):
    """A point P of one body and a curve g(x, y) = 0 fixed in another; x and y are measured in its axes from its point O
    (plane).

    The curve is given in one of these forms, none of which needs a curve parameter as an additional unknown:

        implicit   g(x, y), positive on the outer side
        y          y = f(x), so that g = y − f(x)
        radius     r(φ) about O, so that g = √(x² + y²) − r(φ); it must have the period 2π
        points     a cubic spline through points: closed and periodic, r(φ) with increasing φ; or open, y(x) with
                   increasing x

    point    P
    origin   O
    closed   whether `points` define a closed curve
    """

    planar: ClassVar[bool] = True
    places: ClassVar[tuple[str, ...]] = ("point", "origin")

    point: str
    origin: str
    implicit: str | None = None
    y: str | None = None
    radius: str | None = None
    points: Annotated[tuple[Vector, ...], FIXED] = ()
    closed: bool = True

    def check(self, owner: str) -> None:
        given = [field for field in FORMS if getattr(self, field) is not None] + ["points"] * bool(self.points)
        if len(given) != 1:
            which = " and ".join(given) if given else "nothing"
            raise ModelError(f"{owner}: its curve is given by {which}; give one of {', '.join(FORMS)} and points.")
        if self.points:
            _spline(self._owner, self.points, self.closed)
            return
        (field,) = given
        law = self._curve(field)
        self._check_tables(owner, law)
        for name in (*law.quantities, *(["t"] if law.of_time else [])):
            if name not in FORMS[field]:
                variables = " and ".join(FORMS[field])
                raise ModelError(f"{owner}: {field} depends on '{name}'; it is an expression in {variables} alone.")
        if field == "radius":
            self._check_period(owner)

    def _check_period(self, owner: str) -> None:
        try:
            ends = [self._law("radius", phi=Jet(phi, 1.0, 0.0)) for phi in (-math.pi, math.pi)]
        except (ArithmeticError, ValueError):
            raise ModelError(f"{owner}: radius = '{self.radius}' has no value at phi = π or −π; change it.") from None
        first, last = (x if isinstance(x, Jet) else Jet(x, 0.0, 0.0) for x in ends)
        pairs = [(first.value, last.value), (first.first, last.first), (first.second, last.second)]
        if not all(abs(a - b) <= PERIODIC * abs(first.value) for a, b in pairs):
            raise ModelError(
                f"{owner}: radius = '{self.radius}' is {first.value:.6g} m at phi = −π and {last.value:.6g} m at π, "
                "where the curve closes; it must have the same value and slopes there."
            )

    def coordinates(self) -> tuple[Coordinate, Coordinate]:
        """The coordinates x and y of the point in the axes of the curve."""
        along: list[Vector] = [(1.0, 0.0), (0.0, 1.0)]
        x, y = (Coordinate(f"{self.name}.{k}", self.point, e, self.origin) for k, e in zip("xy", along, strict=True))
        return x, y

    @property
    def body(self) -> str:
        """The body in which the curve is fixed."""
        return body_of(self.origin)

    def g(self, x: Scalar, y: Scalar) -> Scalar:
        """Zero on the curve, positive on its outer side."""
        if self.implicit is not None:
            return self._law("implicit", x=x, y=y)
        if self.y is not None:
            return y - self._law("y", x=x)
        if self.radius is not None:
            return hypot(x, y) - self._law("radius", phi=atan2(y, x))
        table = _spline(self._owner, self.points, self.closed)
        return hypot(x, y) - table(atan2(y, x)) if self.closed else y - table(x)

    def gradient(self, x: Scalar, y: Scalar) -> tuple[Scalar, Scalar]:
        """∂g/∂x and ∂g/∂y."""
        along = [self.g(Dual(x, 1.0), Dual(y, 0.0)), self.g(Dual(x, 0.0), Dual(y, 1.0))]
        first, second = (g.slope if isinstance(g, Dual) else 0.0 for g in along)
        return first, second

    def _law(self, field: str, **variables: Scalar) -> Scalar:
        return self._curve(field).at(Scope(0.0, variables.__getitem__, self.tables))

    def _curve(self, field: str) -> Expression:
        """The expression of a curve; its variables take precedence over parameters of the same name."""
        known = {name: value for name, value in self.parameters.items() if name not in FORMS[field]}
        return parse(getattr(self, field), self._owner).given(known)

    @property
    def _owner(self) -> str:
        return f"coupling '{self.name}'"


@lru_cache(maxsize=256)
def _spline(owner: str, points: tuple[Vector, ...], closed: bool) -> Table:
    """r(φ) if closed, else y(x)."""
    for k, place in enumerate(points):
        if len(place) != 2:
            raise ModelError(f"{owner}: points[{k}] is {place}; it must be two numbers, x and y.")
    x, y = _polar(owner, points) if closed else ([a for a, _ in points], [b for _, b in points])
    found = Table(f"points of {owner}", tuple(x), tuple(y), "cubic", closed)
    check_table(found)
    return found


def _polar(owner: str, points: Sequence[Vector]) -> tuple[list[float], list[float]]:
    """φ and r of points around the origin; the first point is repeated at the end."""
    angles = [float(atan2(y, x)) for x, y in points]
    for k in range(1, len(angles)):
        angles[k] += 2.0 * math.pi * math.ceil((angles[k - 1] - angles[k]) / (2.0 * math.pi))
    if len(angles) < 3 or angles[-1] >= angles[0] + 2.0 * math.pi:
        raise ModelError(
            f"{owner}: points do not go once around the origin counter-clockwise, as those of a closed curve must; "
            "order them, leave out the first one at the end, or choose another origin."
        )
    radii = [float(sqrt(x * x + y * y)) for x, y in points]
    return [*angles, angles[0] + 2.0 * math.pi], [*radii, radii[0]]
