"""Animations of a run: a page, a GIF or a video, depending on the suffix of the file."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Unpack

import matplotlib as mpl
from matplotlib.animation import AbstractMovieWriter, FFMpegWriter, PillowWriter

from grashof.common.errors import ModelError
from grashof.common.pictures import PictureOptions
from grashof.common.progress import Part, Progress, silent
from grashof.common.writing import write_atomically
from grashof.motion.histories import Names
from grashof.motion.trajectory import Trajectory
from grashof.show.files import check_positive
from grashof.show.film import MOST, film
from grashof.view import motion_page

SUFFIXES = (".html", ".gif", ".mp4", ".webm")

FRAMES = 100
"""Largest number of frames of a GIF by default; a GIF stores them one by one."""

GIF_RATE, VIDEO_RATE = 20.0, 30.0
"""Frames per second."""

GIF_DPI, VIDEO_DPI = 80, 120


def animate(
    run: Trajectory,
    path: str | os.PathLike[str],
    *,
    fps: float | None = None,
    seconds: float | None = None,
    progress: Progress = silent,
    traces: Names = (),
    **options: Unpack[PictureOptions],
) -> None:
    """Writes the motion as a self-contained page with the viewer (.html), as a GIF (.gif) or as a video (.mp4, .webm).

    GIFs and videos show the motion in real time if it lasts between 2 s and 15 s, and otherwise within 6 s; the title
    says how much faster or slower it is shown. Videos are made by ffmpeg, which comes with the extra `grashof[video]`.

    fps        frames per second of a GIF or video
    seconds    duration of the GIF or video, s
    progress   is called after each frame
    traces     points whose paths are drawn in a GIF or video, such as "rod.end"
    options    see `PictureOptions`; for GIFs and videos
    """
    check_animation(path)
    suffix = Path(path).suffix.lower()
    if suffix == ".html":
        if fps is not None or seconds is not None or traces or options:
            raise ModelError(
                f"{os.fspath(path)}: a page is watched at any speed and size, and draws paths at a click; fps, "
                "seconds, size, dpi and traces are for GIFs and videos."
            )
        write_atomically(path, motion_page(run))
        return
    program = _ffmpeg(path) if suffix in _CODECS else ""
    dpi = options.get("dpi", VIDEO_DPI if program else GIF_DPI)
    check_positive("dpi", dpi, 2400.0)
    usual, most = (VIDEO_RATE, MOST) if program else (GIF_RATE, FRAMES)
    made = film(run, usual if fps is None else fps, most, seconds, options.get("size"), traces)
    writer: AbstractMovieWriter = PillowWriter(fps=made.rate)  # type: ignore[arg-type]
    if program:
        codec, *more = _CODECS[suffix]
        extra = ["-pix_fmt", "yuv420p", *more]
        writer = FFMpegWriter(fps=made.rate, codec=codec, extra_args=extra)  # type: ignore[arg-type]
    with tempfile.TemporaryDirectory() as folder, mpl.rc_context({"animation.ffmpeg_path": program or "ffmpeg"}):
        picture = Path(folder) / f"movie{suffix}"
        try:
            with writer.saving(made.figure, str(picture), dpi):
                for row in range(made.count):
                    made.show(row)
                    writer.grab_frame()
                    progress(Part((row + 1) / made.count, "drawing", f"{row + 1} of {made.count} pictures"))
        except (subprocess.CalledProcessError, BrokenPipeError) as problem:
            raise ModelError(f"{os.fspath(path)}: ffmpeg ({program}) could not make the video: {problem}") from problem
        write_atomically(path, picture.read_bytes())


def check_animation(path: str | os.PathLike[str]) -> None:
    """Raises ModelError if `animate` could not write the file, before time is spent on its content."""
    check_form(path)
    if not Path(path).absolute().parent.is_dir():
        raise ModelError(f"{os.fspath(path)}: its folder does not exist; create it first.")


def check_form(path: str | os.PathLike[str]) -> None:
    """Raises ModelError if the file format is unknown, or if the program for it is missing."""
    if Path(path).suffix.lower() not in SUFFIXES:
        endings = f"{', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]}"
        raise ModelError(f"{os.fspath(path)}: an animation's name must end in {endings}, which selects the format.")
    if Path(path).suffix.lower() in _CODECS:
        _ffmpeg(path)


_CODECS = {
    ".mp4": ("h264", "-crf", "23", "-movflags", "+faststart"),
    ".webm": ("libvpx-vp9", "-crf", "34", "-b:v", "0", "-row-mt", "1"),
}


def _ffmpeg(path: str | os.PathLike[str]) -> str:
    """The path of ffmpeg, which makes videos."""
    try:
        from imageio_ffmpeg import get_ffmpeg_exe

        return str(get_ffmpeg_exe())
    except (ImportError, RuntimeError):
        found = shutil.which("ffmpeg")
    if found is None:
        raise ModelError(
            f"{os.fspath(path)}: videos are made by ffmpeg, which was not found; install it with `pip install "
            '"grashof[video]"`, or choose a '
            "name that ends in .html or .gif."
        )
    return found
