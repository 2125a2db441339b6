"""Masses for mechanisms that are described by their geometry alone."""

from __future__ import annotations

from msgspec.structs import replace

from grashof.model.bodies import Bar
from grashof.model.model import Model


def is_massless(model: Model) -> bool:
    """Whether no body has mass or inertia."""
    return not any(body.mass or (not isinstance(body, Bar) and body.inertia) for body in model.bodies)


def weighted(model: Model) -> Model:
    """The model with unit masses for bodies that have none, and unit inertias for those with several points; positions do not depend on them."""
    bodies = []
    for body in model.bodies:
        inertia = 1.0 if model.dimension == 2 else (1.0, 1.0, 1.0)
        missing = {} if isinstance(body, Bar) or body.inertia or len(body.points) < 2 else {"inertia": inertia}
        bodies.append(replace(body, mass=body.mass or 1.0, **missing))
    return replace(model, bodies=tuple(bodies))
