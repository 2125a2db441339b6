"""The linearised motion about an equilibrium, with inputs and outputs, as matrices for control design.

    ẋ = A x + B u,        y = C x + D u

x are the differences of some measures from their values at rest, and their rates; u those of the inputs, which are
numbers of forces; y those of the outputs. All derivatives are exact: with δq = Z ξ, J Z = 0 (see `linearised`), the
directional derivatives of accelerations and outputs come from their tapes, along the columns of Z and along the inputs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from grashof.common.blas import one_thread
from grashof.common.errors import ModelError
from grashof.common.wording import count_of
from grashof.model.inputs import drives_motor
from grashof.model.mechanism import Mechanism, as_model
from grashof.model.model import Model
from grashof.motion.starting import begin_at
from grashof.program import Program, build
from grashof.quantities.catalog import catalog_of
from grashof.questions.equations import Array, QuestionEquations
from grashof.questions.equilibrium import equilibrium
from grashof.tape import Tape
from grashof.tape.differentiate import push

INDEPENDENT = 1e-6
"""Measures are independent if the smallest singular value of their scaled gradients is a larger fraction of the
largest."""

ANGLES_FIRST = 0.3
"""An angle is taken as a state if it tells this fraction of what the best measure tells."""


@dataclass(frozen=True, eq=False)
class StateSpace:
    """The matrices of ẋ = A x + B u, y = C x + D u about an equilibrium. `scipy.signal.StateSpace(*found)` and
    `control.ss(*found)` take them.

    states, inputs, outputs   their names; the second half of the states are rates of the first
    at                        the values at rest, by name: x, u and y are differences from these
    """

    A: Array
    B: Array
    C: Array
    D: Array
    states: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    at: dict[str, float]

    def __iter__(self) -> Iterator[Array]:
        return iter((self.A, self.B, self.C, self.D))

    @property
    def poles(self) -> Array:
        """The eigenvalues of A, 1/s."""
        return np.asarray(np.linalg.eigvals(self.A))

    def as_dict(self) -> dict[str, Any]:
        """Plain data."""
        matrices = {name: matrix.tolist() for name, matrix in zip("ABCD", self, strict=True)}
        names = {"states": self.states, "inputs": self.inputs, "outputs": self.outputs}
        return {**matrices, **{name: list(x) for name, x in names.items()}, "at": dict(self.at)}

    def __str__(self) -> str:
        lines = [
            f"Linearised about an equilibrium: {count_of(len(self.states), 'state')}, "
            f"{count_of(len(self.inputs), 'input')}, {count_of(len(self.outputs), 'output')}.",
            f"  x: {', '.join(self.states)}",
            f"  u: {', '.join(self.inputs)}",
            f"  y: {', '.join(self.outputs)}",
        ]
        for name, matrix in zip("ABCD", self, strict=True):
            rows = np.array2string(matrix, precision=6, suppress_small=True, prefix="      ").splitlines()
            lines += [f"  {name} = {rows[0]}", *(f"      {row.strip()}" for row in rows[1:])]
        return "\n".join(lines)


@one_thread()
def state_space(
    mechanism: Mechanism | Model, *, inputs: Sequence[str], outputs: Sequence[str], states: Sequence[str] | None = None
) -> StateSpace:
    """Linearises a mechanism about the equilibrium into which it settles (see `equilibrium`), with inputs and outputs.

    inputs    numbers of forces, by their paths: torques, forces, stiffnesses (see `numbers`)
    outputs   quantities of a run, also accelerations
    states    one independent measure for each degree of freedom, such as angles; chosen unless given

    >>> m = Mechanism("pendulum", gravity=(0, -9.81))
    >>> rod = m.bar("rod", length=1.0, mass=3.0)
    >>> _ = m.revolute(m.ground.at(0, 0), rod.start)
    >>> m.torque(rod, 0.0, name="drive")
    >>> found = state_space(m, inputs=["drive.torque"], outputs=["rod.angle"])
    >>> found.A.round(9).tolist(), found.B.round(9).tolist()
    ([[0.0, 1.0], [-14.715, 0.0]], [[0.0], [1.0]])
    """
    model = as_model(mechanism)
    given, wanted = tuple(dict.fromkeys(inputs)), tuple(dict.fromkeys(outputs))
    if not given or not wanted:
        raise ModelError(f"Mechanism '{model.name}': name at least one input and one output for the matrices.")
    for name in given:
        if drives_motor(model, name):
            raise ModelError(f"'{name}' is the speed of a motor; inputs of matrices are numbers of forces, as torques.")
    catalog = catalog_of(model)
    for name in (*wanted, *(states or ())):
        catalog[name]  # refuses what there is not
    chosen = tuple(states) if states is not None else tuple(model.quantities)
    for name in chosen:
        if name not in model.quantities:
            raise ModelError(f"'{name}' cannot be a state; name angles, distances or coordinates of points.")
    still = begin_at(model, equilibrium(model))
    observe = tuple(dict.fromkeys((*wanted, *chosen)))
    program = build(still, numbers=given, observe=observe, formulation="natural", relations=False)
    return _Linearisation(program, observe).matrices(given, wanted, chosen, fixed=states is not None)


class _Linearisation:
    """Directional derivatives at the start of a program with open numbers, which is at rest."""

    def __init__(self, program: Program, observe: tuple[str, ...]) -> None:
        self.program, self.observe, code = program, observe, program.opened
        self.tapes, self.layout = code.staged.tapes, program.dynamics.layout
        self.p = [*code.nominal.tolist(), *code.path.kept]
        self.setup, self.count = code.staged.setup, code.staged.count
        self.c = code.coefficients.tolist()
        self.x = [program.assembly.time, *program.y0.tolist()]
        turns = program.y0[self.layout.of_angles]
        equations = QuestionEquations(program.dynamics)
        self.freedoms = equations.freedoms(self.x[0], program.y0[self.layout.of_q], turns)

    def _along(self, tape: Tape, dx: Array, dc: Sequence[float] = ()) -> Array:
        """The derivative of a function of (x, c)."""
        directions = {1 + i: float(value) for i, value in enumerate(dx) if value}
        directions |= {len(self.x) + j: float(value) for j, value in enumerate(dc) if value}
        return np.array([float(value) for value in push(tape, [*self.x, *self.c], [directions])[1][0]])

    def _columns(self, dx: Array, dc: Sequence[float] = ()) -> tuple[Array, Array]:
        """The changes of accelerations in the freedoms, and of the observed quantities."""
        rates = self._along(self.tapes["derivative"], dx, dc)[self.layout.of_a]
        return self.freedoms.T @ rates, self._along(self.tapes["observe"], dx, dc)[: len(self.observe)]

    def matrices(
        self, inputs: tuple[str, ...], outputs: tuple[str, ...], measures: tuple[str, ...], *, fixed: bool
    ) -> StateSpace:
        """All matrices, in terms of these measures, or of some of them."""
        count, size = self.freedoms.shape[1], len(self.x) - 1
        positions, velocities = list[tuple[Array, Array]](), list[tuple[Array, Array]]()
        for direction in self.freedoms.T:
            for place, found in ((self.layout.of_q, positions), (self.layout.of_v, velocities)):
                dx = np.zeros(size)
                dx[place] = direction
                moved = self._along(self.tapes["project"], dx)[:size]  # tracked angles follow the positions
                found.append(self._columns(moved))
        forced = []
        for k in range(len(inputs)):
            slopes = push(self.setup, self.p, [{k: 1.0}])[1][0][: self.count]
            forced.append(self._columns(np.zeros(size), [float(x) for x in slopes]))

        def part(columns: Sequence[tuple[Array, Array]], which: int, rows: int) -> Array:
            return np.array([column[which] for column in columns]).reshape(-1, rows).T

        seen = len(self.observe)
        stiffness, damping, force = (part(x, 0, count) for x in (positions, velocities, forced))
        of_q, of_v, of_u = (part(x, 1, seen) for x in (positions, velocities, forced))
        row = [self.observe.index(name) for name in measures]
        named = self._choose(measures, of_q[row], fixed=fixed)
        change = of_q[[self.observe.index(name) for name in named]]  # from ξ to the measures
        back = np.linalg.inv(change) if count else change
        told = [self.observe.index(name) for name in outputs]
        nothing, one = np.zeros((count, count)), np.eye(count)
        values = self._along_nothing()
        return StateSpace(
            A=np.block([[nothing, one], [change @ stiffness @ back, change @ damping @ back]]),
            B=np.vstack([np.zeros((count, len(inputs))), change @ force]),
            C=np.hstack([of_q[told] @ back, of_v[told] @ back]),
            D=of_u[told],
            states=(*named, *(f"{name}.rate" for name in named)),
            inputs=inputs,
            outputs=outputs,
            at={
                **dict(zip(inputs, self.p, strict=False)),
                **{name: values[self.observe.index(name)] for name in (*named, *outputs)},
            },
        )

    def _along_nothing(self) -> list[float]:
        """The observed quantities at rest."""
        return [float(x) for x in self.tapes["observe"].evaluate([*self.x, *self.c])[: len(self.observe)]]

    def _choose(self, measures: tuple[str, ...], gradients: Array, *, fixed: bool) -> tuple[str, ...]:
        """Independent measures, as many as there are degrees of freedom; angles first."""
        model, count = self.program.model, gradients.shape[1]
        angle = np.array([model.quantities[name].unit == "rad" for name in measures], bool)
        scaled = gradients * np.where(angle, self.program.system.length, 1.0)[:, None]
        if fixed:
            values = np.linalg.svd(scaled, compute_uv=False) if len(scaled) == count and count else np.zeros(1)
            if len(scaled) != count or (count and not values[-1] > INDEPENDENT * values[0]):
                raise ModelError(
                    f"Mechanism '{model.name}' has {count} degrees of freedom at rest; name as many independent "
                    "measures as states."
                )
            return measures
        left, found = scaled.copy(), list[int]()
        for _ in range(count):
            sizes = np.linalg.norm(left, axis=1)
            best = int(np.argmax(np.where(angle & (sizes > ANGLES_FIRST * np.max(sizes)), sizes + 1e9, sizes)))
            found.append(best)
            unit = left[best] / sizes[best]
            left = left - np.outer(left @ unit, unit)
        return tuple(measures[k] for k in found)
