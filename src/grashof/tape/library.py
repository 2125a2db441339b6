"""Modules as machine code."""

import contextlib
import ctypes
import functools
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec
import numpy as np

from grashof.tape import cache
from grashof.tape.executor import ScheduleTables, program_name
from grashof.tape.llvm import STRAIGHT_LINE, LlvmModule, emit
from grashof.tape.schedule import Schedule
from grashof.tape.tape import Tape

_SMALL = 12_000  # lines; beyond, level 2 takes longer than level 1 and gains nothing (docs/measurements.md)


class Library:
    """Machine code of a module for the processor it runs on.

    Functions with the attribute ``STRAIGHT_LINE`` go directly to the code generator: the optimisation passes would take
    long and find nothing to improve. All others are optimised first. ``level`` is that of the code generator; None
    chooses it by the size of the module.
    """

    from_cache = False
    """Whether it was cached by an earlier process, or earlier in this one, so that nothing had to be compiled."""

    def __init__(self, code: LlvmModule | str, level: int | None = None) -> None:
        if isinstance(code, str):
            code = LlvmModule(code)
        self._link(_objects(code, level), code.schedules)

    def _link(self, objects: Iterable[bytes], schedules: Mapping[str, Schedule]) -> None:
        import llvmlite.binding as llvm

        self._addresses: dict[str, int] = {}
        self._engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), _machine(0))
        for data in objects:
            self._engine.add_object_file(llvm.ObjectFileRef.from_data(data))
        self._engine.finalize_object()
        self._programs = {name: ScheduleTables(schedule) for name, schedule in schedules.items()}
        for name, program in self._programs.items():
            variable = ctypes.c_void_p.from_address(self._engine.get_global_value_address(program_name(name)))
            variable.value = ctypes.addressof(program)

    def address(self, name: str) -> int:
        """Address of a function of the module, valid as long as the library lives."""
        if name not in self._addresses:
            self._addresses[name] = int(self._engine.get_function_address(name))
        if not self._addresses[name]:
            raise KeyError(f"the library has no function {name!r}")
        return self._addresses[name]

    def has(self, name: str) -> bool:
        """Whether the module has a function of this name."""
        return bool(self._engine.get_function_address(name))

    def function(self, name: str, restype: Any, *argtypes: Any) -> Any:
        """A function of the module for ctypes; it keeps the library alive."""
        function = ctypes.CFUNCTYPE(restype, *argtypes)(self.address(name))
        function.library = self  # type: ignore[attr-defined]
        return function


class _Table(msgspec.Struct, frozen=True):
    """A schedule as bytes."""

    inputs: int
    size: int
    constants: bytes
    runs: bytes
    operands: bytes
    outputs: bytes

    @classmethod
    def of(cls, x: Schedule) -> "_Table":
        arrays = (x.constants, x.runs, x.operands, x.outputs)
        return cls(x.inputs, x.size, *(array.tobytes() for array in arrays))

    @property
    def schedule(self) -> Schedule:
        runs, operands, outputs = (np.frombuffer(x, np.int32) for x in (self.runs, self.operands, self.outputs))
        constants = np.frombuffer(self.constants, np.float64)
        return Schedule(self.inputs, constants, runs.reshape(-1, 2), operands, outputs, self.size)


class _Kept(msgspec.Struct, frozen=True):
    """A library as it is stored in the cache."""

    objects: tuple[bytes, ...]
    tables: dict[str, _Table]
    statements: dict[str, tuple[int, int]]


def library_of(tapes: Callable[[], dict[str, Tape]], name: str | None) -> tuple[Library, dict[str, tuple[int, int]]]:
    """The machine code of tapes, and how many statements and operations each has.

    ``name`` identifies everything on which the tapes depend: if a library of that name is cached, they are not even
    traced.
    """
    place = None if name is None else cache.key(name, *_made_by())
    data = None if place is None else cache.get(place)
    if data is not None:
        with contextlib.suppress(msgspec.MsgspecError):
            kept = msgspec.msgpack.decode(data, type=_Kept)
            library = Library.__new__(Library)
            library._link(kept.objects, {name: table.schedule for name, table in kept.tables.items()})
            library.from_cache = True
            return library, kept.statements
    made = tapes()
    code, statements = emit(made), {name: (len(tape), tape.operations) for name, tape in made.items()}
    objects = _objects(code)
    library = Library.__new__(Library)
    library._link(objects, code.schedules)
    if place is not None:
        tables = {name: _Table.of(schedule) for name, schedule in code.schedules.items()}
        cache.put(place, msgspec.msgpack.encode(_Kept(objects, tables, statements)))
    return library, statements


def _objects(code: LlvmModule, level: int | None = None) -> tuple[bytes, ...]:
    """The object code of a module's two parts, from the cache if possible."""
    if level is None:
        level = 2 if code.text.count("\n") <= _SMALL else 1
    objects = []
    for part, optimise in zip(_split(code.text), (False, True), strict=True):
        name = cache.key(part, *_made_by(), str(level))
        data = cache.get(name)
        if data is None:
            data = _compile_module(part, _machine(level), optimise)
            cache.put(name, data)
        objects.append(data)
    return tuple(objects)


def _machine(level: int) -> Any:
    import llvmlite.binding as llvm

    _initialize()
    cpu, features = llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()
    return llvm.Target.from_default_triple().create_target_machine(cpu=cpu, features=features, opt=level, jit=True)


@functools.cache
def vector_lanes() -> int:
    """How many doubles a register of this processor holds."""
    import llvmlite.binding as llvm

    _initialize()
    features = llvm.get_host_cpu_features()
    return 8 if features.get("avx512f") else 4 if features.get("avx") else 2


@functools.cache
def _made_by() -> tuple[str, ...]:
    """The compiler and the processor."""
    import llvmlite.binding as llvm

    _initialize()
    features = llvm.get_host_cpu_features().flatten()
    return str(llvm.llvm_version_info), llvm.get_default_triple(), llvm.get_host_cpu_name(), features


def _compile_module(ir: str, machine: Any, optimise: bool) -> bytes:
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
    # a list in parentheses, in which attributes may contain parentheses
    signature = re.match(r"define ([^(]*\((?:[^()]|\([^()]*\))*\))", define)
    if signature is None:
        raise ValueError(f"a function must begin in one line of LLVM IR: {define}")
    return "declare " + re.sub(r" %[-a-zA-Z$._0-9]+", "", signature[1])
