"""Rigid bodies in maximal coordinates, for integrators that know nothing of mechanics (SciPy, SUNDIALS).

State of a body: its centre of mass c, a quaternion w, x, y, z, the velocity ċ and the angular velocity ω in world axes. With the
joints' own equations Φ(t, q) = 0 and Φ̇ = J u + Φ_t, the accelerations and multipliers solve

    [ M  Jᵀ ] [u̇]   [ f − ω × I ω ]
    [ J  −δ ] [λ] = [ −bias − δλ₀ ]        (index reduced: Φ̈ = J u̇ + bias)

once with λ₀ = 0 and again with the λ found: a proximal-point iteration, which tends to J u̇ = −bias with the least λ at any rank
of J, so redundant equations need no care. The matrix is banded after a reverse Cuthill–McKee ordering. The equations are evaluated
at positions and velocities corrected towards the joints with the same matrix, and y is drawn towards those: drift decays.

A joint's equations are linear or quadratic in points and directions. They are read once, as polynomials in each body's twelve
numbers (centre and axes), and evaluated for all joints together in NumPy. Where all motion is in one plane, bodies keep three of
their six freedoms, and equations that then always hold are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from grashof.engines.loads import Loads
from grashof.engines.motion import Motion
from grashof.engines.situation import Situation
from grashof.model.bodies import GROUND
from grashof.model.fields import Vector, body_of
from grashof.scalar.functions import Scalar
from grashof.scalar.jet import Jet
from grashof.system.forms import Expression, Form, Quadratic

Array = np.ndarray
Solve = Callable[[Array, Array], tuple[Array, Array]]

NUMBERS = 12
"""Of a body, in expressions: its centre and its three axes, in world components."""

DELTA = 1e-6
"""δ against the diagonal of J M⁻¹ Jᵀ. The same for accelerations and corrections: where one held the joints and the other did
not, near a singular position, errors would grow."""

PASSES = 3
"""Solutions for λ, the first with λ₀ = 0."""

DRAW = 5.0
"""κ τ: drift is gone well before the next singular position, where it would be magnified."""

OVERFLOW = 1e30
"""Rates beyond this are no motion any more, in SI units."""


@dataclass(frozen=True)
class SymbolicFields:
    """Points and directions as linear forms in the bodies' numbers (`Fields`), in the dimension of the original mechanism."""

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
class Bodies:
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
        turning = _cross(w, e)
        first = np.concatenate([self.velocities[:, None], turning], axis=1)
        second = np.concatenate([np.zeros_like(w), _cross(w, turning)], axis=1)
        return first.ravel(), second.ravel()


class Polynomials:
    """E expressions in the bodies' numbers, evaluated together. A slot is an expression with a body that occurs in it."""

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

    def curvature(self, first: Array) -> Array:
        """What the second derivative has beyond the gradient: 2 Σ w ḟ ġ, (E,)"""
        return self._sum(2.0 * self.left.rate(first) * self.right.rate(first))

    def _sum(self, products: Array) -> Array:
        return np.bincount(self.owner, self.weight * products, self.size)


class _Forms:
    """Linear forms, one a row, as sparse triplets."""

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


class Equations:
    """The equations of motion y˙ = f(t, y) of a situation; y = (c, quaternions, ċ, ω), each body by body."""

    def __init__(self, situation: Situation) -> None:
        self.situation = situation
        self.fields = SymbolicFields(situation)
        self.count = len(situation.bodies)
        self.inertias = situation.positive_inertias()
        self.basis = _basis(situation.normal)  # (6, d): the freedoms a body keeps
        self.weights = situation.masses[:, None] * situation.gravity
        self.forces = Loads(situation) if situation.original.forces else None
        self._read_constraints()
        self._order()

    # -- what is read once

    def _read_constraints(self) -> None:
        """Joint equations, then the terms of the motors' equations, each with a factor of time."""
        model = self.situation.original
        rows = [_expression(x) for joint in model.joints for x in joint.equations(self.fields)]
        rows = [row for row, needed in zip(rows, self._needed(rows), strict=True) if needed]
        equation = list(range(len(rows)))  # of each polynomial
        self.size = len(rows) + len(model.motors)
        self.laws = []
        for k, motor in enumerate(model.motors, start=len(rows)):
            for factor, expression in motor.terms(model.all_measures[motor.target], self.fields):
                self.laws.append(factor)
                equation.append(k)
                rows.append(_expression(expression))
        self.polynomials = Polynomials(rows)
        self.equation = np.array(equation, int)
        keys = self.equation[self.polynomials.row] * 2**32 + self.polynomials.body
        found, self.block = np.unique(keys, return_inverse=True)
        self.block_row, self.block_body = found // 2**32, found % 2**32

    def _needed(self, rows: list[Expression]) -> Array:
        """Which equations depend on the freedoms the bodies keep: looked at with all bodies moved at random."""
        if self.situation.normal is None or not rows:
            return np.ones(len(rows), bool)
        polynomials = Polynomials(rows)
        random = np.random.default_rng(1)
        needed = np.zeros(len(rows), bool)
        for _ in range(2):
            turn = _turns(self.situation.normal, random.uniform(-3.0, 3.0, self.count))
            shift = random.normal(size=(self.count, 2)) @ self.basis[:3, :2].T * self.fields.length
            still = np.zeros((self.count, 3))
            centers = self.situation.positions + shift
            bodies = Bodies(centers, turn @ self.situation.rotations, still, still)
            slopes = _jacobian(polynomials, bodies, polynomials.gradients(bodies.numbers())) @ self.basis
            seen = np.abs(slopes).max(axis=1) > 1e-9
            needed[polynomials.row[seen]] = True
        return needed

    def _order(self) -> None:
        """Where the entries of the matrix go in its band, after reverse Cuthill–McKee."""
        from scipy.sparse import coo_array
        from scipy.sparse.csgraph import reverse_cuthill_mckee

        d, bodies = self.basis.shape[1], self.count
        unknowns = d * bodies + self.size
        own = (d * np.arange(bodies))[:, None] + np.arange(d)  # (B, d)
        mass_rows = np.repeat(own, d, axis=1).ravel()
        mass_columns = np.tile(own, (1, d)).ravel()
        j_rows = d * bodies + np.repeat(self.block_row, d)
        j_columns = own[self.block_body].ravel()
        delta = d * bodies + np.arange(self.size)
        rows = np.concatenate([mass_rows, j_rows, j_columns, delta])
        columns = np.concatenate([mass_columns, j_columns, j_rows, delta])
        pattern = coo_array((np.ones(len(rows)), (rows, columns)), shape=(unknowns, unknowns)).tocsr()
        self.permutation = reverse_cuthill_mckee(pattern, symmetric_mode=True)
        position = np.argsort(self.permutation)
        i, j = position[rows], position[columns]
        self.band = int(np.abs(i - j).max(initial=0))
        # LAPACK's layout, with room for the fill of pivoting: entry (i, j) is at (2 band + i − j, j)
        self.entries = (2 * self.band + i - j) * unknowns + j
        self.shape = (3 * self.band + 1, unknowns)
        bodies_now = self._bodies(self.start())
        blocks = self._constraints(self.situation.time, bodies_now)[0]
        inverse = np.linalg.inv(self._masses(bodies_now))[self.block_body]
        diagonal = np.bincount(self.block_row, np.einsum("pi,pij,pj->p", blocks, inverse, blocks), self.size)
        largest = diagonal.max(initial=1e-300)
        self.delta = DELTA * np.where(diagonal > 1e-12 * largest, diagonal, largest)

    # -- the state

    def start(self) -> Array:
        """y at the start, with the forces' angles back there too."""
        s = self.situation
        arms = np.einsum("bij,bj->bi", s.rotations, s.centers)
        if self.forces is not None:
            self.forces.reset()
        parts = [s.positions + arms, _quaternions(s.rotations), s.velocities + _cross(s.spins, arms), s.spins]
        return np.concatenate([p.ravel() for p in parts])

    def pace(self, duration: float) -> float:
        """1/τ: how fast the motion is at the start, in 1/s, from |v|/ℓ, |ω| and the roots of their rates; 1/duration at least."""
        n, y = self.count, self.start()
        rates = self.derivative(self.situation.time, y, 0.0)
        lengths = np.repeat([self.fields.length, 1.0], 3 * n)
        speeds, accelerations = (np.abs(x[7 * n :] / lengths).max(initial=0.0) for x in (y, rates))
        return float(max(speeds, np.sqrt(accelerations), 1.0 / duration if duration > 0.0 else 1.0))

    def sizes(self, pace: float) -> Array:
        """How large each component of y counts as: ℓ, 1, ℓ/τ and 1/τ, with 1/τ the pace."""
        n, length = self.count, self.fields.length
        each = [(3 * n, length), (4 * n, 1.0), (3 * n, length * pace), (3 * n, pace)]
        return np.concatenate([np.full(k, x) for k, x in each])

    def motion(self, times: Array, y: Array) -> Motion:
        """The bodies from states (T, len(y))."""
        n, count = self.count, len(times)
        centers = y[:, : 3 * n].reshape(count, n, 3)
        axes = _axes(y[:, 3 * n : 7 * n].reshape(count, n, 4))
        velocities = y[:, 7 * n : 10 * n].reshape(count, n, 3)
        spins = y[:, 10 * n : 13 * n].reshape(count, n, 3)
        arms = np.einsum("tbij,bj->tbi", axes, self.situation.centers)
        return Motion(times, centers - arms, axes, velocities - _cross(spins, arms), spins)

    def derivative(self, t: float, y: Array, pace: float) -> Array:
        """ẏ = f(t, P(y)) + κ (P(y) − y), κ = 5 times the pace: P corrects positions and velocities towards the joints."""
        n, d = self.count, self.basis.shape[1]
        place, turn, speed = slice(3 * n), slice(3 * n, 7 * n), slice(7 * n, 13 * n)
        bodies = self._bodies(y)
        blocks, _, violation, violation_rate = self._constraints(t, bodies)
        still = np.zeros(d * n)
        solve = self._factored(t, self._masses(bodies), blocks)
        moved, _ = solve(still, -violation)
        kicked, _ = solve(still, -violation_rate)
        correction = np.zeros_like(y)
        moved = moved.reshape(n, d) @ self.basis.T
        correction[place] = moved[:, :3].ravel()
        correction[turn] = _quaternion_rates(y[turn].reshape(n, 4), moved[:, 3:]).ravel()
        correction[speed] = (kicked.reshape(n, d) @ self.basis.T).reshape(n, 2, 3).transpose(1, 0, 2).ravel()
        y = y + correction
        bodies = self._bodies(y)
        blocks, bias, _, _ = self._constraints(t, bodies)
        loads = self._loads(t, bodies)
        solve = self._factored(t, self._masses(bodies), blocks)
        forces, multipliers = (loads @ self.basis).ravel(), np.zeros(self.size)
        for _ in range(PASSES):
            acceleration, multipliers = solve(forces, -bias - self.delta * multipliers)
        result = DRAW * pace * correction
        result[place] += bodies.velocities.ravel()
        result[turn] += _quaternion_rates(y[turn].reshape(n, 4), bodies.spins).ravel()
        result[speed] += (acceleration.reshape(n, d) @ self.basis.T).reshape(n, 2, 3).transpose(1, 0, 2).ravel()
        if not np.abs(result).max(initial=0.0) < OVERFLOW:
            raise ArithmeticError(f"accelerations grow beyond all bounds at t = {t:g} s")
        return result

    def _factored(self, t: float, masses: Array, blocks: Array) -> Solve:
        """Solves [M Jᵀ; J −δ] for (f, γ) on the right."""
        from scipy.linalg.lapack import dgbtrf, dgbtrs

        matrix, slopes = np.zeros(self.shape), blocks.ravel()
        matrix.ravel()[self.entries] = np.concatenate([masses.ravel(), slopes, slopes, -self.delta])
        factors, pivots, failed = dgbtrf(matrix, self.band, self.band, overwrite_ab=1)
        if failed:
            raise ArithmeticError(f"the equations of motion are singular at t = {t:g} s")

        def solve(forces: Array, gamma: Array) -> tuple[Array, Array]:
            ordered, _ = dgbtrs(
                factors, self.band, self.band, np.concatenate([forces, gamma])[self.permutation], pivots
            )
            solution = np.empty_like(ordered)
            solution[self.permutation] = ordered
            return solution[: len(forces)], solution[len(forces) :]

        return solve

    # -- parts of the equations

    def _bodies(self, y: Array) -> Bodies:
        n = self.count
        axes = _axes(y[3 * n : 7 * n].reshape(n, 4))
        return Bodies(y[: 3 * n].reshape(n, 3), axes, y[7 * n : 10 * n].reshape(n, 3), y[10 * n : 13 * n].reshape(n, 3))

    def _masses(self, bodies: Bodies) -> Array:
        """(B, d, d)"""
        full = np.zeros((self.count, 6, 6))
        full[:, [0, 1, 2], [0, 1, 2]] = self.situation.masses[:, None]
        full[:, 3:, 3:] = bodies.axes @ self.inertias @ bodies.axes.transpose(0, 2, 1)
        masses: Array = self.basis.T @ full @ self.basis
        return masses

    def _constraints(self, t: float, bodies: Bodies) -> tuple[Array, Array, Array, Array]:
        """J by blocks (equation, body), the bias Φ̈ − J u̇, Φ and Φ̇."""
        p, z = self.polynomials, bodies.numbers()
        gradients = p.gradients(z)
        first, second = bodies.rates()
        value = p.values(z)
        speed = np.bincount(p.row, np.einsum("pi,pi->p", gradients, first.reshape(-1, NUMBERS)[p.body]), p.size)
        bias = np.bincount(p.row, np.einsum("pi,pi->p", gradients, second.reshape(-1, NUMBERS)[p.body]), p.size)
        bias += p.curvature(first)
        slopes = _jacobian(p, bodies, gradients)
        if not self.laws:
            return slopes @ self.basis, bias, value, speed
        factor, d_factor, dd_factor = self._factors(t)
        blocks = np.zeros((len(self.block_row), 6))
        np.add.at(blocks, self.block, slopes * factor[p.row, None])
        levels = (
            factor * bias + 2.0 * d_factor * speed + dd_factor * value,
            factor * value,
            factor * speed + d_factor * value,
        )
        bias, value, speed = (np.bincount(self.equation, level, self.size) for level in levels)
        return blocks @ self.basis, bias, value, speed

    def _factors(self, t: float) -> tuple[Array, Array, Array]:
        """Each polynomial's factor of time with its derivatives; 1, 0, 0 for joints."""
        factors = np.zeros((3, self.polynomials.size))
        factors[0] = 1.0
        for k, law in enumerate(self.laws, start=self.polynomials.size - len(self.laws)):
            f = law(Jet(t, 1.0, 0.0))
            factors[:, k] = (f.value, f.first, f.second) if isinstance(f, Jet) else (f, 0.0, 0.0)
        return factors[0], factors[1], factors[2]

    def _loads(self, t: float, bodies: Bodies) -> Array:
        """Forces and torques about the centre of mass on each body, (B, 6)."""
        own = np.einsum("bji,bj->bi", bodies.axes, bodies.spins)
        momentum = np.einsum("bij,bjk,bk->bi", bodies.axes, self.inertias, own)
        loads = np.concatenate([self.weights, -_cross(bodies.spins, momentum)], axis=1)
        if self.forces is not None:
            arms = np.einsum("bij,bj->bi", bodies.axes, self.situation.centers)
            velocities = bodies.velocities - _cross(bodies.spins, arms)
            wrenches = self.forces(t, bodies.centers - arms, bodies.axes, velocities, bodies.spins)
            loads += wrenches
            loads[:, 3:] -= _cross(arms, wrenches[:, :3])
        return loads


def _expression(x: Scalar) -> Expression:
    return x if isinstance(x, Form | Quadratic) else Form({}, x)


def _jacobian(polynomials: Polynomials, bodies: Bodies, gradients: Array) -> Array:
    """By slot, with respect to ċ and ω: g_c and Σ e × g_e, (slots, 6)"""
    axes = bodies.axes.transpose(0, 2, 1)[polynomials.body]
    turning = _cross(axes, gradients[:, 3:].reshape(-1, 3, 3)).sum(axis=1)
    return np.concatenate([gradients[:, :3], turning], axis=1)


def _basis(normal: Array | None) -> Array:
    """The freedoms of a body: all six, or two translations in the plane and the turn about its normal, (6, d)."""
    if normal is None:
        return np.eye(6)
    side = _cross(normal, np.eye(3)[np.argmin(np.abs(normal))])
    side /= np.linalg.norm(side)
    basis = np.zeros((6, 3))
    basis[:3, 0], basis[:3, 1], basis[3:, 2] = side, _cross(normal, side), normal
    return basis


def _bilinear(a: Array, b: Array, table: Array) -> Array:
    """Σ aᵢ bⱼ tableᵢⱼₖ over the last axes: one product of arrays, where NumPy's own functions take many small ones."""
    products = a[..., :, None] * b[..., None, :]
    size = a.shape[-1] * b.shape[-1]
    result: Array = products.reshape(*products.shape[:-2], size) @ table.reshape(size, -1)
    return result


def _cross(a: Array, b: Array) -> Array:
    """a × b"""
    return _bilinear(a, b, _CROSS)


def _turns(axis: Array, angles: Array) -> Array:
    """Rotations about one axis, (B, 3, 3)."""
    cross = _cross(axis, np.eye(3)).T
    sine, cosine = np.sin(angles)[:, None, None], np.cos(angles)[:, None, None]
    turns: Array = np.eye(3) + sine * cross + (1.0 - cosine) * cross @ cross
    return turns


def _axes(quaternions: Array) -> Array:
    """Rotation matrices (…, 3, 3) of quaternions (…, 4) of any length: (w² − u²) 1 + 2 u uᵀ + 2 w [u×]"""
    unit = quaternions / np.sqrt(np.einsum("...i,...i->...", quaternions, quaternions))[..., None]
    return _bilinear(unit, unit, _TURNING).reshape(*quaternions.shape[:-1], 3, 3)


def _quaternions(rotations: Array) -> Array:
    """w, x, y, z of rotation matrices, (B, 4): the largest component from the diagonal, the others by division."""
    found = np.zeros((len(rotations), 4))
    for q, r in zip(found, rotations, strict=True):
        # 4 q qᵀ has entries that are sums and differences of r's (Shepperd, 1978)
        skew = np.array([r[2, 1] - r[1, 2], r[0, 2] - r[2, 0], r[1, 0] - r[0, 1]])
        square = np.zeros((4, 4))
        square[0, 0] = 1.0 + np.trace(r)
        square[0, 1:] = square[1:, 0] = skew
        square[1:, 1:] = r + r.T + (1.0 - np.trace(r)) * np.eye(3)
        k = int(np.argmax(np.diag(square)))
        q[:] = square[k] / np.linalg.norm(square[k])
    return found


def _quaternion_rates(q: Array, spins: Array) -> Array:
    """½ (0, ω) ∘ q = ½ (−ω · u, w ω + ω × u)"""
    return _bilinear(q, spins, _SPINNING)


def _tables() -> tuple[Array, Array, Array]:
    """The coefficients of a × b (3, 3, 3), of the rotation matrix (4, 4, 3, 3) and of a quaternion's rate (4, 3, 4)."""
    one, cross = np.eye(3), np.zeros((3, 3, 3))
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        cross[i, j, k], cross[j, i, k] = 1.0, -1.0
    turning, spinning = np.zeros((4, 4, 3, 3)), np.zeros((4, 3, 4))
    turning[0, 0] = one
    turning[1:, 1:] = 2.0 * np.einsum("ik,jl->ijkl", one, one) - np.einsum("ij,kl->ijkl", one, one)
    turning[0, 1:] = 2.0 * cross.transpose(0, 2, 1)  # (u × e)ₖ in column e
    spinning[0, :, 1:] = 0.5 * one
    spinning[1:, :, 0] = -0.5 * one
    spinning[1:, :, 1:] = -0.5 * cross  # ω × u = −(u × ω)
    return cross, turning, spinning


_CROSS, _TURNING, _SPINNING = _tables()


def massless(situation: Situation) -> str | None:
    """Why these equations cannot be written for a mechanism: bodies without mass have no accelerations of their own."""
    names = [name for name, mass in zip(situation.bodies, situation.masses, strict=True) if mass <= 0.0]
    return f"Maximal coordinates need a mass in every body; {', '.join(names)} has none." if names else None
