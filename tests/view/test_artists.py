"""The viewer draws every shape where matplotlib draws it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import grashof as gr
from grashof.scene import Scene, describe_model
from grashof.scene.types import Stroke
from grashof.show.planar import PlanarSheet
from grashof.show.seen import Seen
from grashof.show.spatial import meshes_of
from grashof.view import motion_page
from tests.show.test_symbols import everything_in_space, everything_in_the_plane
from tests.view.test_motion_page import STAGE, ready

BOXES = f"""{STAGE}.drawn.map(({{ object }}) => {{
  const box = [[Infinity, Infinity, Infinity], [-Infinity, -Infinity, -Infinity]];
  object.updateWorldMatrix(true, true);
  object.traverse((part) => {{
    const places = part.geometry?.attributes.position;
    for (let i = 0; places && i < places.count; i++) {{
      const m = part.matrixWorld.elements;
      const [x, y, z] = [places.getX(i), places.getY(i), places.getZ(i)];
      for (let k = 0; k < 3; k++) {{
        const at = m[k] * x + m[4 + k] * y + m[8 + k] * z + m[12 + k];
        box[0][k] = Math.min(box[0][k], at);
        box[1][k] = Math.max(box[1][k], at);
      }}
    }}
  }});
  return box;
}})"""
"""The corners of the boxes around all that is drawn, in world axes."""


def boxes(scene: Scene) -> Iterator[tuple[np.ndarray | None, float]]:
    """The same by matplotlib's artists, for each shape that the viewer draws, and how much farther the viewer may go:
    it gives wires round ends. None for a shape without length."""
    seen = Seen(scene)
    frame = seen.frame(0)
    sheet = PlanarSheet(frame, 1.0, None)
    pictures = [(*body.shapes, *body.mark) for body in scene.bodies] + [symbol.shapes for symbol in scene.symbols]
    for shape in (shape for shapes in pictures for shape in shapes):
        if scene.dimension == 2:
            places = [np.pad(found.corners, [(0, 0), (0, 1)]) for found in sheet.draw(shape)]
        else:
            places = [mesh.vertices @ seen.axes for mesh in meshes_of(frame, shape)]
        found = np.concatenate([np.zeros((0, 3)), *places])
        farther = shape.thick if isinstance(shape, Stroke) else 0.0
        yield np.array([found.min(axis=0), found.max(axis=0)]) if len(found) else None, farther


@pytest.mark.parametrize("make", [everything_in_the_plane, everything_in_space])
def test_both_artists_put_every_shape_at_the_same_place(open_page, make) -> None:
    """The boxes agree to the widths of lines, and to the corners of what is round."""
    m: gr.Mechanism = make()
    scene = describe_model(m)
    page = open_page(motion_page(m))
    ready(page)
    drawn, expected = page.evaluate(BOXES), list(boxes(scene))
    assert len(drawn) == len(expected) > 100
    compared = 0
    for found, (box, farther) in zip(drawn, expected, strict=True):
        if box is not None:
            assert np.allclose(found, box, rtol=0.0, atol=0.3 * scene.detail + farther)
            compared += 1
    assert compared > 100
