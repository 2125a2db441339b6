"""Joints that are redundant and contradict each other a little: told with joints and amounts, and mended on request."""

from __future__ import annotations

import re

import msgspec
import numpy as np
import pytest

import grashof as gr
from grashof.model.bodies import Bar
from grashof.model.fields import unit
from grashof.model.joints import Distance
from grashof.model.model import Model

from ..linkages import (
    SARRUS,
    door,
    four_bar_in_space,
    parallelogram,
    revolute_loop,
    sliding_on_parallel_axes,
    spherical_four_bar,
)

LINKAGES = {
    "three cranks": lambda: parallelogram(3),
    "five cranks": lambda: parallelogram(5),
    "four-bar in space": lambda: four_bar_in_space((1.0, 2.0, 2.0)),
    "RCRC": sliding_on_parallel_axes,
    "door on two hinges": door,
    "Sarrus": lambda: revolute_loop("Sarrus", *SARRUS),
    "spherical four-bar": spherical_four_bar,
}


def pulled(model: Model) -> Model:
    return msgspec.structs.replace(model, gravity=(0.3, -9.81) if model.dimension == 2 else (0.7, -9.81, -3.0))


def perturbed(model: Model, noise: float, seed: int) -> Model:
    """Every point, length and axis off by normal errors of this size (m, rad)."""
    rng = np.random.default_rng(seed)

    def off(vector: tuple[float, ...]) -> tuple[float, ...]:
        return tuple(x + noise * rng.normal() for x in vector)

    bodies = []
    for body in model.bodies:
        fields = {"points": {name: off(place) for name, place in body.points.items()}}
        if isinstance(body, Bar):
            fields["length"] = body.length + noise * rng.normal()
        bodies.append(msgspec.structs.replace(body, **fields))
    joints = []
    for joint in model.joints:
        fields = {field: unit(off(direction)) for field, direction in joint.directions() if direction}
        if isinstance(joint, Distance):
            fields["length"] = joint.length + noise * rng.normal()
        joints.append(msgspec.structs.replace(joint, **fields))
    ground = {name: off(place) for name, place in model.ground.items()}
    return msgspec.structs.replace(model, ground=ground, bodies=tuple(bodies), joints=tuple(joints))


def largest_difference(run: gr.Trajectory, other: gr.Trajectory) -> float:
    places = [name for name in run.names if name[-2:] in (".x", ".y", ".z")]
    return max(float(np.max(np.abs(run[name] - other[name]))) for name in places)


CASES = [(name, noise) for name in LINKAGES for noise in (1e-9, 1e-7, 1e-5)]


@pytest.mark.parametrize(("name", "noise"), CASES)
def test_what_was_made_to_fit_moves_like_the_exact_mechanism(name: str, noise: float) -> None:
    """The motions differ by as much as the geometry does, a few times its errors at most."""
    exact = pulled(LINKAGES[name]().model)
    run = gr.simulate(perturbed(exact, noise, seed=1), 0.4, tol=1e-6, fit=10.0 * noise)
    assert run.status.ok
    assert largest_difference(run, gr.simulate(exact, 0.4, tol=1e-6)) < 30.0 * noise + 3e-6
    assert (
        np.max(run["violation.position"]) < 5e-9
    )  # coefficients below 1e-9 are taken for round-off when joints are eliminated
    changes = run.program.assembly.changes
    assert changes
    assert max(change.amount for change in changes) < 20.0 * noise
    assert "adjusted so that the joints fit together" in str(run.program.assembly)


@pytest.mark.parametrize("noise", [1e-9, 1e-7, 1e-5])
@pytest.mark.parametrize("name", ["three cranks", "four-bar in space"])
def test_without_fit_the_contradiction_is_told_with_joints_and_amount(name: str, noise: float) -> None:
    """Above 1e-6, or with fit=0."""
    model, fit = perturbed(pulled(LINKAGES[name]().model), noise, seed=1), None if noise > 1e-6 else 0.0
    for attempt in (lambda m: gr.simulate(m, 0.4, fit=fit), lambda m: gr.assemble(m, fit=fit)):
        with pytest.raises(gr.ModelError, match="its joints are redundant and contradict each other by") as caught:
            attempt(model)
        amount = re.search(r"by ([\d.e-]+) \(rad", str(caught.value))
        advice = re.search(r"with fit=([\d.e-]+) ", str(caught.value))
        assert amount is not None
        assert advice is not None
        assert 0.1 * noise < float(amount[1]) < 10.0 * noise
        assert re.search(r"(joint|point) '[^']+'", str(caught.value))
    assert gr.simulate(model, 0.2, fit=float(advice[1])).status.ok


def test_axes_of_a_drawing() -> None:
    """Four hinges whose axes are given in the world, each off by itself: closed where they are drawn, and locked
    there."""
    axis, u = np.array([0.36, 0.48, 0.8]), np.array([0.8, -0.6, 0.0])
    v = np.cross(axis, u)
    a, b, c, d = 0 * u, 0.3 * u + 0.9 * v, 1.8 * u + 1.4 * v, 2 * u

    def drawn(noise: float) -> gr.Mechanism:
        rng = np.random.default_rng(0)
        axes = [axis + noise * rng.normal(size=3) for _ in range(4)]
        m = gr.Mechanism("drawn", gravity=(0, 0, -9.81))
        crank, rod, rocker = (
            m.bar(name, start=p, end=q, mass=1.0) for name, p, q in (("a", a, b), ("b", b, c), ("c", d, c))
        )
        m.revolute(m.ground.at(*a), crank.start, axis=axes[0])
        m.revolute(crank.end, rod.start, axis=axes[1])
        m.revolute(rod.end, rocker.end, axis=axes[2])
        m.revolute(m.ground.at(*d), rocker.start, axis=axes[3])
        return m

    exact = gr.simulate(drawn(0.0), 1.0, tol=1e-9)
    for noise in (1e-9, 1e-6):
        run = gr.simulate(drawn(noise), 1.0, tol=1e-9, fit=10.0 * noise)
        assert run.status.ok
        assert largest_difference(run, exact) < 3.0 * noise + 1e-9
        assert gr.mobility(drawn(noise), fit=10.0 * noise).dof == 1
    with pytest.raises(gr.ModelError, match="redundant and contradict"):
        gr.mobility(drawn(1e-9), fit=0.0)


@pytest.mark.parametrize("noise", [1e-9, 1e-7])
@pytest.mark.parametrize("name", ["three cranks", "four-bar in space", "spherical four-bar"])
def test_rounded_numbers_are_no_contradiction(name: str, noise: float) -> None:
    """What is moved, and by how much, is said."""
    exact = pulled(LINKAGES[name]().model)
    with pytest.warns(UserWarning, match=r"contradict each other by \S+ \(rad.* is used: .* by \S+ (m|rad)"):
        run = gr.simulate(perturbed(exact, noise, seed=1), 0.4, tol=1e-6)
    assert run.status.ok
    assert largest_difference(run, gr.simulate(exact, 0.4, tol=1e-6)) < 30.0 * noise + 3e-6
    assert 0.0 < max(change.amount for change in run.program.assembly.changes) < 20.0 * noise


def test_all_that_needs_a_position_uses_the_nearest_mechanism() -> None:
    model = perturbed(pulled(parallelogram(3).model), 1e-8, seed=1)
    with pytest.warns(UserWarning, match="contradict"):
        assert gr.mobility(model).dof == 1
    with pytest.warns(UserWarning, match="contradict"):
        assert gr.assemble(model).changes
    with pytest.warns(UserWarning, match="contradict"):
        assert gr.equations(model)


def test_what_fits_together_is_not_touched() -> None:
    for exact in (parallelogram(3), four_bar_in_space(), spherical_four_bar()):
        program = gr.build(exact, fit=1e-6)
        assert program.model == exact.model
        assert program.assembly.changes == ()


def test_what_is_too_far_off_is_refused() -> None:
    with pytest.raises(gr.ModelError, match="no mechanism that fits together was found within fit=1e-07"):
        gr.simulate(perturbed(pulled(parallelogram(3).model), 1e-5, seed=1), 1.0, fit=1e-7)
    for fit in (-1e-6, 0.5):
        with pytest.raises(gr.ModelError, match=r"fit is .*it must be at least zero"):
            gr.build(parallelogram(3), fit=fit)
    with pytest.raises(gr.ModelError, match="pass it to `build`"):
        gr.simulate(gr.build(parallelogram(3)), 1.0, fit=1e-6)
