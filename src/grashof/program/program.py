"""A compiled mechanism, ready to be run."""

from __future__ import annotations

import hashlib
import math
import pickle
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

import msgspec
import numpy as np

from grashof.assembly.assemble import Assembly
from grashof.assembly.guess import starting_coordinates
from grashof.assembly.positions import angles_near
from grashof.branch.equations import Branch
from grashof.changes.time_dependence import Clock, make_clock
from grashof.common.errors import ModelError, did_you_mean
from grashof.formulation.natural.closing import Positions, close, positions_nearby
from grashof.formulation.natural.equations import Dynamics, make_dynamics
from grashof.formulation.natural.state import SystemState
from grashof.formulation.natural.system import System
from grashof.formulation.protocol import Formulation
from grashof.formulation.relative.equations import Relative
from grashof.formulation.sampling import sample
from grashof.integrate import Integrator
from grashof.integrate.lanes.loop import SLOWEST
from grashof.model.model import Model
from grashof.model.start import Pose
from grashof.program.examination import Examiner
from grashof.program.machine_code import cache_name, compile_dynamics
from grashof.program.open_code import OpenCode, Starts
from grashof.quantities.catalog import Catalog, catalog_of
from grashof.quantities.snapshot import CoordinateSnapshot
from grashof.singular.critical_points import Surroundings
from grashof.singular.start_branches import AHEAD
from grashof.singular.tree_surroundings import TreeSurroundings


@dataclass(frozen=True)
class Program:
    """An assembled and compiled mechanism, ready to be run any number of times.

    branch       equations that were found to hold along the motion and are used; None if there are none, or if the
                 search was switched off
    remark       a sentence about the search for them; usually empty
    dynamics     with these relations: what is integrated
    statements   arithmetic statements in one evaluation of the accelerations, and in one projection
    assemble_s   wall time spent on assembling, s
    compile_s    wall time spent on everything else, s
    open_code    the machine code over open numbers, with which the program runs; None if no number is open
    relative     the mechanism in relative coordinates, if its motion is computed in these
    chosen       why it is computed in relative or in natural coordinates, as a sentence
    tentative    whether a run that cannot be completed in relative coordinates may be repeated in natural ones
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
    open_code: OpenCode | None = None
    relative: Relative | None = None
    chosen: str = ""
    tentative: bool = False

    @property
    def formulation(self) -> Formulation:
        """The equations by which the motion is computed."""
        return self.relative or self.dynamics

    @property
    def redundant(self) -> int:
        """How many rows of positions others imply, in the coordinates of the motion."""
        return self.assembly.redundant if self.relative is None else self.relative.redundant

    @property
    def opened(self) -> OpenCode:
        """The machine code of a program with open numbers."""
        assert self.open_code is not None, "the program has no open numbers"
        return self.open_code

    @property
    def numbers(self) -> tuple[str, ...]:
        """The open numbers, by their paths: those whose values may be chosen after compilation (see `at`)."""
        return self.open_code.names if self.open_code else ()

    def at(self, values: Mapping[str, float]) -> Program:
        """The program with other values of some open numbers; the others have those with which it was built. Nothing is
        compiled. ModelError if the mechanism cannot be assembled with them on the branch of the given one."""
        for name in values:
            if name not in self.numbers:
                raise ModelError(f"'{name}' is not an open number of this program; {did_you_mean(name, self.numbers)}")
        row = self.opened.values(values)
        starts = self.opened.assemble(row[None])
        if not starts.placed[0]:
            raise ModelError(
                f"Mechanism '{self.model.name}' cannot be assembled with these numbers, or only in another "
                "assembly mode. Build it with them instead."
            )
        return self.started_at(row, starts, 0)

    def started_at(self, numbers: np.ndarray, starts: Starts, row: int) -> Program:
        """The program with these open numbers (P,), for which the start is known."""
        code = self.opened
        model, dynamics, branch = code.plain(numbers, starts.kept[row])
        layout, y = code.layout, starts.y[row]
        angles = angles_near(dynamics.system, code.time, y[layout.of_q])
        angles |= dict(zip(layout.angles, y[layout.of_angles].tolist(), strict=True))
        assembly = replace(self.assembly, q=y[layout.of_q], v=y[layout.of_v], angles=angles, changes=())
        return replace(
            self,
            model=model,
            branch=branch,
            dynamics=dynamics,
            assembly=assembly,
            integrator=code.integrator(starts.coefficients[row]),
            relative=self.relative and self.relative.over(dynamics),
        )

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
        if self.model.sampled:
            y = np.array(sample(self.dynamics, [self.assembly.time, *y.tolist()], first=True), dtype=float)
        if not np.all(np.isfinite(y)):
            raise ModelError(
                "The positions or velocities at the start are not finite numbers: masses, lengths or forces of "
                "this mechanism are too large or too small to calculate with. Check their units."
            )
        y.flags.writeable = False
        return y

    @cached_property
    def start_rates(self) -> np.ndarray:
        """Accelerations and the rates of extra states at the start."""
        return self.integrator.natural_rates(self.assembly.time, self.y0)

    def speed_with(self, rates: np.ndarray) -> float:
        """A typical speed, m/s, as far as it is known at the start and from rates of states near it, (rates, …): from
        rest, the speed after falling through the mechanism's own length."""
        accelerations, length = rates[:, : self.system.n], self.system.length
        fastest = float(np.max(np.abs(accelerations), initial=0.0, where=np.isfinite(accelerations)))
        return max(float(np.max(np.abs(self.assembly.v), initial=0.0)), math.sqrt(length * fastest), SLOWEST * length)

    @cached_property
    def start_speed(self) -> float:
        """That from the rates at the start."""
        return self.speed_with(self.start_rates[None])

    @cached_property
    def mass(self) -> float:
        """A typical mass, kg: mass·speed² is a typical kinetic energy of the mechanism."""
        return float(self.dynamics.energies.typical_mass) or 0.5

    @cached_property
    def scales(self) -> np.ndarray:
        """The scales of the components of a state: the mechanism's length, and 1 for angles; 1 also where the scale
        depends on the motion. What forces hold between samples follows from the other components: its scale is
        infinite."""
        layout, model, length = self.dynamics.layout, self.model, self.system.length
        scales = np.ones(layout.size)
        scales[layout.of_q], scales[layout.of_held] = length, np.inf
        angles = [model.quantities[name] for name in layout.angles]
        for part, measures in ((layout.of_angles, angles), (layout.of_integrals, model.integrals.values())):
            scales[part] = [1.0 if measure.unit == "rad" else length for measure in measures]
        return scales

    @cached_property
    def start_load(self) -> float:
        """The largest force at the start in proportion to the mass on which it acts, m/s²; the joints may balance
        it."""
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
    def surroundings(self) -> Surroundings | TreeSurroundings | None:
        """The constraints around the states of a run; None if they are nowhere singular."""
        if not self.formulation.rows.closed:
            return None
        library = self.integrator.library
        if self.relative:
            return TreeSurroundings(self.relative, library)
        return Surroundings(self.dynamics, self.assembly.redundant, library)

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

    def __str__(self) -> str:
        model, derivative, projection = self.model, *self.statements
        lines = [
            f"{model.name}: compiled for {self.freedom} degree{'' if self.freedom == 1 else 's'} of freedom, "
            f"{self.dynamics.n} coordinates and {self.dynamics.rows.count} equations.",
            f"One evaluation of the accelerations takes {derivative} operations, one projection {projection}.",
            f"Assembled in {self.assemble_s:.2g} s, compiled in {self.compile_s:.2g} s.",
        ]
        if self.numbers:
            lines.append(f"Open numbers: {', '.join(self.numbers)}.")
        return "\n".join([*lines, *(x for x in (self.chosen, self.remark) if x)])

    def __repr__(self) -> str:
        return f"Program of '{self.model.name}'"

    def check_unique(self, names: Iterable[str]) -> None:
        """Refuses components of joint reactions that the motion does not determine."""
        for name in names:
            joint = self.quantities[name].of_joint
            if joint and name not in self.unique_reactions:
                raise ModelError(
                    f"'{name}', the reaction of joint '{joint}', is not unique: constraints are redundant, so that "
                    "joints can be stressed against each other without a load. run.reactions() has the smallest "
                    "reactions and says which are unique; gr.mobility(m) names the redundant constraints."
                )

    @cached_property
    def unique_reactions(self) -> set[str]:
        """The components of joint reactions that no state of self-stress changes, at the start and near it."""
        start = self.assembly
        turns = self.dynamics.rows.turns([start.angles[name] for name in self.system.tracked])
        positions = Positions(self.dynamics, start.time, turns=turns)
        places = [] if start.singular else [(start.time, start.q)]
        places += [(start.time, q) for q in positions_nearby(positions, start.q)]
        if np.any(start.v):
            places.append(self._position_ahead())
        found = [
            replace(self.start, state=replace(self.start.state, time=t, q=q.tolist())).unique_reactions
            for t, q in places
        ]
        return set.intersection(*found) if found else set()

    def _position_ahead(self) -> tuple[float, np.ndarray]:
        """The time and the coordinates a little later, also of what motors turn."""
        start, rows = self.assembly, self.dynamics.rows
        step = AHEAD * self.dynamics.length / float(np.max(np.abs(start.v)))
        rates = {name: float(self.start.measure(name).first) for name in self.system.tracked}
        angles = [start.angles[name] + step * rate for name, rate in rates.items()]
        positions = Positions(self.dynamics, start.time + step, turns=rows.turns(angles))
        return start.time + step, close(positions, start.q + step * start.v)[0]

    @cached_property
    def start_imbalance(self) -> float:
        """Energy minus work at the start, J: the constant of the energy balance."""
        return float(self.quantities["balance"].value(self.start))

    @cached_property
    def examiner(self) -> Examiner:
        """Computes what is checked at all steps of a run."""
        return Examiner(self.dynamics, self.branch, self.integrator.library)

    def coordinates_at(self, poses: Mapping[str, Pose]) -> np.ndarray:
        """The coordinates with all bodies at these poses, (n,); the nearest ones if the poses do not satisfy the
        joints."""
        start = msgspec.structs.replace(self.model.start, guesses=dict(poses))
        return starting_coordinates(replace(self.system, model=msgspec.structs.replace(self.model, start=start)))

    def started(self, q: np.ndarray, v: np.ndarray) -> Program:
        """The same program with another start: coordinates and velocities, (n,) each, which must satisfy the joints."""
        return replace(self, assembly=replace(self.assembly, q=q, v=v))

    def __reduce__(self) -> tuple[Callable[[dict[str, Any]], Program], tuple[dict[str, Any]]]:
        """Programs are pickled as data, with the present values of open numbers; the machine code is compiled again,
        or taken from the cache, when they are unpickled."""
        parts = {x.name: getattr(self, x.name) for x in fields(self) if x.name not in ("integrator", "open_code")}
        return _arrived, (parts,)


def _arrived(parts: dict[str, Any]) -> Program:
    dynamics = hashlib.sha256(pickle.dumps(parts["dynamics"])).hexdigest()
    name = cache_name("arrived", parts["model"], dynamics, parts["relative"] is not None)
    integrator, _ = compile_dynamics(parts["dynamics"], parts["branch"], name, parts["relative"])
    return Program(integrator=integrator, **parts)


def recompiled(program: Program, dynamics: Dynamics, **changes: Any) -> Program:
    """The program with other dynamics, compiled for the present values of its numbers."""
    integrator, statements = compile_dynamics(dynamics, program.branch)
    return replace(program, dynamics=dynamics, integrator=integrator, statements=statements, open_code=None, **changes)
