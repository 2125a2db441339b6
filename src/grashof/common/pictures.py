"""What can be chosen about pictures, as keyword arguments of `plot`, `draw` and `animate`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict


class PictureOptions(TypedDict, total=False):
    """The size of a picture.

    size   width and height in inches
    dpi    dots per inch of a PNG; 150 by default
    """

    size: tuple[float, float]
    dpi: float


class DrawingOptions(PictureOptions, total=False):
    """How a mechanism is drawn.

    labels   whether to write the names of the points; True by default
    axes     whether to draw scales or, in space, the floor; True by default
    traces   points whose paths over the whole run are drawn, such as "rod.end"
    """

    labels: bool
    axes: bool
    traces: str | Sequence[str]
