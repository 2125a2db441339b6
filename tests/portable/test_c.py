"""C source, compiled by the machine's compiler, has the digits of Grashof's machine code."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

import grashof as gr
from grashof.portable.c_code import translate
from tests.portable.mechanisms import TORQUE, slider_crank

COMPILER = shutil.which("gcc") or shutil.which("cc")

pytestmark = pytest.mark.skipif(COMPILER is None, reason="there is no C compiler")

MAIN = """
#include <stdio.h>
#include "crank.h"

int main(void)
{
    crank m, n;
    double x[CRANK_POINT], rates[CRANK_RATES];
    int k;
    crank_init(&m);
    if (crank_run_to(&m, 1.0) != CRANK_NEEDS_START) return 1;
    if (crank_set(&m, CRANK_SET_ROD_MASS, -1.0) != CRANK_OUTSIDE_BOUNDS) return 2;
    if (crank_set(&m, CRANK_SET_ROD_LENGTH, 0.05) || crank_start(&m) != CRANK_NOT_ASSEMBLED) return 3;
    if (crank_set(&m, CRANK_SET_ROD_LENGTH, 0.5) || crank_start(&m)) return 4;
    for (k = 1; k <= 40; k++) {
        if (crank_run_to(&m, 0.1 * k)) return 5;
        printf("%.17g %.17g %.17g\\n", crank_time(&m), crank_get(&m, CRANK_GET_ROD_END_X), crank_get(&m, 1));
    }
    crank_copy(&n, &m);
    if (crank_set(&n, CRANK_SET_DRIVE_TORQUE, -1.0) || crank_run_to(&n, 5.0) || crank_run_to(&m, 5.0)) return 6;
    printf("%.17g %.17g %.17g\\n", crank_time(&m), crank_get(&m, CRANK_GET_ROD_END_X), crank_get(&m, 1));
    printf("%.17g %.17g %.17g\\n", crank_time(&n), crank_get(&n, CRANK_GET_ROD_END_X), crank_get(&n, 1));
    crank_state(&m, x);
    crank_rates(&m, x, rates);
    x[1] += 1e-5;
    printf("%.17g %.17g %.17g\\n", x[0], rates[0], crank_project(&m, x));
    crank_set(&m, CRANK_SET_ROD_MASS, 1.0);
    return crank_run_to(&m, 6.0) != CRANK_NEEDS_START || crank_doubt(&m) || !(crank_error(&m) < 1e-6);
}
"""


def _compile(folder: Path, *arguments: str) -> None:
    command = [str(COMPILER), "-std=c99", "-O2", "-Wall", "-Werror", *arguments, "-lm"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_program_in_c_computes_the_same_motion(tmp_path: Path) -> None:
    given = {"parameters": ["rod.mass", "rod.length"], "inputs": [TORQUE], "outputs": ["rod.end.x", "work.drive"]}
    gr.export(slider_crank(), tmp_path / "crank.c", **given)
    (tmp_path / "main.c").write_text(MAIN)
    _compile(tmp_path, "-o", "main", "crank.c", "main.c")
    done = subprocess.run([tmp_path / "main"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.returncode
    rows = np.array([[float(x) for x in line.split()] for line in done.stdout.splitlines()])
    times = rows[:41, 0]
    run = gr.simulate(slider_crank(), 5.0, tol=1e-9, times=times)
    assert np.allclose(rows[:41, 1], run["rod.end.x"], atol=1e-6)
    assert np.allclose(rows[:41, 2], run["work.drive"], atol=1e-6)
    other = gr.simulate(slider_crank(torque="where(t - 4, -1, 0.3)"), 5.0, tol=1e-9)
    assert abs(rows[41, 1] - other["rod.end.x"][-1]) < 1e-6
    assert abs(rows[41, 2] - other["work.drive"][-1]) < 1e-6
    assert rows[42, 2] < 1e-20  # what remains after a projection


def test_the_source_in_an_fmu_has_the_digits_of_its_library(tmp_path: Path) -> None:
    gr.export(slider_crank(), tmp_path / "crank.fmu", parameters=[], inputs=[TORQUE], outputs=["rod.end.x", "kinetic"])
    with zipfile.ZipFile(tmp_path / "crank.fmu") as archive:
        archive.extractall(tmp_path)
    root = ElementTree.parse(tmp_path / "modelDescription.xml").getroot()
    files = [x.attrib["name"] for x in ElementTree.parse(tmp_path / "sources/buildDescription.xml").iter("SourceFile")]
    _compile(tmp_path / "sources", "-shared", "-fPIC", "-o", "compiled.so", *files)
    token = root.attrib["instantiationToken"].encode()
    libraries = [tmp_path / "binaries/x86_64-linux/crank.so", tmp_path / "sources/compiled.so"]
    first, second = (_drive(path, token) for path in libraries)
    assert first == second
    assert len(set(first)) == len(first)


def _drive(path: Path, token: bytes) -> list[tuple[str, ...]]:
    """Outputs of an FMU at several times, to the last digit."""
    library, pointer, real = ctypes.CDLL(str(path)), ctypes.c_void_p, ctypes.c_double
    make = library.fmi3InstantiateCoSimulation
    make.restype, make.argtypes = (
        pointer,
        [pointer] * 3 + [ctypes.c_bool] * 4 + [pointer, ctypes.c_size_t] + [pointer] * 3,
    )
    instance = make(b"a", token, None, False, False, False, False, None, 0, None, None, None)
    assert instance
    library.fmi3EnterInitializationMode.argtypes = [pointer, ctypes.c_bool, real, real, ctypes.c_bool, real]
    assert library.fmi3EnterInitializationMode(instance, False, 0.0, 0.0, False, 0.0) == 0
    assert library.fmi3ExitInitializationMode(pointer(instance)) == 0
    library.fmi3DoStep.argtypes = [pointer, real, real, ctypes.c_bool, *[pointer] * 4]
    found, references, values = [], (ctypes.c_uint32 * 3)(0, 2, 3), (real * 3)()
    for k in range(20):
        torque = (real * 1)(0.1 * (k // 5))
        one = (ctypes.c_uint32 * 1)(1)
        size = ctypes.c_size_t
        assert library.fmi3SetFloat64(pointer(instance), one, size(1), torque, size(1)) == 0
        assert library.fmi3DoStep(instance, 0.1 * k, 0.1, True, None, None, None, None) == 0
        assert library.fmi3GetFloat64(pointer(instance), references, size(3), values, size(3)) == 0
        found.append(tuple(x.hex() for x in values))
    library.fmi3FreeInstance(pointer(instance))
    return found


def test_loops_selections_and_integers_are_translated(tmp_path: Path) -> None:
    """A module in which all values are known: sums in a loop, with two values carried that are exchanged."""
    ir = """\
@numbers = internal constant [3 x double] [double 0x3FF0000000000000, double 2.5, double -4.0]
define void @mix(ptr %x, i64 %n, ptr %y) {
  br label %start
start:
  %at = getelementptr double, ptr %y, i64 1
  br label %loop
loop:
  %i = phi i64 [ 0, %start ], [ %next, %loop ]
  %a = phi double [ 1.0, %start ], [ %b, %loop ]
  %b = phi double [ 2.0, %start ], [ %sum, %loop ]
  %sum = call double @llvm.fmuladd.f64(double %a, double 0x3FF8000000000000, double %b)
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  %p = getelementptr double, ptr @numbers, i64 2
  %c = load double, ptr %p, align 8
  %less = fcmp olt double %c, 0.0
  %picked = select i1 %less, double %a, double %b
  %bits = bitcast double %picked to i64
  %half = sdiv i64 %bits, 2
  %unused = fdiv double %a, %b
  store double %sum, ptr %y, align 8
  store double %picked, ptr %at, align 8
  %third = getelementptr double, ptr %y, i64 2
  store i64 %half, ptr %third, align 8
  ret void
}
"""
    text = translate(ir, ["mix"], "t_")
    assert "unused" not in text
    (tmp_path / "mix.c").write_text(text)
    _compile(tmp_path, "-shared", "-fPIC", "-o", "mix.so", "mix.c")
    mix = ctypes.CDLL(str(tmp_path / "mix.so")).t_mix
    y = np.zeros(3)
    mix(None, ctypes.c_int64(4), ctypes.c_void_p(y.ctypes.data))
    a, b = 1.0, 2.0
    for _ in range(4):
        last = a
        a, b = b, 1.5 * a + b
    assert (y[0], y[1]) == (b, last)
    assert y.view(np.int64)[2] == np.array([last]).view(np.int64)[0] // 2
