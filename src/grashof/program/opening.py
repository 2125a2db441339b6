"""Compiles a mechanism with some of its numbers left open.

The structure (which coordinates remain, in which order they are eliminated, which relations hold along the motion) is decided at random values
near the nominal ones. So no coincidence of the nominal values is built in, and the decisions hold for almost all values. Before it is used, the
machine code is compared with that of a mechanism rebuilt at other random values.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import msgspec
import numpy as np

from grashof.assembly.assemble import assemble
from grashof.assembly.guess import starting_coordinates
from grashof.assembly.initial_offsets import enter_initial_offsets, free_at_start, initial_offsets, with_offsets
from grashof.common.blas import one_thread
from grashof.common.errors import ModelError
from grashof.formulation.natural.equations import Dynamics, make_dynamics, softened
from grashof.formulation.natural.system import compile_system
from grashof.integrate.lanes import checked_rows
from grashof.model.check import CheckedModel, vouch_for
from grashof.model.events import Event
from grashof.model.mechanism import Mechanism, as_model
from grashof.model.model import Model
from grashof.model.parameters import numbers, with_numbers
from grashof.program import Program, build
from grashof.program.native import Native
from grashof.program.observe import observed
from grashof.program.open_program import OpenProgram
from grashof.program.start_equations import StartEquations
from grashof.program.structure import Structure, common_structure, open_system
from grashof.scalar.functions import Scalar
from grashof.tape import TraceError
from grashof.tape.node import Recorder
from grashof.tape.open import Open, as_node
from grashof.tape.staging import Staged, staged

Functions = Mapping[str, Sequence[Scalar]]
"""The outputs of functions by name."""

SAME = 1e-9
"""Positions are the same if they differ by less than this fraction of the mechanism's length."""


def open_program(mechanism: Mechanism | Model, names: Sequence[str], observe: Sequence[str] = ()) -> OpenProgram:
    """Compiles a mechanism for all values of the named numbers (see `model.parameters`).

    observe   the quantities requested along the motion
    """
    given = as_model(mechanism)
    known = numbers(given)
    with_numbers(given, {name: known[name].value if name in known else 0.0 for name in names})  # names what is unknown
    for name in names:
        if not isinstance(known[name].value, float | int):
            raise ModelError(f"'{name}' is not a number that can be left open.")
    with one_thread():
        return _open(given, tuple(names), tuple(observe))


def _open(given: CheckedModel, names: tuple[str, ...], observe: tuple[str, ...]) -> OpenProgram:
    _refuse(given)
    program = build(given)
    _refuse_missed_wants(program)
    model = tracking(given, observe)
    nominal = np.array([numbers(given)[name].value for name in names], float)
    keeping = any(coupling.open for coupling in given.all_couplings)
    kept = initial_offsets(compile_system(given)) if keeping else {}
    structure = common_structure(model, program, names, nominal)
    try:
        dynamics, parts = _traced(model, structure, names, tuple(kept), observe)
    except TraceError as problem:
        raise ModelError(
            f"Mechanism '{given.name}' cannot be compiled with {', '.join(names)} left open: {problem}."
        ) from problem
    native = Native({"setup": replace(parts.setup, sizes=(parts.setup.inputs, 0)), **parts.tapes})
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


@dataclass(frozen=True, eq=False)
class Equations:
    """The equations of a mechanism over open numbers.

    guesses   coordinates of the bodies at their guesses, and at the poses of the nominal start
    """

    dynamics: Dynamics
    start: StartEquations
    guesses: tuple[Sequence[Scalar], Sequence[Scalar]]

    def beginning(self, x: Sequence[Scalar]) -> Functions:
        """The functions with which a start is found."""
        t, q, v, e = self.dynamics.layout.split(x)
        return {
            "guess": [x for guess in self.guesses for x in guess] + [self.dynamics.energies.typical_mass],
            "place": self.start.placed(t, q, e),
            "keep": self.start.kept(x),
            "launch": self.start.launched(t, q, v, e),
        }


def equations(
    recorder: Recorder, model: Model, structure: Structure, names: Sequence[str], kept: Sequence[str]
) -> Equations:
    """The equations over the first inputs of a recorder: open numbers, and the values that the couplings `kept` have at the start."""
    inputs = zip(recorder.inputs(len(names) + len(kept)), structure.values.tolist(), strict=True)
    opened = [Open(node, x) for node, x in inputs]
    keeping_model = with_numbers(model, dict(zip(names, opened, strict=False)))
    opened_model = with_offsets(keeping_model, dict(zip(kept, opened[len(names) :], strict=True)))
    joints, system = open_system(opened_model, structure, opened[: len(names)])
    dynamics = softened(make_dynamics(system), set(structure.redundant))
    dynamics = replace(dynamics, refinements=structure.refinements)
    conditions = [*opened_model.start.needs, *opened_model.start.wants]
    start = StartEquations(
        dynamics, conditions, [coupling for coupling in keeping_model.all_couplings if coupling.open]
    )
    posed = msgspec.structs.replace(opened_model.start, guesses=structure.poses)
    by_pose = replace(joints, model=msgspec.structs.replace(opened_model, start=posed))
    first, second = (starting_coordinates(system)[list(structure.left)].tolist() for system in (joints, by_pose))
    return Equations(dynamics, start, (first, second))


def _traced(
    model: Model, structure: Structure, names: Sequence[str], kept: Sequence[str], observe: Sequence[str]
) -> tuple[Dynamics, Staged]:
    """The dynamics over open numbers, and all functions as tapes; `kept` are couplings whose values at the start are open as well."""
    recorder = Recorder(inline=True)
    found = equations(recorder, model, structure, names, kept)
    dynamics = found.dynamics
    x = recorder.inputs(1 + dynamics.layout.size)
    functions = {
        **found.beginning(x),
        "derivative": dynamics.derivative(x),
        "project": dynamics.project(x),
        "observe": observed(dynamics, observe, x),
        "gradients": dynamics.gradients(x) if checked_rows(dynamics) else [],
    }
    return dynamics, in_stages(recorder, functions)


def in_stages(recorder: Recorder, functions: Functions, early: Sequence[str] = ("guess",), tail: int = 0) -> Staged:
    """The tapes of functions; `early` and `tail` as in `staged`."""
    tape = recorder.finish([as_node(y) for values in functions.values() for y in values])
    return staged(tape, {name: len(values) for name, values in functions.items()}, early, tail)


def _refuse(model: Model) -> None:
    """Rejects models with features that do not support open numbers yet."""
    for force in model.forces:
        if force.code is not None:
            raise ModelError(
                f"Force '{force.name}' is a Python function: in a mechanism with such a force, no numbers can be left open."
            )


def _refuse_open_start(found: OpenProgram, model: Model) -> None:
    """Rejects open numbers that affect the part of a start that needs and wants leave undetermined: it is chosen when a mechanism is assembled."""
    program, structure = found.program, found.structure
    free = free_at_start(compile_system(model)) if found.keeping else program.assembly.free
    if not free:
        return
    for trial in structure.trials:
        values = trial.values[: len(found.names)]
        changed = with_numbers(model, dict(zip(found.names, values.tolist(), strict=True)))
        system = enter_initial_offsets(compile_system(changed, found.length))
        chosen = assemble(make_dynamics(system)).q[list(structure.left)]
        start = found.assemble(values[None]).y[0, found.layout.of_q]
        if not np.max(np.abs(start - chosen), initial=0.0) <= SAME * found.length:
            freedom = "1 degree" if free == 1 else f"{free} degrees"
            raise ModelError(
                f"The start of mechanism '{program.model.name}' leaves {freedom} of freedom open, and {', '.join(found.names)} would move what is "
                "chosen there by default. Give needs or wants that say where it starts, such as m.need(crank.angle, value=0.3)."
            )


def tracking(model: CheckedModel, observe: Sequence[str]) -> CheckedModel:
    """The model with the observed angles among its states, so that their whole turns are tracked."""
    angles = [name for name in observe if name in model.all_measures and model.all_measures[name].winds]
    events = [Event(name=f"observed {name}", quantity=f"`{name}`") for name in angles]
    return vouch_for(msgspec.structs.replace(model, events=(*model.events, *events)))


def _refuse_missed_wants(program: Program) -> None:
    """Rejects wants that are not met: with open numbers, wants count as needs."""
    for name, (wanted, _) in program.assembly.missed.items():
        raise ModelError(
            f"The start wants {name} = {wanted:g}, which it cannot have: with numbers left open, remove it or give a possible value."
        )
