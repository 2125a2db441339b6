"""A compiled mechanism: what is found on its branch is believed only as far as it fits."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from grashof.branch.equations import Branch, BranchEquation, Findings, make_branch, search
from grashof.common.status import Code
from grashof.formulation.natural.forms import Form
from grashof.formulation.natural.system import System
from grashof.model.mechanism import Mechanism
from grashof.model.start import Pose
from grashof.program import build, structure
from grashof.simulation.simulate import simulate
from tests import classics


def parallelogram() -> Mechanism:
    m, a, _, _ = classics.four_bar((1.0, 2.0, 1.0), (1.0, 1.0, 1.0))
    m.need(a.angle, value=0.5)
    return m


def test_relations_that_take_a_freedom_away_are_not_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pin that turns on a circle is said to stay at one x."""

    def wrong(system: System, q: np.ndarray) -> tuple[Findings, Branch]:
        findings = Findings(relations=(BranchEquation(linear=(-float(q[0]), {0: 1.0}), gives=0),))
        return findings, make_branch(system, findings)

    monkeypatch.setenv("GRASHOF_CACHE", "off")
    monkeypatch.setattr(structure, "search", wrong)
    built = build(parallelogram())
    assert built.branch is None
    assert built.dynamics.n == built.joints.n == 4
    run = simulate(built, 1.0)
    assert run.status.ok
    assert np.ptp(run["a.end.x"]) > 0.1


def test_a_motion_that_the_joints_do_not_allow_is_no_success(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the relations of the branch, which hold at the start, one is wrong by a part in ten thousand."""

    def wrong(joints: System, q: np.ndarray) -> tuple[Findings, Branch]:
        findings, branch = search(joints, q)
        assert branch is not None
        coordinates = list(branch.coordinates)
        gone = next(i for i in range(len(coordinates)) if i not in branch.left)
        (other,) = coordinates[gone].terms
        off = coordinates[gone] + Form({other: 1e-4}, -1e-4 * start[branch.left[other]])
        assert isinstance(off, Form)
        coordinates[gone] = off
        return findings, replace(branch, coordinates=tuple(coordinates))

    right = build(parallelogram())
    assert simulate(right, 1.0).status.ok
    start = right.joint_coordinates(right.assembly.q).tolist()
    monkeypatch.setenv("GRASHOF_CACHE", "off")
    monkeypatch.setattr(structure, "search", wrong)
    assert simulate(build(parallelogram()), 1.0).status.code is Code.CONSTRAINTS_UNMET


def test_a_program_starts_elsewhere_without_being_built_again() -> None:
    """A bar on a pin, put upright by its pose and pushed: it falls as one that was built so."""
    m = Mechanism("bar on a pin", gravity=(0, -9.81))
    bar = m.bar("bar", start=(0, 0), end=(1, 0), mass=1.0)
    m.revolute(m.ground.at(0, 0), bar.start)
    built = build(m)
    upright, turned = (built.coordinates_at({"bar": Pose((0.0, 0.0), np.pi / 2 + angle)}) for angle in (0.0, 1e-6))
    pushed = built.started(upright, (turned - upright) / 1e-6)
    run = simulate(pushed, 0.5, times=2)
    m.need(bar.angle, value=np.pi / 2, rate=1.0)
    other = simulate(m, 0.5, times=2)
    assert run["bar.end.x"][0] == pytest.approx(0.0, abs=1e-12)
    assert run["bar.end.x"][-1] == pytest.approx(other["bar.end.x"][-1], abs=1e-5)
