"""Motion between an integrator's own steps."""

from __future__ import annotations

import numpy as np


def cubic(at: np.ndarray, q: np.ndarray, v: np.ndarray, times: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """q and its rate at other times: the cubic through both ends' values and rates."""
    k = np.clip(np.searchsorted(at, times, side="right") - 1, 0, len(at) - 2)
    h = (at[k + 1] - at[k])[:, None]
    s = (times[:, None] - at[k][:, None]) / h
    rise = q[k + 1] - q[k]
    left, right = h * v[k] - rise, h * v[k + 1] - rise
    value = q[k] + s * rise + s * (1.0 - s) * ((1.0 - s) * left - s * right)
    slope = rise + (1.0 - s) * (1.0 - 3.0 * s) * left + s * (3.0 * s - 2.0) * right
    return value, slope / h


def quintic(
    t: np.ndarray, q: np.ndarray, rates: np.ndarray, seconds: np.ndarray, times: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Values and rates at `times` of the quintics through values, rates and second rates at t, each (steps, n)."""
    k = np.clip(np.searchsorted(t, times, side="right") - 1, 0, len(t) - 2)
    h = (t[k + 1] - t[k])[:, None]
    x = (times - t[k])[:, None] / h
    v0, v1, a0, a1 = rates[k] * h, rates[k + 1] * h, seconds[k] * h**2, seconds[k + 1] * h**2
    # what is left of value, slope and curvature at the end after the parabola from the start
    value = q[k + 1] - q[k] - v0 - 0.5 * a0
    slope = v1 - v0 - a0
    bend = a1 - a0
    c3 = 10.0 * value - 4.0 * slope + 0.5 * bend
    c4 = -15.0 * value + 7.0 * slope - bend
    c5 = 6.0 * value - 3.0 * slope + 0.5 * bend
    at = q[k] + x * (v0 + x * (0.5 * a0 + x * (c3 + x * (c4 + x * c5))))
    rate = (v0 + x * (a0 + x * (3.0 * c3 + x * (4.0 * c4 + x * 5.0 * c5)))) / h
    return at, rate
