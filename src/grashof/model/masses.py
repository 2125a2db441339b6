"""Masses for mechanisms that are described by their geometry alone."""

from __future__ import annotations

from collections.abc import Container

from msgspec.structs import replace

from grashof.model.model import Model


def is_massless(model: Model) -> bool:
    """Whether no body has mass or inertia."""
    return not any(body.has_matter for body in model.bodies)


def with_unit_masses(model: Model, turning: Container[str] = ()) -> Model:
    """The model with unit masses for bodies that have none, and unit inertias for those with several points and for
    those that are `turning`.

    Positions do not depend on them.
    """
    bodies = [body.with_unit_mass(model.dimension, body.name in turning) for body in model.bodies]
    return replace(model, bodies=tuple(bodies))


def without_masses(model: Model) -> Model:
    """The model with bodies that have neither mass nor inertia."""
    return replace(model, bodies=tuple(body.without_mass() for body in model.bodies))
