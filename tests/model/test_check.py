"""A description that cannot be right is refused in one sentence that names the thing."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grashof.errors import ModelError
from grashof.model.bodies import Bar, RigidBody
from grashof.model.check import check
from grashof.model.forces import PointForce, SpringDamper, Torque, TorsionSpring, UserForce
from grashof.model.joints import Cylindrical, Distance, PinInSlot, Revolute, Slider, Spherical, Universal, Weld
from grashof.model.measures import Angle, Separation
from grashof.model.mechanism import Mechanism
from grashof.model.model import Model
from grashof.model.motors import Motor
from grashof.model.start import Condition, Pose, Start

from .strategies import DIRECTIONS, planar_models, spatial_models

X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)

PLANAR = Model(
    "crank and rod",
    2,
    (0.0, -9.81),
    {"pin": (0.0, 0.0)},
    (Bar("crank", 0.2, 1.0), RigidBody("rod", 1.0, (0.2, 0.0), 0.01, {"a": (0.0, 0.0), "b": (0.5, 0.0)})),
    (Revolute(name="A", a="ground.pin", b="crank.start"), Revolute(name="B", a="crank.end", b="rod.a")),
    measures=(Separation("stroke", "ground.pin", "rod.b"),),
)

SPATIAL = Model(
    "spatial crank",
    3,
    (0.0, 0.0, -9.81),
    {"pin": (0.0, 0.0, 0.0)},
    (Bar("crank", 0.2, 1.0), RigidBody("rod", 1.0, (0.2, 0.0, 0.0), (0.0, 0.01, 0.01), {"a": (0.0, 0.0, 0.0)})),
    (Revolute(name="A", a="ground.pin", b="crank.start", axis_a=Z, axis_b=Z),),
    measures=(Angle("turn", "crank", axis=Z, zero=X, direction=X),),
)


def refusal(model: Model) -> str:
    with pytest.raises(ModelError) as caught:
        check(model)
    text = str(caught.value)
    assert "\n" not in text
    assert text.endswith((".", "?", ")."))
    return text


def planar(**changes: Any) -> Model:
    return msgspec.structs.replace(PLANAR, **changes)


def spatial(**changes: Any) -> Model:
    return msgspec.structs.replace(SPATIAL, **changes)


def with_body(base: Model, body: Bar | RigidBody) -> Model:
    return msgspec.structs.replace(base, bodies=(*base.bodies, body))


def with_joint(base: Model, kind: Any, **fields: Any) -> Model:
    joint = kind(**{"name": "J", "a": "ground.pin", "b": "rod.a", **fields})
    return msgspec.structs.replace(base, joints=(*base.joints, joint))


def with_force(kind: Any, **fields: Any) -> Model:
    return planar(forces=(kind(name="F", **fields),))


def with_start(base: Model, **fields: Any) -> Model:
    return msgspec.structs.replace(base, start=Start(**fields))


# -- what is accepted


@settings(max_examples=60, deadline=None)
@given(st.one_of(planar_models(), spatial_models()))
def test_valid_descriptions_pass(model: Model) -> None:
    check(model)


@pytest.mark.parametrize(
    "body",
    [
        RigidBody("massless"),
        RigidBody("flywheel", 0.0, (), (1.0, 1.0, 2.0)),
        RigidBody("flat plate with round-off", 1.0, (), (0.1, 0.2, 0.1 + 0.2)),
        RigidBody("turned slender rod", 1.0, (), (0.5, 0.5, 1.0, 0.5, 0.0, 0.0)),
        Bar("massless rod", 1.0),
    ],
    ids=lambda body: body.name,
)
def test_massless_and_degenerate_bodies_are_allowed_in_space(body: Bar | RigidBody) -> None:
    check(with_body(SPATIAL, body))


def test_in_space_a_measure_may_be_called_the_angle_of_its_body() -> None:
    measure = Angle("crank.angle", "crank", axis=Z, zero=X, direction=X)
    check(spatial(measures=(measure,)))


# -- any number, any name, any reference of any description


@settings(max_examples=100, deadline=None)
@given(st.one_of(planar_models(), spatial_models()), st.sampled_from([math.nan, math.inf, -math.inf]), st.data())
def test_a_number_that_is_not_finite_is_found_wherever_it_is(model: Model, bad: float, data: st.DataObject) -> None:
    content = msgspec.to_builtins(model)
    container, key, owner = data.draw(st.sampled_from(list(_places_of_numbers(content, model.name))))
    container[key] = bad
    text = refusal(msgspec.convert(content, Model))
    assert str(bad) in text
    assert f"'{owner}'" in text or owner in ("gravity", "ground", "time")


def _places_of_numbers(content: Any, owner: str) -> Iterator[tuple[Any, Any, str]]:
    """Every float in a description: where it is held, under which key, and the name of what it belongs to."""
    if isinstance(content, dict):
        owner = content.get("name", content.get("quantity", owner))
    for key, item in list(content.items() if isinstance(content, dict) else enumerate(content)):
        if isinstance(item, tuple):
            item = content[key] = list(item)
        if isinstance(item, float):
            yield content, key, key if key == "time" else owner
        elif isinstance(item, dict | list):
            owned_by_key = owner == "guesses" or key in ("gravity", "ground", "guesses")
            yield from _places_of_numbers(item, key if owned_by_key else owner)


@settings(max_examples=60, deadline=None)
@given(st.one_of(planar_models(), spatial_models()), st.data())
def test_two_things_of_one_kind_need_two_names(model: Model, data: st.DataObject) -> None:
    groups = [g for g in ("bodies", "joints", "forces", "motors", "measures") if getattr(model, g)]
    group = data.draw(st.sampled_from(groups))
    parts = getattr(model, group)
    twin = data.draw(st.sampled_from(parts))
    text = refusal(msgspec.structs.replace(model, **{group: (*parts, twin)}))
    assert f"'{twin.name}' is there twice" in text


# -- names


@pytest.mark.parametrize("name", ["", " rod", "rod\n", "a\tb", "\ud800"])
def test_names_are_visible(name: str) -> None:
    assert "name" in refusal(with_body(PLANAR, Bar(name, 1.0)))


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (with_body(PLANAR, Bar("ground", 1.0)), "Body 'ground'"),
        (with_body(PLANAR, Bar("left.rod", 1.0)), "Body 'left.rod': the name has a dot"),
        (with_body(PLANAR, RigidBody("plate", points={"a.b": (0.0, 0.0)})), "Body 'plate': point 'a.b'"),
        (with_body(PLANAR, RigidBody("plate", points={"angle": (0.0, 0.0)})), "point 'angle'"),
        (with_body(PLANAR, Bar("link", 1.0, points={"end": (0.5, 0.0)})), "Body 'link': point 'end'"),
        (planar(ground={"p.q": (0.0, 0.0)}), "Ground: point 'p.q'"),
        (planar(measures=(Angle("crank.angle", "crank", "rod"),)), "Measure 'crank.angle'"),
        (planar(name=""), "Mechanism"),
    ],
)
def test_names_that_would_be_ambiguous_are_refused(model: Model, words: str) -> None:
    assert words in refusal(model)


# -- bodies


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (Bar("link", 0.0, 1.0), "length is 0.0 m"),
        (Bar("link", -1.0, 1.0), "length is -1.0 m"),
        (Bar("link", 1.0, -1.0), "mass is -1.0 kg"),
        (RigidBody("link", -1.0), "mass is -1.0 kg"),
        (RigidBody("link", 1.0, (), -0.5), "inertia is -0.5 kg m²"),
        (RigidBody("link", 1.0, (), (1.0, 1.0, 1.0)), "one number"),
        (RigidBody("link", 1.0, (1.0, 2.0, 3.0)), "center is (1.0, 2.0, 3.0), which has 3 components"),
        (RigidBody("link", points={"tip": (1.0,)}), "point 'tip' is (1.0,)"),
    ],
)
def test_impossible_bodies_in_the_plane(body: Bar | RigidBody, words: str) -> None:
    text = refusal(with_body(PLANAR, body))
    assert "Body 'link'" in text
    assert words in text


@pytest.mark.parametrize(
    ("inertia", "words"),
    [
        (1.0, "3 numbers"),
        ((1.0,), "3 numbers"),
        ((1.0, 1.0, 1.0, 0.0), "3 numbers"),
        ((-1.0, 1.0, 1.0), "none may be negative"),
        ((1.0, 1.0, 1.0, 2.0, 0.0, 0.0), "none may be negative"),
        ((1.0, 1.0, 3.0), "sum of the other two"),
        ((1.0, 1.0, 2.0 + 1e-6), "sum of the other two"),
    ],
)
def test_impossible_inertia_in_space(inertia: Any, words: str) -> None:
    text = refusal(with_body(SPATIAL, RigidBody("link", 1.0, (), inertia)))
    assert "Body 'link': inertia" in text
    assert words in text


# -- the mechanism


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (Model("empty"), "no bodies"),
        (planar(dimension=4), "dimension is 4"),
        (planar(gravity=(0.0, 0.0, -9.81)), "gravity is (0.0, 0.0, -9.81), which has 3 components"),
        (planar(ground={"pin": (0.0,)}), "Ground: point 'pin'"),
    ],
)
def test_impossible_mechanisms(model: Model, words: str) -> None:
    assert words in refusal(model)


# -- joints


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"b": "rodd.a"}, "did you mean 'rod'?"),
        ({"b": "rod.aa"}, "body 'rod' has no point 'rod.aa'; did you mean 'rod.a'?"),
        ({"b": "rod"}, "'rod' is not a point"),
        ({"a": "rod.b"}, "points of one body"),
    ],
)
def test_joints_tie_points_of_two_known_bodies(fields: dict[str, str], words: str) -> None:
    text = refusal(with_joint(PLANAR, Revolute, **fields))
    assert text.startswith("Joint 'J'")
    assert words in text


def test_the_ground_is_not_joined_to_itself() -> None:
    base = planar(ground={"pin": (0.0, 0.0), "eye": (1.0, 0.0)})
    assert "points of one body" in refusal(with_joint(base, Revolute, b="ground.eye"))


@pytest.mark.parametrize(
    ("base", "kind", "words"),
    [
        (PLANAR, Spherical, "no joint of type 'spherical' in the plane"),
        (PLANAR, Universal, "no joint of type 'universal' in the plane"),
        (SPATIAL, PinInSlot, "no joint of type 'pin in slot' in space"),
    ],
)
def test_joints_belong_to_the_plane_or_to_space(base: Model, kind: Any, words: str) -> None:
    assert words in refusal(with_joint(base, kind))


@pytest.mark.parametrize("length", [0.0, -1.0])
def test_a_distance_is_positive(length: float) -> None:
    assert f"Joint 'J': length is {length} m" in refusal(with_joint(PLANAR, Distance, length=length))


@pytest.mark.parametrize(
    ("dimension", "kind", "field"),
    [
        (dimension, kind, field)
        for dimension in (2, 3)
        for kind, fields in DIRECTIONS[dimension].items()
        for field in fields
    ],
)
def test_every_direction_a_joint_needs_is_asked_for(dimension: int, kind: Any, field: str) -> None:
    base, axis, normal = (PLANAR, (1.0, 0.0), ()) if dimension == 2 else (SPATIAL, X, Y)
    all_of_them = {f: axis if f.startswith("axis") else normal for f in DIRECTIONS[dimension][kind]}
    check(with_joint(base, kind, **all_of_them))
    del all_of_them[field]
    assert f"Joint 'J': {field} is missing" in refusal(with_joint(base, kind, **all_of_them))


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (with_joint(PLANAR, PinInSlot, axis_a=(0.0, 0.0)), "axis_a is (0.0, 0.0), of length 0"),
        (with_joint(PLANAR, PinInSlot, axis_a=(1.0, 1.0)), "divide it by its length"),
        (with_joint(PLANAR, PinInSlot, axis_a=(1.0 + 1e-8, 0.0)), "divide it by its length"),
        (with_joint(PLANAR, PinInSlot, axis_a=X), "has 3 components"),
        (with_joint(PLANAR, Revolute, axis_a=(1.0, 0.0)), "axis_a is (1.0, 0.0), which has no meaning in the plane"),
        (with_joint(SPATIAL, Cylindrical, axis_a=Z, axis_b=(0.0, 0.0, 2.0)), "axis_b is (0.0, 0.0, 2.0)"),
        (
            with_joint(SPATIAL, Slider, axis_a=X, axis_b=X, normal_a=Y, normal_b=(0.8, 0.6, 0.0)),
            "axis_b (1.0, 0.0, 0.0) and normal_b (0.8, 0.6, 0.0) are 36.8698976° apart",
        ),
        (with_joint(SPATIAL, Weld, axis_a=X, axis_b=X, normal_a=X, normal_b=Y), "normal_a (1.0, 0.0, 0.0)"),
    ],
)
def test_directions_have_length_one_and_stand_at_right_angles(model: Model, words: str) -> None:
    text = refusal(model)
    assert text.startswith("Joint 'J'")
    assert words in text


# -- measures


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (planar(measures=(Angle("θ", "crnk"),)), "there is no body 'crnk'; did you mean 'crank'?"),
        (planar(measures=(Angle("θ", "crank", "frame"),)), "there is no body 'frame'"),
        (planar(measures=(Angle("θ", "crank", "crank"),)), "against itself"),
        (planar(measures=(Angle("θ", "crank", axis=(1.0, 0.0)),)), "no meaning in the plane"),
        (planar(measures=(Separation("θ", "rod.a", "rod.b"),)), "never changes"),
        (planar(measures=(Separation("θ", "rod.a", "ground.pn"),)), "did you mean 'ground.pin'?"),
        (spatial(measures=(Angle("θ", "crank"),)), "axis is missing"),
        (spatial(measures=(Angle("θ", "crank", axis=Z, zero=X),)), "direction is missing"),
        (spatial(measures=(Angle("θ", "crank", axis=Z, zero=Z, direction=X),)), "are 0° apart"),
        (spatial(measures=(Angle("θ", "crank", axis=Z, zero=X, direction=(2.0, 0.0, 0.0)),)), "of length 2"),
    ],
)
def test_impossible_measures(model: Model, words: str) -> None:
    text = refusal(model)
    assert text.startswith("Measure 'θ'")
    assert words in text


# -- forces and motors


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (with_force(PointForce, point="rod.c", force=(1.0, 0.0)), "no point 'rod.c'"),
        (with_force(PointForce, point="rod.b", force=X), "has 3 components"),
        (with_force(PointForce, point="rod.b", force=(1.0, 0.0), axes="bodily"), "axes is 'bodily'"),
        (with_force(SpringDamper, a="rod.a", b="rod.b"), "points of one body"),
        (with_force(SpringDamper, a="ground.pin", b="rod.b", stiffness=-1.0), "stiffness is -1.0 N/m"),
        (with_force(SpringDamper, a="ground.pin", b="rod.b", damping=-1.0), "damping is -1.0 N s/m"),
        (with_force(SpringDamper, a="ground.pin", b="rod.b", length=-1.0), "length is -1.0 m"),
        (with_force(Torque, angle="crank.angel", torque=1.0), "did you mean 'crank.angle'?"),
        (with_force(Torque, angle="stroke", torque=1.0), "'stroke' is a distance"),
        (with_force(TorsionSpring, angle="rod.angle", stiffness=-1.0), "stiffness is -1.0 N m/rad"),
        (with_force(TorsionSpring, angle="rod.angle", damping=-1.0), "damping is -1.0 N m s/rad"),
        (with_force(UserForce, on=(), function="m:f"), "'on' is empty"),
        (with_force(UserForce, on=("strok",), function="m:f"), "did you mean 'stroke'?"),
    ],
)
def test_impossible_forces(model: Model, words: str) -> None:
    text = refusal(model)
    assert text.startswith("Force 'F'")
    assert words in text


@pytest.mark.parametrize(
    ("target", "law", "words"),
    [
        ("crank", "t", "no measure 'crank' to drive; did you mean 'crank.angle'?"),
        ("crank.angle", "2*", "cannot read the law '2*'"),
        ("crank.angle", "1/t", "no finite value, rate and acceleration at the start, t = 0.0 s"),
        ("crank.angle", "sqrt(t)", "no finite value"),
        ("crank.angle", "exp(1000)", "no finite value"),
        ("stroke", "t", "starts at 0.0 m"),
    ],
)
def test_impossible_motors(target: str, law: str, words: str) -> None:
    text = refusal(planar(motors=(Motor("M", target, law),)))
    assert "otor 'M'" in text
    assert words in text


def test_one_angle_has_one_motor() -> None:
    text = refusal(planar(motors=(Motor("M", "crank.angle", "t"), Motor("N", "crank.angle", "2*t"))))
    assert "'M'" in text
    assert "'N'" in text
    assert "'crank.angle'" in text


# -- the start


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (with_start(PLANAR, guesses={"crnk": Pose()}), "did you mean 'crank'?"),
        (with_start(PLANAR, guesses={"ground": Pose()}), "'ground', which is no body"),
        (with_start(PLANAR, guesses={"crank": Pose(X)}), "position is (1.0, 0.0, 0.0)"),
        (with_start(PLANAR, guesses={"crank": Pose(rotation=(0.0, 1.0, 0.0, 0.0))}), "as an angle"),
        (with_start(SPATIAL, guesses={"crank": Pose(angle=1.0)}), "as a rotation"),
        (with_start(SPATIAL, guesses={"crank": Pose(rotation=(0.0, 0.0, 0.0, 0.0))}), "not all zero"),
        (with_start(PLANAR, needs=(Condition("crank.angle"),)), "neither value nor rate"),
        (with_start(PLANAR, needs=(Condition("crank.angel", 0.0),)), "did you mean 'crank.angle'?"),
        (with_start(PLANAR, wants=(Condition("rod.b.z", 0.0),)), "want of 'rod.b.z'"),
        (with_start(PLANAR, wants=(Condition("ground.pin.x", 0.0),)), "want of 'ground.pin.x'"),
        (with_start(SPATIAL, needs=(Condition("crank.angle", 0.0),)), "need of 'crank.angle'"),
    ],
)
def test_impossible_starts(model: Model, words: str) -> None:
    text = refusal(model)
    assert text.startswith("Start")
    assert words in text


@pytest.mark.parametrize("quantity", ["crank.end.x", "rod.b.y", "rod.angle", "stroke"])
@pytest.mark.parametrize("fields", [{"value": 0.0}, {"rate": 0.0}, {"value": 1.0, "rate": 0.0}])
def test_coordinates_angles_and_measures_may_be_needed(quantity: str, fields: dict[str, float]) -> None:
    check(with_start(PLANAR, needs=(Condition(quantity, **fields),)))


def test_a_user_force_is_checked_without_its_code() -> None:
    check(with_force(UserForce, on=("rod.b", "stroke"), function="never_imported:law"))


def test_a_force_and_a_motor_have_names_of_their_own() -> None:
    m = Mechanism("m", gravity=(0, -9.81))
    rod = m.bar("rod", length=1.0, mass=1.0)
    m.revolute(m.ground.at(0, 0), rod.start)
    m.torque(rod, 1.0, name="drive")
    m.motor(rod, "t", name="drive")
    with pytest.raises(ModelError, match="'drive' is both a force and a motor"):
        _ = m.model


def test_a_measure_is_not_called_like_a_quantity_of_every_run() -> None:
    m = Mechanism("m")
    rod = m.bar("rod", length=1.0, mass=1.0)
    m.angle("energy", rod)
    with pytest.raises(ModelError, match="'energy': this name is a quantity of every run"):
        _ = m.model
