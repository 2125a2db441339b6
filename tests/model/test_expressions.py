"""A law of time is arithmetic, and nothing but arithmetic."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grashof.errors import ModelError
from grashof.model.expressions import compile_expression


@given(st.floats(0.1, 5.0))
def test_a_law_has_the_value_of_its_text(t: float) -> None:
    law = compile_expression("-2*t**3 + sin(pi*t)/(1 + exp(-t)) - atan2(t, 2)*t**-2*t**2 + sqrt(tanh(t)**2)", "a test")
    by_hand = -2 * t**3 + math.sin(math.pi * t) / (1 + math.exp(-t)) - math.atan2(t, 2) + abs(math.tanh(t))
    assert law(t) == pytest.approx(by_hand, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2*",
        "t.real",
        "__import__('os')",
        "open",
        "x",
        "[t]",
        "t if t else 1",
        "lambda: t",
        "sin(t, t)",
        "sin(t=1)",
        "atan2(t)",
        "True",
        "1j",
        "'t'",
        "t**t",
        "t**0.5",
        "t**65",
        "1e400",
        "1" + "0" * 400,
        "1" + "0" * 5000,
        "\0",
        "-" * 10_000 + "t",
        "(" * 10_000,
        "+".join(["t"] * 1000),
    ],
    ids=lambda text: repr(text[:20]),
)
def test_anything_else_is_refused_with_the_name_of_its_motor(text: str) -> None:
    with pytest.raises(ModelError, match="In motor 'M': cannot read the law"):
        compile_expression(text, "motor 'M'")


def test_a_sum_of_a_hundred_harmonics_is_a_law() -> None:
    law = compile_expression(" + ".join(f"sin({k}*t)/{k}" for k in range(1, 101)), "a test")
    assert law(1.0) == pytest.approx(sum(math.sin(k) / k for k in range(1, 101)), rel=1e-12)
