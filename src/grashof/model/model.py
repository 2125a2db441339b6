"""The whole description of a mechanism, as frozen data."""

from __future__ import annotations

from functools import cached_property
from typing import Literal

import msgspec

from grashof.model.bodies import GROUND, Bar, Body
from grashof.model.events import Event
from grashof.model.fields import Vector
from grashof.model.forces import Force
from grashof.model.joints import Joint
from grashof.model.measures import Angle, Measure
from grashof.model.motors import Motor
from grashof.model.start import Start


class Model(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, dict=True):
    """A mechanism: bodies, joints, forces, motors, measures, events and a start. SI units throughout.

    `ground` holds the named points of the ground.
    """

    name: str
    dimension: Literal[2, 3] = 2
    gravity: Vector = ()
    ground: dict[str, Vector] = {}
    bodies: tuple[Body, ...] = ()
    joints: tuple[Joint, ...] = ()
    forces: tuple[Force, ...] = ()
    motors: tuple[Motor, ...] = ()
    measures: tuple[Measure, ...] = ()
    start: Start = Start()
    events: tuple[Event, ...] = ()

    @cached_property
    def points(self) -> dict[str, Vector]:
        """Every point as `body.point`, in its body's axes."""
        zero = (0.0,) * self.dimension
        found = {f"{GROUND}.{name}": place for name, place in self.ground.items()}
        for body in self.bodies:
            if isinstance(body, Bar):
                found[f"{body.name}.start"] = zero
                found[f"{body.name}.end"] = (body.length, *zero[1:])
            found |= {f"{body.name}.{name}": place for name, place in body.points.items()}
        return found

    @cached_property
    def all_measures(self) -> dict[str, Measure]:
        """The declared measures and, in the plane, `body.angle` of every body."""
        implied = (
            {f"{b.name}.angle": Angle(f"{b.name}.angle", b.name) for b in self.bodies} if self.dimension == 2 else {}
        )
        return implied | {measure.name: measure for measure in self.measures}
