"""Natural coordinates: each body is described by points and directions fixed in it (García de Jalón and Bayo, 1994).

Plane:  a body has two basic points p, b (or a point and a direction); with d = b − p every point of it is p + ζ d,
        where ζ is a constant complex number. One rigidity row, |d|² = const.
Space:  a point p and up to three directions d₁, d₂, d₃; every point is p + Σ cₖ dₖ. One row for each dᵢ·dⱼ = const.
        Only as many directions are used as the body's joints, forces and mass need: a slender bar with ball joints is
        described by its two ends.

The basic points are the jointed ones, so that pinned bodies share coordinates once the pins are eliminated. Directions
are scaled to the mechanism's length ℓ, so all coordinates are in metres.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from grashof.formulation.natural.forms import Expression, Form, Scalars
from grashof.formulation.natural.presolve import Row
from grashof.formulation.natural.required_points import Requests
from grashof.model.bodies import GROUND, Body
from grashof.model.fields import Vector, body_of, cross, difference, dot
from grashof.model.model import Model
from grashof.model.start import Pose
from grashof.scalar import cos, sin, sqrt
from grashof.scalar.algebra import distance, norm, plain, product
from grashof.scalar.functions import Scalar

APART = 0.2
"""A point or axis serves as a direction of its body unchanged if its distance from the span of the others exceeds
this fraction of its length."""

SLANTED = 1e-3
"""An axis closer than this to the plane of the others leaves too few accurate digits."""


@dataclass(frozen=True)
class Frame:
    """A body in natural coordinates: p and its directions, as forms, and their positions in the body's own axes.

    planar directions: one, d; spatial: up to three
    particle: whether it is a single point in the plane, with a constant direction
    """

    origin: list[Form]
    origin_local: Vector
    directions: list[list[Form]]
    directions_local: np.ndarray  # (k, dimension)
    particle: bool = False

    def point(self, local: Vector) -> list[Form]:
        """A point of the body, linear in the coordinates."""
        offset = self._combine(np.subtract(local, self.origin_local))
        return [_form(p + x) for p, x in zip(self.origin, offset, strict=True)]

    def arrow(self, direction: Vector, length: float) -> list[Form]:
        """A direction of the body, scaled to this length."""
        return self._combine(np.multiply(direction, length))

    def _combine(self, local: np.ndarray) -> list[Form]:
        if len(local) == 2:
            d, (dx, dy) = self.directions_local[0], self.directions[0]
            size = dot(d, d)
            re, im = dot(local, d) / size, plain(d[0] * local[1] - d[1] * local[0]) / size
            return [_form(dx.scaled(re) - dy.scaled(im)), _form(dy.scaled(re) + dx.scaled(im))]
        if not np.any(local):
            return [Form()] * 3
        weights = _weights([tuple(d) for d in self.directions_local.tolist()], tuple(local.tolist()))
        largest = max(abs(weight) for weight in weights)
        total: list[Form] = [Form()] * 3
        for weight, direction in zip(weights, self.directions, strict=True):
            factor = 0.0 if abs(weight) < 1e-14 * largest else _round_integer(weight)
            total = [_form(t + x.scaled(factor)) for t, x in zip(total, direction, strict=True)]
        return total

    def substitute(self, by: dict[int, Form]) -> Frame:
        """The frame with some coordinates replaced."""
        return Frame(
            [f.substitute(by) for f in self.origin],
            self.origin_local,
            [[f.substitute(by) for f in d] for d in self.directions],
            self.directions_local,
            self.particle,
        )

    @property
    def mirrorable(self) -> bool:
        """Whether the rows of the body also hold for its mirror image: if it is described by three directions that
        are not constant."""
        return len(self.directions) == 3 and any(form.terms for forms in self.directions for form in forms)

    def handedness(self, q: Scalars) -> Scalar:
        """The volume that three directions span at q, relative to the one in the body: 1 for a rigid body, −1 for
        its mirror image."""
        first, second, third = (tuple(form.at(q) for form in forms) for forms in self.directions)
        one, two, three = self.directions_local
        return dot(cross(first, second), third) / dot(cross(one, two), three)

    def rigidity(self, owner: str) -> list[Row]:
        """The rows dᵢ·dⱼ = const, divided by a length so that they are in metres."""
        rows: list[Row] = []
        if self.particle:
            return rows
        for i, first in enumerate(self.directions):
            for j, second in enumerate(self.directions[: i + 1]):
                local = dot(self.directions_local[i], self.directions_local[j])
                size = sqrt(norm(self.directions_local[i]) * norm(self.directions_local[j]))
                scale = (0.5 if i == j else 1.0) / size
                rows.append(Row((dot(first, second) - local) * scale, owner))
        return rows


def _weights(directions: list[Vector], local: Vector) -> list[float]:
    """The c with Σ c_k d_k = local, which lies in the span of the one to three directions."""
    if len(directions) == 1:
        return [dot(directions[0], local) / dot(directions[0], directions[0])]
    first, second = directions[:2]
    third = directions[2] if len(directions) == 3 else cross(first, second)
    volume = dot(cross(first, second), third)
    weights = [dot(cross(local, second), third), dot(cross(first, local), third), dot(cross(first, second), local)]
    return [weight / volume for weight in weights[: len(directions)]]


def _round_integer(x: float) -> float:
    """The number, rounded to an integer if it differs from one by round-off only."""
    return float(round(x)) if abs(x - round(x)) < 1e-14 else x


def _form(expression: Expression) -> Form:
    assert isinstance(expression, Form)
    return expression


@dataclass
class Coordinates:
    """All coordinates of a mechanism before presolve: labels, and which belong to the same point or direction."""

    labels: list[str] = field(default_factory=list)
    groups: list[int] = field(default_factory=list)

    def new(self, label: str, dimension: int) -> list[Form]:
        """Coordinates of an additional point or direction."""
        group = self.groups[-1] + 1 if self.groups else 0
        first = len(self.labels)
        self.labels += [f"{label}.{axis}" for axis in "xyz"[:dimension]]
        self.groups += [group] * dimension
        return [Form({first + k: 1.0}) for k in range(dimension)]


def make_frames(model: Model, requests: Requests, length: float) -> tuple[Coordinates, dict[str, Frame]]:
    """Chooses each body's basic points and directions."""
    coordinates = Coordinates()
    unit = np.eye(model.dimension)
    ground = [[Form({}, x) for x in length * row] for row in unit]
    zero = (0.0,) * model.dimension
    used = 1 if model.dimension == 2 else 3
    frames = {GROUND: Frame([Form()] * model.dimension, zero, ground[:used], length * unit[:used])}
    names: dict[str, dict[Vector, str]] = {name: {} for name in (GROUND, *(body.name for body in model.bodies))}
    for reference, place in model.points.items():
        names[body_of(reference)].setdefault(place, reference)
    for body in model.bodies:
        if body.name in requests.particles:
            base = requests.particles[body.name]
            angle = model.start.guesses.get(body.name, Pose()).angle
            fixed = [Form({}, length * cos(angle)), Form({}, length * sin(angle))]
            origin = coordinates.new(names[body.name].get(base, f"{body.name}.center"), 2)
            frames[body.name] = Frame(origin, base, [fixed], np.array([[length, 0.0]]), particle=True)
        else:
            frames[body.name] = _make_frame(body, names[body.name], requests, length, coordinates, model.dimension)
    return coordinates, frames


def _make_frame(
    body: Body, names: dict[Vector, str], requests: Requests, length: float, coordinates: Coordinates, dimension: int
) -> Frame:
    jointed = list(requests.points[body.name].values())
    center = body.mass_center(dimension)
    base = jointed[0] if jointed else center
    if dimension == 2:
        far = max(jointed, key=lambda p: distance(p, base), default=base)
        chosen: list[tuple[np.ndarray, str | None]] = [(np.subtract(far, base), names.get(far, f"{body.name}.point"))]
        if not np.any(chosen[0][0]):
            chosen = [(length * np.array([1.0, 0.0]), None)]
    else:
        chosen = _spatial_directions(body, base, jointed, names, requests, length)
    origin = coordinates.new(names.get(base, f"{body.name}.center"), dimension)
    directions = []
    for k, (_, point_name) in enumerate(chosen):
        if point_name is None:
            directions.append(coordinates.new(f"{body.name}.direction{k + 1}", dimension))
        else:
            directions.append([_form(x) for x in difference(coordinates.new(point_name, dimension), origin)])
    return Frame(origin, base, directions, np.array([local for local, _ in chosen]).reshape(-1, dimension))


def _spatial_directions(
    body: Body, base: Vector, jointed: list[Vector], names: dict[Vector, str], requests: Requests, length: float
) -> list[tuple[np.ndarray, str | None]]:
    """Chooses directions that span everything requested of the body: first jointed points and axes, unchanged; then
    whatever is missing, perpendicular to the previous ones.

    Axes come before points where an axis is very close to the plane of the others: expressed by its small distance from
    that plane, its equation would determine the perpendicular direction to few digits. This does no harm for a point,
    whose equation determines its position.
    """
    points: list[tuple[np.ndarray, str | None]] = [
        (np.subtract(p, base), names.get(p, f"{body.name}.point")) for p in jointed
    ]
    axes: list[tuple[np.ndarray, str | None]] = [
        (length * np.array(a), None) for a in requests.arrows[body.name].values()
    ]
    wanted = axes + points if _is_one_slanted([x for x, _ in points + axes], len(axes)) else points + axes
    center = body.mass_center(3)
    rest = [np.subtract(p, base) for p in [*requests.others[body.name].values(), center]]
    rest += [length * axis for _, axis in body.second_moments()]

    chosen: list[tuple[np.ndarray, str | None]] = []
    span = np.zeros((0, 3))
    for threshold, candidates in (
        (APART, wanted),
        (1e-9, [(np.asarray(x), None) for x, _ in wanted]),
        (1e-9, [(np.asarray(x), None) for x in rest]),
    ):
        for local, name in candidates:
            beyond = local - product(span.T, product(span, local))
            size = norm(beyond)
            if size <= threshold * norm(local):
                continue
            if (
                threshold < APART
            ):  # a small difference has few digits: repeated, so that it is perpendicular to all digits
                beyond = beyond - product(span.T, product(span, beyond))
                beyond = beyond * (size / norm(beyond))
            chosen.append((local, name) if threshold == APART else (beyond * (length / size), None))
            span = np.vstack([span, beyond / size])
    return chosen


def _is_one_slanted(wanted: list[np.ndarray], count: int) -> bool:
    """Whether the distance of one of the last `count` directions from the span of those chosen is below SLANTED but
    above round-off."""
    span = np.zeros((0, 3))
    for k, local in enumerate(wanted):
        beyond = local - product(span.T, product(span, local))
        size = norm(beyond)
        if size > APART * norm(local):
            span = np.vstack([span, beyond / size])
        elif k >= len(wanted) - count and 1e-9 * norm(local) < size < SLANTED * norm(local):
            return True
    return False
