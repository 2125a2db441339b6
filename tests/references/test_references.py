"""Stored references: complete, certain to the digits they claim, and confirmed by the derivation they are not taken
from."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal, localcontext
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import numpy as np
import pytest

from grashof.common.errors import ModelError
from grashof.precise.derivation import exact
from grashof.problems import PROBLEMS, Case, make_case
from grashof.problems.andrews.reference import IFTOMM, IVP_BETA0
from grashof.problems.andrews.reference import precise_solution as precise_squeezer
from grashof.problems.four_bar.reference import GRAVITY, precise_motion
from grashof.problems.multiple_four_bar.reference import FINAL, Variant, precise_solution
from grashof.references import Reference, recompute, reference_for

ALL = [(name, variant) for name, problem in PROBLEMS.items() for variant in problem.variants]
LESS_CERTAIN = {
    ("multiple-four-bar", "all-rows"),
    ("multiple-four-bar", "upright"),
    ("simple-pendulum", "long"),
}
CERTAIN = [case for case in ALL if case not in LESS_CERTAIN]
SLICE = {
    ("andrews", "iftomm"): [0.00025, 0.005, 0.0125],
    ("andrews", "ivp"): [0.005],
    ("double-four-bar", "standard"): [0.01, 0.49, 3.0],
    ("n-four-bar", "standard"): [0.05, 4.0],
    ("simple-pendulum", "short"): [0.01, 0.5],
    ("simple-pendulum", "long"): [0.25, 1.0],
    ("car-axis", "standard"): [0.01, 0.1],
    ("spinning-coin", "standard"): [0.001, 0.05],
    ("slider-crank", "axial"): [0.02],
    ("heavy-top", "standard"): [0.01, 0.05],
    ("light-cart-pole", "standard"): [0.01, 0.46],
    ("stiff-governor", "standard"): [0.01, 0.2],
    ("slider-crank", "third"): [0.02],
    ("uncontrolled-bicycle", "M1"): [0.01],
    ("uncontrolled-bicycle", "M2"): [0.01, 0.05],
    ("uncontrolled-bicycle", "M3"): [0.01],
    ("bricard-mechanism", "prism"): [0.01, 0.1],
    ("bricard-mechanism", "thin"): [0.05],
    ("woodpecker-toy", "standard"): [0.01, 0.025],
    ("slider-crank-clearance", "standard"): [0.001, 0.003],
    ("slider-crank-clearance", "inclined"): [0.001],
    ("slider-crank-clearance", "driven"): [0.003],
    ("multiple-four-bar", "top-row"): [0.35, 1.0],
    ("multiple-four-bar", "all-rows"): [0.5, 1.0],
    ("multiple-four-bar", "upright"): [0.4],
}


def stored(name: str, variant: str) -> tuple[Case, Reference]:
    """The case and its stored reference."""
    case = make_case(name, variant)
    found = reference_for(case)
    assert found is not None
    return case, found


def within(reference: Reference, columns: dict[str, list[Decimal]]) -> dict[str, float]:
    """By column the largest distance of exact values from the reference, in error bars."""
    found = {}
    with localcontext(prec=60):
        for name, exactly in columns.items():
            apart = [abs(Decimal(x) - y) for x, y in zip(reference.columns[name].tolist(), exactly, strict=True)]
            bars = [Decimal(bar) for bar in reference.bars[name].tolist()]
            found[name] = max(float(x / bar) if x else 0.0 for x, bar in zip(apart, bars, strict=True))
    return found


@pytest.mark.parametrize(("name", "variant"), ALL)
def test_every_problem_has_its_official_columns_at_its_official_times(name: str, variant: str) -> None:
    case, reference = stored(name, variant)
    names = [column.name for column in case.columns if column.name != "t"]
    assert list(reference.columns) == list(reference.bars) == names
    assert np.array_equal(reference.times, case.times(case.t_end))
    assert (reference.problem, reference.variant, reference.parameters) == (name, variant, case.parameters)
    for column in names:
        assert reference.columns[column].shape == reference.bars[column].shape == reference.times.shape
        assert np.isfinite(reference.columns[column]).all()
        assert (reference.bars[column] >= 0.0).all()


@pytest.mark.parametrize(("name", "variant"), CERTAIN)
def test_twelve_digits_are_certain_to_the_end(name: str, variant: str) -> None:
    case, reference = stored(name, variant)
    assert reference.until == case.t_end
    assert all(reference.digits(column) > 12 for column in reference.columns)


def test_rows_that_pass_singular_positions_keep_most_of_their_digits() -> None:
    """A difference grows some 600-fold in 10 s, so that of 16 digits 13 are left."""
    _, reference = stored("multiple-four-bar", "all-rows")
    assert reference.until == 10.0
    assert all(reference.digits(column) > 12 for column in reference.columns)


def test_the_phase_of_a_pendulum_keeps_the_digits_that_rounded_data_allow_after_844_swings() -> None:
    """g rounded to a double shifts the phase by 2,000 s · 5e-17, in radians 3e-13 times the turns."""
    _, reference = stored("simple-pendulum", "long")
    assert reference.until == 2000.0
    assert all(reference.digits(column) > 11.5 for column in ("x", "y"))


@pytest.mark.parametrize("reading", ["axial", "third"])
def test_the_slider_crank_agrees_with_its_quadrature_in_doubles(reading: str) -> None:
    case, reference = stored("slider-crank", reading)
    assert reference.until == 5.0
    assert all(reference.digits(column) > 14 for column in ("x", "theta"))
    for column, values in case.reference(reference.times).items():
        assert np.all(np.abs(values - reference.columns[column]) <= reference.bars[column] + 1e-11)


def test_the_standing_grid_is_certain_until_chaos_takes_over() -> None:
    """Rounded data are 1e-16 off; that grows 3e6-fold in 5 s and 2e15-fold in 9 s."""
    _, reference = stored("multiple-four-bar", "upright")
    assert 5.0 < reference.until < 9.0
    assert all(np.isinf(reference.bars[name][-1]) for name in ("phi_1", "phidot_1", "y_A", "z_A"))
    assert reference.bars["energy"][-1] < 1e-9  # chaos does not touch it
    late = reference.at([9.0, 9.5])
    assert late.digits("phi_1") == -np.inf
    assert 9 < late.digits("energy") < 16


def test_a_slice_of_every_problem_is_confirmed() -> None:
    assert set(SLICE) == {(name, variant) for name, variant in ALL if variant not in PROBLEMS[name].same}


@pytest.mark.parametrize(("name", "variant"), SLICE)
def test_the_other_derivation_confirms_a_slice(name: str, variant: str) -> None:
    """Stored are the first derivation's values; the second's are within the bars, and much nearer than 12 digits."""
    case, reference = stored(name, variant)
    times = SLICE[name, variant]
    derivations = PROBLEMS[name].derivations
    assert derivations is not None
    second = derivations(case).second([f"{time:.15g}" for time in times], lambda part: None)
    assert max(within(reference.at(times), second).values()) <= 1.0
    for column, exactly in second.items():
        scale = max(np.abs(reference.columns[column]).max(), 1.0)
        assert np.allclose(reference.at(times).columns[column], [float(x) for x in exactly], rtol=0, atol=4e-16 * scale)


@pytest.mark.parametrize("name", ["double-four-bar", "n-four-bar"])
def test_bars_hold_for_whoever_rounds_the_data_of_four_bars_to_doubles(name: str) -> None:
    case, reference = stored(name, "standard")
    some = reference.at(reference.times[::50])
    pin = precise_motion(
        [str(Decimal(t)) for t in some.times], int(case.parameters["N"]), gravity=str(Decimal(GRAVITY))
    )
    apart = within(some, {"x_1": [exact(x) for x in pin.x], "xdot_1": [exact(x) for x in pin.xdot]})
    assert max(apart.values()) <= 1.0


@pytest.mark.parametrize(
    ("variant", "until"),
    [("top-row", 1.0), ("all-rows", 1.0), ("upright", 1.0), pytest.param("upright", 10.0, marks=pytest.mark.slow)],
)
def test_bars_hold_for_whoever_rounds_the_data_of_the_grid_to_doubles(variant: Variant, until: float) -> None:
    _, reference = stored("multiple-four-bar", variant)
    some = reference.at(reference.times[(reference.times <= until)][::10])
    with localcontext(prec=60):
        pi = exact(precise_solution(["0"], 1, 1, "upright", 60).phi[0, 0])
        pace = str(Decimal(2.0 * np.pi / 3.0) * 3 / (2 * pi))
    times = [str(Decimal(t)) for t in some.times]
    motion = precise_solution(times, variant=variant, digits=40, gravity=str(Decimal(GRAVITY)), pace=pace)
    columns = dict(zip(some.columns, motion.columns.T[1:], strict=True))
    assert max(within(some, {name: [exact(x) for x in values] for name, values in columns.items()}).values()) <= 1.0


def test_bars_hold_for_whoever_rounds_the_angle_of_the_squeezer_to_a_double() -> None:
    _, reference = stored("andrews", "iftomm")
    some = reference.at([0.00025, 0.01])
    crank = precise_squeezer([str(Decimal(t)) for t in some.times], str(Decimal(IFTOMM.beta0)), digits=20)
    apart = within(some, {"x_F": [exact(x) for x in crank.x_f], "y_F": [exact(x) for x in crank.y_f]})
    assert max(apart.values()) <= 1.0


def test_the_squeezer_meets_the_published_angle_of_the_ivp_test_set() -> None:
    """IVP/DAE test set, β(0.03 s), of which ten digits are good; here β follows from the work of the torque."""
    _, reference = stored("andrews", "ivp")
    beta = float(IVP_BETA0) + reference.columns["work"][-1] / IFTOMM.torque
    assert beta == pytest.approx(15.81077119629904, rel=1e-10)


def test_the_grids_end_where_a_calculation_with_other_digits_ends() -> None:
    for variant, final in FINAL.items():
        _, reference = stored("multiple-four-bar", variant)
        assert [values[-1] for values in reference.columns.values()] == [float(x) for x in final]


def test_the_opensim_telling_is_the_same_mechanism() -> None:
    (_, told), (_, original) = stored("andrews", "opensim"), stored("andrews", "iftomm")
    assert told.variant == "opensim"
    assert np.array_equal(told.columns["x_F"], original.columns["x_F"])


def test_other_parameters_have_no_stored_reference_and_are_derived() -> None:
    """A grid of one row is a row of four-bars that starts hanging; against φ it turns clockwise."""
    case = make_case("multiple-four-bar", "top-row", {"R": 1, "C": 3})
    assert reference_for(case) is None
    reference = recompute(case, [0.25, 0.5])
    assert reference.until == 0.5
    assert all(reference.digits(name) > 14 for name in reference.columns)
    pin = precise_motion(["0.25", "0.5"], 3, str(-2 * np.pi / 3), str(np.pi))
    np.testing.assert_allclose(reference.columns["phi_1"], np.pi - pin.angle.astype(float), rtol=0, atol=1e-15)
    np.testing.assert_allclose(reference.columns["phidot_1"], -pin.rate.astype(float), rtol=0, atol=1e-15)


def test_a_wrong_derivation_would_show_in_the_bars(monkeypatch: pytest.MonkeyPatch) -> None:
    """With g off by 1e-9 in one of the two only, no more than some nine digits are certain."""
    monkeypatch.setattr("grashof.problems.four_bar.reference.precise_motion", _heavier(precise_motion))
    reference = recompute(make_case("double-four-bar"), [0.5, 1.0])
    assert 7 < reference.digits("x_1") < 10


def _heavier(motion):  # type: ignore[no-untyped-def]
    return lambda *given, gravity, **named: motion(
        *given, gravity=str(Decimal(gravity) * Decimal("1.000000001")), **named
    )


def test_times_that_no_reference_has_are_refused() -> None:
    case, reference = stored("double-four-bar", "standard")
    with pytest.raises(ModelError, match=r"t = 0\.005 s is not an official time"):
        reference.at([0.005])
    for times in ([], [1.0, 0.5], [-1.0], [np.nan]):
        with pytest.raises(ModelError, match="start at zero or later and increase"):
            recompute(case, times)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "variant"), SLICE)
def test_all_is_found_again(name: str, variant: str) -> None:
    case, reference = stored(name, variant)
    again = recompute(case, case.times(case.t_end))
    agreement = reference.against(again)
    assert agreement.times == len(reference.times)
    assert agreement.within
    assert again.until == reference.until


def test_a_reference_that_is_not_found_again_is_told() -> None:
    path = Path(__file__).parents[2] / "scripts" / "references.py"
    spec = spec_from_file_location("references_again", path)
    assert spec is not None
    assert spec.loader is not None
    script = module_from_spec(spec)
    spec.loader.exec_module(script)
    _, found = stored("double-four-bar", "standard")
    assert script.compare(found, found)[1]
    off = {name: x + 1.01 * found.bars[name] for name, x in found.columns.items()}
    for changes in (
        {"columns": off},
        {"bars": {name: 3.0 * x for name, x in found.bars.items()}},  # two derivations that no longer agree
        {"until": 5.0},
        {"times": found.times + 0.01},
    ):
        assert not script.compare(found, replace(found, **changes))[1]
