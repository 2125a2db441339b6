"""What workers do. Everything that is given comes from a person who is not known; nothing of it names a file or runs
as code."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from grashof.common.errors import ModelError
from grashof.model.files import loads
from grashof.model.model import Model

if TYPE_CHECKING:
    from grashof.examples import Entry
    from grashof.problems import Case
    from grashof.references import Reference

Progress = Callable[[float, str], None]

LONGEST = 200_000
"""Characters of a mechanism's description."""

ALONG = 1001
"""Places of a path in a drawing, at equal intervals of time."""


def judge(progress: Progress, *, path: str, problem: str, variant: str, parameters: dict[str, float]) -> dict[str, Any]:
    """The verdict on a result file, where it departs from the reference, and what of its motion can be shown; `path`
    is one that the server chose."""
    from grashof.judge import assess, read_table
    from grashof.judge.expected import reference_of
    from grashof.problems import make_case
    from grashof.server.motions import follow, sentence
    from grashof.server.plots import column_plots, columns_of

    case = make_case(problem, variant, parameters)
    progress(0.1, "reading")
    table = read_table(path, case)
    progress(0.4, "judging")
    found = assess(case, table.columns, table.lines).as_dict()
    remarks = [remark.replace(path, "the file") for remark in table.remarks]
    plots = column_plots(table.columns, reference_of(case), case)
    progress(0.8, "following the motion")
    motion = follow(case, columns_of(plots), found["branch"]["left_s"])
    told = {"shown": motion is not None and len(motion.times) > 1, "sentence": sentence(case, motion)}
    content, copied = content_of(table.columns), is_copy(table.columns, reference_of(case))
    return {**found, "reading": remarks, "plots": plots, "motion": told, "content": content, "copied": copied}


def content_of(columns: Mapping[str, np.ndarray]) -> str:
    """A digest of the numbers of a result, whatever file they were written in."""
    found = hashlib.sha256()
    for name in sorted(columns):
        found.update(name.encode() + b"\0" + np.ascontiguousarray(columns[name], "<f8").tobytes())
    return found.hexdigest()


def is_copy(columns: Mapping[str, np.ndarray], reference: Reference | None) -> bool:
    """Whether a result is the certified reference, to the last digit of every number: no calculation has its errors."""
    if reference is None:
        return False
    place = np.searchsorted(reference.times, columns["t"])
    if np.any(place >= len(reference.times)) or not np.array_equal(reference.times[place], columns["t"]):
        return False
    names = [name for name, values in reference.columns.items() if values.any() and name in columns]
    return bool(names) and all(np.array_equal(columns[name], reference.columns[name][place]) for name in names)


def result(
    progress: Progress, *, title: str, subject: dict[str, Any], plots: list[Any], verdict: dict[str, Any]
) -> str:
    """The moving mechanism of a result as a page, from the columns that were kept of it."""
    from grashof.server.motions import follow, result_scene
    from grashof.server.plots import columns_of
    from grashof.view.page import MotionPage, page

    case, columns = _case(subject), columns_of(plots)
    followed = follow(case, columns, (verdict.get("branch") or {}).get("left_s"))
    if followed is None:
        raise ModelError("The columns of this result do not determine the positions of all bodies.")
    return page(title, MotionPage(result_scene(case, title, followed, columns, verdict)))


def own(progress: Progress, *, title: str, subject: dict[str, Any], tol: float, verdict: dict[str, Any]) -> str:
    """A measured run of Grashof, repeated, as a page."""
    from grashof.server.motions import own_scene
    from grashof.simulation.simulate import simulate
    from grashof.view.page import MotionPage, page

    case = _case(subject)
    run = simulate(case.model, case.t_end, tol=tol, check_error=False)
    return page(title, MotionPage(own_scene(case, title, run, verdict)))


def check(progress: Progress, *, text: str) -> dict[str, Any]:
    """What is known of a mechanism before it moves: its degrees of freedom, its closed position, and its sketch."""
    from grashof.freedoms.mobility import mobility
    from grashof.scene import describe_model
    from grashof.server.sketches import sketch_of

    model = _model(text)
    progress(0.2, "mobility")
    told = str(mobility(model))
    progress(0.5, "closing the loops")
    scene = describe_model(model)
    sketch, kept = sketch_of(model, scene)
    return {"name": model.name, "mobility": told, "scene": msgspec.to_builtins(scene), "sketch": sketch, "kept": kept}


def follow(progress: Progress, *, points: Sequence[tuple[float, float]]) -> dict[str, Any]:
    """A four-bar whose coupler point follows a path."""
    from grashof.questions.synthesis.paths import four_bar_for_path

    return four_bar_for_path(points).as_dict()


def motion(progress: Progress, *, text: str, t_end: float, traced: Sequence[str] = ()) -> str:
    """A run of a mechanism as a page, with the paths of some of its points."""
    from grashof.simulation.simulate import simulate
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


def film(progress: Progress, *, text: str, t_end: float, traced: Sequence[str] = (), suffix: str) -> bytes:
    """A run of a mechanism as a GIF or a video."""
    from grashof.show.animation import animate, check_form
    from grashof.simulation.simulate import simulate

    check_form(f"film{suffix}")
    model = _model(text)
    progress(0.1, "compiling")
    run = simulate(model, t_end, progress=lambda part: progress(0.1 + 0.4 * part, part.doing))
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"film{suffix}"
        animate(run, path, traces=traced, progress=lambda part: progress(0.5 + 0.5 * part, part.doing))
        return path.read_bytes()


def plates(
    progress: Progress,
    *,
    text: str,
    t_end: float,
    traced: Sequence[str] = (),
    width: str,
    holes: str,
    assembled: bool = False,
) -> bytes:
    """The links of a planar mechanism as a drawing in DXF: side by side, or assembled and with the paths of points."""
    from grashof.portable.links import links
    from grashof.simulation.simulate import simulate

    model = _model(text)
    found = links(model, width=width, holes=holes)
    curves = {}
    if assembled and traced:
        progress(0.1, "compiling")
        times = np.linspace(0.0, t_end, ALONG)
        run = simulate(model, t_end, times=times, progress=lambda part: progress(0.1 + 0.8 * part, part.doing))
        curves = {point: np.column_stack([run[f"{point}.x"], run[f"{point}.y"]]) for point in traced}
    with TemporaryDirectory() as folder:
        path = Path(folder) / "links.dxf"
        found.save(path, assembled=assembled, curves=curves)
        return path.read_bytes()


def example(progress: Progress, *, name: str) -> str:
    """A mechanism of the gallery as a live page."""
    from grashof.examples import example, find_entry

    return _live(progress, example(name), find_entry(name).t_end, find_entry(name))


def problem(progress: Progress, *, name: str, variant: str) -> str:
    """The mechanism of a problem as a live page, showing what the gallery shows of it."""
    from grashof.examples import gallery
    from grashof.problems import make_case

    case = make_case(name, variant)
    return _live(progress, case.model, case.t_end, next((x for x in gallery() if x.name == name), None))


def _live(progress: Progress, model: Model, t_end: float, entry: Entry | None) -> str:
    """A live page or, if the mechanism cannot be simulated in a page, a recorded run."""
    from grashof.live import live_page
    from grashof.simulation.simulate import simulate
    from grashof.view import motion_page

    plotted, traced = (entry.plot, entry.trace) if entry else ((), ())
    progress(0.1, "compiling")
    try:
        return live_page(model, t_end, observe=plotted or None, traced=traced)
    except ModelError:
        return motion_page(simulate(model, t_end), traced=traced, plotted=plotted)


def _case(subject: dict[str, Any]) -> Case:
    from grashof.problems import make_case

    return make_case(subject["problem"], subject["variant"], subject["parameters"])


def _model(text: str) -> Model:
    if len(text) > LONGEST:
        raise ModelError(f"This description has {len(text):,} characters; the server reads at most {LONGEST:,}.")
    return loads(text, source="Description")


TASKS: dict[str, Callable[..., Any]] = {
    "judge": judge,
    "result": result,
    "own": own,
    "check": check,
    "follow": follow,
    "motion": motion,
    "live": live,
    "film": film,
    "plates": plates,
    "example": example,
    "problem": problem,
}
