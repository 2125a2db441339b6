"""Stiff mechanisms: `python -m benchmarks.stiff [--only governor] [--rounds 5]`.

Each problem is integrated by Grashof's implicit methods, by an explicit one, by `auto`, and by LSODA and Radau of SciPy
and by CVODE (SUNDIALS, if scikit-sundae is installed) with the same accelerations and Jacobian (compiled, but called
from Python), at several tolerances, which mean different things.
*Error* is the largest deviation of a position at 101 times, relative to the mechanism's length, from a reference:
Verner's method at 1e-9 if that takes at most two million steps, otherwise Rodas5P at 1e-10; where it is the latter,
agreement with SciPy's results is what confirms it. *CPU* is that of the integration alone, the least of several rounds
in which all take turns. The last column is the whole of `simulate` at this tolerance, with its error estimate and
checks.

If MuJoCo and Exudyn are installed, they integrate the mechanism as `grashof second-opinion` translates it: MuJoCo with
its `implicit` and `implicitfast`, Exudyn by its generalised-alpha method, or explicitly where its trees suit. For each:
the cheapest step with an error below each of three goals, everything longer failing; what takes longer than some
seconds is given up. Forces that an engine has no element for are computed by a Python callback.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec

import numpy as np
from scipy.integrate import solve_ivp

from benchmarks.machine import facts
from benchmarks.stiff_mechanisms import PROBLEMS, StiffProblem
from benchmarks.trees import halve_steps, make_implicit
from grashof.engines import ENGINES
from grashof.engines.base import EngineFailed, NotInstalled, Prepared, Setting
from grashof.engines.comparison import MotionNorms
from grashof.program import Program, build
from grashof.simulation.simulate import integrate, simulate
from grashof.situation import Situation, situation
from grashof.situation.motion import motion_of

GOALS = (1e-2, 1e-3, 1e-4)
"""Errors at which other engines are compared."""
PATIENCE = 5.0
"""Runs of other engines that take longer are given up, s."""
TOLERANCES = (1e-3, 1e-4, 1e-5, 1e-6)
OURS = ("rodas5p", "radau5", "radau9", "radau13", "dop853", "auto")
OTHERS = ("LSODA", "Radau", *(["CVODE"] if find_spec("sksundae") else []))
MOST, ENOUGH = 2_000_000, 300_000
"""Largest number of steps of the reference, and of explicit runs."""
SECONDS = 20.0
"""Runs of SciPy that take longer are given up."""


class TooLong(Exception):
    """A run that was given up."""


@dataclass
class Row:
    """One method at one tolerance: how it is run, its states at some times, and what it took."""

    name: str
    tol: float
    run: Callable[[], tuple[float, int, int, np.ndarray | None]]
    cpu_s: float = np.inf
    steps: int = 0
    evaluations: int = 0
    y: np.ndarray | None = None

    def measure(self) -> None:
        """Runs it once more."""
        cpu_s, self.steps, self.evaluations, self.y = self.run()
        self.cpu_s = min(self.cpu_s, cpu_s)


def of_grashof(program: Program, end: float, times: np.ndarray, method: str, tol: float) -> Row:
    """One of our methods."""

    def run() -> tuple[float, int, int, np.ndarray | None]:
        steps = integrate(program, end, tol=tol, method=method, max_steps=ENOUGH)
        y = program.integrator.sample(steps, times)[0] if steps.status.ok else None
        return steps.cpu_s, steps.counters.steps, steps.counters.evaluations, y

    return Row(method, tol, run)


def of_others(program: Program, end: float, times: np.ndarray, method: str, tol: float) -> Row:
    """One of SciPy's, or CVODE, with tolerances relative to the scales of the motion."""
    equations, sizes, view = program.integrator, program.integrator.sizes, program.integrator.view
    start = program.y0 if view is None else view.own(times[0], program.y0)
    scales = np.full(sizes.size, program.system.length)

    def jacobian(t: float, y: np.ndarray) -> np.ndarray:
        above = np.eye(sizes.direct, sizes.size, sizes.nq)
        return np.vstack([above, equations.jacobian(t, y)[:, 1:]])

    def run() -> tuple[float, int, int, np.ndarray | None]:
        began, count = time.process_time(), 0

        def slope(t: float, y: np.ndarray) -> np.ndarray:
            nonlocal count
            count += 1
            if count % 1000 == 0 and time.process_time() - began > SECONDS:
                raise TooLong
            return np.concatenate([y[sizes.of_direct_v], equations.derivative(t, y)])

        tight, longest = 1e-2 * tol, end / 50.0
        try:
            if method == "CVODE":
                states = by_cvode(slope, jacobian, times, start, tight, scales, longest)
            else:
                span, atol = (times[0], end), tight * scales
                found = solve_ivp(
                    slope, span, start, method, times, jac=jacobian, rtol=tight, atol=atol, max_step=longest
                )
                states = found.y.T if found.success else None
        except TooLong:
            states = None
        cpu_s = time.process_time() - began
        if states is None:
            return cpu_s, -1, count, None
        return cpu_s, -1, count, states if view is None else view.natural(times, states)[0]

    return Row(method if method == "CVODE" else f"SciPy {method}", tol, run)


def by_cvode(
    slope: Callable[[float, np.ndarray], np.ndarray],
    jacobian: Callable[[float, np.ndarray], np.ndarray],
    times: np.ndarray,
    start: np.ndarray,
    tight: float,
    scales: np.ndarray,
    longest: float,
) -> np.ndarray | None:
    """The states at the times by CVODE's BDF; None if it fails."""
    from sksundae.cvode import CVODE

    beyond: list[TooLong] = []

    def fill(t: float, y: np.ndarray, out: np.ndarray) -> None:
        try:
            out[:] = slope(t, y) if not beyond else np.nan
        except TooLong as problem:  # exceptions do not pass through the solver
            beyond.append(problem)
            out[:] = np.nan

    def fill_jacobian(t: float, y: np.ndarray, _: np.ndarray, out: np.ndarray) -> None:
        out[:] = jacobian(t, y)

    solver = CVODE(
        fill,
        method="BDF",
        rtol=tight,
        atol=tight * scales,
        max_step=longest,
        max_num_steps=10_000_000,
        jacfn=fill_jacobian,
    )
    found = solver.solve(times, start)
    return found.y if found.success and len(found.y) == len(times) and not beyond else None


def engines_of(s: Situation, end: float) -> Iterator[tuple[str, Prepared | str, tuple[Setting, ...]]]:
    """Other engines with implicit methods: the mechanism prepared by each, or why it is not, and the settings from
    coarse to fine."""
    for name, integrator in (("mujoco", "implicit"), ("mujoco", "implicitfast"), ("exudyn", "")):
        engine, title = ENGINES[name], f"{name} {integrator}".rstrip()
        try:
            engine.version()
            prepared, ladder = engine.prepare(s), engine.ladder(s, end)
            if integrator:
                prepared, ladder = make_implicit(prepared, integrator), halve_steps(ladder, integrator)
            yield title, prepared, ladder
        except (NotInstalled, EngineFailed) as problem:
            yield title, str(problem), ()


def measure_engines(problem: StiffProblem, program: Program, times: np.ndarray, exact: np.ndarray, rounds: int) -> None:
    """Measures other engines and prints their rows."""
    s, layout = situation(problem.make().model), program.dynamics.layout
    motion = motion_of(program.system, times, exact[:, layout.of_q], exact[:, layout.of_v])
    comparison = MotionNorms(s, motion)
    for title, prepared, ladder in engines_of(s, problem.t_end):
        if isinstance(prepared, str):
            print(f"{title:20} {prepared}")
            continue
        goals = list(GOALS)
        for setting in ladder:
            try:
                result = prepared.run(setting, times, PATIENCE)
            except EngineFailed as failure:
                if "limit" in str(failure):
                    break
                continue
            apart = comparison.between(motion, result.motion).by_kind["position"]
            if not goals or not apart <= goals[0]:
                continue
            cpu_s = min(result.cpu_s, *(prepared.run(setting, times).cpu_s for _ in range(rounds)))
            print(
                f"{title:20} {'':>7} {result.steps:>8} {'':12} {1e3 * cpu_s:8.2f} ms {apart:9.1e}  {setting}",
                flush=True,
            )
            goals = [goal for goal in goals if not apart <= goal]
        if goals:
            print(f"{title:20} no run within {PATIENCE:g} s has an error of {goals[0]:g}")


def reference(program: Program, end: float, times: np.ndarray) -> tuple[np.ndarray, str]:
    """The motion that errors are measured against, and by which method it was found."""
    for method, tol in (("verner9", 1e-9), ("rodas5p", 1e-10)):
        steps = integrate(program, end, tol=tol, method=method, max_steps=MOST)
        if steps.status.ok:
            return program.integrator.sample(steps, times)[0], method
    raise SystemExit(f"no reference: {steps.status}")


def measure(problem: StiffProblem, rounds: int) -> None:
    """Measures one problem and prints its table."""
    program = build(problem.make(), formulation=problem.formulation)
    end, layout, length = problem.t_end, program.dynamics.layout, program.system.length
    times = np.linspace(program.assembly.time, end, 101)
    exact, by = reference(program, end, times)
    print(f"\n{problem.title}: {program.integrator.sizes.nq} coordinates, {end:g} s, reference by {by}")
    print(f"{'':14} {'tol':>7} {'steps':>8} {'evaluations':>12} {'CPU':>11} {'error':>9} {'simulate':>11}")
    rows = [of_grashof(program, end, times, name, tol) for tol in TOLERANCES for name in OURS]
    for method in OTHERS:
        for tol in TOLERANCES:
            row = of_others(program, end, times, method, tol)
            row.measure()
            rows.append(row)
            if row.y is None:
                break
    for _ in range(rounds):
        for row in rows:
            if row.name in OURS or row.cpu_s < 1.0:
                row.measure()
    for row in rows:
        error = np.inf if row.y is None else np.abs(row.y - exact)[:, layout.of_q].max() / length
        whole = ""
        if row.name == "rodas5p":
            began = time.process_time()
            run = simulate(program, end, tol=row.tol)
            whole = f"{1e3 * (time.process_time() - began):8.1f} ms{'' if run.status.ok else ' ?'} {run.method.name}"
        count, cpu = f"{row.steps}" if row.steps >= 0 else "", f"{1e3 * row.cpu_s:8.2f} ms"
        print(f"{row.name:14} {row.tol:7g} {count:>8} {row.evaluations:12d} {cpu} {error:9.1e} {whole}", flush=True)
    measure_engines(problem, program, times, exact, rounds)
    if problem.published:
        run = simulate(program, end, tol=1e-8, method="rodas5p")
        worst = max(abs(float(run[name][-1]) / value - 1.0) for name, value in problem.published.items())
        print(f"largest relative deviation from published values, at 1e-8: {worst:.1e}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="problems whose title contains this")
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    print(facts())
    for problem in PROBLEMS:
        if given.only in problem.title:
            measure(problem, given.rounds)


if __name__ == "__main__":
    main()
