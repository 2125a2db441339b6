"""Error bars of a reference contain what they say, on derivations that are known."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import numpy as np
import pytest

from grashof.precise.derivation import Derivations, effects
from grashof.problems import PROBLEMS, make_case
from grashof.references import Reference, recompute
from grashof.references.certify import HOLDS

TIMES = [0.0, 1.0, 2.0, 3.0]


def certified(
    monkeypatch: pytest.MonkeyPatch, second: list[float] | None = None, effect: list[float] | None = None
) -> Reference:
    """Of columns that are 1, the second derivation being off by `second`, and changed data having these effects."""
    case = make_case("double-four-bar")
    names = [column.name for column in case.columns if column.name != "t"]
    off = second or [0.0] * len(TIMES)
    derivations = Derivations(
        first=lambda times: {name: [Decimal(1)] * len(times) for name in names},
        second=lambda times, done: {name: [1 + Decimal(x) for x in off] for name in names},
        effect=lambda times, first: {name: np.array(effect or [0.0] * len(TIMES)) for name in names},
        methods=("one", "two"),
        data="all data",
    )
    monkeypatch.setitem(PROBLEMS, case.problem, replace(PROBLEMS[case.problem], derivations=lambda case: derivations))
    return recompute(case, TIMES)


def test_a_datum_that_is_rounded_to_a_double_moves_a_column_by_at_most_its_effect() -> None:
    """A column 7 d: d = 0.1 is rounded by less than half a unit, and by half of one in the worst case."""
    change = Decimal("1e-20")
    column, changed = {"x": [7 * Decimal("0.1")]}, {"x": [7 * Decimal("0.1") * (1 + change)]}
    (effect,) = effects(column, [changed], change)["x"]
    tenth = 0.1
    assert abs(float(7 * (Decimal(tenth) - Decimal("0.1")))) <= effect
    assert effect == pytest.approx(0.7 * 2.0**-53)
    assert effects(column, [changed, changed], change)["x"] == pytest.approx([1.4 * 2.0**-53])


def test_bars_never_shrink_what_was_uncertain_once_stays_so(monkeypatch: pytest.MonkeyPatch) -> None:
    for bars in (
        certified(monkeypatch, second=[0.0, 3e-10, 0.0, 1e-10]).bars["x_1"],
        certified(monkeypatch, effect=[0.0, 3e-10, 0.0, 1e-10]).bars["x_1"],
    ):
        assert bars == pytest.approx([0.0, 3e-10, 3e-10, 3e-10])


def test_a_reference_holds_until_its_bars_exceed_six_digits(monkeypatch: pytest.MonkeyPatch) -> None:
    assert certified(monkeypatch).until == TIMES[-1]
    assert certified(monkeypatch, effect=[0.0, 0.5 * HOLDS, 2.0 * HOLDS, 0.0]).until == 1.0
    assert certified(monkeypatch, second=[0.0, 0.0, 0.0, 2.0 * HOLDS]).until == 2.0
    assert certified(monkeypatch, second=[2.0 * HOLDS, 0.0, 0.0, 0.0]).until == 0.0
