"""Results, in one SQLite file or in a PostgreSQL database.

Every measurement is committed at once, so that a killed process loses none of them. Rows are never changed, only set
aside: repeating a measurement marks the older ones as superseded. A measurement has a unique identifier, so that
importing the same file twice adds nothing. Machines are distinguished by their facts, and every measurement belongs to
one.
"""

from __future__ import annotations

import hmac
import json
import os
import uuid
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, TypeVar

import msgspec

from grashof.bench.calibration import VERSION as CALIBRATION
from grashof.bench.databases import Given, Place, database_at, place_of
from grashof.bench.databases.base import UNREADABLE, DamagedError, Migrations
from grashof.bench.entries import (
    MIGRATION,
    REPRODUCTION,
    AuditRecord,
    Entry,
    Reproduction,
    add_entry,
    digest,
    entry_of,
)
from grashof.bench.machine import fingerprint
from grashof.bench.messages import BenchRung, Excuse, Judged, Sample, Seconds
from grashof.bench.subject import BenchSubject
from grashof.common.errors import ModelError

FORMAT = "grashof results"

Kind = TypeVar("Kind")

MIGRATIONS: Migrations = (
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
    MIGRATION,
    REPRODUCTION,
)
"""Statements that make a store of version k from one of version k − 1, in the dialect of SQLite. Only ever add to the
end."""


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

    cpu_s          the CPU time stated by its author, s, which is not verified
    command        that made it, as its author states it; empty if it is not stated
    reproduction   what came of running that again; None: it was not run
    """

    id: str
    made: str
    subject: BenchSubject
    tool: str
    author: str
    remark: str
    cpu_s: float | None
    verdict: dict[str, Any]
    command: str = ""
    reproduction: Reproduction | None = None


MEASURED = ", ".join((*Measurement.__struct_fields__[:10], "superseded"))
PUBLISHED = ", ".join(Published.__struct_fields__)
"""Columns of the tables, in the order of the fields; files of published results are apart."""


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


def default_store() -> Place:
    """`$GRASHOF_STORE`, a file or a URL, else `results.sqlite` in the folder of data."""
    chosen = os.environ.get("GRASHOF_STORE")
    return place_of(chosen) if chosen else data_folder() / "results.sqlite"


def data_folder() -> Path:
    """`grashof` in `$XDG_DATA_HOME` or `~/.local/share`."""
    try:
        return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "grashof"
    except RuntimeError:  # no HOME, and the user is unknown to the system
        raise ModelError(
            "There is no home folder to keep results in; give a file with --store or GRASHOF_STORE."
        ) from None


class Store:
    """The open store. Several processes may have it open."""

    def __init__(self, place: Given, *, create: bool = True) -> None:
        self._db = database_at(place, create=create)
        self.name = self._db.name
        try:
            self._db.migrate(MIGRATIONS)
            self._db.settle()
        except BaseException:
            self._db.close()
            raise

    def close(self) -> None:
        """Closes it."""
        self._db.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *problem: object) -> None:
        self.close()

    def add_machine(self, facts: Mapping[str, str]) -> str:
        """Stores the facts and returns their fingerprint."""
        with self._db.in_words():
            return self._add_machine(facts)

    def _add_machine(self, facts: Mapping[str, str]) -> str:
        name = fingerprint(facts)
        self._db.execute(
            "INSERT INTO machines (fingerprint, facts) VALUES (?, ?) ON CONFLICT DO NOTHING",
            (name, json.dumps(dict(facts))),
        )
        return name

    def machines(self) -> dict[str, dict[str, str]]:
        """Facts by fingerprint."""
        with self._db.in_words():
            rows = self._db.execute("SELECT fingerprint, facts FROM machines ORDER BY rowid")
            return {name: _data(facts, dict[str, str]) for name, facts in rows}

    def add(self, measurement: Measurement) -> bool:
        """Stores a measurement with its samples; False if it is already there."""
        with self._db.together():
            return self._add(measurement)

    def _add(self, m: Measurement) -> bool:
        added = self._db.execute(
            f"INSERT INTO measurements ({MEASURED}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
            (
                *(m.id, m.made, m.machine, _text(m.subject), m.engine, m.version, _text(m.notes), _text(m.setting)),
                *(_text(m.outcome), m.unit, int(m.superseded)),
            ),
        ).rowcount
        if added:
            for sample in m.samples:
                self._add_sample(m.id, sample)
        return bool(added)

    def add_sample(self, measurement: Measurement, sample: Sample) -> None:
        """Stores one more sample of a measurement."""
        with self._db.together():
            self._add_sample(measurement.id, sample)

    def _add_sample(self, id: str, sample: Sample) -> None:
        self._db.execute(
            "INSERT INTO samples (measurement, number, cpu_s, wall_s) "
            "SELECT ?, count(*), ?, ? FROM samples WHERE measurement = ?",
            (id, sample.cpu_s, sample.wall_s, id),
        )

    def supersede(self, machine: str, subject: BenchSubject, engine: str) -> None:
        """Sets aside the measurements of an engine and a problem on this machine, for any version of the engine."""
        with self._db.in_words():
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
        with self._db.in_words():
            samples: dict[str, list[Sample]] = {}
            for id, *times in self._db.execute(
                "SELECT measurement, cpu_s, wall_s FROM samples ORDER BY measurement, number"
            ):
                samples.setdefault(id, []).append(Sample(*msgspec.convert(times, tuple[Seconds, Seconds])))
            rows = self._db.execute(
                f"""SELECT {MEASURED} FROM measurements WHERE coalesce(machine = ?, TRUE)
                    AND coalesce(subject = ?, TRUE) AND coalesce(engine = ?, TRUE) AND superseded <= ?
                    ORDER BY rowid""",
                (machine, None if subject is None else _text(subject), engine, int(superseded)),
            )
            found = [_measurement(row, tuple(samples.get(row[0], ()))) for row in rows]
            unknown = {measurement.machine for measurement in found} - set(self.machines())
            if unknown:
                raise DamagedError(f"it has no facts about machine {min(unknown)}")
            return found

    def publish(self, result: Published, file: bytes, *, content: str = "", token: str = "") -> str:
        """Stores an uploaded result with its file, gzip, and returns its identifier: that of an older one with the same
        content, if there is one, which stays as it is.

        content   a digest of its numbers; by default its identifier
        token     what its owner knows
        """
        content = content or result.id
        with self._db.together():
            known = self._db.execute(
                "SELECT id FROM entries WHERE (problem = ? AND content = ?) OR id = ?",
                (result.subject.problem, content, result.id),
            ).fetchone()
            if known is not None:
                return msgspec.convert(known[0], str)
            row = (
                *(result.id, result.made, _text(result.subject), result.tool, result.author, result.remark),
                *(result.cpu_s, _text(result.verdict), result.command, _text(result.reproduction), file),
            )
            self._db.execute(f"INSERT INTO published ({PUBLISHED}, file) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
            entry = entry_of(msgspec.structs.asdict(result), result.verdict)
            add_entry(self._db, entry, content, digest(token))
            self._record(entry, "published", "")
            return result.id

    def entries(self, problem: str, most: int) -> list[Entry]:
        """The best entries of a problem: those that pass and agree first, then by their time."""
        with self._db.in_words():
            rows = self._db.execute(
                "SELECT entry FROM entries WHERE problem = ? ORDER BY poor, cost, rowid LIMIT ?", (problem, most)
            )
            return [_data(text, Entry) for (text,) in rows]

    def entry_counts(self) -> dict[str, int]:
        """How many entries each problem has."""
        with self._db.in_words():
            rows = self._db.execute("SELECT problem, count(*) FROM entries GROUP BY problem ORDER BY problem")
            return {msgspec.convert(problem, str): count for problem, count in rows}

    def recent_entries(self, most: int) -> list[Entry]:
        """The latest entries, newest first."""
        with self._db.in_words():
            rows = self._db.execute("SELECT entry FROM entries ORDER BY rowid DESC LIMIT ?", (most,))
            return [_data(text, Entry) for (text,) in rows]

    def entries_with_command(self) -> list[Entry]:
        """The entries whose authors state the command that made them, oldest first."""
        with self._db.in_words():
            rows = self._db.execute(
                "SELECT entry FROM entries WHERE json_extract(entry, '$.command') <> '' ORDER BY rowid"
            )
            return [_data(text, Entry) for (text,) in rows]

    def owns(self, id: str, token: str) -> bool:
        """Whether a token is that of an entry's owner."""
        with self._db.in_words():
            row = self._db.execute("SELECT owner FROM entries WHERE id = ?", (id,)).fetchone()
            return row is not None and bool(row[0]) and hmac.compare_digest(str(row[0]), digest(token))

    def remove(self, id: str, action: str, reason: str) -> bool:
        """Removes a published result, with its file, and records why; False if there is none."""
        with self._db.together():
            row = self._db.execute("SELECT entry FROM entries WHERE id = ?", (id,)).fetchone()
            if row is None:
                return False
            for table in ("entries", "published"):
                self._db.execute(f"DELETE FROM {table} WHERE id = ?", (id,))
            self._record(_data(row[0], Entry), action, reason)
            return True

    def mark(self, id: str, found: Reproduction) -> bool:
        """Keeps what came of running the command of a published result again; False if the result is gone."""
        with self._db.together():
            row = self._db.execute("SELECT entry FROM entries WHERE id = ?", (id,)).fetchone()
            if row is None:
                return False
            entry = msgspec.structs.replace(_data(row[0], Entry), reproduced=found.reproduced)
            self._db.execute("UPDATE entries SET entry = ? WHERE id = ?", (_text(entry), id))
            self._db.execute("UPDATE published SET reproduction = ? WHERE id = ?", (_text(found), id))
            self._record(entry, "reproduced" if found.reproduced else "not reproduced", found.sentence)
            return True

    def audit(self) -> list[AuditRecord]:
        """What was published, withdrawn, removed and reproduced, oldest first."""
        with self._db.in_words():
            rows = self._db.execute("SELECT id, made, action, reason, entry FROM audit ORDER BY rowid")
            names = AuditRecord.__struct_fields__
            found = [dict(zip(names, (*row[:4], _data(row[4], Entry)), strict=True)) for row in rows]
            return [msgspec.convert(x, AuditRecord) for x in found]

    def _record(self, entry: Entry, action: str, reason: str) -> None:
        made = datetime.now(UTC).isoformat(timespec="seconds")
        self._db.execute(
            "INSERT INTO audit (id, made, action, reason, entry) VALUES (?, ?, ?, ?, ?)",
            (entry.id, made, action, reason, _text(entry)),
        )

    def published(self, problem: str | None = None, id: str | None = None) -> list[Published]:
        """Uploaded results, oldest first."""
        with self._db.in_words():
            rows = self._db.execute(
                f"SELECT {PUBLISHED} FROM published WHERE coalesce(id = ?, TRUE) AND "
                "coalesce(json_extract(subject, '$.problem') = ?, TRUE) ORDER BY rowid",
                (id, problem),
            )
            found = [dict(zip(Published.__struct_fields__, row, strict=True)) for row in rows]
            encoded = ("subject", "verdict", "reproduction")
            decoded = [x | {name: _data(x[name], Any) for name in encoded} for x in found]
            return [msgspec.convert(x, Published) for x in decoded]

    def published_ids(self, problem: str | None = None) -> list[str]:
        """Identifiers of uploaded results, oldest first."""
        with self._db.in_words():
            rows = self._db.execute(
                "SELECT id FROM published WHERE coalesce(json_extract(subject, '$.problem') = ?, TRUE) ORDER BY rowid",
                (problem,),
            )
            return [msgspec.convert(id, str) for (id,) in rows]

    def published_file(self, id: str) -> bytes | None:
        """The file of an uploaded result, gzip; None if there is no such result."""
        with self._db.in_words():
            row = self._db.execute("SELECT file FROM published WHERE id = ?", (id,)).fetchone()
            return None if row is None else bytes(row[0])

    def size(self) -> int:
        """Bytes on the disk."""
        with self._db.in_words():
            return self._db.size

    def counts(self) -> tuple[int, int]:
        """How many measurements and published results there are, superseded ones included."""
        with self._db.in_words():
            tables = ("measurements", "published")
            found = [self._db.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in tables]
            return found[0], found[1]

    def back_up(self, path: Path) -> int:
        """Writes everything as it is at this moment to a new file, while others read and write; returns its rows."""
        from grashof.bench.databases.backup import back_up

        return back_up(self._db, path, MIGRATIONS)

    def restore(self, path: Path) -> int:
        """Fills this store, which must be empty, with everything in a backup; returns the number of rows."""
        from grashof.bench.databases.backup import restore

        return restore(self._db, path, MIGRATIONS)

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
                f"'{FORMAT}' up to version {len(MIGRATIONS)}."
            )
        for claimed, facts in content.machines.items():
            if claimed != fingerprint(facts):
                raise ModelError(
                    f"{name}: the facts of machine {claimed} do not match its fingerprint; the file was edited."
                )
        unknown = {m.machine for m in content.measurements} - set(content.machines)
        if unknown:
            raise ModelError(f"{name} has no facts about machine {min(unknown)}.")
        with self._db.together():
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


def _text(data: Any) -> str:
    return msgspec.json.encode(data, order="sorted").decode()
