"""What is printed, drawn and compared of what was measured, on results whose every figure is known."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
from typer.testing import CliRunner

from grashof.bench.messages import BenchRung, Excuse, Judged, Sample
from grashof.bench.store import Store, new_measurement
from grashof.bench.subject import BenchSubject, subject
from grashof.cli.app import app
from tests.show.pictures import ink

HERE = {"processor": "A", "cores": "2", "system": "S", "python": "3", "grashof": "1", "llvmlite": "0"}
THERE = {**HERE, "processor": "B"}
ANDREWS, DOUBLE = subject("andrews"), subject("double-four-bar")


def add(
    store: Store,
    machine: str,
    about: BenchSubject,
    engine: str,
    place: int,
    *,
    cpu: tuple[float, ...],
    error: float,
    deviation: float,
    unit: float = 0.01,
) -> None:
    """One measurement; the rule of both problems is set against the error by hand."""
    passes = error <= about.case().bound
    judged = Judged(0.1, 0.2, 9.0, unit, 10 * (place + 1), passes, error, deviation, {})
    made = new_measurement(
        machine, about, engine, "1", ("Used well.",), BenchRung(f"h/{place}", {"h": place}, place), judged
    )
    store.add(msgspec.structs.replace(made, samples=tuple(Sample(x, 2.0 * x) for x in cpu)))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    with Store(tmp_path / "r.sqlite") as store:
        here, there = store.add_machine(HERE), store.add_machine(THERE)
        add(store, here, ANDREWS, "grashof", 0, cpu=(0.003, 0.002), error=1e-6, deviation=5e-3)
        add(store, here, ANDREWS, "grashof", 1, cpu=(0.004, 0.005), error=1e-7, deviation=5e-4)
        add(store, here, ANDREWS, "slow", 0, cpu=(0.1,), error=1e-4, deviation=1e-1)
        add(store, here, ANDREWS, "slow", 1, cpu=(0.5,), error=9e-6, deviation=3e-3)
        add(store, here, ANDREWS, "slow", 1, cpu=(0.4,), error=9e-6, deviation=3e-3)
        add(store, here, ANDREWS, "slow", 2, cpu=(0.8,), error=1e-6, deviation=9e-4)
        store.add(new_measurement(here, ANDREWS, "gone", "", (), None, Excuse("absent", "It is not here.")))
        add(store, there, ANDREWS, "grashof", 0, cpu=(0.001,), error=1e-6, deviation=5e-3, unit=0.004)
        add(store, here, DOUBLE, "grashof", 0, cpu=(0.001,), error=0.01, deviation=1e-5)
    return tmp_path / "r.sqlite"


def test_a_rule_that_cannot_be_judged_is_not_called_missed(tmp_path: Path) -> None:
    with Store(tmp_path / "r.sqlite") as store:
        rule = {"rule": {"not_judged": "no energy columns"}}
        judged = Judged(0.1, 0.2, 9.0, 0.01, 10, False, None, 1e-5, rule)
        rung = BenchRung("h/0", {"h": 0}, 0)
        made = new_measurement(store.add_machine(HERE), ANDREWS, "grashof", "1", (), rung, judged)
        store.add(msgspec.structs.replace(made, samples=(Sample(0.1, 0.1),)))
    text = " ".join(call("--store", tmp_path / "r.sqlite").split())
    assert "the rule is not judged: no energy columns." in text


def call(*arguments: str | Path, code: int = 0) -> str:
    """Runs `grashof results`; gives what it printed on both streams."""
    result = CliRunner().invoke(app, ["results", *map(str, arguments)], catch_exceptions=False)
    assert result.exit_code == code, result.output
    return result.output


def rows(markdown: str) -> list[list[str]]:
    """The cells of all lines of tables."""
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in markdown.splitlines() if line.startswith("|")]


def test_the_lead_is_told_and_so_is_its_loss(file: Path) -> None:
    text = call("--store", file, "--machine", machine(file, "A"), "--format", "markdown")
    assert (
        "At the rule Grashof is the fastest of all that reach it, by factors of 200 to 200; closest: slow on andrews"
        in text
    )
    assert "At 0.001 Grashof is the fastest of all that reach it, by factors of 200 to 200" in text
    with Store(file) as store:
        add(store, store.add_machine(HERE), DOUBLE, "quick", 0, cpu=(0.0005,), error=0.01, deviation=1e-2)
    text = call("--store", file, "--machine", machine(file, "A"), "--format", "markdown")
    assert (
        "At the rule Grashof is slower than quick on double-four-bar, which takes 0.5 times Grashof's CPU time." in text
    )
    assert "At 0.001 Grashof is the fastest of all" in text


def test_each_engine_has_its_cheapest_settings_with_their_errors(file: Path) -> None:
    text = call("--store", file, "--problem", "andrews", "--machine", machine(file, "A"), "--format", "markdown")
    by_engine = {row[0]: row[1:] for row in rows(text) if len(row) == 11}
    assert by_engine["grashof 1"] == [
        *("2 ms", "1", "1.0e-06", "5.0e-03"),
        *("4 ms", "1", "1.0e-07", "5.0e-04"),
        *("0.2", "100 ms"),
    ]
    assert by_engine["slow 1"] == [
        *("400 ms", "200", "9.0e-06", "3.0e-03"),
        *("800 ms", "200", "1.0e-06", "9.0e-04"),
        *("40", "100 ms"),
    ]
    assert set(by_engine["gone"]) == {"–"}
    assert "gone, not installed. It is not here." in text
    assert "h/1 (20 steps; samples 2, processes 2)" in text
    assert text.count("Used well.") == 2


@pytest.mark.parametrize("choice", [(), ("--compare", "grashof", "a_module.of_mine:engine")])
def test_tables_fit_into_80_columns_and_break_no_name(
    choice: tuple[str, ...], file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = "a_module.of_mine:engine"
    with Store(file) as store:
        here = store.add_machine(HERE)
        for about in (ANDREWS, DOUBLE, subject("multiple-four-bar:all-rows"), subject("n-four-bar:N=10")):
            add(store, here, about, long, 0, cpu=(1234.5,), error=1e-6, deviation=5e-4)
            add(store, here, about, "grashof", 0, cpu=(0.003,), error=1e-6, deviation=5e-4)
    monkeypatch.setenv("COLUMNS", "80")
    lines = call("--store", file, *choice).splitlines()
    assert max(map(len, lines)) <= 80
    assert not any("…" in line for line in lines)
    narrow = sum(line.startswith(f"{long} 1 ") for line in lines)
    monkeypatch.setenv("COLUMNS", "200")
    wide = sum(line.startswith(f"{long} 1 ") for line in call("--store", file, *choice).splitlines())
    # the time at the rule, that at agreement, and the build on each of four problems; and two tables of factors
    assert (narrow, wide) == ((4 * 3 + 2, 4 + 1) if not choice else (0, 0))


def test_unlike_machines_have_tables_of_their_own(file: Path) -> None:
    text = call("--store", file, "--problem", "andrews", "--engine", "grashof")
    a, b = machine(file, "A"), machine(file, "B")
    assert f"andrews iftomm, machine {a}" in text
    assert f"andrews iftomm, machine {b}" in text
    assert "2 ms" in text
    assert "processor B" in text


def test_machines_are_compared_in_units_and_it_is_said_what_these_are(file: Path) -> None:
    text = call("--store", file, "--compare", machine(file, "A"), machine(file, "B"), "--format", "markdown")
    (row,) = (row for row in rows(text) if row[0].startswith("andrews"))
    assert row[1:] == ["the rule", "2 ms", "1 ms", "0.2", "0.25", "1.25"]
    assert "These are different machines" in text


def test_engines_are_compared_on_one_machine(file: Path) -> None:
    text = call("--store", file, "--compare", "grashof", "slow", "--format", "json")
    data = json.loads(text)
    assert [row[-1] for row in data["rows"]] == ["200", "200"]
    assert "results of gone, grashof, slow only" in call("--store", file, "--compare", "grashof", "mujoco", code=2)
    assert "beginning of 0 machines" in call("--store", file, "--compare", "x", "y", code=2)


def test_json_has_the_whole_curves(file: Path) -> None:
    data = json.loads(call("--store", file, "--format", "json"))
    slow = next(curve for curve in data["curves"] if curve["engine"] == "slow")
    assert [point["cpu_s"] for point in slow["points"]] == [0.1, 0.4, 0.8]
    assert [point["passes"] for point in slow["points"]] == [False, True, True]
    assert slow["at_rule"]["setting"] == "h/1"
    assert slow["at_agreement"]["setting"] == "h/2"
    assert len(data["machines"]) == 2


def test_work_precision_diagrams_are_drawn(file: Path, tmp_path: Path) -> None:
    call("--store", file, "--plot", tmp_path / "picture.png")
    assert ink(tmp_path / "picture.png") > 0.01
    call("--store", file, "--plot", tmp_path / "picture.svg", "--problem", "andrews")
    drawn = (tmp_path / "picture.svg").read_text(encoding="utf-8")
    for words in (
        "slow 1",
        "grashof 1",
        "deviation from the reference",
        f"andrews iftomm, machine {machine(file, 'B')}",
    ):
        assert f">{words}</text>" in drawn


def test_results_travel_by_json(file: Path, tmp_path: Path) -> None:
    call("--store", file, "--export", tmp_path / "all.json")
    text = call("--store", tmp_path / "new.sqlite", "--import", tmp_path / "all.json", "--format", "markdown")
    assert "9 measurements added" in text
    assert rows(text) == rows(call("--store", file, "--format", "markdown"))


def test_what_was_broken_off_before_its_first_sample_is_not_shown(file: Path) -> None:
    before = call("--store", file, "--format", "markdown")
    with Store(file) as store:
        add(store, store.add_machine(HERE), DOUBLE, "killed", 0, cpu=(), error=0.01, deviation=1e-5)
    assert call("--store", file, "--format", "markdown") == before


def test_an_empty_choice_says_what_to_do(file: Path, tmp_path: Path) -> None:
    assert "there are no results of problem 'none'" in call("--store", file, "--problem", "none", code=2)
    assert "run `grashof bench` to measure some" in call("--store", tmp_path / "none", code=2)


def machine(file: Path, processor: str) -> str:
    with Store(file) as store:
        return next(name for name, facts in store.machines().items() if facts["processor"] == processor)
