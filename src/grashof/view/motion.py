"""A recorded motion as a page and in a notebook."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import msgspec

from grashof.common.errors import ModelError
from grashof.model.mechanism import Mechanism
from grashof.model.model import Model
from grashof.motion.trajectory import Trajectory
from grashof.scene import describe, describe_model
from grashof.view.page import MotionPage, frame_page, page

HEIGHT = 560
"""Height of a viewer in a notebook, pixels."""


@dataclass(frozen=True)
class ShownMotion:
    """A page that a notebook displays; `html` is the whole page."""

    html: str
    height: int = HEIGHT

    def _repr_html_(self) -> str:
        return frame_page(self.html, self.height)

    def __repr__(self) -> str:
        return "A page for a notebook; `run.animate('motion.html')` writes it to a file."


def motion_page(
    seen: Trajectory | Mechanism | Model, *, traced: Sequence[str] = (), plotted: Sequence[str] = ()
) -> str:
    """A run, or a mechanism at its start, as a self-contained HTML page.

    traced, plotted   points with paths and quantities with plots that are shown at first; if empty, the viewer chooses
    """
    scene = describe(seen) if isinstance(seen, Trajectory) else describe_model(seen)
    scene = msgspec.structs.replace(scene, traced=tuple(traced), plotted=tuple(plotted))
    return page(scene.name, MotionPage(scene))


def in_notebook(seen: Trajectory | Mechanism | Model) -> str:
    """The viewer as HTML for a notebook, or a sentence that says why nothing can be shown."""
    try:
        return shown(seen)._repr_html_()
    except ModelError as problem:
        return f"<p>{escape(repr(seen))}</p>\n<p>It cannot be shown: {escape(str(problem))}</p>"


def shown(seen: Trajectory | Mechanism | Model, height: int = HEIGHT) -> ShownMotion:
    """The page of a run, or of a mechanism at its start, for a notebook."""
    return ShownMotion(motion_page(seen), height)
