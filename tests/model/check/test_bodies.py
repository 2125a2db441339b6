"""Masses and inertias that no matter has are refused; those of idealized bodies are not."""

from __future__ import annotations

from typing import Any

import pytest

from grashof.model.bodies import Bar, RigidBody
from grashof.model.check import check

from .descriptions import PLANAR, SPATIAL, refusal, with_body


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
    ],
)
def test_impossible_inertia_in_space(inertia: Any, words: str) -> None:
    text = refusal(with_body(SPATIAL, RigidBody("link", 1.0, (), inertia)))
    assert "Body 'link': inertia" in text
    assert words in text
