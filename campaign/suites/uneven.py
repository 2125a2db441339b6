"""Linkages of thin links, or of links with very different masses.

The particles of each body are moved towards a line through two of its joints, to 10^U(−5, 0) of their distance from it,
and its masses are multiplied by 10^U(−3, 3) in half of the linkages. Thin rods hardly resist a rotation about their
axis: in natural coordinates some masses are then far smaller than others. Thinness and masses change the motion, but
not the branch on which it takes place.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from campaign.case import KnownMotion
from campaign.linkage import STEP, Linkage
from campaign.linkage_case import free, thrown
from campaign.plane import random_frame, row
from campaign.space import bennett, bricard, sarrus, turned
from campaign.structure import Solid
from campaign.suite import Cases, Rng
from campaign.suites.near_misses import four_bar
from campaign.suites.work_of_motors import CLEAR

THIN = (-5.0, 0.0)
"""Powers of ten by which particles are moved towards the line."""

UNEVEN = (-3.0, 3.0)
"""Powers of ten by which masses are multiplied."""


def _uneven(rng: Rng, linkage: Linkage) -> Linkage:
    thin, masses = 10.0 ** rng.uniform(*THIN), bool(rng.random() < 0.5)

    def made(body: Solid) -> Solid:
        first, second = list(body.pins.values())[:2]
        along = (second - first) / np.linalg.norm(second - first)
        arms = body.places - first
        on_line = np.multiply.outer(arms @ along, along)
        factor = 10.0 ** rng.uniform(*UNEVEN) if masses else 1.0
        return replace(body, places=first + on_line + thin * (arms - on_line), masses=factor * body.masses)

    bodies = tuple(made(body) for body in linkage.bodies)
    name = f"{linkage.name}, thin by {thin:.0e}{', uneven masses' if masses else ''}"
    return replace(linkage, name=name, bodies=bodies)


def _free(make: Callable[[Rng], Linkage]) -> Callable[[Rng], KnownMotion]:
    def draw(rng: Rng) -> KnownMotion:
        linkage = _uneven(rng, make(rng))
        start, rate, times = thrown(rng, linkage)
        return free(linkage, start, rate, times, crank=_crank(linkage, start))

    return draw


def _crank(linkage: Linkage, s: float) -> float:
    """The derivative by s of the angle of the first body about its hinge on the ground."""
    crank = linkage.bodies[0].name
    (axis,) = (hinge.axis for hinge in linkage.hinges if hinge.b == crank)
    if axis is None:
        return 1.0
    axes = linkage.path(np.array([s + 1j * STEP]))[crank][1][0]
    spin = axes.imag / STEP @ axes.real.T
    return float(np.array([spin[2, 1], spin[0, 2], spin[1, 0]]) @ axes.real @ axis)


def _turned(make: Callable[..., Linkage], *words: str) -> Callable[[Rng], KnownMotion]:
    def drawn(rng: Rng) -> Linkage:
        frame = random_frame(rng)
        return turned(make(rng, *words, general=True), frame.origin, frame.axes)

    return _free(drawn)


def _parallelograms(rng: Rng) -> Linkage:
    windows = ["parallelogram"] * int(rng.integers(1, 4))
    return row(rng, windows, level=bool(rng.random() < 0.5), general=True, frame=random_frame(rng))


SUITE = Cases(
    "uneven-masses",
    {
        "Bennett": (2, _turned(bennett)),
        "Bricard": (2, _turned(bricard)),
        "Sarrus": (1, _turned(sarrus, "leaning")),
        "Sarrus, folding": (1, _turned(sarrus, "folding")),
        "four-bars, space": (1, _free(lambda rng: four_bar(rng, space=True, margins=CLEAR))),
        "four-bars": (1, _free(lambda rng: four_bar(rng, space=False, margins=CLEAR))),
        "parallelograms, space": (1, _free(_parallelograms)),
    },
)
