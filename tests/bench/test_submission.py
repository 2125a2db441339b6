"""The package for the IFToMM library."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from grashof.bench.submission import LONGEST_METHOD, method
from grashof.cli.app import app
from grashof.judge.verdict import Compare, judge
from grashof.model.files import load
from grashof.problems import PROBLEMS, make_case


def test_the_package_has_what_the_form_asks_for(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["submission", "andrews", "--out", str(tmp_path / "a"), "--repeat", "2"])
    assert result.exit_code == 0, result.output
    table = np.loadtxt(tmp_path / "a" / "results.txt")
    assert table.shape == (201, 8)
    assert table[-1, 0] == 0.05
    # T + V − work is what it was at the start: the document's rule
    assert np.ptp(table[:, 3] + table[:, 4] - table[:, 5]) < 1e-5
    form = (tmp_path / "a" / "form.txt").read_text(encoding="utf-8")
    for field in ("Accuracy", "CPU time", "CPU", "Operating system", "Method"):
        assert f"{field}\n" in form
    assert load(tmp_path / "a" / "mechanism.toml") == make_case("andrews").model


def test_a_run_that_fails_the_rule_is_not_submitted(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["submission", "andrews", "--out", str(tmp_path / "a"), "--tol", "1e-2"])
    assert result.exit_code == 2
    assert "use a smaller --tol" in result.output
    assert not (tmp_path / "a").exists()


@pytest.mark.parametrize("name", PROBLEMS)
def test_the_method_fits_the_form_and_says_what_was_done(name: str) -> None:
    outcome = judge(make_case(name), compare=Compare.NONE)
    text = method(outcome)
    assert len(text) <= LONGEST_METHOD
    assert f"{outcome.run.steps.counters.steps} steps" in text
    assert "{" not in text
