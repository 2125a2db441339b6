"""The nearest mechanism that fits together: joints that are redundant, but contradict each other by a little.

Axes that should be parallel and lengths that should be equal come from drawings with errors of 1e-9 to 1e-5. Joints that would
only repeat each other then lock the mechanism, or leave no position at all. With the poses x of the bodies and the geometry g (points,
directions, lengths; relative to ℓ, in rad), the joints ask for r(x, g) = 0. At a position where

    r_x has singular values below TOLERANCE × fit, with left singular vectors w,

moving the bodies cannot change wᵀ r; moving the geometry can. Directions that are nearly parallel there are made parallel, and of the
small δg that make nearly equal lengths equal, and wᵀ (r + r_g δg) = 0 at many positions along the motion, the smallest is taken, by
Gauss–Newton. Parallel and equal come first because r alone, to first order, is also satisfied by neighbours that are no simpler than
what was given: a planar linkage is next to spherical ones whose axes meet very far away.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, pairwise

import msgspec
import numpy as np

from grashof.analysis.guess import place_bodies
from grashof.model.bodies import GROUND, Bar, Body
from grashof.model.fields import Vector, body_of, unit
from grashof.model.joints import Distance, Joint
from grashof.model.model import Model
from grashof.scalar.jet import Jet
from grashof.system.system import length_scale

TOLERANCE = 30.0
"""Singular values below this times `fit` come from geometry that is off by `fit`."""

NEARLY = 4.0
"""Directions and lengths that differ by less than this times `fit` are meant to be parallel and equal."""

MOST_POINTS = 20
"""Jointed points of a body whose distances from each other are compared."""

STRIDE, STEPS, WALKS = 0.15, 5, 6
"""Positions are taken every STRIDE (rad, or lengths of the mechanism), so many on each of so many ways from the start."""

EXACT = 1e-14
"""A residual that is round-off, relative to ℓ."""

ILL_CONDITIONED = 1e-8
"""Smaller singular values, relative to the largest, are no condition on the geometry."""

SMALL_PART = 1e-3
"""Moves below this part of the largest one may be errors of the first step, which are of second order."""

LARGEST = 150
"""Bodies up to which a contradiction is looked into, in some seconds."""


@dataclass(frozen=True)
class Change:
    """What was moved, by how much, and its unit: a point or length in m, a direction in rad."""

    what: str
    amount: float
    unit: str

    def __str__(self) -> str:
        verb = "turned" if self.unit == "rad" else "moved"
        return f"{self.what} {verb} by {self.amount:.2g} {self.unit}"


@dataclass(frozen=True)
class Fit:
    """The nearest mechanism that fits together, what was moved, largest first, and the largest move relative to ℓ or in rad."""

    model: Model
    changes: tuple[Change, ...]
    size: float


def fit_together(model: Model, fit: float) -> Fit | None:
    """The nearest consistent mechanism whose geometry is within `fit` (relative to the mechanism's length, and in rad) of this one.

    None if none was found; the mechanism itself, with no changes, if its joints do not contradict each other.
    """
    work = _Fitting(model, fit)
    poses = work.first_position()
    if work.contradiction(poses) > work.small:
        return None
    if max(work.contradiction(sample) for sample in work.samples(poses)) < EXACT:
        return Fit(model, (), 0.0)
    return _fit(model, fit, poses, sparse=True) or _fit(model, fit, poses, sparse=False)


def _fit(model: Model, fit: float, poses: dict[str, _Pose], sparse: bool) -> Fit | None:
    """`sparse` leaves alone what the first step would move by a small part of the largest move only."""
    work = _Fitting(model, fit)
    work.make_parallel(poses)
    samples = work.samples(work.settle(poses))
    active = np.ones(work.count, bool)
    for _ in range(8):
        matrix, right = work.conditions(samples)
        off = float(np.max(np.abs(right), initial=0.0))
        if off < EXACT:
            return Fit(work.fitted_model(), work.changes(), work.size)
        change = np.zeros(work.count)
        # the w are as inexact as the geometry still is, and with them the smallest singular values
        rcond = max(ILL_CONDITIONED, TOLERANCE * off)
        change[active] = np.linalg.lstsq(matrix[:, active], -right, rcond=rcond)[0]
        if sparse and np.all(active):
            active = np.abs(change) > SMALL_PART * np.max(np.abs(change))
            change[~active] = 0.0
        work.move(change)
        if work.size > fit:
            return None
        samples = [work.settle(sample) for sample in samples]
    return None


class _Fitting:
    """The joints of a model as functions of poses and geometry; `shape` is how far the geometry has been moved."""

    def __init__(self, model: Model, fit: float) -> None:
        self.model = model
        self.size_of_twist = 3 if model.dimension == 2 else 6
        self.turns = 1 if model.dimension == 2 else 3
        self.length = length_scale(model)
        self.fit, self.small = fit, TOLERANCE * fit
        self.turned: dict[tuple[str, str], float] = {}
        self.bodies = [body.name for body in model.bodies]
        self.points: dict[str, np.ndarray] = {name: np.array(x) for name, x in model.points.items()}
        self.joints: list[Joint] = list(model.joints)
        self.columns: dict[tuple[str, str], slice] = {}
        self.count = 0
        bars = {body.name for body in model.bodies if isinstance(body, Bar)}
        for joint in model.joints:
            for reference in (joint.a, joint.b):
                body, _, name = reference.rpartition(".")
                # the ends of a bar are on its axis: only its length can change
                free = {"start": 0, "end": 1}.get(name, model.dimension) if body in bars else model.dimension
                self._allot("point", reference, free)
            for side in "ab":
                if any(field.endswith(side) and direction for field, direction in joint.directions()):
                    self._allot(side, joint.name, self.turns)
            if isinstance(joint, Distance):
                self._allot("length", joint.name, 1)
        self.shape = np.zeros(self.count)

    def _allot(self, kind: str, name: str, count: int) -> None:
        if (kind, name) not in self.columns:
            self.columns[kind, name] = slice(self.count, self.count + count)
            self.count += count

    @property
    def size(self) -> float:
        """The largest move of a point or length, relative to ℓ, and turn of a direction, rad."""
        moved = [float(np.linalg.norm(self.shape[where])) for where in self.columns.values()]
        return max([0.0, *moved, *self.turned.values()])

    # -- equations

    def evaluate(self, poses: dict[str, _Pose]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The residuals of all joints over ℓ, and their derivatives by twists of the bodies and by the geometry."""
        residuals, by_pose, by_shape = [], [], []
        twist = self.size_of_twist
        place = {name: slice(twist * k, twist * k + twist) for k, name in enumerate(self.bodies)}
        for joint in self.joints:
            fields = _Local(self, joint, poses)
            rows = [x if isinstance(x, Jet) else Jet(x, np.zeros(fields.count), 0.0) for x in fields.equations()]
            rates = np.array([row.first for row in rows]) / self.length
            residuals += [row.value / self.length for row in rows]
            moved, shaped = np.zeros((len(rows), twist * len(self.bodies))), np.zeros((len(rows), self.count))
            for key, where in fields.columns.items():
                if key[0] == "body" and key[1] != GROUND:
                    moved[:, place[key[1]]] += rates[:, where]
                elif key in self.columns:
                    shaped[:, self.columns[key]] += rates[:, where]
            by_pose.append(moved)
            by_shape.append(shaped)
        return np.array(residuals), np.vstack(by_pose), np.vstack(by_shape)

    def conditions(self, samples: list[dict[str, _Pose]]) -> tuple[np.ndarray, np.ndarray]:
        """What the geometry has to meet: rows by its parameters, and what is missing."""
        equations, rest = self._equal_lengths()
        for sample in samples:
            residual, by_pose, by_shape = self.evaluate(sample)
            u, s, _ = np.linalg.svd(by_pose)
            left = u[:, int(np.sum(s > self.small)) :].T
            equations.append(left @ by_shape)
            rest.append(left @ residual)
        return np.vstack(equations), np.concatenate(rest)

    # -- positions

    def first_position(self) -> dict[str, _Pose]:
        """From the guess to where the loops are closed as well as they can be."""
        placed = place_bodies(self.model)
        return self._descend({name: _Pose(*placed[name]) for name in (GROUND, *self.bodies)})

    def contradiction(self, poses: dict[str, _Pose]) -> float:
        """The largest residual over ℓ."""
        return float(np.max(np.abs(self.evaluate(poses)[0]), initial=0.0))

    def samples(self, poses: dict[str, _Pose]) -> list[dict[str, _Pose]]:
        """The position and others on several ways from it, in each of which as many singular values are small."""
        found = [poses]
        s = np.linalg.svd(self.evaluate(poses)[1], compute_uv=False)
        rank = int(np.sum(s > self.small))
        freedoms = self.size_of_twist * len(self.bodies)
        rng = np.random.default_rng(1)
        for _ in range(WALKS if rank < freedoms else 0):
            here, direction = poses, rng.normal(size=freedoms)
            for _ in range(STEPS):
                _, s, vt = np.linalg.svd(self.evaluate(here)[1])
                free = vt[int(np.sum(s > self.small)) :]
                direction = free.T @ (free @ direction)
                direction *= STRIDE / max(float(np.max(np.abs(direction))), 1e-300)
                here = self.settle(self._moved(here, direction))
                s = np.linalg.svd(self.evaluate(here)[1], compute_uv=False)
                if self.contradiction(here) > self.small or int(np.sum(s > self.small)) != rank:
                    break
                found.append(here)
        return found

    def _descend(self, poses: dict[str, _Pose]) -> dict[str, _Pose]:
        """Levenberg–Marquardt towards closed loops; directions that only tiny singular values hold are left alone."""
        damping = 1e-2
        residual, by_pose, _ = self.evaluate(poses)
        for _ in range(100):
            normal = by_pose.T @ by_pose
            step = np.linalg.solve(normal + damping * np.eye(len(normal)), -by_pose.T @ residual)
            step *= min(1.0, 0.5 / max(float(np.max(np.abs(step))), 1e-300))
            trial = self._moved(poses, step)
            found, slopes, _ = self.evaluate(trial)
            if found @ found < residual @ residual:
                poses, residual, by_pose, damping = trial, found, slopes, max(0.2 * damping, self.small**2)
                if np.max(np.abs(step)) < 0.1 * self.small:
                    break
            elif damping > 1e8:
                break
            else:
                damping *= 10.0
        return self.settle(poses)

    def settle(self, poses: dict[str, _Pose]) -> dict[str, _Pose]:
        """Newton's method in the directions in which moving the bodies helps."""
        for _ in range(6):
            residual, by_pose, _ = self.evaluate(poses)
            u, s, vt = np.linalg.svd(by_pose, full_matrices=False)
            rank = int(np.sum(s > self.small))
            rest = u[:, :rank].T @ residual
            if np.max(np.abs(rest), initial=0.0) < EXACT:
                break
            poses = self._moved(poses, -vt[:rank].T @ (rest / s[:rank]))
        return poses

    def _moved(self, poses: dict[str, _Pose], twists: np.ndarray) -> dict[str, _Pose]:
        parts = twists.reshape(len(self.bodies), -1)
        dimension = self.model.dimension
        moved = {GROUND: poses[GROUND]}
        for name, twist in zip(self.bodies, parts, strict=True):
            pose = poses[name]
            turn = _rotation(twist[dimension:])
            moved[name] = _Pose(pose.origin + self.length * twist[:dimension], turn @ pose.axes)
        return moved

    # -- geometry

    def move(self, change: np.ndarray) -> None:
        """Moves points, directions and lengths by `change`."""
        self.shape += change
        for (kind, name), where in self.columns.items():
            if kind == "point":
                x = self.points[name]
                x[: where.stop - where.start] += self.length * change[where]
        joints = []
        for joint in self.joints:
            fields: dict[str, Vector | float] = {}
            for field, direction in joint.directions():
                where_turned = self.columns.get((field[-1], joint.name))
                if direction and where_turned:
                    fields[field] = unit(tuple(_rotation(change[where_turned]) @ np.array(direction)))
            if isinstance(joint, Distance):
                fields["length"] = joint.length + self.length * float(change[self.columns["length", joint.name]][0])
            joints.append(msgspec.structs.replace(joint, **fields))
        self.joints = joints

    def make_parallel(self, poses: dict[str, _Pose]) -> None:
        """Turns directions that are nearly parallel, in space, to their mean; their own turns end here."""
        if self.model.dimension == 2:
            return
        sides = [
            (k, side) for k, joint in enumerate(self.joints) for side in "ab" if (side, joint.name) in self.columns
        ]
        drawn = []
        for k, side in sides:
            joint = self.joints[k]
            axes = poses[joint.bodies["ab".index(side)]].axes
            drawn += [(k, field, axes, axes @ np.array(x)) for field, x in joint.directions() if field[-1] == side]
        means = _means([w for *_, w in drawn], NEARLY * self.fit)
        for (k, field, axes, now), mean in zip(drawn, means, strict=True):
            joint = self.joints[k]
            if field.startswith("normal") and f"axis_{field[-1]}" in dict(joint.directions()):
                axis = axes @ np.array(getattr(joint, f"axis_{field[-1]}"))
                mean = mean - axis * (axis @ mean)
            self.joints[k] = msgspec.structs.replace(joint, **{field: unit(tuple((axes.T @ mean).tolist()))})
            self.shape[self.columns[field[-1], joint.name]] += axes.T @ np.cross(now, mean)
        for key in [key for key in self.columns if key[0] in "ab"]:
            self.turned[key] = float(np.linalg.norm(self.shape[self.columns.pop(key)]))

    def _equal_lengths(self) -> tuple[list[np.ndarray], list[np.ndarray]]:
        """Rows and right-hand sides that make distances equal, between points of one body, which nearly are."""
        spans: list[tuple[float, np.ndarray]] = []
        jointed: dict[str, list[str]] = {}
        for kind, name in self.columns:
            if kind == "point":
                jointed.setdefault(body_of(name), []).append(name)
        for names in jointed.values():
            for p, q in combinations(names[:MOST_POINTS], 2):
                arm = self.points[q] - self.points[p]
                size = float(np.linalg.norm(arm))
                if size > NEARLY * self.fit * self.length:
                    row = np.zeros(self.count)
                    for name, sign in ((p, -1.0), (q, 1.0)):
                        where = self.columns["point", name]
                        row[where] += sign * arm[: where.stop - where.start] / size
                    spans.append((size / self.length, row))
        for joint in self.joints:
            if isinstance(joint, Distance):
                row = np.zeros(self.count)
                row[self.columns["length", joint.name]] = 1.0
                spans.append((joint.length / self.length, row))
        spans.sort(key=lambda span: span[0])
        rows, rest = [], []
        for (shorter, first), (longer, second) in pairwise(spans):
            if longer - shorter <= NEARLY * self.fit:
                rows.append(second - first)
                rest.append(longer - shorter)
        return [np.array(rows).reshape(-1, self.count)], [np.array(rest)]

    def fitted_model(self) -> Model:
        """The description with this geometry."""
        named: dict[str, dict[str, Vector]] = {name: {} for name in (GROUND, *self.bodies)}
        for reference, place in self.points.items():
            named[body_of(reference)][reference.rpartition(".")[2]] = tuple(place.tolist())
        bodies: list[Body] = []
        for body in self.model.bodies:
            points = named[body.name]
            if isinstance(body, Bar):
                length = points["end"][0]
                own = {name: place for name, place in points.items() if name not in ("start", "end")}
                bodies.append(msgspec.structs.replace(body, length=length, points=own))
            else:
                bodies.append(msgspec.structs.replace(body, points=points))
        return msgspec.structs.replace(
            self.model, ground=named[GROUND], bodies=tuple(bodies), joints=tuple(self.joints)
        )

    def changes(self) -> tuple[Change, ...]:
        """What was moved by more than round-off, largest first."""
        return tuple(sorted(self._each_change(), key=lambda change: -change.amount))

    def _each_change(self) -> Iterator[Change]:
        moved = {key: float(np.linalg.norm(self.shape[where])) for key, where in self.columns.items()}
        joints = {joint.name: joint for joint in self.joints}
        for (kind, name), amount in (self.turned | moved).items():
            if amount <= 10.0 * EXACT:
                continue
            if kind in "ab":
                body = body_of(getattr(joints[name], kind))
                yield Change(f"the direction of joint '{name}' in '{body}'", amount, "rad")
            else:
                what = f"point '{name}'" if kind == "point" else f"the length of joint '{name}'"
                yield Change(what, amount * self.length, "m")


@dataclass(frozen=True)
class _Pose:
    origin: np.ndarray
    axes: np.ndarray


class _Local:
    """The fields of one joint: jets whose rates are by the twists of its two bodies and by its geometry."""

    def __init__(self, work: _Fitting, joint: Joint, poses: dict[str, _Pose]) -> None:
        self.work, self.joint, self.poses = work, joint, poses
        self.dimension, self.length = work.model.dimension, work.length
        a, b = joint.bodies
        sizes = {
            ("body", a): work.size_of_twist,
            ("body", b): work.size_of_twist,
            ("point", joint.a): self.dimension,
            ("point", joint.b): self.dimension,
            ("a", joint.name): work.turns,
            ("b", joint.name): work.turns,
            ("length", joint.name): 1,
        }
        self.columns: dict[tuple[str, str], slice] = {}
        self.count = 0
        for key, size in sizes.items():
            # a bar's ends have fewer ways to move than its dimension
            size = min(size, work.columns[key].stop - work.columns[key].start) if key in work.columns else size
            self.columns[key] = slice(self.count, self.count + size)
            self.count += size

    def equations(self) -> list[Jet]:
        joint = self.joint
        if isinstance(joint, Distance):
            rates = np.zeros(self.count)
            rates[self.columns["length", joint.name]] = self.length
            joint = msgspec.structs.replace(joint, length=Jet(joint.length, rates, 0.0))
        return joint.equations(self)

    def point(self, reference: str) -> list[Jet]:
        body = body_of(reference)
        pose = self.poses[body]
        arm = pose.axes @ self.work.points[reference]
        rates = np.zeros((self.dimension, self.count))
        own = self.columns["body", body]
        rates[:, own.start : own.start + self.dimension] = self.length * np.eye(self.dimension)
        rates[:, own.start + self.dimension : own.stop] = _turning(arm)
        moved = self.columns["point", reference]
        rates[:, moved] = self.length * pose.axes[:, : moved.stop - moved.start]
        return [Jet(x, rate, 0.0) for x, rate in zip(pose.origin + arm, rates, strict=True)]

    def arrow(self, body: str, direction: Vector) -> list[Jet]:
        pose = self.poses[body]
        drawn = self.length * (pose.axes @ np.array(direction))
        rates = np.zeros((self.dimension, self.count))
        own = self.columns["body", body]
        rates[:, own.start + self.dimension : own.stop] = _turning(drawn)
        side = "a" if body == self.joint.bodies[0] else "b"
        rates[:, self.columns[side, self.joint.name]] = pose.axes @ _turning(self.length * np.array(direction))
        return [Jet(x, rate, 0.0) for x, rate in zip(drawn, rates, strict=True)]


def _turning(arm: np.ndarray) -> np.ndarray:
    """The velocity of an arm's tip for unit rotations: ω × r, as columns."""
    if len(arm) == 2:
        return np.array([[-arm[1]], [arm[0]]])
    x, y, z = arm
    return np.array([[0.0, z, -y], [-z, 0.0, x], [y, -x, 0.0]])


def _rotation(turn: np.ndarray) -> np.ndarray:
    """The rotation matrix of a rotation vector: 1 + sin φ K + (1 − cos φ) K²; one angle in the plane."""
    if len(turn) == 1:
        c, s = np.cos(turn[0]), np.sin(turn[0])
        return np.array([[c, -s], [s, c]])
    angle = float(np.linalg.norm(turn))
    if angle == 0.0:
        return np.eye(3)
    x, y, z = turn / angle
    k = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.asarray(np.eye(3) + np.sin(angle) * k + 2.0 * np.sin(0.5 * angle) ** 2 * (k @ k))


def _means(directions: list[np.ndarray], nearly: float) -> list[np.ndarray]:
    """For each unit vector the mean of all that are parallel to it, whichever way they point, but for an angle."""
    means: list[np.ndarray] = []
    for direction in directions:
        aligned = [w * np.sign(w @ direction) for w in directions if np.linalg.norm(np.cross(w, direction)) <= nearly]
        total = np.sum(aligned, axis=0)
        means.append(total / np.linalg.norm(total))
    return means
