"""Checks that names are visible, unique within their kind, and cannot be confused."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from grashof.common.errors import ModelError
from grashof.model.bodies import GROUND, Body
from grashof.model.couplings import Coupling, Motor
from grashof.model.events import Event
from grashof.model.expressions import FUNCTIONS
from grashof.model.fields import Vector
from grashof.model.forces import Force
from grashof.model.joints import Joint
from grashof.model.measures import Measure
from grashof.model.model import Model
from grashof.model.parameter import Parameter
from grashof.model.tables import Table

RESERVED = ("t", "kinetic", "potential", "energy", "balance")
"""Quantities that every run has."""

Part = Body | Joint | Force | Motor | Coupling | Measure | Event | Table | Parameter
"""The parts of a description that have a name."""


def named_parts(model: Model) -> Iterator[tuple[str, Part]]:
    """All parts that have a name, each preceded by the word for its kind."""
    groups: dict[str, tuple[Part, ...]] = {
        "Body": model.bodies,
        "Joint": model.joints,
        "Force": model.all_forces,
        "Motor": model.motors,
        "Coupling": model.couplings,
        "Measure": model.measures,
        "Event": model.events,
        "Table": model.tables,
        "Parameter": model.parameters,
    }
    return ((kind, part) for kind, parts in groups.items() for part in parts)


def check_names(model: Model) -> None:
    """Checks all names of a description."""
    _check_name("Mechanism", model.name)
    seen: set[tuple[str, str]] = set()
    for kind, part in named_parts(model):
        _check_name(kind, part.name)
        if (kind, part.name) in seen:
            raise ModelError(
                f"{kind} '{part.name}' appears twice. Remove one of them, or give each {kind.lower()} a "
                "name of its own."
            )
        seen.add((kind, part.name))
    working: dict[str, str] = {}
    for kind, part in named_parts(model):
        if kind not in ("Force", "Motor", "Coupling"):
            continue
        other = working.setdefault(part.name, kind)
        if other != kind:
            raise ModelError(
                f"'{part.name}' is both a {other.lower()} and a {kind.lower()}, so their works would have the same "
                "name; rename one of them."
            )
    for body in model.bodies:
        if body.name == GROUND:
            raise ModelError(f"Body '{GROUND}': this name is the ground's, which is always there; choose another.")
        _check_no_dot("Body", body.name)
        _check_point_names(f"Body '{body.name}'", body.points, body.ends(model.dimension))
    _check_point_names("Ground", model.ground, ())
    check_table_names(model)
    for measure in model.measures:
        if measure.name in RESERVED:
            raise ModelError(f"Measure '{measure.name}': this name is a quantity of every run; choose another.")
        # In the plane `body.angle` exists already; in space it is the natural name of a body's only angle.
        own_angle = model.dimension == 3 and measure.winds and measure.name == f"{measure.bodies[-1]}.angle"
        if not own_angle:
            _check_no_dot("Measure", measure.name)


def check_table_names(model: Model) -> None:
    """Checks the names of tables: laws call them by name, which must not be the name of a function."""
    for table in model.tables:
        if table.name in FUNCTIONS or "`" in table.name:
            raise ModelError(f"Table '{table.name}': this name means something else in a law; choose another.")


def _check_name(kind: str, name: str) -> None:
    if not name:
        raise ModelError(f"{kind}: a name is empty; give it one.")
    if not name.isprintable() or name != name.strip():
        raise ModelError(f"{kind} {name!r}: the name has invisible characters or spaces at its ends; leave them out.")


def _check_no_dot(kind: str, name: str) -> None:
    if "." in name:
        raise ModelError(
            f"{kind} '{name}': the name has a dot, which is what separates body and point in 'rod.end'; leave it out."
        )


def _check_point_names(owner: str, points: dict[str, Vector], ends: Collection[str]) -> None:
    for name in points:
        _check_name(f"{owner}: point", name)
        _check_no_dot(f"{owner}: point", name)
        if name == "angle" or name in ends:
            raise ModelError(f"{owner}: point '{name}' has a name with a meaning of its own; choose another.")
