"""Modules as machine code."""

import ctypes
import functools
import re
from typing import Any

from grashof.tape import cache
from grashof.tape.executor import Program, program_name
from grashof.tape.llvm import STRAIGHT_LINE, Code

_SMALL = 12_000  # lines; beyond, level 2 takes a quarter longer than level 1 and gains nothing


class Library:
    """Machine code of a module for the processor it runs on.

    Functions with the attribute ``STRAIGHT_LINE`` go to the code generator as they are: the passes before it would find
    nothing to do on them, slowly. All others are optimised first. ``level`` is that of the code generator; None
    chooses by the size of the module.
    """

    def __init__(self, code: Code | str, level: int | None = None) -> None:
        import llvmlite.binding as llvm

        if isinstance(code, str):
            code = Code(code)
        _initialize()
        if level is None:
            level = 2 if code.text.count("\n") <= _SMALL else 1
        cpu, features = llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()
        machine = llvm.Target.from_default_triple().create_target_machine(
            cpu=cpu, features=features, opt=level, jit=True
        )
        made_by = (str(llvm.llvm_version_info), machine.triple, cpu, features, str(level))
        self._engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
        for part, optimise in zip(_split(code.text), (False, True), strict=True):
            name = cache.key(part, *made_by)
            data = cache.get(name)
            if data is None:
                data = _compiled(part, machine, optimise)
                cache.put(name, data)
            self._engine.add_object_file(llvm.ObjectFileRef.from_data(data))
        self._engine.finalize_object()
        self._programs = {name: Program(schedule) for name, schedule in code.schedules.items()}
        for name, program in self._programs.items():
            variable = ctypes.c_void_p.from_address(self._engine.get_global_value_address(program_name(name)))
            variable.value = ctypes.addressof(program)

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


def _compiled(ir: str, machine: Any, optimise: bool) -> bytes:
    """Object code."""
    import llvmlite.binding as llvm

    module = llvm.parse_assembly(ir)
    module.verify()
    if optimise:
        options = llvm.create_pipeline_tuning_options(speed_level=2)
        options.loop_vectorization = True
        options.slp_vectorization = True
        builder = llvm.create_pass_builder(machine, options)
        builder.getModulePassManager().run(module, builder)
    return bytes(machine.emit_object(module))


@functools.cache
def _initialize() -> None:
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()


def _split(ir: str) -> tuple[str, str]:
    """The functions that are ready for the code generator, and the others; each part declares what it calls."""
    straight: list[str] = []
    other: list[str] = []
    part = other
    for line in ir.splitlines():
        if line.startswith("declare "):
            straight.append(line)
            other.append(line)
        elif line.startswith("@"):
            straight.append(line)  # variables belong to tapes
        elif line.startswith("define "):
            part, elsewhere = (straight, other) if STRAIGHT_LINE in line else (other, straight)
            part.append(line)
            if not line.startswith("define internal "):
                elsewhere.append(_declaration(line))
        else:
            part.append(line)
    return "\n".join(straight), "\n".join(other)


def _declaration(define: str) -> str:
    """The ``declare`` line for the first line of a function: its type, name and parameter types."""
    # a list in parentheses, in which attributes may have parentheses of their own
    signature = re.match(r"define ([^(]*\((?:[^()]|\([^()]*\))*\))", define)
    if signature is None:
        raise ValueError(f"a function must begin in one line of LLVM IR: {define}")
    return "declare " + re.sub(r" %[-a-zA-Z$._0-9]+", "", signature[1])
