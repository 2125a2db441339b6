"""Orientations in MJCF, and the masses of geoms, from which MuJoCo computes the mass of a body without `inertial`."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from grashof.common.errors import ModelError
from grashof.exchange.mjcf.meshes import Meshes
from grashof.exchange.moves import Frame
from grashof.exchange.parsing import direction, number, numbers, truth
from grashof.exchange.surfaces import Shape
from grashof.exchange.torques import NotOurs
from grashof.exchange.xml import Element
from grashof.model.fields import unit
from grashof.model.rotations import rotation_matrix
from grashof.situation.rotations import turns

DENSITY = 1000.0
SIZES = {"sphere": 1, "capsule": 2, "cylinder": 2, "box": 3, "ellipsoid": 3}
"""How many numbers the size of a shape has."""
ATTITUDES = ("quat", "axisangle", "euler", "xyaxes", "zaxis")
"""Attributes that give an orientation."""


@dataclass(frozen=True)
class CompilerSettings:
    """The settings of a document's `compiler` and of the flags of its `option`.

    groups     the first and the last group of geoms that masses are made of
    disabled   what is switched off
    least_mass, least_inertia   lower bounds of the mass of a body and of its principal moments of inertia
    balanced   moments of inertia that no body can have are replaced by their mean
    aligned    the coordinates of free bodies are those of their principal axes
    """

    degrees: bool = True
    sequence: str = "xyz"
    from_geoms: str = "auto"
    groups: tuple[float, float] = (0.0, 5.0)
    limits: bool = True
    disabled: frozenset[str] = frozenset()
    least_mass: float = 0.0
    least_inertia: float = 0.0
    balanced: bool = False
    aligned: bool = False

    def angle(self, x: float) -> float:
        """An angle of the document in rad."""
        return math.radians(x) if self.degrees else x


def within_bounds(matter: Matter, settings: CompilerSettings) -> Matter:
    """A mass with the bounds that the compiler gives."""
    if not (settings.least_mass > 0.0 or settings.least_inertia > 0.0 or settings.balanced):
        return matter
    moments, axes = np.linalg.eigh(matter.inertia)
    bounded = np.maximum(moments, settings.least_inertia)
    if settings.balanced and 2.0 * np.max(bounded) > np.sum(bounded):
        bounded = np.full(3, np.mean(bounded))
    inertia = matter.inertia if np.array_equal(bounded, moments) else (axes * bounded) @ axes.T
    return Matter(max(matter.mass, settings.least_mass), matter.center, inertia)


def attitude(element: Element, given: dict[str, str], settings: CompilerSettings) -> np.ndarray:
    """The axes of an element as columns, from whichever of its attributes tells them."""
    if "quat" in given:
        q = numbers(element, "quat", given["quat"], 4)
        direction(element, "quat", q)
        return np.eye(3) if q[1:] == (0.0, 0.0, 0.0) else rotation_matrix(q)
    if "axisangle" in given:
        *axis, angle = numbers(element, "axisangle", given["axisangle"], 4)
        found: np.ndarray = turns(
            np.array(unit(direction(element, "axisangle", tuple(axis)))), np.array([settings.angle(angle)])
        )[0]
        return found
    if "euler" in given:
        axes = np.eye(3)
        for letter, angle in zip(settings.sequence, numbers(element, "euler", given["euler"], 3), strict=True):
            turn = turns(np.eye(3)["xyz".index(letter.lower())], np.array([settings.angle(angle)]))[0]
            axes = axes @ turn if letter.islower() else turn @ axes
        return axes
    if "xyaxes" in given:
        values = numbers(element, "xyaxes", given["xyaxes"], 6)
        x = np.array(unit(direction(element, "xyaxes", values[:3])))
        y = np.array(values[3:]) - x * (x @ np.array(values[3:]))
        y = np.array(unit(direction(element, "xyaxes", tuple(y))))
        return np.column_stack([x, y, np.cross(x, y)])
    if "zaxis" in given:
        z = np.array(unit(direction(element, "zaxis", numbers(element, "zaxis", given["zaxis"], 3))))
        return _towards(z)
    return np.eye(3)


def _towards(z: np.ndarray) -> np.ndarray:
    """The shortest turn that leads the z axis there."""
    axis = np.cross([0.0, 0.0, 1.0], z)
    size = float(np.linalg.norm(axis))
    if size < 1e-12:
        return np.eye(3) if z[2] > 0.0 else np.diag([1.0, -1.0, -1.0])
    found: np.ndarray = turns(axis / size, np.array([math.atan2(size, z[2])]))[0]
    return found


@dataclass(frozen=True)
class Matter:
    """A mass, where its centre is, and its inertia about it, in the axes of the body."""

    mass: float
    center: np.ndarray
    inertia: np.ndarray

    def moved(self, frame: Frame | None) -> Matter:
        """The same in a frame."""
        if frame is None:
            return self
        place, axes = np.array(frame[0]), frame[1]
        return Matter(self.mass, place + axes @ self.center, axes @ self.inertia @ axes.T)


def together(parts: list[Matter]) -> Matter:
    """Several as one."""
    mass = sum(part.mass for part in parts)
    if mass <= 0.0:
        return Matter(0.0, np.zeros(3), np.zeros((3, 3)))
    center = sum((part.mass * part.center for part in parts), np.zeros(3)) / mass
    inertia = np.zeros((3, 3))
    for part in parts:
        d = part.center - center
        inertia = inertia + part.inertia + part.mass * ((d @ d) * np.eye(3) - np.outer(d, d))
    return Matter(mass, center, inertia)


def of_geom(element: Element, given: dict[str, str], settings: CompilerSettings, meshes: Meshes) -> Matter:
    """The mass properties of a geom; raises NotOurs with the reason if they are not known."""
    kind = given.get("type", "sphere")
    if kind == "mesh":
        return _of_mesh(element, given, settings, meshes)
    if kind == "sdf":
        raise NotOurs("the mass of a signed distance field is not supported")
    if kind not in SIZES:
        return Matter(0.0, np.zeros(3), np.zeros((3, 3)))
    shape = shape_of(element, given, settings)
    if truth(element, "shellinertia", given.get("shellinertia", ""), False):
        raise NotOurs("shellinertia, the mass of a shell, is not supported")
    place, axes = np.array(shape.frame[0]), shape.frame[1]
    volume, squares = _volume(kind, shape.size)
    mass = _mass(element, given, volume)
    # squares are ∫ x² dm / m and so on
    moments = mass * np.diag([squares[1] + squares[2], squares[0] + squares[2], squares[0] + squares[1]])
    return Matter(mass, place, axes @ moments @ axes.T)


def shape_of(element: Element, given: dict[str, str], settings: CompilerSettings) -> Shape:
    """The shape of a geom in its enclosing frame; raises NotOurs with the reason if it is not known."""
    kind = given.get("type", "sphere")
    if kind not in SIZES:
        raise NotOurs(f"the shape of a {kind} is not supported")
    size = numbers(element, "size", given.get("size", ""))
    place, axes = np.array(numbers(element, "pos", given.get("pos", "0 0 0"), 3)), attitude(element, given, settings)
    if "fromto" in given:
        ends = np.array(numbers(element, "fromto", given["fromto"], 6)).reshape(2, 3)
        span = ends[1] - ends[0]
        place = ends.mean(axis=0)
        axes = _towards(np.array(unit(direction(element, "fromto", tuple(span)))))
        half = 0.5 * float(np.linalg.norm(span))
        size = (size[0], half) if kind in ("capsule", "cylinder") and size else (*size[:1], *size[:1], half)
    if "mesh" in given:
        raise NotOurs(f"a {kind} that is fitted to a mesh is not supported")
    needed = SIZES[kind]
    if len(size) < needed or min(size[:needed]) <= 0.0:
        raise ModelError(
            f"{element.place}: size is '{given.get('size', '')}'; a {kind} needs {needed} positive numbers."
        )
    return Shape(kind, size[:needed], (tuple(map(float, place)), axes))


def _mass(element: Element, given: dict[str, str], volume: float) -> float:
    if "mass" in given:
        mass = number(element, "mass", given["mass"])
    else:
        mass = volume * number(element, "density", given.get("density", repr(DENSITY)))
    if mass < 0.0:
        raise ModelError(f"{element.place}: its mass is {mass:g} kg; it must not be negative.")
    return mass


def _of_mesh(element: Element, given: dict[str, str], settings: CompilerSettings, meshes: Meshes) -> Matter:
    place, axes = np.array(numbers(element, "pos", given.get("pos", "0 0 0"), 3)), attitude(element, given, settings)
    volume, center, second = meshes.mass_properties(given.get("mesh", ""))
    mass = _mass(element, given, volume)
    turned = axes @ (mass / volume * second) @ axes.T
    return Matter(mass, place + axes @ center, np.trace(turned) * np.eye(3) - turned)


def _volume(kind: str, size: tuple[float, ...]) -> tuple[float, tuple[float, float, float]]:
    """The volume of a shape, and the means of x², y², z² in it."""
    match kind:
        case "sphere":
            r = size[0]
            return 4.0 / 3.0 * math.pi * r**3, (r * r / 5.0,) * 3
        case "ellipsoid":
            a, b, c = size
            return 4.0 / 3.0 * math.pi * a * b * c, (a * a / 5.0, b * b / 5.0, c * c / 5.0)
        case "box":
            a, b, c = size
            return 8.0 * a * b * c, (a * a / 3.0, b * b / 3.0, c * c / 3.0)
        case "cylinder":
            r, h = size
            return 2.0 * math.pi * r * r * h, (r * r / 4.0, r * r / 4.0, h * h / 3.0)
    r, h = size
    tube, ball = 2.0 * math.pi * r * r * h, 4.0 / 3.0 * math.pi * r**3
    # of half balls: mean z is 3r/8 from their flat side
    along = tube * h * h / 3.0 + ball * (r * r / 5.0 + h * h + 2.0 * h * 3.0 * r / 8.0)
    across = tube * r * r / 4.0 + ball * r * r / 5.0
    return tube + ball, (across / (tube + ball), across / (tube + ball), along / (tube + ball))
