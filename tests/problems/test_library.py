"""The problems of the library beyond the four of the competition: rule, reference, digits, readings."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from grashof.judge import assess
from grashof.judge.verdict import Compare, judge
from grashof.motion.trajectory import Trajectory
from grashof.problems import LINEAR, PROBLEMS
from grashof.problems.slider_crank import reference as slider_crank
from grashof.references import reference_for
from grashof.simulation.simulate import simulate

from .conftest import compiled

DIGITS: dict[tuple[str, str], float] = {
    ("simple-pendulum", "short"): 11,
    ("simple-pendulum", "long"): 7.5,
    ("car-axis", "standard"): 10,
    ("spinning-coin", "standard"): 10,
    ("slider-crank", "axial"): 11,
    ("heavy-top", "standard"): 10,
    ("slider-crank", "third"): 11,
    ("light-cart-pole", "standard"): 8,
    ("stiff-governor", "standard"): 10,
    ("uncontrolled-bicycle", "M1"): 9,
    ("uncontrolled-bicycle", "M2"): 9,
    ("uncontrolled-bicycle", "M3"): 9,
    ("bricard-mechanism", "prism"): 10,
    ("bricard-mechanism", "thin"): 10,
    ("woodpecker-toy", "standard"): 11,
    ("slider-crank-clearance", "standard"): 10,
    ("slider-crank-clearance", "inclined"): 10,
    ("slider-crank-clearance", "driven"): 10,
}
"""Digits of the worst column that a run at tol = 1e-11 shares with the certified reference."""


def columns_of(name: str, variant: str, **options: Any) -> dict[str, np.ndarray]:
    """The official columns of our own run."""
    case, program = compiled(name, variant)
    run = simulate(program, case.t_end, times=case.times(case.t_end), **options)
    assert run.status.ok, run.status
    return _table(name, variant, run)


def _table(name: str, variant: str, run: Trajectory) -> dict[str, np.ndarray]:
    case, _ = compiled(name, variant)
    return {column.name: np.asarray(column.value(run), float) for column in case.columns}


@pytest.mark.parametrize(("name", "variant"), DIGITS)
def test_default_settings_pass_the_rule_and_agree_with_the_reference(name: str, variant: str) -> None:
    case, _ = compiled(name, variant)
    found = assess(case, columns_of(name, variant))
    assert found.verdict is True
    assert found.missing == found.suspicions == ()
    if case.levels:
        assert found.levels is not None
        assert found.levels.reached == "high"


@pytest.mark.parametrize(("name", "variant"), DIGITS)
def test_small_tolerances_give_the_digits_of_the_certificate(name: str, variant: str) -> None:
    case, _ = compiled(name, variant)
    found = assess(case, columns_of(name, variant, tol=1e-11, check_error=False))
    assert min(found.digits.values()) > DIGITS[name, variant], found.digits


def test_the_car_axis_ends_where_the_test_set_has_it() -> None:
    """IVP test set: x and y of both masses at 3 s, of which 12 digits are good."""
    case, _ = compiled("car-axis", "standard")
    reference = reference_for(case)
    assert reference is not None
    published = (0.0493455784275402809, 0.496989460230171154, 1.04174252488542152, 0.373911027265361257)
    assert [reference.columns[name][-1] for name in ("x_l", "y_l", "x_r", "y_r")] == pytest.approx(published, abs=4e-13)


def test_the_heavy_top_has_the_published_attitude() -> None:
    """Published for 0.2 s: the quaternion of a Runge–Kutta method, in five digits; its y axis points to the centre of
    mass."""
    case, _ = compiled("heavy-top", "standard")
    reference = reference_for(case)
    assert reference is not None
    w, x, y, z = -0.70828, 0.43878, 0.54573, 0.0894
    axis = (2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x))
    found = reference.at([0.2]).columns
    assert [found[name][0] for name in "xyz"] == pytest.approx(axis, abs=3e-5)


def test_the_coin_ends_near_the_published_place() -> None:
    """Exudyn with steps of 0.5 ms: 0.00200410 m, in axes that are turned by 90°; it has three digits."""
    case, _ = compiled("spinning-coin", "standard")
    reference = reference_for(case)
    assert reference is not None
    assert -reference.columns["y"][-1] == pytest.approx(0.00200410, rel=1e-3)


def test_the_judge_says_which_reading_of_the_slider_crank_a_file_follows_and_for_how_long() -> None:
    case, _ = compiled("slider-crank", "axial")
    times = case.times(case.t_end)
    third, literal = (slider_crank.motion(times, slider_crank.data_of(reading)) for reading in ("third", "literal"))
    assert "looks like variant 'third'" in assess(case, {"t": times, **third}).suspicions[0]
    assert "the literal reading" in assess(case, {"t": times, **literal}).suspicions[0]
    late = slider_crank.motion(times - 0.002 * np.maximum(times - 1.0, 0.0) ** 2, slider_crank.data_of("axial"))
    assert assess(case, {"t": times, **late}).suspicions == ()
    found = assess(compiled("slider-crank", "third")[0], {"t": times, **late})
    assert found.verdict is False
    assert "follows variant 'axial' up to t = 1." in found.suspicions[0]


def test_published_answers_of_the_slider_crank_are_those_of_two_readings() -> None:
    """Masoudi's, the library's own, and González's: x and θ at 5 s."""
    ends = {
        reading: slider_crank.motion(np.array([5.0]), slider_crank.data_of(reading)) for reading in ("axial", "third")
    }
    assert ends["third"]["x"][0] == pytest.approx(0.261012849, abs=1.2e-5)
    assert ends["third"]["theta"][0] == pytest.approx(51.50682085, abs=2.5e-4)
    assert ends["axial"]["x"][0] == pytest.approx(0.240761815, abs=4.3e-5)


def test_other_starts_of_the_pendulum_are_recognised() -> None:
    case, _ = compiled("simple-pendulum", "short")
    reference = reference_for(case)
    assert reference is not None
    columns = {"t": reference.times, **reference.columns}
    found = assess(case, columns | {"x": -columns["x"]})
    assert "x has the opposite sign" in found.suspicions[0]
    assert found.levels is not None
    assert found.levels.reached == "none"


def test_precision_levels_count_every_sample() -> None:
    case, _ = compiled("simple-pendulum", "short")
    reference = reference_for(case)
    assert reference is not None
    for off, reached in ((0.9e-3, "high"), (2e-3, "low"), (0.09, "low"), (0.11, "none")):
        y = np.array(reference.columns["y"])
        y[700] += off
        columns = {"t": reference.times, **reference.columns, "y": y}
        found = assess(case, columns, suspect=False).levels
        assert found is not None
        assert found.reached == reached
    short = {name: values[:500] for name, values in columns.items()}
    assert assess(case, short, suspect=False).levels.reached is None  # type: ignore[union-attr]


@pytest.mark.parametrize(("name", "variant"), [("light-cart-pole", "standard"), ("simple-pendulum", "long")])
def test_a_single_run_of_our_own_meets_rule_and_solution_at_the_tolerance_of_its_problem(
    name: str, variant: str
) -> None:
    case, _ = compiled(name, variant)
    outcome = judge(case, compare=Compare.ALL)
    assert outcome.tol == case.tol
    assert outcome.passed
    assert outcome.agreement is not None
    assert outcome.agreement.agrees


@pytest.mark.parametrize(
    ("name", "variant"),
    [("woodpecker-toy", "standard"), ("slider-crank-clearance", "standard"), ("slider-crank-clearance", "inclined")],
)
def test_a_single_run_with_impacts_passes_and_agrees(name: str, variant: str) -> None:
    outcome = judge(compiled(name, variant)[0], compare=Compare.ALL)
    assert outcome.passed
    assert outcome.agreement is not None
    assert outcome.agreement.agrees


def test_both_readings_of_bricards_bars_are_recognised() -> None:
    """x of P3 at 1 s in the two readings that circulate: 0.27448 and 0.27333; they differ by 1e-3."""
    (one, prism), (other, thin) = (
        (case, reference_for(case)) for case in (compiled("bricard-mechanism", v)[0] for v in ("prism", "thin"))
    )
    assert prism is not None
    assert thin is not None
    assert prism.at([1.0]).columns["x"][0] == pytest.approx(0.27448, abs=5e-6)
    assert thin.at([1.0]).columns["x"][0] == pytest.approx(0.27333, abs=5e-6)
    found = assess(one, {"t": thin.times, **thin.columns})
    assert found.verdict is False
    assert "looks like variant 'thin'" in found.suspicions[0]
    late = np.where(thin.times < 3.0, 0.0, thin.times - 3.0) ** 2
    left = assess(one, {"t": thin.times, **thin.columns, "x": thin.columns["x"] + 0.01 * late})
    assert "follows variant 'thin' up to t = 3." in left.suspicions[0]
    (fallen,) = (x for x in PROBLEMS[one.problem].alternatives(one) if "−z" in x.words)
    early = one.times(0.5)
    assert any("gravity along −z" in x for x in assess(one, {"t": early, **fallen.at(early)}).suspicions)
    assert other.levels == ("x", "y", "z")


def test_softened_copies_of_the_governor_are_recognised() -> None:
    """s at 1 s, as published by a check: 0.50142; Exudyn's softened copy has other springs and another speed."""
    case, _ = compiled("stiff-governor", "standard")
    reference = reference_for(case)
    assert reference is not None
    assert reference.at([1.0]).columns["s"][0] == pytest.approx(0.50142, abs=5e-6)
    times = case.times(0.2)[::2]
    for copy in list(PROBLEMS[case.problem].alternatives(case))[:3:2]:
        found = assess(case, {"t": times, **copy.at(times)})
        assert any(copy.words in sentence for sentence in found.suspicions)


@pytest.mark.parametrize(("wrong", "words"), [("cart", "a cart of 1 g"), ("g", "g = 9.8 m/s²")])
def test_wrong_data_of_the_light_cart_pole_are_recognised(wrong: str, words: str) -> None:
    case, _ = compiled("light-cart-pole", "standard")
    (mistake,) = (other for other in PROBLEMS[case.problem].alternatives(case) if other.words == words)
    times = case.times(case.t_end)[::8]
    found = assess(case, {"t": times, **mistake.at(times)})
    assert found.verdict is False
    assert any(words in sentence for sentence in found.suspicions)


@pytest.mark.parametrize("tol", [1e-4, 1e-5, 3e-7, 1e-9, 1e-10])
def test_no_impact_of_the_woodpecker_is_missed_at_any_tolerance(tol: float) -> None:
    """A contact that is released by a force that falls to zero leaves so slowly that its speed is round-off."""
    case, program = compiled("woodpecker-toy", "standard")
    run = simulate(program, case.t_end, tol=tol, check_error=False)
    assert run.status.ok
    assert len(run.events) == 10
    assert min(np.min(run[f"{name} contact.gap"]) for name in ("beak", "lower", "upper")) > -1e-9


def test_the_printed_start_of_the_woodpecker_is_near_its_limit_cycle() -> None:
    """After a beat it passes the bird's first angle again, with the printed speeds within 1 %."""
    case, program = compiled("woodpecker-toy", "standard")
    run = simulate(program, case.t_end, times=np.linspace(0.0, case.t_end, 15001))
    angle = run["bird.angle"] + 0.2788
    late = next(k for k in range(1000, len(angle)) if angle[k - 1] > 0.0 >= angle[k] and run.t[k] > 0.1)
    assert run.t[late] == pytest.approx(0.1459, abs=2e-5)
    assert run["sleeve.o.y"][late] == pytest.approx(-0.01937, abs=1e-5)
    assert run["sleeve.o.y.rate"][late] == pytest.approx(-0.3411, rel=0.01)
    assert run["bird.angle.rate"][late] == pytest.approx(-7.4583, rel=0.01)


def test_the_two_laws_of_corners_that_are_hit_at_once_are_told_apart() -> None:
    case, _ = compiled("slider-crank-clearance", "standard")
    (other,) = (x for x in PROBLEMS[case.problem].alternatives(case) if "one after the other" in x.words)
    times = case.times(0.01)
    found = assess(case, {"t": times, **other.at(times)})
    assert found.verdict is not True
    assert any("one after the other" in sentence for sentence in found.suspicions)


def test_every_problem_has_its_page() -> None:
    from importlib import resources

    for problem in (*PROBLEMS.values(), *LINEAR.values()):
        text = (resources.files(problem.package) / "README.md").read_text(encoding="utf-8")
        if problem.name != "andrews":
            assert "## Interpretation" in text
            assert len(problem.variants) == 1 or all(variant in text for variant in problem.variants)


def test_no_problem_hides_a_mechanism_of_the_gallery() -> None:
    """Commands take a name for a problem first."""
    from grashof.examples import gallery

    assert not {entry.name for entry in gallery() if not entry.problem} & set(PROBLEMS)
