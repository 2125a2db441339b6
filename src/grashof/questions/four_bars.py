"""Four-bars: four bodies in a loop of four pins, and Grashof's rule.

With the shortest link s, the longest l and the others p, q: if s + l < p + q the shortest link can rotate fully
relative to its neighbours (F. Grashof, Theoretische Maschinenlehre, vol. 2, 1883). The class of the linkage depends on
which link is the frame.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from grashof.common.wording import quote_first
from grashof.model.bodies import GROUND
from grashof.model.fields import body_of
from grashof.model.joints import Joint
from grashof.model.model import Model

EQUAL = 1e-9
"""Sums of lengths that differ by a smaller fraction of the perimeter count as equal."""


@dataclass(frozen=True)
class FourBar:
    """A loop of four links. The first is the frame (the ground if it is one of them), the second the input, the last
    the output.

    bodies    frame, input, coupler, output
    joints    frame–input, input–coupler, coupler–output, output–frame
    lengths   of the four links, between their pins, m
    limited   the cranks that cannot turn fully, because other joints of the mechanism limit them; None if that is not
              known
    """

    bodies: tuple[str, str, str, str]
    joints: tuple[str, str, str, str]
    lengths: tuple[float, float, float, float]
    limited: tuple[str, ...] | None = None

    @property
    def excess(self) -> float:
        """p + q − s − l, m: positive if the shortest link can rotate fully."""
        s, p, q, l = sorted(self.lengths)
        return p + q - s - l

    @property
    def kind(self) -> str:
        """`double crank`, `crank-rocker`, `double rocker`, `triple rocker` (no link rotates fully) or `change
        point`."""
        if abs(self.excess) <= EQUAL * sum(self.lengths):
            return "change point"
        if self.excess < 0.0:
            return "triple rocker"
        shortest = self.lengths.index(min(self.lengths))
        return ("double crank", "crank-rocker", "double rocker", "crank-rocker")[shortest]

    @property
    def cranks(self) -> tuple[str, ...]:
        """The links that rotate fully relative to the frame, by Grashof's rule alone; none at a change point."""
        if self.kind == "double crank":
            return self.bodies[1], self.bodies[3]
        if self.kind == "crank-rocker":
            return (self.bodies[self.lengths.index(min(self.lengths))],)
        return ()

    def __str__(self) -> str:
        links = ", ".join(f"'{name}' {x:.6g} m" for name, x in zip(self.bodies, self.lengths, strict=True))
        turns = f" ({self._turns()})" if self.cranks else ""
        held = "" if self.bodies[0] == GROUND else f", relative to '{self.bodies[0]}'"
        return f"{self.kind}{turns}{held}: {links}; p + q − s − l = {self.excess:.3g} m"

    def _turns(self) -> str:
        """What the cranks can do."""
        if self.limited is None:
            return f"in this loop alone, {quote_first(self.cranks)} can turn fully"
        free = [name for name in self.cranks if name not in self.limited]
        able = [f"{quote_first(free)} can turn fully"] if free else []
        limited = (
            [f"{quote_first(self.limited)} could turn fully in this loop alone, but other joints prevent it"]
            if self.limited
            else []
        )
        return "; ".join(able + limited)


def find_four_bars(model: Model, inputs: tuple[str, ...] = ()) -> tuple[FourBar, ...]:
    """All four-bars of a planar mechanism; `inputs` are bodies that are driven."""
    pins: dict[str, list[Joint]] = {}
    for joint in model.joints:
        if joint.is_pin:
            for body in joint.bodies:
                pins.setdefault(body, []).append(joint)
    found: dict[frozenset[str], FourBar] = {}
    for frame in (GROUND, *(body.name for body in model.bodies)):
        for way in _loops(pins, [frame], []):
            found.setdefault(frozenset(joint.name for joint in way), _four_bar(model, frame, way, inputs))
    return tuple(found.values())


def _loops(pins: dict[str, list[Joint]], bodies: list[str], way: list[Joint]) -> list[list[Joint]]:
    """Paths over four pins from a body back to itself, through three others."""
    found = []
    for joint in pins.get(bodies[-1], ()):
        if joint in way:
            continue
        after = other_body(joint, bodies[-1])
        if len(way) == 3 and after == bodies[0]:
            found.append([*way, joint])
        elif len(way) < 3 and after not in bodies:
            found += _loops(pins, [*bodies, after], [*way, joint])
    return found


def _four_bar(model: Model, frame: str, way: list[Joint], inputs: tuple[str, ...]) -> FourBar:
    bodies = [frame]
    for joint in way[:-1]:
        bodies.append(other_body(joint, bodies[-1]))
    four = _measure_links(model, bodies, way)
    back = _measure_links(model, [frame, *bodies[:0:-1]], way[::-1])
    driven = four.bodies[3] in inputs or (four.bodies[1] not in inputs and four.bodies[3] in four.cranks)
    return back if driven and four.bodies[1] not in inputs + four.cranks else four


def _measure_links(model: Model, bodies: list[str], way: list[Joint]) -> FourBar:
    lengths = []
    for k, body in enumerate(bodies):
        lengths.append(math.dist(*(model.points[point_on(joint, body)] for joint in (way[k - 1], way[k]))))
    first, second, third, last = bodies
    a, b, c, d = (joint.name for joint in way)
    w, x, y, z = lengths
    return FourBar((first, second, third, last), (a, b, c, d), (w, x, y, z))


def other_body(joint: Joint, body: str) -> str:
    """The other body of a joint."""
    a, b = joint.bodies
    return b if a == body else a


def point_on(joint: Joint, body: str) -> str:
    """The joint's point on one of its bodies."""
    return joint.a if body_of(joint.a) == body else joint.b
