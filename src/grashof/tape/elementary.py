"""The functions of :mod:`grashof.scalar.elementary` in LLVM IR: the same operations, in the same order, as for Python's
floats.

Nothing is fused here, so that machine code and Python give the same numbers.
"""

import functools
from collections.abc import Callable, Sequence

from grashof.scalar import Scalar, elementary
from grashof.tape.instructions import OWN, STRAIGHT_LINE, declaration, instructions
from grashof.tape.lanes import ONE, Lanes
from grashof.tape.node import trace
from grashof.tape.words import OPERANDS


def declarations_needed(operation: str, lanes: Lanes = ONE) -> list[str]:
    """The declarations and functions that an operation needs at the top of the module."""
    if operation in OWN:
        return [*declarations_needed("absolute", lanes), _definition(operation, lanes)]
    line = declaration(operation, lanes)
    return [line] if line else []


@functools.cache
def _definition(name: str, lanes: Lanes) -> str:
    """The function ``double @grashof.name(double, …)``, or that of vectors."""
    real = lanes.real
    if name in elementary.OTHERS:
        other, inputs = elementary.OTHERS[name], ["%x", "%y"][: OPERANDS[name]]
        lines, value = _body(lambda x: [other(*x)], inputs, "v", lanes)
        return "\n".join([_head(name, inputs, real), *lines, f"  ret {real} {value}", "}"])
    function = elementary.OF_ANGLES[name]
    lines, value = _body(lambda x: [function(elementary.near(x[0]))], ["%x"], "n", lanes)
    far_lines, far_value = _body(lambda x: [function(elementary.far(x[0]))], ["%x"], "f", lanes)
    return "\n".join(
        [
            _head(name, ["%x"], real),
            f"  %above = fcmp olt {real} %x, {lanes.constant(elementary.LIMIT)}",
            f"  %below = fcmp ogt {real} %x, {lanes.constant(-elementary.LIMIT)}",
            f"  %inside = and {lanes.truth} %above, %below",
            f"  %bits = bitcast {lanes.truth} %inside to i{lanes.count}",
            f"  %all = icmp eq i{lanes.count} %bits, -1",
            *lines,
            "  br i1 %all, label %near, label %far",
            "near:",
            f"  ret {real} {value}",
            "far:",
            *far_lines,
            f"  %either = select {lanes.truth} %inside, {real} {value}, {real} {far_value}",
            f"  ret {real} %either",
            "}",
        ]
    )


def _head(name: str, parameters: Sequence[str], real: str) -> str:
    listed = ", ".join(f"{real} {parameter}" for parameter in parameters)
    return f"define internal {real} @grashof.{name}({listed}) nounwind {STRAIGHT_LINE} {{"


def _body(
    function: Callable[[list[Scalar]], list[Scalar]], inputs: Sequence[str], prefix: str, lanes: Lanes
) -> tuple[list[str], str]:
    """The instructions that compute the value, and its name."""
    tape = trace(function, len(inputs))
    values: list[str] = []
    lines: list[str] = []
    for i, (operation, *operands) in enumerate(tape.statements):
        if operation == "input":
            values.append(inputs[operands[0]])
        elif operation == "constant":
            values.append(lanes.constant(operands[0]))
        else:
            values.append(f"%{prefix}{i}")
            lines += instructions(values[-1], operation, [values[j] for j in operands], lanes)
    return lines, values[tape.outputs[0]]
