"""Torques on bodies, given in files in the axes of the world or of a body, as torques along angles."""

from __future__ import annotations

import numpy as np

from grashof.exchange.draft import Draft
from grashof.exchange.frames import across
from grashof.model.bodies import GROUND
from grashof.model.fields import unit
from grashof.model.forces import Torque
from grashof.model.joints import Joint
from grashof.model.measures import Angle, angles_between


class NotOurs(Exception):
    """The reason why a force cannot be represented in Grashof."""


def twist(draft: Draft, name: str, body: str, reference: str, axis: np.ndarray, torque: float | str) -> None:
    """A torque about an axis that no joint between the two bodies and the ground ever tilts."""
    for end in (body, reference):
        while end != GROUND:
            end, joint = draft.parents.get(end, (GROUND, None))
            if not _keeps(draft, joint, axis):
                raise NotOurs(
                    "a torque is supported only if its axis is parallel to that of all joints on the path to "
                    "the ground, and here it may tilt"
                )
    if body == GROUND:
        body, reference, torque = reference, body, -torque if isinstance(torque, float) else f"-({torque})"
    if body == reference:
        raise NotOurs("both of its bodies are the same")
    own = tuple(map(float, draft.placed[reference].axes.T @ axis))
    zero = across(unit(own))
    seen = draft.placed[body].axes.T @ draft.placed[reference].axes @ np.array(zero)
    for known in angles_between(draft.measures.values(), body, reference):
        if np.allclose(known.axis, own, rtol=0.0, atol=1e-12):
            draft.push(Torque(name=name, angle=known.name, torque=torque))
            return
    measure = draft.measure(Angle(f"{name}_angle", body, reference, unit(own), zero, unit(tuple(map(float, seen)))))
    draft.push(Torque(name=name, angle=measure, torque=torque))


def _keeps(draft: Draft, joint: Joint | None, axis: np.ndarray) -> bool:
    """Whether a joint lets its bodies turn about this axis alone, if at all."""
    if joint is None or joint.motions is None:
        return False
    for motion in joint.motions:
        if motion.kind != "slide":
            if motion.axis_a is None:
                return False
            heading = draft.placed[joint.bodies[0]].axes @ np.array(motion.axis_a)
            if np.linalg.norm(np.cross(heading, axis)) >= 1e-9:
                return False
    return True
