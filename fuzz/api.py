"""Misuse of the builder and related functions: objects of any kind in place of numbers, vectors, names, points and
bodies."""

from __future__ import annotations

import functools
import inspect
import math
import random
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

import grashof as gr
from fuzz import finding

METHODS = (
    *("body", "bar", "revolute", "slider", "pin_in_slot", "prismatic", "cylindrical", "spherical", "universal", "planar", "weld"),
    *("distance", "angle", "separation", "spring", "torsion_spring", "torque", "force", "user_force", "motor", "guess", "need", "want"),
)  # fmt: skip


def run(cases: int, seed: int) -> list[str]:
    """Each case calls a method a few times with one or two wrong arguments, and then uses the mechanism."""
    found = []
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", UserWarning)  # advice to the user
        for case in range(cases):
            draw = random.Random(f"{seed} api {case}")
            sentence = finding(functools.partial(_use, draw), f"api, case {case}")
            if sentence is not None:
                found.append(sentence)
    return found


def _use(draw: random.Random) -> None:
    if draw.random() < 0.1:
        odd = _things(gr.Mechanism("none"), draw)
        draw.choice((gr.assemble, gr.mobility, gr.build, gr.load, lambda x: gr.simulate(x, 1.0)))(draw.choice(odd))
        return
    if draw.random() < 0.1:
        odd = _things(gr.Mechanism("none"), draw)
        gr.Mechanism(
            draw.choice((*odd, "m")), gravity=draw.choice((*odd, (0, -9.81))), dimension=draw.choice((*odd, 2, 3))
        )
        return
    m = gr.Mechanism("m", dimension=draw.choice((2, 3)))
    zero = (0.0,) * m.dimension
    rod = m.bar("rod", length=1.0, mass=1.0)
    plate = m.body("plate", mass=1.0, inertia=1.0 if m.dimension == 2 else (1.0, 1.0, 1.0), points={"p": zero})
    if m.dimension == 2:
        m.revolute(m.ground.at(*zero), rod.start)
    else:
        m.spherical(m.ground.at(*zero), rod.start)
    usual: list[Any] = [1.0, 0.5, zero, (1.0, *zero[1:]), rod, plate, rod.end, plate.p, rod.start, m.ground.at(*zero)]
    usual += ["rod.angle", "plate.p.x", "a name", m.ground.line(zero, (1.0, *zero[1:]))]
    for _ in range(draw.choice((1, 1, 3))):
        _call(getattr(m, draw.choice(METHODS)), usual, _things(m, draw), draw)
    if draw.random() < 0.2:
        method, count = draw.choice(((rod.at, 2), (rod.point, 1), (rod.line, 2)))
        method(*draw.choices([*usual, *_things(m, draw)], k=count))
    gr.assemble(m)


def _call(method: Callable[..., Any], usual: list[Any], odd: list[Any], draw: random.Random) -> None:
    """Supplies every argument that has no default, and some that have one."""
    arguments = {}
    for name, parameter in inspect.signature(method).parameters.items():
        if parameter.default is inspect.Parameter.empty or draw.random() < 0.3:
            arguments[name] = draw.choice(odd if draw.random() < 0.4 else usual)
    method(**arguments)


def _things(m: gr.Mechanism, draw: random.Random) -> list[Any]:
    other = gr.Mechanism("other", dimension=m.dimension)
    foreign = other.bar("rod", length=1.0, mass=1.0)
    return [
        *(None, True, "", "12", "rod", "rod.end", "ground", "\x1b[2J", b"1", 0, -1, 10**400, 1e300, 1e155, 1e-300, math.nan, math.inf),
        *(1j, [], {}, set(), (1, 2, 3, 4), [(1, 2), 3], {"p": (0, 0)}, {1: 2}, range(2), iter((1, 2)), object(), len, lambda *x: x),
        *(np.float64(0.5), np.float32(0.5), np.int64(2), np.bool_(True), np.array(1.0), np.array([1.0, 2.0]), np.zeros(3), np.eye(2)),
        *(np.array(["a"]), np.array([math.nan, 1.0]), foreign, foreign.end, other.ground.line((0,) * m.dimension, (1,) * m.dimension)),
    ]  # fmt: skip
