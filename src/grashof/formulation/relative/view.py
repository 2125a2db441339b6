"""Natural coordinates as functions of the motion of a tree.

Every natural coordinate is a component of a point or of a direction that is fixed in some body (see
`natural.coordinates`). So its value, its rate and its second derivative follow from the motion of that body, and a
generalised force along it is a force at that point, or the moment of a force at the end of that direction.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from grashof.formulation.natural.coordinates import Frame
from grashof.formulation.natural.forms import Form
from grashof.formulation.natural.system import System
from grashof.formulation.relative.kinematics import Kinematics
from grashof.formulation.relative.placement import Wrench
from grashof.formulation.relative.tree import Tree
from grashof.formulation.relative.vectors import ZERO, Column, add, apply_transposed, vector_product
from grashof.scalar.functions import Scalar

ROUND_OFF = 1e-12
"""Factors and constants (m) below this are the round-off of eliminated equations."""


@dataclass(frozen=True)
class Source:
    """A natural coordinate as a component of a vector that is fixed in a node.

    vector      in the axes of the node, m
    component   0, 1 or 2: along x, y or z of the ground
    is_point    whether it is a point, which is carried along by the origin, and not a direction
    """

    node: int
    vector: tuple[float, ...]
    component: int
    is_point: bool


def find_sources(system: System, tree: Tree) -> tuple[Source, ...]:
    """The source of each natural coordinate."""
    found: dict[int, Source] = {}
    for name, frame in system.frames.items():
        place = tree.bodies[name]
        for forms, local, is_point in _vectors(frame):
            vector = tuple(place.place(local) if is_point else place.direction(local))
            for component, form in enumerate(forms):
                index = _single(form)
                if index is not None:
                    found.setdefault(index, Source(place.node, vector, component, is_point))
    return tuple(found[i] for i in range(system.n))


def frame_rates(system: System, tree: Tree, motion: Kinematics) -> list[Scalar]:
    """The rates of the points and directions by which bodies are described."""
    found: list[Scalar] = []
    for name, frame in system.frames.items():
        place = tree.bodies[name]
        for _, local, is_point in _vectors(frame):
            node = motion[place.node]
            found += node.place(place.place(local))[1] if is_point else node.direction(place.direction(local))[1]
    return found


def _vectors(frame: Frame) -> list[tuple[list[Form], tuple[float, ...], bool]]:
    """The points and directions by which a body is described: forms, local components, and whether it is a point."""
    origin = tuple(frame.origin_local)
    found = [(frame.origin, origin, True)]
    for forms, local in zip(frame.directions, frame.directions_local.tolist(), strict=True):
        end = tuple(x + y for x, y in zip(origin, local, strict=True))
        found += [(forms, tuple(local), False), (frame.point(end), end, True)]
    return found


def _single(form: Form) -> int | None:
    """The coordinate that a form is up to round-off, if it is one."""
    large = [index for index, factor in form.terms.items() if abs(factor) > ROUND_OFF]
    if len(large) == 1 and abs(form.terms[large[0]] - 1.0) <= ROUND_OFF and abs(form.constant) <= ROUND_OFF:
        return large[0]
    return None


@dataclass(frozen=True, eq=False)
class NaturalView:
    """The natural coordinates of a mechanism, seen from its tree."""

    sources: tuple[Source, ...]

    def coordinates(self, motion: Kinematics) -> tuple[Column, Column, Column]:
        """q, v and a."""
        known: dict[tuple[int, tuple[float, ...], bool], tuple[Column, Column, Column]] = {}
        found: tuple[Column, Column, Column] = ([], [], [])
        for source in self.sources:
            key = source.node, source.vector, source.is_point
            if key not in known:
                node, vector = motion[source.node], list(source.vector)
                known[key] = node.place(vector) if source.is_point else node.direction(vector)
            for column, vectors in zip(found, known[key], strict=True):
                column.append(vectors[source.component])
        return found

    def wrenches(self, motion: Kinematics, forces: Mapping[int, Scalar]) -> dict[int, Wrench]:
        """Generalised forces along natural coordinates, by their index, as wrenches on nodes in their own axes."""
        pulls: dict[int, Column] = {}
        moments: dict[int, Column] = {}
        grouped: dict[tuple[int, tuple[float, ...], bool], Column] = {}
        for index, x in forces.items():
            source = self.sources[index]
            force = grouped.setdefault((source.node, source.vector, source.is_point), list(ZERO))
            force[source.component] = force[source.component] + x
        for (node, vector, is_point), force in grouped.items():
            own = apply_transposed(motion[node].rotation, force)
            moments[node] = add(moments.get(node, ZERO), vector_product(list(vector), own))
            pulls[node] = add(pulls.get(node, ZERO), own if is_point else ZERO)
        return {node: (moments[node], pulls[node]) for node in moments if node >= 0}
