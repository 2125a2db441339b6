"""Why a mechanism cannot be assembled, or cannot move as described, in a sentence that names the cause."""

from __future__ import annotations

import math
import re

import numpy as np

from grashof.common.errors import ModelError
from grashof.common.wording import quote_first
from grashof.formulation.natural.closing import Positions, close, is_closed
from grashof.formulation.natural.rigid import RigidFields
from grashof.formulation.natural.state import SystemState
from grashof.formulation.natural.system import System
from grashof.model.contradictions import motor_against_need
from grashof.model.loops import find_loops

MASSLESS = 1e-11
"""A motion that moves less than this fraction of a typical mass moves none."""


def explain_gap(positions: Positions, guess: np.ndarray, q: np.ndarray) -> ModelError:
    """What cannot be met, and by how much: q is as near as it gets, from `guess`."""
    system = positions.dynamics.system
    name = system.model.name
    if against := motor_against_need(system.model):
        return ModelError(f"Mechanism '{name}': {against}")
    joints_only = Positions(positions.dynamics, positions.time, turns=positions.turns)
    needs = any(need.value is not None for need in system.model.start.needs)
    if needs and is_closed(joints_only, close(joints_only, guess)[2]):
        motors = [row.owner for row in system.driving]
        driven = f" while {quote_first(motors)} {'holds' if len(motors) == 1 else 'hold'}" if motors else ""
        return ModelError(
            f"Mechanism '{name}': the loops can be closed, but the needs of the start cannot be met{driven} "
            f"({'; '.join(_missed_needs(system, q))} at best). Change that value or give a guess closer to it."
        )
    if system.couplings:
        rows = joints_only.errors(q)[len(system.rows) :]
        off = " and ".join(
            f"'{row.owner}' ({'no value at this position' if np.isnan(x) else f'off by {abs(x):.3g} m'})"
            for row, x in zip(system.couplings, rows, strict=True)
        )
        kind = "motors" if len(system.driving) == len(system.couplings) else "couplings"
        return ModelError(
            f"Mechanism '{name}' cannot be assembled with its {kind} at t = {positions.time:g} s: {off}. They "
            "contradict each other or require a position that the loops cannot reach; change or remove one of them."
        )
    try:
        gaps = _gaps(system, q)
    except ZeroDivisionError:
        return ModelError(
            f"Mechanism '{name}' cannot be assembled: a body collapsed to a point on the way from the guess. "
            "Check lengths and axes, or give a guess closer to the intended position."
        )
    loops = list(find_loops(system.model).closed.values())
    if not loops:
        worst = max(gaps, key=lambda joint: gaps[joint])
        return ModelError(f"Mechanism '{name}' cannot be assembled: joint '{worst}' has a gap of {gaps[worst]:.3g} m.")
    loop = max(loops, key=lambda loop: sum(gaps[joint] for joint in loop.joints))
    return ModelError(
        f"Mechanism '{name}': the loop {loop} cannot close at joint '{loop.joints[0]}': "
        f"{sum(gaps[joint] for joint in loop.joints):.3g} m are missing. "
        "Check the lengths in that loop, or give a guess closer to the intended position."
    )


def _missed_needs(system: System, q: np.ndarray) -> list[str]:
    """By how much each need is missed, in its unit."""
    state = SystemState(system, system.model.start.time, list(q), [0.0] * len(q))
    found = []
    for need in system.model.start.needs:
        if need.value is not None:
            unit = system.model.quantities[need.quantity].unit
            off = float(state.measure(need.quantity).value) - need.value
            off = math.remainder(off, 2.0 * math.pi) if unit == "rad" else off
            found.append(f"{need.quantity} is off by {abs(off):.3g} {unit}")
    return found


def _gaps(system: System, q: np.ndarray) -> dict[str, float]:
    """How far each joint is from being whole, with every body rigid, m."""
    still = np.zeros(len(q))
    fields = RigidFields(system, list(q), list(still), list(still))
    return {
        joint.name: float(np.sqrt(sum(row.value**2 for row in joint.equations(fields))))
        for joint in system.model.joints
    }


def mirrored_bodies(system: System, q: np.ndarray) -> list[str]:
    """The bodies in space that came out as their mirror images."""
    places = q.tolist()
    frames = system.frames.items()
    return [name for name, frame in frames if frame.mirrorable and not frame.handedness(places) > 0.0]


def check_mass(positions: Positions, q: np.ndarray) -> None:
    """Everything that can move must move some mass: no direction δ has J δ = 0 and M δ = 0, where J includes the rows
    for velocities only."""
    dynamics = positions.dynamics
    if not dynamics.uneven:
        return
    system = dynamics.system
    gradients = positions.gradients(q)
    gradients += [row.gradient(positions.time, q.tolist(), positions.turns) for row in system.slips]
    inertias = [(float(row.inertance), row.gradient(q.tolist())) for row in dynamics.inertias]
    resistance, direction = dynamics.energies.least_resistance(gradients, inertias, 1e-3 * MASSLESS)
    if resistance < MASSLESS:
        label = system.labels[int(np.argmax(np.abs(direction)))]
        body, _, rest = label.partition(".")
        # users know bodies and points, but not the directions that describe attitudes
        what = f"body '{body}'" if re.fullmatch(r"direction\d\.[xyz]", rest) else label
        raise ModelError(
            f"Mechanism '{system.model.name}': {what} can move although nothing that moves with it has mass; "
            "give the body mass (and inertia), or hold it with a joint."
        )
