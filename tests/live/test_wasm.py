"""Objects of LLVM become modules that WebAssembly accepts."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from grashof.live.wasm import compile_wasm, linked, sections
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
        const env = { __linear_memory: memory, __stack_pointer: stack };
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
            "declare double @elsewhere(double)\ndefine double @f(double %x) {\n  %y = call double @elsewhere(double %x)\n  ret double %y\n}",
            ["f"],
        )
    with pytest.raises(ValueError, match="not a WebAssembly module"):
        linked(b"nothing", [])
