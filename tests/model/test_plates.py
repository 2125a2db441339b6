"""Uniform plates: their centre and inertia against closed forms and against integration over their area."""

from math import cos, pi, sin

import numpy as np
import pytest

import grashof as gr
from grashof.model.bodies import RigidBody


def only_body(m: gr.Mechanism) -> RigidBody:
    body = m.model.bodies[0]
    assert isinstance(body, RigidBody)
    return body


def test_a_rectangle_has_the_inertia_of_a_textbook() -> None:
    m = gr.Mechanism("plate")
    m.plate("p", {"a": (1, 2), "b": (1.6, 2), "c": (1.6, 2.2), "d": (1, 2.2)}, mass=3.0)
    body = only_body(m)
    assert body.center == pytest.approx((1.3, 2.1))
    assert body.inertia == pytest.approx(3.0 * (0.6**2 + 0.2**2) / 12.0)


def test_the_order_of_the_corners_may_be_clockwise() -> None:
    corners = {"a": (0.0, 0.0), "b": (0.5, 0.1), "c": (0.3, 0.4), "d": (0.1, 0.2)}
    found = []
    for points in (corners, dict(reversed(corners.items()))):
        m = gr.Mechanism("plate")
        m.plate("p", points, density="7850 kg/m3", thickness="5 mm")
        found.append(only_body(m))
    assert found[0].mass == pytest.approx(found[1].mass)
    assert found[0].center == pytest.approx(found[1].center)
    assert found[0].inertia == pytest.approx(found[1].inertia)


def test_a_plate_in_space_has_the_inertia_of_its_area() -> None:
    """Against a sum over small squares of an L-shaped plate, whose axes are not principal ones."""
    corners = [(0, 0), (0.4, 0), (0.4, 0.1), (0.1, 0.1), (0.1, 0.3), (0, 0.3)]
    m = gr.Mechanism("plate", gravity=(0, 0, -9.81))
    m.plate("p", {f"p{k}": at for k, at in enumerate(corners)}, mass=2.0, thickness=0.02)
    body = only_body(m)
    x, y = np.meshgrid((np.arange(400) + 0.5) / 1000, (np.arange(300) + 0.5) / 1000)
    inside = (x < 0.1) | (y < 0.1)
    x, y = x[inside], y[inside]
    w = 2.0 / x.size
    x, y = x - x.mean(), y - y.mean()
    cell, slab = 2.0 * 1e-6 / 12.0, 2.0 * 0.02**2 / 12.0
    expected = (
        w * np.sum(y * y) + cell + slab,
        w * np.sum(x * x) + cell + slab,
        w * np.sum(x * x + y * y) + 2.0 * cell,
        -w * np.sum(x * y),
        0.0,
        0.0,
    )
    assert body.inertia == pytest.approx(expected, rel=1e-9)


def test_many_corners_make_a_disc() -> None:
    m = gr.Mechanism("disc")
    n, r = 2000, 0.3
    m.plate("p", {f"p{k}": (r * cos(2 * pi * k / n), r * sin(2 * pi * k / n)) for k in range(n)}, mass=1.0)
    assert only_body(m).inertia == pytest.approx(0.5 * r * r, rel=1e-5)


def test_corners_may_depend_on_parameters() -> None:
    m = gr.Mechanism("plate", gravity=(0, -9.81))
    width = m.parameter("width", 0.4)
    plate = m.plate("p", {"a": (0, 0), "b": (width, 0), "c": (0, 0.3)}, mass=1.0)
    m.revolute(m.ground.at(0, 0), plate.a)
    table = gr.sweep(m, {"width": [0.4, 0.6]}, t_end=0.3, outputs=["p.b.y at end"])
    for width_now, y in zip((0.4, 0.6), table["p.b.y at end"], strict=True):
        again = gr.Mechanism("plate", gravity=(0, -9.81))
        plate = again.plate("p", {"a": (0, 0), "b": (width_now, 0), "c": (0, 0.3)}, mass=1.0)
        again.revolute(again.ground.at(0, 0), plate.a)
        assert y == pytest.approx(gr.simulate(again, 0.3, tol=1e-9)["p.b.y"][-1], abs=1e-5)


@pytest.mark.parametrize(
    ("points", "options", "words"),
    [
        ({"a": (0, 0), "b": (1, 0)}, {"mass": 1}, "at least three corners"),
        ({"a": (0, 0), "b": (1, 0), "c": (2, 0)}, {"mass": 1}, "lie on a line"),
        ({"a": (0, 0), "b": (1, 1), "c": (1, 0), "d": (0, 1)}, {"mass": 1}, "side 1 of its outline crosses side 3"),
        ({"a": (0, 0), "b": (1, 0), "c": (0, 1)}, {}, "either its mass, or its density"),
        ({"a": (0, 0), "b": (1, 0), "c": (0, 1)}, {"mass": 1, "density": 1}, "either its mass, or its density"),
        ({"a": (0, 0), "b": (1, 0), "c": (0, 1)}, {"density": 1}, "give its thickness"),
        ({"a": (0, 0), "b": (1, 0), "c": (0, 1, 2)}, {"mass": 1}, "corner 'c'"),
    ],
)
def test_bad_outlines_are_refused(points: dict, options: dict, words: str) -> None:
    with pytest.raises(gr.ModelError, match=words):
        gr.Mechanism("plate").plate("p", points, **options)


def test_a_point_mass_with_several_points_is_noticed() -> None:
    m = gr.Mechanism("coupler")
    with pytest.warns(UserWarning, match="'coupler' has mass, but neither a centre nor an inertia"):
        m.body("coupler", mass=3.0, points={"a": (0, 0), "b": (1, 0)})
