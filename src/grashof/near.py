"""How near two motions are: the limits that all judgements share, and why each is what it is.

A difference is relative to the largest magnitude of the quantity. One limit is chosen, the others follow from it.
"""

from __future__ import annotations

AGREES = 1e-3
"""Two motions agree up to this: three digits. A coarser result differs visibly in a plot; every engine of the comparison can reach it."""

CLOSE = AGREES / 10.0
"""A motion has converged if a finer setting changes it by at most this, and one of our own runs must be this close to its reference. Ten
times less than `AGREES`, so that the errors of two motions that have converged do not explain a disagreement."""

RESEMBLES = 10.0 * AGREES
"""A wrong result is suspected to be of something else up to this: it has errors of its own, larger than those of one that agrees."""

ELSEWHERE = 50.0 * AGREES
"""A motion is somewhere else from here on: beyond what the errors of a coarse run explain, with room below for these to be seen to grow."""
