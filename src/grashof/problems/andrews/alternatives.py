"""Known mistakes with Andrews' squeezer: other assembly modes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import numpy as np

from grashof.problems.andrews.reference import IFTOMM, IVP_BETA0, Squeezer, solution
from grashof.problems.base import Alternative, Case, Columns


def alternatives(case: Case) -> Iterator[Alternative]:
    """Andrews' squeezer assembled with G or H on the wrong side of the line A–E.

    A–G and A–H are of one length, and so are G–E and H–E: on the other side, G is at the place of H, and its rods move
    as those of H do; and the other way round.
    """
    beta0 = IVP_BETA0 if case.variant == "ivp" else IFTOMM.beta0
    for names, words in (("G", "G below the line A–E"), ("H", "H above the line A–E"), ("GH", "G and H exchanged")):
        data = _turned_over(names)
        yield Alternative(f"an assembly with {words}", case.t_end, partial(_squeezed_mechanism, data, beta0))


def _turned_over(names: str) -> Squeezer:
    """The data with the rods at these points moved to the positions of the other point; those left behind have no
    mass."""
    rods = list(IFTOMM.rods)
    for name in names:
        place = {"G": "H", "H": "G"}[name]
        for rod in IFTOMM.rods:
            if name in (rod.start, rod.end):
                rods[rods.index(rod)] = replace(rod, mass=0.0, inertia=0.0)
                rods.append(replace(rod, start=rod.start.replace(name, place), end=rod.end.replace(name, place)))
    return replace(IFTOMM, rods=tuple(rods))


def _squeezed_mechanism(data: Squeezer, beta0: float | str, times: np.ndarray) -> Columns:
    motion = solution(times, beta0, data)
    return {
        "x_F": motion.x_f,
        "y_F": motion.y_f,
        "kinetic": motion.kinetic,
        "potential": motion.potential,
        "work": data.torque * (motion.beta - float(beta0)),
    }
