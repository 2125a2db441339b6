"""Figures as files."""

from __future__ import annotations

import io
import os
from pathlib import Path

from matplotlib.figure import Figure

from grashof.errors import ModelError
from grashof.writing import write_atomically

SUFFIXES = (".png", ".svg", ".pdf")


def save_figure(figure: Figure, path: str | os.PathLike[str]) -> None:
    """Writes a figure; the path's suffix chooses the form."""
    suffix = Path(path).suffix.lower()
    if suffix not in SUFFIXES:
        raise ModelError(
            f"{os.fspath(path)}: a figure's name must end in {', '.join(SUFFIXES)}, which chooses its form."
        )
    content = io.BytesIO()
    figure.savefig(content, format=suffix.removeprefix("."), dpi=150)
    write_atomically(path, content.getvalue())
