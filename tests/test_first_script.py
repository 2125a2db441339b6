"""The first script a person writes, and the public names."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

import grashof
import grashof as gr


def test_the_first_script_runs_as_it_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("grashof.show.animation.FRAMES", 2)

    m = gr.Mechanism("slider crank", gravity=(0, -9.81))
    crank = m.bar("crank", length=0.2, mass=1.0)
    rod = m.bar("rod", length=0.5, mass=0.5)
    m.revolute(m.ground.at(0, 0), crank.start)
    m.revolute(crank.end, rod.start)
    m.slider(m.ground.line((0, 0), (1, 0)), rod.end)
    m.motor(crank, torque=0.3)

    print(gr.mobility(m))
    run = gr.simulate(m, 10.0)
    assert len(run["rod.end.x"]) == len(run.energy)
    assert run.status.ok
    run.plot()
    run.animate("crank.html")

    assert "1 degree of freedom, no redundant constraints" in capsys.readouterr().out
    assert (tmp_path / "crank.html").stat().st_size > 10_000
    assert abs(run["rod.end.y"]).max() < 1e-12
    assert abs(run["balance"]).max() < 1e-4


def test_the_example_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("grashof.show.animation.FRAMES", 2)
    runpy.run_path(str(Path(__file__).parents[1] / "examples" / "slider_crank.py"))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["slider_crank.html", "slider_crank.png"]


@pytest.mark.parametrize("name", grashof.__all__)
def test_every_public_name_is_there(name: str) -> None:
    assert getattr(grashof, name) is not None
    assert name in dir(grashof)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="'grashof' has no attribute 'simulat'"):
        _ = grashof.simulat  # type: ignore[attr-defined]


def test_assembling_needs_no_compiling() -> None:
    m = gr.Mechanism("pendulum", gravity=(0, -9.81))
    rod = m.bar("rod", length=1.0, mass=1.0)
    m.revolute(m.ground.at(0, 0), rod.start)
    m.need(rod.angle, value=0.3)
    start = gr.assemble(m)
    assert start.angles["rod.angle"] == pytest.approx(0.3)
    assert max(start.residual) < 1e-12
