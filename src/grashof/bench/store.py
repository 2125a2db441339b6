"""Results in one SQLite file.

Every measurement is committed at once, so that a killed process loses none of them. Rows are never changed, only set
aside: repeating a measurement marks the older ones as superseded. A measurement has a unique identifier, so that
importing the same file twice adds nothing. Machines are distinguished by their facts, and every measurement belongs to
one.
"""

from __future__ import annotations

import json
import os
import sqlite3
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, TypeVar

import msgspec

from grashof.bench.calibration import VERSION as CALIBRATION
from grashof.bench.machine import fingerprint
from grashof.bench.messages import BenchRung, Excuse, Judged, Sample, Seconds
from grashof.bench.subject import BenchSubject
from grashof.common.errors import ModelError

APPLICATION = 0x47725368
"""Identifies files of this kind (SQLite's application_id)."""

FORMAT = "grashof results"

PATIENCE = 30.0
"""Seconds that another process may keep the file locked."""

KEPT = "Earlier measurements are kept, and the command can be repeated to continue."
DAMAGED = ("is damaged", "Move it away, or give another file with --store.")

UNREADABLE = (msgspec.MsgspecError, UnicodeError, RecursionError)
"""Exceptions raised for invalid JSON."""

Kind = TypeVar("Kind")

MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        """CREATE TABLE machines (
            fingerprint TEXT PRIMARY KEY,
            facts       TEXT NOT NULL                -- JSON
        ) STRICT""",
        """CREATE TABLE measurements (                -- one worker process each
            id         TEXT PRIMARY KEY,
            made       TEXT NOT NULL,                -- UTC
            machine    TEXT NOT NULL REFERENCES machines,
            subject    TEXT NOT NULL,                -- JSON: problem, variant, parameters
            engine     TEXT NOT NULL,
            version    TEXT NOT NULL,
            notes      TEXT NOT NULL,                -- JSON: how the engine is used
            setting    TEXT NOT NULL,                -- JSON: name, values, place in the ladder; null: nothing was run
            outcome    TEXT NOT NULL,                -- JSON: a message, judged or excuse
            unit       INTEGER NOT NULL              -- version of the calibration
        ) STRICT""",
        """CREATE TABLE samples (
            measurement TEXT NOT NULL REFERENCES measurements ON DELETE CASCADE,
            number      INTEGER NOT NULL,
            cpu_s       REAL NOT NULL,
            wall_s      REAL NOT NULL,
            PRIMARY KEY (measurement, number)
        ) STRICT, WITHOUT ROWID""",
        "CREATE INDEX by_engine ON measurements (machine, engine, version)",
    ),
    ("ALTER TABLE measurements ADD COLUMN superseded INTEGER NOT NULL DEFAULT 0",),
    (
        """CREATE TABLE published (                   -- results of any tool that people have uploaded
            id         TEXT PRIMARY KEY,             -- digest of the file and of what was said of it
            made       TEXT NOT NULL,                -- UTC
            subject    TEXT NOT NULL,                -- JSON: problem, variant, parameters
            tool       TEXT NOT NULL,
            author     TEXT NOT NULL,
            remark     TEXT NOT NULL,
            cpu_s      REAL,                         -- as reported by the author; NULL: not reported
            verdict    TEXT NOT NULL,                -- JSON: what the judge said
            file       BLOB NOT NULL                 -- gzip
        ) STRICT""",
    ),
)
"""Statements that make a file of version k from one of version k − 1 (PRAGMA user_version). Only ever add to the
end."""


class StoreError(ModelError):
    """The store cannot be read or written; the text names its file and says what to do."""


class Measurement(msgspec.Struct, frozen=True):
    """One worker process and its result.

    setting  None if the engine could not be run at all
    outcome  the judged first run, or why there is none
    unit     version of the calibration kernel
    samples  the integrations after the first run
    """

    id: str
    made: str
    machine: str
    subject: BenchSubject
    engine: str
    version: str
    notes: tuple[str, ...]
    setting: BenchRung | None
    outcome: Judged | Excuse
    unit: Annotated[int, msgspec.Meta(ge=0, lt=2**31)]
    samples: tuple[Sample, ...] = ()
    superseded: bool = False

    @property
    def done(self) -> bool:
        """Whether it is complete, and was not interrupted before its first sample."""
        return bool(self.samples) or isinstance(self.outcome, Excuse)


class Published(msgspec.Struct, frozen=True):
    """An uploaded result of any tool, with the judge's verdict on it.

    cpu_s   the CPU time stated by its author, s, which is not verified
    """

    id: str
    made: str
    subject: BenchSubject
    tool: str
    author: str
    remark: str
    cpu_s: float | None
    verdict: dict[str, Any]


def new_measurement(
    machine: str,
    subject: BenchSubject,
    engine: str,
    version: str,
    notes: Sequence[str],
    setting: BenchRung | None,
    outcome: Judged | Excuse,
) -> Measurement:
    """A measurement made now."""
    made = datetime.now(UTC).isoformat(timespec="seconds")
    return Measurement(
        uuid.uuid4().hex, made, machine, subject, engine, version, tuple(notes), setting, outcome, CALIBRATION
    )


def default_store() -> Path:
    """`$GRASHOF_STORE`, else `grashof/results.sqlite` in `$XDG_DATA_HOME` or `~/.local/share`."""
    chosen = os.environ.get("GRASHOF_STORE")
    if chosen:
        return Path(chosen)
    try:
        return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "grashof" / "results.sqlite"
    except RuntimeError:  # no HOME, and the user is unknown to the system
        raise ModelError(
            "There is no home folder to keep results in; give a file with --store or GRASHOF_STORE."
        ) from None


class Store:
    """The open file. Several processes may have it open."""

    def __init__(self, path: str | os.PathLike[str], *, create: bool = True) -> None:
        self.path = Path(path)
        if not self.path.exists():
            if not create:
                raise ModelError(f"{self.path}: there are no results yet; run `grashof bench` to measure some.")
            self.path.parent.mkdir(parents=True, exist_ok=True)
        with self._in_words():
            # autocommit: each statement is a transaction of its own unless `_together` makes one of several
            self._db = sqlite3.connect(self.path, timeout=PATIENCE, isolation_level=None)
            try:
                self._open()
            except BaseException:
                self._db.close()
                raise

    def close(self) -> None:
        """Closes the file."""
        self._db.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *problem: object) -> None:
        self.close()

    def _open(self) -> None:
        """Checks that the file is of this kind, and migrates it to the current version; a current one is only read."""
        self._db.execute("PRAGMA trusted_schema = OFF")  # a file of others may define what is run when it is read
        if (self._pragma("user_version"), self._pragma("application_id")) != (len(MIGRATIONS), APPLICATION):
            self._migrate()
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = FULL")
        self._db.execute("PRAGMA foreign_keys = ON")

    def _migrate(self) -> None:
        with self._together():
            version, application = self._pragma("user_version"), self._pragma("application_id")
            tables = self._db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
            if tables and application != APPLICATION:
                raise StoreError(f"{self.path} is a database of another program; give another file with --store.")
            if version < 0:
                raise sqlite3.DatabaseError(f"its version is {version}")
            if version > len(MIGRATIONS):
                raise StoreError(
                    f"{self.path} was written by a newer version of Grashof (file version {version}; this one "
                    "reads up to "
                    f"{len(MIGRATIONS)}); update Grashof, or give another file with --store."
                )
            for statements in MIGRATIONS[version:]:
                for statement in statements:
                    self._db.execute(statement)
            self._db.execute(f"PRAGMA application_id = {APPLICATION}")
            self._db.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")

    def _pragma(self, name: str) -> int:
        return int(self._db.execute(f"PRAGMA {name}").fetchone()[0])

    @contextmanager
    def _together(self) -> Iterator[None]:
        """A transaction: all or nothing, with other writers locked out."""
        with self._in_words():
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._db.execute("COMMIT")
            except BaseException:
                with suppress(sqlite3.Error):  # a full disk has ended the transaction already
                    self._db.execute("ROLLBACK")
                raise

    @contextmanager
    def _in_words(self) -> Iterator[None]:
        """Turns errors of the file into sentences."""
        try:
            yield
        except sqlite3.Error as problem:
            found, advice = _explain_error(problem)
            raise StoreError(f"{self.path} {found} ({problem}). {advice}") from None
        except UNREADABLE as problem:
            found, advice = DAMAGED
            raise StoreError(f"{self.path} {found} ({problem}). {advice}") from None

    def add_machine(self, facts: Mapping[str, str]) -> str:
        """Stores the facts and returns their fingerprint."""
        with self._in_words():
            return self._add_machine(facts)

    def _add_machine(self, facts: Mapping[str, str]) -> str:
        name = fingerprint(facts)
        self._db.execute("INSERT OR IGNORE INTO machines VALUES (?, ?)", (name, json.dumps(dict(facts))))
        return name

    def machines(self) -> dict[str, dict[str, str]]:
        """Facts by fingerprint."""
        with self._in_words():
            rows = self._db.execute("SELECT * FROM machines ORDER BY rowid")
            return {name: _data(facts, dict[str, str]) for name, facts in rows}

    def add(self, measurement: Measurement) -> bool:
        """Stores a measurement with its samples; False if it is already there."""
        with self._together():
            return self._add(measurement)

    def _add(self, m: Measurement) -> bool:
        added = self._db.execute(
            "INSERT OR IGNORE INTO measurements VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                *(m.id, m.made, m.machine, _text(m.subject), m.engine, m.version, _text(m.notes), _text(m.setting)),
                *(_text(m.outcome), m.unit, m.superseded),
            ),
        ).rowcount
        if added:
            for sample in m.samples:
                self._add_sample(m.id, sample)
        return bool(added)

    def add_sample(self, measurement: Measurement, sample: Sample) -> None:
        """Stores one more sample of a measurement."""
        with self._together():
            self._add_sample(measurement.id, sample)

    def _add_sample(self, id: str, sample: Sample) -> None:
        self._db.execute(
            "INSERT INTO samples SELECT ?, count(*), ?, ? FROM samples WHERE measurement = ?",
            (id, sample.cpu_s, sample.wall_s, id),
        )

    def supersede(self, machine: str, subject: BenchSubject, engine: str) -> None:
        """Sets aside the measurements of an engine and a problem on this machine, for any version of the engine."""
        with self._in_words():
            self._db.execute(
                "UPDATE measurements SET superseded = 1 WHERE machine = ? AND subject = ? AND engine = ?",
                (machine, _text(subject), engine),
            )

    def measurements(
        self,
        *,
        machine: str | None = None,
        subject: BenchSubject | None = None,
        engine: str | None = None,
        superseded: bool = False,
    ) -> list[Measurement]:
        """The measurements in the file, oldest first; superseded ones only on request."""
        with self._in_words():
            samples: dict[str, list[Sample]] = {}
            for id, *times in self._db.execute(
                "SELECT measurement, cpu_s, wall_s FROM samples ORDER BY measurement, number"
            ):
                samples.setdefault(id, []).append(Sample(*msgspec.convert(times, tuple[Seconds, Seconds])))
            rows = self._db.execute(
                """SELECT * FROM measurements WHERE ifnull(machine = ?, 1) AND ifnull(subject = ?, 1)
                   AND ifnull(engine = ?, 1) AND superseded <= ? ORDER BY rowid""",
                (machine, None if subject is None else _text(subject), engine, superseded),
            )
            found = [_measurement(row, tuple(samples.get(row[0], ()))) for row in rows]
            unknown = {measurement.machine for measurement in found} - set(self.machines())
            if unknown:
                raise sqlite3.DatabaseError(f"it has no facts about machine {min(unknown)}")
            return found

    def publish(self, result: Published, file: bytes) -> bool:
        """Stores an uploaded result with its file, gzip; False if it is already there."""
        with self._together():
            row = (
                result.id,
                result.made,
                _text(result.subject),
                result.tool,
                result.author,
                result.remark,
                result.cpu_s,
            )
            added = self._db.execute(
                "INSERT OR IGNORE INTO published VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (*row, _text(result.verdict), file),
            )
            return bool(added.rowcount)

    def published(self, problem: str | None = None, id: str | None = None) -> list[Published]:
        """Uploaded results, oldest first."""
        columns = ", ".join(Published.__struct_fields__)
        with self._in_words():
            rows = self._db.execute(
                f"SELECT {columns} FROM published WHERE ifnull(id = ?, 1) AND "
                "ifnull(json_extract(subject, '$.problem') = ?, 1) ORDER BY rowid",
                (id, problem),
            )
            found = [dict(zip(Published.__struct_fields__, row, strict=True)) for row in rows]
            decoded = [{**x, "subject": _data(x["subject"], Any), "verdict": _data(x["verdict"], Any)} for x in found]
            return [msgspec.convert(x, Published) for x in decoded]

    def published_ids(self, problem: str | None = None) -> list[str]:
        """Identifiers of uploaded results, oldest first."""
        with self._in_words():
            rows = self._db.execute(
                "SELECT id FROM published WHERE ifnull(json_extract(subject, '$.problem') = ?, 1) ORDER BY rowid",
                (problem,),
            )
            return [msgspec.convert(id, str) for (id,) in rows]

    def published_file(self, id: str) -> bytes | None:
        """The file of an uploaded result, gzip; None if there is no such result."""
        with self._in_words():
            row = self._db.execute("SELECT file FROM published WHERE id = ?", (id,)).fetchone()
            return None if row is None else bytes(row[0])

    def size(self) -> int:
        """Bytes on the disk."""
        files = (self.path, self.path.with_name(f"{self.path.name}-wal"))
        return sum(file.stat().st_size for file in files if file.exists())

    def exported(self) -> bytes:
        """Everything in the file as JSON, including raw samples and superseded measurements."""
        content = Content(FORMAT, len(MIGRATIONS), self.machines(), tuple(self.measurements(superseded=True)))
        return msgspec.json.format(msgspec.json.encode(content), indent=1) + b"\n"

    def imported(self, data: bytes, name: str) -> int:
        """Adds the measurements of an export that are not there yet; returns their number."""
        try:
            content = msgspec.json.decode(data, type=Content)
        except UNREADABLE as problem:
            raise ModelError(f"{name} is not an export of results: {problem}.") from None
        if content.format != FORMAT or content.version > len(MIGRATIONS):
            raise ModelError(
                f"{name} contains '{content.format}', version {content.version}; this version of Grashof reads "
                f"'{FORMAT}' up to "
                f"version {len(MIGRATIONS)}."
            )
        for claimed, facts in content.machines.items():
            if claimed != fingerprint(facts):
                raise ModelError(
                    f"{name}: the facts of machine {claimed} do not match its fingerprint; the file was edited."
                )
        unknown = {m.machine for m in content.measurements} - set(content.machines)
        if unknown:
            raise ModelError(f"{name} has no facts about machine {min(unknown)}.")
        with self._together():
            for facts in content.machines.values():
                self._add_machine(facts)
            return sum(self._add(measurement) for measurement in content.measurements)


class Content(msgspec.Struct, frozen=True):
    """An export."""

    format: str
    version: int
    machines: dict[str, dict[str, str]]
    measurements: tuple[Measurement, ...]


def _measurement(row: Sequence[Any], samples: tuple[Sample, ...]) -> Measurement:
    """A measurement from a row of the table; raises msgspec's exceptions if it is damaged."""
    data = dict(zip(Measurement.__struct_fields__, row[:10], strict=False))
    for name in ("subject", "notes", "setting", "outcome"):
        data[name] = _data(data[name], Any)
    return msgspec.convert({**data, "samples": samples, "superseded": row[10] != 0}, Measurement)


def _data(text: Any, kind: type[Kind]) -> Kind:
    """The content of a JSON column; in a damaged file it may be of any type."""
    return msgspec.json.decode(msgspec.convert(text, str), type=kind)


def _explain_error(problem: sqlite3.Error) -> tuple[str, str]:
    """What is wrong with the file, and what to do, as sentences."""
    match getattr(problem, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF:
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return f"has been locked by another process for {PATIENCE:g} s", f"Wait until that has ended. {KEPT}"
        case sqlite3.SQLITE_FULL:
            return "cannot be written because the disk is full", f"Make room. {KEPT}"
        case sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_READONLY | sqlite3.SQLITE_PERM | sqlite3.SQLITE_IOERR:
            return "cannot be opened or written", f"Give another file with --store. {KEPT}"
        case sqlite3.SQLITE_NOTADB:
            return "is not a file of results", "Give another one with --store."
    return DAMAGED


def _text(data: Any) -> str:
    return msgspec.json.encode(data, order="sorted").decode()
