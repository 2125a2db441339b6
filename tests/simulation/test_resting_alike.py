"""Rest and release against simulations of their own: Lagrange's equations with complementarity, and flights in
closed form."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

import grashof as gr

G = 9.81


class Knee:
    """Two rods of 1 m and 0.7 m, 1 kg and 0.5 kg, whose angle b − a stays within ±limit; one contact at a time. Angles
    as Lagrange has them.

    With e = 0 it rests at the first hit: the rows are M ω̇ = f + s N (−1, 1) with N ≥ 0, s pointing away from the
    limit.
    """

    def __init__(self, limit: float) -> None:
        self.limit = limit

    def mass(self, a: float, b: float) -> np.ndarray:
        coupling = 0.5 * 0.5 * 1.0 * 0.7 * math.cos(a - b)
        return np.array([[1.0 / 3.0 + 0.5, coupling], [coupling, 0.5 * 0.49 / 3.0]])

    def force(self, a: float, b: float, u: float, w: float) -> np.ndarray:
        k = 0.5 * 0.5 * 1.0 * 0.7 * math.sin(a - b)
        return np.array([-k * w * w - G * (0.5 + 0.5) * math.cos(a), k * u * u - G * 0.5 * 0.35 * math.cos(b)])

    def rates(self, y: np.ndarray, side: float) -> tuple[np.ndarray, float]:
        """Accelerations, and the push N of the limit that it rests against; side 0 is free."""
        mass, force = self.mass(*y[:2]), self.force(*y)
        free = np.linalg.solve(mass, force)
        if side == 0.0:
            return free, 0.0
        row = side * np.array([-1.0, 1.0])
        answer = np.linalg.solve(mass, row)
        push = -float(row @ free) / float(row @ answer)
        return free + push * answer, push

    def run(self, y: np.ndarray, t_end: float) -> tuple[np.ndarray, list[tuple[str, float]]]:
        t, side, events = 0.0, 0.0, list[tuple[str, float]]()
        while True:
            held = side

            def slope(t: float, y: np.ndarray, held: float = held) -> np.ndarray:
                return np.concatenate([y[2:], self.rates(y, held)[0]])

            def upper(t: float, y: np.ndarray) -> float:
                return float(y[1] - y[0] - self.limit)

            def lower(t: float, y: np.ndarray) -> float:
                return float(y[1] - y[0] + self.limit)

            def push(t: float, y: np.ndarray, held: float = held) -> float:
                return self.rates(y, held)[1]

            watched: list[Callable[..., float]] = [push] if held else [upper, lower]
            for function, way in zip(watched, (-1.0,) if held else (1.0, -1.0), strict=True):
                function.terminal, function.direction = True, way  # type: ignore[attr-defined]
            found = solve_ivp(slope, (t, t_end), y, "DOP853", rtol=1e-12, atol=1e-13, events=watched)
            t, y = float(found.t[-1]), found.y[:, -1].copy()
            if found.status != 1:
                return y, events
            if held:
                side = 0.0
                events.append(("release", t))
                y = y + 1e-9 * slope(t, y)  # a little beyond, so that the limit is not met again at once
                t += 1e-9
            else:
                side = -1.0 if len(found.t_events[0]) else 1.0
                row = side * np.array([-1.0, 1.0])
                answer = np.linalg.solve(self.mass(*y[:2]), row)
                y[2:] -= answer * (row @ y[2:]) / (row @ answer)
                events.append(("rest", t))


def test_knee_of_a_double_pendulum_locks_and_opens_as_lagrange_says() -> None:
    m = gr.Mechanism("knee", gravity=(0, -G))
    a, b = m.bar("a", length=1.0, mass=1.0), m.bar("b", length=0.7, mass=0.5)
    m.revolute(m.ground.at(0, 0), a.start)
    m.revolute(a.end, b.start)
    m.need(a.angle, value=0.0, rate=0.0)
    m.need(b.angle, value=0.1, rate=1.0)
    m.angle("knee", b, reference=a)
    m.stop("knee", lower=-0.5, upper=0.5, restitution=0.0, name="stop")
    run = gr.simulate(m, 2.5, tol=1e-9)
    assert run.status.ok
    y, events = Knee(0.5).run(np.array([0.0, 0.1, 0.0, 1.0]), 2.5)
    assert [x.name.split()[-1] for x in run.events] == [name for name, _ in events]
    assert len(events) > 3
    assert [x.time for x in run.events] == pytest.approx([time for _, time in events], abs=1e-6)
    names = ("a.angle", "b.angle", "a.angle.rate", "b.angle.rate")
    assert [run[name][-1] for name in names] == pytest.approx(y.tolist(), abs=1e-5)
    assert np.max(np.abs(run["balance"])) < 1e-8


class Wheel:
    """I θ̈ = T₀ + T sin(w t + p) between two stops: flights are known in closed form."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.steady, self.size = float(rng.uniform(-0.5, 0.5)), float(rng.uniform(0.5, 2.0))
        self.pace, self.phase = float(rng.uniform(0.7, 2.0)), float(rng.uniform(0.0, 6.0))
        self.restitution = float(rng.choice([0.0, 0.3, 0.6]))
        self.limits = -float(rng.uniform(0.2, 1.0)), float(rng.uniform(0.2, 1.0))

    @property
    def law(self) -> str:
        return f"{self.steady!r} + {self.size!r}*sin({self.pace!r}*t + {self.phase!r})"

    def torque(self, t: float) -> float:
        return self.steady + self.size * math.sin(self.pace * t + self.phase)

    def flight(self, rate: float, t0: float, t: float) -> tuple[float, float]:
        """By how much θ changes from t₀ to t, and θ̇ then, with I = 0.5; without cancellation where the time is
        short."""
        k, begin, d = self.size / self.pace, self.pace * t0 + self.phase, self.pace * (t - t0)
        rounded = 2.0 * math.sin(0.5 * d) ** 2  # 1 − cos d
        late = (
            d - math.sin(d) if d > 0.1 else d**3 / 6.0 * (1.0 - d**2 / 20.0 * (1.0 - d**2 / 42.0 * (1.0 - d**2 / 72.0)))
        )
        drift = self.steady * (t - t0) + k * (math.cos(begin) * rounded + math.sin(begin) * math.sin(d))
        moved = 0.5 * self.steady * (t - t0) ** 2 + (k / self.pace) * (
            math.cos(begin) * late + math.sin(begin) * rounded
        )
        return rate * (t - t0) + 2.0 * moved, rate + 2.0 * drift

    def run(self, t_end: float) -> tuple[float, list[tuple[str, float]]]:
        """The angle at the end, and when it hits, rests and is let go: jumps slower than 1e-7 rest."""
        t, angle, rate, events = 0.0, 0.0, 0.0, list[tuple[str, float]]()
        while True:
            hit = self._next_hit(t, angle, rate, t_end)
            if hit is None:
                return angle + self.flight(rate, t, t_end)[0], events
            _, speed = self.flight(rate, t, hit)
            t, angle, rate = hit, self.limits[0 if speed < 0.0 else 1], -self.restitution * speed
            presses = math.copysign(1.0, angle) * self.torque(t)
            if abs(rate) > 1e-7 or presses < 0.0:
                events.append(("hit", t))
                continue
            events.append(("rest", t))
            free = self._next_release(t, math.copysign(1.0, angle), t_end)
            if free is None:
                return angle, events
            t, rate = free, 0.0
            events.append(("release", t))

    def _next_hit(self, t: float, angle: float, rate: float, t_end: float) -> float | None:
        """The first time at which a limit is crossed outwards."""
        for before, after in pairwise(
            [*(t + np.geomspace(1e-9, 1.0, 2000)), *np.arange(t + 1.001, t_end, 0.001), t_end]
        ):
            for limit, way in zip(self.limits, (-1.0, 1.0), strict=True):

                def beyond(x: float, way: float = way, gap: float = limit - angle) -> float:
                    return way * (self.flight(rate, t, x)[0] - gap)

                if before < after <= t_end and beyond(before) <= 0.0 < beyond(after):
                    return float(brentq(beyond, before, after, xtol=1e-15))
        return None

    def _next_release(self, t: float, side: float, t_end: float) -> float | None:
        times = np.arange(t, t_end + 0.01, 0.01)
        for before, after in pairwise(times):
            if side * self.torque(after) < 0.0 <= side * self.torque(before):
                found = float(brentq(self.torque, before, after, xtol=1e-15))
                return found if found < t_end else None
        return None


@pytest.mark.parametrize("formulation", ["natural", "relative"])
@pytest.mark.parametrize("seed", range(6))
def test_wheel_between_stops_moves_as_its_closed_form_says(seed: int, formulation: str) -> None:
    wheel = Wheel(np.random.default_rng(seed))
    m = gr.Mechanism("wheel")
    body = m.body("wheel", mass=1.0, inertia=0.5)
    m.revolute(m.ground.at(0, 0), body.at(0, 0))
    m.need("wheel.angle", value=0.0, rate=0.0)
    m.torque(body, wheel.law)
    m.stop(body, lower=wheel.limits[0], upper=wheel.limits[1], restitution=wheel.restitution, name="stop")
    run = gr.simulate(m, 12.0, tol=1e-9, formulation=formulation)
    angle, events = wheel.run(12.0)
    assert run.status.ok
    rests = [(x.name.split()[-1], x.time) for x in run.events if x.name.split()[-1] in ("rest", "release")]
    expected = [x for x in events if x[0] != "hit"]
    assert [x[0] for x in rests] == [x[0] for x in expected]
    assert [x[1] for x in rests] == pytest.approx([x[1] for x in expected], abs=1e-5)
    assert run["wheel.angle"][-1] == pytest.approx(angle, abs=1e-6)


def test_ball_on_a_rope_that_goes_taut_swings_on_it() -> None:
    """It falls freely from beside the pivot until the rope of 1 m is taut; what it has left of its speed then swings
    it, as SciPy says."""
    m = gr.Mechanism("rope", gravity=(0, -G))
    ball = m.body("ball", mass=0.5, points={"c": (0, 0)}, position=(0.6, 0.0))
    m.need("ball.c.x", value=0.6, rate=0.0)
    m.need("ball.c.y", value=0.0, rate=0.0)
    m.separation("rope", m.ground.at(0, 0), ball.c)
    m.stop("rope", upper=1.0, restitution=0.0, name="taut")
    run = gr.simulate(m, 1.2, tol=1e-9)
    assert run.status.ok
    assert [x.name for x in run.events] == ["taut upper rest"]
    hit = math.sqrt(2.0 * 0.8 / G)
    assert run.events[0].time == pytest.approx(hit, abs=1e-9)
    speed = G * hit * 0.6  # along the circle, at (0.6, −0.8)
    found = solve_ivp(
        lambda t, y: [y[1], -G * math.cos(y[0])], (hit, 1.2), [-math.acos(0.6), -speed], rtol=1e-12, atol=1e-13
    )
    theta = found.y[0, -1]
    assert (run["ball.c.x"][-1], run["ball.c.y"][-1]) == pytest.approx((math.cos(theta), math.sin(theta)), abs=1e-7)
