"""Laws of time written as text: a small arithmetic, not code.

>>> compile_expression("2*t + sin(pi*t)", "motor 'm'")(0.5)
2.0
"""

from __future__ import annotations

import ast
import math
import operator
import sys
from collections.abc import Callable

from grashof.errors import ModelError
from grashof.scalar import functions
from grashof.scalar.functions import Scalar

_BINARY = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
_FUNCTIONS: dict[str, tuple[Callable[..., Scalar], int]] = {
    **{name: (getattr(functions, name), 1) for name in ("sin", "cos", "tan", "exp", "log", "sqrt", "tanh", "sign")},
    "atan2": (functions.atan2, 2),
    "abs": (functions.absolute, 1),
    "min": (functions.minimum, 2),
    "max": (functions.maximum, 2),
    "where": (functions.where, 3),
}
"""What a law may call, and with how many arguments."""
_CONSTANTS = {"pi": math.pi, "e": math.e}
_DEEPEST = 200  # a law is evaluated by nested calls, which must fit on Python's stack


def compile_expression(text: str, owner: str) -> Callable[[Scalar], Scalar]:
    """A function of t from an expression with + − * / **, pi, e and the functions above.

    `where(c, a, b)` is a where c > 0, else b. Steps end at the times at which such an expression changes.
    """

    def refuse(what: str) -> ModelError:
        allowed = ", ".join([*_FUNCTIONS, *_CONSTANTS, "t"])
        return ModelError(
            f"In {owner}: cannot read the law '{text}': {what}. It may use numbers, + - * / **, {allowed}."
        )

    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError):
        raise refuse("it is not an expression") from None
    except (RecursionError, MemoryError):
        raise refuse("it is nested too deeply") from None

    def build(node: ast.expr, depth: int = 0) -> Callable[[Scalar], Scalar]:
        if depth > _DEEPEST:
            raise refuse(f"it is nested more than {_DEEPEST} deep")

        def inside(part: ast.expr) -> Callable[[Scalar], Scalar]:
            return build(part, depth + 1)

        match node:
            case ast.Constant(value=bool()):
                raise refuse("it has a truth value in it")
            case ast.Constant(value=int() | float() as number) if abs(number) <= sys.float_info.max:
                value = float(number)
                return lambda t: value
            case ast.Name(id="t"):
                return lambda t: t
            case ast.Name(id=name) if name in _CONSTANTS:
                constant = _CONSTANTS[name]
                return lambda t: constant
            case ast.UnaryOp(op=ast.USub(), operand=inner):
                argument = inside(inner)
                return lambda t: -argument(t)
            case ast.BinOp(left=left, op=ast.Pow(), right=right):
                sign = 1
                if isinstance(right, ast.UnaryOp) and isinstance(right.op, ast.USub):
                    sign, right = -1, right.operand
                if not (isinstance(right, ast.Constant) and isinstance(right.value, int) and right.value <= 64):
                    raise refuse("powers must be whole numbers up to 64")
                base, exponent = inside(left), sign * right.value
                return lambda t: base(t) ** exponent
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
                first, second, combine = inside(left), inside(right), _BINARY[type(op)]
                return lambda t: combine(first(t), second(t))
            case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in _FUNCTIONS:
                arguments, (function, count) = [inside(a) for a in args], _FUNCTIONS[name]
                if len(arguments) != count:
                    raise refuse(f"{name} takes {count} argument{'s' if count > 1 else ''}, not {len(arguments)}")
                return lambda t: function(*(a(t) for a in arguments))
        raise refuse(f"'{ast.unparse(node)}' is not allowed")

    return build(tree)
