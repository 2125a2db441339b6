"""The functions of :mod:`grashof.scalar.elementary` in LLVM IR: the operations that Python's floats go through, in their order.

Nothing is fused here, so that machine code and Python give the same numbers.
"""

import functools
from collections.abc import Callable, Sequence

from grashof.scalar import Scalar, elementary
from grashof.tape.instructions import OWN, STRAIGHT_LINE, constant, declaration, instructions
from grashof.tape.node import trace
from grashof.tape.words import OPERANDS


def needed(operation: str) -> list[str]:
    """What an operation needs at the top of the module: declarations and functions."""
    if operation in OWN:
        return [*needed("absolute"), _definition(operation)]
    line = declaration(operation)
    return [line] if line else []


@functools.cache
def _definition(name: str) -> str:
    """The function ``double @grashof.name(double, …)``."""
    if name in elementary.OTHERS:
        other, inputs = elementary.OTHERS[name], ["%x", "%y"][: OPERANDS[name]]
        head = _head(name, ", ".join(f"double {x}" for x in inputs))
        return "\n".join([head, *_body(lambda x: [other(*x)], inputs, "v"), "}"])
    function = elementary.OF_ANGLES[name]
    return "\n".join(
        [
            _head(name, "double %x"),
            "  %above = fcmp olt double %x, " + constant(elementary.LIMIT),
            "  %below = fcmp ogt double %x, " + constant(-elementary.LIMIT),
            "  %inside = and i1 %above, %below",
            "  br i1 %inside, label %near, label %far",
            "near:",
            *_body(lambda x: [function(elementary.near(x[0]))], ["%x"], "n"),
            "far:",
            *_body(lambda x: [function(elementary.far(x[0]))], ["%x"], "f"),
            "}",
        ]
    )


def _head(name: str, parameters: str) -> str:
    return f"define internal double @grashof.{name}({parameters}) nounwind {STRAIGHT_LINE} {{"


def _body(function: Callable[[list[Scalar]], list[Scalar]], inputs: Sequence[str], prefix: str) -> list[str]:
    """What leads to the return of the value."""
    tape = trace(function, len(inputs))
    values: list[str] = []
    lines: list[str] = []
    for i, (operation, *operands) in enumerate(tape.statements):
        if operation == "input":
            values.append(inputs[operands[0]])
        elif operation == "constant":
            values.append(constant(operands[0]))
        else:
            values.append(f"%{prefix}{i}")
            lines += instructions(values[-1], operation, [values[j] for j in operands])
    return [*lines, f"  ret double {values[tape.outputs[0]]}"]
