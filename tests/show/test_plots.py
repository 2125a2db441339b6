"""Histories have names, units and a place for every number."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from grashof.common.errors import ModelError
from grashof.motion.trajectory import Trajectory
from grashof.problems import PROBLEMS, Figure, make_case
from grashof.show.files import save_figure
from grashof.show.plots import figure_of, plot
from grashof.simulation.simulate import simulate
from tests.classics import pendulum
from tests.show.pictures import ink


@pytest.fixture(scope="module")
def run() -> Trajectory:
    return simulate(pendulum(0.3), 1.0, times=101)


@pytest.mark.parametrize("name", ["andrews", "double-four-bar"])
def test_every_figure_of_a_problem_is_drawn(name: str, tmp_path: Path) -> None:
    case = make_case(name)
    run = simulate(case.model, case.t_end / 10.0, times=case.times(case.t_end / 10.0))
    for figure in case.figures:
        drawn = figure_of(case, run, figure)
        save_figure(drawn, tmp_path / "figure.png")
        assert ink(tmp_path / "figure.png") > 0.01
        assert drawn.get_suptitle() == figure.title
        assert sum(len(panel.lines) for panel in drawn.axes) == len(figure.columns)
        assert drawn.axes[-1].get_xlabel() == "time [s]"
        assert all(panel.get_ylabel() for panel in drawn.axes)
        assert all((panel.get_yscale() == "log") == figure.logarithmic for panel in drawn.axes)


@pytest.mark.parametrize("name", PROBLEMS)
def test_every_figure_names_quantities_that_exist(name: str) -> None:
    case = make_case(name)
    known = {column.name for column in (*case.columns, *case.final)} | {"balance"}
    assert all(set(figure.columns) <= known for figure in case.figures)


def test_quantities_of_different_units_have_panels_of_their_own(run: Trajectory) -> None:
    figure = plot(run, ["rod.end.x", "rod.end.y", "rod.angle", "energy"])
    labels = [panel.get_ylabel() for panel in figure.axes]
    assert labels[:2] == ["position [m]", "rod.angle [rad]"]
    assert labels[2].endswith("[J]")


def test_a_quantity_can_be_plotted_against_another(run: Trajectory) -> None:
    names = [name for name in run.names if name.endswith((".x", ".y"))][-2:]
    figure = plot(run, names[1], x=names[0])
    (panel,) = figure.axes
    (line,) = panel.lines
    assert np.array_equal(line.get_xdata(), run[names[0]])
    assert np.array_equal(line.get_ydata(), run[names[1]])
    assert panel.get_xlabel() == f"{names[0]} [m]"
    assert panel.get_aspect() == 1.0
    (panel,) = plot(run, names[1], x=names[0], units="mm").axes
    assert np.allclose(panel.lines[0].get_xdata(), 1000.0 * run[names[0]], rtol=1e-14)
    assert (panel.get_xlabel(), panel.get_ylabel()) == (f"{names[0]} [mm]", f"{names[1]} [mm]")
    assert panel.get_aspect() == 1.0


def test_without_names_each_moving_point_is_shown_once_and_the_energies(run: Trajectory) -> None:
    shown = [line.get_label() for panel in plot(run).axes for line in panel.lines]
    assert shown == ["rod.end.x", "rod.end.y", "kinetic", "potential", "energy"]


def test_a_total_that_hardly_changes_is_shown_as_its_change(run: Trajectory) -> None:
    (panel,) = plot(run, ["energy"]).axes
    (line,) = panel.lines
    assert panel.get_ylabel().startswith("change of energy from 1.44")
    assert np.array_equal(line.get_ydata(), run["energy"] - run["energy"][0])


def test_zeros_are_gaps_on_a_logarithmic_axis(run: Trajectory) -> None:
    case = make_case("double-four-bar")
    (panel,) = figure_of(case, run, Figure("Kinetic energy", ("kinetic",), logarithmic=True)).axes
    (line,) = panel.lines
    assert run["kinetic"][0] == 0.0
    drawn = np.asarray(line.get_ydata())
    assert np.isnan(drawn[0])
    assert np.array_equal(drawn[1:], run["kinetic"][1:])


def test_what_is_zero_throughout_is_said_to_be(run: Trajectory, tmp_path: Path) -> None:
    case = make_case("double-four-bar")
    figure = figure_of(case, run, Figure("Nothing", ("rod.start.x",), logarithmic=True))
    assert [text.get_text() for text in figure.axes[0].texts] == ["zero throughout"]
    save_figure(figure, tmp_path / "nothing.png")


@pytest.mark.parametrize("suffix", ["png", "svg", "pdf"])
def test_the_suffix_chooses_the_form(run: Trajectory, tmp_path: Path, suffix: str) -> None:
    run.plot(["energy"], tmp_path / f"energy.{suffix}")
    start = (tmp_path / f"energy.{suffix}").read_bytes()[:5]
    assert start == {"png": b"\x89PNG\r", "svg": b"<?xml", "pdf": b"%PDF-"}[suffix]


def test_an_unknown_suffix_is_refused(run: Trajectory, tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"energy\.bmp: a figure's name must end in \.png, \.svg, \.pdf"):
        run.plot(["energy"], tmp_path / "energy.bmp")


def test_pictures_do_not_touch_the_global_state_of_matplotlib(run: Trajectory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "matplotlib.pyplot", raising=False)
    plot(run)
    assert "matplotlib.pyplot" not in sys.modules
