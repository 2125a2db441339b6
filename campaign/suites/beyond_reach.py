"""Mechanisms that motors drive to a dead centre and beyond: the run has to stop there promptly, and to report the
correct time.

How far a motor can go is known in closed form, or is a root of one function of its angle:

- a crank a of a four-bar whose coupler b and rocker c are stretched or folded, d² = g² + a² − 2ga cos θ = (b ± c)²;
  likewise with a pendulum on the coupler
- the slide of a slider-crank with offset e, x² + e² = (a ± b)², and the stroke of an actuator between the sides a and b
  of a triangle, |a ± b|
- two cranks of a five-bar, whose pins are b + c or |b − c| apart
- the crank of an RSSR linkage: its pin is as far from the circle of the other as the rod is long, p cos φ + q sin φ = s
  with p² + q² = s²
- the crank of Peaucellier's linkage, 2a cos(θ/2) = l − s, where all of its rhombus folds at once
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.optimize import brentq

from campaign.judge import Fate, Verdict
from campaign.structure import Array
from campaign.suite import TOLERANCES, Rng, Suite, draw_task
from grashof.common.status import Code
from grashof.model.mechanism import Mechanism
from grashof.program import Program, build
from grashof.simulation.simulate import simulate

PRECISE = 1e-8
"""Sentences give the time with nine digits."""

DEAR, LOOKS = 6.0, 3000
"""Permitted evaluations: the first times those of a run to nine tenths of the way, plus the second."""


@dataclass(frozen=True)
class Reach:
    """A mechanism, and the time at which its motor reaches its limit, s.

    followed   whether the motor's speed is given, so that its motion is integrated
    """

    what: str
    mechanism: Mechanism
    limit: float
    followed: bool = False


@dataclass(frozen=True)
class Drive:
    """A motor's displacement as a function of time, from a start on: as text for the engine, and as a function for
    the judge."""

    words: str
    way: Callable[[float], float]
    speed: bool

    def drive(self, m: Mechanism, target: str, start: float) -> None:
        """Adds the motor."""
        if self.speed:
            m.motor(target, speed=self.words, name="drive")
        else:
            m.motor(target, f"{start!r} + {self.words}", name="drive")

    def time(self, far: float) -> float:
        """The time at which it has moved this far."""
        after = 1e-3
        while abs(self.way(after)) < far:
            after *= 1.05
        return float(brentq(lambda t: abs(self.way(t)) - far, after / 1.05 if after > 1e-3 else 0.0, after, xtol=1e-16))


def draw_drive(rng: Rng, sign: float, far: float) -> Drive:
    """Even, swinging, accelerated, or given by its speed."""
    w, swing = float(10.0 ** rng.uniform(-1.0, 1.5)), sign * far * float(rng.uniform(1.02, 2.5))
    rate = sign * w
    kinds = (
        Drive(f"{rate!r}*t", lambda t: rate * t, speed=False),
        Drive(f"{swing!r}*sin({w!r}*t)", lambda t: swing * math.sin(min(w * t, 0.5 * math.pi)), speed=False),
        Drive(f"{rate!r}*(t + {0.5 * w!r}*t**2)", lambda t: rate * (t + 0.5 * w * t * t), speed=False),
        Drive(
            f"{rate!r}*(1 + 0.5*sin({w!r}*t))", lambda t: rate * t + 0.5 * sign * (1.0 - math.cos(w * t)), speed=True
        ),
    )
    return kinds[int(rng.integers(len(kinds)))]


def elbow(a: Array, b: Array, to_a: float, to_b: float, side: float) -> Array:
    """The point at these distances from two others."""
    way = b - a
    far = float(np.hypot(*way))
    along = (to_a**2 - to_b**2 + far**2) / (2.0 * far)
    across = side * math.sqrt(to_a**2 - along**2)
    return np.asarray(a + (along * way + across * np.array([-way[1], way[0]])) / far)


def four_bar(rng: Rng, *, space: bool = False, tail: bool = False) -> Reach:
    """A four-bar whose crank cannot rotate fully."""
    while True:
        g, a, b, c = (float(x) for x in rng.uniform(0.3, 2.0, 4))
        least, most = ((g * g + a * a - x * x) / (2.0 * g * a) for x in (b + c, b - c))
        low, high = (math.acos(min(1.0, max(-1.0, x))) for x in (most, least))
        ends = [(1.0, high)] * (least > -1.0) + [(-1.0, low)] * (most < 1.0 and low > 0.05)
        if high - low > 0.4 and ends and g + a + b + c > 2.04 * max(g, a, b, c):
            break
    sign, end = ends[int(rng.integers(len(ends)))]
    start, mirror = float(rng.uniform(low + 0.1, high - 0.1)), float(rng.choice([-1.0, 1.0]))
    pin, pivot = a * np.array([math.cos(start), mirror * math.sin(start)]), np.array([g, 0.0])
    top = elbow(pin, pivot, b, c, float(rng.choice([-1.0, 1.0])))

    def at(place: Array) -> tuple[float, ...]:
        return (*(float(x) for x in place), 0.0) if space else tuple(float(x) for x in place)

    axis = (0.0, 0.0, 1.0) if space else None
    m = Mechanism("four-bar", gravity=at(np.array([0.0, -9.81])))
    crank = m.bar("crank", mass=1.0, start=at(np.zeros(2)), end=at(pin))
    coupler = m.bar("coupler", mass=1.0, start=at(pin), end=at(top))
    rocker = m.bar("rocker", mass=1.0, start=at(pivot), end=at(top))
    for one, other in (
        (m.ground.at(*at(np.zeros(2))), crank.start),
        (crank.end, coupler.start),
        (coupler.end, rocker.end),
        (m.ground.at(*at(pivot)), rocker.start),
    ):
        m.revolute(one, other, axis=axis)
    if tail:
        m.revolute(coupler.at(0.3, 0.1), m.bar("tail", mass=0.5, length=0.5).start)
    target, home = "crank.angle", mirror * start
    if space:
        m.angle("turn", crank, axis=(0, 0, 1), direction=at(pin / a))
        target, home = "turn", 0.0
    drive = draw_drive(rng, sign * mirror, abs(end - start))
    drive.drive(m, target, home)
    return Reach(f"{g:.3g}, {a:.3g}, {b:.3g}, {c:.3g}", m, drive.time(abs(end - start)), drive.speed)


def slide(rng: Rng) -> Reach:
    """A slider-crank whose slide is driven."""
    a, b = (float(x) for x in rng.uniform(0.3, 2.0, 2))
    e = float(rng.uniform(0.0, 0.5)) * abs(a - b)
    low, high = (math.sqrt(x * x - e * e) for x in (a - b, a + b))
    start, sign = low + (high - low) * float(rng.uniform(0.1, 0.9)), float(rng.choice([-1.0, 1.0]))
    end = np.array([start, e])
    pin = elbow(np.zeros(2), end, a, b, 1.0)
    m = Mechanism("slider-crank", gravity=(0, -9.81))
    crank = m.bar("crank", mass=1.0, start=(0, 0), end=tuple(pin))
    rod = m.bar("rod", mass=1.0, start=tuple(pin), end=tuple(end))
    m.revolute(m.ground.at(0, 0), crank.start)
    m.revolute(crank.end, rod.start)
    m.slider(m.ground.line((0, e), (1, e)), rod.end)
    far = high - start if sign > 0.0 else start - low
    drive = draw_drive(rng, sign, far)
    drive.drive(m, "rod.end.x", start)
    return Reach(f"{a:.3g}, {b:.3g}, offset {e:.3g}", m, drive.time(far), drive.speed)


def actuator(rng: Rng) -> Reach:
    """A boom lifted by a linear actuator."""
    a, b = (float(x) for x in rng.uniform(0.3, 2.0, 2))
    margin = 0.1 * min(a, b)
    start, sign = float(rng.uniform(abs(a - b) + margin, a + b - margin)), float(rng.choice([-1.0, 1.0]))
    angle = math.acos((a * a + b * b - start * start) / (2.0 * a * b))
    m = Mechanism("boom", gravity=(0, -9.81))
    boom = m.bar("boom", mass=1.0, start=(0, 0), end=(b * math.cos(angle), b * math.sin(angle)))
    m.revolute(m.ground.at(0, 0), boom.start)
    m.separation("stroke", m.ground.at(a, 0), boom.end)
    far = a + b - start if sign > 0.0 else start - abs(a - b)
    drive = draw_drive(rng, sign, far)
    drive.drive(m, "stroke", start)
    return Reach(f"{a:.3g}, {b:.3g}", m, drive.time(far), drive.speed)


@dataclass(frozen=True)
class Cranks:
    """Two cranks, a1 at the origin and a2 at a distance g on the x axis, that turn at even speeds."""

    g: float
    a1: float
    a2: float
    first: float
    second: float
    w1: float
    w2: float

    def pins(self, t: Array) -> tuple[Array, Array]:
        """The positions of their ends."""
        u, v = self.first + self.w1 * t, self.second + self.w2 * t
        one = self.a1 * np.array([np.cos(u), np.sin(u)])
        return one, np.array([self.g + self.a2 * np.cos(v), self.a2 * np.sin(v)])

    def apart(self, t: Array) -> Array:
        """The distance between their ends."""
        one, other = self.pins(t)
        return np.asarray(np.hypot(*(other - one)))


def five_bar(rng: Rng) -> Reach:
    """Two cranks at even speeds."""
    times = np.linspace(0.0, 5.0, 20001)
    while True:
        g, a1, a2, b, c = (float(x) for x in rng.uniform(0.4, 2.0, 5))
        (first, second), (w1, w2) = rng.uniform(-math.pi, math.pi, 2), rng.uniform(-3.0, 3.0, 2)

        cranks = Cranks(g, a1, a2, float(first), float(second), float(w1), float(w2))
        d = cranks.apart(times)
        beyond = (d > b + c) | (d < abs(b - c))
        if 1.1 * abs(b - c) < d[0] < 0.9 * (b + c) and beyond.any():
            break
    k = int(np.argmax(beyond))
    end = b + c if d[k] > b + c else abs(b - c)
    limit = float(brentq(lambda t: float(cranks.apart(np.asarray(t))) - end, times[k - 1], times[k], xtol=1e-16))
    one, other = cranks.pins(np.asarray(0.0))
    top = elbow(one, other, b, c, float(rng.choice([-1.0, 1.0])))
    m = Mechanism("five-bar", gravity=(0, -9.81))
    left = m.bar("left", mass=1.0, start=(0, 0), end=tuple(one))
    right = m.bar("right", mass=1.0, start=(g, 0), end=tuple(other))
    up = m.bar("up", mass=1.0, start=tuple(one), end=tuple(top))
    down = m.bar("down", mass=1.0, start=tuple(other), end=tuple(top))
    m.revolute(m.ground.at(0, 0), left.start)
    m.revolute(m.ground.at(g, 0), right.start)
    m.revolute(left.end, up.start)
    m.revolute(right.end, down.start)
    m.revolute(up.end, down.end)
    m.motor(left, f"{float(first)!r} + {float(w1)!r}*t", name="one")
    m.motor(right, f"{float(second)!r} + {float(w2)!r}*t", name="two")
    return Reach(f"{g:.3g}, {a1:.3g}, {a2:.3g}, {b:.3g}, {c:.3g}", m, limit)


@dataclass(frozen=True)
class Pair:
    """A crank a about the z axis, and another, c, about an axis through a pivot, joined by a rod."""

    a: float
    c: float
    rod: float
    axis: Array
    pivot: Array

    @property
    def plane(self) -> tuple[Array, Array]:
        """Unit vectors at right angles to the second axis."""
        u = np.cross(self.axis, [0.3, 0.5, 0.8])
        u /= np.linalg.norm(u)
        return u, np.cross(self.axis, u)

    def circle(self, turn: Array) -> tuple[Array, Array, Array]:
        """p, q and s in p cos φ + q sin φ = s, the condition that the rod fits."""
        u, v = self.plane
        r = self.a * np.stack([np.cos(turn), np.sin(turn), 0.0 * turn], axis=-1) - self.pivot
        rest = np.sum(r * r, axis=-1) + self.c**2 - self.rod**2
        return 2.0 * self.c * (r @ u), 2.0 * self.c * (r @ v), rest

    def margin(self, turn: Array) -> Array:
        """Positive where there is such an angle φ."""
        p, q, s = self.circle(turn)
        return np.asarray(p * p + q * q - s * s)


def rssr(rng: Rng) -> Reach:
    """Two revolute and two ball joints."""
    angles = np.linspace(0.0, 2.0 * math.pi, 4001)
    while True:
        a, c, rod = (float(x) for x in rng.uniform(0.3, 1.5, 3))
        axis, pivot = rng.normal(size=3), 0.8 * rng.normal(size=3)
        axis /= np.linalg.norm(axis)
        pair = Pair(a, c, rod, axis, pivot)
        start, sign = float(rng.uniform(-math.pi, math.pi)), float(rng.choice([-1.0, 1.0]))
        left = pair.margin(start + sign * angles)
        k = int(np.argmax(left <= 0.0))
        if left[0] > 0.1 and k > 50:
            break
    far = float(
        brentq(lambda x: float(pair.margin(np.asarray(start + sign * x))), angles[k - 1], angles[k], xtol=1e-16)
    )
    p, q, s = (float(x) for x in pair.circle(np.asarray(start)))
    turn = math.atan2(q, p) + float(rng.choice([-1.0, 1.0])) * math.acos(s / math.hypot(p, q))
    pin = a * np.array([math.cos(start), math.sin(start), 0.0])
    u, v = pair.plane
    top = pivot + c * (u * math.cos(turn) + v * math.sin(turn))
    m = Mechanism("RSSR", gravity=(0, 0, -9.81))
    crank = m.bar("crank", mass=1.0, start=(0, 0, 0), end=tuple(pin))
    rocker = m.bar("rocker", mass=1.0, start=tuple(pivot), end=tuple(top))
    coupler = m.bar("coupler", mass=1.0, start=tuple(pin), end=tuple(top))
    m.revolute(m.ground.at(0, 0, 0), crank.start, axis=(0, 0, 1))
    m.revolute(m.ground.at(*(float(x) for x in pivot)), rocker.start, axis=tuple(axis))
    m.spherical(crank.end, coupler.start)
    m.spherical(coupler.end, rocker.end)
    m.angle("turn", crank, axis=(0, 0, 1), direction=tuple(pin / a))
    drive = draw_drive(rng, sign, far)
    drive.drive(m, "turn", 0.0)
    return Reach(f"{a:.3g}, {rod:.3g}, {c:.3g}", m, drive.time(far), drive.speed)


def peaucellier(rng: Rng) -> Reach:
    """Its crank swings outwards from the straight position until the rhombus has no height."""
    a = float(rng.uniform(0.5, 1.5))
    long = a * float(rng.uniform(2.2, 3.5))
    end = float(rng.uniform(0.5, 1.5))
    short = long - 2.0 * a * math.cos(0.5 * end)
    sign, begin = float(rng.choice([-1.0, 1.0])), np.array([2.0 * a, 0.0])
    up = elbow(np.zeros(2), begin, long, short, 1.0)
    down = np.array([up[0], -up[1]])
    top = np.array([2.0 * up[0] - begin[0], 0.0])
    m = Mechanism("Peaucellier", gravity=(0, -9.81))
    pivot = np.array([a, 0.0])
    ends = {
        "crank": (pivot, begin),
        "upper arm": (np.zeros(2), up),
        "lower arm": (np.zeros(2), down),
        "upper left": (begin, up),
        "lower left": (begin, down),
        "upper right": (up, top),
        "lower right": (down, top),
    }
    bar = {name: m.bar(name, mass=0.5, start=tuple(x), end=tuple(y)) for name, (x, y) in ends.items()}
    m.revolute(m.ground.at(a, 0), bar["crank"].start)
    for arm in ("upper arm", "lower arm"):
        m.revolute(m.ground.at(0, 0), bar[arm].start)
    for side in ("upper", "lower"):
        m.revolute(bar["crank"].end, bar[f"{side} left"].start)
        m.revolute(bar[f"{side} arm"].end, bar[f"{side} left"].end)
        m.revolute(bar[f"{side} arm"].end, bar[f"{side} right"].start)
    m.revolute(bar["upper right"].end, bar["lower right"].end)
    drive = draw_drive(rng, sign, end)
    drive.drive(m, "crank.angle", 0.0)
    return Reach(f"{a:.3g}, {long:.3g}, {short:.3g}", m, drive.time(end), drive.speed)


_MAKERS: dict[str, Callable[[Rng], Reach]] = {
    "four-bar": four_bar,
    "four-bar in space": lambda rng: four_bar(rng, space=True),
    "four-bar with a pendulum": lambda rng: four_bar(rng, tail=True),
    "slider-crank, slide driven": slide,
    "actuator": actuator,
    "five-bar, two motors": five_bar,
    "RSSR": rssr,
    "Peaucellier": peaucellier,
}


class BeyondReach(Suite):
    """Runs that end at random behind the limit, from 1e-9 of the time up to thirty times."""

    name = "beyond-reach"
    mechanisms = 340
    runs = len(TOLERANCES)
    families = tuple(_MAKERS)

    def family_of(self, mechanism: int) -> str:
        return self.families[mechanism % len(self.families)]

    def tolerance(self, seed: int) -> float:
        return TOLERANCES[seed % len(TOLERANCES)]

    def drawn(self, mechanism: int) -> Reach:
        """The mechanism of this number."""
        rng = np.random.default_rng([mechanism, *self.name.encode()])
        return _MAKERS[self.family_of(mechanism)](rng)

    def run(self, mechanism: int, seeds: Sequence[int]) -> list[Verdict]:
        reach = self.drawn(mechanism)
        program = build(reach.mechanism, relations=mechanism // len(self.families) % 4 != 3)
        return [self._judged(seed, self.family_of(mechanism), reach, program) for seed in seeds]

    def _judged(self, seed: int, family: str, reach: Reach, program: Program) -> Verdict:
        rng = np.random.default_rng([seed, 1])
        end = reach.limit * (1.0 + 10.0 ** rng.uniform(-9.0, 1.5))
        task = draw_task(seed, self.tolerance(seed), end, reach.limit)
        verdict = Verdict(seed, family, reach.what, task, Fate.CRASHED, aim=PRECISE)
        try:
            before, run = (
                simulate(program, until, tol=task.tol, method=task.method, step=task.step, times=2)
                for until in (0.9 * reach.limit, end)
            )
        except Exception as problem:  # whatever it is, it is a finding
            return replace(verdict, message=f"{type(problem).__name__}: {problem}")
        status, spent = run.status, run.steps.counters.evaluations
        named = re.search(r"dead centre at t = (\S+) s", status.where)
        verdict = replace(verdict, evaluations=spent, message=str(status), outcome=Fate.WRONG)
        if named:
            verdict = replace(verdict, error=abs(float(named[1]) / reach.limit - 1.0))
        allowed = DEAR * before.steps.counters.evaluations + LOOKS
        # where the speed is given, the displacement is a result of the run
        precise = 10.0 * PRECISE + (task.tol if reach.followed else 0.0)
        stopped = task.step is None and not before.status.ok
        if status.ok or stopped or spent > allowed or verdict.error > precise:
            return verdict
        if named and status.ended is Code.CONSTRAINTS_UNMET and run.steps.t[-1] <= reach.limit:
            return replace(verdict, outcome=Fate.RIGHT, message="")
        # fixed steps may lead a little beyond, and end there with another doubt
        return verdict if task.step is None else replace(verdict, outcome=Fate.STOPPED)


SUITE = BeyondReach()
