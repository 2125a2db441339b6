"""The accelerations of a tree with rows, and the changes of its velocities by impulses.

    M u̇ + Jᵀ λ = Q        J u̇ − E λ = γ        E = diag(ε)

A row that prescribes the motion of a single node makes its acceleration a given one (see `articulated`). The others
take one response of the tree each, with which

    S = J M⁻¹ Jᵀ        (S + E) λ = J M⁻¹ Q − γ

is a small system. It is the Schur complement of the equations in natural coordinates after the joints' rows, in the
same units, so that ε and the refinement against E = 0 have the same effect as there (see `natural.kkt`). Motions
that no mass resists add rows w with −1/r in place of ε, which come last (see `props`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from grashof.formulation.relative.articulated import Articulated, Response
from grashof.formulation.relative.kinematics import Efforts
from grashof.formulation.relative.placement import Placement
from grashof.formulation.relative.props import Prop
from grashof.formulation.relative.tree import Tree
from grashof.scalar.functions import Scalar, absolute, sqrt


class Constrained:
    """A tree with rows at a position, prepared for any forces and any γ.

    jacobian     J, row by row
    held         nodes whose motions single rows prescribe: the node and the entry of J, by the number of the row
    epsilon      ε of each row
    refinements  of λ against E = 0
    props        the inertias that were added to motions which rows determine
    shares       of nodes that may stick (see `articulated`)
    """

    def __init__(
        self,
        tree: Tree,
        placements: Sequence[Placement],
        jacobian: Sequence[Efforts],
        held: Mapping[int, tuple[int, float]],
        epsilon: Sequence[Scalar],
        refinements: int,
        props: Sequence[Prop] = (),
        shares: Mapping[int, Scalar] | None = None,
    ) -> None:
        self.articulated = Articulated(tree, placements, [node for node, _ in held.values()], shares)
        self.count, self.held, self.refinements, self.props = len(jacobian), held, refinements, props
        self.jacobian = [*jacobian, *({prop.node: list(prop.row)} for prop in props)]
        self.others = [k for k in range(len(self.jacobian)) if k not in held]
        self._responses = [self.articulated.responses(self.jacobian[k]) for k in self.others]
        self._matrix = self._schur_complement()
        first = len(self.others) - len(props)
        for i, prop in enumerate(props, start=first):
            self._matrix[i][i] = self._matrix[i][i] - 1.0 / prop.mass
        self._factors = _factor(self._matrix, [*(epsilon[k] for k in self.others[:first]), *(0.0 for _ in props)])

    def solve(
        self, free: Callable[[Mapping[int, Scalar]], Response], right: Sequence[Scalar]
    ) -> tuple[Response, list[Scalar]]:
        """The response of the tree with its rows, and λ.

        free    the response without the rows that are not held, to the accelerations of the nodes that are
        right   γ
        """
        right = [*right, *(0.0 for _ in self.props)]
        base = free({node: right[k] / factor for k, (node, factor) in self.held.items()})
        found, efforts, sizes = base.accelerations, dict(base.efforts), dict(base.sizes)
        multipliers: list[Scalar] = [0.0] * len(self.jacobian)
        if self.others:
            rest = [times(self.jacobian[k], found) - right[k] for k in self.others]
            pulls = self._multipliers(rest)
            more = self._combine(pulls)
            found = [
                [x + y for x, y in zip(own, other, strict=True)]
                for own, other in zip(found, more.accelerations, strict=True)
            ]
            efforts = {k: x + more.efforts[k] for k, x in efforts.items()}
            sizes = {k: x + more.sizes[k] for k, x in sizes.items()}
            for k, x in zip(self.others, pulls, strict=True):
                multipliers[k] = x
        for k, (node, factor) in self.held.items():
            multipliers[k] = efforts[node] * (-1.0 / factor)
        return Response(found, efforts, sizes), multipliers[: self.count]

    def correct(self, error: Sequence[Scalar]) -> list[list[Scalar]]:
        """The smallest changes u of the motions or rates of the joints, in the metric of M, with J u = −error."""
        return self.solve(lambda given: self.articulated.responses({}, given), [-x for x in error])[0].accelerations

    def inertance(self, i: int) -> Scalar:
        """The acceleration along the i-th row that is not held, by a unit force along it, 1/kg."""
        return self._matrix[i][i]

    def scaled_matrix(self, inverse: Sequence[float], count: int) -> list[Scalar]:
        """The entries of S for the rows among the first `count` that are not held, row by row, relative to typical
        inverse inertias of the rows."""
        chosen = [(i, 1.0 / sqrt(inverse[k])) for i, k in enumerate(self.others) if k < count]
        return [self._matrix[i][j] * (x * y) for i, x in chosen for j, y in chosen]

    @property
    def firmness(self) -> list[Scalar]:
        """How firmly rows and masses determine each motion that no mass resists: 0 if they do not, at most 1."""
        pivots = self._factors[1][len(self.others) - len(self.props) :]
        return [-prop.mass / pivot for pivot, prop in zip(pivots, self.props, strict=True)]

    def remainder(self, multipliers: Sequence[float]) -> float:
        """The largest error with which the accelerations by known λ are found again along the rows, relative to the
        largest one."""
        rest = [_dot(row, multipliers) for row in self._matrix]
        found = self._multipliers(rest)
        missed = [abs(r - _dot(row, found)) for r, row in zip(rest, self._matrix, strict=True)]
        largest = max(map(abs, rest), default=0.0)
        return float(max(missed) / largest) if largest > 0.0 else 0.0

    def _multipliers(self, rest: Sequence[Scalar]) -> list[Scalar]:
        """λ of the rows that are not held, refined against E = 0."""
        found = _solve(self._factors, rest)
        for _ in range(self.refinements):
            left = [r - _dot(row, found) for r, row in zip(rest, self._matrix, strict=True)]
            found = [x + dx for x, dx in zip(found, _solve(self._factors, left), strict=True)]
        return found

    def _combine(self, multipliers: Sequence[Scalar]) -> Response:
        """The response to −Jᵀ λ."""
        if len(multipliers) == 1:
            (one,), (x,) = self._responses, multipliers
            scaled = [[-x * y for y in own] for own in one.accelerations]
            sizes = {k: absolute(x) * y for k, y in one.sizes.items()}
            return Response(scaled, {k: -x * y for k, y in one.efforts.items()}, sizes)
        total = Efforts()
        for k, x in zip(self.others, multipliers, strict=True):
            for node, entries in self.jacobian[k].items():
                before = total.get(node, [0.0] * len(entries))
                total[node] = [y - x * entry for y, entry in zip(before, entries, strict=True)]
        return self.articulated.responses(total)

    def _schur_complement(self) -> list[list[Scalar]]:
        found: list[list[Scalar]] = [[0.0] * len(self.others) for _ in self.others]
        for i, k in enumerate(self.others):
            for j in range(i + 1):
                found[i][j] = found[j][i] = times(self.jacobian[k], self._responses[j].accelerations)
        return found


def times(row: Efforts, motions: Sequence[Sequence[Scalar]]) -> Scalar:
    """J u of one row."""
    return sum((_dot(entries, motions[k]) for k, entries in row.items()), 0.0)


def _dot(a: Sequence[Scalar], b: Sequence[Scalar]) -> Scalar:
    """a·b of vectors that may be empty."""
    return sum((x * y for x, y in zip(a, b, strict=True)), 0.0)


def _factor(matrix: Sequence[Sequence[Scalar]], epsilon: Sequence[Scalar]) -> tuple[list[list[Scalar]], list[Scalar]]:
    """L, without its diagonal, and 1/D of L D Lᵀ."""
    lower: list[list[Scalar]] = []
    inverse: list[Scalar] = []
    for i, row in enumerate(matrix):
        scaled = list(row[:i])
        for j in range(i):
            scaled[j] = scaled[j] - _dot(scaled[:j], lower[j])
        own = [x * d for x, d in zip(scaled, inverse, strict=True)]
        inverse.append(1.0 / (row[i] + epsilon[i] - _dot(own, scaled)))
        lower.append(own)
    return lower, inverse


def _solve(factors: tuple[list[list[Scalar]], list[Scalar]], right: Sequence[Scalar]) -> list[Scalar]:
    lower, inverse = factors
    found = list(right)
    for i, row in enumerate(lower):
        found[i] = found[i] - _dot(row, found[:i])
    found = [x * d for x, d in zip(found, inverse, strict=True)]
    for i in reversed(range(len(found))):
        for j, x in enumerate(lower[i]):
            found[j] = found[j] - x * found[i]
    return found
