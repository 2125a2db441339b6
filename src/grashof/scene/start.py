"""A mechanism where it starts: what its symbols are placed by."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from grashof.model import joints as jointed
from grashof.model.bodies import GROUND
from grashof.model.couplings import Normal, Rack
from grashof.model.fields import body_of
from grashof.model.measures import Angle, Measure
from grashof.model.model import Model
from grashof.scene import types

Array = np.ndarray

AXIS = (0.0, 0.0, 1.0)
"""What everything in the plane turns about."""

PARALLEL = 1e-6
"""Axes are parallel if the sine of the angle between them is less."""


Travel = Callable[[types.Spot, types.Spot, int, types.Vec3], tuple[float, float]]
"""From where to where a place goes from another one along a direction of a body during the motion, with some room."""


def space(vector: Sequence[float] | Array) -> types.Vec3:
    """Three components."""
    x, y, z = (*(float(c) for c in vector), 0.0, 0.0, 0.0)[:3]
    return x, y, z


@dataclass(frozen=True)
class Start:
    """A mechanism and where its bodies are: origins (bodies, 3) and axes (bodies, 3, 3) as columns, in world axes, the ground being the first of them."""

    model: Model
    origins: Array
    axes: Array
    travel: Travel

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The bodies' numbers."""
        return {GROUND: 0} | {body.name: k for k, body in enumerate(self.model.bodies, 1)}

    @cached_property
    def contacts(self) -> set[str]:
        """Bodies without mass that stand for the contact of a roller or a flat face with a curve, and are not seen."""
        masses = {body.name: body.mass for body in self.model.bodies}
        touching = {body_of(coupling.point) for coupling in self.model.couplings if isinstance(coupling, Normal)}
        return {name for name in touching if not masses.get(name, 1.0)}

    @cached_property
    def tracks(self) -> set[str]:
        """Names of the slots that hold the centres of rolling wheels: a rack has the same name, and no slot is seen."""
        slots = {joint.name for joint in self.model.joints if isinstance(joint, jointed.PinInSlot)}
        return slots & {coupling.name for coupling in self.model.couplings if isinstance(coupling, Rack)}

    def spot(self, point: str) -> types.Spot:
        """A named point as a place on its body."""
        return types.Spot(self.numbers[body_of(point)], space(self.model.points[point]))

    def world(self, spot: types.Spot) -> Array:
        """Where a place is, in world axes."""
        return np.asarray(self.origins[spot.body] + self.axes[spot.body] @ np.array(spot.at))

    def direction(self, body: int, local: types.Vec3) -> Array:
        """A direction of a body, in world axes."""
        return np.asarray(self.axes[body] @ np.array(local))

    def local(self, body: int, direction: Array) -> types.Vec3:
        """A direction in world axes, in those of a body."""
        return space(self.axes[body].T @ direction)

    def local_spot(self, body: int, place: Array) -> types.Spot:
        """A place in world axes as one of a body."""
        return types.Spot(body, self.local(body, place - self.origins[body]))

    def pivot(self, measure: Measure | None, holder: str | None = None) -> tuple[types.Spot, types.Vec3] | None:
        """Where a body turns, and its axis: at the pin that joins it to its holder or to the reference of its angle, else at its first pin, else at its first
        point; None of what is no angle."""
        if not isinstance(measure, Angle):
            return None
        number = self.numbers[measure.body]
        own = [joint for joint in self.model.joints if measure.body in joint.bodies]
        turning = [joint for joint in own if isinstance(joint, jointed.Revolute | jointed.Cylindrical)]
        turning.sort(key=lambda joint: (holder not in joint.bodies, measure.reference not in joint.bodies))
        for joint in turning:
            first = joint.bodies[0] == measure.body
            axis = joint.axis_a if first else joint.axis_b
            return self.spot(joint.a if first else joint.b), space(axis) if axis else AXIS
        point = next((name for name in self.model.points if body_of(name) == measure.body), None)
        place = types.Spot(number, (0.0, 0.0, 0.0)) if point is None else self.spot(point)
        if not measure.axis:
            return place, AXIS
        return place, self.local(number, self.direction(self.numbers[measure.reference], space(measure.axis)))


def perpendicular(axis: Array) -> Array:
    """A unit vector at right angles to an axis."""
    normal = np.cross(axis, np.eye(3)[int(np.argmin(np.abs(axis)))])
    return np.asarray(normal / np.linalg.norm(normal))
