"""Definitions: numbers given by expressions of parameters and other numbers, such as rod.length = "3*crank.length"."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from graphlib import CycleError, TopologicalSorter

from grashof.common.errors import ModelError, did_you_mean
from grashof.common.wording import join_words
from grashof.model.converting import Place
from grashof.model.expressions import Expression, Scope, parse
from grashof.model.laws import constant
from grashof.model.model import Model
from grashof.model.paths import leaves, replace_values
from grashof.model.state import RATE
from grashof.scalar.functions import Scalar


def settle_definitions(model: Model, texts: Mapping[Place, str]) -> Model:
    """The model with its definitions in `defined`, and their values in its fields.

    Definitions are these expressions, by their places, and laws that depend only on parameters and other numbers.
    """
    if not (
        texts or model.motors or model.couplings or any(isinstance(x, str) for f in model.forces for x in f.laws())
    ):
        return model
    known = leaves(model)
    laws = {path: leaf.value for path, leaf in known.items() if isinstance(leaf.value, str)}
    defined = {path: text for path, text in laws.items() if _is_definition(text, model)}
    defined |= {path: texts[leaf.place] for path, leaf in known.items() if leaf.place in texts}
    if not defined:
        return model
    places: dict[Place, Scalar] = {known[path].place: 0.0 for path in defined}
    model = replace_values(model, places | {("defined",): defined})
    for path in defined:
        _check(model, path)
    return replace_values(model, {known[path].place: value for path, value in recompute_values(model, None).items()})


def recompute_values(model: Model, values: Mapping[str, Scalar] | None) -> dict[str, Scalar]:
    """These values and those of all numbers that depend on them, by their paths; if `values` is None, the values of all
    numbers that have definitions."""
    found = dict(values or {})
    known = leaves(model)

    def value(name: str) -> Scalar:
        return found[name] if name in found else constant(known[name].value, f"'{name}'", model.parameter_values)

    for path, expression in order_definitions(model):
        if path not in found and (values is None or not found.keys().isdisjoint(expression.quantities)):
            try:
                found[path] = expression.at(Scope(0.0, value, model.tables_by_name))
            except (ArithmeticError, ValueError):
                names = list(expression.quantities)
                of = " with " + join_words([f"{name} = {value(name)}" for name in names]) if names else ""
                instead = f"change {' or '.join(names)}" if names else "give another expression"
                raise ModelError(f"{_definition_text(model, path)}, which has no value{of}; {instead}.") from None
    return found


def order_definitions(model: Model) -> list[tuple[str, Expression]]:
    """The definitions, each after those that it depends on; circular definitions are refused.

    Definitions of numbers that have been removed from the mechanism, or that depend on such numbers, are skipped.
    """
    found: list[tuple[str, Expression]] | None = model.__dict__.get("_ordered")
    if found is None:
        known = leaves(model) if model.defined else {}
        expressions = {path: _read(path, text) for path, text in model.defined.items() if path in known}
        expressions = {path: law for path, law in expressions.items() if known.keys() >= set(law.quantities)}
        graph = {path: [x for x in law.quantities if x in expressions] for path, law in expressions.items()}
        try:
            order = list(TopologicalSorter(graph).static_order())
        except CycleError as problem:
            circle = " and ".join(_definition_text(model, path) for path in problem.args[1][1:])
            raise ModelError(f"{circle}: they define each other in a circle; give one of them a number.") from None
        found = model.__dict__["_ordered"] = [(path, expressions[path]) for path in order]
    return found


def instead_of(name: str, known: Iterable[str]) -> str:
    """The end of an error message about an unknown name in the place of a number."""
    hint = did_you_mean(name, known)
    if hint.startswith("did"):
        return hint
    return "it must be a number, a text with its unit such as '120 mm', or an expression of parameters and numbers."


def _read(path: str, text: str) -> Expression:
    return parse(text, f"the definition of '{path}'")


def _check(model: Model, path: str) -> None:
    """Refuses a definition that depends on anything but existing numbers."""
    known = leaves(model)
    expression = _read(path, model.defined[path])
    if expression.of_time:
        raise ModelError(
            f"{_definition_text(model, path)}, which depends on time; only laws of forces and couplings may."
        )
    for name in expression.tables:
        if name not in model.tables_by_name:
            raise ModelError(
                f"{_definition_text(model, path)}, but there is no function or table '{name}'; use an existing one."
            )
    for name in expression.quantities:
        if name not in known:
            what = "is a quantity of the motion" if _moves(name, model) else "is not a number of the mechanism"
            raise ModelError(f"{_definition_text(model, path)}, but '{name}' {what}; {instead_of(name, known)}")
        if constant(known[name].value, f"'{name}'", model.parameter_values) is None:
            raise ModelError(
                f"{_definition_text(model, path)}, but '{name}' changes with time or motion; use numbers that do not."
            )


def _definition_text(model: Model, path: str) -> str:
    return f"'{path}' is defined as '{model.defined[path]}'"


def _is_definition(text: str, model: Model) -> bool:
    """Whether a law depends on parameters and other numbers, and on nothing else."""
    try:
        expression = parse(text, "a law")
    except ModelError:  # the check of its owner reports it
        return False
    names = expression.quantities
    if not names or expression.of_time or expression.tables:
        return False
    return all(name in leaves(model) and not _moves(name, model) for name in names)


def _moves(name: str, model: Model) -> bool:
    return name.removesuffix(RATE) in model.quantities or name in model.force_states
