"""Digests of the digits of runs: every machine must give the same.

python -m tests.bits [processor]    prints those of several runs as JSON; the processor is one of LLVM's names, by
                                    default the machine's own
python -m tests.bits --table        compares the benchmark problems with the table in docs/same-digits.md
python -m tests.bits --write        writes that table
"""

from __future__ import annotations

import hashlib
import json
import platform
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from types import SimpleNamespace

import numpy as np

import grashof as gr
from grashof.integrate.lanes import lanes_of
from grashof.problems import PROBLEMS, make_case
from grashof.program import Program, build
from grashof.simulation.options import Options
from grashof.simulation.simulate import integrate
from grashof.simulation.task import prepare
from tests.loops import Loop, of_page, simulated
from tests.simulation.test_crossing import four_bar_with_pendulum

PAGE = Path(__file__).parents[1] / "docs" / "same-digits.md"


def pendulum() -> Program:
    m = gr.Mechanism("pendulum", gravity=(0, -9.81))
    rod = m.bar("rod", length=1.0, mass=1.0)
    m.revolute(m.ground.at(0, 0), rod.start)
    m.need(rod.angle, value=0.3, rate=0.7)
    return build(m)


def driven_four_bar() -> Program:
    """With a law that has a sine, and a torsion spring on an angle that is counted in whole turns."""
    m = gr.Mechanism("driven four-bar", gravity=(0, -9.81))
    a, b, c = (m.bar(name, length=length, mass=length) for name, length in (("a", 1.0), ("b", 2.5), ("c", 2.2)))
    m.revolute(m.ground.at(0, 0), a.start)
    m.revolute(a.end, b.start)
    m.revolute(b.end, c.end)
    m.revolute(c.start, m.ground.at(2, 0))
    m.motor(a.angle, "pi/2 + 3*t + 0.2*sin(t)")
    m.torsion_spring(c.angle, stiffness=3.0, rest=0.1)
    return build(m)


def spatial_slider_crank() -> Program:
    """A crank about x, a rod with a ball and a universal joint, and a block that slides along x."""
    m = gr.Mechanism("spatial slider-crank", gravity=(0, 0, -9.81))
    crank = m.body(
        "crank",
        mass=0.12,
        center=(0, 0, 0.04),
        inertia=(1e-4, 1.1e-5, 1e-4),
        points={"o": (0, 0, 0), "t": (0, 0, 0.08)},
        position=(0, 0.1, 0.12),
    )
    rod = m.body(
        "rod",
        mass=0.5,
        center=(0.1, -0.05, -0.1),
        inertia=(4e-3, 4.2e-3, 4e-3, 1e-4, -2e-4, 3e-4),
        points={"a": (0, 0, 0), "b": (0.2, -0.1, -0.2)},
        position=(0, 0.1, 0.2),
    )
    block = m.body("block", mass=2.0, inertia=(1e-3, 1e-3, 1e-3), points={"c": (0, 0, 0)}, position=(0.2, 0, 0))
    m.revolute(m.ground.at(0, 0.1, 0.12), crank.o, axis=(1, 0, 0))
    m.spherical(crank.t, rod.a)
    m.universal(block.c, rod.b, axis_a=(0, 1, 0), axis_b=(1, 0, 1))
    m.prismatic(m.ground.at(0, 0, 0), block.c, axis=(1, 0, 0))
    m.angle("turned", crank, axis=(1, 0, 0))
    m.need("turned", value=0.1, rate=6.0)
    return build(m, relations=False)


def across() -> Program:
    """Steps lead across its singular positions; there the branch crosses itself."""
    return build(four_bar_with_pendulum())


def narrow_miss() -> Program:
    """The singular position is missed by a hair, and passed with small steps."""
    return build(four_bar_with_pendulum(0.99995))


def problem(name: str) -> Callable[[], Program]:
    return lambda: build(make_case(name).model)


def digest(make: Callable[[], Program], t_end: float) -> str:
    """Of the times and states of the steps, and of samples between them."""
    program = make()
    steps = integrate(program, t_end, tol=1e-6)
    return of_arrays(steps.t, steps.y, *program.integrator.sample(steps, np.linspace(steps.t[0], steps.t[-1], 50)))


def digest_of_lanes(make: Callable[[], Program], t_end: float) -> str:
    """Of the ends of several runs at once, and of what was observed on the way."""
    program = make()
    task = prepare(program, t_end, Options(max_steps=10_000))
    lanes = lanes_of(program.dynamics, program.assembly.redundant, lambda x: list(x[1:]), lanes=4)
    starts = task.program.y0 * np.linspace(1.0, 1.0 + 1e-9, 6)[:, None]
    settings = task.settings(task.attempt(1e-6), ())
    runs = lanes.run(starts, program.assembly.time, t_end, settings, times=np.linspace(0.0, t_end, 50))
    return of_arrays(runs.states, runs.observed)


def of_arrays(*arrays: np.ndarray) -> str:
    found = hashlib.sha256()
    for array in arrays:
        found.update(np.ascontiguousarray(array).tobytes())
    return found.hexdigest()


RUNS: dict[str, Callable[[], str]] = {
    "pendulum": partial(digest, pendulum, 3.0),
    "driven four-bar": partial(digest, driven_four_bar, 3.0),
    "spatial slider-crank": partial(digest, spatial_slider_crank, 0.5),
    "andrews": partial(digest, problem("andrews"), 0.03),
    "double-four-bar": partial(digest, problem("double-four-bar"), 3.0),
    "multiple-four-bar": partial(digest, problem("multiple-four-bar"), 1.0),
    "across a singular position": partial(digest, across, 2.5),
    "past a singular position": partial(digest, narrow_miss, 1.0),
    "andrews in lanes": partial(digest_of_lanes, problem("andrews"), 0.03),
}


@dataclass(frozen=True)
class Row:
    """A run of a benchmark problem: by the loop of `integrate`; by `simulate`, with its estimate of the error; or by
    the loop of a live page."""

    problem: str
    variant: str
    by: str
    method: str
    tol: float

    @property
    def title(self) -> tuple[str, ...]:
        """Its cells in the table."""
        return self.problem, self.variant, self.by, self.method, f"{self.tol:g}"

    def loop(self) -> Loop:
        """The loop alone, with which WebAssembly is compared."""
        t_end = make_case(self.problem, self.variant).t_end
        if self.by == "page":
            return of_page(built(self.problem, self.variant), t_end, self.tol)
        return simulated(built(self.problem, self.variant), t_end, self.tol, self.method)

    def digest(self) -> str:
        """Of the times and states of all steps, on this processor."""
        program, t_end = built(self.problem, self.variant), make_case(self.problem, self.variant).t_end
        if self.by == "page":
            return of_steps(self.loop().native())
        if self.by == "simulate":
            run = gr.simulate(program, t_end, tol=self.tol, method=self.method)
            return of_arrays(run.steps.t[1:], run.steps.y[1:], np.array(run.error))[:16]
        steps = integrate(program, t_end, tol=self.tol, method=self.method)
        return of_arrays(steps.t[1:], steps.y[1:])[:16]


@cache
def built(name: str, variant: str) -> Program:
    return build(make_case(name, variant).model)


def of_steps(rows: np.ndarray) -> str:
    """Of steps (steps, 1 + size), each with its time first."""
    return of_arrays(rows[:, 0], rows[:, 1:])[:16]


def rows() -> Iterator[Row]:
    """The rows of the table: all variants of these problems, and for one variant of each the other methods."""
    for name in ("andrews", "double-four-bar", "n-four-bar", "multiple-four-bar"):
        found = PROBLEMS[name]
        for variant in found.variants:
            yield from (Row(name, variant, "integrate", "auto", tol) for tol in (1e-3, 1e-6, 1e-9))
            yield Row(name, variant, "simulate", "auto", 1e-6)
            yield Row(name, variant, "page", "auto", 1e-6)
        if name != "n-four-bar":
            yield from (
                Row(name, found.variants[0], "integrate", method, 1e-6)
                for method in ("verner9", "bs5", "dopri5", "rk4")
            )


TABLE = tuple(rows())


def known() -> dict[tuple[str, ...], str]:
    """The digests in the table."""
    lines = re.findall(r"^\| (.*) \| `([0-9a-f]{16})` \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    return {tuple(title.split(" | ")): digest for title, digest in lines}


def write() -> None:
    """Writes the table of this machine."""
    text = PAGE.read_text(encoding="utf-8")
    lines = [f"| {' | '.join(row.title)} | `{row.digest()}` |" for row in TABLE]
    before, head, after = text.partition("|---|---|---|---|---|---|\n")
    rest = re.sub(r"\A(\|.*\n)*", "", after)
    PAGE.write_text(before + head + "\n".join(lines) + "\n" + rest, encoding="utf-8")


def compare() -> int:
    """Prints whether each row has the digits of the table; returns how many differ."""
    found, differ = known(), 0
    for row in TABLE:
        digest, wanted = row.digest(), found.get(row.title)
        differ += digest != wanted
        said = "the digits of the table" if digest == wanted else f"{digest} INSTEAD OF {wanted}"
        print(f"{' '.join(row.title)}: {said}", flush=True)
    print(f"{platform.machine()}: {len(TABLE) - differ} of {len(TABLE)} runs have the digits of the table.")
    return differ


def pretend(processor: str) -> None:
    """Machine code is made as for another processor."""
    import llvmlite.binding as llvm

    llvm.get_host_cpu_name = lambda: processor
    llvm.get_host_cpu_features = lambda: SimpleNamespace(flatten=lambda: "")


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        write()
    elif sys.argv[1:] == ["--table"]:
        sys.exit(compare() > 0)
    else:
        if len(sys.argv) > 1:
            pretend(sys.argv[1])
        print(json.dumps({name: run() for name, run in RUNS.items()}))
