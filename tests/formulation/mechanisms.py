"""Random mechanisms that are assembled by construction: bodies are placed first, joints are then made to fit.

Hypothesis draws the structure (and can shrink it); the numbers come from a random generator whose seed it draws.
Coordinates are of the order of a metre, masses of a kilogram, forces of ten newtons.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from hypothesis import strategies as st

from grashof.model.handles import Handle, Line, Point
from grashof.model.mechanism import Mechanism
from grashof.model.model import Model
from grashof.model.rotations import quaternion

from .newton_euler import turned

PLANAR_FREEDOM = {"revolute": 1, "slider": 1, "pin in slot": 2, "weld": 0, "distance": 2}
SPATIAL_FREEDOM = {
    "revolute": 1,
    "slider": 1,
    "cylindrical": 2,
    "spherical": 3,
    "universal": 2,
    "planar": 3,
    "weld": 0,
    "distance": 5,
}
FORCES = ("spring", "torsion spring", "torque", "world force", "body force")
MOTORS = ("angle", "distance")


@dataclass(frozen=True)
class Structure:
    """What hypothesis draws.

    tree     for each body, the joint that ties it to an earlier body or to the ground, and whether it may be a bar
    loops    further joints, between any two bodies; left out where they would take the last freedom
    parallel all axes are parallel (space): a closed loop then has redundant equations
    """

    dimension: int
    tree: tuple[tuple[str, bool], ...]
    loops: tuple[str, ...] = ()
    forces: tuple[str, ...] = ()
    motors: tuple[str, ...] = ()
    parallel: bool = False
    seed: int = 0


@dataclass
class _Workshop:
    """Builds a structure."""

    structure: Structure
    rng: np.random.Generator
    m: Mechanism
    places: dict[str, tuple[np.ndarray, np.ndarray]] = field(default_factory=dict)
    handles: list[Handle] = field(default_factory=list)

    @property
    def size(self) -> int:
        return self.structure.dimension

    # -- numbers

    def vector(self, scale: float = 1.0) -> np.ndarray:
        return scale * self.rng.normal(size=self.size)

    def direction(self) -> np.ndarray:
        x = self.vector()
        return x / np.linalg.norm(x)

    def axis(self) -> np.ndarray:
        return np.array([0.0, 0.0, 1.0]) if self.structure.parallel else self.direction()

    def rotation(self) -> np.ndarray:
        if self.size == 2:
            return turned(self.rng.uniform(-math.pi, math.pi))
        q, r = np.linalg.qr(self.rng.normal(size=(3, 3)))
        q = q * np.sign(np.diag(r))
        return q * np.linalg.det(q)

    # -- bodies

    def add_body(self, number: int, is_bar: bool) -> Handle:
        position, rotation, mass = self.vector(), self.rotation(), self.rng.uniform(0.5, 2.0)
        name = f"b{number}"
        if is_bar:
            body = self.m.bar(name, mass=mass, length=self.rng.uniform(0.5, 1.5))
        else:
            center = tuple(self.vector(0.3))
            body = self.m.body(name, mass=mass, center=center, inertia=self.inertia())
        self.guess(name, position, rotation)
        self.places[name] = (position, rotation)
        self.handles.append(body)
        return body

    def guess(self, name: str, position: np.ndarray, rotation: np.ndarray) -> None:
        if self.size == 2:
            self.m.guess(name, position, angle=math.atan2(rotation[1, 0], rotation[0, 0]))
        else:
            self.m.guess(name, position, rotation=quaternion(rotation))

    def inertia(self) -> float | list[float]:
        """In space I = tr(S) 1 − S with S = ∫ x xᵀ dm positive definite: any such I belongs to some body."""
        if self.size == 2:
            return self.rng.uniform(0.05, 0.5)
        root = self.rng.normal(size=(3, 3)) * 0.3
        second = root @ root.T + 0.02 * np.eye(3)
        i = np.trace(second) * np.eye(3) - second
        return [i[0, 0], i[1, 1], i[2, 2], i[0, 1], i[0, 2], i[1, 2]]

    def local(self, body: Handle, place: np.ndarray) -> np.ndarray:
        position, rotation = self.places[body.name]
        local: np.ndarray = rotation.T @ (place - position)
        return local

    def point(self, body: Handle, place: np.ndarray) -> Point:
        return body.at(*self.local(body, place))

    def point_of(self, body: Handle) -> tuple[Point, np.ndarray]:
        """A point of the body, where something may be attached, and its place: an end of a bar, any of another."""
        position, rotation = self.places[body.name]
        own = [name for name in ("start", "end") if name in self.m.points_of(body.name)]
        if own:
            name = own[int(self.rng.integers(2))]
            return body.point(name), position + rotation @ np.array(self.m.points_of(body.name)[name])
        place = position + self.vector(0.7)
        return self.point(body, place), place

    # -- joints

    def join(self, kind: str, a: Handle, b: Handle, name: str) -> None:
        m = self.m
        at_b, place = self.point_of(b)
        axis = self.axis()
        match kind:
            case "revolute":
                m.revolute(self.point(a, place), at_b, axis=axis if self.size == 3 else None, name=name)
            case "spherical":
                m.spherical(self.point(a, place), at_b, name=name)
            case "weld":
                m.weld(self.point(a, place), at_b, name=name)
            case "distance":
                at_a, other = self.point_of(a)
                m.distance(at_a, at_b, float(np.linalg.norm(place - other)), name=name)
            case "universal":
                second = np.cross(axis, self.direction())
                m.universal(self.point(a, place), at_b, axis_a=axis, axis_b=second, name=name)
            case "planar":
                away = np.cross(axis, self.vector())
                m.planar(self.point(a, place + away), at_b, normal=axis, name=name)
            case "cylindrical":
                m.cylindrical(self.point(a, place + self.rng.normal() * axis), at_b, axis=axis, name=name)
            case "slider":
                m.prismatic(self.point(a, place + self.rng.normal() * axis), at_b, axis=axis, name=name)
            case "pin in slot":
                slot = Line(self.point(a, place + self.rng.normal() * axis), tuple(axis))
                m.pin_in_slot(slot, at_b, name=name)

    # -- forces and motors

    def two_bodies(self) -> tuple[Handle, Handle]:
        a, b = self.rng.choice(len(self.handles), size=2, replace=False)
        return self.handles[a], self.handles[b]

    def angle(self, name: str) -> str:
        a, b = self.two_bodies()
        if b is self.m.ground:
            a, b = b, a
        return self.m.angle(name, b, reference=a, axis=self.axis() if self.size == 3 else None)

    def load(self, kind: str, name: str) -> None:
        m, rng = self.m, self.rng
        match kind:
            case "spring":
                a, b = self.two_bodies()
                stiffness, length, damping = rng.uniform(0.0, 20.0), rng.uniform(0.0, 1.0), rng.uniform(0.0, 3.0)
                ends = self.point_of(a)[0], self.point_of(b)[0]
                m.spring(*ends, stiffness=stiffness, length=length, damping=damping, name=name)
            case "torsion spring":
                stiffness, rest, damping = rng.uniform(0.0, 20.0), rng.normal(), rng.uniform(0.0, 3.0)
                angle = self.angle(f"angle of {name}")
                m.torsion_spring(angle, stiffness=stiffness, rest=rest, damping=damping, name=name)
            case "torque":
                m.torque(self.angle(f"angle of {name}"), 5.0 * rng.normal(), name=name)
            case _:
                body = self.handles[int(rng.integers(1, len(self.handles)))]
                m.force(self.point_of(body)[0], self.vector(5.0), axes=kind.removesuffix(" force"), name=name)

    def drive(self, kind: str, name: str) -> None:
        value, rate, wave = self.rng.uniform(0.5, 1.5), self.rng.normal(), self.rng.normal()
        if kind == "angle":
            target = self.angle(f"angle of {name}")
        else:
            a, b = self.two_bodies()
            target = self.m.separation(f"distance of {name}", self.point_of(a)[0], self.point_of(b)[0])
        self.m.motor(target, f"{value!r} + {rate!r}*t + {wave!r}*sin(2*t)", name=name)


def build_model(structure: Structure) -> Model:
    """The mechanism of a structure; its guesses are its exact, assembled position."""
    rng = np.random.default_rng(structure.seed)
    size = structure.dimension
    m = Mechanism("random", gravity=tuple(9.81 * rng.normal(size=size) / math.sqrt(size)))
    shop = _Workshop(structure, rng, m)
    shop.places["ground"] = (np.zeros(size), np.eye(size))
    shop.handles.append(m.ground)
    freedom = PLANAR_FREEDOM if size == 2 else SPATIAL_FREEDOM
    # bodies that turn about parallel axes only have four freedoms each
    whole = 3 if size == 2 else 4 if structure.parallel else 6
    left = 0
    for number, (kind, may_be_bar) in enumerate(structure.tree):
        parent = shop.handles[int(rng.integers(len(shop.handles)))]
        # in space the spin of a bar has no inertia: something must hold it
        is_bar = may_be_bar and (size == 2 or freedom[kind] <= 2)
        shop.join(kind, parent, shop.add_body(number, is_bar), f"tree {number}")
        left += freedom[kind]
    for number, kind in enumerate(structure.loops):
        if left - (whole - freedom[kind]) >= 1:
            left -= whole - freedom[kind]
            shop.join(kind, *shop.two_bodies(), f"loop {number}")
    for number, kind in enumerate(structure.forces):
        shop.load(kind, f"force {number}")
    for number, kind in enumerate(structure.motors):
        if left >= 2:
            left -= 1
            shop.drive(kind, f"motor {number}")
    return m.model


# -- strategies


@st.composite
def structures(
    draw: st.DrawFn, dimension: int, *, parallel: bool = False, most: int = 4, kinds: Sequence[str] = ()
) -> Structure:
    """Structures of 1 to `most` bodies; `kinds` restricts the joints."""
    known = tuple(kinds) or tuple(PLANAR_FREEDOM if dimension == 2 else SPATIAL_FREEDOM)
    kind = st.sampled_from(known)
    tree = st.lists(st.tuples(kind, st.booleans()), min_size=1, max_size=most)
    return Structure(
        dimension=dimension,
        tree=tuple(draw(tree.filter(lambda joints: any(joint != "weld" for joint, _ in joints)))),
        loops=tuple(draw(st.lists(kind, max_size=2))),
        forces=tuple(draw(st.lists(st.sampled_from(FORCES), max_size=3))),
        motors=tuple(draw(st.lists(st.sampled_from(MOTORS), max_size=1))),
        parallel=parallel,
        seed=draw(st.integers(0, 2**32 - 1)),
    )


planar = structures(2, most=5)
spatial = structures(3, most=4)
redundant = structures(3, parallel=True, most=4, kinds=("revolute", "cylindrical", "slider"))
