"""Extremes and means of a quantity between samples of its values and rates.

Between two samples, x₀ with rate r₀ and x₁ with rate r₁ a time h apart, the quantity is taken for the cubic with these values and rates,

    p(s) = x₀ + h r₀ s + (3Δ − 2h r₀ − h r₁) s² + (h r₀ + h r₁ − 2Δ) s³,    Δ = x₁ − x₀,  0 ≤ s ≤ 1,

whose error is h⁴/384 · max |x⁗| for smooth motions. Its extremes are at the roots of a quadratic, and its integral is
h (x₀ + x₁)/2 + h² (r₀ − r₁)/12: both formulas are exact for the cubic. All arrays are (runs, samples). Times do not fall; an interval of
length zero counts for nothing.
"""

from __future__ import annotations

import numpy as np

Array = np.ndarray


def maximum(t: Array, x: Array, r: Array) -> tuple[Array, Array]:
    """The largest value of each run, and the first time at which it is reached.

    >>> t = np.array([[0.0, 1.0]])
    >>> maximum(t, t * (1.0 - t), 1.0 - 2.0 * t)
    (array([0.25]), array([0.5]))
    """
    run = np.arange(len(x))
    node = np.argmax(x, axis=1)
    value, when = x[run, node], t[run, node]
    # a cubic stays below the largest of its control points x₀, x₀ + h r₀/3, x₁ − h r₁/3, x₁: few intervals can exceed the samples
    third = np.diff(t) / 3.0
    control = np.maximum(x[:, :-1] + third * r[:, :-1], x[:, 1:] - third * r[:, 1:])
    i, k = np.nonzero(control > value[:, None])
    inside, at = _maximum_inside(t[i, k], t[i, k + 1] - t[i, k], x[i, k], x[i, k + 1], r[i, k], r[i, k + 1])
    order = np.lexsort((at, -inside, i))  # for each run the largest value first, and the earliest of equal ones
    ahead, first = np.unique(i[order], return_index=True)
    best = order[first]
    more = (inside[best] > value[ahead]) | ((inside[best] == value[ahead]) & (at[best] < when[ahead]))
    value[ahead[more]], when[ahead[more]] = inside[best[more]], at[best[more]]
    return value, when


def mean(t: Array, x: Array, r: Array) -> Array:
    """The mean of each run over its time; the value itself if a run has no duration.

    >>> t = np.array([[0.0, 1.0]])
    >>> mean(t, t * t, 2.0 * t)
    array([0.33333333])
    """
    h = np.diff(t)
    pieces = h * (0.5 * (x[:, :-1] + x[:, 1:]) + h / 12.0 * (r[:, :-1] - r[:, 1:]))
    total = np.cumsum(pieces, axis=1)[:, -1]  # summed in a fixed order, so that the bits do not depend on the processor
    span = t[:, -1] - t[:, 0]
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(span > 0.0, total / span, x[:, 0])


def slopes(t: Array, x: Array) -> Array:
    """Rates of a quantity of which only values (…, samples) at different times are known: those of the polynomials through five neighbours."""
    count, width = len(t), min(5, len(t))
    first = np.clip(np.arange(count) - width // 2, 0, count - width)
    nodes = first[:, None] + np.arange(width)
    gaps = t[nodes][:, :, None] - t[nodes][:, None, :] + np.eye(width)  # (count, k, i): t_k − t_i, 1 on the diagonal
    away = t[:, None] - t[nodes]  # t_j − t_i, zero at one place
    found = np.zeros(x.shape)
    for k in range(width):
        others = [i for i in range(width) if i != k]
        # d/dt of Π (t − t_i)/(t_k − t_i) at t_j
        weight = np.zeros(count)
        for left_out in others:
            weight += np.prod(away[:, [i for i in others if i != left_out]], axis=1)
        found += x[..., nodes[:, k]] * weight / np.prod(gaps[:, k, :], axis=1)
    return found


def _maximum_inside(t: Array, h: Array, x0: Array, x1: Array, r0: Array, r1: Array) -> tuple[Array, Array]:
    """The largest value of each cubic at its beginning and where its derivative is zero, and the time, (intervals,)."""
    slope, rise = h * r0, x1 - x0
    square, cube = 3.0 * rise - 2.0 * slope - h * r1, slope + h * r1 - 2.0 * rise
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        root = np.sqrt(np.maximum(square * square - 3.0 * cube * slope, 0.0))
        # slope + 2·square·s + 3·cube·s² = 0 in the two forms without cancellation
        together = -(square + np.copysign(root, square))
        places = np.stack([np.zeros_like(t), together / (3.0 * cube), slope / together])
        s = np.where((places > 0.0) & (places < 1.0), places, 0.0)
    values = x0 + s * (slope + s * (square + s * cube))
    best, each = np.argmax(values, axis=0), np.arange(len(t))
    return values[best, each], t + s[best, each] * h
