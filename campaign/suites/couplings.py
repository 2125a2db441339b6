"""Wheels and slides tied by gears, racks and differentials, and driven by laws of time and motion.

Judged by Lagrange's equations in the freedoms that the couplings leave: with x all angles and slides, C x = c the
couplings and N a basis of the null space of C,

    x = x₀ + N u,    (Nᵀ M N) ü = Nᵀ Q(t, x, ẋ),

integrated by SciPy's DOP853 at 1e-13. Errors may grow like those of a slightly perturbed start.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.integrate import solve_ivp
from scipy.linalg import null_space

import grashof as gr
from campaign.blocks import G, random_times
from campaign.case import KnownMotion
from campaign.energy_integral import NotJudged
from campaign.structure import Array
from campaign.suite import Cases, Rng
from grashof.model.handles import Handle

OFF = 1e-7
"""Perturbation of the start of the neighbouring motion."""

Effort = Callable[[float, float, float], float]
"""A torque or force from t, x and ẋ."""


@dataclass(frozen=True)
class Part:
    """A wheel with a mass off its centre, or a slide on a spring.

    inertia   kg m² or kg
    effort    of gravity, springs and laws
    """

    name: str
    quantity: str
    inertia: float
    effort: Effort


def _wheel(m: gr.Mechanism, rng: Rng, k: int) -> Part:
    inertia, mass = float(10.0 ** rng.uniform(-1.0, 1.0)), float(rng.uniform(0.1, 3.0))
    arm = float(rng.uniform(0.0, 0.3) * np.sqrt(inertia / mass))
    name = f"wheel{k}"
    body = m.body(name, mass=mass, inertia=inertia - mass * arm**2, center=(arm, 0.0), points={"o": (0.0, 0.0)})
    m.revolute(m.ground.at(float(k), 0.0), body.o)
    return Part(name, f"{name}.angle", inertia, lambda t, x, v: -mass * G * arm * np.cos(x))


def _slide(m: gr.Mechanism, rng: Rng, k: int) -> Part:
    mass, stiffness = float(rng.uniform(0.1, 3.0)), float(10.0 ** rng.uniform(0.0, 2.0))
    name = f"slide{k}"
    body = m.body(name, mass=mass, inertia=1.0, points={"o": (0.0, 0.0)})
    m.prismatic(m.ground.at(float(k), 5.0), body.o, axis=(1.0, 0.0))
    m.force(body.o, (f"{stiffness!r}*({float(k)!r} - {name}.o.x)", 0.0))
    return Part(name, f"{name}.o.x", mass, lambda t, x, v: stiffness * (float(k) - x))


def _law(m: gr.Mechanism, rng: Rng, part: Part) -> Effort:
    """A torque of time and motion on a wheel, as text for the engine and as a function for the judge."""
    a, w, c, p = rng.uniform(0.2, 2.0, size=4).tolist()
    name = part.quantity
    texts: list[tuple[str, Effort]] = [
        (f"{a!r}*sin({w!r}*t)", lambda t, x, v: a * np.sin(w * t)),
        (f"-{c!r}*{name}.rate", lambda t, x, v: -c * v),
        (f"-{c!r}*{name}.rate*abs({name}.rate)", lambda t, x, v: -c * v * abs(v)),
        (f"{a!r}*tanh({p!r} - {name}.rate)", lambda t, x, v: a * np.tanh(p - v)),
        (f"{a!r}*cos({name} - {w!r}*t)", lambda t, x, v: a * np.cos(x - w * t)),
        (
            f"{a!r} if t < {p!r} else -{c!r}*{name}.rate",
            lambda t, x, v: a if t < p else -c * v,
        ),
    ]
    text, effort = texts[int(rng.integers(len(texts)))]
    m.torque(name, text, name=f"law of {part.name}")
    return effort


def _with_law(m: gr.Mechanism, rng: Rng, part: Part) -> Part:
    law = _law(m, rng, part)
    return Part(part.name, part.quantity, part.inertia, lambda t, x, v: part.effort(t, x, v) + law(t, x, v))


def _train(rng: Rng, wheels: int, slides: int, laws: int, couplings: Callable[[Rng, int], list[Array]]) -> KnownMotion:
    m = gr.Mechanism("train", gravity=(0.0, -G))
    parts = [_wheel(m, rng, k) for k in range(wheels)] + [_slide(m, rng, k) for k in range(wheels, wheels + slides)]
    parts = [_with_law(m, rng, part) if k < min(laws, wheels) else part for k, part in enumerate(parts)]
    rows = couplings(rng, len(parts))
    for number, row in enumerate(rows):
        terms: dict[Handle | str, float] = {part.quantity: float(c) for part, c in zip(parts, row, strict=True) if c}
        m.coupling(terms, name=f"coupling {number}")
    ways = null_space(np.array(rows))
    start = np.array([rng.uniform(-2.0, 2.0) if k < wheels else float(k) for k in range(len(parts))])
    rates = ways @ rng.normal(size=ways.shape[1]) * float(rng.uniform(0.0, 3.0))
    for part, x, v in zip(parts, start, rates, strict=True):
        m.need(part.quantity, value=float(x))
        if abs(v) == max(abs(rates)):
            m.need(part.quantity, rate=float(v))
    for part, v in zip(parts, rates, strict=True):
        m.want(part.quantity, rate=float(v))
    times = random_times(rng, float(10.0 ** rng.uniform(0.0, 1.5)))
    x, v = _moved(parts, ways, start, rates, times)
    near, _ = _moved(parts, ways, start + OFF * ways[:, 0], rates, times)
    size = np.array([1.0 if k < wheels else float(np.ptp(x[k])) + 0.1 for k in range(len(parts))])
    pace = float(np.max(np.abs(v) / size[:, None])) + 1.0
    apart = np.max(np.abs(near - x) / size[:, None], axis=0) / (OFF * np.max(np.abs(ways[:, 0]) / size))
    growth = np.maximum.accumulate(np.maximum(1.0, apart / (1.0 + pace * times)))
    if growth[-1] > 1e4:
        raise NotJudged("neighbouring motions part")
    exact: dict[str, Array] = {}
    scales: dict[str, float] = {}
    for k, part in enumerate(parts):
        fast = float(np.max(np.abs(v[k]))) + 0.1 * pace * float(size[k])
        exact |= {part.quantity: x[k], f"{part.quantity}.rate": v[k]}
        scales |= {part.quantity: float(size[k]), f"{part.quantity}.rate": fast}
    what = f"{wheels} wheels, {slides} slides, {len(rows)} couplings"
    return KnownMotion(
        what, lambda: m, times, exact, scales, 1.0 / pace, growth=growth, floor=1e-12 * (1.0 + pace * times)
    )


def _moved(parts: Sequence[Part], ways: Array, start: Array, rates: Array, times: Array) -> tuple[Array, Array]:
    """x and ẋ at the times, (parts, times) each."""
    freedom = ways.shape[1]
    mass = ways.T @ (np.array([part.inertia for part in parts])[:, None] * ways)

    def slopes(t: float, y: Array) -> Array:
        x, v = start + ways @ y[:freedom], ways @ y[freedom:]
        efforts = [part.effort(t, float(a), float(b)) for part, a, b in zip(parts, x, v, strict=True)]
        return np.concatenate([y[freedom:], np.linalg.solve(mass, ways.T @ np.array(efforts))])

    y = np.concatenate([np.zeros(freedom), np.linalg.lstsq(ways, rates, rcond=None)[0]])
    solved = solve_ivp(slopes, (0.0, times[-1]), y, "DOP853", t_eval=times, rtol=1e-13, atol=1e-13, max_step=0.05)
    if not solved.success:
        raise NotJudged(solved.message)
    return start[:, None] + ways @ solved.y[:freedom], ways @ solved.y[freedom:]


def _ratio(rng: Rng) -> float:
    return float(rng.choice([-1.0, 1.0]) * 10.0 ** rng.uniform(-1.0, 1.0))


def _chain(rng: Rng, count: int) -> list[Array]:
    """Each part is coupled to one of the previous ones."""
    rows = []
    for k in range(1, count):
        row = np.zeros(count)
        row[int(rng.integers(k))], row[k] = 1.0, _ratio(rng)
        rows.append(row)
    return rows


def _differential(rng: Rng, count: int) -> list[Array]:
    """One equation for three parts, and one between two parts for each further one."""
    first = np.zeros(count)
    first[:3] = [_ratio(rng), _ratio(rng), _ratio(rng)]
    rows = [first]
    for k in range(3, count):
        row = np.zeros(count)
        row[int(rng.integers(k))], row[k] = 1.0, _ratio(rng)
        rows.append(row)
    return rows


def _corner(rng: Rng) -> KnownMotion:
    """A free cam passes a corner of its lift, where velocities would have to jump: no result is right, and a run may
    not be a success."""
    place, slope, width = (float(x) for x in rng.uniform([0.3, 0.05, 1e-3], [2.5, 0.3, 0.3]))
    lift = str(rng.choice(["abs", "max", "where", "table"]))
    m = gr.Mechanism("cam")
    cam = m.body("cam", mass=1.0, inertia=float(rng.uniform(0.1, 1.0)), points={"o": (0, 0)})
    valve = m.body("valve", mass=float(rng.uniform(0.1, 1.0)), inertia=1.0, points={"o": (0, 0)})
    m.revolute(m.ground.at(0, 0), cam.o)
    m.prismatic(m.ground.at(0, 0), valve.o, axis=(0, 1))
    x = [-1.0, place, place + 0.5 * width, place + width, 6.0]
    m.table("steps", x, [0.0, 0.0, 0.5 * slope * width, 0.0, 0.0])
    away = f"(cam.angle - {place!r})"
    written = {"abs": f"abs({away})", "max": f"max(0, sin({away}))", "where": f"where({away} > 0, {away}, 0)"}
    m.coupling(f"valve.o.y - {f'{slope!r}*{written[lift]}' if lift in written else 'steps(cam.angle)'}")
    m.need(cam.angle, value=0.0, rate=1.0)
    times = random_times(rng, place + width + 1.0)
    never = {"cam.angle": np.full(len(times), np.inf)}
    return KnownMotion(f"corner of {lift}", lambda: m, times, never, {"cam.angle": 1.0}, 1.0)


SUITE = Cases(
    "couplings-and-laws",
    {
        "pairs of gears": (1, lambda rng: _train(rng, 2, 0, 0, _chain)),
        "trains of gears": (1, lambda rng: _train(rng, int(rng.integers(3, 7)), 0, 0, _chain)),
        "trains with laws": (2, lambda rng: _train(rng, int(rng.integers(2, 5)), 0, int(rng.integers(1, 3)), _chain)),
        "racks": (1, lambda rng: _train(rng, int(rng.integers(1, 3)), int(rng.integers(1, 3)), 0, _chain)),
        "racks with laws": (1, lambda rng: _train(rng, int(rng.integers(1, 3)), 1, 1, _chain)),
        "differentials": (1, lambda rng: _train(rng, int(rng.integers(3, 5)), 0, 0, _differential)),
        "corners": (1, _corner),
        "differentials with laws": (1, lambda rng: _train(rng, 3, int(rng.integers(0, 2)), 2, _differential)),
    },
)
