"""The grid of four-bars as a chain of rows: its motion to any number of digits, by Taylor series in the row angles.

R rows of C four-bars. As long as the grid stays a grid, all C + 1 verticals of row r are parallel and its C
horizontals stay horizontal, so that R angles φ_r describe it. φ is a rotation about +x, measured from hanging
straight down and positive towards +y: a vertical of row r points along d_r in (y, z),

    d_r = (sin φ_r, −cos φ_r),    ḋ_r = φ̇_r e_r,    d̈_r = φ̈_r e_r − φ̇_r² d_r,    e_r = (cos φ_r, sin φ_r)

and the free corner is A = (C, 0) + Σ d_r. The same φ serves the grid that stands on its pivots: φ_r = π there, and
a positive rate moves it towards −y.

Bars are uniform, 1 kg and 1 m. A vertical of row r moves with its centre at Σ_{s<r} ḋ_s + ½ ḋ_r and turns with
inertia 1/12; a horizontal of row r translates with Σ_{s≤r} ḋ_s. Collecting ḋ_r·ḋ_s = cos(φ_r − φ_s) φ̇_r φ̇_s gives

    T = ½ Σ_rs M_rs φ̇_r φ̇_s,    M_rs = w_max(r,s) cos(φ_r − φ_s) − δ_rs (C + 1)/6
    V = −g Σ_r w_r cos φ_r,      w_r = (C + 1)/2 + C + (R − r)(2C + 1)      (V = 0 at z = 0)

(w_r: half a row of verticals, a row of horizontals, and all rows below), and from it Lagrange's equations

    e_r · Σ_s w_max(r,s) d̈_s − (C + 1)/6 φ̈_r + g w_r sin φ_r = 0,      r = 1 … R

M_rr is (C + 1)/3 + C + (R − r)(2C + 1), a third of the verticals instead of half. The 5 × 5 grid set off by its top
row has T = ½·51·(2π/3)² = 111.856 J.

The equations are sums of products once sin φ and cos φ are unknowns of their own (ċ = −φ̇ s, ṡ = φ̇ c), so the Taylor
coefficients of a solution follow one from another by convolutions and one solve with M for each order. Order and step
are chosen after À. Jorba and M. Zou, "A software package for the numerical integration of ODEs by means of high-order
Taylor methods", Experimental Mathematics 14 (2005): order −½ ln ε + 1 and step ρ/e², with ρ the radius of convergence
seen in the last coefficients. Numbers are whole multiples of 2^−bits, which Python multiplies exactly and fast.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from math import ceil, exp, log
from operator import mul
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

Variant = Literal["top-row", "all-rows", "upright"]
Series = list[int]

GRAVITY = 9.81
"""m/s², along −z."""

TIMES: NDArray[np.float64] = np.arange(1001) / 100
"""The official times [s]."""


@dataclass(frozen=True)
class GridMotion:
    """The motion at n times: floats, or mpmath numbers from `precise_solution`."""

    time: NDArray[Any]  # (n,) s
    phi: NDArray[Any]  # (n, R) rad, from hanging straight down, whole turns kept
    phidot: NDArray[Any]  # (n, R) rad/s
    y_a: NDArray[Any]  # (n,) m
    z_a: NDArray[Any]  # (n,) m
    energy: NDArray[Any]  # (n,) J, T + V

    @property
    def columns(self) -> NDArray[Any]:
        """(n, 6), the official columns: t, φ₁, φ̇₁, y_A, z_A, total energy."""
        return np.column_stack((self.time, self.phi[:, 0], self.phidot[:, 0], self.y_a, self.z_a, self.energy))


def start(rows: int, variant: Variant, pi: Any, pace: Any = 1) -> tuple[list[Any], list[Any]]:
    """φ_r(0) and φ̇_r(0): the verticals next to the pivots turn at `pace` · 2π/3 rad/s, or all of them (`all-rows`)."""
    first = 2 * pi / 3 * pace
    others = first if variant == "all-rows" else 0 * pi
    return [pi if variant == "upright" else 0 * pi] * rows, [first] + [others] * (rows - 1)


def six_weights(rows: int, columns: int) -> list[int]:
    """6 w_r [kg], whole numbers: w_r = (C + 1)/2 + C + (R − r)(2C + 1)."""
    return [3 * (columns + 1) + 6 * columns + 6 * (rows - r) * (2 * columns + 1) for r in range(1, rows + 1)]


class _Grid:
    """The Taylor series of the motion, in integer multiples of 2^−bits."""

    def __init__(self, rows: int, columns: int, digits: int, gravity: float | str) -> None:
        import mpmath

        self.context: Any = mpmath.MPContext()
        self.context.dps = digits + 15
        self.bits: int = self.context.prec
        self.order = ceil(digits * log(10) / 2 + 1)
        self.rows, self.columns = rows, columns
        self.weights = six_weights(rows, columns)
        self.shares = [[self.weights[max(r, s)] for s in range(rows)] for r in range(rows)]
        self.gravity = self.fixed(self.context.mpf(str(gravity)))

    def fixed(self, x: Any) -> int:
        """A number as whole units of 2^−bits."""
        return int(self.context.nint(self.context.ldexp(x, self.bits)))

    def number(self, x: int) -> Any:
        """Back to mpmath."""
        return self.context.ldexp(self.context.mpf(x), -self.bits)

    def weigh(self, x: list[int]) -> list[int]:
        """6 Σ_s w_max(r,s) x_s for all r."""
        return [sum(map(mul, row, x)) for row in self.shares]

    def mass(self, cosine: list[Any], sine: list[Any]) -> Any:
        """6 M(φ)."""
        matrix = self.context.matrix(self.rows)
        for r in range(self.rows):
            for s in range(self.rows):
                matrix[r, s] = self.shares[r][s] * (cosine[r] * cosine[s] + sine[r] * sine[s])
            matrix[r, r] -= self.columns + 1
        return matrix

    def expand(self, phi: list[int], phidot: list[int]) -> tuple[list[Series], list[Series]]:
        """The Taylor coefficients of φ_r and φ̇_r about the given state, one series for each row."""
        bits, each = self.bits, range(self.rows)

        def product(x: Series, y: Series, k: int) -> int:
            """Coefficient k of x·y."""
            total: int = sum(map(mul, x[: k + 1], y[k::-1]))
            return total >> bits

        cosine = [self.context.cos(self.number(x)) for x in phi]
        sine = [self.context.sin(self.number(x)) for x in phi]
        inverse = [[self.fixed(x) for x in row] for row in (self.mass(cosine, sine) ** -1).tolist()]
        c, s = [[self.fixed(x)] for x in cosine], [[self.fixed(x)] for x in sine]
        angle, rate = [[x] for x in phi], [[x] for x in phidot]
        y, z = ([product(x[r], rate[r], 0) for r in each] for x in (c, s))  # coefficient k of ḋ
        p: list[Series] = [[] for _ in each]  # 6 Σ w d̈ along y
        q: list[Series] = [[] for _ in each]  # and along z, to which gravity adds 6 w_r g
        for k in range(self.order):
            for r in each:
                c[r].append(-z[r] // (k + 1))
                s[r].append(y[r] // (k + 1))
                angle[r].append(rate[r][k] // (k + 1))
                rate[r].append(0)
            # With φ̈'s coefficient k taken as zero, what order k of the equations leaves over is −6 M(φ₀) times it.
            y, z = ([product(x[r], rate[r], k + 1) for r in each] for x in (c, s))
            for r, (along_y, along_z) in enumerate(zip(self.weigh(y), self.weigh(z), strict=True)):
                p[r].append((k + 1) * along_y)
                q[r].append((k + 1) * along_z + (self.weights[r] * self.gravity if k == 0 else 0))
            residual = [product(c[r], p[r], k) + product(s[r], q[r], k) for r in each]
            for r in each:
                rate[r][k + 1] = -(sum(map(mul, inverse[r], residual)) >> bits) // (k + 1)
            y_more, z_more = ([x[r][0] * rate[r][k + 1] >> bits for r in each] for x in (c, s))
            for r, (along_y, along_z) in enumerate(zip(self.weigh(y_more), self.weigh(z_more), strict=True)):
                p[r][k] += (k + 1) * along_y
                q[r][k] += (k + 1) * along_z
                y[r] += y_more[r]
                z[r] += z_more[r]
        return angle, rate

    def step(self, rate: list[Series]) -> int:
        """ρ/e² [s], from the last two coefficients of φ̇; at most 1/4 s, where the units of 2^−bits still serve."""
        size = max(abs(series[0]) for series in rate).bit_length()
        radii = [
            2.0 ** ((max(size, self.bits) - max(abs(series[k]) for series in rate).bit_length()) / k)
            for k in (self.order - 1, self.order)
        ]
        return int(min(min(radii) / exp(2), 0.25) * 2.0**53) << (self.bits - 53)

    def at(self, series: Series, time: int) -> int:
        """The sum of a series at a time."""
        total = 0
        for coefficient in reversed(series):
            total = (total * time >> self.bits) + coefficient
        return total

    def energy(self, phi: list[Any], phidot: list[Any]) -> Any:
        """T + V [J]."""
        cosine, sine = [self.context.cos(x) for x in phi], [self.context.sin(x) for x in phi]
        rate = self.context.matrix(phidot)
        twice = (rate.T * self.mass(cosine, sine) * rate)[0] / 6
        height = -sum(w * x for w, x in zip(self.weights, cosine, strict=True)) / 6
        return twice / 2 + self.number(self.gravity) * height


ENOUGH: dict[Variant, int] = {"top-row": 20, "all-rows": 20, "upright": 40}
"""Number of digits needed for results that are correctly rounded to doubles after 10 s.

After 10 s a small relative change of φ̇₁ at the start has grown, in the row angles, by a factor of about 1 (`top-row`),
6e2 (`all-rows`) or 2e18 (`upright`; 3e6 after 5 s, 2e15 after 9 s). So a run in double precision can have about 9
correct digits of `upright` at 5 s and none from 9 s on.
"""


def precise_solution(
    times: Sequence[float | str],
    rows: int = 5,
    columns: int = 5,
    variant: Variant = "top-row",
    digits: int | None = None,
    gravity: float | str = GRAVITY,
    pace: float | str = 1,
) -> GridMotion:
    """The motion calculated with `digits` digits (see `ENOUGH`), as arrays of mpf; times [s] from 0 on, in order.

    A time and g [m/s²] are the decimal numbers that were written, and 2π/3 is exact; the rates at the start are `pace`
    times the benchmark's. 10 s of the 5 × 5 grid take 2 to 3 s of calculation with 20 digits (`top-row` and
    `all-rows`), 17 s with 40 (`upright`).
    """
    grid = _Grid(rows, columns, ENOUGH[variant] if digits is None else digits, gravity)
    context = grid.context
    begin = start(rows, variant, +context.pi, context.mpf(str(pace)))
    phi, phidot = ([grid.fixed(x) for x in values] for values in begin)
    now, found = 0, []
    angle, rate = grid.expand(phi, phidot)
    for time in times:
        moment = context.mpf(str(time))
        while (elapsed := grid.fixed(moment) - now) > (step := grid.step(rate)):
            phi, phidot = ([grid.at(x, step) for x in series] for series in (angle, rate))
            now += step
            angle, rate = grid.expand(phi, phidot)
        if elapsed < 0:
            raise ValueError(
                f"times must start at 0 or later and not decrease; {time} s lies before {float(grid.number(now)):g} s"
            )
        there = [[grid.number(grid.at(x, elapsed)) for x in series] for series in (angle, rate)]
        y = columns + sum(context.sin(x) for x in there[0])
        z = -sum(context.cos(x) for x in there[0])
        found.append((moment, *there, y, z, grid.energy(*there)))
    return GridMotion(*(np.array(column, dtype=object) for column in zip(*found, strict=True)))


def solution(
    times: ArrayLike = TIMES, rows: int = 5, columns: int = 5, variant: Variant = "top-row", digits: int | None = None
) -> GridMotion:
    """The motion of `precise_solution`, rounded to doubles.

    >>> round(float(solution([1.0], rows=1, columns=1).phi[0, 0]), 12)
    -0.128549895661
    """
    moments = np.atleast_1d(np.asarray(times, dtype=float)).tolist()
    precise = precise_solution(moments, rows, columns, variant, digits)
    return GridMotion(*(getattr(precise, field.name).astype(float) for field in fields(precise)))


FINAL: dict[Variant, tuple[str, str, str, str, str]] = {
    "top-row": (
        "-0.2204455540937755282829268",
        "-0.3319773568353260567908315",
        "4.050468029564605746069579",
        "-4.816239102217854584687044",
        "-1359.644483454320602319876",
    ),
    "all-rows": (
        "0.1161316520200957413959333",
        "-6.305449484113262270341437",
        "6.554546278011523309554483",
        "-4.550175121374536633056902",
        "-320.0461532062414944693094",
    ),
    "upright": (
        "12.79261435775215582800261",
        "-8.602611685307726391922795",
        "4.043121023414957377606482",
        "-3.627128862088658725377859",
        "1583.355516545679397680124",
    ),
}
"""φ₁ [rad], φ̇₁ [rad/s], y_A [m], z_A [m] and energy [J] of the 5 × 5 grid at t = 10 s, rounded to 25 digits.

Calculated with 40 and 50 digits (`upright`: 50 and 60), which agree in all of them.
"""
