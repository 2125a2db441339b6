"""LLVM IR as machine code."""

import ctypes
import functools
import re
from typing import Any

from grashof.tape.llvm import STRAIGHT_LINE


class Library:
    """Machine code of a module of LLVM IR for the processor it runs on.

    ``level`` is LLVM's optimisation level; None chooses by the size of the module. Functions made from tapes are
    handed to the code generator as they are: the passes before it find nothing to do on them, slowly.
    """

    def __init__(self, ir: str, level: int | None = None) -> None:
        import llvmlite.binding as llvm

        _initialize()
        straight, looping = _split(ir)
        if level is None:
            level = 2 if straight.count("\n") <= 12_000 else 1
        machine = llvm.Target.from_default_triple().create_target_machine(
            cpu=llvm.get_host_cpu_name(), features=llvm.get_host_cpu_features().flatten(), opt=level, jit=True
        )
        parsed = llvm.parse_assembly(looping)
        parsed.verify()
        options = llvm.create_pipeline_tuning_options(speed_level=2)
        options.loop_vectorization = True
        options.slp_vectorization = True
        builder = llvm.create_pass_builder(machine, options)
        builder.getModulePassManager().run(parsed, builder)
        self._engine = llvm.create_mcjit_compiler(parsed, machine)
        self._engine.add_module(llvm.parse_assembly(straight))
        self._engine.finalize_object()

    def address(self, name: str) -> int:
        """Address of a function of the module, valid as long as the library lives."""
        address = int(self._engine.get_function_address(name))
        if not address:
            raise KeyError(f"the library has no function {name!r}")
        return address

    def function(self, name: str, restype: Any, *argtypes: Any) -> Any:
        """A function of the module for ctypes; it keeps the library alive."""
        function = ctypes.CFUNCTYPE(restype, *argtypes)(self.address(name))
        function.library = self  # type: ignore[attr-defined]
        return function


@functools.cache
def _initialize() -> None:
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()


def _split(ir: str) -> tuple[str, str]:
    """The functions made from tapes, and all the rest, each as a module that declares what it lacks."""
    straight: list[str] = []
    looping: list[str] = []
    part = looping
    for line in ir.splitlines():
        if line.startswith("declare "):
            straight.append(line)
            looping.append(line)
            continue
        if line.startswith("define ") and STRAIGHT_LINE in line:
            part = straight
            if not line.startswith("define internal "):
                looping.append(_declaration(line))
        part.append(line)
        if line == "}":
            part = looping
    return "\n".join(straight), "\n".join(looping)


def _declaration(define: str) -> str:
    """``declare void @name(ptr, ptr)`` for the first line of a function made from a tape."""
    match = re.match(r"define void (@[^(]+)\(", define)
    assert match is not None
    return f"declare void {match[1]}(ptr noalias nocapture readonly, ptr noalias nocapture)"
