"""Units of a mechanism's quantities, and which quantity is the rate of another, before anything is run."""

from __future__ import annotations

from grashof.derived import ACCELERATION, derived_units
from grashof.errors import ModelError, did_you_mean
from grashof.model.model import Model
from grashof.model.quantities import moving_names
from grashof.model.state import RATE

_ENERGIES = ("kinetic", "potential", "energy", "balance")
_WORK = "work."


def unit_of(model: Model, name: str) -> str:
    """The unit of a quantity; refused if a run of the model would not have it."""
    if name == "t":
        return "s"
    if name in model.integrals:
        return f"{model.integrals[name].unit} s"
    if name in (known := derived_units(model)):
        return known[name]
    if name.removesuffix(RATE) in model.quantities:
        return model.quantities[name.removesuffix(RATE)].unit + ("/s" if name.endswith(RATE) else "")
    workers = {thing.name for thing in (*model.forces, *model.motors)} | set(model.bouncing)
    if name in _ENERGIES or name.removeprefix(_WORK) in workers:
        return "J"
    candidates = [*moving_names(model), *_ENERGIES, *(f"{_WORK}{worker}" for worker in sorted(workers)), *known]
    raise ModelError(
        f"There is no quantity '{name}' in mechanism '{model.name}'; {did_you_mean(name, candidates, at_most=3)}"
    )


def rate_name(model: Model, name: str) -> str | None:
    """The quantity that is the time derivative of another; None if no quantity is."""
    if name in model.quantities:
        return f"{name}{RATE}"
    known = derived_units(model)
    candidate = f"{name.removesuffix(RATE)}{ACCELERATION}" if name.endswith(RATE) else f"{name}{RATE}"
    return candidate if candidate in known else None
