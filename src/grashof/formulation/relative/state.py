"""The moving mechanism as forces see it, where some measures are coordinates of its tree."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from grashof.formulation.natural.forms import Gradient
from grashof.formulation.natural.state import SystemState
from grashof.formulation.relative.kinematics import Kinematics
from grashof.model.measures import MeasureBase
from grashof.scalar.functions import Scalar, atan2, cos, sin
from grashof.scalar.jet import Jet


@dataclass(frozen=True)
class LinearMeasure:
    """A measure that is a sum of angles or distances of nodes: m = m₀ + Σ w_k q_k.

    weights   by the index of the node
    """

    weights: Mapping[int, float]
    offset: float

    def value(self, motions: Sequence[Sequence[Scalar]]) -> Scalar:
        """m"""
        return sum((w * motions[k][0] for k, w in self.weights.items()), 0.0) + self.offset

    def rate(self, rates: Sequence[Sequence[Scalar]]) -> Scalar:
        """ṁ"""
        return sum((w * rates[k][0] for k, w in self.weights.items()), 0.0)


@dataclass
class RelativeState(SystemState):
    """A state in natural coordinates whose measures are taken from the tree where they are coordinates of it.

    Generalised forces along such measures have negative keys in gradients: −1 − k for that of node k.

    motions, rates   of the nodes
    linear           gives a measure as a sum of these, or None
    kinematics       of the nodes
    bent             the natural accelerations for zero accelerations of the joints
    """

    motions: Sequence[Sequence[Scalar]] = ()
    rates: Sequence[Sequence[Scalar]] = ()
    linear: Callable[[MeasureBase], LinearMeasure | None] = field(default=lambda measure: None)
    kinematics: Kinematics = field(kw_only=True)
    bent: Sequence[Scalar] = field(kw_only=True)

    def jet_of(self, measure: MeasureBase) -> Jet:
        """The value and rate of any measure, which need not belong to the mechanism."""
        found = self.linear(measure)
        if found is None:
            return super().jet_of(measure)
        rate = found.rate(self.rates)
        if measure.name in self.turns:
            return Jet(self.turns[measure.name], rate, 0.0)
        value = found.value(self.motions)
        return Jet(atan2(sin(value), cos(value)) if measure.winds else value, rate, 0.0)

    def gradient(self, target: str | MeasureBase, effort: Sequence[Scalar]) -> Gradient:
        """The generalized force of an effort: Σ effort ∂(target)/∂q."""
        measure = self.system.model.target(target)
        found = None if measure is None else self.linear(measure)
        if found is None:
            return super().gradient(target, effort)
        return {-1 - k: effort[0] * w for k, w in found.weights.items()}
