"""Negative principal moments of inertia, which no body has: they are accepted where a body is welded to others with
which it has a positive inertia, so that the kinetic energy is never negative."""

from __future__ import annotations

import numpy as np

from grashof.common.errors import ModelError
from grashof.model.bodies import GROUND, Body
from grashof.model.fields import body_of, cross
from grashof.model.joints import Joint
from grashof.model.model import Model
from grashof.model.validation import ROUND_OFF

NOTHING = 1e-15
"""Negative moments are round-off if they are smaller than this fraction of the largest second moment ∫ x² dm in the
mechanism."""
Place = tuple[np.ndarray, np.ndarray]
"""Origin and axes (columns) of a body."""


def check_inertias(model: Model) -> None:
    """Refuses bodies with a negative principal moment of inertia that can move, unless the bodies that are welded to
    them make it positive."""
    if model.dimension == 2:
        return
    known = {body.name: body for body in model.bodies}
    negative = {body.name: moments for body in model.bodies if (moments := body.negative_moments())}
    largest = (
        max((second for body in model.bodies for second, _ in body.second_moments()), default=0.0) if negative else 0.0
    )
    for name, moments in negative.items():
        if moments[0] >= -NOTHING * largest:
            continue
        body = known[name]
        group = _welded(model, body.name)
        if GROUND in group or _is_positive([(known[name], place) for name, place in group.items()]):
            continue
        said = ", ".join(f"{x:.6g}" for x in moments)
        raise ModelError(
            f"Body '{body.name}': inertia with the principal moments {said} kg m²; none may be negative, "
            "unless the bodies that it is welded to make up for it (products of inertia are the matrix entries: "
            "I_xy = −∫ x y dm)."
        )


def _welded(model: Model, body: str) -> dict[str, Place]:
    """The bodies that are rigidly joined to one, and where they are as seen from it."""
    near: dict[str, list[tuple[Joint, bool]]] = {}
    for joint in model.joints:
        if joint.motions == ():
            near.setdefault(body_of(joint.a), []).append((joint, False))
            near.setdefault(body_of(joint.b), []).append((joint, True))
    found: dict[str, Place] = {body: (np.zeros(3), np.eye(3))}
    waiting = [body]
    while waiting:
        here = waiting.pop()
        origin, axes = found[here]
        for joint, back in near.get(here, ()):
            there = body_of(joint.a if back else joint.b)
            if there in found:
                continue
            ends = (joint.b, joint.a) if back else (joint.a, joint.b)
            own, other = (_frame(joint, side) for side in ("ba" if back else "ab"))
            turned = axes @ own @ other.T
            at = origin + axes @ np.array(model.points[ends[0]])
            found[there] = at - turned @ np.array(model.points[ends[1]]), turned
            waiting.append(there)
    return found


def _frame(joint: Joint, side: str) -> np.ndarray:
    given = dict(joint.directions())
    x, y = given[f"axis_{side}"], given[f"normal_{side}"]
    return np.column_stack([x, y, cross(x, y)])


def _is_positive(group: list[tuple[Body, Place]]) -> bool:
    """Whether bodies have a positive inertia together: Σ R I Rᵀ + m (d² 1 − d dᵀ) about their common centre."""
    masses = np.array([body.mass for body, _ in group])
    centers = np.array([origin + axes @ np.array(body.mass_center(3)) for body, (origin, axes) in group])
    middle = masses @ centers / masses.sum() if masses.any() else np.zeros(3)
    total = np.zeros((3, 3))
    for (body, (_, axes)), mass, center in zip(group, masses, centers, strict=True):
        d = center - middle
        total += mass * (d @ d * np.eye(3) - np.outer(d, d))
        for second, axis in body.second_moments():
            total += second * (np.eye(3) - np.outer(axes @ axis, axes @ axis))
    moments = np.linalg.eigvalsh(total)
    return bool(moments[0] >= -ROUND_OFF * abs(moments).max())
