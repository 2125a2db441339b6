"""Branches of motion that touch, and cusps: pairs of Watt linkages whose guided points are joined by a bar (Connelly
and Servatius, 1994).

A Watt linkage has two arms r₁, r₂ and a coupler between them; the point P of the coupler that divides it as y₁ : y₂ =
r₂ : r₁ moves nearly on a line. Two equal linkages with the angles u and w, whose points are joined by a bar of the
length L between their centres, satisfy

    D(u, w) = |P₂(w) − P₁(u)|² − L² = (w − u) (2 L X[u, w] + (w − u) (X[u, w]² + Y[u, w]²)) = 0

with divided differences X[u, w] = ∫ X′(u + θ (w − u)) dθ. The branches w = u and w = u + f(u) touch at u = 0: they
agree up to the first derivative, and up to the third if r₁ = r₂. The judge divides w − u out, so that the root of the
other factor is a regular function of u. The linkages are of the same hand then. If they are of opposite hands and r₁ =
r₂, (w − u)² is an odd function of u in lowest order: the positions form a curve with a cusp, beyond which there is no
position.

The motion is that of one coordinate, ½ I(u) u̇² + V(u) = E. At a cusp the run has to stop and to name its time. A
pendulum may hang on the first point P, which adds a degree of freedom, and a motor may prescribe u; then only the
pendulum's motion is a differential equation, or none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np
from numpy.polynomial import chebyshev, legendre
from scipy.integrate import solve_ivp

from campaign.case import KnownMotion
from campaign.energy_integral import NotJudged
from campaign.engine import MAX_STEPS
from campaign.judge import Fate, Verdict
from campaign.linkage import STEP
from campaign.structure import Array
from campaign.suite import Cases, Rng, draw_task, timed
from grashof.common.status import Code
from grashof.model.mechanism import Mechanism
from grashof.program import Program, build
from grashof.simulation.simulate import simulate

REACHES = (0.2, 0.28, 0.38)
"""Largest angles of the first arm, rad; farther out linkages may come near their dead centres."""

DEGREE, INTERPOLATED = 60, 1e-11
"""Degree of the Chebyshev interpolation of I and V, and its largest relative error."""

NEAR = 0.02
"""Permitted error of the reported time of a cusp, relative to that time."""

JUDGED = 16
"""Number of times at which runs are judged."""

NODES, WEIGHTS = 0.5 + 0.5 * legendre.leggauss(16)[0], 0.5 * legendre.leggauss(16)[1]


@dataclass(frozen=True)
class Watt:
    """A Watt linkage around the origin: arms, heights of its pivots above and below, and its hand, ±1."""

    arms: tuple[float, float]
    heights: tuple[float, float]
    hand: float

    @cached_property
    def pivots(self) -> Array:
        (r, s), (y, z) = self.arms, self.heights
        return np.array([[-self.hand * r, y], [self.hand * s, -z]])

    def points(self, u: Array) -> tuple[Array, Array, Array]:
        """The ends of both arms and P at angles u (k,), which may be complex: (k, 2) each."""
        length = sum(self.heights)
        arm = self.arms[0] * np.stack([self.hand * np.cos(u), np.sin(u)], axis=-1)
        p = self.pivots[0] + arm
        way = self.pivots[1] - p
        square = np.sum(way * way, axis=-1)
        share = 0.5 * (1.0 + (length**2 - self.arms[1] ** 2) / square)
        rise = np.sqrt(length**2 / square - share**2)
        across = np.stack([-way[..., 1], way[..., 0]], axis=-1)
        q = p + share[..., None] * way - self.hand * rise[..., None] * across
        return p, q, p + (self.heights[0] / length) * (q - p)

    def slopes(self, u: Array) -> tuple[Array, Array, Array]:
        """Their derivatives, from velocities: the coupler keeps its length."""
        p, q, _ = self.points(u)
        faster = self.arms[0] * np.stack([-self.hand * np.sin(u), np.cos(u)], axis=-1)
        arm, bar = q - self.pivots[1], p - q
        turned = np.stack([-arm[..., 1], arm[..., 0]], axis=-1)
        rate = np.sum(bar * faster, axis=-1) / np.sum(bar * turned, axis=-1)
        other = rate[..., None] * turned
        return faster, other, faster + (self.heights[0] / sum(self.heights)) * (other - faster)


@dataclass(frozen=True)
class Pendulum:
    """A uniform bar, with its angle and rate at the start."""

    length: float
    mass: float
    angle: float
    rate: float

    def pulls(self, angle: float, rate: float, hinge: Array, gravity: Array) -> tuple[Array, Array]:
        """M and the right-hand side of M [ü, φ̈] = … for a hinge P(u), without u's own inertia; `hinge` are P′ and
        P″ u̇²."""
        e, n = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
        slope, bend = hinge
        half = 0.5 * self.mass * self.length
        mass = np.array([[self.mass * slope @ slope, half * slope @ n], [half * slope @ n, half * self.length * 2 / 3]])
        force = slope @ (self.mass * (gravity - bend) + half * rate**2 * e)
        return mass, np.array([force, half * n @ (gravity - bend)])


@dataclass(frozen=True)
class Pair:
    """Two Watt linkages whose points P are joined by a bar as long as the distance of their centres.

    curved   for equal linkages: on the branch w ≠ u; otherwise on w = u. For others: the sign of w − u
    """

    first: Watt
    second: Watt
    apart: float
    curved: float
    masses: Array
    gravity: Array

    @property
    def equal(self) -> bool:
        return self.first == self.second

    def other(self, u: Array) -> Array:
        """w at real u."""
        if self.equal and not self.curved:
            return np.array(u)
        w = np.array(u)
        if not self.equal:
            gap = self._mismatch(u, u)
            w = u + self.curved * np.sqrt(np.maximum(-gap, 0.0)) / self.first.arms[0]
        for _ in range(60):
            slope = self._factor(u, w + 1j * STEP).imag / STEP
            step = self._factor(u, w).real / np.where(slope == 0.0, 1.0, slope)
            w = w - np.clip(step, -0.1, 0.1)
        if not np.all(np.abs(self._factor(u, w)) < 1e-13):
            raise NotJudged("no position")
        return w

    def _factor(self, u: Array, w: Array) -> Array:
        """D, without the factor w − u if the linkages are equal."""
        if not self.equal:
            return self._mismatch(u, w)
        inside = u[..., None] + NODES * (w - u)[..., None]
        mean = np.einsum("j,...jk->...k", WEIGHTS, self.first.slopes(inside)[2])
        return np.asarray(2.0 * self.apart * mean[..., 0] + (w - u) * np.sum(mean * mean, axis=-1))

    def _mismatch(self, u: Array, w: Array) -> Array:
        way = self.second.points(w)[2] - self.first.points(u)[2]
        return np.asarray(2.0 * self.apart * way[..., 0] + np.sum(way * way, axis=-1))

    def bars(self, u: Array) -> tuple[Array, Array]:
        """Start and end of the seven bars, (7, k, 2) each, and their derivatives by u as imaginary parts over STEP."""
        w = self.other(u)
        if self.equal and not self.curved:
            rate = np.ones_like(u)
        else:
            of_u, of_w = (self._factor(*x).imag / STEP for x in ((u + 1j * STEP, w + 0j), (u + 0j, w + 1j * STEP)))
            rate = -of_u / of_w
        starts, ends, joints = [], [], []
        for watt, angle, x in ((self.first, u + 1j * STEP, 0.0), (self.second, w + 1j * STEP * rate, self.apart)):
            p, q, middle = (point + np.array([x, 0.0]) for point in watt.points(angle))
            a, b = (pivot + np.array([x, 0.0]) for pivot in watt.pivots)
            starts += [np.broadcast_to(a, p.shape), np.broadcast_to(b, p.shape), q]
            ends += [p, q, p]
            joints.append(middle)
        return np.array([*starts, joints[0]]), np.array([*ends, joints[1]])

    def landscape(self, u: Array) -> tuple[Array, Array]:
        """I and V."""
        starts, ends = self.bars(u)
        inertia, potential = np.zeros(len(u)), np.zeros(len(u))
        for mass, a, b in zip(self.masses, starts, ends, strict=True):
            for share, x in ((1 / 6, a), (2 / 3, 0.5 * (a + b)), (1 / 6, b)):
                inertia += share * mass * np.sum(np.square(x.imag / STEP), axis=-1)
                potential -= share * mass * (x.real @ self.gravity)
        return inertia, potential

    def mechanism(self, u: float, rate: float, pendulum: Pendulum | None = None, law: str | None = None) -> Mechanism:
        """The mechanism as a user would describe it; a motor moves it if there is a law."""
        starts, ends = (x[:, 0].real for x in self.bars(np.array([u])))
        m = Mechanism("two Watt linkages", gravity=tuple(self.gravity))
        names = ("a0", "b0", "c0", "a1", "b1", "c1", "link")
        bars = {
            name: m.bar(name, start=tuple(a), end=tuple(b), mass=float(mass))
            for name, a, b, mass in zip(names, starts, ends, self.masses, strict=True)
        }
        for k, (watt, x) in enumerate(((self.first, 0.0), (self.second, self.apart))):
            for name, pivot in zip(("a", "b"), watt.pivots, strict=True):
                m.revolute(m.ground.at(*(pivot + np.array([x, 0.0]))), bars[f"{name}{k}"].start)
            m.revolute(bars[f"a{k}"].end, bars[f"c{k}"].end)
            m.revolute(bars[f"b{k}"].end, bars[f"c{k}"].start)
            middle = bars[f"c{k}"].at(watt.heights[1], 0, name="M")
            m.revolute(bars["link"].start if k == 0 else bars["link"].end, middle)
        if law is None:
            m.need("a0.angle", rate=self.first.hand * rate)
        else:
            m.motor("a0.angle", angle=law)
        if pendulum is not None:
            top, way = starts[6], np.array([np.cos(pendulum.angle), np.sin(pendulum.angle)])
            hung = m.bar("p", start=tuple(top), end=tuple(top + pendulum.length * way), mass=pendulum.mass)
            m.revolute(bars["link"].start, hung.start)
            m.need("p.angle", rate=pendulum.rate)
        return m


def _watt(rng: Rng, *, even: bool, hand: float = 1.0) -> Watt:
    arms = (1.0, 1.0 if even else float(rng.uniform(0.7, 1.4)))
    size = float(rng.uniform(0.6, 1.8))
    return Watt(arms, (size * arms[1] / sum(arms), size * arms[0] / sum(arms)), hand)


def _pair(rng: Rng, first: Watt, second: Watt, curved: float) -> Pair:
    heavy = bool(rng.random() < 0.5)
    gravity = rng.uniform(0.5, 5.0) * np.array([np.cos(x := rng.uniform(-np.pi, np.pi)), np.sin(x)])
    masses = rng.uniform(0.3, 2.0, 7)
    return Pair(first, second, float(rng.uniform(0.9, 3.0)), curved, masses, gravity if heavy else np.zeros(2))


def _touching(
    *, even: bool, curved: bool = True, hung: bool = False, driven: bool = False
) -> Callable[[Rng], KnownMotion]:
    def draw(rng: Rng) -> KnownMotion:
        watt = _watt(rng, even=even)
        pair = _pair(rng, watt, watt, float(curved))
        reach = float(rng.choice(REACHES))
        z = np.cos(np.pi * (np.arange(DEGREE + 1) + 0.5) / (DEGREE + 1))
        inertia, potential = pair.landscape(reach * z)
        hinge = watt.points(reach * z + 0j)[2].real
        fits = [chebyshev.chebfit(z, x, DEGREE) for x in (inertia, potential, hinge)]
        of_i = fits[0]
        once = [chebyshev.chebder(x, scl=1.0 / reach) for x in fits]
        twice = chebyshev.chebder(once[2], scl=1.0 / reach)
        between = np.linspace(-0.99, 0.99, 50)
        if np.max(np.abs(pair.landscape(reach * between)[0] / chebyshev.chebval(between, of_i) - 1.0)) > INTERPOLATED:
            raise NotJudged("another branch or a dead centre is near")
        start = float(rng.choice([-1, 1]) * rng.uniform(0.4, 0.85) * reach)
        rate = -float(np.sign(start) * 10.0 ** rng.uniform(-0.3, 0.7))
        pendulum, law = None, None
        if hung:
            length, mass = (float(x) for x in rng.uniform(0.3, 1.0, 2))
            pendulum = Pendulum(length, mass, float(rng.uniform(-np.pi, np.pi)), float(rng.uniform(-2.0, 2.0)))
        swings = driven and bool(rng.random() < 0.5)
        if swings:  # from its largest angle
            rate, quick = 0.0, abs(rate / start)
            law = f"{start!r}*cos({quick!r}*t)"
        elif driven:
            law = f"{start!r} + {rate!r}*t"

        def prescribed(t: float) -> tuple[float, float, float]:
            if not swings:
                return start + rate * t, rate, 0.0
            angle = start * np.cos(quick * t)
            return angle, -start * quick * np.sin(quick * t), -(quick**2) * angle

        def rates(t: float, y: Array) -> Array:
            u, speed, angle, spin = y
            known = prescribed(t) if driven else None
            if known is not None:
                u, speed = known[:2]
            at = u / reach
            here, slope, force = (chebyshev.chebval(at, x) for x in (of_i, *once[:2]))
            mass, right = np.diag([here, 1.0]), np.array([-0.5 * slope * speed**2 - force, 0.0])
            if pendulum is not None:
                way = np.array([chebyshev.chebval(at, once[2]), chebyshev.chebval(at, twice) * speed**2])
                more, pull = pendulum.pulls(angle, spin, way, pair.gravity)
                mass, right = mass * np.diag([1.0, 0.0]) + more, right + pull
            if known is not None:
                return np.array([known[1], known[2], spin, (right[1] - mass[1, 0] * known[2]) / mass[1, 1]])
            of_u, of_angle = np.linalg.solve(mass, right)
            return np.array([speed, of_u, spin, of_angle])

        leaves = lambda _, y: abs(y[0]) - 0.97 * reach  # noqa: E731
        leaves.terminal = True  # type: ignore[attr-defined]
        begin = [start, rate, *((pendulum.angle, pendulum.rate) if pendulum else (0.0, 0.0))]
        found = solve_ivp(
            rates, (0.0, 20.0), begin, method="DOP853", rtol=1e-13, atol=1e-14, events=leaves, dense_output=True
        )
        if np.min(found.y[0] * np.sign(start)) > -0.3 * reach:
            raise NotJudged("it does not pass")
        passes = np.flatnonzero(np.diff(np.sign(found.y[0])))
        end = 0.98 * found.t[-1]
        if len(passes) > 4:
            end = float(found.t[passes[4]])
        times = np.linspace(0.0, end, JUDGED + 1)[1:]
        u, speed, angle, spin = found.sol(times)
        if driven:
            u, speed = np.array([prescribed(t)[:2] for t in times]).T
        starts, ends = pair.bars(u)
        exact: dict[str, Array] = {}
        for name, x in (("c0.M", starts[6]), ("c1.M", ends[6]), ("a0.end", ends[0]), ("b1.end", ends[4])):
            for k, axis in enumerate("xy"):
                exact[f"{name}.{axis}"] = x[:, k].real
                exact[f"{name}.{axis}.rate"] = x[:, k].imag / STEP * speed
        fastest = max(float(np.max(np.abs(x))) for name, x in exact.items() if name.endswith("rate"))
        scales = {name: fastest if name.endswith("rate") else 1.0 for name in exact}
        if pendulum is not None:
            exact |= {"p.angle": angle, "p.angle.rate": spin}
            scales |= {"p.angle": 1.0, "p.angle.rate": max(float(np.max(np.abs(spin))), fastest)}
        kind = f"{'equal' if even else 'unequal'} arms{'' if curved else ', straight branch'}"
        return KnownMotion(
            f"{kind}, {len(passes)} passages{'' if np.any(pair.gravity) else ', no gravity'}",
            lambda: pair.mechanism(start, rate, pendulum, law),
            times,
            exact,
            scales,
            1.0 / quick if swings else abs(start / rate),
        )

    return draw


@dataclass(frozen=True)
class Cusp:
    """A mechanism that reaches a cusp at a time, s."""

    what: str
    mechanism: Mechanism
    time: float

    @cached_property
    def program(self) -> Program:
        return build(self.mechanism)


def _cusp(rng: Rng) -> Cusp:
    first = _watt(rng, even=True)
    pair = _pair(rng, first, replace(first, hand=-1.0), float(rng.choice([-1, 1])))
    side = float(rng.choice([-1, 1]))
    start = side * float(rng.uniform(0.15, 0.33))
    if pair._mismatch(np.array([start]), np.array([start]))[0] > -1e-3:
        raise NotJudged("no position on this side")
    rate = -side * float(10.0 ** rng.uniform(-0.3, 0.7))
    nodes, weights = legendre.leggauss(40)
    root = 0.5 * np.sqrt(abs(start)) * (nodes + 1.0)
    inertia, potential = pair.landscape(np.append(side * root**2, start))
    energy = 0.5 * inertia[-1] * rate**2 + potential[-1]
    kinetic = energy - potential[:-1]
    if np.min(kinetic) < 0.2 * np.max(kinetic):
        raise NotJudged("too slow")
    time = float(np.sum(np.sqrt(abs(start)) * 0.5 * weights * 2.0 * root * np.sqrt(0.5 * inertia[:-1] / kinetic)))
    return Cusp(f"cusp, coupler {sum(first.heights):.3g}", pair.mechanism(start, rate), time)


class Touching(Cases):
    """The suite: cusps are judged by where and how the run stops."""

    def run(self, mechanism: int, seeds: Sequence[int]) -> list[Verdict]:
        if self.family_of(mechanism) != CUSPS:
            return super().run(mechanism, seeds)
        case = self.drawn(mechanism)
        assert isinstance(case, Cusp)
        return [timed(partial(self._judge, seed, case)) for seed in seeds]

    def _judge(self, seed: int, case: Cusp) -> Verdict:
        task = draw_task(seed, self.tolerance(seed), case.time, case.time)
        verdict = Verdict(seed, CUSPS, case.what, task, Fate.CRASHED)
        try:
            run = simulate(
                case.program,
                1.5 * case.time,
                tol=task.tol,
                times=9,
                method=task.method,
                step=task.step,
                max_steps=MAX_STEPS,
            )
        except Exception as problem:
            return replace(verdict, message=f"{type(problem).__name__}: {problem}")
        verdict = replace(verdict, evaluations=run.steps.counters.evaluations, message=str(run.status))
        if run.status.ok:
            return replace(verdict, outcome=Fate.WRONG)
        told = re.search(r"cusp.* t = ([\d.e+-]+) s", str(run.status))
        if run.status.ended is not Code.CONSTRAINTS_UNMET or told is None:
            return replace(verdict, outcome=Fate.STOPPED)
        error = abs(float(told[1]) / case.time - 1.0)
        return replace(verdict, outcome=Fate.RIGHT if error < NEAR else Fate.WRONG, error=error, energy=0.0, aim=NEAR)


CUSPS = "cusps"

SUITE = Touching(
    "touching-branches-and-cusps",
    {
        "equal arms": (3, _touching(even=True, curved=True)),
        "unequal arms": (3, _touching(even=False, curved=True)),
        "straight branch": (1, _touching(even=True, curved=False)),
        "with a pendulum": (2, _touching(even=True, hung=True)),
        "with a motor": (2, _touching(even=True, driven=True)),
        "unequal arms, motor and pendulum": (2, _touching(even=False, hung=True, driven=True)),
        CUSPS: (3, _cusp),  # type: ignore[dict-item]  # judged apart
    },
)
