"""Random descriptions that are valid as data: every name, reference, number and direction is as it should be.

Nothing here says that the mechanism can be put together; for that, bodies and joints would have to fit in space.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

from grashof.model.bodies import Bar, Body, RigidBody
from grashof.model.couplings import Motor
from grashof.model.fields import Vector, cross, perpendicular, unit
from grashof.model.forces import Force, PointForce, SpringDamper, Torque, TorsionSpring, UserForce
from grashof.model.forces.user_force import register
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
from grashof.model.measures import Angle, Measure, Separation
from grashof.model.model import Model
from grashof.model.rotations import rotation_matrix
from grashof.model.start import Condition, Pose, Start

DIRECTIONS: dict[int, dict[type, tuple[str, ...]]] = {
    2: {
        Distance: (),
        PinInSlot: ("axis_a",),
        Revolute: (),
        Slider: ("axis_a", "axis_b"),
        Weld: ("axis_a", "axis_b"),
    },
    3: {
        Cylindrical: ("axis_a", "axis_b"),
        Distance: (),
        Plane: ("normal_a", "normal_b"),
        Revolute: ("axis_a", "axis_b"),
        Slider: ("axis_a", "axis_b", "normal_a", "normal_b"),
        Spherical: (),
        Universal: ("axis_a", "axis_b"),
        Weld: ("axis_a", "axis_b", "normal_a", "normal_b"),
    },
}
"""The joints of the plane and of space, with the directions each of them needs."""

LAWS = ("2", "2 + sin(3*t)", "sqrt(1 + t**2)", "exp(-t/10)", "pi/(1 + t**2)")
"""Laws of time that are positive everywhere, so that a distance may follow them too."""

names = st.text("abcXYZ019 _-~#'\"\\[]{}=θ°é", min_size=1, max_size=8).filter(
    lambda name: name == name.strip() and name not in ("ground", "angle", "start", "end")
)
numbers = st.floats(allow_nan=False, allow_infinity=False)
times = st.floats(-10.0, 10.0)
amounts = st.floats(0.0, 1e9)
lengths = st.floats(1e-9, 1e9)
values = st.floats(-1e9, 1e9)


def no_load(t: Any, positions: list[Any], velocities: list[Any]) -> list[Any]:
    """A user force that pushes nothing."""
    return [[0.0 * x for x in p] if isinstance(p, list) else 0.0 * p for p in positions]


def planar_models() -> st.SearchStrategy[Model]:
    """Valid descriptions in the plane."""
    return _models(2)


def spatial_models() -> st.SearchStrategy[Model]:
    """Valid descriptions in space."""
    return _models(3)


def vectors(dimension: int) -> st.SearchStrategy[Vector]:
    """Any finite components."""
    return st.tuples(*[numbers] * dimension)


def directions(dimension: int) -> st.SearchStrategy[Vector]:
    """Unit vectors."""
    components = st.tuples(*[st.floats(-1.0, 1.0)] * dimension)
    return components.filter(lambda v: max(map(abs, v)) > 1e-3).map(unit)


@st.composite
def inertias(draw: st.DrawFn, dimension: int) -> float | tuple[float, ...]:
    """Moments that a real body has: I = tr(S) 1 − S from second moments of mass S = R diag(s) Rᵀ with s ≥ 0."""
    if dimension == 2:
        return draw(amounts)
    x, y, z = draw(st.tuples(amounts, amounts, amounts))
    if draw(st.booleans()):
        return (y + z, x + z, x + y)
    turn = rotation_matrix(draw(st.tuples(*[st.floats(-1.0, 1.0)] * 4).filter(lambda q: max(map(abs, q)) > 1e-3)))
    second = turn @ np.diag([x, y, z]) @ turn.T
    second = 0.5 * (second + second.T)
    matrix = np.trace(second) * np.eye(3) - second
    return tuple(float(matrix[i]) for i in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)))


@st.composite
def _bodies(draw: st.DrawFn, dimension: int) -> tuple[Body, ...]:
    found: list[Body] = []
    for name in draw(st.lists(names, min_size=1, max_size=4, unique=True)):
        mass = draw(amounts)
        if draw(st.booleans()):
            points = draw(st.dictionaries(names, vectors(dimension), max_size=2))
            found.append(Bar(name, draw(lengths), mass, points))
        else:
            points = draw(st.dictionaries(names, vectors(dimension), min_size=1, max_size=3))
            center = draw(st.one_of(st.just(()), vectors(dimension)))
            found.append(RigidBody(name, mass, center, draw(inertias(dimension)), points))
    return tuple(found)


@st.composite
def _joint(draw: st.DrawFn, dimension: int, name: str, a: str, b: str) -> Joint:
    kind = draw(st.sampled_from(list(DIRECTIONS[dimension])))
    if kind is Distance:
        return Distance(name=name, a=a, b=b, length=draw(lengths))
    fields = {}
    for side in "ab":
        axis = draw(directions(dimension))
        normal = perpendicular(axis)
        fields |= {f"axis_{side}": axis, f"normal_{side}": draw(st.sampled_from([normal, tuple(-x for x in normal)]))}
    needed = {field: fields[field] for field in DIRECTIONS[dimension][kind]}
    return kind(name=name, a=a, b=b, **needed)


@st.composite
def _measure(draw: st.DrawFn, dimension: int, name: str, bodies: tuple[str, str], a: str, b: str) -> Measure:
    if draw(st.booleans()):
        return Separation(name, a, b)
    if dimension == 2:
        return Angle(name, *bodies)
    axis = draw(directions(3))
    zero = perpendicular(axis)
    zero = draw(st.sampled_from([zero, cross(axis, zero)]))
    return Angle(name, *bodies, axis=axis, zero=zero, direction=draw(directions(3)))


@st.composite
def _force(draw: st.DrawFn, dimension: int, name: str, pair: tuple[str, str], model: Model) -> Force:
    angles = [key for key, measure in model.all_measures.items() if isinstance(measure, Angle)]
    kind = draw(st.sampled_from([PointForce, SpringDamper, UserForce, *([Torque, TorsionSpring] if angles else [])]))
    if kind is PointForce:
        axes = draw(st.sampled_from(["world", "body"]))
        return PointForce(name=name, point=pair[0], force=draw(vectors(dimension)), axes=axes)
    if kind is SpringDamper:
        k, l, c = draw(st.tuples(amounts, amounts, amounts))
        return SpringDamper(name=name, a=pair[0], b=pair[1], stiffness=k, length=l, damping=c)
    if kind is UserForce:
        targets = draw(st.lists(st.sampled_from([*model.points, *model.all_measures]), min_size=1, max_size=3))
        return UserForce(name=name, on=tuple(targets), function=register(no_load))
    angle = draw(st.sampled_from(angles))
    if kind is Torque:
        return Torque(name=name, angle=angle, torque=draw(numbers))
    k, c = draw(st.tuples(amounts, amounts))
    return TorsionSpring(name=name, angle=angle, stiffness=k, rest=draw(numbers), damping=c)


@st.composite
def _start(draw: st.DrawFn, dimension: int, model: Model) -> Start:
    attitude = (
        st.builds(Pose, vectors(2), values)
        if dimension == 2
        else st.builds(Pose, vectors(3), rotation=st.tuples(*[numbers] * 4).filter(any))
    )
    guesses = st.dictionaries(st.sampled_from([body.name for body in model.bodies]), attitude, max_size=3)
    moving = [point for point in model.points if not point.startswith("ground.")]
    quantities = [*model.all_measures, *(f"{point}.{axis}" for point in moving for axis in "xyz"[:dimension])]
    condition = st.one_of(
        st.builds(Condition, st.sampled_from(quantities), values),
        st.builds(Condition, st.sampled_from(quantities), st.none(), numbers),
        st.builds(Condition, st.sampled_from(quantities), values, numbers),
    )
    conditions = st.lists(condition, max_size=3).map(tuple)
    return Start(draw(times), draw(guesses), draw(conditions), draw(conditions))


@st.composite
def _models(draw: st.DrawFn, dimension: int) -> Model:
    bodies = draw(_bodies(dimension))
    ground = draw(st.dictionaries(names, vectors(dimension), min_size=1, max_size=3))
    gravity = draw(st.one_of(st.just(()), vectors(dimension)))
    model = Model(draw(names), 2 if dimension == 2 else 3, gravity, ground, bodies)
    places: dict[str, list[str]] = {}
    for reference in model.points:
        places.setdefault(reference.rpartition(".")[0], []).append(reference)

    def pair() -> tuple[tuple[str, str], str, str]:
        one, other = draw(st.permutations(list(places)))[:2]
        return (one, other), draw(st.sampled_from(places[one])), draw(st.sampled_from(places[other]))

    some_names = st.lists(names, max_size=3, unique=True)
    joints = tuple(draw(_joint(dimension, name, *pair()[1:])) for name in draw(some_names))
    measures = tuple(draw(_measure(dimension, name, *pair())) for name in draw(some_names))
    model = Model(model.name, model.dimension, gravity, ground, bodies, joints, measures=measures)
    forces = tuple(draw(_force(dimension, name, pair()[1:], model)) for name in draw(some_names))
    driven = (
        draw(st.lists(st.sampled_from([*model.all_measures]), max_size=2, unique=True)) if model.all_measures else []
    )
    motors = tuple(Motor(f"motor {i}", target, draw(st.sampled_from(LAWS))) for i, target in enumerate(driven))
    start = draw(_start(dimension, model))
    return Model(model.name, model.dimension, gravity, ground, bodies, joints, forces, motors, measures, start)
