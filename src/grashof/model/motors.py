"""Motors: an angle or a distance that follows a law of time."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from grashof.model.expressions import compile_expression
from grashof.model.fields import Fields, dot
from grashof.model.measures import Angle, Measure
from grashof.scalar.functions import Scalar, cos, sin

Term = tuple[Callable[[Scalar], Scalar], Scalar]
"""(factor f(t), expression P(q)): a motor's equation is Σ f(t) P(q) = 0."""


class Motor(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Holds the measure `target` on f(t), given as an expression in t, such as "0.5*sin(2*pi*t)" (rad or m, s).

    angle:     ℓ sin(θ − f) = ℓ (cos f sin θ − sin f cos θ) = 0, started with cos(θ − f) > 0
    distance:  (|P_b − P_a|² − f²) / 2ℓ = 0
    """

    name: str
    target: str
    law: str

    def value(self, time: Scalar) -> Scalar:
        """f at a time."""
        return compile_expression(self.law, f"motor '{self.name}'")(time)

    def terms(self, measure: Measure, fields: Fields) -> list[Term]:
        """The equation as Σ f(t) P(q), in metres."""
        law = compile_expression(self.law, f"motor '{self.name}'")
        if isinstance(measure, Angle):
            sine, cosine = measure.sine_cosine(fields)
            scale = 1.0 / fields.length
            return [(lambda t: cos(law(t)), sine * scale), (lambda t: -sin(law(t)), cosine * scale)]
        span = measure.span(fields)
        scale = 0.5 / fields.length
        return [(lambda t: 1.0, dot(span, span) * scale), (lambda t: law(t) * law(t), -scale)]
