"""Mechanisms in space, drawn as solids whose faces are painted from back to front."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from grashof.scene import types
from grashof.scene.palette import ACCENT, BODIES, FAINT, GROUND, INK, STEEL
from grashof.scene.start import space
from grashof.show.meshes import (
    Mesh,
    ball,
    basis,
    box,
    cone,
    cylinder,
    extrude_outline,
    loft,
    prism,
    revolve_profile,
    sweep_wire,
)
from grashof.show.outlines import arc, around, circle, gear_outline, rounded_hull, spiral
from grashof.show.paper import Faces, PaperShape, tint
from grashof.show.seen import Seen, SeenFrame

Array = np.ndarray


@dataclass(frozen=True)
class Solid:
    """A surface and its colour.

    nearer   distance by which it is painted as if nearer to the viewer, m, so that it covers parts that penetrate it
    """

    mesh: Mesh
    color: str
    nearer: float = 0.0


LIGHT = np.array([-0.35, 0.65, 0.67]) / np.linalg.norm([-0.35, 0.65, 0.67])
"""Direction towards the light, in the viewer's axes."""

FORK = 3.4
"""Length of the forks of a universal joint, relative to the size of the small symbols."""

AMBIENT, DIFFUSE, GLOSS = 0.72, 0.42, 0.2
"""Intensities of ambient, diffuse and specular light."""


def faces(frame: SeenFrame, grey: str | None = None) -> Faces:
    """The mechanism at one time, in a single colour if one is given."""
    workshop = Workshop(frame, frame.scene.detail)
    solids = list(workshop.solids())
    corners, colors, depths = [np.zeros((0, 4, 3))], [np.zeros((0, 3))], [np.zeros(0)]
    for solid in solids:
        base = np.array(tint(grey or solid.color, 0.85 if grey is None else 0.5))
        edge = (0.35 if grey is None else 0.8) * base
        # the back of a slightly larger solid in a dark colour appears as an outline
        for surface, front in ((solid.mesh, True), (solid.mesh.swollen(0.13 * workshop.size), False)):
            normals = surface.normals()
            shown = normals[:, 2] > 0.0 if front else normals[:, 2] < 0.0
            corners.append(surface.vertices[surface.faces[shown]])
            colors.append(_light_colours(base, normals[shown]) if front else np.tile(edge, (int(shown.sum()), 1)))
            depths.append(corners[-1][:, :, 2].mean(axis=1) + solid.nearer)
    order = np.argsort(np.concatenate(depths))
    return Faces(np.concatenate(corners)[order][:, :, :2], np.concatenate(colors)[order], 0.4)


def _light_colours(color: Array, normals: Array) -> Array:
    """The colours of faces in the light, (n, 3)."""
    shine = np.clip(normals @ LIGHT, 0.0, None)
    half = LIGHT + np.array([0.0, 0.0, 1.0])
    mirrored = np.clip(normals @ (half / np.linalg.norm(half)), 0.0, None) ** 16
    return np.asarray(np.clip(color * (AMBIENT + DIFFUSE * shine)[:, None] + GLOSS * mirrored[:, None], 0.0, 1.0))


def floor(seen: Seen) -> tuple[list[PaperShape], float]:
    """Lines on the floor below the mechanism, and their spacing, m."""
    up = seen.axes @ np.array(seen.scene.view.up)
    across, along = basis(up)
    sides = np.array([seen.scene.lower, seen.scene.upper])
    box = (
        np.array([[sides[i, 0], sides[j, 1], sides[k, 2]] for i in (0, 1) for j in (0, 1) for k in (0, 1)])
        @ seen.axes.T
    )
    step = 10.0 ** np.floor(np.log10(0.4 * seen.scene.size))
    step *= max(k for k in (1.0, 2.0, 5.0) if k * step <= 0.4 * seen.scene.size)
    step /= 2.0
    bottom = float(np.min(box @ up)) - 3.2 * seen.scene.detail
    (x0, x1), (y0, y1) = (
        (np.floor(np.min(box @ e) / step) - 1.0, np.ceil(np.max(box @ e) / step) + 1.0) for e in (across, along)
    )
    lines = [((x, y0), (x, y1)) for x in np.arange(x0, x1 + 0.5)] + [
        ((x0, y), (x1, y)) for y in np.arange(y0, y1 + 0.5)
    ]
    shapes = []
    for ends in lines:
        corners = np.array([step * x * across + step * y * along + bottom * up for x, y in ends])
        shapes.append(PaperShape(corners[:, :2], 0.0, edge=FAINT, width=0.8))
    return shapes, float(step)


@dataclass(frozen=True)
class Workshop:
    """Makes the solids of a frame, in the viewer's axes; `size` is the size of the small symbols, m."""

    frame: SeenFrame
    size: float

    def solids(self) -> Iterator[Solid]:
        """The solids of bodies, symbols and the ground."""
        for number in range(1, len(self.frame.scene.bodies)):
            yield from self._body(number)
        for symbol in self.frame.scene.symbols:
            yield from self.symbol(symbol)
        yield from self._supports()

    def color(self, body: int) -> str:
        """A body's colour."""
        return BODIES[self.frame.scene.bodies[body].color % len(BODIES)] if body else GROUND

    def _bar(self, a: Array, b: Array, radius: float) -> Mesh:
        sides = 24 if len(self.frame.scene.bodies) <= 9 else 14  # fewer sides if there are many bodies to draw
        return cylinder(a, b, radius * self.size, 2.5 * self.size, sides)

    # -- bodies

    def _body(self, number: int) -> Iterator[Solid]:
        """A bar, a plate, or arms from the centre if the points are not coplanar."""
        body, color = self.frame.scene.bodies[number], self.color(number)
        corners = self.frame.places(number, np.array(body.corners).reshape(-1, 3))
        if len(corners) < 2:
            center = body.corners[0] if body.corners else body.center
            if center is not None and number not in self.frame.seen.shaped:
                yield Solid(ball(self.frame.place(types.Spot(number, center)), 2.4 * self.size), color)
            return
        middle = corners.mean(axis=0)
        _, spread, axes = np.linalg.svd(corners - middle)
        flatness = np.append(spread, np.zeros(3))[:3] / spread[0]
        if flatness[1] < 1e-4:
            along = (corners - middle) @ axes[0]
            yield Solid(self._shaft(number, int(np.argmin(along)), int(np.argmax(along))), color)
        elif flatness[2] < 1e-4:
            normal = np.cross(axes[0], axes[1])
            flat = rounded_hull((corners - middle) @ axes[:2].T, 1.6 * self.size)
            outline = _divide_polygon(flat, 3.0 * self.size) @ axes[:2]
            rings = int(np.clip(np.max(np.linalg.norm(outline, axis=1)) / (3.0 * self.size), 2, 12))
            yield Solid(prism(middle, normal, outline, 1.2 * self.size, rings), color)
        else:
            for corner in corners:
                yield Solid(self._bar(middle, corner, 0.9), color)
            yield Solid(ball(middle, 1.5 * self.size), color)

    def _shaft(self, number: int, first: int, last: int) -> Mesh:
        """A bar between two corners of a body, which ends at the forks of universal joints."""
        local = self.frame.scene.bodies[number].corners
        a, b = self.frame.places(number, np.array([local[first], local[last]]))
        along = (b - a) / np.linalg.norm(b - a)
        crosses = [s for s in self.frame.scene.symbols if isinstance(s, types.Cross)]
        forked = {spot for s in crosses for spot in (s.a, s.b)}
        for corner, step in ((first, FORK), (last, -FORK)):
            if types.Spot(number, local[corner]) in forked:
                a, b = (a + step * self.size * along, b) if corner == first else (a, b + step * self.size * along)
        return self._bar(a, b, 0.9)

    def _supports(self) -> Iterator[Solid]:
        """A foot below every place of the ground that supports something, or above if it hangs from there."""
        up = self.frame.seen.axes @ np.array(self.frame.scene.view.up)
        for place, hangs in self.frame.held().items():
            yield self._foot(self.frame.place(types.Spot(0, place)), -up if hangs else up)
        for guide in self.frame.scene.symbols:
            if isinstance(guide, types.Guide) and guide.a.body == 0:
                along = self.frame.direction(0, guide.axis)
                for reach in (guide.lower, guide.upper):
                    yield self._foot(self.frame.place(guide.a) + reach * along, up)

    def _foot(self, at: Array, up: Array) -> Solid:
        profile = np.array([(-3.2, 0.0), (-3.2, 2.6), (-2.6, 2.6), (-2.6, 1.3), (-1.0, 1.0), (-1.0, 0.0)])
        return Solid(revolve_profile(at, up, self.size * profile), GROUND)

    # -- symbols

    def symbol(self, symbol: types.AnySymbol) -> Iterator[Solid]:
        """The solids of a symbol."""
        d = self.size
        match symbol:
            case types.Pin():
                at, axis = self.frame.place(symbol.a), self.frame.direction(symbol.a.body, symbol.axis)
                yield Solid(self._bar(at - 1.7 * d * axis, at + 1.7 * d * axis, 1.6), self.color(symbol.a.body), d)
                yield Solid(self._bar(at - 2.3 * d * axis, at + 2.3 * d * axis, 0.75), STEEL, d)
            case types.Ball():
                yield Solid(ball(self.frame.place(symbol.a), 1.7 * d), STEEL, 1.4 * d)
            case types.Cross():
                yield from self._cross(symbol)
            case types.Guide():
                yield from self._guide(symbol)
            case types.Face():
                normal = self.frame.direction(symbol.a.body, symbol.normal)
                along = basis(normal)[0]
                for spot, side in ((symbol.a, -0.5), (symbol.b, 0.5)):
                    at = self.frame.place(spot) + side * d * normal
                    yield Solid(
                        box(at, along, normal, (3.2 * d - side * d, 3.2 * d - side * d, 0.4 * d)), self.color(spot.body)
                    )
            case types.Rod():
                yield Solid(self._bar(self.frame.place(symbol.a), self.frame.place(symbol.b), 0.45), INK)
            case types.Weld():
                along, normal = np.eye(3)[0], np.eye(3)[2]
                yield Solid(box(self.frame.place(symbol.a), along, normal, (1.2 * d, 1.2 * d, 1.2 * d)), STEEL)
            case types.Spring():
                yield from self._spring(symbol)
            case types.Bushing():
                a, b = self.frame.place(symbol.a), self.frame.place(symbol.b)
                yield Solid(ball(a, 1.9 * d), INK)
                yield Solid(self._bar(a, b, 0.8), STEEL)
            case types.Coil():
                at, axis = self.frame.place(symbol.a), self.frame.direction(symbol.a.body, symbol.axis)
                plane = [self.frame.direction(symbol.a.body, space(e)) for e in basis(np.array(symbol.axis))]
                offset = 2.0 * d * axis
                if symbol.elastic:
                    yield Solid(
                        sweep_wire(at + offset + spiral(np.zeros(2), 1.2 * d, 3.2 * d, 0.0) @ np.array(plane), 0.3 * d),
                        INK,
                    )
                if symbol.damped:
                    yield Solid(self._bar(at + offset, at + 1.6 * offset, 2.4), INK)
            case types.Drive() | types.Load():
                yield from self._arrow(symbol)
            case types.Gear():
                yield from self._gear(symbol)
            case types.Belt():
                yield from self._belt(symbol)
            case types.Rope():
                for one, next_one in pairwise(symbol.through):
                    yield Solid(self._bar(self.frame.place(one), self.frame.place(next_one), 0.35), INK)
            case types.Outline():
                line = self.frame.places(symbol.body, np.array(symbol.corners))
                yield Solid(sweep_wire(line, 0.7 * d, closed=symbol.closed), self.color(symbol.body))

    def _cross(self, cross: types.Cross) -> Iterator[Solid]:
        """A cross between two forks, each of which holds its arm."""
        d = self.size
        for spot, arm in ((cross.a, cross.arm_a), (cross.b, cross.arm_b)):
            at, along = self.frame.place(spot), self.frame.direction(spot.body, arm)
            yield Solid(self._bar(at - 2.5 * d * along, at + 2.5 * d * along, 0.65), STEEL)
            corners = self.frame.places(spot.body, np.array(self.frame.scene.bodies[spot.body].corners).reshape(-1, 3))
            back = corners.mean(axis=0) - at if len(corners) else np.zeros(3)
            back = back - along * (along @ back)
            length = float(np.linalg.norm(back))
            if length > 0.0:
                turn = np.linspace(0.0, np.pi, 15)[:, None]
                fork = at + 2.5 * d * np.cos(turn) * along + FORK * d * np.sin(turn) * back / length
                yield Solid(sweep_wire(fork, 0.6 * d, sides=10), self.color(spot.body))

    def _guide(self, guide: types.Guide) -> Iterator[Solid]:
        """A rail and a block around it, a sleeve, or a ball in a slot."""
        d = self.size
        base, at = self.frame.place(guide.a), self.frame.place(guide.b)
        axis = self.frame.direction(guide.a.body, guide.axis)
        normal = self.frame.direction(guide.a.body, guide.normal)
        start, end = base + guide.lower * axis, base + guide.upper * axis
        yield Solid(self._bar(start, end, 0.6), STEEL if guide.a.body == 0 else self.color(guide.a.body))
        color = self.color(guide.b.body)
        if guide.block == "sleeve":
            yield Solid(self._bar(at - 2.6 * d * axis, at + 2.6 * d * axis, 1.4), color, d)
        elif guide.block == "pin":
            yield Solid(ball(at, 1.5 * d), color, d)
        else:
            yield Solid(box(at, axis, normal, (2.4 * d, 1.6 * d, 1.6 * d)), color, d)

    def _spring(self, spring: types.Spring) -> Iterator[Solid]:
        d = self.size
        a, b = self.frame.place(spring.a), self.frame.place(spring.b)
        length = float(np.linalg.norm(b - a))
        if length == 0.0:
            return
        along = (b - a) / length
        across, up = basis(along)
        if spring.elastic:
            part = np.linspace(0.0, 1.0, 121)
            coil = np.clip((part - 0.12) / 0.76, 0.0, 1.0)
            reach = 1.5 * d * np.clip(np.minimum(part - 0.06, 0.94 - part) / 0.06, 0.0, 1.0)
            turn = 2.0 * np.pi * 9.0 * coil
            helix = (
                a
                + np.outer(part, b - a)
                + (reach * np.cos(turn))[:, None] * across
                + (reach * np.sin(turn))[:, None] * up
            )
            yield Solid(sweep_wire(helix, 0.32 * d, sides=5), STEEL)
        if spring.damped:
            middle = a + 0.55 * (b - a)
            yield Solid(self._bar(a + 0.2 * (b - a), middle, 0.85), GROUND, -d)
            yield Solid(self._bar(a, b, 0.4), STEEL, -d)

    def _arrow(self, symbol: types.Drive | types.Load) -> Iterator[Solid]:
        """An arrow that is curved about an axis, or straight."""
        d = self.size
        at = self.frame.place(symbol.a)
        if isinstance(symbol, types.Drive) and symbol.b is None:
            axis = self.frame.direction(symbol.a.body, symbol.axis)
            plane = np.array(basis(axis))
            line = at + arc(np.zeros(2), 3.8 * d, 0.3, 4.8) @ plane
            yield Solid(sweep_wire(line, 0.4 * d), ACCENT)
            along = (line[-1] - line[-2]) / np.linalg.norm(line[-1] - line[-2])
            yield Solid(cone(line[-1] + 2.0 * d * along, along, 2.4 * d, 1.1 * d), ACCENT)
            return
        if isinstance(symbol, types.Drive):
            assert symbol.b is not None
            direction, at, base = self.frame.direction(symbol.a.body, symbol.axis), self.frame.place(symbol.b), at
            direction = direction if np.any(direction) else at - base
        else:
            direction = self.frame.direction(symbol.a.body if symbol.follows else 0, symbol.direction)
        length = float(np.linalg.norm(direction))
        if length > 0.0:
            along = direction / length
            yield Solid(self._bar(at, at + 6.0 * d * along, 0.45), ACCENT)
            yield Solid(cone(at + 8.4 * d * along, along, 2.8 * d, 1.2 * d), ACCENT)

    def _gear(self, gear: types.Gear) -> Iterator[Solid]:
        """A disc or a ring, with teeth if it has any."""
        d = self.size
        at, axis = self.frame.place(gear.a), self.frame.direction(gear.a.body, gear.axis)
        zero = self.frame.direction(gear.a.body, gear.zero)
        plane = np.array([zero, np.cross(axis, zero)])
        thick = 1.6 * d
        if gear.internal:
            inner = (
                gear_outline(gear.radius, gear.teeth, 0.0, True) if gear.teeth else circle(np.zeros(2), gear.radius, 96)
            )
            turn = np.arctan2(inner[:, 1], inner[:, 0])
            outer = (gear.radius + max(2.6 * d, 4.4 * gear.radius / max(gear.teeth, 4))) * np.column_stack(
                [np.cos(turn), np.sin(turn)]
            )
            ring = [
                at + h * thick * axis + line @ plane
                for h, line in ((-0.5, inner), (-0.5, outer), (0.5, outer), (0.5, inner), (-0.5, inner))
            ]
            yield Solid(loft(np.array(ring)), self.color(gear.a.body))
            return
        outline = (
            gear_outline(gear.radius, gear.teeth, 0.0, False) if gear.teeth else circle(np.zeros(2), gear.radius, 60)
        )
        hub = min(1.5 * d / gear.radius, 0.8)
        steps = np.linspace(hub, 1.0, 5)
        profile = [(-0.5, part) for part in steps] + [(0.5, part) for part in steps[::-1]] + [(-0.5, hub)]
        yield Solid(
            extrude_outline(at, axis, outline @ plane, np.array(profile) * (thick, 1.0)),
            self.color(gear.a.body),
            -1.5 * d,
        )

    def _belt(self, belt: types.Belt) -> Iterator[Solid]:
        """A belt, in the plane of its first wheel."""
        wheel = next(s for s in self.frame.scene.symbols if isinstance(s, types.Gear) and s.a == belt.a)
        a, b = self.frame.place(belt.a), self.frame.place(belt.b)
        plane = np.array(basis(self.frame.direction(belt.a.body, wheel.axis)))
        radii = np.array(belt.radii) * ([1.0, -1.0] if belt.crossed else [1.0, 1.0])
        line = around(np.array([np.zeros(2), plane @ (b - a)]), radii, closed=True)
        if line is not None:
            yield Solid(sweep_wire(a + line @ plane, 0.6 * self.size, sides=6, closed=True), INK, 0.6 * self.size)


def _divide_polygon(outline: Array, step: float) -> Array:
    """A polygon with additional corners, so that neighbouring corners are no farther apart than `step`."""
    parts = []
    for a, b in zip(outline, np.roll(outline, -1, axis=0), strict=True):
        count = max(1, int(np.ceil(np.linalg.norm(b - a) / step)))
        parts.append(a + np.arange(count)[:, None] / count * (b - a))
    return np.concatenate(parts)
