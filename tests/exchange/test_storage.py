"""OpenSim's tables: what is written is read again to the last bit, and angles in degrees are judged as such."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import grashof as gr
from grashof.exchange import storage
from grashof.judge import read_table
from grashof.problems import make_case
from grashof.show.tables import official_text, save_table


def pendulum() -> gr.Trajectory:
    m = gr.Mechanism("pendulum", gravity=(0, -9.81))
    rod = m.bar("left rod", length=1.0, mass=1.0)
    m.revolute(m.ground.at(0, 0), rod.start)
    return gr.simulate(m, 0.3, times=31)


@pytest.mark.parametrize("ending", [".sto", ".mot"])
def test_a_run_is_written_and_read_again_to_the_last_bit(ending: str, tmp_path: Path) -> None:
    run = pendulum()
    save_table(run, tmp_path / f"run{ending}", ["left rod.angle", "left rod.end.x"])
    table = storage.read(tmp_path / f"run{ending}")
    assert table.header["nRows"] == "31"
    assert table.header["nColumns"] == "3"
    assert not table.in_degrees
    assert np.array_equal(table.columns["time"], run.t)
    assert np.array_equal(table.columns["left_rod.angle"], run["left rod.angle"])


def test_results_in_degrees_are_judged_as_rad(tmp_path: Path) -> None:
    case = make_case("multiple-four-bar")
    names = [column.name for column in case.columns]
    rows = np.array([[0.0, 45.0, 90.0, 5.0, -5.0, 1.0], [0.01, 30.0, -180.0, 5.0, -5.0, 1.0]])
    lines = ["\t".join(map(repr, map(float, row))) for row in rows]
    head = [
        "results",
        "version=1",
        "nRows=2",
        "nColumns=6",
        "inDegrees=yes",
        "endheader",
        "\t".join(["time", *names[1:]]),
    ]
    (tmp_path / "run.mot").write_text("\n".join([*head, *lines]) + "\n")
    found = read_table(tmp_path / "run.mot", case)
    assert found.columns[names[1]][0] == pytest.approx(math.pi / 4)
    assert found.columns[names[3]][0] == 5.0
    assert any("inDegrees" in remark for remark in found.remarks)


def test_verify_takes_a_table_of_opensim(tmp_path: Path) -> None:
    from grashof.judge import assess

    case = make_case("double-four-bar")
    run = gr.simulate(case.model, case.t_end, tol=1e-7, times=case.times(case.t_end))
    lines = official_text(case, run).splitlines()
    names = ["time", *(column.name for column in case.columns[1:])]
    head = ["double four-bar", "inDegrees=no", f"nColumns={len(names)}", "endheader", "\t".join(names)]
    (tmp_path / "run.sto").write_text("\n".join([*head, *("\t".join(line.split()) for line in lines[1:])]) + "\n")
    table = read_table(tmp_path / "run.sto", case)
    assert assess(case, table.columns, table.lines).verdict is True


@pytest.mark.parametrize("name", ["andrews", "double-four-bar", "multiple-four-bar"])
def test_verify_finds_what_it_needs_in_a_table_of_all_quantities(name: str, tmp_path: Path) -> None:
    from grashof.judge import assess

    case = make_case(name)
    run = gr.simulate(case.model, case.t_end, tol=1e-6, times=case.times(case.t_end))
    save_table(run, tmp_path / "run.sto")
    table = read_table(tmp_path / "run.sto", case)
    assert {column.name for column in case.columns if not column.violation} <= set(table.columns)
    assert not [remark for remark in table.remarks if "Skipped" in remark]
    assert assess(case, table.columns, table.lines).verdict is True


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("time\tx\n0\t1\n", "endheader"),
        ("a\nendheader\n", "no line 'endheader' followed by"),
        ("endheader\ntime\ttime\n0\t1\n", "twice"),
        ("endheader\ntime\tx\n0\tone\n", "line 3"),
        ("endheader\ntime\tx\n0\n", "1 numbers for 2 columns"),
    ],
)
def test_what_is_no_table_is_refused_by_a_sentence(text: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "bad.sto").write_text(text)
    with pytest.raises(gr.ModelError, match=words):
        storage.read(tmp_path / "bad.sto")
