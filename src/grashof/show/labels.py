"""Names of points, placed where there is room for them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.patheffects import withStroke
from matplotlib.text import Text
from matplotlib.transforms import Bbox

from grashof.model.bodies import GROUND
from grashof.model.fields import body_of
from grashof.scene.palette import INK, PAPER

_SIDES = ((1, 1), (-1, 1), (1, -1), (-1, -1), (0, 1), (1, 0), (-1, 0), (0, -1))
_GAPS = (7.0, 10.0, 13.0, 17.0, 23.0, 30.0, 38.0)  # distance between a point and its name, in points of the page
_NEAR = 17.0  # beyond this distance, a thin line connects the name with its point
_FAR = 2.0  # cost per point of the page beyond the smallest distance
_COVERED = 1e6  # cost of covering another name or point; the name is omitted instead
_OUTSIDE = 1e3  # cost of leaving the page


def plain(name: str) -> str:
    r"""A name given by the user, escaped so that matplotlib writes it unchanged: text between two dollars would be a
    formula.

    >>> print(plain("$5 spring"))
    \$5 spring
    """
    return name.replace("$", r"\$")


def names_by_place(
    points: dict[str, np.ndarray], near: float, joints: Mapping[str, np.ndarray] = MappingProxyType({})
) -> list[tuple[np.ndarray, str]]:
    """The places of points with one name each; points closer than `near` count as one place.

    A name that was chosen for one of its points, such as `F`, is preferred, then that of a joint there. Places of the
    ground without a chosen name have none.
    """
    places: list[tuple[np.ndarray, list[str]]] = []
    for reference, at in points.items():
        for place, together in places:
            if np.linalg.norm(place - at) < near:
                together.append(reference)
                break
        else:
            places.append((at, [reference]))
    named = []
    for place, together in places:
        joined = [name for name, at in joints.items() if np.linalg.norm(place - at) < near]
        named.append((place, _name(together, joined)))
    return [(place, plain(name)) for place, name in named if not re.fullmatch(rf"{GROUND}\.p\d+", name)]


def _name(references: list[str], joints: Sequence[str]) -> str:
    chosen = dict.fromkeys(reference.rpartition(".")[2] for reference in references)
    telling = [name for name in chosen if not re.fullmatch(r"start|end|p\d+", name)]
    if telling:
        return "/".join(telling)
    if joints:
        return "/".join(joints)
    return min(references, key=lambda reference: (body_of(reference) == GROUND, references.index(reference)))


def write_labels(axes: Axes, labels: Sequence[tuple[np.ndarray, str]]) -> None:
    """Writes each name on the side of its point where it covers the least of the drawing.

    A name that would cover other names or points is omitted.
    """
    figure = axes.get_figure(root=True)
    if figure is None or not labels:
        return
    fontsize = 9.0 if len(labels) <= 15 else 7.5
    canvas: Any = FigureCanvasAgg(figure)
    canvas.draw()
    figure.set_layout_engine("none")  # the layout is final now, so that the sizes measured here remain valid
    renderer = canvas.get_renderer()
    ink = _Ink(np.asarray(canvas.buffer_rgba()))
    pins = axes.transData.transform([place for place, _ in labels])
    taken: list[Bbox] = []
    for pin, (place, name) in zip(pins, labels, strict=True):
        size = np.array(Text(0.0, 0.0, name, fontsize=fontsize, figure=figure).get_window_extent(renderer).size)
        found: list[tuple[float, tuple[int, int], float]] = []
        for gap in _GAPS:
            for side in _SIDES:
                box = _box(pin, size, side, gap * figure.dpi / 72.0)
                covered = sum(box.overlaps(other) for other in taken) + int(box.count_contains(pins))
                outside = not (figure.bbox.contains(box.x0, box.y0) and figure.bbox.contains(box.x1, box.y1))
                cost = _COVERED * covered + _OUTSIDE * outside + ink.within(box.padded(2.0)) + _FAR * (gap - _GAPS[0])
                found.append((cost, side, gap))
        cost, side, gap = min(found)
        if cost < _COVERED:
            pixels = gap * figure.dpi / 72.0
            taken.append(_box(pin, size, side, pixels).padded(0.3 * pixels))
            _write(axes, place, name, side, gap, fontsize)


class _Ink:
    """The amount of ink within boxes of a picture, in fully black pixels."""

    def __init__(self, picture: np.ndarray) -> None:
        darkness = 1.0 - picture[..., :3].min(axis=-1) / 255.0
        darkness[darkness < 0.12] = 0.0  # lines of the grid
        self.height = len(picture)
        self.sums = np.pad(darkness.cumsum(axis=0).cumsum(axis=1), ((1, 0), (1, 0)))

    def within(self, box: Bbox) -> float:
        """The ink in a box, which is given in pixels from below."""
        rows, columns = (length - 1 for length in self.sums.shape)
        left, right = (int(np.clip(x, 0, columns)) for x in (box.x0, box.x1))
        top, bottom = (int(np.clip(self.height - y, 0, rows)) for y in (box.y1, box.y0))
        s = self.sums
        return float(s[bottom, right] - s[top, right] - s[bottom, left] + s[top, left])


def _box(pin: np.ndarray, size: np.ndarray, side: tuple[int, int], gap: float) -> Bbox:
    """The box of a text of the given size, in pixels, when it is placed on the given side of the pin."""
    middle = pin + np.array(side) * (gap / np.hypot(*side) + 0.5 * size)
    return Bbox([middle - 0.5 * size, middle + 0.5 * size])


def _write(axes: Axes, place: np.ndarray, name: str, side: tuple[int, int], gap: float, fontsize: float) -> None:
    right, up = side
    leader = {"arrowstyle": "-", "color": INK, "lw": 0.6, "shrinkA": 1.0, "shrinkB": 0.0}
    axes.annotate(
        name,
        (float(place[0]), float(place[1])),
        xytext=(right * gap / np.hypot(*side), up * gap / np.hypot(*side)),
        textcoords="offset points",
        ha=("center", "left", "right")[right],
        va=("center", "bottom", "top")[up],
        fontsize=fontsize,
        color=INK,
        arrowprops=leader if gap > _NEAR else None,
        zorder=10,
        path_effects=[withStroke(linewidth=2.5, foreground=PAPER)],  # readable over lines
    )
