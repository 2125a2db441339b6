"""Which bodies move, and how far, when the coordinates change a little."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from grashof.formulation.natural.system import System
from grashof.model.fields import body_of
from grashof.questions.equations import Array

SHOWN = 3
"""Number of bodies named in a line."""


def moved_bodies(system: System, shape: Array) -> dict[str, float]:
    """How far each body moves along δq: the larger of its points' displacement and its rotation times the
    mechanism's length, m."""
    found = {}
    for body in system.model.bodies:
        frame = system.frames[body.name]
        places = [system.point(name) for name in system.model.points if body_of(name) == body.name]
        moves = [size_of([form.rate(shape) for form in place]) for place in (*places, frame.origin)]
        for forms, local in zip(frame.directions, frame.directions_local, strict=True):
            moves.append(size_of([form.rate(shape) for form in forms]) * system.length / float(np.linalg.norm(local)))
        found[body.name] = max(moves)
    return found


def named_bodies(moves: dict[str, float]) -> str:
    """The bodies that move most, and how far relative to the first.

    >>> named_bodies({"crank": 1.0, "rod": 2.0, "frame": 0.0})
    "'rod' 1.00, 'crank' 0.50"
    """
    moved = sorted(moves.items(), key=lambda body: -body[1])
    moving = [(name, size / moved[0][1]) for name, size in moved if size > 0.01 * moved[0][1]]
    named = ", ".join(f"'{name}' {size:.2f}" for name, size in moving[:SHOWN])
    rest = len(moving) - SHOWN
    return named + (f" and {rest} other bod{'y' if rest == 1 else 'ies'}" if rest > 0 else "")


def size_of(vector: Sequence[complex]) -> float:
    """Its length."""
    return float(np.linalg.norm(vector))
