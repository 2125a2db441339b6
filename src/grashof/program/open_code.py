"""A mechanism with open numbers, as machine code that takes them as inputs.

setup    p → c          once per run: from the open numbers to coefficients, and to the guessed positions of the bodies
place    x, c → q, e    the start (see `start_equations`)
keep     x, c → …       the values that couplings keep from there on
launch   x, c → v
derivative, project, observe    x, c → …    as for a mechanism whose numbers are all known
gradients    x, c → …   those of the constraints, with which runs in lanes are checked
weakness     x, c → …   how accurately the rows of loops are solved (see `Relative.weakness`); no machine code
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from grashof.assembly.initial_offsets import with_offsets
from grashof.branch.equations import Branch
from grashof.common.errors import ModelError
from grashof.formulation.layout import Layout
from grashof.formulation.natural.equations import Dynamics
from grashof.formulation.protocol import Formulation
from grashof.formulation.relative.equations import Relative
from grashof.formulation.relative.start import own_coordinates
from grashof.integrate import Integrator
from grashof.integrate.jacobian import jacobian_library
from grashof.integrate.lanes import LaneIntegrator, checked_rows
from grashof.integrate.start_path import StartFinder, StartPath
from grashof.integrate.work import Dimensions
from grashof.model.model import Model
from grashof.model.parameters import with_numbers
from grashof.program.native import Native
from grashof.program.natural_states import NaturalStates
from grashof.program.observe import observed, tracking
from grashof.program.start_equations import StartEquations
from grashof.program.structure import Structure
from grashof.program.substitution import Substitution
from grashof.scalar.functions import Scalar
from grashof.tape import Library, Tape
from grashof.tape.node import Node, Recorder, trace
from grashof.tape.open import as_node
from grashof.tape.staging import Staged, stage_tape

Matrix = NDArray[np.float64]

Functions = Mapping[str, Sequence[Scalar]]
"""The outputs of functions by name."""

AGREES = 1e-7
"""Largest difference between machine code and a rebuilt mechanism, relative to the largest number: both have lost
digits to ε."""


@dataclass(frozen=True, eq=False)
class Starts:
    """Starts for rows of values.

    y              states (B, size)
    kept           the values that couplings keep (B, K)
    coefficients   (B, C)
    placed         whether each could be assembled on the branch of the nominal one
    """

    y: Matrix
    kept: Matrix
    coefficients: Matrix
    placed: NDArray[np.bool_]

    def of(self, which: NDArray[np.intp]) -> Starts:
        """Some of them."""
        return Starts(self.y[which], self.kept[which], self.coefficients[which], self.placed[which])


@dataclass(frozen=True, eq=False)
class Trial:
    """A mechanism that was rebuilt at other values, for comparison; the last of these are the values that couplings
    keep."""

    values: Matrix
    dynamics: Dynamics
    state: Matrix


@dataclass(frozen=True, eq=False)
class OpenEquations:
    """The equations of a mechanism over open numbers while they are recorded.

    dynamics   what is integrated; `joints` that of the joints alone, `branch` how it follows from these
    start      the equations of the start
    guesses    coordinates of the bodies at their guesses, and at the poses of the nominal start
    x          the inputs [t, y]; in relative coordinates, if there are some, [t, y, v̇] are the first of these
    relative   the mechanism in relative coordinates, if its motion is computed in these
    """

    recorder: Recorder
    joints: Dynamics
    branch: Branch | None
    dynamics: Dynamics
    start: StartEquations
    guesses: tuple[Sequence[Scalar], Sequence[Scalar]]
    x: Sequence[Node]
    relative: Relative | None = None

    @property
    def running(self) -> Formulation:
        """The equations by which the motion is computed."""
        return self.relative or self.dynamics

    @property
    def state(self) -> Sequence[Node]:
        """[t, y] in natural coordinates."""
        return self.x[: 1 + self.dynamics.layout.size]

    def beginning(self) -> Functions:
        """The functions with which a start is found."""
        t, q, v, e = self.dynamics.layout.split(self.state)
        return {
            "guess": [x for guess in self.guesses for x in guess] + [self.dynamics.energies.typical_mass],
            "place": self.start.placed(t, q, e),
            "keep": self.start.kept(self.state),
            "launch": self.start.launched(t, q, v, e),
        }

    def functions(self, observe: Sequence[str]) -> Functions:
        """All functions."""
        running = self.running
        x = self.x[: 1 + running.layout.size]
        found: dict[str, Sequence[Scalar]] = {
            **self.beginning(),
            "derivative": running.derivative(x),
            "project": running.project(x),
            "observe": observed(running, observe, x),
            "gradients": running.gradients(x) if checked_rows(running) else [],
        }
        if self.relative is not None:
            found["naturally"] = self.relative.naturally(x, self.x[len(x) : len(x) + running.layout.nv])
            found["own"] = own_coordinates(self.relative, self.state)
            if self.relative.solving is not None:
                found["weakness"] = self.relative.weakness(x)
        return found

    def with_own_inputs(self, tapes: Mapping[str, Tape]) -> dict[str, Tape]:
        """The tapes of functions of x = [t, y], with only those inputs that each of them has: a state in natural
        coordinates, in those of the motion, or the latter with v̇."""
        inner, outer = 1 + self.running.layout.size, 1 + self.dynamics.layout.size
        sizes = dict.fromkeys(("place", "keep", "launch", "own"), outer) | {"naturally": inner + self.running.layout.nv}
        return {name: _with_fewer_inputs(tape, sizes.get(name, inner)) for name, tape in tapes.items()}


def _with_fewer_inputs(tape: Tape, size: int) -> Tape:
    """A tape (x, c) → y that uses only the first numbers of x, as a function of these."""
    unused, coefficients = tape.sizes[0] - size, tape.sizes[1]
    if not unused:
        return tape
    return trace(lambda x, c: tape.evaluate([*x, *[0.0] * unused, *c]), size, coefficients)


def in_stages(recorder: Recorder, functions: Functions, early: Sequence[str] = ("guess",), tail: int = 0) -> Staged:
    """The tapes of functions; `early` and `tail` as in `stage_tape`."""
    tape = recorder.tape([as_node(y) for values in functions.values() for y in values])
    return stage_tape(tape, {name: len(values) for name, values in functions.items()}, early, tail)


@dataclass(frozen=True, eq=False)
class OpenCode:
    """A mechanism compiled for all values of some of its numbers.

    model      the description, with the values that couplings keep left out
    names      the open numbers, P
    keeping    couplings that keep the value they have at the start: these values are found there, and are open as well
    observes   the quantities that `observe` returns, K
    path       how the start with the given values is followed to others
    trials     rebuilt mechanisms for comparison
    staged     the tapes
    """

    model: Model
    names: tuple[str, ...]
    keeping: tuple[str, ...]
    observes: tuple[str, ...]
    structure: Structure
    equations: OpenEquations
    path: StartPath
    trials: tuple[Trial, ...]
    staged: Staged
    native: Native

    @property
    def dynamics(self) -> Dynamics:
        """The dynamics over open numbers."""
        return self.equations.dynamics

    @property
    def layout(self) -> Layout:
        """The layout of a state in natural coordinates."""
        return self.dynamics.layout

    def view(self, coefficients: ArrayLike) -> NaturalStates | None:
        """Natural coordinates of states in the coordinates of the motion, if these are others; the coefficients are
        those of all states, or of each one."""
        relative = self.equations.relative
        return None if relative is None else NaturalStates(relative, self.native.library, coefficients)

    @property
    def time(self) -> float:
        """The time at which runs begin, s."""
        return self.path.begin[0]

    @property
    def length(self) -> float:
        """The mechanism's length at the nominal values, m."""
        return self.dynamics.length

    @cached_property
    def nominal(self) -> Matrix:
        """The nominal values of the open numbers, (P,)."""
        return np.array(self.path.nominal)

    @cached_property
    def scales(self) -> Matrix:
        """The size of each open number, (P,)."""
        return np.array(self.path.scales)

    def values(self, given: Mapping[str, float]) -> Matrix:
        """All open numbers, (P,); those that are not given have their nominal values."""
        return np.array([given.get(name, x) for name, x in zip(self.names, self.nominal, strict=True)])

    def plain(self, numbers: Matrix, kept: Matrix) -> tuple[Model, Dynamics, Branch | None]:
        """The description, the equations in natural coordinates and the branch with these numbers (P,) and kept values
        (K,)."""
        values = [*map(float, numbers), *map(float, kept)]
        model = with_numbers(self.model, dict(zip(self.names, values, strict=False)))
        offsets = dict(zip(self.keeping, values[len(self.names) :], strict=True))
        tracked = with_offsets(tracking(model, self.observes), offsets)
        dynamics, coordinates = self._substitution.at(values, tracked)
        branch = self.equations.branch
        if branch is not None:
            joints, _ = self._joints.at(values, tracked)
            branch = Branch(joints.system, dynamics.system, branch.left, coordinates)
        return with_offsets(model, offsets), dynamics, branch

    @cached_property
    def _substitution(self) -> Substitution:
        branch = self.equations.branch
        return Substitution(self.equations.recorder, self.dynamics, branch.coordinates if branch else ())

    @cached_property
    def _joints(self) -> Substitution:
        return Substitution(self.equations.recorder, self.equations.joints)

    def integrator(self, coefficients: ArrayLike) -> Integrator:
        """The integrator of one mechanism at a time."""
        sizes, view = self.equations.running.layout.sizes, self.view(coefficients)
        work = Dimensions(sizes, *(self.staged.tapes[name].operations for name in ("derivative", "project")))
        return Integrator(self.native.library, sizes, coefficients, lambda: self._jacobian, view, work)

    @cached_property
    def _jacobian(self) -> Library:
        return jacobian_library(self.staged.tapes["derivative"], self.equations.running.layout.sizes)

    def lanes(self, lanes: int | None = None) -> LaneIntegrator:
        """The integrator of many mechanisms at a time; their number is chosen for the processor unless given."""
        tapes = {name: self.staged.tapes[name] for name in ("derivative", "project", "observe", "gradients")}
        running = self.equations.running
        return LaneIntegrator(tapes, running.layout.sizes, checked_rows(running), lanes, redundant=self.redundant)

    @property
    def redundant(self) -> int:
        """How many rows of positions others imply, in the coordinates of the motion."""
        relative = self.equations.relative
        return self.structure.redundant_count if relative is None else relative.redundant

    def masses(self, numbers: Matrix) -> Matrix:
        """For rows of values (B, P), masses with which mass·speed² is a kinetic energy, kg (B,)."""
        return np.asarray(self._set_up(numbers)[:, -1])

    @property
    def coefficients(self) -> Matrix:
        """Those of the nominal values, (C,)."""
        return self._set_up(self.nominal[None])[0, : self.staged.count]

    def _set_up(self, numbers: Matrix) -> Matrix:
        """Coefficients for rows of values (B, P), then guessed coordinates, those of the nominal poses, and a mass."""
        values = np.hstack([numbers, np.tile(self.path.kept, (len(numbers), 1))])
        return self.native.rows("setup", values, np.empty((len(numbers), 0)))

    def assemble(self, numbers: Matrix) -> Starts:
        """The start for each row of values (B, P), followed from the nominal one in small strides."""
        found = self._finder.find(numbers)
        return Starts(found.x[:, 1:], self.native.rows("keep", found.x, found.c), found.c, found.found)

    @cached_property
    def _finder(self) -> StartFinder:
        return StartFinder(self.path, self.native.library)

    def check(self) -> None:
        """Compares accelerations and projections with those of rebuilt mechanisms."""
        for trial in self.trials:
            c = self.native.rows("setup", trial.values[None], np.empty((1, 0)))[:, : self.staged.count]
            running: Formulation = trial.dynamics
            state = trial.state.tolist()
            if self.equations.relative is not None:
                running = self.equations.relative.over(trial.dynamics)
                state = [state[0], *running.own_state(state)]
            for name, function in (("derivative", running.derivative), ("project", running.project)):
                found = self.native.rows(name, np.array([state]), c)[0]
                expected = np.array(function(state), float)
                largest = float(np.max(np.abs(expected), initial=1e-300))
                if not np.max(np.abs(found - expected), initial=0.0) <= AGREES * largest:
                    raise ModelError(
                        f"Mechanism '{self.model.name}' cannot be compiled with these numbers left open: its "
                        f"{name} differs "
                        f"from that of the rebuilt mechanism by {np.max(np.abs(found - expected)) / largest:.1e}."
                    )


def compiled_functions(equations: OpenEquations, observe: Sequence[str]) -> tuple[Staged, Native]:
    """The tapes of all functions, and their machine code."""
    parts = in_stages(equations.recorder, equations.functions(observe))
    parts = replace(parts, tapes=equations.with_own_inputs(parts.tapes))
    hot = {name: parts.tapes[name] for name in ("derivative", "project")}  # the first to be unrolled, if not all are
    others = {name: tape for name, tape in parts.tapes.items() if name != "weakness"}
    return parts, Native({**hot, "setup": replace(parts.setup, sizes=(parts.setup.inputs, 0)), **others})
