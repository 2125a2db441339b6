"""Histories: quantities against time or against one of them, one panel per unit."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Unpack

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from grashof.common.errors import ModelError
from grashof.common.pictures import PictureOptions
from grashof.motion.histories import Histories, Names
from grashof.motion.trajectory import Trajectory
from grashof.problems.base import Case
from grashof.problems.base import Figure as Wanted
from grashof.scene.palette import BODIES
from grashof.show.files import DPI, SUFFIXES, inches, save_figure
from grashof.show.labels import plain

_MOST = 8
TIME = "time"
_KINDS = {
    "m": "position",
    "m/s": "velocity",
    "rad": "angle",
    "rad/s": "angular velocity",
    "J": "energy",
    "N": "force",
    "N m": "moment",
}
_GREEK = ("alpha", "beta", "gamma", "delta", "theta", "phi", "psi", "omega")


@dataclass(frozen=True)
class PlottedCurve:
    """A quantity to be plotted."""

    label: str
    unit: str
    value: np.ndarray
    kind: str = ""


def figure_of(case: Case, run: Trajectory, wanted: Wanted) -> Figure:
    """One of the figures in the problem's document."""
    columns = {column.name: column for column in (*case.final, *case.columns)}
    curves = []
    for name in wanted.columns:
        if name in columns:
            unit, value = columns[name].unit, columns[name].value(run)
        else:
            unit, value = run.unit(name), run[name]
        curves.append(PlottedCurve(symbol(name), unit, value, _KINDS.get(unit, "")))
    return _histories(wanted.title, curves, wanted.logarithmic, PlottedCurve(TIME, "s", run.t))


Path = str | os.PathLike[str]


def plot(
    run: Trajectory,
    names: Names | None = None,
    path: Path | None = None,
    x: str = "t",
    units: Names = (),
    **options: Unpack[PictureOptions],
) -> Figure:
    """Plots quantities against time or against the quantity x, in `units` of choice; by default the positions of the
    first few moving points, and the energies.

    The figure is returned, and written as PNG, SVG or PDF if a path is given.
    """
    shown = _telling(run) if names is None else names
    return plot_histories(run, run.program.model.name, shown, path, x, units, **options)


def plot_histories(
    found: Histories,
    title: str,
    names: Names,
    path: Path | None = None,
    x: str = "t",
    units: Names = (),
    **options: Unpack[PictureOptions],
) -> Figure:
    """Plots quantities against time or against the quantity x, in units of choice; the figure is written to a file if
    a path is given. For the options see `PictureOptions`."""
    several = [names] if isinstance(names, str) else names
    for name in several:
        if isinstance(name, str) and name.lower().endswith(SUFFIXES):
            raise ModelError(f"'{name}' is given as a quantity; to write the figure to a file, give path={name!r}.")
    shown = found.in_units(units)

    def curve(name: str) -> PlottedCurve:
        return PlottedCurve(plain(name), shown.unit(name), shown[name], _KINDS.get(found.unit(name), ""))

    against = PlottedCurve(TIME, shown.unit("t"), shown.t) if x == "t" else curve(x)
    figure = _histories(plain(title), [curve(name) for name in several], logarithmic=False, against=against)
    if "size" in options:
        figure.set_size_inches(inches(options["size"]))
    if path is not None:
        save_figure(figure, path, options.get("dpi", DPI))
    return figure


def symbol(name: str) -> str:
    r"""The name of a column as a formula if it denotes a symbol, otherwise in words.

    >>> symbol("xdot_1"), symbol("phi_1"), symbol("violation_position")
    ('$\\dot{x}_{1}$', '$\\phi_{1}$', 'position')
    """
    letters = re.fullmatch(rf"([A-Za-z]|{'|'.join(_GREEK)})(dot)?(?:_(\w+))?", name)
    if letters is None:
        return name.removeprefix("violation_").removeprefix("violation.").replace("_", " ")
    base = rf"\{letters[1]}" if letters[1] in _GREEK else letters[1]
    base = rf"\dot{{{base}}}" if letters[2] else base
    return f"${base}_{{{letters[3]}}}$" if letters[3] else f"${base}$"


def _telling(run: Trajectory) -> list[str]:
    """Coordinates of a few moving points, each history once, and the energies."""
    moving: dict[bytes, str] = {}
    for name in run.names:
        if re.search(r"\.[xyz]$", name) and len(moving) < _MOST:
            history = np.round(run[name] / run.program.system.length, 9)
            if np.ptp(history) > 0.0:
                moving.setdefault(history.tobytes(), name)
    return [*moving.values(), "kinetic", "potential", "energy"]


def _histories(title: str, curves: Sequence[PlottedCurve], logarithmic: bool, against: PlottedCurve) -> Figure:
    """Plots curves against time or another quantity in one panel per unit; logarithmic ones share one panel, since
    only magnitudes are compared."""
    groups: dict[str, list[PlottedCurve]] = {}
    for curve in curves:
        groups.setdefault("" if logarithmic else curve.unit, []).append(curve)
    figure = Figure(figsize=(8.0, 1.4 + 2.6 * len(groups)), layout="constrained")
    figure.suptitle(title)
    panels: list[Axes] = list(figure.subplots(len(groups), 1, sharex=True, squeeze=False)[:, 0])
    color = iter(BODIES * (1 + len(curves) // len(BODIES)))
    for panel, (unit, shared) in zip(panels, groups.items(), strict=True):
        group = [_from_start(curve) for curve in shared] if len(shared) == 1 and not logarithmic else shared
        for curve in group:
            # zero has no logarithm: leave a gap there
            value = np.where(curve.value > 0.0, curve.value, np.nan) if logarithmic else curve.value
            label = f"{curve.label} [{curve.unit}]" if logarithmic else curve.label
            panel.plot(against.value, value, color=next(color), linewidth=1.3, label=label)
        panel.set_ylabel("norm of the joint equations" if logarithmic else _axis_label(unit, group))
        _furnish(panel, against, group, logarithmic)
        if against.kind == group[0].kind == _KINDS["m"]:
            panel.set_aspect("equal", adjustable="datalim")
    panels[-1].set_xlabel(f"{against.label} [{against.unit}]")
    return figure


def _from_start(curve: PlottedCurve) -> PlottedCurve:
    """A curve that hardly changes, as its difference from the initial value, so that the change is visible."""
    first = float(curve.value[0])
    if not 0.0 < np.ptp(curve.value) <= 1e-3 * abs(first):
        return curve
    label = f"change of {curve.label} from {first:.6g} {curve.unit}"
    return replace(curve, label=label, value=curve.value - first)


def _axis_label(unit: str, group: Sequence[PlottedCurve]) -> str:
    return f"{group[0].label if len(group) == 1 else group[0].kind} [{unit}]"


def _furnish(panel: Axes, against: PlottedCurve, group: Sequence[PlottedCurve], logarithmic: bool) -> None:
    panel.grid(True, color="0.9", linewidth=0.6)
    panel.set_axisbelow(True)
    panel.spines[["top", "right"]].set_visible(False)
    if against.label == TIME and len(against.value) > 1:
        panel.set_xlim(against.value[0], against.value[-1])
    if len(group) > 1 or logarithmic:
        panel.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False)
    if logarithmic and any(np.any(curve.value > 0.0) for curve in group):
        panel.set_yscale("log")
    elif logarithmic:
        panel.text(0.5, 0.5, "zero throughout", transform=panel.transAxes, ha="center")
    else:
        panel.ticklabel_format(axis="y", style="sci", scilimits=(-3, 4), useMathText=True)
