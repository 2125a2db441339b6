"""The description of a scene. `python -m grashof.view.typescript` writes the corresponding TypeScript types,
`web/src/scene.ts`.

All lengths are in metres, and all vectors have three components; in the plane the third is zero. Places are given in
the axes of a body. Body 0 is the ground, which does not move.
"""

from __future__ import annotations

import base64
from itertools import pairwise

import msgspec
import numpy as np

Vec3 = tuple[float, float, float]

FORMAT = 1
"""Version of the description, increased by changes that older viewers cannot show."""


class Numbers(msgspec.Struct, frozen=True):
    """An array of numbers: 32-bit floats, little-endian, in base64, with the last index varying fastest."""

    shape: tuple[int, ...]
    data: str

    @classmethod
    def of(cls, array: np.ndarray) -> Numbers:
        """The array, rounded to single precision."""
        packed = np.ascontiguousarray(array, dtype="<f4")
        return cls(packed.shape, base64.b64encode(packed.tobytes()).decode("ascii"))

    def array(self) -> np.ndarray:
        """The numbers as an array in double precision."""
        return np.frombuffer(base64.b64decode(self.data), dtype="<f4").reshape(self.shape).astype(float)


class Spot(msgspec.Struct, frozen=True):
    """A place on a body, in the body's axes."""

    body: int
    at: Vec3


class Point(msgspec.Struct, frozen=True):
    """A named point."""

    name: str
    spot: Spot


class Body(msgspec.Struct, frozen=True):
    """A body: its properties, and the places that it connects.

    corners   places that its drawing connects, in the body's axes
    center    the centre of mass; None if the body has no mass
    facts     properties shown when it is selected, as pairs of a name and a value with its unit
    """

    name: str
    color: int
    corners: tuple[Vec3, ...]
    center: Vec3 | None
    facts: tuple[tuple[str, str], ...]


class Symbol(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind"):
    """Something drawn between bodies.

    name    the joint, force or coupling that it represents
    facts   see `Body`
    """

    name: str
    facts: tuple[tuple[str, str], ...] = ()

    @property
    def pinned(self) -> tuple[Spot, ...]:
        """Places that it covers, where nothing else needs a mark."""
        return ()

    @property
    def links(self) -> tuple[tuple[Spot, Spot], ...]:
        """Pairs of places of which one supports the other."""
        return ()

    @property
    def shaped(self) -> tuple[int, ...]:
        """Bodies whose shape it is; they need no other if they have only one point."""
        return ()


class Between(Symbol, frozen=True, kw_only=True):
    """A symbol that joins a place of one body to a place of another."""

    a: Spot
    b: Spot

    @property
    def pinned(self) -> tuple[Spot, ...]:
        return self.a, self.b

    @property
    def links(self) -> tuple[tuple[Spot, Spot], ...]:
        return ((self.a, self.b),)


class Pin(Between, tag="pin", frozen=True, kw_only=True):
    """A revolute joint; its axis is given in the axes of the first body."""

    axis: Vec3


class Ball(Between, tag="ball", frozen=True, kw_only=True):
    """A spherical joint."""


class Cross(Between, tag="cross", frozen=True, kw_only=True):
    """A universal joint; each arm is given in the axes of its own body."""

    arm_a: Vec3
    arm_b: Vec3


class Guide(Between, tag="guide", frozen=True, kw_only=True):
    """A line fixed in the first body, along which a place of the second moves from `lower` to `upper`, measured from a.

    block   "block" slides without turning, "pin" turns in a slot, "sleeve" turns about the line; "none": a face on a
            cam
    """

    axis: Vec3
    normal: Vec3
    lower: float
    upper: float
    block: str

    @property
    def pinned(self) -> tuple[Spot, ...]:
        return (self.b,)

    @property
    def links(self) -> tuple[tuple[Spot, Spot], ...]:
        return ()

    @property
    def shaped(self) -> tuple[int, ...]:
        return (self.b.body,)


class Face(Between, tag="face", frozen=True, kw_only=True):
    """A planar joint: a face that slides on another face."""

    normal: Vec3

    @property
    def pinned(self) -> tuple[Spot, ...]:
        return ()

    @property
    def shaped(self) -> tuple[int, ...]:
        return (self.b.body,)


class Rod(Between, tag="rod", frozen=True, kw_only=True):
    """A massless rod."""


class Weld(Between, tag="weld", frozen=True, kw_only=True):
    """A rigid connection of two bodies."""


class Spring(Between, tag="spring", frozen=True, kw_only=True):
    """A spring, a damper, or both in parallel; `length` is that of the relaxed spring."""

    elastic: bool
    damped: bool
    length: float


class Bushing(Between, tag="bushing", frozen=True, kw_only=True):
    """An elastic mount."""

    @property
    def pinned(self) -> tuple[Spot, ...]:
        return (self.b,)


class Coil(Symbol, tag="coil", frozen=True, kw_only=True):
    """A torsional spring or damper about an axis of body a."""

    a: Spot
    axis: Vec3
    elastic: bool
    damped: bool


class Drive(Symbol, tag="drive", frozen=True, kw_only=True):
    """A motor or a torque about an axis of body a through a, or a motor or a force that moves b.

    b      None for a rotation; otherwise it is moved along the axis or, if the axis is zero, along the line from a
    """

    a: Spot
    b: Spot | None
    axis: Vec3
    prescribed: bool


class Load(Symbol, tag="load", frozen=True, kw_only=True):
    """A force at a place.

    direction   in world axes, or in the axes of the body if the force follows it; zero if it is not constant
    """

    a: Spot
    direction: Vec3
    follows: bool = False


class Gear(Symbol, tag="gear", frozen=True, kw_only=True):
    """A gear wheel centred at a place of body a; `internal` for a ring with teeth inside, `teeth` 0 for a smooth wheel.

    zero   the direction from the centre to the middle of a tooth, in the axes of the body, chosen so that teeth mesh
    """

    a: Spot
    axis: Vec3
    radius: float
    teeth: int
    internal: bool
    zero: Vec3 = (1.0, 0.0, 0.0)

    @property
    def shaped(self) -> tuple[int, ...]:
        return (self.a.body,)


class Belt(Symbol, tag="belt", frozen=True, kw_only=True):
    """A belt around two wheels."""

    a: Spot
    b: Spot
    radii: tuple[float, float]
    crossed: bool


class Rope(Symbol, tag="rope", frozen=True, kw_only=True):
    """A rope through places, or around pulleys centred at them.

    radii   radii of the pulleys: positive if the rope passes counter-clockwise, zero for a place; empty if all are zero
    """

    through: tuple[Spot, ...]
    radii: tuple[float, ...] = ()

    @property
    def pinned(self) -> tuple[Spot, ...]:
        return self.through

    @property
    def links(self) -> tuple[tuple[Spot, Spot], ...]:
        return tuple(pairwise(self.through))


class Outline(Symbol, tag="outline", frozen=True, kw_only=True):
    """A cam, track or rack: a curve fixed in a body, as corners in its axes; parts touch an open one from its left."""

    body: int
    corners: tuple[Vec3, ...]
    closed: bool

    @property
    def shaped(self) -> tuple[int, ...]:
        return (self.body,) if self.closed else ()


AnySymbol = (
    Pin
    | Ball
    | Cross
    | Guide
    | Face
    | Rod
    | Weld
    | Spring
    | Bushing
    | Coil
    | Drive
    | Load
    | Gear
    | Belt
    | Rope
    | Outline
)


class Series(msgspec.Struct, frozen=True):
    """A named quantity at each frame."""

    name: str
    unit: str
    values: Numbers


class Arrows(msgspec.Struct, frozen=True):
    """A vector at a place for each frame: (frames, 2) or (frames, 3), in world axes.

    kind   "velocity", "acceleration", "force", "reaction"
    """

    kind: str
    name: str
    unit: str
    spot: Spot
    values: Numbers


class Moment(msgspec.Struct, frozen=True):
    """An event during the motion."""

    name: str
    time: float


class View(msgspec.Struct, frozen=True):
    """The initial view: `towards` points to the viewer; `flat` if all motion is perpendicular to that direction."""

    towards: Vec3
    up: Vec3
    flat: bool


class Outcome(msgspec.Struct, frozen=True):
    """How the run ended, as a code and as a sentence; `ok` if it is complete and trusted."""

    ok: bool
    code: str
    text: str


class Scene(msgspec.Struct, frozen=True, kw_only=True):
    """A motion of a mechanism.

    size     the largest side of the box that contains everything at all times, m
    detail   size of the small symbols, m
    lower, upper   the corners of that box
    times    times of the frames, s
    shift    added to the positions in poses; a mechanism far from the origin thus keeps its precision
    poses    x, y, z and the quaternion w, x, y, z of every body except the ground: (frames, bodies − 1, 7)
    traced, plotted   points with paths and quantities with plots that are shown at first; if empty, the viewer chooses
    """

    format: int = FORMAT
    name: str
    dimension: int
    gravity: Vec3
    view: View
    size: float
    detail: float
    lower: Vec3
    upper: Vec3
    bodies: tuple[Body, ...]
    points: tuple[Point, ...]
    symbols: tuple[AnySymbol, ...]
    times: Numbers
    poses: Numbers
    shift: Vec3 = (0.0, 0.0, 0.0)
    series: tuple[Series, ...] = ()
    arrows: tuple[Arrows, ...] = ()
    moments: tuple[Moment, ...] = ()
    outcome: Outcome | None = None
    notes: tuple[tuple[str, str], ...] = ()
    traced: tuple[str, ...] = ()
    plotted: tuple[str, ...] = ()

    def placed(self) -> np.ndarray:
        """The poses in world axes, including the shift, (frames, bodies − 1, 7)."""
        found = self.poses.array()
        found[..., :3] += self.shift
        return found
