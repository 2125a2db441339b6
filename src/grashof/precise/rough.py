"""Two derivations of a motion with rigid contacts and friction (`phases`): by coordinates of its own, by Taylor series,
and by its bodies with all joint forces as multipliers, by extrapolation.

The effect of rounding the data is found with the first, in fewer digits; events that happen at once do so for the
changed data, too, because these have the same symmetry.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, localcontext

import numpy as np

from grashof.precise.blows import Contacts
from grashof.precise.derivation import HALF_UNIT, Columns, Derivations
from grashof.precise.extrapolation import Done, State
from grashof.precise.phases import Describe, Follow, Phases, by_extrapolation, by_series
from grashof.precise.twofold import Data, columns_of, rounded

PRECISION = 40
"""Digits of the arithmetic."""
ORDER = 26
DIGITS = 18
"""Of the location of events, and of each step of the second derivation."""
SLOWEST = Decimal("1e-15")
"""The slowest bounce of the first derivation, m/s; that of the second is ten times as fast."""
EXACT = Decimal("1e-8")
"""Events are located this much better than gaps: the slowest bounces are as low as the square of their speed."""
COARSE = 9
CHANGE = Decimal("1e-6")
"""Relative change of a datum by which its effect is found."""
SPARSE = 8
"""Every how many official times that effect is calculated."""


@dataclass(frozen=True)
class RoughMotion:
    """A mechanism with contacts.

    describe  its equations at a state
    start     its first state
    observe   the official columns at a state
    """

    describe: Describe
    start: State
    mu: Sequence[Decimal]
    restitution: Sequence[Decimal]
    observe: Callable[[State], dict[str, Decimal]]
    together: bool = False

    def phases(self, follow: Follow, longest: Decimal, slowest: Decimal, digits: int) -> Phases:
        """How it is followed; see `Phases`."""
        unit = Decimal(10) ** -digits
        contacts = Contacts(self.mu, self.restitution, slowest, self.together)
        return Phases(self.describe, follow, contacts, longest, slowest / 100, unit.sqrt(), unit, unit * EXACT)


def columns_by_series(
    motion_of: Callable[[Data], RoughMotion], data: Mapping[str, str], times: Sequence[str], longest: str
) -> Columns:
    """The columns with some nine digits."""
    with localcontext(prec=PRECISION * 3 // 4):
        motion = motion_of({name: Decimal(value) for name, value in data.items()})
        follow = by_series(ORDER)
        phases = motion.phases(follow, Decimal(longest), Decimal(10) ** -COARSE, COARSE + 1)
        return columns_of([motion.observe(state) for state in phases.states(motion.start, _moments(times))])


def derive_rough_twice(
    data: Mapping[str, str],
    coordinates_of: Callable[[Data], RoughMotion],
    bodies_of: Callable[[Data], RoughMotion],
    *,
    longest: str,
    words: str,
    vary: Sequence[str],
) -> Derivations:
    """The derivations; `longest` [s] is the longest step, `words` say what the first's coordinates are, and `vary` are
    the data whose rounding counts."""

    def derive(motion_of: Callable[[Data], RoughMotion], times: Sequence[str], done: Done, second: bool) -> Columns:
        with localcontext(prec=PRECISION):
            motion = motion_of({name: Decimal(value) for name, value in data.items()})
            follow = by_extrapolation(DIGITS, Decimal(longest)) if second else by_series(ORDER)
            phases = motion.phases(follow, Decimal(longest), 10 * SLOWEST if second else SLOWEST, DIGITS)
            return columns_of([motion.observe(state) for state in phases.states(motion.start, _moments(times), done)])

    def first(times: Sequence[str]) -> Columns:
        return derive(coordinates_of, times, lambda part: None, second=False)

    def second(times: Sequence[str], done: Done) -> Columns:
        return derive(bodies_of, times, done, second=True)

    def effect(times: Sequence[str], columns: Columns) -> Mapping[str, np.ndarray]:
        moments = np.array([float(time) for time in times])
        found = {
            name: HALF_UNIT * np.abs(moments * (np.gradient(x, moments) if len(x) > 1 else 0.0))
            for name, x in rounded(columns).items()
        }
        some = sorted({*range(0, len(times), SPARSE), len(times) - 1})
        place, few = np.searchsorted(some, np.arange(len(times))), [times[i] for i in some]
        base = columns_by_series(coordinates_of, data, few, longest)
        for name in vary:
            changed = {**data, name: str(Decimal(data[name]) * (1 + CHANGE))}
            other = columns_by_series(coordinates_of, changed, few, longest)
            for column, total in found.items():
                apart = [float((x - y) / CHANGE) for x, y in zip(base[column], other[column], strict=True)]
                total += HALF_UNIT * np.maximum.accumulate(np.abs(apart))[place]
        return found

    method = (
        f"First: {words}, phase by phase between events, by Taylor series with {PRECISION} digits in decimal floating "
        f"point; bounces slower than {SLOWEST} m/s are left out.",
        "Second: all bodies with all joint forces as multipliers, phase by phase, by extrapolation (Gragg, Bulirsch, "
        f"Stoer) with {DIGITS} digits; bounces slower than {10 * SLOWEST} m/s are left out. Both try all combinations "
        "of slip, stick and separation at an event.",
    )
    return Derivations(first, second, effect, method, ", ".join([*vary, "the time"]))


def _moments(times: Sequence[str]) -> list[Decimal]:
    return [Decimal(time) for time in times]
