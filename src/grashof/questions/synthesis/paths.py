"""Four-bars whose coupler point follows a path.

Many four-bars are tried at once: their coupler curves are turned, scaled, mirrored and shifted onto the path by the
complex factor that fits best, ⟨w, z⟩/⟨w, w⟩, over all beginnings of a closed path by one Fourier transform. The best
are improved by the method of Levenberg and Marquardt over the nine numbers of the four-bar and the crank's angle of
each point, with exact derivatives.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from grashof.common.errors import ModelError
from grashof.questions.synthesis.design import SAMPLES, Array, Complex, FourBarDesign, placed

POINTS = 48
"""Points of the path that are fitted, equally far from one another along it."""

TRIED = 6000
"""Four-bars that are tried at first."""

IMPROVED = 32
"""How many of the best are improved."""

ROUNDS = 120
"""Steps of the improvement."""

DIRECT = 200
"""The most given points that are fitted themselves at the end."""

RATIO = 20.0
"""Four-bars whose longest link is more than so many times as long as the shortest are taken only for want of others."""

REACH = 5.0
"""Four-bars with a pivot farther from the middle of the path than so many times the path's size are taken only for want
of others."""

SAME = 1e-9
"""Of candidates whose misses differ by less than this part of the path's, as those of a symmetric path mirrored, one is
kept."""

CLOSED = 0.2
"""A path whose ends are nearer than this part of its size is taken as closed, unless it is said."""


def four_bar_for_path(
    points: Sequence[tuple[float, float]], *, closed: bool | None = None, reach: float = REACH, seed: int = 0
) -> FourBarDesign:
    """Finds a four-bar with a coupler point that follows a path as closely as possible.

    points   places on the path in their order, m; the speed along it is free
    closed   whether the path is closed; by default, if its ends are near each other. The crank then turns fully
    reach    how far from the middle of the path the fixed pivots may be, as a multiple of the distance of its
             farthest point; a four-bar with pivots farther away is the answer only if no other is found
    seed     of the random four-bars from which the search begins: the same seed gives the same result

    `errors` are the distances of the given points from the coupler curve, m, and `angles` those of the crank there. The
    search is not exhaustive: another seed may find a better four-bar. Each coupler curve belongs to two more four-bars,
    its cognates (S. Roberts, 1875).
    """
    path = np.array([complex(x, y) for x, y in points])
    if len(path) < 5 or not np.isfinite(path).all():
        raise ModelError(f"The path has {len(path)} points; give five or more, all of them finite.")
    size = float(np.max(np.abs(path - path.mean())))
    if not np.any(path != path[0]):
        raise ModelError("All points of the path are at one place.")
    if closed is None:
        closed = bool(abs(path[-1] - path[0]) < CLOSED * size)
    if not reach > 0.0:
        raise ModelError(
            f"reach is {reach:g}; give a multiple of the size of the path, above 0, within which the pivots may be."
        )
    wanted = _resampled(path, closed)
    best: tuple[tuple[bool, float], Array, Array, int] | None = None
    for numbers, angles, branch in _candidates(wanted, closed, reach * size, np.random.default_rng(seed)):
        found = _improved(numbers, angles, branch, wanted)
        if found is None or not _passes(*found[1:], branch, closed):
            found = float(np.sum(np.abs(_misses(numbers, angles, branch, wanted)) ** 2)), numbers, angles
            if not _passes(*found[1:], branch, closed):
                continue
        rank = (_is_awkward(found[1], wanted.mean(), reach * size), found[0])
        if best is None or rank < best[0]:
            best = (rank, *found[1:], branch)
    if best is None:
        raise ModelError("No four-bar was found that moves along this path; try another seed, or a smoother path.")
    design = _design(*best[1:], path, closed)
    if len(path) > DIRECT:
        return design
    (awkward, _), numbers, _, branch = best
    direct = _improved(numbers, design.angles, branch, path)
    if direct is None or not _passes(*direct[1:], branch, closed):
        return design
    if not awkward and _is_awkward(direct[1], wanted.mean(), reach * size):
        return design
    final = _design(*direct[1:], branch, path, closed)
    return final if final.error < design.error else design


def _resampled(path: Complex, closed: bool) -> Complex:
    """Points at equal distances along a path; a closed one does not repeat its first."""
    whole = np.append(path, path[0]) if closed else path
    along = np.concatenate([[0.0], np.cumsum(np.abs(np.diff(whole)))])
    at = np.linspace(0.0, along[-1], POINTS, endpoint=not closed)
    found: Complex = np.interp(at, along, whole.real) + 1j * np.interp(at, along, whole.imag)
    return found


def _pivots(numbers: Array) -> Complex:
    """A and D as complex numbers."""
    pivot = complex(numbers[0], numbers[1])
    return np.array([pivot, pivot + numbers[6] * np.exp(1j * numbers[2])])


def _is_awkward(numbers: Array, middle: complex, reach: float) -> bool:
    """Whether links differ much in length, or a pivot is out of reach."""
    lengths = numbers[3:7]
    far = np.max(np.abs(_pivots(numbers) - middle))
    return bool(np.max(lengths) > RATIO * np.min(lengths) or far > reach)


def _candidates(
    wanted: Complex, closed: bool, reach: float, random: np.random.Generator
) -> list[tuple[Array, Array, int]]:
    """The best of many four-bars with pivots within reach of the path's middle: their numbers, the crank's angles at
    the points, and the branch."""
    target = wanted - wanted.mean()
    norm = float(np.sum(np.abs(target) ** 2))
    found: list[tuple[float, Array, Array, int]] = []
    turns = np.linspace(0.0, math.tau, 97)
    for _ in range(TRIED):
        a, b, c = np.exp(random.uniform(np.log([0.1, 0.25, 0.25]), np.log([1.5, 3.0, 3.0])))
        u, v = random.uniform([-1.0, -1.5], [2.0, 1.5]) * b
        turning = abs(1.0 - a) > abs(b - c) and 1.0 + a < b + c
        if closed and not turning:
            continue
        begin, span = (0.0, math.tau) if closed else (random.uniform(0.0, math.tau), random.uniform(0.6, 5.5))
        angles = begin + turns * (span / math.tau)
        numbers = np.array([0.0, 0.0, 0.0, a, b, c, 1.0, u, v])
        curve = placed(numbers, angles, 1)[2]
        if not np.isfinite(curve).all():
            continue
        along = np.concatenate([[0.0], np.cumsum(np.abs(np.diff(curve)))])
        at = np.linspace(0.0, along[-1], POINTS, endpoint=not closed)
        there = np.interp(at, along, angles)
        curve = placed(numbers, there, 1)[2]
        for mirror in (False, True):
            image = np.conj(curve) if mirror else curve
            for back in (False, True):
                way = image[::-1] if back else image
                centred = way - way.mean()
                # ⟨w shifted by k, z⟩ for all k at once
                products = (
                    np.fft.ifft(np.fft.fft(target) * np.conj(np.fft.fft(centred)))
                    if closed
                    else [np.vdot(centred, target)]
                )
                shift = int(np.argmax(np.abs(products)))
                factor = products[shift] / np.sum(np.abs(centred) ** 2)
                miss = norm - float(np.abs(products[shift]) ** 2 / np.sum(np.abs(centred) ** 2))
                if len(found) < IMPROVED or miss < found[-1][0]:
                    moved = _transformed(numbers, factor, mirror, wanted.mean() - factor * way.mean())
                    far = np.max(np.abs(_pivots(moved) - wanted.mean()))
                    if far > reach or any(abs(miss - other[0]) < SAME * norm for other in found):
                        continue
                    order = np.roll(there[::-1] if back else there, shift)
                    found.append((miss, moved, _turned(order, factor, mirror), -1 if mirror else 1))
                    found.sort(key=lambda each: each[0])
                    del found[IMPROVED:]
    return [each[1:] for each in found]


def _transformed(numbers: Array, factor: complex, mirror: bool, shift: complex) -> Array:
    """The numbers of a four-bar with its pivot at the origin, mirrored at the x axis, turned, scaled and shifted."""
    _, _, turn, a, b, c, d, u, v = numbers
    scale = abs(factor)
    sense = -1.0 if mirror else 1.0
    angle = float(np.angle(factor)) + sense * turn
    return np.array(
        [shift.real, shift.imag, angle, scale * a, scale * b, scale * c, scale * d, scale * u, sense * scale * v]
    )


def _turned(angles: Array, factor: complex, mirror: bool) -> Array:
    return (-angles if mirror else angles) + float(np.angle(factor))


def _misses(numbers: Array, angles: Array, branch: int, wanted: Complex) -> Complex:
    return placed(numbers, angles, branch)[2] - wanted


def _derivatives(numbers: Array, angles: Array, branch: int) -> tuple[Complex, Complex]:
    """∂P/∂numbers (N, 9) and ∂P/∂θ (N,), from c² = |w|² with w = B + b e^{iφ} − D."""
    _, _, turn, a, b, c, d, u, v = numbers
    pin, joint, _ = placed(numbers, angles, branch)
    along, spin, frame = (joint - pin) / b, np.exp(1j * angles), np.exp(1j * turn)
    w = joint - (complex(numbers[0], numbers[1]) + d * frame)
    one = np.ones(len(angles), complex)
    zero = 0.0 * one
    # of B, of B − D, of b and of c
    pins = [one, 1j * one, zero, spin, zero, zero, zero, zero, zero, 1j * a * spin]
    bases = [zero, zero, 1j * d * frame * one, zero, zero, zero, frame * one, zero, zero, zero]
    bars = [along if k == 4 else zero for k in range(10)]
    arms = [one if k == 5 else zero for k in range(10)]
    offsets = [along if k == 7 else 1j * along if k == 8 else zero for k in range(10)]
    moved = np.stack(pins, 1) - np.stack([one, 1j * one, *[zero] * 8], 1) - np.stack(bases, 1)
    lever = np.real(np.conj(w) * 1j * b * along)[:, None]
    turned = (c * np.real(np.stack(arms, 1)) - np.real(np.conj(w)[:, None] * (moved + np.stack(bars, 1)))) / lever
    whole = np.stack(pins, 1) + (1j * complex(u, v) * along)[:, None] * turned + np.stack(offsets, 1)
    return whole[:, :9], whole[:, 9]


def _improved(numbers: Array, angles: Array, branch: int, wanted: Complex) -> tuple[float, Array, Array] | None:
    """Levenberg and Marquardt's steps over the numbers and the angles; None if it cannot be closed anywhere."""
    numbers, angles = numbers.copy(), angles.copy()
    count = len(angles)
    miss = _misses(numbers, angles, branch, wanted)
    if not np.isfinite(miss).all():
        return None
    cost, damping = float(np.sum(np.abs(miss) ** 2)), 1e-3
    for _ in range(ROUNDS):
        by_numbers, by_angle = _derivatives(numbers, angles, branch)
        jacobian = np.zeros((2 * count, 9 + count))
        jacobian[:count, :9], jacobian[count:, :9] = by_numbers.real, by_numbers.imag
        rows = np.arange(count)
        jacobian[rows, 9 + rows], jacobian[count + rows, 9 + rows] = by_angle.real, by_angle.imag
        square, slope = jacobian.T @ jacobian, jacobian.T @ np.concatenate([miss.real, miss.imag])
        before = cost
        while damping < 1e12:
            step = np.linalg.solve(square + damping * np.diag(np.diag(square) + 1e-12 * np.max(np.diag(square))), slope)
            trial = numbers - step[:9], angles - step[9:]
            there = _misses(*trial, branch, wanted)
            new = float(np.sum(np.abs(there) ** 2))
            if np.isfinite(new) and new < cost and np.min(trial[0][3:7]) > 0.0:
                (numbers, angles), miss, cost, damping = trial, there, new, damping / 5.0
                break
            damping *= 4.0
        if not cost < before * (1.0 - 1e-9) or cost < 1e-26 * float(np.sum(np.abs(wanted) ** 2)):
            break
    return cost, numbers, angles


def _passes(numbers: Array, angles: Array, branch: int, closed: bool) -> bool:
    """Whether the four-bar moves through all points in their order, without being taken apart."""
    steps = np.diff(np.unwrap(angles))
    if not (np.all(steps > 0.0) or np.all(steps < 0.0)):
        return False
    whole = np.unwrap(angles)
    if closed and abs(whole[-1] - whole[0]) >= math.tau:
        return False
    first, last = (0.0, math.tau) if closed else (float(whole[0]), float(whole[-1]))
    return bool(np.isfinite(placed(numbers, np.linspace(first, last, SAMPLES), branch)[2]).all())


def _design(numbers: Array, angles: Array, branch: int, path: Complex, closed: bool) -> FourBarDesign:
    """The four-bar with the distances of all given points from its coupler curve."""
    whole = np.unwrap(angles)
    ends = (whole[0], whole[0] + math.tau) if closed else (whole[0], whole[-1])
    tried = np.linspace(*ends, 4 * SAMPLES)
    curve = placed(numbers, tried, branch)[2]
    nearest, errors = [], []
    for point in path:
        k = int(np.argmin(np.abs(curve - point)))
        angle = float(tried[k])
        for _ in range(8):  # Newton's steps to the foot of the perpendicular
            at, slope = (
                placed(numbers, np.array([angle]), branch)[2][0],
                _derivatives(numbers, np.array([angle]), branch)[1][0],
            )
            change = float(np.real(np.conj(slope) * (point - at)) / max(abs(slope) ** 2, 1e-300))
            limit = abs(tried[1] - tried[0])
            angle += min(limit, max(-limit, change))
            if not closed:
                angle = min(max(angle, min(ends)), max(ends))
        nearest.append(angle)
        errors.append(abs(placed(numbers, np.array([angle]), branch)[2][0] - point))
    ax, ay, turn, a, b, c, d, u, v = map(float, numbers)
    pivots = ((ax, ay), (ax + d * math.cos(turn), ay + d * math.sin(turn)))
    return FourBarDesign(pivots, a, b, c, (u, v), branch, np.array(nearest), np.array(errors))
