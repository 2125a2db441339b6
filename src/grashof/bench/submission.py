"""Submissions to the IFToMM library of multibody benchmarks (iftomm-multibody.org/benchmark/submit).

A text file with the columns that the problem's document defines, the accuracy (the error as that document defines it),
the CPU time, the processor, the operating system, and the method in at most 1,024 characters.
"""

from __future__ import annotations

from pathlib import Path

from grashof.bench.machine import machine_facts
from grashof.common.errors import ModelError
from grashof.common.writing import write_atomically
from grashof.judge import Assessment, assess, read_table
from grashof.judge.verdict import VerdictOutcome
from grashof.model.files import dumps
from grashof.problems import PROBLEMS
from grashof.show.tables import official_text

LONGEST_METHOD = 1024


def method(outcome: VerdictOutcome) -> str:
    """The description of the method, within the form's limit."""
    program, counters = outcome.run.program, outcome.run.steps.counters
    system, joints = program.system, program.joints.system
    branch = f" from {joints.n} and {joints.m} by linear relations that hold on its branch" if program.relations else ""
    text = (
        "Natural coordinates with a constant mass matrix. Linear constraints are eliminated exactly beforehand, which "
        f"leaves coordinates: {system.n}, constraints: {system.m}{branch} (degrees of freedom {outcome.dof}, redundant "
        f"joint equations as modelled {outcome.redundant}). Accelerations and multipliers from the index-1 equations "
        "as a symmetric quasi-definite system, factorised by sparse LDL^T, which exists for any rank of the "
        f"constraints. Explicit Runge-Kutta method {outcome.run.method.method.title} with adaptive steps and "
        "projection of positions and velocities on the constraints, results by its dense output. Equations and time "
        f"loop are generated for the mechanism and compiled by LLVM. Tolerance {outcome.tol:g}: {counters.steps} "
        f"steps, {counters.rejected} rejected, {counters.evaluations} evaluations. CPU time is that of the "
        f"integration, best of {outcome.repeat} runs, one thread."
    )
    if len(text) > LONGEST_METHOD:
        raise ModelError(
            f"The description of the method has {len(text)} characters; the form accepts {LONGEST_METHOD}."
        )
    return text


def write_submission(outcome: VerdictOutcome, folder: Path) -> tuple[list[Path], Assessment]:
    """Writes the package: results.txt, the form's other fields in form.txt, and the mechanism as a file.

    A run that is incomplete or does not pass the rule is refused. The results are read back from the file and judged
    like those of any other tool.
    """
    case, run = outcome.case, outcome.run
    if not outcome.whole:
        raise ModelError(f"{case.problem}: the run does not cover the whole problem. {run.status}")
    if not outcome.passed:
        raise ModelError(
            f"{case.problem}: the error, {outcome.error} J, exceeds {case.bound:g} J; use a smaller --tol."
        )
    folder.mkdir(parents=True, exist_ok=True)
    results, form, mechanism = folder / "results.txt", folder / "form.txt", folder / "mechanism.toml"
    write_atomically(results, official_text(case, run))
    write_atomically(mechanism, dumps(case.model))
    facts = machine_facts()
    parameters = "".join(f", {name} = {value:g}" for name, value in case.parameters.items())
    fields = {
        "Problem": f"{PROBLEMS[case.problem].title} ({case.variant}{parameters})",
        "Accuracy": f"{outcome.error:.3e} J: {case.error_text} (bound {case.bound:g} J)",
        "CPU time": f"{outcome.cpu_s:.6f} s",
        "CPU": f"{facts['processor']}, {facts['cores']} cores, one used",
        "Operating system": f"{facts['system']}, {facts['architecture']}",
        "Software": f"Grashof {facts['grashof']}, Python {facts['python']}, llvmlite {facts['llvmlite']}",
        "Method": method(outcome),
        "Results": "results.txt: " + ", ".join(f"{column.name} [{column.unit}]" for column in case.columns),
    }
    write_atomically(form, "".join(f"{name}\n    {text}\n\n" for name, text in fields.items()))
    return [results, mechanism, form], assess(case, read_table(results, case).columns)
