"""What joints, motors, forces, measures and conditions ask of the bodies: points, directions, or no more than a place."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from grashof.model.fields import Vector, body_of
from grashof.model.model import Model
from grashof.system.forms import Form
from grashof.system.masses import mass_center, planar_inertia

Noted = defaultdict[str, dict[Vector, Vector]]
"""For each body, vectors by their rounded selves."""


@dataclass
class Requests:
    """Fields that only take note of which points and directions are asked for.

    points     of joints; `others` of everything else
    particles  bodies in the plane of which one point is all that matters, and this point
    """

    model: Model
    length: float = 1.0
    jointing: bool = False
    points: Noted = field(default_factory=lambda: defaultdict(dict))
    others: Noted = field(default_factory=lambda: defaultdict(dict))
    arrows: Noted = field(default_factory=lambda: defaultdict(dict))
    particles: dict[str, Vector] = field(default_factory=dict)

    @property
    def dimension(self) -> int:
        return self.model.dimension

    def point(self, reference: str) -> list[Form]:
        table = self.points if self.jointing else self.others
        _note(table[body_of(reference)], self.model.points[reference])
        return [Form()] * self.dimension

    def arrow(self, body: str, direction: Vector) -> list[Form]:
        _note(self.arrows[body], direction)
        return [Form()] * self.dimension

    def take(self, measures: Iterable[str], points: Iterable[str]) -> None:
        """Takes note of what joints, couplings, forces and these measures and points need."""
        self.jointing = True
        for joint in self.model.joints:
            joint.equations(self)
        self.jointing = False
        for name in measures:
            self.model.quantities[name].parts(self)
        for coupling in self.model.all_couplings:
            for measure in coupling.measures(self.model.quantities):
                measure.parts(self)
        axes = np.eye(self.dimension)
        for force in self.model.forces:
            for used in force.uses(self.model.joints_by_name):
                used.parts(self)
            for body in force.bodies():
                for axis in axes:
                    self.arrow(body, tuple(axis))
        for reference in points:
            self.point(reference)


def _note(known: dict[Vector, Vector], new: Vector) -> None:
    """Equal but for round-off counts as the same."""
    known.setdefault(tuple(round(x, 12) + 0.0 for x in new), new)


def make_requests(model: Model) -> Requests:
    """What is asked of all bodies, outputs included."""
    requests = Requests(model, particles=_particles(model))
    requests.take(model.all_measures, model.points)
    return requests


def _particles(model: Model) -> dict[str, Vector]:
    """Bodies without inertia of which joints, forces, declared measures, needs and wants see one point, which has the mass.

    Nothing can turn such a body and nobody would notice: it keeps the attitude of its guess.
    """
    candidates = [body for body in model.bodies if planar_inertia(body) == 0.0] if model.dimension == 2 else []
    if not candidates:
        return {}
    used = [name for force in model.forces for name in (*force.targets(), *force.reads())]
    used += [name for event in model.all_events for name in event.reads()]
    used += [condition.quantity for condition in (*model.start.needs, *model.start.wants)]
    used += [measure.name for measure in model.measures]
    requests = Requests(model)
    requests.take(
        [name for name in dict.fromkeys(used) if name in model.all_measures],
        [name for name in dict.fromkeys([*used, *map(body_of, used)]) if name in model.points],
    )
    own: dict[str, list[Vector]] = {body.name: [] for body in candidates}
    for reference, place in model.points.items():
        own.get(body_of(reference), []).append(place)
    found = {}
    for body in candidates:
        places = requests.points[body.name] | requests.others[body.name]
        # a body without mass is a point only if all its points are one: a bar may have been left without mass by mistake
        for place in [mass_center(body, 2)] if body.mass > 0.0 else own[body.name]:
            _note(places, place)
        if len(places) == 1 and not requests.arrows[body.name]:
            (found[body.name],) = places.values()
    return found
