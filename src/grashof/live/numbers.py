"""The choice of numbers that a live page leaves open."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from grashof.assembly.assembled_model import assemble_with_start
from grashof.live.data import LiveNumber
from grashof.model.check import CheckedModel
from grashof.model.definitions import recompute_values
from grashof.model.expressions import parse
from grashof.model.model import Model
from grashof.model.parameters import numbers
from grashof.model.paths import leaves
from grashof.sweeps.limits import Limits

MOST = 12
"""Largest number of numbers that are chosen if none are declared or given."""

FIELDS = ("speed", "force", "torque", "stiffness", "damping", "length", "angle")
"""Fields of motors and forces that are left open by default."""

SMALL = 12
"""Largest number of bodies for which leaving the lengths open is tried even if it is unlikely to succeed: small
mechanisms compile quickly."""

FARTHEST = 1e3
"""A number is taken as unbounded if it may differ from its nominal value by this many times its magnitude."""

BISECTIONS = 60


def candidates(model: Model) -> list[tuple[str, ...]]:
    """Lists of numbers to leave open, in order of preference: if one is not possible, the next is tried.

    They contain the declared parameters and the needs and wants of the start. If no parameters are declared, they also
    contain speeds of motors, gravity, the numbers of forces, masses and lengths, and next the same without lengths:
    where the start leaves something free, a change of lengths would change the choice made there.
    """
    known = numbers(model)
    timed = _in_laws_of_time(model)
    variable = [
        name for name, x in known.items() if not x.formula and isinstance(x.value, float | int) and name not in timed
    ]
    declared = [name for name in variable if name in {parameter.name for parameter in model.parameters}]
    start = [name for name in variable if is_start(name)]
    chosen = [*declared, *start]
    found = [chosen]
    if not declared:
        things = [thing.name for thing in (*model.motors, *model.forces)]
        wanted = {f"{thing}.{field}{axis}" for thing in things for field in FIELDS for axis in ("", ".x", ".y", ".z")}
        driving = [name for name in variable if name in wanted]
        gravity = [name for name in variable if name.startswith("gravity.") and known[name].value]
        masses = [name for name in variable if name.endswith(".mass") and known[name].value]
        lengths = [name for name in variable if name.endswith(".length") and name not in wanted]
        forces = [*chosen, *driving, *gravity]
        found = [[*forces, *masses][:MOST], chosen]
        if len(model.bodies) <= SMALL or not assemble_with_start(model).assembly.free:
            found.insert(0, [*forces, *lengths, *masses][:MOST])
    found.append(start)
    return list(dict.fromkeys(tuple(dict.fromkeys(names)) for names in found if names))


def is_start(name: str) -> bool:
    """Whether a number is the value of a need or want of the start."""
    return name.startswith("start.") and not name.startswith("start.guesses.") and name != "start.time"


def _in_laws_of_time(model: Model) -> set[str]:
    """Numbers that laws of time depend on; they stay fixed because steps are chosen for the nominal law."""
    known = numbers(model)
    names = set()
    laws = [parse(leaf.value, f"'{path}'") for path, leaf in leaves(model).items() if isinstance(leaf.value, str)]
    wanted = {name for law in laws if law.of_time for name in law.quantities}
    for path, number in known.items():
        if isinstance(number.value, float | int) and not wanted.isdisjoint(
            recompute_values(model, {path: number.value})
        ):
            names.add(path)
    return names


def live_numbers(model: CheckedModel, names: Sequence[str], scales: Sequence[float]) -> list[LiveNumber]:
    """The numbers, with the ranges of their sliders."""
    known, motors = numbers(model), {motor.name for motor in model.motors}
    declared = {parameter.name for parameter in model.parameters}
    found = []
    for name, scale in zip(names, scales, strict=True):
        number = known[name]
        value, (least, most) = float(number.value), bounds_of(model, name, float(number.value), scale)
        reach = math.pi if number.unit == "rad" else scale
        lower, upper = value - reach, value + reach
        lower = lower if least is None else max(lower, least + 0.05 * (value - least))
        upper = upper if most is None else min(upper, most)
        if number.lower is not None:
            lower = least = number.lower
        if number.upper is not None:
            upper = most = number.upper
        kind = (
            "parameter"
            if name in declared
            else "start"
            if is_start(name)
            else "motor"
            if name.split(".")[0] in motors
            else "other"
        )
        found.append(LiveNumber(name, number.unit, value, float(scale), lower, upper, least, most, kind))
    return found


def bounds_of(model: CheckedModel, name: str, nominal: float, scale: float) -> tuple[float | None, float | None]:
    """The smallest and the largest value of a number while the others are nominal; None if there is no bound."""
    limits = Limits(model, (name,))

    def bound(side: float) -> float | None:
        inside, outside = nominal, nominal + side * FARTHEST * scale
        if limits.allow(np.array([[outside]]))[0]:
            return None
        for _ in range(BISECTIONS):
            middle = 0.5 * (inside + outside)
            inside, outside = (middle, outside) if limits.allow(np.array([[middle]]))[0] else (inside, middle)
        return 0.0 if abs(inside) < 1e-12 * scale else inside

    return bound(-1.0), bound(1.0)
