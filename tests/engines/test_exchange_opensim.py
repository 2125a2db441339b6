"""What is written for OpenSim moves in OpenSim as it does here, and what OpenSim writes moves here as it should."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import grashof as gr
from grashof.exchange import load_file, save_file, storage
from grashof.model.model import Model
from grashof.problems import make_case
from grashof.show.tables import save_table

from . import linkages
from .opensim_andrews import WAYS

opensim = pytest.importorskip("opensim", reason="OpenSim is not installed: pip install 'grashof[engines]'")

DATA = Path(__file__).parent.parent / "exchange" / "data"


def moved_in_opensim(
    path: Path, points: dict[str, tuple[float, ...]], times: np.ndarray, accuracy: float
) -> np.ndarray:
    """Where points `body.point` are in OpenSim at these times, (T, P, 3): the file as it is, by OpenSim's own
    manager."""
    opensim.Logger.setLevelString("Off")
    model = opensim.Model(str(path))
    state = model.initSystem()
    manager = opensim.Manager(model)
    manager.setIntegratorMethod(opensim.Manager.IntegratorMethod_RungeKuttaMerson)
    manager.setIntegratorAccuracy(accuracy)
    manager.setIntegratorConstraintTolerance(1e-14)
    manager.initialize(state)
    found = np.empty((len(times), len(points), 3))
    for k, t in enumerate(times):
        state = manager.integrate(float(t)) if t > 0.0 else state
        model.realizePosition(state)
        for i, (point, place) in enumerate(points.items()):
            body = model.getBodySet().get(point.rpartition(".")[0].replace(" ", "_"))
            at: Any = body.findStationLocationInGround(state, opensim.Vec3(*(*place, 0.0)[:3]))
            found[k, i] = at.get(0), at.get(1), at.get(2)
    return found


def departure(model: Model, path: Path, t_end: float, accuracy: float, count: int = 101) -> float:
    """The largest distance between the same point here and in OpenSim, m."""
    times = np.linspace(0.0, t_end, count)
    massless = {body.name for body in model.bodies if body.mass == 0.0}
    points = {
        name: place for name, place in model.points.items() if name.rpartition(".")[0] not in {"ground", *massless}
    }
    run = gr.simulate(model, t_end, tol=1e-10, times=times)
    assert run.status.ok
    axes = "xyz"[: model.dimension]
    here = np.stack([np.stack([run[f"{point}.{axis}"] for axis in axes], axis=-1) for point in points], axis=1)
    there = moved_in_opensim(path, points, times, accuracy)
    assert np.abs(there[..., model.dimension :]).max(initial=0.0) < 1e-12
    return float(np.linalg.norm(here - there[..., : model.dimension], axis=-1).max())


@pytest.mark.parametrize("name", ["andrews", "double-four-bar"])
def test_problems_move_as_here_over_the_whole_time(name: str, tmp_path: Path) -> None:
    case = make_case(name)
    assert save_file(case.model, tmp_path / "model.osim", strict=True) == ()
    assert departure(case.model, tmp_path / "model.osim", case.t_end, 1e-11) < 1e-7


MECHANISMS = {
    **{
        name: make
        for name, make in linkages.MECHANISMS.items()
        if name not in ("user_force", "absolute_torsion", "aslant")
    },
    **{f"hung {kind}": partial(linkages.hung, kind) for kind in linkages.SPATIAL},
    **{f"loop {kind}": partial(linkages.loop, kind) for kind in linkages.CLOSING if kind != "planar"},
}


@pytest.mark.parametrize("name", MECHANISMS)
def test_files_of_every_kind_move_as_here_and_are_read_again_as_the_same_motion(name: str, tmp_path: Path) -> None:
    model = MECHANISMS[name]().model
    save_file(model, tmp_path / "model.osim", strict=True)
    assert departure(model, tmp_path / "model.osim", 0.5, 1e-10, 26) < 1e-7
    again = load_file(tmp_path / "model.osim", strict=True).model
    assert departure(again, tmp_path / "model.osim", 0.5, 1e-10, 26) < 1e-7


def swung() -> tuple[gr.Mechanism, Any, Any]:
    """Two bars, the second one on the first."""
    m = gr.Mechanism("swung", gravity=(0, -9.81))
    first = m.bar("first", start=(0, 0), end=(1, 0.2), mass=1.0)
    second = m.bar("second", start=(1, 0.2), end=(1.5, -0.5), mass=0.7)
    m.revolute(first.start, m.ground.at(0, 0))
    m.revolute(first.end, second.start)
    return m, first, second


VARYING = {
    "torque by a sine": lambda m, a, b: m.torque(a, "3*sin(4*t + 0.2) - 1"),
    "torque by a cosine": lambda m, a, b: m.torque(a, "2 - cos(3*t)/2"),
    "torque by a polynomial": lambda m, a, b: m.torque(a, "1 - 2*t + 3*t**2"),
    "torque by another law of time": lambda m, a, b: m.torque(a, "3*exp(-t)*sin(5*t)"),
    "torque by a law with a choice": lambda m, a, b: m.torque(a, "2*t if t < 0.3 else 0.6 - sign(t - 0.4)"),
    "torque by the motion": lambda m, a, b: m.torque(a, "-2*first.angle*abs(first.angle) - 0.3*tanh(first.angle.rate)"),
    "torque by both": lambda m, a, b: m.torque(a, "sin(3*t) - (0.2*first.angle.rate - 2*t) + 0.5"),
    "torque on the second": lambda m, a, b: m.torque(b, "3*sin(4*t)"),
    "torque between": lambda m, a, b: m.torque(m.angle("knee", a, reference=b), "t**2 - 2*knee.rate - sin(knee)"),
    "force": lambda m, a, b: m.force(b.end, ("2*sin(3*t)", "t - exp(t)")),
    "force along the body": lambda m, a, b: m.force(b.end, ("2*sin(3*t)", 1.0), axes="body"),
    "pull by time": lambda m, a, b: m.pull(m.separation("span", m.ground.at(1, 1), b.end), "4*sin(5*t)"),
    "pull by the length": lambda m, a, b: m.pull(
        m.separation("span", m.ground.at(1, 1), b.end), "-3*span**2 - 0.4*span.rate + 0.2*t"
    ),
    "spring that is wound up": lambda m, a, b: m.torsion_spring(a, stiffness=8.0, rest="0.3*sin(6*t)", damping=0.2),
    "spring with a moving end": lambda m, a, b: m.spring(
        m.ground.at(1, 1), b.end, stiffness=20.0, length="0.5 + 0.1*sin(7*t)", damping=0.3
    ),
    "held angle": lambda m, a, b: m.coupling({m.angle("knee", a, reference=b): 2.0}),
    "motor": lambda m, a, b: m.motor(a, "0.3*sin(4*t) + 0.2"),
    "motor between": lambda m, a, b: m.motor(m.angle("knee", a, reference=b), "1 - 0.3*cos(4*t)"),
}


@pytest.mark.parametrize("name", VARYING)
def test_laws_of_time_and_motion_move_as_here_and_are_read_again_as_the_same_motion(name: str, tmp_path: Path) -> None:
    m, first, second = swung()
    VARYING[name](m, first, second)
    save_file(m.model, tmp_path / "model.osim", strict=True)
    assert departure(m.model, tmp_path / "model.osim", 0.5, 1e-11, 26) < 1e-7
    again = load_file(tmp_path / "model.osim", strict=True).model
    assert departure(again, tmp_path / "model.osim", 0.5, 1e-11, 26) < 1e-7


@pytest.mark.parametrize("name", WAYS)
def test_the_squeezer_as_opensim_writes_it_is_the_file_among_the_tests(name: str, tmp_path: Path) -> None:
    WAYS[name]().write(tmp_path / "model.osim")
    assert load_file(tmp_path / "model.osim", strict=True) == load_file(DATA / f"{name}.osim", strict=True)


@pytest.mark.parametrize("name", WAYS)
def test_the_squeezer_as_opensim_writes_it_moves_in_opensim_as_here(name: str) -> None:
    model = load_file(DATA / f"{name}.osim", strict=True).model
    assert departure(model, DATA / f"{name}.osim", 0.05, 1e-10) < 1e-7


def test_tables_are_read_by_opensim_and_those_of_opensim_here(tmp_path: Path) -> None:
    run = gr.simulate(make_case("andrews").model, 0.01, times=11)
    save_table(run, tmp_path / "run.sto", ["OF.F.x", "OF.angle"])
    table = opensim.TimeSeriesTable(str(tmp_path / "run.sto"))
    assert list(table.getIndependentColumn()) == list(run.t)
    assert table.getDependentColumn("OF.F.x").to_numpy().tolist() == run["OF.F.x"].tolist()
    opensim.STOFileAdapter.write(table, str(tmp_path / "again.sto"))
    again = storage.read(tmp_path / "again.sto")
    assert again.columns["OF.angle"] == pytest.approx(run["OF.angle"], rel=1e-14)
