"""Jets against numerical differentiation in many digits."""

from collections.abc import Callable

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grashof.scalar import (
    Jet,
    Scalar,
    absolute,
    atan2,
    cos,
    exp,
    log,
    maximum,
    minimum,
    sign,
    sin,
    sqrt,
    tan,
    tanh,
    where,
)

LAWS: dict[str, Callable[[Scalar], Scalar]] = {
    "sum": lambda t: 3.0 + t - 2.0 * t + (1.0 - t),
    "product": lambda t: (t + 1.0) * (t - 2.0) * t,
    "quotient": lambda t: (t - 2.0) / (t * t + 1.0),
    "number by jet": lambda t: 2.0 / (1.0 + t),
    "jet by number": lambda t: -(t * t) / 4.0,
    "powers": lambda t: t**3 - 2 * t**-2 + t**1 + t**0,
    "sin": lambda t: sin(t * t),
    "cos": lambda t: cos(2.0 * t),
    "tan": lambda t: tan(0.3 * t * t),
    "exp": lambda t: exp(-t * t),
    "log": lambda t: log(1.0 + t * t),
    "sqrt": lambda t: sqrt(1.0 + t**4),
    "tanh": lambda t: tanh(t * t - 1.0),
    "atan2": lambda t: atan2(sin(t), 2.0 + t * t),
    "atan2 of a number": lambda t: atan2(1.0, t * t),
    "absolute": lambda t: absolute(sin(3.0 * t)),
    "built-in abs": lambda t: abs(t - 9.0),
    "sign": lambda t: sign(t - 9.0) * t * t,
    "minimum": lambda t: minimum(t * t, 7.0 - t),
    "maximum": lambda t: maximum(sin(t), -4.0),
    "where": lambda t: where(t - 9.0, t, t**3),
    "where by number": lambda t: where(1.0, t * t, t),
    "motor law": lambda t: 0.2 * sin(5.0 * t) * exp(-t) + 3.0 * tanh(t / 0.5),
}


@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS.keys())
@pytest.mark.parametrize("time", ["0.4", "1.3"])
def test_jet_carries_both_derivatives(law: Callable[[Scalar], Scalar], time: str) -> None:
    with mpmath.workdps(40):
        t = mpmath.mpf(time)
        jet = law(Jet(t, mpmath.mpf(1), mpmath.mpf(0)))
        assert mpmath.almosteq(jet.value, law(t), 1e-30, 1e-30)
        assert mpmath.almosteq(jet.first, mpmath.diff(law, t, 1), 1e-15, 1e-15)
        assert mpmath.almosteq(jet.second, mpmath.diff(law, t, 2), 1e-10, 1e-10)


@given(radius=st.floats(0.5, 2.0), rate=st.floats(-3.0, 3.0), acceleration=st.floats(-3.0, 3.0), angle=st.floats(-2, 2))
def test_atan2_gives_back_the_motion_of_a_crank(radius: float, rate: float, acceleration: float, angle: float) -> None:
    crank = Jet(angle, rate, acceleration)
    back = atan2(radius * sin(crank), radius * cos(crank))
    assert back.value == pytest.approx(angle, abs=1e-14)
    assert back.first == pytest.approx(rate, abs=1e-13)
    assert back.second == pytest.approx(acceleration, abs=1e-12)


def test_a_jet_of_samples_is_a_sample_of_jets() -> None:
    times = np.linspace(0.3, 1.2, 5)
    law = LAWS["motor law"]
    together = law(Jet(times, 1.0, 0.0))
    apart = [law(Jet(float(t), 1.0, 0.0)) for t in times]
    assert together.second == pytest.approx([jet.second for jet in apart], rel=1e-14)
    assert isinstance(times * Jet(1.0, 2.0, 3.0), Jet)


def test_fractional_powers() -> None:
    root = Jet(4.0, 1.0, 0.0) ** 0.5
    assert (root.value, root.first, root.second) == (2.0, 0.25, -0.03125)


def test_a_jet_has_no_truth_value() -> None:
    t = Jet(2.0, 1.0, 0.0)
    with pytest.raises(TypeError, match="no truth value"):
        bool(t > 1.0)
    with pytest.raises(TypeError, match="no truth value"):
        bool(t)
