"""Makes the data of a live page: the mechanism and its time loop compiled to WebAssembly."""

from __future__ import annotations

import base64
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from grashof.assembly.assembled_model import assemble_with_start
from grashof.changes.corners import find_corners
from grashof.common.blas import one_thread
from grashof.common.errors import ModelError
from grashof.common.status import Code
from grashof.common.wording import some
from grashof.formulation.protocol import Formulation
from grashof.integrate import Choice, Spacing
from grashof.integrate.jacobian import jacobian_ir, slope_tape
from grashof.integrate.step import WATCHED, Workspace
from grashof.live.data import LiveData, LiveMotor, LiveSettings, Observed
from grashof.live.loop import loop_ir
from grashof.live.numbers import candidates, live_numbers
from grashof.live.poses import PoseSpace
from grashof.live.session import CODES, TURN, SessionSpace
from grashof.live.steady import is_steady
from grashof.live.tapes import LiveTapes, open_tapes, plain_tapes
from grashof.live.track import TrackSpace
from grashof.live.wasm import compile_wasm, fused_modules
from grashof.model.check import CheckedModel
from grashof.model.expressions import parse
from grashof.model.mechanism import Mechanism, as_model
from grashof.model.model import Model
from grashof.model.paths import leaves
from grashof.program import Program, build
from grashof.program.open_code import OpenCode
from grashof.quantities.catalog import catalog_of
from grashof.quantities.energy_balance import balance_tape
from grashof.simulation.accuracy import COARSER, ROUND_OFF, SAFETY, first_tolerance, space_steps
from grashof.simulation.options import TOLERANCE, Options
from grashof.simulation.simulate import simulate
from grashof.simulation.task import Task, prepare, weights_of
from grashof.simulation.trust import allowed_imbalance
from grashof.tape import Tape, emit
from grashof.tape.lanes import Lanes

SPAN = 10.0
"""Default duration of a run, s."""

LARGEST = 100_000
"""Largest number of statements in all functions: a page with more would take too long to load."""

FUNCTIONS_OF_START = 2
"""Number of functions that find a start for other numbers, each of which solves the joints' equations in natural
coordinates."""

TOO_LARGE_TO_CHANGE = (
    "The numbers of this mechanism cannot be changed in the page: "
    "finding its start again would take too many operations."
)
"""The note on a page that could not contain these functions."""

ANGLES = 4
"""Largest number of angles that are observed by default."""

STATUSES = {code.name: code.value for code in Code} | {
    "ATTENTION": (
        "a singular position may be near, where the motion can go on in several ways, and the page cannot tell which "
        "of them it takes. Restart with other numbers, or simulate the mechanism in Python, which looks more closely"
    ),
    "NOT_ASSEMBLED": (
        "with these numbers the joints cannot be closed, or only in another assembly mode. The last position "
        "for which they could be is kept"
    ),
    "OUTSIDE_BOUNDS": "a number is outside its bounds, or physically impossible",
    "END_OF_LAWS": (
        "forces or motors follow laws of time, which this page knows up to here only. Restart, or make a page for a "
        "longer time"
    ),
}
"""The text for each code of an outcome."""


def live_data(
    mechanism: Mechanism | Model,
    t_end: float | None = None,
    *,
    numbers: Sequence[str] | None = None,
    observe: Sequence[str] | None = None,
    tol: float = TOLERANCE,
    method: str = "auto",
) -> LiveData:
    """Compiles a mechanism for a page that simulates it.

    t_end     end time of a run, s; laws of time are known up to then, and a motion without such laws may continue
    numbers   names of the numbers that can be changed in the page (see `grashof.numbers`). By default: the declared
              parameters and the needs and wants of the start; if no parameters are declared, also speeds of motors,
              gravity, stiffnesses, lengths and masses, as far as they can be left open
    observe   quantities that the page shows while it runs; by default energies and some angles
    tol       tolerance of the error over the whole run, as in `simulate`
    """
    model = as_model(mechanism)
    made = session_code(model, t_end, numbers=numbers, observe=observe, options=Options(tol=tol, method=method))
    return _data(model, made)


def session_code(
    model: CheckedModel,
    t_end: float | None = None,
    *,
    numbers: Sequence[str] | None = None,
    observe: Sequence[str] | None = None,
    options: Options | None = None,
    held: bool = True,
    place: str = "live page",
) -> SessionCode:
    """The code of a mechanism that is simulated without Python; see `live_data`.

    held    whether a hand can pull at bodies, and poses are computed
    place   where it is simulated, for messages
    """
    seen = tuple(_interesting(model) if observe is None else observe)
    catalog = catalog_of(model)
    for name in seen:
        catalog[name]  # refuses what there is not
    _refuse(model, place)
    with one_thread():
        end = model.start.time + SPAN if t_end is None else t_end
        made = _make_page(model, seen, numbers, "auto" if held else "natural", held=held)
        if made.program.tentative and simulate(model, end, tol=TOLERANCE, times=2).program.relative is None:
            made = _make_page(model, seen, numbers, "natural", held=held)  # loops come near a singular position
        task = prepare(made.program, end, options)
        return _code(made, task, seen, timed=_has_laws_of_time(model), place=place)


@dataclass(frozen=True, eq=False)
class _Made:
    """A mechanism that is ready to be compiled.

    program  with its numbers left open, if there are any
    notes    on numbers that could not be left open
    """

    program: Program
    tapes: LiveTapes
    notes: list[str]

    @property
    def open_code(self) -> OpenCode | None:
        """The code over open numbers; None if no number is left open."""
        return self.program.open_code

    @property
    def running(self) -> Formulation:
        """What the tapes were made from."""
        return self.open_code.equations.running if self.open_code else self.program.formulation


@dataclass(frozen=True, eq=False)
class SessionCode:
    """The code of a mechanism that is simulated without Python.

    session   its layout in memory
    tapes     the functions of the mechanism, by name
    kernels   all other functions, as LLVM IR
    observes  the quantities that are observed
    """

    made: _Made
    task: Task
    chosen: Choice
    session: SessionSpace
    tapes: dict[str, Tape]
    kernels: str
    observes: tuple[str, ...]

    def text(self, more: Mapping[str, Tape] | None = None) -> str:
        """All functions as LLVM IR, with more tapes if there are any."""
        return self.kernels + emit({**self.tapes, **(more or {})}, unroll=True).text

    @property
    def names(self) -> tuple[str, ...]:
        """The open numbers."""
        return self.made.program.numbers


def _make_page(
    model: CheckedModel, observe: tuple[str, ...], names: Sequence[str] | None, formulation: str, *, held: bool
) -> _Made:
    wanted: dict[str, None] = {}
    tried = candidates(model) if names is None else [tuple(names)] if names else []
    if names is None and tried and FUNCTIONS_OF_START * assemble_with_start(model).dynamics.kkt.operations > LARGEST:
        program = build(model, observe=observe, formulation=formulation)
        return _Made(program, plain_tapes(program, observe, held=held), [TOO_LARGE_TO_CHANGE])
    for chosen in tried:
        try:
            program = build(model, numbers=chosen, observe=observe, formulation=formulation)
        except ModelError:
            if names is not None:
                raise
            wanted |= dict.fromkeys(chosen)
            continue
        notes = _note_on_fixed([name for name in wanted if name not in chosen])
        return _Made(program, open_tapes(program.opened, held=held), notes)
    program = build(model, observe=observe, formulation=formulation)
    return _Made(program, plain_tapes(program, observe, held=held), _note_on_fixed(list(wanted)))


def _note_on_fixed(names: list[str]) -> list[str]:
    """A note on numbers that could not be left open together; the reasons are long, and concern the page's author
    only."""
    if not names:
        return []
    return [
        f"{some(names, 4)} cannot be changed together in this page. `grashof live --number NAME` makes a page "
        "for the numbers that you name."
    ]


def _notes_on_steps(task: Task) -> list[str]:
    """Notes on what `simulate` examines between steps and a page does not, for mechanisms in which something may happen
    there."""
    between, found = task.between, []
    if between is not None and between.features.may_hide:
        found.append(
            "This page may pass over features of forces and couplings that are narrower than a step; `grashof "
            "simulate` examines every step for them."
        )
    corners = find_corners(task.program.dynamics)
    if corners is not None:
        found.append(
            f"Where the slope of coupling {some(corners.names, 4)} jumps, velocities would have to jump, and the "
            "energy that is lost is not determined. This page does not notice such corners; `grashof simulate` does."
        )
    return found


def _code(made: _Made, task: Task, observe: tuple[str, ...], *, timed: bool, place: str) -> SessionCode:
    chosen = task.choose()
    session = _session(made, task, chosen, len(observe), timed=timed)
    tapes = {**made.tapes.tapes, "balance": balance_tape(allowed_imbalance(task.tol))}
    if session.pull:
        tapes |= session.poses.tapes()
    statements = sum(map(len, tapes.values()))
    if statements > LARGEST:
        raise ModelError(
            f"Mechanism '{made.program.model.name}' is too large for a {place}: its equations have {statements} "
            f"operations, and {LARGEST} are possible. Leave fewer numbers open, or show a run of it (run.animate)."
        )
    text = loop_ir(session.track.work) + session.text()
    if "jacobian" in chosen.method.needs:
        derivative = tapes["derivative"]
        tapes["slope"] = slope_tape(derivative)
        text += jacobian_ir(made.running.layout.sizes, derivative.sizes[1], Lanes(1))
    return SessionCode(made, task, chosen, session, tapes, text, observe)


def _data(model: CheckedModel, code: SessionCode) -> LiveData:
    made, task, session, catalog = code.made, code.task, code.session, catalog_of(model)
    opened = made.open_code
    module = compile_wasm(code.text(), session.exports)
    return LiveData(
        name=model.name,
        wasm=base64.b64encode(module.code).decode(),
        fused=[base64.b64encode(code).decode() for code in fused_modules()],
        free=module.data,
        size=session.places["all"],
        blocks=session.blocks(),
        codes=list(CODES),
        numbers=live_numbers(model, opened.names, opened.scales.tolist()) if opened else [],
        bodies=[body.name for body in model.bodies],
        motors=_motors(made),
        observed=[Observed(name, catalog[name].unit, catalog[name].since_start) for name in code.observes],
        settings=LiveSettings(code.chosen.name, task.tol, session.track.length, session.mass, session.track.span),
        statuses=STATUSES,
        notes=[*made.notes, *_notes_on_steps(task)],
    )


def _session(made: _Made, task: Task, chosen: Choice, observed: int, *, timed: bool) -> SessionSpace:
    program, tapes = made.program, made.tapes
    begin, running = program.assembly.time, made.running
    system = running.natural.system
    poses = PoseSpace([len(system.frames[body.name].directions) for body in system.model.bodies], system.dimension)
    path = None
    if made.open_code is not None:
        path = replace(made.open_code.path, count=tapes.count, early=len(tapes.tapes["setup"].outputs), named=True)
    return SessionSpace(
        track=_track(made, task, chosen),
        path=path,
        state=[begin, *program.formulation.own_state([begin, *program.y0.tolist()])],
        natural=2 * running.natural.n,
        mass=float(task.program.mass),
        count=tapes.count,
        pull=tapes.pull,
        observed=observed,
        poses=poses,
        tol=task.tol,
        step_tol=chosen.method.share * first_tolerance(task, chosen),
        coarser=COARSER,
        longer=space_steps(Spacing(), COARSER, chosen).scale,
        safety=SAFETY,
        earliest=begin if timed else -math.inf,
        latest=task.t_end if timed else math.inf,
    )


def _track(made: _Made, task: Task, chosen: Choice) -> TrackSpace:
    system, layout, tapes = made.running.natural.system, made.running.layout, made.tapes
    signs = len(tapes.tapes["indicators"].outputs)
    gradients = sum(map(len, tapes.pattern))
    return TrackSpace(
        work=Workspace(layout.sizes, chosen.method, runs=Lanes(1), gradients=gradients, together=True),
        length=float(system.length),
        weights=[float(x) for x in weights_of(system)],
        span=task.t_end - made.program.assembly.time,
        longest=float(min(pace.longest for pace in task.paces())),
        finest=ROUND_OFF,
        attentive=made.running.rows.closed,
        stops=[(float(left), float(right)) for left, right in task.pace.stops],
        switches=len(tapes.tapes["switches"].outputs),
        signs=signs,
        looked=WATCHED if signs else 0,
    )


def _motors(made: _Made) -> list[LiveMotor]:
    """The motors whose angle or distance begins with its value at the start."""
    opened, layout, model = made.open_code, made.running.layout, made.program.model
    if opened is None:
        return []
    found = []
    for motor in model.motors:
        if motor.name in opened.keeping:
            integrated = layout.angles.index(motor.target) if motor.integrates else -1
            unit = model.quantities[motor.target].unit
            stride = TURN if unit == "rad" else TURN * float(made.running.length)
            found.append(LiveMotor(motor.name, unit, opened.keeping.index(motor.name), integrated, stride))
    return found


def _interesting(model: Model) -> list[str]:
    """The quantities observed by default: energies and some angles."""
    angles = [f"{body.name}.angle" for body in model.bodies if f"{body.name}.angle" in model.quantities]
    return ["kinetic", "potential", "energy", *angles[:ANGLES]]


def _has_laws_of_time(model: Model) -> bool:
    """Whether there are laws of time that must be searched for kinks and pulses over the duration of the run."""
    laws = [parse(leaf.value, f"'{path}'") for path, leaf in leaves(model).items() if isinstance(leaf.value, str)]
    return any(law.of_time and not is_steady(law.text) for law in laws) or any(
        force.is_opaque for force in model.forces
    )


def _refuse(model: Model, place: str) -> None:
    """Raises ModelError for what live pages do not support yet."""
    for grip in model.grips:
        raise ModelError(
            f"Mechanism '{model.name}' has exact friction '{grip.name}', which a {place} cannot follow. Give it a "
            "slip_speed above zero, or show a run (run.animate)."
        )
    for event in model.all_events:
        if not event.restarts and event.does != "record":
            raise ModelError(
                f"Mechanism '{model.name}' has an event '{event.name}' that changes or ends the motion, which a "
                f"{place} cannot follow. Remove it, or show a run (run.animate)."
            )
    for force in model.sampled:
        raise ModelError(
            f"Mechanism '{model.name}' has a sampled controller '{force.name}', which a {place} cannot follow. Leave "
            "`every` out, so that it acts continuously, or show a run (run.animate)."
        )
