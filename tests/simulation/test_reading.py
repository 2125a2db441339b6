"""A run and its reactions are read by name, plotted and written as tables; their names are offered for completion."""

from __future__ import annotations

import csv
import pickle
import sys
from pathlib import Path

import numpy as np
import pytest

import grashof as gr
from grashof.common.errors import ModelError
from grashof.motion.trajectory import Trajectory


@pytest.fixture(scope="module")
def run() -> Trajectory:
    m = gr.Mechanism("pendulum", gravity=(0, -9.81))
    rod = m.bar("rod", 1.0, mass=1.0)
    m.revolute(m.ground.at(0, 0), rod.start, name="pin")
    m.need(rod, 0.0)
    return gr.simulate(m, 1.0, times=11)


def labels(figure: object) -> list[str]:
    return [panel.get_ylabel() for panel in figure.axes]  # type: ignore[attr-defined]


def test_names_are_plotted_one_by_one_or_as_a_list(run: Trajectory) -> None:
    assert labels(run.plot("rod.end.x")) == ["rod.end.x [m]"]
    assert labels(run.plot("rod.end.x", "rod.angle")) == ["rod.end.x [m]", "rod.angle [rad]"]
    assert labels(run.plot(["rod.end.x", "rod.angle"])) == ["rod.end.x [m]", "rod.angle [rad]"]
    assert labels(run.plot(names="rod.angle")) == ["rod.angle [rad]"]
    assert labels(run.plot()) == ["position [m]", "energy [J]"]


def test_a_plot_is_written_to_its_path_however_it_is_given(run: Trajectory, tmp_path: Path) -> None:
    for number, call in enumerate(
        [
            lambda path: run.plot("rod.angle", path=path),
            lambda path: run.plot(["rod.angle"], path),
            lambda path: run.plot(None, path),
        ]
    ):
        path = tmp_path / f"{number}.png"
        call(path)
        assert path.read_bytes().startswith(b"\x89PNG")


def test_a_file_in_the_place_of_a_quantity_is_told_to_be_a_path(run: Trajectory) -> None:
    with pytest.raises(ModelError, match=r"give path='crank.png'"):
        run.plot("crank.png")
    with pytest.raises(ModelError, match=r"no quantity 'rod.ned.x'.*'rod.end.x'"):
        run.plot("rod.ned.x")


def test_a_run_is_saved_as_a_table(run: Trajectory, tmp_path: Path) -> None:
    run.save(tmp_path / "run.csv", ["rod.angle", "energy"])
    with open(tmp_path / "run.csv", newline="") as file:
        head, *rows = csv.reader(file)
    assert head == ["t [s]", "rod.angle [rad]", "energy [J]"]
    assert np.array_equal(np.array(rows, float).T, [run.t, run["rod.angle"], run["energy"]])
    assert run.to_csv(names="rod.angle") == "".join(
        [
            "t [s],rod.angle [rad]\n",
            *(f"{t!r},{x!r}\n" for t, x in zip(run.t.tolist(), run["rod.angle"].tolist(), strict=True)),
        ]
    )
    assert run.to_csv(tmp_path / "table.dat", "rod.angle") is None
    assert (tmp_path / "table.dat").read_text() == run.to_csv(names=["rod.angle"])


def test_a_table_that_cannot_be_written_is_refused(run: Trajectory, tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"nowhere/run.csv: the table cannot be written"):
        run.save(tmp_path / "nowhere" / "run.csv")
    with pytest.raises(ModelError, match=r"must end in \.csv"):
        run.save(tmp_path / "run.xls")


def test_reactions_are_plotted_and_saved_as_runs_are(run: Trajectory, tmp_path: Path) -> None:
    found = run.reactions()
    # at rest at the right, a uniform rod has the pin's reaction m g/4 upwards
    assert found["pin.fy"][0] == pytest.approx(9.81 / 4.0, abs=1e-9)
    frame = found.to_pandas("pin.fy")
    assert list(frame.columns) == ["pin.fy"]
    assert np.array_equal(frame["pin.fy"], found["pin.fy"])
    assert labels(found.plot("pin.fy")) == ["pin.fy [N]"]
    assert labels(found.plot()) == ["force [N]"]  # a pin transmits no moment
    found.save(tmp_path / "loads.csv")
    assert (tmp_path / "loads.csv").read_text().startswith("t [s],pin.fx [N],pin.fy [N],pin.mz [N m]\n")
    assert found._ipython_key_completions_() == ["t", "pin.fx", "pin.fy", "pin.mz"]


def test_frames_have_the_quantities_asked_for(run: Trajectory) -> None:
    assert list(run.to_pandas("rod.angle").columns) == ["rod.angle"]
    assert list(run.to_pandas().columns) == list(run.names[1:])


def test_without_pandas_it_says_what_to_do(run: Trajectory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ModelError, match=r"pip install pandas.*save\('run.csv'\)"):
        run.to_pandas()


def test_names_are_offered_for_completion(run: Trajectory) -> None:
    offered = run._ipython_key_completions_()
    assert {"rod.end.x", "rod.angle.rate", "rod.angle.acceleration"} <= {*offered}
    for name in offered:
        assert len(run[name]) == 11


def test_the_whole_of_simulate_takes_longer_than_the_integration(run: Trajectory) -> None:
    assert run.cpu_s is not None
    assert run.cpu_s > run.steps.cpu_s
    assert pickle.loads(pickle.dumps(run)).cpu_s == run.cpu_s


def test_the_second_program_comes_from_the_cache(
    run: Trajectory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRASHOF_CACHE", str(tmp_path / "code"))
    assert not gr.build(run.program.model).from_cache
    assert gr.build(run.program.model).from_cache


def test_in_space_angles_are_to_be_named_before_the_run() -> None:
    m = gr.Mechanism("arm", gravity=(0, 0, -9.81))
    arm = m.bar("arm", 1.0, mass=1.0)
    m.revolute(m.ground.at(0, 0, 0), arm.start, axis=(0, 1, 0))
    with pytest.raises(ModelError, match=r"no quantity 'arm.angle'.*m.angle\('turn', arm, axis="):
        gr.simulate(m, 0.1)["arm.angle"]


def test_quantities_are_read_by_name_and_rows_are_those_of_the_run(run: Trajectory) -> None:
    with pytest.raises(ModelError, match="0 is not the name of a quantity"):
        run[0]  # type: ignore[index]
    with pytest.raises(ModelError, match="row is 11; the run has 11 times, 0 to 10"):
        run.draw(11)
