"""OpenSim (Simbody): a tree of joints, loops closed by constraints, adaptive Runge–Kutta–Merson with projection on them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from grashof.engines.base import EngineFailed, Result, Setting, Stopwatch, installed_version
from grashof.engines.situation import Freedom, Situation
from grashof.engines.tree import Coordinate, coordinate_of, start_rates, tree_motion
from grashof.model import joints as kinds
from grashof.model.bodies import GROUND
from grashof.model.fields import Vector, body_of, cross, perpendicular
from grashof.model.forces import Force, PointForce, SpringDamper, Torque, TorsionSpring
from grashof.model.joints import Joint
from grashof.model.measures import Angle
from grashof.model.motors import Motor

TOLERANCE, LEAST = 1e-6, 1e-14
"""Constraint tolerance by accuracy, and the least (m): with looser ones the steps stall at singular positions."""

HIGHEST = 4
"""Degree of the laws of motors, at most."""


class OpenSim:
    """See the module."""

    name = "opensim"
    package = "opensim"
    notes: tuple[str, ...] = (
        "Planar mechanisms move in the plane z = 0 of space.",
        "A pin that closes a loop of a planar motion is a point on a line (two equations), in space a point and a point on a line (five).",
        f"Manager with RungeKuttaMerson, Simbody's projection on the constraints with tolerance {TOLERANCE:g} · accuracy, "
        f"from {LEAST:g} m on.",
        "States are kept at the integrator's own steps; between them, quintics through positions, rates and accelerations.",
        "An inertia of 1e-6 of the largest is added about axes that have none, such as a slender bar's own.",
        "Balls turn by body-fixed angles x, y, z, as OpenSim sets them: they are singular a quarter turn about y away from the start.",
    )

    def version(self) -> str:
        return installed_version(self.package)

    def refuses(self, situation: Situation) -> str | None:
        model = situation.model
        for joint in situation.closures:
            if isinstance(joint, kinds.Plane):
                return f"joint '{joint.name}': OpenSim has no constraint that closes a loop with a face on a face."
        for force in model.forces:
            if reason := _refusal(situation, force):
                return f"force '{force.name}': {reason}"
        for motor in model.motors:
            if coordinate_of(situation, model.all_measures[motor.target]) is None:
                return f"motor '{motor.name}': OpenSim prescribes joint coordinates, and '{motor.target}' is none."
            if _polynomial(motor, situation.time) is None:
                return (
                    f"motor '{motor.name}': its law {motor.law} is no polynomial in t up to degree {HIGHEST}, and OpenSim's own "
                    "expressions have no second derivatives."
                )
        return None

    def ladder(self, situation: Situation, t_end: float) -> tuple[Setting, ...]:
        least = LEAST * max(1.0, situation.system.length)
        return tuple(
            Setting(
                f"accuracy = {accuracy:.0e}",
                {"accuracy": accuracy, "constraint tolerance": max(TOLERANCE * accuracy, least)},
            )
            for accuracy in (1e-2, 3e-3, 1e-3, 3e-4, 1e-4, 3e-5, 1e-5, 3e-6, 1e-6, 3e-7, 1e-7, 1e-8, 1e-9)
        )

    def prepare(self, situation: Situation) -> _Prepared:
        import opensim

        opensim.Logger.setLevelString("Off")
        try:
            builder = _Builder(situation)
            return _Prepared(situation, builder.model, *builder.ready())
        except RuntimeError as problem:
            raise EngineFailed(_words(problem)) from problem


ENGINE = OpenSim()


def _words(problem: RuntimeError) -> str:
    """What OpenSim says, without where in its source it says so."""
    lines = [line.strip() for line in str(problem).splitlines()]
    said = " ".join(line for line in lines if line and "Exception thrown at" not in line)
    return said.partition("': ")[2] if said.startswith("std::exception in") else said


def _refusal(situation: Situation, force: Force) -> str | None:
    match force:
        case PointForce() | SpringDamper():
            return None
        case Torque() | TorsionSpring():
            angle = situation.model.all_measures[force.angle]
            if coordinate_of(situation, angle) or (isinstance(force, Torque) and situation.planar):
                return None
            return f"OpenSim has torques along joint coordinates, and the angle '{force.angle}' is none."
    return "OpenSim's forces cannot be written in Python."


# -- running


@dataclass
class _Prepared:
    """The model, its state at the start, and where in Simbody's coordinates those of the tree are."""

    situation: Situation
    model: Any
    start: Any
    order: np.ndarray

    def run(self, setting: Setting, times: np.ndarray, limit_s: float = math.inf) -> Result:
        import opensim

        manager = opensim.Manager(self.model)
        manager.setPerformAnalyses(False)
        manager.setIntegratorMethod(opensim.Manager.IntegratorMethod_RungeKuttaMerson)
        manager.setIntegratorAccuracy(setting.values["accuracy"])
        manager.setIntegratorConstraintTolerance(setting.values["constraint tolerance"])
        watch = Stopwatch(limit_s)
        t0, t_end = self.situation.time, float(times[-1])
        try:
            manager.initialize(opensim.State(self.start))
            # each call ends with a step of its own: few calls, but the limit is to be looked at now and then
            for part in (1 / 64, 1 / 32, 1 / 16, 1 / 8, 1 / 4, 1 / 2, 1):
                with watch:
                    manager.integrate(t0 + part * (t_end - t0))
            steps, q, rates, seconds = self._steps(manager)
        except RuntimeError as problem:
            raise EngineFailed(_words(problem)) from problem
        q, rates = _quintic(steps, q, rates, seconds, times)
        return Result(tree_motion(self.situation, times, q, rates), watch.cpu_s, watch.wall_s, len(steps) - 1)

    def _steps(self, manager: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Times, coordinates, rates and accelerations at the integrator's steps."""
        import opensim

        table = manager.getStatesTable()
        t, rows = np.array(table.getIndependentColumn()), table.getMatrix().to_numpy()
        new = np.concatenate([np.diff(t) > 0.0, [True]])  # the end of one call is the start of the next
        t, rows = t[new], rows[new]
        found = np.empty((3, len(t), self.start.getNQ()))
        state = opensim.State(self.start)
        for k, (time, row) in enumerate(zip(t, rows, strict=True)):
            state.setTime(float(time))
            self.model.setStateVariableValues(state, opensim.Vector.createFromMat(np.ascontiguousarray(row)))
            self.model.realizeAcceleration(state)
            found[0, k] = state.getQ().to_numpy()
            found[1, k] = state.getQDot().to_numpy()
            found[2, k] = state.getQDotDot().to_numpy()
        q, rates, seconds = found[:, :, self.order]
        return t, q, rates, seconds


def _quintic(
    t: np.ndarray, q: np.ndarray, rates: np.ndarray, seconds: np.ndarray, times: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Values and rates at `times` of the quintics through values, rates and second rates at t, each (steps, n)."""
    k = np.clip(np.searchsorted(t, times, side="right") - 1, 0, len(t) - 2)
    h = (t[k + 1] - t[k])[:, None]
    x = (times - t[k])[:, None] / h
    v0, v1, a0, a1 = rates[k] * h, rates[k + 1] * h, seconds[k] * h**2, seconds[k + 1] * h**2
    # what is left of value, slope and curvature at the end after the parabola from the start
    value = q[k + 1] - q[k] - v0 - 0.5 * a0
    slope = v1 - v0 - a0
    bend = a1 - a0
    c3 = 10.0 * value - 4.0 * slope + 0.5 * bend
    c4 = -15.0 * value + 7.0 * slope - bend
    c5 = 6.0 * value - 3.0 * slope + 0.5 * bend
    at = q[k] + x * (v0 + x * (0.5 * a0 + x * (c3 + x * (c4 + x * c5))))
    rate = (v0 + x * (a0 + x * (3.0 * c3 + x * (4.0 * c4 + x * 5.0 * c5)))) / h
    return at, rate


# -- the model


class _Builder:
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
        for force in situation.model.forces:
            self.push(force)
        for motor in situation.model.motors:
            self.drive(motor)

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
            self.constrain(opensim.PointConstraint(self.bodies[a], _vec(place_a), self.bodies[b], _vec(place_b)))

        def on_line(axis: Vector, offset_a: np.ndarray | None = None, offset_b: np.ndarray | None = None) -> None:
            start = place_a if offset_a is None else place_a + offset_a
            follower = place_b if offset_b is None else place_b + offset_b
            line = (self.bodies[a], _vec(axis), _vec(start), self.bodies[b], _vec(follower))
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

        ends = (self.bodies[a], _vec(place_a), self.bodies[b], _vec(place_b))
        self.constrain(opensim.ConstantDistanceConstraint(*ends, length))

    def constrain(self, constraint: Any) -> None:
        constraint.setName(f"constraint{self.model.getConstraintSet().getSize()}")
        self.model.addConstraint(constraint)

    def push(self, force: Force) -> None:
        """Adds a force; the refused ones do not come here."""
        import opensim

        s = self.situation
        match force:
            case SpringDamper():
                ends = [self.bodies[body_of(p)].getAbsolutePathString() for p in (force.a, force.b)]
                places = [_vec(s.model.points[p]) for p in (force.a, force.b)]
                law = f"{force.stiffness!r}*(d-({force.length!r}))+{force.damping!r}*ddot"
                self.add_force(opensim.ExpressionBasedPointToPointForce(ends[0], places[0], ends[1], places[1], law))
            case PointForce():
                body = body_of(force.point)
                if body != GROUND:
                    self.prescribed(
                        body, force=force.force, at=s.model.points[force.point], world=force.axes == "world"
                    )
            case TorsionSpring() | Torque():
                angle = s.model.all_measures[force.angle]
                assert isinstance(angle, Angle)
                coordinate = coordinate_of(s, angle)
                if coordinate is not None:
                    law = _torque_law(force, coordinate.sign, float(s.assembly.angles[force.angle]))
                    name = self.coordinate(coordinate).getName()
                    self.add_force(opensim.ExpressionBasedCoordinateForce(name, law))
                elif isinstance(force, Torque):
                    axis = force.torque * s.heading(angle.reference, angle.axis)
                    for body, torque in ((angle.body, axis), (angle.reference, -axis)):
                        if body != GROUND:
                            self.prescribed(body, torque=torque)

    def prescribed(
        self,
        body: str,
        force: Vector | np.ndarray = (0.0, 0.0, 0.0),
        torque: Vector | np.ndarray = (0.0, 0.0, 0.0),
        at: Vector = (0.0, 0.0, 0.0),
        world: bool = True,
    ) -> None:
        """A constant force at a point of a body, and a torque, in world axes or the body's own."""
        import opensim

        made = opensim.PrescribedForce()
        made.connectSocket_frame(self.bodies[body])
        made.setForceIsInGlobalFrame(world)
        made.setPointIsInGlobalFrame(False)
        for put, values in (
            (made.setForceFunctions, force),
            (made.setPointFunctions, at),
            (made.setTorqueFunctions, torque),
        ):
            put(*(opensim.Constant(float(x)) for x in values))
        self.add_force(made)

    def add_force(self, force: Any) -> None:
        force.setName(f"force{self.model.getForceSet().getSize()}")
        self.model.addForce(force)

    def drive(self, motor: Motor) -> None:
        """Prescribes the coordinate: q(t) = sign · (f(t) − f(start))."""
        import opensim

        s = self.situation
        found, law = coordinate_of(s, s.model.all_measures[motor.target]), _polynomial(motor, s.time)
        assert found is not None
        assert law is not None
        law[-1] -= float(motor.value(s.time))
        coordinate = self.coordinate(found)
        coordinate.setPrescribedFunction(opensim.PolynomialFunction(opensim.Vector.createFromMat(found.sign * law)))
        coordinate.setDefaultIsPrescribed(True)

    def coordinate(self, found: Coordinate) -> Any:
        return self.coordinates[found.link][found.freedom]


def _polynomial(motor: Motor, start: float) -> np.ndarray | None:
    """The coefficients of a motor's law, highest power first, if it is a polynomial."""
    t = start + np.array([0.0, 0.4, 1.0, 1.7, 2.3, 3.1, 5.9, 11.3])
    values = np.array([float(motor.value(float(x))) for x in t])
    for degree in range(HIGHEST + 1):
        law: np.ndarray = np.polyfit(t[: degree + 1], values[: degree + 1], degree)
        if np.allclose(np.polyval(law, t), values, rtol=1e-9, atol=1e-12):
            return law
    return None


def _torque_law(force: Torque | TorsionSpring, sign: float, start: float) -> str:
    """The torque along the coordinate q, with θ = start + sign · q."""
    if isinstance(force, Torque):
        return repr(sign * force.torque)
    return f"-{force.stiffness!r}*(q-({sign * (force.rest - start)!r}))-{force.damping!r}*qdot"


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
    return _vec(own.T @ (place - origin)), _vec((x, y, z))


def _vec(values: Vector | np.ndarray | tuple[float, float, float]) -> Any:
    import opensim

    return opensim.Vec3(*(float(x) for x in values))
