"""The relative twists that joints constrain and those that they leave free, and how measures change with twists, at one
position or at many times.

A twist is (v, ℓω): the velocity of a body at a given point, and its angular velocity times the mechanism's length ℓ, so
that all components are in m/s. A wrench is (f, m/ℓ) at the same point, so that the product of both is power in W. Both
have six components in world axes in space, and three, (v_x, v_y, ℓω), in the plane. The first axis of arrays is time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from grashof.formulation.natural.rigid import RigidFields
from grashof.formulation.natural.slips import JointSlip, Slipping
from grashof.model.fields import Scalars, Vector, body_of
from grashof.model.joints import Joint
from grashof.model.measures import MeasureBase
from grashof.scalar.jet import Jet

Array = np.ndarray

RANK = 1e-8
"""Singular values below this fraction of the largest count as zero."""


@dataclass(frozen=True, eq=False)
class Hold:
    """The constraint that a joint imposes on the motion of body b relative to body a.

    place    its point on b, m, (times, 2 or 3)
    holds    C, orthonormal rows acting on relative twists at `place`, (times, equations, 3 or 6): the joint transmits
             the wrenches Cᵀ λ
    leaves   S, orthonormal relative twists at `place`, (times, 3 or 6, freedoms): the wrenches that it transmits do no
             work on them
    """

    a: str
    b: str
    place: Array
    holds: Array
    leaves: Array

    def at(self, times: Array | int) -> Hold:
        """The same at some of the times, or at one of them without the axis of times."""
        return replace(self, place=self.place[times], holds=self.holds[times], leaves=self.leaves[times])


@dataclass(frozen=True, eq=False)
class TwistFields:
    """Fields in which one body moves with each of the unit twists at `center`, and all others are at rest."""

    rigid: RigidFields
    moving: str
    center: Array

    @property
    def dimension(self) -> int:
        return self.rigid.dimension

    @property
    def length(self) -> float:
        return self.rigid.length

    def point(self, reference: str) -> Scalars:
        place = values(self.rigid.point(reference), len(self.center))
        if body_of(reference) != self.moving:
            return list(place.T[:, :, None])
        return _jets(place, carry(place - self.center, self.length)[:, : self.dimension])

    def arrow(self, body: str, direction: Vector) -> Scalars:
        drawn = values(self.rigid.arrow(body, direction), len(self.center))
        if body != self.moving:
            return list(drawn.T[:, :, None])
        rates = carry(drawn, self.length)[:, : self.dimension]
        rates[:, :, : self.dimension] = 0.0  # a direction rotates, but does not translate
        return _jets(drawn, rates)


def values(jets: Sequence[Jet], times: int) -> Array:
    """The values of a vector's components, (times, 2 or 3)."""
    found = np.empty((times, len(jets)))
    for i, x in enumerate(jets):
        found[:, i] = x.value
    return found


def components(dimension: int) -> int:
    """Number of components of a twist."""
    return 3 if dimension == 2 else 6


def carry(offset: Array, length: float) -> Array:
    """X with t_P+offset = X t_P, that is, v + ω × offset. Wrenches transform the other way: w_P = Xᵀ w_P+offset. (…,
    3 or 6, 3 or 6)"""
    dimension = offset.shape[-1]
    size = components(dimension)
    matrix = np.zeros((*offset.shape[:-1], size, size))
    matrix[...] = np.eye(size)
    x = offset / length
    if dimension == 2:
        matrix[..., 0, 2], matrix[..., 1, 2] = -x[..., 1], x[..., 0]
    else:
        for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
            matrix[..., i, 3 + j], matrix[..., j, 3 + i] = x[..., k], -x[..., k]
    return matrix


def hold_of(joint: Joint, rigid: RigidFields, times: int, *, slips: bool = False) -> Hold:
    """The constraint of a joint: the row space of the rates of its equations for unit twists of body b, with a at
    rest, and its complement.

    slips   whether the velocities that it prevents without restricting positions count, too
    """
    a, b = joint.bodies
    place = values(rigid.point(joint.b), times)
    fields = TwistFields(rigid, b, place)
    errors = [*joint.equations(fields), *(x.error({}, fields, 0.0) for x in joint.couplings())]
    rows = [rates_of(row, place) for row in errors]
    if slips:
        rows += slips_of(JointSlip(joint), rigid, b, place)
    size = components(place.shape[1])
    if not rows:  # it holds nothing: only forces act in it
        free = np.broadcast_to(np.eye(size), (times, size, size))
        return Hold(a, b, place, free[:, :0], free)
    _, s, vt = np.linalg.svd(np.stack(rows, axis=1))
    rank = int(np.max(np.sum(s > RANK * np.maximum(1.0, s[:, :1]), axis=1)))
    return Hold(a, b, place, vt[:, :rank], vt[:, rank:].swapaxes(1, 2))


def slips_of(source: Slipping, rigid: RigidFields, body: str, center: Array, time: float = 0.0) -> list[Array]:
    """The velocities that a joint or coupling prevents without restricting positions, for unit twists of a body at
    `center`, each (times, 3 or 6)."""
    found = source.slips(source.parts(TwistFields(rigid, body, center)), time, ())
    shape = (len(center), components(center.shape[1]))
    return [np.broadcast_to(x.value if isinstance(x, Jet) else x, shape) for x in found]


def gradient(measure: MeasureBase, rigid: RigidFields, body: str, center: Array) -> Array:
    """The rates of a measure for unit twists of a body at `center`, (times, 3 or 6).

    An effort along the measure acts on the body as the wrench effort × gradient at `center`.
    """
    fields = TwistFields(rigid, body, center)
    return rates_of(measure.value(measure.parts(fields)), center)


def _jets(place: Array, rates: Array) -> Scalars:
    return [Jet(place[:, i, None], rates[:, i], 0.0) for i in range(place.shape[1])]


def rates_of(row: Jet | Array, center: Array) -> Array:
    """The rates for the unit twists of `TwistFields`, (times, 3 or 6); zero for what does not move with them."""
    return np.broadcast_to(row.first if isinstance(row, Jet) else 0.0, (len(center), components(center.shape[1])))
