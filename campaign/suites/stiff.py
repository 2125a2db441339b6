"""Stiff mechanisms: springs and dampers whose time constants, 1e-6 to 1 s, are far below those of the motion; trees,
loops, redundant ones, steep friction.

As in long runs, a success with an error of more than ten tolerances is wrong.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import mpmath
import numpy as np
from scipy.integrate import solve_ivp

import grashof as gr
from campaign.blocks import G, random_times, with_rate
from campaign.case import KnownMotion
from campaign.energy_integral import NotJudged
from campaign.structure import Array
from campaign.suite import Cases, Rng
from grashof.model.handles import Handle

METHODS = {"auto": 0.3, "rodas5p": 0.2, "radau5": 0.15, "radau9": 0.2, "radau13": 0.15}
"""The probabilities with which methods are drawn."""

DIGITS = 40
"""Digits of the solutions of linear equations."""

FARTHEST = 30.0
"""Largest angle of wheels, rad."""

DEAREST = 300_000
"""Evaluations after which a solution by SciPy is given up."""

AGREE = 1e-10
"""How well two solutions by SciPy, with different tolerances, have to agree."""

RADAU = (("Radau", 3e-12), ("Radau", 1e-12))
"""Methods and tolerances of these solutions."""

ROUGH, ROUGHLY = (("Radau", 1e-9), ("LSODA", 3e-12)), 1e-8
"""The same for steep friction, and how well they have to agree."""


def _time_constant(rng: Rng) -> float:
    return float(10.0 ** rng.uniform(-6.0, 0.0))


def _hard(rng: Rng, inertia: float) -> tuple[float, float]:
    """Stiffness and damping of a spring whose damper is not weak: what it excites decays within a few oscillations."""
    fast = _time_constant(rng)
    slow = fast * float(10.0 ** rng.uniform(-0.5, 4.0))
    return inertia / (fast * slow), inertia / fast


def wheels(rng: Rng) -> KnownMotion:
    """Two or three wheels on springs and dampers between them and to the ground, one of them driven; by the
    exponentials of their linear equations."""
    count = int(rng.integers(2, 4))
    inertias = [float(x) for x in 10.0 ** rng.uniform(-1.0, 1.0, count)]
    m = gr.Mechanism("wheels")
    mass = np.diag([Fraction(x) for x in inertias])
    # exact sums: beside a hard spring, a soft one would lose its digits
    damping, stiffness = (np.full((count, count), Fraction(0)) for _ in range(2))
    bodies: list[Handle] = []
    starts = rng.uniform(-1.0, 1.0, count)
    for k, inertia in enumerate(inertias):
        body = m.body(f"wheel {k}", mass=1.0, inertia=inertia, points={"o": (0, 0)})
        m.revolute(m.ground.at(0, 0), body.o)
        m.need(body.angle, value=float(starts[k]), rate=0.0)
        name = body.angle if k == 0 else m.angle(f"twist {k}", body, reference=bodies[-1])
        hardness, drag = _hard(rng, inertia)
        m.torsion_spring(name, stiffness=hardness, damping=drag, name=f"spring {k}")
        along = np.zeros(count, dtype=int)
        along[k] = 1
        if k:
            along[k - 1] = -1
        both = np.outer(along, along)
        damping, stiffness = damping + Fraction(drag) * both, stiffness + Fraction(hardness) * both
        bodies.append(body)
    frequency, torque = float(10.0 ** rng.uniform(-0.5, 1.0)), float(rng.uniform(0.5, 2.0) * float(stiffness[-1, -1]))
    m.torque(bodies[-1], f"{torque!r}*sin({frequency!r}*t)")
    times = random_times(rng, float(10.0 ** rng.uniform(-0.5, 1.0)))
    drive = np.zeros(count)
    drive[-1] = torque
    angles, rates = _linear(mass, damping, stiffness, drive, frequency, starts, times)
    if np.max(np.abs(angles)) > FARTHEST:
        raise NotJudged("soft springs let the wheels go round many times, which is no question of stiffness")
    exact: dict[str, Array] = {}
    for k in range(count):
        exact |= with_rate(f"wheel {k}.angle", angles[k], rates[k])
    fastest = float(np.max(np.abs(rates)))
    return _case(f"{count} wheels", m, times, exact, fastest, max(1.0, float(np.max(np.abs(angles)))))


def _linear(
    mass: Array, damping: Array, stiffness: Array, drive: Array, frequency: float, start: Array, times: Array
) -> tuple[Array, Array]:
    """Angles and rates of M ẍ + C ẋ + K x = f sin ωt from rest, in many digits: eigenvectors, and the forced part."""
    n = len(mass)
    with mpmath.workdps(DIGITS):
        m, c, k = (
            mpmath.matrix([[mpmath.mpf(x.numerator) / x.denominator for x in row] for row in matrix])
            for matrix in (mass, damping, stiffness)
        )
        w, inverse = mpmath.mpf(frequency), mpmath.inverse(m)
        # the forced part is the imaginary part of z e^{iωt}
        z = mpmath.lu_solve(k - w * w * m + mpmath.mpc(0, 1) * w * c, mpmath.matrix(drive.tolist()))
        whole = mpmath.zeros(2 * n)
        for i in range(n):
            whole[i, n + i] = 1
        whole[n:, :n], whole[n:, n:] = -inverse * k, -inverse * c
        values, vectors = mpmath.eig(whole)
        begin = mpmath.matrix([*(mpmath.mpf(float(x)) for x in start), *[0] * n])
        for i in range(n):
            begin[i] -= z[i].imag
            begin[n + i] -= w * z[i].real
        parts = mpmath.lu_solve(vectors, begin)
        found = np.empty((2 * n, len(times)))
        for j, t in enumerate(times):
            turn = mpmath.expj(w * mpmath.mpf(float(t)))
            grown = [parts[a] * mpmath.exp(values[a] * mpmath.mpf(float(t))) for a in range(2 * n)]
            for i in range(2 * n):
                free = mpmath.fsum(vectors[i, a] * grown[a] for a in range(2 * n)).real
                forced = (z[i] * turn).imag if i < n else w * (z[i - n] * turn).real
                found[i, j] = float(free + forced)
    return found[:n], found[n:]


def parallelograms(rng: Rng) -> KnownMotion:
    """A coupler on two or three equal cranks, the third of which is redundant; one crank on a stiff spring that turns
    slowly. It moves along circles, so that its angle a satisfies I ä = T(t, a, ȧ)."""
    length, mass, crank = float(rng.uniform(0.2, 1.0)), float(rng.uniform(0.5, 5.0)), float(rng.uniform(0.2, 2.0))
    count = int(rng.integers(2, 4))
    inertia = mass * length**2 + count * crank * length**2 / 3.0
    weight = G * length * (mass + 0.5 * count * crank)
    hardness, drag = _hard(rng, inertia)
    start, swing, pace = (
        float(rng.uniform(0.3, 1.2)),
        float(rng.uniform(0.1, 0.8)),
        float(10.0 ** rng.uniform(-0.5, 0.7)),
    )
    m = gr.Mechanism("parallelogram", gravity=(0, -G))
    points = {name: (0.5 * k, 0.0) for k, name in enumerate("abc"[:count])}
    coupler = m.body("coupler", mass=mass, inertia=1.0, points=points)
    for k, name in enumerate(points):
        bar = m.bar(f"crank_{name}", length=length, mass=crank)
        m.revolute(m.ground.at(0.5 * k, 0), bar.start)
        m.revolute(bar.end, coupler.point(name))
        if k == 0:
            m.need(bar.angle, value=start, rate=0.0)
            aim = f"{start!r} + {swing!r}*sin({pace!r}*t)"
            m.torque(bar, f"{hardness!r}*({aim} - crank_a.angle) - {drag!r}*crank_a.angle.rate")
        else:
            m.want(bar.angle, value=start)

    def slope(t: float, x: Array) -> Array:
        torque = hardness * (start + swing * np.sin(pace * t) - x[0]) - drag * x[1]
        return np.array([x[1], (torque - weight * np.cos(x[0])) / inertia])

    def jacobian(_: float, x: Array) -> Array:
        return np.array([[0.0, 1.0], [(weight * np.sin(x[0]) - hardness) / inertia, -drag / inertia]])

    times = random_times(rng, float(10.0 ** rng.uniform(-0.5, 0.7)))
    x = _by_scipy(slope, jacobian, np.array([start, 0.0]), times)
    exact = with_rate("crank_a.angle", x[0], x[1])
    return _case(f"{count} cranks", m, times, exact, float(np.max(np.abs(x[1]))), 1.0)


def pendulums(rng: Rng) -> KnownMotion:
    """Two slender bars of 1 kg with a stiff damper, and a spring, between them; by Lagrange's equations in angles."""
    length = float(10.0 ** rng.uniform(-0.5, 0.5))
    pace = float(np.sqrt(G / length))
    hardness, drag = _hard(rng, length**2)
    angles = np.array([float(rng.uniform(-2.0, 2.0)), 0.0])
    angles[1] = angles[0] + float(rng.uniform(-0.5, 0.5))

    def parts(x: Array) -> tuple[Array, Array, float, float]:
        a, b, u, v = x
        c, s = np.cos(a - b), np.sin(a - b)
        mass = np.array([[4.0 / 3.0, 0.5 * c], [0.5 * c, 1.0 / 3.0]])
        spring = (hardness * (b - a - float(angles[1] - angles[0])) + drag * (v - u)) / length**2
        gravity = pace**2 * np.array([1.5 * np.sin(a), 0.5 * np.sin(b)])
        force = np.array([-0.5 * s * v * v + spring, 0.5 * s * u * u - spring]) - gravity
        return mass, force, c, s

    def slope(_: float, x: Array) -> Array:
        mass, force, _, _ = parts(x)
        return np.concatenate([x[2:], np.linalg.solve(mass, force)])

    def jacobian(_: float, x: Array) -> Array:
        a, b, u, v = x
        mass, force, c, s = parts(x)
        found = np.linalg.solve(mass, force)
        hard, soft = hardness / length**2, drag / length**2
        of_force = np.array(
            [
                [-0.5 * c * v * v - hard - 1.5 * pace**2 * np.cos(a), 0.5 * c * v * v + hard, -soft, -s * v + soft],
                [0.5 * c * u * u + hard, -0.5 * c * u * u - hard - 0.5 * pace**2 * np.cos(b), s * u + soft, -soft],
            ]
        )
        turned = -0.5 * s * np.array([found[1], found[0]])
        of_force[:, 0] -= turned
        of_force[:, 1] += turned
        return np.vstack([np.hstack([np.zeros((2, 2)), np.eye(2)]), np.linalg.solve(mass, of_force)])

    m = gr.Mechanism("pendulums", gravity=(0, -G))
    one, two = m.bar("one", length=length, mass=1.0), m.bar("two", length=length, mass=1.0)
    m.revolute(m.ground.at(0, 0), one.start)
    m.revolute(one.end, two.start)
    for bar, angle in zip((one, two), angles, strict=True):
        m.need(bar.angle, value=float(angle) - 0.5 * np.pi, rate=0.0)
    m.torsion_spring(
        m.angle("elbow", two, reference=one),
        stiffness=hardness,
        damping=drag,
        rest=float(angles[1] - angles[0]),
        name="joint",
    )
    times = random_times(rng, float(10.0 ** rng.uniform(-0.3, 0.7)) / pace * 6.0)
    x = _by_scipy(slope, jacobian, np.array([*angles, 0.0, 0.0]), times)
    exact = with_rate("one.angle", x[0] - 0.5 * np.pi, x[2]) | with_rate("two.angle", x[1] - 0.5 * np.pi, x[3])
    return _case("two bars", m, times, exact, float(np.max(np.abs(x[2:]))), 1.0)


def _rough(rng: Rng) -> tuple[float, float]:
    """Coulomb friction, as a fraction of a load, and the slip speed of its steep part."""
    return float(rng.uniform(0.2, 0.8)), float(10.0 ** rng.uniform(-5.5, -3.0))


def _direction(speed: float, slip_speed: float) -> float:
    """φ of docs/friction.md."""
    x = float(np.clip(speed / slip_speed, -1.0, 1.0))
    return 0.5 * x * (3.0 - x * x)


def blocks(rng: Rng) -> KnownMotion:
    """A block of 1 kg on a spring that a force moves to and fro against steep friction."""
    part, slip_speed = _rough(rng)
    load, pace, hardness = float(rng.uniform(2.0, 10.0)), float(rng.uniform(0.5, 5.0)), float(rng.uniform(1.0, 100.0))
    coulomb, place, speed = part * load, float(rng.uniform(-0.3, 0.3)), float(rng.uniform(-1.0, 1.0))
    m = gr.Mechanism("block")
    block = m.body("block", mass=1.0, inertia=0.1, points={"c": (0, 0)})
    guide = m.prismatic(m.ground.at(0, 0), block.c, axis=(1, 0), name="guide")
    m.spring(m.ground.at(-2, 0), block.c, stiffness=hardness, length=2.0, name="spring")
    m.force(block.c, (f"{load!r}*sin({pace!r}*t)", 0.0))
    m.friction(guide, coulomb=coulomb, slip_speed=slip_speed)
    m.need("block.c.x", value=place, rate=speed)

    def slope(t: float, x: Array) -> Array:
        resistance = coulomb * _direction(x[1], slip_speed)
        return np.array([x[1], load * np.sin(pace * t) - hardness * x[0] - resistance])

    times = random_times(rng, float(rng.uniform(1.0, 6.0)))
    x = _by_scipy(slope, None, np.array([place, speed]), times, ROUGH, ROUGHLY)
    exact = with_rate("block.c.x", x[0], x[1])
    return _case("block", m, times, exact, float(np.max(np.abs(x[1]))), 1.0, ROUGHLY)


def rough_cranks(rng: Rng) -> KnownMotion:
    """A slider-crank on a bushing, with steep friction in the pin of the crank; by Lagrange's equations in the angles
    of crank and rod and the place of the slider."""
    crank, rod, mass_of_crank, mass = 0.2, 0.5, 1.0, 0.5
    hardness, drag = float(10.0 ** rng.uniform(5.0, 6.5)), float(10.0 ** rng.uniform(2.5, 3.5))
    load, pace, begin = float(rng.uniform(2.0, 5.0)), float(rng.uniform(0.7, 5.0)), float(rng.uniform(0.2, 2.9))
    part, slip_speed = _rough(rng)
    coulomb = part * load
    lean = -float(np.arcsin(crank * np.sin(begin) / rod))
    pin = (crank * float(np.cos(begin)), crank * float(np.sin(begin)))
    far = pin[0] + rod * float(np.cos(lean))
    m = gr.Mechanism("crank", gravity=(0, -G))
    one = m.bar("crank", mass=mass_of_crank, start=(0, 0), end=pin)
    two = m.bar("rod", mass=mass, start=pin, end=(far, 0.0))
    joint = m.revolute(m.ground.at(0, 0), one.start)
    m.bushing(one.end, two.start, stiffness=hardness, damping=drag, name="bushing")
    m.slider(m.ground.line((0, 0), (1, 0)), two.end)
    m.torque(one, f"{load!r}*sin({pace!r}*t)")
    m.friction(joint, coulomb=coulomb, slip_speed=slip_speed)
    m.need(one.angle, value=begin, rate=0.0)
    m.need(two.angle, value=lean, rate=0.0)
    m.need("rod.end.x", value=far, rate=0.0)

    def slope(t: float, x: Array) -> Array:
        a, s, b, da, ds, db = x
        u, w = np.array([np.cos(a), np.sin(a)]), np.array([-np.sin(a), np.cos(a)])
        v, z = np.array([np.cos(b), np.sin(b)]), np.array([-np.sin(b), np.cos(b)])
        end = np.array([s, 0.0]) - rod * v
        apart = end - crank * u
        # the dampers are along axes that turn with the crank, on which the force acts at the end of the rod
        turned = da * np.array([-apart[1], apart[0]])
        force = hardness * apart + drag * (np.array([ds, 0.0]) - rod * db * z - crank * da * w - turned)
        torque = load * np.sin(pace * t) - coulomb * _direction(da, slip_speed)
        torque += end[0] * force[1] - end[1] * force[0] - 0.5 * mass_of_crank * G * crank * np.cos(a)
        coupled = 0.5 * mass * rod * np.sin(b)
        inertia = np.array([[mass, coupled], [coupled, mass * rod**2 / 3.0]])
        right = np.array(
            [
                -force[0] - 0.5 * mass * rod * np.cos(b) * db * db,
                rod * float(z @ force) + 0.5 * mass * G * rod * np.cos(b),
            ]
        )
        return np.array([da, ds, db, 3.0 * torque / (mass_of_crank * crank**2), *np.linalg.solve(inertia, right)])

    times = random_times(rng, float(rng.uniform(0.3, 1.5)))
    x = _by_scipy(slope, None, np.array([begin, far, lean, 0.0, 0.0, 0.0]), times, ROUGH, ROUGHLY)
    exact = with_rate("crank.angle", x[0], x[3]) | with_rate("rod.end.x", x[1], x[4])
    largest = max(1.0, float(np.max(np.abs(x[0]))))
    return _case("crank", m, times, exact, float(np.max(np.abs(x[3]))), largest, ROUGHLY)


def _by_scipy(
    slope: Callable[[float, Array], Array],
    jacobian: Callable[[float, Array], Array] | None,
    start: Array,
    times: Array,
    solvers: tuple[tuple[str, float], ...] = RADAU,
    agree: float = AGREE,
) -> Array:
    """The solution by SciPy; NotJudged unless two solvers agree."""
    count = 0

    def counted(t: float, x: Array) -> Array:
        nonlocal count
        count += 1
        if count > DEAREST:
            raise NotJudged("SciPy needs too long")
        return slope(t, x)

    found = [
        solve_ivp(counted, (0.0, float(times[-1])), start, method, times, rtol=tol, atol=tol, jac=jacobian).y
        for method, tol in solvers
    ]
    if np.max(np.abs(found[0] - found[1])) > agree * max(1.0, float(np.max(np.abs(found[1])))):
        raise NotJudged("SciPy's solutions do not agree")
    return np.asarray(found[1])


def _case(
    what: str,
    m: gr.Mechanism,
    times: Array,
    exact: dict[str, Array],
    fastest: float,
    largest: float,
    agree: float = AGREE,
) -> KnownMotion:
    """Rates are judged relative to the largest of all; that of the first moments may be large."""
    scales = {name: max(fastest, 1e-3) if name.endswith(".rate") else largest for name in exact}
    return KnownMotion(what, lambda: m, times, exact, scales, float(times[-1]), floor=3.0 * agree)


SUITE = Cases(
    "stiff-mechanisms",
    {
        "wheels": (1, wheels),
        "parallelograms": (1, parallelograms),
        "pendulums": (1, pendulums),
        "blocks": (1, blocks),
        "rough cranks": (1, rough_cranks),
    },
    mechanisms=300,
    factor=10.0,
    methods=METHODS,
)
