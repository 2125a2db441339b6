"""Gradients of runs with implicit methods, forwards and backwards: closed forms, and each other."""

from __future__ import annotations

from dataclasses import replace

import mpmath
import numpy as np
import pytest

import grashof as gr
from grashof.common.errors import ModelError
from grashof.formulation.layout import Sizes
from grashof.integrate import METHODS as ALL
from grashof.integrate import Choice, Settings
from grashof.scalar import Scalar
from grashof.sensitivity.adjoint import Adjoint
from grashof.sensitivity.tangent import Tangent, TangentEquations
from grashof.tape import Library, emit, trace
from tests.integrate import test_own_rates as top
from tests.integrate.systems import pendulum, tapes_of, unconstrained
from tests.integrate.test_implicit import ROS2
from tests.integrate.test_rosenbrock import SIZES, STATE, coupled

T_END = 0.5
METHODS = ["rodas5p", "radau5", "radau9", "radau13"]


def in_oil() -> gr.Mechanism:
    """A body of 1.5 kg on a spring of 30 N/m in oil of 2e4 N s/m, pulled by a wave: m ẍ = −k x − c ẋ + f sin(ωt)."""
    m = gr.Mechanism("in oil")
    for name, value in {"k": 30.0, "c": 2e4, "f": 5e3, "w": 3.0}.items():
        m.parameter(name, value)
    body = m.body("body", mass=1.5, inertia=0.1, points={"c": (0, 0)})
    m.prismatic(m.ground.at(0, 0), body.c, axis=(1, 0))
    m.force(body.c, ("f*sin(w*t) - k*body.c.x - c*body.c.x.rate", 0.0), name="oil")
    m.need("body.c.x", value=0.2, rate=0.1)
    return m


NAMES = ["body.mass", "k", "c", "f", "w", "start.body.c.x", "start.body.c.x.rate"]


def position(*numbers: mpmath.mpf) -> mpmath.mpf:
    """x at the end."""
    mass, k, c, f, w, x, v = numbers
    forced = f / mpmath.mpc(k - mass * w * w, c * w)  # the imaginary part of this times e^(iωt)
    fast = -(c + mpmath.sqrt(c * c - 4 * k * mass)) / (2 * mass)
    slow = k / (mass * fast)
    x0, v0 = x - forced.imag, v - w * forced.real
    a = (v0 - slow * x0) / (fast - slow)
    free = a * mpmath.exp(fast * T_END) + (x0 - a) * mpmath.exp(slow * T_END)
    return (forced * mpmath.expj(w * T_END)).imag + free


@pytest.mark.parametrize("way", ["forward", "backward"])
@pytest.mark.parametrize("method", METHODS)
def test_gradients_of_a_stiff_run_are_those_of_its_closed_form(method: str, way: str) -> None:
    """The time constant is 75 microseconds."""
    fun = in_oil().objective(NAMES, "body.c.x", t_end=T_END, times=2, tol=1e-8, method=method, gradient=way)
    value, slopes = fun(fun.x0)
    with mpmath.workdps(40):
        x = [mpmath.mpf(float(number)) for number in fun.x0]
        exact = [mpmath.diff(position, x, tuple(int(i == k) for i in range(len(x)))) for k in range(len(x))]
        assert value == pytest.approx(float(position(*x)), rel=1e-7)
        relative = [float(slope * number) for slope, number in zip(exact, x, strict=True)]
    assert slopes * fun.x0 == pytest.approx(relative, rel=1e-6, abs=1e-9)


def on_a_bushing() -> gr.Mechanism:
    m = gr.Mechanism("slider-crank on a bushing", gravity=(0, -9.81))
    crank = m.bar("crank", mass=1.0, start=(0, 0), end=(0.2, 0))
    rod = m.bar("rod", mass=0.5, start=(0.2, 0), end=(0.7, 0))
    m.revolute(m.ground.at(0, 0), crank.start)
    m.bushing(crank.end, rod.start, stiffness=1e7, damping=2e4, name="bushing")
    m.slider(m.ground.line((0, 0), (1, 0)), rod.end)
    m.torque(crank, "0.3 - 0.05*crank.angle.rate", name="drive")
    m.need(crank.angle, value=0.3)
    return m


def redundant_behind_a_stiff_shaft() -> gr.Mechanism:
    """A parallelogram with three cranks, one of which is redundant, driven through a stiff shaft."""
    m = gr.Mechanism("parallelogram", gravity=(0, -9.81))
    coupler = m.body("coupler", mass=2.0, inertia=0.3, points={"a": (0, 0), "b": (0.5, 0), "c": (1.0, 0)})
    cranks = []
    for k, name in enumerate("abc"):
        bar = m.bar(f"crank_{name}", length=0.4, mass=0.7)
        m.revolute(m.ground.at(0.5 * k, 0), bar.start)
        m.revolute(bar.end, coupler.point(name))
        m.want(bar.angle, value=0.6)
        cranks.append(bar)
    m.need("crank_a.angle", value=0.6, rate=0.0)
    wheel = m.body("wheel", mass=1.0, inertia=0.2, points={"o": (0, 0)})
    m.revolute(m.ground.at(0, 0), wheel.o)
    m.need(wheel.angle, value=0.6, rate=0.0)
    twist = m.angle("twist", wheel, reference=cranks[0])
    m.torsion_spring(twist, stiffness=1e6, damping=2e3, name="shaft")
    m.torque(wheel, "20*sin(4*t)", name="drive")
    return m


CASES = {
    "bushing": (on_a_bushing, ["crank.length", "bushing.damping.x", "rod.mass", "gravity.y"], "rod.end.x"),
    "redundant": (
        redundant_behind_a_stiff_shaft,
        ["shaft.stiffness", "shaft.damping", "wheel.inertia", "coupler.mass", "start.wheel.angle"],
        "coupler.c.x",
    ),
}


@pytest.mark.parametrize("method", ["rodas5p", "radau9"])
@pytest.mark.parametrize(("make", "names", "seen"), CASES.values(), ids=CASES.keys())
def test_gradients_forwards_and_backwards_agree(make, names: list[str], seen: str, method: str) -> None:
    """Through joints and projections, with works in the cost. The derivatives that a Rosenbrock method propagates are
    exact; those of Radau are as accurate as Newton's method."""

    def cost(run):
        return np.sum(run[seen] ** 2) + 0.3 * run["energy at end"] * run.numbers[names[0]]

    forward, backward = (
        make().objective(names, cost, t_end=0.1, times=4, tol=1e-7, method=method, gradient=way, check=False)
        for way in ("forward", "backward")
    )
    value, slopes = forward(forward.x0)
    other, others = backward(backward.x0)
    assert other == pytest.approx(value, rel=1e-9)
    sizes = np.abs(forward.x0) * np.abs(slopes)
    within = 1e-8 if method == "rodas5p" else 1e-6
    assert np.abs(others - slopes) * np.abs(forward.x0) == pytest.approx(0.0 * sizes, abs=within * sizes.max())
    assert backward.check() == ""


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(("sizes", "rates"), [(SIZES, coupled), (top.SIZES, top.derivative)])
def test_steps_with_works_and_other_states_backwards(sizes: Sizes, rates, method: str) -> None:
    """Coordinates with rates of their own, angles and works, and what the projection does with all of them."""
    rng = np.random.default_rng(2)

    def project(x: list[Scalar], c: list[Scalar]) -> list[Scalar]:
        return [x[1] + 0.01 * c[0] * x[2] * x[-1], *x[2:], 0.0]

    derivative = trace(lambda x, c: [a + c[0] * y for a, y in zip(rates(x), x[2:], strict=False)], 1 + sizes.size, 1)
    equations = TangentEquations(sizes, derivative, trace(project, 1 + sizes.size, 1))
    tangent = Tangent(equations, 2)
    c, changes, starts = np.array([0.3]), rng.normal(size=(2, 1)), rng.normal(size=(2, sizes.size))
    y0 = np.array(STATE) if sizes is SIZES else top.exact(0.4)
    settings = Settings(1e-7, 1.0, 1.0, method=Choice(ALL[method], ""), max_steps=10_000)
    weights = tangent.weights(np.zeros(sizes.extra - sizes.works))
    steps = tangent.integrator(tangent.library(), c, changes).collect(
        tangent.joined(y0, starts), 0.0, 0.7, replace(settings, weights=weights)
    )
    assert steps.status.ok
    _, s = tangent.split(steps.y)
    library = Library(emit({"derivative": equations.derivative, "project": equations.project}))
    plain = Tangent(equations, 0).integrator(library, c, np.empty((0, 1))).collect(y0, 0.0, 0.7, settings)
    assert plain.t == pytest.approx(steps.t, rel=1e-6)
    rows = {len(steps.t) - 1: rng.normal(size=sizes.size), len(steps.t) // 2: rng.normal(size=sizes.size)}
    found = Adjoint(equations, settings.method.method).gradient(plain, c, rows)
    expected = sum(s[row] @ weight for row, weight in rows.items())
    within = 1e-9 if method == "rodas5p" else 1e-5
    gradient = starts @ found.start + changes @ found.coefficients
    assert gradient == pytest.approx(expected, abs=within * np.abs(expected).max())


def test_a_method_without_backward_steps_is_refused() -> None:
    equations = TangentEquations(Sizes(1, 1), *tapes_of(Sizes(1, 1), a=pendulum, b=unconstrained).values())
    with pytest.raises(ModelError, match="Rosenbrock 2"):
        Adjoint(equations, ROS2)
