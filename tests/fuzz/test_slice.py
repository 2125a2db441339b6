"""A slice of `make fuzz`: damaged and hostile input ends well or in a sentence."""

from __future__ import annotations

import importlib
import os
import pkgutil
import random

import pytest

import fuzz

CASES = {"cache": 200, "processes": 100}
"""Cases of each kind, so that it takes about a second; 40 if none are given."""

KINDS = [name for _, name, _ in pkgutil.iter_modules(fuzz.__path__) if not name.startswith("_")]


@pytest.mark.skipif(os.name == "nt", reason="alarms and pipes are others there")
@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_found(kind: str) -> None:
    assert importlib.import_module(f"fuzz.{kind}").run(CASES.get(kind, 40), 0) == []


@pytest.mark.skipif(os.name == "nt", reason="alarms and pipes are others there")
def test_energies_that_overflow_are_no_traceback() -> None:
    """Case 4238: a block of 5e307 kg, whose energy balance is infinite."""
    assert importlib.import_module("fuzz.models").run(1, 0, first=4238) == []


def test_the_same_seed_gives_the_same_damage_and_another_one_other_damage() -> None:
    data = b"t x y\n0 0.5 1\n1 0.25 2\n" * 20
    first = [fuzz.mutated(data, random.Random(f"{seed}")) for seed in range(50)]
    assert first == [fuzz.mutated(data, random.Random(f"{seed}")) for seed in range(50)]
    assert len(set(first)) > 45


def test_what_is_neither_an_answer_nor_a_sentence_is_found() -> None:
    from grashof.common.errors import ModelError

    def refuse() -> None:
        raise ModelError("The mass is −1 kg.")

    assert fuzz.finding(lambda: None, "a case") is None
    assert fuzz.finding(refuse, "a case") is None
    assert "a case: ZeroDivisionError" in (fuzz.finding(lambda: 1 / 0, "a case") or "")
    assert "SystemExit" in (fuzz.finding(lambda: exit(3), "a case") or "")
