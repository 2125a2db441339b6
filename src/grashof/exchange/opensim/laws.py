"""Translates laws of forces and motors for OpenSim: functions of time, and expressions (in the language of Lepton) of
one coordinate or distance.

OpenSim's actuators follow functions of time, whereas its expressions can use a coordinate and its speed but not time. A
law that is a sum of terms in time and of terms in its own coordinate is therefore written as two forces that add up.
Polynomials and sines are functions of OpenSim's own; other laws of time are ExpressionBasedFunctions (OpenSim 4.5 and
later).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from grashof.exchange.torques import NotOurs
from grashof.exchange.xml import Maker
from grashof.model.expressions import CONSTANTS
from grashof.model.laws import Law
from grashof.scalar.functions import Scalar

HIGHEST = 12
"""The highest degree of a polynomial that is written as one."""
_PLAIN = frozenset({"sqrt", "exp", "log", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "abs"})
_OPERATORS: dict[type[ast.operator], str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "^"}


@dataclass(frozen=True)
class Sine:
    """a sin(ω t + φ) + b"""

    amplitude: float
    omega: float
    phase: float
    offset: float


Function = float | tuple[float, ...] | Sine | str
"""A function of time: a number, the coefficients of a polynomial with the highest power first, a sine, or an
expression of t."""


@dataclass(frozen=True)
class LawParts:
    """A law as a sum of a function of time and an expression of its own coordinate; either may be None."""

    of_time: Function | None
    of_motion: str | None


def parts(law: Law, own: Mapping[str, str], parameters: Mapping[str, Scalar]) -> LawParts:
    """The two parts of a law; raises NotOurs with the reason if it is not such a sum.

    own   the quantities that the expression may use, and their names in OpenSim

    >>> parts("sin(2*t) - 0.5*crank.angle.rate", {"crank.angle.rate": "qdot"}, {})
    LawParts(of_time=Sine(amplitude=1.0, omega=2.0, phase=0.0, offset=0.0), of_motion='-(0.5*qdot)')
    """
    if not isinstance(law, str):
        return LawParts(float(law), None)
    reader = _Reader(law, own, parameters)
    timed: list[tuple[str, ast.expr]] = []
    moving: list[tuple[str, ast.expr]] = []
    for sign, term in _terms(reader.tree, "+"):
        reader.text(term)  # refuses what OpenSim does not support
        uses = reader.uses(term)
        if "t" in uses and len(uses) > 1:
            raise NotOurs(f"its law '{law}' multiplies time by motion, which OpenSim's forces cannot do")
        (moving if uses - {"t"} else timed).append((sign, term))
    motion = "".join(f"{sign}{reader.text(term)}" for sign, term in moving).removeprefix("+") or None
    if not timed:
        return LawParts(None, motion)
    whole: ast.expr = ast.Constant(0.0)
    for sign, term in timed:
        signed = term if sign == "+" else ast.UnaryOp(ast.USub(), term)
        whole = (
            signed if isinstance(whole, ast.Constant) and whole.value == 0.0 else ast.BinOp(whole, ast.Add(), signed)
        )
    return LawParts(reader.function(whole), motion)


def times(factor: float, function: Function) -> Function:
    """A function multiplied by a number."""
    if factor == 1.0:
        return function
    match function:
        case Sine():
            return replace(function, amplitude=factor * function.amplitude, offset=factor * function.offset)
        case tuple():
            return tuple(factor * x for x in function)
        case str():
            return f"({factor!r})*({function})"
    return factor * function


def shift_function(function: Function, by: float) -> Function:
    """A function with a number added."""
    match function:
        case Sine():
            return replace(function, offset=function.offset + by)
        case tuple():
            return *function[:-1], function[-1] + by
        case str():
            return f"{function}+({by!r})"
    return function + by


def value(function: float | tuple[float, ...] | Sine, t: float) -> float:
    """A function at a time."""
    if isinstance(function, Sine):
        return float(function.amplitude * np.sin(function.omega * t + function.phase) + function.offset)
    return float(np.polyval(function if isinstance(function, tuple) else (function,), t))


def add_function(owner: Maker, function: Function, name: str = "") -> None:
    """Writes a function of time."""
    named = {"name": name} if name else {}
    match function:
        case Sine():
            made = owner.add("Sine", **named)
            for tag in ("amplitude", "omega", "phase", "offset"):
                made.add(tag, getattr(function, tag))
        case tuple():
            owner.add("PolynomialFunction", **named).add("coefficients", function)
        case str():
            made = owner.add("ExpressionBasedFunction", **named)
            made.add("expression", function)
            made.add("variables", "t")
        case _:
            owner.add("Constant", **named).add("value", float(function))


class _Reader:
    """The syntax tree of a law, and what it means there."""

    def __init__(self, law: str, own: Mapping[str, str], parameters: Mapping[str, Scalar]) -> None:
        self.law, self.own, self.parameters = law, own, parameters
        self._quoted: list[str] = []
        plain = re.sub(r"`([^`]*)`", self._unquote, law.strip())
        try:
            self.tree: ast.expr = ast.parse(plain, mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            raise NotOurs(f"its law '{law}' cannot be written in OpenSim's language") from None

    def _unquote(self, found: re.Match[str]) -> str:
        self._quoted.append(found[1])
        return f"quoted_name_{len(self._quoted) - 1}_"

    def _name(self, node: ast.expr) -> str:
        words: list[str] = []
        while isinstance(node, ast.Attribute):
            words.append(node.attr)
            node = node.value
        if not isinstance(node, ast.Name):
            raise self._refuse(ast.unparse(node))
        words.append(node.id)
        found = [
            self._quoted[int(word[12:-1])] if word.startswith("quoted_name_") else word for word in reversed(words)
        ]
        return ".".join(found)

    def _refuse(self, what: str) -> NotOurs:
        return NotOurs(f"its law '{self.law}' contains {what}, which OpenSim's expressions do not support")

    def uses(self, node: ast.expr) -> set[str]:
        """The quantities that a part depends on, with "t" for time."""
        if isinstance(node, ast.Name | ast.Attribute):
            name = self._name(node)
            return set() if name in CONSTANTS or name in self.parameters else {name}
        if isinstance(node, ast.Call):
            return set[str]().union(*(self.uses(x) for x in node.args))
        return set[str]().union(*(self.uses(x) for x in ast.iter_child_nodes(node) if isinstance(x, ast.expr)))

    def text(self, node: ast.expr) -> str:
        """A part in the language of Lepton."""
        match node:
            case ast.Constant(value=int() | float() as number):
                return _number(float(number))
            case ast.Name() | ast.Attribute():
                name = self._name(node)
                if name in CONSTANTS:
                    return _number(CONSTANTS[name])
                if name in self.parameters:
                    return _number(float(self.parameters[name]))
                if name == "t" or name in self.own:
                    return self.own.get(name, name)
                known = (
                    "the coordinate or distance along which a force acts, and its rate" if self.own else "time alone"
                )
                raise NotOurs(
                    f"its law '{self.law}' depends on '{name}', and in OpenSim such a force can only use {known}"
                )
            case ast.UnaryOp(op=ast.USub(), operand=inner):
                return f"(-{self.text(inner)})"
            case ast.UnaryOp(op=ast.UAdd(), operand=inner):
                return self.text(inner)
            case ast.UnaryOp(op=ast.Not(), operand=inner):
                return f"(1-{self._holds(inner)})"
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
                return f"({self.text(left)}{_OPERATORS[type(op)]}{self.text(right)})"
            case ast.BoolOp(op=op, values=values):
                return self._nested("min" if isinstance(op, ast.And) else "max", [self._holds(x) for x in values])
            case ast.Compare(left=left, ops=ops, comparators=others):
                return self._compared(ops, [self.text(x) for x in (left, *others)])
            case ast.IfExp(test=test, body=yes, orelse=no):
                return self._chosen(test, yes, no)
            case ast.Call(func=ast.Name(id=name), args=args, keywords=[]):
                return self._call(name, args)
        raise self._refuse(f"'{ast.unparse(node)}'")

    def _holds(self, node: ast.expr) -> str:
        """A condition as 1 or 0; positive numbers count as true."""
        if isinstance(node, ast.Compare | ast.BoolOp):
            return self.text(node)
        return f"(1-step(-{self.text(node)}))"

    def _chosen(self, test: ast.expr, yes: ast.expr, no: ast.expr) -> str:
        condition = self._holds(test)
        return f"({condition}*{self.text(yes)}+(1-{condition})*{self.text(no)})"

    def _compared(self, operators: Sequence[ast.cmpop], sides: list[str]) -> str:
        found = []
        for op, a, b in zip(operators, sides, sides[1:], strict=False):
            match op:
                case ast.Lt():
                    found.append(f"(1-step({a}-{b}))")
                case ast.GtE():
                    found.append(f"step({a}-{b})")
                case ast.Gt():
                    found.append(f"(1-step({b}-{a}))")
                case ast.LtE():
                    found.append(f"step({b}-{a})")
                case _:
                    raise self._refuse("'=='")
        return self._nested("min", found)

    def _nested(self, name: str, values: list[str]) -> str:
        found = values[0]
        for other in values[1:]:
            found = f"{name}({found},{other})"
        return found

    def _call(self, name: str, args: list[ast.expr]) -> str:
        if name == "where" and len(args) == 3:
            return self._chosen(*args)
        given = [self.text(x) for x in args]
        if name in _PLAIN and len(given) == 1:
            return f"{name}({given[0]})"
        if name in ("min", "max") and given:
            return self._nested(name, given)
        if name == "sign" and len(given) == 1:
            return f"(step({given[0]})-step(-{given[0]}))"
        if name == "hypot" and len(given) == 2:
            return f"sqrt({given[0]}^2+{given[1]}^2)"
        raise self._refuse(f"'{name}'")

    def function(self, node: ast.expr) -> Function:
        """A part that depends on time alone, as the simplest OpenSim function that represents it."""
        polynomial = self._polynomial(node)
        if polynomial is not None:
            return polynomial[0] if len(polynomial) == 1 else tuple(reversed(polynomial))
        return self._sine(node) or _outer(self.text(node))

    def _polynomial(self, node: ast.expr) -> list[float] | None:
        """The coefficients of a polynomial in t, lowest power first; None if it is not a polynomial."""
        match node:
            case ast.Constant(value=int() | float() as number):
                return [float(number)]
            case ast.Name() | ast.Attribute():
                name = self._name(node)
                return (
                    [0.0, 1.0]
                    if name == "t"
                    else [float(CONSTANTS[name] if name in CONSTANTS else self.parameters[name])]
                )
            case ast.UnaryOp(op=ast.USub() | ast.UAdd() as op, operand=inner):
                found = self._polynomial(inner)
                return [-x for x in found] if found and isinstance(op, ast.USub) else found
            case ast.BinOp(left=left, op=op, right=right):
                return _combine_terms(op, self._polynomial(left), self._polynomial(right))
        return None

    def _sine(self, node: ast.expr) -> Sine | None:
        match node:
            case ast.Call(func=ast.Name(id="sin" | "cos" as name), args=[inside]):
                line = self._polynomial(inside)
                if line is None or len(line) > 2:
                    return None
                phase, omega = [*line, 0.0][:2]
                return Sine(1.0, omega, phase + (0.5 * np.pi if name == "cos" else 0.0), 0.0)
            case ast.UnaryOp(op=ast.USub(), operand=inner) if found := self._sine(inner):
                return Sine(-found.amplitude, found.omega, found.phase, -found.offset)
            case ast.BinOp(left=left, op=ast.Add() | ast.Sub() | ast.Mult() | ast.Div() as op, right=right):
                return self._sine_with(self._sine(left), self._polynomial(right), op, False) or self._sine_with(
                    self._sine(right), self._polynomial(left), op, True
                )
        return None

    def _sine_with(self, sine: Sine | None, number: list[float] | None, op: ast.operator, second: bool) -> Sine | None:
        """A sine and a number together; `second` if the sine is the second of them."""
        if sine is None or number is None or len(number) > 1 or (second and isinstance(op, ast.Div)):
            return None
        (x,) = number
        if isinstance(op, ast.Mult | ast.Div):
            factor = x if isinstance(op, ast.Mult) else 1.0 / x if x else 0.0
            return Sine(factor * sine.amplitude, sine.omega, sine.phase, factor * sine.offset) if factor else None
        sign = -1.0 if second and isinstance(op, ast.Sub) else 1.0
        x = -x if isinstance(op, ast.Sub) and not second else x
        return Sine(sign * sine.amplitude, sine.omega, sine.phase, sign * sine.offset + x)


def _combine_terms(op: ast.operator, a: list[float] | None, b: list[float] | None) -> list[float] | None:
    if a is None or b is None:
        return None
    match op:
        case ast.Add() | ast.Sub():
            size, sign = max(len(a), len(b)), -1.0 if isinstance(op, ast.Sub) else 1.0
            a, b = ([*x, *[0.0] * (size - len(x))] for x in (a, b))
            return [x + sign * y for x, y in zip(a, b, strict=True)]
        case ast.Mult():
            if len(a) + len(b) - 2 > HIGHEST:
                return None
            found: list[float] = np.convolve(a, b).tolist()
            return found
        case ast.Div() if len(b) == 1 and b[0]:
            return [x / b[0] for x in a]
        case ast.Pow() if (
            len(b) == 1 and b[0] == int(b[0]) and 0 <= b[0] * (len(a) - 1) <= HIGHEST and 0 <= b[0] <= HIGHEST
        ):
            power = [1.0]
            for _ in range(int(b[0])):
                power = np.convolve(power, a).tolist()
            return power
    return None


def _terms(node: ast.expr, sign: str) -> list[tuple[str, ast.expr]]:
    """The terms of a sum, with their signs."""
    match node:
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as op, right=right):
            other = sign if isinstance(op, ast.Add) else {"+": "-", "-": "+"}[sign]
            return [*_terms(left, sign), *_terms(right, other)]
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            return _terms(inner, {"+": "-", "-": "+"}[sign])
    return [(sign, node)]


def _number(x: float) -> str:
    return f"({x!r})" if x < 0.0 else repr(x)


def _outer(text: str) -> str:
    """The text without its outer brackets."""
    if not text.startswith("("):
        return text
    depth = 0
    for k, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if depth == 0:
            return text[1:-1] if k + 1 == len(text) else text
    return text
