"""Joint reactions at one instant, over any scalars: as quantities of runs, of lanes, of derivatives and of live pages.

Every body b needs a wrench at its centre of mass c from its joints, couplings and motors (Newton, Euler):

    f = m (c̈ − g) − Σ f_loads,        m_c = Σ s_k u_k × ü_k − Σ m_loads

with the second moments s_k along unit axes u_k. A joint transmits the wrenches w = Rᵀ μ, where the rows of R are the
rates of its equations for unit twists. The multipliers μ, and the efforts of couplings, follow from

    min ½ Σ |Rᵀ μ|²    with    Σ ± Xᵀ Rᵀ μ = (f, m_c / ℓ)  for all bodies,

by a quasi-definite system (see `kkt`): where constraints are redundant, it selects the smallest ones. This is
independent of the multipliers of the equations of motion, from which presolve has eliminated pins. `reactions` solves
the same problem for a whole run by another method, and tells which components are unique.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from grashof.formulation.natural.kkt import make_kkt
from grashof.formulation.natural.slips import JointSlip
from grashof.model.bodies import GROUND
from grashof.model.couplings import CouplingBase
from grashof.model.fields import Fields, Scalars, Vector, body_of
from grashof.model.joints import Joint
from grashof.model.measures import MeasureBase
from grashof.model.model import Model
from grashof.scalar.functions import Scalar
from grashof.scalar.jet import Jet

COMPONENTS = {2: ("fx", "fy", "mz"), 3: ("fx", "fy", "fz", "mx", "my", "mz")}
"""The components of a joint's reaction."""

EPSILON = 1e-9
"""ε of the balance equations, which are dependent along every freedom of the mechanism."""

LOOSE = 1e-9
"""The weight of multipliers of dependent equations of one joint, relative to that of its wrench."""

REFINEMENTS = 3

UNIQUE = 1e-6
"""A component is unique if no state of self-stress of unit size changes it by more than this."""

RANK = 1e-8
"""Singular values below this fraction of the largest count as zero."""

Wrench = list[Scalar]
"""(f, m/ℓ), N."""


@dataclass(frozen=True, eq=False)
class UnitTwist:
    """Fields in which one body moves with one of the unit twists (v, ℓω) about a place, and all others are at rest."""

    fields: Fields
    moving: str
    place: Sequence[Scalar]
    number: int

    @property
    def dimension(self) -> int:
        return self.fields.dimension

    @property
    def length(self) -> float:
        return self.fields.length

    def point(self, reference: str) -> Scalars:
        place = _values(self.fields.point(reference))
        if body_of(reference) != self.moving:
            return place
        arm = [x - y for x, y in zip(place, self.place, strict=True)]
        return [Jet(x, dx, 0.0) for x, dx in zip(place, self._rate(arm, 1.0), strict=True)]

    def arrow(self, body: str, direction: Vector) -> Scalars:
        drawn = _values(self.fields.arrow(body, direction))
        if body != self.moving:
            return drawn
        return [Jet(x, dx, 0.0) for x, dx in zip(drawn, self._rate(drawn, 0.0), strict=True)]

    def _rate(self, arm: Sequence[Scalar], shift: float) -> Scalars:
        """v + ω × arm, with v only if there is a shift."""
        size, k = self.dimension, self.number
        if k < size:
            return [shift if i == k else 0.0 for i in range(size)]
        over = 1.0 / self.length
        if size == 2:
            return [-over * arm[1], over * arm[0]]
        rate: Scalars = [0.0, 0.0, 0.0]
        i, j = (k - 2) % 3, (k - 1) % 3  # ω = e_{k−3}: its cross product with e_i is e_j
        rate[j], rate[i] = over * arm[i], -over * arm[j]
        return rate


@dataclass(frozen=True, eq=False)
class Carriers:
    """What carries the loads of a mechanism at one instant: its joints, couplings and motors.

    fields    its points and arrows, as jets
    centers   of the bodies, m
    efforts   the shares of the measures of a coupling in its unit effort
    """

    model: Model
    fields: Fields
    centers: dict[str, list[Scalar]]
    efforts: Callable[[CouplingBase], Sequence[Scalar]]
    time: Scalar
    _known: dict[str, list[Wrench]] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """The number of components of a wrench."""
        return len(COMPONENTS[self.model.dimension])

    def rows(self, joint: Joint) -> list[Wrench]:
        """R: the rates of a joint's equations for unit twists of its second body about its point there."""
        if joint.name not in self._known:
            place = _values(self.fields.point(joint.b))
            columns = []
            for k in range(self.size):
                moved = UnitTwist(self.fields, body_of(joint.b), place, k)
                errors = [*joint.equations(moved), *(x.error({}, moved, self.time) for x in joint.couplings())]
                slip = JointSlip(joint)
                slips = slip.slips(slip.parts(moved), self.time, ())
                columns.append([*(_rate(x) for x in errors), *(x.value if isinstance(x, Jet) else x for x in slips)])
            self._known[joint.name] = [list(row) for row in zip(*columns, strict=True)]
        return self._known[joint.name]

    def at_center(self, body: str, joint: Joint, row: Wrench) -> Wrench:
        """A wrench of a joint on a body, at the body's centre."""
        arm = [x - y for x, y in zip(_values(self.fields.point(joint.b)), self.centers[body], strict=True)]
        return _moved(row, arm, self.fields.length)

    def gradient(self, measure: MeasureBase, body: str) -> Wrench:
        """The rates of a measure for unit twists of a body about its centre: the wrench of a unit effort along it."""
        twists = [UnitTwist(self.fields, body, self.centers[body], k) for k in range(self.size)]
        return [_rate(measure.value(measure.parts(moved))) for moved in twists]

    def pulls(self, coupling: CouplingBase) -> dict[str, Wrench]:
        """The wrenches of a unit effort of a coupling, in N (torques divided by ℓ), on the bodies."""
        measures = coupling.measures(self.model.quantities)
        unit = self.fields.length if measures[0].unit == "rad" else 1.0
        found: dict[str, Wrench] = {}
        for measure, share in zip(measures, self.efforts(coupling), strict=True):
            for body in dict.fromkeys(x for x in measure.bodies if x != GROUND):
                wrench = [unit * share * x for x in self.gradient(measure, body)]
                found[body] = [x + y for x, y in zip(found[body], wrench, strict=True)] if body in found else wrench
        return found


def solve_wrenches(carriers: Carriers, needs: dict[str, Wrench]) -> dict[str, Wrench]:
    """By joint, the wrench (f, m/ℓ) on its second body at its point there, given what every body needs at its centre.

    Where constraints are redundant, the smallest ones.
    """
    model, size = carriers.model, carriers.size
    first = {name: size * k for k, name in enumerate(needs)}
    balance: list[dict[int, Scalar]] = [{} for _ in range(size * len(needs))]
    metric: list[dict[int, Scalar]] = []
    start: dict[str, int] = {}
    count = 0

    def pull(body: str, column: int, wrench: Wrench) -> None:
        for k, x in enumerate(wrench, start=first[body]):
            if not _is_zero(x):
                balance[k][column] = balance[k][column] + x if column in balance[k] else x

    for joint in model.joints:
        rows, start[joint.name] = carriers.rows(joint), count
        for column, row in enumerate(rows, start=count):
            for body, sign in ((body_of(joint.a), -1.0), (body_of(joint.b), 1.0)):
                if body != GROUND:
                    pull(body, column, [sign * x for x in carriers.at_center(body, joint, row)])
        parts = [{count + i: row[c] for i, row in enumerate(rows) if not _is_zero(row[c])} for c in range(size)]
        metric += [part for part in parts if part]
        count += len(rows)
    loose = count
    for coupling in model.own_couplings:
        for body, wrench in carriers.pulls(coupling).items():
            pull(body, count, wrench)
        count += 1
    kkt = make_kkt(
        count,
        {(i, i): LOOSE if i < loose else 1.0 for i in range(count)},
        tuple(tuple(row) for row in balance),
        [0] * count,
        [EPSILON] * len(balance),
        [0.0] * len(balance),
        [0.0] * len(balance),
        tuple(tuple(row) for row in metric),
        (1.0,) * len(metric),
    )
    values = [x for row in (*balance, *metric) for x in row.values()]
    right = [*[0.0] * count, *(x for need in needs.values() for x in need)]
    multipliers = kkt.solve_refined(values, kkt.factor(values), right, REFINEMENTS)
    found = {}
    for joint in model.joints:
        total: Wrench = [0.0] * size
        for row, x in zip(carriers.rows(joint), multipliers[start[joint.name] :], strict=False):
            total = [w + x * y for w, y in zip(total, row, strict=True)]
        found[joint.name] = total
    return found


def unique_components(carriers: Carriers, bodies: Sequence[str]) -> set[str]:
    """The components of joint reactions that no state of self-stress changes, at one position in numbers."""
    model, size = carriers.model, carriers.size
    first = {name: size * k for k, name in enumerate(bodies)}
    blocks, columns = dict[str, np.ndarray](), []
    for joint in model.joints:
        rows = np.array(carriers.rows(joint), float).reshape(-1, size)
        _, s, vt = np.linalg.svd(rows)
        blocks[joint.name] = held = vt[: int(np.sum(s > RANK * max(1.0, float(s[0]) if s.size else 0.0)))]
        for row in held.tolist():
            column = np.zeros(size * len(bodies))
            for body, sign in ((body_of(joint.a), -1.0), (body_of(joint.b), 1.0)):
                if body != GROUND:
                    k = first[body]
                    column[k : k + size] += sign * np.array(carriers.at_center(body, joint, row), float)
            columns.append(column)
    for coupling in model.own_couplings:
        column = np.zeros(size * len(bodies))
        for body, wrench in carriers.pulls(coupling).items():
            column[first[body] : first[body] + size] += np.array(wrench, float)
        columns.append(column)
    matrix = np.array(columns).T.reshape(size * len(bodies), -1)
    _, s, vt = np.linalg.svd(matrix)
    nothing = vt[int(np.sum(s > RANK * max(1.0, float(s[0]) if s.size else 0.0))) :]
    found, k = set(), 0
    for joint in model.joints:
        held = blocks[joint.name]
        moved = np.linalg.norm(nothing[:, k : k + len(held)] @ held, axis=0)
        k += len(held)
        names = COMPONENTS[model.dimension]
        found |= {f"{joint.name}.{c}" for c, change in zip(names, moved, strict=True) if change <= UNIQUE}
    return found


def _moved(wrench: Wrench, arm: Sequence[Scalar], length: float) -> Wrench:
    """A wrench (f, m/ℓ) at the end of an arm, at its beginning: m + arm × f."""
    size, over = len(arm), 1.0 / length
    force, moment = wrench[:size], wrench[size:]
    return [*force, *(m + over * x for m, x in zip(moment, cross(arm, force), strict=True))]


def cross(a: Sequence[Scalar], b: Sequence[Scalar]) -> list[Scalar]:
    """a × b: one number in the plane."""
    if len(a) == 2:
        return [a[0] * b[1] - a[1] * b[0]]
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def _values(jets: Sequence[Scalar]) -> list[Scalar]:
    return [x.value if isinstance(x, Jet) else x for x in jets]


def _rate(x: Scalar) -> Scalar:
    return x.first if isinstance(x, Jet) else 0.0


def _is_zero(x: Scalar) -> bool:
    return isinstance(x, float | int) and x == 0.0
