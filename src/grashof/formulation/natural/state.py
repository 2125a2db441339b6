"""The moving mechanism as forces see it: positions and rates of points and measures, over any scalars."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from grashof.formulation.natural.forms import Expression, Gradient, as_expression, rate_of
from grashof.formulation.natural.system import System
from grashof.model.joints import Joint
from grashof.model.measures import MeasureBase
from grashof.scalar.dual import slopes
from grashof.scalar.functions import Scalar
from grashof.scalar.jet import Jet


@dataclass
class SystemState:
    """q and v at a time, with the tracked angles (including whole turns), the switches of forces, their integrals with
    what they hold between samples, and the limits against which measures rest.

    resting    by the name of a bounce, the free side of its limit while the measure rests there, 1 or −1 (see
               `resting`)
    bearings   the forces transmitted by those joints on which other forces depend, N (see `bearings`)
    slips, sticks   by the name of a bounce with friction, the direction in which it slips, and 1 if it sticks
    """

    system: System
    time: Scalar
    q: Sequence[Scalar]
    v: Sequence[Scalar]
    turns: Mapping[str, Scalar] = field(default_factory=dict)
    switches: Mapping[str, Scalar] = field(default_factory=dict)
    integrals: Mapping[str, Scalar] = field(default_factory=dict)
    resting: Mapping[str, Scalar] = field(default_factory=dict)
    bearings: Mapping[str, Scalar] = field(default_factory=dict)
    slips: Mapping[str, Scalar] = field(default_factory=dict)
    sticks: Mapping[str, Scalar] = field(default_factory=dict)

    @property
    def dimension(self) -> int:
        """2 in the plane, 3 in space."""
        return self.system.dimension

    @property
    def tables(self) -> Mapping[str, Callable[[Scalar], Scalar]]:
        """The tables that laws use."""
        return self.system.model.tables_by_name

    @property
    def joints(self) -> Mapping[str, Joint]:
        """The joints by name."""
        return self.system.model.joints_by_name

    def bearing(self, joint: str) -> Scalar:
        """The force that a joint transmits, N."""
        return self.bearings[joint]

    def slipping(self, event: str) -> Scalar:
        """The direction in which something slips that rests since an event; 0 if it sticks or does not rest."""
        return self.slips.get(event, 0.0)

    def jet(self, expression: Expression) -> Jet:
        """An expression's value and rate."""
        return Jet(expression.at(self.q), rate_of(expression, self.q, self.v), 0.0)

    def point(self, reference: str) -> list[Jet]:
        """Position and velocity of a point."""
        return [self.jet(form) for form in self.system.point(reference)]

    def axes(self, body: str) -> list[list[Jet]]:
        """The body's own unit axes."""
        size = self.system.dimension
        scale = 1.0 / self.system.length
        eye = [tuple(1.0 if i == k else 0.0 for i in range(size)) for k in range(size)]
        return [[self.jet(f.scaled(scale)) for f in self.system.arrow(body, axis)] for axis in eye]

    def switch(self, force: str, active: bool) -> Scalar:
        """1 while a force acts, 0 while it does not; its value at the start unless known."""
        return self.switches.get(force, 1.0 if active else 0.0)

    def integral(self, name: str) -> Scalar:
        """An integral of a force, or what it holds between samples; zero, its value at the start, unless known."""
        return self.integrals.get(name, 0.0)

    def measure(self, name: str) -> Jet:
        """A measure or coordinate with its rate, or a state of a force without its rate; an angle whose whole turns are
        not known is within ±π."""
        if name in self.system.model.force_states:
            return Jet(self.integral(name), 0.0, 0.0)
        return self.jet_of(self.system.model.quantities[name])

    def jet_of(self, measure: MeasureBase) -> Jet:
        """The value and rate of any measure, which need not belong to the mechanism."""
        value = measure.value([self.jet(part) for part in measure_parts(self.system, measure)])
        jet = value if isinstance(value, Jet) else Jet(value, 0.0, 0.0)
        return Jet(self.turns[measure.name], jet.first, 0.0) if measure.name in self.turns else jet

    def gradient(self, target: str | MeasureBase, effort: Sequence[Scalar]) -> Gradient:
        """The generalized force of an effort: Σ effort ∂(target)/∂q."""
        measure = self.system.model.target(target)
        if measure is None:
            assert isinstance(target, str)
            forms = self.system.point(target)
            return _combine([(x, form.gradient(self.q)) for x, form in zip(effort, forms, strict=True)])
        parts = measure_parts(self.system, measure)
        changes = slopes(measure.value, [part.at(self.q) for part in parts])
        return _combine([(effort[0] * x, part.gradient(self.q)) for x, part in zip(changes, parts, strict=True)])


def measure_parts(system: System, measure: MeasureBase) -> list[Expression]:
    """The arguments of a measure, as expressions in the coordinates."""
    known = system.parts_of_measures
    if measure not in known:
        known[measure] = [as_expression(x) for x in measure.parts(system)]
    return known[measure]


def _combine(parts: Sequence[tuple[Scalar, Gradient]]) -> Gradient:
    return sum_of_gradients([{i: factor * x for i, x in gradient.items()} for factor, gradient in parts])


def sum_of_gradients(gradients: Sequence[Gradient]) -> Gradient:
    """The sum of gradients."""
    total: Gradient = {}
    for gradient in gradients:
        for i, x in gradient.items():
            total[i] = total[i] + x if i in total else x
    return total
