"""Pictures of tables show what is in them, with units."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from matplotlib.collections import LineCollection, PathCollection, QuadMesh

from grashof.common.errors import ModelError
from grashof.sweeps.statuses import NUMBERS
from grashof.sweeps.table import About, InMemory, Sweep, TableColumn
from tests.show.pictures import ink

COLUMNS = (
    TableColumn("crank.length", "m", "number"),
    TableColumn("rod.mass", "kg", "number"),
    TableColumn("max rod.end.x", "m", "output"),
    TableColumn("mean $kinetic", "J", "output"),
    TableColumn("trajectory rod.end.x", "m", "output", (0.0, 0.5, 1.0)),
)


def table(sample: str = "grid", failed: int = 1) -> Sweep:
    length, mass = (x.ravel() for x in np.meshgrid([0.1, 0.2, 0.3], [1.0, 2.0], indexing="ij"))
    values = [length, mass, length + 0.1 * mass, length * mass, np.outer(length, [0.0, 1.0, 3.0])]
    columns = {column.name: np.array(x) for column, x in zip(COLUMNS, values, strict=True)}
    codes = np.full(6, NUMBERS["success"], np.uint8)
    codes[:failed] = NUMBERS["not_assembled"]
    for column in COLUMNS[2:]:
        columns[column.name][:failed] = np.nan
    about = About(COLUMNS, sample, (), {}, {"mechanism": "crank"}, "")
    return Sweep(about, InMemory(columns, codes))


@pytest.mark.parametrize("kind", ["scatter", "histogram", "parallel", "heatmap", "fan"])
def test_every_kind_is_drawn_also_where_rows_failed(kind: str, tmp_path: Path) -> None:
    for failed in (0, 1, 6):
        path = tmp_path / f"{kind}{failed}.png"
        table(failed=failed).plot(kind, path=path)
        assert ink(path) > 0.01


def test_a_scatter_shows_the_rows_that_have_values() -> None:
    figure = table().plot("scatter", ["rod.mass", "max rod.end.x"])
    (panel,) = (axes for axes in figure.axes if axes.get_xlabel() == "rod.mass [kg]")
    (dots,) = (x for x in panel.collections if isinstance(x, PathCollection))
    found = table()
    assert panel.get_ylabel() == "max rod.end.x [m]"
    expected = np.column_stack([found["rod.mass"], found["max rod.end.x"]])[found.ok]
    assert np.array_equal(np.asarray(dots.get_offsets()), expected)


def test_a_heat_map_of_a_grid_has_a_cell_for_each_row() -> None:
    figure = table(failed=0).plot("heatmap")
    (cells,) = (
        x for axes in figure.axes for x in axes.collections if isinstance(x, QuadMesh) and x.get_array().size == 6
    )
    assert np.allclose(cells.get_array().ravel(), [0.2, 0.3, 0.4, 0.3, 0.4, 0.5])
    assert figure.axes[0].get_xlabel() == "crank.length [m]"


def test_parallel_coordinates_have_a_line_for_each_row() -> None:
    figure = table().plot("parallel")
    (lines,) = (x for x in figure.axes[0].collections if isinstance(x, LineCollection))
    assert len(lines.get_segments()) == 5
    labels = [tick.get_text() for tick in figure.axes[0].get_xticklabels()]
    assert labels == ["crank.length\n[m]", "rod.mass\n[kg]", "max rod.end.x\n[m]", "mean \\$kinetic\n[J]"]


def test_the_kind_that_fits_is_chosen() -> None:
    assert len(table("normal").plot().axes) == 2  # histograms
    assert any(axes.get_ylabel() == "rod.mass [kg]" for axes in table("grid").plot().axes)  # heat map
    assert any(axes.get_xlabel() == "crank.length [m]" for axes in table("zip").plot().axes)  # scatter


def test_what_a_table_has_not_cannot_be_drawn() -> None:
    with pytest.raises(ModelError, match="kind is 'pie'"):
        table().plot("pie")
    with pytest.raises(ModelError, match="needs a trajectory"):
        table().plot("fan", ["crank.length", "max rod.end.x"])
    with pytest.raises(ModelError, match="no column 'max rod'"):
        table().plot("scatter", ["max rod"])
