"""Animations move as the trajectory does."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from grashof.common.errors import ModelError
from grashof.common.progress import Part
from grashof.model.mechanism import Mechanism
from grashof.motion.trajectory import Trajectory
from grashof.show.animation import animate
from grashof.show.film import Film, film
from grashof.simulation.simulate import simulate
from tests.show.pictures import is_pin


@pytest.fixture(scope="module")
def rotor() -> Trajectory:
    """A bar that turns at 2 rad/s: where its end is, is known."""
    m = Mechanism(r"$\rotor$ <b>")
    rod = m.bar("rod", start=(0.0, 0.0), end=(0.5, 0.0), mass=1.0)
    m.revolute(m.ground.at(0.0, 0.0), rod.start)
    tip = m.bar("tip", start=(0.5, 0.0), end=(0.7, 0.0), mass=0.1)
    m.revolute(rod.end, tip.start)
    m.motor(rod, speed=2.0)
    m.motor(tip, speed=2.0)
    return simulate(m, 2.0, times=3)


def pins(made: Film, dpi: float) -> np.ndarray:
    """Where the pin between the bars is, in pixels from above, at each picture."""
    scale = dpi / made.figure.dpi
    t = made.seen.times
    places = 0.5 * np.column_stack([np.cos(2.0 * t), np.sin(2.0 * t)])
    found = scale * made.axes.transData.transform(places)
    height = scale * made.figure.get_size_inches()[1] * made.figure.dpi
    return np.column_stack([found[:, 0], height - found[:, 1]])


def test_a_gif_shows_the_pin_where_it_is(rotor: Trajectory, tmp_path: Path) -> None:
    animate(rotor, tmp_path / "motion.gif", fps=5)
    made = film(rotor, 5, 100)
    with Image.open(tmp_path / "motion.gif") as movie:
        assert movie.n_frames == made.count == 10
        pictures = []
        for row in range(movie.n_frames):
            movie.seek(row)
            pictures.append(np.array(movie.convert("RGB")))
    _check_pins(pictures, pins(made, 80))


@pytest.mark.parametrize("suffix", ["mp4", "webm"])
def test_a_video_shows_the_pin_where_it_is(rotor: Trajectory, tmp_path: Path, suffix: str) -> None:
    reader = pytest.importorskip("imageio_ffmpeg")
    heard: list[Part] = []
    rotor.animate(tmp_path / f"motion.{suffix}", fps=6, progress=heard.append)
    made = film(rotor, 6, 5000)
    frames = reader.read_frames(tmp_path / f"motion.{suffix}")
    facts = next(frames)
    width, height = facts["size"]
    pictures = [np.frombuffer(frame, np.uint8).reshape(height, width, 3) for frame in frames]
    assert facts["fps"] == pytest.approx(6.0)
    assert len(pictures) == made.count == 12
    _check_pins(pictures, pins(made, 120))
    assert float(heard[-1]) == 1.0
    assert heard[-1].detail == "12 of 12 pictures"


def _check_pins(pictures: list[np.ndarray], places: np.ndarray) -> None:
    """The pin is where it should be in every picture, and not where it is three pictures later."""
    for row, picture in enumerate(pictures):
        assert is_pin(picture, *places[row]), row
        assert not is_pin(picture, *places[(row + 3) % len(places)]), row


def test_an_animation_is_one_page_that_needs_nothing_else(rotor: Trajectory, tmp_path: Path) -> None:
    rotor.animate(tmp_path / "motion.html")
    page = (tmp_path / "motion.html").read_text(encoding="utf-8")
    assert "http" not in page.replace("http-equiv", "")
    assert r"<title>$\rotor$ &lt;b&gt;</title>" in page
    assert sorted(path.name for path in tmp_path.iterdir()) == ["motion.html"]


def test_what_cannot_be_written_is_refused_by_a_sentence(rotor: Trajectory, tmp_path: Path) -> None:
    with pytest.raises(
        ModelError, match=r"motion\.avi: an animation's name must end in \.html, \.gif, \.mp4 or \.webm"
    ):
        rotor.animate(tmp_path / "motion.avi")
    with pytest.raises(ModelError, match="its folder does not exist"):
        rotor.animate(tmp_path / "nowhere" / "motion.gif")
    for name, value in (("fps", 0.0), ("fps", -1), ("seconds", float("nan")), ("seconds", "long"), ("fps", True)):
        with pytest.raises(ModelError, match=rf"{name} is .*; it must be a number above 0"):
            rotor.animate(tmp_path / "motion.gif", **{name: value})
    with pytest.raises(ModelError, match=r"are 60000 frames; at most 5000 are drawn"):
        rotor.animate(tmp_path / "motion.gif", fps=100, seconds=600)
    with pytest.raises(ModelError, match="fps, seconds, size, dpi and traces are for GIFs and videos"):
        rotor.animate(tmp_path / "motion.html", fps=10)
    assert not list(tmp_path.iterdir())


def test_without_ffmpeg_a_sentence_says_what_to_install(
    rotor: Trajectory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "imageio_ffmpeg", None)
    monkeypatch.setattr("shutil.which", lambda name: None)
    with pytest.raises(
        ModelError, match=r"videos are made by ffmpeg, which was not found; install it with `pip install"
    ):
        rotor.animate(tmp_path / "motion.mp4")


def test_a_video_that_ffmpeg_cannot_make_is_refused(
    rotor: Trajectory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("grashof.show.animation._ffmpeg", lambda path: "/bin/false")
    with pytest.raises(ModelError, match=r"motion\.mp4: ffmpeg \(/bin/false\) could not make the video"):
        rotor.animate(tmp_path / "motion.mp4", fps=2)
    assert not list(tmp_path.iterdir())


def test_the_title_tells_how_much_faster_or_slower_it_is(rotor: Trajectory) -> None:
    assert film(rotor, 5, 100).pace == ""
    assert film(rotor, 5, 100, seconds=4.0).pace == ", 2 times slower"
    assert film(rotor, 5, 100, seconds=1.0).pace == ", 2 times faster"
    made = film(rotor, 20, 100, seconds=10.0)
    assert made.count == 200
    assert made.rate == pytest.approx(20.0)
