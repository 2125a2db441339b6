"""How a mechanism is shown: drawings, pages, and costs of its runs; for mechanisms under construction and for
descriptions."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Unpack, cast

import numpy as np

from grashof.common.pictures import DrawingOptions
from grashof.common.provided import provided
from grashof.model.given import Number

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from grashof.model.mechanism import Mechanism
    from grashof.sensitivity.costs import Cost
    from grashof.sensitivity.objective import Objective
    from grashof.view import ShownMotion


class Displayed:
    """What a mechanism shows of itself."""

    __slots__ = ()

    @property
    def _subject(self) -> Mechanism:
        """The mechanism that is shown; a description serves as well."""
        return cast("Mechanism", self)

    def show(self, height: int = 560) -> ShownMotion:
        """Shows the mechanism in its initial position in a notebook; `height` is in pixels.

        A mechanism that is the last value of a cell is shown automatically.
        """
        page: ShownMotion = provided("shown")(self._subject, height)
        return page

    def live(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        t_end: float | None = None,
        numbers: Sequence[str] | None = None,
        observe: Sequence[str] | None = None,
        tol: float | None = None,
        height: int = 760,
    ) -> ShownMotion:
        """An interactive page that simulates the mechanism while its numbers are changed and its bodies are dragged.

        It is shown in a notebook, or written to a file.

        path      where to write the page: a single, self-contained file
        t_end     end of the simulated time, s: laws of time are known up to then, and playback takes some seconds
        numbers   the numbers that can be changed (see `numbers`); by default the declared parameters and the initial
                  conditions or, if there are no parameters, motor speeds, gravity, stiffnesses, lengths and masses
        observe   the quantities that are plotted; by default the energies and some angles
        tol       the largest error over the whole run, as in `simulate`
        height    height in a notebook, in pixels
        """
        wanted = {"t_end": t_end, "numbers": numbers, "observe": observe, "tol": tol, "height": height}
        page: ShownMotion = provided("shown_live")(self._subject, path, **wanted)
        return page

    def _repr_html_(self) -> str:
        """The HTML that a notebook displays."""
        html: str = provided("in_notebook")(self._subject)
        return html

    def draw(self, path: str | os.PathLike[str] | None = None, **options: Unpack[DrawingOptions]) -> Figure:
        """Draws the mechanism in its initial position, to scale and with its points labelled, as a matplotlib figure.

        If a path is given, the figure is also written to that file. `labels=False` leaves out the names of points,
        `axes=False` the scales; `size=(8, 5)` sets the size in inches, and `dpi` the resolution.

        >>> from grashof.model.mechanism import Mechanism
        >>> m = Mechanism("pendulum", gravity=(0, -9.81))
        >>> rod = m.bar("rod", length=1.0, mass=1.0)
        >>> _ = m.revolute(m.ground.at(0, 0), rod.start)
        >>> figure = m.draw()
        >>> [text.get_text() for text in figure.axes[0].texts]
        ['rod.start', 'rod.end']
        """
        figure: Figure = provided("draw_model")(self._subject, path, **options)
        return figure

    def objective(
        self,
        parameters: Sequence[str],
        cost: str | Cost,
        *,
        t_end: Number,
        times: Sequence[float] | np.ndarray | int = 101,
        tol: float = 1e-6,
        method: str = "auto",
        gradient: str = "auto",
        failed: float | None = None,
        check: bool = True,
    ) -> Objective:
        """A cost of the run up to t_end as a function of numbers of the mechanism, with its gradient, in the form that
        `scipy.optimize.minimize` expects; see `Objective` and docs/sensitivities.md."""
        found: Objective = provided("objective")(
            self._subject,
            parameters,
            cost,
            t_end=t_end,
            times=times,
            tol=tol,
            method=method,
            gradient=gradient,
            failed=failed,
            check=check,
        )
        return found
