"""What workers do. Everything that is given comes from a person who is not known; nothing of it names a file or runs as code."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec
import numpy as np

from grashof.errors import ModelError
from grashof.model.files import loads
from grashof.model.model import Model

Progress = Callable[[float, str], None]

LONGEST = 200_000
"""Characters of a mechanism's description."""

PLOTTED = 400
"""Times at which columns are plotted."""


def judge(progress: Progress, *, path: str, problem: str, variant: str, parameters: dict[str, float]) -> dict[str, Any]:
    """The verdict on a result file, and where it departs from the reference; `path` is one that the server chose."""
    from grashof.judge import assess, read_table
    from grashof.judge.expected import reference_of
    from grashof.problems import make_case

    case = make_case(problem, variant, parameters)
    progress(0.1, "reading")
    table = read_table(path, case)
    progress(0.4, "judging")
    found = assess(case, table.columns, table.lines)
    remarks = [remark.replace(path, "the file") for remark in table.remarks]
    return {**found.as_dict(), "reading": remarks, "plots": _plots(table.columns, reference_of(case), case)}


def _plots(columns: Mapping[str, np.ndarray], reference: Any, case: Any) -> list[dict[str, Any]]:
    """Each official column beside its reference, thinned."""
    t = np.asarray(columns["t"])
    order = np.argsort(t, kind="stable")
    rows = order[np.unique(np.linspace(0, len(t) - 1, min(PLOTTED, len(t))).astype(int))] if len(t) else order
    rows = rows[np.isfinite(t[rows])]
    found = []
    units = {column.name: column.unit for column in case.columns}
    for name in [column.name for column in case.columns if column.name != "t" and column.name in columns]:
        values = [x if np.isfinite(x) else None for x in np.asarray(columns[name])[rows].tolist()]
        curves = [{"name": f"{name}, this result", "unit": units[name], "times": t[rows].tolist(), "values": values}]
        if name in reference.columns:
            times = np.asarray(reference.times)
            some = np.unique(np.linspace(0, len(times) - 1, min(PLOTTED, len(times))).astype(int))
            values = np.asarray(reference.columns[name])[some].tolist()
            curves.append(
                {"name": f"{name}, reference", "unit": units[name], "times": times[some].tolist(), "values": values}
            )
        found.append({"title": name, "curves": curves})
    return found


def check(progress: Progress, *, text: str) -> dict[str, Any]:
    """What is known of a mechanism before it moves: how many freedoms it has, how it is put together, and what it looks like."""
    from grashof.analysis.mobility import mobility
    from grashof.scene import describe_model

    model = _model(text)
    progress(0.2, "mobility")
    told = str(mobility(model))
    progress(0.5, "closing the loops")
    scene = describe_model(model)
    return {"name": model.name, "mobility": told, "scene": msgspec.to_builtins(scene)}


def motion(progress: Progress, *, text: str, t_end: float, traced: Sequence[str] = ()) -> str:
    """A run of a mechanism as a page, with the paths of some of its points."""
    from grashof.simulation import simulate
    from grashof.view import motion_page

    model = _model(text)
    progress(0.1, "compiling")
    run = simulate(model, t_end, progress=lambda part: progress(0.1 + 0.8 * part, part.doing))
    return motion_page(run, traced=traced)


def live(progress: Progress, *, text: str, t_end: float, traced: Sequence[str] = ()) -> str:
    """A page that simulates a mechanism itself."""
    from grashof.live import live_page

    model = _model(text)
    progress(0.1, "compiling for the page")
    return live_page(model, t_end, traced=traced)


def example(progress: Progress, *, name: str) -> str:
    """A mechanism of the gallery as a live page or, where that cannot be, as a recorded one."""
    from grashof.examples import example, find_entry
    from grashof.live import live_page
    from grashof.simulation import simulate
    from grashof.view import motion_page

    entry, model = find_entry(name), example(name)
    progress(0.1, "compiling")
    try:
        return live_page(model, entry.t_end, observe=entry.plot or None, traced=entry.trace)
    except ModelError:
        return motion_page(simulate(model, entry.t_end), traced=entry.trace, plotted=entry.plot)


def picture(progress: Progress, *, name: str) -> bytes:
    """A mechanism of the gallery as a small drawing (PNG)."""
    from grashof.examples import example
    from grashof.show import draw_model

    figure = draw_model(example(name))
    (axes,) = figure.axes
    axes.set_axis_off()
    axes.set_title("")
    for text in list(axes.texts):
        text.remove()
    content = io.BytesIO()
    figure.savefig(content, format="png", dpi=55)
    return content.getvalue()


def _model(text: str) -> Model:
    if len(text) > LONGEST:
        raise ModelError(f"This description has {len(text):,} characters; the server reads at most {LONGEST:,}.")
    return loads(text, source="the description")


TASKS: dict[str, Callable[..., Any]] = {
    "judge": judge,
    "check": check,
    "motion": motion,
    "live": live,
    "example": example,
    "picture": picture,
}
