"""The equations of a mechanism as formulations see them: compiled functions of (t, q, v), whose calls are counted.

    M(t, q) a + J(t, q)ᵀ λ = Q(t, q, v),    Φ(t, q) = 0,    J v + Φ_t = 0,    J a = γ(t, q, v)

These are the equations of `gr.equations` in the same coordinates. They are traced once and compiled; the linear algebra
of a formulation is NumPy's.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from grashof.formulation.natural.state import SystemState
from grashof.program import Program
from grashof.program.machine_code import cache_name
from grashof.questions.equations import QuestionEquations, refuse_unknown
from grashof.scalar.functions import Scalar
from grashof.tape import Tape, library_of, trace
from grashof.tape.arrays import address
from grashof.tape.differentiate import Jacobian, jacobian
from grashof.tape.tape import live

Array = np.ndarray


SINGULAR = (
    "The linear equations of a step are singular, as they are exactly at a singular position, or their coefficients "
    "are not finite."
)


class FormulationFailed(Exception):
    """A formulation cannot continue; the message is a sentence that says why."""


@dataclass(frozen=True, eq=False)
class Values:
    """The equations at one state.

    mass            M, (n, n), kg
    jacobian        J, (m, n)
    forces          Q, (n,), N
    violation       Φ, (m,)
    velocity_term   Φ_t, (m,)
    bias            γ, (m,)
    potential       V, J
    """

    mass: Array
    jacobian: Array
    forces: Array
    violation: Array
    velocity_term: Array
    bias: Array
    potential: float


@dataclass(frozen=True, eq=False)
class Slopes:
    """Derivatives at one state, with accelerations a and multipliers λ.

    stiffness   K = ∂(M a + Jᵀ λ − Q)/∂q, (n, n)
    damping     C = −∂Q/∂v, (n, n)
    rate        ∂(J v + Φ_t)/∂q, (m, n)
    """

    stiffness: Array
    damping: Array
    rate: Array


class LabEquations:
    """The compiled equations of a mechanism, from a program in natural coordinates without relations of the branch.

    name         the mechanism
    n, m         coordinates and constraints, of which `redundant` follow from the others
    t, q, v      the start, assembled and with consistent velocities
    length       the mechanism's length, m
    evaluations  calls of `at` so far; `slopes_taken` are those of `slopes`, `solutions` those of `solve`
    """

    def __init__(self, program: Program) -> None:
        refuse_unknown(program.model)
        self.program = program
        self.found = QuestionEquations(program.dynamics)
        self.name = program.model.name
        self.n, self.m = self.found.n, self.found.m
        self.length = program.system.length
        start = program.assembly
        self.t, self.q, self.v = start.time, np.array(start.q, float), np.array(start.v, float)
        self.tracked = tuple(self.found.system.tracked)
        self.turns = np.array([start.angles[name] for name in self.tracked], float)
        self._constant_mass = None if program.dynamics.inertias else self.found.mass(self.q)
        self.mass_size = float(np.max(np.abs(self.found.mass(self.q)), initial=0.0)) or 1.0
        self._compile()
        self.redundant = program.assembly.redundant
        self.reset()

    @property
    def constant_mass(self) -> bool:
        """Whether M is the same at all positions."""
        return self._constant_mass is not None

    def reset(self) -> None:
        """Returns to the start: angles and counters."""
        self.turns = np.array([self.program.assembly.angles[name] for name in self.tracked], float)
        self.evaluations = self.slopes_taken = self.solutions = 0

    def follow(self, q: Array) -> Array:
        """Counts whole turns of angles up to q, which is near the previous position; returns the angles, rad."""
        if self.tracked:
            self.turns = self.found.turns(q, self.turns)
        return self.turns

    # -- functions of (t, q, v)

    def at(self, t: float, q: Array, v: Array) -> Values:
        """All functions at one state: one evaluation."""
        self.evaluations += 1
        n, m = self.n, self.m
        out = self._call("values", np.array([t]), q, v, self.turns)
        rows, end = m * n, m * n + n + 3 * m
        violation, term, bias = out[rows + n : end].reshape(3, m)
        mass = out[end + 1 :].reshape(n, n) if self._constant_mass is None else self._constant_mass
        return Values(mass, out[:rows].reshape(m, n), out[rows : rows + n], violation, term, bias, float(out[end]))

    def slopes(self, t: float, q: Array, v: Array, a: Array, multipliers: Array) -> Slopes:
        """The derivatives that implicit formulations need."""
        self.slopes_taken += 1
        n = self.n
        found = self._call("slopes", np.array([t]), q, v, a, multipliers, self.turns).reshape(n + self.m, 2 * n)
        return Slopes(-found[:n, :n], -found[:n, n:], found[n:, :n])

    def potential_slope(self, t: float, q: Array) -> Array:
        """∂V/∂q, (n,), N."""
        return self._call("potential_slope", np.array([t]), q, np.zeros(self.n), self.turns)

    def violations(self, t: Array, q: Array, v: Array, turns: Sequence[Array]) -> tuple[float, float]:
        """The largest |Φ| and |J v + Φ_t| at several states with their tracked angles, m and m/s."""
        found = [0.0, 0.0]
        for time, place, rate, angles in zip(t, q, v, turns, strict=True):
            self.turns = angles
            here = self.at(time, place, rate)
            for k, miss in enumerate((here.violation, here.jacobian @ rate + here.velocity_term)):
                found[k] = max(found[k], float(np.max(np.abs(miss), initial=0.0)))
        return found[0], found[1]

    # -- linear algebra

    def solve(self, matrix: Array, right: Array, times: int = 1) -> Array:
        """The solution of equations with constraints among them; the smallest one where constraints are redundant.

        As many of the smallest singular values as there are redundant constraints count as zero, `times` as many if
        the constraints occur several times. (A threshold would not do: off the constraints, redundant rows are nearly
        but not exactly dependent.)
        """
        self.solutions += 1
        drop = times * self.redundant
        try:
            if not drop:
                return np.asarray(np.linalg.solve(matrix, right))
            u, s, vt = np.linalg.svd(matrix)
            keep = len(s) - drop
            return np.asarray(vt[:keep].T @ ((u[:, :keep].T @ right) / s[:keep]))
        except np.linalg.LinAlgError:
            raise FormulationFailed(SINGULAR) from None

    def fit(self, matrix: Array, right: Array) -> Array:
        """The least-squares solution of equations with at least as many rows as unknowns, of full rank."""
        self.solutions += 1
        try:
            found, _, rank, _ = np.linalg.lstsq(matrix, right, rcond=None)
        except np.linalg.LinAlgError:
            rank = -1
        if rank < matrix.shape[1]:
            raise FormulationFailed(SINGULAR)
        return np.asarray(found)

    def null_space(self, jacobian: Array) -> Array:
        """Zᵀ: an orthonormal basis of all δq with J δq = 0, as rows, (n − r, n) with r = m − `redundant`."""
        self.solutions += 1
        try:
            return np.asarray(np.linalg.svd(jacobian)[2][self.m - self.redundant :])
        except np.linalg.LinAlgError:
            raise FormulationFailed(SINGULAR) from None

    def accelerations(self, now: Values, bias: Array | None = None) -> tuple[Array, Array]:
        """a and λ of M a + Jᵀ λ = Q, J a = γ, with another right-hand side in place of γ if one is given."""
        n, m, size = self.n, self.m, self.mass_size
        matrix = np.zeros((n + m, n + m))
        matrix[:n, :n] = now.mass / size
        matrix[:n, n:] = now.jacobian.T
        matrix[n:, :n] = now.jacobian
        right = np.concatenate([now.forces / size, now.bias if bias is None else bias])
        found = self.solve(matrix, right)
        return found[:n], size * found[n:]

    # -- compiled

    def _compile(self) -> None:
        """The functions, with a buffer for the arguments and one for the results of each."""
        n, m, k = self.n, self.m, len(self.tracked)
        mass = 0 if self._constant_mass is not None else n * n
        sizes = {
            "values": (1 + 2 * n + k, m * n + n + 3 * m + 1 + mass),
            "slopes": (1 + 3 * n + m + k, 2 * n * (n + m)),
            "potential_slope": (1 + 2 * n + k, n),
        }
        library, _ = library_of(self._tapes, cache_name("laboratory", self.program.model))
        pointer = ctypes.c_void_p
        self._functions = {
            name: (library.function(name, None, pointer, pointer, pointer), np.zeros(inputs), np.zeros(outputs))
            for name, (inputs, outputs) in sizes.items()
        }

    def _call(self, name: str, *arguments: Array) -> Array:
        function, given, found = self._functions[name]
        np.concatenate(arguments, out=given)
        function(address(given), address(given), address(found))
        return found.copy()

    def _tapes(self) -> dict[str, Tape]:
        n, m, k = self.n, self.m, len(self.tracked)
        state = 1 + 2 * n + k
        potential = jacobian(trace(lambda x, _: [self._split(x)[-1]], state, 0), range(1, n + 1))
        tape = self.found.tape
        slopes = jacobian(live(replace(tape, outputs=tape.outputs[: n + m])), range(1, 2 * n + 1))

        def dense(found: Jacobian, rows: int, columns: int, x: list[Scalar]) -> list[Scalar]:
            entries: list[Scalar] = [0.0] * (rows * columns)
            values = found.tape.evaluate(x)
            for row, column, value in zip(found.rows, found.columns, values, strict=True):
                entries[row * columns + column - 1] = value
            return entries

        return {
            "values": trace(lambda x, _: self._all(x), state, 0),
            "slopes": trace(lambda x, _: dense(slopes, n + m, 2 * n, x), state + n + m, 0),
            "potential_slope": trace(lambda x, _: dense(potential, 1, n, x), state, 0),
        }

    def _split(self, x: Sequence[Scalar]) -> tuple[Scalar, list[Scalar], list[Scalar], SystemState, Scalar]:
        """t, q, v, the state as forces see it, and V."""
        n = self.n
        t, q, v, turns = x[0], list(x[1 : n + 1]), list(x[n + 1 : 2 * n + 1]), list(x[2 * n + 1 :])
        motion = self.found.motion(t, q, v, turns)
        return t, q, v, motion, self.found.dynamics.energies.potential(motion)

    def _all(self, x: Sequence[Scalar]) -> list[Scalar]:
        dynamics, n = self.found.dynamics, self.n
        t, q, v, motion, potential = self._split(x)
        rows = dynamics.rows
        near = rows.turns(list(x[2 * n + 1 :]))
        entries: list[Scalar] = [0.0] * (self.m * n)
        for k, row in enumerate(rows.by_row(rows.jacobian(t, q, near))):
            for i, slope in row.items():
                entries[k * n + i] = slope
        found = [*entries, *dynamics.forces(motion), *rows.violation(t, q, near), *rows.slip(t, q, near)]
        found += [*rows.bias(t, q, v, near), potential]
        if self._constant_mass is None:
            matrix: list[Scalar] = list(dynamics.energies.matrix.ravel().tolist())
            for inertia in dynamics.inertias:
                gradient = inertia.gradient(q)
                for i, x_i in gradient.items():
                    for j, x_j in gradient.items():
                        matrix[i * n + j] = matrix[i * n + j] + inertia.inertance * (x_i * x_j)
            found += matrix
        return found
