"""A mechanism compiled with some of its numbers left open.

Everything is written once over these, with random values near the nominal ones by which decisions are made (see
`tape.open`); plain equations for certain values follow by putting them in. Before it is used, the machine code is
compared with a mechanism rebuilt at other values.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

import msgspec
import numpy as np
from numpy.typing import NDArray

from grashof.assembly.assemble import Assembly, assemble, find_start
from grashof.assembly.fitting import contradictions_told
from grashof.assembly.guess import starting_coordinates
from grashof.assembly.initial_offsets import enter_initial_offsets, free_at_start, initial_offsets, with_offsets
from grashof.assembly.positions import fixed_angles
from grashof.branch.equations import BranchEquation, Findings
from grashof.common.errors import ModelError
from grashof.common.progress import Part, Progress
from grashof.formulation.natural.equations import Dynamics, make_dynamics
from grashof.formulation.natural.system import System, compile_system, length_scale, with_couplings_of
from grashof.formulation.relative.equations import Relative
from grashof.geometry.poses import poses_at
from grashof.integrate.start_path import StartPath
from grashof.model.model import Model
from grashof.model.parameters import numbers as numbers_of
from grashof.model.parameters import with_numbers
from grashof.model.start import Pose
from grashof.program.coordinates import choose_coordinates, complete_choice
from grashof.program.native import Native
from grashof.program.observe import tracking
from grashof.program.open_code import OpenCode, OpenEquations, Trial, compiled_functions
from grashof.program.program import Program
from grashof.program.start_equations import StartEquations
from grashof.program.structure import Place, Reduction, Relation, Structure
from grashof.program.substitution import Substitution, open_numbers
from grashof.tape.node import Recorder
from grashof.tape.open import Open

Matrix = NDArray[np.float64]

NEAR, FARTHER = 0.01, 0.05
"""How far from the nominal values the structure is decided, and how far from them it is tested, relative to their
size."""

ATTEMPTS = 12
"""Number of random values that are tried until the same coordinates remain."""

EXACT = 1e-10
"""Constants of relations count as linear in the open numbers if they are so to within this fraction of the
mechanism's length."""

WHOLE = 1e-8
"""A slope this near to an integer is taken to be that integer."""

SAME = 1e-9
"""Positions are the same if they differ by less than this fraction of the mechanism's length."""


def refuse_unknown(model: Model, names: Sequence[str]) -> None:
    """Rejects numbers that do not exist or have no plain value, and forces that cannot be written over open numbers."""
    known = numbers_of(model)
    with_numbers(model, {name: known[name].value if name in known else 0.0 for name in names})  # names what is unknown
    for name in names:
        if not isinstance(known[name].value, float | int):
            raise ModelError(f"'{name}' is not a number that can be left open.")
    for force in model.forces:
        if force.code is not None:
            raise ModelError(
                f"Force '{force.name}' is a Python function: in a mechanism with such a force, no numbers can "
                "be left open."
            )
    for grip in model.grips:
        raise ModelError(
            f"Force '{grip.name}' is exact friction: in a mechanism with such a force no numbers can be left open, as "
            "derivatives and compiled sweeps need them. Give it a positive slip_speed, or vary numbers one by one "
            "(engine='one by one')."
        )
    for sampled in model.sampled:
        raise ModelError(
            f"Force '{sampled.name}' is sampled: in a mechanism with such a controller no numbers can be left open, "
            "as derivatives and compiled sweeps need them. Leave `every` out, or vary numbers one by one "
            "(engine='one by one')."
        )


@dataclass(frozen=True, eq=False)
class _Site:
    """A mechanism with certain values of its numbers, where its structure is decided.

    values   of the open numbers (P,)
    kept     the values that couplings keep, by name
    """

    values: Matrix
    kept: dict[str, float]
    place: Place

    def constant(self, terms: dict[int, float]) -> float:
        """The constant with which a relation holds here."""
        q = self.place.regular[1]
        return -math.fsum(x * q[a] for a, x in terms.items())


class Opening:
    """A mechanism that is compiled with some of its numbers left open."""

    def __init__(self, given: Model, names: tuple[str, ...], observe: tuple[str, ...], relations: bool) -> None:
        self.given, self.names, self.observe, self.relations = given, names, observe, relations
        self.model, self.length = tracking(given, observe), length_scale(given)
        known = numbers_of(given)
        self.nominal = np.array([known[name].value for name in names], float)
        sizes = [self.length if known[name].unit == "m" else 1.0 for name in names]
        self.scales = np.where(self.nominal != 0.0, np.abs(self.nominal), sizes)
        self.keeping = tuple(coupling.name for coupling in given.all_couplings if coupling.open)
        self.poses: dict[str, Pose] = {}
        self.rng = np.random.default_rng(1)
        self.here = self._aside(NEAR)
        # the equations of the joints over open numbers; decisions are made by their values here
        self.recorder = Recorder(inline=True)
        self.inputs = self.recorder.inputs(len(names) + len(self.keeping))
        self.opened = [Open(node, x) for node, x in zip(self.inputs, self.here.tolist(), strict=False)]
        self.joints = make_dynamics(compile_system(self._with(self.opened), self.length))
        self.substitution = Substitution(self.recorder, self.joints)

    def build(self, formulation: str, progress: Progress) -> Program:
        """Assembles it, decides its structure, and compiles it."""
        began = time.perf_counter()
        progress(Part(0.0, f"assembling {self.given.name}"))
        with contradictions_told(self.given):
            joints, kept = self._joints_at(self.nominal)
            assembly = assemble(joints)
        assemble_s = time.perf_counter() - began
        _refuse_missed_wants(self.given, assembly)
        self.poses = poses_at(joints.system, assembly.q)
        chosen = choose_coordinates(joints, formulation, lambda: joints, lambda: assembly, opened=True)
        chosen = complete_choice(chosen, joints, assembly, formulation, opened=True)
        self.relations = self.relations and chosen.relative is None
        here = self._site(self.here)
        found, structure, trial = self._decide(here, Place(joints, assembly).freedom)
        progress(Part(0.0, f"compiling {self.given.name}"))
        equations = self._equations(here, structure, chosen.relative)
        staged, native = compiled_functions(equations, self.observe)
        path = self._start_path(equations.dynamics, native, staged.count, joints.system, assembly, kept)
        code = OpenCode(
            self.given, self.names, self.keeping, self.observe, structure, equations, path, (trial,), staged, native
        )
        code.check()
        model, dynamics, branch = code.plain(self.nominal, np.array(path.kept))
        structure.refuse_redundant_bearings(dynamics)
        program = Program(
            model=model,
            branch=branch,
            remark=structure.remark,
            dynamics=dynamics,
            assembly=found.shorten(assembly),
            integrator=code.integrator(code.coefficients),
            statements=(len(staged.tapes["derivative"]), len(staged.tapes["project"])),
            assemble_s=assemble_s,
            compile_s=time.perf_counter() - began - assemble_s,
            open_code=code,
            relative=chosen.relative and chosen.relative.over(dynamics),
            chosen=chosen.reason,
            tentative=chosen.relative is not None and chosen.relative.rows.closed and formulation == "auto",
        )
        self._refuse_open_start(program, found)
        return program

    # -- the equations over open numbers, and for certain values

    def _aside(self, part: float) -> Matrix:
        """Random values this far from the nominal ones."""
        count = len(self.names)
        return np.asarray(
            self.nominal + part * self.scales * self.rng.uniform(0.5, 1.0, count) * self.rng.choice([-1, 1], count)
        )

    def _with(self, values: Sequence[object]) -> Model:
        """The description with these values of the open numbers, and with the poses of the nominal start as guesses
        once they are known."""
        given, model = dict(zip(self.names, values, strict=True)), self.model
        if self.poses:
            model = msgspec.structs.replace(model, start=msgspec.structs.replace(model.start, guesses=self.poses))
            given = {name: x for name, x in given.items() if not name.startswith("start.guesses.")}
        return with_numbers(model, given)

    def _joints_at(self, values: Matrix, dynamics: Dynamics | None = None) -> tuple[Dynamics, dict[str, float]]:
        """The equations of the joints for these values, and what couplings keep; by default the open ones with these
        values put in."""
        if dynamics is None:
            dynamics, _ = self.substitution.at(values.tolist(), self._with(values.tolist()))
        kept = initial_offsets(dynamics.system)
        system = with_couplings_of(dynamics.system, with_offsets(dynamics.model, kept))
        return replace(dynamics, system=system), kept

    def _site(self, values: Matrix, dynamics: Dynamics | None = None) -> _Site:
        """The mechanism with these values, near the nominal ones; see `_joints_at`."""
        try:
            joints, kept = self._joints_at(values, dynamics)
            return _Site(values, kept, Place(joints, find_start(joints)))
        except ModelError as problem:
            raise ModelError(
                f"With {', '.join(self.names)} left open, mechanism '{self.given.name}' cannot be assembled at values "
                f"near the given ones: {problem} Leave fewer numbers open, or tie them to each other by expressions."
            ) from problem

    def _rebuilt(self) -> _Site:
        """The mechanism rebuilt at values for which the same coordinates remain: which of two equally suitable ones
        is eliminated may differ."""
        for _ in range(ATTEMPTS):
            values = self._aside(FARTHER)
            system = compile_system(self._with(values.tolist()), self.length)
            if system.labels == self.joints.system.labels:
                return self._site(values, make_dynamics(system))
        raise ModelError(
            f"Mechanism '{self.given.name}' has no coordinates in common for values of {', '.join(self.names)} near "
            "the given ones. Leave fewer of them open."
        )

    # -- the structure

    def _decide(self, here: _Site, freedom: int) -> tuple[Reduction, Structure, Trial]:
        farther = self._rebuilt()
        found = here.place.reduction_with(self.relations)
        relations = found.structure.relations
        if open_numbers(tuple(row.expression for row in self.joints.system.rows)):
            relations = ()
            if found.findings:
                near = self._site(self._aside(NEAR))
                alike = _alike(found.findings, near.place.reduction.findings)
                relations = self._linear(alike, here, (near, farther))
                found = here.place.reduce(Findings(tuple(x.equation(here.values.tolist()) for x in relations)))
        else:
            still = (0.0,) * len(self.names)
            relations = tuple(msgspec.structs.replace(x, slopes=still) for x in relations)
        if found.freedom != freedom:
            raise ModelError(
                f"Mechanism '{self.model.name}' has {found.freedom} degrees of freedom for most values of "
                f"{', '.join(self.names)}, but another number for those given: it moves because they fit together. "
                "Leave fewer of them open, or tie them to each other by expressions."
            )
        structure = msgspec.structs.replace(found.structure, relations=relations)
        equations = tuple(x.equation(farther.values.tolist()) for x in relations)
        trial = farther.place.reduce(Findings(equations, structure.quadrics))
        time, _ = farther.place.regular
        kept = list(farther.kept.values())
        return found, structure, Trial(np.append(farther.values, kept), trial.dynamics, np.append(time, trial.state))

    def _linear(
        self, equations: Sequence[BranchEquation], here: _Site, others: Sequence[_Site]
    ) -> tuple[Relation, ...]:
        """The relations whose constants are linear functions of the open numbers."""
        if not equations:
            return ()
        steps = NEAR * self.scales
        aside = [self._site(here.values + step) for step in np.diag(steps)]
        found = []
        for equation in equations:
            terms = equation.linear[1]
            begin, *ends = (site.constant(terms) for site in (here, *aside))
            slopes = [_cleaned((end - begin) / step) for end, step in zip(ends, steps, strict=True)]
            rest = begin - float(np.dot(slopes, here.values))
            missed = [site.constant(terms) - rest - float(np.dot(slopes, site.values)) for site in others]
            if np.max(np.abs(missed)) <= EXACT * self.length:
                found.append(Relation(equation.gives, terms, rest, tuple(slopes)))
        return tuple(found)

    # -- what is compiled

    def _equations(self, here: _Site, structure: Structure, relative: Relative | None) -> OpenEquations:
        """All equations over open numbers, and over the values that couplings keep.

        relative   the mechanism in relative coordinates for the nominal values, if it is computed in these
        """
        count = len(self.names)
        values = [here.kept[name] for name in self.keeping]
        kept = [Open(node, x) for node, x in zip(self.inputs[count:], values, strict=True)]
        keeping = self.joints.system.model
        model = with_offsets(keeping, dict(zip(self.keeping, kept, strict=True)))
        joints = replace(self.joints, system=with_couplings_of(self.joints.system, model))
        branch = structure.branch(joints.system, self.opened)
        dynamics = structure.complete(joints if branch is None else make_dynamics(branch.system))
        conditions = [*model.start.needs, *model.start.wants]
        start = StartEquations(dynamics, conditions, [x for x in keeping.all_couplings if x.open])
        posed = msgspec.structs.replace(model.start, guesses=self.poses)
        by_pose = replace(joints.system, model=msgspec.structs.replace(model, start=posed))
        left = slice(None) if branch is None else list(branch.left)
        first, second = (starting_coordinates(system)[left].tolist() for system in (joints.system, by_pose))
        own = relative and relative.over(dynamics)
        sizes = [dynamics.layout.size, own.layout.size + own.layout.nv if own else 0]
        x = self.recorder.inputs(1 + max(sizes))
        return OpenEquations(self.recorder, joints, branch, dynamics, start, (first, second), x, own)

    def _start_path(
        self, dynamics: Dynamics, native: Native, count: int, joints: System, assembly: Assembly, kept: dict[str, float]
    ) -> StartPath:
        """How the nominal start is followed to other values; the first `count` outputs of the set-up are
        coefficients."""
        layout, motors, quantities = dynamics.layout, self.model.motors, self.model.quantities
        values = [kept[name] for name in self.keeping]
        early = native.rows("setup", np.append(self.nominal, values)[None], np.empty((1, 0)))[0]
        posed, still = early[count + layout.nq : count + 2 * layout.nq], np.zeros(layout.nv)
        begin = dynamics.start_state(posed, still, assembly.angles)
        given = {angle.name for angle, _ in fixed_angles(joints, assembly.time)}
        # angles whose whole turns nothing determines are within ±π, as in a rebuilt mechanism
        wrapped = [name for name in layout.angles if name not in given and quantities[name].winds]
        return StartPath(
            sizes=layout.sizes,
            nominal=self.nominal.tolist(),
            scales=self.scales.tolist(),
            begin=[assembly.time, *begin.tolist()],
            kept=values,
            count=count,
            early=len(early),
            length=float(self.length),
            integrated=[
                (layout.angles.index(name), self.keeping.index(x.name)) for x in motors for name in x.integrates
            ],
            wrapped=[layout.angles.index(name) for name in wrapped if abs(assembly.angles[name]) <= math.pi],
        )

    # -- refusals

    def _refuse_open_start(self, program: Program, found: Reduction) -> None:
        """Rejects open numbers that affect the part of a start that needs and wants leave undetermined: it is chosen
        when a mechanism is assembled."""
        code, self.poses = program.opened, {}
        free = free_at_start(compile_system(self.model)) if self.keeping else program.assembly.free
        if not free:
            return
        for trial in code.trials:
            values = trial.values[: len(self.names)]
            system = enter_initial_offsets(compile_system(self._with(values.tolist()), self.length))
            chosen = find_start(make_dynamics(system)).q[found.left]
            start = code.assemble(values[None]).y[0, code.layout.of_q]
            if not np.max(np.abs(start - chosen), initial=0.0) <= SAME * self.length:
                freedom = "1 degree" if free == 1 else f"{free} degrees"
                raise ModelError(
                    f"The start of mechanism '{self.given.name}' leaves {freedom} of freedom open, and "
                    f"{', '.join(self.names)} would move what is chosen there by default. Give needs or wants that say "
                    "where it starts, such as m.need(crank.angle, value=0.3)."
                )


def _refuse_missed_wants(model: Model, assembly: Assembly) -> None:
    """Rejects wants that are not met: with open numbers, wants count as needs."""
    for name, (wanted, _) in assembly.missed.items():
        raise ModelError(
            f"The start wants {name} = {wanted:g}, which it cannot have: with numbers left open, remove it or "
            "give a possible value."
        )


def _alike(one: Findings, other: Findings) -> tuple[BranchEquation, ...]:
    """Relations with the same terms at both values."""
    known = {equation.gives: equation.linear[1] for equation in other.relations}

    def same(equation: BranchEquation) -> bool:
        terms, others = equation.linear[1], known.get(equation.gives, {})
        return terms.keys() == others.keys() and all(abs(x - others[a]) <= 1e-9 for a, x in terms.items())

    return tuple(equation for equation in one.relations if same(equation))


def _cleaned(slope: float) -> float:
    return float(round(slope)) if abs(slope - round(slope)) < WHOLE else slope
