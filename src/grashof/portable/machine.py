"""Machine code of a module as a shared library, by LLVM alone where that is possible."""

from __future__ import annotations

import re
from collections.abc import Sequence

from grashof.portable.elf import link_library

PLATFORM = "x86_64-linux"
TRIPLE = "x86_64-unknown-linux-gnu"
FEATURES = "+avx,+fma"
"""What processors since 2013 have: an instruction for fused products and sums."""

SUPPORTED = bytes.fromhex("53b80100000031c90fa231c081e10010001881f9001000180f94c05bc3")
"""`int supported(void)`, whether the processor has these features:

    push rbx; mov eax, 1; xor ecx, ecx; cpuid; xor eax, eax
    and ecx, 0x18001000; cmp ecx, 0x18001000; sete al; pop rbx; ret
"""


def compile_library(ir: str, exports: Sequence[str], level: int = 2) -> bytes:
    """A shared library for Linux on x86-64, on any machine."""
    import llvmlite.binding as llvm

    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    target = llvm.Target.from_triple(TRIPLE)
    machine = target.create_target_machine(cpu="x86-64", features=FEATURES, opt=level, reloc="pic", codemodel="small")
    module = llvm.parse_assembly(f'target triple = "{TRIPLE}"\n{without_repetition(ir)}')
    module.verify()
    return link_library(bytes(machine.emit_object(module)), exports, {"supported": SUPPORTED})


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
