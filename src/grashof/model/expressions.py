"""Laws written as strings: arithmetic expressions of time and named quantities, not code.

    numbers          0.3, 2e-3, pi, e
    arithmetic       + - * / % ** and the functions in FUNCTIONS
    conditions       < <= > >=, and, or, not: 1 where they hold, else 0; any positive value counts as true
    choices          where(c, a, b), or a if c else b
    time             t
    quantities       crank.angle, crank.angle.rate, rod.end.x, a measure's name; with blanks, in backquotes:
                     `left rod.angle`
    tables           cam(crank.angle), where cam is a table of the mechanism

An expression is parsed, never executed.

>>> parse("2*t + sin(pi*t)", "motor 'm'").at(Scope(0.5))
2.0
>>> parse("-0.3*crank.angle.rate", "force 'f'").quantities
('crank.angle.rate',)
"""

from __future__ import annotations

import ast
import math
import operator
import re
import sys
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache, reduce
from typing import NoReturn

from grashof.common.errors import ModelError, did_you_mean
from grashof.scalar import functions
from grashof.scalar.functions import Scalar, less, maximum, minimum, not_less, power, where

_BINARY = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Mod: functions.remainder,
}
Comparison = Callable[[Scalar, Scalar], Scalar]
_COMPARISONS: dict[type[ast.cmpop], Comparison] = {
    ast.Lt: less,
    ast.GtE: not_less,
    ast.Gt: lambda a, b: less(b, a),
    ast.LtE: lambda a, b: not_less(b, a),
}
_MARGINS: dict[type[ast.cmpop], Comparison] = {
    **dict.fromkeys((ast.Lt, ast.LtE), lambda a, b: b - a),
    **dict.fromkeys((ast.Gt, ast.GtE), operator.sub),
}
_SINGLE = ("sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "log", "sqrt", "sign", "floor")
FUNCTIONS: dict[str, tuple[Callable[..., Scalar], int]] = {
    **{name: (getattr(functions, name), 1) for name in _SINGLE},
    "atan2": (functions.atan2, 2),
    "hypot": (functions.hypot, 2),
    "abs": (functions.absolute, 1),
    "min": (minimum, 2),
    "max": (maximum, 2),
    "where": (where, 3),
}
"""The functions that a law may call, and their numbers of arguments; `min` and `max` also take more."""
CONSTANTS = {"pi": math.pi, "e": math.e}
_DEEPEST = 200  # a law is evaluated by nested calls, which must fit on Python's stack
_HIGHEST = 64  # integer powers are computed by multiplication


@dataclass(frozen=True)
class Scope:
    """The values of the names in a law.

    time      t, s
    quantity  function that returns the value of a named quantity
    tables    functions by name
    """

    time: Scalar
    quantity: Callable[[str], Scalar] = field(default=lambda name: _no_quantity(name))
    tables: Mapping[str, Callable[[Scalar], Scalar]] = field(default_factory=dict)


def _no_quantity(name: str) -> NoReturn:
    raise KeyError(name)


Part = Callable[[Scope], Scalar]


@dataclass(frozen=True, eq=False)
class Expression:
    """A parsed law.

    quantities   the names that it depends on, such as crank.angle.rate
    tables       the tables that it calls
    of_time      whether it contains t
    looks_up     whether it calls a table with an argument that depends on the motion, and not on time alone
    """

    text: str
    owner: str
    quantities: tuple[str, ...]
    tables: tuple[str, ...]
    of_time: bool
    looks_up: bool
    at: Part

    @property
    def is_constant(self) -> bool:
        """Whether its value never changes."""
        return not (self.quantities or self.tables or self.of_time)

    def given(self, values: Mapping[str, Scalar]) -> Expression:
        """The same expression with these values substituted for names; it then depends on the remaining names only.

        >>> parse("k*crank.angle", "force 'f'").given({"k": 2.0}).quantities
        ('crank.angle',)
        """
        if values.keys().isdisjoint(self.quantities):
            return self

        def at(scope: Scope) -> Scalar:
            def quantity(name: str) -> Scalar:
                return values[name] if name in values else scope.quantity(name)

            return self.at(replace(scope, quantity=quantity))

        return replace(self, quantities=tuple(name for name in self.quantities if name not in values), at=at)

    def refusal(self, what: str) -> ModelError:
        """The error to raise for a mistake in the expression."""
        return ModelError(f"In {self.owner}: cannot read the law '{self.text}': {what}.")


@lru_cache(maxsize=4096)
def parse(text: str, owner: str) -> Expression:
    """Parses a law; text that cannot be parsed is refused in a message that names the owner."""
    reader = _Reader(text, owner)
    return reader.expression(reader.read())


@lru_cache(maxsize=4096)
def parse_margin(text: str, owner: str) -> Expression:
    """The margin of a condition: positive where the condition holds, and continuous where its quantities are.

    It is b − a for a < b, the minimum of several for `and`, and the maximum for `or`. For a quantity, it is its value.

    >>> parse_margin("t < 2 and t > 0.5", "event 'e'").at(Scope(1.75))
    0.25
    """
    reader = _Reader(text, owner)
    return reader.expression(reader.read_margin())


def is_condition(text: str, owner: str) -> bool:
    """Whether an expression is a condition rather than a quantity.

    >>> is_condition("rod.end.y < 0", "event 'e'"), is_condition("rod.end.y", "event 'e'")
    (True, False)
    """
    return _is_condition(_Reader(text, owner).tree())


def of_time(law: Expression, time: Scalar, tables: Mapping[str, Callable[[Scalar], Scalar]]) -> Scalar:
    """The value of a law that depends on time only. Integration steps end at the times at which it switches.

    >>> of_time(parse("2*t + 1", "motor 'm'"), 0.25, {})
    1.5
    """
    for name in (*law.quantities, *(name for name in law.tables if name not in tables)):
        known = did_you_mean(name, ["t", *FUNCTIONS, *tables])
        raise law.refusal(
            f"it is a law of time t alone, and '{name}' is neither that nor a function nor a parameter; {known}"
        )
    return law.at(Scope(time, tables=tables))


class _Reader:
    """Converts a syntax tree to nested functions of a scope, and records the names."""

    def __init__(self, text: str, owner: str) -> None:
        self.text, self.owner = text, owner
        self.quantities: dict[str, None] = {}
        self.tables: dict[str, None] = {}
        self.of_time = self.looks_up = False
        self._quoted: dict[str, str] = {}

    def expression(self, value: Part) -> Expression:
        """The parsed expression."""
        names = tuple(self.quantities), tuple(self.tables)
        return Expression(self.text, self.owner, *names, self.of_time, self.looks_up, value)

    def read(self) -> Part:
        return self._build(self.tree(), 0)

    def read_margin(self) -> Part:
        return self._margin(self.tree(), 0)

    def tree(self) -> ast.expr:
        plain = re.sub(r"`([^`]*)`|(\w+)", self._unquote, self.text.strip())
        try:
            return ast.parse(plain, mode="eval").body
        except (SyntaxError, ValueError):
            raise self._refuse("it is not an expression; names that are not plain words go in `backquotes`") from None
        except (RecursionError, MemoryError):
            raise self._refuse("it is nested too deeply") from None

    def _margin(self, node: ast.expr, depth: int) -> Part:
        """The margin of a condition."""
        if not _is_condition(node):
            return self._build(node, depth)
        if depth > _DEEPEST:
            raise self._refuse(f"it is nested more than {_DEEPEST} deep")
        match node:
            case ast.UnaryOp(operand=inner):
                margin = self._margin(inner, depth + 1)
                return lambda scope: -margin(scope)
            case ast.BoolOp(op=op, values=values):
                parts = [self._margin(x, depth + 1) for x in values]
                return _all_of(parts, minimum if isinstance(op, ast.And) else maximum)
            case ast.Compare(left=left, ops=ops, comparators=others):
                return self._comparison(ops, [self._build(x, depth + 1) for x in (left, *others)], _MARGINS)
        raise AssertionError(ast.dump(node))

    def _unquote(self, found: re.Match[str]) -> str:
        """A placeholder for a name in backquotes, or for a name that Python would normalise to another, such as µ
        (micro) to μ (Greek)."""
        name = found[1] if found[2] is None else found[2]
        if found[2] is not None and (not name.isidentifier() or unicodedata.normalize("NFKC", name) == name):
            return name
        word = f"quoted_name_{len(self._quoted)}_"
        while word in self.text:
            word += "_"
        self._quoted[word] = name
        return word

    def _refuse(self, what: str) -> ModelError:
        allowed = ", ".join([*FUNCTIONS, *CONSTANTS, "t"])
        return ModelError(
            f"In {self.owner}: cannot read the law '{self.text}': {what}. It may use numbers, + - * / % **, "
            f"comparisons, {allowed}, and the quantities and tables of the mechanism by name."
        )

    def _build(self, node: ast.expr, depth: int) -> Part:
        if depth > _DEEPEST:
            raise self._refuse(f"it is nested more than {_DEEPEST} deep")

        def inside(part: ast.expr) -> Part:
            return self._build(part, depth + 1)

        match node:
            case ast.Constant(value=bool()):
                raise self._refuse("it has a truth value in it; write 1 or 0")
            case ast.Constant(value=int() | float() as number) if abs(number) <= sys.float_info.max:
                value = float(number)
                return lambda scope: value
            case ast.Name() | ast.Attribute():
                return self._name(node)
            case ast.UnaryOp(op=ast.USub(), operand=inner):
                argument = inside(inner)
                return lambda scope: -argument(scope)
            case ast.UnaryOp(op=ast.UAdd(), operand=inner):
                return inside(inner)
            case ast.UnaryOp(op=ast.Not(), operand=inner):
                condition = inside(inner)
                return lambda scope: where(condition(scope), 0.0, 1.0)
            case ast.BinOp(left=left, op=ast.Pow(), right=right):
                return self._power(inside(left), right, inside)
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
                first, second, combine = inside(left), inside(right), _BINARY[type(op)]
                return lambda scope: combine(first(scope), second(scope))
            case ast.BoolOp(op=op, values=values):
                return _all_of([inside(x) for x in values], minimum if isinstance(op, ast.And) else maximum)
            case ast.Compare(left=left, ops=ops, comparators=others):
                return self._comparison(ops, [inside(x) for x in (left, *others)], _COMPARISONS)
            case ast.IfExp(test=test, body=body, orelse=other):
                condition, yes, no = inside(test), inside(body), inside(other)
                return lambda scope: where(condition(scope), yes(scope), no(scope))
            case ast.Call(func=ast.Name() | ast.Attribute() as called, args=args, keywords=[]):
                outside, self.quantities = self.quantities, {}
                found = self._call(called, [inside(x) for x in args])
                self.quantities = outside | self.quantities
                return found
        raise self._refuse(f"'{ast.unparse(node)}' is not allowed")

    def _dotted(self, node: ast.expr) -> str:
        """The name a.b.c, with placeholders replaced by the names in backquotes."""
        parts = []
        while isinstance(node, ast.Attribute):
            parts.append(self._quoted.get(node.attr, node.attr))
            node = node.value
        if not isinstance(node, ast.Name):
            raise self._refuse(f"'{ast.unparse(node)}' is not the name of a quantity")
        return ".".join([self._quoted.get(node.id, node.id), *reversed(parts)])

    def _name(self, node: ast.Name | ast.Attribute) -> Part:
        name = self._dotted(node)
        if isinstance(node, ast.Name) and node.id == name:
            if name == "t":
                self.of_time = True
                return lambda scope: scope.time
            if name in CONSTANTS:
                constant = CONSTANTS[name]
                return lambda scope: constant
        self.quantities[name] = None
        return lambda scope: scope.quantity(name)

    def _power(self, base: Part, exponent: ast.expr, inside: Callable[[ast.expr], Part]) -> Part:
        sign, right = 1.0, exponent
        if isinstance(right, ast.UnaryOp) and isinstance(right.op, ast.USub):
            sign, right = -1.0, right.operand
        if isinstance(right, ast.Constant) and isinstance(right.value, int | float):
            if right.value > _HIGHEST:
                raise self._refuse(f"powers may be up to {_HIGHEST}")
            number = sign * float(right.value)
            return lambda scope: power(base(scope), number)
        raised = inside(exponent)
        return lambda scope: power(base(scope), raised(scope))

    def _comparison(
        self, operators: list[ast.cmpop], sides: list[Part], kinds: Mapping[type[ast.cmpop], Comparison]
    ) -> Part:
        for op in operators:
            if isinstance(op, ast.Eq | ast.NotEq):
                raise self._refuse(
                    "it compares by == or !=, which quantities meet for an instant at most; use <= or >="
                )
            if type(op) not in kinds:
                raise self._refuse("it may compare by < <= > >= only")
        holds = [kinds[type(op)] for op in operators]

        def compared(scope: Scope) -> Scalar:
            values = [side(scope) for side in sides]
            return reduce(minimum, (hold(a, b) for hold, a, b in zip(holds, values, values[1:], strict=False)))

        return compared

    def _call(self, called: ast.Name | ast.Attribute, arguments: list[Part]) -> Part:
        name = self._dotted(called)
        if not (isinstance(called, ast.Name) and name in FUNCTIONS):
            self.tables[name] = None
            self.looks_up = self.looks_up or bool(self.quantities)
            if len(arguments) != 1:
                raise self._refuse(f"the table {name} takes 1 argument, not {len(arguments)}")
            (argument,) = arguments
            return lambda scope: scope.tables[name](argument(scope))
        function, count = FUNCTIONS[name]
        if name in ("min", "max") and len(arguments) > 2:
            return _all_of(arguments, function)
        if len(arguments) != count:
            raise self._refuse(f"{name} takes {count} argument{'s' if count > 1 else ''}, not {len(arguments)}")
        return lambda scope: function(*(x(scope) for x in arguments))


def _all_of(parts: list[Part], function: Callable[[Scalar, Scalar], Scalar]) -> Part:
    """A function of two arguments, applied to all parts from left to right."""
    return lambda scope: reduce(function, (part(scope) for part in parts))


def _is_condition(node: ast.expr) -> bool:
    negated = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)
    return negated or isinstance(node, ast.Compare | ast.BoolOp)
