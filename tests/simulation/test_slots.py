"""Pins in slots with ends and clearance, against closed forms and an independent integration."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import grashof as gr
from grashof.model.files import dumps, loads
from grashof.scene import describe_model
from grashof.scene.kinds import Guide

G = 9.81


def bead(clearance: float = 0.0, **stop: float) -> gr.Mechanism:
    """A point mass in a slot of the ground, 0.5 m long, that rises at 30°."""
    m = gr.Mechanism("bead", gravity=(0.0, -G))
    slope = (0.5 * math.cos(math.pi / 6), 0.5 * math.sin(math.pi / 6))
    drop = m.body("drop", mass=0.2, points={"pin": (0, 0)}, position=(0.5 * slope[0], 0.5 * slope[1]))
    m.slot(m.ground.line((0, 0), slope), drop.pin, clearance=clearance, name="slot", **stop)
    return m


def test_a_bead_slides_down_and_bounces_at_the_end_of_its_slot() -> None:
    """x = x₀ − ½ a t² with a = g sin 30°; after an impact with the speed u it returns after 2 e u/a."""
    m = bead(restitution=0.6)
    m.need("slot.along", value=0.3, rate=0.0)
    run = gr.simulate(m, 1.0, tol=1e-10)
    a = 0.5 * G
    first = math.sqrt(2 * 0.3 / a)
    times = [first, first + 2 * 0.6 * math.sqrt(2 * 0.3 * a) / a]
    assert run.status.ok
    assert [event.name for event in run.events[:2]] == ["slot ends lower"] * 2
    assert [event.time for event in run.events[:2]] == pytest.approx(times, abs=1e-9)
    before = run.t < first
    assert np.max(np.abs(run["slot.along"][before] - (0.3 - 0.5 * a * run.t[before] ** 2))) < 1e-9


def folded(start: float, speed: float, pull: float, limits: tuple[float, float], e: float, t: float) -> float:
    """Where a point is that moves with a constant acceleration between two walls and bounces off them."""
    x, v, left = start, speed, t
    while True:
        hits = []
        for wall in limits:
            roots = np.roots([0.5 * pull, v, x - wall]) if pull else np.array([(wall - x) / v])
            hits += [(float(r.real), wall) for r in np.atleast_1d(roots) if abs(r.imag) < 1e-12 and r.real > 1e-9]
        when, wall = min(hits)
        if when > left:
            return x + v * left + 0.5 * pull * left * left
        x, v, left = wall, -e * (v + pull * when), left - when


def test_with_clearance_a_pin_moves_along_and_across_independently() -> None:
    """Without friction, the motions of a point mass along and across a slot are those of two separate bouncing
    balls."""
    m = gr.Mechanism("loose bead", gravity=(0.0, -G))
    drop = m.body("drop", mass=0.2, points={"pin": (0, 0)}, position=(0.1, 0.0))
    m.slot(m.ground.line((0, 0), (0.4, 0)), drop.pin, clearance=0.02, restitution=0.9, name="slot")
    m.need("slot.along", value=0.1, rate=1.3)
    m.need("slot.across", value=0.004, rate=0.2)
    run = gr.simulate(m, 0.5, tol=1e-10)
    assert run.status.ok
    assert {"slot ends upper", "slot sides lower"} <= {event.name for event in run.events}
    assert run["slot.along"][-1] == pytest.approx(folded(0.1, 1.3, 0.0, (0.0, 0.4), 0.9, 0.5), abs=1e-8)
    assert run["slot.across"][-1] == pytest.approx(folded(0.004, 0.2, -G, (-0.01, 0.01), 0.9, 0.5), abs=1e-7)


def test_a_rod_in_a_loose_slot_moves_as_its_newton_euler_equations_say() -> None:
    """Compliant ends and sides, f = δⁿ (k + c δ̇), on a pin at the end of a swinging rod."""
    k, c, n, length, clearance, mass, rod = 3e3, 40.0, 1.5, 0.1, 0.01, 0.5, 0.4
    m = gr.Mechanism("loose rod", gravity=(0.0, -G))
    bar = m.bar("bar", length=rod, mass=mass)
    m.slot(
        m.ground.line((0, 0), (length, 0)), bar.start, clearance=clearance, stiffness=k, damping=c, exponent=n, name="s"
    )
    m.need("s.along", value=0.05, rate=0.4)
    m.need("s.across", value=0.0, rate=0.0)
    m.need(bar.angle, value=-0.7, rate=0.5)
    run = gr.simulate(m, 0.6, tol=1e-8)
    assert run.status.ok

    def push(x: float, v: float, lower: float, upper: float) -> float:
        total = 0.0
        for sign, wall in ((-1.0, lower), (1.0, upper)):
            depth, rate = sign * (x - wall), sign * v
            if depth > 0.0:
                total -= sign * max(k + c * rate, 0.0) * depth**n
        return total

    def rates(_: float, y: np.ndarray) -> np.ndarray:
        """The centre of mass and the angle; the pin is half a rod behind the centre."""
        x, z, angle, u, w, spin = y
        arm = -0.5 * rod * np.array([math.cos(angle), math.sin(angle)])
        px, pz, pu, pw = x + arm[0], z + arm[1], u - spin * arm[1], w + spin * arm[0]
        fx, fz = push(px, pu, 0.0, length), push(pz, pw, -0.5 * clearance, 0.5 * clearance)
        torque = arm[0] * fz - arm[1] * fx
        return np.array([u, w, spin, fx / mass, fz / mass - G, torque / (mass * rod**2 / 12)])

    angle, spin = -0.7, 0.5
    arm = 0.5 * rod * np.array([math.cos(angle), math.sin(angle)])
    start = [0.05 + arm[0], arm[1], angle, 0.4 - spin * arm[1], spin * arm[0], spin]
    found = solve_ivp(rates, (0.0, 0.6), start, method="DOP853", rtol=1e-10, atol=1e-12, max_step=1e-3).y[:, -1]
    ours = [run["bar.center.x"][-1], run["bar.center.y"][-1], run["bar.angle"][-1]]
    assert ours == pytest.approx(found[:3], abs=1e-6)
    assert max(abs(run["s.across"])) > 0.5 * clearance  # it has met a side


def test_a_bead_in_a_turning_slot_is_thrown_to_its_end_and_rests_there() -> None:
    """r = r₀ cosh ωt until r = L, and then the end holds the bead with m ω² L."""
    m = gr.Mechanism("sling")
    rail = m.bar("rail", mass=1.0, length=1.0)
    drop = m.body("drop", mass=0.3, points={"pin": (0, 0)}, position=(0.2, 0.0))
    m.guess(rail, (0, 0), angle=0.0)
    m.revolute(m.ground.at(0, 0), rail.start)
    m.slot(rail.line((0, 0), (0.8, 0)), drop.pin, restitution=0.0, name="slot")
    m.motor(rail, "2*t")
    m.need("slot.along", value=0.2, rate=0.0)
    run = gr.simulate(m, 2.0, tol=1e-10)
    assert run.status.ok
    assert run.events[0].time == pytest.approx(math.acosh(4.0) / 2.0, abs=1e-8)
    assert run["slot.along"][-1] == pytest.approx(0.8, abs=1e-8)
    assert abs(run["push.slot ends upper"][-1]) == pytest.approx(0.3 * 4.0 * 0.8, rel=1e-8)


@pytest.mark.parametrize(("clearance", "freedoms"), [(0.0, 2), (0.01, 3)])
def test_clearance_is_a_degree_of_freedom(clearance: float, freedoms: int) -> None:
    m = gr.Mechanism("rod")
    bar = m.bar("bar", length=0.4, mass=1.0)
    m.slot(m.ground.line((0, 0), (0.2, 0)), bar.start, clearance=clearance, restitution=0.5)
    found = gr.mobility(m)
    assert (found.dof, found.redundant) == (freedoms, 0)
    assert found.equations == 3 - freedoms


def test_slots_are_saved_loaded_and_drawn_from_end_to_end() -> None:
    model = bead(clearance=0.002, stiffness=1e4, damping=10.0).model
    assert loads(dumps(model)) == model
    (guide,) = (symbol for symbol in describe_model(model).symbols if isinstance(symbol, Guide))
    assert (guide.lower, guide.upper, guide.block) == (0.0, pytest.approx(0.5), "pin")
    assert ("clearance", "0.002 m") in guide.facts


@pytest.mark.parametrize(
    ("stop", "sentence"),
    [
        ({}, "Joint 'slot': give it a positive stiffness"),
        ({"clearance": -0.1, "restitution": 0.5}, "Joint 'slot': clearance is -0.1 m; it must be zero or positive"),
        ({"restitution": 1.5}, "Joint 'slot': restitution is 1.5; it must be between 0 and 1"),
    ],
)
def test_a_slot_that_cannot_be_is_refused_by_a_sentence(stop: dict[str, float], sentence: str) -> None:
    with pytest.raises(gr.ModelError, match=sentence):
        _ = bead(**stop).model


def test_friction_in_a_loose_slot_cannot_depend_on_a_reaction() -> None:
    m = bead(clearance=0.01, restitution=0.5)
    m.friction("slot", mu=0.2)
    with pytest.raises(gr.ModelError, match="holds its bodies by stops alone"):
        _ = m.model
