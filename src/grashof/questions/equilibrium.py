"""Static equilibrium: a position at rest in which all forces balance at a fixed time, and its stability.

The position found is the one into which the mechanism would settle from its start if it moved slowly (see `descent`),
or the start itself if that is balanced. Its stability follows from the linearised motion about it (see `linearised`).
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from grashof.assembly.assemble import Assembly
from grashof.common.blas import one_thread
from grashof.common.errors import ModelError
from grashof.common.notebook import report_html
from grashof.common.wording import count_of
from grashof.formulation.natural.closing import close, is_closed
from grashof.formulation.natural.state import SystemState
from grashof.model.given import number
from grashof.model.mechanism import Mechanism
from grashof.model.model import Model
from grashof.model.quantities import moving_names
from grashof.model.start import Start
from grashof.motion.starting import start_at
from grashof.quantities.catalog import Catalog, catalog_of
from grashof.quantities.snapshot import CoordinateSnapshot
from grashof.questions.descent import Descent
from grashof.questions.equations import Array, FullState, QuestionEquations, assemble_structure, start_point
from grashof.questions.given import positions_over
from grashof.questions.linearised import UNDAMPED, Mode, Modes, modes_at

if TYPE_CHECKING:
    from matplotlib.figure import Figure

KICK = 0.01
"""Displacement, in lengths of the mechanism, by which it leaves an unstable position to find where it goes from
there."""

WALK = 50
"""Number of random steps of half a length, after which the mechanism can be anywhere within its reach."""


@dataclass(frozen=True, eq=False)
class Equilibrium:
    """A position at rest. `found["rod.angle"]` is a number, `found.names` lists the quantities, and `print(found)`
    gives a report. `found["pin.fx"]` is a joint reaction, and `found["drive.torque"]` is what a motor holds.

    force       the largest unbalanced force, N
    gap         the largest error of the joint equations, m
    acting      the largest acting force, with which `force` is to be compared, N
    iterations  number of steps from the start
    modes       the linearised motion about the position
    others      other positions at rest that were found on the way, or requested
    """

    modes: Modes
    force: float
    gap: float
    acting: float
    iterations: int
    others: tuple[Equilibrium, ...] = ()

    @property
    def model(self) -> Model:
        """The mechanism."""
        return self.modes.equations.system.model

    @property
    def q(self) -> Array:
        """The coordinates, (n,)."""
        return self.modes.point.q

    # -- named quantities

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Coordinates of points, measures, and `potential`."""
        return (*(name for name in moving_names(self.model) if not name.endswith(".rate")), "potential")

    def __getitem__(self, name: str) -> float:
        quantity = self._quantities[name]
        if quantity.of_joint and name not in self._snapshot.unique_reactions:
            raise ModelError(
                f"'{name}', the reaction of joint '{quantity.of_joint}', is not unique: constraints are redundant, so "
                "that joints can be stressed against each other without a load; gr.mobility(m) names them."
            )
        return float(quantity.value(self._snapshot))

    def unit(self, name: str) -> str:
        """The unit of a quantity."""
        return self._quantities[name].unit

    @cached_property
    def _quantities(self) -> Catalog:
        """The quantities of a motion that do not count from its start."""
        known = catalog_of(self.model).known(self._snapshot)
        return Catalog(self.model, (quantity for quantity in known.values() if not quantity.since_start))

    @cached_property
    def _snapshot(self) -> CoordinateSnapshot:
        """The mechanism at rest, without velocities and accelerations."""
        dynamics = self.modes.equations.dynamics
        rates = [0.0] * (dynamics.n + dynamics.layout.extra)
        return CoordinateSnapshot(self.model, dynamics, self._motion, [0.0] * dynamics.layout.extra, lambda: rates)

    def as_start(self) -> Start:
        """The position at rest as the start of a motion: `gr.simulate(m, 2.0, start=gr.equilibrium(m))`."""
        point, system = self.modes.point, self.modes.equations.system
        angles = dict(zip(system.tracked, point.turns.tolist(), strict=True))
        return start_at(system, point.t, point.q, np.zeros(system.n), angles)

    @cached_property
    def _motion(self) -> SystemState:
        point, equations = self.modes.point, self.modes.equations
        turns = dict(zip(equations.system.tracked, point.turns.tolist(), strict=True))
        return SystemState(equations.system, point.t, point.q.tolist(), [0.0] * equations.n, turns)

    # -- stability

    @cached_property
    def unstable(self) -> tuple[Mode, ...]:
        """The modes that grow, fastest first."""
        growing = [mode for mode in self.modes if not mode.zero and mode.eigenvalue.real > self._still(mode)]
        return tuple(sorted(growing, key=lambda mode: -mode.eigenvalue.real))

    def _still(self, mode: Mode) -> float:
        """Real parts up to this count as zero: s² is known to the square of the smallest distinguishable eigenvalue."""
        size = max(abs(mode.eigenvalue), self.modes.linear.zero)
        return max(UNDAMPED * size, self.modes.linear.zero**2 / size) if size else 0.0

    @property
    def stable(self) -> bool | None:
        """Whether it returns after a small disturbance; None if the linearised motion does not decide that."""
        return {"stable": True, "unstable": False}.get(self.stability)

    @cached_property
    def stability(self) -> str:
        """`stable`, `unstable`, `neutral` (no restoring force in some direction), `undecided` or `fixed` (nothing
        can move)."""
        if self.modes.remark:
            return "undecided"
        if not len(self.modes):
            return "fixed"
        if self.unstable:
            return "unstable"
        if any(mode.zero for mode in self.modes):
            return "neutral"
        if all(mode.eigenvalue.real < -self._still(mode) for mode in self.modes):
            return "stable"
        stiffness = self.modes.linear.stiffness
        size = float(np.max(np.abs(stiffness)))
        symmetric = float(np.max(np.abs(stiffness - stiffness.T))) < 1e-8 * size
        return "stable" if symmetric and np.min(np.linalg.eigvalsh(stiffness)) > 0.0 else "undecided"

    def _why(self) -> str:
        if self.stability == "fixed":
            return "Fixed: joints and motors leave no degree of freedom."
        if self.stability == "unstable":
            fastest = self.unstable[0]
            return (
                f"Unstable: mode {self.modes.all.index(fastest) + 1} grows by a factor e in "
                f"{1.0 / fastest.eigenvalue.real:.4g} s; "
                f"relative motion: {self.modes.in_words(self.modes.all.index(fastest))}."
            )
        if self.stability == "stable":
            damped = all(mode.eigenvalue.real < -self._still(mode) for mode in self.modes)
            return "Stable: " + (
                "all motions after a small disturbance decay." if damped else "the potential energy has a minimum here."
            )
        if self.stability == "neutral":
            k = next(k for k, mode in enumerate(self.modes) if mode.zero)
            return (
                f"Neutral: in mode {k + 1} there is neither a restoring nor a repelling force; relative motion: "
                f"{self.modes.in_words(k)}."
            )
        return (
            "Undecided: in the linearised motion some modes neither grow nor decay, so it does not show whether "
            "the position is stable."
        )

    # -- reports

    def __str__(self) -> str:
        lines = [
            f"{self.model.name}: equilibrium at t = {self.modes.point.t:g} s after "
            f"{count_of(self.iterations, 'step')}. The forces, up to {self.acting:.3g} N, "
            f"balance to {self.force:.1e} N; the joints hold to {self.gap:.1e} m.",
            self._why(),
        ]
        measures = [name for name in self.names if name in self.model.all_measures]
        lines += [f"  {name} = {self[name]:.12g} {self.unit(name)}" for name in measures[:12]]
        if len(self.modes):
            lines += [f"  {line.strip()}" for line in str(self.modes).splitlines()[1:]]
        for other in self.others:
            first = next(iter(self.model.all_measures), self.names[0])
            lines.append(f"  other equilibrium: {first} = {other[first]:.6g} {self.unit(first)}, {other.stability}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        """The report, as a notebook shows it."""
        return report_html(str(self))

    def as_dict(self) -> dict[str, Any]:
        """All results as plain data."""
        return {
            "name": self.model.name,
            "t": self.modes.point.t,
            "stability": self.stability,
            "message": self._why(),
            "force_N": self.force,
            "acting_N": self.acting,
            "gap_m": self.gap,
            "iterations": self.iterations,
            "quantities": {name: self[name] for name in self.names},
            "modes": self.modes.as_dict(),
            "others": [other.as_dict() for other in self.others],
        }

    def plot(self, path: str | os.PathLike[str] | None = None) -> Figure:
        """Draws the mechanism at rest, with its start in grey; written to a file if a path is given."""
        from grashof.show.shapes import draw_shapes

        modes = self.modes
        q = np.array([modes.assembly.q, self.q])
        run = positions_over(modes.equations.dynamics, modes.assembly, np.array([0.0, 1.0]), q)
        return draw_shapes(run, [f"equilibrium: {self.stability}"], path)


@one_thread()
def equilibrium(mechanism: Mechanism | Model, *, others: int = 0) -> Equilibrium:
    """Finds a static equilibrium near the start: the position into which the mechanism would settle, or the start if
    that is balanced.

    Time stays at its initial value: laws of motors and forces are evaluated there.

    others  number of further searches from random positions; `found.others` lists what they find, which may not be all

    >>> m = Mechanism("pendulum", gravity=(0, -9.81))
    >>> rod = m.bar("rod", length=1.0, mass=1.0)
    >>> _ = m.revolute(m.ground.at(0, 0), rod.start)
    >>> found = equilibrium(m)
    >>> found.stability, round(found["rod.angle"], 9), round(found.modes[0].frequency, 6)
    ('stable', -1.570796327, 0.610521)
    """
    if number("The number of other searches (others)", others) != int(others) or others < 0:
        raise ModelError(f"The number of other searches (others) is {others}; it must be a whole number, not negative.")
    equations, assembly = assemble_structure(mechanism)
    found = _settle_position(equations, assembly, start_point(equations, assembly))
    return replace(found, others=(*found.others, *_elsewhere(equations, assembly, found, int(others))))


def _settle_position(equations: QuestionEquations, assembly: Assembly, start: FullState) -> Equilibrium:
    """The position into which it settles from here; if an unstable one is met on the way, the one beyond it."""
    found = _at_rest(equations, assembly, start)
    if found.iterations == 0 or found.stability != "unstable":
        return found
    shape = found.unstable[0].shape.real
    for sign in (1.0, -1.0):
        kicked = replace(found.modes.point, q=found.q + sign * KICK * equations.system.length * shape)
        try:
            beyond = _at_rest(equations, assembly, kicked)
        except ModelError:
            continue
        if beyond.stability == "stable":
            return replace(beyond, iterations=found.iterations + beyond.iterations, others=(found,))
    return found


def _at_rest(equations: QuestionEquations, assembly: Assembly, start: FullState, downhill: bool = True) -> Equilibrium:
    way = Descent(equations, start)
    if downhill:
        way.settle()
    else:
        way.solve()
    modes = modes_at(equations, assembly, way.point.at_rest(way.multipliers))
    gap = float(np.max(np.abs(way.positions.errors(way.point.q)), initial=0.0))
    return Equilibrium(modes, way.largest_unbalanced_force, gap, way.acting, way.taken)


def _elsewhere(equations: QuestionEquations, assembly: Assembly, known: Equilibrium, tries: int) -> list[Equilibrium]:
    """Other positions at rest, from pseudo-random ones: by Newton's method, which also finds unstable ones."""
    rng = np.random.default_rng(1)
    length = equations.system.length
    found = [known, *known.others]
    for k in range(tries):
        q, turns = known.q, known.modes.point.turns
        for _ in range(WALK):  # a random walk along the freedoms, so that it can be reached
            positions = equations.positions(assembly.time, turns)
            step = positions.free_part(q, rng.normal(size=equations.n))
            q, _, error = close(positions, q + 0.5 * length * step / max(float(np.max(np.abs(step))), 1e-300))
            turns = equations.turns(q, turns)
        if not is_closed(positions, error):
            continue
        from_there = replace(known.modes.point, q=q, turns=turns)
        try:
            new = _at_rest(equations, assembly, from_there, downhill=k % 4 == 0)
        except ModelError:
            continue
        if all(np.max(np.abs(new.q - old.q)) > 1e-6 * length for old in found):
            found.append(new)
    return found[1 + len(known.others) :]
