"""A mechanism built from parameters and given other values is the one that is built from these values."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import grashof as gr
from grashof.common.errors import ModelError
from grashof.model.expressions import Scope, parse
from grashof.model.files import dumps, loads
from grashof.model.formula import Formula
from grashof.model.model import Model
from grashof.model.parameters import numbers, with_numbers

NOMINAL = {"L": 0.1, "k": 25.0, "phi": 0.3}
OTHER = {"L": 0.13, "k": 31.0, "phi": -0.2}
Build = Callable[[gr.Mechanism, Any, Any, Any], None]


def crank_and_rod(m: gr.Mechanism, L: Any, k: Any, phi: Any) -> None:
    crank = m.bar("crank", length=L, mass=0.3 * k * L)
    rod = m.bar("rod", start=(L * gr.cos(phi), L * gr.sin(phi)), end=(4 * L, -L / 5), mass="2*crank.mass")
    piston = m.body("piston", mass=k / 50, inertia=1e-3 * k, center=(L / 10, 0), points={"pin": (L / 7, 0)})
    m.guess(piston, (4 * L, -L / 5), angle=phi / 10)
    m.revolute(m.ground.at(0, 0), crank.start)
    m.revolute(crank.end, rod.start)
    m.revolute(rod.end, piston.pin)
    m.slider(m.ground.line((0, -L / 5), (3 * L, -L / 5 + phi * L)), piston.pin)
    m.spring(m.ground.at(6 * L, 0), piston.pin, stiffness=100 * k, length="rod.length/2", damping=k**2 / 3)
    m.torsion_spring(crank, stiffness=k, rest=phi, damping=0.1)
    m.torque(crank, "-0.1*crank.angle.rate + k*sin(phi)")
    m.force(piston.pin, (-k / L, "L*t"))
    m.controller(crank, phi, kp=k, ki=2 * k, limit=3 * k)
    m.friction(m.model.joints[0], viscous=0.01 * k, coulomb=0.1, mu=phi * phi, radius=L / 20)
    m.stop(crank, lower=-40 * k, upper=40 * k, stiffness=k**3)
    m.event("piston.pin.x", crosses=3 * L, name="half way")
    m.need(crank.angle, value=phi, rate=k / 10)
    m.want("rod.end.x", value=4 * L)
    m.distance(m.ground.at(0, -L), m.body("bob", mass=k).at(0, L), 2 * L, name="string")


def wheels(m: gr.Mechanism, L: Any, k: Any, phi: Any) -> None:
    pinion, wheel, drum = (m.body(name, mass=1.0, inertia=L * L) for name in ("pinion", "wheel", "drum"))
    m.revolute(m.ground.at(-3 * L, 0), pinion.at(0, 0))
    m.revolute(m.ground.at(0, 0), wheel.at(0, 0))
    m.gear(pinion, wheel, teeth=(k, 2 * k))
    load = m.body("load", mass=k, points={"hook": (0, 0)}, position=(L, -5 * L))
    m.revolute(m.ground.at(4 * L, 0), drum.at(0, 0))
    m.belt(wheel, drum, radii=(L, L / 2))
    m.rope([m.ground.at(3 * L, 0), load.hook], wound={drum: L / 2}, length=5 * L)
    ball = m.body("ball", mass=1.0, inertia=L, position=(8 * L, 2 * L))
    m.roll(m.ground.circle((8 * L, 0), L), ball.at(0, 0), radius=L / 3, name="orbit")
    disk = m.body("disk", mass=1.0, inertia=L, position=(0, -8 * L))
    m.roll(m.ground.line((0, -9 * L), (L, -9 * L + phi * L)), disk.at(0, 0), radius=L / 2)
    m.coupling({"ball.angle": k, "disk.angle": -1}, law="phi*t")
    m.bushing(
        m.ground.at(0, -12 * L), m.body("rubber", mass=1.0, inertia=1.0).at(0, 0), stiffness=k, damping=(k / 9, 1)
    )
    m.motor(pinion, speed=k * gr.sqrt(L), name="drive")


def in_space(m: gr.Mechanism, L: Any, k: Any, phi: Any) -> None:
    arm = m.bar("arm", start=(0, 0, 0), end=(0, L, L / 2), mass=k)
    m.revolute(m.ground.at(0, 0, 0), arm.start, axis=(1, 0, 0))
    box = m.body("box", mass=k, inertia=(k, 2 * k, "2.5*k"), position=(0, L, L / 2), points={"b": (L, L, L)})
    m.spherical(arm.end, box.at(0, 0, 0))
    m.screw(
        m.ground.at(0, 9 * L, 0), m.body("nut", mass=1.0, inertia=(1, 1, 1)).at(0, 0, 0), axis=(0, 1, 0), lead=L / 8
    )
    m.spring(m.ground.at(L, L, L), box.b, stiffness=k, length=np.sqrt(L * L + phi**2))


@pytest.mark.parametrize(("build", "dimension"), [(crank_and_rod, 2), (wheels, 2), (in_space, 3)])
def test_parameters_are_as_good_as_numbers(build: Build, dimension: int) -> None:
    m = gr.Mechanism("m", dimension=dimension)
    build(m, *(m.parameter(name, value) for name, value in NOMINAL.items()))
    for values in (NOMINAL, OTHER):
        plain = gr.Mechanism("m", dimension=dimension)
        for name, value in values.items():
            plain.parameter(name, value)
        build(plain, *values.values())
        expected = {path: number.value for path, number in numbers(plain.model).items()}
        found = {path: number.value for path, number in numbers(with_numbers(m.model, values)).items()}
        if values is OTHER and dimension == 3:  # a guessed attitude stays as it is
            expected = {path: x for path, x in expected.items() if "guesses.arm.rotation" not in path}
            found = {path: found[path] for path in expected}
        assert found == pytest.approx(expected, rel=1e-12, abs=1e-15)
    assert loads(dumps(m.model)) == m.model


def test_a_text_needs_its_numbers_first() -> None:
    m = gr.Mechanism("m")
    m.bar("crank", length=0.1)
    m.parameter("width", 0.2)
    for text, words in (
        ("3*crank.lenght", "the mechanism has no number 'crank.lenght'; did you mean 'crank.length'"),
        ("3*heigth", "the mechanism has no number 'heigth'; it must be"),
        ("t", "it must be a number, or an expression"),
        ("1/(width - 0.2)", "which has no value"),
        ("3*", "cannot read the law"),
    ):
        with pytest.raises(ModelError) as refused:
            m.bar("rod", length=text)
        assert words in str(refused.value)


def test_wrong_parameters_are_refused() -> None:
    m = gr.Mechanism("m")
    m.bar("rod", length=1.0)
    for arguments, options, words in (
        (("a", "big"), {}, "the mechanism has no number 'big'"),
        (("a", 1.0), {"bounds": 3}, "must be 2 numbers"),
        (("a", "3 mm"), {"unit": "kg"}, "which is a length; it must be a mass"),
        (("a", 1.0), {"bounds": (0, "x")}, "it must be a number"),
        ((3, 1.0), {}, "it must be a text"),
    ):
        with pytest.raises(ModelError, match=words):
            m.parameter(*arguments, **options)  # type: ignore[arg-type]
    m.parameter("a", 1.0, bounds=(2.0, None))
    with pytest.raises(ModelError, match="There is already a parameter"):
        m.parameter("a", 1.0)
    with pytest.raises(ModelError, match=r"beyond its bounds, 2\.0 to ∞"):
        _ = m.model


def test_a_formula_has_no_truth_and_no_float() -> None:
    """So that nothing forgets what it depends on."""
    length = gr.Mechanism("m").parameter("L", 0.1)
    for wrong in (lambda: float(length), lambda: bool(length), lambda: int(length)):  # type: ignore[call-overload]
        with pytest.raises(TypeError):
            wrong()


OPERATIONS: list[Callable[[Any, Any], Any]] = [
    lambda a, b: a + b,
    lambda a, b: a - b,
    lambda a, b: a * b,
    lambda a, b: a / b,
    lambda a, b: -a,
    lambda a, b: a**2,
    lambda a, b: 2.0 - a,
    lambda a, b: -3 * a,
    lambda a, b: 1 / b,
    lambda a, b: gr.sin(a),
    lambda a, b: np.cos(b),
    lambda a, b: np.float64(2.5) * a,
    lambda a, b: gr.maximum(a, b),
    lambda a, b: gr.absolute(a - 1.0),
    lambda a, b: np.hypot(a, b),
    lambda a, b: a % b,
]


@given(st.lists(st.tuples(st.sampled_from(OPERATIONS), st.integers(0, 9), st.integers(0, 9)), max_size=12))
def test_the_text_of_a_formula_has_its_value(steps: list[tuple[Callable[[Any, Any], Any], int, int]]) -> None:
    """Parentheses are where they must be: what is parsed again has the value that Python's arithmetic has."""
    known = {"a": 1.25, "left side": 0.75}
    made: list[Formula] = [Formula("a", 1.25), Formula("`left side`", 0.75)]
    for operation, i, j in steps:
        try:
            made.append(operation(made[i % len(made)], made[j % len(made)]))
        except (ArithmeticError, ValueError):
            continue
    for formula in made:
        value = parse(formula.text, "a test").at(Scope(0.0, known.__getitem__))
        assert value == formula.value


def test_a_model_in_python_and_in_a_file_is_the_same() -> None:
    m = gr.Mechanism("m", gravity=(0, -9.81))
    length = m.parameter("L", "100 mm", bounds=("5 cm", 0.2))
    m.gravity = (0.0, -100 * length)
    m.bar("rod", length=3 * length, mass=1.0)
    text = """
        format = "grashof 1"
        name = "m"
        gravity = [0.0, "-(100*L)"]
        parameters = [{ name = "L", value = "100 mm", unit = "m", lower = "5 cm", upper = 0.2 }]
        bodies = [{ type = "bar", name = "rod", length = "3*L", mass = 1 }]
    """
    model: Model = m.model
    assert loads(text.replace("-(100*L)", model.defined["gravity.y"])) == model
    assert model.gravity == (0.0, -10.0)


def test_the_example_of_the_page_runs(capsys: pytest.CaptureFixture[str]) -> None:
    page = (Path(__file__).parents[2] / "docs" / "parameters.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    names: dict[str, Any] = {}
    exec(example, names)
    assert "rod.length 0.30000000000000004 m 3*L" in capsys.readouterr().out
    assert names["longer"].points["rod.end"] == pytest.approx((0.36, 0.0))
    for path in re.findall(r"`(\w+(?:\.\w+)+)`", page.partition("## Paths")[0]):
        assert path in numbers(names["m"]) or path in ("m.parameter", "gr.numbers", "L.value"), path
