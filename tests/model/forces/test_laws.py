"""Forces whose coefficients are expressions of time and of the motion move things as closed forms say."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import grashof as gr
from grashof.model.files import dumps, loads
from grashof.model.handles import Handle


def wheel(rate: float = 10.0, dimension: int = 2) -> tuple[gr.Mechanism, Handle]:
    """A wheel of 0.2 kg m² about a fixed axis."""
    m = gr.Mechanism("wheel", dimension=dimension)
    if dimension == 2:
        wheel = m.body("wheel", mass=1.0, inertia=0.2, points={"o": (0, 0), "rim": (0.3, 0)})
        m.revolute(m.ground.at(0, 0), wheel.o)
    else:
        inertia, points = (0.1, 0.1, 0.2), {"o": (0, 0, 0), "rim": (0.3, 0, 0)}
        wheel = m.body("wheel", mass=1.0, inertia=inertia, points=points)  # type: ignore[arg-type]
        m.revolute(m.ground.at(0, 0, 0), wheel.o, axis=(0, 0, 1))
    m.need(wheel, value=0.0, rate=rate)
    return m, wheel


def block(position: float = 0.0, rate: float = 0.0) -> tuple[gr.Mechanism, Handle]:
    """2 kg on a straight line along x."""
    m = gr.Mechanism("block")
    block = m.body("block", mass=2.0, inertia=0.1, points={"p": (0, 0)})
    m.slider(m.ground.line((0, 0), (1, 0)), block.line((0, 0), (1, 0)))
    m.need("block.p.x", value=position, rate=rate)
    return m, block


def balanced(run: gr.Trajectory) -> bool:
    """Whether all energy is explained by work."""
    assert run.status.code.name == "SUCCESS"
    return bool(np.max(np.abs(run["balance"])) < 1e-6 * max(1.0, float(np.max(np.abs(run["kinetic"])))))


@pytest.mark.parametrize("dimension", [2, 3])
def test_a_torque_against_the_rate_lets_it_decay_exponentially(dimension: int) -> None:
    m, body = wheel(10.0, dimension)
    m.torque(body, "-0.3*wheel.angle.rate", name="brake")
    run = gr.simulate(m, 2.0)
    assert run["wheel.angle.rate"] == pytest.approx(10.0 * np.exp(-1.5 * run.t), rel=1e-7)
    assert run["work.brake"] == pytest.approx(run["kinetic"] - 10.0, rel=1e-7, abs=1e-7)
    assert balanced(run)


def test_a_forced_oscillator() -> None:
    m, body = block()
    m.force(body.p, ("5*sin(8*t)", 0), name="push")
    m.spring(m.ground.at(-1, 0), body.p, stiffness=50.0, length=1.0)
    run = gr.simulate(m, 3.0, tol=1e-10)
    w, own = 8.0, np.sqrt(50.0 / 2.0)
    x = 2.5 / (own**2 - w**2) * (np.sin(w * run.t) - w / own * np.sin(own * run.t))
    assert run["block.p.x"] == pytest.approx(x, abs=1e-8)
    assert balanced(run)


def test_whole_turns_are_counted_in_laws() -> None:
    """θ̈ = −θ/0.2 from rate 40: the angle goes far beyond a turn and comes back."""
    m, body = wheel(40.0)
    m.torque(body, "-wheel.angle")
    run = gr.simulate(m, 2.0)
    own = np.sqrt(5.0)
    assert run["wheel.angle"] == pytest.approx(40.0 / own * np.sin(own * run.t), abs=1e-5)
    assert balanced(run)


def test_coefficients_of_springs_may_be_laws() -> None:
    """With k = 8/(1 + t)² the motion x = (1 + t)^½ sin(√(15)/2 ln(1 + t)) solves 2 ẍ = −k x."""
    m, body = block(0.0, np.sqrt(15.0) / 2.0)
    m.spring(m.ground.at(-1, 0), body.p, stiffness="8/(1 + t)**2", length="1")
    run = gr.simulate(m, 4.0)
    s = np.log1p(run.t)
    assert run["block.p.x"] == pytest.approx(np.exp(0.5 * s) * np.sin(0.5 * np.sqrt(15.0) * s), abs=1e-6)
    assert balanced(run)


def test_a_damper_that_grows_with_the_turns_stores_nothing_but_its_spring_does() -> None:
    m, body = wheel(5.0)
    m.torsion_spring(body, stiffness=0.8, damping="0.01*wheel.angle**2", name="s")
    run = gr.simulate(m, 3.0)
    assert np.max(run["potential"]) == pytest.approx(0.4 * np.max(run["wheel.angle"]) ** 2, rel=1e-12)
    assert np.all(np.diff(run["work.s"]) <= 0.0)
    assert balanced(run)


def test_the_file_gives_the_same_motion_to_the_bit() -> None:
    m, body = block(0.1)
    m.force(body.p, ("where(t < 0.5, 3, -1) + 2*(block.p.x > 0.2)", "0.1*block.p.x.rate"), axes="body")
    m.spring(m.ground.at(-1, 0), body.p, stiffness="40 + 10*t", length=1.0, damping="0.2*abs(block.p.x.rate)")
    model = m.model
    again = loads(dumps(model))
    assert again == model
    assert np.array_equal(gr.simulate(model, 1.0).y, gr.simulate(again, 1.0).y)


def test_steps_end_where_a_comparison_changes() -> None:
    """A push of 2 N on 2 kg between 0.5 and 0.5 + 1e-6 s, as written with comparisons."""
    m, body = block()
    m.force(body.p, ("2e6*(0.5 <= t and t < 0.500001)", 0))
    run = gr.simulate(m, 2.0)
    assert run["block.p.x.rate"][-1] == pytest.approx(1.0, rel=1e-6)
    assert balanced(run)


@pytest.mark.parametrize(
    ("law", "words"),
    [
        ("-0.3*wheel.angel.rate", "depends on 'wheel.angel.rate'.*did you mean 'wheel.angle.rate'"),
        ("2*x", "depends on 'x'"),
        ("kinetic", "depends on 'kinetic'"),
        ("1/0", "has no finite value"),
        ("2*", "In force 'F': cannot read the law"),
        ("t*ground.p1.x", "depends on 'ground.p1.x'"),
    ],
)
def test_what_a_law_cannot_depend_on_is_refused(law: str, words: str) -> None:
    m, body = wheel()
    m.torque(body, law, name="F")
    with pytest.raises(gr.ModelError, match=words):
        _ = m.model


def test_a_law_may_have_any_number_of_dots() -> None:
    m, body = wheel()
    m.torque(body, " + ".join(f"0.{k}*wheel.angle.rate" for k in range(1, 150)))
    assert loads(dumps(m.model)) == m.model


def test_the_example_of_the_page_about_laws() -> None:
    page = (Path(__file__).parents[3] / "docs" / "laws.md").read_text(encoding="utf-8")
    example = re.findall(r"```python\n(.*?)```", page, re.DOTALL)[0]
    names: dict[str, Any] = {}
    exec(example.replace('run.plot(["crank.angle.rate", "rod.end.x"], path="laws.png")', ""), names)
    assert balanced(names["run"])
