"""Damping, friction and limits of a joint's coordinate, as robots of ROS and Gazebo have them."""

from __future__ import annotations

import re

import msgspec

from grashof.exchange.draft import Draft
from grashof.model.forces import Pull, Stop, TorsionSpring

STOPPING = 50.0
"""rad/s: a limit is a compliant stop on which a joint, with all that it moves, would vibrate at this frequency if it
were not critically damped. These formats do not say how limits act; 0.02 s is also the time constant of MuJoCo's
default."""


_DAMPER = re.compile(r"-([\d.]+(?:e[-+]?\d+)?)\*`(.*)\.rate`", re.DOTALL)


def add_damping(draft: Draft, name: str, measure: str, damping: float) -> None:
    """A torque, or along slides a force, −d q̇."""
    if damping and draft.measures[measure].winds:
        draft.push(TorsionSpring(name=f"damping {name}", angle=measure, damping=damping))
    elif damping:
        draft.push(Pull(name=f"damping {name}", measure=measure, force=f"-{damping!r}*`{measure}.rate`"))


def damping_of(force: TorsionSpring | Pull) -> float | None:
    """The coefficient of a damper along a coordinate, as `add_damping` makes it; None if the force is another one."""
    if isinstance(force, Pull):
        found = _DAMPER.fullmatch(force.force) if isinstance(force.force, str) else None
        return float(found[1]) if found is not None and found[2] == force.measure else None
    if force.varies or force.number(force.stiffness):
        return None
    return float(force.number(force.damping))


def add_limits(
    draft: Draft, name: str, measure: str, limits: tuple[float | None, float | None], inertia: float, how: str
) -> None:
    """A stop for all that the joint moves, which has this inertia; `how` is "compliant" or "rigid"."""
    stop = Stop(name=f"limit {name}", measure=measure, lower=limits[0], upper=limits[1])
    if how == "rigid":
        draft.push(msgspec.structs.replace(stop, restitution=0.0))
    elif inertia > 0.0:  # otherwise there is no motion to stop
        stiffness, viscous = inertia * STOPPING * STOPPING, 2.0 * inertia * STOPPING
        draft.push(msgspec.structs.replace(stop, stiffness=stiffness, exponent=1.0, viscous=viscous))
