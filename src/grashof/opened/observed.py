"""Quantities of a motion and their rates, over any scalars."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from grashof.dynamics.equations import Dynamics
from grashof.dynamics.state import SystemState, measure_parts
from grashof.errors import ModelError, did_you_mean
from grashof.model.measures import MeasureBase
from grashof.model.state import RATE
from grashof.scalar.functions import Scalar, cos, minimum
from grashof.scalar.jet import Jet
from grashof.system.forms import Expression, curvature_of, rate_of

ENERGIES = ("kinetic", "potential", "energy")
CHECKED = 4
"""How many numbers follow the quantities and their rates, by which `adds_up` checks a run."""

AT_REST = 1e-6
"""The fraction of the potential energy included in the energy scale, so that round-off is not significant where nothing moves."""


def observed(
    dynamics: Dynamics,
    names: Sequence[str],
    t: Scalar,
    q: Sequence[Scalar],
    v: Sequence[Scalar],
    e: Sequence[Scalar],
) -> list[Scalar]:
    """The values of quantities (works up to a constant), then their rates; then the kinetic and potential energies and the work done, up to a constant,
    J, and the least cos(θ − f) of the angles that motors prescribe, which is 1 unless one of them slipped."""
    layout, system = dynamics.layout, dynamics.system
    motion = dynamics.motion(t, q, v, e)
    works = {f"work.{x.name}": work for x in system.model.acting if isinstance(work := x.work(motion), Jet)}
    measured_names = [f"{name}{end}" for end in ("", RATE) for name in system.model.quantities]
    known = [*measured_names, *ENERGIES, *(f"work.{name}" for name in layout.works), *works]
    for name in names:
        if name not in known:
            raise ModelError(
                f"There is no quantity '{name}' in mechanism '{system.model.name}'; {did_you_mean(name, known)}"
            )
    rates = dynamics.derivative(t, q, v, e)
    a, e_rates = rates[: dynamics.n], rates[dynamics.n :]

    def jet(expression: Expression) -> Jet:
        bent = rate_of(expression, q, a) + curvature_of(expression, v)
        return Jet(expression.at(q), rate_of(expression, q, v), bent)

    def measured(measure: MeasureBase) -> Jet:
        value = measure.value([jet(part) for part in measure_parts(system, measure)])
        found = value if isinstance(value, Jet) else Jet(value, 0.0, 0.0)
        return Jet(motion.turns[measure.name], found.first, found.second) if measure.name in motion.turns else found

    def pair(name: str) -> tuple[Scalar, Scalar]:
        if name in ENERGIES:
            parts = [energy(kind) for kind in (ENERGIES[:2] if name == "energy" else (name,))]
            return sum((x for x, _ in parts), 0.0), sum((x for _, x in parts), 0.0)
        if name.startswith("work.") and name.removeprefix("work.") in layout.works:
            k = layout.of_works.start - 2 * layout.n + layout.works.index(name.removeprefix("work."))
            return e[k], e_rates[k]
        if name in works:
            return works[name].value, works[name].first
        found = measured(system.model.quantities[name.removesuffix(RATE)])
        return (found.first, found.second) if name.endswith(RATE) else (found.value, found.first)

    def energy(kind: str) -> tuple[Scalar, Scalar]:
        if kind == "kinetic":
            power: Scalar = 0.0
            for (i, j), x in system.mass.items():
                power = power + (x * (v[i] * a[i]) if i == j else x * (v[i] * a[j] + v[j] * a[i]))
            return dynamics.kinetic(v), power
        total, power = system.gravity.at(q), system.gravity.rate(v)
        for force in system.model.acting:
            stored = force.potential(motion)
            total = total + (stored.value if isinstance(stored, Jet) else stored)
            power = power + (stored.first if isinstance(stored, Jet) else 0.0)
        return total, power

    pairs = [pair(name) for name in names]
    return [
        *(value for value, _ in pairs),
        *(rate for _, rate in pairs),
        energy("kinetic")[0],
        energy("potential")[0],
        _done(dynamics, motion, e),
        _held(dynamics, t, q),
    ]


def balance(checked: np.ndarray) -> np.ndarray:
    """The energy-balance error, up to a constant, J, (…), from the numbers that follow the quantities, (…, CHECKED)."""
    kinetic, potential, done = (checked[..., i] for i in range(3))
    return np.asarray(kinetic + potential - done)


def adds_up(checked: np.ndarray, allowed: float) -> np.ndarray:
    """For runs with these numbers at m times, the first of which is the start, (…, m, CHECKED): whether energy changes only by work, and motors keep
    the angles that they prescribe.

    allowed   the permitted energy-balance error, relative to the energy scale of the motion
    """
    kinetic, potential, done, held = (checked[..., i] for i in range(CHECKED))
    unexplained = balance(checked)
    moving = np.max(kinetic, axis=-1) + np.ptp(potential, axis=-1) + np.ptp(done, axis=-1)
    moving += AT_REST * np.max(np.abs(potential), axis=-1)
    balanced = np.max(np.abs(unexplained - unexplained[..., :1]), axis=-1) <= allowed * moving
    return np.asarray(balanced & np.all(held > 0.0, axis=-1))


def _done(dynamics: Dynamics, motion: SystemState, e: Sequence[Scalar]) -> Scalar:
    """The work of all forces and motors that is not stored as potential energy, up to a constant, J."""
    layout = dynamics.layout
    total: Scalar = sum(e[layout.of_works.start - 2 * layout.n :], 0.0)
    for force in dynamics.system.model.acting:
        work = force.work(motion)
        if isinstance(work, Jet):
            total = total + work.value
    return total


def _held(dynamics: Dynamics, t: Scalar, q: Sequence[Scalar]) -> Scalar:
    """The least cos(θ − f) of the angles that motors prescribe as f."""
    system, least = dynamics.system, 1.0
    motion = SystemState(system, t, q, [0.0] * system.n)
    for motor in system.model.motors:
        if system.model.quantities[motor.target].winds and not motor.integrates:
            least = minimum(least, cos(motion.measure(motor.target).value - motor.value(t)))
    return least
