"""Damaged mechanism files, and mechanisms with numbers of any size: loaded, assembled, counted, and some of them
run."""

from __future__ import annotations

import random
import tomllib
import warnings
from typing import Any

import grashof as gr
from fuzz import finding, mutated
from grashof.model.files import dumps, loads
from grashof.model.model import Model

SIZES = (
    0.0,
    -1.0,
    1e-300,
    1e-155,
    1e-30,
    1e-12,
    1e-6,
    1e-3,
    1e3,
    1e6,
    1e7,
    1e12,
    1e30,
    1e100,
    1e155,
    1e300,
    -1e300,
    1.7e308,
)
"""Numbers that a field or a component of a vector is set to, or multiplied by."""

LAWS = (
    "1e300*t",
    "exp(1e3*t)",
    "1/t",
    "sqrt(t - 1)",
    "t**-64",
    "1e300**2",
    "log(0*t)",
    "0*t",
    "1e-300*t",
    "atan2(0*t, 0*t)",
    "floor(1e300*t)",
    "push(1e300*t)",
    "bar0.angle**-3.5",
    "1 if t < 1e-9 else -1",
    "30 deg",
    "1e300 km",
    "where(bar0.angle.rate < 0, 1e30, 0)",
    "3*L",
    "1/(L - L)",
    "bar0.length**40",
    "rod.length - crank.length",
)


def run(cases: int, seed: int, first: int = 0) -> list[str]:
    """Each case is a correct description of which one to three numbers, or some text, were changed."""
    examples = [dumps(model) for model in _examples()]
    found = []
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", UserWarning)  # advice to the user
        for case in range(first, first + cases):
            draw = random.Random(f"{seed} models {case}")
            text = draw.choice(examples)
            if draw.random() < 0.3:
                damaged = mutated(text.encode(), draw).decode("utf-8", "replace")
            else:
                damaged = _resized(text, draw)
            depth = draw.choices(("loaded", "assembled", "counted", "run"), (70, 20, 8, 2))[0]
            sentence = finding(lambda: _use(damaged, depth), f"models, case {case}")  # noqa: B023
            if sentence is not None:
                found.append(sentence)
    return found


def _use(text: str, depth: str) -> None:
    model = loads(text)
    if depth == "assembled":
        gr.assemble(model)
    elif depth == "counted":
        gr.mobility(model)
    elif depth == "run":
        gr.simulate(model, model.start.time + 0.01, max_steps=200, check_error=False)


def _resized(text: str, draw: random.Random) -> str:
    content = tomllib.loads(text)
    for _ in range(draw.choice((1, 1, 2, 3))):
        places = list(_numbers(content))
        holder, key = draw.choice(places)
        size = draw.choice(SIZES)
        if isinstance(holder[key], str):
            holder[key] = draw.choice(LAWS)
        else:
            holder[key] = size if draw.random() < 0.5 else holder[key] * size
    return _written(content)


def _numbers(part: Any) -> list[tuple[Any, Any]]:
    """Where numbers and laws are: (table or list, key)."""
    items = part.items() if isinstance(part, dict) else enumerate(part) if isinstance(part, list) else ()
    found = []
    for key, value in items:
        if isinstance(value, float) or key in ("law", "speed", "torque", "length", "mass", "value"):
            found.append((part, key))
        else:
            found += _numbers(value)
    return found


def _written(content: dict[str, Any]) -> str:
    import tomli_w

    return tomli_w.dumps(content)


def _examples() -> list[Model]:
    plane = gr.Mechanism("slider crank", gravity=(0, -9.81))
    crank = plane.bar("crank", length=0.2, mass=1.0)
    rod = plane.bar("rod", length=0.5, mass=0.5)
    block = plane.body("block", mass=0.3, inertia=0.01, points={"p": (0, 0), "face": (0.1, 0.05)})
    plane.revolute(plane.ground.at(0, 0), crank.start)
    plane.revolute(crank.end, rod.start)
    plane.revolute(rod.end, block.p)
    plane.slider(plane.ground.line((0, 0), (1, 0)), block.line((0, 0), (1, 0)))
    plane.spring(plane.ground.at(1, 0), block.face, stiffness=50.0, length=0.2, damping=1.0)
    plane.torsion_spring(rod, stiffness=2.0, rest=0.1)
    plane.force(block.face, (1.0, -2.0), axes="body")
    plane.motor(crank, "0.3 + 2*t")
    plane.want("block.p.x", value=0.6)
    space = gr.Mechanism("platform", gravity=(0, 0, -9.81))
    arm = space.bar("arm", start=(0, 0, 0), end=(1, 0, 0), mass=1.0)
    link = space.body(
        "link", mass=2.0, inertia=(0.1, 0.2, 0.25, 0.01, 0.0, 0.0), center=(0.2, 0, 0), points={"a": (0, 0, 0), "b": (0.5, 0.1, 0)}, position=(1, 0, 0)
    )  # fmt: skip
    space.revolute(space.ground.at(0, 0, 0), arm.start, axis=(0, 0.6, 0.8))
    space.universal(arm.end, link.a, axis_a=(0, 0, 1), axis_b=(0, 1, 0))
    space.distance(link.b, space.ground.at(1.5, 0.1, 1), 1.0)
    space.torque(arm, 0.5)
    space.need(arm, value=0.1, rate=2.0)
    chain = gr.Mechanism("chain", gravity=(0, -9.81))
    before = chain.ground.at(0, 0)
    for k in range(3):
        bar = chain.bar(f"bar{k}", length=0.5, mass=1.0)
        chain.revolute(before, bar.start)
        before = bar.end
    chain.table("push", [0.0, 0.1, 0.5], [0.0, 2.0, 1.0], kind="cubic")
    chain.torque("bar0.angle", "push(t) - 0.3*bar0.angle.rate*where(bar1.end.x > 0.5, 1, 2)")
    chain.force(before, ("3*sin(2*t)", 0.5))
    chain.spring(chain.ground.at(1, 0), before, stiffness="20 + 5*t", length=0.3)
    chain.controller("bar1.angle", target="0.2*t", kp=3.0, ki=1.0, kd=0.2, limit=5.0, windup=1.0)
    chain.motor("bar2.angle", speed="0.3 + 0.1*t")
    chain.need("bar0.angle", value=0.4)
    chain.guess("bar2", (1.0, 0.0), angle=0.5)
    return [plane.model, space.model, chain.model, _parametric(), *_coupled()]


def _parametric() -> Model:
    """A mechanism defined by parameters."""
    m = gr.Mechanism("crank and rod", gravity=(0, -9.81))
    length, damping = m.parameter("L", 0.2, unit="m", bounds=(0.01, 1.0)), m.parameter("d", 0.1)
    crank = m.bar("crank", length=length, mass=5 * length)
    rod = m.bar("rod", length="3*crank.length", mass="crank.mass/2")
    m.revolute(m.ground.at(0, 0), crank.start)
    m.revolute(crank.end, rod.start)
    m.slider(m.ground.line((0, -length / 4), (length, damping * length)), rod.end)
    m.torque(crank, "1 - d*crank.angle.rate")
    m.spring(m.ground.at(4 * length, 0), rod.end, stiffness=100 * damping, length=length)
    m.need(crank, value=gr.atan2(length, 0.3))
    return m.model


def _coupled() -> list[Model]:
    """Mechanisms with couplings of most kinds."""
    plane = gr.Mechanism("cam and hoist", gravity=(0, -9.81))
    cam, wheel = plane.body("cam", mass=1.0, inertia=0.01), plane.body("wheel", mass=1.0, inertia=0.02)
    lever = plane.body("lever", mass=0.5, inertia=1.0, position=(0, 0.05), points={"o": (0, 0)})
    load = plane.body("load", mass=2.0, inertia=1.0, position=(1.1, -0.5), points={"o": (0, 0)})
    plane.revolute(plane.ground.at(0, 0), cam.at(0, 0))
    plane.revolute(plane.ground.at(1, 0), wheel.at(0, 0))
    plane.prismatic(plane.ground.at(0, 0), lever.o, axis=(0, 1))
    plane.prismatic(plane.ground.at(1.1, 0), load.o, axis=(0, 1))
    plane.gear(cam, wheel, teeth=(20, 30))
    plane.rope([load.o, plane.ground.at(1, 0), plane.ground.at(0, -1)], radii=(0, 0.1, 0), wound={wheel: 0.05})
    plane.roller(cam.curve(radius="0.03 + 0.005*cos(phi)"), lever.o, radius=0.01)
    rolling = gr.Mechanism("rolling", gravity=(0, -9.81))
    ball = rolling.body("ball", mass=1.0, inertia=0.004, position=(0.5, 0.1), points={"o": (0, 0)})
    rolling.roll(rolling.ground.line((0, 0), (1, 0.2)), ball.o, radius=0.1)
    bead = rolling.body("bead", mass=1.0, position=(0.5, 0.3), points={"o": (0, 0)})
    rolling.pin_on_curve(rolling.ground.curve(points=[(-1, 1), (0, 0), (0.5, 0.2), (1, 1)], closed=False), bead.o)
    rolling.coupling({"bead.o.x": 1.0, "ball.o.x": 0.5, ball: 0.1}, "0.3 + t")
    space = gr.Mechanism("press", gravity=(0, 0, -9.81))
    nut, drive = (space.body(name, mass=1.0, inertia=(0.1, 0.1, 0.1)) for name in ("nut", "drive"))
    space.screw(space.ground.at(0, 0, 0), nut.at(0, 0, 0), axis=(0, 0, 1), lead=0.01, name="thread")
    space.revolute(space.ground.at(1, 0, 0), drive.at(0, 0, 0), axis=(1, 0, 0))
    space.coupling("`drive.angle` - 2*`thread turn` - 0.1*sin(`drive.angle`)")
    return [plane.model, rolling.model, space.model]
