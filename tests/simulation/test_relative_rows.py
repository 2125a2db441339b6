"""Runs of trees with gears, motors and rows for velocities in relative coordinates."""

from __future__ import annotations

import numpy as np
import pytest

import grashof as gr
from grashof.program import build
from tests.formulation.relative.geared import geared_tree

from .test_relative import both

GRAVITY = 9.81


@pytest.mark.parametrize(("seed", "dimension"), [(0, 2), (2, 3)])
def test_motions_works_and_reactions_are_the_same_in_both_formulations(seed: int, dimension: int) -> None:
    natural, relative = both(geared_tree(seed, dimension), 0.3, tol=1e-9, times=11)
    assert natural.status.ok
    assert relative.status.ok
    assert relative.program.relative is not None
    assert abs(relative["work.motor m0"][-1]) > 1e-3
    assert relative.names == natural.names
    for name in natural.names:
        size = 1.0 + float(np.max(np.abs(natural[name])))
        assert relative[name] == pytest.approx(natural[name], abs=1e-6 * size), name


def test_a_nut_falls_along_its_screw_as_the_closed_form_says() -> None:
    m = gr.Mechanism("screw", gravity=(0, 0, -GRAVITY))
    nut = m.body("nut", mass=2.0, inertia=(0.01, 0.01, 0.02), points={"p": (0, 0, 0)})
    m.screw(m.ground.at(0, 0, 0), nut.p, axis=(0, 0, 1), lead=0.3, name="thread")
    run = gr.simulate(build(m, formulation="relative"), 2.0, tol=1e-9)
    k = 2.0 * np.pi / 0.3  # turns are counted: the nut makes about 14 of them
    fall = -GRAVITY * 2.0 / (2.0 + 0.02 * k * k)
    assert run.status.ok
    assert run["nut.p.z"] == pytest.approx(0.5 * fall * run.t**2, abs=1e-8)
    assert run["thread turn"] == pytest.approx(0.5 * fall * k * run.t**2, abs=1e-6)


def test_a_differential_shares_the_torque_of_its_drive() -> None:
    m = gr.Mechanism("differential", gravity=(0, 0))
    inertias = {"left": 0.1, "right": 0.3, "drive": 0.2}
    left, right, drive = (m.body(name, mass=1.0, inertia=x, points={"p": (0, 0)}) for name, x in inertias.items())
    for k, body in enumerate((left, right, drive)):
        m.revolute(m.ground.at(k, 0), body.p)
    m.differential(left, right, drive)
    m.torque(drive, 1.5)
    run = gr.simulate(build(m, formulation="relative"), 1.0, tol=1e-9)
    # (left + right)/2 = drive; the torque λ on the drive is −1.5 + 0.2 α, and each shaft gets half of it
    shaft = np.array([[0.1, 0.0, -0.5], [0.0, 0.3, -0.5], [0.1, 0.1, 1.0]])
    a, b, _ = np.linalg.solve(shaft, [0.0, 0.0, 1.5])
    assert run["left.angle.rate"][-1] == pytest.approx(a, abs=1e-8)
    assert run["right.angle.rate"][-1] == pytest.approx(b, abs=1e-8)


def test_a_motor_does_the_work_that_its_rotor_stores() -> None:
    m = gr.Mechanism("rotor", gravity=(0, 0, 0))
    rotor = m.body("rotor", mass=1.0, inertia=(0.1, 0.1, 0.2), points={"p": (0, 0, 0)})
    m.revolute(m.ground.at(0, 0, 0), rotor.p, axis=(0, 0, 1))
    turn = m.angle("turn", rotor, axis=(0, 0, 1))
    m.motor(turn, speed="40*t", name="drive")
    run = gr.simulate(build(m, formulation="relative"), 3.0, tol=1e-9)
    assert run.status.ok
    assert run["turn"][-1] == pytest.approx(0.5 * 40.0 * 9.0, abs=1e-6)
    assert run["work.drive"] == pytest.approx(0.5 * 0.2 * (40.0 * run.t) ** 2, abs=1e-4)


def test_a_sleigh_on_a_knife_edge_keeps_its_energy_and_moves_as_in_natural_coordinates() -> None:
    m = gr.Mechanism("sleigh", gravity=(0, 0))
    sleigh = m.body("sleigh", mass=1.0, inertia=0.3, points={"blade": (-0.5, 0)})
    m.knife_edge(m.ground.at(0, 0), sleigh.blade, normal=(0, 1))
    m.need(sleigh.angle, value=0.0, rate=1.2)
    m.need("sleigh.blade.x", value=0.0, rate=0.7)
    natural, relative = both(m, 5.0, tol=1e-9)
    assert relative.status.ok
    assert relative["energy"] == pytest.approx(relative["energy"][0], abs=1e-8)
    for name in ("sleigh.center.x", "sleigh.center.y", "sleigh.angle"):
        assert relative[name] == pytest.approx(natural[name], abs=1e-7)


def test_three_gears_that_imply_each_other_turn_as_one_wheel() -> None:
    m = gr.Mechanism("three wheels", gravity=(0, 0))
    wheels = [m.body(f"w{k}", mass=1.0, inertia=0.1 * (1 + k), points={"p": (0, 0)}) for k in range(3)]
    for k, wheel in enumerate(wheels):
        m.revolute(m.ground.at(k, 0), wheel.p)
    for a, b in ((0, 1), (1, 2), (2, 0)):
        m.coupling({wheels[a]: 1.0, wheels[b]: -1.0})
    m.torque(wheels[0], 0.3)
    run = gr.simulate(build(m, formulation="relative"), 2.0, tol=1e-9)
    assert run.status.ok
    for k in range(3):
        assert run[f"w{k}.angle"] == pytest.approx(0.5 * 0.3 / (0.1 + 0.2 + 0.3) * run.t**2, abs=1e-8)


def geared_arm() -> gr.Mechanism:
    """An arm of five links, of which the first is driven and two are geared to each other."""
    m = gr.Mechanism("geared arm", gravity=(0, 0, -GRAVITY))
    base, before = m.ground.at(0, 0, 0), None
    for k, axis in enumerate([(0, 0, 1), (0, 1, 0), (1, 0, 0), (0, 1, 0), (1, 0, 0)]):
        points = {"s": (0, 0, 0), "e": (0.3, 0, 0)}
        link = m.body(f"b{k}", mass=1.0, center=(0.15, 0, 0), inertia=(0.01, 0.02, 0.02), points=points)
        m.revolute(base, link.s, axis=axis)
        m.angle(f"a{k}", link, reference=before, axis=axis)
        base, before = link.e, link
    m.coupling({"a1": 2.0, "a2": -1.0}, name="gear")
    m.motor("a0", law="0.5*sin(2*t)", name="drive")
    for k in range(1, 5):
        m.need(f"a{k}", value=0.1 * k)
    return m


def test_the_ratio_of_gears_and_masses_may_stay_open() -> None:
    m, other = geared_arm(), {"gear.terms.a1": 2.6, "b3.mass": 1.7, "b1.e.x": 0.35}
    program = build(m, numbers=[*other])
    assert program.chosen.startswith("Relative coordinates")
    assert program.relative is not None
    assert len(program.relative.held) == 1  # the motor
    found = gr.simulate(program.at(other), 0.4, tol=1e-9, times=5)
    expected = gr.simulate(gr.with_numbers(m, other), 0.4, tol=1e-9, times=5, formulation="natural")
    assert found.status.ok
    for name in ("b4.e.x", "b4.e.z", "kinetic", "work.drive"):
        assert found[name] == pytest.approx(expected[name], abs=1e-7)
    rows = gr.sweep(m, {"b3.mass": [0.8, 1.7]}, 0.4, outputs=["b4.e.z at end"], tol=1e-8, engine="compiled")
    single = gr.simulate(gr.with_numbers(m, {"b3.mass": 1.7}), 0.4, tol=1e-9, times=2, formulation="natural")
    assert rows["b4.e.z at end"][1] == pytest.approx(single["b4.e.z"][-1], abs=1e-7)


def test_a_falling_block_bounces_until_it_rests_as_the_closed_form_says() -> None:
    m = gr.Mechanism("block", gravity=(0, -GRAVITY))
    block = m.body("block", mass=2.0, inertia=0.1, points={"p": (0, 0)})
    m.prismatic(m.ground.at(0, 0), block.p, axis=(0, 1))
    height = m.coordinate("height", block.p, (0, 1))
    m.stop(height, lower=0.0, restitution=0.5, name="floor")
    m.need(height, value=1.0)
    run = gr.simulate(build(m, formulation="relative"), 2.0, tol=1e-9)
    first, fall = np.sqrt(2.0 / GRAVITY), np.sqrt(2.0 * GRAVITY)
    expected = first + np.cumsum([0.0, *(2.0 * fall * 0.5**k / GRAVITY for k in range(1, 8))])
    assert run.status.ok
    assert [x.time for x in run.events[:8]] == pytest.approx(expected, abs=1e-9)
    assert run.events[-1].name == "floor lower rest"
    assert run["height"][-1] == pytest.approx(0.0, abs=1e-12)
    assert run["work.floor lower"][-1] == pytest.approx(-2.0 * GRAVITY, abs=1e-8)


def arm_with_stops(seed: int) -> gr.Mechanism:
    """A driven or geared arm whose joints and end have rigid stops; some of these rebound, and others hold."""
    rng = np.random.default_rng(seed)
    m = gr.Mechanism(f"arm {seed}", gravity=(0, 0, -GRAVITY))
    base, before = m.ground.at(0, 0, 0), None
    for k in range(4):
        end, axis = tuple(rng.normal(size=3) * 0.4), tuple(rng.normal(size=3))
        center = tuple(0.5 * x for x in end)
        body = m.body(f"b{k}", mass=1, center=center, inertia=(0.05, 0.06, 0.07), points={"s": (0, 0, 0), "e": end})
        m.revolute(base, body.s, axis=axis)
        m.angle(f"a{k}", body, reference=before, axis=axis)
        base, before = body.e, body
    m.stop("a1", lower=-0.6, upper=0.6, restitution=0.5)
    m.stop("a2", lower=-0.5, upper=0.5, restitution=0.0)
    m.coordinate("z", base, (0, 0, 1))
    m.stop("z", lower=-1.2, restitution=0.3)
    if seed % 2:
        m.motor("a3", law="0.3*sin(3*t)")
    else:
        m.coupling({"a0": 1.0, "a3": -0.5})
    return m


@pytest.mark.parametrize("seed", [1, 4])
def test_an_arm_hits_its_stops_rests_there_and_leaves_them_as_in_natural_coordinates(seed: int) -> None:
    natural, relative = both(arm_with_stops(seed), 1.0, tol=1e-7, times=21)
    assert natural.status.ok
    assert relative.status.ok
    assert len(relative.events) > 2
    assert [x.name for x in relative.events] == [x.name for x in natural.events]
    assert [x.time for x in relative.events] == pytest.approx([x.time for x in natural.events], abs=1e-6)
    for name in natural.names:
        size = 1.0 + float(np.max(np.abs(natural[name])))
        assert relative[name] == pytest.approx(natural[name], abs=1e-5 * size), name
