"""Corners of couplings, where velocities would have to jump, and the energy that is lost is not determined."""

from __future__ import annotations

import numpy as np
import pytest

import grashof as gr
from grashof.common.status import Code


def cam(lift: str, **table: object) -> gr.Mechanism:
    """A free cam that turns at 1 rad/s from 0 and lifts a valve without weight."""
    m = gr.Mechanism("cam")
    disk = m.body("disk", mass=1.0, inertia=0.5, points={"o": (0, 0)})
    valve = m.body("valve", mass=0.2, inertia=1.0, points={"o": (0, 0)})
    m.revolute(m.ground.at(0, 0), disk.o)
    m.prismatic(m.ground.at(0, 0), valve.o, axis=(0, 1))
    if table:
        m.table("profile", **table)  # type: ignore[arg-type]
    m.coupling(f"valve.o.y - ({lift})", name="lift")
    m.need(disk.angle, value=0.0, rate=1.0)
    return m


SHARP = {"x": [0, 2, 2.001, 2.002, 2 * np.pi], "y": [0, 0, 1e-3, 0, 0], "periodic": True}


@pytest.mark.parametrize(
    ("lift", "table", "angle"),
    [
        ("0.1*abs(disk.angle - 1)", {}, 1.0),
        ("max(0, 0.1*sin(disk.angle - 1))", {}, 1.0),
        ("where(disk.angle > 2, 0.1*(disk.angle - 2), 0)", {}, 2.0),
        ("profile(disk.angle)", SHARP, 2.0),  # a step passes over all of it
        ("profile(disk.angle)", {"x": [-1, 0, 0.5, 1], "y": [0, 0.1, 0.12, 0.1], "kind": "cubic"}, 1.0),  # its end
    ],
)
@pytest.mark.parametrize("tol", [1e-2, 1e-6])
def test_a_run_that_passes_a_corner_is_doubtful(lift: str, table: dict[str, object], angle: float, tol: float) -> None:
    run = gr.simulate(cam(lift, **table), 3.0, tol=tol)
    assert run.status.code is Code.CORNER_PASSED
    assert run.status.reached
    assert "coupling 'lift'" in str(run.status)
    before = run.t <= run.status.time
    assert abs(np.interp(run.status.time, run.t, run["disk.angle"]) - angle) < 0.02
    assert np.ptp(run["energy"][before]) < 1e-2 * run["energy"][0]


@pytest.mark.parametrize(
    ("lift", "table"),
    [
        ("where(disk.angle > 2, 0.1*(disk.angle - 2)**2, 0)", {}),  # only its curvature jumps
        ("0.1*abs(disk.angle - 4)", {}),  # not reached
        ("profile(disk.angle)", {"x": [0, 1, 9], "y": [0, 0.1, 0.9]}),  # a straight line
        ("profile(disk.angle)", SHARP | {"x": [0, 1, 2, 3, 2 * np.pi], "kind": "cubic"}),
    ],
)
def test_smooth_functions_have_no_corners(lift: str, table: dict[str, object]) -> None:
    run = gr.simulate(cam(lift, **table), 3.0)
    assert run.status.ok
    assert np.ptp(run["energy"]) < 1e-5 * run["energy"][0]


def test_a_variator_whose_ratio_jumps_with_the_motion_is_doubtful() -> None:
    m = gr.Mechanism("variator")
    drive, wheel = (m.body(name, mass=1.0, inertia=0.2) for name in ("drive", "wheel"))
    m.revolute(m.ground.at(0, 0), drive.at(0, 0))
    m.revolute(m.ground.at(1, 0), wheel.at(0, 0))
    m.variator(wheel, drive, ratio="where(drive.angle > 1, 0.5, 0.8)")
    m.need(drive.angle, value=0.0, rate=1.0)
    for formulation in ("natural", "relative"):
        run = gr.simulate(m, 3.0, formulation=formulation)
        assert run.status.code is Code.CORNER_PASSED
        assert abs(np.interp(run.status.time, run.t, run["drive.angle"]) - 1.0) < 0.02


def test_rows_of_sweeps_that_pass_a_corner_are_doubtful() -> None:
    table = gr.sweep(
        cam("0.1*abs(disk.angle - 1)"), {"disk.inertia": [0.5, 0.7]}, t_end=2.0, outputs=["disk.angle at end"]
    )
    assert list(table.status) == ["corner_passed", "corner_passed"]
