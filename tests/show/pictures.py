"""What a test can see of a picture."""

from __future__ import annotations

from pathlib import Path

import matplotlib.image
import numpy as np


def ink(path: Path) -> float:
    """The part of a PNG that is not background."""
    pixels = np.asarray(matplotlib.image.imread(path))[..., :3]
    return float(np.mean(np.any(pixels < 0.97, axis=-1)))
