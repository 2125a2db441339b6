"""The description of a scene. `python -m grashof.view.typescript` writes the corresponding TypeScript types,
`web/src/scene.ts`.

All lengths are in metres, and all vectors have three components; in the plane the third is zero. Places are given in
the axes of a body. Body 0 is the ground, which does not move.
"""

from __future__ import annotations

import base64

import msgspec
import numpy as np

Vec3 = tuple[float, float, float]

FORMAT = 2
"""Version of the description, increased by changes that older viewers cannot show. A page contains its viewer."""


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


NONE = Numbers.of(np.zeros((0, 3)))
"""No corners."""


class Spot(msgspec.Struct, frozen=True):
    """A place on a body, in the body's axes."""

    body: int
    at: Vec3


class NamedPoint(msgspec.Struct, frozen=True):
    """A named point; a `helper` only tells where a line or a circle is, and has no label."""

    name: str
    spot: Spot
    helper: bool = False


class ShapeFrame(msgspec.Struct, frozen=True):
    """Axes in which the corners of a shape are given.

    at        the origin
    body      the body in whose axes corners are given
    towards   if given, x points there instead, and y to its left
    span      the distance of that place for which corners are given: x is scaled with the distance; 0 if it is not
    """

    at: Spot
    body: int
    towards: Spot | None = None
    span: float = 0.0


class DrawnShape(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind"):
    """A piece of a picture.

    color   that of a body, by its number, or "ink", "paper", "steel", "ground" or "accent"
    layer   in the plane, shapes of larger layers cover those of smaller ones; in space, how much nearer to the viewer
            a shape is painted where surfaces penetrate each other, in sizes of the small symbols
    """

    color: int | str
    layer: float


class Flexible(DrawnShape, frozen=True, kw_only=True):
    """A shape given by corners in a frame, or by places of several bodies.

    frame     None if it goes through places
    thick     in space, the radius of a wire or the thickness of a plate, m; 0 for a drawing on paper
    axis      normal of its plane, in the axes of the frame or of the body of the first place; zero where it has no
              meaning
    """

    frame: ShapeFrame | None = None
    corners: Numbers = NONE
    through: tuple[Spot, ...] = ()
    thick: float = 0.0
    axis: Vec3 = (0.0, 0.0, 0.0)


class Stroke(Flexible, tag="line", frozen=True, kw_only=True):
    """A line on paper or a wire in space.

    width    in widths of the thinnest line
    radii    of the pulleys around its places: positive if it passes counter-clockwise; empty if it has corners there
    inset    lengths by which a line between two places is shorter at its ends, m
    slack    length of a rope between two places, which hangs in an arc where they are closer, m; 0 for a straight line
    """

    width: float = 1.0
    closed: bool = False
    radii: tuple[float, ...] = ()
    inset: tuple[float, float] = (0.0, 0.0)
    slack: float = 0.0


class Area(Flexible, tag="area", frozen=True, kw_only=True):
    """An area on paper or a plate in space: a polygon or, with a radius, all within that distance of the convex hull.

    hole      corners of a hole, as many as those of the polygon; empty if there is none
    tint      1 for the pure colour, 0 for that of the background
    edge      the colour of the outline; None if there is none
    width     that of the outline, in widths of the thinnest line
    """

    radius: float = 0.0
    hole: Numbers = NONE
    tint: float = 1.0
    opacity: float = 1.0
    edge: int | str | None = None
    width: float = 1.0


class Solid(DrawnShape, tag="solid", frozen=True, kw_only=True):
    """A solid of revolution.

    base      where the axis begins
    axis      a unit vector
    profile   heights along the axis and radii, m
    """

    frame: ShapeFrame
    base: Vec3
    axis: Vec3
    profile: tuple[tuple[float, float], ...]


AnyShape = Stroke | Area | Solid


class Body(msgspec.Struct, frozen=True):
    """A body: its properties, and the places that it connects.

    corners   places that its drawing connects, in the body's axes
    center    the centre of mass; None if the body has no mass
    facts     properties shown when it is selected, as pairs of a name and a value with its unit
    shapes    its picture
    mark      that of its centre of mass
    marked    whether the mark is shown on paper
    """

    name: str
    color: int
    corners: tuple[Vec3, ...]
    center: Vec3 | None
    facts: tuple[tuple[str, str], ...]
    shapes: tuple[AnyShape, ...] = ()
    mark: tuple[AnyShape, ...] = ()
    marked: bool = False


class Symbol(msgspec.Struct, frozen=True, kw_only=True):
    """Something drawn between bodies. Each kind is a class of its own in `scene.kinds`; artists know only the shapes.

    name     the joint, force or coupling that it represents
    facts    see `Body`
    shapes   its picture
    meets    places that the joint keeps together
    axle     for a motor or torque: a place on the axis about which it turns, and the axis in the axes of that body
    """

    name: str
    facts: tuple[tuple[str, str], ...] = ()
    shapes: tuple[AnyShape, ...] = ()
    meets: tuple[Spot, Spot] | None = None
    axle: tuple[Spot, Vec3] | None = None


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
    """The initial view: `towards` points to the viewer; `flat` if all motion is perpendicular to that direction.

    lower, upper   corners of the box that contains everything at all times, in the viewer's axes: right, up, towards
    """

    towards: Vec3
    up: Vec3
    flat: bool
    lower: Vec3
    upper: Vec3


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
    room     how far symbols extend beyond it, m
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
    room: float
    bodies: tuple[Body, ...]
    points: tuple[NamedPoint, ...]
    symbols: tuple[Symbol, ...]
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

    @property
    def pictures(self) -> tuple[tuple[AnyShape, ...], ...]:
        """The shapes of each body, then those of each symbol."""
        return *(body.shapes for body in self.bodies), *(symbol.shapes for symbol in self.symbols)

    def poses_in_world(self) -> np.ndarray:
        """The poses in world axes, including the shift, (frames, bodies − 1, 7)."""
        found = self.poses.array()
        found[..., :3] += self.shift
        return found
