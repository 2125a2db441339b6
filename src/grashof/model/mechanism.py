"""The builder: describe a mechanism in Python, one line per item.

>>> m = Mechanism("pendulum", gravity=(0, -9.81))
>>> rod = m.bar("rod", length=1.0, mass=1.0)
>>> pin = m.revolute(m.ground.at(0, 0), rod.start)
>>> m.need(rod.angle, value=0.0)
>>> [joint.name for joint in m.model.joints]
['ground.p1~rod.start']
"""

from __future__ import annotations

import reprlib
from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np

from grashof.common.errors import ModelError, did_you_mean
from grashof.common.wording import count_of
from grashof.model.bodies import GROUND, Body
from grashof.model.building.bodies import BodyMethods
from grashof.model.building.contacts import ContactMethods
from grashof.model.building.couplings import CouplingMethods
from grashof.model.building.curves import CurveMethods
from grashof.model.building.forces import ForceMethods
from grashof.model.building.joints import JointMethods
from grashof.model.building.measures import MeasureMethods
from grashof.model.building.parameters import ParameterMethods
from grashof.model.building.start import StartMethods
from grashof.model.check import CheckedModel, check, check_model
from grashof.model.converting import Place
from grashof.model.couplings import Coupling, Motor
from grashof.model.definitions import settle_definitions
from grashof.model.describing import describe_parts
from grashof.model.displaying import Displayed
from grashof.model.events import Event
from grashof.model.fields import Vector, unit
from grashof.model.forces import Force
from grashof.model.formula import Formula, has_formulas, rotate_vector, span, unit_formula, value_of
from grashof.model.given import Number, given_name, is_row, number, numbers, text
from grashof.model.handles import Handle, Point, own_body, own_point
from grashof.model.joints import Joint
from grashof.model.measures import Measure
from grashof.model.model import Model
from grashof.model.parameter import Parameter
from grashof.model.paths import leaves, replace_values
from grashof.model.rotations import rotation_matrix
from grashof.model.start import Condition, Pose, Start
from grashof.model.tables import Table
from grashof.scalar import cos, sin
from grashof.scalar.algebra import product
from grashof.scalar.functions import Scalar

_OTHER_WORDS = {
    "pin": "revolute",
    "hinge": "revolute",
    "ball": "spherical",
    "ball_joint": "spherical",
    "fixed": "weld",
    "fix": "weld",
    "cardan": "universal",
    "link": "bar",
    "rod": "bar",
    "cam": "roller",
    "cable": "rope",
    "plot": "draw",
    "damper": "spring(a, b, damping=…)",
    "linear_actuator": "cylinder(a, b, length=…)",
    "hydraulic_cylinder": "cylinder(a, b, length=…)",
    "piston": "cylinder(a, b, length=…)",
    "dashpot": "spring(a, b, damping=…)",
    "rotational_spring": "torsion_spring",
    "point_mass": "body(name, mass=…, points=…)",
    "mass": "body(name, mass=…, points=…)",
    "point_on_plane": 'coupling(m.coordinate("gap", point, normal, origin=…))',
    "point_in_plane": 'coupling(m.coordinate("gap", point, normal, origin=…))',
    "angular_velocity": "need(body, angular_velocity=…)",
    "set_angular_velocity": "need(body, angular_velocity=…)",
    "spin": "need(body, angular_velocity=…)",
} | dict.fromkeys(
    ("start", "initial", "initial_condition", "set_angle", "set_position", "velocity"),
    "need(crank.angle, value=…, rate=…)",
)
"""Other common names of some methods, for suggestions in error messages."""

_FUNCTIONS = (
    *("simulate", "mobility", "kinematics", "equilibrium", "modes", "linkage", "sweep", "sensitivities", "numbers"),
    *("save", "assemble", "build", "audit", "stream"),
)
"""Functions of the package that take a mechanism as their first argument and are not methods."""


class Mechanism(
    Displayed,
    BodyMethods,
    JointMethods,
    ForceMethods,
    CouplingMethods,
    CurveMethods,
    ContactMethods,
    MeasureMethods,
    StartMethods,
    ParameterMethods,
):
    """A mechanism under construction: bodies, joints, forces and initial conditions are added one call at a time.

    name        name of the mechanism
    gravity     acceleration of gravity, m/s²: (0, -9.81) in the plane, (0, 0, -9.81) in space; zero by default
    dimension   2 (plane) or 3 (space); by default the number of components of gravity, or 2 without gravity

    All numbers are in SI units (m, kg, s, N, rad), or strings with a unit: "120 mm", "30 deg". `print(m)` lists what
    has been added so far; `m.model` is the complete description, checked and immutable.
    """

    def __init__(self, name: str, gravity: Sequence[Number] | None = None, dimension: int | None = None) -> None:
        self.name = text("The name of a mechanism", name)
        words = f"Mechanism '{name}': gravity"
        pull = None if gravity is None else numbers(words, self._vectorial(gravity), unit="m/s2")
        if dimension is None:
            dimension = 2 if pull is None else len(pull)
        if number(f"Mechanism '{name}': dimension", dimension) not in (2, 3):
            raise ModelError(f"Mechanism '{name}': dimension is {dimension}; it must be 2 (plane) or 3 (space).")
        self.dimension = int(dimension)
        self._gravity = (0.0,) * self.dimension if pull is None else pull
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
        self._source: dict[str, dict[str, str]] = {}

    @classmethod
    def of(cls, model: Model) -> Mechanism:
        """A mechanism to be changed, with everything that a description has: `model.edit()`."""
        m = cls(model.name, dimension=model.dimension)
        known = leaves(model)
        formulas = {
            leaf.place: Formula(model.defined[path], value_of(leaf.value))
            for path, leaf in known.items()
            if path in model.defined
        }
        whole = replace_values(model, formulas) if formulas else model
        m._has_formulas, m._gravity, m._source = bool(formulas), whole.gravity, dict(whole.source)
        m._points[GROUND] = dict(whole.ground)
        for body in whole.bodies:
            m._bodies[body.name], m._points[body.name] = body, {**body.ends(whole.dimension), **body.points}
        m._joints, m._forces, m._motors = list(whole.joints), list(whole.forces), list(whole.motors)
        m._couplings, m._measures, m._events = list(whole.couplings), list(whole.measures), list(whole.events)
        m._tables = {table.name: table for table in whole.tables}
        m._parameters = {parameter.name: parameter for parameter in whole.parameters}
        start = whole.start
        m._guesses, m._needs, m._wants, m.time = dict(start.guesses), list(start.needs), list(start.wants), start.time
        return m

    def __getitem__(self, name: str) -> Handle:
        """The body with this name, from which points and lines are taken: m["crank"].end."""
        if name not in self._points:
            hint = did_you_mean(name, self._points)
            raise ModelError(f"There is no body '{name}' in mechanism '{self.name}'; {hint}")
        return Handle(self, name)

    def edit(self) -> Mechanism:
        """This mechanism; a description that was read from a file gives a mechanism to be changed in the same way."""
        return self

    @property
    def gravity(self) -> Vector:
        """The acceleration of gravity, m/s²."""
        return self._gravity

    @gravity.setter
    def gravity(self, gravity: Sequence[Number]) -> None:
        self._gravity = self._numbers(f"Mechanism '{self.name}': gravity", self._vectorial(gravity), unit="m/s2")

    def _vectorial(self, gravity: Sequence[Number]) -> Sequence[Number]:
        """The gravity as given; a single number is refused."""
        if not is_row(gravity):
            raise ModelError(
                f"Mechanism '{self.name}': gravity is {reprlib.repr(gravity)}; it must be a vector, such as (0, -9.81) "
                "in the plane or (0, 0, -9.81) in space."
            )
        return gravity

    # -- the description

    @property
    def model(self) -> CheckedModel:
        """The complete description of the mechanism, checked and immutable."""
        model = self._unchecked()
        texts: dict[Place, str] = {}
        if self._parameters or self._has_formulas:
            texts = {leaf.place: x.text for leaf in leaves(model).values() if isinstance(x := leaf.value, Formula)}
        return check(settle_definitions(model, texts))

    def _unchecked(self) -> Model:
        """The description so far, unchecked; numbers given by expressions are still formulas."""
        bodies: list[Body] = []
        for body in self._bodies.values():
            ends = body.ends(self.dimension)
            own = {name: place for name, place in self._points[body.name].items() if name not in ends}
            bodies.append(msgspec.structs.replace(body, points=own))
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
            source=self._source,
        )

    def __str__(self) -> str:
        return describe_parts(self._unchecked())

    def __repr__(self) -> str:
        bodies, joints = count_of(len(self._bodies), "body", "bodies"), count_of(len(self._joints), "joint")
        return f"Mechanism '{self.name}': {bodies}, {joints}"

    def __getattr__(self, name: str) -> Any:
        """Raises an AttributeError that suggests the right method or function."""
        if name.startswith("_"):
            raise AttributeError(name)
        known = [word for word in dir(type(self)) if not word.startswith("_")]
        if name in _FUNCTIONS:
            hint = f"write grashof.{name}(m, …)."
        else:
            other = _OTHER_WORDS.get(name, "")
            hint = f"write m.{other if '(' in other else other + '(…)'}." if other else did_you_mean(name, known)
        raise AttributeError(f"A mechanism has no '{name}'; {hint}", name=name, obj=None)

    # -- inside

    def rotation_of(self, body: str) -> np.ndarray:
        """The rotation matrix of a body at its guessed position: its columns are the body's axes."""
        pose = self._guesses.get(body, Pose())
        if self.dimension == 2:
            c, s = cos(value_of(pose.angle)), sin(value_of(pose.angle))
            return np.array([[c, -s], [s, c]])
        return rotation_matrix(pose.rotation)

    def local_place(self, body: str, place: Vector) -> Vector:
        """A place given in world axes, in the axes of a body at its guessed position."""
        if body == GROUND:
            return place
        if body not in self._guesses:
            raise ModelError(
                f"Body '{body}' has no guessed position, so that a place in world axes is not one of its points; give "
                "its position (at, position, angle or rotation), or a point in its own axes."
            )
        origin = self._guesses[body].position or (0.0,) * self.dimension
        offset = span(origin, place)
        axes = self.rotation_of(body).T
        return tuple(rotate_vector(axes, offset) if has_formulas(offset) else product(axes, offset).tolist())

    def _place(self, what: str, values: Sequence[Number] | np.ndarray) -> Vector:
        """Coordinates in m, from numbers or strings with a unit."""
        return self._numbers(what, self._sized(what, values), self.dimension, "m")

    def _vector(self, what: str, values: Sequence[float] | np.ndarray) -> Vector:
        return numbers(what, self._sized(what, values), self.dimension)

    def _sized(self, what: str, values: Any) -> Any:
        """The values as given, unless they have three components in a planar mechanism or two in a spatial one."""
        if isinstance(values, str):
            shown = "(1, 0)" if self.dimension == 2 else "(1, 0, 0)"
            raise ModelError(
                f"{what} is {reprlib.repr(values)}; write it as {self.dimension} numbers, such as {shown}."
            )
        if isinstance(values, Sequence) or (isinstance(values, np.ndarray) and values.ndim == 1):
            if len(values) == 3 and self.dimension == 2:
                raise ModelError(
                    f"{what} is {reprlib.repr(values)}, which has three components, but mechanism "
                    f"'{self.name}' is planar; give two, or write "
                    f"Mechanism({self.name!r}, dimension=3), or give it a gravity with three components."
                )
            if len(values) == 2 and self.dimension == 3:
                raise ModelError(
                    f"{what} is {reprlib.repr(values)}, which has two components, but mechanism '{self.name}' "
                    "is in space (dimension 3); give three."
                )
        return values

    def _local(self, body: str, direction: Sequence[float] | np.ndarray) -> Vector:
        """A unit vector in a body's own axes along the given direction; its components may be formulas."""
        if has_formulas(direction):
            return unit_formula(rotate_vector(self.rotation_of(body).T, direction))
        given = self._vector(f"A direction on body '{body}'", direction)
        if not any(given):
            raise ModelError(f"The direction {given} on body '{body}' has no length; its numbers must not all be zero.")
        return unit(tuple(float(x) for x in product(self.rotation_of(body).T, given)))

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
        if isinstance(target, Point):
            raise ModelError(
                f"'{target}' is a point, not a quantity; write one of its coordinates, such as '{target}.x', as text."
            )
        name = text("The name of an angle or of another quantity", target)
        own_angle = name in self._bodies and name not in {measure.name for measure in self._measures}
        return f"{name}.angle" if own_angle else name


def as_model(subject: Mechanism | Model) -> CheckedModel:
    """The checked description of a mechanism, whether it was built in Python or read from a file."""
    if isinstance(subject, Mechanism):
        return subject.model
    if not isinstance(subject, Model):
        raise ModelError(
            f"{reprlib.repr(subject)} is not a mechanism; give a Mechanism or a Model. grashof.load reads one from a "
            "file, grashof.example takes one from the gallery."
        )
    return check_model(subject)
