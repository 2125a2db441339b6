"""Names that are empty, invisible, doubled or ambiguous are refused."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grashof.common.errors import ModelError
from grashof.model.bodies import Bar, RigidBody
from grashof.model.check import check
from grashof.model.measures import Angle
from grashof.model.mechanism import Mechanism
from grashof.model.model import Model

from ..strategies import planar_models, spatial_models
from .descriptions import PLANAR, X, Z, planar, refusal, spatial, with_body


@settings(max_examples=60, deadline=None)
@given(st.one_of(planar_models(), spatial_models()), st.data())
def test_two_things_of_one_kind_need_two_names(model: Model, data: st.DataObject) -> None:
    groups = [g for g in ("bodies", "joints", "forces", "motors", "measures") if getattr(model, g)]
    group = data.draw(st.sampled_from(groups))
    parts = getattr(model, group)
    twin = data.draw(st.sampled_from(parts))
    text = refusal(msgspec.structs.replace(model, **{group: (*parts, twin)}))
    assert f"'{twin.name}' appears twice" in text


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


def test_in_space_a_measure_may_be_called_the_angle_of_its_body() -> None:
    measure = Angle("crank.angle", "crank", axis=Z, zero=X, direction=X)
    check(spatial(measures=(measure,)))


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
