"""A mechanism as Drake's MultibodyPlant."""

from __future__ import annotations

from typing import Any

import numpy as np

from grashof.engines.loads import Loads
from grashof.model.bodies import GROUND
from grashof.model.fields import body_of
from grashof.model.forces import Force
from grashof.model.joints import Joint
from grashof.situation import Freedom, Situation
from grashof.situation.cuts import cut_at, meeting, parts
from grashof.situation.motion import Moment, Motion
from grashof.situation.tree import joint_speeds


class Plant:
    """A situation as Drake's MultibodyPlant."""

    def __init__(self, situation: Situation, step: float) -> None:
        from pydrake.multibody.plant import DiscreteContactApproximation, MultibodyPlant
        from pydrake.systems.framework import DiagramBuilder

        self.situation = situation
        builder = DiagramBuilder()
        self.plant = plant = builder.AddSystem(MultibodyPlant(step))
        if step > 0.0:
            plant.set_discrete_contact_approximation(DiscreteContactApproximation.kSap)
        plant.mutable_gravity_field().set_gravity_vector(situation.gravity)
        self.bodies = {GROUND: plant.world_body()}
        self.masses, self.inertias = parts(situation)
        self.number = 0
        for link in situation.tree:
            self.bodies[link.body] = self.hang(link.body, link.body, link.parent, link.freedoms)
        for joint in situation.closures:
            self.close(joint)
        rest = [force for force in situation.model.forces if not self.add_spring(force)]
        self.constant = self.constant_forces(rest)
        plant.Finalize()
        self.loads: Loads | None = None
        if self.constant is None:
            names = {force.name for force in rest}
            self.loads = Loads(situation, tuple(force for force in situation.original.forces if force.name in names))
            applied = builder.AddSystem(_force_system(self, self.loads))
            builder.Connect(plant.get_state_output_port(), applied.get_input_port())
            builder.Connect(applied.get_output_port(), plant.get_applied_spatial_force_input_port())
        self.diagram = builder.Build()

    # -- running

    def start(self, root: Any) -> Any:
        """Places the bodies in their initial positions, and returns the context of the plant."""
        plant = self.plant
        context = plant.GetMyMutableContextFromRoot(root)
        if self.constant:
            plant.get_applied_spatial_force_input_port().FixValue(context, self.constant)
        plant.SetVelocities(context, self.speeds(context))
        return context

    def speeds(self, context: Any) -> np.ndarray:
        """Joint speeds from the bodies' velocities."""
        from pydrake.multibody.tree import JacobianWrtVariable

        s, plant = self.situation, self.plant
        world = plant.world_frame()
        found = [
            plant.CalcJacobianSpatialVelocity(
                context, JacobianWrtVariable.kV, self.bodies[name].body_frame(), np.zeros(3), world, world
            )
            for name in s.bodies
        ]
        return joint_speeds(s, [np.roll(jacobian, 3, axis=0) for jacobian in found])  # Drake has rotations first

    def motion(self, times: np.ndarray, states: np.ndarray) -> Motion:
        """The bodies' motion from the plant's states."""
        context = self.plant.CreateDefaultContext()

        def moment(state: np.ndarray) -> Moment:
            self.plant.SetPositionsAndVelocities(context, state)
            return self.moment(context)

        return Motion.gather(times, map(moment, states))

    def moment(self, context: Any) -> Moment:
        """The positions and velocities of the bodies in a state of the plant."""
        bodies = [self.bodies[name] for name in self.situation.bodies]
        places = [self.plant.EvalBodyPoseInWorld(context, body) for body in bodies]
        moving = [self.plant.EvalBodySpatialVelocityInWorld(context, body) for body in bodies]
        return (
            np.array([x.translation() for x in places]),
            np.array([x.rotation().matrix() for x in places]),
            np.array([v.translational() for v in moving]),
            np.array([v.rotational() for v in moving]),
        )

    # -- building

    def name(self) -> str:
        self.number += 1
        return f"part {self.number}"

    def hang(self, name: str, body: str, parent: str, freedoms: tuple[Freedom, ...]) -> Any:
        """Attaches a body, or a part of it, to its parent by one joint for each degree of freedom, with massless
        bodies between them."""
        from pydrake.multibody.tree import SpatialInertia, UnitInertia

        s, plant = self.situation, self.plant
        above, above_at = self.bodies[parent], parent
        for k, freedom in enumerate(freedoms or (None,)):
            last = k + 1 >= len(freedoms)
            inertia = self.inertia(body) if last else SpatialInertia(0.0, np.zeros(3), UnitInertia(0.0, 0.0, 0.0))
            below = plant.AddRigidBody(name if last else self.name(), inertia)
            place = s.pose(body)[0] if freedom is None or freedom.kind == "slide" else freedom.through
            plant.AddJoint(
                _joint(self.name(), freedom, self.frame(above, above_at, place), self.frame(below, body, place))
            )
            above, above_at = below, body
        return above

    def inertia(self, body: str) -> Any:
        from pydrake.multibody.tree import RotationalInertia, SpatialInertia

        k = self.situation.index[body]
        (xx, xy, xz), (_, yy, yz), (_, _, zz) = self.inertias[k]
        central = RotationalInertia(xx, yy, zz, xy, xz, yz)
        return SpatialInertia.MakeFromCentralInertia(float(self.masses[k]), self.situation.centers[k], central)

    def frame(self, part: Any, body: str, place: np.ndarray) -> Any:
        """A frame of a part whose initial position is that of the body: at a given place, parallel to the world
        axes."""
        from pydrake.math import RigidTransform, RotationMatrix
        from pydrake.multibody.tree import FixedOffsetFrame

        origin, axes = self.situation.pose(body)
        offset = RigidTransform(RotationMatrix(axes.T), axes.T @ (place - origin))
        return self.plant.AddFrame(FixedOffsetFrame(self.name(), part.body_frame(), offset))

    def close(self, joint: Joint) -> None:
        """Closes a loop: pins by coincident points, rods by distances, and other joints by a second part of the body
        that is welded to it."""
        from pydrake.math import RigidTransform

        s, plant = self.situation, self.plant
        if cut := cut_at(joint):
            body, other = cut
            part = self.hang(f"{body}, at {joint.name}", body, other, s.freedoms(body, joint))
            plant.AddWeldConstraint(part, RigidTransform(), self.bodies[body], RigidTransform())
            return
        first, second = (self.bodies[body] for body in joint.bodies)
        for place_a, place_b in meeting(s, joint):
            if joint.rod is not None:
                plant.AddDistanceConstraint(first, place_a, second, place_b, joint.rod)
            else:
                plant.AddBallConstraint(first, place_a, second, place_b)

    def add_spring(self, force: Force) -> bool:
        """Adds a spring as an element of Drake, whose rest length must be positive."""
        from pydrake.multibody.tree import LinearSpringDamper

        if (element := force.element()) is None or element.kind != "spring" or force.varies or element.length <= 0.0:
            return False
        ends = ((self.bodies[body_of(p)], np.array(self.situation.model.points[p])) for p in element.points)
        (first, place_a), (second, place_b) = ends
        k, length, c = map(force.number, force.laws())
        law = (length, k, c)
        self.plant.AddForceElement(LinearSpringDamper(first, place_a, second, place_b, *law))
        return True

    def constant_forces(self, forces: list[Force]) -> list[Any] | None:
        """Forces that are constant in world axes, as external forces of Drake; None if one of them is not constant."""
        s = self.situation
        acting: list[tuple[str, np.ndarray, np.ndarray, np.ndarray]] = []
        for force in forces:
            if force.varies:
                return None
            element = force.element()
            efforts = np.array([*map(force.number, force.laws())])
            if element is not None and element.kind == "load" and not element.follows:
                (point,) = element.points
                acting.append((body_of(point), np.array(s.model.points[point]), np.zeros(3), efforts))
                continue
            measure = None if element is None or element.kind != "drive" else s.model.all_measures.get(element.measure)
            if measure is None or measure.motion is None or not (s.planar and s.coaxial(measure)):
                return None
            torque = efforts[0] * s.axis_of(measure.motion, *measure.bodies)
            for body, sign in zip(measure.bodies[::-1], (1.0, -1.0), strict=True):
                acting.append((body, np.zeros(3), sign * torque, np.zeros(3)))
        return [
            _applied_force(self.bodies[body], place, torque, push)
            for body, place, torque, push in acting
            if body != GROUND
        ]


def _joint(name: str, freedom: Freedom | None, above: Any, below: Any) -> Any:
    from pydrake.math import RigidTransform
    from pydrake.multibody import tree

    if freedom is None:
        return tree.WeldJoint(name, above, below, RigidTransform())
    match freedom.kind:
        case "turn":
            return tree.RevoluteJoint(name, above, below, freedom.axis)
        case "slide":
            return tree.PrismaticJoint(name, above, below, freedom.axis)
        case "ball":
            return tree.BallRpyJoint(name, above, below)
    return tree.QuaternionFloatingJoint(name, above, below)


def _force_system(plant: Plant, loads: Loads) -> Any:
    """A Drake system that evaluates our forces: its input is the state of the plant, its output the forces on the
    bodies."""
    from pydrake.common.value import Value
    from pydrake.multibody.plant import ExternallyAppliedSpatialForce
    from pydrake.systems.framework import LeafSystem

    inner = plant.plant.CreateDefaultContext()

    class Applied(LeafSystem):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.DeclareVectorInputPort("state", plant.plant.num_multibody_states())
            self.DeclareAbstractOutputPort("forces", lambda: Value[list[ExternallyAppliedSpatialForce]](), self.forces)

        def forces(self, context: Any, output: Any) -> None:
            plant.plant.SetPositionsAndVelocities(inner, self.get_input_port().Eval(context))
            wrenches = loads(plant.situation.time + context.get_time(), *plant.moment(inner))
            output.set_value(
                [
                    _applied_force(plant.bodies[name], np.zeros(3), wrench[3:], wrench[:3])
                    for name, wrench in zip(plant.situation.bodies, wrenches, strict=True)
                ]
            )

    return Applied()


def _applied_force(part: Any, place: np.ndarray, torque: np.ndarray, push: np.ndarray) -> Any:
    """A force at a point of a body and a torque, both in world axes; the point is given in the axes of the body."""
    from pydrake.multibody.math import SpatialForce
    from pydrake.multibody.plant import ExternallyAppliedSpatialForce

    applied = ExternallyAppliedSpatialForce()
    applied.body_index = part.index()
    applied.p_BoBq_B = place
    applied.F_Bq_W = SpatialForce(torque, push)
    return applied
