"""A table in memory, in a file, as Arrow, pandas and xarray has the same numbers, units and statuses."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import grashof as gr
from grashof.common.errors import ModelError
from grashof.sweeps import asked as asked_for
from grashof.sweeps import parquet
from grashof.sweeps.statuses import STATUSES
from grashof.sweeps.table import Sweep
from tests.sweeps.mechanisms import four_bar, pendulum

ROOT = Path(__file__).parents[2]

LENGTHS, MASSES = (0.5, 1.0, 2.0), (1.0, 3.0)
OUTPUTS = ["max rod.angle", "trajectory rod.end.x", "rod.angle at end"]


def asked(file: Path | None = None) -> Sweep:
    vary = {"rod.length": LENGTHS, "rod.mass": MASSES}
    return gr.sweep(pendulum(0.5), vary, 0.5, outputs=OUTPUTS, times=4, file=file)


@pytest.fixture(scope="module")
def table() -> Sweep:
    return asked()


def test_a_file_has_the_same_numbers_and_says_what_it_is_about(table: Sweep, tmp_path: Path) -> None:
    found = asked(tmp_path / "table.parquet")
    for name in table.names:
        assert np.array_equal(found[name], table[name]), name
    assert np.array_equal(found.codes, table.codes)
    assert found.about == table.about
    assert found.about.facts["tol"] == "1e-06"
    assert found.about.facts["seed"] == "0"
    assert 'name = "pendulum"' in found.about.facts["description"]
    assert [path.name for path in tmp_path.iterdir()] == ["table.parquet"]
    table.save(tmp_path / "again.parquet")
    assert (tmp_path / "again.parquet").read_bytes() == (tmp_path / "table.parquet").read_bytes()


def test_as_text_it_has_the_same_doubles(table: Sweep, tmp_path: Path) -> None:
    asked(tmp_path / "table.csv")
    text = (tmp_path / "table.csv").read_text()
    assert text == table.to_csv()
    head, *lines = text.splitlines()
    assert head.split(",") == [
        *("rod.length [m]", "rod.mass [kg]", "max rod.angle [rad]"),
        *(f"trajectory rod.end.x at {t!r} s [m]" for t in table.times("trajectory rod.end.x").tolist()),
        *("rod.angle at end [rad]", "status"),
    ]
    for k, line in enumerate(lines):
        *numbers, status = line.split(",")
        row = [table[name][k] for name in ("rod.length", "rod.mass", "max rod.angle")]
        row += [*table["trajectory rod.end.x"][k], table["rod.angle at end"][k]]
        assert ([float(x) for x in numbers], status) == (row, "success")
    table.save(tmp_path / "again.csv")
    assert (tmp_path / "again.csv").read_text() == text


def test_row_groups_are_cut_alike_whatever_the_batches(
    table: Sweep, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parquet, "AT_ONCE", 4 * 8)
    asked(tmp_path / "table.parquet")
    file = parquet._file(tmp_path / "table.parquet")
    assert [file.metadata.row_group(k).num_rows for k in range(file.num_row_groups)] == [4, 2]
    found = Sweep.read(tmp_path / "table.parquet")
    assert np.array_equal(found["trajectory rod.end.x"], table["trajectory rod.end.x"])
    table.save(tmp_path / "again.parquet")
    assert (tmp_path / "again.parquet").read_bytes() == (tmp_path / "table.parquet").read_bytes()


def test_arrow_and_pandas(table: Sweep) -> None:
    arrow = table.to_arrow()
    assert arrow.column_names == [*table.names, "status"]
    assert arrow.schema.field("rod.length").metadata[b"unit"] == b"m"
    assert np.array_equal(arrow["max rod.angle"].to_numpy(), table["max rod.angle"])
    frame = table.to_pandas()
    assert frame.attrs["units"]["max rod.angle"] == "rad"
    assert frame["status"].tolist() == ["success"] * 6
    assert frame["rod.mass"].tolist() == [1.0, 3.0] * 3
    assert np.array_equal(np.stack(frame["trajectory rod.end.x"].to_list()), table["trajectory rod.end.x"])


def test_a_grid_has_a_dimension_for_each_number(table: Sweep) -> None:
    data = table.to_xarray()
    assert data["max rod.angle"].dims == ("rod.length", "rod.mass")
    assert data["trajectory rod.end.x"].dims == ("rod.length", "rod.mass", "t")
    assert data["rod.angle at end"].attrs["units"] == "rad"
    chosen = data["rod.angle at end"].sel({"rod.length": 1.0, "rod.mass": 3.0})
    row = (table["rod.length"] == 1.0) & (table["rod.mass"] == 3.0)
    assert float(chosen) == table["rod.angle at end"][row][0]
    other = gr.sweep(pendulum(), {"rod.length": LENGTHS}, 0.1, outputs=["t at end"], sample="zip").to_xarray()
    assert other["t at end"].dims == ("row",)
    assert other["rod.length"].values.tolist() == list(LENGTHS)


def test_rows_that_cannot_be_run_have_a_status_and_no_values() -> None:
    """The sides are 1, c, 2 and 2: they close while c is at most 5 and, the crank being upright, at most √5 + 2; no
    mass is negative."""
    table = gr.sweep(
        four_bar(),
        {"coupler.length": [2.0, 4.5, -1.0]},
        0.1,
        outputs=["rocker.angle at end", "trajectory coupler.end.x"],
    )
    assert table.status.tolist() == ["success", "not_assembled", "outside_bounds"]
    assert np.isfinite(table["rocker.angle at end"]).tolist() == [True, False, False]
    assert np.isfinite(table["trajectory coupler.end.x"]).all(axis=1).tolist() == [True, False, False]
    assert table.ok.tolist() == [True, False, False]
    assert "1 not assembled" in str(table)
    assert set(table.status) <= set(STATUSES)


def test_runs_that_fail_have_the_code_of_their_status() -> None:
    """A torque that goes to infinity ends the run before its end."""
    m = gr.Mechanism("spun bar")
    rod = m.bar("rod", length=1.0, mass=1.0)
    m.revolute(m.ground.at(0.0, 0.0), rod.start)
    m.torque(rod, "1/(0.5 - t)**2", name="drive")
    table = gr.sweep(m, {"rod.mass": [1.0]}, 1.0, outputs=["rod.angle at end"])
    assert table.status[0] in STATUSES
    assert not table.ok[0]
    assert np.isnan(table["rod.angle at end"][0])
    assert table.to_csv().splitlines()[1] == f"1.0,,{table.status[0]}"


@pytest.mark.parametrize(
    ("package", "use"),
    [
        ("pyarrow", lambda table: table.to_arrow()),
        ("pyarrow", lambda table: table.save("table.parquet")),
        ("xarray", lambda table: table.to_xarray()),
    ],
)
def test_without_the_extra_it_says_what_to_install(table: Sweep, package: str, use, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ModelError, match=rf"needs {package}: install grashof\[sweep\]"):
        use(table)


def test_what_is_no_table_of_a_sweep_is_refused(tmp_path: Path) -> None:
    (tmp_path / "other.parquet").write_bytes(b"no parquet")
    with pytest.raises(ModelError, match="is not a table of a sweep"):
        Sweep.read(tmp_path / "other.parquet")
    with pytest.raises(ModelError, match=r"must end in \.parquet or \.csv"):
        asked(tmp_path / "table.xls")
    with pytest.raises(ModelError, match="folder does not exist"):
        asked(tmp_path / "nowhere" / "table.parquet")
    with pytest.raises(ModelError, match=r"did you mean 'max rod\.angle'"):
        asked()["max rod.angel"]


def test_another_assembly_mode_is_told() -> None:
    """A guess below the line of pivots leads to the four-bar folded down, another assembly mode than the nominal
    one; small changes do not."""
    angles = {"start.guesses.rocker.angle": [1.4, 1.2, -1.4]}
    table = gr.sweep(four_bar(), angles, 0.1, outputs=["rocker.angle at end"], engine="one by one")
    assert table.status.tolist() == ["success", "success", "other_branch"]
    longer = gr.sweep(four_bar(), {"coupler.length": [1.2, 3.0, 4.2]}, 0.02, outputs=["rocker.angle at end"])
    assert longer.status.tolist() == ["success"] * 3


def test_bounds_of_parameters_hold_for_rows() -> None:
    m = gr.Mechanism("pendulum", gravity=(0.0, -9.81))
    length = m.parameter("L", 1.0, unit="m", bounds=(0.5, 2.0))
    rod = m.bar("rod", length=length, mass=1.0)
    m.revolute(m.ground.at(0.0, 0.0), rod.start)
    table = gr.sweep(m, {"L": [0.4, 0.5, 2.0]}, 0.1, outputs=["rod.end.x at 0"])
    assert table.status.tolist() == ["outside_bounds", "success", "success"]
    assert table["rod.end.x at 0"][1:] == pytest.approx([0.5, 2.0], abs=1e-12)
    spread = gr.sweep(m, ["L"], 0.1, outputs=["rod.end.x at 0"], sample="sobol", count=8)
    assert spread["rod.end.x at 0"] == pytest.approx(spread["L"], abs=1e-12)
    assert 0.5 <= spread["L"].min() < spread["L"].max() <= 2.0


def test_a_sweep_needs_no_extras() -> None:
    """Without packages that the extras bring, all but files and other forms of the table works."""
    code = (
        "import sys; sys.modules |= dict.fromkeys(('pyarrow', 'pandas', 'xarray', 'scipy', 'dask', 'distributed'));"
        "import grashof as gr; from tests.sweeps.mechanisms import pendulum;"
        "print(gr.sweep(pendulum(), {'rod.mass': (1.0, 0.1)}, 0.1, outputs=['max rod.angle'], sample='normal', "
        "count=2))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout == "Sweep of 'pendulum': 2 rows (2 success)\n"


def _push(t: object, state: object, *_: object) -> list[float]:
    return [0.1]


def test_what_cannot_be_compiled_with_open_numbers_is_run_one_by_one_and_says_why(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A user's force is not known to the tapes of open numbers."""
    monkeypatch.setattr(asked_for, "MANY", 2)
    m = gr.Mechanism("pushed bar")
    rod = m.bar("rod", length=1.0, mass=1.0)
    m.revolute(m.ground.at(0.0, 0.0), rod.start)
    m.user_force(_push, on=[rod.angle], name="push")
    masses = np.array([1.0, 2.0])
    table = gr.sweep(m, {"rod.mass": masses}, 0.1, outputs=["rod.angle at end"])
    assert table.about.facts["engine"] == "one by one"
    assert "'push'" in table.about.facts["engine, remark"]
    assert str(table).startswith("Sweep of 'pushed bar': 2 rows (2 success). Run one by one: ")
    assert table["rod.angle at end"] == pytest.approx(0.5 * 0.1 / (masses / 3.0) * 0.01, abs=1e-9)


def test_a_table_that_does_not_fit_into_memory_is_refused() -> None:
    with pytest.raises(ModelError, match=r"with file="):
        gr.sweep(pendulum(), {"rod.length": (0.9, 1.1)}, 1.0, outputs=["rod.angle at end"], sample="sobol", count=2**31)
