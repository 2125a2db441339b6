"""Backups: everything in one file, from either kind of store into either kind."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from grashof.bench.databases import Place
from grashof.bench.messages import Excuse
from grashof.bench.store import MIGRATIONS, Store, new_measurement
from grashof.bench.subject import subject
from grashof.cli.app import app
from grashof.common.errors import ModelError
from tests.bench.test_databases import published
from tests.bench.test_store import HERE, THERE, measurement
from tests.postgres import PostgresServer

Places = Callable[[str], Place]


def filled(at: Place) -> Place:
    with Store(at) as store:
        for machine in (store.add_machine(THERE), store.add_machine(HERE)):
            store.add(measurement(machine))
            store.add(new_measurement(machine, subject("andrews"), "other", "", (), None, Excuse("absent", "No.")))
        store.supersede(machine, subject("andrews"), "engine")
        for number in (3, 1, 2):  # not in the order of their names
            store.publish(published(number), bytes([number]) * 100_000)
    return at


def content(at: Place) -> object:
    with Store(at) as store:
        files = [store.published_file(id) for id in store.published_ids()]
        return store.exported(), store.published(), files


def test_a_backup_is_restored_into_either_kind_of_store(
    place: Places, postgres: PostgresServer, tmp_path: Path
) -> None:
    at, backup = filled(place("r")), tmp_path / "b.sqlite"
    with Store(at) as store:
        count = store.back_up(backup)
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(("b", ".b"))] == ["b.sqlite"]
    bytes_before = backup.read_bytes()
    for new in (tmp_path / "new.sqlite", postgres.new()):
        with Store(new) as store:
            assert store.restore(backup) == count == 2 + 4 + 4 + 3 * 3  # published, on the board, and in the audit
        assert content(new) == content(at)
    assert backup.read_bytes() == bytes_before


def test_a_backup_is_of_one_moment_while_others_write(place: Places, tmp_path: Path) -> None:
    at, stop = filled(place("r")), threading.Event()

    def write() -> None:
        with Store(at) as own:
            machine, number = own.add_machine(HERE), 10
            while not stop.is_set():
                m = measurement(machine)
                own.add(m)
                own.publish(published(number), b"x")
                number += 1

    thread = threading.Thread(target=write)
    thread.start()
    try:
        for k in range(5):
            with Store(at) as store:
                store.back_up(tmp_path / f"{k}.sqlite")
    finally:
        stop.set()
        thread.join()
    for k in range(5):
        with Store(tmp_path / f"{k}.sqlite") as copy:
            found = copy.measurements(superseded=True)
            assert all(len(m.samples) == 2 for m in found if m.engine == "engine")  # no half of a transaction
            assert len(found) - 4 - (len(copy.published()) - 3) in (0, 1)


def test_a_store_with_results_is_not_restored_over(place: Places, tmp_path: Path) -> None:
    at = filled(place("r"))
    before = content(at)
    with Store(at) as store:
        store.back_up(tmp_path / "b.sqlite")
        with pytest.raises(ModelError, match="has results already; restore a backup into a new store"):
            store.restore(tmp_path / "b.sqlite")
        with pytest.raises(ModelError, match="exists already"):
            store.back_up(tmp_path / "b.sqlite")
        with pytest.raises(ModelError, match="no folder"):
            store.back_up(tmp_path / "none" / "b.sqlite")
    assert content(at) == before


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("DELETE FROM machines", "a row of measurements lacks its machines"),
        ("DROP TABLE samples", "is damaged"),
        ("PRAGMA user_version = 1000", "newer version"),
        ("PRAGMA application_id = 1", "another program"),
        (
            "UPDATE published SET file = zeroblob(10000000); PRAGMA writable_schema = ON; "
            "UPDATE sqlite_master SET rootpage = 3 WHERE name = 'published'",
            "is damaged",
        ),
    ],
)
def test_a_backup_that_is_damaged_restores_nothing(place: Places, tmp_path: Path, change: str, words: str) -> None:
    backup = tmp_path / "b.sqlite"
    with Store(filled(tmp_path / "r")) as store:
        store.back_up(backup)
    with sqlite3.connect(backup) as file:
        file.executescript(change)
    file.close()
    with Store(place("new")) as store:
        with pytest.raises(ModelError, match=words):
            store.restore(backup)
        assert store.counts() == (0, 0)
        assert store.machines() == {}


def test_a_backup_of_an_earlier_version_is_restored_and_stays_as_it_is(
    place: Places, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    backup = tmp_path / "old.sqlite"
    with monkeypatch.context() as earlier:
        earlier.setattr("grashof.bench.store.MIGRATIONS", MIGRATIONS[:2])
        with Store(tmp_path / "r") as store:
            m = measurement(store.add_machine(HERE))
            store.add(m)
            store.back_up(backup)
    before = backup.read_bytes()
    with Store(place("new")) as store:
        store.restore(backup)
        assert store.measurements() == [m]
    assert backup.read_bytes() == before


def test_the_command_shows_backs_up_and_restores(tmp_path: Path) -> None:
    filled(tmp_path / "r")

    def told(*arguments: str, code: int = 0) -> str:
        result = CliRunner().invoke(app, ["store", *arguments], catch_exceptions=False)
        assert result.exit_code == code
        return result.output

    assert "published results" in told("--store", str(tmp_path / "r"))
    assert "19 rows" in told("backup", str(tmp_path / "b"), "--store", str(tmp_path / "r"))
    assert "19 rows restored" in told("restore", str(tmp_path / "b"), "--store", str(tmp_path / "new"))
    assert content(tmp_path / "new") == content(tmp_path / "r")
    assert "needs the name of a file" in told("backup", code=2)
    assert "takes no file" in told("show", "x", code=2)
    assert "there are no results yet" in told("--store", str(tmp_path / "none"), code=2)
