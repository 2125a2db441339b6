"""Drawings of a mechanism: bodies, pins, springs, slots and the ground, to scale, with the points named."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.figure import Figure

from grashof.model.bodies import GROUND
from grashof.model.fields import body_of
from grashof.model.forces import SpringDamper
from grashof.model.joints import Distance, PinInSlot, Revolute, Spherical, Universal
from grashof.show.labels import names_by_place, plain, write_labels
from grashof.show.plots import COLORS
from grashof.show.scene import Array, Scene, scene_of
from grashof.trajectory import Trajectory

INK = "#2b2b2b"


def draw(run: Trajectory, row: int = 0) -> Figure:
    """The mechanism at one time of a run (the start, unless another row is asked for), its points named."""
    rows = np.array([range(len(run.t))[row]])
    scene = scene_of(run, rows)
    figure, axes = canvas(scene)
    draw_scene(axes, scene, 0)
    axes.set_title(f"{plain(run.program.model.name)}, t = {scene.t[0]:g} s")
    places = names_by_place({name: at[0] for name, at in scene.points.items()}, 1e-6 * scene.size)
    if scene.dimension == 2:
        lines = [outline for _, outline in outlines(scene, 0)] + springs(scene, 0) + blocks(scene, 0)
        write_labels(axes, places, [np.vstack([line, line[:1]]) for line in lines])
    else:
        space: Any = axes
        for place, name in places:
            space.text(*place, f"  {name}", fontsize=8, zorder=10)
    return figure


def canvas(scene: Scene) -> tuple[Figure, Axes]:
    """An empty figure with axes that hold all of the scene, to scale."""
    lower, upper = scene.extent
    margin = 0.16 * scene.size
    lower, upper = lower - margin, upper + margin
    width, height = (upper - lower)[:2] if scene.dimension == 2 else (1.0, 1.0)
    scale = min(8.0 / width, 6.0 / height)
    figure = Figure(figsize=(max(width * scale, 4.5) + 1.0, max(height * scale, 1.6) + 0.9), layout="constrained")
    if scene.dimension == 2:
        axes = figure.add_subplot()
        axes.grid(True, color="0.93", linewidth=0.6)
        axes.set_axisbelow(True)
        axes.spines[["top", "right"]].set_visible(False)
    else:
        axes = figure.add_subplot(projection="3d")
    axes.set_aspect("equal")
    for name, label, low, high in zip("xyz", scene.labels, lower, upper, strict=False):
        axes.set(**{f"{name}lim": (low, high), f"{name}label": f"{label} [m]"})
    return figure, axes


def draw_scene(axes: Axes, scene: Scene, row: int) -> None:
    """Adds the mechanism at one row of the scene to the axes."""
    if scene.dimension == 3:
        _draw_in_space(axes, scene, row)
        return
    size = scene.detail
    # from here on in points of the page; bodies and pins of small or many bodies are drawn thinner
    pin = min(6.0, 3.5 * size * 72.0 * _inches_per_metre(axes))
    bodies = sorted(outlines(scene, row), key=lambda body: -float(np.max(np.ptp(body[1], axis=0))))
    filled = [(color, x) for color, x in bodies if len(x) > 2]
    axes.add_collection(PolyCollection([x for _, x in filled], facecolors=[f"{c}30" for c, _ in filled], zorder=2))
    axes.add_collection(_strokes([x for _, x in bodies], [c for c, _ in bodies], 0.65 * pin, closed=True, zorder=3))
    for guide in scene.guides:
        rail = np.array([guide.start[row], guide.end[row]])
        axes.add_collection(_strokes(_ways(rail, size, hatched=guide.fixed), [INK], 0.7, zorder=1))
    axes.add_collection(PolyCollection(blocks(scene, row), facecolors="white", edgecolors=INK, zorder=2.5))
    for zigzag in springs(scene, row):
        axes.plot(*zigzag.T, color=INK, linewidth=1.1, zorder=4)
    for rod in _rods(scene, row):
        axes.plot(*rod.T, color=INK, linewidth=1.2, linestyle="dashed", zorder=3)
    for point in _held(scene):
        _draw_support(axes, scene.points[point][row], size)
    pins = np.array([scene.points[point][row] for point in _pins(scene)]).reshape(-1, 2)
    axes.scatter(
        pins[:, 0], pins[:, 1], s=0.7 * pin**2, facecolors="white", edgecolors=INK, linewidths=0.18 * pin, zorder=6
    )


def _inches_per_metre(axes: Axes) -> float:
    """The scale of the drawing, from the size the figure was given (the layout is settled only later)."""
    figure = axes.get_figure(root=True)
    assert figure is not None
    width = figure.get_size_inches()[0] - 1.0
    return float(width / np.ptp(axes.get_xlim()))


def _draw_in_space(axes: Any, scene: Scene, row: int) -> None:
    for color, outline in outlines(scene, row):
        axes.plot(*np.vstack([outline, outline[:1]]).T, color=color, linewidth=3.0, solid_capstyle="round")
    for zigzag in springs(scene, row):
        axes.plot(*zigzag.T, color=INK, linewidth=1.1)
    for guide in scene.guides:
        axes.plot(*np.array([guide.start[row], guide.end[row]]).T, color=INK, linewidth=0.9, linestyle="dashdot")
    for rod in _rods(scene, row):
        axes.plot(*rod.T, color=INK, linewidth=1.2, linestyle="dashed")
    for points, marker, size, color in ((_held(scene), "^", 130, "0.8"), (_pins(scene), "o", 26, "white")):
        places = np.array([scene.points[point][row] for point in points]).reshape(-1, 3)
        axes.scatter(*places.T, s=size, marker=marker, color=color, edgecolors=INK, depthshade=False)


# -- what is seen


def outlines(scene: Scene, row: int) -> list[tuple[str, Array]]:
    """Each body's colour and corners: its two points, or the hull of more of them."""
    shapes = []
    colors = _colors(scene)
    for body in scene.model.bodies:
        own = [at[row] for name, at in scene.points.items() if body_of(name) == body.name]
        if len(own) > 1:
            corners = np.array(own)
            shapes.append((colors[body.name], _hull(corners) if scene.dimension == 2 else corners))
    return shapes


def _colors(scene: Scene) -> dict[str, str]:
    """A colour for each body; where there are more bodies than colours, one for `vertical1`, `vertical2` … together."""
    names = [body.name for body in scene.model.bodies]
    many = len(names) > len(COLORS)
    families = list(dict.fromkeys(re.sub(r"[\d_]", "", name) if many else name for name in names))
    return {n: COLORS[families.index(re.sub(r"[\d_]", "", n) if many else n) % len(COLORS)] for n in names}


def springs(scene: Scene, row: int) -> list[Array]:
    """Each spring as a zigzag between its ends; a damper alone is a straight line."""
    found = []
    for force in scene.model.forces:
        if isinstance(force, SpringDamper):
            a, b = scene.points[force.a][row], scene.points[force.b][row]
            found.append(_zigzag(a, b, scene.detail) if force.stiffness else np.array([a, b]))
    return found


def blocks(scene: Scene, row: int) -> list[Array]:
    """The corners of each sliding block, a rectangle along its guide."""
    found = []
    for guide in scene.guides:
        along = guide.end[row] - guide.start[row]
        along = scene.detail * along / np.linalg.norm(along)
        long, wide, at = 1.6 * along, scene.detail * _normal(along), scene.points[guide.block][row]
        found.append(np.array([at + long + wide, at - long + wide, at - long - wide, at + long - wide]))
    return found


def _rods(scene: Scene, row: int) -> list[Array]:
    """Massless rods, that is distance joints."""
    joints = (joint for joint in scene.model.joints if isinstance(joint, Distance))
    return [np.array([scene.points[joint.a][row], scene.points[joint.b][row]]) for joint in joints]


def _pins(scene: Scene) -> list[str]:
    """Points about which something turns, and the ends of springs."""
    turning = (Revolute, Spherical, Universal, Distance)
    ends = [end for joint in scene.model.joints if isinstance(joint, turning) for end in (joint.a, joint.b)]
    ends += [joint.b for joint in scene.model.joints if isinstance(joint, PinInSlot)]
    return ends + [end for force in scene.model.forces if isinstance(force, SpringDamper) for end in (force.a, force.b)]


def _held(scene: Scene) -> list[str]:
    """Ground points about which something turns."""
    return [end for end in dict.fromkeys(_pins(scene)) if body_of(end) == GROUND]


# -- shapes


def _hull(points: Array) -> Array:
    """The convex hull of points in the plane, anticlockwise (Andrew's monotone chain, 1979)."""
    ordered = points[np.lexsort((points[:, 1], points[:, 0]))]

    def half(sequence: Array) -> list[Array]:
        chain: list[Array] = []
        for point in sequence:
            while len(chain) > 1 and _turn(chain[-2], chain[-1], point) <= 0.0:
                chain.pop()
            chain.append(point)
        return chain[:-1]

    return np.array(half(ordered) + half(ordered[::-1]))


def _turn(a: Array, b: Array, c: Array) -> float:
    """Positive if a → b → c turns left."""
    (ux, uy), (vx, vy) = b - a, c - a
    return float(ux * vy - uy * vx)


def _zigzag(a: Array, b: Array, width: float, coils: int = 9) -> Array:
    """A spring from a to b: straight ends and a zigzag of this half-width between."""
    span = b - a
    normal = _normal(span)
    middle = np.linspace(0.2, 0.8, 2 * coils + 1)
    swing = width * np.array([0.0, *[1.0, -1.0] * coils][: 2 * coils + 1])
    swing[-1] = 0.0
    path = a + middle[:, None] * span + swing[:, None] * normal
    return np.vstack([a, path, b])


def _normal(span: Array) -> Array:
    """A unit vector at right angles to the span."""
    if len(span) == 2:
        across = np.array([-span[1], span[0]])
    else:
        across = np.cross(span, np.eye(3)[int(np.argmin(np.abs(span)))])
    length = float(np.linalg.norm(across))
    return across / length if length > 0.0 else across


def _ways(rail: Array, size: float, hatched: bool) -> list[Array]:
    """The two walls between which a block slides, hatched on the outside if they are ground."""
    start, end = rail
    length = float(np.linalg.norm(end - start))
    along = (end - start) / length
    strokes = []
    for out in (_normal(along), -_normal(along)):
        wall = rail + 1.1 * size * out
        strokes.append(wall)
        for part in np.linspace(0.0, 1.0, max(2, int(length / (1.2 * size)))) if hatched else ():
            foot = wall[0] + part * (end - start)
            strokes.append(np.array([foot, foot + 0.8 * size * (out - along)]))
    return strokes


def _draw_support(axes: Axes, at: Array, size: float) -> None:
    """A ground pivot: a small triangle on hatched ground."""

    def below(x: float, y: float) -> Array:
        return at + size * np.array([x, y])

    corners = np.array([at, below(1.3, -2.0), below(-1.3, -2.0)])
    axes.add_collection(PolyCollection([corners], facecolors="0.85", edgecolors=INK, linewidths=0.7, zorder=1.5))
    ground = np.array([below(-2.0, -2.0), below(2.0, -2.0)])
    strokes = [np.array([below(x, -2.0), below(x - 0.8, -2.8)]) for x in np.linspace(-1.2, 2.0, 5)]
    axes.add_collection(_strokes([ground, *strokes], [INK], 0.7, zorder=1.5))


def _strokes(
    lines: list[Array],
    colors: list[str],
    width: float,
    *,
    zorder: float,
    closed: bool = False,
    linestyle: str = "solid",
) -> LineCollection:
    paths = [np.vstack([line, line[:1]]) if closed and len(line) > 2 else line for line in lines]
    return LineCollection(
        paths, colors=colors, linewidths=width, capstyle="round", joinstyle="round", zorder=zorder, linestyles=linestyle
    )
