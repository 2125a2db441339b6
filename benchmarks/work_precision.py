"""Work against precision of every integration method: `python -m benchmarks.work_precision [--plot FILE]`.

For each problem and method, a ladder of tolerances (of steps, for a method with a fixed step): the error by the
problem's own rule, at the official times and at every step, how far the final quantities are from the independent
solution, the evaluations, and the CPU time of the integration (best of a few, the methods taking turns). Printed is
each method's cheapest setting that keeps the rule, everything finer keeping it too; and what verner9 takes of what
dop853 takes for final quantities that are as near to the independent solution.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from math import log10, nan
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from benchmarks.contests import CONTESTS, Contest
from benchmarks.ladder import LADDER, PER_DECADE
from grashof.integrate import METHODS, Method
from grashof.motion.trajectory import Trajectory
from grashof.problems import Case
from grashof.program import build
from grashof.reports.precision import climb_ladders

FINER = tuple(10 ** (-k / PER_DECADE) for k in range(10 * PER_DECADE + 1, 12 * PER_DECADE))
"""Tolerances below those of the ladder, for methods of high order."""

DEVIATIONS = tuple(10.0**-k for k in range(4, 12))
"""Deviations at which two methods are compared."""

NEAR = 1.6
"""Runs within this many decades of a deviation are used: a single run may be accurate by chance, so a line is fitted
to many."""


@dataclass(frozen=True)
class MethodPoint:
    """One setting: error by the rule (J), relative deviation of the final quantities (NaN if chaotic), evaluations,
    CPU seconds."""

    setting: float
    error: float
    deviation: float
    evaluations: int
    cpu_s: float


Curves = dict[str, list[MethodPoint]]
"""The runs of each method that reach the end, coarse first."""


def settings(method: Method) -> tuple[float, ...]:
    """Tolerances or, if the step is fixed, numbers of steps. Coarse first."""
    if not method.adaptive:
        return tuple(100.0 * 2.0**k for k in range(9))
    return (*LADDER, *FINER) if method.order >= 8 else LADDER[:-3]


def measure(contest: Contest, samples: int) -> Curves:
    """Every method at every setting."""
    case = contest.case()
    program = build(case.model)
    exact = case.reference(np.array([case.t_end])) if contest.predictable else None
    found, _ = climb_ladders(program, case.t_end, {name: settings(method) for name, method in METHODS.items()}, samples)
    curves: Curves = {name: [] for name in METHODS}
    for name, rungs in found.items():
        for rung in rungs:
            views = [Trajectory(program, rung.steps, times) for times in (case.times(case.t_end), rung.steps.t)]
            error = max(float(np.max(np.abs(case.error(view)))) for view in views)
            deviation = nan if exact is None else _deviation(case, views[-1], exact)
            point = MethodPoint(rung.setting, error, deviation, rung.steps.counters.evaluations, rung.cpu_s)
            curves[name].append(point)
    return curves


def _deviation(case: Case, run: Trajectory, exact: dict[str, np.ndarray]) -> float:
    """The largest relative deviation of the final quantities."""
    return max(abs(float(column.value(run)[-1] / exact[column.name][-1]) - 1.0) for column in case.final)


def at(points: list[MethodPoint], deviation: float) -> tuple[float, float] | None:
    """Evaluations and CPU seconds for a deviation, from a line fitted in logarithms to the runs near it; None if the
    runs do not reach it."""
    near = [point for point in points if point.deviation > 0 and abs(log10(point.deviation / deviation)) <= NEAR]
    away = [log10(point.deviation / deviation) for point in near]
    if len(near) < 4 or not min(away) < 0 < max(away):
        return None
    work = np.log10([(point.evaluations, point.cpu_s) for point in near])
    evaluations, cpu_s = 10.0 ** np.polyfit(away, work, 1)[1]
    return float(evaluations), float(cpu_s)


def cheapest(points: list[MethodPoint], bound: float) -> MethodPoint | None:
    """The coarsest setting that passes the rule, provided that everything finer passes, too."""
    found = None
    for point in reversed(points):
        if not point.error <= bound:
            break
        found = point
    return found


def main() -> None:
    """Measures, prints the tables, and draws the curves if asked."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--plot", type=Path, help="write a picture")
    options.add_argument(
        "--samples", type=int, default=5, help="integrations of each setting, the best of which counts"
    )
    given = options.parse_args()
    console = Console()
    kept = Table(
        "problem", *METHODS, title="cheapest setting that keeps the rule: evaluations, CPU in µs (tolerance or steps)"
    )
    compared = Table(
        "deviation", *(f"{x:.0e}" for x in DEVIATIONS), title="verner9 / dop853 at a deviation: evaluations, CPU"
    )
    curves: dict[str, tuple[float, Curves]] = {}
    for contest in CONTESTS:
        console.print(f"measuring {contest.title} …", style="dim")
        bound, measured = contest.case().bound, measure(contest, given.samples)
        curves[contest.title] = bound, measured
        cells = []
        for points in measured.values():
            point = cheapest(points, bound)
            cells.append(
                "–" if point is None else f"{point.evaluations}, {1e6 * point.cpu_s:.0f} ({point.setting:.3g})"
            )
        kept.add_row(contest.title, *cells)
        if contest.predictable:
            compared.add_row(contest.title, *(_ratio(measured, deviation) for deviation in DEVIATIONS))
    console.print(kept)
    console.print(compared)
    if given.plot:
        draw(curves, given.plot)


def _ratio(measured: Curves, deviation: float) -> str:
    new, old = (at(measured[name], deviation) for name in ("verner9", "dop853"))
    return "–" if new is None or old is None else f"{new[0] / old[0]:.2f}, {new[1] / old[1]:.2f}"


def draw(curves: dict[str, tuple[float, Curves]], path: Path) -> None:
    """Work against error, in logarithms: by the rule, whose bound is a dotted line, and by the final quantities."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(3.0 * len(curves), 9.0), layout="constrained")
    axes = figure.subplots(3, len(curves))
    for column, (title, (bound, methods)) in zip(axes.T, curves.items(), strict=True):
        for name, points in methods.items():
            errors, deviations = [point.error for point in points], [point.deviation for point in points]
            evaluations, times = [point.evaluations for point in points], [1e3 * point.cpu_s for point in points]
            column[0].loglog(errors, evaluations, ".-", label=name)
            column[1].loglog(errors, times, ".-")
            column[2].loglog(deviations, evaluations, ".-")
        column[0].set_title(title)
        for part, label in zip(column, ("error [J]", "error [J]", "deviation at the end"), strict=True):
            part.set_xlabel(label)
            part.grid(True, which="major", alpha=0.3)
        for part in column[:2]:
            part.axvline(bound, color="black", linestyle=":")
        column[2].set_visible(bool(np.isfinite(deviations).all()))
    for part, label in zip(axes[:, 0], ("evaluations", "CPU time [ms]", "evaluations"), strict=True):
        part.set_ylabel(label)
    axes[0, 0].legend()
    figure.savefig(path, dpi=110)


if __name__ == "__main__":
    main()
