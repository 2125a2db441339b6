"""What a test can see of a picture."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib.image
import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure


def ink(path: Path) -> float:
    """The part of a PNG that is not background."""
    pixels = np.asarray(matplotlib.image.imread(path))[..., :3]
    return float(np.mean(np.any(pixels < 0.97, axis=-1)))


def pixels_of(figure: Figure) -> np.ndarray:
    """A figure as red, green and blue from 0 to 255, (rows, columns, 3), the topmost row first."""
    canvas: Any = FigureCanvasAgg(figure)
    canvas.draw()
    return np.array(canvas.buffer_rgba())[..., :3]


def is_pin(picture: np.ndarray, x: float, y: float) -> bool:
    """Whether a small white disc with a dark ring is drawn around a place, in pixels from the upper left corner."""
    column, row = round(x), round(y)
    if not np.all(picture[row - 1 : row + 2, column - 1 : column + 2] > 215):
        return False
    rays = [
        # from side to side of each pixel, so that no diagonal slips through a thin ring
        [int(picture[row + k * dy, column + j * dx].max()) for k in range(2, 14) for j in (k, k + 1)]
        for dx, dy in ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))
    ]
    return all(min(ray) < 130 for ray in rays)
