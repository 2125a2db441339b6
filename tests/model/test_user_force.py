"""Functions of user forces keep their identity under a name."""

from __future__ import annotations

from typing import Any

import pytest

from grashof.errors import ModelError
from grashof.model.forces.user_force import allow, register, resolve


def test_functions_made_in_a_loop_are_not_confused() -> None:
    laws = [lambda t, p, v, gain=gain: [gain] for gain in (1.0, 2.0, 3.0)]
    names = [register(law) for law in laws]
    assert len(set(names)) == 3
    assert [resolve(name) for name in names] == laws


def test_a_function_registered_twice_keeps_its_name() -> None:
    def law(t: Any, p: Any, v: Any) -> list[Any]:
        return [0.0]

    assert register(law) == register(law)


def test_an_unknown_function_is_refused() -> None:
    with pytest.raises(ModelError, match="'nowhere:law' is code and was not loaded"):
        resolve("nowhere:law")


def test_allowing_imports_a_function() -> None:
    allow("math:hypot")
    assert resolve("math:hypot")(3.0, 4.0) == 5.0
