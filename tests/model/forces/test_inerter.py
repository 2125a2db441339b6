"""Inerters: inertias that resist the acceleration of a measure alone."""

from __future__ import annotations

import math

import numpy as np
import pytest

import grashof as gr

FORMULATIONS = ["natural", "relative"]
WHOLE = 2.0 / 3.0 + 0.5
"""The inertia of the pendulum about its pin, with its inerter."""


def pendulum(*, inertance: float = 0.5) -> gr.Mechanism:
    m = gr.Mechanism("pendulum", gravity=(0, -9.81))
    rod = m.bar("rod", length=1.0, mass=2.0)
    m.revolute(m.ground.at(0, 0), rod.start, name="pin")
    m.inerter(rod.angle, inertance, name="rotor")
    m.need(rod.angle, value=0.3)
    return m


def arm(*, rotors: bool) -> gr.Mechanism:
    """A turn and a slide behind it in space, with inerters; or with what can be built otherwise: rotors on the ground,
    geared to the joints."""
    m = gr.Mechanism("arm", gravity=(0, 0, -9.81))
    one = m.body("one", mass=1.5, center=(0.2, 0.1, 0), inertia=(0.02, 0.03, 0.04))
    two = m.body("two", mass=0.7, center=(0, 0.1, 0.2), inertia=(0.01, 0.02, 0.015), position=(0.5, 0, 0))
    three = m.body("three", mass=0.4, center=(0.1, 0, 0), inertia=(0.01, 0.012, 0.015), position=(0.5, 0, 0.4))
    m.revolute(m.ground.at(0, 0, 0), one.at(0, 0, 0), axis=(0, 0.6, 0.8), name="shoulder")
    m.revolute(one.at(0.5, 0, 0), two.at(0, 0, 0), axis=(0, 1, 0), name="elbow")
    m.prismatic(two.at(0, 0, 0.4), three.at(0, 0, 0), axis=(0, 0, 1), name="slide")
    m.angle("turn", two, reference=one, axis=(0, 1, 0))
    m.coordinate("travel", three.at(0, 0, 0), (0, 0, 1), origin=two.at(0, 0, 0.4))
    m.spring(two.at(0, 0, 0), three.at(0, 0, 0), stiffness=60.0, length=0.4)
    m.need("turn", value=0.4, rate=1.5)
    m.need("travel", value=0.1, rate=-0.2)
    for k, (name, inertance) in enumerate({"turn": 0.05, "travel": 0.8}.items()):
        if not rotors:
            m.inerter(name, inertance)
            continue
        rotor = m.body(f"rotor {name}", mass=0.1, inertia=(1.0, inertance, 1.0), position=(k, 2, 0))
        m.revolute(m.ground.at(k, 2, 0), rotor.at(0, 0, 0), axis=(0, 1, 0))
        m.angle(f"spin {name}", rotor, axis=(0, 1, 0))
        m.coupling({f"spin {name}": 1.0, name: -1.0}, 0.0, name=f"gear {name}")
    return m


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_pendulum_has_the_closed_form_with_a_larger_inertia(formulation: str) -> None:
    run = gr.simulate(pendulum(), 2.0, tol=1e-10, formulation=formulation)
    assert run.status.ok
    gained = 2.0 * 9.81 * 0.5 * (math.sin(0.3) - np.sin(run["rod.angle"]))
    assert run["kinetic"] == pytest.approx(gained, abs=1e-7)
    assert run["kinetic"] == pytest.approx(0.5 * WHOLE * run["rod.angle.rate"] ** 2, abs=1e-12)
    assert run["rod.angle.acceleration"][0] == pytest.approx(-9.81 * math.cos(0.3) / WHOLE, rel=1e-12)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_inerters_move_as_geared_rotors_do(formulation: str) -> None:
    """A rotor on the ground turns about a fixed axis, so that its energy is that of an inerter."""
    times = np.linspace(0.0, 0.8, 9)
    plain, geared = (
        gr.simulate(arm(rotors=rotors), 0.8, tol=1e-10, times=times, formulation=kind)
        for rotors, kind in ((False, formulation), (True, "natural"))
    )
    assert plain.status.ok
    assert geared.status.ok
    for name in ("turn", "travel"):
        assert plain[name] == pytest.approx(geared[name], abs=1e-7)
    assert plain["kinetic"] == pytest.approx(geared["kinetic"], abs=1e-6)
    assert np.max(np.abs(plain["balance"])) < 1e-7


def test_reactions_contain_what_inerters_take() -> None:
    run = gr.simulate(pendulum(), 0.5, times=[0.0, 0.2, 0.5])
    found = run.reactions()
    angle, rate = run["rod.angle"], run["rod.angle.rate"]
    bent = -9.81 * np.cos(angle) / WHOLE
    assert found["pin.fx"] == pytest.approx(-np.sin(angle) * bent - np.cos(angle) * rate**2, abs=1e-9)
    assert found["pin.fy"] == pytest.approx(np.cos(angle) * bent - np.sin(angle) * rate**2 + 2.0 * 9.81, abs=1e-9)
    assert np.max(found.residual) < 1e-6


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_motor_accelerates_the_inerter_too(formulation: str) -> None:
    m = gr.Mechanism("wheel")
    wheel = m.body("wheel", mass=1.0, inertia=0.2)
    m.revolute(m.ground.at(0, 0), wheel.at(0, 0))
    m.inerter(wheel.angle, 0.3)
    m.motor(wheel, angle="2*t**2", name="drive")
    run = gr.simulate(m, 1.0, formulation=formulation)
    assert run["drive.torque"] == pytest.approx(4.0 * 0.5, rel=1e-9)


def test_impact_stops_inerters_too() -> None:
    """A rod that strikes a stop pushes it with the momentum of rod and rotor."""
    m = pendulum()
    m.stop("rod.angle", lower=-0.2, restitution=0.5)
    for formulation in FORMULATIONS:
        run = gr.simulate(m, 0.5, tol=1e-10, formulation=formulation)
        assert run.status.ok
        speed = math.sqrt(2.0 * 9.81 * (math.sin(0.3) + math.sin(0.2)) / WHOLE)
        assert run["work.stop rod.angle lower"][-1] == pytest.approx(-0.5 * WHOLE * speed**2 * 0.75, rel=1e-6)


def test_frequency_is_that_of_both_inertias() -> None:
    found = gr.modes(pendulum())
    assert max(x.imag for x in found.eigenvalues) == pytest.approx(math.sqrt(9.81 / WHOLE), rel=1e-6)


def test_inertance_is_swept() -> None:
    table = gr.sweep(pendulum(), {"rotor.inertance": [0.0, 0.5, 2.0]}, 0.5, outputs=["rod.angle.rate at end"])
    for value, inertance in zip(table["rod.angle.rate at end"], (0.0, 0.5, 2.0), strict=True):
        run = gr.simulate(pendulum(inertance=inertance), 0.5)
        assert value == pytest.approx(run["rod.angle.rate"][-1], rel=1e-6)


def test_inerter_cannot_be_switched() -> None:
    m = pendulum()
    m.event("rod.angle", crosses=0.0, does="switch rotor off")
    with pytest.raises(gr.ModelError, match="momentum would be lost"):
        gr.simulate(m, 1.0)
