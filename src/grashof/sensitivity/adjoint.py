"""The adjoint of recorded steps: the gradient of one number, at a cost independent of the number of parameters.

A step of an explicit method (see `grashof.integrate.methods.explicit`) and the projection P at its end are

    Y_s = y₀ + h Σ_j A_sj k_j      k_s = f(t₀ + C_s h, Y_s, c)      y₁ = P(t₁, Y_S, c)

Given ȳ₁ = ∂g/∂y₁ for a number g, going backwards through the steps gives ȳ₀ = ∂g/∂y₀ and c̄ = ∂g/∂c:

    Ȳ_S = P_yᵀ ȳ₁      k̄_j = h Σ_s A_sj Ȳ_s      Ȳ_s = f_yᵀ k̄_s      ȳ₀ = Σ_s Ȳ_s      c̄ = P_cᵀ ȳ₁ + Σ_s f_cᵀ k̄_s

The stages are recomputed from the recorded state. The result is the exact derivative of the steps that were taken.
"""

from __future__ import annotations

import ctypes
from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np

from grashof.changes.kinks import Stop
from grashof.common.errors import ModelError
from grashof.integrate import Explicit, Method, Steps
from grashof.integrate.kernel import Kernel
from grashof.integrate.native import address
from grashof.integrate.values import Array, Value
from grashof.scalar.functions import Scalar
from grashof.sensitivity.tangent import TangentEquations, with_kernels
from grashof.tape import Tape, trace
from grashof.tape.differentiate import pull


@dataclass(frozen=True, eq=False)
class Gradient:
    """The derivatives ∂g/∂y₀ at the start of a run, (size,), and ∂g/∂c, (C,)."""

    start: np.ndarray
    coefficients: np.ndarray


class Adjoint:
    """The adjoint of the steps of a method, as machine code."""

    def __init__(self, equations: TangentEquations, method: Method) -> None:
        if not isinstance(method, Explicit):
            raise ModelError(
                f"Gradients are computed backwards through explicit steps only, not through those of {method.title}."
            )
        self.equations, self.method = equations, method
        tapes = {"derivative": equations.derivative, "project": equations.project}
        pulled = {f"pull.{name}": _pull_back(equations, tape) for name, tape in tapes.items()}
        text, self._room = _step_back(equations, method)
        numbers, pointers = [ctypes.c_double] * 2, [ctypes.c_void_p] * 5
        self._step_back = with_kernels(tapes | pulled, text).function("step_back", None, *numbers, *pointers)

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
        size = self.equations.size
        adjoint, found, x = np.zeros(size), np.zeros(len(c)), np.empty(1 + size)
        work, c = np.zeros(self._room), np.ascontiguousarray(c, dtype=float)
        places = [address(part) for part in (x, c, adjoint, found, work)]
        for row in range(len(steps.t) - 1, -1, -1):
            if row in weights:
                adjoint += weights[row]
            if row and (steps.t[row - 1], steps.t[row]) not in passed:
                x[0], x[1:] = steps.t[row - 1], steps.y[row - 1]
                self._step_back(steps.t[row] - steps.t[row - 1], steps.t[row], *places)
        return Gradient(adjoint, found)


def _pull_back(equations: TangentEquations, tape: Tape) -> Tape:
    """(x, c, w) → [ȳ, c̄]; the constraint violation that remains after a projection has zero weight."""
    wrt = range(1, tape.inputs)
    outputs = min(len(tape.outputs), equations.size)

    def function(x: list[Scalar], c: list[Scalar], w: list[Scalar]) -> list[Scalar]:
        return pull(tape, [*x, *c], [*w, *[0.0] * (len(tape.outputs) - outputs)], wrt)[1]

    return trace(function, *tape.sizes, outputs)


def _step_back(equations: TangentEquations, method: Explicit) -> tuple[str, int]:
    """The code of `step_back(h, t₁, x₀, c, ȳ, c̄, work)`, and the size of its work space.

    The function replaces ȳ₁ by ȳ₀ and adds the contribution of the step to c̄.
    """
    k = Kernel("step_back", lanes=1)
    h, t_next = k.number("h"), k.number("t_next")
    x, c, adjoint, gradient, work = (k.array(name) for name in ("x", "c", "adjoint", "gradient", "work"))
    back = _Back(k, equations, method, h, work)
    back.stages(x, c, t_next)
    k.call("pull.project", back.points[-1], c, adjoint, back.found)
    for i in k.each(equations.size):
        adjoint[i] = k.constant(0.0)
    back.collect(method.stages, adjoint, gradient)
    for s in range(method.stages - 1, -1, -1):
        k.call("pull.derivative", back.points[s], c, back.weights[s], back.found)
        back.collect(s, adjoint, gradient)
    return k.text(), back.room


class _Back:
    """The vectors of one backward step, and the operations on them."""

    def __init__(self, kernel: Kernel, equations: TangentEquations, method: Explicit, h: Value, work: Array) -> None:
        self.kernel, self.equations, self.method, self.h = kernel, equations, method, h
        self.sizes, self.room = equations.sizes, 0

        def vector(length: int) -> Array:
            self.room += length
            return work.at(self.room - length)

        self.points = [vector(1 + equations.size) for _ in range(method.stages + 1)]
        self.slopes = [vector(self.sizes.rates) for _ in range(method.stages)]
        self.weights = [vector(self.sizes.rates) for _ in range(method.stages)]
        self.found = vector(equations.size + equations.coefficients)

    def stages(self, x: Array, c: Array, t_next: Value) -> None:
        """Computes all states and slopes of the step from x as the run did, and sets the weights of the slopes to
        zero."""
        k, stages = self.kernel, self.method.stages
        k.copy(x, self.points[0], 1 + self.equations.size)
        for s, (point, slope) in enumerate(zip(self.points, self.slopes, strict=False)):
            if s:
                self.method.make_stage(k, self.sizes, s, self.h, x, point, self.slopes)
            k.call("derivative", point, c, slope)
        self.method.make_stage(k, self.sizes, stages, self.h, x, self.points[stages], self.slopes)
        self.points[stages][0] = t_next
        for vector in self.weights:
            for i in k.each(self.sizes.rates):
                vector[i] = k.constant(0.0)

    def collect(self, s: int, adjoint: Array, gradient: Array) -> None:
        """Adds the result for stage s to ȳ₀, to c̄ and to the weights of the slopes that the stage is computed from."""
        k, size = self.kernel, self.equations.size
        self.method.pull_stage(k, self.sizes, s, self.h, self.found, adjoint, self.weights)
        for i in k.each(self.equations.coefficients):
            gradient[i] = gradient[i] + self.found.at(size)[i]
