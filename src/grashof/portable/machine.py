"""Machine code of a module as a shared library, by LLVM alone where that is possible."""

from __future__ import annotations

import re
from collections.abc import Sequence

from grashof.portable.elf import link_library

PLATFORM = "x86_64-linux"
TRIPLE = "x86_64-unknown-linux-gnu"
PROCESSOR = "x86-64-v3"
"""Processors since 2013: those with an instruction for fused products and sums."""


def compile_library(ir: str, exports: Sequence[str], level: int = 2) -> bytes:
    """A shared library for Linux on x86-64, on any machine."""
    import llvmlite.binding as llvm

    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    target = llvm.Target.from_triple(TRIPLE)
    machine = target.create_target_machine(cpu=PROCESSOR, opt=level, reloc="pic", codemodel="small")
    module = llvm.parse_assembly(f'target triple = "{TRIPLE}"\n{without_repetition(ir)}')
    module.verify()
    return link_library(bytes(machine.emit_object(module)), exports)


def without_repetition(ir: str) -> str:
    """A module whose functions are declared once each, and not if they are defined."""
    lines, known = [], set(re.findall(r"^define [^@]*@([-\w.$]+)\(", ir, re.MULTILINE))
    for line in ir.splitlines():
        if found := re.match(r"declare [^@]*@([-\w.$]+)\(", line):
            if found[1] in known:
                continue
            known.add(found[1])
        lines.append(line)
    return "\n".join(lines) + "\n"
