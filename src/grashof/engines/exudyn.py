"""Exudyn: bodies, markers and joints in redundant coordinates, implicit time integration in C++ (J. Gerstmayr, 2023)."""

from __future__ import annotations

import contextlib
import io
import math
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from grashof.engines.base import EngineFailed, Result, Setting, Stopwatch, installed_version
from grashof.engines.loads import Loads
from grashof.engines.motion import Motion
from grashof.engines.situation import Situation
from grashof.model.bodies import GROUND
from grashof.model.fields import Vector, body_of, cross, perpendicular
from grashof.model.forces import Force, PointForce, SpringDamper, Torque, TorsionSpring
from grashof.model.joints import (
    Cylindrical,
    Distance,
    Joint,
    PinInSlot,
    Plane,
    Revolute,
    Slider,
    Spherical,
    Universal,
    Weld,
)
from grashof.model.measures import Angle, Separation
from grashof.model.motors import Motor

STEPS = (250, 350, 500, 700, 1000, 1400, 2000, 2800, 4000, 5600, 8000, 12500, 16000, 22000, 32000)
"""The ladder: steps from the start to the end."""


class Exudyn:
    """Generalized-α by step size; in the plane with Exudyn's planar bodies and joints."""

    name = "exudyn"
    package = "exudyn"
    notes = (
        "Planar twin: where all motion is in one plane, planar bodies and joints (RigidBody2D, JointRevolute2D, JointPrismatic2D).",
        "In space: bodies with Euler parameters, JointGeneric; 1e-6 of a slender bar's inertia added about its own axis.",
        "Index 3, spectral radius 0.9, the module without range checks, one thread.",
        "In the plane one full Newton iteration a step; in space, and with forces in Python, modified Newton until it converges.",
        "Linear solver: EigenSparse with reuseAnalyzedPattern; EigenDense with ignoreSingularJacobian, as its documentation "
        "advises, where it counts redundant joint equations.",
        "Forces that it has no element for (user forces, torques about axes that are no joint's) are functions in Python.",
        "Between steps longer than the output's: cubic interpolation of coordinates and velocities.",
    )

    def version(self) -> str:
        return installed_version(self.package)

    def refuses(self, situation: Situation) -> str | None:
        model = situation.model
        for motor in model.motors:
            measure = model.all_measures[motor.target]
            if not isinstance(measure, Angle):
                return f"Motor '{motor.name}': Exudyn has no distance that follows a law of time."
            if not coaxial(situation, measure):
                return f"Motor '{motor.name}': Exudyn drives angles about the axis of a joint; '{motor.target}' is not one."
        return None

    def ladder(self, situation: Situation, t_end: float) -> tuple[Setting, ...]:
        span = t_end - situation.time
        return tuple(
            Setting(f"h = {span / steps:.3g} s", {"stepSize": span / steps, "spectralRadius": 0.9}) for steps in STEPS
        )

    def prepare(self, situation: Situation) -> PreparedExudyn:
        exudyn = imported()
        kind = Planar if situation.planar and _all_planar(situation) else Spatial
        try:
            translated = kind(situation, exudyn.SystemContainer())
            translated.build()
        except (RuntimeError, ValueError) as problem:
            raise EngineFailed(f"Exudyn: {problem}") from problem
        return PreparedExudyn(translated)


ENGINE = Exudyn()


def imported() -> Any:
    """The package, in the variant without range checks, quiet."""
    sys.exudynFast = True  # type: ignore[attr-defined]  # the way its documentation gives
    with contextlib.redirect_stdout(io.StringIO()):
        import exudyn
    exudyn.config.printToConsole = False
    exudyn.config.suppressWarnings = True
    return exudyn


def _all_planar(situation: Situation) -> bool:
    return all(
        isinstance(j, Revolute | Spherical | Slider | PinInSlot | Weld | Distance) for j in situation.model.joints
    )


def coaxial(situation: Situation, measure: object) -> bool:
    """Whether an angle is about an axis that both its bodies share for good."""
    if not isinstance(measure, Angle):
        return False
    axis = situation.heading(measure.reference, measure.axis)
    axes = [] if situation.normal is None else [situation.normal]
    for joint in situation.model.joints:
        if {measure.body, measure.reference} == set(joint.bodies) and isinstance(joint, Revolute | Cylindrical):
            axes.append(situation.heading(joint.bodies[0], joint.axis_a))
    return any(np.linalg.norm(np.cross(axis, other)) < 1e-9 for other in axes)


@dataclass
class Translated:
    """A situation as an Exudyn system; what planar and spatial bodies have in common."""

    situation: Situation
    container: Any
    objects: dict[str, Any] = field(default_factory=dict)
    nodes: dict[str, Any] = field(default_factory=dict)
    computed: list[Loads] = field(default_factory=list)

    def build(self) -> None:
        """Adds everything, and assembles."""
        import exudyn.itemInterface as items

        self.items = items
        self.system = self.container.AddSystem()
        self.objects[GROUND] = self.system.AddObject(items.ObjectGround())
        gravity = self.flat(self.situation.gravity)
        for k, name in enumerate(self.situation.bodies):
            self.nodes[name], self.objects[name] = self.add_body(k)
            if np.any(gravity):
                marker = self.system.AddMarker(items.MarkerBodyMass(bodyNumber=self.objects[name]))
                self.system.AddLoad(items.LoadMassProportional(markerNumber=marker, loadVector=gravity))
        for joint in self.situation.model.joints:
            self.add_joint(joint)
        for force in self.situation.model.forces:
            self.add_force(force)
        for motor in self.situation.model.motors:
            self.add_motor(motor)
        self.recorder: Callable[[float], None] = lambda t: None
        self.system.AddSensor(
            items.SensorUserFunction(sensorNumbers=[], factors=[], storeInternal=True, sensorUserFunction=self._record)
        )
        self.system.Assemble()
        freedom = self.system.ComputeSystemDegreeOfFreedom(verbose=False)
        self.redundant = freedom["redundantConstraints"] > 0

    @property
    def one_iteration(self) -> bool:
        """Whether one Newton iteration a step is enough: not with Euler parameters, nor with forces of unknown derivatives."""
        return isinstance(self, Planar) and not self.computed

    def _record(self, system: Any, t: float, sensors: Any, factors: Any, configuration: Any) -> list[float]:
        self.recorder(t)
        return [0.0]

    # -- what planar and spatial bodies do differently

    def flat(self, vector: np.ndarray) -> np.ndarray:
        """A world vector in Exudyn's world."""
        raise NotImplementedError

    def local(self, body: str, direction: np.ndarray) -> np.ndarray:
        """A world direction at the start in the axes of Exudyn's body."""
        raise NotImplementedError

    def add_body(self, k: int) -> tuple[Any, Any]:
        """Node and body."""
        raise NotImplementedError

    def add_joint(self, joint: Joint) -> None:
        raise NotImplementedError

    def add_motor(self, motor: Motor) -> None:
        raise NotImplementedError

    def motion(self, times: np.ndarray, q: np.ndarray, v: np.ndarray) -> Motion:
        """From Exudyn's coordinates and their rates, (T, n) each."""
        raise NotImplementedError

    # -- what they share

    def center(self, body: str) -> np.ndarray:
        """Where Exudyn's body has its origin at the start: the centre of mass."""
        if body == GROUND:
            return np.zeros(3)
        origin, axes = self.situation.pose(body)
        center: np.ndarray = origin + axes @ self.situation.centers[self.situation.index[body]]
        return center

    def offset(self, reference: str) -> np.ndarray:
        """A point in the axes of Exudyn's body."""
        body = body_of(reference)
        return self.local(body, self.situation.place(reference) - self.center(body))

    def point_marker(self, reference: str) -> Any:
        body = self.objects[body_of(reference)]
        return self.system.AddMarker(
            self.items.MarkerBodyPosition(bodyNumber=body, localPosition=self.offset(reference))
        )

    def frame_marker(self, body: str, offset: np.ndarray, axes: np.ndarray) -> Any:
        """A marker whose axes are the columns of `axes`, in the axes of Exudyn's body."""
        place = np.eye(4)
        place[:3, :3], place[:3, 3] = axes, offset
        return self.system.AddMarker(self.items.MarkerBodyRigid(bodyNumber=self.objects[body], localHT=place))

    def _coaxial(self, force: Torque | TorsionSpring) -> bool:
        return coaxial(self.situation, self.situation.model.all_measures[force.angle])

    def add_force(self, force: Force) -> None:
        items, add = self.items, self.system.AddLoad
        match force:
            case SpringDamper():
                self.system.AddObject(
                    items.ObjectConnectorSpringDamper(
                        markerNumbers=[self.point_marker(force.a), self.point_marker(force.b)],
                        referenceLength=force.length,
                        stiffness=force.stiffness,
                        damping=force.damping,
                    )
                )
            case PointForce():
                body, turning = body_of(force.point), force.axes == "body"
                heading = self.situation.heading(body, force.force)
                vector = self.local(body, heading) if turning else self.flat(np.array(force.force))
                marker = self.frame_marker(body, self.offset(force.point), np.eye(3))
                add(items.LoadForceVector(markerNumber=marker, loadVector=vector, bodyFixed=turning))
            case Torque() if self._coaxial(force):
                angle = self.situation.model.all_measures[force.angle]
                assert isinstance(angle, Angle)
                axis = self.situation.heading(angle.reference, angle.axis)
                for body, torque in ((angle.body, force.torque), (angle.reference, -force.torque)):
                    if body != GROUND:
                        marker = self.frame_marker(body, np.zeros(3), np.eye(3))
                        vector = torque * self.local(body, axis)
                        add(items.LoadTorqueVector(markerNumber=marker, loadVector=vector, bodyFixed=True))
            case TorsionSpring() if self._coaxial(force):
                self._add_torsion_spring(force)
            case _:
                self._add_computed(force)

    def _add_torsion_spring(self, force: TorsionSpring) -> None:
        angle = self.situation.model.all_measures[force.angle]
        assert isinstance(angle, Angle)
        start = self.situation.assembly.angles[force.angle]
        turns = self.system.AddNode(
            self.items.NodeGenericData(initialCoordinates=[start], numberOfDataCoordinates=1)  # keeps whole turns
        )
        axis, zero = (self.situation.heading(angle.reference, x) for x in (angle.axis, angle.zero))
        direction = self.situation.heading(angle.body, angle.direction)
        markers = []
        for body, x in ((angle.reference, zero), (angle.body, direction)):
            columns = [self.local(body, column) for column in (x, np.cross(axis, x), axis)]
            markers.append(self.frame_marker(body, np.zeros(3), np.array(columns).T))
        self.system.AddObject(
            self.items.ObjectConnectorTorsionalSpringDamper(
                markerNumbers=markers,
                nodeNumber=turns,
                stiffness=force.stiffness,
                damping=force.damping,
                offset=force.rest,
            )
        )

    def _add_computed(self, force: Force) -> None:
        """A force that Exudyn has no element for, by functions that it calls: a force and a torque on each body."""
        loads = Loads(self.situation, (force,))
        self.computed.append(loads)
        data, known = self.system.systemData, dict[bytes, np.ndarray]()

        def law(k: int, part: slice) -> Callable[..., np.ndarray]:
            def effort(system: Any, t: float, load: Any) -> np.ndarray:
                state = np.array([[t, *data.GetODE2Coordinates(), *data.GetODE2Coordinates_t()]])
                key = state.tobytes()
                if key not in known:  # asked for every body's force and torque in turn
                    n = (state.shape[1] - 1) // 2
                    now = self.motion(state[:, 0], state[:, 1 : 1 + n], state[:, 1 + n :])
                    wrenches = loads(t, now.positions[0], now.rotations[0], now.velocities[0], now.spins[0])
                    known.clear()
                    known[key] = wrenches.copy()
                return self.flat(known[key][k, part])

            return effort

        for k, name in enumerate(self.situation.bodies):
            if name not in self._touched(force):
                continue
            origin = self.local(name, self.situation.positions[k] - self.center(name))
            marker, items = self.frame_marker(name, origin, np.eye(3)), self.items
            self.system.AddLoad(items.LoadForceVector(markerNumber=marker, loadVectorUserFunction=law(k, slice(0, 3))))
            self.system.AddLoad(items.LoadTorqueVector(markerNumber=marker, loadVectorUserFunction=law(k, slice(3, 6))))

    def _touched(self, force: Force) -> set[str]:
        """The bodies it acts on."""
        touched = set()
        for target in force.targets():
            match self.situation.model.all_measures.get(target):
                case Angle() as angle:
                    touched |= {angle.body, angle.reference}
                case Separation() as distance:
                    touched |= {body_of(distance.a), body_of(distance.b)}
                case None:
                    touched.add(body_of(target))
        return touched


@dataclass
class Planar(Translated):
    """Bodies with two displacements and an angle, which starts at zero; Exudyn's world is the plane of motion."""

    def __post_init__(self) -> None:
        assert self.situation.normal is not None
        normal = self.situation.normal
        first = np.array(perpendicular(tuple(normal)))
        self.plane = np.array([first, np.cross(normal, first), normal])  # rows: Exudyn's axes in our world

    def flat(self, vector: np.ndarray) -> np.ndarray:
        turned: np.ndarray = self.plane @ vector
        return turned

    def local(self, body: str, direction: np.ndarray) -> np.ndarray:
        return self.flat(direction)

    def add_body(self, k: int) -> tuple[Any, Any]:
        s, items = self.situation, self.items
        normal, axes = self.plane[2], s.rotations[k]
        place = self.flat(self.center(s.bodies[k]))
        speed = self.flat(s.velocities[k] + np.cross(s.spins[k], axes @ s.centers[k]))
        inertia = float(normal @ axes @ s.inertias[k] @ axes.T @ normal)
        node = self.system.AddNode(
            items.NodeRigidBody2D(
                referenceCoordinates=[*place[:2], 0.0], initialVelocities=[*speed[:2], float(normal @ s.spins[k])]
            )
        )
        return node, self.system.AddObject(
            items.ObjectRigidBody2D(mass=float(s.masses[k]), inertia=inertia, nodeNumber=node)
        )

    def add_joint(self, joint: Joint) -> None:
        items, add = self.items, self.system.AddObject
        body_a, body_b = joint.bodies
        match joint:
            case Revolute() | Spherical() | Weld():
                add(items.ObjectJointRevolute2D(markerNumbers=[self.point_marker(joint.a), self.point_marker(joint.b)]))
            case Distance():
                markers = [self.point_marker(joint.a), self.point_marker(joint.b)]
                add(items.ObjectConnectorDistance(markerNumbers=markers, distance=joint.length))
            case Slider() | PinInSlot():
                # (P_a − P_b) · n of marker 1, so the line's body comes second
                markers = [
                    self.frame_marker(b, self.offset(r), np.eye(3)) for b, r in ((body_b, joint.b), (body_a, joint.a))
                ]
                along = self.local(body_a, self.situation.heading(body_a, joint.axis_a))
                add(
                    items.ObjectJointPrismatic2D(
                        markerNumbers=markers,
                        axisMarker0=along,
                        normalMarker1=np.cross([0.0, 0.0, 1.0], along),
                        constrainRotation=isinstance(joint, Slider),
                    )
                )
        if isinstance(joint, Weld):
            add(items.ObjectConnectorCoordinate(markerNumbers=[self._turn_marker(body_a), self._turn_marker(body_b)]))

    def add_motor(self, motor: Motor) -> None:
        angle = self.situation.model.all_measures[motor.target]
        assert isinstance(angle, Angle)
        sign = float(np.sign(self.plane[2] @ self.situation.heading(angle.reference, angle.axis)))
        before = motor.value(self.situation.time)

        def advance(system: Any, t: float, number: int, offset: float) -> float:
            return sign * float(motor.value(t) - before)

        self.system.AddObject(
            self.items.ObjectConnectorCoordinate(
                markerNumbers=[self._turn_marker(angle.reference), self._turn_marker(angle.body)],
                offsetUserFunction=advance,
            )
        )

    def _turn_marker(self, body: str) -> Any:
        node = self.nodes[body] if body != GROUND else self.system.AddNode(self.items.NodePointGround())
        coordinate = 2 if body != GROUND else 0
        return self.system.AddMarker(self.items.MarkerNodeCoordinate(nodeNumber=node, coordinate=coordinate))

    def motion(self, times: np.ndarray, q: np.ndarray, v: np.ndarray) -> Motion:
        s, count, n = self.situation, len(times), len(self.situation.bodies)
        q, v = q.reshape(count, n, 3), v.reshape(count, n, 3)
        sine, cosine = np.sin(q[..., 2]), np.cos(q[..., 2])
        turn = np.zeros((count, n, 3, 3))
        turn[..., 0, 0] = turn[..., 1, 1] = cosine
        turn[..., 1, 0], turn[..., 0, 1], turn[..., 2, 2] = sine, -sine, 1.0
        rotations = self.plane.T @ turn @ self.plane @ s.rotations
        arms = np.einsum("tbij,bj->tbi", rotations, s.centers)
        spins = v[..., 2:] * self.plane[2]
        centers = np.array([self.center(name) for name in s.bodies]) + q[..., :2] @ self.plane[:2]
        return Motion(times, centers - arms, rotations, v[..., :2] @ self.plane[:2] - np.cross(spins, arms), spins)


_LOCKED: dict[type, tuple[int, ...]] = {
    Revolute: (1, 1, 1, 1, 1, 0),
    Cylindrical: (1, 1, 0, 1, 1, 0),
    Plane: (0, 0, 1, 1, 1, 0),
    Spherical: (1, 1, 1, 0, 0, 0),
    Universal: (1, 1, 1, 0, 0, 1),
    Slider: (1, 1, 0, 1, 1, 1),
    Weld: (1, 1, 1, 1, 1, 1),
}
"""Translations along and rotations about the joint's x, y, z that JointGeneric locks; z is the joint's axis or normal."""


@dataclass
class Spatial(Translated):
    """Bodies with Euler parameters, in our own world."""

    def flat(self, vector: np.ndarray) -> np.ndarray:
        return vector

    def local(self, body: str, direction: np.ndarray) -> np.ndarray:
        turned: np.ndarray = self.situation.pose(body)[1].T @ direction
        return turned

    def add_body(self, k: int) -> tuple[Any, Any]:
        from exudyn.rigidBodyUtilities import AngularVelocity2EulerParameters_t, RotationMatrix2EulerParameters

        s, items = self.situation, self.items
        axes, spin = s.rotations[k], s.spins[k]
        attitude = RotationMatrix2EulerParameters(axes)
        speed = s.velocities[k] + np.cross(spin, axes @ s.centers[k])
        node = self.system.AddNode(
            items.NodeRigidBodyEP(
                referenceCoordinates=[*self.center(s.bodies[k]), *attitude],
                initialVelocities=[*speed, *AngularVelocity2EulerParameters_t(spin, attitude)],
            )
        )
        i = s.positive_inertias()[k]
        moments = [i[0, 0], i[1, 1], i[2, 2], i[1, 2], i[0, 2], i[0, 1]]
        return node, self.system.AddObject(
            items.ObjectRigidBody(mass=float(s.masses[k]), inertia=moments, nodeNumber=node)
        )

    def add_joint(self, joint: Joint) -> None:
        if isinstance(joint, Distance):
            markers = [self.point_marker(joint.a), self.point_marker(joint.b)]
            self.system.AddObject(self.items.ObjectConnectorDistance(markerNumbers=markers, distance=joint.length))
            return
        body_a, body_b = joint.bodies
        frame_a, frame_b = _frames(joint)
        # JointGeneric measures translations along the axes of its first marker, a's: the line or plane is fixed there
        markers = [
            self.frame_marker(body_a, self.offset(joint.a), frame_a),
            self.frame_marker(body_b, self.offset(joint.b), frame_b),
        ]
        self.system.AddObject(
            self.items.ObjectJointGeneric(markerNumbers=markers, constrainedAxes=list(_LOCKED[type(joint)]))
        )

    def add_motor(self, motor: Motor) -> None:
        angle = self.situation.model.all_measures[motor.target]
        assert isinstance(angle, Angle)
        items, before = self.items, motor.value(self.situation.time)
        turns = self.system.AddNode(items.NodeGenericData(initialCoordinates=[0.0], numberOfDataCoordinates=1))

        def advance(system: Any, t: float, number: int, offset: float) -> float:
            return float(motor.value(t) - before)

        markers = []
        axis = self.situation.heading(angle.reference, angle.axis)
        ground = self.system.AddNode(items.NodePointGround())
        markers.append(self.system.AddMarker(items.MarkerNodeCoordinate(nodeNumber=ground, coordinate=0)))
        markers.append(
            self.system.AddMarker(
                items.MarkerBodiesRelativeRotationCoordinate(
                    bodyNumbers=[self.objects[angle.reference], self.objects[angle.body]],
                    nodeNumber=turns,
                    axis0=self.local(angle.reference, axis),
                )
            )
        )
        self.system.AddObject(items.ObjectConnectorCoordinate(markerNumbers=markers, offsetUserFunction=advance))

    def motion(self, times: np.ndarray, q: np.ndarray, v: np.ndarray) -> Motion:
        from exudyn.rigidBodyUtilities import RotationMatrix2EulerParameters

        s, count, n = self.situation, len(times), len(self.situation.bodies)
        q, v = q.reshape(count, n, 7), v.reshape(count, n, 7)
        p = q[..., 3:] + np.array([RotationMatrix2EulerParameters(r) for r in s.rotations])
        size = np.linalg.norm(p, axis=-1, keepdims=True)
        p, dp = p / size, v[..., 3:] / size
        w, u = p[..., :1], p[..., 1:]
        spins = 2.0 * (w * dp[..., 1:] - dp[..., :1] * u + np.cross(u, dp[..., 1:]))
        columns = [e * (w * w - np.sum(u * u, -1, keepdims=True)) + 2.0 * (u * u[..., i : i + 1] + w * np.cross(u, e))
                   for i, e in enumerate(np.eye(3))]  # fmt: skip
        rotations = np.stack(columns, axis=-1)
        arms = np.einsum("tbij,bj->tbi", rotations, s.centers)
        centers = np.array([self.center(name) for name in s.bodies]) + q[..., :3]
        return Motion(times, centers - arms, rotations, v[..., :3] - np.cross(spins, arms), spins)


def _frames(joint: Joint) -> tuple[np.ndarray, np.ndarray]:
    """The joint's axes in both bodies' axes, as columns x, y, z."""

    def along_z(z: Vector, x: Vector | None = None) -> np.ndarray:
        first = x if x is not None else perpendicular(z)
        return np.array([first, cross(z, first), z]).T

    match joint:
        case Revolute() | Cylindrical():
            return along_z(joint.axis_a), along_z(joint.axis_b)
        case Plane():
            return along_z(joint.normal_a), along_z(joint.normal_b)
        case Slider() | Weld():
            return along_z(joint.axis_a, joint.normal_a), along_z(joint.axis_b, joint.normal_b)
        case Universal():
            # a locked rotation about z alone is x_a · y_b = 0
            y = joint.axis_b
            return along_z(perpendicular(joint.axis_a), joint.axis_a), np.array(
                [cross(y, perpendicular(y)), y, perpendicular(y)]
            ).T
    return np.eye(3), np.eye(3)


@dataclass(frozen=True)
class PreparedExudyn:
    """An assembled Exudyn system."""

    translated: Translated

    def run(self, setting: Setting, times: np.ndarray, limit_s: float = math.inf) -> Result:
        import exudyn

        translated, watch = self.translated, Stopwatch(limit_s)
        start = translated.situation.time
        step, every, steps = _schedule(start, times, float(setting.values["stepSize"]))
        settings = self._settings(exudyn, setting)
        settings.timeIntegration.startTime = start
        settings.timeIntegration.endTime = start + steps * step
        settings.timeIntegration.numberOfSteps = steps
        settings.solution.sensors.writePeriod = every * step
        recorded: dict[float, tuple[np.ndarray, np.ndarray]] = {}
        data, output = translated.system.systemData, Stopwatch()
        for loads in translated.computed:
            loads.reset()

        def record(t: float) -> None:
            watch.check()
            with output:
                recorded[t] = data.GetODE2Coordinates(), data.GetODE2Coordinates_t()

        translated.recorder = record
        try:
            with watch, contextlib.redirect_stdout(io.StringIO()):
                done = translated.system.SolveDynamic(settings)
        except (RuntimeError, ValueError) as problem:
            watch.check(watch.cpu_s)
            raise EngineFailed(f"Exudyn: {problem}") from problem
        if not done:
            raise EngineFailed("Exudyn: SolveDynamic did not succeed.")
        at = np.array(list(recorded))
        q, v = (np.array([pair[i] for pair in recorded.values()]) for i in range(2))
        if not (np.isfinite(q).all() and np.isfinite(v).all()):
            raise EngineFailed(f"Exudyn: the coordinates are not finite (h = {step:g} s).")
        motion = translated.motion(times, *_hermite(at, q, v, times))
        return Result(motion, watch.cpu_s - output.cpu_s, watch.wall_s - output.wall_s, steps)

    def _settings(self, exudyn: Any, setting: Setting) -> Any:
        settings = exudyn.SimulationSettings()
        integration = settings.timeIntegration
        integration.verboseMode = 0
        integration.generalizedAlpha.spectralRadius = float(setting.values["spectralRadius"])
        if self.translated.one_iteration:
            integration.newton.useModifiedNewton = False
            integration.newton.relativeTolerance = integration.newton.absoluteTolerance = 1e3  # met after one iteration
        settings.parallel.numberOfThreads = 1
        settings.solution.file.write = False
        solvers = exudyn.LinearSolverType
        settings.linearSolver.solverType = solvers.EigenDense if self.translated.redundant else solvers.EigenSparse
        settings.linearSolver.reuseAnalyzedPattern = isinstance(self.translated, Planar)
        settings.linearSolver.ignoreSingularJacobian = True
        return settings


def _schedule(start: float, times: np.ndarray, wanted: float) -> tuple[float, int, int]:
    """Step size, how many steps between records, and steps in all: every time is hit if they are evenly spaced and no
    closer than the steps."""
    spacing = np.diff(np.concatenate([[start], times[times > start]]))
    even = float(spacing[0]) if len(spacing) else wanted
    step, every = wanted, 1
    if wanted < even:
        count = math.ceil(even / wanted * (1.0 - 1e-9))
        step = even / count
        if np.allclose(spacing, even, rtol=1e-6):
            every = count
    steps = math.ceil((float(times[-1]) - start) / step * (1.0 - 1e-9))
    return step, every, max(every * math.ceil(steps / every), 1)


def _hermite(at: np.ndarray, q: np.ndarray, v: np.ndarray, times: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """q and its rate at other times: the cubic through both ends' values and rates."""
    k = np.clip(np.searchsorted(at, times, side="right") - 1, 0, len(at) - 2)
    h = (at[k + 1] - at[k])[:, None]
    s = (times[:, None] - at[k][:, None]) / h
    rise = q[k + 1] - q[k]
    left, right = h * v[k] - rise, h * v[k + 1] - rise
    value = q[k] + s * rise + s * (1.0 - s) * ((1.0 - s) * left - s * right)
    slope = rise + (1.0 - s) * (1.0 - 3.0 * s) * left + s * (3.0 * s - 2.0) * right
    return value, slope / h
