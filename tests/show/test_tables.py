"""Tables on disk are the trajectory, bit for bit."""

from __future__ import annotations

import csv
import re
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest

from grashof.common.errors import ModelError
from grashof.model.mechanism import Mechanism
from grashof.motion.trajectory import Trajectory
from grashof.problems import make_case
from grashof.show.tables import _lines, official_text, save_table
from grashof.simulation.simulate import simulate


@pytest.fixture(scope="module")
def run() -> Trajectory:
    m = Mechanism("pendulum", gravity=(0.0, -9.81))
    rod = m.bar("rod, long", length=1.0, mass=1.0)
    m.revolute(m.ground.at(0.0, 0.0), rod.start)
    m.need(rod.angle, value=0.3)
    return simulate(m, 1.0, times=11)


def test_csv_reads_back_as_the_same_numbers(run: Trajectory, tmp_path: Path) -> None:
    save_table(run, tmp_path / "run.csv")
    with (tmp_path / "run.csv").open(newline="", encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    assert header == [f"{name} [{run.unit(name)}]" for name in run.names]
    for column, name in zip(np.array(rows, float).T, run.names, strict=True):
        assert np.array_equal(column, run[name]), name


def test_lines_of_any_doubles_read_back_as_the_same_bits() -> None:
    """Bits at random: numbers of all sizes, and a few that are infinite or none."""
    bits = np.random.default_rng(7).integers(0, 2**64, size=(4000, 3), dtype=np.uint64)
    numbers = np.vstack([bits.view(float), [[0.0, -0.0, 5e-324], [1e16, 1e-7, 0.1], [np.inf, -np.inf, np.nan]]])
    finite = np.all(np.isfinite(numbers), axis=1)
    for rows in (numbers[finite], numbers):
        read = np.array([line.split(b",") for line in _lines(rows).splitlines()], float)
        same = (read == rows) & (np.signbit(read) == np.signbit(rows)) | (np.isnan(read) & np.isnan(rows))
        assert np.all(same)


def test_text_reads_back_as_the_same_numbers(run: Trajectory, tmp_path: Path) -> None:
    names = ["energy", "rod, long.end.y"]
    save_table(run, tmp_path / "run.txt", names)
    table = np.loadtxt(tmp_path / "run.txt")
    assert np.array_equal(table, np.column_stack([run.t, run["energy"], run["rod, long.end.y"]]))
    first = (tmp_path / "run.txt").read_text(encoding="utf-8").splitlines()[0]
    assert first.split("  ") == ["# t [s]", "energy [J]", "rod, long.end.y [m]"]


def test_parquet_reads_back_as_the_same_numbers_with_units(run: Trajectory, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    save_table(run, tmp_path / "run.parquet")
    table = parquet.read_table(tmp_path / "run.parquet")
    assert tuple(table.column_names) == run.names
    for name in run.names:
        assert np.array_equal(table[name].to_numpy(), run[name]), name
        assert table.schema.field(name).metadata == {b"unit": run.unit(name).encode()}


def test_an_excel_sheet_has_names_units_and_numbers(run: Trajectory, tmp_path: Path) -> None:
    pytest.importorskip("xlsxwriter")
    save_table(run, tmp_path / "run.xlsx", ["energy", "rod, long.end.y"])
    with zipfile.ZipFile(tmp_path / "run.xlsx") as book:
        strings = re.findall(r"<t[^>]*>([^<]*)</t>", book.read("xl/sharedStrings.xml").decode())
        rows = re.findall(r"<row[^>]*>(.*?)</row>", book.read("xl/worksheets/sheet1.xml").decode())
    cells = [[float(cell) for cell in re.findall(r"<v>([^<]*)</v>", row)] for row in rows]
    assert [[strings[int(cell)] for cell in row] for row in cells[:2]] == [
        ["t", "energy", "rod, long.end.y"],
        ["s", "J", "m"],
    ]
    expected = np.column_stack([run.t, run["energy"], run["rod, long.end.y"]])
    assert np.allclose(cells[2:], expected, rtol=1e-15, atol=1e-300)  # Excel keeps 15 to 17 digits


def test_tables_in_units_of_choice(run: Trajectory, tmp_path: Path) -> None:
    run.save(tmp_path / "run.csv", ["rod, long.end.y", "rod, long.angle.rate", "energy"], units="mm, ms, deg")
    with (tmp_path / "run.csv").open(newline="", encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    assert header == ["t [ms]", "rod, long.end.y [mm]", "rod, long.angle.rate [deg/s]", "energy [J]"]
    t, y, rate, energy = np.array(rows, float).T
    assert np.allclose(t, 1000.0 * run.t, rtol=1e-14)
    assert np.allclose(y, 1000.0 * run["rod, long.end.y"], rtol=1e-14)
    assert np.allclose(rate, np.degrees(run["rod, long.angle.rate"]), rtol=1e-14)
    assert np.array_equal(energy, run["energy"])
    rates = run.table("rod, long.angle.rate", units=["deg", "rpm"])["rod, long.angle.rate"]
    assert np.allclose(rates, run["rod, long.angle.rate"] * 30.0 / np.pi, rtol=1e-14)
    with pytest.raises(ModelError, match="there is no unit 'mmm'; did you mean 'mm'"):
        run.in_units("deg, mmm")


def test_without_pyarrow_parquet_says_what_to_install(
    run: Trajectory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ModelError, match=r"install grashof\[tables\]"):
        save_table(run, tmp_path / "run.parquet")
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_suffix_is_refused(run: Trajectory, tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"run\.xls: a table's name must end in \.csv, \.xlsx, \.parquet, \.txt"):
        save_table(run, tmp_path / "run.xls")


def test_an_unknown_quantity_is_refused(run: Trajectory, tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="no quantity 'enrgy'"):
        save_table(run, tmp_path / "run.csv", ["enrgy"])


def test_the_official_file_of_the_double_four_bar_has_its_seven_columns_every_hundredth_of_a_second() -> None:
    """IFToMM library, double four-bar: t, x₁, ẋ₁, total energy, violations of position, velocity and acceleration."""
    case = make_case("double-four-bar")
    run = simulate(case.model, 0.25, times=case.times(0.25))
    lines = official_text(case, run).splitlines()
    assert lines[0].startswith("# t [s]  x_1 [m]  xdot_1 [m/s]  energy [J]")
    table = np.loadtxt(lines)
    assert table.shape == (26, 7)
    assert np.allclose(table[:, 0], 0.01 * np.arange(26), rtol=0.0, atol=1e-15)
    assert table[0, 1:3] == pytest.approx([0.0, 1.0], abs=1e-15)
    assert np.array_equal(table[:, 1], run["upright0.end.x"])
