"""Tapes as unrolled code: every statement once, one after another."""

from typing import TypeAlias

import numpy as np

from grashof.tape.elementary import declarations_needed
from grashof.tape.instructions import STRAIGHT_LINE, instructions
from grashof.tape.lanes import ONE, Lanes
from grashof.tape.node import inline_blocks
from grashof.tape.sums import MINUS, PLUS, REST, fuse
from grashof.tape.tape import Statement, Tape, uses
from grashof.tape.words import CODES, columns

# Where inlining blocks stops being nearly free (docs/measurements.md).
_INLINE_LIMIT = 4000

# LLVM's time grows with the square of the memory accesses in one basic block.
_LINES_PER_BASIC_BLOCK = 1024

# Addresses relative to rbp are a byte shorter than relative to rsp, and long unrolled code runs as fast as it is
# fetched.
_ATTRIBUTES = f'nounwind "frame-pointer"="all" {STRAIGHT_LINE}'

_Place: TypeAlias = tuple[str, int]  # name of an array, offset in it


def unrolled_ir(tapes: dict[str, Tape], inline: bool | None = None, lanes: Lanes = ONE) -> str:
    """LLVM IR of one function ``void name(ptr x, …, ptr y)`` for each tape: its lists of inputs, then its outputs.

    They are arrays of doubles, or of vectors with a double for each of several lanes.

    Blocks become functions of the module, shared by all its tapes, or are expanded where they are called, which
    compiles more slowly and runs faster. ``inline`` decides; None decides by size.
    """
    if inline or (inline is None and sum(map(len, tapes.values())) <= _INLINE_LIMIT):
        # Interpreting a tape over nodes expands its blocks and finds common subexpressions.
        tapes = {name: inline_blocks(tape) if tape.blocks else tape for name, tape in tapes.items()}
    declarations: set[str] = set()
    functions: list[str] = []
    names: dict[int, str] = {}  # id of a block → its function
    for name, tape in tapes.items():
        for part in tape.with_blocks():
            if id(part) in names:
                continue
            writer = _Writer(part, names, lanes)
            if part is tape:
                functions.append(writer.function(f"define void @{name}"))
            else:
                names[id(part)] = f"block.{len(names)}"
                functions.append(writer.function(f"define internal void @{names[id(part)]}"))
            declarations |= writer.declarations
    return "\n".join([*sorted(declarations), *functions])


class _Writer:
    """Writes the function of one tape, which has a pointer for each of its lists of inputs.

    Values in memory are loaded where they are used and stored where they are computed: otherwise all of them would be
    live at once, and LLVM would take long to spill them.
    """

    def __init__(self, tape: Tape, names: dict[int, str], lanes: Lanes) -> None:
        self.tape = tape
        self.pointers = [f"%x{k}" for k in range(len(tape.sizes))]
        self.names = names
        self.lanes = lanes
        self.declarations: set[str] = set()
        self.entry: list[str] = []
        self.lines: list[str] = []
        self.inputs = [(p, k) for p, size in zip(self.pointers, tape.sizes, strict=True) for k in range(size)]
        self.values: dict[int, str] = {}  # statement → name of its value
        self.loaded: list[int] = []  # statements whose values were loaded in this basic block
        self.wanted: dict[int, list[_Place]] = {}  # statement → where its value is to be stored
        self.arrays: dict[int, list[_Place]] = {}  # call → the arrays that it takes
        self.next_break = _LINES_PER_BASIC_BLOCK
        self.sums, self.absorbed = _fused_sums(tape)

    def function(self, define: str) -> str:
        """The text of the function, which begins with ``define``."""
        self._write()
        parameters = [f"ptr noalias nocapture readonly {pointer}" for pointer in self.pointers]
        parameters.append("ptr noalias nocapture %y")
        return "\n".join(
            [
                f"{define}({', '.join(parameters)}) {_ATTRIBUTES} {{",
                *self.entry,
                *self.lines,
                "  br label %end",
                "end:",
                "  ret void",
                "}\n",
            ]
        )

    def _write(self) -> None:
        statements = self.tape.statements
        for i, statement in enumerate(statements):
            if statement[0] == "call":
                self._prepare_call(i, statement)
        for k, i in enumerate(self.tape.outputs):
            self.wanted.setdefault(i, []).append(("%y", k))
        for i, statement in enumerate(statements):
            if len(self.lines) > self.next_break:
                self._break(i)
            operation = statement[0]
            if operation == "call":
                self._call(i, statement)
            elif operation not in ("input", "constant", "result") and i not in self.absorbed:
                operation, *operands = self.sums.get(i, statement)
                values = [self._value(j) for j in operands]
                self.values[i] = f"%v{i}"
                self.lines += instructions(f"%v{i}", operation, values, self.lanes)
                self.declarations.update(declarations_needed(operation, self.lanes))
            for place in self.wanted.get(i, ()):
                value = self._value(i)
                self.lines.append(f"  store {self.lanes.real} {value}, ptr {self._pointer(place)}, align 8")

    def _value(self, i: int) -> str:
        """The value of a statement, loaded if it is only in memory."""
        name = self.values.get(i)
        if name is None:
            statement = self.tape.statements[i]
            if statement[0] == "constant":
                name = self.lanes.constant(statement[1])
            else:
                pointer = self._pointer(self._place(statement))
                name = f"{pointer}.v"
                self.lines.append(f"  {name} = load {self.lanes.real}, ptr {pointer}, align 8")
                self.loaded.append(i)
            self.values[i] = name
        return name

    def _place(self, statement: Statement) -> _Place:
        """Where an input or a result is in memory."""
        return self.inputs[statement[1]] if statement[0] == "input" else (f"%r{statement[1]}", statement[2])

    def _pointer(self, place: _Place) -> str:
        array, offset = place
        pointer = f"%p{len(self.lines)}"
        self.lines.append(f"  {pointer} = getelementptr inbounds {self.lanes.real}, ptr {array}, i64 {offset}")
        return pointer

    def _break(self, i: int) -> None:
        """Begin a new basic block. The condition keeps LLVM from merging it with the previous one: y is never null."""
        if not self.entry or not self.entry[-1].startswith("  %never"):
            self.entry.append("  %never = icmp eq ptr %y, null")
        self.lines += [f"  br i1 %never, label %end, label %from{i}", f"from{i}:"]
        self.next_break = len(self.lines) + _LINES_PER_BASIC_BLOCK
        self._forget_loaded()

    def _forget_loaded(self) -> None:
        for j in self.loaded:
            del self.values[j]
        self.loaded.clear()

    def _prepare_call(self, i: int, statement: Statement) -> None:
        """Find the arrays that a call takes, or create them."""
        block = self.tape.blocks[statement[1]]
        self._allocate(f"%r{i}", len(block.outputs))
        operands = dict(zip(block.reads, statement[2:], strict=True))
        self.arrays[i] = []
        start = 0
        for k, size in enumerate(block.sizes):
            values = {p - start: operands[p] for p in range(start, start + size) if p in operands}
            start += size
            array = self._array(values)
            if array is None:
                array = (f"%a{i}.{k}", 0)
                self._allocate(array[0], size)
                for offset, j in values.items():
                    self.wanted.setdefault(j, []).append((array[0], offset))
            self.arrays[i].append(array)

    def _allocate(self, array: str, size: int) -> None:
        alignment = max(32, self.lanes.bytes)
        self.entry.append(f"  {array} = alloca [{size} x {self.lanes.real}], align {alignment}")

    def _array(self, values: dict[int, int]) -> _Place | None:
        """Where the values (given by offset) are already contiguous in memory."""
        starts: set[_Place] = set()
        for offset, j in values.items():
            statement = self.tape.statements[j]
            if statement[0] not in ("input", "result"):
                return None
            array, place = self._place(statement)
            starts.add((array, place - offset))
        return starts.pop() if len(starts) == 1 and min(starts)[1] >= 0 else None

    def _call(self, i: int, statement: Statement) -> None:
        pointers = [*map(self._pointer, self.arrays[i]), f"%r{i}"]
        function = self.names[id(self.tape.blocks[statement[1]])]
        self.lines.append(f"  call void @{function}({', '.join(f'ptr {p}' for p in pointers)})")
        # A call preserves no register; it is better to reload values that are in memory than to save them.
        self._forget_loaded()


def _fused_sums(tape: Tape) -> tuple[dict[int, Statement], set[int]]:
    """Sums that absorb a product, as (kind of sum, c, a, b), and these products."""
    kinds, first, second = columns(tape.words)
    once = uses(tape) == 1
    sums, products, others = fuse(kinds, first, second, once & (kinds == CODES["multiply"]))
    found = np.flatnonzero(sums)
    products = products[found]
    rows = zip(
        sums[found].tolist(), others[found].tolist(), first[products].tolist(), second[products].tolist(), strict=True
    )
    names = {PLUS: "plus", MINUS: "minus", REST: "rest"}
    return {i: (names[kind], *row) for i, (kind, *row) in zip(found.tolist(), rows, strict=True)}, set(
        products.tolist()
    )
