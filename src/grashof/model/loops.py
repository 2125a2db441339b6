"""The closed loops of a mechanism: for each joint that closes one, the shortest path around it through earlier
joints."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection
from dataclasses import dataclass
from heapq import heappop, heappush

from grashof.model.bodies import GROUND
from grashof.model.joints import Joint
from grashof.model.model import Model


@dataclass(frozen=True)
class Loop:
    """A closed chain: the joint that closes it, then the others along the path."""

    joints: tuple[str, ...]
    bodies: tuple[str, ...]

    def __str__(self) -> str:
        return " – ".join(self.bodies)


@dataclass(frozen=True)
class Loops:
    """The joints in the order in which the mechanism is assembled from the ground, and the loops that they close.

    order   the joints, those of a spanning tree first
    closed  for each joint that closes a loop, that loop
    """

    order: tuple[str, ...]
    closed: dict[str, Loop]


def find_loops(model: Model) -> Loops:
    """Adds joints one by one, those near the ground first; a joint between two bodies that are already connected
    closes a loop."""
    joints = {joint.name: joint.bodies for joint in model.joints}
    order = outward(model)
    neighbours: dict[str, list[tuple[str, str]]] = {name: [] for name in (GROUND, *(b.name for b in model.bodies))}
    closed = {}
    for name in order:
        a, b = joints[name]
        way = _shortest(neighbours, a, b)
        if way is not None:
            closed[name] = Loop((name, *(joint for joint, _ in way)), (a, *(body for _, body in way)))
        neighbours[a].append((name, b))
        neighbours[b].append((name, a))
    return Loops(order, closed)


def outward(model: Model) -> tuple[str, ...]:
    """The joints, those near the ground first."""
    joints = {joint.name: joint.bodies for joint in model.joints}
    distance = _distances(joints)
    return tuple(sorted(joints, key=lambda name: sum(distance[body] for body in joints[name])))


@dataclass(frozen=True)
class Tie:
    """A body of a spanning tree, and its parent body and joint; a body without a joint floats."""

    body: str
    base: str = GROUND
    joint: str | None = None


@dataclass(frozen=True)
class SpanningTree:
    """A spanning tree of the bodies, in which every body comes once and after its parent, and the joints that close
    loops."""

    ties: tuple[Tie, ...]
    closing: tuple[str, ...]


def spanning_tree(
    model: Model, never: Collection[str] = (), rather_not: Callable[[Joint], int] = lambda joint: 0
) -> SpanningTree:
    """A tree in which each body has the fewest joints between it and the ground.

    never       joints that always close loops
    rather_not  among the joints that could be part of the tree, those with the smallest number are chosen
    """
    around: dict[str, list[int]] = {}
    for k, joint in enumerate(model.joints):
        if joint.name not in never:
            for body in joint.bodies:
                around.setdefault(body, []).append(k)
    depth: dict[str, int] = {}
    ties: list[Tie] = []
    ready: list[tuple[int, int, int]] = []

    def reach(body: str, steps: int) -> None:
        depth[body] = steps
        for k in around.get(body, ()):
            heappush(ready, (rather_not(model.joints[k]), steps, k))

    reach(GROUND, 0)
    joined = (joint.bodies[0] for joint in model.joints if joint.name not in never)
    for start in (GROUND, *joined, *(body.name for body in model.bodies)):
        if start not in depth:
            ties.append(Tie(start))
            reach(start, 0)
        while ready:
            _, steps, k = heappop(ready)
            a, b = model.joints[k].bodies
            if a in depth and b in depth:
                continue
            base, body = (a, b) if a in depth else (b, a)
            ties.append(Tie(body, base, model.joints[k].name))
            reach(body, steps + 1)
    used = {tie.joint for tie in ties}
    return SpanningTree(tuple(ties), tuple(name for name in outward(model) if name not in used))


def _distances(joints: dict[str, tuple[str, str]]) -> dict[str, float]:
    around: dict[str, list[str]] = {}
    for a, b in joints.values():
        around.setdefault(a, []).append(b)
        around.setdefault(b, []).append(a)
    distance: dict[str, float] = {}
    for start in [GROUND, *around]:
        if start in distance or start not in around:
            continue
        distance[start] = 0.0
        queue = deque([start])
        while queue:
            here = queue.popleft()
            for other in around[here]:
                if other not in distance:
                    distance[other] = distance[here] + 1.0
                    queue.append(other)
    return distance


def _shortest(neighbours: dict[str, list[tuple[str, str]]], a: str, b: str) -> list[tuple[str, str]] | None:
    """The path with the fewest joints from a to b: [(joint, body reached), …], or None."""
    came: dict[str, tuple[str, str]] = {a: ("", "")}
    queue = deque([a])
    while queue:
        here = queue.popleft()
        if here == b:
            way = []
            while here != a:
                joint, before = came[here]
                way.append((joint, here))
                here = before
            return way[::-1]
        for joint, other in neighbours[here]:
            if other not in came:
                came[other] = (joint, here)
                queue.append(other)
    return None
