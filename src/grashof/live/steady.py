"""Laws of time that have neither kinks nor pulses, so that a page can follow them for any duration without a
search."""

from __future__ import annotations

import ast

POWER = 3
"""The highest power of a term that depends on time; higher powers of sines are pulses."""


def is_steady(text: str) -> bool:
    """Whether a law consists of sums, products and small powers of t, numbers, parameters and quantities, and of sines
    and cosines of expressions linear in t.

    >>> is_steady("10*t"), is_steady("0.3*sin(5*t + phase) - 2*crank.angle.rate")
    (True, True)
    >>> is_steady("exp(-((t - 5)/0.001)**2)"), is_steady("where(t < 1, 0, 1)")
    (False, False)
    >>> is_steady("sin(t**2)"), is_steady("cos(t)**99")
    (False, False)
    """
    try:
        return _degree(ast.parse(text.strip(), mode="eval").body) is not None
    except (SyntaxError, ValueError):  # such as names in backquotes
        return False


def _degree(node: ast.expr) -> float | None:
    """The growth of an expression with time: 0 if constant, 1 as t, more for powers and sines; None if unknown."""
    match node:
        case ast.Constant():
            return 0.0
        case ast.Name(id=name):
            return 1.0 if name == "t" else 0.0
        case ast.Attribute():
            return 0.0
        case ast.UnaryOp(operand=operand):
            return _degree(operand)
        case ast.BinOp(left=left, op=op, right=right):
            one, other = _degree(left), _degree(right)
            if one is None or other is None:
                return None
            if isinstance(op, ast.Add | ast.Sub):
                return max(one, other)
            if isinstance(op, ast.Mult):
                return one + other if one + other <= POWER else None
            if isinstance(op, ast.Div):
                return one if other == 0.0 else None
            if isinstance(op, ast.Pow) and isinstance(right, ast.Constant) and isinstance(right.value, int):
                return one * right.value if 0 <= one * right.value <= POWER else None
            return 0.0 if one == other == 0.0 else None
        case ast.Call(func=ast.Name(id="sin" | "cos"), args=[argument], keywords=[]):
            inner = _degree(argument)
            return None if inner is None or inner > 1.0 else 2.0 * (inner > 0.0)
        case ast.Call(args=arguments, keywords=[]):
            return 0.0 if all(_degree(argument) == 0.0 for argument in arguments) else None
    return None
