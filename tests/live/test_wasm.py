"""Objects of LLVM become modules that WebAssembly accepts."""

from __future__ import annotations

import ctypes
import json
import math
import subprocess
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from grashof.live.fused import fused_ir
from grashof.live.wasm import compile_wasm, link_module, sections
from grashof.tape import Library
from tests.live.node import node

_TABLE = """
@table = private unnamed_addr constant [3 x double] [double 1.5, double 2.5, double 4.0], align 8
declare double @llvm.fmuladd.f64(double, double, double)
declare double @llvm.maxnum.f64(double, double)
define internal double @entry(i64 %k) {
  %at = getelementptr double, ptr @table, i64 %k
  %x = load double, ptr %at
  ret double %x
}
define void @look(ptr %x, ptr %y) {
  %a = load double, ptr %x
  %e = call double @entry(i64 2)
  %b = call double @llvm.fmuladd.f64(double %a, double %e, double 1.0)
  %c = call double @llvm.maxnum.f64(double %b, double 0x7FF8000000000000)
  store double %c, ptr %y
  ret void
}
"""


def test_functions_data_and_calls(tmp_path: Path) -> None:
    module = compile_wasm(_TABLE, ["look"])
    assert module.data == 24
    (tmp_path / "look.wasm").write_bytes(module.code)
    (tmp_path / "look.mjs").write_text(
        """
        import { readFileSync } from "node:fs";
        const memory = new WebAssembly.Memory({ initial: 2 });
        const stack = new WebAssembly.Global({ value: "i32", mutable: true }, 65536);
        const env = { __linear_memory: memory, __stack_pointer: stack, fused: (a, b, c) => a * b + c };
        const { instance } = await WebAssembly.instantiate(readFileSync(process.argv[2]), { env });
        const numbers = new Float64Array(memory.buffer);
        numbers[9000] = 3;
        instance.exports.look(72000, 72008);
        console.log(JSON.stringify([Object.keys(instance.exports), numbers[9001]]));
        """
    )
    done = subprocess.run(
        [node(), str(tmp_path / "look.mjs"), str(tmp_path / "look.wasm")], capture_output=True, text=True, check=True
    )
    assert json.loads(done.stdout) == [["look"], 13.0]


def test_nothing_for_linkers_is_left() -> None:
    assert all(number != 0 for number, _ in sections(compile_wasm(_TABLE, ["look"]).code))


def test_what_is_not_there_is_named() -> None:
    with pytest.raises(ValueError, match="missing"):
        compile_wasm(_TABLE, ["missing"])
    with pytest.raises(ValueError, match="elsewhere"):
        compile_wasm(
            "declare double @elsewhere(double)\ndefine double @f(double %x) {\n  %y = call double "
            "@elsewhere(double %x)\n  ret double %y\n}",
            ["f"],
        )
    with pytest.raises(ValueError, match="not a WebAssembly module"):
        link_module(b"nothing", [])


def test_products_and_sums_are_rounded_once() -> None:
    """Exactly as rational numbers are rounded: numbers of all sizes, products that nearly cancel, ties, and results
    below the smallest normal number."""
    rng = np.random.default_rng(5)
    double = ctypes.c_double
    fused = Library(fused_ir()).function("fused", double, double, double, double)

    def draw(low: int, high: int) -> float:
        mantissa = float(rng.integers(2**52, 2**53) >> rng.integers(0, 52) * rng.integers(0, 2))
        return float(rng.choice([-1.0, 1.0])) * math.ldexp(mantissa, int(rng.integers(low, high)) - 52)

    for low, high in ((-20, 20), (-1074, 1000), (-560, -480), (-1074, -1000), (500, 1020)) * 400:
        a, b, c = draw(low, high), draw(low, high), draw(2 * low if low == -560 else low, high)
        near = a * b if rng.integers(0, 2) else c
        for x in (c, -near, math.nextafter(-near, math.inf), near * 2.0**-53):
            if math.isinf(x):
                continue
            exact = Fraction(a) * Fraction(b) + Fraction(x)
            try:
                rounded = float(exact)
            except OverflowError:
                rounded = math.inf if exact > 0 else -math.inf
            assert fused(a, b, x) == rounded, (a.hex(), b.hex(), x.hex())


def test_products_and_sums_of_zeros_and_infinities() -> None:
    double = ctypes.c_double
    fused = Library(fused_ir()).function("fused", double, double, double, double)
    assert math.copysign(1.0, fused(-0.0, 1.0, -0.0)) == -1.0
    assert math.copysign(1.0, fused(-1.0, 1.0, 1.0)) == 1.0
    assert math.copysign(1.0, fused(-5e-324, 0.5, 0.0)) == -1.0
    assert fused(1e300, 1e300, -math.inf) == -math.inf
    assert fused(math.inf, -1.0, 1.0) == -math.inf
    assert math.isnan(fused(math.inf, 0.0, 1.0))
    assert math.isnan(fused(1.0, 1.0, math.nan))
