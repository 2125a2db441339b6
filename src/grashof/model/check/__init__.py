"""Checks a description before anything is computed from it, one file per subject.

Every refusal is one sentence that names the item and states what was found, and what was expected or what to do.
"""

from __future__ import annotations

from grashof.common.errors import ModelError
from grashof.model.check.bodies import check_body
from grashof.model.check.couplings import check_coupling, check_motors
from grashof.model.check.events import check_event
from grashof.model.check.forces import check_force
from grashof.model.check.joints import check_joint, check_measure, needed_directions
from grashof.model.check.names import check_names
from grashof.model.check.numbers import check_count, check_finite
from grashof.model.check.parameters import check_parameters
from grashof.model.check.start import check_start
from grashof.model.model import Model
from grashof.model.tables import check_table

__all__ = ["check", "checked", "needed_directions"]

MOST_BODIES = 20_000
"""A mechanism with this many bodies takes a minute or two to compile."""

FREE_OF_MISTAKES = "free_of_mistakes"
"""The note on a description that it was checked."""


def check(model: Model) -> None:
    """Raises a ModelError for the first mistake in a description."""
    owner = f"Mechanism '{model.name}'"
    if model.dimension not in (2, 3):
        raise ModelError(f"{owner}: dimension is {model.dimension!r}; it must be 2 (plane) or 3 (space).")
    if not model.bodies:
        raise ModelError(f"{owner}: it has no bodies; add at least one.")
    if len(model.bodies) > MOST_BODIES:
        raise ModelError(f"{owner}: it has {len(model.bodies)} bodies; there may be at most {MOST_BODIES}.")
    check_names(model)
    check_finite(model)
    check_parameters(model)
    check_count(f"{owner}: gravity", model.gravity, model.dimension, may_be_empty=True)
    for name, place in model.ground.items():
        check_count(f"Ground: point '{name}'", place, model.dimension)
    for body in model.bodies:
        check_body(body, model.dimension)
    for joint in model.joints:
        check_joint(joint, model)
    for measure in model.measures:
        check_measure(measure, model)
    for table in model.tables:
        check_table(table)
    for force in model.forces:
        check_force(force, model)
    check_motors(model)
    for coupling in model.couplings:
        check_coupling(coupling, model)
    for event in model.all_events:
        check_event(event, model)
    check_start(model)
    vars(model)[FREE_OF_MISTAKES] = True


def checked(model: Model) -> Model:
    """The description; raises a ModelError for the first mistake in it. Descriptions are immutable: each is checked once."""
    if FREE_OF_MISTAKES not in vars(model):
        check(model)
    return model
