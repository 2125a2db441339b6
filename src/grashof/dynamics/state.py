"""The moving mechanism as forces see it: positions and rates of points and measures, over any scalars."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from grashof.model.fields import dot
from grashof.model.measures import Angle
from grashof.scalar.functions import Scalar, atan2, sqrt
from grashof.scalar.jet import Jet
from grashof.system.forms import Expression, Form, Quadratic
from grashof.system.system import System

Gradient = dict[int, Scalar]


@dataclass
class Motion:
    """q and v at a time, with the tracked angles that are known beyond their position (whole turns)."""

    system: System
    time: Scalar
    q: Sequence[Scalar]
    v: Sequence[Scalar]
    turns: Mapping[str, Scalar] = field(default_factory=dict)

    @property
    def dimension(self) -> int:
        """2 in the plane, 3 in space."""
        return self.system.dimension

    def jet(self, expression: Expression) -> Jet:
        """An expression's value and rate."""
        if isinstance(expression, Form):
            return Jet(expression.at(self.q), expression.rate(self.v), 0.0)
        return Jet(expression.at(self.q), expression.rate(self.q, self.v), 0.0)

    def point(self, reference: str) -> list[Jet]:
        """Position and velocity of a point."""
        return [self.jet(form) for form in self.system.point(reference)]

    def axes(self, body: str) -> list[list[Jet]]:
        """The body's own unit axes."""
        size = self.system.dimension
        scale = 1.0 / self.system.length
        eye = [tuple(1.0 if i == k else 0.0 for i in range(size)) for k in range(size)]
        return [[self.jet(f.scaled(scale)) for f in self.system.arrow(body, axis)] for axis in eye]

    def measure(self, name: str) -> Jet:
        """An angle or a distance with its rate; an angle without known whole turns is within ±π."""
        measure = self.system.model.all_measures[name]
        if isinstance(measure, Angle):
            sine, cosine = (self.jet(x) for x in angle_parts(self.system, measure))
            rate = (cosine.value * sine.first - sine.value * cosine.first) / _square(sine.value, cosine.value)
            value = self.turns[name] if name in self.turns else atan2(sine.value, cosine.value)
            return Jet(value, rate, 0.0)
        span = [self.jet(form) for form in measure.span(self.system)]
        distance: Jet = sqrt(dot(span, span))
        return distance

    def gradient(self, target: str, effort: Sequence[Scalar]) -> Gradient:
        """The generalized force of an effort: Σ effort ∂(target)/∂q."""
        measure = self.system.model.all_measures.get(target)
        if measure is None:
            return _combine(
                [(x, form.gradient(self.q)) for x, form in zip(effort, self.system.point(target), strict=True)]
            )
        if isinstance(measure, Angle):
            sine, cosine = angle_parts(self.system, measure)
            s, c = sine.at(self.q), cosine.at(self.q)
            scale = effort[0] / _square(s, c)
            return _combine([(c * scale, sine.gradient(self.q)), (-s * scale, cosine.gradient(self.q))])
        span = measure.span(self.system)
        values = [form.at(self.q) for form in span]
        scale = effort[0] / sqrt(dot(values, values))
        return _combine([(x * scale, form.gradient(self.q)) for x, form in zip(values, span, strict=True)])


def angle_parts(system: System, angle: Angle) -> tuple[Expression, Expression]:
    """ℓ² sin θ and ℓ² cos θ as expressions in the coordinates."""
    sine, cosine = angle.sine_cosine(system)
    return _expression(sine), _expression(cosine)


def _expression(x: Scalar) -> Expression:
    return x if isinstance(x, Form | Quadratic) else Form({}, x)


def _square(s: Scalar, c: Scalar) -> Scalar:
    return s * s + c * c


def _combine(parts: Sequence[tuple[Scalar, Gradient]]) -> Gradient:
    total: Gradient = {}
    for factor, gradient in parts:
        for i, x in gradient.items():
            total[i] = total[i] + factor * x if i in total else factor * x
    return total
