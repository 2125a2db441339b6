"""Rigid contacts with friction against closed forms, an event-by-event solution in SciPy, and Routh's impact as a
differential equation."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import linprog

import grashof as gr
from grashof.common.status import Code
from grashof.motion.trajectory import Trajectory
from grashof.simulation.rough_impacts import impact_sequence, newton_impacts, poisson_impact

G = 9.81
RADIUS, INERTIA = 0.1, 0.4 * 0.01  # of a solid ball of 1 kg
HALF = 0.5  # of a uniform rod of 1 kg


def ball(e: float, mu: float, *, vx: float, spin: float, height: float) -> gr.Mechanism:
    m = gr.Mechanism("ball", gravity=(0, -G))
    body = m.body("ball", mass=1.0, inertia=INERTIA, points={"c": (0, 0)}, position=(0, RADIUS + height))
    start = {"ball.c.x": (0.0, vx), "ball.c.y": (RADIUS + height, 0.0), "ball.angle": (0.0, spin)}
    for name, (value, rate) in start.items():
        m.need(name, value=value, rate=rate)
    floor = m.ground.line((0, 0), (1, 0))
    m.contact(floor, body.circle((0, 0), RADIUS), restitution=e, mu=mu, name="floor")
    return m


def rod(angle: float, rates: tuple[float, float, float], height: float = 0.0, **contact: object) -> gr.Mechanism:
    """A rod, whose lower end is at a height above a floor."""
    m = gr.Mechanism("rod", gravity=(0, -G))
    place = (0.0, HALF * math.sin(angle) + height)
    points = {"c": (0, 0), "low": (-HALF, 0), "high": (HALF, 0)}
    body = m.body("rod", mass=1.0, inertia=HALF**2 / 3.0, points=points, position=place, angle=angle)
    for name, value, rate in zip(("rod.c.x", "rod.c.y", "rod.angle"), (*place, angle), rates, strict=True):
        m.need(name, value=value, rate=rate)
    for end in ("low", "high"):
        m.contact(m.ground.line((0, 0), (1, 0)), body.point(end), name=end, **contact)  # type: ignore[arg-type]
    return m


@pytest.mark.parametrize(("vx", "spin", "mu"), [(1.0, 0.0, 0.1), (-0.2, -30.0, 0.05), (0.3, 3.0, 2.0)])
def test_a_spinning_ball_bounces_as_its_closed_form_says(vx: float, spin: float, mu: float) -> None:
    """Each impact changes the slip velocity by at most 7/2 μ (1 + e) |u|, and does not reverse it."""
    e, height = 0.6, 0.5
    fall = math.sqrt(2.0 * height / G)
    times = [fall * (1.0 + 2.0 * sum(e**j for j in range(1, k + 1))) for k in range(3)]
    after = gr.simulate(ball(e, mu, vx=vx, spin=spin, height=height), times[2] + e**3 * fall, tol=1e-9)
    assert after.status.ok
    np.testing.assert_allclose([x.time for x in after.events], times, rtol=1e-8)
    speed, loss = G * fall, 0.0
    slip = vx + RADIUS * spin
    for _ in range(3):
        largest = 3.5 * mu * (1.0 + e) * speed
        change = -math.copysign(min(abs(slip), largest), slip)
        impulse = change / 3.5
        loss += 0.5 * (1.0 - e * e) * speed**2 - 0.5 * impulse * (2.0 * slip + change)
        vx, spin, slip, speed = vx + impulse, spin + impulse * RADIUS / INERTIA, slip + change, e * speed
    assert after["ball.c.x.rate"][-1] == pytest.approx(vx, abs=1e-8)
    assert after["ball.angle.rate"][-1] == pytest.approx(spin, abs=1e-7)
    assert after["work.floor touch"][-1] == pytest.approx(-loss, rel=1e-7)
    assert np.max(np.abs(after["balance"])) < 1e-7


def test_a_ball_that_slips_begins_to_roll_when_the_closed_form_says() -> None:
    mu = 0.3
    run = gr.simulate(ball(0.5, mu, vx=1.0, spin=0.0, height=0.0), 0.3)
    assert run.status.ok
    assert [event.name for event in run.events] == ["floor touch rest", "floor touch stick"]
    assert run.events[1].time == pytest.approx(2.0 / 7.0 / (mu * G), rel=1e-9)
    assert run["ball.c.x.rate"][-1] == pytest.approx(5.0 / 7.0, rel=1e-9)
    assert run["floor.slide.rate"][-1] == pytest.approx(0.0, abs=1e-12)
    assert run["work.floor"][-1] == pytest.approx(-1.0 / 7.0, rel=1e-8)
    assert run["push.floor touch"][-1] == pytest.approx(G, rel=1e-9)


A, B, M = 0.1, 0.2, 2.0  # of a block: half its width and height, mass
J = M * (A * A + B * B) / 3.0


def block(force: float, mu: float, height: float) -> gr.Mechanism:
    """A block on its two lower corners, pushed sideways."""
    m = gr.Mechanism("block", gravity=(0, -G))
    points = {"c": (0, 0), "l": (-A, -B), "r": (A, -B), "p": (0, height - B)}
    body = m.body("block", mass=M, inertia=J, points=points, position=(0, B))
    for corner in "lr":
        m.contact(m.ground.line((0, 0), (1, 0)), body.point(corner), restitution=0.0, mu=mu, name=corner)
    m.force(body.point("p"), (force, 0))
    for name, value in (("c.x", 0.0), ("c.y", B), ("angle", 0.0)):
        m.need(f"block.{name}", value=value, rate=0.0)
    return m


@pytest.mark.parametrize(("force", "height"), [(5.0, 0.1), (12.0, 0.05), (18.0, 0.1)])
def test_a_block_stays_or_slides(force: float, height: float) -> None:
    mu = 0.5
    run = gr.simulate(block(force, mu, height), 0.3)
    assert run.status.ok
    way = 0.5 * max(force / M - mu * G, 0.0) * 0.09
    assert run["block.c.x"][-1] == pytest.approx(way, abs=1e-9)
    assert run["block.angle"][-1] == pytest.approx(0.0, abs=1e-12)
    # moments about the centre: N_r − N_l from the force and the friction below it
    friction = min(force, mu * M * G)
    apart = (force * (B - height) * -1.0 + friction * B) / A
    assert run["push.r touch"][-1] - run["push.l touch"][-1] == pytest.approx(apart, rel=1e-8)


def corner_in_scipy(force: float, mu: float, height: float, t_end: float) -> tuple[list[float], np.ndarray]:
    """The block that tips about its right corner: it sticks, then slips back (s < 0), then the corner leaves the floor.
    Lagrange multipliers and events, in the coordinates of the centre."""
    local, pushed = np.array([A, -B]), np.array([0.0, height - B])

    def parts(y: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        c, s = math.cos(y[2]), math.sin(y[2])
        turn = np.array([[c, -s], [s, c]])
        arm, lever = turn @ local, turn @ pushed
        rows = np.array([[1.0, 0.0, -arm[1]], [0.0, 1.0, arm[0]]])  # tangential, normal
        load = np.array([force, -M * G, -lever[1] * force])
        return rows, load, -arm * y[5] ** 2, arm

    mass = np.diag([M, M, J])

    def solve(y: np.ndarray, mode: str) -> tuple[np.ndarray, float, float]:
        rows, load, bend, _ = parts(y)
        if mode == "free":
            return np.linalg.solve(mass, load), 0.0, 0.0
        columns = rows if mode == "sticks" else rows[1:] + mu * rows[:1]  # slips back: T = + μ N
        held = rows if mode == "sticks" else rows[1:]
        big = np.block([[mass, -columns.T], [held, np.zeros((len(held), len(held)))]])
        right = np.concatenate([load, -bend if mode == "sticks" else -bend[1:]])
        found = np.linalg.solve(big, right)
        tangential, normal = (found[3], found[4]) if mode == "sticks" else (mu * found[3], found[3])
        return found[:3], float(tangential), float(normal)

    def event(mode: str) -> Callable[[float, np.ndarray], float]:
        def margin(_: float, y: np.ndarray) -> float:
            _, tangential, normal = solve(y, mode)
            return mu * normal - abs(tangential) if mode == "sticks" else normal

        margin.terminal, margin.direction = True, -1.0  # type: ignore[attr-defined]
        return margin

    y, t, times = np.array([0.0, B, 0.0, 0.0, 0.0, 0.0]), 0.0, []
    for mode in ("sticks", "slips", "free"):
        events = [event(mode)] if mode != "free" else []

        def rates(_: float, z: np.ndarray, mode: str = mode) -> np.ndarray:
            return np.concatenate([z[3:], solve(z, mode)[0]])

        found = solve_ivp(rates, (t, t_end), y, "DOP853", rtol=1e-12, atol=1e-13, events=events or None)
        y, t = found.y[:, -1], float(found.t[-1])
        if t >= t_end:
            break
        times.append(t)
    return times, y


def test_a_block_tips_slips_and_leaves_as_an_event_by_event_solution_says() -> None:
    run = gr.simulate(block(30.0, 0.5, 0.3), 0.3, tol=1e-9)
    assert run.status.ok
    assert [event.name for event in run.events] == ["r touch rest", "r touch slip", "r touch release"]
    times, last = corner_in_scipy(30.0, 0.5, 0.3, 0.3)
    np.testing.assert_allclose([event.time for event in run.events[1:]], times, rtol=1e-7)
    names = ("c.x", "c.y", "angle", "c.x.rate", "c.y.rate", "angle.rate")
    np.testing.assert_allclose([run[f"block.{name}"][-1] for name in names], last, rtol=1e-7)
    assert np.max(np.abs(run["balance"])) < 1e-6


def delassus(angle: float) -> np.ndarray:
    """W of the lower end of the rod."""
    x, y = -HALF * math.cos(angle), -HALF * math.sin(angle)
    g = np.array([[0.0, 1.0, x], [1.0, 0.0, -y]])
    return g @ np.diag([1.0, 1.0, 3.0 / HALF**2]) @ g.T


@pytest.mark.parametrize("law", ["newton", "poisson"])
def test_one_end_of_a_rod_strikes_a_rough_floor(law: str) -> None:
    """The slip reverses in the impact, so that the two laws differ."""
    angle, e, mu, rates = 1.0, 0.5, 0.25, (0.1, -1.0, 0.3)
    run = gr.simulate(rod(angle, rates, 1e-9, restitution=e, mu=mu, impact=law), 1e-5, tol=1e-10)
    x, y = -HALF * math.cos(angle), -HALF * math.sin(angle)
    before = np.array([rates[1] + x * rates[2], rates[0] - y * rates[2]])
    w = delassus(angle)
    if law == "newton":  # it slips forward or back at the end, or sticks; here back, by trial
        share = np.array([1.0, -mu * -1.0])
        impulses = -(1.0 + e) * before[0] / float(w[0] @ share) * share
        assert (before + w @ impulses)[1] < 0.0
    else:  # Routh's differential equation, with a friction that is smooth over a very small speed

        def change(_: float, v: np.ndarray) -> np.ndarray:
            return w @ np.array([1.0, -mu * math.tanh(v[1] / 1e-7)])

        def opens(_: float, v: np.ndarray) -> float:
            return float(v[0])

        opens.terminal = True  # type: ignore[attr-defined]
        first = solve_ivp(change, (0.0, 10.0), before, "Radau", rtol=1e-9, atol=1e-12, events=opens)
        end = (1.0 + e) * float(first.t[-1])
        after = solve_ivp(change, (0.0, end), before, "Radau", rtol=1e-9, atol=1e-12).y[:, -1]
        impulses = np.linalg.solve(w, after - before)
    assert run.status.ok
    moved = np.array([rates[0] + impulses[1], rates[1] + impulses[0], rates[2]])
    moved[2] += 3.0 / HALF**2 * (x * impulses[0] - y * impulses[1])
    found = [run[f"rod.{name}.rate"][-1] for name in ("c.x", "c.y", "angle")]
    np.testing.assert_allclose(found, moved, atol=2e-4 if law == "poisson" else 1.1e-4)  # g t
    work = 0.5 * float(impulses @ (2.0 * before + w @ impulses))
    assert run["work.low touch"][-1] == pytest.approx(work, rel=1e-4)


def test_newton_may_gain_energy_and_poisson_does_not() -> None:
    """Kane's paradox: with Newton's law the run is doubtful, and says what to do."""
    angle, mu, e = 0.741, 1.4, 0.98
    # the velocity of the lower end that gains most: 0.966 m/s down and 0.654 m/s along
    rates = (0.654, -0.966, 0.0)
    doubtful = gr.simulate(rod(angle, rates, 1e-9, restitution=e, mu=mu), 0.01)
    assert doubtful.status.code.name == "IMPACT_GAINS_ENERGY"
    assert doubtful["work.low touch"][-1] > 0.01
    run = gr.simulate(rod(angle, rates, 1e-9, restitution=e, mu=mu, impact="poisson"), 0.01)
    assert run.status.ok
    assert run["work.low touch"][-1] < 0.0


def test_impacts_are_unique_and_poissons_never_gain_energy() -> None:
    rng = np.random.default_rng(0)
    for _ in range(1500):
        w = delassus(rng.uniform(0.05, 1.5))
        mu, e = rng.uniform(0.01, 2.0), rng.uniform()
        before = np.array([-rng.uniform(0.01, 1.0), rng.uniform(-2.0, 2.0)])
        (newton,) = newton_impacts(w, before, [mu], [e])
        assert (before + w @ newton)[0] == pytest.approx(-e * before[0], abs=1e-12)
        poisson = poisson_impact(w, before, mu, e)
        assert poisson is not None
        assert poisson @ (2.0 * before + w @ poisson) < 1e-12
        for impulses in (newton, poisson):
            assert abs(impulses[1]) <= mu * impulses[0] * (1.0 + 1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_energy_never_increases(seed: int) -> None:
    """A rod thrown at a floor, with bounces of both ends until it lies there."""
    rng = np.random.default_rng(seed)
    e, mu = rng.uniform(0.0, 0.6), rng.uniform(0.1, 0.8)
    rates = (float(rng.uniform(-1, 1)), -0.5, float(rng.uniform(-5, 5)))
    run = gr.simulate(rod(float(rng.uniform(0.2, 1.2)), rates, 0.2, restitution=e, mu=mu), 1.2, tol=1e-7)
    assert run.status.reached
    assert run.status.ok or run.status.code.name in ("IMPACTS_UNDETERMINED", "IMPACT_GAINS_ENERGY")
    if run.status.code.name != "IMPACT_GAINS_ENERGY":
        assert np.max(np.diff(run["energy"])) < 1e-6
    for end in ("low", "high"):
        assert np.min(run[f"{end}.gap"]) > -1e-7
        assert np.min(run[f"push.{end} touch"]) > -1e-6
    assert np.max(np.abs(run["balance"])) < 1e-5


def test_what_jams_is_no_success() -> None:
    """A rod that is pushed on a very rough floor has no accelerations (Painlevé)."""
    run = gr.simulate(rod(1.1, (-1.0, 0.0, 0.0), restitution=0.0, mu=2.0), 0.1)
    assert run.status.code.name == "FRICTION_UNDETERMINED"
    assert gr.simulate(rod(1.1, (-1.0, 0.0, 0.0), restitution=0.0, mu=0.5), 0.1).status.ok


def slider(turned: float, t_end: float, **contact: object) -> Trajectory:
    """A slider on a long pin, thrown at the lower one of two walls, between which it has room to turn a little."""
    m = gr.Mechanism("slider", gravity=(0, -G))
    corners = {"ll": (-0.05, -0.025), "lr": (0.05, -0.025), "ul": (-0.05, 0.025), "ur": (0.05, 0.025)}
    body = m.body("slider", mass=0.1, inertia=1e-5, points={"c": (0, 0), **corners})
    for name, (_, y) in corners.items():
        wall = m.ground.line((0, -0.026), (1, -0.026)) if y < 0 else m.ground.line((1, 0.026), (0, 0.026))
        m.contact(wall, body.point(name), restitution=0.4, mu=0.05, name=name, **contact)  # type: ignore[arg-type]
    for name, value, rate in (("c.x", 0.0, 1.0), ("c.y", 0.0, -0.5), ("angle", turned, 0.0)):
        m.need(f"slider.{name}", value=value, rate=rate)
    return gr.simulate(m, t_end)


def test_corners_that_clatter_against_a_wall_come_to_rest_with_all_impacts_together() -> None:
    """The impacts of two corners of a slender body accumulate within 1e-13 m of the wall, while the body still moves:
    the rest of them happens at once. However small its turn was, and whichever corner begins, it ends at rest."""
    ends = []
    for turned in (5e-3, 1e-5, 0.0, -1e-5):
        run = slider(turned, 0.02)
        assert run.status.ok, run.status
        rests = [event.time for event in run.events if event.name.endswith("rest")]
        assert len(rests) == 2
        assert rests[0] == pytest.approx(rests[1], abs=1e-9)
        assert run["slider.c.y"][-1] == pytest.approx(-1e-3, abs=1e-12)
        ends.append(run["slider.c.x"][-1])
    assert ends[1] == pytest.approx(ends[2], abs=1e-7)
    assert ends[3] == pytest.approx(ends[2], abs=1e-7)
    # all impulses together stop the fall at u, so that friction takes μ u of the slip
    fall = math.sqrt(0.25 + 2.0 * G * 1e-3)
    assert run["slider.c.x.rate"][-1] == pytest.approx(1.0 - 0.05 * (fall + G * (0.02 - (fall - 0.5) / G)), abs=1e-6)


def test_moreaus_law_lets_corners_that_are_hit_at_once_rebound_together() -> None:
    run = slider(0.0, 0.003, impact="moreau")
    assert run.status.ok
    assert "'moreau'" in str(run.status)
    fall = math.sqrt(0.25 + 2.0 * G * 1e-3)
    since = 0.003 - (fall - 0.5) / G
    assert run["slider.c.y"][-1] == pytest.approx(-1e-3 + 0.4 * fall * since - 0.5 * G * since**2, abs=1e-9)
    assert run["slider.angle"][-1] == pytest.approx(0.0, abs=1e-12)


def test_a_sequence_of_impacts_has_the_sum_of_its_terms() -> None:
    """Against the same impacts, one after another until nothing is left."""
    w = np.zeros((4, 4))
    for i, arm in enumerate((-0.05, 0.05)):
        for k, other in enumerate((-0.05, 0.05)):
            rows = np.array([[1.0, 0.0, arm], [0.0, 1.0, 0.025]])
            others = np.array([[1.0, 0.0, other], [0.0, 1.0, 0.025]])
            w[2 * i : 2 * i + 2, 2 * k : 2 * k + 2] = rows @ np.diag([10.0, 10.0, 1e5]) @ others.T
    for before in (np.array([-0.5, 1.0, -0.5, 1.0]), np.array([-0.9, 2.0, 0.3, 2.0])):
        found = impact_sequence(w, before, [0.05] * 2, [0.4] * 2, [0, 1])
        total, velocity = np.zeros(4), before.copy()
        for k in range(100_000):
            i = k % 2
            if velocity[2 * i] < 0.0:
                pulse = -1.4 * velocity[2 * i] / (w[2 * i, 2 * i] - 0.05 * w[2 * i, 2 * i + 1])
                step = np.zeros(4)
                step[2 * i : 2 * i + 2] = pulse, -0.05 * pulse
                total, velocity = total + step, velocity + w @ step
        assert found is not None
        np.testing.assert_allclose(found, total, rtol=1e-7)


@pytest.mark.parametrize("share", [0.3, 0.6, 0.95, 1.05])
def test_two_corners_bear_friction_together(share: float) -> None:
    """A block that is pushed by less than μ m g stays at once, although one corner alone could not hold it."""
    m = gr.Mechanism("block", gravity=(0.0, -G))
    points = {"left": (-0.5, -0.1), "right": (0.5, -0.1), "middle": (0.0, -0.1)}
    block = m.body("block", mass=2.0, inertia=0.2, points=points, position=(0.0, 0.1))
    for corner in (block.left, block.right):
        m.contact(m.ground.line((0.0, 0.0), (1.0, 0.0)), corner, restitution=0.0, mu=0.5, name=corner.name)
    m.force(block.middle, (share * 0.5 * 2.0 * G, 0.0))
    run = gr.simulate(m, 1.0)
    assert run.status.ok
    assert len(run.events) == 2  # they rest from the start
    assert run["block.middle.x"][-1] == pytest.approx(0.5 * max(share - 1.0, 0.0) * 0.5 * G, abs=1e-9)


def test_corners_that_hold_together_slip_when_both_are_overcome() -> None:
    m = gr.Mechanism("block", gravity=(0.0, -G))
    points = {"left": (-0.5, -0.1), "right": (0.5, -0.1), "middle": (0.0, -0.1)}
    block = m.body("block", mass=2.0, inertia=0.2, points=points, position=(0.0, 0.1))
    for corner in (block.left, block.right):
        m.contact(m.ground.line((0.0, 0.0), (1.0, 0.0)), corner, restitution=0.0, mu=0.5, name=corner.name)
    m.force(block.middle, (f"{0.5 * 2.0 * G!r}*t", 0.0))
    run = gr.simulate(m, 1.5)
    assert run.status.ok
    assert run["block.middle.x"][-1] == pytest.approx(0.5 * G * 0.5**3 / 6.0, rel=1e-5)


@pytest.mark.parametrize("seed", range(6))
def test_three_corners_stand_where_friction_can_hold_them(seed: int) -> None:
    """Whether forces of the corners exist that balance the load is a linear program.

    With equal coefficients of friction it does not matter how the corners share the load, which is not determined.
    """
    rng = np.random.default_rng([seed, 8])
    x, mu = rng.uniform(-1.0, 1.0, 3), np.full(3, rng.uniform(0.1, 1.2))
    load, at = rng.normal(size=2) * 5.0 + (0.0, -15.0), rng.uniform(-0.5, 0.5, 2)
    m = gr.Mechanism("block")
    corners = {f"c{i}": (float(x[i]), -0.3) for i in range(3)}
    block = m.body("block", mass=2.0, inertia=0.5, points={**corners, "p": tuple(at.tolist()), "o": (0.0, 0.0)})
    for name, friction in zip(corners, mu.tolist(), strict=True):
        m.contact(m.ground.line((0.0, -0.3), (1.0, -0.3)), block.point(name), restitution=0.0, mu=friction, name=name)
    m.force(block.p, tuple(load.tolist()))
    run = gr.simulate(m, 0.05, times=3)
    assert run.status.ok
    moved = max(float(np.ptp(run[name])) for name in ("block.o.x", "block.o.y", "block.angle"))
    # pushes N and frictions T balance force and moment, N ≥ 0, |T| ≤ μ N
    balance = np.array([[0.0] * 3 + [1.0] * 3, [1.0] * 3 + [0.0] * 3, [*x, 0.3, 0.3, 0.3]])
    cone = np.block([[-np.diag(mu), np.eye(3)], [-np.diag(mu), -np.eye(3)]])
    loaded = [-load[0], -load[1], -(at[0] * load[1] - at[1] * load[0])]
    held = linprog(np.zeros(6), cone, np.zeros(6), balance, loaded, bounds=[(0, None)] * 3 + [(None, None)] * 3)
    assert (moved < 1e-9) == (held.status == 0)
    assert len(run.events) <= 4


def test_a_block_on_three_corners_tips_about_the_last_one() -> None:
    """The corner that carried no load does so when it has to."""
    m = gr.Mechanism("block", gravity=(0.0, -G))
    points = {"a": (-0.5, -0.1), "b": (0.2, -0.1), "c": (0.5, -0.1)}
    block = m.body("block", mass=2.0, inertia=0.2, points=points, position=(0.0, 0.1))
    for name in points:
        m.contact(m.ground.line((0.0, 0.0), (1.0, 0.0)), block.point(name), restitution=0.0, mu=2.0, name=name)
    m.torque(block, f"-{0.5 * 2.0 * G!r}*t")
    run = gr.simulate(m, 1.1)
    assert run.status.ok
    assert np.max(np.abs(run["block.angle"][run.t < 1.0])) < 1e-9
    about_corner = 0.2 + 2.0 * (0.5**2 + 0.1**2)
    assert run["block.angle"][-1] == pytest.approx(-0.5 * 2.0 * G * 0.1**3 / 6.0 / about_corner, rel=1e-2)


@pytest.mark.parametrize(("share", "determined"), [(0.05, True), (0.4, False), (1.2, True)])
def test_corners_of_unlike_friction_do_not_determine_how_they_share_a_load(share: float, determined: bool) -> None:
    """A block on three corners, of which the middle one has μ = 0.9 and the others 0.1.

    The corners can bear between 0.1 m g (none of it in the middle) and 0.9 m g (all of it there): below, the block
    stays however they share the load, above, it slips; between, it may do both. That the push acts at the height of
    the floor leaves the moments alone.
    """
    m = gr.Mechanism("block", gravity=(0.0, -G))
    points = {"a": (-0.5, -0.1), "b": (0.0, -0.1), "c": (0.5, -0.1)}
    block = m.body("block", mass=2.0, inertia=0.2, points=points, position=(0.0, 0.1))
    for name in points:
        mu = 0.9 if name == "b" else 0.1
        m.contact(m.ground.line((0.0, 0.0), (1.0, 0.0)), block.point(name), restitution=0.0, mu=mu, name=name)
    m.force(block.b, (share * 2.0 * G, 0.0))
    run = gr.simulate(m, 0.1)
    if determined and share < 1.0:
        assert run.status.ok
        assert np.ptp(run["block.b.x"]) < 1e-9
    else:  # where it slips, its friction depends on how the load is shared
        assert run.status.doubt is Code.FRICTION_UNDETERMINED
