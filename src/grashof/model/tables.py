"""Tables: functions given by interpolated points.

>>> cam = table([0, 1, 3], [0, 2, 2])
>>> cam(0.5), cam(2), cam(-7)
(1.0, 2.0, 0.0)
"""

from __future__ import annotations

import math
from functools import cached_property
from itertools import pairwise
from typing import Annotated, Any, Literal

import msgspec

from grashof.common.errors import ModelError
from grashof.model.fields import Vector
from grashof.model.given import numbers
from grashof.model.units import FIXED
from grashof.scalar.functions import Scalar, entry, interval, remainder, where
from grashof.scalar.pieces import Pieces, is_range
from grashof.scalar.rows import keep

Kind = Literal["linear", "cubic"]


class Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, dict=True):
    """y(x) through the points (xᵢ, yᵢ), with increasing x.

    kind      "linear": straight lines; "cubic": the spline with two continuous derivatives whose third derivative is
              also continuous at the second and the second-to-last point (not-a-knot)
    periodic  y(x) has the period x_n − x_0, and y_n = y_0; otherwise the first and last values are continued outside
    file      instead of x and y: a CSV file in the same folder as the mechanism's file, and the names of two of its
              `columns` (by default the first two). It is read together with the mechanism
    """

    name: str
    x: Annotated[Vector, FIXED] = ()
    y: Annotated[Vector, FIXED] = ()
    kind: Kind = "linear"
    periodic: bool = False
    file: str = ""
    columns: tuple[str, ...] = ()

    def __call__(self, at: Scalar) -> Scalar:
        """y at a scalar of any kind: a number, an array, a traced value, a jet, an interval."""
        if is_range(at):
            return self._enclosable.enclose(at)
        first, last = self.x[0], self.x[-1]
        if self.periodic:
            place = first + remainder(at - first, last - first)
        else:  # at the end points, jets have the slope from inside
            place = where(first - at, first, where(at - last, last, at))
        knots, rows = self._rows
        i = interval(place, knots)
        ahead = place - entry(i, knots)
        value = entry(i, rows[-1])
        for row in reversed(rows[:-1]):
            value = value * ahead + entry(i, row)
        return value

    @cached_property
    def _rows(self) -> tuple[float, tuple[float, ...]]:
        """The rows (see `scalar.rows`) of the x, and of the coefficients of each piece, a₀ + a₁ h + a₂ h² + a₃ h³."""
        return keep(self.x), tuple(keep([*row, 0.0]) for row in self.pieces)

    @cached_property
    def _enclosable(self) -> Pieces:
        return Pieces(self.x, self.pieces, self.periodic)

    @cached_property
    def pieces(self) -> tuple[list[float], ...]:
        """The coefficients: a list of all a₀, one of all a₁, and so on."""
        return _cubic(self.x, self.y, self.periodic) if self.kind == "cubic" else _linear(self.x, self.y)


def table(x: Any, y: Any, *, kind: Kind = "linear", periodic: bool = False, name: str = "table") -> Table:
    """Makes a function from points, for use in forces written in Python and as a law of time; see `Table`."""
    found = Table(name, numbers(f"Table '{name}': x", x), numbers(f"Table '{name}': y", y), kind, bool(periodic))
    check_table(found)
    return found


def check_table(found: Table) -> None:
    """Refuses points that do not define a function."""
    owner = f"Table '{found.name}'"
    if found.file:
        raise ModelError(
            f"{owner}: its file '{found.file}' has not been read; load the mechanism from its own file, or "
            "give x and y."
        )
    if found.kind not in ("linear", "cubic"):
        raise ModelError(f"{owner}: kind is '{found.kind}'; it must be 'linear' or 'cubic'.")
    least = 4 if found.periodic and found.kind == "cubic" else 2
    if len(found.x) != len(found.y) or len(found.x) < least:
        raise ModelError(
            f"{owner}: x has {len(found.x)} numbers and y has {len(found.y)}; give as many of both, and at "
            f"least {least}."
        )
    for i, (before, after) in enumerate(pairwise(found.x)):
        if not before < after:
            raise ModelError(f"{owner}: x[{i + 1}] is {after} after {before}; x must increase.")
        if not math.isfinite(after - before):
            raise ModelError(f"{owner}: x[{i + 1}] is {after}, too far from {before} to compute with.")
    if found.periodic and found.y[0] != found.y[-1]:
        raise ModelError(
            f"{owner}: y begins with {found.y[0]} and ends with {found.y[-1]}; of a periodic table they are "
            "the same point."
        )
    try:
        possible = all(math.isfinite(x) for row in found.pieces for x in row)
    except ArithmeticError:
        possible = False
    if not possible:
        raise ModelError(f"{owner}: its slopes are too large to compute with; check its numbers.")


def _slopes(x: Vector, y: Vector) -> tuple[list[float], list[float]]:
    """The length of each interval, and the slope of its chord."""
    h = [b - a for a, b in pairwise(x)]
    return h, [(b - a) / step for a, b, step in zip(y, y[1:], h, strict=False)]


def _linear(x: Vector, y: Vector) -> tuple[list[float], ...]:
    return list(y[:-1]), _slopes(x, y)[1]


def _cubic(x: Vector, y: Vector, periodic: bool) -> tuple[list[float], ...]:
    """From the slopes mᵢ at the points: a₁ = mᵢ, a₂ = (3δ − 2mᵢ − mᵢ₊₁)/h, a₃ = (mᵢ + mᵢ₊₁ − 2δ)/h², δ the slope of
    the chord."""
    h, chords = _slopes(x, y)
    m = _periodic(h, chords) if periodic else _not_a_knot(h, chords)
    second = [(3.0 * d - 2.0 * a - b) / step for d, a, b, step in zip(chords, m, m[1:], h, strict=False)]
    third = [(a + b - 2.0 * d) / (step * step) for d, a, b, step in zip(chords, m, m[1:], h, strict=False)]
    return list(y[:-1]), m[:-1], second, third


def _not_a_knot(h: list[float], d: list[float]) -> list[float]:
    """Slopes of the spline: hᵢ mᵢ₋₁ + 2 (hᵢ₋₁ + hᵢ) mᵢ + hᵢ₋₁ mᵢ₊₁ = 3 (hᵢ dᵢ₋₁ + hᵢ₋₁ dᵢ) inside (continuous second
    derivatives)."""
    if len(h) == 1:
        return [d[0], d[0]]
    if len(h) == 2:  # the parabola
        bend = (d[1] - d[0]) / (h[0] + h[1])
        return [d[0] - bend * h[0], d[0] + bend * h[0], d[1] + bend * h[1]]
    lower, diagonal, upper, right = _inside(h, d)
    first, last = h[0] + h[1], h[-1] + h[-2]
    begin = ((h[0] + 2.0 * first) * h[1] * d[0] + h[0] * h[0] * d[1]) / first
    end = (h[-1] * h[-1] * d[-2] + (2.0 * last + h[-1]) * h[-2] * d[-1]) / last
    return _tridiagonal([0.0, *lower, last], [h[1], *diagonal, h[-2]], [first, *upper, 0.0], [begin, *right, end])


def _periodic(h: list[float], d: list[float]) -> list[float]:
    """The same equation at every point, where the last point is the first: a tridiagonal system with two corner entries
    (Sherman and Morrison)."""
    lower, diagonal, upper, right = _inside([h[-1], *h], [d[-1], *d])
    corner = -diagonal[0]
    trimmed = [diagonal[0] - corner, *diagonal[1:-1], diagonal[-1] - lower[0] * upper[-1] / corner]
    plain = _tridiagonal(lower, trimmed, upper, right)
    effect = _tridiagonal(lower, trimmed, upper, [corner, *[0.0] * (len(right) - 2), upper[-1]])
    ratio = lower[0] / corner
    share = (plain[0] + ratio * plain[-1]) / (1.0 + effect[0] + ratio * effect[-1])
    m = [a - share * b for a, b in zip(plain, effect, strict=True)]
    return [*m, m[0]]


def _inside(h: list[float], d: list[float]) -> tuple[list[float], list[float], list[float], list[float]]:
    pairs = list(pairwise(h))
    right = [3.0 * (b * left + a * ahead) for (a, b), left, ahead in zip(pairs, d, d[1:], strict=False)]
    return [b for _, b in pairs], [2.0 * (a + b) for a, b in pairs], [a for a, _ in pairs], right


def _tridiagonal(lower: list[float], diagonal: list[float], upper: list[float], right: list[float]) -> list[float]:
    """Solves a tridiagonal system; the first of `lower` and the last of `upper` are not used."""
    pivots, values = [diagonal[0]], [right[0]]
    for i in range(1, len(right)):
        factor = lower[i] / pivots[-1]
        pivots.append(diagonal[i] - factor * upper[i - 1])
        values.append(right[i] - factor * values[-1])
    found = [values[-1] / pivots[-1]]
    for i in range(len(right) - 2, -1, -1):
        found.append((values[i] - upper[i] * found[-1]) / pivots[i])
    return found[::-1]


def add_table(tables: dict[str, Table], table: Table) -> str:
    """Adds a table to others, under a name that no other one has; returns its law of time."""
    name, count = table.name, 1
    while name in tables and tables[name] != msgspec.structs.replace(table, name=name):
        count += 1
        name = f"{table.name} {count}"
    tables[name] = msgspec.structs.replace(table, name=name)
    return f"`{name}`(t)"
