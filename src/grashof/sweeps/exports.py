"""Tables in other forms: CSV text, and xarray data sets with named axes."""

from __future__ import annotations

import csv
import io
from typing import Any

import numpy as np

from grashof.sweeps.table import STATUS, Sweep, import_extra


def csv_of(sweep: Sweep) -> str:
    """A header of `name [unit]` and one line per row; a trajectory has one column per time, missing values are
    empty."""
    heads: list[str] = []
    columns: list[np.ndarray] = []
    for name in sweep.names:
        values, times = sweep[name], sweep.times(name)
        unit = f" [{sweep.unit(name)}]" if sweep.unit(name) else ""
        heads += [f"{name} at {t!r} s{unit}" for t in times.tolist()] if len(times) else [f"{name}{unit}"]
        columns += list(values.T) if len(times) else [values]
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*heads, STATUS])
    rows = zip(*(column.tolist() for column in columns), sweep.status.tolist(), strict=True)
    writer.writerows(["" if x != x else x for x in row] for row in rows)  # NaN differs from itself
    return text.getvalue()


def dataset(sweep: Sweep) -> Any:
    """For a grid one dimension per number, otherwise the dimension "row"; for trajectories also the dimension "t".

    Units are in the attribute "units" of each variable, the facts about the table in the attributes of the data set.
    """
    xarray = import_extra("xarray", "A data set")
    grid = sweep.about.grid
    over = sweep.numbers if grid else ("row",)
    shape = tuple(len(values) for values in grid) if grid else (len(sweep),)
    coordinates: dict[str, Any] = {}
    for k, name in enumerate(sweep.numbers):
        values = np.array(grid[k]) if grid else sweep[name]
        coordinates[name] = ((name,) if grid else over, values, {"units": sweep.unit(name)})
    variables: dict[str, Any] = {STATUS: (over, sweep.status.reshape(shape))}
    for name in sweep.outputs:
        times = sweep.times(name)
        if len(times):
            coordinates["t"] = (("t",), times, {"units": "s"})
        along = (*over, "t") if len(times) else over
        values = sweep[name].reshape(*shape, *times.shape) if len(times) else sweep[name].reshape(shape)
        variables[name] = (along, values, {"units": sweep.unit(name)})
    return xarray.Dataset(variables, coordinates, dict(sweep.about.facts))
