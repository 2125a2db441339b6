"""Joints that stick by dry friction of a given size, exactly.

    slips     the friction is F against the motion:  −d F,  d = sign(ṁ)
    sticks    ṁ = 0, held by what this takes, at most F

for the displacement m in a joint. What sticks is held by a row for velocities of its own, as long as the rows of all
that sticks are linearly independent. The others, such as all pins but one of a four-bar linkage that stands still, are
held by these rows, and their friction is a constant part of F.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from grashof.formulation.natural.resting import TINY, round_off, unit
from grashof.model.forces import ForceBase, Grip
from grashof.scalar.functions import Scalar, absolute, sqrt, where

if TYPE_CHECKING:
    from grashof.formulation.natural.equations import Dynamics
    from grashof.formulation.natural.state import SystemState

SLOW = 1e-13
"""A joint has come to rest if it slips backwards faster than this, relative to velocities of the mechanism and to that
after one radian, or its length, under the friction alone."""

MOVES = 100.0
"""What others hold is at rest up to this multiple of that speed."""


class GripState(NamedTuple):
    """A joint with dry friction at some instant.

    rate, acceleration   ṁ and m̈
    holds                the force or torque along m that holds it while it sticks by a row of its own; else zero
    sliding, sticking    the friction while it slips, and the largest one while it sticks
    small                a force or torque that is round-off
    slow                 a rate that is round-off
    """

    rate: Scalar
    acceleration: Scalar
    holds: Scalar
    sliding: Scalar
    sticking: Scalar
    small: Scalar
    slow: Scalar


@dataclass(frozen=True, eq=False)
class NaturalGrips:
    """The joints of a mechanism that stick by dry friction, in natural coordinates; states are x = [t, y]."""

    dynamics: Dynamics

    def look(self, x: Sequence[Scalar]) -> list[Scalar]:
        """The numbers of the joints with dry friction (see `GripState`), one after another; then v̇."""
        motion = self.dynamics.state(x)
        found = [number for now in grip_states(self.dynamics, motion) for number in now]
        return found + self.dynamics.accelerations(motion)[0]

    def margins(self, x: Sequence[Scalar]) -> list[Scalar]:
        """What must stay positive while nothing changes (see `margins`)."""
        motion = self.dynamics.state(x)
        return margins(grip_states(self.dynamics, motion), motion, self.dynamics.model.grips)


def grip_states(dynamics: Dynamics, motion: SystemState) -> list[GripState]:
    """The joints with dry friction, in the order of `Model.grips`."""
    a, multipliers = dynamics.accelerations(motion)
    small = round_off(dynamics.single_forces(motion), multipliers)
    found, limited, grips = [], dynamics.limited, grips_of(dynamics)
    first = len(limited.sticks) - len(grips)
    for k, (force, grip) in enumerate(grips, first):
        row = limited.sticks[k]
        measure = row.measures[0]
        scale = unit(measure, row.length)
        moving: list[Scalar] = []
        speeding = -row.bias(motion.time, motion.q, motion.v, ())
        for i, x in row.gradient(motion.time, motion.q, ()).items():
            speeding = speeding + x * a[i]
            moving.append(absolute(x * motion.v[i]))
        sliding, sticking = force.grip_limits(motion)
        found.append(
            GripState(
                motion.measure(grip.measure).first,
                speeding * (1.0 / scale),
                -multipliers[limited.first_stick + k] * scale,
                sliding,
                sticking,
                small * scale,
                slow_rate(dynamics, grip, sum(moving, 0.0) * (1.0 / scale), sticking),
            )
        )
    return found


def grips_of(dynamics: Dynamics) -> list[tuple[ForceBase, Grip]]:
    """The joints with dry friction, each with its force."""
    return [(force, grip) for force in dynamics.model.gripping for grip in force.grips()]


def slow_rate(dynamics: Dynamics, grip: Grip, speed: Scalar, friction: Scalar) -> Scalar:
    """A rate of a joint that is round-off, given velocities of the mechanism there, and its friction."""
    scale = unit(dynamics.model.quantities[grip.measure], dynamics.length)
    mass = sum(body.mass for body in dynamics.model.bodies) or 1.0
    return SLOW * (speed + sqrt(2.0 * (dynamics.length / scale) / (mass * scale * scale) * absolute(friction)))


def margins(states: Sequence[GripState], motion: SystemState, grips: Sequence[Grip]) -> list[Scalar]:
    """For each joint, what is positive while it goes on slipping, or while others hold it; and then for each joint the
    friction that it could bear in addition if it sticks; both are 1 where they do not apply."""
    slipping, bearing = list[Scalar](), list[Scalar]()
    for now, grip in zip(states, grips, strict=True):
        way, sticks = motion.slips[grip.name], motion.sticks[grip.name]
        slips = way * now.rate + now.slow + TINY
        stands = MOVES * (now.slow + TINY) - absolute(now.rate)
        own = where((sticks - 1.0) * (sticks - 1.0), stands, 1.0)
        slipping.append(where(sticks * sticks, own, slips))
        spare = now.sticking + now.small - absolute(now.holds)
        bearing.append(where(sticks * (2.0 - sticks), spare, 1.0))
    return slipping + bearing


def holds(dynamics: Dynamics, motion: SystemState) -> list[tuple[str, Scalar]]:
    """Forces and torques by which joints with dry friction stick: the measure, and the effort along it, N or N m."""
    grips = grips_of(dynamics)
    if not grips:
        return []
    return [(grip.measure, now.holds) for (_, grip), now in zip(grips, grip_states(dynamics, motion), strict=True)]


def frictions(dynamics: Dynamics, motion: SystemState) -> dict[str, Scalar]:
    """The dry friction of each joint along its displacement, N or N m, by the name of the force."""
    grips = grips_of(dynamics)
    states = grip_states(dynamics, motion) if grips else []
    return {
        grip.name: now.holds - motion.slips[grip.name] * now.sliding
        for (_, grip), now in zip(grips, states, strict=True)
    }
