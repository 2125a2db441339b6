"""A mechanism some of whose numbers are left open, as machine code that takes them as inputs.

    setup    p → c          once a run: from the open numbers to coefficients, and to where guesses put the bodies
    place    x, c → q, e    the start (see `start`)
    launch   x, c → v
    derivative, project, observe    x, c → …    as those of a mechanism whose numbers are all known

The structure (which coordinates are left, in which order they are eliminated, what holds along the motion) is decided at random values near
the nominal ones. So nothing is built in that merely happens to be so at these, and what was decided holds for almost all values. The
machine code is compared with that of a mechanism built anew at other random values before it is used.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import msgspec
import numpy as np
from numpy.typing import ArrayLike, NDArray

from grashof.analysis.assembly import assemble
from grashof.analysis.guess import starting_coordinates
from grashof.analysis.phases import closed, phases, with_phases
from grashof.analysis.start import fixed_angles
from grashof.blas import one_thread
from grashof.dynamics.equations import Dynamics, make_dynamics, softened
from grashof.dynamics.layout import Layout
from grashof.errors import ModelError
from grashof.integrate import Integrator
from grashof.integrate.lanes import LaneIntegrator, checked_rows
from grashof.model.events import Event
from grashof.model.forces import UserForce
from grashof.model.mechanism import Mechanism, as_model
from grashof.model.model import Model
from grashof.model.parameters import numbers, with_numbers
from grashof.opened.native import Native
from grashof.opened.observed import observed
from grashof.opened.start import StartEquations
from grashof.opened.structure import Structure, common_structure, open_system
from grashof.program import Program, build
from grashof.scalar.functions import Scalar, maximum
from grashof.system.system import compile_system
from grashof.tape import TraceError
from grashof.tape.node import Recorder
from grashof.tape.open import Open
from grashof.tape.staging import Staged, staged

Matrix = NDArray[np.float64]

STRIDE = 0.05
"""How far open numbers move at once on the way from the values of the structure to others, relative to their size."""

LONGEST = 256
"""Strides on the way, at most, before shorter ones are tried."""

PLACED = 1e-10
"""Equations of the start hold if they miss by less than this part of the mechanism's length."""

SWEEPS = 4
"""Pairs of Newton steps at the end of the way: always as many, so that a row does not depend on others."""

SETTLED, LAUNCHED = 1e-13, 1e-10
"""Newton steps shorter than this part of the mechanism's length, or of its speed, are round-off."""

SAME = 1e-9
"""Positions are the same if they differ by less than this part of the mechanism's length."""

CONTRACTS = 0.25
"""A Newton step is believed if the next one is shorter by this factor."""


@dataclass(frozen=True, eq=False)
class Starts:
    """Starts for rows of values: states (B, size), coefficients (B, C), and whether each could be put together on the branch of the nominal one."""

    y: Matrix
    coefficients: Matrix
    placed: NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class OpenProgram:
    """A mechanism compiled for all values of some of its numbers.

    program    the mechanism with its nominal values
    names      the open numbers, P
    nominal    their nominal values, (P,)
    keeping    couplings that keep the value which they have at the start: these values are found there, and open, too
    kept       at the nominal start
    observes   the quantities that `observe` gives, K
    dynamics   over open numbers
    staged     the tapes
    """

    program: Program
    names: tuple[str, ...]
    nominal: Matrix
    kept: Matrix
    keeping: tuple[str, ...]
    observes: tuple[str, ...]
    structure: Structure
    dynamics: Dynamics
    staged: Staged
    native: Native

    @property
    def layout(self) -> Layout:
        """Where everything is in a state."""
        return self.dynamics.layout

    @property
    def time(self) -> float:
        """When runs begin, s."""
        return self.program.assembly.time

    @property
    def length(self) -> float:
        """The mechanism's length at the nominal values, m."""
        return self.dynamics.system.length

    def values(self, given: Mapping[str, float]) -> Matrix:
        """All open numbers, those that are not given at their nominal values, (P,)."""
        return np.array([given.get(name, x) for name, x in zip(self.names, self.nominal, strict=True)])

    def integrator(self, coefficients: ArrayLike) -> Integrator:
        """The integrator of one mechanism at a time."""
        layout = self.layout
        return Integrator(self.native.library, layout.n, layout.extra, len(layout.works), coefficients)

    def lanes(self, lanes: int | None = None) -> LaneIntegrator:
        """The integrator of many mechanisms at a time; as many as suit the processor unless given."""
        layout = self.layout
        tapes = {name: self.staged.tapes[name] for name in ("derivative", "project", "observe", "gradients")}
        pattern, redundant = checked_rows(self.dynamics), self.structure.implied
        return LaneIntegrator(tapes, layout.n, layout.extra, len(layout.works), pattern, lanes, redundant=redundant)

    def _set_up(self, p: Matrix, kept: Matrix | None = None) -> tuple[Matrix, Matrix, Matrix]:
        """Coefficients, guessed coordinates, and those of the poses at the nominal start."""
        values = np.hstack([p, np.tile(self.kept, (len(p), 1)) if kept is None else kept])
        found = self.native.rows("setup", values, np.empty((len(p), 0)))
        count, n = self.staged.count, self.layout.n
        return np.ascontiguousarray(found[:, :count]), found[:, count : count + n], found[:, count + n : count + 2 * n]

    def masses(self, p: Matrix) -> Matrix:
        """For rows of values (B, P), masses with which mass·speed² is a kinetic energy, kg (B,)."""
        values = np.hstack([p, np.tile(self.kept, (len(p), 1))])
        return np.asarray(self.native.rows("setup", values, np.empty((len(p), 0)))[:, -1])

    def assemble(self, p: Matrix) -> Starts:
        """The start for each row of values (B, P), followed from the nominal one in small strides."""
        p = np.ascontiguousarray(p, dtype=float)
        numbers = np.all(np.isfinite(p), axis=1)
        far = np.max(np.abs(p - self.nominal) / self.structure.scales, axis=1, initial=0.0, where=numbers[:, None])
        y, placed = np.zeros((len(p), self.layout.size)), np.zeros(len(p), bool)
        coefficients = np.zeros((len(p), self.staged.count))
        strides = np.clip(np.ceil(far / STRIDE), 1, LONGEST).astype(int)
        for attempt in (1, 4, 16):
            left = np.flatnonzero(~placed & numbers)
            for count in np.unique(strides[left]):
                rows = left[strides[left] == count]
                y[rows], coefficients[rows], placed[rows] = self._followed(p[rows], int(count) * attempt)
        return Starts(y, coefficients, placed)

    @cached_property
    def extra(self) -> Matrix:
        """The extra states at the nominal start."""
        layout, model = self.layout, self.dynamics.system.model
        y = np.zeros(layout.size)
        y[layout.of_angles] = [self.program.assembly.angles[name] for name in layout.angles]
        y[layout.of_switches] = [force.active for force in model.forces if force.name in layout.switches]
        return y[layout.of_e]

    def _followed(self, p: Matrix, count: int) -> tuple[Matrix, Matrix, NDArray[np.bool_]]:
        """States, coefficients, and whether each start was found."""
        layout, length, base = self.layout, self.length, self.nominal
        q, v, e = (slice(1 + part.start, 1 + part.stop) for part in (layout.of_q, layout.of_v, layout.of_e))
        _, guess, posed = self._set_up(base[None])
        x = np.zeros((len(p), 1 + layout.size))
        x[:, 0], x[:, q], x[:, e] = self.time, posed, self.extra
        going = np.ones(len(p), bool)
        for k in range(1, count + 1):
            c, ahead, _ = self._set_up(base + (p - base) * (k / count))
            x[:, q] += ahead - guess
            guess = ahead
            for _ in range(1 if k < count else SWEEPS):
                found = self.native.rows("place", x, c)
                x[:, q], x[:, e] = found[:, : layout.n], found[:, layout.n : layout.n + layout.extra]
                last, before, missed = found[:, -3:].T
                going &= last <= np.maximum(CONTRACTS**2 * before, (SETTLED * length) ** 2)
        going &= missed <= (PLACED * length) ** 2
        x[:, v], x[:, e] = 0.0, self.wrapped(x[:, e])
        kept = self.native.rows("keep", x, c)
        c = self._set_up(p, kept)[0]
        for name, k in self.integrated.items():
            x[:, e][:, self.layout.angles.index(name)] = kept[:, k]
        for _ in range(SWEEPS):
            found = self.native.rows("launch", x, c)
            x[:, v] = found[:, :-1]
        speed = np.max(np.abs(x[:, v]), axis=1, initial=0.0)
        going &= found[:, -1] <= (LAUNCHED * speed) ** 2
        return x[:, 1:], c, going & np.all(np.isfinite(x), axis=1)

    @cached_property
    def integrated(self) -> dict[str, int]:
        """The states that motors of varying speed integrate, and which of the kept values each begins with."""
        model = self.dynamics.system.model
        return {name: self.keeping.index(motor.name) for motor in model.motors for name in motor.integrates}

    def wrapped(self, e: Matrix) -> Matrix:
        """Extra states in which angles that nothing gives whole turns are within ±π, as in a mechanism built anew."""
        angles = self.program.assembly.angles
        given = {angle.name for angle, _ in fixed_angles(self.program.system, self.time)}
        wrapped = e.copy()
        for k, name in enumerate(self.layout.angles):
            if name not in given and abs(angles[name]) <= np.pi and self.dynamics.system.model.quantities[name].winds:
                wrapped[:, k] -= 2.0 * np.pi * np.round(e[:, k] / (2.0 * np.pi))
        return wrapped


def open_program(mechanism: Mechanism | Model, names: Sequence[str], observe: Sequence[str] = ()) -> OpenProgram:
    """Compiles a mechanism for all values of the named numbers (see `model.parameters`).

    observe   the quantities that are asked for along the motion
    """
    given = as_model(mechanism)
    known = numbers(given)
    with_numbers(given, {name: known[name].value if name in known else 0.0 for name in names})  # names what is unknown
    for name in names:
        if not isinstance(known[name].value, float | int):
            raise ModelError(f"'{name}' is not a number that can be left open.")
    with one_thread():
        return _open(given, tuple(names), tuple(observe))


def _open(given: Model, names: tuple[str, ...], observe: tuple[str, ...]) -> OpenProgram:
    _refuse(given)
    program = build(given)
    _refuse_missed_wants(program)
    model = _tracking(given, observe)
    nominal = np.array([numbers(given)[name].value for name in names], float)
    kept = phases(given)
    structure = common_structure(model, program, names, nominal)
    recorder = Recorder(inline=True)
    inputs = zip(recorder.inputs(len(names) + len(kept)), structure.values.tolist(), strict=True)
    opened = [Open(node, x) for node, x in inputs]
    try:
        keeping_model = with_numbers(model, dict(zip(names, opened, strict=False)))
        opened_model = closed(keeping_model, dict(zip(kept, opened[len(names) :], strict=True)))
        joints, system = open_system(opened_model, structure, opened[: len(names)])
        dynamics = softened(make_dynamics(system), set(structure.redundant))
        dynamics = replace(dynamics, refinements=structure.refinements)
        layout = dynamics.layout
        conditions = [*opened_model.start.needs, *opened_model.start.wants]
        keeping = [coupling for coupling in keeping_model.all_couplings if coupling.open]
        start = StartEquations(dynamics, conditions, keeping)
        left = structure.left
        posed = msgspec.structs.replace(opened_model.start, guesses=structure.poses)
        by_pose = replace(joints, model=msgspec.structs.replace(opened_model, start=posed))
        guesses = [starting_coordinates(system)[list(left)] for system in (joints, by_pose)]
        x = recorder.inputs(1 + layout.size)
        t, q, v, e = layout.split(x)
        functions = {
            "guess": [x for guess in guesses for x in guess] + [_heaviest(dynamics)],
            "place": start.placed(t, q, e),
            "keep": start.kept(t, q, e),
            "launch": start.launched(t, q, v, e),
            "derivative": dynamics.derivative(t, q, v, e),
            "project": dynamics.project(t, q, v, e),
            "observe": observed(dynamics, observe, t, q, v, e),
            "gradients": dynamics.jacobian(t, q, dynamics.turns(e)) if checked_rows(dynamics) else [],
        }
    except TraceError as problem:
        raise ModelError(
            f"Mechanism '{given.name}' cannot be compiled with {', '.join(names)} left open: {problem}."
        ) from problem
    outputs = {name: len(values) for name, values in functions.items()}
    tape = recorder.finish([_node(y) for values in functions.values() for y in values])
    parts = staged(tape, outputs, early=["guess"])
    native = Native({"setup": replace(parts.setup, sizes=(len(opened), 0)), **parts.tapes})
    structure.check(native, parts.count)
    found = OpenProgram(
        program,
        names,
        nominal,
        np.array(list(kept.values())),
        tuple(kept),
        observe,
        structure,
        dynamics,
        parts,
        native,
    )
    _refuse_open_start(found, model)
    return found


def _refuse(model: Model) -> None:
    """What open numbers cannot be used with yet."""
    for force in model.forces:
        if isinstance(force, UserForce):
            raise ModelError(
                f"Force '{force.name}' is a function of the user's: numbers cannot be left open beside it."
            )


def _refuse_open_start(found: OpenProgram, model: Model) -> None:
    """What needs and wants leave open of a start is chosen when a mechanism is put together: open numbers must not move that choice."""
    program, structure = found.program, found.structure
    if not program.assembly.free:
        return
    for trial in structure.trials:
        values = trial.values[: len(found.names)]
        changed = with_phases(with_numbers(model, dict(zip(found.names, values.tolist(), strict=True))))
        chosen = assemble(make_dynamics(compile_system(changed, found.length))).q[list(structure.left)]
        start = found.assemble(values[None]).y[0, found.layout.of_q]
        if not np.max(np.abs(start - chosen), initial=0.0) <= SAME * found.length:
            freedom = "1 degree" if program.assembly.free == 1 else f"{program.assembly.free} degrees"
            raise ModelError(
                f"The start of mechanism '{program.model.name}' leaves {freedom} of freedom open, and {', '.join(found.names)} would move what is "
                "chosen there by default. Give needs or wants that say where it starts, such as m.need(crank.angle, value=0.3)."
            )


def _tracking(model: Model, observe: Sequence[str]) -> Model:
    """The model with the observed angles among its states, so that their whole turns are known."""
    angles = [name for name in observe if name in model.all_measures and model.all_measures[name].winds]
    events = [Event(name=f"observed {name}", quantity=f"`{name}`") for name in angles]
    return msgspec.structs.replace(model, events=(*model.events, *events))


def _refuse_missed_wants(program: Program) -> None:
    """Wants count as needs, which they can only if they are met."""
    for name, (wanted, _) in program.assembly.missed.items():
        raise ModelError(
            f"The start wants {name} = {wanted:g}, which it cannot have: with numbers left open, take that away or give what is possible."
        )


def _heaviest(dynamics: Dynamics) -> Scalar:
    """mass·speed² is a kinetic energy of the mechanism."""
    most: Scalar = 0.0
    for (i, j), x in dynamics.system.mass.items():
        most = maximum(most, 0.5 * x) if i == j else most
    return most


def _node(y: object) -> object:
    return y.node if type(y) is Open else y
