"""The nearest consistent mechanism, if joints are redundant and contradict each other slightly.

Axes that should be parallel and lengths that should be equal come from drawings with errors of 1e-9 to 1e-5. Joints
that should merely repeat each other then lock the mechanism, or leave no admissible position at all. With the poses x
of the bodies and the geometry g (points, directions, lengths; relative to ℓ, in rad), the joints require r(x, g) = 0.
At a position where

    r_x has singular values below TOLERANCE × fit, with left singular vectors w,

moving the bodies cannot change wᵀ r, but changing the geometry can. Among the small δg that satisfy wᵀ (r + r_g δg) = 0
at many positions along the motion, and that make nearly special geometry exactly special (see `special`), the smallest
is chosen, by Gauss–Newton. Special geometry comes first because r alone, to first order, is also satisfied by
neighbours that are no simpler than the given geometry: a planar linkage is close to spherical ones whose axes meet very
far away.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from grashof.assembly.guess import place_bodies
from grashof.common.errors import ModelError
from grashof.formulation.natural.closing import CLOSED
from grashof.geometry import special
from grashof.geometry.shape import EXACT, BodyPose, GeometryChange, Shape
from grashof.model.bodies import GROUND
from grashof.model.given import number
from grashof.model.model import Model

Made = TypeVar("Made")

NOISE = 1e-6
"""Contradictions up to this size are taken for rounding of the numbers given, relative to ℓ and in rad."""

TOLERANCE = 30.0
"""Singular values below this multiple of `fit` are attributed to errors of size `fit` in the geometry."""

NEARLY = 4.0
"""Directions and lengths that differ by less than this multiple of `fit` are assumed to be parallel or equal."""

STRIDE, STEPS, WALKS = 0.15, 5, 6
"""Sampled positions are STRIDE apart (rad, or lengths of the mechanism), STEPS of them on each of WALKS paths from
the start."""

ILL_CONDITIONED = 1e-8
"""Singular values below this, relative to the largest, impose no condition on the geometry."""

SMALL_PART = 1e-3
"""Changes below this fraction of the largest one may be errors of the first step, which are of second order."""

LIMITS = (1e-8, 1e-6, 2e-5, 3e-4, 2e-3)
"""Sizes of contradictions that are looked for if a mechanism cannot be assembled or cannot move, relative to ℓ and
in rad."""

PARTS = (1.0, 1 / 4, 1 / 16, 1 / 64)
"""If nothing is found within `fit`, these fractions of it are tried: with a large `fit`, things that are only nearly
equal by chance are made equal, and then nothing fits together."""

LARGEST_FIT = 1e-2
"""Larger changes would make it a different mechanism."""

SHOWN = 3
"""How many changes a sentence names."""

LARGEST = 150
"""Largest number of bodies for which contradictions are analysed; this takes some seconds."""


@dataclass(frozen=True)
class Fit:
    """The nearest consistent mechanism, the changes, largest first, and the largest change relative to ℓ or in rad."""

    model: Model
    changes: tuple[GeometryChange, ...]
    size: float

    def __str__(self) -> str:
        """The changes in words: the largest ones, and how many more there are."""
        named, more = ", ".join(map(str, self.changes[:SHOWN])), len(self.changes) - SHOWN
        return f"{named} and {more} more change{'s' * (more > 1)}" if more > 0 else named


class Contradiction(ModelError):
    """Joints are redundant and contradict each other.

    nearest   the nearest mechanism that fits together
    """

    def __init__(self, name: str, nearest: Fit) -> None:
        enough = 10.0 ** math.ceil(math.log10(2.0 * nearest.size))
        super().__init__(
            f"Mechanism '{name}': its joints are redundant and contradict each other by {nearest.size:.2g} "
            f"(rad, or relative to its length), so it cannot move. They would fit together with {nearest}. "
            f"Correct these, or use the nearest mechanism that fits together, with fit={enough:g} (--fit {enough:g})."
        )
        self.nearest = nearest


def with_fitting_geometry(model: Model, fit: float | None, make: Callable[[Fit], Made]) -> Made:
    """What `make` makes of the mechanism or, if `fit` is given, of the nearest one whose joints fit together.

    If `fit` is not given and joints contradict each other by no more than NOISE, that is done as well, with a warning.
    """
    try:
        return make(fit_geometry(model, fit))
    except Contradiction as problem:
        nearest = problem.nearest
        if fit is not None or nearest.size > NOISE:
            raise
    warnings.warn(
        f"Mechanism '{model.name}': its joints are redundant and contradict each other by {nearest.size:.2g} (rad, or "
        f"relative to its length), as rounded numbers do. The nearest mechanism that fits together is used: {nearest}. "
        "With fit=0 (--fit 0) it is refused instead.",
        stacklevel=3,
    )
    return make(nearest)


def fit_geometry(model: Model, fit: float | None) -> Fit:
    """The mechanism itself or, if `fit` is given and not zero, the nearest consistent one; raises ModelError if there
    is none within `fit`."""
    limit = 0.0 if fit is None else number("fit", fit)
    if not 0.0 <= limit <= LARGEST_FIT:
        raise ModelError(f"fit is {fit}; it must be at least zero and at most {LARGEST_FIT:g}.")
    if not limit:
        return Fit(model, (), 0.0)
    tried = (fit_together(model, part * limit) for part in PARTS)
    found = next((one for one in tried if one is not None), None)
    if found is None:
        raise ModelError(
            f"Mechanism '{model.name}': no mechanism that fits together was found within fit={limit:g} of this one. "
            "Check lengths and axes, or allow a larger fit."
        )
    return found


def contradiction(model: Model) -> Contradiction | None:
    """The error that joints are redundant and contradict each other, which ones and by how much; None if they do
    not."""
    if not model.joints or len(model.bodies) > LARGEST:
        return None
    walk = _Walk(Shape(model), LIMITS[-1])
    if not walk.contradiction(walk.first_position()) <= walk.small:
        return None
    for limit in LIMITS:
        found = fit_together(model, limit)
        if found is None or not found.changes:
            continue
        return Contradiction(model.name, found)
    return None


@contextmanager
def contradictions_told(model: Model) -> Iterator[None]:
    """Reports errors raised inside as contradictions, if slightly contradictory joints are their cause, and failing
    arithmetic as a ModelError."""
    with np.errstate(all="ignore"):
        try:
            try:
                yield
            except Contradiction:
                raise
            except ModelError as problem:
                raise contradiction(model) or problem from None
        except (ArithmeticError, np.linalg.LinAlgError):
            raise ModelError(
                f"Mechanism '{model.name}': some of its numbers are too large, or differ too much in size, to compute "
                "with; check lengths, masses, laws and units."
            ) from None


def fit_together(model: Model, fit: float) -> Fit | None:
    """The nearest consistent mechanism whose geometry is within `fit` (relative to the mechanism's length, and in rad)
    of the given one.

    None if none was found; the mechanism itself, without changes, if its joints do not contradict each other.
    """
    if not model.joints:
        return Fit(model, (), 0.0)
    walk = _Walk(Shape(model), fit)
    poses = walk.first_position()
    if not walk.contradiction(poses) <= walk.small:
        return None
    if max(walk.contradiction(sample) for sample in walk.samples(poses)) < CLOSED:
        return Fit(model, (), 0.0)
    for right_angles, sparse in ((True, True), (False, True), (False, False)):
        found = _fit(model, fit, poses, right_angles, sparse)
        if found is not None:
            return found
    return None


def _fit(model: Model, fit: float, poses: dict[str, BodyPose], right_angles: bool, sparse: bool) -> Fit | None:
    """One attempt. `right_angles`: makes angles exact that are nearly right angles; `sparse`: keeps what the first
    step would change only slightly."""
    shape = Shape(model)
    walk = _Walk(shape, fit)
    special.make_parallel(shape, poses, NEARLY * fit)
    samples = walk.samples(walk.settle(poses))
    active, last = np.ones(shape.count, bool), np.inf
    for count in range(8):
        matrix, right = walk.conditions(samples, right_angles)
        off = float(np.max(np.abs(right), initial=0.0))
        if off < EXACT:
            return Fit(shape.fitted_model(), shape.changes(), shape.size)
        if count > 2 and off > 0.5 * last:
            return None  # Newton's method would have converged by now
        last = off
        change = np.zeros(shape.count)
        # the w are only as accurate as the geometry is so far, and so are the smallest singular values
        rcond = max(ILL_CONDITIONED, TOLERANCE * off)
        change[active] = np.linalg.lstsq(matrix[:, active], -right, rcond=rcond)[0]
        if sparse and np.all(active):
            active = np.abs(change) > SMALL_PART * np.max(np.abs(change))
            change[~active] = 0.0
        shape.move(change)
        if shape.size > fit:
            return None
        samples = [walk.settle(sample) for sample in samples]
    return None


class _Walk:
    """Positions along the motion that the mechanism should have."""

    def __init__(self, shape: Shape, fit: float) -> None:
        self.shape, self.fit, self.small = shape, fit, TOLERANCE * fit

    def conditions(self, samples: list[dict[str, BodyPose]], right_angles: bool) -> tuple[np.ndarray, np.ndarray]:
        """The conditions on the geometry: rows of derivatives with respect to its parameters, and the residuals."""
        given = special.conditions(self.shape, NEARLY * self.fit, right_angles)
        equations = [np.array([row for row, _ in given]).reshape(-1, self.shape.count)]
        rest = [np.array([missing for _, missing in given])]
        for sample in samples:
            residual, by_pose, by_shape = self.shape.evaluate(sample)
            u, s, _ = np.linalg.svd(by_pose)
            left = u[:, int(np.sum(s > self.small)) :].T
            equations.append(left @ by_shape)
            rest.append(left @ residual)
        return np.vstack(equations), np.concatenate(rest)

    def first_position(self) -> dict[str, BodyPose]:
        """The position in which the loops are closed as well as possible, starting from the guess."""
        placed = place_bodies(self.shape.model)
        return self._descend({name: BodyPose(*placed[name]) for name in (GROUND, *self.shape.bodies)})

    def contradiction(self, poses: dict[str, BodyPose]) -> float:
        """The largest residual, relative to ℓ."""
        return float(np.max(np.abs(self.shape.evaluate(poses)[0]), initial=0.0))

    def samples(self, poses: dict[str, BodyPose]) -> list[dict[str, BodyPose]]:
        """The given position and others on several paths from it, as long as the number of small singular values is
        the same."""
        found = [poses]
        s = np.linalg.svd(self.shape.evaluate(poses)[1], compute_uv=False)
        rank = int(np.sum(s > self.small))
        freedoms = self.shape.size_of_twist * len(self.shape.bodies)
        rng = np.random.default_rng(1)
        for _ in range(WALKS if rank < freedoms else 0):
            here, direction = poses, rng.normal(size=freedoms)
            for _ in range(STEPS):
                _, s, vt = np.linalg.svd(self.shape.evaluate(here)[1])
                free = vt[int(np.sum(s > self.small)) :]
                direction = free.T @ (free @ direction)
                direction *= STRIDE / max(float(np.max(np.abs(direction))), 1e-300)
                here = self.settle(self.shape.moved(here, direction), rank)
                s = np.linalg.svd(self.shape.evaluate(here)[1], compute_uv=False)
                if self.contradiction(here) > self.small or int(np.sum(s > self.small)) != rank:
                    break
                found.append(here)
        return found

    def _descend(self, poses: dict[str, BodyPose]) -> dict[str, BodyPose]:
        """Levenberg–Marquardt towards closed loops; directions that only tiny singular values constrain are not
        changed."""
        damping = 1e-2
        residual, by_pose, _ = self.shape.evaluate(poses)
        for _ in range(100):
            normal = by_pose.T @ by_pose
            step = np.linalg.solve(normal + damping * np.eye(len(normal)), -by_pose.T @ residual)
            step *= min(1.0, 0.5 / max(float(np.max(np.abs(step))), 1e-300))
            trial = self.shape.moved(poses, step)
            found, slopes, _ = self.shape.evaluate(trial)
            if found @ found < residual @ residual:
                poses, residual, by_pose, damping = trial, found, slopes, max(0.2 * damping, self.small**2)
                if np.max(np.abs(step)) < 0.1 * self.small:
                    break
            elif damping > 1e8:
                break
            else:
                damping *= 10.0
        return self.settle(poses)

    def settle(self, poses: dict[str, BodyPose], most: int | None = None) -> dict[str, BodyPose]:
        """Newton's method in the directions in which moving the bodies reduces the residuals.

        most   the largest number of directions: as long as loops are open, redundant joints do not look redundant
        """
        for _ in range(6):
            residual, by_pose, _ = self.shape.evaluate(poses)
            if not np.all(np.isfinite(by_pose)):  # LAPACK might not return
                raise np.linalg.LinAlgError("numbers that are not finite")
            u, s, vt = np.linalg.svd(by_pose, full_matrices=False)
            rank = int(np.sum(s[:most] > self.small))
            rest = u[:, :rank].T @ residual
            if np.max(np.abs(rest), initial=0.0) < EXACT:
                break
            poses = self.shape.moved(poses, -vt[:rank].T @ (rest / s[:rank]))
        return poses
