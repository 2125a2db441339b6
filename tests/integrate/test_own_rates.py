"""Coordinates with rates of their own: a symmetric top with a unit quaternion and an angular velocity, driven by a
thrust along its axis.

The quaternion p turns from the top's axes to those of the ground, the angular velocity ω is in its own axes. With the
moments of inertia A, A, C:

    ẍ = a R(p) e₃      ṗ = ½ p ∘ ω      ω̇ = (A − C)/A ω₃ (ω₂, −ω₁, 0)      ė = (R(p) e₃)₁

It turns about the constant angular momentum L, at the rate |L|/A, and about its own axis at the rate Ω = (A − C)/A ω₃.
So p = exp(t L/2A) ∘ p₀ ∘ exp(t Ω e₃/2), and the thrust draws a circle around L, whose integrals are elementary.
"""

from __future__ import annotations

import ctypes
from dataclasses import asdict, replace
from math import cos, pi, sin

import numpy as np
import pytest

from grashof.formulation.layout import Sizes
from grashof.integrate import METHODS, Change, Choice, Integrator, Settings, Trigger, Watch
from grashof.integrate.lanes import LaneIntegrator
from grashof.scalar.functions import Scalar, sqrt
from grashof.tape import Library, emit

from .systems import compiled, tapes_of

SIZES = Sizes(nq=7, nv=6, extra=1, own=4)
A, C, THRUST = 1.0, 0.4, 0.7
SPIN, NUTATION = 3.0, 0.8
ADAPTIVE = [method for method in METHODS.values() if method.adaptive]


def derivative(x: list[Scalar]) -> list[Scalar]:
    w, i, j, k = x[4:8]
    p, q, r = x[11:14]
    axis = [2.0 * (i * k + w * j), 2.0 * (j * k - w * i), w * w - i * i - j * j + k * k]
    turning = [-i * p - j * q - k * r, w * p + j * r - k * q, w * q + k * p - i * r, w * r + i * q - j * p]
    rate = (A - C) / A * r
    return [*(0.5 * n for n in turning), *(THRUST * n for n in axis), rate * q, -rate * p, 0.0, axis[0]]


def of_unit_length(x: list[Scalar]) -> list[Scalar]:
    size = sqrt(sum((n * n for n in x[4:8]), 0.0))
    return [*x[1:4], *(n / size for n in x[4:8]), *x[8:], 0.0]


def times(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    """The product of two quaternions."""
    v, w = p[1:], q[1:]
    return np.array([p[0] * q[0] - v @ w, *(p[0] * w + q[0] * v + np.cross(v, w))])


def turn(axis: np.ndarray, angle: float) -> np.ndarray:
    return np.array([cos(angle / 2.0), *(sin(angle / 2.0) * axis)])


# the angular momentum is along the third axis of the ground, and the top leans by the nutation
START = turn(np.array([0.0, 1.0, 0.0]), NUTATION)
MOMENTUM = C * SPIN / cos(NUTATION)
PRECESSION = MOMENTUM / A
OMEGA = np.array([-MOMENTUM * sin(NUTATION) / A, 0.0, SPIN])
VELOCITY = np.array([0.2, -0.1, 0.3])


def exact(t: float) -> np.ndarray:
    """The state at a time."""
    up, own = np.array([0.0, 0.0, 1.0]), (A - C) / A * SPIN
    p = times(times(turn(up, PRECESSION * t), START), turn(up, own * t))
    a, b, n = THRUST * sin(NUTATION), THRUST * cos(NUTATION), PRECESSION
    v = VELOCITY + np.array([a * sin(n * t) / n, a * (1.0 - cos(n * t)) / n, b * t])
    x = VELOCITY * t + np.array([a * (1.0 - cos(n * t)) / n**2, a * (t - sin(n * t) / n) / n, b * t * t / 2.0])
    w = [OMEGA[0] * cos(own * t), -OMEGA[0] * sin(own * t), SPIN]
    return np.array([*x, *p, *v, *w, sin(NUTATION) * sin(n * t) / n])


SETTINGS = Settings(tol=1e-9, length=1.0, speed=SPIN, weights=[1.0])


@pytest.fixture(scope="module")
def top() -> Integrator:
    return compiled(SIZES, derivative, of_unit_length)


@pytest.mark.parametrize("method", ADAPTIVE, ids=lambda method: method.name)
def test_a_top_turns_as_the_closed_form_says(top: Integrator, method) -> None:
    errors = []
    for tol in (1e-5, 1e-8):
        steps = top.collect(exact(0.0), 0.0, 10.0, replace(SETTINGS, tol=tol, method=Choice(method, "")))
        assert steps.status.ok
        errors.append(np.abs(steps.y[-1] - exact(10.0)).max())
        assert errors[-1] < 300.0 * tol
        assert np.sum(steps.y[:, 3:7] ** 2, axis=1) == pytest.approx(1.0, abs=1e-15)
    assert errors[1] < 0.05 * errors[0]


def test_inside_a_step_everything_is_of_order_7_or_more(top: Integrator) -> None:
    """With exact ends, the polynomial is what errs: O(h⁹) for positions with q̇ = v, and O(h⁸) for the rest."""
    sizes, errors = np.array([0.2, 0.3, 0.4, 0.5]), []
    for h in sizes:
        step = top.collect(exact(0.0), 0.0, h, replace(SETTINGS, tol=1e6, step=h))
        assert step.counters.steps == 1
        step.y[-1] = exact(h)
        at = h * np.linspace(0.1, 0.9, 9)
        found, rates = top.sample(step, at)
        errors.append(np.abs(found - [exact(t) for t in at]).max(axis=0))
        assert rates == pytest.approx(
            np.array([derivative([t, *y]) for t, y in zip(at, found, strict=True)]), abs=1e-14
        )
    spin = 12  # is constant
    slopes = np.polyfit(np.log(sizes), np.log(np.delete(errors, spin, axis=1)), 1)[0]
    assert slopes.min() >= 8 - 0.3
    assert slopes[:3].min() >= 9 - 0.3


def test_between_steps_the_motion_is_as_accurate_as_at_their_ends(top: Integrator) -> None:
    steps = top.collect(exact(0.0), 0.0, 10.0, SETTINGS)
    at = np.linspace(0.0, 10.0, 301)
    found, _ = top.sample(steps, at)
    ends = np.abs(steps.y - [exact(t) for t in steps.t]).max()
    assert np.abs(found - [exact(t) for t in at]).max() < 3.0 * ends


def test_events_on_the_axis_of_a_top_are_located(top: Integrator) -> None:
    """Its axis lies in the plane x = 0 whenever the top has precessed by an odd number of right angles; at a height
    of 2 it is held, and turns no more."""
    tape = tapes_of(SIZES, events=lambda x: [derivative(x)[-1], x[3] - 2.0])
    library = Library(emit(tape))
    function = library.function("events", None, *[ctypes.c_void_p] * 3)
    caught: list[float] = []

    def catch(time: float, state: np.ndarray) -> Change:
        caught.append(time)
        return Change(np.concatenate([state[:10], np.zeros(3), state[13:]]))

    watch = Watch(function, library.address("events"), (Trigger("abeam"), Trigger("high", 1, reaction=catch)))
    steps = top.collect(exact(0.0), 0.0, 10.0, replace(SETTINGS, watch=watch))
    lift = THRUST * cos(NUTATION)
    high = (np.sqrt(VELOCITY[2] ** 2 + 4.0 * lift) - VELOCITY[2]) / lift
    assert caught == pytest.approx([high], abs=1e-7)
    right_angles = pi * (np.arange(20) + 0.5) / PRECESSION
    seen = [x.time for x in steps.occurrences if x.name == "abeam"]
    assert seen == pytest.approx(right_angles[right_angles < high], abs=1e-7)
    at_rest, after = steps.occurrences[-1].state, 10.0 - caught[0]
    assert steps.y[-1][3:7] == pytest.approx(at_rest[3:7], abs=1e-12)
    pushed = np.array(derivative([0.0, *at_rest])[4:7])
    assert steps.y[-1][:3] == pytest.approx(at_rest[:3] + after * at_rest[7:10] + 0.5 * after**2 * pushed, abs=1e-7)


@pytest.mark.parametrize("width", [1, 4])
def test_tops_in_lanes_make_the_steps_of_single_ones(top: Integrator, width: int) -> None:
    tapes = tapes_of(SIZES, derivative=derivative, project=of_unit_length, observe=lambda x: list(x[1:]))
    starts = [exact(t) for t in (0.0, 0.5, 1.3, 2.0, 2.2)]
    at = np.linspace(0.0, 4.0, 13)
    runs = LaneIntegrator(tapes, SIZES, lanes=width).run(starts, 0.0, 4.0, SETTINGS, times=at)
    for row, start in enumerate(starts):
        single = top.collect(start, 0.0, 4.0, SETTINGS)
        assert {name: int(column[row]) for name, column in runs.counters.items()} == asdict(single.counters)
        assert runs.states[row] == pytest.approx(single.y[-1], abs=1e-12)
        assert runs.observed[row] == pytest.approx(top.sample(single, at)[0], abs=1e-11)
