"""Translates expressions of OpenSim's forces (in the language of Lepton) to Grashof's laws. They are parsed, never
evaluated.

>>> translate_expression("-3*q^2 + step(qdot)", {"q": "`knee`", "qdot": "`knee`.rate"}, "force 'f'")
'-3 * `knee` ** 2 + (`knee`.rate >= 0)'
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping

from grashof.common.errors import ModelError
from grashof.model.expressions import FUNCTIONS, parse

_LONGEST = 10_000
_SHORT = {
    "square": "({0})**2",
    "cube": "({0})**3",
    "recip": "1/({0})",
    "step": "(({0}) >= 0)",
    "sec": "1/cos({0})",
    "csc": "1/sin({0})",
    "cot": "1/tan({0})",
}
"""Functions that are expanded into expressions."""
_SAME = frozenset(
    {"sqrt", "exp", "log", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "min", "max", "abs"}
)


def translate_expression(text: str, names: Mapping[str, str], owner: str) -> str:
    """The translated law; raises ModelError if the expression contains anything that Grashof's laws do not support.

    names   the names of the variables in the law
    """
    if len(text) > _LONGEST:
        raise ModelError(f"its expression is longer than the limit of {_LONGEST:,} characters.")
    if re.search(r"[^\w\s.+\-*/^(),]", text):
        raise ModelError(f"its expression '{_short(text)}' contains characters that are not allowed in expressions.")
    try:
        tree = ast.parse(text.strip().replace("^", "**"), mode="eval").body
        plain = ast.unparse(_Writer(names).visit(tree))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as problem:
        if isinstance(problem, ModelError):
            raise
        raise ModelError(f"its expression '{_short(text)}' cannot be read.") from None
    for placeholder, name in zip(map(_placeholder, range(len(names))), names.values(), strict=True):
        plain = plain.replace(placeholder, name)
    parse(plain, owner)
    return plain


class _Writer(ast.NodeTransformer):
    """Replaces variables by placeholders and translates functions; refuses everything else except arithmetic."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self.places = {name: _placeholder(k) for k, name in enumerate(names)}

    def generic_visit(self, node: ast.AST) -> ast.AST:
        allowed = (ast.BinOp, ast.UnaryOp, ast.operator, ast.unaryop, ast.Load, ast.Constant)
        if not isinstance(node, allowed) or (
            isinstance(node, ast.Constant) and not isinstance(node.value, int | float)
        ):
            raise ModelError("its expression contains something other than arithmetic.")
        return super().generic_visit(node)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if node.id not in self.places:
            raise ModelError(
                f"its expression mentions '{node.id}', which is not defined there; it can use {', '.join(self.places)}."
            )
        return ast.Name(self.places[node.id], ast.Load())

    def visit_Call(self, node: ast.Call) -> ast.AST:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        given = [self.visit(x) for x in node.args]
        if node.keywords or name not in _SAME | _SHORT.keys() or len(given) != (2 if name in ("min", "max") else 1):
            raise ModelError(
                f"its expression calls '{name}', which is not supported; the supported functions are "
                f"{', '.join(sorted(_SAME | _SHORT.keys()))}."
            )
        if name in _SAME:
            assert name in FUNCTIONS
            return ast.Call(ast.Name(name, ast.Load()), given, [])
        return ast.parse(_SHORT[name].format(ast.unparse(given[0])), mode="eval").body


def _placeholder(k: int) -> str:
    return f"variable_{k}_of_this"


def _short(text: str) -> str:
    return text if len(text) <= 60 else text[:60] + "…"
