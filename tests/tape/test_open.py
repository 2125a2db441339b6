"""Open numbers follow plain ones, and a tape in two stages computes what it did in one."""

from __future__ import annotations

import math

import numpy as np
import pytest

from grashof.scalar import Scalar, atan2, cos, exp, maximum, sin, sqrt, where
from grashof.tape import Node, TraceError, trace
from grashof.tape.node import Recorder
from grashof.tape.open import Open
from grashof.tape.staging import stage_tape


def mixed(a: Scalar, b: Scalar) -> list[Scalar]:
    return [
        a + b,
        2.0 - a,
        a * b / 3.0,
        1.0 / a,
        -a,
        abs(b),
        a**3,
        sqrt(a) * sin(b) + cos(a),
        atan2(b, a),
        maximum(a, b),
        where(b, a, 2.0),
        np.float64(2.0) * exp(b),
        a if a > b else b,
    ]


def test_an_open_number_is_computed_like_a_plain_one() -> None:
    recorder = Recorder()
    a, b = (Open(node, value) for node, value in zip(recorder.inputs(2), (1.7, -0.4), strict=True))
    found = mixed(a, b)
    assert all(type(x) is Open for x in found)
    assert [x.value for x in found] == pytest.approx(mixed(1.7, -0.4), rel=1e-15)
    tape = recorder.finish([x.node for x in found])
    other = 2.3, 0.6  # with which no decision is another one
    assert tape.evaluate(other) == pytest.approx(mixed(*other), rel=1e-15)


def test_what_always_cancels_is_a_plain_zero() -> None:
    (node,) = Recorder().inputs(1)
    a = Open(node, 1.7)
    assert type(a - a) is float
    assert type(0.0 * a) is float


def test_open_numbers_decide_by_their_value_and_are_no_floats() -> None:
    (node,) = Recorder().inputs(1)
    a = Open(node, 1.7)
    assert (a > 1, a == 1.7, bool(a), round(a), f"{a:.1f}", len({a, 1.7})) == (True, True, True, 2, "1.7", 1)
    with pytest.raises(TraceError, match="not a number yet"):
        math.sqrt(a)  # type: ignore[arg-type]


def test_a_motion_makes_a_node_of_an_open_number() -> None:
    recorder = Recorder()
    p, x = recorder.inputs(1), recorder.inputs(1)
    a = Open(p[0], 1.7)
    for result in (a * x[0], x[0] * a, x[0] / a, a / x[0], x[0] - a, a - x[0], atan2(x[0], a)):
        assert type(result) is Node


def test_stages_compute_what_the_whole_does() -> None:
    def whole(p: list[Scalar], x: list[Scalar]) -> list[Scalar]:
        ratio = sin(p[0]) / p[1]
        return [ratio * x[0] + p[0] * p[1], x[1] * x[0] - 3.0, ratio, 4.0, p[0]]

    tape = trace(whole, 2, 2)
    parts = stage_tape(tape, {"first": 2, "early": 1, "second": 2}, early=["early"])
    p, x = [0.3, 1.9], [2.5, -1.25]
    *c, early = parts.setup.evaluate(p)
    assert len(c) == parts.count == 3
    assert early == tape.evaluate([*p, *x])[2]
    found = [y for name in ("first", "second") for y in parts.tapes[name].evaluate([*x, *c])]
    assert found == [y for k, y in enumerate(tape.evaluate([*p, *x])) if k != 2]
    assert not any(s[0] == "sin" for t in parts.tapes.values() for s in t.statements)


def test_what_depends_on_late_inputs_is_not_early() -> None:
    with pytest.raises(ValueError, match="alone"):
        stage_tape(trace(lambda p, x: [p[0] * x[0]], 1, 1), {"f": 1}, early=["f"])
