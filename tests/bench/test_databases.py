"""A store is the same in a file and in PostgreSQL; troubles of the database are told in words."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from typer.testing import CliRunner

from grashof.bench.databases import Place, base
from grashof.bench.messages import Sample
from grashof.bench.store import MIGRATIONS, Published, Store
from grashof.bench.subject import subject
from grashof.cli.app import app
from grashof.common.errors import ModelError
from tests.bench.test_store import HERE, measurement
from tests.postgres import PostgresServer

Places = Callable[[str], Place]


def published(number: int, problem: str = "andrews") -> Published:
    return Published(
        f"{number:032x}",
        "2026-01-01T00:00:00+00:00",
        subject(problem),
        f"tool {number} % ? 'quoted' ∂",
        "",
        "remark",
        None if number % 2 else 0.25,
        {"rule": {"passes": True}, "plots": [1.5, None, "\u0000"]},
    )


def test_published_results_come_out_as_they_went_in(place: Places) -> None:
    with Store(place("r")) as store:
        results = [published(1), published(2, "n-four-bar:N=3"), published(3)]
        for number, result in enumerate(results):
            assert store.publish(result, bytes([number, 0, 255])) == result.id
        assert store.publish(results[0], b"other") == results[0].id
        assert store.published() == results
        assert store.published(id=results[1].id) == [results[1]]
        assert store.published(problem="andrews") == [results[0], results[2]]
        assert store.published_ids("n-four-bar") == [results[1].id]
        assert store.published_ids() == [result.id for result in results]
        assert store.published_file(results[2].id) == bytes([2, 0, 255])
        assert store.published_file("none such") is None
        assert store.size() > 0


def test_one_file_is_one_entry_which_its_owner_alone_withdraws(place: Places) -> None:
    with Store(place("r")) as store:
        first, again, other = published(1), published(2), published(3, "double-four-bar")
        assert store.publish(first, b"", content="numbers", token="mine") == first.id
        assert store.publish(again, b"", content="numbers", token="yours") == first.id
        assert store.publish(other, b"", content="numbers", token="yours") == other.id  # of another problem
        assert [x.id for x in store.recent_entries(5)] == [other.id, first.id]
        assert store.entry_counts() == {"andrews": 1, "double-four-bar": 1}
        assert store.owns(first.id, "mine")
        assert not any(store.owns(first.id, token) for token in ("yours", "", "none such"))
        assert not store.owns(published(4).id, "mine")
        assert store.remove(first.id, "withdrawn", "a mistake")
        assert not store.remove(first.id, "withdrawn", "")
        assert store.published("andrews") == []
        assert store.published_file(first.id) is None
        assert [(x.action, x.id, x.reason, x.entry.tool) for x in store.audit()] == [
            ("published", first.id, "", first.tool),
            ("published", other.id, "", other.tool),
            ("withdrawn", first.id, "a mistake", first.tool),
        ]
        assert store.publish(again, b"", content="numbers") == again.id  # what was withdrawn keeps nobody out
        assert not store.owns(again.id, "")  # without a token, it has no owner


def test_entries_are_ranked_by_verdict_and_time(place: Places) -> None:
    def told(number: int, passes: bool, cpu_s: float | None) -> Published:
        verdict = {"rule": {"passes": passes, "error_J": 1.0}, "reference": {"agrees": passes, "deviation": 1e-9}}
        return msgspec.structs.replace(published(number), verdict=verdict, cpu_s=cpu_s)

    with Store(place("r")) as store:
        for number, (passes, cpu_s) in enumerate([(False, 0.1), (True, None), (True, 2.0), (True, 1.0), (False, 0.2)]):
            store.publish(told(number, passes, cpu_s), b"")
        assert [int(x.id) for x in store.entries("andrews", 4)] == [3, 2, 1, 0]
        assert store.entries("andrews", 1)[0].deviation == 1e-9


def test_several_writers_take_turns(place: Places) -> None:
    at = place("r")
    with Store(at) as store:
        m = measurement(store.add_machine(HERE), cpu=())
        store.add(m)

    def write(number: int) -> None:
        with Store(at) as own:
            for k in range(10):
                own.add_sample(m, Sample(number + 0.01 * k, 1.0))
                own.publish(published(100 * number + k), b"file")

    threads = [threading.Thread(target=write, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with Store(at) as store:
        assert sorted(x.cpu_s for x in store.measurements()[0].samples) == [
            n + 0.01 * k for n in range(4) for k in range(10)
        ]
        assert len(store.published()) == 40


def test_a_transaction_that_fails_leaves_nothing(place: Places) -> None:
    with Store(place("r")) as store:
        m = measurement(store.add_machine(HERE))
        with pytest.raises(AttributeError):
            store.add(msgspec.structs.replace(m, samples=(*m.samples, None)))  # type: ignore[arg-type]
        assert store.measurements() == []
        store.add(m)
        assert store.measurements() == [m]


def test_a_measurement_of_an_unknown_machine_is_refused(place: Places) -> None:
    with Store(place("r")) as store, pytest.raises(ModelError, match="is damaged"):
        store.add(measurement("unknown"))


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE measurements SET outcome = '{'",
        "UPDATE measurements SET subject = '[]'",
        "UPDATE measurements SET unit = -1",
        "UPDATE samples SET cpu_s = -1.0",
        "UPDATE samples SET wall_s = 'NaN'",
        "DROP TABLE samples",
        "ALTER TABLE measurements DROP COLUMN engine",
        "UPDATE grashof_store SET version = -1",
        "DELETE FROM grashof_store",
    ],
)
def test_a_damaged_database_is_told(postgres: PostgresServer, change: str) -> None:
    url = postgres.new()
    with Store(url) as store:
        store.add(measurement(store.add_machine(HERE)))
    postgres.tell(change, url)
    with pytest.raises(ModelError, match="is damaged"), Store(url) as store:
        store.exported()


def test_databases_of_others_and_of_the_future_are_left_alone(postgres: PostgresServer) -> None:
    other, future, empty = postgres.new(), postgres.new(), postgres.new()
    postgres.tell("CREATE TABLE mine (x INTEGER)", other)
    with pytest.raises(ModelError, match="database of another program"):
        Store(other)
    Store(future).close()
    postgres.tell("UPDATE grashof_store SET version = 1000", future)
    with pytest.raises(ModelError, match="newer version of Grashof"):
        Store(future)
    with pytest.raises(ModelError, match="no results yet"):
        Store(empty, create=False)
    assert postgres.tell("SELECT count(*) FROM pg_tables WHERE schemaname = current_schema()", empty) == [(0,)]


def test_a_database_of_an_earlier_version_is_brought_up_to_date(
    postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = postgres.new()
    with monkeypatch.context() as earlier:
        earlier.setattr("grashof.bench.store.MIGRATIONS", MIGRATIONS[:3])
        Store(url).close()
    with Store(url) as store:
        m = measurement(store.add_machine(HERE))
        store.add(m)
        assert store.measurements() == [m]


def test_what_is_wrong_with_a_database_is_told_without_the_password(
    postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ModelError, match=r"postgresql://me@/none cannot be reached .*does not exist") as told:
        Store(f"postgresql://me:topsecret@/none?host={postgres.folder}")
    assert "topsecret" not in str(told.value)
    with pytest.raises(ModelError, match="cannot be reached") as told:
        Store("postgresql://me:top%zzsecret@127.0.0.1:1/none?password=topsecret")
    assert "secret" not in str(told.value)
    url = postgres.new()
    with Store(url) as store:
        machine = store.add_machine(HERE)
    schema = url.rpartition("%3D")[2]
    postgres.tell(f"CREATE USER reader; GRANT USAGE ON SCHEMA {schema} TO reader")
    postgres.tell(f"GRANT SELECT ON ALL TABLES IN SCHEMA {schema} TO reader")
    with Store(url.replace("grashof@", "reader@")) as store:
        assert list(store.machines()) == [machine]
        with pytest.raises(ModelError, match="cannot be written by this user"):
            store.add(measurement(machine))
    monkeypatch.setattr(base, "PATIENCE", 0.05)
    with (
        Store(url) as first,
        Store(url) as second,
        first._db.together(),
        pytest.raises(ModelError, match=r"locked by another process for 0\.05 s"),
    ):
        second.add(measurement(machine))


def test_a_lost_connection_is_told_and_the_next_one_works(postgres: PostgresServer) -> None:
    url = postgres.new()
    with Store(url) as store:
        machine = store.add_machine(HERE)
        postgres.tell("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'grashof'")
        with pytest.raises(ModelError, match="cannot be reached"):
            store.add(measurement(machine))
    with Store(url) as store:
        assert store.measurements() == []


def test_a_killed_database_loses_nothing_that_it_confirmed(postgres: PostgresServer) -> None:
    url, confirmed = postgres.new(), list[str]()
    begun = threading.Event()

    def write() -> None:
        with Store(url) as store:
            for number in range(100_000):
                store.publish(published(number), bytes(5000))
                confirmed.append(f"{number:032x}")
                if number == 20:
                    begun.set()

    def until_killed() -> None:
        with pytest.raises(ModelError, match="cannot be reached"):
            write()

    thread = threading.Thread(target=until_killed)
    thread.start()
    assert begun.wait(60.0)
    postgres.kill()
    thread.join()
    postgres.start()
    with Store(url) as store:
        kept = store.published_ids()
    assert kept[: len(confirmed)] == confirmed
    assert len(kept) - len(confirmed) in (0, 1)  # the last one may have been written and not confirmed any more


def test_without_the_driver_it_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    monkeypatch.delitem(sys.modules, "grashof.bench.databases.postgres", raising=False)
    with pytest.raises(ModelError, match=r'pip install "grashof\[postgres\]"'):
        Store("postgresql://localhost/none")


def test_the_operator_removes_results_and_sees_what_was_done(tmp_path: Path) -> None:
    def told(*arguments: str, code: int = 0) -> str:
        result = CliRunner().invoke(app, ["results", *arguments, "--store", str(tmp_path / "r")])
        assert result.exit_code == code
        return result.output

    with Store(tmp_path / "r") as store:
        for number in (1, 2):
            store.publish(published(number), b"")
    told("--remove", published(1).id, "--reason", "not what it says")
    assert "no published result" in told("--remove", published(1).id, code=2)
    lines = told("--audit").splitlines()
    assert [line.split()[1] for line in lines] == ["published", "published", "removed"]
    assert lines[2].endswith("not what it says")
    with Store(tmp_path / "r") as store:
        assert store.published_ids() == [published(2).id]
