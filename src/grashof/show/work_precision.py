"""Work-precision diagrams of several engines on one problem."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from grashof.scene.palette import BODIES

_MARKERS = "osD^vP*X"

FAR = 1e4
"""Largest upper limit of an axis, relative to the goal."""


@dataclass(frozen=True)
class PlottedSeries:
    """Results of an engine, one per setting: CPU time, s; error by the rule, J; relative deviation from the
    reference."""

    name: str
    cpu_s: tuple[float, ...]
    error: tuple[float | None, ...]
    deviation: tuple[float | None, ...]


@dataclass(frozen=True)
class Diagram:
    """A problem on a machine, with the bound of its rule in J and the deviation that counts as agreement."""

    title: str
    bound: float
    agreement: float
    series: tuple[PlottedSeries, ...]


def work_precision(diagrams: Sequence[Diagram]) -> Figure:
    """Draws one row per diagram: error by the rule and deviation from the reference, side by side, over CPU time.

    Lower and further left is better. An engine has the same colour and marker everywhere.
    """
    names = list(dict.fromkeys(series.name for diagram in diagrams for series in diagram.series))
    looks = {name: (BODIES[k % len(BODIES)], _MARKERS[k % len(_MARKERS)]) for k, name in enumerate(names)}
    figure = Figure(figsize=(10.0, 0.6 + 3.6 * len(diagrams)), layout="constrained")
    panels = figure.subplots(len(diagrams), 2, squeeze=False)
    for (left, right), diagram in zip(panels, diagrams, strict=True):
        for series in diagram.series:
            _draw(left, series, series.error, looks[series.name])
            _draw(right, series, series.deviation, looks[series.name])
        _furnish(left, "error by the rule [J]", diagram.bound, "the rule")
        _furnish(right, "deviation from the reference", diagram.agreement, "agreement")
        left.set_title(diagram.title, loc="left", fontsize="medium")
    handles = {
        line.get_label(): line for panel in panels[:, 0] for line in panel.get_lines() if line.get_label() in looks
    }
    figure.legend(handles.values(), handles.keys(), loc="outside right upper", frameon=False)
    return figure


def _draw(panel: Axes, series: PlottedSeries, precision: Sequence[float | None], look: tuple[str, str]) -> None:
    """Draws a marker for every setting, and a line through those that no cheaper setting surpasses."""
    # zero has no logarithm
    found = sorted((cpu, x) for cpu, x in zip(series.cpu_s, precision, strict=True) if x)
    best = [(cpu, x) for k, (cpu, x) in enumerate(found) if all(x < other for _, other in found[:k])]
    color, marker = look
    panel.plot(*_columns(best), color=color, marker=marker, markersize=5, linewidth=1.2, label=series.name)
    panel.plot(*_columns(found), color=color, marker=marker, markersize=3, linestyle="none", alpha=0.5)


def _columns(points: Sequence[tuple[float, float]]) -> tuple[list[float], list[float]]:
    return [x for x, _ in points], [y for _, y in points]


def _furnish(panel: Axes, label: str, goal: float, name: str) -> None:
    panel.axhline(goal, color="0.4", linewidth=0.8, linestyle="--")
    panel.annotate(name, (1.0, goal), xycoords=("axes fraction", "data"), ha="right", va="bottom", fontsize="small")
    panel.set_xscale("log")
    panel.set_yscale("log")
    panel.set_ylim(top=min(panel.get_ylim()[1], FAR * goal))  # runs that diverged are outside the picture
    panel.set_xlabel("CPU time [s]")
    panel.set_ylabel(label)
    panel.grid(True, which="major", color="0.9", linewidth=0.6)
    panel.set_axisbelow(True)
    panel.spines[["top", "right"]].set_visible(False)
