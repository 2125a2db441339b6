"""Second passes and guards of the equations of motion: each changes results, and is measured here by what happens
without it."""

from __future__ import annotations

import numpy as np
import pytest

import grashof as gr
from grashof.formulation.natural.kkt import make_kkt

from ..linkages import bricard, planar_four_bar


@pytest.mark.parametrize("seed", range(5))
def test_an_augmented_matrix_has_the_solution_of_the_singular_one(seed: int) -> None:
    """M x + Jᵀ λ = f, J x = g with a massless coordinate, solved without any refinement."""
    rng = np.random.default_rng(seed)
    n, m = 5, 3
    mass = {(i, i): float(x) for i, x in enumerate([0.0, *rng.uniform(0.5, 2.0, n - 1)])}
    pattern = tuple(tuple(range(n)) for _ in range(m))
    kkt = make_kkt(n, mass, pattern, list(range(n)), [1e-10] * m, [0.0] * m, [1.0] * m)
    j, right = rng.normal(size=(m, n)), rng.normal(size=n + m)
    matrix = np.block([[np.diag([mass[i, i] for i in range(n)]), j.T], [j, np.zeros((m, m))]])
    entries = j.ravel().tolist()
    found = kkt.solve(kkt.factor(entries), kkt.augmented(entries, right.tolist()))
    assert found == pytest.approx(np.linalg.solve(matrix, right).tolist(), abs=1e-7)


def test_velocities_are_put_on_the_constraints_of_positions_that_were_off() -> None:
    """The rows were factorised where the positions were before: a single sweep leaves 3e-4 of the velocities, two
    1e-7."""
    program = gr.build(planar_four_bar())
    n, dynamics, rng = program.system.n, program.dynamics, np.random.default_rng(1)
    for _ in range(20):
        off = program.assembly.q + 1e-4 * rng.normal(size=n)
        y, _ = program.integrator.project(0.0, np.concatenate([off, rng.normal(size=n), program.y0[2 * n :]]))
        rows = dynamics.rows.by_row(
            dynamics.rows.jacobian(0.0, y[:n].tolist(), dynamics.rows.turns(y[2 * n :].tolist()))
        )
        assert max(abs(sum(x * y[n + a] for a, x in row.items())) for row in rows) < 1e-5


@pytest.mark.parametrize(("off", "accepted"), [(0.03, True), (-0.03, True), (0.3, False), (-2.0, False), (3.1, False)])
def test_an_angle_that_did_not_follow_its_direction_is_noticed(off: float, accepted: bool) -> None:
    """Whole turns are counted by an integrated angle. Farther from the direction than any step's error, no step may
    be accepted."""
    m = gr.Mechanism("wheel")
    wheel = m.body("wheel", mass=1.0, inertia=1.0, points={"hub": (0, 0)})
    m.revolute(m.ground.at(0, 0), wheel.hub)
    m.torsion_spring(wheel.angle, stiffness=1.0)
    m.need(wheel.angle, value=0.4)
    program = gr.build(m, formulation="natural")
    y = program.y0.copy()
    place = program.dynamics.layout.of_angles.start
    y[place] += off
    found, left = program.integrator.project(0.0, y)
    assert (left < 1e-3 * program.system.length) is accepted
    if accepted:
        assert found[place] == pytest.approx(0.4, abs=1e-12)


def test_steps_are_short_where_joints_are_redundant_even_at_a_loose_tolerance() -> None:
    """Bricard's linkage, free and without gravity: its energy is constant. With the steps of that tolerance it
    varies by 4e-4."""
    m = bricard()
    m.need("link2.p2.x", rate=1.0)
    run = gr.simulate(m, 10.0, tol=1e-2, check_error=False)
    assert run.program.assembly.redundant == 1
    assert np.ptp(run["kinetic"]) < 1e-6 * run["kinetic"].max()
