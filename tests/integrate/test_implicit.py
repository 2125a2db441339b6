"""A method that solves equations in its stages needs nothing but its own file: here ROS2, a Rosenbrock method with the
exact Jacobian.

    (1 − γ h J) k₁ = f(t₀, y₀) + γ h f_t
    (1 − γ h J) k₂ = f(t₀ + h, y₀ + h k₁) − 2 k₁ − γ h f_t
    y₁ = y₀ + h (3 k₁ + k₂)/2

with γ = 1 + 1/√2 is of order 2 and L-stable; the result of order 1, y₀ + h k₁, estimates its error (Verwer, Spee, Blom,
Hundsdorfer: A second-order Rosenbrock method applied to photochemical dispersion problems, SIAM J. Sci. Comput. 20
(1999) 1456–1480).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from math import cos, pi, sin, sqrt

import numpy as np
import pytest

from grashof.formulation.layout import Sizes
from grashof.integrate import Choice, Integrator, Method, Settings, Trigger
from grashof.integrate.lanes import LaneIntegrator
from grashof.integrate.methods.dop853 import DOP853
from grashof.integrate.step import Step, Vectors
from grashof.integrate.values import Array, Value
from grashof.scalar import Scalar
from grashof.scalar import cos as traced_cos
from grashof.tape import Library, Tape, emit, trace
from grashof.tape.differentiate import push

from . import test_own_rates as top
from .systems import Function, pendulum, pendulum_angle, tapes_of, unconstrained
from .test_events import watch

GAMMA = 1.0 + 1.0 / sqrt(2.0)


class Ros2(Method):
    """The method, unrolled for systems of a few numbers."""

    slopes, evaluations, estimates, closes = 3, 1, 1, False
    needs = ("jacobian",)

    def room(self, sizes: Sizes) -> int:
        return sizes.rates * (1 + sizes.size) + sizes.size

    def make_step(self, step: Step, h: Value) -> None:
        sizes, jacobian, y = step.sizes, step.own, step.start.at(1)
        step.call("jacobian", step.start, jacobian)
        rows = [jacobian.at(i * (1 + sizes.size)) for i in range(sizes.rates)]
        part, zero, one = GAMMA * h, step.kernel.constant(0.0), step.kernel.constant(1.0)
        matrix, drift = [], []
        for i in range(sizes.size):
            slope = [one if j == sizes.nq + i else zero for j in range(sizes.size)]
            if i >= sizes.direct:
                slope = [rows[i - sizes.direct][1 + j] for j in range(sizes.size)]
            matrix.append([(one if i == j else zero) - part * x for j, x in enumerate(slope)])
            drift.append(zero if i < sizes.direct else part * rows[i - sizes.direct][0])
        first = solved(matrix, [f + x for f, x in zip(self.slope(step, y, step.slopes[0]), drift, strict=True)])
        for i, k in enumerate(first):
            step.trial[1 + i] = y[i] + h * k
        step.trial[0] = step.start[0] + h
        step.evaluate(step.trial, step.slopes[1])
        there = self.slope(step, step.trial.at(1), step.slopes[1])
        second = solved(matrix, [f - 2.0 * k - x for f, k, x in zip(there, first, drift, strict=True)])
        for i, (a, b) in enumerate(zip(first, second, strict=True)):
            step.trial[1 + i] = y[i] + h * (1.5 * a + 0.5 * b)
            self.errors(step)[i] = 0.5 * (a + b)

    def estimate(self, step: Step, h: Value) -> tuple[Vectors, Vectors]:
        errors = self.errors(step)
        return lambda i: [errors[i]], lambda i: [errors.at(step.sizes.direct)[i]]

    def errors(self, step: Step) -> Array:
        return step.own.at(step.sizes.rates * (1 + step.sizes.size))

    def slope(self, step: Step, y: Array, rates: Array) -> list[Value]:
        sizes = step.sizes
        return [y[sizes.nq + i] for i in range(sizes.direct)] + [rates[i] for i in range(sizes.rates)]


def solved(matrix: Sequence[Sequence[Value]], right: Sequence[Value]) -> list[Value]:
    """By elimination without exchanges: 1 − γ h J is near 1, or its diagonal dominates."""
    rows = [[*row, b] for row, b in zip(matrix, right, strict=True)]
    for i, pivot in enumerate(rows):
        for row in rows[i + 1 :]:
            factor = row[i] / pivot[i]
            row[i + 1 :] = [x - factor * y for x, y in zip(row[i + 1 :], pivot[i + 1 :], strict=True)]
    found: list[Value] = []
    for i in reversed(range(len(rows))):
        rest = rows[i][-1]
        for x, y in zip(rows[i][i + 1 : -1], found, strict=True):
            rest = rest - x * y
        found.insert(0, rest / rows[i][i])
    return found


ROS2 = Ros2("ros2", "Rosenbrock 2(1)", order=2, share=0.01)
IMPLICIT = Choice(ROS2, "")


def tapes(sizes: Sizes, derivative: Function, project: Function = unconstrained) -> dict[str, Tape]:
    """With the Jacobian, from the tape of the derivative."""
    found = tapes_of(sizes, derivative=derivative, project=project, observe=lambda x: list(x[1:]))
    count = 1 + sizes.size

    def jacobian(x: list[Scalar], _: list[Scalar]) -> list[Scalar]:
        _, columns = push(found["derivative"], x, [{j: 1.0} for j in range(count)])
        return [column[i] for i in range(sizes.rates) for column in columns]

    return found | {"jacobian": trace(jacobian, count, 0)}


def compiled(sizes: Sizes, derivative: Function, project: Function = unconstrained) -> Integrator:
    return Integrator(Library(emit(tapes(sizes, derivative, project))), sizes)


DRAG = 1e5


def in_thick_oil(x: list[Scalar]) -> list[Scalar]:
    """q̈ = −c (q̇ − cos t): carried along by oil that moves at the speed cos t."""
    return [-DRAG * (x[2] - traced_cos(x[0]))]


def carried(t: float) -> np.ndarray:
    """The motion without its fast part: the real part of c e^{it}/(c + i), and its integral."""
    v = DRAG / complex(DRAG, 1.0) * complex(cos(t), sin(t))
    return np.array([(v / 1j).real, v.real])


def test_equal_steps_converge_with_order_two() -> None:
    system, errors = compiled(Sizes(1, 1), pendulum), []
    counts = np.array([40, 80, 160])
    for count in counts:
        settings = Settings(1e6, 1.0, 1.0, method=IMPLICIT, step=2.0 / count, longest=2.0 / count)
        steps = system.collect([1.0, 0.0], 0.0, 2.0, settings)
        assert steps.counters.steps == count
        errors.append(abs(steps.y[-1, 0] - pendulum_angle(2.0, 1.0)))
    assert np.polyfit(np.log(counts), np.log(errors), 1)[0] == pytest.approx(-2.0, abs=0.1)


def test_a_stiff_motion_takes_the_steps_of_its_slow_part() -> None:
    """The fast part decays within 1e-5 s, and explicit steps are limited to some of these times whatever the
    tolerance."""
    system, settings = compiled(Sizes(1, 1), in_thick_oil), Settings(1e-4, 1.0, 1.0, method=IMPLICIT)
    steps = system.collect(carried(0.0), 0.0, 5.0, settings)
    assert steps.status.ok
    assert np.abs(steps.y - [carried(t) for t in steps.t]).max() < 1e-3
    explicit = system.collect(carried(0.0), 0.0, 5.0, replace(settings, method=Choice(DOP853, "")))
    assert explicit.counters.steps > 20 * steps.counters.steps


def test_its_motion_is_known_between_steps_and_its_events_are_located() -> None:
    system = compiled(Sizes(1, 1), pendulum)
    watched = watch(lambda x: [x[1]], 3, Trigger("below"))
    steps = system.collect([0.1, 0.0], 0.0, 20.0, Settings(1e-8, 1.0, 1.0, method=IMPLICIT, watch=watched))
    quarter = pi / 2.0 * (1.0 + 0.1**2 / 16.0)
    assert [x.time for x in steps.occurrences] == pytest.approx(quarter * np.arange(1, 13, 2), abs=2e-4)
    times = np.linspace(0.0, 20.0, 41)
    found = system.sample(steps, times)[0][:, 0]
    assert found == pytest.approx([pendulum_angle(t, 0.1) for t in times], abs=1e-5)


def test_it_makes_steps_for_coordinates_with_rates_of_their_own() -> None:
    system = compiled(top.SIZES, top.derivative, top.of_unit_length)
    steps = system.collect(top.exact(0.0), 0.0, 2.0, replace(top.SETTINGS, tol=1e-7, method=IMPLICIT))
    assert steps.y[-1] == pytest.approx(top.exact(2.0), abs=1e-4)


def test_lanes_make_its_steps_as_single_runs_do() -> None:
    sizes, settings = Sizes(1, 1), Settings(1e-6, 1.0, 1.0, method=IMPLICIT)
    starts, times = [[x, 0.0] for x in (0.3, 1.0, 2.0)], np.linspace(0.0, 3.0, 7)
    runs = LaneIntegrator(tapes(sizes, pendulum), sizes, lanes=4).run(starts, 0.0, 3.0, settings, times=times)
    alone = compiled(sizes, pendulum)
    for row, start in enumerate(starts):
        single = alone.collect(start, 0.0, 3.0, settings)
        assert {name: int(column[row]) for name, column in runs.counters.items()} == asdict(single.counters)
        assert runs.observed[row] == pytest.approx(alone.sample(single, times)[0], abs=1e-12)
