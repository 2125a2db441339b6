"""What a drawing needs to know of a motion: where all points are, as seen on the paper."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from grashof.model.bodies import GROUND
from grashof.model.fields import body_of, difference
from grashof.model.joints import PinInSlot, Revolute, Slider
from grashof.model.model import Model
from grashof.trajectory import Trajectory

Array = np.ndarray


@dataclass(frozen=True)
class Guide:
    """A line along which a pin or block slides: from `start` to `end`, which the block never leaves. (times, 2 or 3)"""

    start: Array
    end: Array
    block: str
    fixed: bool


@dataclass(frozen=True)
class Scene:
    """A motion as it is seen: `dimension` 2 on the paper (planar, or along the common axis of all pins), 3 in space.

    points  where each `body.point` is, (times, dimension), in m
    guides  the lines of sliders and slots
    labels  names of the drawing's axes
    """

    model: Model
    t: Array
    points: dict[str, Array]
    guides: tuple[Guide, ...]
    labels: tuple[str, ...]

    @property
    def dimension(self) -> int:
        """2 or 3."""
        return len(self.labels)

    @property
    def extent(self) -> tuple[Array, Array]:
        """The lower and upper corners of all that is ever seen, in m; the origin if nothing is."""
        seen = [*self.points.values(), *(x for guide in self.guides for x in (guide.start, guide.end))]
        places = np.concatenate(seen or [np.zeros((1, self.dimension))])
        return places.min(axis=0), places.max(axis=0)

    @property
    def size(self) -> float:
        """The largest side of the extent, m (1 for a single point)."""
        lower, upper = self.extent
        return float(np.max(upper - lower)) or 1.0

    @property
    def detail(self) -> float:
        """The size of the small symbols, m: they must fit the drawing and the bodies in it."""
        spans = []
        for body in self.model.bodies:
            own = [at[0] for name, at in self.points.items() if body_of(name) == body.name]
            spans.append(float(np.max(np.ptp(own, axis=0))) if own else 0.0)
        longer = [span for span in spans if span > 0.0]
        return min(0.02 * self.size, 0.08 * float(np.median(longer))) if longer else 0.02 * self.size


def scene_of(whole: Trajectory, rows: Array) -> Scene:
    """The motion at the chosen rows of the trajectory."""
    run = Trajectory(whole.program, whole.steps, whole.t[rows])
    model = run.program.model
    view, labels = _view(run)
    axes = "xyz"[: model.dimension]
    points = {}
    for name, place in model.points.items():
        if body_of(name) == GROUND:
            world = np.broadcast_to(np.array(place, float), (len(run.t), model.dimension))
        else:
            world = np.column_stack([run[f"{name}.{axis}"] for axis in axes])
        points[name] = world @ view.T
    guides = []
    for joint in model.joints:
        if isinstance(joint, Slider | PinInSlot):
            lowest, highest = _travel(whole, joint)
            along = _direction(run, joint.bodies[0], joint.axis_a) @ view.T
            start, end = (points[joint.a] + reach * along for reach in (lowest, highest))
            guides.append(Guide(start, end, joint.b, fixed=joint.bodies[0] == GROUND))
    return Scene(model, run.t, points, tuple(guides), labels)


def _travel(run: Trajectory, joint: Slider | PinInSlot) -> tuple[float, float]:
    """From where to where b goes along the line from a during the whole run, with some room at both ends, m."""
    n, steps, system = run.program.system.n, run.steps, run.program.system
    q = list(steps.y[:, :n].T)
    gap = difference(system.point(joint.b), system.point(joint.a))
    arrow = system.arrow(joint.bodies[0], joint.axis_a)
    travel = sum(np.asarray(g.at(q)) * np.asarray(u.at(q)) for g, u in zip(gap, arrow, strict=True)) / system.length
    room = 0.1 * system.length + 0.1 * float(np.ptp(travel))
    return float(np.min(travel)) - room, float(np.max(travel)) + room


def _direction(run: Trajectory, body: str, direction: tuple[float, ...]) -> Array:
    """A body-fixed direction in world axes, (times, dimension)."""
    system = run.program.system
    forms = system.arrow(body, direction)
    components = [np.broadcast_to(np.asarray(form.at(list(run.q.T)), float), run.t.shape) for form in forms]
    return np.column_stack(components) / system.length


def _view(run: Trajectory) -> tuple[Array, tuple[str, ...]]:
    """The rows that turn world coordinates into what is seen, and their names."""
    model = run.program.model
    if model.dimension == 2:
        return np.eye(2), ("x", "y")
    axis = _common_axis(run)
    if axis is None:
        return np.eye(3), ("x", "y", "z")
    up = -np.array(model.gravity) if any(model.gravity) else np.array([0.0, 0.0, 1.0])
    for candidate in (up, np.array([0.0, 0.0, 1.0]), np.array([0.0, 1.0, 0.0])):
        up = candidate - axis * (axis @ candidate)
        if np.linalg.norm(up) > 1e-6 * np.linalg.norm(candidate):
            break
    up /= np.linalg.norm(up)
    view = np.array([np.cross(up, axis), up])
    return view, (_axis_name(view[0], "right"), _axis_name(view[1], "up"))


def _common_axis(run: Trajectory) -> Array | None:
    """The direction all joints turn about and keep, pointing to the viewer; None if there is no such one."""
    axes = []
    for joint in run.program.model.joints:
        if not isinstance(joint, Revolute):
            return None
        axes.append(_direction(run, joint.bodies[0], joint.axis_a))
    if not axes:
        return None
    first: Array = axes[0][0]
    if max(float(np.max(np.abs(np.cross(x, first)))) for x in axes) > 1e-6:
        return None
    return first * (1.0 if first[int(np.argmax(np.abs(first)))] > 0 else -1.0)


def _axis_name(direction: Array, otherwise: str) -> str:
    largest = int(np.argmax(np.abs(direction)))
    if abs(direction[largest]) < 1.0 - 1e-9:
        return otherwise
    return "xyz"[largest] if direction[largest] > 0 else f"−{'xyz'[largest]}"
