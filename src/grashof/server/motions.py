"""The motion of a result: where the mechanism is by the columns of any tool, and how far that is from the reference.

A mechanism with one degree of freedom goes along a curve of positions. A run of Grashof leads along it, and each row of
a result is a place on it: the nearest one by the columns of coordinates and speeds. Speeds are needed where two
positions share a coordinate, such as x of a pin above and below its pivot. With more degrees of freedom the official
columns do not determine where all bodies are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import msgspec
import numpy as np

from grashof.common.near import ELSEWHERE
from grashof.freedoms.mobility import mobility
from grashof.judge.expected import expected_at, reference_of
from grashof.motion.trajectory import Trajectory
from grashof.problems import PROBLEMS, Case, make_case
from grashof.scene import Scene, describe, types
from grashof.scene.poses import continuous
from grashof.simulation.simulate import simulate

SAMPLES = 1501
"""Positions along the run of Grashof among which the nearest is looked for; it is interpolated between them."""

FRAMES = 600
"""Rows of a result that are shown, at most; if it has fewer, positions between them are added."""

POSITIONS, SPEEDS = ("m", "rad"), ("m/s", "rad/s")

FAINT = 0.1
"""How much a speed counts beside a coordinate: enough to tell two positions apart, too little to move them."""


@dataclass(frozen=True, eq=False)
class Followed:
    """A result along the curve of positions.

    times    of its rows, and others between them if they are few, s
    phases   times of the run of Grashof at which the mechanism is in these positions, s
    until    the time from which on the columns do not describe a position of the mechanism, s; None if they always do
    """

    run: Trajectory
    times: np.ndarray
    phases: np.ndarray
    until: float | None


def sentence(case: Case, found: Followed | None) -> str:
    """What of a motion can be shown."""
    if found is None:
        dof = _known_run(*_key(case))[1]
        return (
            "The columns do not determine the positions of all bodies"
            + (f": the mechanism has {dof} degrees of freedom." if dof != 1 else ".")
            + " They are plotted beside the reference."
        )
    if found.until is None:
        return "The mechanism moves as the columns of this result say."
    if not len(found.times):
        return "The columns do not describe a position of the mechanism, not even at the start."
    return (
        f"The mechanism moves as the columns of this result say until t = {found.until:.6g} s. "
        "From then on they do not describe a position of the mechanism on the branch of the reference."
    )


def follow(case: Case, columns: Mapping[str, np.ndarray], left: float | None = None) -> Followed | None:
    """Where the mechanism is by the columns of a result; None if they do not determine it.

    left    the time at which the result leaves the branch of the reference, s
    """
    run, dof = _known_run(*_key(case))
    kept = [x for x in case.columns if x.unit in (*POSITIONS, *SPEEDS) and not x.violation and x.name in columns]
    if dof != 1 or not any(x.unit in POSITIONS for x in kept):
        return None
    way = np.stack([np.asarray(x.value(run), float) for x in kept], axis=1)
    weights = np.array([1.0 if x.unit in POSITIONS else FAINT for x in kept])
    size = np.maximum(np.max(np.abs(way), axis=0), np.finfo(float).tiny) / weights
    way = way / size
    here = np.stack([np.asarray(columns[x.name], float) for x in kept], axis=1) / size
    times = np.asarray(columns["t"], float)
    sound = np.isfinite(here).all(axis=1) & np.isfinite(times)
    order = np.flatnonzero(sound)[np.argsort(times[sound], kind="stable")]
    order = (
        order[np.unique(np.linspace(0, len(order) - 1, min(FRAMES, len(order))).astype(int))] if len(order) else order
    )
    times, here = times[order], here[order]
    phases, nearest = _nearest(run.t, way, times, here)
    off = np.max(np.abs(nearest - here)[:, weights == 1.0], axis=1) > ELSEWHERE
    if left is not None:
        off |= times >= left
    until = float(times[np.argmax(off)]) if off.any() else None
    count = int(np.argmax(off)) if off.any() else len(times)
    return Followed(run, *_fill_times(times[:count], phases[:count]), until)


def result_scene(
    case: Case, title: str, found: Followed, columns: Mapping[str, np.ndarray], verdict: Mapping[str, Any]
) -> Scene:
    """The moving mechanism of a result, with its columns and the reference as quantities and the departure as an
    event."""
    places, back = np.unique(found.phases, return_inverse=True)
    scene = describe(found.run, places, reactions=False, quantities=False)
    poses = scene.poses.array()[back]
    poses[..., 3:] = continuous(poses[..., 3:])  # along the result, which may go back
    scene = msgspec.structs.replace(scene, poses=types.Numbers.of(poses))
    return _status_text(scene, case, title, found.times, columns, verdict)


def own_scene(case: Case, title: str, run: Trajectory, verdict: Mapping[str, Any]) -> Scene:
    """The same of a run of Grashof, whatever its degrees of freedom."""
    times = np.linspace(run.t[0], run.t[-1], FRAMES)
    motion = Trajectory(run.program, run.steps, times)
    columns = {x.name: np.asarray(x.value(motion), float) for x in case.columns}
    return _status_text(describe(run, times, reactions=False, quantities=False), case, title, times, columns, verdict)


def _status_text(
    scene: Scene,
    case: Case,
    title: str,
    times: np.ndarray,
    columns: Mapping[str, np.ndarray],
    verdict: Mapping[str, Any],
) -> Scene:
    expected = expected_at(reference_of(case), times).values
    series, plotted = [], []
    for column in case.columns:
        if column.name == "t" or column.name not in columns:
            continue
        values = np.interp(times, columns["t"], columns[column.name])
        series.append(types.Series(column.name, column.unit, types.Numbers.of(values)))
        if column.name in expected and not column.violation:
            series.append(
                types.Series(f"{column.name}, reference", column.unit, types.Numbers.of(expected[column.name]))
            )
            if column.unit in POSITIONS:
                plotted += [column.name, f"{column.name}, reference"]
    reference, branch = verdict.get("reference") or {}, verdict.get("branch") or {}
    moments = [
        types.Moment(words, float(time))
        for words, time in (
            ("departs from the reference", reference.get("departed_s")),
            ("leaves the branch", branch.get("left_s")),
        )
        if time is not None
    ]
    departed = reference.get("departed_s")
    text = "Agrees with the reference." if departed is None else f"Departs from the reference at t = {departed:.6g} s."
    return msgspec.structs.replace(
        scene,
        name=title,
        times=types.Numbers.of(times),
        series=tuple(series),
        plotted=tuple(plotted),
        moments=tuple(moments),
        outcome=types.Outcome(departed is None, "success" if departed is None else "departed", text),
        notes=(),
    )


def _key(case: Case) -> tuple[str, str, tuple[tuple[str, float], ...]]:
    names = PROBLEMS[case.problem].parameters
    return case.problem, case.variant, tuple((name, float(case.parameters[name])) for name in names)


@lru_cache(maxsize=8)
def _known_run(problem: str, variant: str, parameters: tuple[tuple[str, float], ...]) -> tuple[Trajectory, int]:
    """A run of Grashof and the degrees of freedom; workers judge many results of one problem."""
    case = make_case(problem, variant, dict(parameters))
    times = np.linspace(0.0, case.t_end, SAMPLES)
    return simulate(case.model, case.t_end, times=times, check_error=False), mobility(case.model).dof


def _nearest(
    times: np.ndarray, way: np.ndarray, moments: np.ndarray, here: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """For rows (R, k) at some moments (R,) the times at which a way (n, k) is nearest to them, and where it is then (R,
    k).

    A mechanism comes by the same place many times. Where several parts of the way are equally near, as far as their
    chords can tell, the one that the motion reaches from the row before counts.
    """
    phases, found = np.zeros(len(here)), np.zeros_like(here)
    begins, steps = way[:-1], np.diff(way, axis=0)
    squares = np.maximum(np.sum(steps**2, axis=1), np.finfo(float).tiny)
    height = np.max(np.linalg.norm(np.diff(steps, axis=0), axis=1), initial=0.0) / 8.0  # of the way above its chords
    for row, place in enumerate(here):
        share = np.clip(np.sum((place - begins) * steps, axis=1) / squares, 0.0, 1.0)
        places = begins + share[:, None] * steps
        far = np.linalg.norm(places - place, axis=1)
        beside = np.pad(far, 1, constant_values=np.inf)
        lowest = (far <= beside[:-2]) & (far <= beside[2:]) & (far <= np.min(far) + height)
        expected = phases[row - 1] + moments[row] - moments[row - 1] if row else moments[0]
        reached = times[:-1] + share * np.diff(times)
        k = int(np.argmin(np.where(lowest, np.abs(reached - expected), np.inf)))
        phases[row], found[row] = reached[k], places[k]
    return phases, found


def _fill_times(times: np.ndarray, phases: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Times and phases with others between them, because poses between two positions that are far apart are not
    positions of the mechanism.

    Where the motion does not continue from one row to the next (it repeats an earlier period, because the run has
    ended), the position is held until the next row.
    """
    ahead, passed = np.diff(phases), np.diff(times)
    goes_on = (ahead >= 0.0) & (ahead <= 4.0 * passed)
    parts = -(-FRAMES // max(1, len(times)))
    marks = np.arange(parts) / parts
    pieces = [
        (times[k] + marks * passed[k], phases[k] + marks * ahead[k])
        if goes_on[k]
        else (times[k : k + 2], np.repeat(phases[k], 2))
        for k in range(len(times) - 1)
    ]
    found = np.concatenate([*(np.stack(piece) for piece in pieces), np.stack([times[-1:], phases[-1:]])], axis=1)
    return found[0], found[1]
