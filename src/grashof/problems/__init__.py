"""The benchmark problems by name: every folder here with a tuple `PROBLEMS`, of motions, or `LINEAR`, of linearised
motions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from pkgutil import iter_modules
from types import SimpleNamespace
from typing import Any, TypeVar

from grashof.common.errors import ModelError, did_you_mean
from grashof.problems.base import Alternative, BranchCondition, Case, Column, Columns, Figure, Problem
from grashof.problems.linear import LinearCase, LinearProblem

Either = TypeVar("Either", Problem, LinearProblem)


def find_problems(folders: Iterable[str], package: str) -> dict[str, Problem]:
    """The problems, by name, of all subpackages of a package in these folders."""
    return {problem.name: problem for module in _packages(folders, package) for problem in module.PROBLEMS}


def find_linear(folders: Iterable[str], package: str) -> dict[str, LinearProblem]:
    """Those whose result is a linearised motion, in the same folders, by name."""
    return {problem.name: problem for module in _packages(folders, package) for problem in module.LINEAR}


def _packages(folders: Iterable[str], package: str) -> Iterator[Any]:
    for found in iter_modules(folders):
        if found.ispkg:
            module = import_module(f"{package}.{found.name}")
            yield SimpleNamespace(**({"PROBLEMS": (), "LINEAR": ()} | vars(module)))


PROBLEMS: dict[str, Problem] = find_problems(__path__, __name__)
LINEAR: dict[str, LinearProblem] = find_linear(__path__, __name__)


def make_case(name: str, variant: str | None = None, parameters: Mapping[str, float] | None = None) -> Case:
    """The case of a problem with a variant and parameters, by their names.

    >>> make_case("double-four-bar").t_end
    10.0
    """
    if name in LINEAR and name not in PROBLEMS:
        raise ModelError(
            f"The result of problem '{name}' is a linearised motion, not one over time; use `grashof run {name}`, "
            "`verify` or `reference`."
        )
    problem = _known(name, PROBLEMS)
    return problem.make(*_chosen(problem, variant, parameters))


def make_linear(name: str, variant: str | None = None, parameters: Mapping[str, float] | None = None) -> LinearCase:
    """The case of a problem whose result is a linearised motion.

    >>> make_linear("four-bar-linearisation").at
    'equilibrium'
    """
    problem = _known(name, LINEAR)
    return problem.make(*_chosen(problem, variant, parameters))


def _known(name: str, problems: Mapping[str, Either]) -> Either:
    if name not in problems:
        raise ModelError(f"There is no problem '{name}'; {did_you_mean(name, [*PROBLEMS, *LINEAR])}")
    return problems[name]


def _chosen(
    problem: Problem | LinearProblem, variant: str | None, parameters: Mapping[str, float] | None
) -> tuple[str, dict[str, float]]:
    """Its variant, the first one unless given, and the values of all its parameters."""
    chosen = problem.variants[0] if variant is None else variant
    if chosen not in problem.variants:
        raise ModelError(f"Problem '{problem.name}' has no variant '{chosen}'; it has {', '.join(problem.variants)}.")
    values = {key: default for key, (default, _) in problem.parameters.items()}
    for key, value in (parameters or {}).items():
        if key not in values:
            known = ", ".join(values) or "none"
            raise ModelError(f"Problem '{problem.name}' has no parameter '{key}'; it has {known}.")
        values[key] = value
    return chosen, values


__all__ = [
    "LINEAR",
    "PROBLEMS",
    "Alternative",
    "BranchCondition",
    "Case",
    "Column",
    "Columns",
    "Figure",
    "LinearCase",
    "LinearProblem",
    "Problem",
    "find_linear",
    "find_problems",
    "make_case",
    "make_linear",
]
