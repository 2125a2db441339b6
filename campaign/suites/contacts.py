"""Friction and stops of one body, against its equation of motion in one coordinate.

That equation knows nothing of joints and multipliers: normal forces and pin forces are closed forms in the coordinate,
its rate and its acceleration. It is integrated by SciPy's Radau or DOP853 at 1e-12, from kink to kink, with impacts
applied where they occur.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

import grashof as gr
from campaign.blocks import G, random_times, with_rate
from campaign.case import KnownMotion
from campaign.energy_integral import NotJudged
from campaign.structure import Array
from campaign.suite import Cases, Rng

MOST = 200
"""Largest number of kinks and impacts of one motion."""

Slope = Callable[[float, float], float]
"""The acceleration from x and ẋ."""

Margin = Callable[[float, float], float]
"""Changes its sign where there is a kink, from x and ẋ."""


@dataclass(frozen=True)
class Wall:
    """A rigid stop: x comes to `place` from above (`side` = 1) or below (−1), and leaves with `restitution` times
    its speed."""

    place: float
    side: float
    restitution: float


def _motion(
    slope: Slope, start: tuple[float, float], times: Array, kinks: Sequence[Margin] = (), walls: Sequence[Wall] = ()
) -> tuple[Array, Array]:
    """x and ẋ at the times."""
    now, state = 0.0, np.array(start)
    found = np.empty((2, len(times)))
    margins: list[Margin] = [*kinks, *(lambda x, v, w=wall: w.side * (x - w.place) for wall in walls)]
    for _ in range(MOST):
        events = []
        for k, margin in enumerate(margins):

            def event(t: float, y: Array, margin: Margin = margin) -> float:
                return margin(float(y[0]), float(y[1]))

            event.terminal = True  # type: ignore[attr-defined]
            event.direction = -1.0 if k >= len(kinks) else 0.0  # type: ignore[attr-defined]
            events.append(event)
        inside = (times >= now) & (times <= times[-1])
        solved = solve_ivp(
            lambda t, y: [y[1], slope(float(y[0]), float(y[1]))],
            (now, float(times[-1])),
            state,
            "Radau" if kinks else "DOP853",
            rtol=1e-12,
            atol=1e-13,
            dense_output=True,
            events=events or None,
            max_step=float(times[-1]) / 50.0,
        )
        reached = float(solved.t[-1])
        inside &= times <= reached
        if np.any(inside):
            found[:, inside] = solved.sol(times[inside])
        if solved.status != 1:
            if not solved.success:
                raise NotJudged(solved.message)
            return found[0], found[1]
        now, state = reached, solved.y[:, -1].copy()
        which = next(k for k, hits in enumerate(solved.t_events) if len(hits))
        if which >= len(kinks):
            wall = walls[which - len(kinks)]
            state = np.array([wall.place, -wall.restitution * state[1]])
        else:  # a little beyond, so that the same kink is not found again
            ahead = 1e-9 * float(times[-1])
            between = (times >= now) & (times <= now + ahead)
            found[:, between] = state[:, None]
            state = state + ahead * np.array([state[1], slope(float(state[0]), float(state[1]))])
            now += ahead
    raise NotJudged("too many kinks")


def _phi(x: float) -> float:
    return float(np.sign(x)) if abs(x) >= 1.0 else 0.5 * x * (3.0 - x * x)


def _case(
    what: str, m: gr.Mechanism, name: str, times: Array, motion: tuple[Array, Array], size: float, pace: float
) -> KnownMotion:
    x, v = motion
    scales = {name: size, f"{name}.rate": max(float(np.max(np.abs(v))), 1e-3)}
    return KnownMotion(what, lambda: m, times, with_rate(name, x, v), scales, 1.0 / pace, floor=1e-9)


def slopes_and_blocks(rng: Rng) -> KnownMotion:
    """A block thrown along a slope, with friction in proportion to its weight across it."""
    tilt, mu, mass = float(rng.uniform(0.0, 1.2)), float(rng.uniform(0.05, 0.9)), float(rng.uniform(0.1, 10.0))
    slip, speed = float(10.0 ** rng.uniform(-3.0, -1.0)), float(rng.uniform(-5.0, 5.0))
    m = gr.Mechanism("slope", gravity=(-G * float(np.sin(tilt)), -G * float(np.cos(tilt))))
    block = m.body("block", mass=mass, inertia=1.0, points={"o": (0.0, 0.0)})
    guide = m.prismatic(m.ground.at(0.0, 0.0), block.o, axis=(1.0, 0.0))
    m.friction(guide, mu=mu, slip_speed=slip)
    m.need("block.o.x", value=0.0, rate=speed)
    times = random_times(rng, float(rng.uniform(0.5, 3.0)))

    def slope(x: float, v: float) -> float:
        return -G * float(np.sin(tilt)) - mu * G * float(np.cos(tilt)) * _phi(v / slip)

    kinks: list[Margin] = [lambda x, v: v - slip, lambda x, v: v + slip]
    motion = _motion(slope, (0.0, speed), times, kinks)
    size = max(1.0, float(np.max(np.abs(motion[0]))))
    return _case(f"tilt {tilt:.2f}, μ {mu:.2f}", m, "block.o.x", times, motion, size, 1.0)


def pins_with_friction(rng: Rng) -> KnownMotion:
    """A pendulum whose pin rubs in proportion to its own force, which depends on the acceleration that it decides."""
    mass, arm = float(rng.uniform(0.2, 5.0)), float(rng.uniform(0.2, 1.0))
    inertia = mass * arm**2 * float(rng.uniform(1.05, 2.0))
    mu, radius, slip = float(rng.uniform(0.05, 0.5)), arm * float(rng.uniform(0.01, 0.15)), 0.05
    m = gr.Mechanism("pendulum", gravity=(0.0, -G))
    body = m.body(
        "bob", mass=mass, center=(arm, 0.0), inertia=inertia - mass * arm**2, points={"o": (0.0, 0.0), "e": (arm, 0.0)}
    )
    pin = m.revolute(m.ground.at(0.0, 0.0), body.o)
    m.friction(pin, mu=mu, radius=radius, slip_speed=slip)
    start, rate = float(rng.uniform(-1.5, 1.5)), float(rng.uniform(-6.0, 6.0))
    m.need(body.angle, value=start, rate=rate)
    times = random_times(rng, float(rng.uniform(0.5, 4.0)))

    def slope(x: float, v: float) -> float:
        def rest(a: float) -> float:
            fx = mass * (-arm * np.sin(x) * a - arm * np.cos(x) * v * v)
            fy = mass * (arm * np.cos(x) * a - arm * np.sin(x) * v * v + G)
            torque = -mu * radius * np.hypot(fx, fy) * _phi(v / slip)
            return float(inertia * a + mass * G * arm * np.cos(x) - torque)

        wide = 10.0 * (G / arm + v * v + 1.0)
        return float(brentq(rest, -wide, wide, xtol=1e-14, rtol=1e-14))

    kinks: list[Margin] = [lambda x, v: v - slip, lambda x, v: v + slip]
    motion = _motion(slope, (start, rate), times, kinks)
    pace = float(np.sqrt(G / arm)) + abs(rate)
    return _case(f"μ {mu:.2f}, r/l {radius / arm:.2f}", m, "bob.angle", times, motion, 1.0, pace)


def bounces(rng: Rng) -> KnownMotion:
    """A ball between a floor and sometimes a ceiling, both rigid."""
    height, e = float(rng.uniform(0.2, 3.0)), float(rng.uniform(0.5, 1.0))
    m = gr.Mechanism("ball", gravity=(0.0, -G))
    m.body("ball", mass=float(rng.uniform(0.1, 10.0)), inertia=0.1, points={"o": (0.0, 0.0)}, position=(0.0, height))
    speed = float(rng.uniform(-3.0, 3.0))
    m.need("ball.o.y", value=height, rate=speed)
    m.stop("ball.o.y", lower=0.0, restitution=e)
    walls = [Wall(0.0, 1.0, e)]
    if rng.random() < 0.4:
        top = height + float(rng.uniform(0.05, 0.5))
        m.stop("ball.o.y", upper=top, restitution=e, name="ceiling")
        walls.append(Wall(top, -1.0, e))
    fall = float(np.sqrt(2.0 * height / G))
    times = random_times(rng, fall * float(rng.uniform(0.5, 6.0)))
    motion = _motion(lambda x, v: -G, (height, speed), times, walls=walls)
    if float(np.min(np.abs(motion[1]))) < 1e-6:
        raise NotJudged("it may rest")
    return _away_from_impacts(_case(f"e {e:.2f}", m, "ball.o.y", times, motion, height, 1.0 / fall))


def swings_against_stops(rng: Rng) -> KnownMotion:
    """A pendulum between rigid stops of its angle."""
    length, e = float(rng.uniform(0.2, 2.0)), float(rng.uniform(0.5, 1.0))
    m = gr.Mechanism("pendulum", gravity=(0.0, -G))
    rod = m.bar("rod", length=length, mass=float(rng.uniform(0.2, 5.0)))
    m.revolute(m.ground.at(0.0, 0.0), rod.start)
    start = -0.5 * np.pi + float(rng.uniform(-0.8, 0.8))
    lower, upper = start - float(rng.uniform(0.05, 1.0)), start + float(rng.uniform(0.05, 1.0))
    pace = float(np.sqrt(1.5 * G / length))
    rate = pace * float(rng.uniform(-2.0, 2.0))
    m.need(rod.angle, value=start, rate=rate)
    m.stop(rod, lower=lower, upper=upper, restitution=e)
    times = random_times(rng, float(rng.uniform(0.5, 5.0)) / pace)
    walls = [Wall(lower, 1.0, e), Wall(upper, -1.0, e)]
    motion = _motion(lambda x, v: -(pace**2) * float(np.cos(x)), (start, rate), times, walls=walls)
    return _away_from_impacts(_case(f"e {e:.2f}", m, "rod.angle", times, motion, 1.0, pace + abs(rate)))


def buffers(rng: Rng) -> KnownMotion:
    """A mass on a track that runs into a compliant stop."""
    mass, speed, gap = float(rng.uniform(0.1, 10.0)), float(rng.uniform(0.2, 5.0)), float(rng.uniform(0.05, 1.0))
    stiffness, exponent = float(10.0 ** rng.uniform(2.0, 5.0)), float(rng.choice([1.0, 1.5, 2.0]))
    damping = stiffness * float(rng.uniform(0.0, 0.3)) / speed
    m = gr.Mechanism("buffer")
    cart = m.body("cart", mass=mass, inertia=1.0, points={"o": (0.0, 0.0)})
    m.prismatic(m.ground.at(0.0, 0.0), cart.o, axis=(1.0, 0.0))
    m.need("cart.o.x", value=0.0, rate=speed)
    m.stop("cart.o.x", upper=gap, stiffness=stiffness, damping=damping, exponent=exponent)

    def slope(x: float, v: float) -> float:
        depth = max(x - gap, 0.0)
        return float(-max(depth**exponent * (stiffness + damping * v), 0.0) / mass)

    times = random_times(rng, gap / speed * float(rng.uniform(1.5, 4.0)))
    kinks: list[Margin] = [lambda x, v: x - gap]
    motion = _motion(slope, (0.0, speed), times, kinks)
    return _case(f"n {exponent:g}", m, "cart.o.x", times, motion, gap, speed / gap)


def _away_from_impacts(case: KnownMotion) -> KnownMotion:
    """The case without velocities: they jump, and an impact that is late by a rounding error is not a fault.
    Positions are as informative."""
    name = next(iter(case.exact))
    return KnownMotion(
        case.what,
        case.describe,
        case.times,
        {name: case.exact[name]},
        {name: case.scales[name]},
        case.moment,
        floor=case.floor,
    )


SUITE = Cases(
    "friction-and-stops",
    {
        "blocks on slopes": (2, slopes_and_blocks),
        "pins with friction": (2, pins_with_friction),
        "bouncing balls": (1, bounces),
        "pendulums against stops": (1, swings_against_stops),
        "buffers": (1, buffers),
    },
)
