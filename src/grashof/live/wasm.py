"""Compiles LLVM IR to a WebAssembly module, with llvmlite alone.

LLVM writes an object file for a linker. An object that defines every function it calls is already a valid module,
apart from the missing list of exports: its indices of functions and types and its data addresses need no relocation.
The export section is therefore written here, from the symbol table of the object, and sections that only linkers read
are omitted. The memory and the stack pointer are imported.

Products and sums that are fused in native code call an imported function `fused`, so that results have the digits of
native code. There are modules for it (`fused_modules`): an instruction of the processor, which not every browser
offers, and a computation that gives the same everywhere and takes some tens of times as long.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from grashof.live.fused import fused_ir, fused_lanes_ir, relaxed_ir
from grashof.tape.lanes import Lanes

TARGET = "wasm32-unknown-unknown"

FEATURES = "+bulk-memory,+bulk-memory-opt,+sign-ext,+nontrapping-fptoint,+mutable-globals"
"""Features that every browser has supported since 2021."""

_CUSTOM, _IMPORTS, _FUNCTIONS, _EXPORTS, _DATA = 0, 2, 3, 7, 11
_ORDER = (1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 10, 11)  # order of the sections in a module; 12 is the data count

_PICKED = """\
define internal double @maxnum(double %a, double %b) nounwind {
  %greater = fcmp ogt double %a, %b
  %missing = fcmp uno double %b, 0.0
  %first = or i1 %greater, %missing
  %found = select i1 %first, double %a, double %b
  ret double %found
}
define internal double @minnum(double %a, double %b) nounwind {
  %less = fcmp olt double %a, %b
  %missing = fcmp uno double %b, 0.0
  %first = or i1 %less, %missing
  %found = select i1 %first, double %a, double %b
  ret double %found
}
"""
"""The maximum and the minimum of two numbers, ignoring a NaN, which WebAssembly's own instructions propagate."""


@dataclass(frozen=True)
class WasmModule:
    """A WebAssembly module.

    code   its bytes
    data   size of its data in memory, starting at address zero, bytes
    """

    code: bytes
    data: int


def compile_wasm(ir: str, exports: Sequence[str], level: int = 2) -> WasmModule:
    """Compiles LLVM IR; functions of LLVM are called with scalars only, but for products and sums."""
    return link_module(_object(_for_wasm(ir), level), exports)


@cache
def fused_modules() -> tuple[bytes, ...]:
    """Modules with `fused(a, b, c)`, a·b + c: the fastest one first, which may be unknown to a browser, or round
    twice; the last one does neither."""
    relaxed = _object(relaxed_ir(), 2, f"{FEATURES},+simd128,+relaxed-simd")
    return tuple(link_module(data, ["fused"]).code for data in (relaxed, _object(fused_ir(), 2)))


def _object(ir: str, level: int, features: str = FEATURES) -> bytes:
    import llvmlite.binding as llvm

    module = llvm.parse_assembly(f'target triple = "{TARGET}"\n{ir}')
    module.verify()
    return bytes(_machine(level, features).emit_object(module))


def link_module(data: bytes, exports: Sequence[str]) -> WasmModule:
    """Converts an object to a module that exports some of its functions."""
    found = {number: body for number, body in sections(data) if number != _CUSTOM}
    imported = _imports(found[_IMPORTS])
    unknown = [name for kind, name in imported if kind == 0 and name != "fused"]
    if unknown:
        raise ValueError(f"functions are called that are not there: {', '.join(unknown)}")
    symbols = _functions(data)
    missing = [name for name in exports if name not in symbols]
    if missing:
        raise ValueError(f"there are no functions {', '.join(missing)}")
    entries = b"".join(_text(name) + b"\0" + _leb(symbols[name]) for name in exports)
    found[_EXPORTS] = _leb(len(exports)) + entries
    body = b"".join(bytes([n]) + _leb(len(found[n])) + found[n] for n in _ORDER if n in found)
    return WasmModule(data[:8] + body, _data_end(found.get(_DATA, b"\0")))


def sections(data: bytes) -> Iterator[tuple[int, bytes]]:
    """The ids and contents of the sections of a module."""
    if data[:8] != b"\0asm\1\0\0\0":
        raise ValueError("not a WebAssembly module")
    at = 8
    while at < len(data):
        number = data[at]
        size, at = _read(data, at + 1)
        yield number, data[at : at + size]
        at += size


def _for_wasm(ir: str) -> str:
    """Removes repeated declarations and frame pointers, and replaces what WebAssembly lacks by functions that are
    defined here or imported."""
    ir = ir.replace('"frame-pointer"="all" ', "").replace("@llvm.fmuladd.f64", "@fused")
    ir = ir.replace("@llvm.fmuladd.v", "@fused.v")
    for name in ("maxnum", "minnum"):
        ir = ir.replace(f"@llvm.{name}.f64", f"@{name}")
    wide = {int(count) for count in re.findall(r"call [^@]*@fused\.v(\d+)f64", ir)}
    parts = [
        "declare double @fused(double, double, double)\n",
        _PICKED,
        *(fused_lanes_ir(Lanes(x)) for x in sorted(wide)),
    ]
    known: set[str] = set()
    lines = []
    for line in "".join([*parts, ir]).splitlines():
        if line.startswith("declare "):
            if line in known or re.search(r"@(maxnum|minnum)\(|\.v\d+f64\(", line):
                continue
            known.add(line)
        lines.append(line)
    return "\n".join(lines)


def _functions(data: bytes) -> dict[str, int]:
    """The indices of the functions that an object defines, by name."""
    linking = next(body for name, body in _customs(data) if name == "linking")
    found = {}
    _, at = _read(linking, 0)  # the version
    while at < len(linking):
        kind = linking[at]
        size, at = _read(linking, at + 1)
        if kind == 8:
            found = dict(_symbols(linking[at : at + size]))
        at += size
    return found


def _symbols(table: bytes) -> Iterator[tuple[str, int]]:
    """Names and indices of functions in a symbol table (tool conventions of WebAssembly, Linking.md)."""
    count, at = _read(table, 0)
    for _ in range(count):
        kind = table[at]
        flags, at = _read(table, at + 1)
        undefined, named = bool(flags & 0x10), bool(flags & 0x40)
        if kind == 1:  # data
            _, at = _read_text(table, at)
            for _ in range(0 if undefined else 3):
                _, at = _read(table, at)
        elif kind == 3:  # section
            _, at = _read(table, at)
        else:
            number, at = _read(table, at)
            if not undefined or named:
                name, at = _read_text(table, at)
                if kind == 0 and not undefined:
                    yield name, number


def _customs(data: bytes) -> Iterator[tuple[str, bytes]]:
    for number, body in sections(data):
        if number == _CUSTOM:
            name, at = _read_text(body, 0)
            yield name, body[at:]


def _imports(body: bytes) -> list[tuple[int, str]]:
    """The kinds and names of the imports."""
    count, at = _read(body, 0)
    found = []
    for _ in range(count):
        _, at = _read_text(body, at)
        name, at = _read_text(body, at)
        kind = body[at]
        at += 1
        if kind == 0:  # a function: its type
            _, at = _read(body, at)
        elif kind == 3:  # a global: its type and mutability
            at += 2
        else:  # a table begins with a type; then, as for a memory, flags and limits
            at += kind == 1
            flags, at = _read(body, at)
            for _ in range(1 + (flags & 1)):
                _, at = _read(body, at)
        found.append((kind, name))
    return found


def _data_end(body: bytes) -> int:
    """The first address after all data."""
    count, at = _read(body, 0)
    end = 0
    for _ in range(count):
        flags, at = _read(body, at)
        if flags != 0 or body[at] != 0x41:
            raise ValueError("data must have constant addresses")
        start, at = _read(body, at + 1)
        size, at = _read(body, at + 1)  # after the end of the expression
        end, at = max(end, start + size), at + size
    return end


def _leb(number: int) -> bytes:
    """An integer in WebAssembly's LEB128 encoding: seven bits per byte, lowest first."""
    found = b""
    while True:
        number, low = number >> 7, number & 0x7F
        if not number:
            return found + bytes([low])
        found += bytes([low | 0x80])


def _read(data: bytes, at: int) -> tuple[int, int]:
    """The LEB128 integer at a position, and the position after it."""
    value = shift = 0
    while True:
        byte = data[at]
        at, value, shift = at + 1, value | (byte & 0x7F) << shift, shift + 7
        if not byte & 0x80:
            return value, at


def _text(name: str) -> bytes:
    data = name.encode()
    return _leb(len(data)) + data


def _read_text(data: bytes, at: int) -> tuple[str, int]:
    size, at = _read(data, at)
    return data[at : at + size].decode(), at + size


@cache
def _machine(level: int, features: str) -> Any:
    import llvmlite.binding as llvm

    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    return llvm.Target.from_triple(TARGET).create_target_machine(features=features, opt=level)
