"""Derives references: two derivations, compared in full precision."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal, localcontext

import numpy as np

from grashof.common.errors import ModelError
from grashof.common.progress import Part, Progress, silent
from grashof.problems import PROBLEMS, Case
from grashof.references.reference import HOLDS, Reference, check_times

FIRST_ORDER = 1e-2
"""Largest change, relative to a column's largest magnitude, for which a first-order estimate is used."""


def recompute(case: Case, times: Sequence[float] | np.ndarray, progress: Progress = silent) -> Reference:
    """The reference of a case at the times [s], which start at zero or later and increase, derived in both ways.

    A time is the decimal number of 15 digits next to the double. All official times take seconds (a row of four-bars)
    to minutes (`upright`). `progress` is called with the current activity and, if known, the fraction of it that is
    done.
    """
    derivations = PROBLEMS[case.problem].derivations
    if derivations is None:
        known = ", ".join(name for name, problem in PROBLEMS.items() if problem.derivations)
        raise ModelError(f"Problem '{case.problem}' has no certified reference; these problems have one: {known}.")
    check_times(times)
    moments = np.asarray(times, float)
    written, made = [f"{time:.15g}" for time in moments], derivations(case)
    progress(Part(0.0, "deriving the reference, first derivation"))
    first = made.first(written)
    second = made.second(written, lambda part: progress(Part(part, "deriving the reference, second derivation")))
    progress(Part(0.0, "changing the data one by one"))
    effect = made.effect(written, first)
    columns, bars, apart = {}, {}, {}
    for name in (column.name for column in case.columns if column.name != "t"):
        if name in first:
            columns[name], bars[name], apart[name] = _certify_column(first[name], second[name], effect[name])
        else:  # exactly zero, such as a violation
            columns[name] = bars[name] = np.zeros(len(moments))
    relative = {name: bars[name] / np.max(np.abs(values)) for name, values in columns.items() if values.any()}
    largest = np.maximum.accumulate(np.max([np.zeros(len(moments)), *relative.values()], axis=0))
    hold, chaos = (int(np.searchsorted(largest, limit, side="right")) for limit in (HOLDS, FIRST_ORDER))
    for (
        name,
        share,
    ) in (
        relative.items()
    ):  # a column that has lost its digits by then has lost them all, but a conserved energy has not
        bars[name][chaos:][share[chaos:] > HOLDS] = np.inf
    agreement = ", ".join(f"{name} {x:.0e}" for name, x in apart.items())
    return Reference(
        problem=case.problem,
        variant=case.variant,
        parameters=case.parameters,
        times=moments,
        columns=columns,
        bars=bars,
        until=float(moments[hold - 1]) if hold else 0.0,
        provenance=(
            *made.methods,
            f"Largest difference of the two, relative to a column's largest magnitude: {agreement}.",
            "Data and times are the decimal numbers as written. An error bar adds the rounding of the value to a "
            f"double, the largest difference so far, and the largest change so far when {made.data} are each rounded "
            f"to a double; it is infinite from the time at which such a change exceeds {FIRST_ORDER:g} of its "
            "column's largest magnitude, because the estimate is no longer a bound then.",
        ),
    )


def _certify_column(
    first: Sequence[Decimal], second: Sequence[Decimal], effect: np.ndarray
) -> tuple[np.ndarray, np.ndarray, float]:
    """Values and error bars of a column, and the largest difference of the derivations by the largest magnitude."""
    with localcontext(prec=100):
        differs = [abs(x - y) for x, y in zip(first, second, strict=True)]
        # a value smaller than the difference counts as zero
        values = [float(x) if abs(x) > apart else 0.0 for x, apart in zip(first, differs, strict=True)]
        rounding = np.array([float(abs(x - Decimal(value))) for x, value in zip(first, values, strict=True)])
    difference = np.maximum.accumulate(np.array(differs, float))
    bar = rounding + difference + np.maximum.accumulate(effect)
    return np.array(values), _rounded_up(bar), float(difference[-1] / (max(map(abs, values)) or 1.0))


def _rounded_up(bar: np.ndarray) -> np.ndarray:
    """Rounded up to two digits."""
    found = bar.copy()
    some = bar > 0
    unit = 10.0 ** (np.floor(np.log10(bar[some])) - 1)
    found[some] = [float(f"{x:.1e}") for x in np.ceil(bar[some] / unit) * unit]
    return found
