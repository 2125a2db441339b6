"""Drawings show every body where it is, and name every point that has room."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Annotation

from grashof.common.errors import ModelError
from grashof.model.mechanism import Mechanism
from grashof.motion.trajectory import Trajectory
from grashof.problems import make_case
from grashof.show.drawing import draw, draw_model
from grashof.show.files import save_figure
from grashof.show.labels import names_by_place
from grashof.simulation.simulate import simulate
from tests.show.pictures import ink, is_pin, pixels_of


@pytest.fixture(scope="module")
def andrews() -> Trajectory:
    case = make_case("andrews")
    return simulate(case.model, 0.01, times=21)


@pytest.fixture(scope="module")
def slider_crank() -> Trajectory:
    m = Mechanism("slider crank", gravity=(0.0, -9.81))
    crank = m.bar("crank", start=(0.0, 0.0), end=(0.0, 0.2), mass=1.0)
    rod = m.bar("rod", start=(0.0, 0.2), end=(0.5, 0.0), mass=0.5)
    m.revolute(m.ground.at(0.0, 0.0), crank.start)
    m.revolute(crank.end, rod.start)
    m.slider(m.ground.line((0.0, 0.0), (1.0, 0.0)), rod.end)
    m.need("crank.angle", rate=-10.0)
    return simulate(m, 3.0, times=61)


def test_traces_are_the_paths_of_points_and_stay_inside_the_picture(slider_crank: Trajectory) -> None:
    figure = draw(slider_crank, -1, traces=["crank.end", "rod.end"])
    axes = figure.axes[0]
    for line, name in zip(axes.lines, ("crank.end", "rod.end"), strict=True):
        expected = np.column_stack([slider_crank[f"{name}.x"], slider_crank[f"{name}.y"]])
        assert np.allclose(line.get_xydata(), expected, atol=1e-12)
        for values, limits in zip(expected.T, (axes.get_xlim(), axes.get_ylim()), strict=True):
            assert limits[0] < values.min()
            assert values.max() < limits[1]
    with pytest.raises(ModelError, match=r"no point 'rod\.ende' to trace; did you mean 'rod\.end'"):
        draw(slider_crank, traces="rod.ende")


def test_size_resolution_labels_and_axes_can_be_chosen(slider_crank: Trajectory, tmp_path: Path) -> None:
    figure = draw(slider_crank, 0, tmp_path / "a.png", size=(3, 2), dpi=50, labels=False, axes=False)
    assert tuple(figure.get_size_inches()) == (3.0, 2.0)
    assert not figure.axes[0].texts
    assert not figure.axes[0].axison
    png = (tmp_path / "a.png").read_bytes()
    assert (int.from_bytes(png[16:20], "big"), int.from_bytes(png[20:24], "big")) == (150, 100)
    slider_crank.plot("rod.end.x", path=tmp_path / "a.svg", size=(5, 4))
    assert ">rod.end.x [m]</text>" in (tmp_path / "a.svg").read_text(encoding="utf-8")
    for wrong in ((3,), (0, 2), "wide"):
        with pytest.raises(ModelError, match="size"):
            draw(slider_crank, size=wrong)  # type: ignore[arg-type]


def without_names(figure: Figure) -> Figure:
    for text in list(figure.axes[0].texts):
        text.remove()
    return figure


@pytest.mark.parametrize("row", [0, 7, 23, 60])
def test_pins_are_in_pixels_where_the_trajectory_says(slider_crank: Trajectory, row: int) -> None:
    figure = without_names(draw(slider_crank, row))
    picture, to_pixels = pixels_of(figure), figure.axes[0].transData

    def seen(point: str, at: int) -> bool:
        x, y = to_pixels.transform((slider_crank[f"{point}.x"][at], slider_crank[f"{point}.y"][at]))
        return is_pin(picture, x, len(picture) - y)

    assert [at for at in (0, 7, 23, 60) if seen("crank.end", at)] == [row]
    assert [at for at in (0, 7, 23, 60) if seen("rod.end", at)] == [row]


def test_a_joint_in_space_is_in_pixels_where_the_trajectory_says() -> None:
    """Seen along the axes that the scene gives, at right angles and to scale: the middle of the ball is bright grey."""
    m = Mechanism("two pendulums", gravity=(0.0, 0.0, -9.81))
    one = m.bar("one", mass=1.0, start=(0.0, 0.0, 0.0), end=(0.0, 0.6, -0.8))
    two = m.bar("two", mass=1.0, start=(0.0, 0.6, -0.8), end=(0.5, 0.5, -1.5))
    m.revolute(m.ground.at(0.0, 0.0, 0.0), one.start, axis=(1.0, 0.0, 0.0))
    m.spherical(one.end, two.start)
    run = simulate(m, 1.0, times=5)
    towards = np.array([0.8, 0.45, 0.4]) / np.linalg.norm([0.8, 0.45, 0.4])  # from above, to one side
    right = np.cross([0.0, 0.0, 1.0], towards)
    right /= np.linalg.norm(right)
    up = np.cross(towards, right)
    for row in (0, 2, 4):
        figure = without_names(draw(run, row))
        place = np.array([run[f"one.end.{axis}"][row] for axis in "xyz"])
        x, y = np.round(figure.axes[0].transData.transform((place @ right, place @ up))).astype(int)
        # an average: how single pixels between two facets are blended differs between versions of matplotlib
        color = pixels_of(figure)[-y - 7 : -y + 6, x - 6 : x + 7].mean(axis=(0, 1))
        assert np.ptp(color) < 25, color
        assert 120 < color.mean() < 240
        assert figure.axes[0].get_aspect() == 1.0


def test_the_points_of_andrews_squeezer_have_the_names_of_its_document(andrews: Trajectory) -> None:
    figure = draw(andrews)
    names = [text.get_text() for text in figure.axes[0].texts]
    assert sorted(names) == sorted("OABCDEFGH")


@pytest.mark.parametrize(("problem", "t_end"), [("andrews", 0.01), ("double-four-bar", 0.5)])
def test_names_cover_neither_each_other_nor_other_points(problem: str, t_end: float) -> None:
    run = simulate(make_case(problem).model, t_end, times=2)
    figure = draw(run)
    axes = figure.axes[0]
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    notes = [text for text in axes.texts if isinstance(text, Annotation)]
    assert len(notes) >= 6
    # the text itself: an annotation's own extent includes the point it belongs to
    boxes = [super(Annotation, note).get_window_extent(canvas.get_renderer()) for note in notes]
    pins = axes.transData.transform([note.xy for note in notes])
    for i, box in enumerate(boxes):
        assert not any(box.overlaps(other) for other in boxes[:i])
        assert box.count_contains(pins) == 0


def test_a_name_is_written_where_nothing_is_drawn() -> None:
    """Bars to the right, upwards and to the lower left leave room to the upper left."""
    m = Mechanism("star")
    for name, end in (("a", (1.0, 0.0)), ("b", (0.0, 1.0)), ("c", (-0.8, -0.8))):
        m.revolute(m.ground.at(0.0, 0.0), m.bar(name, start=(0.0, 0.0), end=end).start)
    figure = draw_model(m)
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    (note,) = (text for text in figure.axes[0].texts if text.get_text() == "a.start")
    assert isinstance(note, Annotation)
    box = super(Annotation, note).get_window_extent(canvas.get_renderer())
    picture = pixels_of(without_names(figure))
    x0, y0, x1, y1 = (round(float(side)) for side in box.extents)
    covered = picture[len(picture) - y1 : len(picture) - y0, x0:x1]
    assert np.mean(np.any(covered < 200, axis=-1)) < 0.02


def test_axes_that_are_not_parallel_are_seen_in_space(tmp_path: Path) -> None:
    m = Mechanism("two pendulums", gravity=(0.0, 0.0, -9.81))
    one = m.bar("one", mass=1.0, start=(0.0, 0.0, 0.0), end=(0.0, 0.0, -1.0))
    two = m.bar("two", mass=1.0, start=(0.0, 0.0, -1.0), end=(0.5, 0.5, -1.5))
    m.revolute(m.ground.at(0.0, 0.0, 0.0), one.start, axis=(1.0, 0.0, 0.0))
    m.spherical(one.end, two.start)
    figure = draw(simulate(m, 0.1, times=2))
    save_figure(figure, tmp_path / "space.png")
    assert ink(tmp_path / "space.png") > 0.01
    assert {"x", "y", "z"} < {text.get_text() for text in figure.axes[0].texts}


def test_parallel_axes_in_space_are_seen_along_them() -> None:
    """The grid's pins all turn about x: on paper, y goes to the right and z up."""
    case = make_case("multiple-four-bar", None, {"R": 1, "C": 2})
    figure = draw(simulate(case.model, 0.1, times=2))
    axes = figure.axes[0]
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("y [m]", "z [m]")
    places = {text.get_text(): text.xy for text in axes.texts if isinstance(text, Annotation)}
    assert np.allclose(places["vertical1_2.end"], [2.0, -1.0], rtol=0.0, atol=1e-6)


def test_a_body_without_points_is_drawn_where_its_mass_is(tmp_path: Path) -> None:
    m = Mechanism("brick", gravity=(0.0, 0.0, -9.81))
    m.body("brick", mass=1.0, inertia=(1.0, 1.0, 1.5))
    save_figure(draw(simulate(m, 0.1, times=2)), tmp_path / "brick.png")
    assert ink(tmp_path / "brick.png") > 0.001


def test_nothing_is_drawn_of_nothing(tmp_path: Path) -> None:
    m = Mechanism("nothing")
    m.body("ghost")
    save_figure(draw_model(m), tmp_path / "nothing.png")


def test_a_body_whose_points_are_one_place_is_drawn(tmp_path: Path) -> None:
    m = Mechanism("disc", gravity=(0.0, -9.81))
    disc = m.body("disc", mass=1.0, inertia=0.5, points={"center": (0.0, 0.0), "hub": (0.0, 0.0)})
    m.revolute(m.ground.at(0.0, 0.0), disc.center)
    save_figure(draw(simulate(m, 0.1, times=2)), tmp_path / "disc.png")
    assert ink(tmp_path / "disc.png") > 0.01


def test_points_at_one_place_share_a_name() -> None:
    here, there, away = np.zeros(2), np.ones(2), 2.0 * np.ones(2)
    named = {"OF.F": here, "EF.F": here, "ground.p1": there, "rod.start": there, "ground.p2": away}
    assert [name for _, name in names_by_place(named, 1e-9)] == ["F", "rod.start"]


def test_drawings_are_not_blank(slider_crank: Trajectory, andrews: Trajectory, tmp_path: Path) -> None:
    for run in (slider_crank, andrews):
        save_figure(draw(run, -1), tmp_path / "drawing.png")
        assert ink(tmp_path / "drawing.png") > 0.02


def test_mechanisms_and_runs_draw_themselves(slider_crank: Trajectory, tmp_path: Path) -> None:
    figure = slider_crank.draw(-1, tmp_path / "end.png")
    assert figure.axes[0].get_title() == "slider crank, t = 3 s"
    m = Mechanism("pendulum", gravity=(0.0, -9.81))
    rod = m.bar("rod", length=1.0, mass=1.0)
    m.revolute(m.ground.at(0.0, 0.0), rod.start)
    m.draw(tmp_path / "start.svg")
    assert ink(tmp_path / "end.png") > 0.02
    assert "<svg" in (tmp_path / "start.svg").read_text(encoding="utf-8")
    with pytest.raises(ModelError, match=r"end\.bmp: a figure's name must end in"):
        slider_crank.draw(0, tmp_path / "end.bmp")
    with pytest.raises(ModelError, match="row is"):
        slider_crank.draw(61)


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", r"$\rod$", "[/]", "a_b^c"])
@pytest.mark.parametrize("dimension", [2, 3])
def test_names_are_written_as_they_are(name: str, dimension: int, tmp_path: Path) -> None:
    """Dollars make no formula, and a name makes no markup."""
    m = Mechanism(name, dimension=dimension)
    rod = m.bar(name, length=1.0, mass=1.0)
    if dimension == 2:
        m.revolute(m.ground.at(0.0, 0.0), rod.start)
    else:
        m.spherical(m.ground.at(0.0, 0.0, 0.0), rod.start)
    figure = m.draw(tmp_path / "drawing.svg")
    written = [text.get_text().replace(r"\$", "$") for text in figure.axes[0].texts]
    assert f"{name}.end" in written
    assert figure.axes[0].get_title().replace(r"\$", "$") == name
    simulate(m, 0.1, times=2).plot(path=tmp_path / "histories.png")
