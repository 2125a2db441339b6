"""Cranks, slides, cams and gears in the plane, compared with their closed forms."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from scipy.integrate import quad

import grashof as gr
from tests.gallery.conftest import Runs
from tests.gallery.geometry import numbers, place


def test_scotch_yoke_is_harmonic(run_of: Runs) -> None:
    run, n = run_of("scotch-yoke"), numbers("scotch-yoke")
    assert np.abs(run["yoke.slot.x"] - n["r"] * np.cos(n["omega"] * run.t)).max() < 1e-8 * n["r"]


def test_engine_piston_and_work_of_its_gas(run_of: Runs) -> None:
    run, n = run_of("engine"), numbers("engine")
    r, l, theta = n["r"], n["l"], run["crank.angle"]
    height = r * np.cos(theta) + np.sqrt(l**2 - (r * np.sin(theta)) ** 2)
    assert np.abs(run["piston.pin.y"] - height).max() < 1e-9

    def slope(turned: Any) -> Any:
        """dy/dθ of the piston."""
        return -r * np.sin(turned) - r**2 * np.sin(turned) * np.cos(turned) / np.sqrt(l**2 - (r * np.sin(turned)) ** 2)

    def power(turned: float) -> float:
        return float(-n["gas_force"] * np.exp(12 * (np.cos((turned + 0.5) / 2) - 1)) * slope(turned))

    edges = np.append(np.arange(0, theta[-1], -np.pi), theta[-1])
    work = sum(quad(power, a, b, epsabs=1e-10)[0] for a, b in pairwise(edges))
    assert run["work.gas"][-1] == pytest.approx(work, rel=1e-6)
    # energy of the crank, the rod (from the speeds of its ends) and the piston, by hand: what the gas gives and the
    # load takes
    rate = run["crank.angle.rate"]
    pin = -r * rate * np.exp(1j * theta)
    top = 1j * rate * slope(theta)
    rod = 0.6 / 6 * (np.abs(pin) ** 2 + (pin * np.conj(top)).real + np.abs(top) ** 2)
    energy = 0.5 * n["flywheel_inertia"] * rate**2 + rod + 0.5 * n["piston_mass"] * np.abs(top) ** 2
    taken = np.trapezoid(n["load"] * rate**2, run.t)
    assert energy[-1] - energy[0] == pytest.approx(work - taken, rel=2e-3)


def test_whitworth_returns_more_quickly(run_of: Runs) -> None:
    run, n = run_of("quick-return"), numbers("quick-return")
    crank = n["r"] * np.exp(1j * (np.pi / 2 + n["omega"] * run.t)) + 1j * n["d"]  # seen from the lever's pivot
    pin = -n["arm"] * crank / np.abs(crank)
    ram = pin.real + np.sqrt(n["rod_length"] ** 2 - pin.imag**2)
    assert np.abs(run["ram.pin.x"] - ram).max() < 1e-7
    # the strokes take π + 2α and π − 2α of a turn
    alpha = np.arcsin(n["d"] / n["r"])
    advancing = np.mean(run["ram.pin.x.rate"][:-1] > 0)
    assert advancing == pytest.approx((np.pi + 2 * alpha) / (2 * np.pi), abs=2 / len(run.t))


def test_radial_engine_pistons(run_of: Runs) -> None:
    run, n = run_of("radial-engine"), numbers("radial-engine")
    pin = n["r"] * np.exp(1j * (np.pi / 2 + n["omega"] * run.t))
    top = 1j * (pin.imag + np.sqrt(n["l"] ** 2 - pin.real**2))
    master = (top - pin) / n["l"]
    for k in range(1, 6):
        along = np.exp(1j * np.radians(90 + 72 * (k - 1)))
        knuckle = pin + n["knuckle"] * master * np.exp(1j * np.radians(72 * (k - 1)))
        local = knuckle / along
        reach = local.real + np.sqrt((n["l"] - n["knuckle"]) ** 2 - local.imag**2)
        assert np.abs(place(run, f"piston {k}.pin") - reach * along).max() < 1e-7


def test_scissor_lift_rises_and_what_it_takes(run_of: Runs) -> None:
    run, n = run_of("scissor-lift"), numbers("scissor-lift")
    theta = n["low"] + (n["high"] - n["low"]) * (1 - np.cos(2 * np.pi * run.t / n["period"])) / 2
    assert np.abs(run["platform.left.y"] - 3 * n["L"] * np.sin(theta)).max() < 1e-7
    # virtual work at the start, where the lift is at rest but accelerates: F dx = Σ m (g + ÿ) dy + Σ m ẍ dx
    bend = (n["high"] - n["low"]) / 2 * (2 * np.pi / n["period"]) ** 2  # θ̈
    s, c, length = np.sin(n["low"]), np.cos(n["low"]), n["L"]
    heights = [(n["load"], 3.0), *((n["arm_mass"], k + 0.5) for k in (0, 0, 1, 1, 2, 2))]
    work = sum(mass * (9.81 + h * length * c * bend) * h * length * c for mass, h in heights)
    arms = 6 * n["arm_mass"]
    work += arms * (length / 2 * s) ** 2 * bend + arms * length**2 / 12 * bend
    force = work / (-length * s)  # dx = −L sin θ dθ
    # the platform's centre stays above the pinned left end, so that it does not move along x
    assert run.reactions()["drive.force"][0] == pytest.approx(force, rel=1e-6)


def test_oldham_disc_runs_around_a_circle_twice_in_each_turn(run_of: Runs) -> None:
    run, n = run_of("oldham"), numbers("oldham")
    turn = 0.5 + n["omega"] * run.t
    assert np.abs(run["output.angle"] - turn).max() < 1e-8
    assert np.abs(place(run, "disc.C") - n["offset"] / 2 * (1 + np.exp(2j * turn))).max() < 1e-9


def test_roller_touches_the_cam_from_outside(run_of: Runs) -> None:
    """The outline, drawn with many points in the cam's own turn, is nowhere nearer to the roller's centre than its
    radius."""
    run, n = run_of("cam-follower"), numbers("cam-follower")
    phi = np.linspace(0, 2 * np.pi, 40001)
    outline = (n["base"] + n["lift"] * np.exp(n["sharpness"] * (np.cos(phi) - 1))) * np.exp(1j * phi)
    for row in range(0, len(run.t), 25):
        centre = 1j * run["follower.roller.y"][row] * np.exp(-1j * n["omega"] * run.t[row])
        # of the distance, points 1e-5 m apart miss the least one by less than 1e-9 m
        assert np.abs(outline - centre).min() == pytest.approx(n["roller"], abs=2e-9)


def test_planetary_ratios_of_willis(run_of: Runs) -> None:
    run, n = run_of("planetary-gear"), numbers("planetary-gear")
    sun, ring = n["z_sun"], n["z_sun"] + 2 * n["z_planet"]
    turn = n["omega"] * run.t
    assert np.abs(run["carrier.angle"] - turn * sun / (sun + ring)).max() < 1e-8
    # the planet rolls in the ring: its speed against the carrier, times its teeth, is that of the ring
    carrier = sun / (sun + ring)
    assert np.abs(run["planet 1.angle"] - turn * carrier * (1 - ring / n["z_planet"])).max() < 1e-8
    # the load on the carrier is felt at the sun divided by the ratio of speeds: powers are equal
    torque = run.reactions()["drive.torque"][-1]
    assert torque == pytest.approx(n["load"] * n["omega"] * carrier**2, rel=1e-6)


def test_geneva_wheel_rests_and_turns() -> None:
    """Where the pin is, seen from the wheel's shaft while it is in a slot; a quarter of a turn each time, and rest
    in between."""
    run, n = gr.simulate(gr.example("geneva"), 4.0), numbers("geneva")
    assert run.status.ok
    turns = n["omega"] * run.t / (2 * np.pi)
    crank = 2 * np.pi * (turns % 1.0) - np.pi  # from −π to π in every turn
    seen = np.pi - np.angle(n["r"] * np.exp(1j * crank) - np.sqrt(2) * n["r"])  # from 0 to 2π, about π
    seen = np.where(seen > np.pi, seen - 2 * np.pi, seen)
    begun = np.floor(turns) * np.pi / 2
    # in the slot it has its clearance, and what the contacts are pressed in
    gaps = [run[f"{side} of slot {k}.gap"] for side in ("left", "right") for k in (1, 2, 3, 4)]
    play = 0.0005 * n["r"] - np.minimum(np.min(gaps, axis=0), 0.0)
    lever = np.abs(n["r"] * np.exp(1j * crank) - np.sqrt(2) * n["r"])
    inside = np.abs(crank) < np.pi / 4 - 0.1
    assert np.all(np.abs(run["wheel.angle"] + begun + seen)[inside] <= 1.01 * (play / lever)[inside])
    assert np.max(play) < 0.006 * n["r"]
    resting = np.abs(turns - np.round(turns)) < 0.2
    assert np.abs(run["wheel.angle"] + np.round(turns) * np.pi / 2 - np.pi / 4)[resting].max() < 2e-3
    # the pin passes between the shafts at r ω, at the distance (√2 − 1) r from the wheel's
    assert np.abs(run["wheel.angle.rate"]).max() == pytest.approx(n["omega"] / (np.sqrt(2) - 1), rel=0.05)
