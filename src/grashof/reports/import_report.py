"""A report on the model files of a folder: which are read, what was left out, and whether they move as they do in the
engine whose format they have.

Every file is tried in a separate process, which is ended at a time limit. It is read, built and simulated with default
settings, and its format's own engine, if installed, reads and runs the same file (`engines.direct`).
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from time import monotonic, process_time
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from grashof.common.errors import ModelError
from grashof.common.progress import Part, Progress, silent
from grashof.common.wording import seconds
from grashof.engines.base import EngineFailed, NotInstalled
from grashof.engines.direct import FORMATS as ENGINES
from grashof.engines.direct import MARKS, run_directly
from grashof.engines.orphans import end_with_parent
from grashof.exchange import FORMATS, Choices, find_format, load_file

if TYPE_CHECKING:
    from grashof.bench.sheets import Sheet
    from grashof.model.model import Model
    from grashof.motion.trajectory import Trajectory

SAME_PUSH = 1e-6
"""Accelerations at the start agree if they differ by at most this fraction of the largest one."""
SAME_WAY = 1e-5
"""Motions agree if places differ by at most this fraction of the size of the mechanism."""
OUTPUTS = 21
"""Number of times at which motions are compared."""
WITHOUT_LIMITS = ("URDF",)
"""Formats whose engine, Pinocchio, knows no limits of joints: files that are compared with it are read without them."""


@dataclass(frozen=True)
class ImportedFile:
    """What became of one file. Stages that were not reached are None.

    refused      the sentence with which reading it was refused, or None
    left_out     what was left out, one sentence each
    problem      why it could not be built
    status       how its run ended, and the CPU time of building and running it, s
    engine       the format's own engine; `no_engine` is the reason why there is no comparison
    start, push  the largest differences of the places at the start, in units of the size, and of the accelerations
                 there, in units of the largest one
    apart        the largest difference of the places at any time, in units of the size
    stopped      what it was doing when the time limit was reached, or when its process crashed
    """

    path: str
    format: str
    refused: str | None = None
    left_out: tuple[str, ...] = ()
    problem: str | None = None
    status: str | None = None
    ok: bool | None = None
    cpu_s: float | None = None
    engine: str | None = None
    no_engine: str | None = None
    start: float | None = None
    push: float | None = None
    apart: float | None = None
    stopped: str | None = None

    @property
    def outcome(self) -> str:
        """One word for the whole."""
        if self.stopped:
            return "stopped"
        if self.refused is not None:
            return "refused"
        if self.problem is not None:
            return "not built"
        if not self.ok:
            return "failed"
        if self.push is None or self.apart is None:
            return "runs"
        return "agrees" if self.push <= SAME_PUSH and self.apart <= SAME_WAY else "differs"

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of things that were left out."""
        return tuple(dict.fromkeys(map(kind_of, self.left_out)))

    def explain(self) -> str:
        """Why the outcome is not better, or what was compared."""
        if self.stopped:
            return self.stopped
        reason = self.refused or self.problem or (None if self.ok else self.status)
        if reason is not None:
            return reason
        if self.push is None or self.apart is None:
            return self.no_engine or ""
        return (
            f"{self.engine}: accelerations differ by {self.push:.1e}, places by {self.start:.1e} at the start and by "
            f"{self.apart:.1e} at most"
        )


def kind_of(sentence: str) -> str:
    """A sentence about something left out, without its place, names and numbers.

    >>> kind_of("line 12, Thelen2003Muscle 'soleus_r': a Thelen2003Muscle is not supported; it is left out.")
    'Thelen2003Muscle: a Thelen2003Muscle is not supported; it is left out.'
    >>> kind_of("joint 'knee': its range, -1.5 to 0.2 rad, is not simulated.")
    'joint: its range, # to # rad, is not simulated.'
    """
    text = re.sub(r"^line \d+, ", "", sentence)
    text = re.sub(r" ?'[^']*'(?=:)", "", text)
    text = re.sub(r"'[^']*'", "'…'", text)
    return re.sub(r"(?<![\w.])[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?![\w.]*\w)", "#", text)


@dataclass(frozen=True)
class ImportReport:
    """The files of a folder."""

    folder: str
    files: tuple[ImportedFile, ...]

    def formats(self) -> dict[str, dict[str, int]]:
        """Counts by format: `files`, those `read`, `whole` (read with nothing left out), `agree`, and outcomes."""
        found: dict[str, Counter[str]] = {}
        for file in self.files:
            counts = found.setdefault(file.format, Counter())
            counts["files"] += 1
            counts[file.outcome] += 1
            if file.refused is None and file.stopped != READING:
                counts["read"] += 1
                counts["whole"] += not file.left_out
        return {name: dict(counts) for name, counts in found.items()}

    def kinds(self) -> dict[str, dict[str, int]]:
        """By format, in how many files each kind of thing was left out, the most frequent first."""
        found: dict[str, Counter[str]] = {}
        for file in self.files:
            found.setdefault(file.format, Counter()).update(file.kinds)
        return {name: dict(counts.most_common()) for name, counts in found.items() if counts}

    def summary(self) -> list[str]:
        """One sentence for each format."""
        said = []
        for name, counts in self.formats().items():
            parts = [f"{counts.get('read', 0)} read", f"{counts.get('whole', 0)} of them with nothing left out"]
            parts += [f"{counts[word]} {word}" for word in OUTCOMES if counts.get(word)]
            said.append(f"{name}: {counts['files']} file{'s' * (counts['files'] != 1)}; {', '.join(parts)}.")
        return said

    def sheets(self) -> list[Sheet]:
        """As tables: the files, and what was left out."""
        from grashof.bench.sheets import Sheet

        rows = tuple(
            (
                file.path,
                file.outcome,
                str(len(file.left_out)) if file.refused is None else "–",
                "–" if file.cpu_s is None else seconds(file.cpu_s),
                _number(file.push),
                _number(file.apart),
            )
            for file in self.files
        )
        headings = ("file", "outcome", "left out", "CPU", "accelerations", "motion")
        why = tuple(f"{file.path}: {file.explain()}" for file in self.files if file.explain())
        found = [Sheet(f"Files in {self.folder}", headings, rows, (*self.summary(), *why))]
        left_out = [(kind, name, str(count)) for name, own in self.kinds().items() for kind, count in own.items()]
        if left_out:
            found.append(Sheet("What was left out", ("kind", "format", "files"), tuple(left_out)))
        return found

    def __str__(self) -> str:
        lines = [f"{file.path}: {file.outcome}. {file.explain()}".rstrip() for file in self.files]
        for name, kinds in self.kinds().items():
            lines += [f"left out of {count} {name} file{'s' * (count != 1)}: {kind}" for kind, count in kinds.items()]
        return "\n".join([*lines, *self.summary()])

    def as_dict(self) -> dict[str, Any]:
        """As plain data."""
        files = [asdict(file) | {"outcome": file.outcome, "kinds": list(file.kinds)} for file in self.files]
        return {"folder": self.folder, "files": files, "formats": self.formats(), "left_out": self.kinds()}


OUTCOMES = ("agrees", "differs", "runs", "failed", "not built", "refused", "stopped")
READING = "It was being read when the time limit was reached."


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.1e}"


def import_report(
    folder: str | os.PathLike[str],
    *,
    limit_s: float = 60.0,
    t_end: float = 1.0,
    compare: bool = True,
    progress: Progress = silent,
) -> ImportReport:
    """Tries every model file in a folder and in the folders below it (docs/exchange.md).

    limit_s   wall time in s after which the process that works on a file is ended; a script needs
              `if __name__ == "__main__"`, because there is such a process
    t_end     how long each mechanism is simulated, s of its motion
    compare   whether the format's own engine runs the files, too, if it is installed
    """
    base = Path(folder)
    if not base.is_dir():
        raise ModelError(f"{base}: there is no such folder.")
    if not (limit_s > 0.0 and t_end > 0.0):
        raise ModelError(f"The limit is {limit_s} s and the end time {t_end} s; both must be positive.")
    paths = sorted(path for path in base.rglob("*") if path.is_file() and find_format(path) is not None)
    if not paths:
        raise ModelError(f"{base}: there are no model files in it; their names end in {', '.join(FORMATS)}.")
    found = []
    with _Workshop(t_end, compare) as workshop:
        for k, path in enumerate(paths):
            name = path.relative_to(base).as_posix()
            progress(Part(k / len(paths), "reading model files", f"{k + 1} of {len(paths)}: {name}"))
            found.append(replace(workshop.examine(path, limit_s), path=name))
    return ImportReport(str(base), tuple(found))


# -- the process in which files are examined


@dataclass
class _Workshop:
    """A process that examines one file after another; it is replaced when it had to be ended."""

    t_end: float
    compare: bool
    _process: Any = None
    _line: Any = None
    _away: Any = field(default_factory=partial(get_context, "spawn"))

    def __enter__(self) -> _Workshop:
        return self

    def __exit__(self, *problem: object) -> None:
        self._end()

    def examine(self, path: Path, limit_s: float) -> ImportedFile:
        """The last that is known about a file when it is finished or the limit is reached."""
        if self._process is None:
            self._line, theirs = self._away.Pipe()
            self._process = self._away.Process(target=_work, args=(theirs, self.t_end, self.compare), daemon=True)
            self._process.start()
            theirs.close()
            self._line.recv()  # it has started
        form = find_format(path)
        assert form is not None
        found, doing = ImportedFile(str(path), form.name), READING
        self._line.send(path)
        end = monotonic() + limit_s
        while True:
            try:
                if not self._line.poll(max(0.0, end - monotonic())):
                    break
                answer = self._line.recv()
            except (EOFError, OSError):
                doing = doing.replace("the time limit was reached", "its process crashed")
                break
            if answer is None:
                return found
            found, doing = answer
        self._end()
        # if only the engine was still running, the file itself has been examined
        return replace(found, stopped=doing) if found.status is None else replace(found, no_engine=doing)

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
            path = line.recv()
        except EOFError:
            return
        for found in examine(path, t_end, compare):
            line.send(found)
        line.send(None)


def examine(path: Path, t_end: float, compare: bool) -> Iterator[tuple[ImportedFile, str]]:
    """What is known about a file, more and more, with what is done next."""
    from grashof.program import build
    from grashof.simulation.simulate import simulate

    form = find_format(path)
    assert form is not None
    found = ImportedFile(str(path), form.name)
    try:
        choices = Choices(limits="none") if compare and form.name in WITHOUT_LIMITS else Choices()
        loaded = load_file(path, choices=choices)
    except ModelError as problem:
        yield replace(found, refused=str(problem).removeprefix(f"{path}: ")), ""
        return
    found = replace(found, left_out=loaded.left_out)
    yield found, "It was being built when the time limit was reached."
    model, began = _with_marks(loaded.model), process_time()
    try:
        program = build(model)
    except ModelError as problem:
        yield replace(found, problem=str(problem)), ""
        return
    yield found, "It was being simulated when the time limit was reached."
    try:
        run = simulate(program, t_end, times=OUTPUTS)
    except ModelError as problem:
        yield replace(found, problem=str(problem)), ""
        return
    found = replace(found, status=str(run.status), ok=run.status.ok, cpu_s=process_time() - began)
    if not (compare and form.name in ENGINES):
        yield found, ""
        return
    found = replace(found, engine=ENGINES[form.name])
    yield found, f"{found.engine} was running it when the time limit was reached."
    yield _compared(found, path, model, run), ""


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
    scale = max(float(np.max(np.abs(theirs.accelerations))), 1e-9)
    apart = np.max(np.linalg.norm(places - theirs.places, axis=-1), axis=(1, 2)) / size
    push = float(np.max(np.abs(pushes - theirs.accelerations))) / scale
    return replace(found, start=float(apart[0]), push=push, apart=float(np.max(apart)))
