"""What each operation of a tape is in LLVM IR, on doubles.

``contract`` lets a product and a sum become one fused multiply-add. No other liberty is taken: no reassociation,
no reciprocals, and NaN and infinity mean what they mean.
"""

import struct
from collections.abc import Callable

STRAIGHT_LINE = '"straight-line"'
"""Attribute of functions that leave nothing to an optimiser, by which :class:`grashof.tape.Library` knows them."""

_ARITHMETIC = {"add": "fadd", "subtract": "fsub", "multiply": "fmul", "divide": "fdiv"}

_FUNCTIONS = {
    "sin": "llvm.sin.f64",
    "cos": "llvm.cos.f64",
    "exp": "llvm.exp.f64",
    "log": "llvm.log.f64",
    "sqrt": "llvm.sqrt.f64",
    "absolute": "llvm.fabs.f64",
    # not intrinsics in every LLVM that llvmlite comes with: from the C library, by name
    "tan": "tan",
    "tanh": "tanh",
    "atan2": "atan2",
}


def constant(value: float) -> str:
    """A double, by its bits."""
    return f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"


def declaration(operation: str) -> str | None:
    """The line that an operation needs at the top of the module."""
    if operation not in _FUNCTIONS:
        return None
    parameters = "double, double" if operation == "atan2" else "double"
    return f"declare double @{_FUNCTIONS[operation]}({parameters})"


def instructions(name: str, operation: str, values: list[str]) -> list[str]:
    """The instructions that give ``name`` the value of an operation."""
    if operation in _ARITHMETIC:
        return [f"  {name} = {_ARITHMETIC[operation]} contract double {values[0]}, {values[1]}"]
    if operation == "negate":
        return [f"  {name} = fneg double {values[0]}"]
    if operation in _FUNCTIONS:
        arguments = ", ".join(f"double {value}" for value in values)
        return [f"  {name} = call contract double @{_FUNCTIONS[operation]}({arguments})"]
    return _SELECTIONS[operation](name, *values)


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
