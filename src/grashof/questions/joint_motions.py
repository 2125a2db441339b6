"""The motion in a joint of a planar mechanism: the angle of a pin, the travel of a slider."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from grashof.formulation.natural.forms import Expression, as_expression
from grashof.formulation.natural.state import SystemState, measure_parts
from grashof.formulation.natural.system import System
from grashof.model.model import Model
from grashof.scalar import cos, sin


@dataclass(frozen=True, eq=False)
class JointMotion:
    """The motion of a joint's second body relative to the first. An angle has two parts, ℓ² sin θ and ℓ² cos θ; a
    travel has one, in m."""

    name: str
    bodies: tuple[str, str]
    parts: tuple[Expression, ...]
    length: float

    @property
    def unit(self) -> str:
        """rad or m"""
        return "rad" if len(self.parts) == 2 else "m"

    def read(self, motion: SystemState) -> tuple[float, float]:
        """The value (an angle within ±π) and its rate."""
        jets = [motion.jet(part) for part in self.parts]
        if len(jets) == 1:
            return float(jets[0].value), float(jets[0].first)
        s, c = jets
        rate = (c.value * s.first - s.value * c.first) / (s.value * s.value + c.value * c.value)
        return float(np.arctan2(s.value, c.value)), float(rate)

    def hold_at(self, value: float) -> list[Expression]:
        """Expressions, in m, that vanish where it has this value: two for an angle, since one alone would also
        vanish half a turn away."""
        if len(self.parts) == 1:
            return [self.parts[0] - value]
        sine, cosine = self.parts
        s, c = sin(value) / self.length, cos(value) / self.length
        return [sine * c - cosine * s, sine * s + cosine * c - self.length]


def joint_motions(system: System) -> tuple[JointMotion, ...]:
    """The motions of all pins, sliders and slots."""
    found = []
    for joint in system.model.joints:
        freedoms = joint.freedoms("")
        if freedoms:
            parts = tuple(as_expression(part) for part in measure_parts(system, freedoms[0]))
            found.append(JointMotion(joint.name, joint.bodies, parts, system.length))
    return tuple(found)


def driven_bodies(model: Model) -> tuple[str, ...]:
    """Bodies whose angle a motor drives."""
    targets = [model.all_measures.get(motor.target) for motor in model.motors]
    return tuple(target.bodies[-1] for target in targets if target is not None and target.winds and target.motion)
