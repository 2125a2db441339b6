"""Length of a path through points and around pulleys."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated

from grashof.common.errors import ModelError
from grashof.model.fields import Fields, Scalars, body_of, difference, dot
from grashof.model.measures.base import MeasureBase
from grashof.model.units import NUMBERED, Length
from grashof.model.validation import check_point
from grashof.scalar.functions import Scalar, atan2, sqrt

if TYPE_CHECKING:
    from grashof.model.model import Model


class Path(MeasureBase, tag="path", frozen=True):
    """The length of a taut rope from the first point to the last, in m.

    Between points it is straight, L = |d|. In the plane it may pass around pulleys: circles about the intermediate
    points with signed radii ρ, positive where the rope passes counter-clockwise (with the centre on its left). With d
    from centre to centre and s = ρ₂ − ρ₁, the straight segment touches both circles, has the length L = √(d² − s²) and,
    as a complex number, the direction u = d (L − i s)/d². The arc on a pulley has the length |ρ| w, where w, from −π/2
    to 3π/2, is the angle by which u turns there.

    points   `body.point`, at least two
    radii    ρ of each point, zero at both ends; all zero by default
    """

    quadratic = False

    points: tuple[str, ...]
    radii: Annotated[tuple[Length, ...], NUMBERED] = ()

    @property
    def bodies(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(body_of(point) for point in self.points))

    @property
    def rope(self) -> list[tuple[str, float]]:
        return list(zip(self.points, self.radii or (0.0,) * len(self.points), strict=True))

    def check(self, owner: str, model: Model) -> None:
        if len(self.points) < 2:
            raise ModelError(f"{owner}: points is {list(self.points)}; a path has at least two.")
        for a, b in pairwise(self.points):
            if a == b:
                raise ModelError(f"{owner}: it goes from '{a}' to itself; leave one of them out.")
        if len(self.bodies) == 1:
            raise ModelError(f"{owner}: all its points are of one body, so that its length never changes; add others.")
        self._check_radii(owner, model.dimension)
        for reference in self.points:
            check_point(owner, reference, model)

    def _check_radii(self, owner: str, dimension: int) -> None:
        if not self.radii:
            return
        if len(self.radii) != len(self.points):
            raise ModelError(f"{owner}: there are {len(self.radii)} radii for {len(self.points)} points; give as many.")
        if any(self.radii) and dimension == 3:
            raise ModelError(f"{owner}: radii is {list(self.radii)}; pulleys with a radius are for the plane only.")
        if self.radii[0] or self.radii[-1]:
            raise ModelError(
                f"{owner}: radii is {list(self.radii)}; it must begin and end with 0, because a rope ends at "
                "points. A drum that winds "
                "the rope up is given as wound={drum: radius}."
            )

    def parts(self, fields: Fields) -> Scalars:
        """The vectors from each point to the next."""
        places = [fields.point(point) for point in self.points]
        return [x for a, b in pairwise(places) for x in difference(b, a)]

    def value(self, parts: Sequence[Scalar], near: Scalar | None = None) -> Scalar:
        size = len(parts) // (len(self.points) - 1)
        steps = [parts[i : i + size] for i in range(0, len(parts), size)]
        if not any(self.radii):
            return sum(sqrt(dot(d, d)) for d in steps)
        total: Scalar = 0.0
        before: tuple[Scalar, Scalar] | None = None
        for (x, y), (first, second) in zip(steps, pairwise(self.radii), strict=True):
            square, s = x * x + y * y, second - first
            length = sqrt(square - s * s)
            direction = (x * length + y * s) / square, (y * length - x * s) / square
            total = total + length
            if before is not None and first:
                total = total + abs(first) * _turn(before, direction, math.copysign(1.0, first))
            before = direction
        return total

    def miss(self, parts: Sequence[Scalar], value: Scalar, length: float) -> Scalar:
        return self.value(parts) - value


def _turn(before: tuple[Scalar, Scalar], after: tuple[Scalar, Scalar], sign: float) -> Scalar:
    """The angle from one unit vector to another, counter-clockwise if sign is 1, from −π/2 to 3π/2."""
    sine = before[0] * after[1] - before[1] * after[0]
    cosine = before[0] * after[0] + before[1] * after[1]
    return 0.5 * math.pi + atan2(-cosine, sign * sine)
