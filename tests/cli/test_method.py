"""The method is an option of every command that integrates, and part of what it reports."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from grashof.cli.app import app


def call(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, list(arguments))
    return result.exit_code, result.output


@pytest.mark.parametrize(("tol", "picked"), [("1e-2", "bs5"), ("1e-6", "dop853")])
def test_the_method_that_was_picked_is_reported_with_the_reason(tol: str, picked: str) -> None:
    code, output = call("run", "multiple-four-bar", "--tol", tol, "--t-end", "0.5", "--compare", "none", "--json")
    assert code == 0
    method = json.loads(output[output.index("{") :])["method"]
    assert method["name"] == picked
    assert "chosen automatically for tolerances" in method["reason"]


def test_a_fixed_step_is_kept() -> None:
    arguments = ("run", "double-four-bar", "--t-end", "1", "--compare", "none", "--json")
    code, output = call(*arguments, "--method", "rk4", "--step", "0.01")
    assert code == 0
    assert json.loads(output[output.index("{") :])["steps"] == 100


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (("--method", "euler"), "no integration method 'euler'; there are auto, dop853, verner9, bs5, dopri5, rk4"),
        (("--step", "0.1"), "'dop853' chooses its own"),
        (("--method", "rk4", "--step", "-1"), "--step is -1.0"),
    ],
)
def test_what_does_not_go_together_is_refused(options: tuple[str, ...], complaint: str) -> None:
    code, output = call("run", "double-four-bar", "--t-end", "0.1", *options)
    assert code == 2
    assert complaint in output
