"""The layout of the state of a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from grashof.scalar.functions import Scalar


@dataclass(frozen=True)
class Layout:
    """y = [q, v, e]: coordinates, velocities and extra states, which are tracked angles, switches, integrals, sides of limits, and then works.

    Its rates are [a, ė]; machine code takes [t, y], with the time in front.

    angles    by name, including whole turns, rad; and any other measure whose speed a motor prescribes, m
    works     by the name of the force, coupling or event that does the work, J
    switches  by the name of the force: 1 while it acts, 0 while it does not
    integrals by the name of the quantity, such as that of a controller
    resting   by the name of the event at which a measure bounces: 0, or the free side of the limit while the measure rests there (see `resting`)
    """

    n: int
    angles: tuple[str, ...]
    works: tuple[str, ...]
    switches: tuple[str, ...] = ()
    integrals: tuple[str, ...] = ()
    resting: tuple[str, ...] = ()

    @cached_property
    def extra(self) -> int:
        """Number of extra states."""
        return sum(map(len, (self.angles, self.switches, self.integrals, self.resting, self.works)))

    @cached_property
    def size(self) -> int:
        """Number of components of y."""
        return 2 * self.n + self.extra

    @cached_property
    def rates(self) -> int:
        """Number of components of [a, ė]."""
        return self.n + self.extra

    @cached_property
    def of_q(self) -> slice:
        """Where the coordinates are in y."""
        return slice(0, self.n)

    @cached_property
    def of_v(self) -> slice:
        """Where the velocities are in y."""
        return slice(self.n, 2 * self.n)

    @cached_property
    def of_e(self) -> slice:
        """Where the extra states are in y."""
        return slice(2 * self.n, self.size)

    @cached_property
    def of_angles(self) -> slice:
        """Where the tracked angles are in y."""
        return slice(2 * self.n, 2 * self.n + len(self.angles))

    @cached_property
    def of_switches(self) -> slice:
        """Where the switches are in y."""
        return slice(self.of_angles.stop, self.of_angles.stop + len(self.switches))

    @cached_property
    def of_integrals(self) -> slice:
        """Where the integrals are in y."""
        return slice(self.of_switches.stop, self.of_switches.stop + len(self.integrals))

    @cached_property
    def of_resting(self) -> slice:
        """Where the sides of limits are in y."""
        return slice(self.of_integrals.stop, self.of_integrals.stop + len(self.resting))

    @cached_property
    def of_works(self) -> slice:
        """Where the works are in y."""
        return slice(self.size - len(self.works), self.size)

    def split(self, x: Sequence[Scalar]) -> tuple[Scalar, Sequence[Scalar], Sequence[Scalar], Sequence[Scalar]]:
        """t, q, v and e of [t, y]."""
        y = x[1:]
        return x[0], y[self.of_q], y[self.of_v], y[self.of_e]
