"""Tapes as LLVM IR."""

import struct
from collections.abc import Callable
from typing import TypeAlias

from grashof.tape.node import trace
from grashof.tape.tape import Statement, Tape

STRAIGHT_LINE = '"straight-line"'
"""Attribute of the functions made from tapes: nothing but instruction selection is left to do on them."""

INLINE_LIMIT = 4000
CHUNK=512
FORGET=True
"""Up to this many operations in a module, calls of blocks are replaced by what they do."""

_Place: TypeAlias = tuple[str, int]  # name of an array, offset

_ARITHMETIC = {
    "add": "fadd contract double",
    "subtract": "fsub contract double",
    "multiply": "fmul contract double",
    "divide": "fdiv contract double",
}
_CALLED = {
    "sin": "llvm.sin.f64",
    "cos": "llvm.cos.f64",
    "exp": "llvm.exp.f64",
    "log": "llvm.log.f64",
    "sqrt": "llvm.sqrt.f64",
    "absolute": "llvm.fabs.f64",
    "tan": "tan",
    "tanh": "tanh",
    "atan2": "atan2",
}


def emit(tapes: dict[str, Tape]) -> str:
    """LLVM IR of a module with one function ``void name(ptr x, ptr y)`` for each tape.

    x and y point to the inputs and outputs of the tape, as doubles that do not overlap. Blocks become internal
    functions, shared by all tapes of the module: emit all tapes of a module together. Products may be
    contracted with sums into fused multiply-adds; nothing else is reassociated or approximated.
    """
    if sum(len(tape) for tape in tapes.values()) <= INLINE_LIMIT:
        tapes = {name: _inlined(tape) if tape.blocks else tape for name, tape in tapes.items()}
    declarations: set[str] = set()
    functions: list[str] = []
    names: dict[int, str] = {}  # id of a block → its function
    known: dict[str, str] = {}  # text after the name → function: tapes traced apart share equal blocks
    for name, tape in tapes.items():
        *blocks, _ = tape.with_blocks()
        for block in blocks:
            if id(block) in names:
                continue
            pointers = [f"%x{k}" for k in range(len(block.sizes))]
            text = _function(block, pointers, names, declarations)
            if text not in known:
                known[text] = f"block.{len(known)}"
                functions.append(f"define internal void @{known[text]}{text}")
            names[id(block)] = known[text]
        text = _function(tape, ["%x"] * len(tape.sizes), names, declarations)
        functions.append(f"define void @{name}{text}")
    return "\n".join([*sorted(declarations), *functions])


def module(parts: list[str]) -> str:
    """One module of several texts of LLVM IR, with each ``declare`` line once."""
    declarations: dict[str, None] = {}
    rest: list[str] = []
    for part in parts:
        for line in part.splitlines():
            if line.startswith("declare "):
                declarations[line] = None
            else:
                rest.append(line)
    return "\n".join([*declarations, *rest]) + "\n"


def _inlined(tape: Tape) -> Tape:
    # Interpreting a tape over nodes records what its blocks do, and finds what they have in common.
    return trace(tape.evaluate, tape.inputs)


def _function(tape: Tape, pointers: list[str], names: dict[int, str], declarations: set[str]) -> str:
    """A function from its parameters on; ``pointers`` name where each list of inputs is."""
    writer = _Writer(tape, pointers, names, declarations)
    writer.write()
    parameters = [f"ptr noalias nocapture readonly {pointer}" for pointer in dict.fromkeys(pointers)]
    return "\n".join(
        [
            f"({', '.join([*parameters, 'ptr noalias nocapture %y'])}) nounwind {STRAIGHT_LINE} {{",
            *writer.allocations,
            *writer.lines,
            "  br label %end",
            "end:",
            "  ret void",
            "}\n",
        ]
    )


class _Writer:
    """The instructions of one tape.

    Values in memory are loaded where they are used and stored where they are made: otherwise all of them would be
    live at once, and LLVM would take long to find them other places in memory.
    """

    def __init__(self, tape: Tape, pointers: list[str], names: dict[int, str], declarations: set[str]) -> None:
        self.tape = tape
        self.names = names
        self.declarations = declarations
        self.allocations: list[str] = []
        self.lines: list[str] = []
        self.inputs = _input_places(tape, pointers)
        self.registers: dict[int, str] = {}  # statement → name of its value
        self.loaded: list[int] = []  # statements whose values were loaded since the last call
        self.wanted: dict[int, list[_Place]] = {}  # statement → where its value is to be stored
        self.arrays: dict[int, list[_Place]] = {}  # call → the arrays that it takes

    def write(self) -> None:
        statements = self.tape.statements
        for i, statement in enumerate(statements):
            if statement[0] == "call":
                self._prepare_call(i, statement)
        for k, i in enumerate(self.tape.outputs):
            self.wanted.setdefault(i, []).append(("%y", k))
        self.lines.append("  %never = icmp eq ptr %y, null")
        mark = 0
        for i, statement in enumerate(statements):
            operation = statement[0]
            if len(self.lines) > mark + CHUNK:
                mark = len(self.lines)
                self.lines.append(f"  br i1 %never, label %end, label %b{i}")
                self.lines.append(f"b{i}:")
                if FORGET: self._forget()
            if operation == "call":
                self._call(i, statement)
            elif operation not in ("input", "constant", "result"):
                self.registers[i] = self._operation(i, operation, [self._value(j) for j in statement[1:]])
            for place in self.wanted.get(i, ()):
                value = self._value(i)
                self.lines.append(f"  store double {value}, ptr {self._pointer(place)}, align 8")

    def _value(self, i: int) -> str:
        """The value of a statement, loaded if it is in memory alone."""
        name = self.registers.get(i)
        if name is not None:
            return name
        statement = self.tape.statements[i]
        if statement[0] == "constant":
            name = _constant(statement[1])
        else:
            pointer = self._pointer(self._place(statement))
            name = f"{pointer}.v"
            self.lines.append(f"  {name} = load double, ptr {pointer}, align 8")
            self.loaded.append(i)
        self.registers[i] = name
        return name

    def _place(self, statement: Statement) -> _Place:
        """Where an input or a result is in memory."""
        return self.inputs[statement[1]] if statement[0] == "input" else (f"%r{statement[1]}", statement[2])

    def _pointer(self, place: _Place) -> str:
        array, offset = place
        pointer = f"%p{len(self.lines)}"
        self.lines.append(f"  {pointer} = getelementptr inbounds double, ptr {array}, i64 {offset}")
        return pointer

    def _operation(self, i: int, operation: str, values: list[str]) -> str:
        name = f"%v{i}"
        if operation in _ARITHMETIC:
            self.lines.append(f"  {name} = {_ARITHMETIC[operation]} {values[0]}, {values[1]}")
        elif operation == "negate":
            self.lines.append(f"  {name} = fneg double {values[0]}")
        elif operation in _CALLED:
            function = _CALLED[operation]
            self.declarations.add(f"declare double @{function}({', '.join(['double'] * len(values))})")
            arguments = ", ".join(f"double {value}" for value in values)
            self.lines.append(f"  {name} = call contract double @{function}({arguments})")
        else:
            self.lines += _SELECTIONS[operation](name, *values)
        return name

    def _prepare_call(self, i: int, statement: Statement) -> None:
        """Find the arrays that a call takes, or make them."""
        block = self.tape.blocks[statement[1]]
        self.allocations.append(f"  %r{i} = alloca [{len(block.outputs)} x double], align 32")
        operands = dict(zip(block.reads, statement[2:], strict=True))
        self.arrays[i] = []
        start = 0
        for k, size in enumerate(block.sizes):
            values = {p - start: operands[p] for p in range(start, start + size) if p in operands}
            start += size
            array = self._array(values)
            if array is None:
                array = (f"%a{i}.{k}", 0)
                self.allocations.append(f"  {array[0]} = alloca [{size} x double], align 32")
                for offset, j in values.items():
                    self.wanted.setdefault(j, []).append((array[0], offset))
            self.arrays[i].append(array)

    def _array(self, values: dict[int, int]) -> _Place | None:
        """Where the values (by offset) lie in memory already, in this order."""
        starts: set[_Place] = set()
        for offset, j in values.items():
            statement = self.tape.statements[j]
            if statement[0] not in ("input", "result"):
                return None
            array, place = self._place(statement)
            starts.add((array, place - offset))
        start = starts.pop() if len(starts) == 1 else None
        return start if start is not None and start[1] >= 0 else None

    def _call(self, i: int, statement: Statement) -> None:
        arguments = [self._pointer(array) for array in self.arrays[i]]
        function = self.names[id(self.tape.blocks[statement[1]])]
        handed = ", ".join(f"ptr {argument}" for argument in [*arguments, f"%r{i}"])
        self.lines.append(f"  call void @{function}({handed})")
        self._forget()
    def _forget(self) -> None:
        for j in self.loaded:
            del self.registers[j]
        self.loaded.clear()


def _input_places(tape: Tape, pointers: list[str]) -> list[_Place]:
    """Where each element of the input vector is: by list if each list has its own pointer, else in one array."""
    if len(set(pointers)) < len(pointers):
        return [(pointers[0], k) for k in range(tape.inputs)]
    return [(pointer, k) for pointer, size in zip(pointers, tape.sizes, strict=True) for k in range(size)]


def _constant(value: float) -> str:
    return f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"


def _minimum(name: str, x: str, y: str) -> list[str]:
    return [
        f"  {name}.c = fcmp olt double {x}, {y}",
        f"  {name} = select i1 {name}.c, double {x}, double {y}",
    ]


def _maximum(name: str, x: str, y: str) -> list[str]:
    return [
        f"  {name}.c = fcmp ogt double {x}, {y}",
        f"  {name} = select i1 {name}.c, double {x}, double {y}",
    ]


def _where(name: str, condition: str, positive: str, otherwise: str) -> list[str]:
    return [
        f"  {name}.c = fcmp ogt double {condition}, 0.0",
        f"  {name} = select i1 {name}.c, double {positive}, double {otherwise}",
    ]


def _sign(name: str, x: str) -> list[str]:
    return [
        f"  {name}.p = fcmp ogt double {x}, 0.0",
        f"  {name}.n = fcmp olt double {x}, 0.0",
        f"  {name}.s = select i1 {name}.n, double -1.0, double 0.0",
        f"  {name} = select i1 {name}.p, double 1.0, double {name}.s",
    ]


_SELECTIONS: dict[str, Callable[..., list[str]]] = {
    "minimum": _minimum,
    "maximum": _maximum,
    "where": _where,
    "sign": _sign,
}
