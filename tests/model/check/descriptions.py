"""Two small descriptions, what may be changed in them, and the sentence by which they are then refused."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from grashof.common.errors import ModelError
from grashof.model.bodies import Bar, RigidBody
from grashof.model.check import check
from grashof.model.joints import Revolute
from grashof.model.measures import Angle, Separation
from grashof.model.model import Model
from grashof.model.start import Start

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
