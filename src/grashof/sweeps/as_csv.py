"""Tables as CSV text."""

from __future__ import annotations

import csv
import io

import numpy as np

from grashof.sweeps.table import STATUS, Sweep


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
