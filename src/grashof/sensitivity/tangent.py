"""The equations of motion together with their derivatives, as machine code for the ordinary time loop.

Let y = [q, v, e] be the state, c the coefficients of the mechanism and p₁, p₂, … parameters. Then s_k = ∂y/∂p_k
satisfies

    ṡ_k = f_y s_k + f_c ∂c/∂p_k        and at the end of each step    s_k ← P_y s_k + P_c ∂c/∂p_k,

where f is the time derivative of the state and P the projection on the constraints. The s_k are additional extra
states without error control: the state of the loop is [q, v, s₁, s₂, …, e] and its coefficients are [c, ∂c/∂p₁,
∂c/∂p₂, …]. With an explicit method, and with a Rosenbrock method, which has the exact Jacobian of all of these
equations, the computed s_k are the exact derivatives of the computed y for the given step sizes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from grashof.formulation.layout import Sizes
from grashof.integrate import Integrator
from grashof.integrate.jacobian import jacobian_library
from grashof.integrate.kernel import Kernel, declarations
from grashof.integrate.values import Array
from grashof.scalar.functions import Scalar
from grashof.tape import Library, LlvmModule, Tape, emit, trace
from grashof.tape.differentiate import push


@dataclass(frozen=True, eq=False)
class TangentEquations:
    """The equations of a mechanism as tapes of two lists, x = [t, q, v, e] and its coefficients c.

    sizes       of a state and its rates
    derivative  the rates
    project     [q, v, e, r], see `grashof.integrate.step`
    """

    sizes: Sizes
    derivative: Tape
    project: Tape

    @property
    def size(self) -> int:
        """Length of y."""
        return self.sizes.size

    @property
    def coefficients(self) -> int:
        """Length of c."""
        return self.derivative.sizes[1]


@dataclass(frozen=True, eq=False)
class Tangent:
    """The equations with a given number of directions, and the layout of the state of the loop."""

    equations: TangentEquations
    directions: int

    @property
    def sizes(self) -> Sizes:
        """Those of the state of the loop."""
        sizes = self.equations.sizes
        return replace(sizes, extra=sizes.extra + self.directions * sizes.size)

    def joined(self, y: np.ndarray, s: np.ndarray) -> np.ndarray:
        """The state of the loop: y (size,) and s (directions, size)."""
        split = self.sizes.of_e.start
        return np.concatenate([y[:split], s.ravel(), y[split:]])

    def split(self, states: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The parts y (…, size) and s (…, directions, size) of states of the loop."""
        begin, count = self.sizes.of_e.start, self.directions * self.equations.size
        y = np.concatenate([states[..., :begin], states[..., begin + count :]], axis=-1)
        s = states[..., begin : begin + count]
        return y, s.reshape(*s.shape[:-1], self.directions, self.equations.size)

    def weights(self, weights: np.ndarray) -> np.ndarray:
        """The weights of the extra states except works: error control is the same as without derivatives."""
        return np.concatenate([np.zeros(self.directions * self.equations.size), weights])

    def integrator(self, library: Library, c: np.ndarray, slopes: np.ndarray) -> Integrator:
        """The loop with coefficients c (C,) and their derivatives (directions, C)."""
        coefficients = np.concatenate([c, slopes.ravel()])
        return Integrator(library, self.sizes, coefficients, lambda: self.jacobian)

    @cached_property
    def jacobian(self) -> Library:
        """The machine code of the Jacobian of all rates, for implicit methods."""
        equations, sizes = self.equations, self.equations.sizes
        before, size, count = sizes.of_e.start, equations.size, equations.coefficients

        def rates(x: list[Scalar], c: list[Scalar]) -> list[Scalar]:
            moving, rest = x[: 1 + before], x[1 + before :]
            s = [rest[k * size : (k + 1) * size] for k in range(self.directions)]
            e = rest[self.directions * size :]
            changes = [c[(1 + k) * count : (2 + k) * count] for k in range(self.directions)]
            ways = [dict(enumerate([0.0, *a, *b])) for a, b in zip(s, changes, strict=True)]
            values, slopes = push(equations.derivative, [*moving, *e, *c[:count]], ways)
            found = [[*a[sizes.of_direct_v], *slope] for a, slope in zip(s, slopes, strict=True)]
            split = sizes.of_a.stop
            return [*values[:split], *(z for each in found for z in each), *values[split:]]

        return jacobian_library(trace(rates, 1 + self.sizes.size, (1 + self.directions) * count), self.sizes)

    def library(self) -> Library:
        """The machine code."""
        x = self.equations
        tapes = {"tangent.derivative": _tangent(x, x.derivative), "tangent.project": _tangent(x, x.project)}
        rates, state = [x.sizes.of_a.stop, x.sizes.extra], [x.sizes.of_e.start, x.sizes.extra + 1]
        return with_kernels(tapes, self._wrapper("derivative", rates), self._wrapper("project", state))

    def _wrapper(self, name: str, parts: list[int]) -> str:
        """The code of `void name(x, c, out)`, which evaluates one direction after the other.

        The directions are placed between the two parts of the values.
        """
        k = Kernel(name)
        x, c, out = k.array("x"), k.array("c"), k.array("out")
        before, after = parts
        size, count = self.equations.size, self.equations.coefficients
        found = Array(k, k.allocate(f"[{before + after + size} x double], align 32"))
        s = x.at(1 + self.sizes.of_e.start)
        e = s.at(self.directions * size)
        for i in range(self.directions):
            k.call(f"tangent.{name}", x, s.at(i * size), e, c, c.at((1 + i) * count), found)
            k.copy(found.at(before + after), out.at(before + i * size), size)
        k.copy(found, out, before)
        k.copy(found.at(before), out.at(before + self.directions * size), after)
        return k.text()


def with_kernels(tapes: dict[str, Tape], *kernels: str) -> Library:
    """The machine code of tapes and of kernels that call them."""
    module = emit(tapes)
    known = [line for line in declarations().splitlines() if line not in module.text]
    return Library(LlvmModule("\n".join([*known, module.text, *kernels]), module.schedules))


def _tangent(equations: TangentEquations, tape: Tape) -> Tape:
    """([t, q, v], s, e, c, ċ) → the values of the tape, and their derivative along s.

    The derivative has the length of s; if the tape gives rates, it begins with ṡ_q = s_v.
    """
    sizes, size = equations.sizes, equations.size

    def function(*lists: list[Scalar]) -> list[Scalar]:
        moving, s, e, c, rates = lists
        values = dict(enumerate([0.0, *s, *rates]))
        y, (slope,) = push(tape, [*moving, *e, *c], [values])
        if len(y) < size:
            slope = [*s[sizes.of_direct_v], *slope]
        return [*y, *slope[:size]]

    return trace(function, 1 + sizes.of_e.start, size, sizes.extra, equations.coefficients, equations.coefficients)
