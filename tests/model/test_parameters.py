"""Every number of a mechanism has a path, by which it can be replaced."""

from __future__ import annotations

import math
import pickle

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import grashof as gr
from grashof.common.errors import ModelError
from grashof.model.bodies import RigidBody
from grashof.model.definitions import settle_definitions
from grashof.model.files import dumps, loads
from grashof.model.forces import Torque
from grashof.model.model import Model
from grashof.model.parameters import Number, numbers, with_numbers
from grashof.model.paths import leaves
from tests.model.strategies import planar_models, spatial_models


class Scalar:
    """A number that is no float."""


def pendulum() -> gr.Mechanism:
    m = gr.Mechanism("pendulum", gravity=(0, -9.81))
    rod = m.bar("rod", length=0.5, mass=2.0)
    ball = m.body("ball", mass=1.0, inertia=0.1, points={"center": (0.0, 0.25)})
    m.revolute(m.ground.at(0.1, 0.2, name="A"), rod.start)
    m.revolute(rod.end, ball.center)
    m.torque(rod, "2*pi/60", name="drive")
    m.torque(ball, "-0.1*ball.angle.rate", name="drag")
    m.force(rod.end, ("3*t", 5.0), name="pull")
    m.spring(m.ground.A, ball.center, stiffness="2 kN/m", length=0.3, name="rod")
    m.need(rod.angle, value="30 deg", rate=2.0)
    m.want("rod.end.x", value=0.4)
    return m


def test_numbers_have_their_path_value_and_unit() -> None:
    found = {path: (number.value, number.unit) for path, number in numbers(pendulum().model).items()}
    expected = {
        "gravity.y": (-9.81, "m/s2"),
        "ground.A.x": (0.1, "m"),
        "rod.length": (0.5, "m"),
        "rod.mass": (2.0, "kg"),
        "ball.inertia": (0.1, "kg m2"),
        "ball.center.y": (0.0, "m"),
        "bodies.ball.points.center.y": (0.25, "m"),
        "rod.stiffness": (2000.0, "N/m"),
        "forces.rod.length": (0.3, "m"),
        "pull.force.y": (5.0, "N"),
        "start.rod.angle": (0.5235987755982988, "rad"),
        "start.rod.angle.rate": (2.0, "rad/s"),
        "start.rod.end.x": (0.4, "m"),
        "start.time": (0.0, "s"),
    }
    assert {path: found[path] for path in expected} == expected
    assert found["drive.torque"] == (pytest.approx(0.10471975511965977), "N m")


def test_what_changes_is_not_a_number() -> None:
    assert {"drag.torque", "pull.force.x"}.isdisjoint(numbers(pendulum().model))


def test_a_bar_of_another_length_has_its_end_elsewhere() -> None:
    model = pendulum().model
    assert model.points["rod.end"] == (0.5, 0.0)
    assert with_numbers(model, {"rod.length": 0.7}).points["rod.end"] == (0.7, 0.0)
    assert model.points["rod.end"] == (0.5, 0.0)


def test_fields_hold_scalars_of_any_kind() -> None:
    length, torque = Scalar(), Scalar()
    changed = with_numbers(pendulum().model, {"rod.length": length, "drive.torque": torque})
    assert changed.points["rod.end"] == (length, 0.0)
    (drive,) = (force for force in changed.forces if isinstance(force, Torque) and force.name == "drive")
    assert drive.number(drive.torque) is torque
    assert numbers(changed)["drive.torque"].value is torque


def test_what_is_left_out_is_zero_and_can_be_varied() -> None:
    model = Model("m", bodies=(RigidBody("ball", 1.0),))
    assert numbers(model)["gravity.y"] == Number(0.0, "m/s2")
    changed = with_numbers(model, {"gravity.y": -9.81, "ball.center.x": 0.1})
    assert changed.gravity == (0.0, -9.81)
    assert changed.bodies[0].center == (0.1, 0.0)  # type: ignore[union-attr]


def test_an_unknown_path_is_told_with_the_nearest_one() -> None:
    with pytest.raises(ModelError, match=r"has no number 'rod\.lenght'; did you mean 'rod\.length'"):
        with_numbers(pendulum().model, {"rod.lenght": 1.0})


@settings(max_examples=60)
@given(st.one_of(planar_models(), spatial_models()), st.data())
def test_a_path_changes_its_own_number_alone(model: Model, data: st.DataObject) -> None:
    before = numbers(model)
    path = data.draw(st.sampled_from(sorted(before)))
    after = numbers(with_numbers(model, {path: 12.5}))
    assert {p: n.value for p, n in after.items()} == {p: n.value for p, n in before.items()} | {path: 12.5}
    assert numbers(model) == before
    assert with_numbers(model, {p: n.value for p, n in before.items()}).points == model.points


@settings(max_examples=60)
@given(st.one_of(planar_models(), spatial_models()), st.data())
def test_a_number_may_be_defined_by_any_other_one(model: Model, data: st.DataObject) -> None:
    """In a law, a coordinate such as rod.P.x would be where the point is: it is left out here."""
    found = numbers(model)
    source = data.draw(st.sampled_from(sorted(found.keys() - model.quantities.keys())))
    path = data.draw(st.sampled_from(sorted(found.keys() - {source})))
    text = f"0*`{source}` + {found[path].value!r}"
    defined = settle_definitions(model, {leaves(model)[path].place: text})
    assert defined == msgspec.structs.replace(with_numbers(model, {path: found[path].value}), defined={path: text})
    assert loads(dumps(defined)) == defined
    after = {x: leaf.value for x, leaf in leaves(with_numbers(defined, {source: math.inf})).items()}
    assert math.isnan(after.pop(path))
    expected = {x: leaf.value for x, leaf in leaves(model).items()} | {source: math.inf}
    assert after == {x: value for x, value in expected.items() if x != path}


def test_what_laws_may_mention_survives_pickling() -> None:
    m = pendulum()
    m.parameter("k", 2.0)
    m.torque("rod.angle", "-k*rod.angle.rate", name="brake")
    model = pickle.loads(pickle.dumps(m.model))
    assert model == m.model
    assert model.forces[-1].parameters == {"k": 2.0}


def test_numbers_may_come_from_arrays() -> None:
    x = np.array([0.75, 3.0])
    changed = with_numbers(pendulum(), {"rod.length": x[0], "rod.mass": x[1]})
    assert changed == with_numbers(pendulum(), {"rod.length": 0.75, "rod.mass": 3.0})
    assert gr.simulate(changed, 0.1).status.ok
