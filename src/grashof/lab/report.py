"""Comparisons in the laboratory as a table of text and as a picture."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from matplotlib.figure import Figure

from grashof.lab.judging import DEFINITION, LabResult
from grashof.scene.palette import BODIES
from grashof.show.files import save_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from grashof.lab.compare import LabComparison

_MARKERS = "osD^vP*X"
_LINES = ("-", "--", ":")
_HEADINGS = ("setting", "error", "energy [J]", "drift [m]", "[m/s]", "evaluations", "CPU [ms]", "")


def text(found: LabComparison) -> str:
    """One block for each formulation, one line for each run; what failed says why."""
    lines = [f"{found.name}, {found.t_end:g} s. Error: {DEFINITION}."]
    for label, member in found.members.items():
        order = found.order(label)
        measured = "" if order is None else f"; measured order {order:.1f}"
        lines += ["", f"{label}: {member.card.title}{measured}"]
        rows = [_HEADINGS, *(_row(result, member.setting) for result in found[label])]
        widths = [max(len(row[k]) for row in rows) for k in range(len(_HEADINGS) - 1)]
        for row in rows:
            cells = [cell.rjust(width) for cell, width in zip(row[:-1], widths, strict=True)]
            lines.append("  ".join(["", *cells, row[-1]]).rstrip())
    return "\n".join(lines)


def _row(result: LabResult, kind: str) -> tuple[str, ...]:
    unit = " s" if kind == "step" else ""
    return (
        f"{result.setting:.3g}{unit}",
        _short(result.error),
        _short(result.energy_error),
        _short(result.position_violation),
        _short(result.velocity_violation),
        "–" if result.evaluations is None else f"{result.evaluations}",
        f"{1e3 * result.cpu_s:.1f}",
        "" if result.status.ok else str(result.status),
    )


def _short(x: float | None) -> str:
    return "–" if x is None else f"{x:.1e}"


def plot(found: LabComparison, path: str | os.PathLike[str] | None = None) -> Figure:
    """Four panels: error over evaluations and over CPU time; drift and energy-balance error over the error."""
    figure = Figure(figsize=(11.0, 8.0), layout="constrained")
    panels = figure.subplots(2, 2)
    for k, label in enumerate(found.members):
        runs = [x for x in found[label] if x.error]
        look = {"color": BODIES[k % len(BODIES)], "marker": _MARKERS[k % len(_MARKERS)], "label": label}
        look["linestyle"] = _LINES[k // len(BODIES) % len(_LINES)]
        errors = [x.error for x in runs]
        _draw(panels[0, 0], [x.evaluations for x in runs], errors, look)
        _draw(panels[0, 1], [x.cpu_s for x in runs], errors, look)
        _draw(panels[1, 0], errors, [x.position_violation for x in runs], look)
        _draw(panels[1, 1], errors, [x.energy_error for x in runs], look)
    titles = (
        ("evaluations", "error"),
        ("CPU time [s]", "error"),
        ("error", "position violation [m]"),
        ("error", "energy-balance error [J]"),
    )
    for panel, (x, y) in zip(panels.ravel(), titles, strict=True):
        panel.set(xscale="log", yscale="log", xlabel=x, ylabel=y)
        panel.grid(True, which="major", color="0.9", linewidth=0.6)
        panel.spines[["top", "right"]].set_visible(False)
    figure.suptitle(f"{found.name}, {found.t_end:g} s")
    handles, labels = panels[0, 1].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside right upper", frameon=False)
    if path is not None:
        save_figure(figure, path)
    return figure


def _draw(panel: Axes, x: Sequence[float | None], y: Sequence[float | None], look: dict[str, str]) -> None:
    """The runs for which both are known and positive: zero has no logarithm."""
    found = [(a, b) for a, b in zip(x, y, strict=True) if a and b]
    panel.plot([a for a, _ in found], [b for _, b in found], markersize=5, linewidth=1.2, **look)  # type: ignore[arg-type]
