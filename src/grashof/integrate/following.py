"""Steps along a configuration curve, through a singular position at which branches of the motion touch.

There the constraints determine neither the branch nor the accelerations. But the curve determines both: on q(u) (see
`singular.curves` and `singular.curve_motion`), the accelerations follow from the forces along the tangent, in which no
constraint force acts, or from the motors. Such steps are made by collocation, with as many points as convergence
requires, until the mechanism has left the neighbourhood of the singular position on either side of it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import numpy as np

from grashof.formulation.layout import Sizes
from grashof.integrate.collocation import TINY, Crossing, Flow, Vector, converge_step
from grashof.singular.curves import Continuation, Unknown

INTO, LEAVES = 0.7, 0.95
"""Where to enter the curve, and where to leave it: fractions of the way from the gap to its end."""

CAREFUL = 1e-8
"""The largest step tolerance on the way to the curve: the motion must not leave its branch there."""

BRIEFLY, LONGEST, SHORTER, ATTEMPTS = 0.99, 0.3, 0.5, 12
"""The length of a step is the first fraction of the time to its goal at the present rate, or the time for the second
fraction of the curve, if that is less. One that does not converge is repeated with the third fraction of its length,
at most so many times."""

AT_END = 0.02
"""The end of a curve is reached if less than this fraction of the gap around the singular position is left."""


ON_CURVE, SAME, ALIKE = 1e-8, 1e-2, 0.9
"""A position is on a known curve, or at a place where none was found before, if no coordinate differs by more than
these fractions of the mechanism's length; velocities are alike if the cosine of the angle between them is at least
the third number."""


class CurveScale(Protocol):
    """The permitted errors of a run."""

    @property
    def tolerance(self) -> float: ...

    @property
    def error(self) -> Callable[[Vector], float]: ...


class Guided(Protocol):
    """The equations of motion on a curve."""

    def rates(self, t: float, y: Vector, usual: Vector) -> Vector:
        """[a, ė] on the curve, given those that follow from all constraints."""

    def placed(self, t: float, y: Vector) -> Vector:
        """The state on the curve with the same u and its rate."""


class Forces(Protocol):
    """The forces of a mechanism."""

    def motion_along(self, curve: Continuation) -> Guided:
        """The equations of motion on a curve."""


class CurveFlow:
    """The equations of motion on a curve, where it is known."""

    def __init__(self, flow: Flow, forces: Forces, curve: Continuation) -> None:
        self.flow, self.motion, self.curve, self.sizes = flow, forces.motion_along(curve), curve, flow.sizes

    def derivative(self, t: float, y: Vector) -> Vector:
        if not np.all(np.isfinite(y)):
            return np.full(self.sizes.rates, np.nan)
        return self.motion.rates(t, y, self.flow.derivative(t, y))

    def projected(self, t: float, y: Vector) -> Vector:
        """The state on the curve with the same u and its rate; not a number where the curve is not known."""
        sizes = self.sizes
        if not self.curve.low <= self.curve.of(t, y[sizes.of_q]) <= self.curve.high:
            return np.full_like(y, np.nan)
        on = self.motion.placed(t, y)
        on[sizes.of_e] = self.flow.projected(t, on)[sizes.of_e]
        return on


class Following:
    """The steps from a state on the motion's own branch to the curve near the singular position, and along this curve.

    ends    when the mechanism arrives at the end of the curve, s, if it ends
    moved   whether a step was made
    time    when the next step begins, s
    """

    def __init__(self, flow: Flow, forces: Forces, curve: Continuation, time: float) -> None:
        self.flow, self.along, self.curve, self.time = flow, CurveFlow(flow, forces, curve), curve, time
        self.ends: float | None = None
        self.moved = False

    def step(self, t: float, y: Vector, forward: float, scale: CurveScale) -> Crossing | None:
        """The next step; None if the mechanism has left the neighbourhood, or if no step converges."""
        curve, (u, rate) = self.curve, self._place(t, y)
        ahead, left, goal = (
            rate * forward > 0.0,
            LEAVES * curve.low,
            LEAVES * curve.high if curve.passes else curve.high,
        )
        on_curve = u >= curve.low
        if not on_curve:
            goal = -curve.gap + INTO * (curve.low + curve.gap)
        way = goal - u if ahead else u - left
        if not way > AT_END * curve.gap:
            self.ends = t - u / rate if ahead and not curve.passes else None
            return None
        flow: Flow = self.along if on_curve else self.flow
        careful = 1.0 if on_curve else max(1.0, scale.tolerance / CAREFUL)
        rates = flow.derivative(t, y)
        length = forward * min(BRIEFLY * way, LONGEST * (curve.high - curve.low)) / max(abs(rate), TINY)
        for _ in range(ATTEMPTS):
            found = converge_step(
                flow,
                np.array([t]),
                y[None],
                length,
                lambda times: np.tile(rates, (len(times), 1)),
                lambda difference: careful * scale.error(difference),
            )
            if found is not None:
                self.moved = True
                return found[0]
            length *= SHORTER
        return None

    def inside(self, t: float, y: Vector) -> bool:
        """Whether a state is so near to the singular position that the constraints alone do not determine the
        motion."""
        return abs(self._place(t, y)[0]) < self.curve.gap

    def _place(self, t: float, y: Vector) -> tuple[float, float]:
        """u and its rate."""
        sizes = self.along.sizes
        return self.curve.of(t, y[sizes.of_q]), self.curve.rate(y[sizes.of_v])


class Curves:
    """The configuration curves that a run has met: each is looked for once.

    find   finds the curve ahead of a state at a time, in a direction of time; None if there is no singular position,
           and it raises `Unknown`
    lost   whether one that was passed was unknown: the motion is uncertain since then
    left   when the run left a curve for the last time, s
    """

    def __init__(
        self, find: Callable[[float, Vector, float], Continuation | None], sizes: Sizes, length: float
    ) -> None:
        self._find, self._sizes, self._length = find, sizes, length
        self._known: list[Continuation] = []
        self._regular: list[tuple[Vector, Vector]] = []
        self._unknown: list[tuple[Vector, Vector]] = []
        self.lost = False
        self.left: float | None = None

    def ahead(self, t: float, y: Vector, forward: float) -> Continuation | None:
        """The curve ahead of a state; None also if the mechanism has passed it, or if an earlier one was unknown."""
        if self.left is not None and (t - self.left) * forward < 0.0:
            return None
        q, v = y[self._sizes.of_q], y[self._sizes.of_v]
        for curve in self._known:
            u = curve.of(t, q)
            advances = curve.rate(v) * forward > 0.0
            if curve.low < u < -curve.gap and advances and self._same(curve.at(u)[0], q[curve.columns], ON_CURVE):
                return curve
        here = q, forward * v
        if self.lost or self._listed(here, self._regular):
            return None
        if self._listed(here, self._unknown):
            raise Unknown
        try:
            found = self._find(t, y, forward)
        except Unknown:
            self._unknown.append(here)
            raise
        if found is None:
            self._regular.append(here)
        else:
            self._known.append(found)
        return found

    def _listed(self, here: tuple[Vector, Vector], places: list[tuple[Vector, Vector]]) -> bool:
        """Whether a position and velocity is nearly one of those listed, with the same direction."""
        (q, v), size = here, float(np.linalg.norm(here[1]))
        return any(
            self._same(place, q, SAME) and way @ v >= ALIKE * size * float(np.linalg.norm(way)) for place, way in places
        )

    def _same(self, a: Vector, b: Vector, within: float) -> bool:
        return float(np.max(np.abs(a - b))) < within * self._length
