"""Work against precision of every integration method: `python -m benchmarks.work_precision [--plot FILE]`.

For each problem and method, a ladder of tolerances (of steps, for a method with a fixed step): the error by the problem's own rule, at
the official times and at every step, the evaluations, and the CPU time of the integration (best of a few). Printed is each
method's cheapest setting that keeps the rule, everything finer keeping it too.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from benchmarks.contests import CONTESTS
from benchmarks.ladder import LADDER
from grashof.integrate import METHODS
from grashof.problems import Case
from grashof.program import Program, build
from grashof.simulation import integrate
from grashof.trajectory import Trajectory

SETTINGS: dict[bool, tuple[float, ...]] = {True: LADDER[:-3], False: tuple(100.0 * 2.0**k for k in range(9))}
"""Tolerances of adaptive methods; numbers of steps of the others. Coarse first."""


@dataclass(frozen=True)
class Point:
    """One setting: error by the rule (J), evaluations, CPU seconds."""

    setting: float
    error: float
    evaluations: int
    cpu_s: float


def measure(case: Case, program: Program, name: str, samples: int) -> list[Point]:
    """The runs that reach the end, coarse first."""
    points = []
    adaptive = METHODS[name].adaptive
    for setting in SETTINGS[adaptive]:
        tol, step = (setting, None) if adaptive else (1e-6, case.t_end / setting)
        runs = [integrate(program, case.t_end, tol=tol, method=name, step=step) for _ in range(samples)]
        if runs[0].status.ok:
            views = [Trajectory(program, runs[0], times) for times in (case.times(case.t_end), runs[0].t)]
            error = max(float(np.max(np.abs(case.error(view)))) for view in views)
            points.append(Point(setting, error, runs[0].counters.evaluations, min(run.cpu_s for run in runs)))
    return points


def cheapest(points: list[Point], bound: float) -> Point | None:
    """The coarsest that keeps the rule, everything finer keeping it too."""
    found = None
    for point in reversed(points):
        if not point.error <= bound:
            break
        found = point
    return found


def main() -> None:
    """Measures, prints the table, and draws the curves if asked."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--plot", type=Path, help="write a picture")
    options.add_argument(
        "--samples", type=int, default=5, help="integrations of each setting, the best of which counts"
    )
    given = options.parse_args()
    console = Console()
    table = Table(
        "problem", *METHODS, title="cheapest setting that keeps the rule: evaluations, CPU in µs (tolerance or steps)"
    )
    curves: dict[str, tuple[float, dict[str, list[Point]]]] = {}
    for contest in CONTESTS:
        console.print(f"measuring {contest.title} …", style="dim")
        case = contest.case()
        program = build(case.model)
        curves[contest.title] = case.bound, {name: measure(case, program, name, given.samples) for name in METHODS}
        cells = []
        for points in curves[contest.title][1].values():
            point = cheapest(points, case.bound)
            cells.append(
                "–" if point is None else f"{point.evaluations}, {1e6 * point.cpu_s:.0f} ({point.setting:.3g})"
            )
        table.add_row(contest.title, *cells)
    console.print(table)
    if given.plot:
        draw(curves, given.plot)


def draw(curves: dict[str, tuple[float, dict[str, list[Point]]]], path: Path) -> None:
    """Evaluations and CPU time against error, in logarithms; a dotted line is the rule."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(3.0 * len(curves), 6.0), layout="constrained")
    axes = figure.subplots(2, len(curves), sharex="col")
    for column, (title, (bound, methods)) in zip(axes.T, curves.items(), strict=True):
        for name, points in methods.items():
            errors = [point.error for point in points]
            column[0].loglog(errors, [point.evaluations for point in points], ".-", label=name)
            column[1].loglog(errors, [1e3 * point.cpu_s for point in points], ".-", label=name)
        column[0].set_title(title)
        column[1].set_xlabel("error [J]")
        for part in column:
            part.axvline(bound, color="black", linestyle=":")
            part.grid(True, which="major", alpha=0.3)
    axes[0, 0].set_ylabel("evaluations")
    axes[1, 0].set_ylabel("CPU time [ms]")
    axes[0, 0].legend()
    figure.savefig(path, dpi=110)


if __name__ == "__main__":
    main()
