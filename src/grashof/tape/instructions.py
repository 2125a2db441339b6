"""What each operation of a tape is in LLVM IR, on doubles.

Every operation is rounded as IEEE 754 says, and no compiler takes any liberty: the numbers are the same on every
processor. Products and sums are fused, with one rounding, where :mod:`grashof.tape.sums` says so (``fmuladd``). Only processors
without such an instruction, x86-64 before 2013, round twice: in software it would take some hundred times as long.
"""

import struct
from collections.abc import Callable

STRAIGHT_LINE = '"straight-line"'
"""Attribute of functions that leave nothing to an optimiser, by which :class:`grashof.tape.Library` knows them."""

_ARITHMETIC = {"add": "fadd", "subtract": "fsub", "multiply": "fmul", "divide": "fdiv"}

_SUMS = ("plus", "minus", "rest")

OWN = ("sin", "cos", "tan", "atan2", "exp", "log", "tanh")
"""Operations that are functions of the module, see :mod:`grashof.tape.elementary`."""

_FUNCTIONS = {
    **{name: f"grashof.{name}" for name in OWN},
    "sqrt": "llvm.sqrt.f64",
    "absolute": "llvm.fabs.f64",
    "floor": "llvm.floor.f64",
    "interval": "grashof.interval",
    "entry": "grashof.entry",
}


def constant(value: float) -> str:
    """A double, by its bits."""
    return f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"


def declaration(operation: str) -> str | None:
    """The line that an operation of LLVM needs at the top of the module."""
    if operation in _SUMS:
        return "declare double @llvm.fmuladd.f64(double, double, double)"
    if not _FUNCTIONS.get(operation, "").startswith("llvm."):
        return None
    return f"declare double @{_FUNCTIONS[operation]}(double)"


def instructions(name: str, operation: str, values: list[str]) -> list[str]:
    """The instructions that give ``name`` the value of an operation, or of a sum: plus, c + a·b; minus, c − a·b; rest, a·b − c."""
    if operation in _ARITHMETIC:
        return [f"  {name} = {_ARITHMETIC[operation]} double {values[0]}, {values[1]}"]
    if operation in _SUMS:
        return _fused(name, operation, *values)
    if operation == "negate":
        return [f"  {name} = fneg double {values[0]}"]
    if operation in _FUNCTIONS:
        arguments = ", ".join(f"double {value}" for value in values)
        return [f"  {name} = call double @{_FUNCTIONS[operation]}({arguments})"]
    return _SELECTIONS[operation](name, *values)


def _fused(name: str, operation: str, c: str, a: str, b: str) -> list[str]:
    negated = {"minus": a, "rest": c}.get(operation)
    lines = [f"  {name}.negative = fneg double {negated}"] if negated else []
    if operation == "minus":
        a = f"{name}.negative"
    elif operation == "rest":
        c = f"{name}.negative"
    return [*lines, f"  {name} = call double @llvm.fmuladd.f64(double {a}, double {b}, double {c})"]


def _minimum(name: str, x: str, y: str) -> list[str]:
    return [
        f"  {name}.less = fcmp olt double {x}, {y}",
        f"  {name} = select i1 {name}.less, double {x}, double {y}",
    ]


def _maximum(name: str, x: str, y: str) -> list[str]:
    return [
        f"  {name}.more = fcmp ogt double {x}, {y}",
        f"  {name} = select i1 {name}.more, double {x}, double {y}",
    ]


def _where(name: str, condition: str, positive: str, otherwise: str) -> list[str]:
    return [
        f"  {name}.positive = fcmp ogt double {condition}, 0.0",
        f"  {name} = select i1 {name}.positive, double {positive}, double {otherwise}",
    ]


def _sign(name: str, x: str) -> list[str]:
    return [
        f"  {name}.positive = fcmp ogt double {x}, 0.0",
        f"  {name}.negative = fcmp olt double {x}, 0.0",
        f"  {name}.below = select i1 {name}.negative, double -1.0, double 0.0",
        f"  {name} = select i1 {name}.positive, double 1.0, double {name}.below",
    ]


_SELECTIONS: dict[str, Callable[..., list[str]]] = {
    "minimum": _minimum,
    "maximum": _maximum,
    "where": _where,
    "sign": _sign,
}
