"""A report on the model files of a folder: which are read, what was left out, and whether they move as they do in the
engine whose format they have.

Every file is tried in a separate process, which is ended at a time limit. It is read, built and simulated with default
settings, and its format's own engine, if installed, reads and runs the same file (`engines.direct`). What was found can
be recorded, so that a report that was interrupted goes on where it ended.
"""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grashof._version import __version__
from grashof.common.errors import ModelError
from grashof.common.progress import Part, Progress, silent
from grashof.common.wording import seconds
from grashof.exchange import FORMATS, find_format
from grashof.reports.import_record import Record
from grashof.reports.import_workshop import Workshop
from grashof.reports.imported_file import SAME_PUSH, SAME_WAY, ImportedFile

if TYPE_CHECKING:
    from grashof.bench.sheets import Sheet

OUTCOMES = ("agrees", "differs", "runs", "failed", "not built", "refused", "stopped", "error")


@dataclass(frozen=True)
class ImportReport:
    """The files of a folder."""

    folder: str
    files: tuple[ImportedFile, ...]

    def formats(self) -> dict[str, dict[str, int]]:
        """Counts by format.

        `files`, those `read`, `whole` (read with nothing left out), and outcomes; of the files that move, in which the
        format's own engine finds freedoms: `move`, `move_read`, `move_whole` (nothing left out apart from contact and
        muscles); of those that were compared: `compared`, `same_start` and `same_motion`.
        """
        found: dict[str, Counter[str]] = {}
        for file in self.files:
            counts = found.setdefault(file.format, Counter())
            counts["files"] += 1
            counts[file.outcome] += 1
            if file.was_read:
                counts["read"] += 1
                counts["whole"] += not file.left_out
            if file.freedoms:
                counts["move"] += 1
                counts["move_read"] += file.was_read
                counts["move_whole"] += file.was_read and not file.lacks
            if file.push is not None and file.apart is not None:
                counts["compared"] += 1
                counts["same_start"] += file.push <= SAME_PUSH
                counts["same_motion"] += file.apart <= SAME_WAY
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
            if counts.get("move"):
                said.append(
                    f"{name}: the engine finds freedoms in {counts['move']}; of these {counts.get('move_read', 0)} are "
                    f"read, {counts.get('move_whole', 0)} with nothing left out apart from contact and muscles."
                )
            if counts.get("compared"):
                said.append(
                    f"{name}: {counts['compared']} compared; the accelerations at the start are equal to "
                    f"{SAME_PUSH:.0e} in {counts.get('same_start', 0)}, the motions to {SAME_WAY:.0e} in "
                    f"{counts.get('same_motion', 0)}."
                )
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


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.1e}"


def import_report(
    folder: str | os.PathLike[str],
    *,
    limit_s: float = 60.0,
    t_end: float = 1.0,
    compare: bool = True,
    sample: float = 1.0,
    record: str | os.PathLike[str] | None = None,
    progress: Progress = silent,
) -> ImportReport:
    """Tries every model file in a folder and in the folders below it (docs/exchange.md).

    limit_s   CPU time in s (or ten times as much on the clock) after which the process that works on a file is ended;
              a script needs `if __name__ == "__main__"`, because there is such a process
    t_end     how long each mechanism is simulated, s of its motion
    compare   whether the format's own engine runs the files, too, if it is installed
    sample    the fraction of the files that is tried, chosen by their names: the same ones every time
    record    a file to which every result is added as a line of JSON. Files that are in it already, with the same
              content and settings and from the same version, are not tried again
    """
    base = Path(folder)
    if not base.is_dir():
        raise ModelError(f"{base}: there is no such folder.")
    if not (limit_s > 0.0 and t_end > 0.0):
        raise ModelError(f"The limit is {limit_s} s and the end time {t_end} s; both must be positive.")
    if not 0.0 < sample <= 1.0:
        raise ModelError(f"The sample is {sample}; it is a fraction of the files, more than 0 and at most 1.")
    paths = sorted(path for path in base.rglob("*") if path.is_file() and _is_tried(path))
    names = {path: path.relative_to(base).as_posix() for path in paths}
    paths = [path for path in paths if _lot(names[path]) < sample]
    if not paths:
        raise ModelError(f"{base}: there are no model files in it; their names end in {', '.join(FORMATS)}.")
    notes = Record(record, f"{__version__}, {t_end!r} s, {'compared' if compare else 'alone'}, {limit_s!r} s")
    found = []
    with Workshop(t_end, compare) as workshop:
        for k, path in enumerate(paths):
            name = names[path]
            progress(Part(k / len(paths), "reading model files", f"{k + 1} of {len(paths)}: {name}"))
            known = notes.find(path, name)
            if known is None:
                known = replace(workshop.examine(path, limit_s), path=name)
                notes.add(path, known)
            found.append(known)
    return ImportReport(str(base), tuple(found))


def _is_tried(path: Path) -> bool:
    """Whether a file has a format that is read without executing parts of the file."""
    form = find_format(path)
    return form is not None and not form.runs_code


def _lot(name: str) -> float:
    """A number between 0 and 1 that depends on a name alone, as if it had been drawn."""
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:6], "big") / 2.0**48
