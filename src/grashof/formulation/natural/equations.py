"""The equations of motion and the projection on the constraints, in scalar Python.

    Φ(t, q) = 0,    J = Φ_q,    J v + Φ_t = 0,    J a = γ = −(d/dt J) v − 2 (d/dt Φ_t along v) − Φ_tt
    M a + Jᵀ λ = Q(t, q, v)

The state y = [q, v, e] is described in `layout`. Rows of couplings may depend on the whole turns of angles: these are
given as `turns`, the first of the extra states. All functions take and return flat lists of scalars: floats for the
oracle, mpmath numbers for references, traced nodes for machine code.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from grashof.common.errors import ModelError
from grashof.formulation.layout import NEXT_SAMPLE, Layout
from grashof.formulation.natural.bearings import Bearing, Transmitted, sizes, solve_bearings
from grashof.formulation.natural.constraints import Constraints, LimitedRows, pattern_of
from grashof.formulation.natural.couplings import CouplingRow
from grashof.formulation.natural.energies import Energies
from grashof.formulation.natural.forms import Form
from grashof.formulation.natural.grips import NaturalGrips
from grashof.formulation.natural.impact import NaturalImpacts
from grashof.formulation.natural.inertias import InertiaRow, inertia_rows
from grashof.formulation.natural.kkt import Kkt, Pattern, make_kkt, refinements_needed
from grashof.formulation.natural.projection import project
from grashof.formulation.natural.resting import held_by_row, resting_rows, sticking_rows
from grashof.formulation.natural.row_tables import row_tables_of
from grashof.formulation.natural.slips import SlipRows
from grashof.formulation.natural.state import SystemState
from grashof.formulation.natural.system import System
from grashof.model.forces import ForceBase, Load
from grashof.model.model import Model
from grashof.scalar.algebra import mean
from grashof.scalar.dual import Dual
from grashof.scalar.functions import Scalar
from grashof.scalar.jet import Jet
from grashof.tape import TraceError

EPSILON = 1e-10
"""ε relative to the inverse mean of the masses that a row acts on: small enough to pass singular positions, large
enough to dominate round-off there."""

UNHELD = 3.0 * math.sqrt(EPSILON)
"""A combination of constraints is no longer enforced if the corresponding singular value of the rows, scaled to unit
length, is below a few √ε."""

LIGHT = sys.float_info.epsilon / EPSILON
"""M is uneven if some of its diagonal entries are smaller than this fraction of the largest: the round-off of their
inverses then exceeds ε, and equations with redundant rows are solved with an augmented M."""

EPSILON_NARROW = 1e-14
"""ε for runs that narrowly miss a singular position, where the smallest singular values are too small for the usual
ε."""

EPSILON_REDUNDANT = 1e-3
"""Relative ε where rows are redundant at every position. The stages of a step lie slightly off the constraints,
where redundant rows contradict each other: their effect at a distance δ is δ²/(δ² + ε), which is smooth only over
distances of √ε. With a large ε the integrator sees a smooth function; refinement restores the accuracy that ε takes
from the independent rows."""


@dataclass(frozen=True, eq=False)
class Dynamics:
    """A system prepared for evaluation."""

    system: System
    kkt: Kkt
    refinements: int
    epsilon: float = field(default=EPSILON, kw_only=True)  # for rows that are not redundant
    redundant: frozenset[int] = field(default=frozenset(), kw_only=True)  # rows that take part in linear dependencies

    @property
    def unheld(self) -> float:
        """Constraints with smaller singular values are not enforced with this ε: see `UNHELD`."""
        return UNHELD * math.sqrt(self.epsilon / EPSILON)

    @property
    def model(self) -> Model:
        """The description of the mechanism."""
        return self.system.model

    @property
    def length(self) -> float:
        """The mechanism's length, m."""
        return self.system.length

    @property
    def n(self) -> int:
        """Number of coordinates."""
        return self.system.n

    @property
    def impacts(self) -> NaturalImpacts:
        """Impacts, and limits against which measures rest."""
        return NaturalImpacts(self)

    @property
    def grips(self) -> NaturalGrips:
        """The joints that stick by dry friction."""
        return NaturalGrips(self)

    @property
    def natural(self) -> Dynamics:
        """The equations in natural coordinates: these."""
        return self

    def natural_rates(self, x: Sequence[Scalar], rates: Sequence[Scalar]) -> Sequence[Scalar]:
        """The rates in natural coordinates, given those of a state x = [t, y]."""
        return rates

    def own_state(self, x: Sequence[Scalar]) -> list[Scalar]:
        """y in the coordinates of this formulation, of a state x = [t, y] in natural ones."""
        return list(x[1:])

    def over(self, natural: Dynamics) -> Dynamics:
        """The same mechanism for other values of its numbers, which may be open, or with further loads."""
        return natural

    def freedom(self, implied: int) -> int:
        """Degrees of freedom, if that many of the rows are implied by others (not: take part in a dependency)."""
        return self.n - self.kkt.m + implied

    @cached_property
    def layout(self) -> Layout:
        """The layout of the state of a run."""
        model = self.system.model
        works = (*(force.name for force in self.dissipative), *(row.owner for row in self.system.driving))
        states = (
            self.system.tracked,
            (*works, *model.bouncing),
            model.switchable,
            tuple(model.integrals),
            model.bouncing,
        )
        rubbing = (*(rub.event for rub in model.rubs), *(grip.name for grip in model.grips))
        held = (*model.held, NEXT_SAMPLE) if model.sampled else ()
        return Layout(self.n, self.n, *states, rubbing=rubbing, held=held)

    @cached_property
    def dissipative(self) -> tuple[ForceBase, ...]:
        """Forces whose work is an extra state."""
        zeros = [0.0] * self.n
        rough = SystemState(
            self.system, 0.0, [1.0 + 0.1 * i for i in range(self.n)], zeros, dict.fromkeys(self.system.tracked, 0.0)
        )
        return tuple(force for force in self.system.model.acting if force.work(rough) is None)

    @cached_property
    def rows(self) -> Constraints:
        """The constraint rows."""
        return Constraints(self.system, self.kkt.pattern)

    @cached_property
    def energies(self) -> Energies:
        """Kinetic and potential energies."""
        return Energies(self.system)

    @property
    def uneven(self) -> bool:
        """Whether M is singular or nearly so, and equations are solved with an augmented one."""
        return any(self.kkt.augment)

    @cached_property
    def limited(self) -> LimitedRows:
        """The rows, then those for velocities only, then those of what may stick, and of the limits against which
        measures may rest."""
        return LimitedRows(self.rows, self.slips, resting_rows(self.system), self.inertias, sticking_rows(self.system))

    @cached_property
    def inertias(self) -> tuple[InertiaRow, ...]:
        """The inerters, which add to M."""
        return inertia_rows(self.system)

    @cached_property
    def slips(self) -> SlipRows:
        """The rows for velocities only."""
        return SlipRows(self.system.slips)

    @cached_property
    def velocity_rows(self) -> LimitedRows:
        """The rows, then those for velocities only: all that velocities satisfy where nothing rests against a limit."""
        return LimitedRows(self.rows, self.slips, ())

    @property
    def limits(self) -> tuple[CouplingRow, ...]:
        """The rows of these limits."""
        return self.limited.limits

    @cached_property
    def whole(self) -> Kkt:
        """The matrix including the rows for velocities only and those of limits, which come last, and the inerters."""
        pattern = self.limited.further
        return self._extended(pattern, self.inertias) if pattern or self.inertias else self.kkt

    @cached_property
    def moving(self) -> Kkt:
        """The matrix including the rows for velocities only."""
        if not (self.limited.held or self.inertias):
            return self.whole
        return self._extended(self.slips.pattern) if self.slips.count else self.kkt

    def _extended(self, pattern: Pattern, inertias: Sequence[InertiaRow] = ()) -> Kkt:
        """The matrix including further rows with this pattern, and inerters."""
        kkt = self.kkt
        augmented = self.uneven or not _is_positive_definite(self.system)
        inverse = _inverse_masses(self.system, pattern, augmented)
        return make_kkt(
            self.n,
            self.system.mass,
            kkt.pattern + pattern,
            self.system.groups,
            [*kkt.epsilon, *(self._epsilon_of(kkt.m + k) * x for k, x in enumerate(inverse))],
            [*kkt.softening, *inverse],
            [*kkt.augment, *(1.0 / x if augmented else 0.0 for x in inverse)],
            tuple(row.columns for row in inertias),
            [row.inertance for row in inertias],
        )

    def _epsilon_of(self, row: int) -> float:
        """The relative ε of a row beyond those of positions."""
        return EPSILON_REDUNDANT if row in self.redundant else self.epsilon

    def refinements_for(self, jacobian: Sequence[float]) -> int:
        """How many refinements the accelerations need with these entries of J, with or without those of limits."""
        return refinements_needed(self.moving if len(jacobian) == self.moving.entries else self.whole, jacobian)

    def corrections(self, jacobian: Sequence[Scalar]) -> Callable[[Sequence[Scalar]], list[Scalar]]:
        """A function of the rows' errors: the change of q or v that removes them to first order, the smallest one in
        the metric of M; with the rows for velocities only, if there are entries for them."""
        return (self.moving if len(jacobian) == self.moving.entries else self.kkt).corrections(jacobian)

    def gradients(self, x: Sequence[Scalar]) -> list[Scalar]:
        """The entries of J that can be non-zero, given x = [t, q, v, e]."""
        t, q, _, e = self.layout.split(x)
        return self.rows.jacobian(t, q, self.rows.turns(e))

    def jacobians(self, t: np.ndarray, q: np.ndarray, turns: np.ndarray | None = None) -> np.ndarray:
        """J at many positions, (k, m, n)."""
        return row_tables_of(self).jacobians(t, q, turns)

    # -- dynamics

    def state(self, x: Sequence[Scalar]) -> SystemState:
        """The state as forces see it, given x = [t, q, v, e]."""
        t, q, v, left = self.layout.split(x)
        model, layout, known = self.system.model, self.layout, list[dict[str, Scalar]]()
        rubbing, forces = layout.rubbing, layout.integrals + layout.held
        for names in (self.system.tracked, model.switchable, forces, rubbing, rubbing, model.bouncing):
            known.append(dict(zip(names, left, strict=False)))
            left = left[len(names) :]
        turns, switches, integrals, slips, sticks, resting = known
        return SystemState(self.system, t, q, v, turns, switches, integrals, resting, slips=slips, sticks=sticks)

    def forces(self, motion: SystemState) -> list[Scalar]:
        """Q(t, q, v): generalized forces, including gravity and what inerters take for zero accelerations."""
        total: list[Scalar] = [-self.system.gravity.terms.get(i, 0.0) for i in range(self.n)]
        for i, x in self.loads(motion):
            total[i] = total[i] + x
        for row in self.inertias:
            bent = row.inertance * row.bend(motion.q, motion.v)
            for i, x in row.gradient(motion.q).items():
                total[i] = total[i] - bent * x
        return total

    def loads(self, motion: SystemState) -> Iterator[tuple[int, Scalar]]:
        """What all forces but gravity add to Q: indices of coordinates (see `SystemState.gradient`), and numbers."""
        for force in self.system.model.acting:
            for target, effort in _loads(force, motion):
                yield from motion.gradient(target, effort).items()

    def single_forces(self, motion: SystemState) -> list[Scalar]:
        """What each load adds to Q, one number for each of its coordinates, and gravity: their sizes show the round-off
        of Q where they cancel."""
        return [*self.system.gravity.terms.values(), *(x for _, x in self.loads(motion))]

    def mass_matrix(self, q: Sequence[float]) -> np.ndarray:
        """M with the inerters at a position, (n, n), kg."""
        found = self.energies.matrix
        for row in self.inertias:
            gradient = np.zeros(self.n)
            gradient[list(row.columns)] = list(row.gradient(q).values())
            found = found + row.inertance * np.outer(gradient, gradient)
        return found

    def accelerations(self, motion: SystemState, refinements: int | None = None) -> tuple[list[Scalar], list[Scalar]]:
        """a and λ; the last of λ are those of limits."""
        if self.bearings:
            solution = self.bearing(motion, refinements).solution
        else:
            jacobian, factors, bias = self._factored(motion)
            count = self.refinements if refinements is None else refinements
            solution = self.whole.solve_refined(jacobian, factors, self.forces(motion) + bias, count)
        return solution[: self.n], solution[self.n :]

    def _factored(self, motion: SystemState) -> tuple[list[Scalar], list[Scalar], list[Scalar]]:
        """J, the factors of the matrix of the accelerations, and γ, including the rows of limits."""
        jacobian, bias = self.limited_rows(motion)
        return jacobian, self.whole.factor(jacobian), bias

    def limited_rows(self, motion: SystemState) -> tuple[list[Scalar], list[Scalar]]:
        """J and γ including the rows of limits."""
        t, q, v = motion.time, motion.q, motion.v
        turns = self.rows.turns([motion.turns[name] for name in self.system.tracked if name in motion.turns])
        sides = [held_by_row(motion.sticks.get(row.owner, 0.0)) for row in self.limited.sticks]
        sides += [motion.resting.get(row.owner, 0.0) for row in self.limits]
        return self.limited.jacobian(t, q, turns, sides), self.limited.bias(t, q, v, turns, sides)

    @cached_property
    def bearings(self) -> dict[str, Transmitted]:
        """The joints and limits on whose transmitted forces other forces depend, and the rows whose multipliers these
        are."""
        found = {}
        limits = {row.owner: k for k, row in enumerate(self.limits, self.limited.first_limit)}
        for name in self.system.model.bearings:
            rows = tuple(k for k, row in enumerate(self.system.rows) if row.kept and row.owner == name)
            found[name] = Transmitted((limits[name],), pushes=True) if name in limits else Transmitted(rows)
        return found

    def bearing(self, motion: SystemState, refinements: int | None = None) -> Bearing:
        """a and λ if forces depend on the forces that joints transmit."""
        jacobian, factors, bias = self._factored(motion)
        none = dict.fromkeys(self.bearings, 0.0)
        free = self.forces(replace(motion, bearings=none))
        units = []
        for name in self.bearings:
            # not by the difference for 1 N, which would contain the round-off of other forces, of perhaps 1e10 N
            one = self.forces(replace(motion, bearings=none | {name: Dual(0.0, 1.0)}))
            units.append([x.slope if isinstance(x, Dual) else 0.0 for x in one])
        count = self.refinements if refinements is None else refinements
        return solve_bearings(self.whole, jacobian, factors, free + bias, units, list(self.bearings.values()), count)

    def certainty(self, x: Sequence[Scalar]) -> Scalar:
        """Positive only where the forces that joints transmit, on which friction depends, are unique and accurate; over
        traced scalars."""
        return self.bearing(self.state(x)).margin() if self.bearings else 1.0

    def loaded(self, motion: SystemState) -> SystemState:
        """The same motion with the forces that joints transmit, if other forces depend on them."""
        if not self.bearings:
            return motion
        return replace(motion, bearings=dict(zip(self.bearings, self.bearing(motion).sizes, strict=True)))

    def derivative(self, x: Sequence[Scalar], refinements: int | None = None) -> list[Scalar]:
        """The accelerations, then the rates of the extra states, given x = [t, q, v, e]."""
        motion = self.state(x)
        a, multipliers = self.accelerations(motion, refinements)
        if self.bearings:
            motion = replace(motion, bearings=sizes(multipliers, self.bearings))
        t, q, _, e = self.layout.split(x)
        driving = enumerate(self.system.couplings, start=len(self.system.rows))
        powers = [multipliers[k] * row.slip(t, q, self.rows.turns(e)) for k, row in driving if row.timed]
        return a + self.extra_rates(motion, powers)

    def extra_rates(self, motion: SystemState, powers: Sequence[Scalar]) -> list[Scalar]:
        """The rates of the extra states.

        powers   of the couplings that depend on time, W
        """
        t = motion.time
        driven = {name: motor for motor in self.system.model.motors for name in motor.integrates}
        rates = [
            driven[name].value(Jet(t, 1.0, 0.0)).first if name in driven else motion.measure(name).first
            for name in self.system.tracked
        ]
        rates += [0.0] * len(self.system.model.switchable)
        rates += [x for force in self.system.model.acting for x in force.integrands(motion)]
        rates += [0.0] * (len(self.layout.held) + 2 * len(self.layout.rubbing) + len(self.limits))
        rates += [self._power(force, motion) for force in self.dissipative]
        return [*rates, *powers, *([0.0] * len(self.system.model.bouncing))]

    def _power(self, force: ForceBase, motion: SystemState) -> Scalar:
        """The power of the force that is not stored as potential energy, in W."""
        stored = force.potential(motion)
        total: Scalar = stored.first if isinstance(stored, Jet) else 0.0
        for target, effort in _loads(force, motion):
            measure = self.system.model.target(target)
            place = motion.point(str(target)) if measure is None else [motion.jet_of(measure)]
            for x, jet in zip(effort, place, strict=True):
                total = total + x * jet.first
        return total

    def project(self, x: Sequence[Scalar]) -> list[Scalar]:
        """The state x = [t, q, v, e] projected onto the constraints, then the remaining squared violation (see
        `projection`)."""
        return project(self, x)

    @cached_property
    def uncoupled(self) -> Dynamics:
        """The equations of the joints alone, without couplings and motors."""
        return make_dynamics(replace(self.system, couplings=())) if self.system.couplings else self

    @cached_property
    def undriven(self) -> Dynamics:
        """The equations without motors."""
        return make_dynamics(self.system.undriven) if self.system.driving else self

    @cached_property
    def for_redundant_rows(self) -> Dynamics:
        """The same with an augmented matrix, if M is uneven: equations that may contain redundant rows are solved
        more accurately with it."""
        diagonal = self.energies.masses
        if min(diagonal, default=1.0) > LIGHT * max(diagonal, default=0.0) or self.uneven:
            return self
        return make_dynamics(self.system, self.refinements, augmented=True)

    def start_state(self, q: np.ndarray, v: np.ndarray, angles: Mapping[str, float]) -> np.ndarray:
        """The state at the start of a motion (see `Layout`), given coordinates, velocities and tracked angles:
        forces begin as they are described, and integrals and works begin with zero."""
        layout = self.layout
        y = np.zeros(layout.size)
        y[layout.of_q], y[layout.of_v] = q, v
        y[layout.of_angles] = [angles[name] for name in layout.angles]
        y[layout.of_switches] = [
            force.active for force in self.system.model.all_forces if force.name in layout.switches
        ]
        return y


def _loads(force: ForceBase, motion: SystemState) -> list[Load]:
    try:
        return force.loads(motion)
    except TraceError as problem:
        raise ModelError(f"Force '{force.name}' cannot be made into machine code: {problem}.") from problem


def make_dynamics(system: System, refinements: int = 1, *, augmented: bool = False) -> Dynamics:
    """Prepares a system: pattern of J, elimination order, ε and, where M is singular or if `augmented`, α."""
    pattern = pattern_of(system)
    augmented = augmented or not _is_positive_definite(system)
    inverse = _inverse_masses(system, pattern, augmented)
    augment = [1.0 / x if augmented else 0.0 for x in inverse]
    epsilon = [EPSILON * x for x in inverse]
    kkt = make_kkt(system.n, system.mass, pattern, system.groups, epsilon, inverse, augment)
    return Dynamics(system, kkt, refinements)


def _inverse_masses(system: System, pattern: Pattern, augmented: bool) -> list[float]:
    """A typical inverse mass for each row, 1/kg.

    Combinations of rows may act on the heavy ones of their coordinates alone. The mean of the masses represents these,
    where the mean of the inverse masses would represent the lightest coordinate, such as the spin of a thin rod, and
    lead to an ε that is far too large for them.
    """
    diagonal = [system.mass.get((i, i), 0.0) for i in range(system.n)]
    largest = max(diagonal, default=1.0)
    typical = mean([d for d in diagonal if d > 0.0]) if largest > 0.0 else 1.0
    # where M is singular or nearly so, its small entries do not represent the inertia that resists a row
    of_rows = [[] if augmented else [diagonal[a] for a in columns] for columns in pattern]
    return [1.0 / (mean(masses) if masses else typical) for masses in of_rows]


def with_large_epsilon(dynamics: Dynamics, redundant: Collection[int]) -> Dynamics:
    """The dynamics with the large ε for rows that other rows imply at every position, and for these other rows."""
    kkt = dynamics.for_redundant_rows.kkt if redundant else dynamics.kkt
    rows = enumerate(zip(kkt.epsilon, kkt.softening, strict=True))
    epsilon = tuple(EPSILON_REDUNDANT * inverse if k in redundant else usual for k, (usual, inverse) in rows)
    return replace(dynamics, kkt=replace(kkt, epsilon=epsilon), redundant=frozenset(redundant))


def without_mass(dynamics: Dynamics, model: Model) -> Dynamics:
    """The dynamics of the same mechanism without masses, as `model` describes it; ε remains where it was large."""
    light = make_dynamics(replace(dynamics.system, model=model, mass={}, gravity=Form()), dynamics.refinements)
    old, new = dynamics.kkt, light.kkt
    softness = tuple(e / s * x for e, s, x in zip(old.epsilon, old.softening, new.softening, strict=True))
    return replace(light, kkt=replace(new, epsilon=softness))


def with_small_epsilon(dynamics: Dynamics) -> Dynamics:
    """The dynamics with the smallest ε, for mechanisms without redundant rows."""
    kkt = dynamics.kkt
    epsilon = tuple(EPSILON_NARROW * inverse for inverse in kkt.softening)
    return replace(dynamics, kkt=replace(kkt, epsilon=epsilon), epsilon=EPSILON_NARROW)


def _is_positive_definite(system: System) -> bool:
    """Whether M is positive definite by a safe margin: when scaled to a unit diagonal, no pivot is small."""
    diagonal = [system.mass.get((i, i), 0.0) for i in range(system.n)]
    if not all(d > 0.0 for d in diagonal):
        return False
    scaled = {(i, j): x / (diagonal[i] * diagonal[j]) ** 0.5 for (i, j), x in system.mass.items()}
    matrix = make_kkt(system.n, scaled, (), system.groups)
    try:
        pivots = matrix.factor([])[-system.n :]
    except ZeroDivisionError:
        return False
    return all(0.0 < x < 1e9 for x in pivots)
