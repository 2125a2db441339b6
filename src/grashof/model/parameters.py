"""The numbers of a mechanism by name: what can be varied, and the same mechanism with other numbers.

    crank.length  crank.mass  crank.center.x  crank.inertia     of a body
    rod.P.x  ground.A.y                                         coordinates of points, in the axes of their body
    spring.stiffness  pull.force.y  gears.teeth.a               of a force, a coupling or another named thing
    gravity.y  start.time                                       of the mechanism
    start.crank.angle  start.crank.angle.rate                   what the start needs or wants of a quantity
    start.guesses.crank.x                                       where a body is guessed to be

Words such as `bodies`, `points` or `needs` are left out of a path. Where a path would then be taken already, it has them all: a body's point
named `center` is `bodies.ball.points.center.x`, as `ball.center.x` is its centre of mass.

Fields are found by what the description says of itself: a new kind of force, joint or coupling needs nothing here.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import msgspec
import msgspec.inspect as info

from grashof.errors import ModelError, did_you_mean
from grashof.model.converting import MEASURED
from grashof.model.fields import Vector
from grashof.model.laws import constant
from grashof.model.model import Model
from grashof.scalar.functions import Scalar

Place = tuple[str | int, ...]
"""How to get to a number from the model: fields, indices and keys."""

LEFT_OUT = frozenset(
    {"bodies", "joints", "forces", "motors", "measures", "couplings", "events", "needs", "wants", "points", "position"}
    | {"value"}
)
"""Words of a place that its path leaves out unless they are needed to tell it from another."""

_AXES: dict[int, tuple[str, ...]] = {0: (), 1: ("z",), 2: ("x", "y"), 3: ("x", "y", "z")}


@dataclass(frozen=True)
class Number:
    """A number of a mechanism.

    value   in SI units
    unit    empty for a plain number, and where it depends on other fields, as that of a stop's stiffness does on its exponent
    place   where it is in the model
    """

    value: Scalar
    unit: str
    place: Place


def numbers(model: Model) -> dict[str, Number]:
    """Every number of a model that can be varied, by its path.

    A law that always has the same value, such as "2*pi/60", is a number; one that changes is none. Points of tables and curves are not listed.
    """
    return dict(_by_path(model))


def with_numbers(model: Model, values: Mapping[str, Scalar]) -> Model:
    """The same model with other numbers, by their paths, in SI units.

    Values may be scalars of any kind (see `grashof.scalar`), which the fields then hold; they are not checked.
    """
    known = _by_path(model)
    for path in values:
        if path not in known:
            raise ModelError(f"Mechanism '{model.name}' has no number '{path}'; {did_you_mean(path, known)}")
    changed: Model = _replaced(
        model, {known[path].place: value for path, value in values.items()}, (0.0,) * model.dimension
    )
    return changed


def _replaced(part: Any, changes: Mapping[Place, Scalar], zero: Vector) -> Any:
    """A part of the model with other numbers at these places in it; an empty row stands for `zero`."""
    if () in changes:
        return changes[()]
    inside: dict[str | int, dict[Place, Scalar]] = {}
    for (step, *rest), value in changes.items():
        inside.setdefault(step, {})[tuple(rest)] = value
    if isinstance(part, msgspec.Struct):
        fields = {str(step): _replaced(getattr(part, str(step)), below, zero) for step, below in inside.items()}
        return msgspec.structs.replace(part, **fields)
    if isinstance(part, dict):
        return part | {step: _replaced(part[step], below, zero) for step, below in inside.items()}
    return tuple(_replaced(item, inside[i], zero) if i in inside else item for i, item in enumerate(part or zero))


# -- finding them

Words = tuple[str, ...]


def _by_path(model: Model) -> dict[str, Number]:
    found: dict[str, Number] = model.__dict__.get("_numbers", {})
    if not found:
        for words, number in _walk(model, model, _Kind(), (), ()):
            short = ".".join(word for word in words if word not in LEFT_OUT)
            paths = (short, ".".join(words), ".".join(map(str, number.place)))
            found[next(path for path in paths if path not in found)] = number
        model.__dict__["_numbers"] = found
    return found


def _walk(model: Model, part: Any, kind: _Kind, words: Words, place: Place) -> Iterator[tuple[Words, Number]]:
    """The numbers in a part, each with the words that lead to it; `kind` is what its field may hold."""
    if isinstance(part, msgspec.Struct):
        for field, own in _kinds(type(part)).items():
            if not own.unit:
                own = replace(own, unit=_unit_of(model, part, field))
            yield from _walk(model, getattr(part, field), own, (*words, field), (*place, field))
    elif isinstance(part, dict):
        for key, value in part.items():
            yield from _walk(model, value, kind, (*words, key), (*place, key))
    elif isinstance(part, tuple):
        if not part and kind.unit and not kind.numbered:  # such as a centre of mass that is left out
            part = (0.0,) * model.dimension
        for i, (item, word) in enumerate(zip(part, _names(part, kind), strict=False)):
            yield from _walk(model, item, kind, (*words, word), (*place, i))
    elif isinstance(part, str):
        always = constant(part, f"'{'.'.join(words)}'") if kind.is_law else None
        if always is not None and not math.isnan(always):
            yield words, Number(always, kind.unit, place)
    elif kind.is_number and part is not None:
        yield words, Number(part, kind.unit, place)


def _names(row: tuple[Any, ...], kind: _Kind) -> tuple[str, ...]:
    """What the items of a row are called in paths."""
    if kind.components is not None:
        return kind.components
    if row and isinstance(row[0], msgspec.Struct):
        return tuple(str(getattr(item, "name", None) or getattr(item, "quantity", "")) for item in row)
    return tuple(str(i + 1) for i in range(len(row))) if kind.numbered else _AXES[len(row)]


@dataclass(frozen=True)
class _Kind:
    """What a field may hold."""

    unit: str = ""
    components: tuple[str, ...] | None = None
    numbered: bool = False
    is_number: bool = False
    is_law: bool = False


@cache
def _kinds(struct: type[msgspec.Struct]) -> dict[str, _Kind]:
    described = info.type_info(struct)
    assert isinstance(described, info.StructType)
    return {field.name: _kind(field.type) for field in described.fields}


def _kind(kind: info.Type) -> _Kind:
    match kind:
        case info.FloatType():
            return _Kind(is_number=True)
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
            )
    return _Kind()


def _unit_of(model: Model, part: Any, field: str) -> str:
    """The unit of a field that has that of the quantity which its struct is about, or of its rate."""
    about = next((x for x in ("measure", "quantity", "target") if isinstance(getattr(part, x, None), str)), None)
    if about is None or about == field or field not in MEASURED:
        return ""
    name = getattr(part, about)
    measure = model.quantities.get(name.removesuffix(".rate"))
    if measure is None:
        return ""
    return MEASURED[field].format(f"{measure.unit}/s" if name.endswith(".rate") else measure.unit)
