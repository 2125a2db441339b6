"""A run has the same digits on every processor with fused multiply-add: other ones are emulated by what can be chosen for BLAS, NumPy, LLVM and the C library."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from functools import cache

import pytest
from numpy._core._multiarray_umath import __cpu_dispatch__

from .bits import RUNS

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
