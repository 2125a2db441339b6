"""Damaged databases of results, and damaged exports that are read in."""

from __future__ import annotations

import random
import sqlite3
from functools import partial
from pathlib import Path

import msgspec

from fuzz import finding, mutated, scratch
from fuzz._command import of_command
from grashof.bench.messages import BenchRung, Excuse, Judged, Sample
from grashof.bench.store import Store, new_measurement
from grashof.bench.subject import subject

FACTS = {"processor": "A", "cores": "2", "system": "S", "python": "3"}
FORMS = ("text", "markdown", "json")


def run(cases: int, seed: int) -> list[str]:
    """Half of the cases damage the file of a store, the others an export."""
    found: list[str | None] = []
    with scratch() as folder:
        place = Path(folder)
        database, export = _examples(place / "whole.sqlite")
        for case in range(cases):
            draw = random.Random(f"{seed} stores {case}")
            store = place / "case.sqlite"
            for left in place.glob("case.*"):
                left.unlink()
            what = f"stores, case {case}"
            options = ["--store", str(store), "--format", draw.choice(FORMS)]
            if draw.random() < 0.1:
                options += ["--compare", "one", "two"]
            if case % 2:
                (place / "case.json").write_bytes(mutated(export, draw))
                found.append(of_command(["results", "--import", str(place / "case.json"), *options], what))
            else:
                store.write_bytes(_damaged(database, draw))
                found.append(of_command(["results", "--export", str(place / "case.out"), *options], what))
                found.append(finding(partial(_used, store), what))
    return [sentence for sentence in found if sentence is not None]


def _examples(path: Path) -> tuple[bytes, bytes]:
    """A database and an export with all kinds of rows."""
    judged = Judged(0.1, 0.2, 0.7, 0.01, 100, True, 1e-6, 1e-5, {"passes": True, "digits": {"x_F": 5.0}})
    with Store(path) as store:
        for facts in (FACTS, {**FACTS, "processor": "B"}):
            machine = store.add_machine(facts)
            for engine in ("one", "two"):
                for text in ("andrews", "n-four-bar:N=3", "multiple-four-bar:all-rows"):
                    for place in range(3):
                        rung = BenchRung(f"tol = 1e-{place}", {"tol": 10.0**-place}, place)
                        made = new_measurement(machine, subject(text), engine, "1.0", ("A note.",), rung, judged)
                        store.add(msgspec.structs.replace(made, samples=(Sample(0.5, 0.6), Sample(0.25, 0.3))))
            absent = Excuse("absent", "It is not here.")
            store.add(new_measurement(machine, subject("andrews"), "three", "", (), None, absent))
        export = store.exported()
    with sqlite3.connect(path) as db:  # keeps everything in one file
        db.execute("PRAGMA journal_mode = DELETE")
    db.close()
    return path.read_bytes(), export


def _damaged(database: bytes, draw: random.Random) -> bytes:
    if draw.random() < 0.4:
        return mutated(database, draw)
    content = bytearray(database)
    for _ in range(draw.choice((1, 3, 30, 300))):
        # usually at the beginning of a page, where SQLite keeps its own header
        page = 4096 * draw.randrange(max(1, len(content) // 4096))
        content[(page + draw.choice((draw.randrange(120), draw.randrange(4096)))) % len(content)] = draw.randrange(256)
    return bytes(content)


def _used(path: Path) -> None:
    """Uses a store as `grashof bench` does."""
    with Store(path) as store:
        machine = store.add_machine(FACTS)
        known = store.measurements(machine=machine)
        made = new_measurement(machine, subject("andrews"), "one", "1.0", (), None, Excuse("failed", "It broke."))
        store.add(made)
        store.add_sample(made, Sample(1.0, 1.0))
        for measurement in known[:1]:
            store.add_sample(measurement, Sample(1.0, 1.0))
        store.supersede(machine, subject("andrews"), "one")
