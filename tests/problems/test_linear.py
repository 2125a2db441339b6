"""Problems whose result is a linearised motion: our own eigenvalues, references, the judge, its command line."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import grashof as gr
from grashof.cli.app import app
from grashof.common.errors import ModelError
from grashof.judge.linear import certify, judge_eigenvalues, judge_linear, read_eigenvalues
from grashof.problems import LINEAR, PROBLEMS, LinearCase, make_case, make_linear

from .test_bicycle import PUBLISHED

CASES = [(name, variant) for name, problem in LINEAR.items() for variant in problem.variants]


def call(*arguments: str | Path, code: int = 0) -> str:
    """Runs a command that must end with this exit code; gives what it printed, without line breaks."""
    outcome = CliRunner().invoke(app, [str(argument) for argument in arguments], catch_exceptions=False)
    assert outcome.exit_code == code, outcome.output
    return " ".join(outcome.output.split())


@pytest.mark.parametrize(("name", "variant"), CASES)
def test_our_own_eigenvalues_have_twelve_digits(name: str, variant: str) -> None:
    outcome = judge_linear(make_linear(name, variant))
    assert outcome.passed
    assert outcome.verdict.error is not None
    assert outcome.verdict.error < 1e-12
    for quantity, (value, bar) in outcome.verdict.reference.rest.items():
        assert abs(outcome.rest[quantity] - value) < 1e-14 + bar


@pytest.mark.parametrize(("name", "variant"), CASES)
def test_references_are_derived_twice_and_certain_to_fourteen_digits(name: str, variant: str) -> None:
    assert certify(make_linear(name, variant)).digits > 14


def test_a_wrong_derivation_would_show_in_the_bars() -> None:
    from dataclasses import replace

    case = make_linear("four-bar-linearisation")
    wrong = replace(case, second=lambda data: case.second({**data, "g": "9.81000000981"}))
    assert 8 < certify(wrong).digits < 10


@pytest.mark.parametrize("speed", PUBLISHED)
def test_the_bicycle_has_the_published_eigenvalues_by_the_public_way(speed: str) -> None:
    """gr.modes about the motion, to 12 digits of each."""
    model = make_linear("bicycle-linearisation", None, {"speed": float(speed)}).model
    found = np.array([mode.eigenvalue for mode in gr.modes(model, at=0.0) if not mode.zero])
    assert sum(1 if s.imag == 0.0 else 2 for s in found) == 4
    for expected in PUBLISHED[speed]:
        assert np.min(np.abs(found - expected)) < 1e-12 * abs(expected)


def test_published_frequencies_of_the_readings_of_the_five_bar() -> None:
    """In rad/s, as the files that circulate have them, in five digits; and the printed rest of the four-bar."""
    for variant, expected in {
        "no-gravity": (1.8151, 7.1913),
        "gravity": (3.2845, 7.1262),
        "supported": (2.2787, 7.1816),
    }.items():
        values = certify(make_linear("five-bar-linearisation", variant)).values
        assert sorted(values.imag[values.imag > 0.0]) == pytest.approx(expected, abs=5.1e-5)
    rest, _ = certify(make_linear("four-bar-linearisation")).rest["rocker.angle"]
    assert rest == pytest.approx(2.23433101898, abs=5e-11)


def judged(case: LinearCase, values: object) -> tuple[bool, str]:
    found = judge_eigenvalues(case, np.asarray(values))
    return found.passed, " ".join(found.hints)


def test_the_judge_names_readings_and_mistakes() -> None:
    case, other = (make_linear("five-bar-linearisation", variant) for variant in ("supported", "gravity"))
    own = certify(case).values
    assert judged(case, own) == (True, "")
    assert judged(case, own[own.imag > 0.0]) == (True, "")
    assert judged(case, [*own, 0.0, 1e-9]) == (True, "")
    assert judged(case, [*own, 3.0])[0] is False
    assert judged(case, own[:2])[0] is False
    assert judged(case, own * (1.0 + 2e-9))[0] is False
    assert "looks like variant 'gravity'" in judged(case, certify(other).values)[1]
    assert "in Hz" in judged(case, own / (2.0 * np.pi))[1]
    assert "squares" in judged(case, own**2)[1]
    damped = make_linear("four-bar-linearisation")
    values = certify(damped).values
    assert "opposite sign" in judged(damped, -values)[1]
    assert "variant 'undamped'" in judged(damped, 1j * np.abs(values) * np.sign(values.imag))[1]
    bicycle = make_linear("bicycle-linearisation")
    light = [complex(s) for s in bicycle.first({**bicycle.data, "yy_rear": "0", "yy_front": "0"}).eigenvalues]
    assert "wheels that do not spin" in judged(bicycle, light)[1]


@pytest.mark.parametrize(
    "text",
    [
        "real,imag\n-0.5,2.0\n-0.5,-2.0\n",
        "# of a tool\n-0.5+2.0i\n-0.5-2.0i",
        "-0.5 + 2j; \n -5D-1 - 2*j",
        "-.5 2\n-.5 -2.0e0",
    ],
)
def test_eigenvalues_are_read_as_tools_write_them(tmp_path: Path, text: str) -> None:
    path = tmp_path / "values.txt"
    path.write_text(text, encoding="utf-8")
    assert sorted(read_eigenvalues(path), key=lambda s: s.imag) == [-0.5 - 2.0j, -0.5 + 2.0j]


@pytest.mark.parametrize("text", ["", "hello\n", "1 2 3\n", "1 nan\n", "1 2\nx y\n", "inf\n", "1 2\n" * 1001])
def test_what_is_no_eigenvalue_is_refused_with_its_line(tmp_path: Path, text: str) -> None:
    path = tmp_path / "values.txt"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ModelError, match=r"values\.txt.*eigenvalue"):
        read_eigenvalues(path)


def test_commands(tmp_path: Path) -> None:
    name = "five-bar-linearisation"
    assert name in [problem["name"] for problem in json.loads(call("list", "--json"))["linearised"]]
    assert "PASSED" in call("run", name, "--variant", "gravity", "--out", tmp_path / "out")
    assert {path.name for path in (tmp_path / "out").iterdir()} == {f"{name}.txt", "modes.png", "run.json"}
    assert "PASSED" in call("verify", name, tmp_path / "out" / f"{name}.txt", "--variant", "gravity")
    assert "looks like variant 'gravity'" in call("verify", name, tmp_path / "out" / f"{name}.txt", code=1)
    call("reference", name, "--out", tmp_path / "known.txt")
    judged = json.loads(call("verify", name, tmp_path / "known.txt", "--json"))
    assert judged["rule"] == {"passes": True, "error": 0.0, "bound": 1e-9} | {
        "definition": judged["rule"]["definition"]
    }
    assert "2 degrees of freedom" in call("modes", name)
    assert "has no --tol" in call("run", name, "--tol", "1e-3", code=2)


def test_they_are_no_problems_over_time() -> None:
    assert not set(LINEAR) & set(PROBLEMS)
    with pytest.raises(ModelError, match="is a linearised motion, not one over time"):
        make_case("four-bar-linearisation")
