"""Rows of four-bars, one evaluation of the accelerations: `python -m benchmarks.loops [--rounds 9]`, with the packages
`pin` and `cmeel-eigen` and a C++ compiler.

N four-bars in a row: uprights on pins of the ground, whose tops are connected by bars, all of 1 m and 1 kg. Grashof
takes natural coordinates with the equations that it finds to hold along the motion, or those of the joints alone;
Pinocchio's `lcaba` runs from C++, with point constraints in space that are redundant in the plane
(`programs/four_bars_lcaba.cpp`). All take turns, in loops of machine code, and the best of some rounds counts. *Error*
is the largest deviation of an angular acceleration of an upright from the closed form

    θ̈ = −g cos θ ((N + 1)/2 + N) / ((N + 1)/3 + N)

relative to it.
"""

from __future__ import annotations

import argparse
import ctypes
import math
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from benchmarks.hand_written import Unavailable
from benchmarks.machine import facts
from benchmarks.pinocchio_cpp import compile_library
from benchmarks.trees import evaluate_often
from grashof import Mechanism, simulate
from grashof.program import Program, build

SIZES = (1, 2, 10, 40)
ANGLE, RATE = 1.0, 2.0
"""Of the uprights: θ, rad, and θ̇, rad/s."""

ACCURACY, SOFTNESS, MOST = 1e-10, 1e-6, 20
"""Settings of the proximal iterations of `lcaba`, the second of which its documentation calls typical."""

CALLS = 1000
"""Evaluations that are timed at once."""


@dataclass
class Contestant:
    """What evaluates accelerations.

    repeat   evaluates them that many times
    error    of an angular acceleration
    """

    name: str
    repeat: Callable[[int], None]
    error: float
    best_s: float = math.inf

    def measure(self) -> None:
        """Times it once more."""
        began = time.process_time()
        self.repeat(CALLS)
        self.best_s = min(self.best_s, (time.process_time() - began) / CALLS)


def four_bars(count: int) -> Mechanism:
    """N four-bars in a row, in motion."""
    m = Mechanism(f"{count} four-bars", gravity=(0.0, -9.81))
    top = np.array([math.cos(ANGLE), math.sin(ANGLE)])
    uprights = [m.bar(f"upright{k}", mass=1.0, start=(k, 0.0), end=(k + top[0], top[1])) for k in range(count + 1)]
    for k, upright in enumerate(uprights):
        m.revolute(m.ground.at(k, 0), upright.start)
    for k in range(1, count + 1):
        bar = m.bar(f"top{k}", mass=1.0, start=(k - 1 + top[0], top[1]), end=(k + top[0], top[1]))
        m.revolute(uprights[k - 1].end, bar.start)
        m.revolute(bar.end, uprights[k].end)
    m.need("upright0.angle", value=ANGLE, rate=RATE)
    return m


def exact_acceleration(count: int) -> float:
    """θ̈, rad/s²: the bars between the uprights move along circles without turning."""
    return -9.81 * math.cos(ANGLE) * (0.5 * (count + 1) + count) / ((count + 1) / 3.0 + count)


def prepare_ours(name: str, program: Program, count: int) -> Contestant:
    """Grashof's program."""
    run = simulate(program, 1e-6, times=2)
    exact = exact_acceleration(count)
    found = [run[f"upright{k}.angle.acceleration"][0] for k in range(count + 1)]
    return Contestant(name, evaluate_often(program), max(abs(x / exact - 1.0) for x in found))


def prepare_pinocchio(library: ctypes.CDLL, count: int) -> Contestant:
    """Pinocchio's `lcaba`."""
    scalars = [ctypes.c_double(x) for x in (ACCURACY, SOFTNESS)]
    size = library.row_make(ctypes.c_int(count), *scalars, ctypes.c_int(MOST))
    # the uprights, then the bars between them against the uprights on which they hang
    q = np.array([ANGLE] * (count + 1) + [-ANGLE] * count)
    v = np.array([RATE] * (count + 1) + [-RATE] * count)
    a = np.zeros(size)
    places = [ctypes.c_void_p(x.ctypes.data) for x in (q, v, a)]
    library.row_accelerations(*places)
    exact = exact_acceleration(count)
    error = float(np.max(np.abs(a[: count + 1] / exact - 1.0)))
    return Contestant("lcaba", lambda times: library.row_repeat(ctypes.c_int(times), *places), error)


def measure(count: int, rounds: int, library: ctypes.CDLL | None) -> list[Contestant]:
    """All contestants for N four-bars, interleaved."""
    m = four_bars(count)
    contestants = [
        prepare_ours("grashof", build(m, formulation="natural"), count),
        prepare_ours("grashof, joints alone", build(m, formulation="natural", relations=False), count),
    ]
    if library is not None:
        contestants.append(prepare_pinocchio(library, count))
    for k in range(rounds):
        for contestant in contestants[:: 1 if k % 2 else -1]:
            contestant.measure()
    return contestants


def main() -> None:
    """Measures, and prints a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=9)
    given = parser.parse_args()
    table = Table("four-bars", "", "µs per evaluation", "error")
    with tempfile.TemporaryDirectory() as folder:
        library = None
        try:
            library = ctypes.CDLL(str(compile_library(Path(folder), "four_bars_lcaba.cpp")))
        except Unavailable as problem:
            print(f"lcaba: {problem}")
        for count in SIZES:
            for one in measure(count, given.rounds, library):
                table.add_row(str(count), one.name, f"{1e6 * one.best_s:.3g}", f"{one.error:.1e}")
    Console(width=100).print(table)
    print(", ".join(f"{key} {value}" for key, value in facts().items()))


if __name__ == "__main__":
    main()
