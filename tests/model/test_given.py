"""The builder takes NumPy's numbers as numbers and refuses what is none, whatever it is meant for."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from grashof.common.errors import ModelError
from grashof.model.given import number, numbers
from grashof.model.mechanism import Mechanism, as_model


@pytest.mark.parametrize("value", [2, 2.0, np.float64(2), np.float32(2), np.int8(2), np.uint64(2), np.array(2.0)])
def test_any_real_number_is_a_float(value: Any) -> None:
    found = number("mass", value)
    assert type(found) is float
    assert found == 2.0


@pytest.mark.parametrize("value", ["2", b"2", None, True, np.True_, 2j, [2.0], np.array([2.0]), {}, object()])
def test_what_is_no_number_is_refused(value: Any) -> None:
    with pytest.raises(ModelError, match=r"^mass is .*; it must be a number\.$"):
        number("mass", value)


@pytest.mark.parametrize("value", [math.nan, -math.inf, np.float64("nan"), 10**400])
def test_what_is_not_finite_is_refused(value: Any) -> None:
    with pytest.raises(ModelError, match=r"^mass is .*; it must be finite\.$"):
        number("mass", value)


@pytest.mark.parametrize(
    "values", [(1, 2), [1.0, 2.0], np.array([1, 2]), np.array([1.0, 2.0], np.float32), range(1, 3)]
)
def test_a_row_of_numbers_is_a_tuple(values: Any) -> None:
    assert numbers("place", values, 2) == (1.0, 2.0)


@pytest.mark.parametrize(
    "values",
    ["12", 5.0, None, {1: 2, 3: 4}, (1, 2, 3), np.eye(2), np.array(1.0), [(1, 2), 3], ("a", "b"), iter((1, 2))],
)
def test_other_things_are_no_row(values: Any) -> None:
    with pytest.raises(ModelError, match="place"):
        numbers("place", values, 2)


def test_a_mechanism_of_numpy_numbers_is_the_same_mechanism() -> None:
    def described(real: Callable[[float], Any], row: Callable[[list[float]], Any]) -> Mechanism:
        m = Mechanism("slider crank", gravity=row([0.0, -9.81]), dimension=2)
        crank = m.bar("crank", length=real(0.25), mass=real(1.0))
        rod = m.body("rod", mass=real(2.0), inertia=real(0.5), center=row([0.5, 0.0]), points={"a": row([1.0, 0.0])})
        m.revolute(m.ground.at(real(0.0), real(0.0)), crank.start)
        m.revolute(crank.end, rod.at(real(0.0), real(0.0)))
        m.slider(m.ground.line(row([0.0, 0.0]), row([1.0, 0.0])), rod.a)
        m.distance(m.ground.at(0, 1), rod.a, real(2.0))
        m.spring(m.ground.at(0, 2), rod.a, stiffness=real(3.0), length=real(0.5), damping=real(0.25))
        m.torsion_spring(crank, stiffness=real(1.0), rest=real(0.5))
        m.force(rod.a, row([1.0, 0.0]))
        m.motor(crank, torque=real(0.5))
        m.motor(rod, angle=real(0.75))
        m.guess(rod, row([0.25, 0.0]), angle=real(0.125))
        m.need(crank, value=real(0.5), rate=real(1.0))
        return m

    plain = described(float, tuple).model
    assert described(np.float64, np.array).model == plain
    assert described(np.float32, lambda values: np.array(values, np.float32)).model.bodies == plain.bodies


@pytest.mark.parametrize("gravity", ["12", "xy", 9.81, ("0", "1"), np.eye(2), (0.0, math.nan)])
def test_gravity_that_is_no_vector_is_refused(gravity: Any) -> None:
    with pytest.raises(ModelError, match="gravity"):
        Mechanism("m", gravity=gravity)


@pytest.mark.parametrize("dimension", ["2", 4, True, 2.5, np.array([2, 3])])
def test_a_dimension_is_two_or_three(dimension: Any) -> None:
    with pytest.raises(ModelError, match="dimension"):
        Mechanism("m", dimension=dimension)
    assert Mechanism("m", dimension=np.int64(3)).gravity == (0.0, 0.0, 0.0)


def test_parts_of_another_mechanism_are_refused() -> None:
    m, other = Mechanism("one"), Mechanism("other")
    mine, theirs = (made.bar("rod", length=1.0, mass=1.0) for made in (m, other))
    uses: list[Callable[[], Any]] = [
        lambda: m.revolute(mine.end, theirs.start, name="named or not"),
        lambda: m.revolute(theirs.end, mine.start),
        lambda: m.slider(other.ground.line((0, 0), (1, 0)), mine.end),
        lambda: m.spring(mine.end, theirs.end, stiffness=1.0, length=1.0),
        lambda: m.force(theirs.end, (1, 0)),
        lambda: m.torque(theirs, 1.0),
        lambda: m.user_force(lambda t, x, v: x, [theirs.end]),
        lambda: m.angle("turn", theirs),
        lambda: m.angle("turn", mine, reference=theirs),
        lambda: m.separation("span", mine.end, theirs.end),
        lambda: m.guess(theirs, (0, 0)),
        lambda: m.need(theirs, value=0.0),
    ]
    before = m.model
    for use in uses:
        with pytest.raises(ModelError, match="belongs to mechanism 'other', not to 'one'"):
            use()
    assert m.model == before


def test_what_was_refused_leaves_nothing_behind() -> None:
    m = Mechanism("m")
    for wrong in ({"mass": "heavy"}, {"length": None}, {"start": (0, 0), "end": "ab"}, {"length": np.nan}):
        with pytest.raises(ModelError):
            m.bar("rod", **{"length": 1.0, **wrong})
    m.bar("rod", length=1.0)


@pytest.mark.parametrize("subject", ["crank.toml", None, 5, {"name": "m"}, Mechanism])
def test_what_is_no_mechanism_is_refused(subject: Any) -> None:
    with pytest.raises(ModelError, match=r"is not a mechanism.*grashof\.load"):
        as_model(subject)


@pytest.mark.parametrize("values", [(1.0, (2, 3)), [[1.0], 2.0], np.eye(2), [np.eye(2), 1.0]])
def test_nested_values_are_refused_by_a_sentence(values: object) -> None:
    with pytest.raises(ModelError, match=r"Body 'b': inertia.* is .*; it must be"):
        Mechanism("m").body("b", mass=1.0, inertia=values)  # type: ignore[arg-type]
    with pytest.raises(ModelError, match=r"gravity.* is .*; it must be"):
        Mechanism("m", gravity=values)  # type: ignore[arg-type]
    m = Mechanism("m")
    rod = m.bar("rod", length=1.0, mass=1.0)
    with pytest.raises(ModelError, match="axis"):
        m.revolute(m.ground.at(0, 0), rod.start, axis=values)  # type: ignore[arg-type]


def test_a_zero_dimensional_array_is_a_number() -> None:
    m = Mechanism("m")
    m.body("b", mass=np.array(2.0), inertia=np.array(3.0))
    assert m.model.bodies[0].inertia == 3.0
