"""The adjoint of recorded steps: the gradient of one number, at a cost independent of the number of parameters.

A step of a method, with the projection P at its end, is a function y₁ = P(t₁, Y(h, t₀, y₀, c), c). With ȳ₁ = ∂g/∂y₁ of
a number g, going backwards through the steps gives ȳ₀ = ∂g/∂y₀ and c̄ = ∂g/∂c (see `grashof.integrate.backward`). An
explicit method computes its stages again from the recorded state, a Rosenbrock method its linear equations, too, which
it then solves with the transposed matrix; collocation takes its stages from the record. The result is the exact
derivative of the steps that were taken; with collocation, of steps whose equations are solved exactly.
"""

from __future__ import annotations

import ctypes
from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np

from grashof.changes.kinks import Stop
from grashof.integrate import Method, Steps
from grashof.integrate.backward import BackwardStep
from grashof.integrate.jacobian import jacobian_library, slope_tape
from grashof.integrate.kernel import Kernel
from grashof.integrate.linear import stride_of
from grashof.integrate.step import Workspace
from grashof.scalar.functions import Scalar
from grashof.sensitivity.tangent import TangentEquations, with_kernels
from grashof.tape import Tape, trace
from grashof.tape.arrays import address
from grashof.tape.differentiate import pull


@dataclass(frozen=True, eq=False)
class Gradient:
    """The derivatives ∂g/∂y₀ at the start of a run, (size,), and ∂g/∂c, (C,)."""

    start: np.ndarray
    coefficients: np.ndarray


class Adjoint:
    """The adjoint of the steps of a method, as machine code."""

    def __init__(self, equations: TangentEquations, method: Method) -> None:
        self.equations, self.method, self.space = equations, method, Workspace(equations.sizes, method)
        tapes = {"derivative": equations.derivative}
        pulled = {"derivative": equations.derivative, "project": equations.project}
        self._libraries = []
        if "jacobian" in method.needs:
            pulled["slope"] = slope_tape(equations.derivative)
            self._libraries.append(jacobian_library(equations.derivative, equations.sizes))
        kernel = Kernel("step_back", lanes=1)
        back = BackwardStep(kernel, self.space, equations.coefficients)
        method.pull_step(back)
        tapes |= {f"pull.{name}": _pull_back(equations, tape) for name, tape in pulled.items()}
        self._libraries.append(with_kernels(tapes, kernel.text()))
        numbers, pointers = [ctypes.c_double] * 2, [ctypes.c_void_p] * 3
        self._step_back = self._libraries[-1].function("step_back", None, *numbers, *pointers)
        self._blank = np.zeros(back.room)
        for library in self._libraries:
            for name in ("derivative", "jacobian"):
                if library.has(name):
                    self._blank.view(np.uint64)[self.space.address_of(name)] = library.address(name)

    def gradient(
        self, steps: Steps, c: np.ndarray, weights: Mapping[int, np.ndarray], stops: Collection[Stop] = ()
    ) -> Gradient:
        """The derivatives of g for the coefficients c.

        The run must not step across singular positions, and no event may change its state: these are not
        differentiated backwards.

        weights   row of the run → derivatives of g with respect to the state there
        stops     where the integration was restarted; the rows before and after are not joined by a step
        """
        passed = set(stops)
        size, places = self.equations.size, self.space.places
        adjoint, found, work = np.zeros(size), np.zeros(len(c)), self._blank.copy()
        c = np.ascontiguousarray(c, dtype=float)
        work.view(np.uint64)[self.space.address_of("coefficients")] = address(c)
        start = work[places["start"] :][: 1 + size]
        inside = [work[places["inner"] + i * stride_of(size) :][:size] for i in range(len(self.method.inner))]
        where, inner = [address(part) for part in (adjoint, found, work)], steps.made.inner
        for row in range(len(steps.t) - 1, -1, -1):
            if row in weights:
                adjoint += weights[row]
            if row and (steps.t[row - 1], steps.t[row]) not in passed:
                start[0], start[1:] = steps.t[row - 1], steps.y[row - 1]
                for z, known in zip(inside, inner[row].reshape(-1, size), strict=False):
                    z[:] = known
                self._step_back(steps.t[row] - steps.t[row - 1], steps.t[row], *where)
        return Gradient(adjoint, found)


def _pull_back(equations: TangentEquations, tape: Tape) -> Tape:
    """(x, c, …, w) → [ȳ, c̄]; the constraint violation that remains after a projection has zero weight."""
    wrt = range(1, 1 + equations.size + equations.coefficients)
    outputs = min(len(tape.outputs), equations.size)

    def function(*given: list[Scalar]) -> list[Scalar]:
        *inputs, w = given
        weights = [*w, *[0.0] * (len(tape.outputs) - outputs)]
        return pull(tape, [x for part in inputs for x in part], weights, wrt)[1]

    return trace(function, *tape.sizes, outputs)
