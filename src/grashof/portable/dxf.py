"""Plates and curves as a drawing in DXF, one layer each: outlines are closed polylines with exact arcs, holes are
circles."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping, Sequence

import numpy as np

from grashof.common.errors import ModelError
from grashof.portable.plates import Plate

Array = np.ndarray

CODES = {"mm": 4, "cm": 5, "m": 6, "in": 1}
"""The values of $INSUNITS for units."""

COLORS = (5, 30, 3, 6, 1, 4)
"""Colours of layers, as indices of AutoCAD."""

_FORBIDDEN = re.compile(r'[<>/\\":;?*|=\'`,\x00-\x1f]')


def dxf_bytes(plates: Sequence[Plate], curves: Mapping[str, Array], scale: float, unit: str) -> bytes:
    """The file; `scale` is the factor from m to its unit."""
    try:
        from ezdxf.filemanagement import new
    except ImportError:
        raise ModelError("Drawings in DXF need ezdxf, which is not installed: pip install 'grashof[cad]'.") from None
    document = new("R2010", units=CODES[unit])
    space = document.modelspace()
    for k, plate in enumerate(plates):
        layer = {"layer": _layer_name(plate.name)}
        document.layers.add(layer["layer"], color=COLORS[k % len(COLORS)])
        rows = np.column_stack([scale * plate.corners, plate.bulges])
        space.add_lwpolyline(rows.tolist(), format="xyb", close=True, dxfattribs=layer)
        for center in plate.holes:
            space.add_circle((scale * center).tolist(), 0.5 * scale * plate.bore, dxfattribs=layer)
    for name, curve in curves.items():
        layer = {"layer": _layer_name(f"curve {name}")}
        document.layers.add(layer["layer"], color=8)
        closed = len(curve) > 2 and _returns(curve)
        space.add_lwpolyline((scale * curve).tolist(), format="xy", close=closed, dxfattribs=layer)
    text = io.StringIO()
    document.write(text)
    return text.getvalue().encode("utf-8")


def _returns(curve: Array) -> bool:
    """Whether the end of a curve is no farther from its beginning than its points are from each other."""
    steps = np.linalg.norm(np.diff(curve, axis=0), axis=1)
    return bool(np.linalg.norm(curve[-1] - curve[0]) <= 1.5 * np.max(steps))


def _layer_name(name: str) -> str:
    """A name without the characters that layers must not have."""
    return _FORBIDDEN.sub("_", name)
