"""Which couplings, motors and needed rates contradict each other at a position.

Joints, couplings, motors and needed rates are linear equations for the velocities. If they have no solution, couplings,
motors and needed rates are left out one after another as long as there is none without them either: each of those that
remain is needed for the contradiction.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from grashof.common.wording import join_words, quote_each
from grashof.formulation.natural.closing import DEPENDENT
from grashof.formulation.natural.equations import Dynamics
from grashof.formulation.natural.state import SystemState
from grashof.formulation.natural.velocities import Velocities, rows_of_parts
from grashof.model.start import Condition

MISSED = 1e-8
"""Equations contradict each other if they are missed by more than this fraction of the largest rate."""


SINGULAR = 1e-10
"""Equations with a smaller singular value, relative to the largest one, are dependent."""

Part = str | Condition
"""A coupling or motor, by its name, or a need."""


@dataclass(frozen=True)
class Contradiction:
    """What contradicts itself, together with the joints.

    couplings, motors   their names
    needs               rates that the start needs
    blocked             those of the couplings that stand still because of each other
    """

    couplings: list[str]
    motors: list[str]
    needs: list[Condition] = field(default_factory=list)
    blocked: list[str] = field(default_factory=list)

    @property
    def standstill(self) -> str:
        """Which couplings contradict each other, in words."""
        return f"couplings {join_words(quote_each(self.blocked))} contradict each other unless they stand still"

    def parts(self, leave_out: Condition | None = None) -> str:
        """Everything that is involved, in words; the joints if there is nothing else."""
        rates = [f"the needed rate of '{need.quantity}'" for need in self.needs if need is not leave_out]
        named = [*_named("coupling", self.couplings), *_named("motor", self.motors)]
        return join_words([*([] if named else ["the joints"]), *named, *rates])


def find_contradiction(
    velocities: Velocities, rates: np.ndarray, needed: Sequence[tuple[Condition, np.ndarray, float]] = ()
) -> Contradiction | None:
    """What contradicts itself, if J v has to be equal to some rates, or J a to some accelerations, and needed rates are
    given with their rows; None if that is not certain."""
    system = velocities.dynamics.system
    rows, names = rows_of_parts(velocities.dynamics, velocities.time, np.array(velocities.q), velocities.turns)
    parts: list[Part | None] = [*names, *(need for need, _, _ in needed)]
    rows = np.vstack([rows, *(row[None] for _, row, _ in needed)])
    rates = np.array([*rates, *(rate for _, _, rate in needed)])
    most = float(np.max(np.abs(rates), initial=0.0))
    rows, sizes = _unit_rows(rows)
    rates = rates / sizes

    def contradicts(chosen: np.ndarray) -> bool:
        rest = rows[chosen] @ np.linalg.lstsq(rows[chosen], rates[chosen], rcond=SINGULAR)[0] - rates[chosen]
        return bool(np.max(np.abs(rest) * sizes[chosen], initial=0.0) > MISSED * most)

    found = _fewest(parts, contradicts)
    if found is None:
        return None
    motors = {row.owner for row in system.driving}
    told = [part for part in found if isinstance(part, str)]
    couplings = [name for name in told if name not in motors]
    still = (
        blocked_couplings(velocities.dynamics, velocities.time, np.array(velocities.q)) if len(couplings) > 1 else []
    )
    return Contradiction(
        couplings,
        [name for name in told if name in motors],
        [part for part in found if not isinstance(part, str)],
        still if set(still) <= set(couplings) else [],
    )


def blocked_couplings(dynamics: Dynamics, time: float, q: np.ndarray) -> list[str]:
    """Couplings that together let a measure stand still that joints and fewer of them would let move: they
    contradict each other unless nothing moves. None if there are fewer than two."""
    system = dynamics.system
    rows, parts = rows_of_parts(dynamics, time, q)
    driven = {row.owner for row in system.driving}
    undriven = [k for k, name in enumerate(parts) if name not in driven]
    rows, parts = rows[undriven], [parts[k] for k in undriven]
    state = SystemState(system, time, q.tolist(), [0.0] * system.n)
    tied = list(dict.fromkeys(x for row in system.couplings if row.owner not in driven for x in row.measures))
    gradients = np.zeros((len(tied), dynamics.n))
    for line, measure in zip(gradients, tied, strict=True):
        found = state.gradient(measure, [1.0])  # it may be the coupling's own, which the model does not name
        line[list(found)] = list(found.values())
    rows, gradients = _unit_rows(rows)[0], _unit_rows(gradients)[0]
    of_joints = np.array([name is None for name in parts], bool)
    movable = gradients[_missed_by(rows[of_joints], gradients) > DEPENDENT]

    def holds(chosen: np.ndarray) -> bool:
        return bool(np.any(_missed_by(rows[chosen], movable) < DEPENDENT))

    names = [str(name) for name in _fewest(parts, holds) or []]
    return names if len(names) > 1 else []


def _missed_by(rows: np.ndarray, others: np.ndarray) -> np.ndarray:
    """How far each of some other rows is from the nearest combination of rows."""
    if not len(rows):
        return np.asarray(np.linalg.norm(others, axis=1))
    _, s, directions = np.linalg.svd(rows, full_matrices=False)
    basis = directions[s > DEPENDENT]
    return np.asarray(np.linalg.norm(others - others @ basis.T @ basis, axis=1))


def _unit_rows(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rows of unit length, and their original lengths; those without entries stay as they are."""
    sizes = np.linalg.norm(rows, axis=1)
    sizes = np.where(sizes > 0.0, sizes, 1.0)
    return rows / sizes[:, None], sizes


def _fewest(parts: Sequence[Part | None], holds: Callable[[np.ndarray], bool]) -> list[Part] | None:
    """A few parts, each of them necessary, whose rows have a property together with those of the joints (None); None if
    not even all rows have it."""
    owners = np.array([parts.index(part) for part in parts])
    chosen = np.ones(len(parts), bool)
    if not holds(chosen):
        return None
    left = []
    for part in reversed(list(dict.fromkeys(part for part in parts if part is not None))):
        fewer = chosen & (owners != parts.index(part))
        if holds(fewer):
            chosen = fewer
        else:
            left.append(part)
    return left[::-1]


def _named(kind: str, names: Sequence[str]) -> list[str]:
    """Names after the word for what they are."""
    return [f"{kind if len(names) == 1 else kind + 's'} {join_words(quote_each(names))}"] if names else []
