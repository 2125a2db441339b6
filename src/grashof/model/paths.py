"""Paths: names for all numbers of a mechanism, derived from the types of the fields of its description.

    crank.length  crank.mass  crank.center.x  crank.inertia     numbers of a body
    rod.P.x  ground.A.y                                         coordinates of points, in the axes of their body
    spring.stiffness  pull.force.y  gears.teeth.a               numbers of a force, a coupling or another named item
    gravity.y  start.time                                       numbers of the mechanism
    start.crank.angle  start.crank.angle.rate                   initial conditions (needs or wants)
    start.top.angular_velocity.x                                initial angular velocity of a body in space
    start.guesses.crank.x                                       the guessed position of a body
    L                                                           a declared parameter

Words such as `bodies`, `points` or `needs` are left out of a path. If the resulting path is already taken, the full
path is used: a body's point named `center` is `bodies.ball.points.center.x`, since `ball.center.x` is its centre of
mass.

A new kind of force, joint or coupling requires no change here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import msgspec
import msgspec.inspect as info

from grashof.model.converting import Place, measured_unit
from grashof.model.fields import Vector
from grashof.model.model import Model
from grashof.model.parameter import Parameter
from grashof.scalar.functions import Scalar

LEFT_OUT = frozenset(
    {"bodies", "joints", "forces", "motors", "measures", "couplings", "events", "parameters"}
    | {"needs", "wants", "points", "position", "value"}
)
"""Words of a place that are left out of its path unless they are needed to make it unique."""

_AXES: dict[int, tuple[str, ...]] = {0: (), 1: ("z",), 2: ("x", "y"), 3: ("x", "y", "z")}


@dataclass(frozen=True)
class Leaf:
    """The value at the end of a path: a number, or the expression of a law.

    unit   SI unit; empty for a dimensionless number, and where the unit depends on other fields, as that of a stop's
           stiffness depends on its exponent
    """

    value: Scalar
    unit: str
    place: Place


def leaves(model: Model) -> dict[str, Leaf]:
    """All numbers and laws of a model by their paths."""
    found: dict[str, Leaf] = model.__dict__.get("_leaves", {})
    if not found:
        for words, leaf in _walk(model, model, _Kind(), (), ()):
            short = ".".join(word for word in words if word not in LEFT_OUT)
            paths = (short, ".".join(words), ".".join(map(str, leaf.place)))
            found[next(path for path in paths if path not in found)] = leaf
        model.__dict__["_leaves"] = found
    return found


def replace_values(model: Model, changes: Mapping[Place, Any]) -> Model:
    """The model with other values at these places."""
    found: Model = _replace_part(model, changes, (0.0,) * model.dimension)
    return found


def _replace_part(part: Any, changes: Mapping[Place, Any], zero: Vector) -> Any:
    """A part of the model; an empty row in it stands for `zero`."""
    if () in changes:
        return changes[()]
    inside: dict[str | int, dict[Place, Any]] = {}
    for (step, *rest), value in changes.items():
        inside.setdefault(step, {})[tuple(rest)] = value
    if isinstance(part, msgspec.Struct):
        fields = {str(step): _replace_part(getattr(part, str(step)), below, zero) for step, below in inside.items()}
        return msgspec.structs.replace(part, **fields)
    if isinstance(part, dict):
        return part | {step: _replace_part(part[step], below, zero) for step, below in inside.items()}
    return tuple(_replace_part(item, inside[i], zero) if i in inside else item for i, item in enumerate(part or zero))


# -- finding the leaves

Words = tuple[str, ...]


@dataclass(frozen=True)
class _Kind:
    """The kind of values that a field may hold."""

    unit: str = ""
    components: tuple[str, ...] | None = None
    numbered: bool = False
    is_number: bool = False
    is_law: bool = False
    is_struct: bool = False


def _walk(model: Model, part: Any, kind: _Kind, words: Words, place: Place) -> Iterator[tuple[Words, Leaf]]:
    """The leaves of a part, each with the words that lead to it; `kind` is what its field may hold."""
    if isinstance(part, msgspec.Struct):
        for field, own in _kinds(type(part)):
            if not own.unit:
                own = replace(own, unit=_unit_of(model, part, field))
            yield from _walk(model, getattr(part, field), own, (*words, field), (*place, field))
    elif isinstance(part, dict):
        for key, value in part.items():
            yield from _walk(model, value, kind, (*words, key), (*place, key))
    elif isinstance(part, tuple):
        if not part and kind.unit in ("m", "m/s2") and not kind.numbered:  # an omitted position or gravity
            part = (0.0,) * model.dimension
        for i, (item, word) in enumerate(zip(part, _names(part, kind), strict=False)):
            yield from _walk(model, item, kind, (*words, word), (*place, i))
    elif kind.is_law if isinstance(part, str) else part is not None:
        yield words, Leaf(part, kind.unit, place)


def _names(row: tuple[Any, ...], kind: _Kind) -> tuple[str, ...]:
    """The names of the items of a row in paths."""
    if kind.components is not None:
        return kind.components
    if row and isinstance(row[0], msgspec.Struct):
        return tuple(str(getattr(item, "name", None) or getattr(item, "quantity", "")) for item in row)
    numbered = tuple(str(i + 1) for i in range(len(row)))
    return numbered if kind.numbered else _AXES.get(len(row), numbered)


@cache
def _kinds(struct: type[msgspec.Struct]) -> list[tuple[str, _Kind]]:
    """The fields of a struct that may hold numbers, or structs with numbers."""
    described = info.type_info(struct)
    assert isinstance(described, info.StructType)
    found = [(field.name, _kind(field.type)) for field in described.fields]
    return [(name, kind) for name, kind in found if kind.is_number or kind.is_struct]


def _kind(kind: info.Type) -> _Kind:
    match kind:
        case info.FloatType():
            return _Kind(is_number=True)
        case info.StructType():
            return _Kind(is_struct=True)
        case info.Metadata(type=inner, extra=extra):
            return replace(_kind(inner), **(extra or {}))
        case info.VarTupleType(item_type=item) | info.DictType(value_type=item) | info.TupleType(item_types=(item, *_)):
            return _kind(item)
        case info.UnionType(types=members):
            below = [_kind(member) for member in members]
            is_number = any(found.is_number for found in below)
            return _Kind(
                unit=next((found.unit for found in below if found.unit), ""),
                components=next((found.components for found in below if found.components is not None), None),
                is_number=is_number,
                is_law=is_number and any(isinstance(member, info.StrType) for member in members),
                is_struct=any(found.is_struct for found in below),
            )
    return _Kind()


def _unit_of(model: Model, part: Any, field: str) -> str:
    """The unit of a field that depends on the quantity to which its struct refers, or the unit of a parameter."""
    if isinstance(part, Parameter):
        return part.unit
    if (joint := model.joints_by_name.get(getattr(part, "joint", ""))) is not None:
        return measured_unit(field, joint.slip_unit) or ""
    about = next((x for x in ("measure", "quantity", "target") if isinstance(getattr(part, x, None), str)), None)
    if about is None or about == field:
        return ""
    name = getattr(part, about)
    measure = model.quantities.get(name.removesuffix(".rate"))
    if measure is None:
        return ""
    return measured_unit(field, f"{measure.unit}/s" if name.endswith(".rate") else measure.unit) or ""
