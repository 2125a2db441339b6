"""Chains in space move as Newton and Euler say while they are short, and keep their energy when they are long."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from benchmarks.chains import pendulums, revolutes, ring
from scipy.integrate import solve_ivp
from tests.formulation.newton_euler import BodyCoordinates, skew
from tests.formulation.states import guessed_poses

import grashof as gr

CHAINS = [pendulums, revolutes, ring]


def classical_motion(m: gr.Mechanism, t_end: float) -> BodyCoordinates:
    """From rest at the guessed poses, by ċ = v, Ṙ = ω̃ R and the Newton–Euler equations, with nothing done against
    drift."""
    model = m.model
    start = BodyCoordinates(model, guessed_poses(model))
    names, ground = start.names, guessed_poses(model)["ground"]
    offsets = {name: start.axes[name].T @ (start.origins[name] - start.centers[name]) for name in names}

    def bodies(y: np.ndarray) -> BodyCoordinates:
        places, turns, u = np.split(y, [3 * len(names), 12 * len(names)])
        poses = {"ground": ground}
        for name, c, r in zip(names, places.reshape(-1, 3), turns.reshape(-1, 3, 3), strict=True):
            poses[name] = (c + r @ offsets[name], r)
        return BodyCoordinates(model, poses, u)

    def slope(_: float, y: np.ndarray) -> np.ndarray:
        now = bodies(y)
        speeds = now.u.reshape(-1, 6)
        turning = [skew(omega) @ now.axes[name] for name, omega in zip(names, speeds[:, 3:], strict=True)]
        return np.concatenate([speeds[:, :3].ravel(), np.ravel(turning), now.accelerations({})])

    y0 = np.concatenate(
        [np.ravel([start.centers[x] for x in names]), np.ravel([start.axes[x] for x in names]), start.u]
    )
    done = solve_ivp(slope, (0.0, t_end), y0, method="DOP853", rtol=1e-9, atol=1e-9)
    return bodies(done.y[:, -1])


@pytest.mark.parametrize("chain", CHAINS)
def test_a_short_chain_moves_as_newton_and_euler_say(chain: Callable[[int], gr.Mechanism]) -> None:
    m = chain(3)
    run, there = gr.simulate(m, 0.7, tol=1e-9), classical_motion(m, 0.7)
    for link in there.names:
        found = [run[f"{link}.end.{axis}"][-1] for axis in "xyz"]
        assert found == pytest.approx(there.point(f"{link}.end").value, abs=1e-7)


@pytest.mark.parametrize("chain", CHAINS)
def test_the_end_of_a_short_chain_has_moved_far_in_all_directions(chain: Callable[[int], gr.Mechanism]) -> None:
    """So that the comparison above says something of motion in space."""
    run = gr.simulate(chain(3), 0.7)
    assert all(np.ptp(run[f"link1.end.{axis}"]) > 0.05 for axis in "xyz")


@pytest.mark.parametrize(
    "chain", [pendulums, *(pytest.param(chain, marks=pytest.mark.slow) for chain in (revolutes, ring))]
)
def test_a_chain_of_a_hundred_bodies_keeps_its_energy(chain: Callable[[int], gr.Mechanism]) -> None:
    run = gr.simulate(chain(100), 1.0)
    assert run.status.ok
    assert np.max(np.abs(run["balance"])) < 1e-6 * np.ptp(run["potential"])
