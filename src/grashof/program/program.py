"""From a description to machine code: model → system → tapes → one native library."""

from __future__ import annotations

import contextlib
import hashlib
import pickle
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

import msgspec
import numpy as np

from grashof.assembly.assemble import Assembly
from grashof.assembly.assembled_model import AssembledModel, assemble_model
from grashof.assembly.fitting import contradictions_told
from grashof.assembly.guess import starting_coordinates
from grashof.branch.equations import FAILED, Branch, Findings, make_branch, search
from grashof.branch.narrow_misses import narrowly_missed
from grashof.changes.time_dependence import Clock, make_clock
from grashof.common.blas import one_thread
from grashof.common.errors import ModelError
from grashof.common.progress import Part, Progress, silent
from grashof.common.sources import digest
from grashof.formulation.natural.closing import Positions
from grashof.formulation.natural.couplings import Turns
from grashof.formulation.natural.equations import Dynamics, make_dynamics, softened
from grashof.formulation.natural.state import SystemState
from grashof.formulation.natural.system import System
from grashof.integrate import Integrator
from grashof.model.mechanism import Mechanism, as_model
from grashof.model.model import Model
from grashof.model.start import Pose
from grashof.program.examination import Examiner
from grashof.quantities.catalog import Catalog, catalog_of
from grashof.quantities.snapshot import CoordinateSnapshot
from grashof.singular.critical_points import Surroundings
from grashof.singular.start_branches import position_ahead
from grashof.tape import Tape, cache, library_of, trace

IN_DEPENDENCY = 1e-6
"""A row takes part in a linear dependency if its weight in it exceeds this."""

MISSED = "Equations that seemed to hold along the motion are not used, because they lead through a singular position that the mechanism narrowly misses."
OTHER_FREEDOM = "Equations that seemed to hold along the motion are not used, because they would change the number of degrees of freedom."


@dataclass(frozen=True)
class Program:
    """An assembled and compiled mechanism, ready to be run any number of times.

    branch       equations that were found to hold along the motion and are used; None if there are none, or if the search was switched off
    remark       a sentence about the search for them; usually empty
    dynamics     with these relations: what is integrated
    statements   arithmetic statements in one evaluation of the accelerations, and in one projection
    assemble_s   wall time spent on assembling, s
    compile_s    wall time spent on everything else, s
    """

    model: Model
    branch: Branch | None
    remark: str
    dynamics: Dynamics
    assembly: Assembly
    integrator: Integrator
    statements: tuple[int, int]
    assemble_s: float
    compile_s: float

    @cached_property
    def joints(self) -> Dynamics:
        """The dynamics with the equations of the joints only, without the relations of the branch."""
        return make_dynamics(self.system if self.branch is None else self.branch.joints)

    @property
    def from_cache(self) -> bool:
        """Whether the machine code was kept from an earlier build (`grashof cache`), so that nothing was compiled."""
        return self.integrator.from_cache

    @property
    def relations(self) -> tuple[str, ...]:
        """The linear relations that are used, as text."""
        return self.branch.relations if self.branch else ()

    def joint_coordinates(self, q: np.ndarray) -> np.ndarray:
        """The coordinates of `joints` (…, all), given those of `dynamics`, q (…, n)."""
        return q if self.branch is None else self.branch.places(q)

    @cached_property
    def clock(self) -> Clock | None:
        """How the equations of motion depend explicitly on time."""
        return make_clock(self.dynamics)

    @property
    def system(self) -> System:
        """The mechanism in natural coordinates, after presolve."""
        return self.dynamics.system

    @property
    def freedom(self) -> int:
        """Degrees of freedom of the motion."""
        return self.dynamics.freedom(self.assembly.redundant)

    @cached_property
    def y0(self) -> np.ndarray:
        """The state at the start (see `Layout`); ModelError if it is not finite."""
        y = self.dynamics.start_state(self.assembly.q, self.assembly.v, self.assembly.angles)
        if not np.all(np.isfinite(y)):
            raise ModelError(
                "The positions or velocities at the start are not finite numbers: masses, lengths or forces of this mechanism are too large or too small to calculate with. Check their units."
            )
        y.flags.writeable = False
        return y

    @cached_property
    def start_rates(self) -> np.ndarray:
        """Accelerations and the rates of extra states at the start."""
        return self.integrator.derivative(self.assembly.time, self.y0)

    @cached_property
    def mass(self) -> float:
        """A typical mass, kg: mass·speed² is a typical kinetic energy of the mechanism."""
        return float(self.dynamics.energies.typical_mass) or 0.5

    @cached_property
    def scales(self) -> np.ndarray:
        """The scales of the components of a state: the mechanism's length, and 1 for angles; 1 also where the scale depends on the motion."""
        layout, model, length = self.dynamics.layout, self.model, self.system.length
        scales = np.ones(layout.size)
        scales[layout.of_q] = length
        angles = [model.quantities[name] for name in layout.angles]
        for part, measures in ((layout.of_angles, angles), (layout.of_integrals, model.integrals.values())):
            scales[part] = [1.0 if measure.unit == "rad" else length for measure in measures]
        return scales

    @cached_property
    def start_load(self) -> float:
        """The largest force at the start in proportion to the mass on which it acts, m/s²; the joints may balance it."""
        dynamics = self.dynamics
        begin, y = self.assembly.time, self.y0
        try:
            forces = dynamics.forces(dynamics.loaded(dynamics.state([begin, *y.tolist()])))
        except ArithmeticError:  # parts of a law may overflow although the law is finite; arrays then do so silently
            with np.errstate(all="ignore"):
                start = dynamics.state([np.array([begin]), *y[:, None]])
                forces = [np.max(x) for x in dynamics.forces(dynamics.loaded(start))]
        loads = np.abs(forces) / [x or 1.0 for x in dynamics.energies.masses]
        return float(np.max(loads[loads < np.inf], initial=0.0))

    @cached_property
    def surroundings(self) -> Surroundings | None:
        """The constraints around the states of a run; None if they are nowhere singular."""
        return Surroundings(self.dynamics, self.assembly.redundant) if self.dynamics.rows.closed else None

    @cached_property
    def start(self) -> CoordinateSnapshot:
        """The mechanism at the start, as its quantities see it."""
        start, extra = self.assembly, [0.0] * self.dynamics.layout.extra
        state = SystemState(self.system, start.time, list(start.q), list(start.v), start.angles)
        return CoordinateSnapshot(self.model, self.dynamics, state, extra, lambda: self.start_rates.tolist())

    @cached_property
    def quantities(self) -> Catalog:
        """The quantities of its motion by name."""
        return catalog_of(self.model).known(self.start)

    @cached_property
    def start_imbalance(self) -> float:
        """Energy minus work at the start, J: the constant of the energy balance."""
        return float(self.quantities["balance"].value(self.start))

    @cached_property
    def examiner(self) -> Examiner:
        """Computes what is checked at all steps of a run."""
        return Examiner(self.dynamics, self.branch, self.integrator.library)

    def coordinates_at(self, poses: Mapping[str, Pose]) -> np.ndarray:
        """The coordinates with all bodies at these poses, (n,); the nearest ones if the poses do not satisfy the joints."""
        start = msgspec.structs.replace(self.model.start, guesses=dict(poses))
        return starting_coordinates(replace(self.system, model=msgspec.structs.replace(self.model, start=start)))

    def started(self, q: np.ndarray, v: np.ndarray) -> Program:
        """The same program with another start: coordinates and velocities, (n,) each, which must satisfy the joints."""
        return replace(self, assembly=replace(self.assembly, q=q, v=v))

    def __reduce__(self) -> tuple[Callable[[dict[str, Any]], Program], tuple[dict[str, Any]]]:
        """Programs are pickled as data; the machine code is compiled again, or taken from the cache, when they are unpickled."""
        return _arrived, ({x.name: getattr(self, x.name) for x in fields(self) if x.name != "integrator"},)


def _arrived(parts: dict[str, Any]) -> Program:
    dynamics = hashlib.sha256(pickle.dumps(parts["dynamics"])).hexdigest()
    integrator, _ = compiled(parts["dynamics"], parts["branch"], _name("arrived", parts["model"], dynamics))
    return Program(integrator=integrator, **parts)


def build(
    mechanism: Mechanism | Model, *, relations: bool = True, fit: float | None = None, progress: Progress | None = None
) -> Program:
    """Assembles and compiles a mechanism.

    relations  whether to look for equations that hold along its motion, and to use them (docs/branches.md)
    fit        how far points and lengths (relative to the mechanism's length) and directions (rad) may be adjusted so that redundant joints
               which contradict each other slightly fit together; `assembly` says what was adjusted
    progress   is called with the current activity
    """
    with one_thread():
        return _build(as_model(mechanism), relations, fit, progress or silent)


def _build(given: Model, relations: bool, fit: float | None, progress: Progress) -> Program:
    began = time.perf_counter()
    progress(Part(0.0, f"assembling {given.name}"))
    joints = assemble_model(given, fit=fit)
    model = joints.model
    start, branch, dynamics, assemble_s = _start(joints, relations, progress)
    dynamics = replace(dynamics, refinements=start.refinements)
    _refuse_redundant_bearings(dynamics, set(start.redundant))
    parts = (start.findings, start.redundant, start.refinements)
    progress(Part(0.0, f"compiling {model.name}"))
    integrator, statements = compiled(dynamics, branch, _name("program", model, *parts))
    return Program(
        model=model,
        branch=branch,
        remark=start.findings.remark,
        dynamics=dynamics,
        assembly=start.assembly,
        integrator=integrator,
        statements=statements,
        assemble_s=assemble_s,
        compile_s=time.perf_counter() - began - assemble_s,
    )


def compiled(dynamics: Dynamics, branch: Branch | None, name: str | None = None) -> tuple[Integrator, tuple[int, int]]:
    """Accelerations and projection as machine code, and how many statements each has; cached under the name, if one is given.

    The library also has the functions by which runs are examined.
    """
    layout = dynamics.layout

    def tapes() -> dict[str, Tape]:
        size = 1 + layout.size
        return {
            "derivative": trace(lambda x, _: dynamics.derivative(x), size, 0),
            "project": trace(lambda x, _: dynamics.project(x), size, 0),
            **Examiner(dynamics, branch).tapes(),
        }

    written = any(force.code is not None for force in dynamics.model.forces)
    library, statements = library_of(tapes, None if written else name)
    integrator = Integrator(library, layout.sizes)
    return integrator, (statements["derivative"], statements["project"])


class _Start(msgspec.Struct, frozen=True):
    """What was found out about a mechanism at its start; none of it depends on forces.

    assembly, findings   in the coordinates that remain after using the findings
    redundant            the rows that take part in linear dependencies
    refinements          how many the accelerations need
    """

    assembly: Assembly
    findings: Findings
    redundant: list[int]
    refinements: int


def _start(
    joints: AssembledModel, relations: bool, progress: Progress
) -> tuple[_Start, Branch | None, Dynamics, float]:
    """The start, which is cached on disk, the branch, what is integrated, and the wall time spent on assembling, s."""
    system = joints.system
    name = cache.key(_name("start", system.model, joints.changes, relations))
    data = cache.get(name)
    if data is not None:
        with contextlib.suppress(msgspec.MsgspecError):
            kept = msgspec.msgpack.decode(data, type=_Start, dec_hook=lambda _, x: np.frombuffer(x).copy())
            branch = make_branch(system, kept.findings) if kept.findings else None
            dynamics = make_dynamics(system if branch is None else branch.system)
            return kept, branch, softened(dynamics, set(kept.redundant)), 0.0
    start, branch, dynamics, assemble_s = _find_start(joints, relations, progress)
    if not start.findings.remark.startswith(FAILED):  # perhaps for lack of memory, which may be available another time
        cache.put(name, msgspec.msgpack.encode(start, enc_hook=lambda x: x.tobytes()))
    return start, branch, dynamics, assemble_s


def _find_start(
    joints: AssembledModel, relations: bool, progress: Progress
) -> tuple[_Start, Branch | None, Dynamics, float]:
    began = time.perf_counter()
    assembly = joints.assembly
    assemble_s = time.perf_counter() - began
    with contradictions_told(joints.model):
        return *_decide(joints.dynamics, assembly, relations, progress), assemble_s


def _decide(
    joints: Dynamics, assembly: Assembly, relations: bool, progress: Progress
) -> tuple[_Start, Branch | None, Dynamics]:
    at, regular = assembly.time, assembly.q
    turns = joints.rows.turns([assembly.angles[name] for name in joints.system.tracked])
    if assembly.singular:
        there, regular = position_ahead(Positions(joints, at, turns=turns), assembly.q, assembly.v)
        at = there.time
    dynamics, dependencies = joints, Positions(joints, at, turns=turns).dependencies(regular)
    progress(Part(0.0, f"looking for equations that hold along the motion of {joints.system.model.name}"))
    # equations of the branch would take away the multipliers that friction needs
    searched = relations and joints.rows.closed and not joints.bearings
    findings, branch = search(joints.system, regular) if searched else (Findings(), None)
    if branch is not None:
        left = list(branch.left)
        dynamics = make_dynamics(branch.system)
        on_branch = Positions(dynamics, at, turns=turns).dependencies(regular[left])
        if narrowly_missed(joints, regular, len(dependencies)):
            findings, branch, dynamics = Findings(remark=MISSED), None, joints
        elif dynamics.freedom(len(on_branch)) == joints.freedom(len(dependencies)):
            assembly = replace(assembly, q=assembly.q[left], v=assembly.v[left])
            dependencies, regular = on_branch, regular[left]
        else:
            findings, branch, dynamics = Findings(remark=OTHER_FREEDOM), None, joints
    assembly = replace(assembly, redundant=len(dependencies))
    redundant = np.flatnonzero(np.max(np.abs(dependencies), axis=0, initial=0.0) > IN_DEPENDENCY).tolist()
    dynamics = softened(dynamics, set(redundant))
    needed = refinements_at(dynamics, at, regular.tolist(), turns)
    # with the large ε, rows that are independent here but nearly dependent elsewhere need more refinements there
    refinements = 2 * needed if redundant else needed
    return _Start(assembly, findings, redundant, refinements), branch, dynamics


def refinements_at(dynamics: Dynamics, time: float, q: list[float], turns: Turns) -> int:
    """Number of refinements that the accelerations need, whether no measure rests against its limit or any one does."""
    count = len(dynamics.limits)
    resting = [[0.0] * count, *np.eye(count).tolist()]
    return max(dynamics.refinements_for(dynamics.limited.jacobian(time, q, turns, sides)) for sides in resting)


def _refuse_redundant_bearings(dynamics: Dynamics, redundant: set[int]) -> None:
    """Friction that is proportional to a reaction is unique only if the reaction is."""
    model = dynamics.model
    for name, rows in dynamics.bearings.items():
        if redundant & set(rows) or len(rows) < model.joints_by_name[name].bearing(model.dimension):
            force = next(force.name for force in model.forces if name in force.bearings())
            raise ModelError(
                f"Force '{force}': the reaction of joint '{name}' is not unique, because joints are redundant, so the friction "
                "proportional to it (mu) is not unique either. Give friction of a known size (coulomb), or use joints with more freedoms so that nothing is redundant."
            )


def _name(*parts: object) -> str:
    """A key for the cache: this version of the package, and the data from which something is made."""
    return " ".join([digest(), *(msgspec.json.encode(part).decode() for part in parts)])
