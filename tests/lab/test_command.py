"""`grashof lab`, and the pages that describe the laboratory."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from grashof.cli.app import app
from grashof.lab import FORMULATIONS

MINE = """
from dataclasses import replace

from grashof.lab import FORMULATIONS


class Euler(FORMULATIONS["baumgarte"]):
    name = "euler"

    def step(self, eq, now, h):
        a = self.acceleration(eq, now.t, now.q, now.v)
        return replace(now, t=now.t + h, q=now.q + h * now.v, v=now.v + h * a)
"""


def call(*arguments: str, code: int = 0) -> str:
    """Runs `grashof lab`, which must end with this exit code; gives what it printed."""
    result = CliRunner().invoke(app, ["lab", *arguments], catch_exceptions=False)
    assert result.exit_code == code, result.output
    return result.stdout if code == 0 else " ".join(result.output.split())


def test_a_class_in_the_current_folder_is_compared_like_any_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The explicit Euler method has order 1."""
    (tmp_path / "my_methods.py").write_text(MINE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    names = "my_methods:Euler,natural"
    where = ("simple-pendulum", "--t-end", "0.5", "--formulations", names, "--steps", "1e-3,5e-4", "--tolerances=1e-6")
    found = json.loads(call(*where, "--json", "--plot", "lab.svg"))["formulations"]
    assert list(found) == ["euler", "natural"]
    assert found["euler"]["measured_order"] == pytest.approx(1.0, abs=0.05)
    assert [run["ok"] for run in found["natural"]["runs"]] == [True]
    assert (tmp_path / "lab.svg").stat().st_size > 1000
    assert "euler: Baumgarte stabilisation; measured order 1.0" in call(*where)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--formulations", "nowhere:Mine"), "Formulation 'nowhere:Mine' cannot be loaded: No module named 'nowhere'."),
        (("--formulations", "math:pi"), "no class that derives from grashof.lab.Formulation"),
        (("--formulations", "baumgart"), "There is no formulation 'baumgart'; did you mean 'baumgarte'?"),
        (("--steps", "0.1;0.2"), "write numbers with commas between them"),
        (("--steps", "0.1,-1"), "--steps is -1.0; it must be a finite number above zero"),
    ],
)
def test_bad_input_is_one_sentence(arguments: tuple[str, ...], sentence: str) -> None:
    assert sentence in call("simple-pendulum", "--t-end", "0.5", *arguments, code=2)


def test_the_page_names_every_formulation() -> None:
    page = (Path(__file__).parents[2] / "docs" / "lab.md").read_text(encoding="utf-8")
    assert all(f"`{name}`" in page for name in FORMULATIONS)
