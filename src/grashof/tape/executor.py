"""Schedules in native code: one function runs them all, with a loop for each kind of step.

    void execute(ptr program, ptr x, ptr y)

Numbers are doubles, or vectors with a double for each of several lanes (see :mod:`grashof.tape.lanes`).

Each program owns the memory in which it runs. A call that finds it in use by another thread allocates memory from the
C library and frees it afterwards.

The loops spend their time on loads, about two per cycle; docs/measurements.md lists the attempts to make them faster.
"""

import ctypes
from collections.abc import Sequence

import numpy as np

from grashof.tape.elementary import declarations_needed
from grashof.tape.instructions import STRAIGHT_LINE, instructions
from grashof.tape.lanes import ONE, Lanes
from grashof.tape.schedule import STEPS, Schedule
from grashof.tape.words import OPERANDS


class ScheduleTables(ctypes.Structure):
    """A schedule as native code sees it: its tables, and the memory in which it runs."""

    _fields_ = (
        ("inputs", ctypes.c_int64),
        ("constants", ctypes.c_int64),
        ("runs", ctypes.c_int64),
        ("outputs", ctypes.c_int64),
        ("size", ctypes.c_int64),
        ("constant_table", ctypes.c_void_p),
        ("run_table", ctypes.c_void_p),
        ("operand_table", ctypes.c_void_p),
        ("output_table", ctypes.c_void_p),
        ("memory", ctypes.c_void_p),
        ("busy", ctypes.c_int64),  # 1 while a call uses the memory
    )

    def __init__(self, schedule: Schedule) -> None:
        lanes = schedule.lanes
        lengths = (schedule.inputs, len(schedule.constants), len(schedule.runs), len(schedule.outputs), schedule.size)
        memory = np.empty(schedule.size * lanes)
        self.arrays = (
            np.repeat(schedule.constants, lanes),
            schedule.runs,
            schedule.operands,
            schedule.outputs,
            memory,
        )  # kept alive
        super().__init__(*lengths, *(array.ctypes.data for array in self.arrays), 0)


def program_name(name: str) -> str:
    """The variable from which the function ``name`` takes the address of its program."""
    return f"{name}.program"


def call_ir(name: str, sizes: Sequence[int], lanes: Lanes = ONE) -> str:
    """``void name(ptr x, …, ptr y)``, which runs its program on lists of inputs of these sizes."""
    parameters = [f"ptr noalias nocapture readonly %x{k}" for k in range(len(sizes))]
    return "\n".join(
        [
            f"@{program_name(name)} = global ptr null",
            f"define void @{name}({', '.join(parameters)}, ptr noalias nocapture %y) nounwind {STRAIGHT_LINE} {{",
            *_gather_lists(sizes, lanes),
            f"  %program = load ptr, ptr @{program_name(name)}",
            "  call void @execute(ptr %program, ptr %x, ptr %y)",
            "  ret void",
            "}\n",
        ]
    )


def _gather_lists(sizes: Sequence[int], lanes: Lanes) -> list[str]:
    """%x, an array that holds all lists one after another."""
    if sum(sizes) == sizes[0]:  # states may be long
        return [f"  %x = getelementptr inbounds {lanes.real}, ptr %x0, i64 0"]
    lines = [f"  %x = alloca [{sum(sizes)} x {lanes.real}], align {max(32, lanes.bytes)}"]
    for k, size in enumerate(sizes):
        lines.append(f"  %to{k} = getelementptr inbounds {lanes.real}, ptr %x, i64 {sum(sizes[:k])}")
        lines.append(f"  call void @llvm.memcpy.p0.p0.i64(ptr %to{k}, ptr %x{k}, i64 {lanes.bytes * size}, i1 false)")
    return lines


def executor_ir(lanes: Lanes = ONE) -> str:
    """``void execute(ptr program, ptr x, ptr y)``, the same for all programs."""
    declarations = sorted({part for step, _ in STEPS for part in declarations_needed(step, lanes)})
    loops = [_loop(code, lanes) for code in range(len(STEPS))]
    begin, end = (text.replace("REAL", lanes.real).replace("BYTES", str(lanes.bytes)) for text in (_BEGIN, _END))
    return "\n".join([*_DECLARATIONS, *declarations, _HEAD, *_fields(), begin, _next_run(lanes), *loops, end])


_DECLARATIONS = (
    "declare ptr @malloc(i64)",
    "declare void @free(ptr)",
    "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)",
    "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)",
)

_HEAD = f"define internal void @execute(ptr %program, ptr %x, ptr %y) nounwind {STRAIGHT_LINE} {{\nentry:"

# Inputs and constants are copied to where the steps read them. If there is no memory, the outputs are NaN.
_BEGIN = """\
  %was = atomicrmw xchg ptr %busy, i64 1 acquire
  %own = icmp eq i64 %was, 0
  br i1 %own, label %begin, label %borrow
borrow:
  %bytes = mul i64 %size, BYTES
  %borrowed = call ptr @malloc(i64 %bytes)
  %none = icmp eq ptr %borrowed, null
  br i1 %none, label %fail, label %begin
fail:
  %y.bytes = mul i64 %outputs, BYTES
  call void @llvm.memset.p0.i64(ptr %y, i8 -1, i64 %y.bytes, i1 false)
  ret void
begin:
  %values = phi ptr [%memory, %entry], [%borrowed, %borrow]
  %x.bytes = mul i64 %inputs, BYTES
  call void @llvm.memcpy.p0.p0.i64(ptr %values, ptr %x, i64 %x.bytes, i1 false)
  %values.constants = getelementptr inbounds REAL, ptr %values, i64 %inputs
  %constants.bytes = mul i64 %constants, BYTES
  call void @llvm.memcpy.p0.p0.i64(ptr %values.constants, ptr %constant_table, i64 %constants.bytes, i1 false)
  %first = getelementptr inbounds REAL, ptr %values.constants, i64 %constants
  %runs.end = getelementptr inbounds {i32, i32}, ptr %run_table, i64 %runs
  br label %next"""

_END = """\
gather:
  %k = phi i64 [0, %next], [%k.next, %output]
  %all = icmp eq i64 %k, %outputs
  br i1 %all, label %leave, label %output
output:
  %place.at = getelementptr inbounds i32, ptr %output_table, i64 %k
  %place = load i32, ptr %place.at
  %value.at = getelementptr inbounds REAL, ptr %values, i32 %place
  %value = load REAL, ptr %value.at, align 8
  %y.at = getelementptr inbounds REAL, ptr %y, i64 %k
  store REAL %value, ptr %y.at, align 8
  %k.next = add i64 %k, 1
  br label %gather
leave:
  br i1 %own, label %release, label %return
release:
  store atomic i64 0, ptr %busy release, align 8
  ret void
return:
  call void @free(ptr %values)
  ret void
}
"""


def _fields() -> list[str]:
    """Loads of the fields of the program; for the last one, its address instead."""
    lines = []
    for k, (name, kind) in enumerate(ScheduleTables._fields_[:-1]):
        lines.append(f"  %{name}.at = getelementptr inbounds i64, ptr %program, i64 {k}")
        lines.append(f"  %{name} = load {'ptr' if kind is ctypes.c_void_p else 'i64'}, ptr %{name}.at")
    return [*lines, f"  %busy = getelementptr inbounds i64, ptr %program, i64 {len(ScheduleTables._fields_) - 1}"]


def _next_run(lanes: Lanes) -> str:
    """Go to the loop of the next run."""
    codes = range(len(STEPS))
    runs = ", ".join(["[%run_table, %begin]", *(f"[%run.next, %loop{k}]" for k in codes)])
    targets = ", ".join(["[%first, %begin]", *(f"[%to{k}.next, %loop{k}]" for k in codes)])
    sources = ", ".join(["[%operand_table, %begin]", *(f"[%from{k}.next, %loop{k}]" for k in codes)])
    return f"""\
next:
  %run = phi ptr {runs}
  %to = phi ptr {targets}
  %from = phi ptr {sources}
  %done = icmp eq ptr %run, %runs.end
  br i1 %done, label %gather, label %choose
choose:
  %step = load i32, ptr %run
  %count.at = getelementptr inbounds i32, ptr %run, i64 1
  %count = load i32, ptr %count.at
  %run.next = getelementptr inbounds {{i32, i32}}, ptr %run, i64 1
  %to.end = getelementptr inbounds {lanes.real}, ptr %to, i32 %count
  switch i32 %step, label %impossible [{" ".join(f"i32 {k}, label %loop{k}" for k in codes)}]
impossible:
  unreachable"""


def _loop(code: int, lanes: Lanes) -> str:
    """The loop over a run of steps of one kind."""
    step, terms = STEPS[code]
    lines: list[str] = []
    if terms:
        size = 1 + 2 * terms
        result = _load(lines, code, 0, lanes)
        for k in range(1, size, 2):
            total = f"%sum{code}.{k}"
            lines += instructions(total, step, [result, *_load_pair(lines, code, k, lanes)], lanes)
            result = total
    else:
        size = OPERANDS[step]
        result = f"%result{code}"
        pair = step == "multiply"
        values = _load_pair(lines, code, 0, lanes) if pair else [_load(lines, code, k, lanes) for k in range(size)]
        lines += instructions(result, step, values, lanes)
    return "\n".join(
        [
            f"loop{code}:",
            f"  %to{code} = phi ptr [%to, %choose], [%to{code}.next, %loop{code}]",
            f"  %from{code} = phi ptr [%from, %choose], [%from{code}.next, %loop{code}]",
            *lines,
            f"  store {lanes.real} {result}, ptr %to{code}, align 8",
            f"  %to{code}.next = getelementptr inbounds {lanes.real}, ptr %to{code}, i64 1",
            f"  %from{code}.next = getelementptr inbounds i32, ptr %from{code}, i64 {size}",
            f"  %more{code} = icmp ne ptr %to{code}.next, %to.end",
            f"  br i1 %more{code}, label %loop{code}, label %next",
        ]
    )


def _load(lines: list[str], code: int, k: int, lanes: Lanes) -> str:
    """Operand k of a step."""
    name = f"%v{code}.{k}"
    lines += [
        f"  {name}.i = getelementptr inbounds i32, ptr %from{code}, i64 {k}",
        f"  {name}.place = load i32, ptr {name}.i",
        f"  {name}.wide = zext i32 {name}.place to i64",
        f"  {name}.at = getelementptr inbounds {lanes.real}, ptr %values, i64 {name}.wide",
        f"  {name} = load {lanes.real}, ptr {name}.at, align 8",
    ]
    return name


def _load_pair(lines: list[str], code: int, k: int, lanes: Lanes) -> list[str]:
    """Operands k and k + 1, in any order. Their places are read with one load."""
    name = f"%v{code}.{k}"
    lines += [
        f"  {name}.i = getelementptr inbounds i32, ptr %from{code}, i64 {k}",
        f"  {name}.places = load i64, ptr {name}.i, align 4",
        f"  {name}.low = and i64 {name}.places, {0xFFFFFFFF}",
        f"  {name}.high = lshr i64 {name}.places, 32",
    ]
    for half in ("low", "high"):
        lines += [
            f"  {name}.{half}.at = getelementptr inbounds {lanes.real}, ptr %values, i64 {name}.{half}",
            f"  {name}.{half}.v = load {lanes.real}, ptr {name}.{half}.at, align 8",
        ]
    return [f"{name}.low.v", f"{name}.high.v"]
