"""The sketch of a description: what of a planar mechanism the workbench can draw, with the names by which the
description calls it.

Points that revolute joints pin together are one point of the sketch. What the sketch cannot show stays in the
description, and is listed.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from grashof.model.bodies import GROUND
from grashof.model.couplings import Motor
from grashof.model.fields import body_of
from grashof.model.forces import Force
from grashof.model.forces.base import ForceElement
from grashof.model.joints import Joint
from grashof.model.model import Model
from grashof.scene import Scene
from grashof.server.devices import Drawn, ends_of

MOST = 400
"""Points, and links, of a sketch."""

STEADY = (0.0, 0.37, 1.0, 2.93, 11.7)
"""Times at which the law of a motor is looked at, s: a law that is linear between them all has a constant speed."""

FINEST = 6
"""Decimals of coordinates, as the sketch has them."""


def sketch_of(model: Model, scene: Scene) -> tuple[dict[str, Any] | None, str]:
    """The sketch, None if there can be none, and a sentence on what it does not show, if anything."""
    if model.dimension != 2:
        return None, "Mechanisms in space have no sketch; edit the description."
    if max(len(model.points), len(model.bodies)) > MOST:
        return None, f"Mechanisms with more than {MOST} points have no sketch; edit the description."
    return _Drawn(model, scene).all()


@dataclass
class _Drawn:
    model: Model
    scene: Scene
    cluster: dict[str, str] = field(default_factory=dict)
    left_out: dict[str, list[str]] = field(default_factory=dict)

    def all(self) -> tuple[dict[str, Any] | None, str]:
        model = self.model
        pins = [joint for joint in model.joints if joint.is_pin]
        springs = [
            (force, sketch)
            for force in model.forces
            if (sketch := force.element()) and sketch.kind == "spring" and _plain(force.laws())
        ]
        loads = [
            (force, sketch)
            for force in model.forces
            if (sketch := force.element()) and sketch.kind == "load" and not sketch.follows and _plain(force.laws())
        ]
        drawn = [end for _, sketch in (*springs, *loads) for end in sketch.points] + ends_of(model)
        self._clusters(pins, drawn)
        names = self._names(pins)
        sliders = list(self._sliders(names))
        slots = list(self._slots(names, {slider["own"]["name"] for slider in sliders}))
        motors = list(self._motors())
        torques = list(self._torques())
        shown = {
            "joints": {joint.name for joint in pins}
            | {slider["own"]["name"] for slider in sliders}
            | {slot["name"] for slot in slots},
            "forces": {force.name for force, _ in (*springs, *loads)} | {torque["name"] for torque in torques},
            "motors": {motor["own"]["name"] for motor in motors},
        }
        found: dict[str, Any] = {
            "name": model.name,
            "gravity": self._gravity(),
            "points": [self._point(cluster, name) for cluster, name in names.items()],
            "links": [self._link(body, names) for body in model.bodies],
            "pins": [
                {"name": joint.name, "point": names[self.cluster[joint.a]], "a": _owner(joint.a), "b": _owner(joint.b)}
                for joint in pins
            ],
            "sliders": sliders,
            "springs": [self._spring(force, sketch, names) for force, sketch in springs],
            "motors": motors,
            "slots": slots,
            "forces": [
                {"name": force.name, "point": names[self.cluster[sketch.points[0]]], **_components(sketch.direction)}
                for force, sketch in loads
            ],
            "torques": torques,
        }
        found["devices"] = self._devices(found, names, shown)
        lonely = [link["name"] for link in found["links"] if len(link["points"]) < 2]
        if lonely:
            found["links"] = [link for link in found["links"] if link["name"] not in lonely]
            found["motors"] = [motor for motor in motors if motor["link"] not in lonely]
            shown["motors"] = {motor["own"]["name"] for motor in found["motors"]}
            found["torques"] = [torque for torque in torques if torque["link"] not in lonely]
            found["devices"] = [device for device in found["devices"] if not {*device["links"]} & {*lonely}]
            found["slots"] = [slot for slot in slots if not {slot["guide"], slot["rider"]} & {*lonely}]
            shown["joints"] -= {slot["name"] for slot in slots} - {slot["name"] for slot in found["slots"]}
            self.left_out["bodies with fewer than two points"] = lonely
        for kind in ("joints", "forces", "motors", "couplings", "events"):
            rest = [part.name for part in getattr(model, kind) if part.name not in shown.get(kind, set())]
            if rest:
                self.left_out[kind] = rest
        found["beyond"] = [name for kind in ("joints", "couplings") for name in self.left_out.get(kind, ())]
        found["unknown"] = [name for kind, names in self.left_out.items() for name in names]
        by_name = {motor.name: motor for motor in model.motors}
        found["unknown"] += [
            motor["own"]["name"]
            for motor in found["motors"]
            if "law" not in motor and not _steady(by_name[motor["own"]["name"]])
        ]
        found["unknown"] += ["the start of the description"] * self._starts()
        return found, self._sentence()

    def _devices(
        self, found: dict[str, Any], names: dict[str, str], shown: dict[str, set[str]]
    ) -> list[dict[str, Any]]:
        """What is between links and points; it is added to what is shown."""
        joints = {
            **{slot["name"]: slot["point"] for slot in found["slots"]},
            **{slider["own"]["name"]: slider["point"] for slider in found["sliders"]},
            **{pin["name"]: pin["point"] for pin in found["pins"]},
        }
        drawn = Drawn(
            self.model,
            frozenset(link["name"] for link in found["links"]),
            {point: names[cluster] for point, cluster in self.cluster.items()},
            joints,
            {slider["point"]: slider["angle"] for slider in found["sliders"]},
        )
        made = []
        for kind, device in drawn.all():
            shown.setdefault(kind, set()).add(device["name"])
            made.append(device)
        return made

    def _starts(self) -> bool:
        """Whether the motion begins with velocities, or at a time, that the sketch does not have."""
        start = self.model.start
        return start.time != 0.0 or any(x.rate is not None for x in (*start.needs, *start.wants))

    def _sentence(self) -> str:
        if not self.left_out:
            return ""
        kinds = "; ".join(f"{kind}: {', '.join(names)}" for kind, names in self.left_out.items())
        return f"Not shown in the sketch, and kept in the description: {kinds}."

    def _clusters(self, pins: Iterable[Joint], ends: Iterable[str]) -> None:
        """Which points are one: those that pins hold together. Of the ground's points only those that something is
        fixed to are drawn."""
        used = {end for joint in pins for end in (joint.a, joint.b)} | set(ends)
        self.cluster = {point: point for point in self.model.points if body_of(point) != GROUND or point in used}
        for joint in pins:
            one, other = self.cluster[joint.a], self.cluster[joint.b]
            kept, gone = (other, one) if body_of(other) == GROUND else (one, other)
            self.cluster = {point: kept if to == gone else to for point, to in self.cluster.items()}

    def _names(self, pins: list[Joint]) -> dict[str, str]:
        """A name for each cluster: that of the ground's point, of a joint there, or of the point itself."""
        found: dict[str, str] = {}
        clusters = list(dict.fromkeys(self.cluster.values()))
        clusters.sort(key=lambda point: body_of(point) != GROUND)
        joints = {self.cluster[joint.a]: joint.name for joint in reversed(pins)}
        for cluster in clusters:
            owner, _, label = cluster.rpartition(".")
            bare = f"{owner} {label}" if label in ("start", "end") else label
            wanted = label if owner == GROUND else joints.get(cluster, bare).partition("~")[0]
            name, k = wanted, 2
            while name in found.values():
                name, k = f"{wanted} {k}", k + 1
            found[cluster] = name
        return found

    def _point(self, cluster: str, name: str) -> dict[str, Any]:
        ground = body_of(cluster) == GROUND
        x, y = map(float, self.model.points[cluster]) if ground else self._place(cluster)
        return {"name": name, "x": x, "y": y, "ground": ground, "traced": False}

    def _place(self, point: str) -> tuple[float, float]:
        """Where a point of a body is at the start."""
        (x0, y0), angle = self._pose(body_of(point))
        a, b = self.model.points[point]
        x, y = x0 + a * math.cos(angle) - b * math.sin(angle), y0 + a * math.sin(angle) + b * math.cos(angle)
        return round(x, FINEST), round(y, FINEST)

    def _pose(self, body: str) -> tuple[tuple[float, float], float]:
        number = [x.name for x in self.model.bodies].index(body)
        pose = self.scene.poses.array()[0, number]
        x, y = (pose[:2] + np.array(self.scene.shift[:2])).tolist()
        return (x, y), 2.0 * math.atan2(pose[6], pose[3])

    def _link(self, body: Any, names: dict[str, str]) -> dict[str, Any]:
        labels = [*body.ends(2), *body.points]
        own = {names[self.cluster[f"{body.name}.{label}"]]: label for label in labels}
        (x, y), angle = self._pose(body.name)
        frame = {"x": round(x, FINEST), "y": round(y, FINEST), "angle": round(math.remainder(angle, math.tau), 9)}
        kind = str(body.__struct_config__.tag)
        shape = {name: [*map(float, self.model.points[f"{body.name}.{label}"])] for name, label in own.items()}
        return {
            "name": body.name,
            "points": list(own),
            "mass": float(body.mass),
            "own": {"type": kind, "labels": own, **frame, "shape": shape, **_spread(body)},
        }

    def _sliders(self, names: dict[str, str]) -> Iterable[dict[str, Any]]:
        taken = set()
        for joint in self.model.joints:
            kinds = [motion.kind for motion in joint.motions or ()]
            if (
                kinds == ["slide", "turn"]
                and joint.reach is None
                and body_of(joint.a) == GROUND
                and body_of(joint.b) != GROUND
            ):
                point = names[self.cluster[joint.b]]
                grounded = body_of(self.cluster[joint.b]) == GROUND
                if point not in taken and not grounded:
                    taken.add(point)
                    along, across = dict(joint.directions())["axis_a"]
                    angle = round(math.degrees(math.atan2(across, along)), FINEST)
                    x, y = self.model.points[joint.a]
                    own = {
                        "name": joint.name,
                        "ground": joint.a.partition(".")[2],
                        "link": body_of(joint.b),
                        "x": x,
                        "y": y,
                    }
                    yield {"point": point, "angle": angle, "own": own}

    def _slots(self, names: dict[str, str], taken: set[str]) -> Iterable[dict[str, Any]]:
        """Lines of bodies on which a point of another slides, and lines of the ground along which a body slides."""
        for joint in self.model.joints:
            kinds = [motion.kind for motion in joint.motions or ()]
            known = joint.name in taken or joint.reach is not None or body_of(joint.b) == GROUND
            if known or kinds not in (["slide"], ["slide", "turn"]):
                continue
            guide = body_of(joint.a)
            axes = {field: math.atan2(axis[1], axis[0]) for field, axis in joint.directions() if axis}
            angle = axes["axis_a"] + (0.0 if guide == GROUND else self._pose(guide)[1])
            yield {
                "name": joint.name,
                "guide": None if guide == GROUND else guide,
                "rider": body_of(joint.b),
                "point": names[self.cluster[joint.b]],
                "from": None if guide == GROUND else names[self.cluster[joint.a]],
                "to": None,
                "angle": round(math.degrees(angle), FINEST),
                "keeps": kinds == ["slide"],
                "own": {
                    "axis": [math.cos(axes["axis_a"]), math.sin(axes["axis_a"])],
                    "turn": axes["axis_a"] - axes.get("axis_b", axes["axis_a"]),
                },
            }

    def _torques(self) -> Iterable[dict[str, Any]]:
        """Constant torques on bodies, against the ground."""
        links = {f"{body.name}.angle": body.name for body in self.model.bodies}
        for force in self.model.forces:
            sketch = force.element()
            if sketch and ("type", "torque") in sketch.facts and sketch.measure in links and _plain(force.laws()):
                (torque,) = (float(law) for law in force.laws() if isinstance(law, int | float))
                yield {"name": force.name, "link": links[sketch.measure], "torque": torque}

    def _spring(self, force: Force, sketch: ForceElement, names: dict[str, str]) -> dict[str, Any]:
        stiffness, length, damping = (float(law) for law in force.laws() if isinstance(law, int | float))
        ends = {side: names[self.cluster[point]] for side, point in zip("ab", sketch.points, strict=True)}
        return {"name": force.name, **ends, "stiffness": stiffness, "damping": damping, "length": length}

    def _motors(self) -> Iterable[dict[str, Any]]:
        links = {f"{body.name}.angle": body.name for body in self.model.bodies}
        taken = set()
        for motor in self.model.motors:
            speed = _speed(motor)
            if motor.target in links and motor.target not in taken and speed is not None:
                taken.add(motor.target)
                law = not isinstance(motor.speed, int | float)
                typed = {"law": motor.speed} if isinstance(motor.speed, str) and not _steady(motor) else {}
                own = {"name": motor.name, "law": law}
                yield {"link": links[motor.target], "speed": speed, **typed, "own": own}

    def _gravity(self) -> float:
        x, y = (*self.model.gravity, 0.0, 0.0)[:2]
        if x:
            self.left_out["gravity"] = ["it is not vertical"]
        return 0.0 if x else -float(y)


def _components(vector: Iterable[float]) -> dict[str, float]:
    return dict(zip("xy", map(float, vector), strict=True))


def _plain(laws: Iterable[object]) -> bool:
    return all(isinstance(law, int | float) for law in laws)


def _speed(motor: Motor) -> float | None:
    """The speed of a motor now, rad/s, however it is given."""
    if isinstance(motor.speed, int | float):
        return float(motor.speed)
    try:
        here, early, late = (float(motor.value(time)) for time in (0.0, 1e-6, 1.0))
    except (TypeError, ValueError, ArithmeticError):
        return None
    return late - here if _steady(motor) else round((early - here) * 1e6, 3)


def _steady(motor: Motor) -> bool:
    """Whether the speed of a motor is constant."""
    if motor.speed is not None:
        return isinstance(motor.speed, int | float)
    try:
        values = [float(motor.value(time)) for time in STEADY]
    except (TypeError, ValueError, ArithmeticError):
        return False
    rates = [(value - values[0]) / (time - STEADY[0]) for value, time in zip(values[1:], STEADY[1:], strict=True)]
    return max(rates) - min(rates) <= 1e-9 * max(map(abs, rates), default=0.0)


def _spread(body: Any) -> dict[str, Any]:
    """Centre of mass and inertia of a general body; a bar has those of a slender one."""
    if body.ends(2):
        return {}
    return {"center": [*map(float, body.mass_center(2))], "inertia": float(body.planar_inertia)}


def _owner(point: str) -> str | None:
    """The link that a point belongs to; None for the ground."""
    return None if body_of(point) == GROUND else body_of(point)
