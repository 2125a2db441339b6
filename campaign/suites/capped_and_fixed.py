"""Runs whose steps are limited by something else than their errors: a longest step, fixed steps, times at which a step
has to end.

There, two runs that are compared to estimate the error could take the same steps, and would agree however wrong both
are. As in long runs, a success with an error of more than ten tolerances is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise

import numpy as np
from scipy.integrate import solve_ivp

import grashof as gr
from campaign.blocks import G, random_times, wheel, with_rate
from campaign.case import KnownMotion
from campaign.energy_integral import NotJudged
from campaign.structure import Array
from campaign.suite import Cases, Rng
from campaign.suites.long_runs import ROUNDING, free_four_bar, oscillator, pendulum, spherical_pendulum, top, turning

METHODS = {"auto": 0.3, "dop853": 0.1, "verner9": 0.1, "bs5": 0.1, "dopri5": 0.1, "rk4": 0.3}
"""The probabilities with which methods are drawn: fixed steps more often than elsewhere."""

TURNS = 3.0
"""Logarithm of the largest number of turns."""

APART = 1e-9
"""Relative distance of two neighbouring motions, from which the growth of errors is found."""

MOST_APART, EXACT = 1e7, 1e-12
"""Largest growth of errors over a run; beyond it, SciPy's solution is not exact enough. The second is the error of that
solution without growth."""

FEWEST, MOST = 20, 1500
"""Numbers of changes of a square wave or a wave with kinks during a run. More could not be told apart by the times at
which forces are sampled."""


def capped(rng: Rng, draw: Callable[[Rng], KnownMotion]) -> KnownMotion:
    """A motion with a longest step of 0.05 to 2 of the time in which it changes by its own size."""
    case = draw(rng)
    return replace(case, longest=case.moment * float(10.0 ** rng.uniform(-1.3, 0.3)))


def square_waves(rng: Rng) -> KnownMotion:
    """A wheel on a torsion spring under a torque that changes its sign at equal times."""
    frequency, half, changes = _drawn_wave(rng)
    force = float(rng.uniform(0.1, 2.0)) * frequency**2

    def particular(k: int, t: float) -> tuple[float, float]:
        return (-1.0) ** k * force / frequency**2, 0.0

    law = f"{force!r}*sign(sin(pi*t/{half!r}))"
    return _driven_wheel(rng, frequency, half, changes, law, particular)


def waves_with_kinks(rng: Rng) -> KnownMotion:
    """The same under a torque that is the magnitude of a sine, so that its rate jumps."""
    frequency, half, changes = _drawn_wave(rng)
    wave = np.pi / half
    while abs(wave / frequency - 1.0) < 0.05:  # resonance has another closed form
        frequency *= 1.3
    force = float(rng.uniform(0.1, 2.0)) * frequency**2
    size = force / (frequency**2 - wave**2)

    def particular(k: int, t: float) -> tuple[float, float]:
        return (-1.0) ** k * size * float(np.sin(wave * t)), (-1.0) ** k * size * wave * float(np.cos(wave * t))

    return _driven_wheel(rng, frequency, half, changes, f"{force!r}*abs(sin(pi*t/{half!r}))", particular)


def _drawn_wave(rng: Rng) -> tuple[float, float, int]:
    """The frequency of a wheel, rad/s, the time between two changes of a wave, s, and their number."""
    frequency = float(10.0 ** rng.uniform(-0.5, 1.5))
    return (
        frequency,
        float(10.0 ** rng.uniform(-1.3, 0.5)) / frequency,
        int(FEWEST * (MOST / FEWEST) ** rng.uniform(0.0, 1.0)),
    )


def _driven_wheel(
    rng: Rng,
    frequency: float,
    half: float,
    changes: int,
    law: str,
    particular: Callable[[int, float], tuple[float, float]],
) -> KnownMotion:
    """A wheel on a torsion spring under a torque; `particular` is a solution in the k-th interval between its
    changes."""
    inertia, start = float(rng.uniform(0.1, 10.0)), float(rng.uniform(-1.0, 1.0))
    times = random_times(rng, half * (changes + float(rng.random())))
    angle, rate = np.empty(len(times)), np.empty(len(times))
    here, speed = start, 0.0
    for k in range(changes + 1):
        begin = half * k
        free, slope = here - particular(k, begin)[0], speed - particular(k, begin)[1]

        def at(
            t: float, k: int = k, begin: float = begin, free: float = free, slope: float = slope
        ) -> tuple[float, float]:
            c, s = np.cos(frequency * (t - begin)), np.sin(frequency * (t - begin))
            place, pace = particular(k, t)
            return place + free * c + slope / frequency * s, pace + slope * c - free * frequency * s

        for i in np.flatnonzero((times >= begin) & (times < begin + half)):
            angle[i], rate[i] = at(float(times[i]))
        here, speed = at(begin + half)
    m, body = wheel(inertia)
    m.torsion_spring(body, stiffness=inertia * frequency**2)
    m.torque(body, f"{inertia!r}*({law})")
    m.need(body.angle, value=start, rate=0.0)
    size = max(1.0, float(np.max(np.abs(angle))))
    fastest = float(np.max(np.abs(rate)))
    case = turning(
        f"{half * frequency:.2g} rad between changes", m, times, with_rate("wheel.angle", angle, rate), {}, frequency
    )
    scales = {"wheel.angle": size, "wheel.angle.rate": max(fastest, frequency * size)}
    return replace(case, scales=scales, floor=ROUNDING * (1.0 + frequency * times + changes))


def kicked_pendulum(rng: Rng) -> KnownMotion:
    """A pendulum under a torque that changes its sign at equal times, compared with SciPy from change to change."""
    frequency = float(10.0 ** rng.uniform(-0.3, 1.0))
    length = 1.5 * G / frequency**2
    half = float(10.0 ** rng.uniform(-0.7, 0.5)) / frequency
    changes = int(rng.integers(10, 150))
    force, start = float(rng.uniform(0.02, 0.5)), float(rng.uniform(-1.5, 1.5))

    def slopes(k: int, _: float, x: Array) -> Array:
        return np.array([x[1], frequency**2 * ((-1.0) ** k * force - np.sin(x[0]))])

    m = gr.Mechanism("kicked pendulum", gravity=(0, -G))
    rod = m.bar("rod", length=length, mass=1.0)
    m.revolute(m.ground.at(0, 0), rod.start)
    m.need(rod.angle, value=start - 0.5 * np.pi, rate=0.0)
    m.torque(rod, f"{length**2 / 3.0 * frequency**2 * force!r}*sign(sin(pi*t/{half!r}))")
    times = random_times(rng, half * (changes + float(rng.random())))
    edges = [*(half * np.arange(changes + 1)).tolist(), float(times[-1])]
    x, floor = _exact(slopes, np.array([start, 0.0]), edges, times)
    exact = with_rate("rod.angle", x[0] - 0.5 * np.pi, x[1])
    case = turning(f"{half * frequency:.2g} rad between changes", m, times, exact, {}, frequency)
    return replace(
        case, scales={"rod.angle": 1.0, "rod.angle.rate": max(frequency, float(np.max(np.abs(x[1]))))}, floor=floor
    )


def double_pendulum(rng: Rng) -> KnownMotion:
    """Two equal bars, whose neighbouring motions part exponentially, with a longest step; compared with SciPy in
    angles."""
    frequency = float(np.sqrt(G / (length := float(10.0 ** rng.uniform(-1.0, 1.0)))))
    angles = rng.uniform(0.5, 2.8, 2) * rng.choice([-1.0, 1.0], 2)

    def slopes(_: int, __: float, x: Array) -> Array:
        """Lagrange's equations of two slender bars of mass 1 and length 1, in units of 1/frequency."""
        a, b, u, v = x
        c, s = np.cos(a - b), np.sin(a - b)
        mass = np.array([[4.0 / 3.0, 0.5 * c], [0.5 * c, 1.0 / 3.0]])
        force = np.array([-0.5 * s * v * v - 1.5 * np.sin(a), 0.5 * s * u * u - 0.5 * np.sin(b)])
        return np.concatenate([[u, v], np.linalg.solve(mass, force)])

    m = gr.Mechanism("double pendulum", gravity=(0, -G))
    one, two = m.bar("one", length=length, mass=2.0), m.bar("two", length=length, mass=2.0)
    m.revolute(m.ground.at(0, 0), one.start)
    m.revolute(one.end, two.start)
    for bar, angle in zip((one, two), angles, strict=True):
        m.need(bar.angle, value=float(angle) - 0.5 * np.pi, rate=0.0)
    times = random_times(rng, float(rng.uniform(5.0, 60.0)))
    x, floor = _exact(slopes, np.array([*angles, 0.0, 0.0]), [0.0, float(times[-1])], times)
    exact = with_rate("one.angle", x[0] - 0.5 * np.pi, frequency * x[2])
    exact |= with_rate("two.angle", x[1] - 0.5 * np.pi, frequency * x[3])
    fastest = frequency * float(np.max(np.abs(x[2:])))
    scales = {name: fastest if name.endswith("rate") else 1.0 for name in exact}
    case = turning("chaotic", m, times / frequency, exact, {}, frequency)
    longest = float(10.0 ** rng.uniform(-2.3, -0.5)) / frequency
    return replace(case, scales=scales, floor=floor, longest=longest)


def _exact(
    slopes: Callable[[int, float, Array], Array], start: Array, edges: Sequence[float], times: Array
) -> tuple[Array, Array]:
    """The solution at some times by SciPy's DOP853, from edge to edge, and its own error: that of a neighbouring motion
    is larger in proportion."""

    def solved(start: Array) -> Array:
        found, x = np.empty((len(start), len(times))), start
        for k, (begin, end) in enumerate(pairwise(edges)):
            inside = (times >= begin) & (times < end)
            done = solve_ivp(
                partial(slopes, k), (begin, end), x, "DOP853", np.append(times[inside], end), rtol=2.3e-14, atol=1e-14
            )
            found[:, inside], x = done.y[:, :-1], done.y[:, -1]
        found[:, -1] = x  # the last of the times is the last edge
        return found

    exact, near = solved(start), solved(start + APART)
    growth = np.maximum.accumulate(np.max(np.abs(near - exact), axis=0) / APART)
    if growth[-1] > MOST_APART:
        raise NotJudged("neighbouring motions part too far for a solution by SciPy")
    return exact, EXACT * (1.0 + growth) * len(edges)


SUITE = Cases(
    "capped-and-fixed-steps",
    {
        "pendulums": (2, lambda rng: capped(rng, partial(pendulum, most=TURNS))),
        "spherical pendulums": (1, lambda rng: capped(rng, partial(spherical_pendulum, most=TURNS))),
        "tops": (1, lambda rng: capped(rng, partial(top, most=TURNS, symmetric=False))),
        "oscillators": (1, lambda rng: capped(rng, partial(oscillator, most=TURNS))),
        "four-bars": (1, lambda rng: capped(rng, free_four_bar)),
        "double pendulums": (1, double_pendulum),
        "square waves": (2, square_waves),
        "waves with kinks": (1, waves_with_kinks),
        "kicked pendulums": (1, kicked_pendulum),
    },
    factor=10.0,
    methods=METHODS,
)
