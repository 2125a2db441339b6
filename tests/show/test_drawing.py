"""Drawings show every body where it is, and name every point that has room."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Annotation

from grashof.errors import ModelError
from grashof.model.mechanism import Mechanism
from grashof.problems import make_case
from grashof.show import animate, draw, save_figure
from grashof.show.drawing import outlines, springs
from grashof.show.labels import names_by_place
from grashof.show.scene import scene_of
from grashof.simulation import simulate
from grashof.trajectory import Trajectory
from tests.show.pictures import ink

START = np.array([0])


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


def test_bodies_are_drawn_where_they_are(andrews: Trajectory) -> None:
    scene = scene_of(andrews, START)
    shapes = dict(zip((body.name for body in scene.model.bodies), outlines(scene, 0), strict=True))
    _, crank = shapes["OF"]
    expected = [[0.0, 0.0], [andrews["OF.F.x"][0], andrews["OF.F.y"][0]]]
    assert np.allclose(sorted(crank.tolist()), sorted(expected), rtol=0.0, atol=1e-15)
    _, triangle = shapes["EBD"]
    assert len(triangle) == 3


def test_a_spring_goes_from_end_to_end_and_swings_to_both_sides(andrews: Trajectory) -> None:
    scene = scene_of(andrews, START)
    (spring,) = springs(scene, 0)
    a, b = np.array([0.014, 0.072]), scene.points["EBD.D"][0]
    assert np.allclose(spring[[0, -1]], [a, b], rtol=0.0, atol=1e-15)
    side = (spring - a) @ np.array([a[1] - b[1], b[0] - a[0]])
    assert side.max() == pytest.approx(-side.min())
    assert side.max() > 0.0


def test_a_block_stays_within_its_guide_for_the_whole_run(slider_crank: Trajectory) -> None:
    (guide,) = scene_of(slider_crank, START).guides
    assert guide.fixed
    assert guide.start[0][1] == guide.end[0][1] == 0.0
    x = slider_crank["rod.end.x"]
    assert min(guide.start[0][0], guide.end[0][0]) < x.min()
    assert max(guide.start[0][0], guide.end[0][0]) > x.max()


def test_parallel_axes_in_space_are_seen_along_them() -> None:
    """The grid's pins all turn about x: on paper, y goes to the right and z up."""
    case = make_case("multiple-four-bar", None, {"R": 1, "C": 2})
    run = simulate(case.model, 0.1, times=2)
    scene = scene_of(run, START)
    assert scene.labels == ("y", "z")
    assert np.allclose(scene.points["vertical1_2.end"][0], [2.0, -1.0], rtol=0.0, atol=1e-12)


def test_axes_that_are_not_parallel_are_seen_in_space(tmp_path: Path) -> None:
    m = Mechanism("two pendulums", gravity=(0.0, 0.0, -9.81))
    one = m.bar("one", mass=1.0, start=(0.0, 0.0, 0.0), end=(0.0, 0.0, -1.0))
    two = m.bar("two", mass=1.0, start=(0.0, 0.0, -1.0), end=(0.5, 0.5, -1.5))
    m.revolute(m.ground.at(0.0, 0.0, 0.0), one.start, axis=(1.0, 0.0, 0.0))
    m.spherical(one.end, two.start)
    run = simulate(m, 0.1, times=2)
    assert scene_of(run, START).dimension == 3
    save_figure(draw(run), tmp_path / "space.png")
    assert ink(tmp_path / "space.png") > 0.01


def test_a_body_without_points_leaves_the_paper_empty(tmp_path: Path) -> None:
    m = Mechanism("brick", gravity=(0.0, 0.0, -9.81))
    m.body("brick", mass=1.0, inertia=(1.0, 1.0, 1.5))
    save_figure(draw(simulate(m, 0.1, times=2)), tmp_path / "nothing.png")


def test_a_body_whose_points_are_one_place_is_drawn(tmp_path: Path) -> None:
    m = Mechanism("disc", gravity=(0.0, -9.81))
    disc = m.body("disc", mass=1.0, inertia=0.5, points={"center": (0.0, 0.0), "hub": (0.0, 0.0)})
    m.revolute(m.ground.at(0.0, 0.0), disc.center)
    save_figure(draw(simulate(m, 0.1, times=2)), tmp_path / "disc.png")
    assert ink(tmp_path / "disc.png") > 0.01


def test_points_at_one_place_share_a_name() -> None:
    here, there = np.zeros(2), np.ones(2)
    named = {"OF.F": here, "EF.F": here, "ground.p1": there, "rod.start": there}
    assert [name for _, name in names_by_place(named, 1e-9)] == ["F", "rod.start"]


def test_drawings_are_not_blank(slider_crank: Trajectory, andrews: Trajectory, tmp_path: Path) -> None:
    for run in (slider_crank, andrews):
        save_figure(draw(run, -1), tmp_path / "drawing.png")
        assert ink(tmp_path / "drawing.png") > 0.02


def test_an_animation_is_one_page_that_needs_nothing_else(
    slider_crank: Trajectory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("grashof.show.animation.FRAMES", 3)
    slider_crank.animate(tmp_path / "motion.html")
    page = (tmp_path / "motion.html").read_text(encoding="utf-8")
    assert "http" not in page.replace("http-equiv", "")
    assert "<title>slider crank</title>" in page
    animate(slider_crank, tmp_path / "motion.gif")
    assert (tmp_path / "motion.gif").read_bytes().startswith(b"GIF8")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["motion.gif", "motion.html"]


def test_an_animation_of_unknown_form_is_refused(slider_crank: Trajectory, tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"motion\.avi: an animation's name must end in \.html or \.gif"):
        slider_crank.animate(tmp_path / "motion.avi")


def test_names_are_written_as_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Dollars make no formula, and a name makes no markup."""
    monkeypatch.setattr("grashof.show.animation.FRAMES", 2)
    m = Mechanism(r"$\pendulum$ <b>", gravity=(0.0, -9.81))
    rod = m.bar(r"$\rod$", length=1.0, mass=1.0)
    m.revolute(m.ground.at(0.0, 0.0), rod.start)
    run = simulate(m, 0.1, times=2)
    run.plot(path=tmp_path / "histories.png")
    save_figure(draw(run), tmp_path / "drawing.png")
    run.animate(tmp_path / "motion.html")
    assert r"<title>$\pendulum$ &lt;b&gt;</title>" in (tmp_path / "motion.html").read_text(encoding="utf-8")
