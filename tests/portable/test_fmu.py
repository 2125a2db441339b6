"""FMUs in the hands of FMPy: the same motion as that of `grashof.simulate`, and answers to calls that are wrong."""

from __future__ import annotations

import zipfile
from pathlib import Path

import numpy as np
import pytest

import grashof as gr
from grashof.problems import make_case
from tests.live.mechanisms import arm_before_a_peg
from tests.portable.importer import in_fmpy
from tests.portable.mechanisms import MANY, TORQUE, rod_on_a_rough_line, slider_crank

pytest.importorskip("fmpy")

OUTPUTS = ["rod.end.x", "crank.angle", "kinetic"]


@pytest.fixture(scope="module")
def crank(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A slider-crank with its torque as an input, FMI 3.0."""
    path = tmp_path_factory.mktemp("fmu") / "crank.fmu"
    numbers = ["rod.mass", "rod.length"]
    gr.export(slider_crank(), path, parameters=numbers, inputs=[TORQUE], outputs=[*OUTPUTS, "work.drive"])
    return path


@pytest.mark.parametrize("name", MANY)
def test_mechanisms_move_in_an_importer_as_they_do_here(name: str, tmp_path: Path) -> None:
    make, end, outputs, version = MANY[name]
    m = make()
    gr.export(m, tmp_path / "m.fmu", t_end=end, parameters=[], outputs=outputs, version=version)
    kinds, times = ["CoSimulation", "ModelExchange"], {"stop_time": end, "output_interval": end / 20}
    found = in_fmpy("simulate", tmp_path / "m.fmu", kinds=kinds, relative_tolerance=1e-9, **times)
    assert found["problems"] == []
    at = np.clip(found["CoSimulation"]["time"], 0.0, end)
    run = gr.simulate(m, end, tol=1e-8, times=at)
    for kind, bound in (("CoSimulation", 3e-6), ("ModelExchange", 3e-5)):
        rows = found[kind]
        for output in outputs:
            # events give an importer two rows at one time
            values = [rows[output][np.searchsorted(rows["time"], t - 1e-9)] for t in at]
            assert np.allclose(values, run[output], atol=bound * max(1.0, np.max(np.abs(run[output])))), (kind, output)


def test_a_thin_peg_is_not_passed_over_in_co_simulation(tmp_path: Path) -> None:
    """The arm returns as it came: only the time of contact, 2.9432 depths over the speed, is lost (H. Hertz, 1881)."""
    m = arm_before_a_peg(0.0104, 0.446)
    gr.export(m, tmp_path / "m.fmu", t_end=1.0, parameters=[], outputs=["rod.angle"])
    times = {"stop_time": 1.0, "output_interval": 0.25}
    found = in_fmpy("simulate", tmp_path / "m.fmu", kinds=["CoSimulation"], relative_tolerance=1e-6, **times)
    assert found["problems"] == []
    met, touch = 0.446 - 2.0 * np.arcsin(0.0052), 2.9432 * (1.25 / 3.0 / 1e8) ** 0.4
    assert found["CoSimulation"]["rod.angle"][-1] == pytest.approx(2.0 * met + touch - 1.0, abs=1e-5)


def test_a_benchmark_problem_carries_its_certified_reference(tmp_path: Path) -> None:
    case = make_case("andrews")
    gr.export(case, tmp_path / "andrews.fmu", parameters=[], outputs=["EF.F.x", "EF.F.y", "kinetic"])
    kinds = ["CoSimulation", "ModelExchange"]
    found = in_fmpy("simulate", tmp_path / "andrews.fmu", kinds=kinds, output_interval=5e-3, relative_tolerance=1e-10)
    with zipfile.ZipFile(tmp_path / "andrews.fmu") as archive:
        text = archive.read("resources/reference.csv").decode()
    labels, *rows = (line.split(",") for line in text.splitlines() if not line.startswith("#"))
    table = np.array(rows, float)
    at = np.searchsorted(table[:, 0], np.linspace(0.0, 0.05, 11) - 1e-9)
    for kind in kinds:
        times = found[kind]["time"]
        values = np.searchsorted(times, np.linspace(0.0, 0.05, 11) - 1e-9)
        for column, output in (("x_F [m]", "EF.F.x"), ("y_F [m]", "EF.F.y"), ("kinetic [J]", "kinetic")):
            expected = table[at, labels.index(column)]
            here = np.array(found[kind][output])[values]
            assert np.allclose(here, expected, atol=3e-6 * np.max(np.abs(expected))), (kind, output)


def test_inputs_act_from_the_time_at_which_they_are_set(crank: Path) -> None:
    torques = [[0.0, 0.5], [0.7, -0.4], [1.9, 0.2]]
    found = in_fmpy("step", crank, seed=3, end=3.0, torques=torques, outputs=[*OUTPUTS, "work.drive"])
    assert found["said"] == []
    m = slider_crank(torque="where(t - 1.9, 0.2, where(t - 0.7, -0.4, 0.5))")
    rows = np.array(found["rows"])
    run = gr.simulate(m, 3.0, tol=1e-9, times=rows[:, 0])
    for k, name in enumerate([*OUTPUTS, "work.drive"], 1):
        assert np.allclose(rows[:, k], run[name], atol=5e-6), name


def test_speeds_of_motors_are_inputs(tmp_path: Path) -> None:
    m = slider_crank(speed=6.0)
    gr.export(m, tmp_path / "m.fmu", parameters=[], inputs=["drive.speed"], outputs=["crank.angle", "crank.angle.rate"])
    torques = [[0.0, 6.0], [0.5, -2.0], [1.25, 9.0]]
    outputs = ["crank.angle", "crank.angle.rate"]
    found = in_fmpy("step", tmp_path / "m.fmu", seed=4, end=2.0, torques=torques, outputs=outputs, number="drive.speed")
    for time, angle, rate in found["rows"]:
        passed = 0.4 + 6.0 * min(time, 0.5) - 2.0 * max(min(time - 0.5, 0.75), 0.0) + 9.0 * max(time - 1.25, 0.0)
        assert abs(angle - passed) < 1e-9
        speed = 6.0 if time <= 0.5 else -2.0 if time <= 1.25 else 9.0
        assert abs(rate - speed) < 1e-9


def test_steps_states_resets_and_neighbours_do_not_change_the_motion(crank: Path) -> None:
    found = in_fmpy("repeat", crank, output="rod.end.x")
    run = gr.simulate(slider_crank(), 4.0, tol=1e-9)
    assert abs(found["large"][1] - run["rod.end.x"][-1]) < 1e-6
    assert abs(found["small"][1] - found["large"][1]) < 1e-6
    assert found["returned"]
    assert found["restored"] == found["large"] == found["elsewhere"] == found["one"]
    assert abs(found["two"][1] - found["one"][1]) > 1e-3


def test_wrong_calls_are_errors_that_change_nothing(crank: Path) -> None:
    found = in_fmpy("misuse", crank)
    assert found["token"] is not None
    assert set(found["early"].values()) == {3}
    assert found["open"] == 3
    assert set(found["wrong"].values()) == {3}
    status, (time, x) = found["after"]
    assert (status, time) == (0, 0.1)
    assert abs(x - gr.simulate(slider_crank(), 0.1, tol=1e-9)["rod.end.x"][-1]) < 1e-6
    assert found["ended"] == 3
    said = "\n".join(found["said"])
    for words in (
        "token",
        "joints cannot be closed",
        "mode",
        "bounds",
        "communication point",
        "cannot be set",
        "99999",
        "saved state",
    ):
        assert words in said, words


def test_friction_that_has_no_unique_solution_ends_the_motion(tmp_path: Path) -> None:
    """A rod that rises on a rough line reaches angles at which the equations have no unique solution, if μ > 4/3; with
    a smaller coefficient it goes on."""
    for mu, ends in ((1.2, False), (1.6, True)):
        m = rod_on_a_rough_line(mu, angle=0.75, rate=6.0)
        gr.export(m, tmp_path / "rod.fmu", parameters=[], outputs=["rod.angle"])
        found = in_fmpy("go_on", tmp_path / "rod.fmu", end=0.1, size=0.005, output="rod.angle")
        run = gr.simulate(m, 0.1, tol=1e-8, times=2001)
        assert run.status.ok is not ends
        equations = run.program.dynamics.bearing(run.program.dynamics.state([run.t, *run.y.T]))
        assert np.max(equations.contraction()) == pytest.approx(1.0 if ends else 0.9, abs=1e-3)
        assert found["time"] == pytest.approx(0.0116933 if ends else 0.1, abs=1e-5)
        assert found["time"] == pytest.approx(run.status.time, abs=1e-6)
        assert found["value"] == pytest.approx(float(run["rod.angle"][-1]), abs=1e-3 if ends else 1e-6)
        assert any("no unique solution" in text for text in found["said"]) is ends


def test_directional_derivatives_are_those_of_the_computed_values(crank: Path) -> None:
    found = in_fmpy("slopes", crank, output="kinetic")
    exact, differences = np.array(found["exact"]), np.array(found["differences"])
    assert np.max(np.abs(exact)) > 1.0
    assert np.allclose(exact, differences, atol=1e-6 * np.max(np.abs(exact)))


def test_numbers_that_cannot_be_inputs_are_refused(tmp_path: Path) -> None:
    with pytest.raises(gr.ModelError, match=r"'rod\.mass' cannot be an input"):
        gr.export(slider_crank(), tmp_path / "m.fmu", inputs=["rod.mass"])
    with pytest.raises(gr.ModelError, match=r"no number 'drive\.torqe'; did you mean"):
        gr.export(slider_crank(), tmp_path / "m.fmu", inputs=["drive.torqe"])
    with pytest.raises(gr.ModelError, match=r"There is no quantity 'rod\.end\.z'"):
        gr.export(slider_crank(), tmp_path / "m.fmu", outputs=["rod.end.z"])
    with pytest.raises(gr.ModelError, match=r"end in \.fmu or \.c"):
        gr.export(slider_crank(), tmp_path / "m.dll")
