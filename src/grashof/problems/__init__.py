"""The benchmark problems by name: every folder here with a tuple `PROBLEMS`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import import_module
from pkgutil import iter_modules

from grashof.common.errors import ModelError, did_you_mean
from grashof.problems.base import Alternative, BranchCondition, Case, Column, Columns, Figure, Problem


def find_problems(folders: Iterable[str], package: str) -> dict[str, Problem]:
    """The problems, by name, of all subpackages of a package in these folders."""
    modules = [import_module(f"{package}.{found.name}") for found in iter_modules(folders) if found.ispkg]
    return {problem.name: problem for module in modules for problem in module.PROBLEMS}


PROBLEMS: dict[str, Problem] = find_problems(__path__, __name__)


def make_case(name: str, variant: str | None = None, parameters: Mapping[str, float] | None = None) -> Case:
    """The case of a problem with a variant and parameters, by their names.

    >>> make_case("double-four-bar").t_end
    10.0
    """
    if name not in PROBLEMS:
        raise ModelError(f"There is no problem '{name}'; {did_you_mean(name, PROBLEMS)}")
    problem = PROBLEMS[name]
    chosen = problem.variants[0] if variant is None else variant
    if chosen not in problem.variants:
        raise ModelError(f"Problem '{name}' has no variant '{chosen}'; it has {', '.join(problem.variants)}.")
    values = {key: default for key, (default, _) in problem.parameters.items()}
    for key, value in (parameters or {}).items():
        if key not in values:
            known = ", ".join(values) or "none"
            raise ModelError(f"Problem '{name}' has no parameter '{key}'; it has {known}.")
        values[key] = value
    return problem.make(chosen, values)


__all__ = [
    "PROBLEMS",
    "Alternative",
    "BranchCondition",
    "Case",
    "Column",
    "Columns",
    "Figure",
    "Problem",
    "find_problems",
    "make_case",
]
