"""Options of runs are checked where they are made, and mean the same wherever they travel."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

import grashof as gr
from grashof.simulation.options import Options


def test_options_of_any_numbers_are_plain_and_come_back_equal() -> None:
    given = Options(tol=np.float64(1e-5), step=np.float32(0.5), max_steps=np.int64(10), check_error=False)
    again = msgspec.msgpack.decode(msgspec.msgpack.encode(given), type=Options)
    assert again == given == Options(tol=1e-5, step=0.5, max_steps=10, check_error=False)
    assert [type(x) for x in (given.tol, given.step, given.max_steps)] == [float, float, int]


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"tol": 0.2}, "The tolerance is 0.2; it must be between 1e-12 and 0.1."),
        ({"tol": "fine"}, "The tolerance is 'fine'; it must be a number."),
        ({"step": 0.0}, "The step is 0.0 s; it must be above zero."),
        ({"max_step": float("nan")}, "The longest step is nan; it must be finite."),
        ({"max_steps": 1.5}, "The largest number of steps is 1.5; it must be a whole number that is not negative."),
        ({"max_events": 0}, "The largest number of events is 0; it must be a whole number above zero."),
    ],
)
def test_wrong_options_are_refused(wrong: dict[str, float], sentence: str) -> None:
    with pytest.raises(gr.ModelError) as problem:
        Options(**wrong)  # type: ignore[arg-type]
    assert str(problem.value) == sentence
