"""From a description to machine code: model → system → structure → tapes → one native library.

With open numbers, see `opening`.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Sequence

import msgspec
import numpy as np

from grashof.assembly.assemble import Assembly
from grashof.assembly.assembled_model import AssembledModel, assemble_model
from grashof.assembly.fitting import Fit, contradictions_told, with_fitting_geometry
from grashof.branch.equations import FAILED, Branch
from grashof.common.blas import one_thread
from grashof.common.errors import ModelError
from grashof.common.progress import Part, Progress, silent
from grashof.formulation.natural.equations import Dynamics, make_dynamics
from grashof.formulation.relative.equations import make_relative
from grashof.model.mechanism import Mechanism, as_model
from grashof.model.model import Model
from grashof.program.coordinates import CoordinateChoice, choose_coordinates, complete_choice
from grashof.program.machine_code import cache_name, compile_dynamics
from grashof.program.observe import tracking
from grashof.program.opening import Opening, refuse_unknown
from grashof.program.program import Program
from grashof.program.structure import Place, Structure
from grashof.tape import TraceError, cache


def build(
    mechanism: Mechanism | Model,
    *,
    numbers: Sequence[str] = (),
    observe: Sequence[str] = (),
    relations: bool = True,
    formulation: str = "auto",
    fit: float | None = None,
    progress: Progress | None = None,
) -> Program:
    """Assembles and compiles a mechanism.

    numbers    paths of numbers (`gr.numbers(m)` lists them) that stay open: `Program.at` gives the program with other
               values of these, without compiling anything
    observe    quantities that runs in lanes and derivatives of runs ask for; their angles are counted in whole turns
    relations  whether to look for equations that hold along its motion, and to use them (docs/branches.md)
    formulation   the coordinates in which the motion is computed: "natural", "relative", or "auto", which takes
               relative ones where these are faster (docs/theory/relative-coordinates.md); results are the same
    fit        how far points and lengths (relative to the mechanism's length) and directions (rad) may be adjusted so
               that redundant joints which contradict each other slightly fit together; `assembly` says what was
               adjusted. By default this is done, with a warning, where rounded numbers contradict each other by up
               to 1e-6; with 0 such a mechanism is refused
    progress   is called with the current activity
    """
    model, told = as_model(mechanism), progress or silent

    def build_closed(found: Fit) -> Program:
        told(Part(0.0, f"assembling {model.name}"))
        joints = assemble_model(found)
        return build_assembled(joints, relations=relations, formulation=formulation, progress=told)

    def build_open(found: Fit) -> Program:
        return Opening(found.model, tuple(numbers), tuple(observe), relations).build(formulation, told)

    with one_thread():
        if numbers:
            refuse_unknown(model, numbers)
        try:
            program = with_fitting_geometry(
                model if numbers else tracking(model, observe), fit, build_open if numbers else build_closed
            )
            program.check_unique(observe)
            return program
        except TraceError as problem:
            if not numbers:
                raise
            raise ModelError(
                f"Mechanism '{model.name}' cannot be compiled with {', '.join(numbers)} left open: {problem}."
            ) from problem


@one_thread()
def build_assembled(
    joints: AssembledModel, *, relations: bool = True, formulation: str = "auto", progress: Progress = silent
) -> Program:
    """Compiles a mechanism that is assembled already, or whose start is in the cache; see `build`."""
    began = time.perf_counter()
    chosen = _choose(joints, relations, formulation, progress)
    start, branch, dynamics, assemble_s = _start(joints, relations and chosen.relative is None, progress)
    if chosen.relative is not None:
        chosen = complete_choice(chosen, dynamics, start.assembly, formulation)
        if chosen.relative is None and relations:
            start, branch, dynamics, assemble_s = _start(joints, relations, progress)
    start.structure.refuse_redundant_bearings(dynamics)
    progress(Part(0.0, f"compiling {joints.model.name}"))
    relative = chosen.relative
    name = cache_name("program", joints.model, start.structure, relative is not None)
    integrator, statements = compile_dynamics(dynamics, branch, name, relative)
    return Program(
        model=joints.model,
        branch=branch,
        remark=start.structure.remark,
        dynamics=dynamics,
        assembly=start.assembly,
        integrator=integrator,
        statements=statements,
        assemble_s=assemble_s,
        compile_s=time.perf_counter() - began - assemble_s,
        relative=relative,
        chosen=chosen.reason,
        tentative=relative is not None and relative.rows.closed and formulation == "auto",
    )


class _Choice(msgspec.Struct, frozen=True):
    """Whether relative coordinates were chosen, and the reason."""

    relative: bool
    reason: str


def _choose(joints: AssembledModel, relations: bool, formulation: str, progress: Progress) -> CoordinateChoice:
    """The choice of coordinates; what the program chose is cached on disk."""

    def running() -> Dynamics:
        """With the equations that hold along the motion, which may make natural coordinates faster."""
        return _start(joints, relations, progress)[2]

    if formulation != "auto" or any(force.code is not None for force in joints.model.forces):
        return choose_coordinates(joints.dynamics, formulation, running, lambda: joints.assembly)
    name = cache.key(cache_name("coordinates", joints.model, joints.changes, relations))
    data = cache.get(name)
    if data is not None:
        with contextlib.suppress(msgspec.MsgspecError):
            known = msgspec.msgpack.decode(data, type=_Choice)
            return CoordinateChoice(make_relative(joints.dynamics) if known.relative else None, known.reason)
    found = choose_coordinates(joints.dynamics, formulation, running, lambda: joints.assembly)
    cache.put(name, msgspec.msgpack.encode(_Choice(found.relative is not None, found.reason)))
    return found


class _Start(msgspec.Struct, frozen=True):
    """A start in the coordinates that remain on the branch, and what was decided there."""

    assembly: Assembly
    structure: Structure


def _start(
    joints: AssembledModel, relations: bool, progress: Progress
) -> tuple[_Start, Branch | None, Dynamics, float]:
    """The start, which is cached on disk, the branch, what is integrated, and the wall time spent on assembling, s."""
    name = cache.key(cache_name("start", joints.model, joints.changes, relations))
    data = cache.get(name)
    if data is not None:
        with contextlib.suppress(msgspec.MsgspecError):
            kept = msgspec.msgpack.decode(data, type=_Start, dec_hook=lambda _, x: np.frombuffer(x).copy())
            branch = kept.structure.branch(joints.system)
            dynamics = joints.dynamics if branch is None else make_dynamics(branch.system)
            return kept, branch, kept.structure.complete(dynamics), 0.0
    began = time.perf_counter()
    assembly = joints.assembly
    assemble_s = time.perf_counter() - began
    progress(Part(0.0, f"looking for equations that hold along the motion of {joints.model.name}"))
    with contradictions_told(joints.model):
        found = Place(joints.dynamics, assembly).reduction_with(relations)
        start = _Start(found.shorten(assembly), found.structure)
    if not found.findings.remark.startswith(FAILED):  # perhaps for lack of memory, which may be available another time
        cache.put(name, msgspec.msgpack.encode(start, enc_hook=lambda x: x.tobytes()))
    return start, found.branch, found.dynamics, assemble_s
