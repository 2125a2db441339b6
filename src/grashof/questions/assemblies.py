"""Assembly modes: all ways in which a planar mechanism can be assembled with its inputs held.

They are searched for from pseudo-random positions until many searches in a row find nothing new. Their largest possible
number is known if the mechanism consists of dyads, each of which has two assembly modes: a body held by a pin and a
slot, or two bodies connected by a pin or slider with each other and with bodies that are already placed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import msgspec
import numpy as np

from grashof.assembly.guess import RANDOM, starting_coordinates
from grashof.common.wording import count_of, quote_first
from grashof.formulation.natural.closing import Positions, close, is_closed
from grashof.formulation.natural.equations import Dynamics
from grashof.formulation.natural.forms import Expression
from grashof.model.bodies import GROUND
from grashof.model.joints import Joint
from grashof.model.model import Model
from grashof.model.start import Start
from grashof.questions.equations import Array
from grashof.questions.joint_motions import JointMotion

PATIENCE, MOST = 60, 600
"""Number of searches in a row without a new result after which to stop, and the largest number in total."""

SAME = 1e-6
"""Positions count as the same if no coordinate differs by more, in lengths of the mechanism."""


@dataclass(frozen=True, eq=False)
class Assemblies:
    """Positions with the inputs held, the start first.

    q         (k, n)
    inputs    the joints held, with their values, rad or m
    largest   the largest possible number of modes; None if it is not known
    tried     number of positions from which they were searched for
    """

    q: Array
    inputs: dict[str, float]
    largest: int | None
    tried: int

    def __len__(self) -> int:
        return len(self.q)

    @property
    def complete(self) -> bool:
        """Whether there can be no others."""
        return self.largest is not None and len(self) == self.largest

    def __str__(self) -> str:
        held = quote_first(list(self.inputs)) or "nothing"
        if self.complete:
            how = "there are no others"
        elif self.largest is not None:
            how = f"at most {self.largest} are possible; only these were found from {self.tried} positions"
        else:
            how = f"found from {self.tried} positions; there may be others"
        return f"{count_of(len(self), 'assembly mode')} with {held} held as at the start ({how})"


def find_assemblies(
    dynamics: Dynamics, time: float, q: Array, inputs: tuple[JointMotion, ...], values: list[float]
) -> Assemblies:
    """The assembly modes with the inputs at these values, which they have at q."""
    system = dynamics.system
    model = msgspec.structs.replace(system.model, start=Start(time=time), motors=())
    rows: list[Expression] = [row for x, value in zip(inputs, values, strict=True) for row in x.hold_at(value)]
    positions = Positions(dynamics, time, rows)
    anywhere = replace(system, model=model)
    found, last, tried = [q], 0, 0
    for tried in range(1, MOST + 1):
        new, _, error = close(positions, starting_coordinates(anywhere, RANDOM + tried))
        if is_closed(positions, error) and all(np.max(np.abs(new - old)) > SAME * system.length for old in found):
            found.append(new)
            last = tried
        if tried - last >= PATIENCE:
            break
    held = {x.name: value for x, value in zip(inputs, values, strict=True)}
    largest = most_assemblies(model, inputs)
    return Assemblies(np.array(found), held, largest, tried)


def most_assemblies(model: Model, inputs: tuple[JointMotion, ...]) -> int | None:
    """2 for each dyad, if the mechanism consists of the inputs and dyads; else None."""
    equations = sum(joint.independent_equations(2) for joint in model.joints) + len(inputs) + len(model.couplings)
    if equations != 3 * len(model.bodies) or model.couplings:
        return None  # redundant equations would have to fit
    driven = {joint.name for joint in inputs}
    known, left, count = {GROUND}, {body.name for body in model.bodies}, 1
    while left:
        found = _driven_body(model, known, left, driven) or _dyad(model, known, left, driven)
        if found is None:
            return None
        group, ways = found
        known |= group
        left -= group
        count *= ways
    return count


def _driven_body(model: Model, known: set[str], left: set[str], driven: set[str]) -> tuple[set[str], int] | None:
    """A body whose position an input determines."""
    for joint in model.joints:
        bodies = set(joint.bodies)
        if (
            joint.name in driven
            and joint.independent_equations(2) == 2
            and len(bodies & left) == len(bodies & known) == 1
        ):
            return bodies & left, 1
    return None


def _dyad(model: Model, known: set[str], left: set[str], driven: set[str]) -> tuple[set[str], int] | None:
    """One body or two that the known ones hold in two possible positions."""

    def holding(body: str, by: set[str]) -> list[Joint]:
        return [joint for joint in model.joints if body in joint.bodies and set(joint.bodies) - {body} <= by]

    def count_held(body: str, by: set[str]) -> int:
        return sum(joint.independent_equations(2) + (joint.name in driven) for joint in holding(body, by))

    for body in sorted(left):
        joints = holding(body, known)
        pinned = any(joint.independent_equations(2) + (joint.name in driven) == 2 for joint in joints)
        if count_held(body, known) == 3 and (pinned or all(joint.rod is None for joint in joints)):
            return {body}, 2
    for body in sorted(left):
        for other in sorted(left - {body}):
            if count_held(body, known) == count_held(other, known) == count_held(body, {other}) == 2:
                return {body, other}, 2
    return None
