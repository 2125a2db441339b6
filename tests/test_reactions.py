"""Joint reactions are what Newton's and Euler's equations ask of the joints, and the report says which of them are unique."""

from __future__ import annotations

import math
from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from scipy.integrate import simpson

from grashof.errors import ModelError
from grashof.model.measures import Angle
from grashof.model.mechanism import Mechanism
from grashof.model.model import Model
from grashof.problems.andrews import PROBLEM as ANDREWS
from grashof.reactions import Reactions, reactions
from grashof.simulation import simulate
from grashof.system.system import compile_system
from grashof.trajectory import Trajectory

from .analysis.test_mobility import bricard
from .dynamics.mechanisms import Structure, build_model, planar, redundant, spatial
from .dynamics.newton_euler import BodyCoordinates, skew
from .dynamics.test_newton_euler import (
    admissible_velocities,
    converged,
    coordinates_of,
    guessed_poses,
    rank_of,
    with_fitting_motors,
)

Array = np.ndarray

G = 9.81

DIGITS = 1e-8
"""Relative to the largest reaction. Accelerations carry a trace of ε = 1e-10 (1e-8 where constraints are redundant), squared by
one refinement, times what the mechanism's own dimensions make of it."""


RUN = 1e-7
"""The same for what depends on where the run has got to, at tolerances of 1e-8 and below."""

AGREEMENT = 1e-8
"""Between two dense solutions of mechanisms whose equations have a condition below 1e5, relative to the largest reaction."""


def largest(found: Reactions) -> float:
    """The largest component, moments divided by ℓ."""
    return float(np.max(np.abs(found.efforts)))


# -- closed forms


def test_the_pin_of_a_pendulum_bears_weight_and_centripetal_force() -> None:
    mass, length = 2.0, 0.8
    m = Mechanism("pendulum", gravity=(0.0, -G))
    rod = m.bar("rod", length=length, mass=mass)
    m.revolute(m.ground.at(0, 0), rod.start, name="pin")
    m.need(rod.angle, value=0.3)
    run = simulate(m, 2.0, tol=1e-8)
    angle, rate = run["rod.angle"], run["rod.angle.rate"]
    along, across = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
    # θ̈ = −3 g cos θ / 2 l, and the centre of mass is at half the length
    centre = -0.5 * length * rate**2 * along - 0.75 * G * np.cos(angle) * across
    expected = mass * (centre + np.array([[0.0], [G]]))
    found = reactions(run)
    assert np.max(np.abs(found.joints["pin"][:, :2].T - expected)) < DIGITS * np.max(np.abs(expected))
    assert not np.any(found["pin.mz"])
    assert found.unique == {"pin": True}


def test_two_supports_share_the_load_of_a_beam_by_the_lever_rule() -> None:
    m = Mechanism("beam", gravity=(0.0, -10.0))
    beam = m.bar("beam", start=(0.0, 0.0), end=(4.0, 0.0), mass=3.0)
    m.revolute(m.ground.at(0, 0), beam.start, name="left")
    m.slider(m.ground.line((4, 0), (5, 0)), beam.end, name="right")
    m.force(beam.at(1, 0), (2.0, -8.0))
    found = reactions(simulate(m, 1.0, times=2))
    assert found.joints["left"][0] == pytest.approx([-2.0, 15.0 + 6.0, 0.0], abs=1e-12)
    assert found.joints["right"][0] == pytest.approx([0.0, 15.0 + 2.0, 0.0], abs=1e-12)
    assert all(found.unique.values())


def test_a_beam_pinned_at_both_ends_can_be_stretched_by_its_supports() -> None:
    m = Mechanism("beam", gravity=(0.0, -10.0))
    beam = m.bar("beam", start=(0.0, 0.0), end=(4.0, 0.0), mass=3.0)
    m.revolute(m.ground.at(0, 0), beam.start, name="left")
    m.revolute(m.ground.at(4, 0), beam.end, name="right")
    pendulum = m.bar("pendulum", start=(4.0, 0.0), end=(4.0, -1.0), mass=1.0)
    m.revolute(beam.end, pendulum.start, name="hook")
    m.force(beam.start, (6.0, 0.0))
    found = reactions(simulate(m, 1.0, times=2))
    assert found.not_unique == ("left.fx", "right.fx")
    assert found.unique == {"left": False, "right": False, "hook": True}
    # the least Σ f² with f_left + f_right = −6
    assert found["left.fx"][0] == pytest.approx(-3.0, abs=1e-12)
    assert found["right.fx"][0] == pytest.approx(-3.0, abs=1e-12)
    assert found["right.fy"][0] == pytest.approx(15.0 + 10.0, abs=1e-12)


def test_the_weld_of_a_cantilever_bears_the_pendulum_at_its_tip() -> None:
    length, rod_length, mass, rod_mass = 4.0, 1.0, 3.0, 1.0
    m = Mechanism("cantilever", gravity=(0.0, -G))
    beam = m.bar("beam", start=(0.0, 0.0), end=(length, 0.0), mass=mass)
    rod = m.bar("rod", start=(length, 0.0), end=(length + rod_length, 0.0), mass=rod_mass)
    m.weld(m.ground.at(0, 0), beam.start, name="wall")
    m.revolute(beam.end, rod.start, name="tip")
    run = simulate(m, 1.0, tol=1e-8)
    # released from the horizontal: ω² = 3 g s / l at the depth l s
    s, c = -np.sin(run["rod.angle"]), np.cos(run["rod.angle"])
    at_tip = rod_mass * G * np.array([-2.25 * s * c, 1.0 + 1.5 * s**2 - 0.75 * c**2])
    found = reactions(run)
    expected = np.array([at_tip[0], at_tip[1] + mass * G, length * at_tip[1] + 0.5 * length * mass * G])
    assert np.max(np.abs(found.joints["tip"][:, :2].T - at_tip)) < RUN * np.max(np.abs(at_tip))
    assert np.max(np.abs(found.joints["wall"].T - expected)) < RUN * np.max(np.abs(expected))


def test_a_massless_link_is_a_two_force_member() -> None:
    m = Mechanism("pendulum on a massless rod", gravity=(0.0, -G))
    rod = m.bar("rod", start=(0.0, 0.0), end=(0.6, -0.8))
    bob = m.body("bob", mass=2.0, inertia=0.1, points={"hook": (0.0, 0.0)}, position=(0.6, -0.8))
    m.revolute(m.ground.at(0, 0), rod.start, name="top")
    m.revolute(rod.end, bob.hook, name="bottom")
    run = simulate(m, 1.5, tol=1e-8)
    found = reactions(run)
    along = np.array([run["rod.end.x"], run["rod.end.y"]])
    speed = np.array([run["rod.end.x.rate"], run["rod.end.y.rate"]])
    # m v²/l + m g cos along the rod of 1 m, towards its upper end
    pull = 2.0 * (np.sum(speed**2, axis=0) - G * along[1])
    for joint in ("top", "bottom"):
        assert np.max(np.abs(found.joints[joint][:, :2].T + pull * along)) < DIGITS * largest(found)


@pytest.mark.parametrize("start", [(0.0, 0.0, 0.0), (0.3, -0.2, 1.0)])
def test_two_hinges_share_the_weight_of_a_door_equally(start: tuple[float, float, float]) -> None:
    x, y, z = start
    m = Mechanism("door", gravity=(0.0, 0.0, -G))
    door = m.body(
        "door",
        mass=20.0,
        center=(0.4, 0.0, 1.0),
        inertia=(7.0, 8.0, 1.2),
        points={"low": (0.0, 0.0, 0.5), "high": (0.0, 0.0, 1.5)},
        position=start,
    )
    m.revolute(m.ground.at(x, y, z + 0.5), door.low, axis=(0, 0, 1), name="low")
    m.revolute(m.ground.at(x, y, z + 1.5), door.high, axis=(0, 0, 1), name="high")
    found = reactions(simulate(m, 1.0, times=2))
    assert found["low.fz"][0] == pytest.approx(10.0 * G)
    assert found["high.fz"][0] == pytest.approx(10.0 * G)
    assert found.stresses[0] == 5
    assert "low.fz" in found.not_unique
    assert "low.mz" not in found.not_unique


# -- a driven slider-crank against Newton and Euler by hand


@dataclass(frozen=True)
class SliderCrank:
    """A crank turning at a constant rate ω drives a slider along x by a rod; motion and forces from textbook formulas."""

    r: float = 0.2
    l: float = 0.5
    crank_mass: float = 1.0
    rod_mass: float = 0.6
    slider_mass: float = 2.0
    omega: float = 7.0

    def run(self) -> Trajectory:
        m = Mechanism("slider-crank", gravity=(0.0, -G))
        crank = m.bar("crank", start=(0.0, 0.0), end=(self.r, 0.0), mass=self.crank_mass)
        rod = m.bar("rod", start=(self.r, 0.0), end=(self.r + self.l, 0.0), mass=self.rod_mass)
        block = m.body(
            "block", mass=self.slider_mass, inertia=0.01, points={"pin": (0.0, 0.0)}, position=(self.r + self.l, 0.0)
        )
        m.revolute(m.ground.at(0, 0), crank.start, name="O")
        m.revolute(crank.end, rod.start, name="A")
        m.revolute(rod.end, block.pin, name="B")
        m.slider(m.ground.line((0, 0), (1, 0)), block.line((0, 0), (1, 0)), name="guide")
        m.motor(crank, f"{self.omega!r}*t", name="drive")
        return simulate(m, 2.0, tol=1e-9, times=801)

    def forces(self, t: Array) -> dict[str, Array]:
        """By name: sin φ = (r/l) sin θ gives the rod's angle −φ; then the balances of slider, rod and crank, one by one."""
        r, l, w = self.r, self.l, self.omega
        s, c = np.sin(w * t), np.cos(w * t)
        sf = r / l * s
        cf = np.sqrt(1.0 - sf**2)
        f1 = r * w * c / (l * cf)
        f2 = (-r * w**2 * s + l * f1**2 * sf) / (l * cf)
        crank_pin = np.array([-r * w**2 * c, -r * w**2 * s])
        rod_centre = crank_pin + 0.5 * l * np.array([-f2 * sf - f1**2 * cf, -f2 * cf + f1**2 * sf])
        block = -r * w**2 * c - l * (f2 * sf + f1**2 * cf)

        # x: block, then rod; moments of the rod about A give the vertical force at B
        bx = self.slider_mass * block
        ax = self.rod_mass * rod_centre[0] + bx
        inertia = -self.rod_mass * l**2 / 12.0 * f2
        lever = np.array([0.5 * l * cf, -0.5 * l * sf])
        moment = inertia + self.rod_mass * (lever[0] * (rod_centre[1] + G) - lever[1] * rod_centre[0])
        by = -(moment + l * sf * bx) / (l * cf)  # moment = (B − A) × (−bx, −by) with B − A = l (cos φ, −sin φ)
        ay = self.rod_mass * (rod_centre[1] + G) + by
        crank_centre = 0.5 * crank_pin
        ox = self.crank_mass * crank_centre[0] + ax
        oy = self.crank_mass * (crank_centre[1] + G) + ay
        torque = r * (c * ay - s * ax) + self.crank_mass * 0.5 * r * c * G
        return {
            "O.fx": ox,
            "O.fy": oy,
            "A.fx": ax,
            "A.fy": ay,
            "B.fx": bx,
            "B.fy": by,
            "guide.fy": self.slider_mass * G - by,
            "drive.torque": torque,
        }


def test_a_driven_slider_crank_obeys_the_textbook() -> None:
    engine = SliderCrank()
    found = reactions(engine.run())
    for name, expected in engine.forces(found.t).items():
        size = found.length if found.unit(name) == "N m" else 1.0
        assert np.max(np.abs(found[name] - expected)) / size < RUN * largest(found), name
    assert np.max(np.abs(found["guide.fx"])) < DIGITS * largest(found)
    assert not found.not_unique


def test_the_work_of_a_motor_is_its_torque_along_its_angle() -> None:
    run = SliderCrank().run()
    torque = reactions(run)["drive.torque"]
    work = simpson(torque * run["crank.angle.rate"], x=run.t)
    # the run integrates the motor's own multiplier; Simpson's rule with 180 intervals a turn errs by less
    assert work == pytest.approx(run["work.drive"][-1], abs=1e-6 * np.max(np.abs(run["work.drive"])))


# -- redundant constraints


AXES = np.array([[2.0, -1.0, 2.0], [2.0, 2.0, -1.0], [-1.0, 2.0, 2.0]]) / 3.0
"""World axes that no mechanism was drawn in."""


def four_bar(axes: Array) -> Trajectory:
    """A four-bar in a plane of space, pulled askew by a force on its rod and driven by gravity in the plane."""

    def place(x: float, y: float) -> tuple[float, ...]:
        return tuple(axes.T @ np.array([x, y, 0.0]))

    m = Mechanism("four-bar", gravity=tuple(axes.T @ np.array([0.0, -G, 0.0])))
    corners = [place(0.0, 0.0), place(0.1, 0.4), place(0.9, 0.7), place(1.0, 0.0)]
    names = ("crank", "rod", "rocker")
    bars = [m.bar(name, start=corners[i], end=corners[i + 1], mass=1.0 + i) for i, name in enumerate(names)]
    axis = tuple(axes[2])
    m.revolute(m.ground.at(*corners[0]), bars[0].start, axis=axis, name="A")
    m.revolute(bars[0].end, bars[1].start, axis=axis, name="B")
    m.revolute(bars[1].end, bars[2].start, axis=axis, name="C")
    m.revolute(m.ground.at(*corners[3]), bars[2].end, axis=axis, name="D")
    m.force(bars[1].at(0.3, 0.0, 0.0), tuple(axes.T @ np.array([1.0, 2.0, 3.0])))
    return simulate(m, 1.0, tol=1e-8, times=21)


def flat_four_bar() -> Trajectory:
    """The same in the plane."""
    m = Mechanism("four-bar", gravity=(0.0, -G))
    corners = [(0.0, 0.0), (0.1, 0.4), (0.9, 0.7), (1.0, 0.0)]
    names = ("crank", "rod", "rocker")
    bars = [m.bar(name, start=corners[i], end=corners[i + 1], mass=1.0 + i) for i, name in enumerate(names)]
    m.revolute(m.ground.at(*corners[0]), bars[0].start, name="A")
    m.revolute(bars[0].end, bars[1].start, name="B")
    m.revolute(bars[1].end, bars[2].start, name="C")
    m.revolute(m.ground.at(*corners[3]), bars[2].end, name="D")
    m.force(bars[1].at(0.3, 0.0), (1.0, 2.0))
    return simulate(m, 1.0, tol=1e-8, times=21)


def test_in_space_a_planar_four_bar_bears_what_it_bears_in_the_plane_and_out_of_it_nothing_is_unique() -> None:
    spatial_, flat = reactions(four_bar(np.eye(3))), reactions(flat_four_bar())
    for joint in "ABCD":
        for component in ("fx", "fy"):
            name = f"{joint}.{component}"
            assert np.max(np.abs(spatial_[name] - flat[name])) < RUN * largest(flat)
    assert set(spatial_.not_unique) == {f"{joint}.{c}" for joint in "ABCD" for c in ("fz", "mx", "my")}
    assert not flat.not_unique
    assert set(spatial_.stresses) == {3}


def test_reactions_do_not_depend_on_the_world_axes() -> None:
    straight, turned = reactions(four_bar(np.eye(3))), reactions(four_bar(AXES))
    for joint in "ABCD":
        for part in (slice(0, 3), slice(3, 6)):
            back = turned.joints[joint][:, part] @ AXES.T
            assert np.max(np.abs(back - straight.joints[joint][:, part])) < RUN * largest(straight)
    assert set(turned.stresses) == {3}


def test_bricard_s_loop_can_be_stressed_in_one_way_wherever_it_is() -> None:
    m = bricard()
    m.gravity = (0.3, -G, 0.5)
    found = reactions(simulate(m, 2.0, tol=1e-4, times=41))
    assert set(found.stresses) == {1}
    assert not any(found.unique.values())
    assert np.max(found.residual) < DIGITS * largest(found)


def test_motors_that_drive_one_freedom_share_the_work() -> None:
    """Two motors on one shaft: their torques are not unique, their sum is."""
    m = Mechanism("two motors", gravity=(0.0, -G))
    arm = m.bar("arm", start=(0.0, 0.0), end=(1.0, 0.0), mass=2.0)
    m.revolute(m.ground.at(0, 0), arm.start, name="shaft")
    m.motor(arm, "0.5*t*t", name="first")
    m.motor(m.angle("shaft angle", arm), "0.5*t*t", name="second")
    found = reactions(simulate(m, 1.0, tol=1e-8, times=11))
    angle = 0.5 * found.t**2
    torque = 2.0 / 3.0 + G * np.cos(angle)
    assert np.max(np.abs(found["first.torque"] - 0.5 * torque)) < RUN * np.max(torque)
    assert np.max(np.abs(found["second.torque"] - 0.5 * torque)) < RUN * np.max(torque)
    assert found.not_unique == ("first.torque", "second.torque")
    assert found.unique == {"shaft": True}
    assert "torque of 'first' and 'second' is not unique." in str(found)


def test_the_report_says_what_is_unique_and_why_the_rest_is_not() -> None:
    text = str(reactions(four_bar(np.eye(3))))
    assert "four-bar: reactions of 4 joints at 21 times." in text
    assert "fz, mx and my of 'A', 'B', 'C' and 'D' are not unique (fx, fy and mz are)." in text
    assert "The constraints around the loop" in text
    assert "are redundant." in text
    assert "Shown are the smallest ones" in text
    assert "All of them are unique." in str(reactions(flat_four_bar()))


# -- against Newton and Euler, body by body


@dataclass(frozen=True)
class Classical:
    """Joint wrenches from the classical equations, dense: the bodies' needs M u̇ − f, and what joints can give them."""

    bodies: BodyCoordinates
    length: float
    second: dict[str, float]

    @property
    def kept(self) -> list[int]:
        return [0, 1, 5] if self.bodies.model.dimension == 2 else list(range(6))

    def on_bodies(self, a: str, b: str, place: Array, wrench: Array) -> Array:
        """A wrench (f, m) at a place on b, and its opposite on a, about the bodies' centres."""
        column = np.zeros(self.bodies.size)
        for body, sign in ((a, -1.0), (b, 1.0)):
            if body in self.bodies.names:
                first = 6 * self.bodies.names.index(body)
                lever = place - self.bodies.centers[body]
                column[first : first + 3] += sign * wrench[:3]
                column[first + 3 : first + 6] += sign * (wrench[3:] + skew(lever) @ wrench[:3])
        return column

    def basis(self, joint: object) -> tuple[Array, Array]:
        """The joint's point, and orthonormal wrenches (moments divided by ℓ) that it can transmit, as rows."""
        a, b = joint.bodies  # type: ignore[attr-defined]
        place = self.bodies.point(joint.b).value  # type: ignore[attr-defined]
        moving, sign = (b, 1.0) if b in self.bodies.names else (a, -1.0)
        first = 6 * self.bodies.names.index(moving)
        rows = []
        for row in self.bodies.rows(joint):  # type: ignore[arg-type]
            force, moment = sign * row.jacobian[first : first + 3], sign * row.jacobian[first + 3 : first + 6]
            moment = moment - skew(place - self.bodies.centers[moving]) @ force
            rows.append(np.concatenate([force, moment / self.length])[self.kept])
        _, s, vt = np.linalg.svd(np.array(rows))
        full = np.zeros((int(np.sum(s > 1e-9 * s[0])), 6))
        full[:, self.kept] = vt[: len(full)]
        return place, full

    def solve(self) -> tuple[Array, Array]:
        """All components in the order of Reactions.values, the smallest ones; and how much each takes part in self-stress."""
        model, free = self.bodies.model, self.bodies.free
        columns, parts = [], []
        for joint in model.joints:
            place, basis = self.basis(joint)
            scales = np.array([1.0] * 3 + [self.length] * 3)
            for wrench in basis:
                columns.append(self.on_bodies(*joint.bodies, place, scales * wrench)[free])
            parts.append(basis[:, self.kept].T)
        for motor in model.motors:
            measure = model.all_measures[motor.target]
            unit = self.length if isinstance(measure, Angle) else 1.0
            columns.append(unit * self.bodies.measure(measure).jacobian[free])
            parts.append(np.eye(1))
        matrix = np.array(columns).T
        need = self.bodies.mass_matrix() @ self.bodies.accelerations(self.second)[free] - self.bodies.forces()[free]
        u, s, vt = np.linalg.svd(matrix)
        rank = int(np.sum(s > 1e-9 * s[0]))
        strengths = vt[:rank].T @ ((u[:, :rank].T @ need) / s[:rank])
        stress = vt[rank:].T
        first, values, shares = 0, [], []
        for part in parts:
            here = slice(first, first + part.shape[1])
            values.append(part @ strengths[here])
            shares.append(np.linalg.norm(part @ stress[here], axis=1))
            first = here.stop
        return np.concatenate(values), np.concatenate(shares)


def compare(structure: Structure) -> tuple[float, bool] | None:
    """The largest difference relative to the largest reaction, and whether both find the same unique; None if ill-conditioned."""
    rng = np.random.default_rng(structure.seed + 1)
    model = build_model(structure)
    still = BodyCoordinates(model, guessed_poses(model))
    jacobian, _ = still.constraints()
    rank = rank_of(jacobian)
    if rank is None:
        return None
    u = np.zeros(still.size)
    u[still.free] = admissible_velocities(jacobian, rank, rng)
    model, second = with_fitting_motors(model, BodyCoordinates(model, guessed_poses(model), u), rng)
    bodies = BodyCoordinates(model, guessed_poses(model), u)
    if rank_of(bodies.constraints(second)[0]) != rank + len(model.motors):
        return None
    found = reactions(moments(model, bodies))  # type: ignore[arg-type]
    values, shares = Classical(bodies, found.length, second).solve()
    difference = np.max(np.abs(found.efforts[0] - values), initial=0.0)
    same = {name for name, share in zip(found.names[1:], shares, strict=True) if share > 1e-6} == set(found.not_unique)
    return float(difference / max(1.0, np.max(np.abs(values), initial=0.0))), same


def moments(model: Model, *bodies: BodyCoordinates) -> SimpleNamespace:
    """A run of some moments, one a second: where bodies are, how they move, and their accelerations to the last digit."""
    dynamics = converged(compile_system(model))
    rows = []
    for here in bodies:
        q, v = coordinates_of(dynamics.system, here)
        turns = [float(here.measure(model.all_measures[name]).value) for name in dynamics.system.tracked]
        a, _ = dynamics.accelerations(dynamics.motion(0.0, list(q), list(v), turns))
        rows.append((q, v, np.array(a), np.concatenate([q, v, turns])))
    program = SimpleNamespace(model=model, dynamics=dynamics, system=dynamics.system)
    q, v, a, y = (np.array(column) for column in zip(*rows, strict=True))
    return SimpleNamespace(program=program, t=np.arange(float(len(bodies))), q=q, v=v, a=a, y=y)


def agree(structure: Structure) -> None:
    result = compare(structure)
    assume(result is not None)
    assert result is not None
    difference, same = result
    assert difference <= AGREEMENT
    assert same


some = settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@some
@given(planar)
def test_planar_mechanisms_bear_what_newton_and_euler_say(structure: Structure) -> None:
    agree(structure)


@some
@given(spatial)
def test_spatial_mechanisms_bear_what_newton_and_euler_say(structure: Structure) -> None:
    agree(structure)


@some
@given(redundant)
def test_redundant_mechanisms_bear_the_smallest_reactions(structure: Structure) -> None:
    agree(structure)


def test_andrews_squeezer_bears_what_newton_and_euler_say() -> None:
    case = ANDREWS.make("iftomm", {})
    run = simulate(case.model, case.t_end, tol=1e-9, times=11)
    found = reactions(run)
    for k in range(len(run.t)):
        values, _ = Classical(_bodies_of(run, k), found.length, {}).solve()
        assert np.max(np.abs(found.efforts[k] - values)) < DIGITS * np.max(np.abs(values))


def _bodies_of(run: Trajectory, k: int) -> BodyCoordinates:
    """Andrews' bodies at one of the run's times."""
    model = run.program.model
    poses = {"ground": (np.zeros(2), np.eye(2))}
    u = np.zeros(6 * len(model.bodies))
    for i, body in enumerate(model.bodies):
        origin, angle, rate = (
            f"{body.name}.{body.name[0]}",
            run[f"{body.name}.angle"][k],
            run[f"{body.name}.angle.rate"][k],
        )
        c, s = math.cos(angle), math.sin(angle)
        rotation = np.array([[c, -s], [s, c]])
        poses[body.name] = (np.array([run[f"{origin}.x"][k], run[f"{origin}.y"][k]]), rotation)
        arm = rotation @ np.array(body.center)
        u[6 * i] = run[f"{origin}.x.rate"][k] - rate * arm[1]
        u[6 * i + 1] = run[f"{origin}.y.rate"][k] + rate * arm[0]
        u[6 * i + 5] = rate
    return BodyCoordinates(model, poses, u)


def test_the_reactions_of_andrews_squeezer_do_no_work() -> None:
    case = ANDREWS.make("iftomm", {})
    run = simulate(case.model, case.t_end, tol=1e-9)
    found = reactions(run)
    total, gross = np.zeros(len(run.t)), np.zeros(len(run.t))
    for joint in case.model.joints:
        for axis in "xy":
            at = [run[f"{p}.{axis}.rate"] if not p.startswith("ground") else 0.0 for p in (joint.a, joint.b)]
            total += found[f"{joint.name}.f{axis}"] * (at[1] - at[0])
            gross += np.abs(found[f"{joint.name}.f{axis}"] * at[1])
    assert np.max(np.abs(total)) < DIGITS * np.max(gross)


def test_a_position_where_a_loop_lies_flat_is_singular() -> None:
    """At the change point of a parallelogram the bars can press on each other along their common line."""
    m = Mechanism("parallelogram", gravity=(0.0, -G))
    left, top, right = (
        m.bar(name, length=length, mass=1.0) for name, length in (("left", 1), ("top", 2), ("right", 1))
    )
    m.revolute(m.ground.at(0, 0), left.start, name="A")
    m.revolute(left.end, top.start, name="B")
    m.revolute(top.end, right.end, name="C")
    m.revolute(m.ground.at(2, 0), right.start, name="D")

    def at(angle: float) -> BodyCoordinates:
        c, s = math.cos(angle), math.sin(angle)
        turned = np.array([[c, -s], [s, c]])
        poses = {"ground": (np.zeros(2), np.eye(2)), "left": (np.zeros(2), turned)}
        poses |= {"top": (np.array([c, s]), np.eye(2)), "right": (np.array([2.0, 0.0]), turned)}
        return BodyCoordinates(m.model, poses)

    found = reactions(moments(m.model, at(0.7), at(0.0), at(-0.4)))  # type: ignore[arg-type]
    assert found.stresses.tolist() == [0, 1, 0]
    assert all(found.unique.values())
    assert "singular at 1 time (t = 1 s first)" in str(found)


# -- what a person asks for


def test_reactions_are_asked_for_by_name_and_time() -> None:
    run = SliderCrank().run()
    found = reactions(run, [0.0, 0.5])
    assert found["A.fx"] == pytest.approx(reactions(run)["A.fx"][[0, 200]])
    assert {name: found.unit(name) for name in ("t", "A.fx", "A.mz", "drive.torque")} == {
        "t": "s",
        "A.fx": "N",
        "A.mz": "N m",
        "drive.torque": "N m",
    }
    assert set(found) == set(found.names)
    with pytest.raises(ModelError, match=r"no reaction 'A\.fz'.*Did you mean .*A\.fx"):
        found["A.fz"]
    with pytest.raises(ModelError, match="ascending, from 0 s to 2 s"):
        reactions(run, [0.5, 3.0])
