"""The operations of a tape in LLVM IR, on doubles or on vectors of them (see :mod:`grashof.tape.lanes`).

Every operation is rounded as IEEE 754 specifies, and no compiler optimisation changes results: the numbers are the same
on every processor. Products and sums are fused, with a single rounding, where :mod:`grashof.tape.sums` specifies it
(``fmuladd``). Only processors without such an instruction, x86-64 before 2013, round twice: in software it would take
about a hundred times as long.
"""

from collections.abc import Callable

from grashof.tape.lanes import ONE, Lanes

STRAIGHT_LINE = '"straight-line"'
"""Attribute by which :class:`grashof.tape.Library` recognises functions that need no optimiser."""

_ARITHMETIC = {"add": "fadd", "subtract": "fsub", "multiply": "fmul", "divide": "fdiv"}

_SUMS = ("plus", "minus", "rest")

OWN = ("sin", "cos", "tan", "atan2", "exp", "log", "tanh")
"""Operations that are functions of the module, see :mod:`grashof.tape.elementary`."""

_LLVM = {"sqrt": "llvm.sqrt", "absolute": "llvm.fabs", "floor": "llvm.floor"}

_LOOKUPS = ("interval", "entry")


def declaration(operation: str, lanes: Lanes = ONE) -> str | None:
    """The line that an operation of LLVM needs at the top of the module."""
    real = lanes.real
    if operation in _SUMS:
        return f"declare {real} @llvm.fmuladd.{lanes.suffix}({real}, {real}, {real})"
    if operation not in _LLVM:
        return None
    return f"declare {real} @{_LLVM[operation]}.{lanes.suffix}({real})"


def instructions(name: str, operation: str, values: list[str], lanes: Lanes = ONE) -> list[str]:
    """The instructions that give ``name`` the value of an operation, or of a sum: plus, c + a·b; minus, c − a·b;
    rest, a·b − c."""
    real = lanes.real
    if operation in _ARITHMETIC:
        return [f"  {name} = {_ARITHMETIC[operation]} {real} {values[0]}, {values[1]}"]
    if operation in _SUMS:
        return _fuse(lanes, name, operation, *values)
    if operation == "negate":
        return [f"  {name} = fneg {real} {values[0]}"]
    if operation in _LOOKUPS and lanes.count > 1:
        return _lane_by_lane(lanes, name, operation, values)
    if operation in _LLVM:
        return [_call(name, real, f"{_LLVM[operation]}.{lanes.suffix}", values)]
    if operation in OWN or operation in _LOOKUPS:
        return [_call(name, real, f"grashof.{operation}", values)]
    return _SELECTIONS[operation](lanes, name, *values)


def _call(name: str, real: str, function: str, values: list[str]) -> str:
    return f"  {name} = call {real} @{function}({', '.join(f'{real} {value}' for value in values)})"


def _lane_by_lane(lanes: Lanes, name: str, operation: str, values: list[str]) -> list[str]:
    lines, so_far = [], "poison"
    for k in range(lanes.count):
        parts = [f"{name}.{k}.{j}" for j in range(len(values))]
        lines += [f"  {part} = extractelement {lanes.real} {x}, i64 {k}" for part, x in zip(parts, values, strict=True)]
        lines.append(_call(f"{name}.{k}", "double", f"grashof.{operation}", parts))
        after = name if k == lanes.count - 1 else f"{name}.{k}.all"
        lines.append(f"  {after} = insertelement {lanes.real} {so_far}, double {name}.{k}, i64 {k}")
        so_far = after
    return lines


def _fuse(lanes: Lanes, name: str, operation: str, c: str, a: str, b: str) -> list[str]:
    negated = {"minus": a, "rest": c}.get(operation)
    lines = [f"  {name}.negative = fneg {lanes.real} {negated}"] if negated else []
    if operation == "minus":
        a = f"{name}.negative"
    elif operation == "rest":
        c = f"{name}.negative"
    return [*lines, _call(name, lanes.real, f"llvm.fmuladd.{lanes.suffix}", [a, b, c])]


def _compare(lanes: Lanes, name: str, relation: str, x: str, y: str) -> str:
    return f"  {name} = fcmp {relation} {lanes.real} {x}, {y}"


def _select(lanes: Lanes, name: str, condition: str, positive: str, otherwise: str) -> str:
    return f"  {name} = select {lanes.truth} {condition}, {lanes.real} {positive}, {lanes.real} {otherwise}"


def _minimum(lanes: Lanes, name: str, x: str, y: str) -> list[str]:
    return [_compare(lanes, f"{name}.less", "olt", x, y), _select(lanes, name, f"{name}.less", x, y)]


def _maximum(lanes: Lanes, name: str, x: str, y: str) -> list[str]:
    return [_compare(lanes, f"{name}.more", "ogt", x, y), _select(lanes, name, f"{name}.more", x, y)]


def _where(lanes: Lanes, name: str, condition: str, positive: str, otherwise: str) -> list[str]:
    return [
        _compare(lanes, f"{name}.positive", "ogt", condition, lanes.literal("double", "0.0")),
        _select(lanes, name, f"{name}.positive", positive, otherwise),
    ]


def _sign(lanes: Lanes, name: str, x: str) -> list[str]:
    zero, one, minus_one = (lanes.literal("double", text) for text in ("0.0", "1.0", "-1.0"))
    return [
        _compare(lanes, f"{name}.positive", "ogt", x, zero),
        _compare(lanes, f"{name}.negative", "olt", x, zero),
        _select(lanes, f"{name}.below", f"{name}.negative", minus_one, zero),
        _select(lanes, name, f"{name}.positive", one, f"{name}.below"),
    ]


_SELECTIONS: dict[str, Callable[..., list[str]]] = {
    "minimum": _minimum,
    "maximum": _maximum,
    "where": _where,
    "sign": _sign,
}
