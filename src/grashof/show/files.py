"""Writing figures to files."""

from __future__ import annotations

import io
import os
from collections.abc import Sequence
from pathlib import Path

import matplotlib as mpl
from matplotlib.figure import Figure

from grashof.common.errors import ModelError
from grashof.common.writing import write_atomically

SUFFIXES = (".png", ".svg", ".pdf")

DPI = 150.0
"""Dots per inch of pictures, unless given."""


def check_figure(path: str | os.PathLike[str]) -> None:
    """Raises ModelError if `save_figure` could not write the file, before time is spent on its content."""
    if Path(path).suffix.lower() not in SUFFIXES:
        raise ModelError(
            f"{os.fspath(path)}: a figure's name must end in {', '.join(SUFFIXES)}, which selects the format."
        )
    if not Path(path).absolute().parent.is_dir():
        raise ModelError(f"{os.fspath(path)}: its folder does not exist; create it first.")


def save_figure(figure: Figure, path: str | os.PathLike[str], dpi: float = DPI) -> None:
    """Writes a figure; the suffix of the path determines the format. Text in an SVG remains text."""
    check_figure(path)
    check_positive("dpi", dpi, 2400.0)
    content = io.BytesIO()
    with mpl.rc_context({"svg.fonttype": "none"}):
        figure.savefig(content, format=Path(path).suffix.lower().removeprefix("."), dpi=dpi)
    write_atomically(path, content.getvalue())


def inches(size: object) -> tuple[float, float]:
    """The width and height of a picture, checked."""
    if not isinstance(size, Sequence) or len(size) != 2:
        raise ModelError(f"size is {size!r}; it must be the width and the height in inches, such as (8, 5).")
    width, height = size
    check_positive("The width in size", width, 200.0)
    check_positive("The height in size", height, 200.0)
    return float(width), float(height)


def check_positive(name: str, value: float, most: float) -> None:
    """Refuses what is not a positive number up to a limit."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0.0 < value <= most:
        raise ModelError(f"{name} is {value!r}; it must be a number above 0 and at most {most:g}.")
