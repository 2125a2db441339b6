"""Steps along a configuration curve, through a singular position at which branches of the motion touch.

There the constraints determine neither the branch nor the accelerations. But with one degree of freedom the curve itself determines both: on q(u) (see
`singular.curves`), the accelerations follow from the forces along the tangent, in which no constraint force acts. Such steps are made by collocation, with as
many points as convergence requires, until the mechanism has left the neighbourhood of the singular position on either side of it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import numpy as np

from grashof.formulation.layout import Sizes
from grashof.integrate.collocation import TINY, Crossing, Flow, Vector, converged
from grashof.singular.curves import Continuation, Unknown

INTO, LEAVES = 0.7, 0.95
"""Where to enter the curve, and where to leave it: fractions of the way from the gap to its end."""

CAREFUL = 1e-8
"""The largest step tolerance on the way to the curve: the motion must not leave its branch there."""

BRIEFLY, LONGEST, SHORTER, ATTEMPTS = 0.99, 0.3, 0.5, 12
"""The length of a step is the first fraction of the time to its goal at the present rate, or the time for the second fraction of the curve, if that is
less. One that does not converge is repeated with the third fraction of its length, at most so many times."""

AT_END = 0.02
"""The end of a curve is reached if less than this fraction of the gap around the singular position is left."""


ON_CURVE, SAME = 1e-8, 1e-2
"""A position is on a known curve, or at a place where no singular position was found before, if no coordinate differs by more than these fractions of
the mechanism's length."""


class Scale(Protocol):
    """The permitted errors of a run."""

    @property
    def tolerance(self) -> float: ...

    @property
    def error(self) -> Callable[[Vector], float]: ...


class Forces(Protocol):
    """The forces of a mechanism."""

    def acceleration_along(self, curve: Continuation, t: float, y: Vector) -> Vector:
        """The accelerations on a curve."""


class CurveFlow:
    """The equations of motion on a curve."""

    def __init__(self, flow: Flow, forces: Forces, curve: Continuation) -> None:
        self.flow, self.forces, self.curve, self.sizes = flow, forces, curve, flow.sizes

    def derivative(self, t: float, y: Vector) -> Vector:
        if not np.all(np.isfinite(y)):
            return np.full(self.sizes.rates, np.nan)
        rates = self.flow.derivative(t, y)
        rates[self.sizes.of_a] = self.forces.acceleration_along(self.curve, t, y)
        return rates

    def projected(self, t: float, y: Vector) -> Vector:
        """The state on the curve with the same u and its rate; not a number where the curve is not known."""
        sizes, u = self.sizes, self.curve.of(y[self.sizes.of_q])
        if not self.curve.low <= u <= self.curve.high:
            return np.full_like(y, np.nan)
        q, once, _ = self.curve.at(u)
        on = np.concatenate([q, once * float(self.curve.along @ y[sizes.of_v]), y[sizes.of_e]])
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

    def step(self, t: float, y: Vector, forward: float, scale: Scale) -> Crossing | None:
        """The next step; None if the mechanism has left the neighbourhood, or if no step converges."""
        curve, (u, rate) = self.curve, self._place(y)
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
            found = converged(
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

    def inside(self, y: Vector) -> bool:
        """Whether a state is so near to the singular position that the constraints alone do not determine the motion."""
        return abs(self._place(y)[0]) < self.curve.gap

    def _place(self, y: Vector) -> tuple[float, float]:
        """u and its rate."""
        sizes = self.along.sizes
        return self.curve.of(y[sizes.of_q]), float(self.curve.along @ y[sizes.of_v])


class Curves:
    """The configuration curves that a run has met: each is looked for once.

    find   finds the curve ahead of a state at a time, in a direction of time; None if there is no singular position, and it raises `Unknown`
    lost   whether one was unknown: the motion is uncertain since then
    left   when the run left a curve for the last time, s
    """

    def __init__(
        self, find: Callable[[float, Vector, float], Continuation | None], sizes: Sizes, length: float
    ) -> None:
        self._find, self._sizes, self._length = find, sizes, length
        self._known: list[Continuation] = []
        self._regular: list[Vector] = []
        self.lost = False
        self.left: float | None = None

    def ahead(self, t: float, y: Vector, forward: float) -> Continuation | None:
        """The curve ahead of a state; None also if the mechanism has passed it, or if an earlier one was unknown."""
        if self.left is not None and (t - self.left) * forward < 0.0:
            return None
        q, v = y[self._sizes.of_q], forward * y[self._sizes.of_v]
        for curve in self._known:
            u = curve.of(q)
            if curve.low < u < -curve.gap and curve.along @ v > 0.0 and self._same(curve.at(u)[0], q, ON_CURVE):
                return curve
        if self.lost or any(self._same(place, q, SAME) for place in self._regular):
            return None
        try:
            found = self._find(t, y, forward)
        except Unknown:
            self.lost = True
            raise
        if found is None:
            self._regular.append(q.copy())
        else:
            self._known.append(found)
        return found

    def _same(self, a: Vector, b: Vector, within: float) -> bool:
        return float(np.max(np.abs(a - b))) < within * self._length
