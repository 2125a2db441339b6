"""A result of something else is recognised as what it is."""

from __future__ import annotations

import math

import numpy as np
import pytest

from grashof.judge import assess
from grashof.problems import make_case
from grashof.problems.andrews import case as andrews
from grashof.program import build
from grashof.simulation.simulate import simulate
from tests.judge.motions import result

OTHERS = {
    "N = 2 judged as N = 40": (("double-four-bar", None), ("n-four-bar", None), "It looks like N = 2:"),
    "N = 40 judged as N = 2": (("n-four-bar", None), ("double-four-bar", None), "It looks like N = 40:"),
    "the other initial angle": (("andrews", "ivp"), ("andrews", "iftomm"), "It looks like variant 'ivp':"),
    "and the other way": (("andrews", "iftomm"), ("andrews", "ivp"), "It looks like variant 'iftomm':"),
    "all rows for the top row": (
        ("multiple-four-bar", "all-rows"),
        ("multiple-four-bar", "top-row"),
        "It looks like variant 'all-rows':",
    ),
}


@pytest.mark.parametrize("mistake", OTHERS)
def test_another_variant_is_recognised(mistake: str) -> None:
    (made, variant), (asked, wanted), words = OTHERS[mistake]
    _, table = result(made, variant)
    found = assess(make_case(asked, wanted), table)
    assert found.agrees is False
    assert len(found.suspicions) == 1
    assert found.suspicions[0].startswith(words)


@pytest.mark.parametrize("gravity", [9.8, 9.80665])
def test_another_gravity_is_recognised(gravity: float) -> None:
    _, table = result("double-four-bar", None, gravity)
    found = assess(make_case("double-four-bar"), table)
    assert found.agrees is False
    assert f"It looks like gravity {gravity:g} m/s²" in found.suspicions[0]


ABOVE = (((-0.034, 0.016), -0.85), ((-0.069, -0.002), 0.5))
BELOW = (((-0.031, -0.016), 1.05), ((-0.069, -0.002), -0.35))
ASSEMBLIES = {
    "G below the line A–E": (BELOW, BELOW),
    "H above the line A–E": (ABOVE, ABOVE),
    "G and H exchanged": (BELOW, ABOVE),
}


@pytest.mark.parametrize("words", ASSEMBLIES)
def test_a_squeezer_on_another_branch_is_recognised(words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The loops close with G and H on either side of the line A–E, and the energy is kept on each."""
    g, h = ASSEMBLIES[words]
    for name, pose in zip(("GE", "AG", "HE", "AH"), (*g, *h), strict=True):
        monkeypatch.setitem(andrews.GUESSES, name, pose)
    case = make_case("andrews")
    run = simulate(build(case.model), case.t_end, tol=1e-8, times=case.times(case.t_end))
    found = assess(case, {column.name: column.value(run) for column in case.columns})
    assert (found.passes, found.agrees) == (True, False)
    assert len(found.suspicions) == 1
    assert words in found.suspicions[0]


COLUMNS = {
    "mm for m": ("andrews", {"x_F": 1e3, "y_F": 1e3}, 0.0, ["Matches if x_F is in mm", "Matches if y_F is in mm"]),
    "degrees for radians": ("multiple-four-bar", {"phi_1": 180 / math.pi}, 0.0, ["phi_1", "in degrees"]),
    "degrees per second": ("multiple-four-bar", {"phidot_1": 180 / math.pi}, 0.0, ["phidot_1", "degrees per second"]),
    "kJ for J": ("multiple-four-bar", {"energy": 1e-3}, 0.0, ["energy", "in kJ"]),
    "an axis the other way": ("multiple-four-bar", {"z_A": -1.0}, 0.0, ["z_A", "opposite sign"]),
    "energy with another datum": (
        "multiple-four-bar",
        {"energy": 1.0},
        100.0,
        ["energy", "an offset of 100 J", "datum"],
    ),
    "total energy for its change": (
        "double-four-bar",
        {"energy": 1.0},
        37.2,
        ["energy", "an offset of 37.2 J", "datum"],
    ),
    "an angle from another zero": ("multiple-four-bar", {"phi_1": 1.0}, math.pi, ["phi_1", "3.14159", "zero"]),
}


@pytest.mark.parametrize("mistake", COLUMNS)
def test_another_unit_sign_or_zero_of_a_column_is_recognised(mistake: str) -> None:
    name, factors, shift, words = COLUMNS[mistake]
    case, table = result(name)
    found = assess(case, {**table, **{column: factor * table[column] + shift for column, factor in factors.items()}})
    assert len(found.suspicions) == len(factors)
    assert all(word in " ".join(found.suspicions) for word in words), found.suspicions


def test_times_in_milliseconds_are_recognised() -> None:
    case, table = result("andrews")
    found = assess(case, {**table, "t": 1e3 * table["t"]})
    assert found.passes is False
    assert "Matches if t is in milliseconds" in found.suspicions[0]


def test_exchanged_columns_are_recognised() -> None:
    case, table = result("andrews")
    found = assess(case, {**table, "x_F": table["y_F"], "y_F": table["x_F"]})
    assert found.suspicions[0].startswith("Matches if column x_F is y_F (within ")
    assert found.suspicions[1].startswith("Matches if column y_F is x_F (within ")


def test_an_angle_without_its_whole_turns_is_recognised() -> None:
    case, table = result("multiple-four-bar", "upright", R=1, C=1)
    folded = np.arctan2(np.sin(table["phi_1"]), np.cos(table["phi_1"]))
    found = assess(case, {**table, "phi_1": folded})
    assert found.agrees is False
    assert len(found.suspicions) == 1
    assert "Matches if whole turns of phi_1 are ignored" in found.suspicions[0]


def test_what_is_merely_inaccurate_is_not_suspected() -> None:
    """A phase error that grows to 1/200 of the time: far from the reference, and from everything else."""
    case = make_case("double-four-bar")
    times = case.times(case.t_end)
    found = assess(case, {"t": times, **case.reference(0.995 * times), "energy": np.zeros(len(times))})
    assert found.agrees is False
    assert found.suspicions == ()


FEW = {
    "rows after the end of another variant": ("andrews", "iftomm", np.linspace(0.035, 0.05, 61)),
    "a row at the end, late by round-off": ("andrews", "iftomm", np.array([0.05 * (1.0 + 5e-10)])),
    "a row in milliseconds, after the end of the reference": ("multiple-four-bar", "upright", np.array([1e4])),
}


@pytest.mark.parametrize("name", FEW)
def test_rows_too_few_to_tell_raise_no_suspicion(name: str) -> None:
    problem, variant, times = FEW[name]
    case = make_case(problem, variant)
    found = assess(case, {**{column.name: np.ones(len(times)) for column in case.columns}, "t": times})
    assert found.passes is False
    assert found.suspicions == ()
