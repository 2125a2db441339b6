"""Checks a description before anything is computed from it, one file per subject.

Every refusal is one sentence that names the item and states what was found, and what was expected or what to do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from grashof.common.errors import ModelError
from grashof.model.bodies import Body
from grashof.model.check.couplings import check_coupling, check_motors
from grashof.model.check.events import check_event
from grashof.model.check.forces import check_force
from grashof.model.check.inertias import check_inertias
from grashof.model.check.joints import check_joint
from grashof.model.check.names import check_names, named_parts
from grashof.model.check.numbers import check_finite
from grashof.model.check.parameters import check_parameters
from grashof.model.check.start import check_start
from grashof.model.model import Model
from grashof.model.tables import check_table
from grashof.model.validation import check_count, check_not_negative

__all__ = ["CheckedModel", "check", "check_changes", "check_model", "vouch_for"]

MOST_BODIES = 20_000
"""A mechanism with this many bodies takes a minute or two to compile."""

if TYPE_CHECKING:

    class CheckedModel(Model, frozen=True):
        """A description that is free of mistakes, and need not be checked again."""

else:
    CheckedModel = Model

CHECKED = "free_of_mistakes"
"""The note on a description that it was checked."""


def check(model: Model) -> CheckedModel:
    """The description; raises a ModelError for the first mistake in it."""
    owner = f"Mechanism '{model.name}'"
    if model.dimension not in (2, 3):
        raise ModelError(f"{owner}: dimension is {model.dimension!r}; it must be 2 (plane) or 3 (space).")
    if not model.bodies:
        raise ModelError(f"{owner}: it has no bodies; add at least one.")
    if len(model.bodies) > MOST_BODIES:
        raise ModelError(f"{owner}: it has {len(model.bodies)} bodies; there may be at most {MOST_BODIES}.")
    check_names(model)
    return _check_parts(model, frozenset())


def check_changes(model: Model, known: CheckedModel) -> CheckedModel:
    """Like `check`, for a description that differs from a checked one in numbers only: parts that are the same are not
    checked again."""
    return _check_parts(model, frozenset(map(id, (*(part for _, part in named_parts(known)), known.start))))


def check_model(model: Model) -> CheckedModel:
    """The description; raises a ModelError for the first mistake in it. Descriptions are immutable: each is checked
    once."""
    return cast(CheckedModel, model) if CHECKED in vars(model) else check(model)


def vouch_for(model: Model) -> CheckedModel:
    """A description that was made from a checked one by a change that cannot introduce mistakes."""
    vars(model)[CHECKED] = True
    return cast(CheckedModel, model)


def _check_parts(model: Model, known: frozenset[int]) -> CheckedModel:
    """Checks all parts but those with these identities."""
    check_finite(model, known)
    check_parameters(model)
    check_count(f"Mechanism '{model.name}': gravity", model.gravity, model.dimension, may_be_empty=True)
    for name, place in model.ground.items():
        check_count(f"Ground: point '{name}'", place, model.dimension)
    for body in model.bodies:
        if id(body) not in known:
            _check_body(body, model.dimension)
    for joint in model.joints:
        if id(joint) not in known:
            check_joint(joint, model)
    check_inertias(model)
    for measure in model.measures:
        if id(measure) not in known:
            measure.check(f"Measure '{measure.name}'", model)
    for table in model.tables:
        if id(table) not in known:
            check_table(table)
    for force in model.forces:
        if id(force) not in known:
            check_force(force, model)
    same_start = id(model.start) in known  # laws must have values at its time
    check_motors(model)
    for coupling in model.couplings:
        if id(coupling) not in known or not same_start:
            check_coupling(coupling, model)
    for event in model.all_events:
        if id(event) not in known:
            check_event(event, model)
    if not same_start:
        check_start(model)
    return vouch_for(model)


def _check_body(body: Body, dimension: int) -> None:
    """Checks one body: its points and its mass, then its own fields."""
    owner = f"Body '{body.name}'"
    for name, place in body.points.items():
        check_count(f"{owner}: point '{name}'", place, dimension)
    check_not_negative(f"{owner}: mass", body.mass, "kg")
    body.check(owner, dimension)
