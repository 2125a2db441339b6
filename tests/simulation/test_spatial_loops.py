"""Closed loops in space."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import brentq

import grashof as gr

from .accuracy import CLOSE, TOL, largest

Array = np.ndarray


# -- RSSR: a crank about z, a rocker about x, a coupler on two balls


def rssr() -> gr.Mechanism:
    m = gr.Mechanism("RSSR", gravity=(0, 0, -9.81))
    crank = m.bar("crank", mass=1.0, start=(0, 0, 0), end=(0.2, 0, 0))
    rocker = m.bar("rocker", mass=1.0, start=(0, 1, 0), end=(0, 1, 0.8))
    coupler = m.bar("coupler", mass=0.5, start=(0.2, 0, 0), end=(0, 1, 0.8))
    m.revolute(m.ground.at(0, 0, 0), crank.start, axis=(0, 0, 1))
    m.revolute(m.ground.at(0, 1, 0), rocker.start, axis=(1, 0, 0))
    m.spherical(crank.end, coupler.start)
    m.spherical(coupler.end, rocker.end)
    m.need(m.angle("theta", crank, axis=(0, 0, 1)), value=0.0, rate=9.0)
    return m


LENGTH = math.sqrt(0.2**2 + 1.0 + 0.8**2)


def rssr_points(theta: float, phi: float) -> tuple[Array, Array]:
    """The two balls: crank end and rocker end, φ from upright about +x."""
    crank = 0.2 * np.array([math.cos(theta), math.sin(theta), 0.0])
    rocker = np.array([0.0, 1.0 - 0.8 * math.sin(phi), 0.8 * math.cos(phi)])
    return crank, rocker


def rssr_angle(theta: float) -> float:
    """φ from the coupler's length, on the branch that starts at 0."""

    def gap(phi: float) -> float:
        a, b = rssr_points(theta, phi)
        return float(np.linalg.norm(b - a)) - LENGTH

    return float(brentq(gap, -0.8, 0.8, xtol=1e-15))


def test_an_rssr_loop_goes_where_its_coupler_lets_it_and_keeps_its_energy() -> None:
    run = gr.simulate(rssr(), 3.0, tol=TOL)
    theta = run["theta"]
    assert theta[-1] > 2 * 2 * math.pi
    expected = [rssr_points(x, rssr_angle(x))[1] for x in theta[::50]]
    assert largest(run["rocker.end.y"][::50] - [p[1] for p in expected]) < 1e-9
    assert largest(run["rocker.end.z"][::50] - [p[2] for p in expected]) < 1e-9
    # energy from the crank's angle and rate alone, with dφ/dθ by a central difference of the closed loop
    h = 1e-5
    for k in range(0, 1001, 100):
        phi = rssr_angle(theta[k])
        slope = (rssr_angle(theta[k] + h) - rssr_angle(theta[k] - h)) / (2 * h)
        rate = run["theta.rate"][k]
        va = 0.2 * rate * np.array([-math.sin(theta[k]), math.cos(theta[k]), 0.0])
        vb = 0.8 * slope * rate * np.array([0.0, -math.cos(phi), -math.sin(phi)])
        kinetic = (va @ va + vb @ vb) / 6 + 0.5 / 6 * (va @ va + va @ vb + vb @ vb)
        potential = 9.81 * (1.0 * 0.4 + 0.5 * 0.4) * math.cos(phi)
        assert abs(kinetic + potential - run.energy[0]) < 1e-8  # the difference quotient has 9 digits
    assert largest(run["violation.position"]) < 1e-9


def test_an_rsur_loop_stays_closed() -> None:
    """The coupler hangs on a ball at one end and on a cross at the other: one freedom, whose energy is kept, and a
    cross whose arms stay at right angles."""
    m = gr.Mechanism("RSUR", gravity=(0, 0, -9.81))
    inertia = (0.02, 0.05, 0.05)
    crank = m.body("crank", mass=1.0, center=(0.1, 0, 0), inertia=inertia, points={"o": (0, 0, 0), "p": (0.2, 0, 0)})
    m.guess(crank, (0, 0, 0))
    rocker = m.body(
        "rocker",
        mass=1.0,
        center=(0, 0, 0.4),
        inertia=inertia,
        points={"o": (0, 0, 0), "p": (0, 0, 0.8), "arm": (1, 0, 0.8)},
        position=(0, 1, 0),
    )
    coupler = m.body(
        "coupler",
        mass=0.5,
        center=(-0.1, 0.5, 0.4),
        inertia=(0.1, 0.03, 0.1),
        points={"s": (0, 0, 0), "u": (-0.2, 1, 0.8), "arm": (-0.2, 1.8, -0.2)},
        position=(0.2, 0, 0),
    )
    m.revolute(m.ground.at(0, 0, 0), crank.o, axis=(0, 0, 1))
    m.revolute(m.ground.at(0, 1, 0), rocker.o, axis=(1, 0, 0))
    m.spherical(crank.p, coupler.s)
    m.universal(rocker.p, coupler.u, axis_a=(1, 0, 0), axis_b=(0, 0.8, -1.0))
    m.need(m.angle("theta", crank, axis=(0, 0, 1)), value=0.0, rate=12.0)
    run = gr.simulate(m, 3.0, tol=TOL)
    assert run.status.ok
    assert run["theta"][-1] > 2 * 2 * math.pi
    assert largest(run["balance"]) < 10.0 * CLOSE

    def arm(body: str, end: str) -> Array:
        return np.array([run[f"{body}.arm.{x}"] - run[f"{body}.{end}.{x}"] for x in "xyz"])

    assert largest(np.sum(arm("rocker", "p") * arm("coupler", "u"), axis=0)) < 1e-9
    for x in "xyz":
        assert largest(run[f"rocker.p.{x}"] - run[f"coupler.u.{x}"]) < 1e-12
        assert largest(run[f"crank.p.{x}"] - run[f"coupler.s.{x}"]) < 1e-12
    assert largest(run["violation.position"]) < 1e-9


# -- a planar four-bar, anywhere in space


def four_bar(rotation: Array | None, origin: Array) -> gr.Mechanism:
    """Crank 0.4, coupler 1.1, rocker 0.8, ground 1: in the plane, or in space in the plane that `rotation` makes of
    x and y."""

    def place(x: float, y: float) -> tuple[float, ...]:
        return (x, y) if rotation is None else tuple(origin + rotation @ np.array([x, y, 0.0]))

    gravity = (0.0, -9.81) if rotation is None else tuple(rotation @ np.array([0.0, -9.81, 0.0]))
    m = gr.Mechanism("four-bar", gravity=gravity)
    elbow = (0.0, 0.4)
    # the rocker's end: at 1.1 from the elbow and 0.8 from (1, 0)
    d = math.hypot(1.0, 0.4)
    a = (1.1**2 - 0.8**2 + d * d) / (2 * d)
    h = math.sqrt(1.1**2 - a * a)
    ux, uy = 1.0 / d, -0.4 / d
    shoulder = (a * ux - h * uy, 0.4 + a * uy + h * ux)
    axis = None if rotation is None else rotation[:, 2]
    crank = m.bar("crank", mass=1.0, start=place(0, 0), end=place(*elbow))
    coupler = m.bar("coupler", mass=2.0, start=place(*elbow), end=place(*shoulder))
    rocker = m.bar("rocker", mass=1.5, start=place(1, 0), end=place(*shoulder))
    m.revolute(m.ground.at(*place(0, 0)), crank.start, axis=axis)
    m.revolute(crank.end, coupler.start, axis=axis)
    m.revolute(coupler.end, rocker.end, axis=axis)
    m.revolute(m.ground.at(*place(1, 0)), rocker.start, axis=axis)
    return m


@pytest.mark.parametrize("seed", [1, 2])
def test_a_planar_four_bar_is_the_same_anywhere_in_space(seed: int) -> None:
    rng = np.random.default_rng(seed)
    q, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    rotation, origin = q * np.linalg.det(q), rng.normal(size=3)
    flat = gr.simulate(four_bar(None, origin), 4.0, tol=TOL)
    run = gr.simulate(four_bar(rotation, origin), 4.0, tol=TOL)
    for point in ("crank.end", "rocker.end"):
        here = np.array([run[f"{point}.{x}"] for x in "xyz"]).T - origin
        there = here @ rotation
        assert largest(there[:, 0] - flat[f"{point}.x"]) < 10.0 * CLOSE
        assert largest(there[:, 1] - flat[f"{point}.y"]) < 10.0 * CLOSE
        assert largest(there[:, 2]) < 1e-9
    assert largest(run.energy - run.energy[0] - flat.energy + flat.energy[0]) < 10.0 * CLOSE


# -- Bennett's linkage: four slender bars, axes neither parallel nor meeting; M is singular


class Bennett:
    """Links a, b, a, b with twists α, β, α, β and a/sin α = b/sin β (Bennett, 1903, Engineering 76, 777). The joint
    angles are θ, φ, −θ, −φ with tan(θ/2) tan(φ/2) = sin ½(β + α)/sin ½(β − α)."""

    a, alpha, beta = 1.0, 0.5, 1.1
    b = a * math.sin(beta) / math.sin(alpha)

    def frames(self, theta: float) -> list[Array]:
        """The frame at each axis (x along the next link, z the axis), as 4 × 4 matrices, the first at the origin."""
        ratio = math.sin(0.5 * (self.beta + self.alpha)) / math.sin(0.5 * (self.beta - self.alpha))
        phi = 2.0 * math.atan2(ratio * math.cos(0.5 * theta), math.sin(0.5 * theta))
        frames = [np.eye(4)]
        turns = (theta, phi, -theta, -phi)
        for turn, length, twist in zip(turns, (self.a, self.b) * 2, (self.alpha, self.beta) * 2, strict=True):
            c, s, ct, st = math.cos(turn), math.sin(turn), math.cos(twist), math.sin(twist)
            step = [[c, -s * ct, s * st, length * c], [s, c * ct, -c * st, length * s], [0, st, ct, 0], [0, 0, 0, 1]]
            frames.append(frames[-1] @ np.array(step))
        return frames

    def pins(self, theta: float) -> Array:
        """The four places on the axes where links meet, (4, 3), with the last link held: its ends are fixed points."""
        frames = self.frames(theta)
        # the last link goes from axis 4 back to axis 1: carry everything into the frame that is fixed to it
        last = frames[3] @ _turn(self._last_turn(theta))
        back = np.linalg.inv(last)
        return np.array([(back @ frame)[:3, 3] for frame in frames[:4]])

    def axes(self, theta: float) -> Array:
        frames = self.frames(theta)
        back = np.linalg.inv(frames[3] @ _turn(self._last_turn(theta)))
        return np.array([(back @ frame)[:3, 2] for frame in frames[:4]])

    def _last_turn(self, theta: float) -> float:
        ratio = math.sin(0.5 * (self.beta + self.alpha)) / math.sin(0.5 * (self.beta - self.alpha))
        return -2.0 * math.atan2(ratio * math.cos(0.5 * theta), math.sin(0.5 * theta))

    def inertia(self, theta: float) -> float:
        """J with T = ½ J θ̇²: Σ (m/3)(|p′|² + p′·q′ + |q′|²) over the three moving bars of 1 kg."""
        h = 1e-5
        slope = (self.pins(theta + h) - self.pins(theta - h)) / (2 * h)
        return sum(float(p @ p + p @ q + q @ q) / 3.0 for p, q in pairwise(slope))


def _turn(angle: float) -> Array:
    full = np.eye(4)
    full[:2, :2] = [[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]]
    return full


def bennett(theta: float, rate: float) -> gr.Mechanism:
    linkage = Bennett()
    pins, axes = linkage.pins(theta), linkage.axes(theta)
    m = gr.Mechanism("Bennett", dimension=3)
    bars = [m.bar(f"bar{i}", mass=1.0, start=tuple(pins[i]), end=tuple(pins[i + 1])) for i in range(3)]
    m.revolute(m.ground.at(*pins[0]), bars[0].start, axis=axes[0])
    m.revolute(bars[0].end, bars[1].start, axis=axes[1])
    m.revolute(bars[1].end, bars[2].start, axis=axes[2])
    m.revolute(bars[2].end, m.ground.at(*pins[3]), axis=axes[3])
    m.need(m.angle("turn", bars[0], axis=axes[0]), rate=rate)
    return m


def test_bennett_s_linkage_closes_in_its_own_formula() -> None:
    """The test's own kinematics: after four links the frame is where it began."""
    linkage = Bennett()
    for theta in (0.4, 1.3, 2.5):
        assert largest(linkage.frames(theta)[4] - np.eye(4)) < 1e-12
        assert largest(linkage.pins(theta)[[0, 3]] - linkage.pins(1.0)[[0, 3]]) < 1e-12


def test_bennett_s_linkage_of_slender_bars_moves_as_its_reduced_equation_says() -> None:
    """No forces: J(θ) θ̇² is constant, so t = ∫ √(J(θ)/J(θ₀)) dθ/θ̇₀. One freedom, although Grübler counts −2."""
    begin, rate = 1.0, 1.2
    linkage = Bennett()
    run = gr.simulate(bennett(begin, rate), 2.0, tol=TOL, times=9)
    assert run.status.ok
    sign = 1.0 if run["turn"][-1] > 0 else -1.0
    first = linkage.inertia(begin)
    for t, turned in zip(run.t[1:], run["turn"][1:], strict=True):
        theta = begin + sign * turned
        time, _ = quad(lambda x: math.sqrt(linkage.inertia(x) / first), begin, theta, epsabs=1e-11, epsrel=1e-11)
        assert abs(abs(time) / rate - t) < 1e-7  # J has nine digits from its difference quotient
        pins = linkage.pins(theta)
        k = int(np.argmin(np.abs(run.t - t)))
        for axis, expected in zip("xyz", pins[2], strict=True):
            assert abs(run[f"bar1.end.{axis}"][k] - expected) < 1e-8
    assert largest(run["balance"]) < CLOSE


# -- Bricard's loop


def bricard(thickness: float) -> gr.Mechanism:
    """Six revolute joints on edges of a cube, each axis at right angles to the bars it joins (Bricard, 1897): one
    freedom, one redundant equation everywhere. Bars of 1 m and 1 kg, slender or with a square section."""
    corners = np.array([[0, 0, 0], [1, 0, 0], [1, -1, 0], [1, -1, 1], [0, -1, 1], [0, 0, 1]], float)
    axes = [{"x": (1, 0, 0), "y": (0, 1, 0), "z": (0, 0, 1)}[c] for c in "yzxyzx"]
    m = gr.Mechanism("Bricard", gravity=(0, -9.81, 0))
    links = []
    for i in range(5):
        if thickness == 0.0:
            bar = m.bar(f"bar{i}", mass=1.0, start=tuple(corners[i]), end=tuple(corners[i + 1]))
            links.append((bar.start, bar.end))
            continue
        x = corners[i + 1] - corners[i]
        cross = (1.0 + thickness**2) / 12.0
        moments = np.where(np.abs(x) > 0.5, thickness**2 / 6.0, cross)
        body = m.body(f"bar{i}", mass=1.0, center=0.5 * x, inertia=moments, points={"p": (0, 0, 0), "q": x})
        m.guess(body, corners[i])
        links.append((body.p, body.q))
    m.revolute(m.ground.at(*corners[0]), links[0][0], axis=axes[0])
    for i in range(4):
        m.revolute(links[i][1], links[i + 1][0], axis=axes[i + 1])
    m.revolute(links[4][1], m.ground.at(*corners[5]), axis=axes[5])
    return m


@pytest.mark.parametrize("thickness", [0.0, 0.1])
def test_bricard_s_loop_keeps_its_energy(thickness: float) -> None:
    run = gr.simulate(bricard(thickness), 5.0, tol=1e-9)
    assert run.status.ok
    assert run.program.assembly.redundant >= 1
    assert np.max(run["kinetic"]) > 4.0  # it does move
    assert largest(run["balance"]) < 1e-5
    assert largest(run["violation.position"]) < 1e-7


@pytest.mark.parametrize("thickness", [1e-2, 1e-3, 1e-5])
def test_thin_bars_move_like_slender_ones_and_take_as_many_steps(thickness: float) -> None:
    """Their inertia about their own axis, and with it the difference of the motions, is of the order of the square
    of their thickness."""
    thin, slender = (gr.simulate(bricard(x), 5.0, tol=1e-8, times=51) for x in (thickness, 0.0))
    assert thin.status.ok
    assert slender.status.ok
    for axis in "xyz":
        assert largest(thin[f"bar2.q.{axis}"] - slender[f"bar2.end.{axis}"]) < 20.0 * thickness**2 + 1e-7
    assert thin.steps.counters.steps < 1.2 * slender.steps.counters.steps
