"""The equations of mechanisms whose contacts open, slip or stick, with numbers that are decimal or Taylor series.

M u̇ = f + Jᵀ λ_J + Σ (nᵀ N + tᵀ T),     J u̇ = −b
closed   n u̇ = −b_n,     T = −μ N s/|s| if it slips,     t u̇ = −b_t if it sticks
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from grashof.precise.blows import OPENS, SIGNS, STICKS, Kinds, Matrix, Row, dot, solved
from grashof.precise.pins import ZERO


@dataclass(frozen=True)
class Touch:
    """A contact: its gap [m], and the rows n and t with their terms b of second derivatives: g̈ = n u̇ + b_n."""

    gap: Any
    normal: Row
    slide: Row
    normal_bias: Any
    slide_bias: Any


@dataclass(frozen=True)
class Equations:
    """At a state (positions, u): rates of the positions, M, f, joint equations (row, b), and contacts."""

    rates: Row
    mass: Matrix
    force: Row
    touches: Sequence[Touch]
    joints: Sequence[tuple[Row, Any]] = ()


def accelerations(found: Equations, kinds: Kinds, mu: Sequence[Decimal]) -> tuple[Row, list[Row]]:
    """u̇, and N and T of each contact."""
    pulls = [row for row, _ in found.joints]
    rows, right = [row for row, _ in found.joints], [-b for _, b in found.joints]
    places = dict[int, int]()
    for i, (touch, kind) in enumerate(zip(found.touches, kinds, strict=True)):
        if kind == OPENS:
            continue
        places[i] = len(rows)
        rubs = (
            [n - SIGNS[kind] * mu[i] * t for n, t in zip(touch.normal, touch.slide, strict=True)]
            if kind in SIGNS
            else touch.normal
        )
        pulls.append(rubs)
        rows.append(touch.normal)
        right.append(-touch.normal_bias)
        if kind == STICKS:
            pulls.append(touch.slide)
            rows.append(touch.slide)
            right.append(-touch.slide_bias)
    free, *gains = solved(found.mass, [found.force, *pulls])
    if not rows:
        return free, [[ZERO, ZERO]] * len(kinds)
    schur = [[dot(row, gain) for gain in gains] for row in rows]
    (multipliers,) = solved(schur, [[b - dot(row, free) for row, b in zip(rows, right, strict=True)]])
    a = [x + dot([gain[k] for gain in gains], multipliers) for k, x in enumerate(free)]
    forces = list[Row]()
    for i, kind in enumerate(kinds):
        push = multipliers[places[i]] if i in places else ZERO
        along = -SIGNS[kind] * mu[i] * push if kind in SIGNS else multipliers[places[i] + 1] if kind == STICKS else ZERO
        forces.append([push, along])
    return a, forces


def responses(found: Equations) -> tuple[Matrix, Matrix]:
    """What unit impulses along the rows of the contacts change of u, while joints hold, and W: of these rows."""
    rows = [row for touch in found.touches for row in (touch.normal, touch.slide)]
    held = [row for row, _ in found.joints]
    gains = solved(found.mass, [*rows, *held])
    answers, joints = gains[: len(rows)], gains[len(rows) :]
    if held:
        schur = [[dot(row, gain) for gain in joints] for row in held]
        forces = solved(schur, [[-dot(row, x) for row in held] for x in answers])
        answers = [
            [x + dot([gain[k] for gain in joints], force) for k, x in enumerate(answer)]
            for answer, force in zip(answers, forces, strict=True)
        ]
    return answers, [[dot(row, x) for x in answers] for row in rows]
