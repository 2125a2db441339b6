"""The benchmark problems by name."""

from __future__ import annotations

from collections.abc import Mapping

from grashof.errors import ModelError, did_you_mean
from grashof.problems import andrews, four_bar, multiple_four_bar
from grashof.problems.base import Case, Column, Figure, Problem

PROBLEMS: dict[str, Problem] = {
    problem.name: problem for problem in (andrews.PROBLEM, four_bar.DOUBLE, four_bar.MANY, multiple_four_bar.PROBLEM)
}

AGREES = 1e-3
"""Deviation from the reference up to which a result agrees with it, relative to the quantity's largest magnitude."""


def make_case(name: str, variant: str | None = None, parameters: Mapping[str, float] | None = None) -> Case:
    """A problem's case, by names.

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


__all__ = ["AGREES", "PROBLEMS", "Case", "Column", "Figure", "Problem", "make_case"]
