"""All certified references again, from both derivations, compared with those that are stored: `python
scripts/references.py [NAME…]`. It takes an hour; names of problems choose some of them."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import numpy as np

from grashof.judge.linear import certify
from grashof.problems import LINEAR, PROBLEMS, make_case, make_linear
from grashof.references import Reference, recompute, reference_for

DIGITS = 12.0
"""That eigenvalues must have; they are derived anew wherever they are used, and none are stored."""

WIDER = 2.0
"""By how much an error bar may have grown: if the two derivations no longer agree, it grows by far more."""


def main(names: list[str]) -> int:
    """The number of references that were not found again."""
    failed = 0
    for name, variant, words, found in _all(names):
        print(f"{name}, {variant}: {'found again' if found else 'NOT found again'}; {words}", flush=True)
        failed += not found
    return failed


def _all(names: list[str]) -> Iterator[tuple[str, str, str, bool]]:
    for name, variant in ((name, x) for name, problem in LINEAR.items() for x in problem.variants):
        if not names or name in names:
            digits = certify(make_linear(name, variant, {})).digits
            yield name, variant, f"{digits:.1f} digits", digits > DIGITS
    for name, variant in ((name, x) for name, problem in PROBLEMS.items() for x in problem.variants):
        if not names or name in names:
            case = make_case(name, variant)
            stored = reference_for(case)
            if stored is None:
                yield name, variant, "no reference is stored", False
            else:
                yield name, variant, *compare(stored, recompute(case, case.times(case.t_end)))


def compare(stored: Reference, again: Reference) -> tuple[str, bool]:
    """How far a reference is from the stored one, in words, and whether it is the same."""
    if not np.array_equal(stored.times, again.times):
        return "other times", False
    apart = max(_largest(abs(values - again.columns[x]), stored.bars[x]) for x, values in stored.columns.items())
    wider = max(_largest(again.bars[x], bars) for x, bars in stored.bars.items())
    digits = min(again.digits(x) for x in again.columns)
    words = f"{apart:.1e} of the stored error bars off, bars {wider:.3g} times as wide, {digits:.1f} digits"
    return words, apart <= 1.0 and wider <= WIDER and again.until == stored.until


def _largest(values: np.ndarray, bars: np.ndarray) -> float:
    """The largest ratio of values to error bars; 0 where nothing is certain, in both."""
    sure = np.isfinite(bars)
    if not sure.any():
        return 0.0
    ratios = np.where(values[sure] > 0.0, values[sure] / np.maximum(bars[sure], np.finfo(float).tiny), 0.0)
    return float(np.max(ratios))


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
