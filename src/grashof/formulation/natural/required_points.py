"""What joints, motors, forces, measures and conditions need from the bodies: points, directions, or only a position."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from grashof.formulation.natural.forms import Form
from grashof.model.fields import Vector, body_of
from grashof.model.model import Model

Noted = defaultdict[str, dict[Vector, Vector]]
"""For each body, vectors by their rounded values."""


@dataclass
class Requests:
    """Fields that only record which points and directions are requested.

    points     those of joints; `others` are those of everything else
    particles  bodies in the plane of which only one point matters, and this point
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
        """Records what joints, couplings, forces and these measures and points need."""
        self.jointing = True
        for joint in self.model.joints:
            joint.equations(self)
        self.jointing = False
        for joint in self.model.joints:
            joint.slip_parts(self)
        for name in measures:
            self.model.quantities[name].parts(self)
        for coupling in (*self.model.all_couplings, *self.model.velocity_couplings):
            for measure in coupling.measures(self.model.quantities):
                measure.parts(self)
        axes = np.eye(self.dimension)
        for force in self.model.all_forces:
            for used in force.uses(self.model.joints_by_name):
                used.parts(self)
            for body in force.bodies():
                for axis in axes:
                    self.arrow(body, tuple(axis))
        for reference in points:
            self.point(reference)


def _note(known: dict[Vector, Vector], new: Vector) -> None:
    """Records a vector; one that differs from a known one by round-off only counts as the same."""
    known.setdefault(tuple(round(x, 12) + 0.0 for x in new), new)


def make_requests(model: Model) -> Requests:
    """The requests to all bodies, including those of outputs."""
    requests = Requests(model, particles=_particles(model))
    requests.take(model.all_measures, model.points)
    return requests


def _particles(model: Model) -> dict[str, Vector]:
    """Bodies without inertia of which joints, forces, declared measures, needs and wants use only one point, which
    carries the mass.

    Nothing can rotate such a body, and its rotation would have no effect: it keeps the orientation of its initial
    guess.
    """
    candidates = [body for body in model.bodies if body.planar_inertia == 0.0] if model.dimension == 2 else []
    if not candidates:
        return {}
    used = [name for force in model.all_forces for name in (*force.targets(), *force.reads())]
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
        # a massless body is a particle only if all its points coincide: the mass of a bar may have been omitted by
        # mistake
        for place in [body.mass_center(2)] if body.mass > 0.0 else own[body.name]:
            _note(places, place)
        if len(places) == 1 and not requests.arrows[body.name]:
            (found[body.name],) = places.values()
    return found
