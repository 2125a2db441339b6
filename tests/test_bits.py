"""A run has the same digits on every processor with fused multiply-add, and in WebAssembly.

Other processors are emulated by what can be chosen for BLAS, NumPy, LLVM and the C library. The digits of the benchmark
problems are those of the table in docs/same-digits.md, with which `make test-arm64` compares arm64.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from functools import cache

import pytest
from numpy._core._multiarray_umath import __cpu_dispatch__

from grashof.examples import example
from grashof.problems import PROBLEMS
from grashof.program import build

from .bits import RUNS, TABLE, Row, known, of_steps
from .live.node import node
from .loops import in_node, simulated

X86 = platform.machine() in ("x86_64", "AMD64")

ENVIRONMENTS: dict[str, tuple[dict[str, str], str]] = {
    "the BLAS of 2011": ({"OPENBLAS_CORETYPE": "Sandybridge"}, ""),
    "NumPy and the C library without vectors": (
        {"NPY_DISABLE_CPU_FEATURES": " ".join(__cpu_dispatch__), "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA"},
        "",
    ),
    "code for any processor since 2013": ({}, "x86-64-v3"),
    "code for one of Intel's": ({}, "haswell"),
    "code for one of AMD's": ({}, "znver3"),
}


@cache
def digests(environment: str = "") -> dict[str, str]:
    variables, processor = ENVIRONMENTS[environment] if environment else ({}, "")
    command = [sys.executable, "-m", "tests.bits", *([processor] if processor else [])]
    alone = os.environ | {"GRASHOF_CACHE": "off"} | variables
    result = subprocess.run(command, env=alone, capture_output=True, text=True, check=True)
    return dict(json.loads(result.stdout))


@pytest.mark.skipif(not X86, reason="the names are those of x86-64 processors")
@pytest.mark.parametrize("environment", ENVIRONMENTS)
@pytest.mark.parametrize("run", RUNS)
def test_a_run_has_the_same_digits_on_every_processor(run: str, environment: str) -> None:
    assert digests(environment)[run] == digests()[run]


@pytest.mark.parametrize("row", TABLE, ids=lambda row: " ".join(row.title))
def test_the_digits_of_the_benchmark_problems_are_those_of_the_table(row: Row) -> None:
    """A change of the engine that is meant to change digits writes the table again (`python -m tests.bits --write`)."""
    assert row.digest() == known()[row.title]


LOOPS = [
    row
    for row in TABLE
    if row.by != "simulate" and (row.tol == 1e-6 or row.variant == PROBLEMS[row.problem].variants[0])
]
"""Runs without what Python does after them; fewer for the further variants of a problem."""


def test_the_table_has_no_other_rows() -> None:
    assert known().keys() == {row.title for row in TABLE}


@pytest.mark.parametrize("problem", dict.fromkeys((row.problem, row.variant) for row in LOOPS), ids=" ".join)
def test_webassembly_has_the_digits_of_the_table(problem: tuple[str, str]) -> None:
    rows = [row for row in LOOPS if (row.problem, row.variant) == problem]
    steps = in_node(node(), [row.loop() for row in rows])
    assert [of_steps(x) for x in steps] == [known()[row.title] for row in rows]


RELATIONS = ("pantograph", "scissor-lift", "oldham", "cardan-shaft", "bennett")
"""Mechanisms of the gallery with relations that LAPACK finds, so that the table cannot have them: processors differ."""


@pytest.mark.parametrize("name", RELATIONS)
def test_webassembly_has_the_digits_of_this_machine_where_the_table_has_none(name: str) -> None:
    loop = simulated(build(example(name), formulation="natural"), 0.3, 1e-6, "auto")
    (steps,) = in_node(node(), [loop])
    assert len(steps) > 3
    assert of_steps(steps) == of_steps(loop.native())


def test_webassembly_has_the_same_digits_with_the_instruction_of_the_processor() -> None:
    """Relaxed SIMD, which older versions of node know only if asked."""
    asked = "--experimental-wasm-relaxed-simd"
    options = [asked] if subprocess.run([node(), asked, "--eval", "0"], capture_output=True).returncode == 0 else []
    loop = Row("andrews", "iftomm", "page", "auto", 1e-6).loop()
    (quick,), (exact,) = (in_node(node(), [loop], exact, options) for exact in (False, True))
    assert of_steps(quick) == of_steps(exact)


def test_a_run_in_a_page_has_the_digits_of_simulate_where_a_state_has_few_numbers() -> None:
    """Elsewhere sums over the state, which control the step, are taken in another order: steps differ in their last
    digits."""
    same = [
        of_steps(Row(*problem, "page", "auto", 1e-6).loop().native())
        == of_steps(Row(*problem, "integrate", "auto", 1e-6).loop().native())
        for problem in (("double-four-bar", "standard"), ("andrews", "iftomm"))
    ]
    assert same == [True, False]
