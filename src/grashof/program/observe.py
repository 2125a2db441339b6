"""Quantities of a traced motion and their rates."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from grashof.common.errors import ModelError, did_you_mean
from grashof.formulation.natural.equations import Dynamics
from grashof.formulation.natural.resting import pushes
from grashof.formulation.natural.rigid import VIOLATIONS, squared_violations
from grashof.formulation.natural.state import SystemState
from grashof.model.state import RATE
from grashof.quantities.derived import PUSH, derived, derived_units
from grashof.scalar.functions import Scalar, cos, minimum, sqrt
from grashof.scalar.jet import Jet
from grashof.tape.differentiate import rates_of
from grashof.tape.node import Node
from grashof.tape.open import as_node

CHECKED = 4
"""How many numbers follow the quantities and their rates, by which `adds_up` checks a run."""

AT_REST = 1e-6
"""The fraction of the potential energy included in the energy scale, so that round-off is not significant where nothing moves."""


def observed(
    dynamics: Dynamics, names: Sequence[str], t: Node, q: Sequence[Node], v: Sequence[Node], e: Sequence[Node]
) -> list[Scalar]:
    """The values of quantities (of those `from_start` up to a constant), then their rates; then the kinetic and potential energies and the work done, up
    to a constant, J, and the least cos(θ − f) of the angles that motors prescribe, which is 1 unless one of them slipped."""
    motion, model = dynamics.motion(t, q, v, e), dynamics.system.model
    rates = dynamics.derivative(t, q, v, e)
    known = _quantities(dynamics, motion, rates[: dynamics.n], e)
    for name in names:
        if name not in known:
            hint = did_you_mean(name, known, at_most=3)
            raise ModelError(f"There is no quantity '{name}' in mechanism '{model.name}'; {hint}")
    values = [as_node(known[name]()) for name in names]
    return [
        *values,
        *rates_of(values, [t, *q, *v, *e], [1.0, *v, *map(as_node, rates)]),
        known["kinetic"](),
        known["potential"](),
        _done(dynamics, motion, e),
        _held(dynamics, t, q),
    ]


def from_start(name: str) -> bool:
    """Whether a quantity counts from the start: it is observed up to the constant that makes it zero there."""
    return name.startswith("work.") or name == "balance"


def _quantities(
    dynamics: Dynamics, motion: SystemState, a: Sequence[Scalar], e: Sequence[Scalar]
) -> dict[str, Callable[[], Scalar]]:
    """All quantities of a run by name (see `Trajectory`), given the accelerations and the extra states."""
    layout, system, model = dynamics.layout, dynamics.system, dynamics.system.model
    q, v, t = motion.q, motion.v, motion.time
    works = {x.name: work.value for x in model.acting if isinstance(work := x.work(motion), Jet)}
    works |= zip(layout.works, e[layout.of_works.start - layout.of_e.start :], strict=True)
    found: dict[str, Callable[[], Scalar]] = {
        "t": lambda: t,
        "kinetic": lambda: dynamics.kinetic(v),
        "potential": lambda: dynamics.potential(motion),
        "energy": lambda: found["kinetic"]() + found["potential"](),
        "balance": lambda: found["energy"]() - _done(dynamics, motion, e),
        **{f"work.{name}": partial(works.__getitem__, name) for name in works},
        **{name: partial(motion.integral, name) for name in model.integrals},
    }
    for name in model.quantities:
        found[name] = partial(_level, motion, name, "value")
        found[f"{name}{RATE}"] = partial(_level, motion, name, "first")
    for name in derived_units(model):
        if not name.startswith(PUSH):
            found[name] = partial(derived, system, q, v, a, name)
    for k, name in enumerate(layout.resting):
        found[f"{PUSH}{name}"] = partial(_push, dynamics, motion, k)
    for k, name in enumerate(VIOLATIONS):
        found[name] = partial(_violation, motion, a, k)
    return found


def _level(motion: SystemState, name: str, level: str) -> Scalar:
    return getattr(motion.measure(name), level)


def _push(dynamics: Dynamics, motion: SystemState, bounce: int) -> Scalar:
    return pushes(dynamics, motion)[bounce][1]


def _violation(motion: SystemState, a: Sequence[Scalar], level: int) -> Scalar:
    system = motion.system
    turns = [motion.turns[name] for name in system.tracked]
    return sqrt(squared_violations(system, motion.time, motion.q, motion.v, a, turns)[level])


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
    total: Scalar = sum(e[layout.of_works.start - layout.of_e.start :], 0.0)
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
