"""Loops that can be closed by linear equations between angles, because on the branch of the motion every body turns
like another one, opposite to it, or not at all.

Parallelograms are the example. The equations of their pins are singular where they are flat, and an engine that does
not track branches loses accuracy there or switches to another branch. Linear equations between joint coordinates
describe the same motion and are regular everywhere.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

import numpy as np

from grashof.exchange.stages import Hung
from grashof.freedoms.mobility import mobility
from grashof.model.bodies import GROUND
from grashof.model.fields import perpendicular
from grashof.situation import Situation

SAME = 1e-9
"""Linear forms count as equal up to this relative difference."""
SAMPLES = 4


@dataclass(frozen=True)
class Tied:
    """q_dependent = Σ factors · q_independent + offset; coordinates are those of the links, which have one each."""

    dependent: int
    independent: tuple[int, ...]
    factors: tuple[float, ...]
    offset: float


def closing_equations(s: Situation, hung: list[Hung]) -> list[Tied] | None:
    """Equations between the tree coordinates that are equivalent to the closing joints; None if there are none."""
    single = all(len(link.slots) == 1 and link.slots[0].freedom.kind == "turn" for link in hung)
    if not (s.closures and s.normal is not None and single and s.program.branch is not None):
        return None
    turning = _turning(s)
    # q = ± (turn of the body − turn of its parent) + constant
    rows = np.array([turning[link.link.body] - turning[link.link.parent] for link in hung])
    rows *= np.array([np.sign(link.slots[0].freedom.axis @ s.normal) for link in hung])[:, None]
    free = [k for k in range(rows.shape[1]) if rows[:, k].any()]
    rows = rows[:, free]
    if len(free) != mobility(s.original).dof_without_motors:
        return None
    chosen: list[int] = []
    for k in range(len(rows)):
        if np.linalg.matrix_rank(rows[[*chosen, k]]) > len(chosen):
            chosen.append(k)
    if len(chosen) < len(free):
        return None
    values = np.array([link.slots[0].value for link in hung])
    found = []
    for k in range(len(rows)):
        if k not in chosen:
            factors = np.round(np.linalg.solve(rows[chosen].T, rows[k]), 12)
            offset = float(values[k] - factors @ values[chosen])
            found.append(Tied(k, tuple(chosen), tuple(map(float, factors)), offset))
    return found


def _turning(s: Situation) -> dict[str, np.ndarray]:
    """How each body turns about the normal: the index of the angle that it follows, and the direction (1 or −1; all
    zero if it does not turn).
    """
    normal = s.normal
    assert normal is not None
    first = np.array(perpendicular(tuple(normal)))
    second = np.cross(normal, first)
    system, draw = s.program.system, random.Random(0)
    samples = [[draw.uniform(-1.0, 1.0) for _ in range(system.n)] for _ in range(SAMPLES)]
    size = len(s.bodies)
    found = {GROUND: np.zeros(size)}
    known: list[np.ndarray] = []
    for body in s.bodies:
        local = tuple(s.pose(body)[1].T @ first)[: system.dimension]
        forms = system.arrow(body, local)
        flat = [np.array([*(form.at(z) for form in forms), 0.0])[:3] for z in samples]
        seen = np.array([complex(x @ first, x @ second) for x in flat]) / system.length
        found[body] = np.zeros(size)
        if np.ptp(seen.real) + np.ptp(seen.imag) < SAME:
            continue
        for k, other in enumerate(known):
            # at the start all of them point along `first`: the factor between two that turn alike is one
            if np.allclose(seen, other, rtol=0.0, atol=SAME):
                found[body][k] = 1.0
                break
            if np.allclose(seen, other.conj(), rtol=0.0, atol=SAME):
                found[body][k] = -1.0
                break
        else:
            found[body][len(known)] = 1.0
            known.append(seen)
    return found
