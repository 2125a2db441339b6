"""The description of a scene. Its TypeScript twin, `web/src/scene.ts`, is made from these types by `python -m grashof.view.typescript`.

All lengths are in metres, all vectors have three components; in the plane the third is zero. Places are given in the axes of a body. Body 0 is the
ground, which does not move.
"""

from __future__ import annotations

import base64

import msgspec
import numpy as np

Vec3 = tuple[float, float, float]

FORMAT = 1
"""Counts changes of the description that older viewers cannot show."""


class Numbers(msgspec.Struct, frozen=True):
    """An array of numbers: 32-bit floats, little-endian, as base64, the last index varying fastest."""

    shape: tuple[int, ...]
    data: str

    @classmethod
    def of(cls, array: np.ndarray) -> Numbers:
        """The array, rounded to single precision."""
        packed = np.ascontiguousarray(array, dtype="<f4")
        return cls(packed.shape, base64.b64encode(packed.tobytes()).decode("ascii"))

    def array(self) -> np.ndarray:
        """The numbers again."""
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
    """A body: what is known of it, and the places that it connects.

    corners   places that its drawing connects, in the body's axes
    center    the centre of mass; None if the body has no mass
    facts     what a person who selects it is told, as pairs of a name and a value with its unit
    """

    name: str
    color: int
    corners: tuple[Vec3, ...]
    center: Vec3 | None
    facts: tuple[tuple[str, str], ...]


class Symbol(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind"):
    """Something drawn between bodies.

    name    of the joint, force or coupling that it stands for
    facts   see `Body`
    """

    name: str
    facts: tuple[tuple[str, str], ...] = ()


class Pin(Symbol, tag="pin", frozen=True, kw_only=True):
    """A revolute joint; its axis in the axes of the first body."""

    a: Spot
    b: Spot
    axis: Vec3


class Ball(Symbol, tag="ball", frozen=True, kw_only=True):
    """A spherical joint."""

    a: Spot
    b: Spot


class Cross(Symbol, tag="cross", frozen=True, kw_only=True):
    """A universal joint; each arm in the axes of its own body."""

    a: Spot
    b: Spot
    arm_a: Vec3
    arm_b: Vec3


class Guide(Symbol, tag="guide", frozen=True, kw_only=True):
    """A line fixed in the first body along which the second body's place moves between `lower` and `upper`, measured from a.

    block   "block" slides without turning, "pin" turns in a slot, "sleeve" turns about the line; "none" where a face touches a cam
    """

    a: Spot
    b: Spot
    axis: Vec3
    normal: Vec3
    lower: float
    upper: float
    block: str


class Face(Symbol, tag="face", frozen=True, kw_only=True):
    """A planar joint: a face that slides on a face."""

    a: Spot
    b: Spot
    normal: Vec3


class Rod(Symbol, tag="rod", frozen=True, kw_only=True):
    """A massless rod."""

    a: Spot
    b: Spot


class Weld(Symbol, tag="weld", frozen=True, kw_only=True):
    """Two bodies made one."""

    a: Spot
    b: Spot


class Spring(Symbol, tag="spring", frozen=True, kw_only=True):
    """A spring, a damper, or both side by side; `length` is that of the relaxed spring."""

    a: Spot
    b: Spot
    elastic: bool
    damped: bool
    length: float


class Bushing(Symbol, tag="bushing", frozen=True, kw_only=True):
    """An elastic mount."""

    a: Spot
    b: Spot


class Coil(Symbol, tag="coil", frozen=True, kw_only=True):
    """A torsional spring, or damper, about an axis of body a."""

    a: Spot
    axis: Vec3
    elastic: bool
    damped: bool


class Drive(Symbol, tag="drive", frozen=True, kw_only=True):
    """A motor or a torque about an axis of body a through a, or one that moves b.

    b      None of what turns; else it is moved along the axis or, if the axis is zero, along the line from a
    """

    a: Spot
    b: Spot | None
    axis: Vec3
    prescribed: bool


class Load(Symbol, tag="load", frozen=True, kw_only=True):
    """A force at a place.

    direction   in world axes, or in those of the body if it follows it; zero if it is not constant
    """

    a: Spot
    direction: Vec3
    follows: bool = False


class Gear(Symbol, tag="gear", frozen=True, kw_only=True):
    """A toothed wheel about a place of body a; `internal` for a ring with teeth inside, `teeth` 0 for a smooth wheel.

    zero   the direction from the centre to the middle of a tooth, in the axes of the body: teeth of wheels that touch fit into each other
    """

    a: Spot
    axis: Vec3
    radius: float
    teeth: int
    internal: bool
    zero: Vec3 = (1.0, 0.0, 0.0)


class Belt(Symbol, tag="belt", frozen=True, kw_only=True):
    """A belt around two wheels."""

    a: Spot
    b: Spot
    radii: tuple[float, float]
    crossed: bool


class Rope(Symbol, tag="rope", frozen=True, kw_only=True):
    """A rope through places, or around pulleys about them.

    radii   of the pulleys, positive where it passes counter-clockwise, zero for a place; none if all are zero
    """

    through: tuple[Spot, ...]
    radii: tuple[float, ...] = ()


class Outline(Symbol, tag="outline", frozen=True, kw_only=True):
    """A cam, a track or a rack: a curve fixed in a body, as corners in the axes of the body. What touches an open one is on its left."""

    body: int
    corners: tuple[Vec3, ...]
    closed: bool


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
    """A vector at a place, at each frame: (frames, 2) or (frames, 3), in world axes.

    kind   "velocity", "acceleration", "force", "reaction"
    """

    kind: str
    name: str
    unit: str
    spot: Spot
    values: Numbers


class Moment(msgspec.Struct, frozen=True):
    """Something that happened on the way."""

    name: str
    time: float


class View(msgspec.Struct, frozen=True):
    """Where one looks from at first: `towards` points from the mechanism to the viewer. `flat` if all that moves does so across that direction."""

    towards: Vec3
    up: Vec3
    flat: bool


class Outcome(msgspec.Struct, frozen=True):
    """How the run ended, as a word and as a sentence; `ok` if it is whole and believed."""

    ok: bool
    code: str
    text: str


class Scene(msgspec.Struct, frozen=True, kw_only=True):
    """A motion of a mechanism.

    size     of the largest side of the box that holds all of it at all times, m
    detail   size of the small symbols, m
    lower, upper   the corners of that box
    times    of the frames, s
    shift    what is to be added to the positions of poses: so those of a mechanism far from the origin keep their digits
    poses    x, y, z and the quaternion w, x, y, z of every body but the ground: (frames, bodies − 1, 7)
    traced, plotted   points that leave a trace, and quantities that are plotted, at first; chosen by the viewer if there are none
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
        """The poses as they are in the world, (frames, bodies − 1, 7)."""
        found = self.poses.array()
        found[..., :3] += self.shift
        return found
