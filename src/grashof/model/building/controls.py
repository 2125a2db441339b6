"""Controls of actuators, which are given to a complete description."""

from __future__ import annotations

from typing import Any

import msgspec

from grashof.common.errors import ModelError, did_you_mean
from grashof.model.check import check
from grashof.model.forces import Force
from grashof.model.given import law as given_law
from grashof.model.model import Model
from grashof.model.tables import Table, add_table


def give_control(model: Model, actuator: str, law: Any) -> Model:
    """The mechanism in which an actuator has another control; it is named by itself, or by a measure that it alone acts
    on."""
    known = {force.name: force for force in model.forces if force.input}
    found = known.get(actuator) or _acting_on(model, known, actuator)
    tables = dict(model.tables_by_name)
    given = add_table(tables, law) if isinstance(law, Table) else given_law(f"Force '{found.name}': control", law)
    changed = msgspec.structs.replace(found, **{found.input: given})
    forces = tuple(changed if force is found else force for force in model.forces)
    return check(msgspec.structs.replace(model, forces=forces, tables=tuple(tables.values())))


def _acting_on(model: Model, known: dict[str, Force], measure: str) -> Force:
    there = [force for force in known.values() if measure in force.targets()]
    if len(there) > 1:
        several = " and ".join(f"'{force.name}'" for force in there)
        raise ModelError(f"Several actuators act on '{measure}': {several}; name one of them.")
    if not there:
        if not known:
            raise ModelError(f"Mechanism '{model.name}': it has no actuators; add one, or give a force a law.")
        names = [*known, *(name for force in known.values() for name in force.targets())]
        raise ModelError(f"There is no actuator '{measure}'; {did_you_mean(measure, names)}")
    return there[0]
