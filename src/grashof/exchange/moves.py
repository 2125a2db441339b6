"""Sequences of turns and slides from a frame on one body to a frame on another, which is how files describe joints."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from grashof.exchange.frames import across, column
from grashof.model.fields import Vector
from grashof.situation.rotations import turns

Frame = tuple[Vector, np.ndarray]
"""A place in m and axes as columns, in the axes of a body."""


@dataclass(frozen=True)
class Move:
    """A turn about or a slide along an axis of the frame that the moves before it have reached; constant unless
    `name` is that of a coordinate."""

    kind: Literal["turn", "slide"]
    axis: Vector
    value: float = 0.0
    rate: float = 0.0
    name: str = ""


def direction(frame: Frame, axis: Vector) -> Vector:
    """An axis of a frame in the axes of its body; the frame's own axes are exact to the last bit."""
    for k in range(3):
        if axis == tuple(float(i == k) for i in range(3)):
            return column(frame[1], k)
    length = math.hypot(*axis)
    return column((frame[1] @ (np.array(axis) / length))[:, None], 0)


def beside(axis: Vector) -> Vector:
    """A perpendicular direction: the next axis of the frame, or another one."""
    for k in range(3):
        if axis == tuple(float(i == k) for i in range(3)):
            return tuple(float(i == (k + 1) % 3) for i in range(3))
    length = math.hypot(*axis)
    return across(tuple(x / length for x in axis))


def inverse(moves: Sequence[Move]) -> list[Move]:
    """The inverse moves, in reverse order."""
    return [replace(move, value=-move.value, rate=-move.rate) for move in reversed(moves)]


def constant_first(moves: list[Move]) -> list[Move]:
    """The same moves with the constant ones moved to the front as far as possible: Turn(a) R = R Turn(Rᵀ a), and slides
    may change places.
    """
    found: list[Move] = []
    for move in moves:
        moving = [k for k, other in enumerate(found) if other.name]
        if move.name or not moving or (move.kind == "slide" and any(found[k].kind == "turn" for k in moving)):
            found.append(move)
            continue
        first = moving[0]
        if move.kind == "turn":
            axis = np.array(move.axis) / np.linalg.norm(move.axis)
            back = turns(axis, np.array([-move.value]))[0]
            found[first:] = [
                replace(other, axis=tuple(map(float, back @ np.array(other.axis)))) for other in found[first:]
            ]
        found.insert(first, move)
    return found


def compose(first: Frame, second: Frame) -> Frame:
    """A frame that is given in another one."""
    (place, axes), (by, turned) = first, second
    return tuple(map(float, np.array(place) + axes @ np.array(by))), axes @ turned


def move_frame(frame: Frame, moves: Sequence[Move]) -> Frame:
    """A frame after constant moves."""
    place, axes = frame
    for move in moves:
        axis = np.array(move.axis) / np.linalg.norm(move.axis)
        if move.kind == "slide":
            place = tuple(float(x) for x in np.array(place) + axes @ axis * move.value)
        else:
            axes = axes @ turns(axis, np.array([move.value]))[0]
    return place, axes
