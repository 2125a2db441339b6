"""Describes a run, or a mechanism at its start, as a scene."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from grashof.assembly.assembled_model import assemble_with_start
from grashof.common.blas import one_thread
from grashof.common.errors import ModelError
from grashof.formulation.natural.state import measure_parts
from grashof.formulation.natural.system import System
from grashof.model.bodies import GROUND
from grashof.model.fields import body_of, difference
from grashof.model.masses import with_unit_masses
from grashof.model.measures import Measure
from grashof.model.mechanism import Mechanism, as_model
from grashof.model.model import Model
from grashof.motion.trajectory import Trajectory
from grashof.quantities.catalog import ACCELERATION
from grashof.scalar.jet import Jet
from grashof.scene import types
from grashof.scene.drawing import Drawing, viewer_axes
from grashof.scene.kinds import Kind, Pin
from grashof.scene.palette import BODIES
from grashof.scene.poses import poses
from grashof.scene.start import AXIS, SceneStart, space
from grashof.scene.symbols import Symbols

Array = np.ndarray

LEAST, MOST = 241, 1201
"""Smallest and largest number of frames of a motion: enough to be smooth, and few enough for a page."""

TURN = 0.08
"""Largest rotation of a body between frames, rad, unless this would take too many frames."""

FAR = 100.0
"""A mechanism that is farther from the origin than this many times its size is described relative to its own
centre."""

UNNAMED = re.compile(r"\.p\d+$")
"""Points to which `body.at` has given their names."""

VECTORS = 60
"""Largest number of points for which velocities and accelerations are kept; with more, a page would be too large."""


def describe(
    run: Trajectory, times: Array | None = None, *, reactions: bool = True, quantities: bool = True
) -> types.Scene:
    """The scene of a run, at given times or at as many frames as are needed to show it smoothly.

    reactions    whether to compute the joint reactions
    quantities   whether to compute anything beyond the poses of bodies, which are enough for a picture
    """
    motion = Trajectory(run.program, run.steps, _frame_times(run) if times is None else np.asarray(times, float))
    system, way = run.program.system, run.steps.y[:, run.program.dynamics.layout.of_q]
    facts = _Motion(run.program.model, system, way, motion.q[0], motion.t, poses(system, motion.q))
    outcome = types.Outcome(run.status.ok, run.status.code.name.lower(), str(run.status))
    notes = [("Method", f"{run.method.method.name}: {run.method.reason}")] if len(run.steps.t) > 1 else []
    if run.error is not None:
        notes.append(("Estimated error", f"{run.error:.2g} of the mechanism's length, over the whole run"))
    return _scene(
        facts,
        series=tuple(_series(motion)) if quantities else (),
        arrows=_vectors(motion, reactions) if quantities else (),
        moments=tuple(types.Moment(event.name, float(event.time)) for event in run.events),
        outcome=outcome,
        notes=tuple(notes),
    )


def describe_model(mechanism: Mechanism | Model) -> types.Scene:
    """The scene of a mechanism at its start, with a single frame. Masses are not needed, and nothing is compiled."""
    model = as_model(mechanism)
    with one_thread():
        assembled = assemble_with_start(with_unit_masses(model))
        system, start = assembled.system, assembled.assembly
    q = np.asarray(start.q)[None]
    return _scene(_Motion(model, system, q, q[0], np.array([start.time]), poses(system, q)))


@dataclass(frozen=True)
class _Motion:
    """A mechanism in motion.

    way      coordinates at every step of the run, (steps, n)
    first    coordinates at the first frame, (n,)
    times    times of the frames
    placed   poses of the bodies at these times, (frames, bodies, 7)
    """

    model: Model
    system: System
    way: Array
    first: Array
    times: Array
    placed: Array

    def world(self, spot: types.Spot) -> Array:
        """The position of a place on a body at each frame, (frames, 3)."""
        if spot.body == 0:
            return np.broadcast_to(np.array(spot.at), (len(self.placed), 3))
        pose = self.placed[:, spot.body - 1]
        w, u, p = pose[:, 3:4], pose[:, 4:], np.array(spot.at)
        once = np.cross(u, p)
        return np.asarray(pose[:, :3] + p + 2.0 * (w * once + np.cross(u, once)))

    def direction_of(self, body: int, direction: types.Vec3) -> Array:
        """A direction of a body at each frame, (frames, 3)."""
        return np.asarray(self.world(types.Spot(body, direction)) - self.world(types.Spot(body, (0.0, 0.0, 0.0))))

    def travel(
        self, a: types.Spot, b: types.Spot, body: int, axis: types.Vec3, *, margin: float = 0.1
    ) -> tuple[float, float]:
        """The range of b relative to a, along a direction of a body, during the run; with a margin at both ends, m: a
        part of the mechanism's length and of the range."""
        system, q = self.system, list(self.way.T)
        names, axes = [GROUND, *(x.name for x in self.model.bodies)], self.model.dimension
        first, second = (system.frames[names[spot.body]].point(spot.at[:axes]) for spot in (a, b))
        gap, arrow = difference(second, first), system.arrow(names[body], axis[:axes])
        parts = [np.asarray(g.at(q)) * np.asarray(u.at(q)) for g, u in zip(gap, arrow, strict=True)]
        travel = np.sum(np.broadcast_arrays(*parts), axis=0) / system.length
        room = margin * (system.length + float(np.ptp(travel)))
        return float(np.min(travel)) - room, float(np.max(travel)) + room

    def spans(self, a: types.Spot, b: types.Spot) -> tuple[float, float]:
        """The smallest and the largest distance of two places at all frames, m."""
        sizes = np.linalg.norm(self.world(b) - self.world(a), axis=1)
        return float(np.min(sizes)), float(np.max(sizes))

    def value(self, measure: Measure) -> float:
        """A measure at the first frame; an angle within ±π."""
        q = self.first.tolist()
        return float(measure.value([part.at(q) for part in measure_parts(self.system, measure)]))

    def start(self) -> tuple[Array, Array]:
        """Origins and axes of all bodies at the first frame, beginning with the ground."""
        numbers = range(self.placed.shape[1] + 1)
        origins = [self.world(types.Spot(body, (0.0, 0.0, 0.0)))[0] for body in numbers]
        axes = [np.column_stack([self.direction_of(body, space(e))[0] for e in np.eye(3)]) for body in numbers]
        return np.array(origins), np.array(axes)


def _scene(
    facts: _Motion,
    series: tuple[types.Series, ...] = (),
    arrows: tuple[types.Arrows, ...] = (),
    moments: tuple[types.Moment, ...] = (),
    outcome: types.Outcome | None = None,
    notes: tuple[tuple[str, str], ...] = (),
) -> types.Scene:
    model = facts.model
    start = SceneStart(model, *facts.start(), facts.travel, facts.spans, facts.value)
    symbols = list(Symbols(start).all())
    helpers = _helpers(start, symbols)
    points = [types.NamedPoint(name, start.spot(name), name in helpers) for name in model.points]
    world = [facts.world(point.spot) for point in points if not point.helper]
    bodies = (types.Body(GROUND, 0, (), None, ()), *_bodies(start, symbols, helpers))
    towards, up, flat = _view(facts, symbols)
    discs = list(_discs(facts, world, bodies, symbols))
    lower, upper = _extent(discs, np.eye(3))
    size = float(np.max(upper - lower)) or 1.0
    detail = _detail(bodies, size)
    middle = 0.5 * (lower + upper)
    shift = middle if np.max(np.abs(middle)) > FAR * size else np.zeros(3)
    viewer = viewer_axes(towards, up)
    drawing = Drawing(start, bodies, symbols, detail, size, viewer, space(up), flat)
    return types.Scene(
        name=model.name,
        dimension=model.dimension,
        gravity=space(model.gravity),
        view=types.View(space(towards), space(up), flat, *(space(corner) for corner in _extent(discs, viewer))),
        size=size,
        detail=detail,
        lower=space(lower),
        upper=space(upper),
        room=max(0.06 * size, (9.0 if any(symbol.points_away for symbol in symbols) else 4.5) * detail),
        bodies=tuple(drawing.bodies_drawn()),
        points=tuple(points),
        symbols=tuple(drawing.symbols_drawn()),
        times=types.Numbers.of(facts.times),
        poses=types.Numbers.of(facts.placed - np.append(shift, np.zeros(4))),
        shift=space(shift),
        series=series,
        arrows=arrows,
        moments=moments,
        outcome=outcome,
        notes=notes,
    )


def _frame_times(run: Trajectory) -> Array:
    """Evenly spaced times, close enough that bodies turn little from one to the next.

    For a run whose steps are not kept, they are chosen from its own times.
    """
    if run.steps.extract is not None or len(run.t) < 2:
        return run.t[:: max(1, -(-len(run.t) // MOST))]
    begin, end = float(run.t[0]), float(run.t[-1])
    trial = Trajectory(run.program, run.steps, np.linspace(begin, end, LEAST))
    placed = poses(run.program.system, trial.q)
    cosines = np.clip(np.abs(np.einsum("tbi,tbi->tb", placed[1:, :, 3:], placed[:-1, :, 3:])), 0.0, 1.0)
    turned = 2.0 * float(np.max(np.arccos(cosines), initial=0.0))
    count = LEAST if turned <= TURN else round((LEAST - 1) * turned / TURN) + 1
    return np.linspace(begin, end, min(count, MOST))


def _bodies(start: SceneStart, symbols: list[Kind], helpers: set[str]) -> list[types.Body]:
    model = start.model
    colors = _colors([body.name for body in model.bodies])
    whole = max((abs(x) for place in model.points.values() for x in place), default=0.0)
    found = []
    for number, (body, color) in enumerate(zip(model.bodies, colors, strict=True), 1):
        own = [name for name in model.points if body_of(name) == body.name and name not in helpers]
        corners = tuple(dict.fromkeys(space(model.points[name]) for name in own))
        center = space(body.mass_center(model.dimension)) if body.mass else None
        if corners:
            middle = space(np.mean(corners, axis=0))
            joined = (place for symbol in symbols if (place := symbol.holds(number, middle)) is not None)
            new = (x for x in joined if not any(np.allclose(x, y, rtol=0.0, atol=1e-6 * whole) for y in corners))
            corners = (*corners, *new)
        if body.name in start.contacts:
            corners = ()
        elif len(corners) == 1 and center is not None and center != corners[0]:
            corners = (*corners, center)
        found.append(types.Body(body.name, color, corners, center, tuple(body.properties())))
    return found


def _helpers(start: SceneStart, symbols: list[Kind]) -> set[str]:
    """Points without a name of their own, from which only lines and circles of other symbols are measured."""
    origins = {spot for symbol in symbols for spot in symbol.origins}
    used = {spot for symbol in symbols for spot in (*symbol.pinned_places, *(x for link in symbol.links for x in link))}
    return {name for name in start.model.points if UNNAMED.search(name) and start.spot(name) in origins - used}


def _colors(names: list[str]) -> list[int]:
    """A number for each body. If there are more bodies than colours, `vertical1`, `vertical2` … share one."""
    many = len(names) > len(BODIES)
    families = [re.sub(r"[\d_]", "", name) if many else name for name in names]
    known = list(dict.fromkeys(families))
    return [known.index(family) for family in families]


def _detail(bodies: tuple[types.Body, ...], size: float) -> float:
    """The size of the small symbols, which must suit both the drawing and its bodies."""
    spans = [float(np.max(np.ptp(np.array(body.corners), axis=0))) for body in bodies if len(body.corners) > 1]
    longer = [span for span in spans if span > 0.0]
    return min(0.02 * size, 0.08 * float(np.median(longer))) if longer else 0.02 * size


def _discs(
    facts: _Motion, world: list[Array], bodies: tuple[types.Body, ...], symbols: list[Kind]
) -> Iterator[tuple[Array, Array, float]]:
    """Everything that must be seen, as discs: centres and axes at all frames, (frames, 3), and radii."""
    for place in world:
        yield place, place, 0.0
    for number, body in enumerate(bodies):
        if body.center is not None:
            place = facts.world(types.Spot(number, body.center))
            yield place, place, 0.0
    for spot, axis, radius in (disc for symbol in symbols for disc in symbol.reach):
        yield facts.world(spot), facts.direction_of(spot.body, axis), radius


def _extent(discs: list[tuple[Array, Array, float]], axes: Array) -> tuple[Array, Array]:
    """The lower and upper corners, along given axes, of the box that contains everything that is drawn at all frames.

    A disc of radius r and normal n reaches r √(1 − (n·e)²) along a direction e.
    """
    lower, upper = np.full(3, np.inf), np.full(3, -np.inf)
    for center, normal, radius in discs:
        rim = radius * np.sqrt(np.clip(1.0 - (normal @ axes.T) ** 2, 0.0, 1.0)) if radius else 0.0
        lower = np.minimum(lower, np.min(center @ axes.T - rim, axis=0, initial=np.inf))
        upper = np.maximum(upper, np.max(center @ axes.T + rim, axis=0, initial=-np.inf))
    return (lower, upper) if np.all(np.isfinite(lower)) else (np.zeros(3), np.zeros(3))


def _view(facts: _Motion, symbols: list[Kind]) -> tuple[Array, Array, bool]:
    """The direction to the viewer, the direction upwards, and whether everything moves in parallel planes, which are
    then seen from the front; otherwise the view is from above and to one side."""
    model = facts.model
    gravity = np.array(space(model.gravity))
    if model.dimension == 2:
        return np.array(AXIS), np.array([0.0, 1.0, 0.0]), True
    up = -gravity / np.linalg.norm(gravity) if np.any(gravity) else np.array([0.0, 0.0, 1.0])
    axis = _common_axis(facts, symbols)
    if axis is not None and np.linalg.norm(np.cross(axis, up)) > 1e-6:
        upright = up - axis * (axis @ up)
        return axis, upright / np.linalg.norm(upright), True
    side = np.eye(3)[int(np.argmin(np.abs(up)))]
    side = side - up * (up @ side)
    side = side / np.linalg.norm(side)
    towards = 0.8 * side + 0.45 * np.cross(up, side) * (1.0 if axis is None else -1.0) + 0.4 * up
    return towards / np.linalg.norm(towards), up, False


def _common_axis(facts: _Motion, symbols: list[Kind]) -> Array | None:
    """The constant direction of the axes of all joints, pointing towards the viewer; None if there is none."""
    joints = facts.model.joints
    if not joints or not all(joint.is_pin for joint in joints):
        return None
    axes = [facts.direction_of(symbol.a.body, symbol.axis) for symbol in symbols if isinstance(symbol, Pin)]
    first: Array = axes[0][0]
    if max(float(np.max(np.abs(np.cross(axis, first)))) for axis in axes) > 1e-6:
        return None
    return np.asarray(first * (1.0 if first[int(np.argmax(np.abs(first)))] > 0 else -1.0))


# -- quantities that are plotted and vectors that are drawn along the motion


def _series(motion: Trajectory) -> list[types.Series]:
    """Measures with their rates, energies, works and violations; coordinates of points follow from the poses."""
    model = motion.program.model
    wanted = [name for name in model.all_measures if f"{name}.rate" in motion.names]
    wanted += [f"{name}.rate" for name in wanted]
    wanted += [name for name in motion.names if name not in model.quantities and not name.endswith(".rate")]
    wanted += [name for name in motion.derived_names if name.startswith("push.")]
    found = []
    for name in dict.fromkeys(wanted):
        if name != "t":
            found.append(types.Series(name, motion.unit(name), types.Numbers.of(motion[name])))
    return found


def _vectors(motion: Trajectory, reactions: bool) -> tuple[types.Arrows, ...]:
    return *_arrows(motion), *_forces(motion), *(_reactions(motion) if reactions else ())


def _arrows(motion: Trajectory) -> list[types.Arrows]:
    """Velocities and accelerations of the points."""
    model = motion.program.model
    axes = "xyz"[: model.dimension]
    numbers = {body.name: k for k, body in enumerate(model.bodies, 1)}
    points = [name for name in model.points if body_of(name) != GROUND]
    found = []
    if len(points) > VECTORS:
        return []
    for kind, ending, unit in (("velocity", ".rate", "m/s"), ("acceleration", ACCELERATION, "m/s²")):
        for name in points:
            values = np.column_stack([motion[f"{name}.{axis}{ending}"] for axis in axes])
            spot = types.Spot(numbers[body_of(name)], space(model.points[name]))
            found.append(types.Arrows(kind, name, unit, spot, types.Numbers.of(values)))
    return found


def _forces(motion: Trajectory) -> list[types.Arrows]:
    """Forces of springs, dampers and bushings, and forces applied at points, where they act."""
    model = motion.program.model
    numbers = {body.name: k for k, body in enumerate(model.bodies, 1)}
    found = []
    for force, acting in zip(model.all_forces, model.acting, strict=True):
        if force.element() is None:
            continue
        for target, effort in acting.loads(motion.motion):
            if not isinstance(target, str) or target not in model.points or body_of(target) == GROUND:
                continue
            parts = [x.value if isinstance(x, Jet) else x for x in effort]
            values = np.column_stack([np.broadcast_to(np.asarray(x, float), motion.t.shape) for x in parts])
            spot = types.Spot(numbers[body_of(target)], space(model.points[target]))
            found.append(types.Arrows("force", f"{force.name} on {target}", "N", spot, types.Numbers.of(values)))
    return found if len(found) <= VECTORS else []


def _reactions(motion: Trajectory) -> list[types.Arrows]:
    """The forces that joints exert on their second bodies."""
    model = motion.program.model
    if len(model.joints) > VECTORS or len(motion.t) < 2:
        return []
    try:
        found = motion.reactions(motion.t)
    except ModelError:  # no body has mass, or forces depend on reactions that are not unique
        return []
    numbers = {GROUND: 0} | {body.name: k for k, body in enumerate(model.bodies, 1)}
    return [
        types.Arrows(
            "reaction",
            joint.name,
            "N",
            types.Spot(numbers[body_of(joint.b)], space(model.points[joint.b])),
            types.Numbers.of(found.joints[joint.name][:, : model.dimension]),
        )
        for joint in model.joints
    ]
