"""Whoever computes rows, however many, and whatever happens to them meanwhile: the table is the same to the bit."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import grashof as gr
from grashof.common.errors import ModelError
from grashof.model.files import load, save
from grashof.sweeps.executors import processes
from grashof.sweeps.journal import Journal
from grashof.sweeps.study import StudyRows
from grashof.sweeps.table import Sweep
from tests.sweeps.mechanisms import pendulum

VARY = {"rod.length": (0.5, 1.5), "rod.mass": (-0.2, 1.0)}
OUTPUTS = ["min rod.end.y", "time of min rod.end.y", "trajectory rod.angle"]


def asked(file: Path | None = None, **options) -> Sweep:
    given = {"sample": "sobol", "count": 30, "seed": 5, "times": 5, "engine": "one by one"} | options
    return gr.sweep(pendulum(0.5), VARY, 0.2, outputs=OUTPUTS, file=file, **given)


@pytest.fixture(scope="module")
def serial(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("serial") / "table.parquet"
    table = asked(path)
    assert set(table.counts) == {"success", "outside_bounds"}
    return path.read_bytes()


@pytest.mark.parametrize(("executor", "workers"), [("threads", 1), ("threads", 3), ("processes", 2)])
def test_threads_and_processes_give_the_same_bytes(serial: bytes, executor: str, workers: int, tmp_path: Path) -> None:
    asked(tmp_path / "table.parquet", executor=executor, workers=workers)
    assert (tmp_path / "table.parquet").read_bytes() == serial


def test_so_they_do_with_machine_code(tmp_path: Path) -> None:
    """4100 rows are five batches of at most 1024; in other batches, each row is the same, too."""
    paths = {name: tmp_path / f"{name}.parquet" for name in ("serial", "threads", "processes")}
    for executor, path in paths.items():
        table = asked(path, executor=executor, workers=2, engine="compiled", count=4100)
        assert table.about.facts["engine"] == "compiled"
    assert paths["serial"].read_bytes() == paths["threads"].read_bytes() == paths["processes"].read_bytes()
    fewer = asked(engine="compiled", count=1500)
    for name in fewer.names:
        assert np.array_equal(fewer[name], Sweep.read(paths["serial"])[name][:1500], equal_nan=True)


def test_a_worker_that_is_killed_is_replaced(serial: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    killed = []
    original = processes.receive

    def receive(stream):
        answer = original(stream)
        if not killed and answer is not None:  # the first batch is there: end every worker before the next one
            for process in started:
                process.send_signal(signal.SIGKILL)
                killed.append(process.pid)
        return answer

    started: list[subprocess.Popen] = []

    class Remembered(subprocess.Popen):
        def __init__(self, *arguments, **options):
            super().__init__(*arguments, **options)
            started.append(self)

    monkeypatch.setattr(processes, "receive", receive)
    monkeypatch.setattr(processes.subprocess, "Popen", Remembered)
    asked(tmp_path / "table.parquet", executor="processes", workers=2)
    assert killed
    assert len(started) > len(killed)
    assert (tmp_path / "table.parquet").read_bytes() == serial


def test_a_sweep_that_is_killed_goes_on_where_it_was(tmp_path: Path) -> None:
    """The command is killed by SIGKILL after some of its 6 batches; the same command then finishes the file of an
    uninterrupted sweep."""
    save(pendulum(0.5), tmp_path / "pendulum.toml")
    cut, whole, journal = (tmp_path / name for name in ("cut.parquet", "whole.parquet", "cut.parquet.journal"))
    command = [sys.executable, "-c", "from grashof.cli import main; main()", "sweep", str(tmp_path / "pendulum.toml")]
    for option, value in {
        "--vary": "rod.length=0.5:1.5",
        "--sample": "sobol",
        "--count": "6000",
        "--t-end": "0.2",
        "--output": "min rod.end.y",
        "--out": str(cut),
    }.items():
        command += [option, value]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    while process.poll() is None and not (journal.exists() and journal.stat().st_size > 10_000):
        time.sleep(0.001)
    process.kill()
    assert process.wait() == -signal.SIGKILL
    assert not cut.exists()
    assert 10_000 < journal.stat().st_size < 6000 * 9  # a row has nine bytes
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    assert not journal.exists()
    vary = {"rod.length": (0.5, 1.5)}
    gr.sweep(
        load(tmp_path / "pendulum.toml"), vary, 0.2, outputs=["min rod.end.y"], sample="sobol", count=6000, file=whole
    )
    assert cut.read_bytes() == whole.read_bytes()


def test_only_what_is_missing_is_computed_again(serial: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from grashof.sweeps.one_by_one import OneByOne

    path, journal = tmp_path / "table.parquet", tmp_path / "table.parquet.journal"
    observe, seen = OneByOne.observe, []

    def failing(self, rows):
        if len(seen) == 2:
            raise KeyboardInterrupt
        seen.append(len(rows))
        return observe(self, rows)

    monkeypatch.setattr(OneByOne, "observe", failing)
    with pytest.raises(KeyboardInterrupt):
        asked(path)
    content = journal.read_bytes()
    journal.write_bytes(content[:-7])  # a record that is torn counts for nothing
    monkeypatch.setattr(OneByOne, "observe", lambda self, rows: (seen.append(len(rows)), observe(self, rows))[1])
    asked(path)
    assert seen == [8, 8, 8, 8, 6]  # the second of four batches twice
    assert path.read_bytes() == serial
    asked(path)
    assert len(seen) == 5  # nothing is missing any more


def test_the_journal_of_another_sweep_is_refused(tmp_path: Path) -> None:
    rows = StudyRows(b"\0", (np.zeros(1).tobytes(),), (0.0,))
    with Journal(tmp_path / "table.parquet.journal", "f" * 64, resume=True) as journal:
        journal.put(3, rows)
    with pytest.raises(ModelError, match="belongs to another sweep"):
        asked(tmp_path / "table.parquet")
    asked(tmp_path / "table.parquet", resume=False, count=8)
    assert not (tmp_path / "table.parquet.journal").exists()


def test_a_journal_belongs_to_one_process_and_may_be_torn_at_its_very_beginning(tmp_path: Path) -> None:
    path = tmp_path / "table.parquet.journal"
    with Journal(path, "f" * 64, resume=True), pytest.raises(ModelError, match="in use"):
        Journal(path, "f" * 64, resume=True)
    path.write_bytes(path.read_bytes()[:20])
    with Journal(path, "f" * 64, resume=True) as journal:
        assert list(journal) == []
        journal.put(4, StudyRows(b"", (), ()))
    with Journal(path, "f" * 64, resume=True) as journal:
        assert list(journal) == [4]


@pytest.mark.parametrize("executor", ["threads", "processes"])
def test_an_interrupt_ends_the_workers(executor: str) -> None:
    def interrupt(part: float) -> None:
        if part > 0.0:
            raise KeyboardInterrupt

    before = set(threading.enumerate())
    with pytest.raises(KeyboardInterrupt):
        asked(executor=executor, workers=2, progress=interrupt)
    assert set(threading.enumerate()) <= before


def test_python_functions_are_not_sent_to_processes() -> None:
    m = gr.Mechanism("pushed bar")
    rod = m.bar("rod", length=1.0, mass=1.0)
    m.revolute(m.ground.at(0.0, 0.0), rod.start)
    m.user_force(lambda state: [0.1], on=[rod.angle], name="push")
    with pytest.raises(ModelError, match="'push' is a Python function"):
        gr.sweep(m, {"rod.mass": [1.0, 2.0]}, 0.1, outputs=["rod.angle at end"], workers=2)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"workers": 0}, "workers is 0"),
        ({"executor": "thread"}, "did you mean 'threads'"),
        ({"engine": "lane"}, "engine is 'lane'"),
        ({"tol": 1e-30}, "The tolerance is 1e-30; it must be between"),
    ],
)
def test_what_there_is_not_is_told(options: dict, sentence: str) -> None:
    with pytest.raises(ModelError, match=sentence):
        asked(**options)


def test_progress_tells_rows_rate_and_time_left() -> None:
    told = []
    asked(count=9, progress=told.append)
    assert told[0] == 0.0
    assert told[-1] == 1.0
    assert told[0].doing == "sweeping pendulum, one by one"
    assert told[-1].detail.startswith("9 of 9 rows, ")
    assert told[-1].detail.endswith("rows/s, 0 s left")
