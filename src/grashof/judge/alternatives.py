"""What a result could be instead of the requested case: another variant, or the outcome of a known mistake."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from grashof.judge.expected import expected_at
from grashof.problems import PROBLEMS, make_case
from grashof.problems.base import Alternative, Case, Columns
from grashof.references import Reference, reference_for


def alternatives(case: Case) -> Iterator[Alternative]:
    """All known mistakes: what a result for this case might be instead."""
    problem = PROBLEMS[case.problem]
    given = {name: value for name, value in case.parameters.items() if name in problem.parameters}
    for variant in problem.variants:
        stored = reference_for(make_case(case.problem, variant, given))
        if variant != case.variant and stored is not None:
            yield Alternative(f"variant '{variant}'", stored.until, partial(_values, stored))
    yield from problem.alternatives(case)


def _values(reference: Reference, times: np.ndarray) -> Columns:
    return expected_at(reference, times).values
