"""The builder: describe a mechanism in Python, a line a thing.

>>> m = Mechanism("pendulum", gravity=(0, -9.81))
>>> rod = m.bar("rod", length=1.0, mass=1.0)
>>> pin = m.revolute(m.ground.at(0, 0), rod.start)
>>> m.need(rod.angle, value=0.0)
>>> [joint.name for joint in m.model.joints]
['ground.p1~rod.start']
"""

from __future__ import annotations

import os
import reprlib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from grashof.algebra import norm, product
from grashof.errors import ModelError
from grashof.model import joints as kinds
from grashof.model.bodies import GROUND, Bar, Body, RigidBody
from grashof.model.building.contacts import ContactMethods
from grashof.model.building.couplings import CouplingMethods
from grashof.model.building.curves import CurveMethods
from grashof.model.building.forces import ForceMethods
from grashof.model.building.joints import JointMethods
from grashof.model.building.parameters import ParameterMethods
from grashof.model.check import check
from grashof.model.converting import Place
from grashof.model.couplings import Coupling, Motor
from grashof.model.definitions import settled
from grashof.model.events import Event
from grashof.model.fields import Vector, dot, perpendicular, unit
from grashof.model.forces import Force
from grashof.model.formula import Formula, has_formulas, span, turned, unit_formula, value_of
from grashof.model.given import Number, given_name, number, numbers, text
from grashof.model.handles import Handle, Point, own_body, own_point
from grashof.model.joints import Joint
from grashof.model.measures import Angle, Coordinate, Measure, Separation
from grashof.model.model import Model
from grashof.model.parameter import Parameter
from grashof.model.paths import leaves
from grashof.model.rotations import quaternion, rotation_matrix
from grashof.model.start import Condition, Pose, Start
from grashof.model.tables import Table
from grashof.scalar import atan2, cos, sin, sqrt
from grashof.scalar.functions import Scalar
from grashof.wording import counted

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from grashof.sensitivity.costs import Cost
    from grashof.sensitivity.objective import Objective
    from grashof.view import Shown


class Mechanism(JointMethods, ForceMethods, CouplingMethods, CurveMethods, ContactMethods, ParameterMethods):
    """Collects bodies, joints, forces and a start; `.model` is the frozen description."""

    def __init__(self, name: str, gravity: Sequence[Number] | None = None, dimension: int | None = None) -> None:
        self.name = text("The name of a mechanism", name)
        pull = None if gravity is None else numbers(f"Mechanism '{name}': gravity", gravity, unit="m/s2")
        if dimension is None:
            dimension = 2 if pull is None else len(pull)
        if number(f"Mechanism '{name}': dimension", dimension) not in (2, 3):
            raise ModelError(f"Mechanism '{name}': dimension is {dimension}; it must be 2 (plane) or 3 (space).")
        self.dimension = int(dimension)
        self.gravity = (0.0,) * self.dimension if pull is None else pull
        self.ground = Handle(self, GROUND)
        self._points: dict[str, dict[str, Vector]] = {GROUND: {}}
        self._bodies: dict[str, Body] = {}
        self._joints: list[Joint] = []
        self._forces: list[Force] = []
        self._motors: list[Motor] = []
        self._couplings: list[Coupling] = []
        self._measures: list[Measure] = []
        self._events: list[Event] = []
        self._tables: dict[str, Table] = {}
        self._parameters: dict[str, Parameter] = {}
        self._has_formulas = False
        self._known: dict[str, Scalar] = {}
        self._guesses: dict[str, Pose] = {}
        self._needs: list[Condition] = []
        self._wants: list[Condition] = []
        self.time = 0.0

    # -- the description

    @property
    def model(self) -> Model:
        """The frozen description, checked."""
        model = self._unchecked()
        texts: dict[Place, str] = {}
        if self._parameters or self._has_formulas:
            texts = {leaf.place: x.text for leaf in leaves(model).values() if isinstance(x := leaf.value, Formula)}
        model = settled(model, texts)
        check(model)
        return model

    def _unchecked(self) -> Model:
        """The description so far, with formulas in their places."""
        bodies: list[Body] = []
        for body in self._bodies.values():
            points = self._points[body.name]
            if isinstance(body, Bar):
                own = {name: place for name, place in points.items() if name not in ("start", "end")}
                bodies.append(Bar(body.name, body.length, body.mass, own))
            else:
                bodies.append(RigidBody(body.name, body.mass, body.center, body.inertia, dict(points)))
        return Model(
            name=self.name,
            dimension=2 if self.dimension == 2 else 3,
            gravity=self.gravity,
            ground=dict(self._points[GROUND]),
            bodies=tuple(bodies),
            joints=tuple(self._joints),
            forces=tuple(self._forces),
            motors=tuple(self._motors),
            measures=(*self._measures, *self._joint_angles()),
            events=tuple(self._events),
            start=Start(self.time, dict(self._guesses), tuple(self._needs), tuple(self._wants)),
            couplings=tuple(self._couplings),
            tables=tuple(self._tables.values()),
            parameters=tuple(self._parameters.values()),
        )

    def show(self, height: int = 560) -> Shown:
        """The mechanism at its start, for a notebook; `height` is in pixels. A mechanism that is the last value of a cell is shown by itself."""
        from grashof.view import shown

        return shown(self, height)

    def live(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        t_end: float | None = None,
        numbers: Sequence[str] | None = None,
        observe: Sequence[str] | None = None,
        tol: float | None = None,
        height: int = 760,
    ) -> Shown:
        """The mechanism in a page that simulates it: its numbers can be changed there, its bodies can be pulled at. For a notebook, or a file.

        path      where to write the page, a single file that needs nothing else
        t_end     the time of a run, s: laws of time are known up to then, and times are shown so that it takes some seconds
        numbers   the numbers that can be changed (see `numbers`); unless given, the declared parameters and the conditions of the start or, if there are no
                  parameters, speeds of motors, gravity, stiffnesses, lengths and masses
        observe   the quantities that are plotted; energies and some angles unless given
        tol       the largest error over the whole run, as in `simulate`
        height    in a notebook, in pixels
        """
        from grashof.live import shown_live

        return shown_live(self, path, t_end=t_end, numbers=numbers, observe=observe, tol=tol, height=height)

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        from grashof.view import in_notebook

        return in_notebook(self)

    def __repr__(self) -> str:
        bodies, joints = counted(len(self._bodies), "body", "bodies"), counted(len(self._joints), "joint")
        return f"Mechanism '{self.name}': {bodies}, {joints}"

    def draw(self, path: str | os.PathLike[str] | None = None) -> Figure:
        """The mechanism as it starts, to scale, with its points named, as a matplotlib figure; written to a file if a path is given.

        >>> m = Mechanism("pendulum", gravity=(0, -9.81))
        >>> rod = m.bar("rod", length=1.0, mass=1.0)
        >>> _ = m.revolute(m.ground.at(0, 0), rod.start)
        >>> figure = m.draw()
        >>> [text.get_text() for text in figure.axes[0].texts]
        ['rod.start', 'rod.end']
        """
        from grashof.show import draw_model

        return draw_model(self, path)

    def objective(
        self,
        parameters: Sequence[str],
        cost: str | Cost,
        *,
        t_end: Number,
        times: Sequence[float] | np.ndarray | int = 101,
        tol: float = 1e-6,
        method: str = "auto",
        gradient: str = "auto",
        failed: float | None = None,
        check: bool = True,
    ) -> Objective:
        """A cost of the run to t_end as a function of numbers of the mechanism, with its gradient, as `scipy.optimize.minimize` takes it: see
        `sensitivity.objective`."""
        from grashof.sensitivity.objective import objective

        return objective(
            self,
            parameters,
            cost,
            t_end=t_end,
            times=times,
            tol=tol,
            method=method,
            gradient=gradient,
            failed=failed,
            check=check,
        )

    # -- bodies

    def body(
        self,
        name: str,
        *,
        mass: Number = 0.0,
        center: Sequence[Number] | None = None,
        inertia: Number | Sequence[Number] | None = None,
        points: Mapping[str, Sequence[Number]] | None = None,
        position: Sequence[Number] | None = None,
        angle: Number = 0.0,
        rotation: Sequence[float] | None = None,
    ) -> Handle:
        """A general rigid body (see RigidBody); position, angle or rotation are the guess of where it starts."""
        owner = self._new(name)
        zero = (0.0,) * self.dimension
        if inertia is None:
            inertia = 0.0 if self.dimension == 2 else (0.0, 0.0, 0.0)
        about = f"{owner}: inertia"
        is_number = isinstance(inertia, Formula | str) or np.ndim(inertia) == 0  # type: ignore[arg-type]
        given = (self._number if is_number else self._numbers)(about, inertia, unit="kg m2")
        place = zero if center is None else self._place(f"{owner}: center", center)
        if points is not None and not isinstance(points, Mapping):
            raise ModelError(
                f"{owner}: points is {reprlib.repr(points)}; write it as {{'p': {', '.join('0' * self.dimension)}}}."
            )
        named = {
            text(f"{owner}: the name of a point", key): self._place(f"{owner}: point '{key}'", at)
            for key, at in ({} if points is None else points).items()
        }
        angle = self._number(f"{owner}: angle", angle, "rad")
        body = RigidBody(name, self._number(f"{owner}: mass", mass, "kg"), place, given)
        pose = None
        if position is not None or angle != 0.0 or rotation is not None:
            pose = self._pose(owner, zero if position is None else position, angle, rotation)
        return self._add_body(body, named, pose)

    def bar(
        self,
        name: str,
        *,
        mass: Number = 0.0,
        length: Number | None = None,
        start: Sequence[Number] | None = None,
        end: Sequence[Number] | None = None,
    ) -> Handle:
        """A slender uniform bar: give its length, or where its two ends are (which is also the guess)."""
        owner = self._new(name)
        if (start is None) != (end is None):
            raise ModelError(f"Bar '{name}': one of its ends is given; give both or neither.")
        zero = (0.0,) * self.dimension
        pose = None
        if start is not None and end is not None:
            first, last = self._place(f"{owner}: start", start), self._place(f"{owner}: end", end)
            along = span(first, last)
            if length is None:
                length = sqrt(dot(along, along)) if has_formulas(along) else norm(along)
            pose = _pose_along(first, along, name)
        if length is None:
            raise ModelError(f"Bar '{name}': give its length, or both its start and its end.")
        bar = Bar(name, self._number(f"{owner}: length", length, "m"), self._number(f"{owner}: mass", mass, "kg"))
        return self._add_body(bar, {"start": zero, "end": (bar.length, *zero[1:])}, pose)

    def points_of(self, body: str) -> dict[str, Vector]:
        """The points of a body so far."""
        return self._points[body]

    def add_point(self, body: str, name: str, place: Vector) -> None:
        """Names a point of a body."""
        if self._points[body].get(name, place) != place:
            raise ModelError(
                f"Body '{body}' has a point '{name}' at {self._points[body][name]} already; choose another name."
            )
        self._points[body][name] = place

    # -- measures

    def angle(
        self,
        name: str,
        body: Handle,
        *,
        reference: Handle | None = None,
        axis: Sequence[float] | None = None,
        zero: Sequence[float] | None = None,
        direction: Sequence[float] | None = None,
    ) -> str:
        """Names the angle of a body against another (ground by default).

        In space it is the angle about `axis` from `zero` to the body's `direction`, both seen along the axis; all three are given
        in world axes at the guessed position. By default the angle starts at zero, and the direction is the line of a bar, or
        of another body its x axis as seen along the axis at the guessed position, which stays fixed in the body.
        """
        text("The name of an angle", name)
        own_name, other = own_body(self, body), GROUND if reference is None else own_body(self, reference)
        if self.dimension == 2:
            self._measures.append(Angle(name, own_name, other))
            return name
        if axis is None:
            raise ModelError(f"Angle '{name}': give the axis it turns about.")
        self._measures.append(self._spatial_angle(name, own_name, other, axis, zero, direction))
        return name

    def separation(self, name: str, a: Point, b: Point) -> str:
        """Names the distance between two points."""
        text("The name of a distance", name)
        self._measures.append(Separation(name, str(own_point(self, a)), str(own_point(self, b))))
        return name

    def coordinate(self, name: str, point: Point, direction: Sequence[float], *, origin: Point | None = None) -> str:
        """Names how far a point is along a direction from an origin, m.

        The direction is given in world axes at the guessed position and fixed in the body of the origin, which is the ground's unless given.
        """
        text("The name of a coordinate", name)
        base = GROUND if origin is None else own_point(self, origin).body
        if not has_formulas(direction):
            direction = unit(self._vector(f"Coordinate '{name}': direction", direction))
        along = self._local(base, direction)
        self._measures.append(
            Coordinate(name, str(own_point(self, point)), along, "" if origin is None else str(origin))
        )
        return name

    # -- events

    def event(
        self,
        quantity: Handle | str,
        *,
        crosses: Number | None = None,
        direction: Any = None,
        does: str = "record",
        name: str | None = None,
    ) -> None:
        """What to do where a quantity crosses a value, or a condition comes true: see `Event`.

        `m.event("slider.x", crosses=0.2, direction="up")`, `m.event("rod.end.y < 0", does="stop")`
        """
        what = self._angle_name(quantity)
        at = None if crosses is None else self._number(f"The value that '{what}' crosses", crosses, self._unit_of(what))
        called = given_name(name) or (what if at is None else f"{what} crosses {at:g}")
        done = text(f"What event '{called}' does", does)
        value = 0.0 if at is None else at
        self._events.append(Event(name=called, quantity=what, crosses=value, direction=direction, does=done))

    # -- the start

    def guess(
        self,
        body: Handle | str,
        position: Sequence[Number],
        *,
        angle: Number = 0.0,
        rotation: Sequence[float] | None = None,
    ) -> None:
        """Where a body roughly starts: its origin, and its angle (plane) or quaternion w, x, y, z (space)."""
        name = body if isinstance(body, str) else own_body(self, body)
        self._guesses[name] = self._pose(f"Guess of '{name}'", position, angle, rotation)

    def need(self, quantity: Handle | str, *, value: Number | None = None, rate: Number | None = None) -> None:
        """What must hold exactly at the start: a value (m, rad) or a rate (m/s, rad/s)."""
        self._needs.append(self._condition(quantity, value, rate))

    def want(self, quantity: Handle | str, *, value: Number | None = None, rate: Number | None = None) -> None:
        """What should hold as nearly as possible at the start."""
        self._wants.append(self._condition(quantity, value, rate))

    # -- inside

    def rotation_of(self, body: str) -> np.ndarray:
        """The body's axes at the guessed position, as columns."""
        pose = self._guesses.get(body, Pose())
        if self.dimension == 2:
            c, s = cos(value_of(pose.angle)), sin(value_of(pose.angle))
            return np.array([[c, -s], [s, c]])
        return rotation_matrix(pose.rotation)

    def _new(self, name: str) -> str:
        """How errors begin about a body that is to be added."""
        if text("The name of a body", name) in self._points:
            raise ModelError(f"Body '{name}' is there already; give each body a name of its own.")
        return f"Body '{name}'"

    def _add_body(self, body: Body, points: dict[str, Vector], pose: Pose | None) -> Handle:
        self._bodies[body.name], self._points[body.name] = body, points
        if pose is not None:
            self._guesses[body.name] = pose
        return Handle(self, body.name)

    def _unit_of(self, quantity: str) -> str:
        """rad for angles, m for everything else that can be measured; with /s for their rates."""
        measures = {measure.name: measure.unit for measure in self._measures}
        source = quantity.removesuffix(".rate")
        unit = "rad" if measures.get(source) == "rad" or source.endswith(".angle") else "m"
        return unit if source == quantity else f"{unit}/s"

    def _place(self, what: str, values: Sequence[Number] | np.ndarray) -> Vector:
        """Coordinates in m, or texts with their unit."""
        return self._numbers(what, values, self.dimension, "m")

    def _vector(self, what: str, values: Sequence[float] | np.ndarray) -> Vector:
        return numbers(what, values, self.dimension)

    def _pose(self, owner: str, position: Sequence[Number], angle: Number, rotation: Sequence[float] | None) -> Pose:
        place = self._place(f"{owner}: position", position)
        turn = (1.0, 0.0, 0.0, 0.0) if rotation is None else numbers(f"{owner}: rotation", rotation, 4)
        if not any(turn):
            raise ModelError(f"{owner}: rotation is {turn}; a quaternion is w, x, y, z, not all zero.")
        w, x, y, z = turn
        return Pose(place, self._number(f"{owner}: angle", angle, "rad"), (w, x, y, z))

    def _condition(self, quantity: Handle | str, value: Number | None, rate: Number | None) -> Condition:
        name = self._angle_name(quantity)
        if value is None and rate is None:
            raise ModelError(f"A condition on '{name}' needs a value or a rate.")
        return Condition(
            name,
            None if value is None else self._number(f"The value of '{name}'", value, self._unit_of(name)),
            None if rate is None else self._number(f"The rate of '{name}'", rate, f"{self._unit_of(name)}/s"),
        )

    def _local(self, body: str, direction: Sequence[float] | np.ndarray) -> Vector:
        """A direction in a body's own axes, with length one; its components may be formulas."""
        if has_formulas(direction):
            return unit_formula(turned(self.rotation_of(body).T, direction))
        given = self._vector(f"A direction on body '{body}'", direction)
        if not any(given):
            raise ModelError(f"The direction {given} on body '{body}' has no length; its numbers must not all be zero.")
        return unit(tuple(float(x) for x in product(self.rotation_of(body).T, given)))

    def _spatial_angle(
        self,
        name: str,
        body: str,
        reference: str,
        axis: Sequence[float],
        zero: Sequence[float] | None = None,
        direction: Sequence[float] | None = None,
    ) -> Angle:
        about = np.array(unit(self._vector(f"Angle '{name}': axis", axis)))
        turned = self.rotation_of(body)[:, 0]
        own = np.array(turned if direction is None else self._vector(f"Angle '{name}': direction", direction))
        seen = own - about * dot(about, own)
        if norm(seen) < 1e-6 * norm(own):
            own = seen = np.array(perpendicular(tuple(about)))
        elif direction is None and not isinstance(self._bodies[body], Bar):
            own = seen
        start = seen if zero is None else self._vector(f"Angle '{name}': zero", zero)
        return Angle(
            name,
            body,
            reference,
            axis=self._local(reference, about),
            zero=self._local(reference, start),
            direction=self._local(body, own),
        )

    def _joint_angles(self) -> list[Angle]:
        """In space, every `body.angle` that is used and not declared: about the body's revolute joint with the ground."""
        if self.dimension == 2:
            return []
        used = [name for force in self._forces for name in (*force.targets(), *force.reads())]
        used += [motor.target for motor in self._motors]
        used += [name for coupling in self._couplings for name in coupling.names]
        used += [name for event in self._events for name in event.reads()]
        used += [condition.quantity for condition in (*self._needs, *self._wants)]
        declared = {measure.name for measure in self._measures}
        found = []
        for name in dict.fromkeys(used):
            body = name.removesuffix(".angle")
            if name == f"{body}.angle" and body in self._bodies and name not in declared:
                found.append(self._spatial_angle(name, body, GROUND, self._axis_on_ground(body)))
        return found

    def _axis_on_ground(self, body: str) -> Vector:
        axes = []
        for joint in self._joints:
            if isinstance(joint, kinds.Revolute) and set(joint.bodies) == {GROUND, body}:
                axes.append(joint.axis_a if joint.bodies[0] == GROUND else joint.axis_b)
        if not axes or any(abs(np.dot(axis, axes[0])) < 1.0 - 1e-9 for axis in axes):
            raise ModelError(
                f"'{body}.angle' has no axis in space unless a revolute joint with the ground gives body '{body}' one; "
                f"name an angle, m.angle('turn', {body}, axis=(…)), and use that."
            )
        return axes[0]

    def _join(self, kind: Any, a: Point, b: Point, name: str | None, **directions: Sequence[float] | None) -> Joint:
        joint_name = self._joint_name(name, a, b)
        fields = {}
        for field, direction in directions.items():
            if direction is not None:
                fields[f"{field}_a"] = self._local(a.body, direction)
                fields[f"{field}_b"] = self._local(b.body, direction)
        return self._add(kind(name=joint_name, a=str(a), b=str(b), **fields))

    def _joint_name(self, name: str | None, a: Point, b: Point) -> str:
        usual = f"{own_point(self, a)}~{own_point(self, b)}"
        return given_name(name) or usual

    def _add(self, joint: Joint) -> Joint:
        self._joints.append(joint)
        return joint

    def _angle_name(self, target: Handle | str) -> str:
        if isinstance(target, Handle):
            return f"{own_body(self, target)}.angle"
        return text("The name of an angle or of another quantity", target)


def as_model(subject: Mechanism | Model) -> Model:
    """The checked description of a mechanism, however it was made."""
    if isinstance(subject, Mechanism):
        return subject.model
    if not isinstance(subject, Model):
        raise ModelError(
            f"{reprlib.repr(subject)} is not a mechanism; give a Mechanism or a Model. A file is read by grashof.load."
        )
    check(subject)
    return subject


def _pose_along(start: Vector, along: list[Scalar], name: str) -> Pose:
    """A pose whose x axis points along a vector; in space, formulas in it count with the values they have."""
    if len(start) == 2:
        return Pose(start, atan2(along[1], along[0]))
    values = [value_of(x) for x in along]
    if not norm(values) > 0:
        raise ModelError(f"Bar '{name}': its start and its end are the same point.")
    x = np.array(unit(tuple(values)))
    y = np.array(perpendicular(tuple(x)))
    return Pose(start, 0.0, quaternion(np.column_stack([x, y, np.cross(x, y)])))
