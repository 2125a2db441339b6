"""What a result could be instead of what was asked for: other variants, sizes, gravities, assemblies."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from grashof.judge.expected import expected_at
from grashof.problems import PROBLEMS, make_case
from grashof.problems.andrews.reference import IFTOMM, IVP_BETA0, Squeezer
from grashof.problems.andrews.reference import solution as squeeze
from grashof.problems.base import Case
from grashof.problems.four_bar.reference import GRAVITY
from grashof.references import Reference, reference_for

WINDOWS = (1, 2, 3, 4, 5, 6, 8, 10, 16, 20, 30, 40, 50, 60, 80, 100)
GRAVITIES = (9.8, 9.80665, 9.82, 10.0)

Columns = Mapping[str, np.ndarray]


@dataclass(frozen=True)
class Alternative:
    """Something a result could be, and its columns at times up to t_end."""

    words: str
    t_end: float
    at: Callable[[np.ndarray], Columns]


def alternatives(case: Case) -> Iterator[Alternative]:
    """Everything of which a result of this case could be one by mistake."""
    problem = PROBLEMS[case.problem]
    given = {name: value for name, value in case.parameters.items() if name in problem.parameters}
    for variant in problem.variants:
        stored = reference_for(make_case(case.problem, variant, given))
        if variant != case.variant and stored is not None:
            yield Alternative(f"variant '{variant}'", stored.until, partial(_values, stored))
    if "N" in case.parameters:
        yield from _four_bars(case)
    if case.problem == "andrews":
        yield from _squeezers(case)


def _values(reference: Reference, times: np.ndarray) -> Columns:
    return expected_at(reference, times).values


def _four_bars(case: Case) -> Iterator[Alternative]:
    """Other numbers of windows, and other gravities g′: φ̈ = k² sin φ in the time s t, s = √(g′/g), from the speed v/s."""
    given = {name: case.parameters[name] for name in ("N", "speed")}
    for windows in WINDOWS:
        if windows != given["N"]:
            other = make_case("n-four-bar", None, {**given, "N": windows})
            yield Alternative(f"N = {windows}", case.t_end, other.reference)
    for gravity in GRAVITIES:
        s = math.sqrt(gravity / GRAVITY)
        slower = make_case("n-four-bar", None, {**given, "speed": given["speed"] / s})
        words = f"gravity {gravity:g} m/s² instead of {GRAVITY:g}"
        yield Alternative(words, case.t_end, partial(_quicker, slower, s))


def _quicker(case: Case, s: float, times: np.ndarray) -> Columns:
    columns = case.reference(s * times)
    return {"x_1": columns["x_1"], "xdot_1": s * columns["xdot_1"]}


def _squeezers(case: Case) -> Iterator[Alternative]:
    """Andrews' squeezer assembled with G or H on the wrong side of the line A–E.

    A–G and A–H are of one length, and so are G–E and H–E: on the other side, G is at the place of H, and its rods move as those of
    H do; and the other way round.
    """
    beta0 = IVP_BETA0 if case.variant == "ivp" else IFTOMM.beta0
    for names, words in (("G", "G below the line A–E"), ("H", "H above the line A–E"), ("GH", "G and H exchanged")):
        data = _turned_over(names)
        yield Alternative(f"an assembly with {words}", case.t_end, partial(_squeezed, data, beta0))


def _turned_over(names: str) -> Squeezer:
    """The data with the rods at these points carried by the others' places; what stays behind has no mass."""
    rods = list(IFTOMM.rods)
    for name in names:
        place = {"G": "H", "H": "G"}[name]
        for rod in IFTOMM.rods:
            if name in (rod.start, rod.end):
                rods[rods.index(rod)] = replace(rod, mass=0.0, inertia=0.0)
                rods.append(replace(rod, start=rod.start.replace(name, place), end=rod.end.replace(name, place)))
    return replace(IFTOMM, rods=tuple(rods))


def _squeezed(data: Squeezer, beta0: float | str, times: np.ndarray) -> Columns:
    motion = squeeze(times, beta0, data)
    return {
        "x_F": motion.x_f,
        "y_F": motion.y_f,
        "kinetic": motion.kinetic,
        "potential": motion.potential,
        "work": data.torque * (motion.beta - float(beta0)),
    }
