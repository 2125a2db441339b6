"""Lookups in rows of numbers (:mod:`grashof.scalar.rows`) in LLVM IR.

Every row that a module uses is one of its constant arrays. The functions

    double @grashof.interval(double x, double row)
    double @grashof.entry(double place, double row)

find the array by the number of the row. The interval is found by bisection, without branches other than that of the
loop. A cubic table of 10, 1,000 and 100,000 points takes 40, 59 and 68 ns per lookup (2026-11-16, on a machine with
other work).
"""

from collections.abc import Iterable

from grashof.scalar.rows import row_of
from grashof.tape.instructions import STRAIGHT_LINE
from grashof.tape.lanes import double
from grashof.tape.tape import Tape
from grashof.tape.words import CODES, CONSTANT, columns

LOOKUPS = ("interval", "entry")


def rows_ir(tapes: Iterable[Tape], always: bool) -> str:
    """The rows that tapes use, and the lookup functions; empty if there are no rows, unless `always` is set."""
    parts = [part for tape in tapes for part in tape.with_blocks()]
    numbers = sorted({number for part in parts for number in _used_rows(part)})
    if not numbers and not always:
        return ""
    arrays = [_array(number) for number in numbers]
    return "\n".join([*arrays, _function("interval", numbers, _HALVING), _function("entry", numbers, _LOADING)])


def _used_rows(tape: Tape) -> set[int]:
    """The numbers of the rows that a tape uses."""
    kinds, first, second = columns(tape.words)
    places = {int(second[i]) for name in LOOKUPS for i in (kinds == CODES[name]).nonzero()[0]}
    assert all(kinds[place] == CONSTANT for place in places), "rows are known when a program is traced"
    return {int(tape.constants[first[place]]) for place in places}


def _array(number: int) -> str:
    row = row_of(number)
    values = ", ".join(f"double {double(x)}" for x in row)
    return f"@row.{number} = private unnamed_addr constant [{len(row)} x double] [{values}], align 8"


def _function(name: str, numbers: list[int], body: str) -> str:
    """A function that chooses the row and then looks up a value in it."""
    cases = " ".join(f"i64 {number}, label %row{number}" for number in numbers)
    labels = [line for number in numbers for line in (f"row{number}:", "  br label %chosen")]
    arrays = ", ".join(["[null, %none]", *(f"[@row.{number}, %row{number}]" for number in numbers)])
    counts = ", ".join(["[2, %none]", *(f"[{len(row_of(number))}, %row{number}]" for number in numbers)])
    return "\n".join(
        [
            f"define internal double @grashof.{name}(double %x, double %row) nounwind {STRAIGHT_LINE} {{",
            "entry:",
            "  %number = fptosi double %row to i64",
            f"  switch i64 %number, label %none [{cases}]",
            *labels,
            "none:",
            "  br label %chosen",
            "chosen:",
            f"  %array = phi ptr {arrays}",
            f"  %count = phi i64 {counts}",
            body,
            "}",
        ]
    )


# The interval is one of the `left` intervals from `low` on; the start of the upper half decides whether it is there.
_HALVING = """\
  %intervals = sub i64 %count, 1
  br label %halve
halve:
  %low = phi i64 [0, %chosen], [%low.next, %more]
  %left = phi i64 [%intervals, %chosen], [%left.next, %more]
  %one = icmp ule i64 %left, 1
  br i1 %one, label %found, label %more
more:
  %half = lshr i64 %left, 1
  %middle = add i64 %low, %half
  %at = getelementptr inbounds double, ptr %array, i64 %middle
  %knot = load double, ptr %at
  %upper = fcmp oge double %x, %knot
  %low.next = select i1 %upper, i64 %middle, i64 %low
  %left.next = sub i64 %left, %half
  br label %halve
found:
  %place = uitofp i64 %low to double
  ret double %place"""

_LOADING = """\
  %place = fptosi double %x to i64
  %at = getelementptr inbounds double, ptr %array, i64 %place
  %value = load double, ptr %at
  ret double %value"""
