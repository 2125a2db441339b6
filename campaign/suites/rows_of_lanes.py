"""Rows that sweeps compute in the lanes of a processor, compared with single runs of mechanisms built anew, at a
hundredth of the tolerance.

The single runs are read at 4,001 times: an extreme lies between the largest value there and that value plus what its
second derivative, estimated by differences, permits in between. A row is also wrong if it has values although the
single run fails.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

import grashof as gr
from campaign.suite import Rng
from campaign.swept import ROWS, SweptCases, SweptMechanism, Value
from grashof.common.errors import ModelError
from grashof.model.mechanism import Mechanism
from grashof.model.parameters import numbers, with_numbers

KINDS = ("max", "min", "peak", "mean", "at end", "at middle")
TIMES, FINER, TIGHTEST = 4001, 0.01, 1e-10
VARIED = (".length", ".mass", ".stiffness", ".damping", ".torque", "gravity.y", ".x", ".y", ".angle", ".rate")
"""How paths of numbers end that are varied."""


def _swept(rng: Rng, model: Mechanism, end: float, quantities: list[str]) -> SweptMechanism:
    """Two to four numbers vary by up to a tenth; five outputs of quantities drawn at random."""
    given = model.model
    known = {k: float(x.value) for k, x in numbers(given).items() if isinstance(x.value, float | int)}
    paths = [k for k, x in known.items() if x != 0.0 and k.endswith(VARIED) and "guesses" not in k and "axis" not in k]
    chosen = rng.choice(paths, size=min(len(paths), int(rng.integers(2, 5))), replace=False).tolist()
    vary = {path: known[path] * rng.uniform(0.9, 1.1, ROWS) for path in chosen}
    middle = 0.5 * end
    outputs = []
    for _ in range(5):
        kind, name = str(rng.choice(KINDS)), str(rng.choice(quantities))
        outputs.append({"at end": f"{name} at end", "at middle": f"{name} at {middle!r}"}.get(kind, f"{kind} {name}"))

    def judge(row: Mapping[str, float], tol: float) -> Mapping[str, Value] | None:
        try:
            run = gr.simulate(with_numbers(given, dict(row)), end, tol=max(FINER * tol, TIGHTEST), times=TIMES)
        except ModelError:
            return None
        if not run.status.ok:
            return None
        length, speed = run.program.system.length, float(np.max(np.abs(run.v)))
        energy = float(np.max(run["kinetic"])) + float(np.ptp(run["potential"]))
        sizes = {"m": length, "m/s": speed, "rad": 1.0, "rad/s": speed / length, "J": energy}
        return {output: _correct(output, run, middle, sizes) for output in dict.fromkeys(outputs)}

    return SweptMechanism(", ".join(chosen), model, vary, end, list(dict.fromkeys(outputs)), judge)


def _correct(output: str, run: gr.Trajectory, middle: float, sizes: Mapping[str, float]) -> Value:
    if " at " in output:
        name, _, when = output.partition(" at ")
        x = run[name]
        value = float(x[-1] if when == "end" else x[(TIMES - 1) // 2])
        return value, value, sizes[run.unit(name)]
    kind, name = output.split(" ", 1)
    x, size = run[name], sizes[run.unit(name)]
    if kind == "mean":
        # Simpson's rule, and how far half of the points are off
        fine, coarse = (_simpson(x[::k]) for k in (1, 2))
        off = abs(fine - coarse)
        return fine - off, fine + off, size
    between = float(np.max(np.abs(np.diff(x, 2)))) / 8.0 * 1.5
    high, low = float(np.max(x)), float(np.min(x))
    bounds = {
        "max": (high, high + between),
        "min": (low - between, low),
        "peak": (max(high, -low), max(high, -low) + between),
    }
    return (*bounds[kind], size)


def _simpson(x: np.ndarray) -> float:
    return float((x[0] + x[-1] + 4.0 * np.sum(x[1:-1:2]) + 2.0 * np.sum(x[2:-1:2])) / (3.0 * (len(x) - 1)))


def four_bars(rng: Rng) -> SweptMechanism:
    """Four-bars with springs, dampers and torques, clear of their dead centres or not."""
    m = gr.Mechanism("four-bar", gravity=(0.0, -9.81))
    lengths = rng.uniform(0.3, 1.0, 3)
    crank, rod, rocker = (
        m.bar(n, length=float(x), mass=float(x * rng.uniform(0.5, 2.0)))
        for n, x in zip(("crank", "rod", "rocker"), lengths, strict=True)
    )
    ground = float(rng.uniform(0.4, 0.9) * np.sum(lengths[1:]))
    m.revolute(m.ground.at(0, 0, name="A"), crank.start)
    m.revolute(crank.end, rod.start)
    m.revolute(rod.end, rocker.end)
    m.revolute(m.ground.at(ground, 0, name="B"), rocker.start)
    if rng.random() < 0.6:
        m.spring(
            rod.end, m.ground.at(0.5, 1.5, name="C"), stiffness=20.0, length=0.5, damping=float(rng.choice([0.0, 0.3]))
        )
    if rng.random() < 0.5:
        m.torque(crank, f"{float(rng.normal())!r}-0.1*crank.angle.rate", name="drive")
    m.need(crank.angle, value=float(rng.uniform(-1.5, 1.5)), rate=float(3.0 * rng.normal()))
    names = ["crank.angle", "crank.angle.rate", "rod.end.x", "rod.end.y.rate", "rocker.angle", "kinetic", "potential"]
    return _swept(rng, m, float(rng.uniform(0.5, 2.0)), names)


def pendulums(rng: Rng) -> SweptMechanism:
    """Chains of two or three bars, short enough not to become chaotic."""
    m = gr.Mechanism("chain", gravity=(0.0, -9.81))
    point = m.ground.at(0, 0, name="A")
    for k in range(int(rng.integers(2, 4))):
        bar = m.bar(f"bar{k}", length=float(rng.uniform(0.3, 1.0)), mass=float(rng.uniform(0.3, 2.0)))
        m.revolute(point, bar.start)
        m.need(bar.angle, value=float(rng.uniform(-2.5, -0.5)), rate=float(rng.normal()))
        point = bar.end
    names = ["bar0.angle", "bar1.angle.rate", "bar1.end.x", "bar1.end.y", "bar1.end.y.rate", "kinetic", "energy"]
    return _swept(rng, m, float(rng.uniform(0.5, 1.5)), names)


def slider_cranks(rng: Rng) -> SweptMechanism:
    """Slider cranks that turn freely or are driven by a motor."""
    m = gr.Mechanism("slider crank", gravity=(0.0, -9.81))
    crank = m.bar("crank", length=float(rng.uniform(0.1, 0.3)), mass=1.0)
    rod = m.bar("rod", length=float(rng.uniform(0.5, 1.0)), mass=0.5)
    m.revolute(m.ground.at(0.0, 0.0), crank.start)
    m.revolute(crank.end, rod.start)
    m.slider(m.ground.line((0.0, 0.0), (1.0, 0.0)), rod.end)
    driven = bool(rng.random() < 0.5)
    if driven:
        m.motor(crank, speed=float(rng.uniform(1.0, 20.0)))
    m.need(crank.angle, value=float(rng.uniform(-3, 3)), rate=None if driven else float(rng.uniform(5.0, 15.0)))
    names = ["crank.angle", "rod.end.x", "rod.end.x.rate", "rod.angle", "kinetic"]
    return _swept(rng, m, float(rng.uniform(0.3, 4.0)), names)


def in_space(rng: Rng) -> SweptMechanism:
    """A body on a ball joint, with an elastic rope to the ground."""
    m = gr.Mechanism("top", gravity=(0.0, 0.0, -9.81))
    body = m.body(
        "body",
        mass=float(rng.uniform(0.5, 2.0)),
        center=(0.3, 0.05, -0.1),
        inertia=(0.05, 0.08, 0.1),
        points={"o": (0, 0, 0), "tip": (0.5, 0.1, 0.0)},
    )
    m.spherical(m.ground.at(0, 0, 0, name="A"), body.o)
    m.spring(
        body.tip, m.ground.at(0.4, 0.6, 0.5, name="C"), stiffness=float(rng.uniform(5, 50)), length=0.3, name="rope"
    )
    names = ["body.tip.x", "body.tip.y.rate", "body.tip.z", "kinetic", "potential"]
    return _swept(rng, m, float(rng.uniform(0.5, 2.0)), names)


FAMILIES: Mapping[str, Callable[[Rng], SweptMechanism]] = {
    "four-bars": four_bars,
    "chains": pendulums,
    "slider cranks": slider_cranks,
    "bodies in space": in_space,
}

SUITE = SweptCases("rows-of-lanes", FAMILIES, factor=100.0)
