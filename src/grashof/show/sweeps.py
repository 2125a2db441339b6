"""Plots of sweeps: scatter plot, histogram, parallel coordinates, heat map over two numbers, fan of trajectories."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure

from grashof.scene.palette import BODIES
from grashof.show.labels import plain

SHADES = "cividis"
"""Colour map, also suitable for colour-blind readers."""

MOST_DOTS = 20_000
"""Largest number of rows that are drawn as dots; of more rows, this many evenly spread ones are drawn."""

MOST_LINES = 400
"""Largest number of rows that are drawn as lines."""

BANDS = ((5.0, 95.0), (25.0, 75.0))
"""Percentiles between which a fan is filled."""


@dataclass(frozen=True)
class Axis:
    """A column of a table: (rows,), or (rows, times) for a trajectory."""

    name: str
    unit: str
    values: np.ndarray

    @property
    def label(self) -> str:
        return f"{plain(self.name)} [{self.unit}]" if self.unit else plain(self.name)


def scatter(title: str, across: Axis, up: Sequence[Axis], shade: Axis | None = None) -> Figure:
    """Outputs against a number: one panel per output and one dot per row, coloured by another number if given."""
    figure, panels = _panels(title, len(up))
    shown = _some(len(across.values), MOST_DOTS)
    for panel, axis in zip(panels, up, strict=True):
        if shade is None:
            panel.scatter(across.values[shown], axis.values[shown], s=9.0, color=BODIES[0], linewidths=0.0)
        else:
            dots = panel.scatter(
                across.values[shown], axis.values[shown], s=9.0, c=shade.values[shown], cmap=SHADES, linewidths=0.0
            )
            figure.colorbar(dots, ax=panel, label=shade.label)
        _furnish(panel, across.label, axis.label)
    return figure


def histogram(title: str, columns: Sequence[Axis]) -> Figure:
    """Histograms of outputs, one panel each, with the mean and the 5th and 95th percentiles."""
    figure, panels = _panels(title, len(columns))
    for panel, axis in zip(panels, columns, strict=True):
        values = axis.values[np.isfinite(axis.values)]
        panel.hist(values, bins=_bins(values), color=BODIES[0], edgecolor="white", linewidth=0.4)
        if values.size:
            marks = (
                ("mean", float(values.mean()), "-"),
                *((f"{p:g} %", float(np.percentile(values, p)), "--") for p in BANDS[0]),
            )
            for words, place, style in marks:
                panel.axvline(
                    place, color=BODIES[1], linestyle=style, linewidth=1.1, label=f"{words}: {place:.4g} {axis.unit}"
                )
            panel.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False)
        _furnish(panel, axis.label, "rows")
    return figure


def parallel(title: str, columns: Sequence[Axis], shade: Axis) -> Figure:
    """Parallel coordinates: one line per row, from column to column, each scaled from its smallest to its largest
    value."""
    figure = Figure(figsize=(max(6.0, 1.6 * len(columns) + 2.0), 5.0), layout="constrained")
    figure.suptitle(title)
    panel = figure.subplots()
    shown = _some(len(shade.values), MOST_LINES)
    heights = np.column_stack([_scale_values(axis.values) for axis in columns])[shown]
    across = np.broadcast_to(np.arange(len(columns), dtype=float), heights.shape)
    lines = LineCollection(list(np.stack([across, heights], axis=-1)), cmap=SHADES, linewidths=0.7, alpha=0.7)
    lines.set_array(shade.values[shown])
    panel.add_collection(lines)
    figure.colorbar(lines, ax=panel, label=shade.label)
    panel.set_xlim(-0.2, len(columns) - 0.8)
    panel.set_ylim(-0.05, 1.05)
    panel.set_yticks([])
    panel.set_xticks(range(len(columns)), [_two_lines(axis) for axis in columns])
    for k, axis in enumerate(columns):
        panel.axvline(k, color="0.3", linewidth=0.8)
        low, high = _extent(axis.values)
        panel.text(k, 1.02, f"{high:.4g}", ha="center", va="bottom", fontsize="small")
        panel.text(k, -0.02, f"{low:.4g}", ha="center", va="top", fontsize="small")
    panel.tick_params(axis="x", length=0.0, pad=14.0)
    panel.spines[["top", "right", "left", "bottom"]].set_visible(False)
    return figure


def heatmap(title: str, across: Axis, up: Axis, shade: Axis) -> Figure:
    """An output over two numbers, as cells for a grid and otherwise as dots. Missing values are left white."""
    figure, (panel,) = _panels(title, 1)
    x, y = np.unique(across.values), np.unique(up.values)
    if len(x) > 1 and len(y) > 1 and len(x) * len(y) == len(shade.values):
        cells = np.full((len(y), len(x)), np.nan)
        cells[np.searchsorted(y, up.values), np.searchsorted(x, across.values)] = shade.values
        drawn: ScalarMappable = panel.pcolormesh(x, y, cells, cmap=SHADES, shading="nearest")
    else:
        shown = _some(len(shade.values), MOST_DOTS)
        drawn = panel.scatter(across.values[shown], up.values[shown], s=14.0, c=shade.values[shown], cmap=SHADES)
    figure.colorbar(drawn, ax=panel, label=shade.label)
    _furnish(panel, across.label, up.label)
    return figure


def fan(title: str, times: np.ndarray, columns: Sequence[Axis]) -> Figure:
    """Trajectories: the median, the ranges that contain 50 % and 90 % of them at each time, and some single ones."""
    figure, panels = _panels(title, len(columns))
    for panel, axis in zip(panels, columns, strict=True):
        rows = axis.values[np.isfinite(axis.values).any(axis=1)]
        for row in rows[_some(len(rows), 40)]:
            panel.plot(times, row, color="0.6", linewidth=0.4, alpha=0.6)
        if len(rows):
            with np.errstate(invalid="ignore"):
                for (low, high), strength in zip(BANDS, (0.25, 0.35), strict=True):
                    edges = np.nanpercentile(rows, (low, high), axis=0)
                    label = f"{high - low:g} % of the runs"
                    panel.fill_between(times, *edges, color=BODIES[0], alpha=strength, linewidth=0.0, label=label)
                panel.plot(times, np.nanmedian(rows, axis=0), color=BODIES[1], linewidth=1.4, label="median")
            panel.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False)
        panel.set_xlim(times[0], times[-1])
        _furnish(panel, "time [s]", axis.label)
    return figure


def _panels(title: str, count: int) -> tuple[Figure, list[Axes]]:
    figure = Figure(figsize=(8.0, 1.4 + 3.0 * count), layout="constrained")
    figure.suptitle(title)
    return figure, list(figure.subplots(count, 1, squeeze=False)[:, 0])


def _furnish(panel: Axes, across: str, up: str) -> None:
    panel.set_xlabel(across)
    panel.set_ylabel(up)
    panel.grid(True, color="0.9", linewidth=0.6)
    panel.set_axisbelow(True)
    panel.spines[["top", "right"]].set_visible(False)


def _some(count: int, most: int) -> np.ndarray:
    """At most this many indices, evenly spread."""
    return np.arange(count) if count <= most else np.linspace(0, count - 1, most).astype(int)


def _bins(values: np.ndarray) -> int:
    return int(np.clip(np.sqrt(values.size), 5, 80))


def _extent(values: np.ndarray) -> tuple[float, float]:
    known = values[np.isfinite(values)]
    return (float(known.min()), float(known.max())) if known.size else (0.0, 0.0)


def _scale_values(values: np.ndarray) -> np.ndarray:
    low, high = _extent(values)
    scaled: np.ndarray = (values - low) / (high - low) if high > low else np.full(len(values), 0.5)
    return scaled


def _two_lines(axis: Axis) -> str:
    return f"{plain(axis.name)}\n[{axis.unit}]" if axis.unit else plain(axis.name)
