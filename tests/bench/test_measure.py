"""Measuring: the ladder, the rows of those that cannot, resuming, and what a kill leaves behind."""

from __future__ import annotations

import os
import select
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import msgspec
import pytest
from typer.testing import CliRunner

from grashof.bench.measure import MeasuringPlan, bench
from grashof.bench.messages import BenchJob, Excuse, Judged, Message, Survey
from grashof.bench.process import COMMAND, ask
from grashof.bench.store import Store
from grashof.bench.subject import subject
from grashof.bench.summary import CostCurve, curves
from grashof.cli.app import app

TOY = "tests.bench.toy"
DOUBLE, SQUEEZER = subject("double-four-bar"), subject("andrews")
TASK = BenchJob(DOUBLE, f"{TOY}:QUICK", "substeps = 8")


def measured(store: Store, *engines: str, rounds: int = 1, again: bool = False) -> tuple[list[CostCurve], list[str]]:
    """The curves of the toy engines on the double four-bar, and what was done for them."""
    said: list[str] = []
    plan = MeasuringPlan([DOUBLE], [f"{TOY}:{name}" for name in engines], rounds=rounds, again=again)
    bench(plan, store, lambda part: said.append(part.doing))
    return curves(store.measurements()), said


@pytest.fixture(scope="module")
def quick(tmp_path_factory: pytest.TempPathFactory) -> tuple[Store, CostCurve]:
    store = Store(tmp_path_factory.mktemp("bench") / "r.sqlite")
    (curve,), _ = measured(store, "QUICK", rounds=2)
    return store, curve


def test_finer_settings_err_less_and_a_method_of_first_order_shows_its_order(quick: tuple[Store, CostCurve]) -> None:
    points = quick[1].points
    assert [point.setting.name for point in points] == [f"substeps = {n}" for n in (1, 8, 40, 160)]
    errors = [point.judged.error or 0.0 for point in points]
    deviations = [point.judged.deviation or 0.0 for point in points]
    assert errors == sorted(errors, reverse=True)
    assert deviations == sorted(deviations, reverse=True)
    assert errors[2] / errors[3] == pytest.approx(4.0, rel=0.02)


def test_the_goals_are_the_cheapest_settings_that_reach_them(quick: tuple[Store, CostCurve]) -> None:
    rule, agreement = quick[1].at_rule, quick[1].at_agreement
    assert rule is not None
    assert agreement is not None
    # this method gets the motion right sooner than the energy
    assert agreement.setting.name == "substeps = 8"
    assert rule.setting.name == "substeps = 40"
    assert (rule.passes, rule.agrees, agreement.passes, agreement.agrees) == (True, True, False, True)
    assert [point.processes for point in quick[1].points] == [1, 2, 2, 1]


def test_what_the_store_has_is_not_measured_again(quick: tuple[Store, CostCurve]) -> None:
    store, curve = quick
    before = store.measurements()
    found, said = measured(store, "QUICK", rounds=2)
    assert [text.partition(": ")[2] for text in said] == [f"double-four-bar, {TOY}:QUICK: asking"]
    assert store.measurements() == before
    assert found == [curve]


def test_measuring_again_sets_the_old_results_aside(tmp_path: Path) -> None:
    with Store(tmp_path / "r") as store:
        measured(store, "SINGLE")
        (old,) = store.measurements()
        measured(store, "SINGLE", again=True)
        (new,) = store.measurements()
        assert old.id != new.id
        assert {m.id for m in store.measurements(superseded=True)} == {old.id, new.id}


def test_those_that_cannot_are_rows_with_a_reason(tmp_path: Path) -> None:
    with Store(tmp_path / "r") as store:
        found, _ = measured(store, "ABSENT", "FAILING", "CRASHING", "MISSPELT")
        measured(store, "ABSENT")
        assert len([m for m in store.measurements() if m.engine.endswith("ABSENT")]) == 1
    reasons = {curve.engine.partition(":")[2]: [excuse for _, excuse in curve.excuses] for curve in found}
    assert reasons["ABSENT"] == [Excuse("absent", "There is no such package.")]
    assert reasons["FAILING"] == [Excuse("failed", "singular matrix in step 17", "1")] * 2
    assert len(reasons["CRASHING"]) == 1
    assert reasons["CRASHING"][0].reason == "Its process was ended by SIGABRT. The very last words."
    assert "has no attribute 'MISSPELT'" in reasons["MISSPELT"][0].reason
    assert not any(curve.points for curve in found)


def test_an_engine_refuses_in_its_own_words() -> None:
    assert list(ask(BenchJob(SQUEEZER, f"{TOY}:QUICK"))) == [Excuse("refused", "It knows four-bars alone.", "1")]


def test_a_run_that_takes_too_long_is_given_up_and_tried_again_with_more_patience(tmp_path: Path) -> None:
    with Store(tmp_path / "r") as store:
        impatient = MeasuringPlan([DOUBLE], [f"{TOY}:SINGLE"], limit_s=1e-4, rounds=1)
        bench(impatient, store, lambda part: None)
        (first,) = store.measurements()
        assert isinstance(first.outcome, Excuse)
        assert first.outcome.limit_s == 1e-4
        assert "Given up" in first.outcome.reason
        (curve,), _ = measured(store, "SINGLE")
        assert curve.at_rule is not None
        assert not curve.excuses


def test_what_an_engine_prints_does_not_disturb_its_messages() -> None:
    messages = list(ask(msgspec.structs.replace(TASK, engine=f"{TOY}:TALKATIVE")))
    assert isinstance(messages[0], Judged)
    assert len(messages) > 2


def test_a_survey_gives_the_ladder_and_measures_nothing() -> None:
    (survey,) = ask(BenchJob(DOUBLE, "grashof"))
    assert isinstance(survey, Survey)
    tolerances = [rung.values["tol"] for rung in survey.ladder]
    assert tolerances == sorted(tolerances, reverse=True)


def test_a_worker_whose_asker_is_gone_ends() -> None:
    worker = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert worker.stdin is not None
    assert worker.stdout is not None
    worker.stdin.write(msgspec.json.encode(msgspec.structs.replace(TASK, engine=f"{TOY}:SLOW")) + b"\n")
    worker.stdin.flush()
    assert isinstance(msgspec.json.decode(worker.stdout.readline(), type=Message), Judged)
    worker.stdin.close()  # samples of 0.2 s each are still to come
    assert worker.wait() == 1
    worker.stdout.close()


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a worker cannot be ended while an engine keeps it busy")
def test_a_worker_ends_with_its_parent_even_while_its_engine_keeps_it_busy() -> None:
    task = msgspec.json.encode(msgspec.structs.replace(TASK, engine=f"{TOY}:STUCK")).decode()
    parent_code = f"""
import subprocess, sys
worker = subprocess.Popen({COMMAND!r}, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
worker.stdin.write({task!r}.encode() + b"\\n")
worker.stdin.flush()
worker.stdout.readline()  # its first run is done, and the next one never ends
print(worker.pid, flush=True)
sys.stdin.read()
"""
    parent = subprocess.Popen([sys.executable, "-c", parent_code], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert parent.stdout is not None
    worker = int(parent.stdout.readline())
    handle = os.pidfd_open(worker)  # readable at its end
    parent.kill()
    parent.communicate()
    assert select.select([handle], [], [], 600.0)[0]
    os.close(handle)


@pytest.mark.parametrize(
    ("option", "value", "words"),
    [
        ("--engines", "grashof,adams", "no engine 'adams'; known are grashof, "),
        ("--problems", "andrews:upright", "no variant 'upright'"),
        ("--problems", "n-four-bar:N=many", "'N=many' is not NAME=NUMBER"),
        ("--limit-s", "-1", "must be a finite number above zero"),
    ],
)
def test_bad_input_is_a_sentence(tmp_path: Path, option: str, value: str, words: str) -> None:
    result = CliRunner().invoke(app, ["bench", option, value, "--store", str(tmp_path / "r")])
    assert result.exit_code == 2
    assert words in result.output
    assert not (tmp_path / "r").exists()


@pytest.mark.skipif(os.name == "nt", reason="there is no SIGKILL there")
def test_nothing_measured_is_lost_by_a_kill_and_the_rest_is_measured_later(tmp_path: Path) -> None:
    path = tmp_path / "r.sqlite"
    command = [sys.executable, "-c", "from grashof.cli import main; main()", "bench", "--problems", "double-four-bar"]
    command += ["--engines", f"{TOY}:SLOW", "--rounds", "1", "--store", str(path)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    seen: set[tuple[object, ...]] = set()
    # in the middle of the second setting
    while len({row[0] for row in seen}) < 2:
        assert process.poll() is None
        time.sleep(0.05)
        if path.exists():
            seen = samples(path)
    process.send_signal(signal.SIGKILL)
    process.wait()
    kept = samples(path)
    assert seen <= kept
    with Store(path) as store:
        complete = {m.id for m in store.measurements() if m.samples}
        (curve,), said = measured(store, "SLOW")
        assert seen <= samples(path)
        assert curve.at_rule is not None
        assert curve.at_agreement is not None
        # what was there has not been done again
        assert len(said) - 1 == len(curve.points) - len(complete)
        assert len([m for m in store.measurements() if m.samples]) == len(curve.points)


def samples(path: Path) -> set[tuple[object, ...]]:
    """All samples, as another process sees them."""
    with sqlite3.connect(path) as db:
        try:
            return set(db.execute("SELECT measurement, number, cpu_s, wall_s FROM samples"))
        except sqlite3.OperationalError:  # the tables are not there yet
            return set()
