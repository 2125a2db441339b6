"""OpenSim's functions as laws of time, or as straight lines."""

from __future__ import annotations

from grashof.common.errors import ModelError
from grashof.exchange.opensim.lepton import translate_expression
from grashof.exchange.parsing import child_number, numbers
from grashof.exchange.xml import Element

FUNCTIONS = ("Constant", "LinearFunction", "PolynomialFunction", "Sine", "MultiplierFunction")


def law(function: Element) -> float | str | None:
    """A function of time as a number or an expression in t; None if it is not supported."""
    match function.tag:
        case "Constant":
            return child_number(function, "value", 0.0)
        case "LinearFunction" | "PolynomialFunction":
            default = "1 0" if function.tag == "LinearFunction" else "1"
            return _polynomial(numbers(function, "coefficients", function.value("coefficients", default)))
        case "Sine":
            size, omega, phase, offset = (
                child_number(function, tag, default)
                for tag, default in (("amplitude", 1.0), ("omega", 1.0), ("phase", 0.0), ("offset", 0.0))
            )
            return f"{size!r}*sin({omega!r}*t + {phase!r}) + {offset!r}"
        case "ExpressionBasedFunction":
            names = function.value("variables").split()
            try:
                return (
                    translate_expression(function.value("expression"), dict.fromkeys(names, "t"), "a function")
                    if len(names) < 2
                    else None
                )
            except ModelError:
                return None
        case "MultiplierFunction":
            inside, scale = function.first("function"), child_number(function, "scale", 1.0)
            found = law(inside.children[0]) if inside is not None and inside.children else None
            if isinstance(found, str):
                return f"{scale!r}*({found})"
            return None if found is None else scale * found
    return None


def scale_law(given: float | str, factor: float) -> float | str:
    """A law multiplied by a number."""
    if factor == 1.0:
        return given
    return f"{factor!r}*({given})" if isinstance(given, str) else factor * given


def function_of_axis(axis: Element) -> Element | None:
    """The function of an axis of a joint, if it has one that is known."""
    function = axis.first("function")
    splines = ("SimmSpline", "NaturalCubicSpline")
    return function.children[0] if function is not None and function.children else axis.first(*FUNCTIONS, *splines)


def linear(axis: Element) -> tuple[float, float] | None:
    """Slope and offset of the function of an axis; None if it is not linear."""
    found = function_of_axis(axis)
    if found is None:
        other = [child for child in axis.children if child.tag not in ("coordinates", "axis", "function")]
        return None if other else (0.0, 0.0)
    return _line(found, 0)


def _line(function: Element, depth: int) -> tuple[float, float] | None:
    match function.tag:
        case "Constant":
            return 0.0, child_number(function, "value", 0.0)
        case "LinearFunction" | "PolynomialFunction":
            found = numbers(
                function,
                "coefficients",
                function.value("coefficients", "1 0" if function.tag == "LinearFunction" else "1"),
            )
            if len(found) == 1:
                return 0.0, found[0]
            return (found[0], found[1]) if len(found) == 2 else None
        case "MultiplierFunction":
            inside, scale = function.first("function"), child_number(function, "scale", 1.0)
            below = (
                _line(inside.children[0], depth + 1) if inside is not None and inside.children and depth < 20 else None
            )
            return None if below is None else (scale * below[0], scale * below[1])
    return None


def _polynomial(coefficients: tuple[float, ...]) -> float | str:
    """Highest power first."""
    if len(coefficients) == 1:
        return coefficients[0]
    degree = len(coefficients) - 1
    powers = {0: "", 1: "*t"}
    terms = [f"{x!r}{powers.get(degree - k, f'*t**{degree - k}')}" for k, x in enumerate(coefficients)]
    return " + ".join(terms) or "0"
