"""Which coordinates are faster, and which `formulation="auto"` takes: `python -m benchmarks.choice [--only gears]`.

Mechanisms of the gallery, stiff mechanisms, robots, planar chains and trains of gears are simulated in natural and in
relative coordinates, in turn, at the default tolerance: the integration alone, and the whole of `simulate` with its
error estimate and checks. The least CPU time of some rounds counts. *Slower* is how many times longer the whole takes
in the chosen formulation than in the faster one. Mechanisms that cannot be run in both are listed with the reason:
there is no choice to be made.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks.chains import gear_train, planar_chain
from benchmarks.machine import facts
from benchmarks.robots import TREES
from benchmarks.stiff_mechanisms import PROBLEMS as STIFF
from grashof import Mechanism, ModelError
from grashof.examples import example, gallery
from grashof.model.mechanism import as_model
from grashof.model.model import Model
from grashof.program import Program, build
from grashof.simulation.simulate import integrate, simulate

BOTH = ("natural", "relative")
ENOUGH = 200_000
"""Largest number of steps."""

SLOWER = 1.2
"""The choice is called wrong if the other formulation is faster by more than this factor."""


MINUTES = ("n-four-bar", "multiple-four-bar")
"""Mechanisms of the gallery that take minutes to build in relative coordinates, for tens of loops."""


@dataclass
class Measured:
    """A mechanism.

    chosen       by `auto`, with its reason
    cpu_s        of the integration, by formulation;  whole_s: of `simulate`, once it is built;  build_s: to build it
    evaluations  of the accelerations by the integration;  statements: of the accelerations, and of the projection
    absent       why there is nothing to compare; empty if there is
    """

    name: str
    chosen: str
    cpu_s: dict[str, float] = field(default_factory=dict)
    whole_s: dict[str, float] = field(default_factory=dict)
    build_s: dict[str, float] = field(default_factory=dict)
    evaluations: dict[str, int] = field(default_factory=dict)
    statements: dict[str, tuple[int, int]] = field(default_factory=dict)
    absent: str = ""

    @property
    def takes(self) -> str:
        """The chosen formulation."""
        return self.chosen.split()[0].lower()

    @property
    def slower(self) -> float:
        """How many times longer the whole takes in the chosen formulation than in the faster one."""
        return self.whole_s[self.takes] / min(self.whole_s.values())


def cases() -> Mapping[str, tuple[Callable[[], Mechanism | Model], float]]:
    """All mechanisms by name, with the time they are run."""
    found: dict[str, tuple[Callable[[], Mechanism | Model], float]] = {}
    for entry in gallery():
        if entry.name in MINUTES:
            continue
        found[entry.name] = partial(example, entry.name), entry.t_end
    for problem in STIFF:
        if problem.formulation != "natural":
            found[f"stiff: {problem.title}"] = problem.make, problem.t_end
    for title, make in TREES.items():
        found[title] = make, 1.0
    for count in (2, 4, 8, 16):
        found[f"planar chain of {count}"] = partial(planar_chain, count), 2.0
        found[f"gear train of {count}"] = partial(gear_train, count), 2.0
    return found


def measure(name: str, make: Callable[[], Mechanism | Model], t_end: float, rounds: int) -> Measured:
    """One mechanism in both formulations, interleaved."""
    model = as_model(make())
    found = Measured(name, build(model).chosen)
    programs: dict[str, Program] = {}
    for which in BOTH:
        try:
            programs[which] = program = build(model, formulation=which)
        except ModelError as problem:
            found.absent = str(problem)
            return found
        found.build_s[which] = program.assemble_s + program.compile_s
        found.statements[which] = program.statements
    found.cpu_s, found.whole_s = dict.fromkeys(BOTH, math.inf), dict.fromkeys(BOTH, math.inf)
    for k in range(rounds):
        for which in BOTH[:: 1 if k % 2 else -1]:
            steps = integrate(programs[which], t_end, max_steps=ENOUGH)
            run = simulate(programs[which], t_end, max_steps=ENOUGH)
            if not run.status.ok:
                found.absent = f"{which}: {run.status}"
                return found
            found.cpu_s[which] = min(found.cpu_s[which], steps.cpu_s)
            found.whole_s[which] = min(found.whole_s[which], run.cpu_s or math.inf)
            found.evaluations[which] = steps.counters.evaluations
    return found


def main() -> None:
    """Measures, and prints a table of what the choice costs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="mechanisms whose name contains this")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", type=Path, help="write everything measured to this file")
    given = parser.parse_args()
    found = [measure(name, *case, given.rounds) for name, case in cases().items() if given.only in name]
    table = Table("ms, natural / relative", "chosen", "integration", "ratio", "whole", "ratio", "evaluations", "slower")
    for one in found:
        if one.absent:
            table.add_row(one.name, one.takes, "", "", "", "", "", one.absent[:60])
            continue
        cells: list[str] = []
        for times in (one.cpu_s, one.whole_s):
            cells += [" / ".join(f"{1e3 * times[which]:.3g}" for which in BOTH)]
            cells += [f"{times['natural'] / times['relative']:.2f}"]
        calls = " / ".join(str(one.evaluations[which]) for which in BOTH)
        wrong = f"{one.slower:.2f}" + (" wrong" if one.slower > SLOWER else "")
        table.add_row(one.name, one.takes, *cells, calls, wrong)
    Console(width=150).print(table)
    compared = [one for one in found if not one.absent]
    print(f"{sum(one.slower > SLOWER for one in compared)} of {len(compared)} choices are wrong.")
    print(", ".join(f"{key} {value}" for key, value in facts().items()))
    if given.json is not None:
        given.json.write_text(json.dumps([asdict(one) for one in found], indent=1) + "\n")


if __name__ == "__main__":
    main()
