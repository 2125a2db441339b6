"""Integration of ẏ = f(y) in decimal arithmetic of any precision, by Taylor series.

The right-hand side is written once, with numbers whose operations also know how to find coefficient k of their result
from the coefficients up to k of what they are made of:

    product    (x y)_k = Σ x_i y_{k−i}
    quotient   z = x/y:   z_k = (x_k − Σ_{i≥1} y_i z_{k−i})/y₀
    root       z = √x:    z_k = (x_k − Σ_{0<i<k} z_i z_{k−i})/(2 z₀)

and y_{k+1} = f_k/(k + 1) (E. Hairer, S. Nørsett, G. Wanner, Solving Ordinary Differential Equations I, I.8). A step
ends where the last terms have shrunk to the rounding error of the working precision. That also keeps the method stable
for stiff equations: a disturbance that decays at a rate λ has terms of (hλ)^N/N! of its size, which must not grow.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal, getcontext
from operator import mul

from grashof.precise.extrapolation import Done, State

ZERO = Decimal(0)
SHORTER = Decimal("0.9")
"""Safety factor of the steps."""


class Series:
    """Coefficients of a quantity's Taylor series, as many as have been asked for."""

    def __init__(self) -> None:
        self.c: list[Decimal] = []

    def find(self, k: int) -> Decimal:
        """Coefficient k, when those of its parts are known up to k."""
        raise NotImplementedError

    def __add__(self, other: Series | Decimal | int) -> Series:
        return _Sum(self, other, 1) if isinstance(other, Series) else _Shift(self, Decimal(other))

    __radd__ = __add__

    def __sub__(self, other: Series | Decimal | int) -> Series:
        return _Sum(self, other, -1) if isinstance(other, Series) else _Shift(self, -Decimal(other))

    def __rsub__(self, other: Decimal | int) -> Series:
        return _Shift(_Scale(self, Decimal(-1)), Decimal(other))

    def __neg__(self) -> Series:
        return _Scale(self, Decimal(-1))

    def __mul__(self, other: Series | Decimal | int) -> Series:
        return _Product(self, other) if isinstance(other, Series) else _Scale(self, Decimal(other))

    __rmul__ = __mul__

    def __truediv__(self, other: Series | Decimal | int) -> Series:
        return _Quotient(self, other) if isinstance(other, Series) else _Scale(self, 1 / Decimal(other))

    def __rtruediv__(self, other: Decimal | int) -> Series:
        return _Quotient(Constant(Decimal(other)), self)

    def sqrt(self) -> Series:
        return _Root(self)


class Constant(Series):
    """A number."""

    def __init__(self, value: Decimal) -> None:
        super().__init__()
        self.value = value

    def find(self, k: int) -> Decimal:
        return ZERO if k else self.value


class _State(Series):
    """A component of y, whose coefficients are set from outside."""


class _Sum(Series):
    def __init__(self, x: Series, y: Series, sign: int) -> None:
        super().__init__()
        self.x, self.y, self.sign = x, y, sign

    def find(self, k: int) -> Decimal:
        return self.x.c[k] + self.y.c[k] if self.sign > 0 else self.x.c[k] - self.y.c[k]


class _Shift(Series):
    def __init__(self, x: Series, value: Decimal) -> None:
        super().__init__()
        self.x, self.value = x, value

    def find(self, k: int) -> Decimal:
        return self.x.c[k] if k else self.x.c[0] + self.value


class _Scale(Series):
    def __init__(self, x: Series, factor: Decimal) -> None:
        super().__init__()
        self.x, self.factor = x, factor

    def find(self, k: int) -> Decimal:
        return self.x.c[k] * self.factor


class _Product(Series):
    def __init__(self, x: Series, y: Series) -> None:
        super().__init__()
        self.x, self.y = x, y

    def find(self, k: int) -> Decimal:
        return sum(map(mul, self.x.c, self.y.c[k::-1]), ZERO)


class _Quotient(Series):
    def __init__(self, x: Series, y: Series) -> None:
        super().__init__()
        self.x, self.y = x, y

    def find(self, k: int) -> Decimal:
        return (self.x.c[k] - sum(map(mul, self.c, self.y.c[k:0:-1]), ZERO)) / self.y.c[0]


class _Root(Series):
    def __init__(self, x: Series) -> None:
        super().__init__()
        self.x = x

    def find(self, k: int) -> Decimal:
        if not k:
            return self.x.c[0].sqrt()
        return (self.x.c[k] - sum(map(mul, self.c[1:], self.c[k - 1 : 0 : -1]), ZERO)) / (2 * self.c[0])


SlopeOfSeries = Callable[[Sequence[Series]], Sequence[Series]]
"""ẏ = f(y), by series: no explicit time."""


def integrate_by_series(
    slope: SlopeOfSeries, start: State, times: Sequence[Decimal], order: int, done: Done = lambda part: None
) -> list[State]:
    """The states at the times, which begin at zero or later and do not decrease, in the precision of the context."""
    expand = Expansion(slope, len(start), order)
    state, now, found = start, ZERO, []
    series, reach = expand(state)
    for time in times:
        while time - now > reach:
            state, now = [sum_at(c, reach) for c in series], now + reach
            series, reach = expand(state)
            done(float(now / times[-1]))
        found.append([sum_at(c, time - now) for c in series])
    return found


class Expansion:
    """The series of all components about a state, and how far they reach."""

    def __init__(self, slope: SlopeOfSeries, size: int, order: int) -> None:
        self.order = order
        self.y = [_State() for _ in range(size)]
        self.f = list(slope(self.y))
        self.parts = _in_order(self.f)

    def __call__(self, state: State) -> tuple[list[list[Decimal]], Decimal]:
        for part in self.parts:
            part.c = []
        for y, value in zip(self.y, state, strict=True):
            y.c = [value]
        for k in range(self.order):
            for part in self.parts:
                part.c.append(part.find(k))
            for y, f in zip(self.y, self.f, strict=True):
                y.c.append(f.c[k] / (k + 1))
        return [y.c for y in self.y], self._reach()

    def _reach(self) -> Decimal:
        """The distance at which the last two terms of every component are as small as its rounding error."""
        least = Decimal(10) ** -getcontext().prec
        found = Decimal(1)
        for y in self.y:
            size = max(abs(y.c[0]), Decimal("1e-3"))
            for k in (self.order - 1, self.order):
                if y.c[k]:
                    found = min(found, Decimal(float((size * least / abs(y.c[k])).ln() / k)).exp())
        return SHORTER * found


def _in_order(ends: Sequence[Series]) -> list[Series]:
    """All parts of expressions but the components of the state, each after what it is made of."""
    found: dict[int, Series] = {}

    def visit(part: Series) -> None:
        if id(part) not in found and not isinstance(part, _State):
            for name in ("x", "y"):
                if hasattr(part, name):
                    visit(getattr(part, name))
            found[id(part)] = part

    for end in ends:
        visit(end)
    return list(found.values())


def sum_at(coefficients: Sequence[Decimal], distance: Decimal) -> Decimal:
    """The sum of a series at a distance."""
    total = ZERO
    for c in reversed(coefficients):
        total = total * distance + c
    return total
