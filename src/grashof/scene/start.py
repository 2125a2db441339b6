"""A mechanism at its start, from which its symbols are placed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from grashof.model.bodies import GROUND
from grashof.model.fields import body_of
from grashof.model.measures import Measure
from grashof.model.model import Model
from grashof.scene import types

Array = np.ndarray

AXIS = (0.0, 0.0, 1.0)
"""The axis of all rotations in the plane."""

PARALLEL = 1e-6
"""Axes are parallel if the sine of the angle between them is smaller than this."""


Spans = Callable[[types.Spot, types.Spot], tuple[float, float]]
"""The smallest and the largest distance of two places during the motion."""

Value = Callable[[Measure], float]
"""The value of a measure at the first frame; of an angle, within ±π."""


class Travel(Protocol):
    """The range of one place relative to another, along a direction of a body, during the motion; with a margin."""

    def __call__(
        self, a: types.Spot, b: types.Spot, body: int, axis: types.Vec3, *, margin: float = 0.1
    ) -> tuple[float, float]: ...


def space(vector: Sequence[float] | Array) -> types.Vec3:
    """A vector with three components; those that are missing are zero."""
    x, y, z = (*(float(c) for c in vector), 0.0, 0.0, 0.0)[:3]
    return x, y, z


@dataclass(frozen=True)
class SceneStart:
    """A mechanism and the poses of its bodies, beginning with the ground.

    origins   in world axes, (bodies, 3)
    axes      as columns, in world axes, (bodies, 3, 3)
    """

    model: Model
    origins: Array
    axes: Array
    travel: Travel
    spans: Spans
    value: Value

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of each body, by name."""
        return {GROUND: 0} | {body.name: k for k, body in enumerate(self.model.bodies, 1)}

    @cached_property
    def contacts(self) -> set[str]:
        """Massless bodies that represent the contact of a roller or a flat face with a curve, and are not drawn."""
        masses = {body.name: body.mass for body in self.model.bodies}
        touching = {body_of(point) for coupling in self.model.couplings if (point := coupling.contact_point)}
        return {name for name in touching if not masses.get(name, 1.0)}

    @cached_property
    def tracks(self) -> dict[str, float]:
        """The radii of rolling wheels, by the names of the slots that guide their centres. A rack has the same name;
        the slot is not drawn."""
        slots = {joint.name for joint in self.model.joints if joint.symbol == "slot"}
        rolling = {coupling.name: coupling.rolling_radius for coupling in self.model.couplings}
        return {name: float(radius) for name, radius in rolling.items() if name in slots and radius is not None}

    def spot(self, point: str) -> types.Spot:
        """A named point as a place on its body."""
        return types.Spot(self.numbers[body_of(point)], space(self.model.points[point]))

    def world(self, spot: types.Spot) -> Array:
        """The position of a place, in world axes."""
        return np.asarray(self.origins[spot.body] + self.axes[spot.body] @ np.array(spot.at))

    def direction(self, body: int, local: types.Vec3) -> Array:
        """A direction of a body, in world axes."""
        return np.asarray(self.axes[body] @ np.array(local))

    def local(self, body: int, direction: Array) -> types.Vec3:
        """A direction given in world axes, in the axes of a body."""
        return space(self.axes[body].T @ direction)

    def local_spot(self, body: int, place: Array) -> types.Spot:
        """A position given in world axes, as a place on a body."""
        return types.Spot(body, self.local(body, place - self.origins[body]))

    def pivot(self, measure: Measure | None, holder: str | None = None) -> tuple[types.Spot, types.Vec3] | None:
        """The centre and the axis of a body's rotation.

        The centre is the pin that joins the body to its holder or to the reference of its angle; if there is none, its
        first pin, or otherwise its first point. None if the measure is not an angle.
        """
        turn = None if measure is None else measure.motion
        if measure is None or turn is None or turn.kind != "turn":
            return None
        reference, body = measure.bodies
        number = self.numbers[body]
        axles = [(joint, joint.axle) for joint in self.model.joints if joint.axle and body in joint.bodies]
        axles.sort(key=lambda found: (holder not in found[0].bodies, reference not in found[0].bodies))
        for joint, axle in axles:
            first = joint.bodies[0] == body
            axis = axle.axis_a if first else axle.axis_b
            return self.spot(joint.a if first else joint.b), space(axis) if axis else AXIS
        point = next((name for name in self.model.points if body_of(name) == body), None)
        place = types.Spot(number, (0.0, 0.0, 0.0)) if point is None else self.spot(point)
        if not turn.axis_a:
            return place, AXIS
        return place, self.local(number, self.direction(self.numbers[reference], space(turn.axis_a)))


def perpendicular(axis: Array) -> Array:
    """A unit vector perpendicular to an axis."""
    normal = np.cross(axis, np.eye(3)[int(np.argmin(np.abs(axis)))])
    return np.asarray(normal / np.linalg.norm(normal))
