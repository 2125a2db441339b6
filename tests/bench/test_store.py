"""Results survive: other versions of the file, other machines, import and export."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from typer.testing import CliRunner

from grashof.bench.databases import APPLICATION, Place
from grashof.bench.messages import BenchRung, Excuse, Judged, Sample
from grashof.bench.store import MIGRATIONS, Measurement, Store, default_store, new_measurement
from grashof.bench.subject import BenchSubject, subject
from grashof.cli.app import app
from grashof.common.errors import ModelError

Places = Callable[[str], Place]

HERE = {"processor": "A", "cores": "2", "system": "S", "python": "3"}
THERE = {**HERE, "processor": "B"}
ANDREWS = subject("andrews")


def measurement(machine: str, *, about: BenchSubject = ANDREWS, cpu: tuple[float, ...] = (0.5, 0.25)) -> Measurement:
    judged = Judged(0.1, 0.2, 0.7, 0.01, 100, True, 1e-6, 1e-5, {"passes": True, "digits": {"x_F": 5.0}})
    made = new_measurement(
        machine, about, "engine", "1.0", ("A note.",), BenchRung("tol = 1e-3", {"tol": 1e-3}, 3), judged
    )
    return msgspec.structs.replace(made, samples=tuple(Sample(x, 2.0 * x) for x in cpu))


def test_what_is_put_in_comes_out(place: Places) -> None:
    with Store(place("new")) as store:
        machine = store.add_machine(HERE)
        m = measurement(machine)
        assert store.add(m)
        store.add_sample(m, Sample(0.125, 0.25))
        excuse = new_measurement(machine, ANDREWS, "other", "", (), None, Excuse("absent", "It is not here."))
        store.add(excuse)
    with Store(place("new")) as store:
        found, other = store.measurements()
        assert found == msgspec.structs.replace(m, samples=(*m.samples, Sample(0.125, 0.25)))
        assert other == excuse
        assert store.machines() == {machine: HERE}


def test_results_are_chosen_by_machine_problem_and_engine(place: Places) -> None:
    with Store(place("r")) as store:
        here, there = store.add_machine(HERE), store.add_machine(THERE)
        for m in (measurement(here), measurement(there), measurement(here, about=subject("n-four-bar:N=3"))):
            store.add(m)
        assert here != there
        assert [m.machine for m in store.measurements(machine=there)] == [there]
        assert [m.subject.label for m in store.measurements(subject=subject("n-four-bar:N=3"))] == ["n-four-bar N=3"]
        assert store.measurements(engine="none such") == []


def test_superseding_sets_aside_and_loses_nothing(place: Places) -> None:
    with Store(place("r")) as store:
        here, there = store.add_machine(HERE), store.add_machine(THERE)
        store.add(measurement(here))
        store.add(measurement(there))
        store.supersede(here, ANDREWS, "engine")
        assert [m.machine for m in store.measurements()] == [there]
        assert len(store.measurements(superseded=True)) == 2


def test_an_export_read_in_elsewhere_is_the_same_and_only_once(place: Places) -> None:
    with Store(place("a")) as a, Store(place("b")) as b:
        a.add(measurement(a.add_machine(HERE)))
        b.add(measurement(b.add_machine(THERE)))
        data = a.exported()
        assert b.imported(data, "a.json") == 1
        assert b.imported(data, "a.json") == 0
        assert len(b.machines()) == 2
        assert [m for m in b.measurements() if m.machine == a.measurements()[0].machine] == a.measurements()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda data: data.update(format="something"), "contains 'something'"),
        (lambda data: data.update(version=99), "version 99"),
        (lambda data: next(iter(data["machines"].values())).update(cores="64"), "do not match its fingerprint"),
        (lambda data: data.update(machines={}), "has no facts about machine"),
        (lambda data: data.pop("measurements"), "not an export of results"),
    ],
)
def test_an_export_that_is_not_one_is_refused_whole(place: Places, change: object, words: str) -> None:
    assert callable(change)
    with Store(place("a")) as store:
        store.add(measurement(store.add_machine(HERE)))
        data = json.loads(store.exported())
    change(data)
    with Store(place("b")) as store:
        with pytest.raises(ModelError, match=words):
            store.imported(json.dumps(data).encode(), "a.json")
        assert store.measurements() == []


def test_a_file_of_the_first_version_is_brought_up_to_date(tmp_path: Path) -> None:
    path = tmp_path / "old.sqlite"
    with Store(tmp_path / "new.sqlite") as store:
        m = measurement(store.add_machine(HERE))
        store.add(m)
    old, new = sqlite3.connect(path), sqlite3.connect(tmp_path / "new.sqlite")
    for statement in MIGRATIONS[0]:
        old.execute(statement)
    for table in ("machines", "measurements", "samples"):
        columns = [row[1] for row in old.execute(f"PRAGMA table_info({table})")]
        rows = new.execute(f"SELECT {', '.join(columns)} FROM {table}").fetchall()
        old.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(columns))})", rows)
    old.execute(f"PRAGMA application_id = {APPLICATION}")
    old.execute("PRAGMA user_version = 1")
    old.commit()
    old.close()
    with Store(path) as store:
        assert store.measurements() == [m]
        store.supersede(m.machine, m.subject, m.engine)
        assert store.measurements() == []
    check = sqlite3.connect(path)
    assert check.execute("PRAGMA user_version").fetchone() == (len(MIGRATIONS),)
    assert check.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_files_of_others_and_of_the_future_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("not a database at all, just some words that fill more than a header " * 20)
    with pytest.raises(ModelError, match="not a file of results"):
        Store(tmp_path / "text")
    other = sqlite3.connect(tmp_path / "other")
    other.execute("CREATE TABLE mine (x)")
    other.close()
    with pytest.raises(ModelError, match="database of another program"):
        Store(tmp_path / "other")
    Store(tmp_path / "future").close()
    future = sqlite3.connect(tmp_path / "future")
    future.execute("PRAGMA user_version = 1000")
    future.close()
    with pytest.raises(ModelError, match="newer version of Grashof"):
        Store(tmp_path / "future")
    with pytest.raises(ModelError, match="cannot be opened"):
        Store(tmp_path)
    with pytest.raises(ModelError, match="no results yet"):
        Store(tmp_path / "none", create=False)


def test_a_current_file_is_opened_and_read_while_another_process_writes(tmp_path: Path) -> None:
    path = tmp_path / "results.sqlite"
    with Store(path) as store:
        store.add_machine(HERE)
    writer = sqlite3.connect(path, isolation_level=None)
    writer.execute("BEGIN IMMEDIATE")  # a reader that wrote to the file would wait for this and then give up
    with Store(path) as store:
        assert list(store.machines().values()) == [HERE]
    writer.close()


def test_a_locked_file_is_told_and_so_is_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grashof.bench.databases.base.PATIENCE", 0.01)
    with Store(tmp_path / "r") as store:
        machine = store.add_machine(HERE)
        other = sqlite3.connect(tmp_path / "r", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(ModelError, match=r"r has been locked by another process for 0\.01 s .*are kept"):
            store.add(measurement(machine))
        other.execute("ROLLBACK")
        other.close()
        pages = store._db.execute("PRAGMA page_count").fetchone()[0]
        store._db.execute(f"PRAGMA max_page_count = {pages}")
        large = msgspec.structs.replace(measurement(machine), notes=("word " * 10_000,))
        with pytest.raises(ModelError, match="r cannot be written because the disk is full"):
            store.add(large)
        store._db.execute("PRAGMA max_page_count = 100000")
        before = len(store.measurements())
        store.add(measurement(machine))
        assert len(store.measurements()) == before + 1


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE measurements SET outcome = '{'",
        "UPDATE measurements SET outcome = '{}'",
        f"UPDATE measurements SET outcome = '{'[' * 100_000}'",
        "UPDATE measurements SET subject = '[]'",
        "UPDATE measurements SET notes = CAST(x'ff' AS TEXT)",
        "UPDATE machines SET facts = '[1]'",
        "UPDATE machines SET fingerprint = 'x'",
        "UPDATE measurements SET unit = -1",
        "UPDATE samples SET cpu_s = -1.0",
        "UPDATE samples SET wall_s = 9e999",
        "DROP TABLE samples",
        "PRAGMA user_version = -1",
    ],
)
def test_a_damaged_file_is_told(tmp_path: Path, change: str) -> None:
    with Store(tmp_path / "r") as store:
        store.add(measurement(store.add_machine(HERE)))
    with sqlite3.connect(tmp_path / "r") as db:
        db.execute(change)
    db.close()
    with pytest.raises(ModelError, match="r is damaged"), Store(tmp_path / "r") as store:
        store.exported()


def test_no_home_folder_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown() -> Path:
        raise RuntimeError

    for name in ("GRASHOF_STORE", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", unknown)
    with pytest.raises(ModelError, match="no home folder"):
        default_store()


@pytest.mark.parametrize("depth", [500, 950, 3000, 100_000])
def test_an_export_of_any_depth_is_read_or_refused(tmp_path: Path, depth: int) -> None:
    with Store(tmp_path / "a") as store:
        store.add(measurement(store.add_machine(HERE)))
        data = store.exported().replace(b'"passes": true', b'"passes": true, "x": ' + b"[" * depth + b"]" * depth, 1)
    (tmp_path / "a.json").write_bytes(data)
    arguments = ["results", "--import", str(tmp_path / "a.json"), "--store", str(tmp_path / "b")]
    for more in ([], ["--format", "json"], ["--export", str(tmp_path / "c.json")]):
        result = CliRunner().invoke(app, [*arguments, *more], catch_exceptions=False)
        assert result.exit_code == (0 if depth == 500 else 2 if depth > 1000 else result.exit_code)
