"""Andrews' squeezer as a quadrature: its motion to any number of digits, without integrating an equation of motion.

The mechanism has one degree of freedom, the crank angle β, from which everything else follows by intersecting circles:

    F = OF·e^{iβ}                          points are complex numbers x + iy
    E = circle(F, EF) ∩ circle(B, EB)      the intersection on the left of the direction F → B
    G = circle(A, AG) ∩ circle(E, GE)      above the line A → E
    H = circle(A, AH) ∩ circle(E, HE)      below it

With primes for d/dβ, the kinetic energy and the potential energy of the spring C–D are

    T = ½ m(β) β̇²,    m(β) = Σ mass·|com′|² + inertia·θ′²
    V(β) = ½ k (|D − C| − l₀)²

The torque τ is constant and the mechanism starts from rest, so the energy balance T + V − V₀ = τ(β − β₀) determines the
motion:

    β̇ = √(2 W/m),   W(β) = τ(β − β₀) − (V(β) − V₀)               (W is the kinetic energy)
    t(β) = ∫ dβ/β̇ from β₀

β̇ vanishes like √(β − β₀) at the start. With β = β₀ + s², dt/ds = 2s/β̇ is smooth and positive, and composite
Gauss–Legendre quadrature integrates it to rounding accuracy; t(s) is then inverted by Newton's method. This is valid as
long as the crank does not reverse (W > 0), which is checked at every node; in the benchmark it never does.

Data: IFToMM library of computational benchmark problems, "Andrews' squeezer mechanism", revision 2016-04-18, after
W. Schiehlen (ed.), Multibody Systems Handbook, Springer 1990. SI units throughout; V is not zero at the start.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from grashof.precise.quadrature import gauss_legendre

Floats = NDArray[np.float64]
Pair = tuple[float, float]

IVP_BETA0 = "-0.0617138900142764496358948458001"
"""β₀ [rad] of the IVP/DAE test set: O, F and E are collinear (its θ₀ = 0 exactly)."""


@dataclass(frozen=True)
class ReferenceRod:
    """A link named by its two points: local origin in `start`, x axis towards `end`; inertia about the centre of
    mass."""

    start: str
    end: str
    length: float
    mass: float
    com: Pair
    inertia: float


@dataclass(frozen=True)
class Triangle:
    """The link E–B–D: local origin in E, local y axis towards B; inertia about the centre of mass."""

    b: Pair
    d: Pair
    mass: float
    com: Pair
    inertia: float


@dataclass(frozen=True)
class Squeezer:
    """All data of the problem; O is the global origin, a, b, c are the global coordinates of A, B, C."""

    rods: tuple[ReferenceRod, ...]
    triangle: Triangle
    a: Pair
    b: Pair
    c: Pair
    stiffness: float
    rest_length: float
    torque: float
    beta0: float
    duration: float

    def rod(self, name: str) -> ReferenceRod:
        """The rod called by its two points in the order of the tables, as in "EF"."""
        return next(rod for rod in self.rods if rod.start + rod.end == name)


IFTOMM = Squeezer(
    rods=(
        ReferenceRod("O", "F", 0.007, 0.04325, (0.00092, 0.0), 2.194e-6),
        ReferenceRod("E", "F", 0.028, 0.00365, (0.0165, 0.0), 4.410e-7),
        ReferenceRod("H", "E", 0.02, 0.00706, (0.00579, 0.0), 5.667e-7),
        ReferenceRod("G", "E", 0.02, 0.00706, (0.00579, 0.0), 5.667e-7),
        ReferenceRod("A", "G", 0.04, 0.07050, (0.02308, 0.00916), 1.169e-5),
        ReferenceRod("A", "H", 0.04, 0.05498, (0.01228, -0.00449), 1.912e-5),
    ),
    triangle=Triangle((0.0, 0.035), (0.02, 0.017), 0.02373, (0.01043, 0.01626), 5.255e-6),
    a=(-0.06934, -0.00227),
    b=(-0.03635, 0.03273),
    c=(0.01400, 0.07200),
    stiffness=4530.0,
    rest_length=0.07785,
    torque=0.033,
    beta0=-0.0620,
    duration=0.05,
)
"""The data of the IFToMM document, tables 1 to 3."""

TIMES: Floats = np.arange(201) / 4000
"""The official times [s]: every 0.25 ms."""


@dataclass(frozen=True)
class CrankMotion:
    """The motion at given times; arrays of one shape (floats, or mpmath numbers from `precise_solution`)."""

    time: NDArray[Any]  # s
    beta: NDArray[Any]  # rad, whole turns kept
    betadot: NDArray[Any]  # rad/s
    x_f: NDArray[Any]  # m
    y_f: NDArray[Any]  # m
    kinetic: NDArray[Any]  # J
    potential: NDArray[Any]  # J


@dataclass(frozen=True)
class AndrewsNumbers:
    """The arithmetic used for the geometry: how to read a datum, √, and e^{iβ}."""

    real: Callable[[float | str], Any]
    sqrt: Callable[[Any], Any]
    cis: Callable[[Any], Any]

    def point(self, pair: Pair) -> Any:
        """A pair of coordinates as a complex number."""
        return self.real(pair[0]) + 1j * self.real(pair[1])


DOUBLES = AndrewsNumbers(float, np.sqrt, lambda beta: np.exp(1j * beta))
"""Double precision, elementwise on arrays of β."""


@dataclass(frozen=True)
class ReferencePlace:
    """A point at β: its position z = x + iy and its derivative by β."""

    z: Any
    rate: Any

    def along(self, other: ReferencePlace, factor: Any) -> ReferencePlace:
        """The point z + factor·(other − z): fixed in the body that carries both points."""
        return ReferencePlace(self.z + factor * (other.z - self.z), self.rate + factor * (other.rate - self.rate))


def meet(p: ReferencePlace, a: Any, q: ReferencePlace, b: Any, side: int, sqrt: Callable[[Any], Any]) -> ReferencePlace:
    """The point at distance a from p and b from q, on the left (side = +1) or right (−1) of the direction p → q.

    Its derivative X′ keeps both distances: u·X′ = u·p′ and w·X′ = w·q′ with u = X − p, w = X − q, so that
    X′ = i((w·q′) u − (u·p′) w)/(u × w).
    """
    d = q.z - p.z
    square = d.real**2 + d.imag**2
    along = (a * a - b * b + square) / (2 * square)
    x = p.z + (along + 1j * side * sqrt(a * a / square - along**2)) * d
    u, w = x - p.z, x - q.z
    up, wq = (u.conjugate() * p.rate).real, (w.conjugate() * q.rate).real
    return ReferencePlace(x, 1j * (wq * u - up * w) / (u.conjugate() * w).imag)


def pose(beta: Any, data: Squeezer = IFTOMM, numbers: AndrewsNumbers = DOUBLES) -> dict[str, ReferencePlace]:
    """All points O, A, B, C, D, E, F, G, H of the mechanism at the crank angle β."""
    fixed = {"O": (0.0, 0.0), "A": data.a, "B": data.b, "C": data.c}
    at = {name: ReferencePlace(numbers.point(pair), 0) for name, pair in fixed.items()}
    length = {rod.start + rod.end: numbers.real(rod.length) for rod in data.rods}
    turn = numbers.cis(beta)
    at["F"] = ReferencePlace(length["OF"] * turn, 1j * length["OF"] * turn)
    local_b, local_d = numbers.point(data.triangle.b), numbers.point(data.triangle.d)
    at["E"] = meet(at["F"], length["EF"], at["B"], abs(local_b), +1, numbers.sqrt)
    at["G"] = meet(at["A"], length["AG"], at["E"], length["GE"], +1, numbers.sqrt)
    at["H"] = meet(at["A"], length["AH"], at["E"], length["HE"], -1, numbers.sqrt)
    at["D"] = at["E"].along(at["B"], local_d / local_b)
    return at


@dataclass(frozen=True)
class ReducedMechanism:
    """The mechanism as a function of its crank angle: m(β) [kg m²], V [J], dV/dβ [J/rad] and point F [m]."""

    mass: Any
    potential: Any
    slope: Any
    f: Any


def reduce_mechanism(beta: Any, data: Squeezer = IFTOMM, numbers: AndrewsNumbers = DOUBLES) -> ReducedMechanism:
    """m(β), V(β), V′(β) and F(β), from the closed geometry."""
    at = pose(beta, data, numbers)
    real, point = numbers.real, numbers.point
    triangle = data.triangle
    carried = [
        (at[rod.start], at[rod.end], real(rod.mass), point(rod.com) / real(rod.length), real(rod.inertia))
        for rod in data.rods
    ]
    share = point(triangle.com) / point(triangle.b)
    carried.append((at["E"], at["B"], real(triangle.mass), share, real(triangle.inertia)))
    mass: Any = 0
    for start, end, m, factor, inertia in carried:
        com = start.along(end, factor).rate
        turning = ((end.rate - start.rate) / (end.z - start.z)).imag  # θ′ of the body
        mass = mass + m * (com.real**2 + com.imag**2) + inertia * turning**2
    spring = at["D"].z - at["C"].z
    length = abs(spring)
    stretch = length - real(data.rest_length)
    stiffness = real(data.stiffness)
    lengthening = (spring.conjugate() * at["D"].rate).real / length
    return ReducedMechanism(mass, stiffness * stretch**2 / 2, stiffness * stretch * lengthening, at["F"].z)


class _Clock:
    """dt/ds along the motion from rest at β₀, where β = β₀ + s²."""

    def __init__(self, beta0: float | str, data: Squeezer, numbers: AndrewsNumbers) -> None:
        self.beta0 = numbers.real(beta0)
        self.data = data
        self.numbers = numbers
        self.torque = numbers.real(data.torque)
        self.potential = self.reduced(self.beta0).potential

    def reduced(self, beta: Any) -> ReducedMechanism:
        """The mechanism at β."""
        return reduce_mechanism(beta, self.data, self.numbers)

    def at(self, s: Any) -> tuple[ReducedMechanism, Any]:
        """The mechanism and W/s², the mean net torque since the start [N m]."""
        here = self.reduced(self.beta0 + s * s)
        return here, self.torque - (here.potential - self.potential) / (s * s)

    def rate(self, s: Any) -> Any:
        """dt/ds = √(2 m s²/W) [s]; raises an error beyond a position where the crank would reverse."""
        here, torque = self.at(s)
        forward = np.asarray(torque > 0)
        if not forward.all():
            stop = float(self.beta0) + float(np.min(np.asarray(s)[~forward])) ** 2
            raise ValueError(
                f"the crank does not reach β = {stop:.4f} rad, because its energy does not suffice: "
                f"use earlier times, or a torque larger than {self.data.torque} N m"
            )
        return self.numbers.sqrt(2 * here.mass / torque)


_UNIT_NODES, _UNIT_WEIGHTS = np.polynomial.legendre.leggauss(20)
_NODES: Floats = (1 + _UNIT_NODES) / 2  # on [0, 1]
_WEIGHTS: Floats = _UNIT_WEIGHTS / 2


def _border(k: int) -> float:
    """Boundary k of the quadrature panels, in s: steps of 1/4 in s at first, of half a radian in β later."""
    return k / 4 if k < 4 else float(np.sqrt(1 + (k - 4) / 2))


class _DoubleClock(_Clock):
    """The same for arrays of doubles, accurate to all digits at the start."""

    def at(self, s: Any) -> tuple[ReducedMechanism, Any]:
        """Within the first panel, where V − V₀ suffers from cancellation, W/s² is the mean of τ − V′ since the
        start."""
        here = self.reduced(self.beta0 + s * s)
        near = s <= _border(1)
        torque = self.torque - (here.potential - self.potential) / np.where(near, 1.0, s * s)
        way = s[near, None] ** 2 * _NODES
        torque[near] = self.torque - self.reduced(self.beta0 + way).slope @ _WEIGHTS
        return here, torque

    def between(self, start: Floats, end: Floats) -> Floats:
        """∫ dt from s = start to s = end, elementwise and within one panel."""
        width = end - start
        rates: Floats = self.rate(start[..., None] + width[..., None] * _NODES)
        return width * (rates @ _WEIGHTS)


@lru_cache(maxsize=16)
def _panels(beta0: float | str, data: Squeezer, until: float) -> tuple[_DoubleClock, list[float], list[float]]:
    """s and t at the borders of the quadrature panels up to a time; a judge of many results needs the same ones
    again."""
    clock = _DoubleClock(beta0, data, DOUBLES)
    if np.isnan(clock.reduced(clock.beta0).mass):
        raise ValueError(f"at β = {clock.beta0:.4f} rad the links cannot be connected: check lengths and points")
    borders, ticks = [0.0], [0.0]
    while ticks[-1] < until:
        borders.append(_border(len(borders)))
        ticks.append(ticks[-1] + clock.between(np.array([borders[-2]]), np.array([borders[-1]])).item())
    return clock, borders, ticks


def solution(times: ArrayLike = TIMES, beta0: float | str | None = None, data: Squeezer = IFTOMM) -> CrankMotion:
    """The motion from rest at β₀ [rad] (the data's own if not given), in double precision: about 14 digits of β.

    >>> round(float(solution([0.05]).beta[0]), 12)
    33.81534072136
    """
    moments = np.atleast_1d(np.asarray(times, dtype=float))
    clock, borders, ticks = _panels(data.beta0 if beta0 is None else beta0, data, float(moments.max(initial=0.0)))
    panel = np.maximum(np.searchsorted(ticks, moments) - 1, 0)
    left, since = np.array(borders)[panel], np.array(ticks)[panel]
    s = np.interp(moments, ticks, borders)
    for _ in range(6):  # within a panel t(s) is nearly linear, and four Newton iterations reach rounding accuracy
        s = np.maximum(s - (since + clock.between(left, s) - moments) / clock.rate(s), 0.0)
    here, torque = clock.at(s)
    kinetic = torque * s * s
    return CrankMotion(
        time=moments,
        beta=clock.beta0 + s * s,
        betadot=np.sqrt(2 * kinetic / here.mass),
        x_f=here.f.real,
        y_f=here.f.imag,
        kinetic=kinetic,
        potential=here.potential,
    )


def precise_solution(
    times: Sequence[float | str], beta0: float | str | None = None, data: Squeezer = IFTOMM, digits: int = 30
) -> CrankMotion:
    """The same motion in mpmath to about `digits` digits, as arrays of mpf.

    Every datum and every time is the decimal number that was written (0.007 is 7/1000, not the double next to it).
    The doubles of `solution` are initial guesses; t is integrated from guess to guess, and Newton's method refines
    them. 30 digits at t = 0.05 s take 4 s, at all official times half a minute.
    """
    import mpmath

    context = mpmath.MPContext()
    context.dps = digits + 15  # guard digits for the cancellation of V − V₀ near the start
    begin = data.beta0 if beta0 is None else beta0
    clock = _Clock(begin, data, AndrewsNumbers(lambda value: context.mpf(str(value)), context.sqrt, context.expj))
    rule = gauss_legendre(digits + 2, context)

    def between(start: Any, end: Any) -> Any:
        """∫ dt from s = start to s = end > start, split at the boundaries of the panels."""
        cuts, k = [start], 1
        while _border(k) < end:
            if _border(k) > start:
                cuts.append(context.mpf(_border(k)))
            k += 1
        cuts.append(end)
        return sum((b - a) * w * clock.rate(a + (b - a) * x) for a, b in pairwise(cuts) for x, w in rule)

    moments = [context.mpf(str(time)) for time in times]
    guesses = solution([float(time) for time in times], begin, data).beta - float(begin)
    found = [context.mpf(0)] * len(moments)
    s, t = context.mpf(0), context.mpf(0)
    for index in np.argsort(guesses, kind="stable"):
        if moments[index] == 0:
            continue
        step = context.sqrt(float(guesses[index])) - s
        while abs(step) > context.mpf(10) ** -(digits + 2):
            t += between(s, s + step) if step > 0 else -between(s + step, s)
            s += step
            step = (moments[index] - t) / clock.rate(s)
        found[index] = s + step
    rows = []
    for moment, s in zip(moments, found, strict=True):
        here, torque = clock.at(s) if s else (clock.reduced(clock.beta0), context.mpf(0))
        kinetic = torque * s * s
        speed = context.sqrt(2 * kinetic / here.mass)
        rows.append((moment, clock.beta0 + s * s, speed, here.f.real, here.f.imag, kinetic, here.potential))
    return CrankMotion(*np.array(rows, dtype=object).T)
