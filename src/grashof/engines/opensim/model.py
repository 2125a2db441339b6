"""A mechanism as a model of OpenSim: bodies, joints, and constraints that close the loops."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from grashof.engines.situation import Freedom, Situation
from grashof.engines.tree import TreeCoordinate, start_rates
from grashof.model import joints as kinds
from grashof.model.bodies import GROUND
from grashof.model.fields import Vector, cross, perpendicular
from grashof.model.joints import Joint


class Built:
    """Writes a situation as a model of OpenSim. Parts get names of our own: OpenSim's may not have dots or slashes."""

    def __init__(self, situation: Situation) -> None:
        import opensim

        self.situation = situation
        self.model = opensim.Model()
        self.model.setGravity(opensim.Vec3(*situation.gravity))
        self.bodies = {GROUND: self.model.getGround()}
        self.coordinates: list[list[Any]] = []
        inertias = situation.positive_inertias()
        for k, name in enumerate(situation.bodies):
            self.bodies[name] = self.body(f"body{k}", situation.masses[k], situation.centers[k], inertias[k])
        for number, (link, rates) in enumerate(zip(situation.tree, start_rates(situation), strict=True)):
            own = self.hang(f"joint{number}", link.body, link.parent, link.freedoms)
            for coordinate, rate in zip(own, rates, strict=True):
                coordinate.setDefaultSpeedValue(float(rate))
            self.coordinates.append(own)
        for joint in situation.closures:
            self.close(joint)

    def ready(self) -> tuple[Any, np.ndarray]:
        """The state at the start, and the places of the tree's coordinates among Simbody's."""
        import opensim

        state = self.model.initSystem()
        state.setTime(self.situation.time)
        marked = opensim.State(state)
        coordinates = [coordinate for own in self.coordinates for coordinate in own]
        for k, coordinate in enumerate(coordinates):
            coordinate.setValue(marked, 1.0 + k, False)
        # balls have a fourth place, which their angles leave at zero
        places = np.argsort(marked.getQ().to_numpy(), kind="stable")
        return state, places[len(places) - len(coordinates) :]

    def body(self, name: str, mass: float, center: np.ndarray, inertia: np.ndarray) -> Any:
        import opensim

        (xx, xy, xz), (_, yy, yz), (_, _, zz) = inertia
        made = opensim.Body(name, mass, opensim.Vec3(*center), opensim.Inertia(xx, yy, zz, xy, xz, yz))
        self.model.addBody(made)
        return made

    def hang(self, name: str, body: str, parent: str, freedoms: tuple[Freedom, ...]) -> list[Any]:
        """Hangs a body on its parent, with a massless body between two joints; the coordinates are those of `elementary`."""
        import opensim

        s = self.situation
        above, above_pose, found = self.bodies[parent], s.pose(parent), []
        joints = _joints(freedoms, s.pose(body)[0])
        for k, (kind, place, axes, order) in enumerate(joints):
            last = k + 1 == len(joints)
            below = self.bodies[body] if last else self.body(f"{name}_{k}", 0.0, np.zeros(3), np.zeros((3, 3)))
            joint = getattr(opensim, kind)(
                f"{name}_{kind}{k}", above, *_frame(above_pose, place, axes), below, *_frame(s.pose(body), place, axes)
            )
            self.model.addJoint(joint)
            found += [joint.get_coordinates(i) for i in order]
            above, above_pose = below, s.pose(body)
        return found

    def close(self, joint: Joint) -> None:
        """Closes a loop with as few equations as OpenSim's constraints allow."""
        import opensim

        s, (a, b) = self.situation, joint.bodies
        place_a, place_b = (np.array(s.model.points[p]) for p in (joint.a, joint.b))
        reach = s.system.length

        def meet() -> None:
            self.constrain(opensim.PointConstraint(self.bodies[a], vec(place_a), self.bodies[b], vec(place_b)))

        def on_line(axis: Vector, offset_a: np.ndarray | None = None, offset_b: np.ndarray | None = None) -> None:
            start = place_a if offset_a is None else place_a + offset_a
            follower = place_b if offset_b is None else place_b + offset_b
            line = (self.bodies[a], vec(axis), vec(start), self.bodies[b], vec(follower))
            self.constrain(opensim.PointOnLineConstraint(*line))

        def along(axis: Vector) -> np.ndarray:
            return reach * np.array(axis)

        match joint:
            case kinds.Revolute():
                if not s.planar:
                    meet()
                on_line(joint.axis_a, offset_b=None if s.planar else along(joint.axis_b))
            case kinds.Spherical():
                meet()
            case kinds.Universal():
                meet()
                self.rod(a, place_a + along(joint.axis_a), b, place_b + along(joint.axis_b), math.sqrt(2.0) * reach)
            case kinds.Distance():
                self.rod(a, place_a, b, place_b, joint.length)
            case kinds.Weld():
                frames = (
                    _frame((np.zeros(3), np.eye(3)), place, np.column_stack([x, n, cross(x, n)]))
                    for place, x, n in (
                        (place_a, joint.axis_a, joint.normal_a),
                        (place_b, joint.axis_b, joint.normal_b),
                    )
                )
                first, second = frames
                self.constrain(opensim.WeldConstraint("weld", self.bodies[a], *first, self.bodies[b], *second))
            case kinds.PinInSlot():
                on_line(joint.axis_a)
            case kinds.Cylindrical() | kinds.Slider():
                on_line(joint.axis_a)
                on_line(joint.axis_a, offset_b=along(joint.axis_b))
                if isinstance(joint, kinds.Slider) and not s.planar:
                    on_line(joint.axis_a, along(joint.normal_a), along(joint.normal_b))

    def rod(self, a: str, place_a: np.ndarray, b: str, place_b: np.ndarray, length: float) -> None:
        import opensim

        ends = (self.bodies[a], vec(place_a), self.bodies[b], vec(place_b))
        self.constrain(opensim.ConstantDistanceConstraint(*ends, length))

    def constrain(self, constraint: Any) -> None:
        constraint.setName(f"constraint{self.model.getConstraintSet().getSize()}")
        self.model.addConstraint(constraint)

    def coordinate(self, found: TreeCoordinate) -> Any:
        return self.coordinates[found.link][found.freedom]


def _joints(
    freedoms: tuple[Freedom, ...], origin: np.ndarray
) -> list[tuple[str, np.ndarray, np.ndarray, tuple[int, ...]]]:
    """OpenSim's joints: kind, place and axes of their frames at the start in the world, coordinates in the order of `elementary`.

    Pins turn about z, sliders slide along x, a planar joint does both; OpenSim has turns before slides.
    """
    found: list[tuple[str, np.ndarray, np.ndarray, tuple[int, ...]]] = []
    match [f.kind for f in freedoms]:
        case []:
            return [("WeldJoint", origin, np.eye(3), ())]
        case ["slide", "slide", "turn"]:
            x, y, z = freedoms
            return [("PlanarJoint", z.through, np.column_stack([x.axis, y.axis, z.axis]), (1, 2, 0))]
    for freedom in freedoms:
        match freedom.kind:
            case "ball":
                found.append(("BallJoint", freedom.through, np.eye(3), (0, 1, 2)))
            case "free":
                found.append(("FreeJoint", freedom.through, np.eye(3), (3, 4, 5, 0, 1, 2)))
            case kind:
                side = np.array(perpendicular(tuple(freedom.axis)))
                third = np.cross(freedom.axis, side)
                if kind == "turn":
                    axes = np.column_stack([side, third, freedom.axis])
                    found.append(("PinJoint", freedom.through, axes, (0,)))
                else:
                    axes = np.column_stack([freedom.axis, side, third])
                    found.append(("SliderJoint", origin, axes, (0,)))
    return found


def _frame(pose: tuple[np.ndarray, np.ndarray], place: np.ndarray, axes: np.ndarray) -> tuple[Any, Any]:
    """Place and body-fixed angles x, y, z of a frame in a body at `pose`, both given in world axes."""
    origin, own = pose
    r = own.T @ axes
    z = math.atan2(-r[0, 1], r[0, 0])
    y = math.atan2(r[0, 2], math.hypot(r[0, 0], r[0, 1]))
    # x from what is left: well defined where y is a quarter turn, too
    x = math.atan2(
        r[2, 0] * math.sin(z) + r[2, 1] * math.cos(z),
        r[1, 0] * math.sin(z) + r[1, 1] * math.cos(z),
    )
    return vec(own.T @ (place - origin)), vec((x, y, z))


def vec(values: Vector | np.ndarray | tuple[float, float, float]) -> Any:
    import opensim

    return opensim.Vec3(*(float(x) for x in values))
