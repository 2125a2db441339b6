"""A live mechanism as a page and in a notebook."""

from __future__ import annotations

import os
from collections.abc import Sequence

import msgspec
import numpy as np

from grashof.common.writing import write_atomically
from grashof.live.data import LiveData
from grashof.live.make import SPAN, live_data
from grashof.model.mechanism import Mechanism, as_model
from grashof.model.model import Model
from grashof.motion.trajectory import Trajectory
from grashof.scene import Scene, describe
from grashof.scene.types import Numbers
from grashof.simulation.options import TOLERANCE
from grashof.simulation.simulate import simulate
from grashof.view import ShownMotion
from grashof.view.page import page

HEIGHT = 760
"""Height of a live page in a notebook, pixels."""


class Live(msgspec.Struct, frozen=True, tag_field="kind", tag="live"):
    """A page with one live mechanism: the scene at its start, and the data that simulate it."""

    scene: Scene
    live: LiveData


def live_page(
    seen: Mechanism | Model | Trajectory,
    t_end: float | None = None,
    *,
    numbers: Sequence[str] | None = None,
    observe: Sequence[str] | None = None,
    tol: float = TOLERANCE,
    traced: Sequence[str] = (),
) -> str:
    """A self-contained HTML page that simulates a mechanism, or the mechanism of a run; see `live_data`.

    traced   points whose paths are shown at first; if there are none, the viewer chooses
    """
    if isinstance(seen, Trajectory):
        run, model = seen, _without_phases(seen.program.model)
        end = float(run.t[-1]) if t_end is None else t_end
    else:
        model = as_model(seen)
        end = model.start.time + SPAN if t_end is None else t_end
    data = live_data(model, end, numbers=numbers, observe=observe, tol=tol)
    if not isinstance(seen, Trajectory):
        run = simulate(model, end, tol=max(tol, 1e-4), times=2, check_error=False)
    return page(f"{model.name}, live", Live(msgspec.structs.replace(_still(run), traced=tuple(traced)), data))


def shown_live(
    seen: Mechanism | Model | Trajectory,
    path: str | os.PathLike[str] | None = None,
    *,
    t_end: float | None = None,
    numbers: Sequence[str] | None = None,
    observe: Sequence[str] | None = None,
    tol: float | None = None,
    height: int = HEIGHT,
) -> ShownMotion:
    """The live page for a notebook; it is also written to a file if a path is given."""
    html = live_page(seen, t_end, numbers=numbers, observe=observe, tol=TOLERANCE if tol is None else tol)
    if path is not None:
        write_atomically(path, html)
    return ShownMotion(html, height)


def _without_phases(model: Model) -> Model:
    """The model of a run, in which motors begin with their value at the start, as they did before it was built."""
    motors = [motor if motor.speed is None else msgspec.structs.replace(motor, offset=None) for motor in model.motors]
    return msgspec.structs.replace(model, motors=tuple(motors))


def _still(run: Trajectory) -> Scene:
    """The scene at the start, in a view that contains the whole motion."""
    scene = describe(run, reactions=False)
    first = scene.poses.array()[:1]
    return msgspec.structs.replace(
        scene,
        times=Numbers.of(np.array([run.program.assembly.time])),
        poses=Numbers.of(first),
        series=(),
        arrows=(),
        moments=(),
        outcome=None,
        notes=(),
    )
