"""The joints' equations as polynomials, read once, and evaluated for all joints together in NumPy.

They are linear or quadratic in points and directions, and therefore in the twelve numbers of each body: its centre and
axes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from grashof.formulation.natural.forms import Expression, Form, Quadratic
from grashof.model.bodies import GROUND
from grashof.model.fields import Vector, body_of
from grashof.situation import Situation
from grashof.situation.rotations import cross

Array = np.ndarray

NUMBERS = 12
"""Of a body, in expressions: its centre and its three axes, in world components."""


@dataclass(frozen=True)
class SymbolicFields:
    """Points and directions as linear forms in the bodies' numbers (`Fields`), in the dimension of the original
    mechanism."""

    situation: Situation

    @property
    def dimension(self) -> int:
        return self.situation.original.dimension

    @property
    def length(self) -> float:
        return self.situation.system.length

    def point(self, reference: str) -> list[Form]:
        body, local = body_of(reference), np.array(self.situation.original.points[reference])
        if body == GROUND:
            return [Form({}, x) for x in local]
        k = self.situation.index[body]
        return self._combine(k, local - self.situation.centers[k, : self.dimension], 1.0)

    def arrow(self, body: str, direction: Vector) -> list[Form]:
        if body == GROUND:
            return [Form({}, self.length * x) for x in direction]
        return self._combine(self.situation.index[body], self.length * np.array(direction), 0.0)

    def _combine(self, k: int, local: Array, origin: float) -> list[Form]:
        """origin · c + Σ localⱼ eⱼ, by components"""
        first = NUMBERS * k
        forms = []
        for i in range(self.dimension):
            terms = {first + 3 + 3 * j + i: x for j, x in enumerate(local) if x != 0.0}
            forms.append(Form(terms | ({first + i: origin} if origin else {})))
        return forms


@dataclass(frozen=True)
class BodyArrays:
    """All bodies at one time: centres (B, 3), axes as columns (B, 3, 3), velocities and spins (B, 3)."""

    centers: Array
    axes: Array
    velocities: Array
    spins: Array

    def numbers(self) -> Array:
        """(12 B,): centre, then the three axes, body by body."""
        return np.concatenate([self.centers[:, None], self.axes.transpose(0, 2, 1)], axis=1).ravel()

    def rates(self) -> tuple[Array, Array]:
        """Their first derivatives, and the second ones without accelerations: 0 and ω × (ω × e)."""
        e, w = self.axes.transpose(0, 2, 1), self.spins[:, None]
        turning = cross(w, e)
        first = np.concatenate([self.velocities[:, None], turning], axis=1)
        second = np.concatenate([np.zeros_like(w), cross(w, turning)], axis=1)
        return first.ravel(), second.ravel()


class Polynomials:
    """E expressions in the bodies' numbers, evaluated together. A slot is a pair of an expression and a body that
    occurs in it."""

    def __init__(self, expressions: Sequence[Expression]) -> None:
        self.size = len(expressions)
        linear = [x.linear if isinstance(x, Quadratic) else x for x in expressions]
        products = [(e, *p) for e, x in enumerate(expressions) if isinstance(x, Quadratic) for p in x.products]
        self.linear = _Forms(linear)
        self.owner = np.array([e for e, *_ in products], int)
        self.weight = np.array([w for _, w, _, _ in products])
        self.left = _Forms([f for _, _, f, _ in products])
        self.right = _Forms([g for _, _, _, g in products])
        sides = [(self.linear, np.arange(self.size)), (self.left, self.owner), (self.right, self.owner)]
        keys = np.concatenate([owner[f.row] * 2**32 + f.column // NUMBERS for f, owner in sides])
        found, self._slot = np.unique(keys, return_inverse=True)
        self.row, self.body = found // 2**32, found % 2**32
        self._place = self._slot * NUMBERS + np.concatenate([f.column % NUMBERS for f, _ in sides])

    def values(self, z: Array) -> Array:
        """(E,)"""
        values: Array = self.linear.at(z) + self._sum(self.left.at(z) * self.right.at(z))
        return values

    def gradients(self, z: Array) -> Array:
        """By slot, with respect to the body's numbers, (slots, 12)"""
        parts = [
            self.linear.value,
            self.left.value * (self.weight * self.right.at(z))[self.left.row],
            self.right.value * (self.weight * self.left.at(z))[self.right.row],
        ]
        flat = np.bincount(self._place, np.concatenate(parts), NUMBERS * len(self.row))
        return flat.reshape(-1, NUMBERS)

    def slopes(self, bodies: BodyArrays, gradients: Array) -> Array:
        """By slot, with respect to ċ and ω: g_c and Σ e × g_e, (slots, 6)"""
        axes = bodies.axes.transpose(0, 2, 1)[self.body]
        turning = cross(axes, gradients[:, 3:].reshape(-1, 3, 3)).sum(axis=1)
        return np.concatenate([gradients[:, :3], turning], axis=1)

    def along(self, gradients: Array, rates: Array) -> Array:
        """Σ gradient · rates over each expression's bodies, (E,)"""
        return np.bincount(self.row, np.einsum("pi,pi->p", gradients, rates.reshape(-1, NUMBERS)[self.body]), self.size)

    def curvature(self, first: Array) -> Array:
        """The part of the second derivative other than gradient · accelerations: 2 Σ w ḟ ġ, (E,)."""
        return self._sum(2.0 * self.left.rate(first) * self.right.rate(first))

    def _sum(self, products: Array) -> Array:
        return np.bincount(self.owner, self.weight * products, self.size)


class _Forms:
    """Linear forms, one per row, as sparse triplets."""

    def __init__(self, forms: Sequence[Form]) -> None:
        self.constant = np.array([form.constant for form in forms])
        self.row = np.array([r for r, form in enumerate(forms) for _ in form.terms], int)
        self.column = np.array([i for form in forms for i in form.terms], int)
        self.value = np.array([a for form in forms for a in form.terms.values()])

    def at(self, z: Array) -> Array:
        values: Array = self.constant + self.rate(z)
        return values

    def rate(self, v: Array) -> Array:
        return np.bincount(self.row, self.value * v[self.column], len(self.constant))
