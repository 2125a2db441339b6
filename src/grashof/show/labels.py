"""Names beside points, where there is room for them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.patheffects import withStroke
from matplotlib.text import Text
from matplotlib.transforms import Bbox

from grashof.model.bodies import GROUND
from grashof.model.fields import body_of

_SIDES = ((1, 1), (-1, 1), (1, -1), (-1, -1), (0, 1), (1, 0), (-1, 0), (0, -1))
_GAP = 7.0  # points of the page between a point and its name
_COVERED = 1e6  # cost of covering another name or point: rather no name at all
_OUTSIDE = 1e3  # cost of leaving the page


def plain(name: str) -> str:
    r"""A person's name for something, to be written as it is: matplotlib takes what is between two dollars for a formula.

    >>> print(plain("$5 spring"))
    \$5 spring
    """
    return name.replace("$", r"\$")


def names_by_place(points: dict[str, np.ndarray], near: float) -> list[tuple[np.ndarray, str]]:
    """Points closer than `near` are one place with one name: the points' own name if somebody chose one, such as `F`."""
    places: list[tuple[np.ndarray, list[str]]] = []
    for reference, at in points.items():
        for place, together in places:
            if np.linalg.norm(place - at) < near:
                together.append(reference)
                break
        else:
            places.append((at, [reference]))
    return [(place, plain(_name(together))) for place, together in places]


def _name(references: list[str]) -> str:
    chosen = dict.fromkeys(reference.rpartition(".")[2] for reference in references)
    telling = [name for name in chosen if not re.fullmatch(r"start|end|p\d+", name)]
    if telling:
        return "/".join(telling)
    return min(references, key=lambda reference: (body_of(reference) == GROUND, references.index(reference)))


def write_labels(axes: Axes, labels: Sequence[tuple[np.ndarray, str]], lines: Sequence[np.ndarray]) -> None:
    """Writes each name on the side of its point where it covers least; leaves it out where it would cover other names.

    lines: polylines (n, 2) that names should rather not cover, in the axes' coordinates
    """
    figure = axes.get_figure(root=True)
    if figure is None or not labels:
        return
    fontsize = 9.0 if len(labels) <= 15 else 7.5
    canvas: Any = FigureCanvasAgg(figure)
    canvas.draw()
    figure.set_layout_engine("none")  # the layout is settled now: what is measured here stays true
    renderer = canvas.get_renderer()
    inside = figure.bbox
    gap = _GAP * figure.dpi / 72.0
    crowd = np.concatenate([_dense(axes.transData.transform(line)) for line in lines] or [np.empty((0, 2))])
    pins = axes.transData.transform([place for place, _ in labels])
    taken: list[Bbox] = []
    for pin, (place, name) in zip(pins, labels, strict=True):
        size = np.array(Text(0.0, 0.0, name, fontsize=fontsize, figure=figure).get_window_extent(renderer).size)
        costs = []
        for side in _SIDES:
            box = _box(pin, size, side, gap)
            covered = sum(box.overlaps(other) for other in taken) + int(box.count_contains(pins))
            outside = not (inside.contains(box.x0, box.y0) and inside.contains(box.x1, box.y1))
            costs.append(_COVERED * covered + _OUTSIDE * outside + int(box.count_contains(crowd)))
        best = int(np.argmin(costs))
        if costs[best] < _COVERED:
            taken.append(_box(pin, size, _SIDES[best], gap).padded(0.5 * gap))
            _write(axes, place, name, _SIDES[best], fontsize)


def _box(pin: np.ndarray, size: np.ndarray, side: tuple[int, int], gap: float) -> Bbox:
    """Where a text of this size is, in pixels, when it stands on this side of the pin."""
    middle = pin + np.array(side) * (gap / np.hypot(*side) + 0.5 * size)
    return Bbox([middle - 0.5 * size, middle + 0.5 * size])


def _write(axes: Axes, place: np.ndarray, name: str, side: tuple[int, int], fontsize: float) -> None:
    right, up = side
    axes.annotate(
        name,
        (float(place[0]), float(place[1])),
        xytext=(right * _GAP / np.hypot(*side), up * _GAP / np.hypot(*side)),
        textcoords="offset points",
        ha=("center", "left", "right")[right],
        va=("center", "bottom", "top")[up],
        fontsize=fontsize,
        zorder=10,
        path_effects=[withStroke(linewidth=2.5, foreground="white")],  # readable over lines too
    )


def _dense(line: np.ndarray, spacing: float = 3.0) -> np.ndarray:
    """Points along a polyline, a few pixels apart."""
    parts = [line]
    for a, b in pairwise(line):
        count = min(int(np.linalg.norm(b - a) / spacing), 2000)
        parts.append(a + np.linspace(0.0, 1.0, count + 2)[:, None] * (b - a))
    return np.concatenate(parts)
