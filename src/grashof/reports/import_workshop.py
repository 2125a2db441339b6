"""The process in which model files are examined: one that hangs or crashes is a row of a report and not its end."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from time import monotonic, process_time
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from grashof.common.errors import ModelError
from grashof.engines.base import EngineFailed, NotInstalled
from grashof.engines.direct import FORMATS as ENGINES
from grashof.engines.direct import MARKS, count_freedoms, run_directly
from grashof.engines.orphans import end_with_parent
from grashof.exchange import Choices, find_format, load_file
from grashof.reports.imported_file import READING, ImportedFile

if sys.platform != "win32":
    from time import clock_gettime

if TYPE_CHECKING:
    from grashof.model.model import Model
    from grashof.motion.trajectory import Trajectory

PATIENCE = 10.0
"""How many times the limit of CPU time a file may take on the clock."""
OUTPUTS = 21
"""Number of times at which motions are compared."""
WITHOUT_FRICTION = ("MJCF", "URDF")
"""Formats whose dry friction in joints is left out on both sides, because the engine has another law of it, or none."""
WITHOUT_LIMITS = ("URDF",)
"""Formats whose engine, Pinocchio, knows no limits of joints: files that are compared with it are read without them."""


@dataclass
class Workshop:
    """A process that examines one file after another; it is replaced when it had to be ended."""

    t_end: float
    compare: bool
    _process: Any = None
    _line: Any = None
    _away: Any = field(default_factory=partial(get_context, "spawn"))

    def __enter__(self) -> Workshop:
        return self

    def __exit__(self, *problem: object) -> None:
        self._end()

    def examine(self, path: Path, limit_s: float) -> ImportedFile:
        """The last that is known about a file when it is finished or the limit is reached."""
        form = find_format(path)
        assert form is not None
        found, doing = self._follow(path, limit_s, (ImportedFile(str(path), form.name), READING))
        if not doing:
            return found
        if found.status is not None:
            return replace(found, no_engine=doing)  # only the engine was still running
        # the file was not finished: what its own engine says of it is asked for alone
        counted, _ = self._follow(path, limit_s, (replace(found, stopped=doing), ""), only_count=True)
        return counted

    def _follow(
        self, path: Path, limit_s: float, known: tuple[ImportedFile, str], only_count: bool = False
    ) -> tuple[ImportedFile, str]:
        """What is known about a file, more and more; and, if it was not finished, what was being done."""
        if self._process is None:
            self._line, theirs = self._away.Pipe()
            self._process = self._away.Process(target=_work, args=(theirs, self.t_end, self.compare), daemon=True)
            self._process.start()
            theirs.close()
            self._line.recv()  # it has started
        found, doing = known
        self._line.send((path, found if only_count else None))
        began, end = self._spent(), monotonic() + PATIENCE * limit_s
        while True:
            try:
                rest = min(limit_s - (self._spent() - began), end - monotonic())
                if not self._line.poll(max(0.0, rest)):
                    if rest > 0.0:
                        continue  # it has waited for the processor
                    break
                answer = self._line.recv()
            except (EOFError, OSError):
                doing = doing.replace("the time limit was reached", "its process crashed")
                break
            if answer is None:
                return found, ""
            found, doing = answer
        self._end()
        return found, doing

    def _spent(self) -> float:
        """CPU time of the process in s; where the system does not tell (it does on Linux), the time on the clock."""
        try:
            return clock_gettime(~self._process.pid << 3 | 2)  # the clock of all its threads, clock_getcpuclockid(3)
        except (NameError, OSError):
            return monotonic()

    def _end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._line.close()
            self._process = None


def _work(line: Connection, t_end: float, compare: bool) -> None:
    end_with_parent()
    line.send("ready")
    while True:
        try:
            path, stopped = line.recv()
        except EOFError:
            return
        if stopped is not None:
            line.send((_counted(stopped, path, compare), ""))
        else:
            for found in examine(path, t_end, compare):
                line.send(found)
        line.send(None)


def examine(path: Path, t_end: float, compare: bool) -> Iterator[tuple[ImportedFile, str]]:
    """What is known about a file, more and more, with what is done next."""
    form = find_format(path)
    assert form is not None
    found = ImportedFile(str(path), form.name)
    try:
        for known in _stages(found, path, t_end, compare):
            found = known[0]
            yield known
    except Exception as problem:  # whatever it is, it is a row of the report
        where = traceback.extract_tb(problem.__traceback__)[-1]
        error = f"{type(problem).__name__}: {problem} ({Path(where.filename).name}, line {where.lineno})"
        yield replace(found, error=error), ""


def _stages(found: ImportedFile, path: Path, t_end: float, compare: bool) -> Iterator[tuple[ImportedFile, str]]:
    from grashof.program import build
    from grashof.simulation.simulate import simulate

    try:
        choices = Choices(limits="none") if compare and found.format in WITHOUT_LIMITS else Choices()
        loaded = load_file(path, choices=choices)
    except ModelError as problem:
        yield from _given_up(replace(found, refused=str(problem).removeprefix(f"{path}: ")), path, compare)
        return
    found = replace(found, left_out=loaded.left_out)
    yield found, "It was being built when the time limit was reached."
    model, began = _with_marks(loaded.model), process_time()
    if compare and found.format in WITHOUT_FRICTION:
        model = msgspec.structs.replace(model, forces=tuple(force.without_coulomb() for force in model.forces))
    try:
        program = build(model)
        yield found, "It was being simulated when the time limit was reached."
        run = simulate(program, t_end, times=OUTPUTS)
    except ModelError as problem:
        yield from _given_up(replace(found, problem=str(problem)), path, compare)
        return
    found = replace(found, status=str(run.status), ok=run.status.ok, cpu_s=process_time() - began)
    if not (compare and found.format in ENGINES):
        yield found, ""
        return
    found = replace(found, engine=ENGINES[found.format])
    yield found, f"{found.engine} was reading it when the time limit was reached."
    found = _counted(found, path, compare)
    yield found, f"{found.engine} was running it when the time limit was reached."
    yield _compared(found, path, model, run), ""


def _given_up(found: ImportedFile, path: Path, compare: bool) -> Iterator[tuple[ImportedFile, str]]:
    """A file that is not simulated; its own engine may have something to say."""
    yield found, ""
    yield _counted(found, path, compare), ""


def _counted(found: ImportedFile, path: Path, compare: bool) -> ImportedFile:
    if not (compare and found.format in ENGINES):
        return found
    try:
        return replace(found, freedoms=count_freedoms(ENGINES[found.format], path))
    except (NotInstalled, EngineFailed):
        return found


def _with_marks(model: Model) -> Model:
    """The mechanism with the marks that are compared on all its bodies with mass."""
    marks = {f"mark {name}": place for name, place in MARKS.items()}
    bodies = tuple(
        msgspec.structs.replace(body, points={**body.points, **marks}) if body.mass else body for body in model.bodies
    )
    return msgspec.structs.replace(model, bodies=bodies)


def _compared(found: ImportedFile, path: Path, model: Model, run: Trajectory) -> ImportedFile:
    assert found.engine is not None
    bodies = [body.name for body in model.bodies if body.mass]
    try:
        theirs = run_directly(found.engine, path, bodies, run.t, model.gravity)
    except (NotInstalled, EngineFailed) as problem:
        return replace(found, no_engine=f"{found.engine} has no result: {problem}")

    def ours(suffix: str) -> np.ndarray:
        names = [[[f"{b}.mark {m}.{x}{suffix}" for x in "xyz"] for m in MARKS] for b in theirs.bodies]
        return np.array([[[run[name] for name in mark] for mark in body] for body in names])

    places, pushes = np.moveaxis(ours(""), -1, 0), ours(".acceleration")[..., 0]
    size = max(float(np.linalg.norm(np.ptp(places, axis=(0, 1, 2)))), 1e-9)
    scale = max(float(np.max(np.abs(theirs.accelerations))), float(np.linalg.norm(model.gravity)), 1e-9)
    apart = np.max(np.linalg.norm(places - theirs.places, axis=-1), axis=(1, 2)) / size
    push = float(np.max(np.abs(pushes - theirs.accelerations))) / scale
    return replace(found, start=float(apart[0]), push=push, apart=float(np.max(apart)))
