"""The layout of the state of a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from grashof.scalar.functions import Scalar

NEXT_SAMPLE = "next sample"
"""The name of the state that is the time of the next sample, s."""


@dataclass(frozen=True)
class Sizes:
    """How many numbers a state y = [q, v, e] and its rates have.

    q̇ = N(q) v, and N need not be square: a unit quaternion has four coordinates, and the angular velocity three
    components. Where q̇_i = v_i, that need not be computed. This holds for the first coordinates and velocities; the
    last `own` coordinates have rates of their own. So the derivative of a state consists of the first velocities and
    the rates [q̇ of the last coordinates, v̇, ė].

    nq      coordinates
    nv      velocities
    extra   extra states, the last of which are works
    own     coordinates with rates of their own: none in natural coordinates, where nq = nv
    sample  where the time of the next sample is in [t, y], if forces are determined at samples; 0 if there are none
    """

    nq: int
    nv: int
    extra: int = 0
    works: int = 0
    own: int = 0
    sample: int = 0

    @property
    def direct(self) -> int:
        """Number of coordinates whose rates are the first velocities."""
        return self.nq - self.own

    @property
    def size(self) -> int:
        """Number of components of y."""
        return self.nq + self.nv + self.extra

    @property
    def rates(self) -> int:
        """Number of components of the rates."""
        return self.size - self.direct

    @property
    def coupled(self) -> bool:
        """Whether the forces depend on more than the direct coordinates and their velocities (and on extra states)."""
        return self.own > 0 or self.nv > self.direct

    @cached_property
    def of_q(self) -> slice:
        """Where the coordinates are in y."""
        return slice(0, self.nq)

    @cached_property
    def of_v(self) -> slice:
        """Where the velocities are in y."""
        return slice(self.nq, self.nq + self.nv)

    @cached_property
    def of_e(self) -> slice:
        """Where the extra states are in y."""
        return slice(self.nq + self.nv, self.size)

    @cached_property
    def of_a(self) -> slice:
        """Where the accelerations v̇ are in the rates."""
        return slice(self.own, self.own + self.nv)

    @cached_property
    def of_direct_v(self) -> slice:
        """Where the velocities that are rates of coordinates are in y."""
        return slice(self.nq, self.nq + self.direct)

    @cached_property
    def of_direct_a(self) -> slice:
        """Where the accelerations that are second derivatives of coordinates are in the rates."""
        return slice(self.own, self.own + self.direct)


@dataclass(frozen=True)
class Layout:
    """y = [q, v, e]: coordinates, velocities and extra states, which are tracked angles, switches, integrals, what is
    held between samples, the slip of what rubs, sides of limits, and then works.

    Machine code takes [t, y], with the time in front; see `Sizes` for its rates.

    angles    by name, including whole turns, rad; and any other measure whose speed a motor prescribes, m
    works     by the name of the force, coupling or event that does the work, J
    switches  by the name of the force: 1 while it acts, 0 while it does not
    integrals by the name of the quantity, such as that of a controller
    held      by the name of the quantity: what forces hold from one sample to the next; and then the time of the next
              sample
    resting   by the name of the event at which a measure bounces: 0, or the free side of the limit while the measure
              rests there (see `resting`)
    rubbing   by the name of the event at which something bounces that has friction: while it rests, the direction in
              which it slips, or 0; then, for all of them, 1 if it sticks, or else 0
    """

    nq: int
    nv: int
    angles: tuple[str, ...]
    works: tuple[str, ...]
    switches: tuple[str, ...] = ()
    integrals: tuple[str, ...] = ()
    resting: tuple[str, ...] = ()
    own: int = 0
    rubbing: tuple[str, ...] = ()
    held: tuple[str, ...] = ()

    @cached_property
    def sizes(self) -> Sizes:
        """The numbers of components."""
        before = sum(map(len, (self.angles, self.switches, self.integrals, self.held)))  # with the next sample's time
        sample = self.nq + self.nv + before if self.held else 0
        return Sizes(self.nq, self.nv, self.extra, len(self.works), self.own, sample)

    @cached_property
    def extra(self) -> int:
        """Number of extra states."""
        of_forces = self.switches, self.integrals, self.held, self.rubbing, self.rubbing
        return sum(map(len, (self.angles, *of_forces, self.resting, self.works)))

    @property
    def size(self) -> int:
        """Number of components of y."""
        return self.sizes.size

    @property
    def of_q(self) -> slice:
        """Where the coordinates are in y."""
        return self.sizes.of_q

    @property
    def of_v(self) -> slice:
        """Where the velocities are in y."""
        return self.sizes.of_v

    @property
    def of_e(self) -> slice:
        """Where the extra states are in y."""
        return self.sizes.of_e

    @property
    def of_a(self) -> slice:
        """Where the accelerations are in the rates."""
        return self.sizes.of_a

    @cached_property
    def of_angles(self) -> slice:
        """Where the tracked angles are in y."""
        return slice(self.of_e.start, self.of_e.start + len(self.angles))

    @cached_property
    def of_switches(self) -> slice:
        """Where the switches are in y."""
        return slice(self.of_angles.stop, self.of_angles.stop + len(self.switches))

    @cached_property
    def of_integrals(self) -> slice:
        """Where the integrals are in y."""
        return slice(self.of_switches.stop, self.of_switches.stop + len(self.integrals))

    @cached_property
    def of_held(self) -> slice:
        """Where it is in y what is held between samples."""
        return slice(self.of_integrals.stop, self.of_integrals.stop + len(self.held))

    @cached_property
    def of_slipping(self) -> slice:
        """Where the directions of slip are in y."""
        return slice(self.of_held.stop, self.of_held.stop + len(self.rubbing))

    @cached_property
    def of_sticking(self) -> slice:
        """Where it is in y whether something sticks."""
        return slice(self.of_slipping.stop, self.of_slipping.stop + len(self.rubbing))

    @cached_property
    def of_resting(self) -> slice:
        """Where the sides of limits are in y."""
        return slice(self.of_sticking.stop, self.of_sticking.stop + len(self.resting))

    @cached_property
    def of_works(self) -> slice:
        """Where the works are in y."""
        return slice(self.size - len(self.works), self.size)

    def split(self, x: Sequence[Scalar]) -> tuple[Scalar, Sequence[Scalar], Sequence[Scalar], Sequence[Scalar]]:
        """t, q, v and e of [t, y]."""
        y = x[1:]
        return x[0], y[self.of_q], y[self.of_v], y[self.of_e]
