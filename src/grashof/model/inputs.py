"""Numbers of a mechanism that other programs may change during its motion."""

from __future__ import annotations

from grashof.common.errors import ModelError, did_you_mean
from grashof.model.definitions import recompute_values
from grashof.model.expressions import parse
from grashof.model.model import Model
from grashof.model.parameters import numbers
from grashof.model.paths import leaves


def drives_motor(model: Model, name: str) -> bool:
    """Whether an input is the speed of a motor, and not a force. Refuses what is neither: a number on which lengths
    or masses depend."""
    known = numbers(model)
    if name not in known:
        raise ModelError(f"Mechanism '{model.name}' has no number '{name}'; {did_you_mean(name, known)}")
    motors = [motor.name for motor in model.motors if motor.speed is not None]
    forces = [force.name for force in model.all_forces]
    parameters = {parameter.name for parameter in model.parameters}
    drives = False
    for path in _affected(model, name):
        if any(path.startswith(f"{motor}.") for motor in motors):
            drives = True
        elif path not in parameters and not any(path.startswith(f"{x}.") for x in (*forces, "gravity")):
            why = "" if path == name else f", because '{path}' depends on it"
            raise ModelError(
                f"'{name}' cannot be an input{why}: inputs are numbers of forces, speeds of motors, gravity, and "
                "parameters that only these depend on. Make it a parameter instead."
            )
    return drives


def _affected(model: Model, name: str) -> set[str]:
    """The numbers and laws that change with a number."""
    changed = set(recompute_values(model, {name: numbers(model)[name].value}))
    for path, leaf in leaves(model).items():
        if isinstance(leaf.value, str) and not changed.isdisjoint(parse(leaf.value, f"'{path}'").quantities):
            changed.add(path)
    return changed
