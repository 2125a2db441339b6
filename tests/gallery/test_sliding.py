"""Cranks, slides, cams and gears in the plane, compared with their closed forms."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from scipy.integrate import quad

from tests.gallery.conftest import Runs
from tests.gallery.geometry import numbers


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
    # energy of the crank, the rod (from the speeds of its ends) and the piston, by hand: what the gas gives and the load takes
    rate = run["crank.angle.rate"]
    pin = -r * rate * np.exp(1j * theta)
    top = 1j * rate * slope(theta)
    rod = 0.6 / 6 * (np.abs(pin) ** 2 + (pin * np.conj(top)).real + np.abs(top) ** 2)
    energy = 0.5 * n["flywheel_inertia"] * rate**2 + rod + 0.5 * n["piston_mass"] * np.abs(top) ** 2
    taken = np.trapezoid(n["load"] * rate**2, run.t)
    assert energy[-1] - energy[0] == pytest.approx(work - taken, rel=2e-3)
