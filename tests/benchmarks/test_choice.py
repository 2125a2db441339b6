"""The benchmark of the choice of coordinates: it compares both, and knows what the choice costs."""

from __future__ import annotations

from benchmarks import choice


def test_gears_are_measured_in_both_formulations() -> None:
    measured = choice.measure("gears", *choice.cases()["gear train of 2"], rounds=1)
    assert not measured.absent
    assert all(measured.cpu_s[which] > 0.0 for which in choice.BOTH)
    assert measured.evaluations["relative"] < measured.evaluations["natural"]  # wheels spin
    assert measured.takes == "relative"
    assert measured.slower == measured.whole_s["relative"] / min(measured.whole_s.values())


def test_what_one_formulation_refuses_is_not_compared() -> None:
    measured = choice.measure("coin", *choice.cases()["rolling-coin"], rounds=1)
    assert "neither a chain of turns and slides" in measured.absent
