"""How close two motions are: the limits that all judgements share, and the reason for each.

A difference is relative to the largest magnitude of the quantity. One limit is chosen, the others follow from it.
"""

from __future__ import annotations

AGREES = 1e-3
"""Two motions agree if they differ by at most this: three digits. A coarser result differs visibly in a plot; every
engine of the comparison can reach it."""

CLOSE = AGREES / 10.0
"""A motion has converged if a finer setting changes it by at most this, and our own runs must be this close to their
reference. It is ten times smaller than `AGREES`, so that the errors of two converged motions cannot explain a
disagreement."""

RESEMBLES = 10.0 * AGREES
"""A wrong result is suspected to be the solution of a different problem if it is this close to that: it has errors
of its own, larger than those of one that agrees."""

ELSEWHERE = 50.0 * AGREES
"""Beyond this difference a motion is a different one: the errors of a coarse run do not explain it, and there is
room below for these to be seen to grow."""
