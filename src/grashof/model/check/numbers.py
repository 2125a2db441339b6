"""Checks that all numbers of a description are finite."""

from __future__ import annotations

import math
from collections.abc import Collection

import msgspec

from grashof.common.errors import ModelError
from grashof.model.check.names import named_parts
from grashof.model.model import Model


def check_finite(model: Model, known: Collection[int]) -> None:
    """Checks that all numbers of a description are finite, except in the parts with these identities."""
    _refuse_infinite(f"Mechanism '{model.name}': gravity", model.gravity)
    _refuse_infinite("Ground: point", model.ground)
    for kind, part in named_parts(model):
        if id(part) not in known:
            _refuse_infinite(f"{kind} '{part.name}':", part)
    if id(model.start) in known:
        return
    _refuse_infinite("Start: time", model.start.time)
    for name, pose in model.start.guesses.items():
        _refuse_infinite(f"Start: guess of '{name}':", pose)
    for word, conditions in (("need", model.start.needs), ("want", model.start.wants)):
        for condition in conditions:
            _refuse_infinite(f"Start: {word} of '{condition.quantity}':", condition)


def _refuse_infinite(words: str, value: object) -> None:
    """Descends to numbers and rows of numbers; `words` describe the place reached."""
    if isinstance(value, msgspec.Struct):
        for field in value.__struct_fields__:
            _refuse_infinite(f"{words} {field}", getattr(value, field))
    elif isinstance(value, dict):
        for key, item in value.items():
            _refuse_infinite(f"{words} '{key}'", item)
    else:
        numbers = value if isinstance(value, tuple) else (value,)
        if not all(math.isfinite(x) for x in numbers if isinstance(x, int | float)):
            raise ModelError(f"{words} is {value}; it must be finite.")
