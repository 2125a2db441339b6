"""Programs are compiled once a session."""

from __future__ import annotations

from functools import cache

from grashof.problems import Case, make_case
from grashof.program import Program, build


@cache
def compiled(name: str, variant: str | None = None, **parameters: float) -> tuple[Case, Program]:
    """A case and its program."""
    case = make_case(name, variant, parameters)
    return case, build(case.model)
