"""Writing figures to files."""

from __future__ import annotations

import io
import os
from pathlib import Path

from matplotlib.figure import Figure

from grashof.common.errors import ModelError
from grashof.common.writing import write_atomically

SUFFIXES = (".png", ".svg", ".pdf")


def check_figure(path: str | os.PathLike[str]) -> None:
    """Raises ModelError if `save_figure` could not write the file, before time is spent on its content."""
    if Path(path).suffix.lower() not in SUFFIXES:
        raise ModelError(
            f"{os.fspath(path)}: a figure's name must end in {', '.join(SUFFIXES)}, which selects the format."
        )
    if not Path(path).absolute().parent.is_dir():
        raise ModelError(f"{os.fspath(path)}: its folder does not exist; create it first.")


def save_figure(figure: Figure, path: str | os.PathLike[str]) -> None:
    """Writes a figure; the suffix of the path determines the format."""
    check_figure(path)
    content = io.BytesIO()
    figure.savefig(content, format=Path(path).suffix.lower().removeprefix("."), dpi=150)
    write_atomically(path, content.getvalue())
