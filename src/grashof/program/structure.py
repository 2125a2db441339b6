"""The structure of a mechanism: which equations hold along its motion, which rows are redundant, how accurately it must
be solved.

It is decided where the mechanism starts. With open numbers it is decided at random values near the nominal ones, so
that no coincidence of these is built in, and the decisions hold for almost all values.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

import msgspec
import numpy as np

from grashof.assembly.assemble import Assembly
from grashof.branch.equations import Branch, BranchEquation, Findings, make_branch, search
from grashof.branch.narrow_misses import narrowly_missed
from grashof.common.errors import ModelError
from grashof.formulation.natural.closing import Positions
from grashof.formulation.natural.couplings import Turns
from grashof.formulation.natural.equations import Dynamics, make_dynamics, with_large_epsilon
from grashof.formulation.natural.system import System
from grashof.formulation.natural.velocities import velocity_dependencies
from grashof.scalar.functions import Scalar
from grashof.singular.start_branches import position_ahead

IN_DEPENDENCY = 1e-6
"""A row takes part in a linear dependency if its weight in it exceeds this."""

MISSED = (
    "Equations that seemed to hold along the motion are not used, because they lead through a singular position "
    "that the mechanism narrowly misses."
)
OTHER_FREEDOM = (
    "Equations that seemed to hold along the motion are not used, because they would change the number of degrees "
    "of freedom."
)


class Relation(msgspec.Struct, frozen=True):
    """q_gives + Σ terms q + constant + Σ slopes p = 0 with the open numbers p, on the branch of the motion."""

    gives: int
    terms: dict[int, float]
    constant: float
    slopes: tuple[float, ...] = ()

    def equation(self, numbers: Sequence[Scalar]) -> BranchEquation:
        """The relation for these numbers."""
        constant: Scalar = self.constant
        for slope, x in zip(self.slopes, numbers, strict=True):
            constant = constant + slope * x
        return BranchEquation((constant, self.terms), (), self.gives)


class Structure(msgspec.Struct, frozen=True):
    """What was decided; none of it depends on forces.

    relations         linear relations that hold along the motion and are used
    quadrics          equations of the branch that are not linear
    remark            a sentence about the search for them; usually empty
    dependent_rows    the rows that take part in linear dependencies, also with those for velocities only, which come
                      after the others
    redundant_count   how many rows others imply
    refinements       how many the accelerations need
    """

    relations: tuple[Relation, ...]
    quadrics: tuple[BranchEquation, ...]
    remark: str
    dependent_rows: tuple[int, ...]
    redundant_count: int
    refinements: int

    def branch(self, joints: System, numbers: Sequence[Scalar] = ()) -> Branch | None:
        """The branch of a mechanism with these open numbers; None if it has no equations of its own."""
        if not self.relations and not self.quadrics:
            return None
        relations = tuple(relation.equation(numbers) for relation in self.relations)
        return make_branch(joints, Findings(relations, self.quadrics))

    def complete(self, dynamics: Dynamics) -> Dynamics:
        """The dynamics of the branch with the large ε where rows are redundant, and with enough refinements."""
        return replace(with_large_epsilon(dynamics, set(self.dependent_rows)), refinements=self.refinements)

    def refuse_redundant_bearings(self, dynamics: Dynamics) -> None:
        """Friction that is proportional to a reaction is unique only if the reaction is."""
        model, redundant = dynamics.model, set(self.dependent_rows)
        for name, (rows, pushes) in dynamics.bearings.items():
            if pushes:
                continue
            if redundant & set(rows) or len(rows) < model.joints_by_name[name].bearing(model.dimension):
                force = next(force.name for force in model.forces if name in force.bearings())
                raise ModelError(
                    f"Force '{force}': the reaction of joint '{name}' is not unique, because joints are redundant, so "
                    "the friction proportional to it (mu) is not unique either. Give friction of a known size "
                    "(coulomb), or use joints with more freedoms so that nothing is redundant."
                )


class Start(Protocol):
    """A consistent start."""

    @property
    def time(self) -> float: ...
    @property
    def q(self) -> np.ndarray: ...
    @property
    def v(self) -> np.ndarray: ...
    @property
    def singular(self) -> int: ...
    @property
    def angles(self) -> dict[str, float]: ...


@dataclass(frozen=True, eq=False)
class Place:
    """A mechanism at its start, as its joints describe it."""

    joints: Dynamics
    start: Start

    @cached_property
    def turns(self) -> Turns:
        """The tracked angles."""
        return self.joints.rows.turns([self.start.angles[name] for name in self.joints.system.tracked])

    @cached_property
    def regular(self) -> tuple[float, np.ndarray]:
        """The time and the coordinates at the start or, if it is singular, just after it."""
        start = self.start
        if not start.singular:
            return start.time, start.q
        there, q = position_ahead(Positions(self.joints, start.time, turns=self.turns), start.q, start.v)
        return there.time, q

    @cached_property
    def redundant_count(self) -> int:
        """How many rows of the joints others imply."""
        time, q = self.regular
        return len(Positions(self.joints, time, turns=self.turns).dependencies(q))

    @property
    def freedom(self) -> int:
        """Degrees of freedom of the motion."""
        return self.joints.freedom(self.redundant_count)

    def reduce(self, findings: Findings, branch: Branch | None = None) -> Reduction:
        """The mechanism with these findings used; `branch` if it is known."""
        if findings and branch is None:
            branch = make_branch(self.joints.system, findings)
        return Reduction(self, findings, branch, make_dynamics(branch.system) if branch else self.joints)

    @cached_property
    def reduction(self) -> Reduction:
        """The mechanism with all that was found to hold along its motion."""
        if not self.joints.rows.closed or self.joints.bearings:
            # equations of the branch would take away the multipliers that friction needs
            return self.reduce(Findings())
        findings, branch = search(self.joints.system, self.regular[1])
        if branch is None:
            return self.reduce(findings)
        found = self.reduce(findings, branch)
        if narrowly_missed(self.joints, self.regular[1], self.redundant_count):
            return self.reduce(Findings(remark=MISSED))
        return found if found.freedom == self.freedom else self.reduce(Findings(remark=OTHER_FREEDOM))

    def reduction_with(self, relations: bool) -> Reduction:
        """The mechanism with all that was found to hold along its motion, if this is to be used."""
        return self.reduction if relations else self.reduce(Findings())


@dataclass(frozen=True, eq=False)
class Reduction:
    """A mechanism at a place, with the equations of its branch.

    base   its dynamics, without what the structure adds
    """

    place: Place
    findings: Findings
    branch: Branch | None
    base: Dynamics

    @property
    def left(self) -> list[int]:
        """Which of the joints' coordinates remain."""
        return list(range(self.place.joints.n)) if self.branch is None else list(self.branch.left)

    def shorten(self, assembly: Assembly) -> Assembly:
        """An assembly in the coordinates that remain."""
        left = self.left
        return replace(assembly, q=assembly.q[left], v=assembly.v[left], redundant=len(self.dependencies))

    @cached_property
    def dependencies(self) -> np.ndarray:
        """The linear dependencies of the rows at the regular position."""
        time, q = self.place.regular
        return Positions(self.base, time, turns=self.place.turns).dependencies(q[self.left])

    @property
    def freedom(self) -> int:
        """Degrees of freedom of the motion."""
        return self.base.freedom(len(self.dependencies))

    @cached_property
    def structure(self) -> Structure:
        """The structure, for the values of numbers that the mechanism has here."""
        time, q = self.place.regular
        weights = np.max(np.abs(self.dependencies), axis=0, initial=0.0)
        if self.base.slips.count:
            found = velocity_dependencies(self.base, time, q[self.left], self.place.turns)
            weights = np.max(np.abs(found), axis=0, initial=0.0)
        rows = tuple(np.flatnonzero(weights > IN_DEPENDENCY).tolist())
        needed = _refinements_at(
            with_large_epsilon(self.base, set(rows)), time, q[self.left].tolist(), self.place.turns
        )
        return Structure(
            tuple(Relation(x.gives, x.linear[1], x.linear[0]) for x in self.findings.relations),
            self.findings.quadrics,
            self.findings.remark,
            rows,
            len(self.dependencies),
            # with the large ε, rows that are independent here but nearly dependent elsewhere need more refinements
            # there
            2 * needed if rows else needed,
        )

    @cached_property
    def dynamics(self) -> Dynamics:
        """What is integrated."""
        return self.structure.complete(self.base)

    @cached_property
    def state(self) -> np.ndarray:
        """The state at the start, moved to the regular position, in which all forces act."""
        start, layout = self.place.start, self.base.layout
        y = self.base.start_state(self.place.regular[1][self.left], start.v[self.left], start.angles)
        y[layout.of_switches] = 1.0
        return y


def _refinements_at(dynamics: Dynamics, time: float, q: list[float], turns: Turns) -> int:
    """Number of refinements that the accelerations need, whether no measure rests against its limit or any one does."""
    count = len(dynamics.limited.held)
    resting = [[0.0] * count, *np.eye(count).tolist()]
    return max(dynamics.refinements_for(dynamics.limited.jacobian(time, q, turns, sides)) for sides in resting)
